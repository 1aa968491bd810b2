"""Drafts and parts: what stands in for models says the same as they do."""

import contextvars
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groupwise import InputError, schemas
from groupwise.evaluator.evaluation.plan import NO_HEAD, Plan, check_policies
from groupwise.evaluator.evaluation.sources import evaluate_both
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.intake.plain_heads import accept_head
from groupwise.evaluator.reporting.forms import REPORT_FORMS
from groupwise.schemas import FixtureHead, FixtureQuery, Policies, Query, Report, RunQuery, drafts
from groupwise.schemas.parts import BOTH, PARTS, RESULTS, TRUTHS, Part, find_part, part_of
from groupwise.schemas.report_view import ReportView

MODELS = [(TRUTHS, Query), (RESULTS, RunQuery), (BOTH, FixtureQuery)]


@pytest.mark.parametrize(("part", "model"), MODELS)
def test_a_part_has_the_fields_of_its_model(part: Part, model: type[Query]) -> None:
    assert part.fields == tuple(model.model_fields)
    assert part.model is model
    fields = model.model_fields.items()
    assert part.required == {name for name, field in fields if field.is_required()}
    assert part_of(model) is part is part_of(part) is PARTS[part.holds]
    assert part.has_truth is issubclass(model, Query)
    assert part.has_results is ("results" in model.model_fields)


def test_the_part_of_a_record_is_known_of_models_only() -> None:
    query = {"id": "q", "ground_truth": [["a"]]}
    assert find_part(Query.model_validate(query)) is TRUTHS
    assert find_part(FixtureQuery.model_validate({**query, "results": []})) is BOTH
    assert find_part(query) is None
    assert find_part(type("Record", (), {"record_part": "truth"})()) is None


@pytest.mark.parametrize("name", ["Policies", "FixtureHead", "Counts"])
def test_a_draft_has_the_defaults_of_its_model(name: str) -> None:
    model, draft = getattr(schemas, name), getattr(drafts, name)
    assert list(draft.defaults) == list(model.model_fields)
    assert vars(draft()) == dict(model.model_construct())
    assert draft() == model.model_construct()
    assert model.model_construct() == draft()


def test_policies_are_found_under_the_same_key_whether_they_are_a_draft_or_a_model() -> None:
    assert hash(drafts.Policies()) == hash(Policies())
    assert check_policies(NO_HEAD.policies, (("missing", "skip"),)) == Policies(missing="skip")
    assert drafts.Policies(missing="skip") != Policies()


def test_the_choices_of_policies_are_those_of_the_model() -> None:
    schema = Policies.model_json_schema()["properties"]
    for name, choices in drafts.Policies.choices.items():
        arms = [schema[name], *schema[name].get("anyOf", [])]
        listed = [value for arm in arms for value in arm.get("enum", [arm.get("const")])]
        assert {*choices} - {None} == {*listed} - {None}
        assert choices[0] == schema[name]["default"]


@given(
    st.dictionaries(
        st.sampled_from(["missing", "flat", "ids", "ties", "characters_per_token"]),
        st.sampled_from(["zero", "skip", "any", "text", "input", "score", "?", 2.0]),
        max_size=3,
    )
)
def test_policies_are_accepted_as_their_model_accepts_them(asked: dict[str, Any]) -> None:
    try:
        model = Policies(**asked)
    except ValidationError:
        assert drafts.Policies().accept(asked) is None
        with pytest.raises(InputError):
            check_policies(NO_HEAD.policies, tuple(asked.items()))
    else:
        assert check_policies(NO_HEAD.policies, tuple(asked.items())) == model


def test_a_copy_of_a_draft_has_other_values_and_leaves_it_as_it_is() -> None:
    counts = drafts.Counts(queries=3)
    assert counts.model_copy(update={"scored": 2}) == drafts.Counts(queries=3, scored=2)
    assert counts == drafts.Counts(queries=3)


def test_models_are_built_outside_of_the_context_also_in_other_threads() -> None:
    with drafts.draft_reports():
        assert drafts.find_shapes() is drafts
        assert contextvars.Context().run(drafts.find_shapes) is schemas
    assert drafts.find_shapes() is schemas


def test_reports_and_their_drafts_share_their_methods() -> None:
    assert issubclass(Report, ReportView)
    assert issubclass(drafts.Report, ReportView)
    shared = [name for name in vars(ReportView) if not name.startswith("__")]
    assert "worst" in shared
    assert not {*shared} & {*vars(Report), *vars(drafts.Report)}


HEADS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(max_size=3) | st.none(),
        "description": st.text(max_size=3) | st.integers(),
        "profile": st.sampled_from(["autorag", "trec", "", None]),
        "metrics": st.lists(st.sampled_from(["recall", "ndcg@3", 1]), max_size=2) | st.just("f1"),
        "expected": st.dictionaries(
            st.sampled_from(["recall", "mrr"]),
            st.floats(0, 1) | st.integers(0, 1) | st.sampled_from([None, ">= 0.5", "x", True]),
            max_size=2,
        ),
        "tolerance": st.sampled_from([0.0, 1e-3, -1.0, 1, True, float("inf"), float("nan"), "0"]),
        "policies": st.sampled_from([{}, {"missing": "skip"}, {"missing": "?"}]),
        "matching": st.sampled_from(["exact", None, {"type": "exact"}]),
        "unknown": st.none(),
    },
)


@given(HEADS)
def test_a_head_that_is_plain_is_read_as_its_model_reads_it(head: dict[str, Any]) -> None:
    plain = accept_head(head)
    try:
        model = FixtureHead.model_validate(head)
    except ValidationError:
        assert plain is None
    else:
        assert plain is None or vars(plain) == vars(model)
        common = {"name", "profile", "metrics", "tolerance"}
        if head.keys() <= common and all(type(head.get(n, "")) is str for n in ("name", "profile")):
            assert plain is not None or type(head["tolerance"]) is int


def test_the_forms_of_a_draft_are_those_of_the_report() -> None:
    queries = [
        {"id": f"q{number}", "ground_truth": [["a"], [f"b{number}"]], "results": ["a", "b1"]}
        for number in range(3)
    ]
    plan = Plan(metrics=("recall", "ndcg@1", "first_hit"), by=("groups",), curve=3, bands=True)
    records = as_records(queries, "queries")
    report = evaluate_both(plan, records)
    with drafts.draft_reports():
        draft: Any = evaluate_both(plan, records)
    assert isinstance(report, Report)
    assert isinstance(draft, drafts.Report)
    assert REPORT_FORMS.default.render(draft) == REPORT_FORMS.default.render(report)
    assert draft.worst(2) == report.worst(2) == ["q0", "q2"]
    assert draft.passed is report.passed is True
    assert vars(draft) == {name: getattr(report, name) for name in Report.model_fields}


def test_drafts_go_to_other_processes() -> None:
    for draft in (NO_HEAD, accept_head({"expected": {"recall": 0.5}, "metrics": ["recall"]})):
        assert pickle.loads(pickle.dumps(draft)) == draft  # noqa: S301  (written here)
