import json

from tests.cli.conftest import GROUND_TRUTH, RESULTS, SIX, Groupwise, Write


def test_the_demo_fits_on_one_screen(groupwise: Groupwise) -> None:
    done = groupwise("demo")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_the_demo_tells_the_running_example(groupwise: Groupwise) -> None:
    text = groupwise("demo").out
    words = [line.split() for line in text.splitlines()]
    assert "(test-1 or test-2) and (test-3)" in text
    assert ["hit", "vector", "1", "0", "1", "0"] in words
    for name, value in SIX.items():
        assert [name, f"{value:.4f}"] in [line[:2] for line in words]


def test_the_fixture_is_a_test_that_passes(groupwise: Groupwise, write: Write) -> None:
    text = groupwise("demo", "--fixture").out
    fixture = json.loads(text)
    assert fixture["queries"][0]["ground_truth"] == GROUND_TRUTH
    assert fixture["queries"][0]["results"] == RESULTS
    assert fixture["expected"] == SIX
    assert groupwise("check", write("first.json", text)).code == 0
