"""GT: rules of the ground truth."""

from groupwise.evaluator.validation.rules.registry import Rule

MANY_ALTERNATIVES = 20
"""More alternatives than this in one group are suspicious."""

SHARE_OF_CORPUS = 0.05
"""So is a larger share of the corpus, if that has at least this many documents:"""

SMALLEST_CORPUS = 100

SPLIT_IDS = 5
"""This many ids of one character each, and nothing else, are an id that was split."""

RULES = (
    Rule(
        "GT001", "duplicate-query-id", "error",
        what="Two records have the same query id; the place of the first is given.",
        why="Only one of them can be scored, and it is not said which.",
        example='{"id": "q1", "ground_truth": [["a"]]}\n{"id": "q1", "ground_truth": [["b"]]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}\n{"id": "q2", "ground_truth": [["b"]]}',
    ),
    Rule(
        "GT002", "blank-id", "error",
        what="An id is blank, or a record has no id.",
        why="A blank id is a failed export: it meets whatever else failed.",
        example='{"id": "q1", "ground_truth": [["a", ""]]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
        fix="Removes the blank alternative, unless it is the only one of its group.",
        fixable="unsafe",
    ),
    Rule(
        "GT003", "no-groups", "error",
        what="A query has no groups and is not marked as unanswerable.",
        why="It is not scored. If nothing answers it, say so; if its ground truth was lost, the "
            "mean is over fewer queries than you think.",
        example='{"id": "q1", "ground_truth": []}',
        instead='{"id": "q1", "ground_truth": [], "answerable": false}',
        fix='Adds "answerable": false.', fixable="unsafe",
    ),
    Rule(
        "GT004", "empty-group", "error",
        what="A group has no alternatives, or none with a grade above 0.",
        why="No result can meet it, so the query can never be answered. AutoRAG drops the whole "
            "query from the mean without a word.",
        example='{"id": "q1", "ground_truth": [["a"], []]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
        fix="Removes the group.", fixable="unsafe",
    ),
    Rule(
        "GT005", "flat-list", "error",
        what="The ground truth is a flat list of ids: must all of them be found, or any one?",
        why="AutoRAG's documentation says all, its code does any. The two readings score "
            "differently, so groupwise asks.",
        example='{"id": "q1", "ground_truth": ["a", "b"]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}   (all)\n'
                '{"id": "q1", "ground_truth": [["a", "b"]]}     (any)',
        fix="With --flat all or --flat any, writes the groups.", fixable="unsafe",
    ),
    Rule(
        "GT006", "string-as-group", "error",
        what="A group, or the whole ground truth, is a string.",
        why="Code that loops over it splits it into characters.",
        example='{"id": "q1", "ground_truth": [["a"], "b"]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}',
        fix="Puts the string into a list.", fixable="unsafe",
    ),
    Rule(
        "GT007", "repeated-alternative", "warning",
        what="An id is listed twice in one group.",
        why="It meets the group once. AutoRAG's nDCG counts the listing, and a perfect ranking "
            "scores below 1.",
        example='{"id": "q1", "ground_truth": [["a", "b", "a"]]}',
        instead='{"id": "q1", "ground_truth": [["a", "b"]]}',
        fix="Removes the repeats that are bare ids. What answers the query stays the same; only "
            "AutoRAG's nDCG, which counts listings, may rise.",
        fixable="safe",
    ),
    Rule(
        "GT008", "identical-groups", "warning",
        what="Two groups have the same alternatives.",
        why="They are met together and count twice: the query weighs what it says less.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["b", "a"], ["c"]]}',
        instead='{"id": "q1", "ground_truth": [["a", "b"], ["c"]]}',
        fix="Removes the later group.", fixable="unsafe",
    ),
    Rule(
        "GT009", "superset-group", "warning",
        what="A group holds all alternatives of another: it is met whenever that one is.",
        why="It asks for nothing more, and counts all the same.",
        example='{"id": "q1", "ground_truth": [["a"], ["a", "b"]]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}',
        fix="Removes the larger group.", fixable="unsafe",
    ),
    Rule(
        "GT010", "shared-alternative", "info",
        what="An id is in several groups of a query, though not in all.",
        why="One document then meets several groups. That is right for overlapping chunks, and a "
            "slip elsewhere.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["b", "c"], ["d"], ["e"]]}',
        instead='{"id": "q1", "ground_truth": [["a", "b"], ["c"], ["d"], ["e"]]}',
    ),
    Rule(
        "GT011", "odd-characters", "error",
        what="An id has white space at its ends, white space other than a plain space, or "
             "control, bidi or zero-width characters.",
        why="It looks like another id and is none: nothing that people type will match it.",
        example='{"id": "q1", "ground_truth": [["doc-1\\u200b"], [" doc-2"]]}',
        instead='{"id": "q1", "ground_truth": [["doc-1"], ["doc-2"]]}',
        fix="Removes these characters.", fixable="unsafe",
    ),
    Rule(
        "GT012", "nearly-equal-ids", "warning",
        what="Ids are equal after NFC, trimming and case folding, but not equal.",
        why="Ids are compared as they are; one of the spellings is probably in no index.",
        example='{"id": "q1", "ground_truth": [["Doc-1"]]}\n'
                '{"id": "q2", "ground_truth": [["doc-1"]]}',
        instead='{"id": "q1", "ground_truth": [["doc-1"]]}\n'
                '{"id": "q2", "ground_truth": [["doc-1"]]}',
    ),
    Rule(
        "GT013", "repeated-query-text", "warning",
        what="Two queries have the same text; it is said whether their ground truth differs.",
        why="With the same ground truth the query counts twice; with another, one of them is "
            "wrong: the retriever gets the same question and cannot satisfy both.",
        example='{"id": "q1", "query": "Who?", "ground_truth": [["a"]]}\n'
                '{"id": "q2", "query": "who?", "ground_truth": [["b"]]}',
        instead='{"id": "q1", "query": "Who?", "ground_truth": [["a"], ["b"]]}',
    ),
    Rule(
        "GT014", "many-alternatives", "warning",
        what=f"A group has more than {MANY_ALTERNATIVES} alternatives, or more than "
             f"{SHARE_OF_CORPUS:.0%} of a corpus of at least {SMALLEST_CORPUS} documents.",
        why="Almost any result meets it; often an AND was written as an OR.",
        example='{"id": "q1", "ground_truth": [["a1", "a2", …, "a21"]]}',
        instead='{"id": "q1", "ground_truth": [["a1", "a2"], ["a3"]]}',
    ),
    Rule(
        "GT015", "more-groups-than-k", "warning",
        what="More results are needed for all groups than k, so that recall@k cannot reach 1.",
        why="A perfect retriever scores below 1 on this query; the gate must know. k is that of "
            "-k, else the deepest cutoff of a fixture all of whose metrics have one, else 10.",
        example='-k 2 and {"id": "q1", "ground_truth": [["a"], ["b"], ["c"]]}',
        instead='-k 3 and {"id": "q1", "ground_truth": [["a"], ["b"], ["c"]]}',
    ),
    Rule(
        "GT016", "one-document-covers-all", "warning",
        what="One document is in all of several groups and answers the query alone.",
        why="What looks like a question of several hops is none for this document: recall is 1 "
            "after one hit. An OR of ANDs looks like this, too.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["a", "c"]]}',
        instead='{"id": "q1", "ground_truth": [["b"], ["c"]]}',
    ),
    Rule(
        "GT017", "or-of-ands", "warning",
        what="At least half of all pairs of three or more groups overlap, as sets of evidence of "
             "which any one suffices (an OR of ANDs) do.",
        why="KILT and FEVER list sets of documents that are each enough. Pressed into groups they "
            "mean the opposite: one document of every set.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["b", "c"], ["a", "c"]]}',
        instead="groupwise convert --cnf, which keeps what answers the query",
    ),
    Rule(
        "GT018", "split-id", "error",
        what=f"The ids of a group, or of all groups, are single characters, {SPLIT_IDS} or more "
             "and not in the order of the alphabet: an id was split.",
        why="A string was looped over where a list was meant. Nothing will ever match.",
        example='{"id": "q1", "ground_truth": [["d", "o", "c", "-", "1"]]}',
        instead='{"id": "q1", "ground_truth": [["doc-1"]]}',
        fix="Joins the characters of the group to one id.", fixable="unsafe",
    ),
)  # fmt: skip
