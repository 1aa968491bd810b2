"""Small JSON files: baselines and gates are refused with a place, and no key is lost."""

from pathlib import Path

import pytest

from groupwise import InputError, read_baseline
from groupwise.evaluator.evaluation.gate_sets import read_gates
from groupwise.evaluator.validation.settings.baseline import Baseline

REPEATED = "the key 'gates' is repeated (first at line 1, column 2)"
REFUSED = [
    (b"", " not JSON: the file is empty"),
    (b" \n", " not JSON: the file is empty"),
    (b'{"gates": [],\n "gates": []}', f"2:2: {REPEATED}"),
    (b'{\n"a": "\xff"}', "2:7: not JSON: not UTF-8: the byte 0xff"),
    (b'{"a": 1,\n}', "1:8: not JSON: a trailing comma; remove it"),
    (b'{"a": NaN}', "1:7: not JSON: NaN"),
]
READERS = {"scores": read_baseline, "findings": Baseline.read, "gates": read_gates}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("content", "said"), REFUSED)
def test_a_file_is_refused_with_a_place(
    tmp_path: Path, reader: str, content: bytes, said: str
) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as refusal:
        READERS[reader](path)
    assert f"file.json:{said}" in str(refusal.value)


def test_a_gate_is_not_lost_to_a_second_key(tmp_path: Path) -> None:
    path = tmp_path / "gates.json"
    path.write_text('{"gates": ["recall >= 1"], "gates": ["recall >= 0"]}')
    with pytest.raises(InputError, match="the key 'gates' is repeated"):
        read_gates(path)
