import json
import re

import pytest

from groupwise.evaluator.validation.rules.registry import CODE, FAMILIES, every_rule
from tests.cli.conftest import Groupwise

RULES = every_rule()


def test_rules_have_codes_and_names_of_their_own() -> None:
    assert all(code == rule.code and CODE.fullmatch(code) for code, rule in RULES.items())
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    assert {rule.family for rule in RULES.values()} == set(FAMILIES)
    for rule in RULES.values():
        assert all((rule.what, rule.why, rule.example, rule.instead)), rule.code


def test_the_list_has_every_rule_by_family(groupwise: Groupwise) -> None:
    done = groupwise("rule")
    assert (done.code, done.err) == (0, "")
    assert re.findall(r"^  ([A-Z]{2}\d{3})  ([a-z0-9-]+) ", done.out, re.MULTILINE) == [
        (rule.code, rule.name) for rule in RULES.values()
    ]
    assert [done.out.index(f"{family}: ") for family in FAMILIES] == sorted(
        done.out.index(f"{family}: ") for family in FAMILIES
    )
    line = next(one for one in done.out.splitlines() if "GT004" in one)
    assert line.split() == ["GT004", "empty-group", "error", "unsafe", "fix"]


@pytest.mark.parametrize("code", RULES)
def test_a_page_says_all_there_is(groupwise: Groupwise, code: str) -> None:
    done, rule = groupwise("rule", code), RULES[code]
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{code} {rule.name}  {rule.severity}\n")
    flowing = " ".join(done.out.split())
    for text in (rule.what, rule.why, str(rule.fix or "")):
        assert " ".join(text.split()) in flowing
    for line in (*rule.example.splitlines(), *rule.instead.splitlines()):
        assert f"  {line}\n" in done.out
    promised = {"safe": "(safe: --fix)", "unsafe": "(unsafe: --unsafe-fixes)", None: "by hand"}
    assert promised[rule.fixable] in done.out


def test_a_rule_goes_by_its_name_and_in_any_case(groupwise: Groupwise) -> None:
    page = groupwise("rule", "GT004")
    assert groupwise("rule", "gt004") == page
    assert groupwise("rule", "empty-group") == page
    assert groupwise("rule", "Empty-Group") == page


def test_several_rules_and_beginnings_of_codes(groupwise: Groupwise) -> None:
    done = groupwise("rule", "GT004", "IO003", "GT004")
    assert done.out == groupwise("rule", "GT004").out + "\n" + groupwise("rule", "IO003").out
    listed = re.findall(r"^  (\w+)", groupwise("rule", "GT01").out, re.MULTILINE)
    assert listed == [code for code in RULES if code.startswith("GT01")]
    assert groupwise("rule", "all") == groupwise("rule")


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("GT04", "'GT004'"),
        ("empty-gruop", "'empty-group'"),
        ("qqq", f"'groupwise rule' lists all {len(RULES)}"),
        (" ", f"'groupwise rule' lists all {len(RULES)}"),
    ],
)
def test_an_unknown_rule_gets_the_nearest(groupwise: Groupwise, word: str, nearest: str) -> None:
    done = groupwise("rule", word)
    assert (done.code, done.out) == (2, "")
    assert f"no rule '{word}'; " in done.err
    assert nearest in done.err


def test_as_json(groupwise: Groupwise) -> None:
    found = json.loads(groupwise("rule", "--format", "json").out)
    assert found["schema"] == "groupwise.rules/1"
    assert [one["code"] for one in found["rules"]] == list(RULES)
    (one,) = json.loads(groupwise("rule", "GT007", "--format", "json").out)["rules"]
    assert (one["name"], one["severity"], one["fixable"]) == (
        "repeated-alternative", "warning", "safe",
    )  # fmt: skip
    assert set(one) == {
        "code", "name", "severity", "what", "why", "example", "instead", "fix", "fixable",
    }  # fmt: skip
