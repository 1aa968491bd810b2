"""A baseline accounts for the findings that were there, each once, wherever they stand."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from groupwise.evaluator.errors import InputError, OutputError
from groupwise.evaluator.text import UNSEEN
from groupwise.evaluator.validation.settings.baseline import (
    Baseline,
    Key,
    render_baseline,
    save_baseline,
)
from tests.reporting.findings.reports import EMPTY_GROUP

QUERIES = st.none() | st.sampled_from(["", "q1", "q2"]) | st.text(max_size=4)
KEYS = st.builds(Key, st.sampled_from(["GT004", "GT007", "IO003"]), QUERIES, st.sampled_from("ab"))
ONE = Key("GT004", "q1", "ab")
OTHER = Key("GT004", None, "cd")


def written(keys: list[Key]) -> str:
    return render_baseline(Counter(keys))


def read_back(keys: list[Key], path: Path) -> Baseline:
    path.write_text(written(keys), "utf-8")
    return Baseline.read(path)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("baseline") / "baseline.json"


@given(keys=st.lists(KEYS, max_size=12), data=st.data())
def test_exactly_the_same_findings_are_accounted_for_in_any_order(
    path: Path, keys: list[Key], data: st.DataObject
) -> None:
    baseline = read_back(keys, path)
    assert all(map(baseline.accounts_for, data.draw(st.permutations(keys))))
    assert baseline.find_stale() == ()
    assert not any(map(baseline.accounts_for, keys))


@given(keys=st.lists(KEYS, max_size=12), now=st.lists(KEYS, max_size=12))
def test_what_is_new_and_what_is_gone_are_the_differences_of_multisets(
    path: Path, keys: list[Key], now: list[Key]
) -> None:
    baseline = read_back(keys, path)
    new = [key for key in now if not baseline.accounts_for(key)]
    assert Counter(new) == Counter(now) - Counter(keys)
    gone = {Key(e.code, e.query, e.fingerprint): e.count for e in baseline.find_stale()}
    assert gone == dict(Counter(keys) - Counter(now))


@given(keys=st.lists(KEYS, max_size=12), data=st.data())
def test_the_order_of_findings_does_not_change_the_file(
    keys: list[Key], data: st.DataObject
) -> None:
    assert written(keys) == written(data.draw(st.permutations(keys)))


class Consumed(RuleBasedStateMachine):
    """A baseline beside a plain multiset."""

    @initialize(keys=st.lists(KEYS, max_size=8))
    def begin(self, keys: list[Key]) -> None:
        self.baseline = Baseline(Counter(keys))
        self.model = Counter(keys)

    @rule(key=KEYS)
    def ask(self, key: Key) -> None:
        assert self.baseline.accounts_for(key) == (self.model[key] > 0)
        self.model = self.model - Counter([key])

    @rule()
    def look(self) -> None:
        assert sum(entry.count for entry in self.baseline.find_stale()) == self.model.total()


test_it_consumes_as_a_multiset_does = Consumed.TestCase


def test_lines_are_no_part_of_the_key() -> None:
    moved = EMPTY_GROUP.model_copy(update={"line": 900, "column": 1, "pointer": "/7", "file": "x"})
    baseline = Baseline({Key("GT004", "q1", "4f1a"): 2})
    for finding in (moved, EMPTY_GROUP):
        assert baseline.accounts_for(Key(finding.code, finding.query, finding.fingerprint))


def test_one_more_of_the_same_is_growth() -> None:
    baseline = Baseline(Counter({ONE: 2}))
    assert [baseline.accounts_for(ONE) for _ in range(3)] == [True, True, False]


def test_entries_of_codes_that_were_not_looked_for_are_not_stale() -> None:
    baseline = Baseline(Counter({ONE: 2, Key("GT007", "q1", "x"): 1}))
    (entry,) = baseline.find_stale(lambda code: code == "GT007")
    assert (entry.code, entry.query, entry.fingerprint, entry.count) == ("GT007", "q1", "x", 1)


def test_the_file_is_json_that_a_diff_can_show(tmp_path: Path) -> None:
    keys = (ONE, OTHER, ONE, Key("GT001", "q\x1b\u202e", "ef"))
    save_baseline(tmp_path / "baseline.json", Counter(keys))
    text = (tmp_path / "baseline.json").read_text("utf-8")
    assert not UNSEEN.search(text.replace("\n", ""))
    assert json.loads(text) == {
        "schema": "groupwise.baseline/1",
        "entries": [
            {"code": "GT001", "query": "q\x1b\u202e", "fingerprint": "ef", "count": 1},
            {"code": "GT004", "query": None, "fingerprint": "cd", "count": 1},
            {"code": "GT004", "query": "q1", "fingerprint": "ab", "count": 2},
        ],
    }
    assert len(text.splitlines()) == 5


def test_an_empty_baseline_is_one(tmp_path: Path) -> None:
    save_baseline(tmp_path / "none.json", {})
    assert (tmp_path / "none.json").read_text() == (
        '{"schema": "groupwise.baseline/1", "entries": []}\n'
    )
    assert not Baseline.read(tmp_path / "none.json").accounts_for(ONE)


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no folder"):
        save_baseline(tmp_path / "nowhere" / "baseline.json", {})
    assert list(tmp_path.iterdir()) == []


NO_TIMES = '{"code": "GT004", "fingerprint": "a", "count": 0}'
ENTRY = '{"code": "GT004", "query": "q1", "fingerprint": "ab"}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ('{"schema": "groupwise.baseline/1", "entries": [}', "1:48: not JSON"),
        ("[]", "expected an object, got a list"),
        ("{}", "/schema: Field required"),
        ('{"schema": "groupwise.findings/1", "entries": []}', "/schema: Input should be"),
        ('{"schema": "groupwise.baseline/2", "entries": []}', "'groupwise.baseline/1'"),
        ('{"schema": "groupwise.baseline/1"}', "/entries: Field required"),
        ('{"schema": "groupwise.baseline/1", "entries": {}}', "/entries: Input should be"),
        (
            '{"schema": "groupwise.baseline/1", "entries": [3]}',
            "/entries/0: expected an entry (an object), got the number 3",
        ),
        (
            '{"schema": "groupwise.baseline/1", "entries": [{"code": "GT004", "finger": ""}]}',
            "did you mean 'fingerprint'?",
        ),
        (
            f'{{"schema": "groupwise.baseline/1", "entries": [{NO_TIMES}]}}',
            "/entries/0/count: Input should be greater than or equal to 1",
        ),
        (
            f'{{"schema": "groupwise.baseline/1", "entries": [{ENTRY}, {ENTRY}]}}',
            "entries 0 and 1 differ only in their count",
        ),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError) as caught:
        Baseline.read(tmp_path / "b.json")
    assert said in str(caught.value)
    assert "b.json" in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the baseline: no such file"):
        Baseline.read(tmp_path / "b.json")
