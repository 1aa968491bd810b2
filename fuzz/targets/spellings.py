"""Texts that people type and settings they write: names of metrics, gates, paths, literals."""

import json
import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence

import orjson

from fuzz.mutations.raw import mutate_bytes
from fuzz.targets.target import Room, Target, draw_from
from groupwise import GroupwiseError
from groupwise.evaluator.cli.arguments import parse_count, parse_cutoffs, parse_level, parse_setting
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.paths import parse_path
from groupwise.evaluator.matching.registry import LOADERS, Matching
from groupwise.evaluator.metrics.names import measures, parse
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.metrics.registry import metrics_of
from groupwise.evaluator.reading.csv import decode_cell, encode_cell
from groupwise.evaluator.reading.literals import parse_literal
from groupwise.evaluator.reading.scan import place_deeper_than, repeated_keys
from groupwise.evaluator.reporting.sanitise import latex_safe, markdown_safe, spreadsheet_safe
from groupwise.evaluator.statistics.gates import parse_gate
from groupwise.evaluator.text import printable
from groupwise.evaluator.validation.settings.pyproject import read_settings
from groupwise.evaluator.validation.settings.selection import select_rules

CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f]")
GATES = (
    "recall@10 >= 0.9", "ndcg@10>=baseline - 0.01", "lower(mrr) >= 0.8", "map <= baseline * 1.1",
    "type=bridge: complete@10 >= 0.7", '"a:b"="x\\"y": upper(trec:map) < 1e-3', "f1 > baseline",
)  # fmt: skip
LITERALS = (
    "['a', 'b']", "['a' 'b']", '[["a"], ["b", 1.5e3]]', "{'a': [1, None, True]}", "(1, (2,), [])",
    "array(['a', 'b'], dtype=object)", "[np.str_('a'), np.int64(3)]", '["\\u00e9\\ud83d\\ude00"]',
    "['it\\'s', \"x\\x41\"]", "[]", "{}",
)  # fmt: skip
PATHS = (
    "inputs.question", "data[].evidence.*.doc_name+page", "gold[;]", "cases[].gold[\\n]", "#",
    "a.0.b+c+d", "x[].y[].z",
)  # fmt: skip
SETTINGS = (
    '[tool.groupwise.validate]\nselect = ["GT", "IO003"]\nfail-on = "warning"\nk = 5\n',
    '[tool.groupwise.validate]\ngates = ["recall@5 >= 0.8"]\ncorpus = "c.jsonl"\n',
    '[tool.groupwise.validate]\nmax-findings = 3\nper-file-ignores = {"old/*.json" = ["GT010"]}\n',
    '[tool.groupwise]\nvalidate = {profile = "trec", flat = "any", ids = "text"}\n',
)
DOCUMENTS = ('{"a": 1, "b": {"a": [1, {"c": "\\u00e9\\\\"}], "a": 2}}', '[[["x"]], {"": ""}, 1e5]')
CELLS = ('["a", "b"]', "\\x1b[31m", "'=1+1", "-5", "plain", "a\\nb", "")
RULES = ("GT", "GT004,IO", "all", "gt001", "CO,RN,GA", "")
NUMBERS = ("1,3,5,10", "0.95", "1e6", " 7 ", "name=value", "a=b=c", "99999999999999999999")


def list_targets(room: Room) -> Iterator[Target]:
    """Yield a target per kind of text."""
    yield _text("metric", _parse_metric, _spell_metrics())
    yield _text("gate", lambda text: str(parse_gate(text)), GATES)
    yield _text("literal", parse_literal, LITERALS, ValueError)
    yield _text("scan", _scan, DOCUMENTS, ValueError)
    yield _text("path", parse_path, PATHS, Unfit, ValueError)
    yield _text("rules", lambda text: select_rules(text.split(",")), RULES, ValueError)
    yield _text("matching", _parse_matching, _spell_matchings())
    yield _text("argument", _parse_argument, NUMBERS, ArgumentTypeError, ValueError)
    yield _text("cell", _check_cell, CELLS, ValueError)
    yield _settings(room)


def _text(
    name: str, call: Callable[[str], object], seeds: Sequence[str], *refusals: type[Exception]
) -> Target:
    """Return a target that takes text: bytes that are not UTF-8 stand for other characters."""
    encoded = [seed.encode() for seed in seeds]
    return Target(
        name,
        lambda data: call(data.decode("utf-8", "surrogateescape")),
        lambda: encoded,
        mutate_bytes,
        (GroupwiseError, *refusals),
    )


def _spell_metrics() -> list[str]:
    names = [f"{profile}:{name}@10" for profile in PROFILES for name in metrics_of(profile)]
    return [*names, "StRecall@5", "ndcg(label=hop-1)@3", "rbp(p=0.8)", "recall@100t", "Hit @ 5"]


def _spell_matchings() -> list[str]:
    """Return each matcher with each of its options."""
    found = [(Matching(name).to_dict(), name) for name in LOADERS]
    alone = [{"type": name, option: each[option]} for each, name in found for option in each]
    return [json.dumps(each) for each in (*(each for each, _ in found), *alone, "exact", None)]


def _parse_metric(text: str) -> object:
    profile = draw_from(text.encode("utf-8", "replace")).choice(tuple(PROFILES))
    measures(text.split(";")[:3], profile)
    return parse(text, profile).label


def _scan(text: str) -> object:
    """Scan any text for its depth, and one that is JSON for keys that are repeated."""
    place = place_deeper_than(text, 64)
    orjson.loads(text)
    return place, list(repeated_keys(text))


def _parse_matching(text: str) -> object:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        name = draw_from(text.encode("utf-8", "replace")).choice(tuple(LOADERS))
        value = {"type": name, **dict(part.partition("=")[::2] for part in text.split(","))}
    return Matching.parse(value).to_dict()


def _parse_argument(text: str) -> object:
    parsers = (parse_cutoffs, parse_count, parse_level, parse_setting)
    return draw_from(text.encode("utf-8", "replace")).choice(parsers)(text)


def _check_cell(text: str) -> None:
    """Whatever is shown holds no control characters, and cells come back as they were."""
    for show in (printable, spreadsheet_safe, markdown_safe, latex_safe):
        assert not CONTROL.search(show(text)), show
    whole = text.encode("utf-8", "replace").decode()
    assert decode_cell(encode_cell(whole)) == whole
    decode_cell(text)


def _settings(room: Room) -> Target:
    def call(data: bytes) -> object:
        return read_settings(room.put("settings/pyproject.toml", data).parent)

    encoded = [seed.encode() for seed in SETTINGS]
    return Target("settings", call, lambda: encoded)
