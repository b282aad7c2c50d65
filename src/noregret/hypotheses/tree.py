"""A shattered tree: the witness of the Littlestone dimension."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from noregret import _core
from noregret.hypotheses.classes import FiniteClass
from noregret.hypotheses.dimension import Progress
from noregret.hypotheses.naming import finite_class


@dataclass(frozen=True)
class ShatteredTree:
    """A full binary tree of points; whatever labels a path gives its points, some hypothesis agrees.

    Node 1 is the root; from node i, the label 0 leads to 2i and the label 1 to 2i + 1. The point of
    node i is `points[i − 1]`.
    """

    hypotheses: FiniteClass
    points: tuple[int, ...]

    @property
    def depth(self) -> int:
        """How many points a path has."""
        return len(self.points).bit_length()

    def point(self, node: int) -> int | None:
        """The point of a node; None beyond the last."""
        return self.points[node - 1] if node <= len(self.points) else None

    def leaves(self) -> Iterator[int]:
        """Yield for each path, from all 0 to all 1, the first hypothesis that agrees with it."""
        for path in range(1 << self.depth):
            space = _core.VersionSpace(self.hypotheses.core)
            node = 1
            for step in reversed(range(self.depth)):
                label = path >> step & 1
                space.restrict(self.points[node - 1], bool(label))
                node = 2 * node + label
            yield space.member(0)


def shattered_tree(hypotheses: Any, progress: Progress | None = None) -> ShatteredTree:
    """Find a deepest tree that the class shatters.

    >>> tree = shattered_tree("thresholds:3")
    >>> tree.depth, tree.points
    (2, (1, 2, 0))
    """
    made = finite_class(hypotheses)
    search, every = _core.Search(made.core), _core.VersionSpace(made.core)
    depth, _ = search.littlestone(every, None, progress)
    return ShatteredTree(made, tuple(search.tree(every, depth, progress)))
