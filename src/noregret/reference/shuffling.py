"""The random order of ``--shuffle``: the twin of numpy's ``default_rng(seed).permutation(n)``.

A seed sequence stirs the seed into a pool of four words (O'Neill 2015, Developing a seed_seq alternative),
which start a PCG64 generator (O'Neill 2014); Fisher and Yates' shuffle draws from it.
"""

from __future__ import annotations

_W32, _W64, _W128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
_STEP = 0x2360ED051FC65DA44385DF649FCCF645


def permutation(seed: int, count: int) -> list[int]:
    """The numbers 0 … count − 1 in a random order, the same for the same seed.

    >>> permutation(0, 5)
    [2, 4, 3, 0, 1]
    """
    generator = _PCG64(_stirred(seed))
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = generator.below(last)
        order[last], order[other] = order[other], order[last]
    return order


def _stirred(seed: int) -> list[int]:
    """Four words of 64 bits made of a seed."""
    entropy: list[int] = []
    while seed or not entropy:
        entropy.append(seed & _W32)
        seed >>= 32
    state = 0x43B0D7E5

    def stir(value: int) -> int:
        nonlocal state
        value ^= state
        state = state * 0x931E8875 & _W32
        value = value * state & _W32
        return value ^ value >> 16

    def mix(x: int, y: int) -> int:
        mixed = (0xCA01F9DD * x - 0x4973F715 * y) & _W32
        return mixed ^ mixed >> 16

    pool = [stir(entropy[k] if k < len(entropy) else 0) for k in range(4)]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = mix(pool[target], stir(pool[source]))
    for extra in entropy[4:]:
        for target in range(4):
            pool[target] = mix(pool[target], stir(extra))
    return _drawn(pool)


def _drawn(pool: list[int]) -> list[int]:
    state, words = 0x8B51F9DD, []
    for k in range(8):
        value = pool[k % 4] ^ state
        state = state * 0x58F38DED & _W32
        value = value * state & _W32
        words.append(value ^ value >> 16)
    return [words[k] | words[k + 1] << 32 for k in range(0, 8, 2)]


class _PCG64:
    def __init__(self, words: list[int]) -> None:
        self.add = ((words[2] << 64 | words[3]) << 1 | 1) & _W128
        self.state = (self.add + (words[0] << 64 | words[1])) * _STEP + self.add & _W128
        self.kept: int | None = None  # the upper half of a word whose lower half was given

    def word(self) -> int:
        self.state = self.state * _STEP + self.add & _W128
        mixed, turn = (self.state >> 64 ^ self.state) & _W64, self.state >> 122
        return (mixed >> turn | mixed << (-turn & 63)) & _W64

    def half(self) -> int:
        if self.kept is not None:
            half, self.kept = self.kept, None
            return half
        word = self.word()
        self.kept = word >> 32
        return word & _W32

    def below(self, last: int) -> int:
        """A number from 0 to last: bits are drawn until they are no larger."""
        mask = (1 << last.bit_length()) - 1
        drawn = self.half() & mask
        while drawn > last:
            drawn = self.half() & mask
        return drawn
