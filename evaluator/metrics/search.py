"""The best orders of documents that share groups, exactly: a search that bounds what is left.

In a best order no document adds more than the one before it; otherwise they would change places.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from operator import sub
from typing import NamedTuple, TypeAlias

from groupwise.evaluator.hits.arrays import FloatArray, np
from groupwise.evaluator.metrics.candidates import GainByGroup
from groupwise.evaluator.metrics.greedy import order_greedily
from groupwise.evaluator.metrics.sequences import Gains, is_as_good, keep_best

MOST_STEPS = 200_000
"""A search ends here that looks at more documents, counted again in each order."""

PATIENCE = 2_000
FEW_DOCUMENTS = 64
"""After so many steps, or with more documents, a search compares what orders are worth."""

Worth: TypeAlias = Callable[[Gains], FloatArray]
"""What a sequence is worth after each number of documents, beside the rest of its query."""
Kind: TypeAlias = list[tuple[int, int]]
"""Groups with the gains of their own documents, highest first."""
Totals: TypeAlias = tuple[int, ...]


class SearchLimitError(Exception):
    """The search would take too long."""


class State(NamedTuple):
    """Which shared documents are taken, a bit for each, and how many documents of each kind."""

    shared: int
    own: tuple[int, ...]

    def with_shared(self, number: int) -> "State":
        """Return the state after a shared document."""
        return State(self.shared | 1 << number, self.own)

    def with_own(self, kind: int) -> "State":
        """Return the state after the next document of a kind."""
        counts = (*self.own[:kind], self.own[kind] + 1, *self.own[kind + 1 :])
        return State(self.shared, counts)


class Order(NamedTuple):
    """The beginning of an order: where it leads, its running totals, and what it added last."""

    state: State
    totals: Totals
    last: int

    @property
    def total(self) -> int:
        """What all its documents add."""
        return self.totals[-1] if self.totals else 0

    def extend(self, gain: int, state: State) -> "Order":
        """Return the order with another document."""
        return Order(state, (*self.totals, self.total + gain), gain)

    def run_on(self, gains: list[int]) -> Totals:
        """Return the running totals with further gains."""
        return (*self.totals, *list(accumulate(gains, initial=self.total))[1:])


class PartSearch:
    """Searches a part of a query: documents that share groups, and own documents of such groups.

    Own documents meet their group in full, shared ones less. If shared documents meet several
    groups to the same shares, these are of one kind: the heaviest is always next.
    """

    def __init__(self, shared: list[GainByGroup], own: GainByGroup) -> None:
        self._shared = shared
        self._kinds = _sort_kinds(shared, own)
        self._all = sum(_best_gains(shared, own).values())
        self._met: dict[int, GainByGroup] = {0: {}}
        self._seen: dict[State, list[Totals]] = defaultdict(list)
        self._found = [tuple(accumulate(order_greedily(shared, own)))]
        self._steps = 0
        self._worth: Worth | None = None
        self._highest: FloatArray = np.zeros(1)
        self._weighed = 0

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._shared) + sum(map(len, self._kinds))

    def find_best(self, worth: Worth | None = None) -> list[Gains]:
        """Return the best sequences of gains.

        Args:
            worth: What a sequence is worth after each number of documents, if that is known; then
                a long search leaves out sequences that are worth less everywhere.

        Raises:
            SearchLimitError: There are too many orders to try.
        """
        self._worth = worth
        orders = [Order(State(0, (0,) * len(self._kinds)), (), self._all)]
        while orders:
            orders += self._continue(orders.pop())
        return keep_best(map(_differences, self._found))

    def _continue(self, order: Order) -> list[Order]:
        """Return the order with each document that may be next, the best one last."""
        shared, own = self._gains_left(order.state)
        gains = sorted(filter(None, chain(shared, *own)), reverse=True)
        self._count(len(gains))
        if sum(gains) == self._all - order.total:  # no two of them meet the same group
            if not gains or gains[0] <= order.last:
                self._found.append(order.run_on(gains))
            return []
        state = _close(order.state, shared)
        if self._is_seen(state, order.totals):
            return []
        least = self._find_least_gain(order, gains)
        steps = _find_steps(state, shared, own, range(least, order.last + 1))
        return [order.extend(gain, after) for gain, after in sorted(steps)]

    def _count(self, gains: int) -> None:
        self._steps += gains
        if self._steps > MOST_STEPS:
            raise SearchLimitError

    def _is_seen(self, state: State, totals: Totals) -> bool:
        """Whether another order to this state is as good; if not, remember this one."""
        seen = self._seen[state]
        if any(is_as_good(others, totals) for others in seen):
            return True
        seen.append(totals)
        return False

    def _find_least_gain(self, order: Order, gains: list[int]) -> int:
        """Return the least that a next document must add for the order to be among the best.

        No document after it adds more; so the less it adds, the less the order can be worth.
        """
        distinct = sorted(gain for gain in set(gains) if gain <= order.last)
        first = bisect(distinct, 0, key=lambda gain: self._is_promising(order, gains, gain))
        return distinct[first] if first < len(distinct) else order.last + 1

    def _is_promising(self, order: Order, gains: list[int], most: int) -> bool:
        """Whether an order may be better than those found if no document adds more than this."""
        totals = order.run_on([min(gain, most) for gain in gains])
        bound = [min(total, self._all) for total in totals]
        if any(is_as_good(others, bound) for others in self._found):
            return False
        is_long = len(self) > FEW_DOCUMENTS or self._steps > PATIENCE
        return not is_long or self._worth is None or self._is_worthy(self._worth, bound)

    def _is_worthy(self, worth: Worth, bound: list[int]) -> bool:
        """Whether running totals are worth more than those found after any number of documents."""
        for totals in self._found[self._weighed :]:
            self._highest = np.maximum(self._highest, worth(_differences(totals)))
        self._weighed = len(self._found)
        return bool((worth(_differences(bound)) > self._highest).any())

    def _gains_left(self, state: State) -> tuple[list[int], list[list[int]]]:
        """Return what each shared document adds, and each own one that is left, by kind."""
        met = self._find_met(state.shared)
        left = [kind[count:] for kind, count in zip(self._kinds, state.own, strict=True)]
        taken = {
            group
            for kind, count in zip(self._kinds, state.own, strict=True)
            for group, _ in kind[:count]
        }
        shared = [
            sum(max(gain - met.get(g, 0), 0) for g, gain in gains.items() if g not in taken)
            for gains in self._shared
        ]
        return shared, [[gain - met.get(group, 0) for group, gain in kind] for kind in left]

    def _find_met(self, shared: int) -> GainByGroup:
        """Return what shared documents have gained in each group."""
        if shared not in self._met:
            number = shared.bit_length() - 1
            before = self._find_met(shared ^ 1 << number)
            self._met[shared] = _best_gains([before], self._shared[number])
        return self._met[shared]


def _differences(totals: Sequence[int]) -> Gains:
    return tuple(map(sub, totals, (0, *totals)))


def _best_gains(documents: list[GainByGroup], document: GainByGroup) -> GainByGroup:
    best = dict(document)
    for gains in documents:
        for group, gain in gains.items():
            best[group] = max(gain, best.get(group, 0))
    return best


def _sort_kinds(shared: list[GainByGroup], own: GainByGroup) -> list[Kind]:
    kinds: dict[tuple[Fraction, ...], Kind] = defaultdict(list)
    for group, gain in own.items():
        shares = tuple(Fraction(gains.get(group, 0), gain) for gains in shared)
        kinds[shares].append((group, gain))
    return [sorted(kind, key=lambda pair: -pair[1]) for kind in kinds.values()]


def _close(state: State, shared: list[int]) -> State:
    """Return the state with all documents that add nothing any more, so that equals are one."""
    useless = sum(1 << number for number, gain in enumerate(shared) if not gain)
    return State(state.shared | useless, state.own)


def _find_steps(
    state: State, shared: list[int], own: list[list[int]], wanted: range
) -> Iterator[tuple[int, State]]:
    """Yield what each document adds that may be next, and the state after it."""
    for number, gain in enumerate(shared):
        if gain in wanted:
            yield gain, state.with_shared(number)
    for kind, gains in enumerate(own):
        if gains and gains[0] in wanted:
            yield gains[0], state.with_own(kind)
