"""Random cases, each from its seed: small, and crowded with what goes wrong together."""

from collections.abc import Mapping, Sequence
from inspect import signature
from random import Random
from typing import Any

from tests.differential.data import Case, Cutoff, Group, Id, Metric, Query, Result
from tests.differential.expected import distinct_ids
from tests.differential.formulas import FORMULAS

LABELS = (None, "vital", "Vital", "hop-1")
GRADES = (0.25, 0.5, 1, 1, 1, 2, 2, 2, 3, 3, 4.5, 7, 30, 1000)
WEIGHTS = (0.1, 0.2, 0.3, 0.7, 1, 1, 2, 3, 1 / 3, 1e-9, 1e9)
SCORES = (0.1, 0.2, 0.5, 0.5, 0.9, -1.5, 0.0, -0.0, 3, 1e-300, 1e300, 2**53, 2**53 + 1)
PARAMETERS: Mapping[str, Sequence[Any]] = {
    "alpha": (0, 0.1, 0.25, 0.3, 0.5, 0.9, 1, 0.1234567),
    "beta": (0, 0.3, 0.5, 0.8, 1),
    "p": (0, 0.5, 0.8, 0.95, 1, 0.1234567, 0.1234568),
    "rel": (0, 0.5, 1, 2, 3, 100),
    "gain": ("linear", "exponential"),
    "highest": (1, 2, 4, 5.5),
}
_WITH_ALPHA = ("alpha_ndcg", "alpha_dcg", "err_ia", "nerr_ia", "novelty_ndcg", "novelty_dcg")
TAKES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_WITH_ALPHA, ("alpha",)),
    **dict.fromkeys(("nrbp", "nnrbp"), ("alpha", "beta")),
    "rbp_residual": ("p",),
    "err": ("highest",),
}
OF_TREC: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("precision", "recall", "f1", "mrr", "map", "hit_rate", "r_precision", "bpref"), ("rel",)
    ),
    "rbp": ("p", "rel"),
    "ndcg": ("gain",),
}
METRICS_PER_CASE = 40


def draw_case(seed: int) -> Case:
    """The case of a seed."""
    return _Drawing(seed).case()


class _Drawing:
    """What the parts of one case have in common."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = Random(seed)  # noqa: S311
        self.reports_ties = self.chance(0.15)
        self.shape = self.choose(("groups",) * 6 + ("all", "any"))
        self.columns = self.chance(0.2)
        self.kind = "text" if self.columns else self.choose(("text", "number", "mixed"))
        self.graded = self.chance(0.6)
        self.rejects = self.graded and self.chance(0.5)
        grouped = self.shape == "groups" and not self.columns
        self.weighted = grouped and self.chance(0.6)
        self.labelled = grouped and self.chance(0.5)
        self.repeats = self.chance(0.1 if self.columns else 0.4)
        self.scored = self.reports_ties or self.chance(0.9 if self.columns else 0.6)
        self.budgeted = not self.columns and self.chance(0.4)
        self.embedded = self.chance(0.35)
        self.pool = self._pool()
        self.tokens = {str(one): self.choose((0, 1, 1, 5, 10, 100)) for one in self.pool}

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def choose(self, of: Sequence[Any]) -> Any:
        return self.random.choice(of)

    def case(self) -> Case:
        queries = tuple(self._query(number) for number in range(self.random.randint(1, 7)))
        extra = tuple(
            Query(f"extra-{number}", (), results=self._results([]))
            for number in range(self.choose((0, 0, 0, 1, 3)))
        )
        return Case(
            self.seed,
            queries,
            extra,
            self._metrics(),
            self._policies(),
            self._vectors(queries) if self.embedded else None,
        )

    def _pool(self) -> list[Id]:
        """Ids whose order as text is not that of numbers."""
        size = self.choose((6, 12, 30))
        if self.kind == "number":
            return self.random.sample([*range(size), -5, 10**12, 2**62], size)
        if self.kind == "mixed":
            return self.random.sample([*range(5, 5 + size), 100], size)
        letters = ["é", "ß", "日本", "10", "9", "Z", "-", "x#1", *"abcdefghijklmnopqrstuvw"]
        letters.append("xy" if self.columns else "a b")
        return list(self.random.sample(letters, size))

    def _written(self, ids: Sequence[Id]) -> list[Id]:
        """With both kinds of ids, each time one of them."""
        if self.kind != "mixed":
            return list(ids)
        return [str(one) if self.chance(0.5) else one for one in ids]

    def _query(self, number: int) -> Query:
        needed = number == 0  # a run of other queries only is refused
        unanswerable = self.chance(0.01 if self.columns else 0.06) and not needed
        groups = () if unanswerable else self._groups()
        listed = [one for group in groups for one, _ in group.alternatives]
        others = [one for one in self.pool if str(one) not in map(str, listed)]
        against = self.random.sample(others, min(len(others), self.choose((0, 0, 1, 3))))
        return Query(
            number if self.kind == "number" else f"q{number}",
            groups,
            tuple(self._written(against)),
            None if self.chance(0.08) and not needed else self._results(listed),
        )

    def _groups(self) -> tuple[Group, ...]:
        if self.shape == "all":
            ids = self.random.sample(self.pool, self.choose((1, 2, 3, 5)))
            return tuple(Group(((self._written([one])[0], self._grade() or 1),)) for one in ids)
        if self.shape == "any":
            return (self._group(),)
        return tuple(self._group() for _ in range(self.choose((1, 1, 2, 2, 3, 4, 5))))

    def _group(self) -> Group:
        ids = self.random.sample(self.pool, min(len(self.pool), self.choose((1, 1, 2, 3, 4))))
        if self.repeats and self.chance(0.3):
            ids.append(self.choose(ids))
        grades = [self._grade() for _ in ids]
        if not any(grades):
            grades[0] = 1
        weight = self.choose(WEIGHTS) if self.weighted else 1
        label = self.choose(LABELS) if self.labelled else None
        return Group(tuple(zip(self._written(ids), grades, strict=True)), weight, label)

    def _grade(self) -> float:
        if self.rejects and self.chance(0.2):
            return 0
        if not self.graded:
            return 1
        grade: float = self.choose((1, 1, 2, 3) if self.columns else GRADES)
        return grade

    def _results(self, listed: list[Id]) -> tuple[Result, ...]:
        longest = 5 if self.reports_ties else 12
        length = self.choose(range(self.columns, longest))
        ids = [
            self.choose(listed) if listed and self.chance(0.5) else self.choose(self.pool)
            for _ in range(length)
        ]
        if not self.repeats:
            ids = list({str(one): one for one in ids}.values())
        scored = self.scored and (self.columns or self.chance(0.9))
        scores = [self._score() if scored else None for _ in ids]
        if scored and self.chance(0.3):
            scores.sort(reverse=True)
        return tuple(
            Result(one, score, self.tokens[str(one)] if self.budgeted else None)
            for one, score in zip(self._written(ids), scores, strict=True)
        )

    def _score(self) -> float:
        return self.choose(SCORES) if self.chance(0.7) else round(self.random.random(), 3)

    def _metrics(self) -> tuple[Metric, ...]:
        drawn = [self._metric() for _ in range(METRICS_PER_CASE)]
        return tuple({_meaning(metric): metric for metric in drawn}.values())

    def _metric(self) -> Metric:
        profile = self.choose(("autorag", "trec", "coverage", "coverage"))
        name = self.choose(sorted(FORMULAS[profile]))
        takes = OF_TREC.get(name, ()) if profile == "trec" else ()
        parameters = {
            each: self.choose(PARAMETERS[each])
            for each in takes or TAKES.get(name, ())
            if self.chance(0.5)
        }
        label = self.choose(LABELS) if self.labelled and self.chance(0.3) else None
        return Metric(profile, name, parameters, label, self._cutoff())

    def _cutoff(self) -> Cutoff:
        if self.budgeted and self.chance(0.4):
            return Cutoff(tokens=self.choose((1, 2, 6, 11, 50, 120, 1_000_000)))
        return Cutoff(k=self.choose((None, None, 1, 2, 3, 5, 10, 25, 1000)))

    def _policies(self) -> dict[str, Any]:
        given = {
            "missing": self.choose((None, "zero", "skip")),
            "empty_results": self.choose((None, "zero", "skip")),
            "ids": "text" if self.kind == "mixed" or self.chance(0.15) else None,
            "ties": "report" if self.reports_ties else self.choose((None, "score", "input")),
        }
        return {name: value for name, value in given.items() if value is not None}

    def _vectors(self, queries: tuple[Query, ...]) -> dict[Id, tuple[float, ...]]:
        """Now and then a document has none."""
        size = self.choose((1, 2, 3, 8))
        share = self.choose((1, 1, 0.95))
        ids = {str(one): one for query in queries for one in distinct_ids(query)}
        return {ids[name]: self._vector(size) for name in sorted(ids) if self.chance(share)}

    def _vector(self, size: int) -> tuple[float, ...]:
        scale = self.choose((1, 1, 1, 1e-12, 1e20))
        numbers = (-1, 0, 0.5, 1, self.random.uniform(-1, 1))
        vector = [scale * self.choose(numbers) for _ in range(size)]
        return tuple(vector) if any(vector) else (scale, *vector[1:])


def _meaning(metric: Metric) -> tuple[Any, ...]:
    """What is asked twice is reported once, also where a default is written out."""
    asked = signature(FORMULAS[metric.profile][metric.name]).parameters.values()
    defaults = {each.name: each.default for each in list(asked)[1:]}
    parameters = tuple({**defaults, **metric.parameters}.values())
    label = metric.label and metric.label.lower()
    return metric.profile, metric.name, parameters, label, metric.cutoff
