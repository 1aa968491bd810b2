from pathlib import Path

import pytest

from tests.cli.conftest import Groupwise, Write


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("recall>=0.5", 0),
        ("recall > 0.5", 1),
        ("recall <= .5", 0),
        ("recall<5e-1", 1),
        ("  Recall@1  >=  0.5  ", 0),
        ("map >= 0.41666666666666663", 0),
        ("map >= 0.4166666666666667", 1),
        ("autorag:ndcg@3 > 0.7", 0),
    ],
)
def test_a_gate_decides_the_exit_code(
    groupwise: Groupwise, fixture: str, gate: str, code: int
) -> None:
    assert groupwise("evaluate", fixture, "--gate", gate).code == code


def test_a_failed_gate_tells_value_and_target(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--gate", "map>=0.8", "--gate", "recall>=0.5")
    assert done.code == 1
    assert "gate map >= 0.8 failed: map is 0.41666666666666663" in done.err
    assert "gate recall >= 0.5 passed: recall is 0.5" in done.err
    assert "profile autorag" in done.out


def test_gates_add_to_the_metrics_of_the_fixture(groupwise: Groupwise, write: Write) -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": ["x", "a"]}
    name = write("f.json", {"metrics": ["mrr"], "queries": [query]})
    done = groupwise("evaluate", name, "--gate", "recall@1 < 0.1", "--format", "csv")
    assert done.code == 0
    assert done.out.splitlines()[0] == "kind,query,mrr,recall@1"


def test_cutoffs_of_the_call_leave_gates_alone(groupwise: Groupwise, fixture: str) -> None:
    words = ("-m", "precision", "-k", "1", "--format", "csv", "--gate", "precision <= 0.5")
    done = groupwise("evaluate", fixture, *words)
    assert done.code == 0
    assert done.out.splitlines()[0] == "kind,query,precision@1,precision"


@pytest.mark.parametrize(
    "gate", ["recall", "recall=0.5", "recall==0.5", ">=0.5", "recall>=", "recall>=nan",
             "recall>=80%", "recall>=1>=2", "nonsense>=1", "recall@0>=1", "first_hit<=2", ""]
)  # fmt: skip
def test_what_is_no_gate_is_a_wrong_call(groupwise: Groupwise, fixture: str, gate: str) -> None:
    done = groupwise("evaluate", fixture, "--gate", gate)
    assert (done.code, done.out) == (2, "")
    assert done.err


def test_a_gate_on_a_metric_without_value(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", [{"id": "q", "ground_truth": [], "results": ["a"]}])
    done = groupwise("evaluate", name, "--gate", "recall>=0")
    assert done.code == 3
    assert "recall has no value" in done.err


TRUTHS = [
    {"id": f"q{n}", "ground_truth": [[f"a{n}"]], "metadata": {"type": ["bridge", "other"][n % 2]}}
    for n in range(12)
]
GOOD = {f"q{n}": [f"a{n}", "x", "y"] for n in range(12)}
BAD = {**GOOD, "q0": ["x", "y"], "q2": ["x", "a2"]}


@pytest.fixture
def files(write: Write) -> tuple[str, str, str]:
    return write("qa.json", TRUTHS), write("good.json", GOOD), write("bad.json", BAD)


def test_a_baseline_is_saved_and_decides(groupwise: Groupwise, files: tuple[str, str, str]) -> None:
    truths, good, bad = files
    words = ("-m", "recall@3", "--save-baseline", "b.json")
    done = groupwise("evaluate", truths, good, *words)
    assert (done.code, done.err) == (0, "b.json: the scores of 12 queries\n")
    gate = ("--gate", "recall@3 >= baseline - 0.01", "--baseline", "b.json")
    assert groupwise("evaluate", truths, good, *gate).code == 0
    done = groupwise("evaluate", truths, bad, "-m", "recall@3", *gate)
    assert done.code == 1
    assert "recall@3 is 0.9167, in the baseline 1.0000 (-0.0833)" in done.err
    assert (
        "gate recall@3 >= baseline - 0.01 failed: recall@3 is 0.9166666666666666 (95 % interval "
        "0.6461 to 0.9851), the bound is 0.99, the baseline 1.0, the ceiling 1.0000\n"
    ) in done.err
    assert "in the baseline" not in groupwise("evaluate", truths, bad, "-q", *gate).err


def test_a_failed_gate_keeps_the_baseline(
    groupwise: Groupwise, files: tuple[str, str, str]
) -> None:
    truths, good, bad = files
    assert groupwise("evaluate", truths, good, "--save-baseline", "b.json").code == 0
    before = Path("b.json").read_bytes()
    update = ("--baseline", "b.json", "--save-baseline", "b.json", "--gate", "recall >= baseline")
    done = groupwise("evaluate", truths, bad, *update)
    assert done.code == 1
    assert "note: b.json is not written, because a gate failed" in done.err
    assert Path("b.json").read_bytes() == before


def test_a_baseline_that_is_replaced_is_told_as_it_was(
    groupwise: Groupwise, files: tuple[str, str, str]
) -> None:
    truths, good, bad = files
    groupwise("evaluate", truths, bad, "--save-baseline", "b.json")
    update = ("--baseline", "b.json", "--save-baseline", "b.json", "-m", "recall")
    assert (
        "recall is 1.0000, in the baseline 0.9167 (+0.0833)"
        in groupwise("evaluate", truths, good, *update).err
    )
    assert "(+0.0000)" in groupwise("evaluate", truths, good, *update).err


def test_other_data_and_other_files_are_exit_3(
    groupwise: Groupwise, write: Write, files: tuple[str, str, str]
) -> None:
    truths, good, _ = files
    groupwise("evaluate", truths, good, "--save-baseline", "b.json")
    other = write("other.json", TRUTHS[:-1])
    done = groupwise("evaluate", other, good, "--baseline", "b.json")
    assert (done.code, done.out) == (3, "")
    assert "the ground truth is not that of the baseline: 11 queries" in done.err
    assert "or add --allow-other-data" in done.err
    done = groupwise("evaluate", other, good, "--baseline", "b.json", "--allow-other-data")
    assert done.code == 0
    assert "warning: compared with a baseline of other data" in done.out
    groupwise("validate", truths, "--write-baseline", "v.json")
    done = groupwise("evaluate", truths, good, "--baseline", "v.json")
    assert done.code == 3
    assert "this is a baseline of findings, for 'groupwise validate --baseline'" in done.err
    done = groupwise("validate", truths, "--baseline", "b.json")
    assert done.code == 3
    assert "this is a baseline of scores, for 'groupwise evaluate --baseline'" in done.err
    groupwise("evaluate", truths, good, "--format", "json", "-o", "r.json")
    done = groupwise("evaluate", truths, good, "--baseline", "r.json")
    assert (done.code, "this is a report" in done.err) == (3, True)
    assert groupwise("evaluate", truths, good, "--baseline", "nowhere.json").code == 3


def test_wrong_calls(groupwise: Groupwise, files: tuple[str, str, str]) -> None:
    truths, good, _ = files
    for words, message in (
        (["--gate", "recall >= baseline"], "there is no baseline; name one with --baseline FILE"),
        (["--save-baseline", "b.json", "--no-per-query"], "needs the scores of each query"),
        (["--save-baseline", truths], "would overwrite the input"),
        (["--save-baseline", "nowhere/b.json"], "there is no folder 'nowhere'"),
        (["--save-baseline", "x.json", "-o", "x.json"], "would overwrite the input"),
    ):
        done = groupwise("evaluate", truths, good, *words)
        assert (done.code, done.out) == (2, "")
        assert message in done.err


@pytest.mark.parametrize(
    ("gate", "code", "words"),
    [
        ("type=bridge: recall@3 >= 0.9", 1, "recall@3 is 0.8333333333333334"),
        ("type=other: recall@3 >= 1", 0, "recall@3 is 1.0"),
        ("type=bridg: recall@3 >= 1", 3, "no query has type 'bridg'; did you mean 'bridge'?"),
        ("tpye=bridge: recall@3 >= 1", 3, "no query has the field 'tpye'"),
        ("lower(recall@3) >= 0.6", 0, "lower(recall@3) is 0.646"),
        ("lower(recall@3) >= 0.9", 1, "the bound is 0.9, the ceiling 1.0000"),
        ("precision@3 >= 0.8", 1, "no ranking of 3 results can reach it on these data"),
        ("ild >= 0", 3, "ild has no value"),
    ],
)  # fmt: skip
def test_slices_ends_and_ceilings(
    groupwise: Groupwise, files: tuple[str, str, str], gate: str, code: int, words: str
) -> None:
    truths, _, bad = files
    done = groupwise("evaluate", truths, bad, "-m", "recall@3", "--gate", gate)
    assert done.code == code
    assert words in done.err


def test_the_preset_is_a_table_of_passes_and_failures(
    groupwise: Groupwise, files: tuple[str, str, str]
) -> None:
    truths, good, bad = files
    done = groupwise("evaluate", truths, good, "--gates", "rag")
    assert done.code == 0
    lines = [line.split() for line in done.out.partition("\ngates\n")[2].splitlines()]
    assert ["recall@10", ">=", "0.9", "passed", "1.0000", "0.9000", "1.0000"] in lines
    assert ["precision@3", ">=", "0.8", "unreachable", "0.3333", "0.8000", "0.3333"] in lines
    assert "gate precision@3 >= 0.8 unreachable" in done.err
    assert "passed" not in done.err
    assert groupwise("evaluate", truths, good, "--gates", "rag", "-q").err == ""
    done = groupwise("evaluate", truths, bad, "--gates", "rag", "--format", "csv", "-q")
    assert done.code == 1
    assert "gate hit_rate@10 >= 0.95 failed: hit_rate@10 is 0.9166666666666666" in done.err
    assert groupwise("evaluate", truths, good, "--gates", "rga").code == 3


def test_a_project_sets_metrics_profile_gates_and_baseline(
    groupwise: Groupwise, files: tuple[str, str, str]
) -> None:
    truths, good, bad = files
    groupwise("evaluate", truths, good, "-m", "recall@3", "--save-baseline", "b.json",
              "--profile", "coverage")  # fmt: skip
    Path("pyproject.toml").write_text(
        '[tool.groupwise.evaluate]\nmetrics = ["recall@3"]\nprofile = "coverage"\n'
        'gates = ["recall@3 >= baseline"]\nbaseline = "b.json"\n',
        "utf-8",
    )
    done = groupwise("evaluate", truths, bad, "--format", "csv", "-q")
    assert (done.code, done.out.splitlines()[0]) == (1, "kind,query,recall@3")
    plain = groupwise("evaluate", truths, bad, "--format", "csv", "-q", "--no-config")
    assert (plain.code, plain.err) == (0, "")
    assert plain.out.splitlines()[0].startswith("kind,query,precision,recall")
    words = ("--gate", "mrr > 0", "-m", "mrr", "--format", "csv", "-q", "--profile", "coverage")
    done = groupwise("evaluate", truths, bad, *words)
    assert (done.code, done.out.splitlines()[0]) == (0, "kind,query,mrr")
    Path("pyproject.toml").write_text("[tool.groupwise.evaluate]\ngate = []\n", "utf-8")
    done = groupwise("evaluate", truths, good)
    assert done.code == 3
    assert "tool.groupwise.evaluate.gate: unknown key; did you mean 'gates'?" in done.err


def test_gates_of_a_call_come_before_those_of_its_file_and_project(
    groupwise: Groupwise, write: Write, files: tuple[str, str, str]
) -> None:
    truths, good, _ = files
    listed = write("gates.json", {"gates": ["recall >= 2"], "profile": "coverage"})
    Path("pyproject.toml").write_text('[tool.groupwise.evaluate]\nprofile = "trec"\n', "utf-8")
    done = groupwise("evaluate", truths, good, "--gates", listed, "--gate", "mrr > 0")
    assert done.code == 1
    assert done.out.startswith("profile coverage\n")
    assert [line.split()[1] for line in done.err.splitlines()] == ["mrr", "recall"]
    done = groupwise("evaluate", truths, good, "--gates", listed, "--profile", "autorag")
    assert done.out.startswith("profile autorag\n")


def test_hostile_names_of_slices_do_not_reach_the_terminal(
    groupwise: Groupwise, write: Write
) -> None:
    name = "x\x1b[31m\u202e"
    records = [{"id": "q", "ground_truth": [["a"]], "results": ["b"], "metadata": {"t": name}}]
    fixture = write("f.json", records)
    for gate in (f"t={name}: recall >= 1", "t=\x1b[2J: recall >= 1"):
        done = groupwise("evaluate", fixture, "--gate", gate)
        assert done.code in (1, 3)
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err


def test_saved_baselines_and_reports_are_the_same_bytes_in_any_order(
    groupwise: Groupwise, write: Write, files: tuple[str, str, str]
) -> None:
    truths, good, _ = files
    groupwise("evaluate", truths, good, "--save-baseline", "one.json")
    shuffled = write("shuffled.json", TRUTHS[::-1])
    run = write("run.json", dict(reversed(GOOD.items())))
    groupwise("evaluate", shuffled, run, "--save-baseline", "two.json")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_validate_takes_the_same_gates(groupwise: Groupwise, files: tuple[str, str, str]) -> None:
    gates = ("recall@5 >= baseline", "type=x: recall >= 2", "upper(recall) >= 2")
    words = [word for gate in (*gates, "lower(recall) >= 2") for word in ("--gate", gate)]
    done = groupwise("validate", files[0], *words, "--select", "ST002", "--no-config")
    assert done.code == 1
    assert done.out.count("cannot be reached") == 1
    assert "lower(recall) >= 2 cannot be reached" in done.out


def test_a_ceiling_below_the_value_is_explained(groupwise: Groupwise, write: Write) -> None:
    """One document to find: three results have a precision of 1/3 at most, two have 1/2."""
    truth = write("truth.json", {f"q{n}": [["a"]] for n in range(3)})
    run = write("run.json", {f"q{n}": ["a", "x"] for n in range(3)})
    done = groupwise("evaluate", truth, run, "--gate", "precision@3 >= 0.8")
    assert done.code == 1
    assert "the ceiling is 0.3333, which shorter rankings can exceed\n" in done.err
    done = groupwise("evaluate", truth, run, "--gate", "precision@2 >= 0.8")
    assert done.err.endswith("can reach it on these data: the ceiling is 0.5000\n")
