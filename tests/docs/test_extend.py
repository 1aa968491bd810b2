"""The page on extensions shows what the example file has, in few lines each."""

import ast

from tests.docs.pages import blocks
from tests.paths import FIXTURES, ROOT

PAGE = ROOT / "docs" / "how-to" / "extend.md"
EXAMPLES = FIXTURES / "examples" / "extensions.py"


def test_the_page_shows_the_code_of_the_file() -> None:
    page, source = PAGE.read_text("utf-8"), EXAMPLES.read_text("utf-8")
    _, _, *statements = ast.parse(source).body
    assert len(statements) == 9
    for statement in statements:
        assert (ast.get_source_segment(source, statement) or "?") in page


def test_the_examples_are_short() -> None:
    examples = [block for block in blocks(PAGE, "python") if "import" in block.text]
    assert len(examples) == 5
    assert all(len(block.text.splitlines()) < 20 for block in examples)
