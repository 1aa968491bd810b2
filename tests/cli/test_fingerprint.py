"""``groupwise fingerprint``: what is written, and that nothing else changes."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import evaluate
from tests.cli.conftest import RUNNING, Groupwise, Write
from tests.cli.shell import names_in

TEXTS = {"a": "one", "b": "two words", "c": "three"}


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def sum_of(texts: dict[str, str]) -> str:
    """The fingerprint by its definition."""
    spelled = [f"{len(one)}:{one}:{text}".encode() for one, text in texts.items()]
    each = [int(hashlib.sha256(one).hexdigest()[:32], 16) for one in spelled]
    return f"gw2:{len(texts)}:{sum(each) % 2**128:032x}"


HASHES = {one: hash_of(text) for one, text in TEXTS.items()}
WHOLE = sum_of(TEXTS)


@pytest.fixture
def corpus(write: Write) -> str:
    lines = [json.dumps({"id": one, "text": text}) for one, text in TEXTS.items()]
    return write("corpus.jsonl", "\n".join(lines))


def read(name: str) -> str:
    return Path(name).read_bytes().decode()


def test_the_fingerprint_of_a_corpus(groupwise: Groupwise, corpus: str, write: Write) -> None:
    assert groupwise("fingerprint", "--corpus", corpus) == (0, f"{WHOLE}\n", "")
    other = write("other.json", dict(reversed(TEXTS.items())))
    assert groupwise("fingerprint", "--corpus", other).out == f"{WHOLE}\n"


LINES = [
    (
        '{"id": "q1", "ground_truth": [["a", "b"], ["a"]]}',
        f', "hashes": {{"a": "{HASHES["a"]}", "b": "{HASHES["b"]}"}}, "corpus": "{WHOLE}"',
    ),
    (
        ' {"retrieval_gt":[["c"]],"qid":7} ',
        f',"hashes":{{"c":"{HASHES["c"]}"}},"corpus":"{WHOLE}"',
    ),
    ('{"id": "é", "ground_truth": [{"b": 2, "x": 0}], "query": "\\u00e9 }"}\r',
     f', "hashes": {{"b": "{HASHES["b"]}"}}, "corpus": "{WHOLE}"'),
    ('{"id": "none", "ground_truth": [], "answerable": false}', f', "corpus": "{WHOLE}"'),
]  # fmt: skip


def test_lines_keep_all_they_have(groupwise: Groupwise, corpus: str, write: Write) -> None:
    old = "\n".join(["", *(line for line, _ in LINES), ""])
    behind = [(line.rindex("}"), line, more) for line, more in LINES]
    new = "\n".join(["", *(line[:end] + more + line[end:] for end, line, more in behind), ""])
    data = write("qa.jsonl", old)
    assert groupwise("fingerprint", data, "--corpus", corpus) == (0, new, "")
    assert read(data) == old
    assert groupwise("fingerprint", data, "--corpus", corpus, "--in-place") == (0, "", "")
    assert read(data) == new


def test_a_second_time_changes_nothing(groupwise: Groupwise, corpus: str, write: Write) -> None:
    data = write("qa.jsonl", "\n".join(line for line, _ in LINES))
    assert groupwise("fingerprint", data, "--corpus", corpus, "--check") == (
        1, "qa.jsonl would change\n", "",
    )  # fmt: skip
    groupwise("fingerprint", data, "--corpus", corpus, "--in-place")
    first, written = read(data), Path(data).stat().st_mtime_ns
    assert groupwise("fingerprint", data, "--corpus", corpus, "--in-place").code == 0
    assert (read(data), Path(data).stat().st_mtime_ns) == (first, written)
    assert groupwise("fingerprint", data, "--corpus", corpus, "--check") == (
        0, "qa.jsonl is up to date\n", "",
    )  # fmt: skip
    assert names_in() == ["corpus.jsonl", "qa.jsonl"]


def test_what_is_out_of_date_is_replaced_where_it_is(
    groupwise: Groupwise, corpus: str, write: Write
) -> None:
    old = '[{"corpus": "gw1:0:0", "hashes": {"z": "1"}, "id": "q", "ground_truth": [["a"]]}]'
    data = write("qa.json", old)
    new = old.replace("gw1:0:0", WHOLE).replace('"z": "1"', f'"a": "{HASHES["a"]}"')
    assert groupwise("fingerprint", data, "--corpus", corpus).out == new


def test_a_fixture_has_the_fingerprint_in_its_head(groupwise: Groupwise, write: Write) -> None:
    corpus = write("corpus.tsv", "id\ttext\ntest-1\tone\ntest-2\ttwo\ntest-3\tthree\n")
    data = write("first.json", json.dumps(RUNNING, indent=2) + "\n")
    assert groupwise("fingerprint", data, "--corpus", corpus, "-o", "new.json").code == 0
    expected: dict[str, Any] = json.loads(json.dumps(RUNNING))
    names = {"test-1": "one", "test-2": "two", "test-3": "three"}
    expected["queries"][0]["hashes"] = {one: hash_of(text) for one, text in names.items()}
    expected["corpus"] = sum_of(names)
    assert read("new.json") == json.dumps(expected, indent=2) + "\n"
    assert evaluate("new.json").scores == evaluate("first.json").scores
    assert groupwise("check", "new.json").code == 0


def test_a_map_of_records_is_written_into(groupwise: Groupwise, corpus: str, write: Write) -> None:
    data = write("qa.json", {"q1": {"ground_truth": [["a"]]}})
    expected = {"q1": {"ground_truth": [["a"]], "hashes": {"a": HASHES["a"]}, "corpus": WHOLE}}
    assert groupwise("fingerprint", data, "--corpus", corpus).out == json.dumps(expected)


def test_a_map_of_lists_has_no_place_for_hashes(
    groupwise: Groupwise, corpus: str, write: Write
) -> None:
    data = write("qa.json", {"q1": [["a"]]})
    done = groupwise("fingerprint", data, "--corpus", corpus, "--in-place")
    assert done.code == 3
    assert "no place for hashes" in done.err
    assert read(data) == '{"q1": [["a"]]}'


def test_missing_ids_are_reported_and_get_no_hash(
    groupwise: Groupwise, corpus: str, write: Write
) -> None:
    data = write("qa.jsonl", '{"id": "q", "ground_truth": [["a", "x\\u001b"]]}')
    done = groupwise("fingerprint", data, "--corpus", corpus)
    assert done.code == 1
    assert json.loads(done.out)["hashes"] == {"a": HASHES["a"]}
    assert done.err == "error: qa.jsonl: query 'q': 'x\\x1b' is not in the corpus\n"


def test_many_missing_ids_are_counted(groupwise: Groupwise, corpus: str, write: Write) -> None:
    data = write(
        "qa.jsonl", json.dumps({"id": "q", "ground_truth": [[f"m{n}" for n in range(50)]]})
    )
    done = groupwise("fingerprint", data, "--corpus", corpus)
    assert len(done.err.splitlines()) == 21
    assert done.err.endswith("and 30 more ids\n")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_compression_and_mark_stay(groupwise: Groupwise, corpus: str, mark: str) -> None:
    line = f'{mark}{{"id": "q", "ground_truth": [["a"]]}}\n'
    Path("qa.jsonl.gz").write_bytes(gzip.compress(line.encode()))
    assert groupwise("fingerprint", "qa.jsonl.gz", "--corpus", corpus, "--in-place").code == 0
    new = gzip.decompress(Path("qa.jsonl.gz").read_bytes()).decode()
    assert new.startswith(f'{mark}{{"id": "q", "ground_truth": [["a"]], "hashes": ')
    assert groupwise("fingerprint", "qa.jsonl.gz", "--corpus", corpus, "--check").code == 0


def test_flat_lists_of_a_fixture_that_says_what_they_mean(
    groupwise: Groupwise, corpus: str, write: Write
) -> None:
    record = {"id": "q", "ground_truth": ["a", "b"], "results": []}
    data = write("f.json", {"policies": {"flat": "any"}, "queries": [record]})
    done = groupwise("fingerprint", data, "--corpus", corpus)
    assert json.loads(done.out)["queries"][0]["hashes"] == {"a": HASHES["a"], "b": HASHES["b"]}


def test_whole_numbers(groupwise: Groupwise, write: Write) -> None:
    data = write("qa.jsonl", '{"id": "q", "ground_truth": [[7]]}')
    table = write("corpus.tsv", "id\ttext\n7\tone\n")
    done = groupwise("fingerprint", data, "--corpus", table)
    assert json.loads(done.out)["hashes"] == {"7": hash_of("one")}
    strings = write("corpus.jsonl", '{"id": "7", "text": "one"}')
    refused = groupwise("fingerprint", data, "--corpus", strings)
    assert (refused.code, "--ids text" in refused.err) == (3, True)
    as_text = groupwise("fingerprint", data, "--corpus", strings, "--ids", "text")
    assert (as_text.code, as_text.out) == (done.code, done.out)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("c.txt", "a\nb\n", "the corpus has no texts"),
        ("c.jsonl", '{"id": "a", "text": "x"}\n{"id": ""}\n', "c.jsonl:2:8: /id: a blank id"),
        ("c.jsonl", "", "the file is empty"),
        ("c.json", "[]", "the corpus has no documents"),
    ],
)
def test_a_corpus_that_will_not_do(
    groupwise: Groupwise, write: Write, name: str, content: str, expected: str
) -> None:
    data = write("qa.jsonl", '{"id": "q", "ground_truth": [["a"]]}')
    done = groupwise("fingerprint", data, "--corpus", write(name, content), "--in-place")
    assert (done.code, expected in done.err) == (3, True)
    assert read(data) == '{"id": "q", "ground_truth": [["a"]]}'


@pytest.mark.parametrize(
    "content",
    ['{"id": "q", "ground_truth": ["a"]}', '{"id": "q", "ground_truth": [["a"]],}', '{"id": "q"}'],
)
def test_a_data_set_that_is_unsound_stays(
    groupwise: Groupwise, corpus: str, write: Write, content: str
) -> None:
    data = write("qa.jsonl", content)
    done = groupwise("fingerprint", data, "--corpus", corpus, "--in-place")
    assert (done.code, "qa.jsonl:1:" in done.err) == (3, True)
    assert read(data) == content


def test_a_repeated_id_of_the_corpus_is_told(groupwise: Groupwise, write: Write) -> None:
    corpus = write("c.jsonl", '{"id": "a", "text": "x"}\n' * 30)
    done = groupwise("fingerprint", "--corpus", corpus)
    assert done.code == 0
    assert done.err.startswith('warning: c.jsonl:2:1: the id "a" is repeated in the corpus')
    assert done.err.endswith("and 9 more repeated ids\n")


@pytest.mark.parametrize(
    "words",
    [
        ["qa.jsonl"],
        ["--corpus", "c.jsonl", "--check"],
        ["qa.jsonl", "--corpus", "c.jsonl", "--check", "--in-place"],
        ["-", "--corpus", "c.jsonl"],
        ["qa.jsonl", "--corpus", "c.jsonl", "--ids", "number"],
    ],
)
def test_words_that_are_off(groupwise: Groupwise, words: list[str]) -> None:
    assert groupwise("fingerprint", *words).code == 2


def former_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def former_sum(texts: dict[str, str]) -> str:
    """The fingerprint by the definition of version 0.1."""
    spelled = [f"{len(name)}:{name}:{text}".encode() for name, text in texts.items()]
    each = [int(hashlib.blake2b(data, digest_size=16).hexdigest(), 16) for data in spelled]
    return f"gw1:{len(texts)}:{sum(each) % 2**128:032x}"


def test_what_version_0_1_wrote_is_still_compared(
    groupwise: Groupwise, corpus: str, write: Write
) -> None:
    hashes = {"a": former_hash("one"), "b": hash_of("two words")}
    records = [
        {"id": "q1", "ground_truth": [["a", "b"]], "hashes": hashes, "corpus": former_sum(TEXTS)},
        {"id": "q2", "ground_truth": [["c"]], "corpus": WHOLE},
    ]
    name = write("old.jsonl", "\n".join(map(json.dumps, records)))
    select = ("--select", "CP002,CP003", "--format", "jsonl")
    assert groupwise("validate", name, "--corpus", corpus, *select).code == 0
    other = write("other.json", {**TEXTS, "a": "1"})
    found = groupwise("validate", name, "--corpus", other, *select)
    findings = [json.loads(line) for line in found.out.splitlines()]
    codes = [(finding["code"], finding["query"]) for finding in findings if "code" in finding]
    assert codes == [("CP002", "q1"), ("CP003", "q1"), ("CP003", "q2")]
    assert former_sum({**TEXTS, "a": "1"}) in found.out


def test_what_version_0_1_wrote_is_rewritten(
    groupwise: Groupwise, corpus: str, write: Write
) -> None:
    record = {"id": "q", "ground_truth": [["a"]], "hashes": {"a": former_hash("one")}}
    name = write("old.jsonl", json.dumps({**record, "corpus": former_sum(TEXTS)}))
    assert groupwise("fingerprint", name, "--corpus", corpus, "--check").code == 1
    assert groupwise("fingerprint", name, "--corpus", corpus, "--in-place").code == 0
    expected = {**record, "hashes": {"a": HASHES["a"]}, "corpus": WHOLE}
    assert json.loads(read(name)) == expected
