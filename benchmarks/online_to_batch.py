"""a9a to a9a.t: what each way from online to batch promises, and what it does."""

from __future__ import annotations

import argparse
from pathlib import Path

import noregret as nr

METHODS = ("last", "survivor", "random", "penalised", "average", "voted")


def main(folder: Path, specs: list[str]) -> int:
    print(f"{'learner':24}{'method':12}{'risk at most':>14}{'proved':>8}{'observed':>10}")
    over = 0
    for spec in specs:
        for method in METHODS:
            made = nr.to_batch(
                nr.learner(spec), method, nature=nr.read(folder / "a9a"), test=folder / "a9a.t"
            )
            value, observed = made.bound.value, made.observed or 0.0
            told = "none" if value is None else f"{100 * value:.2f}%"
            proved = "yes" if made.bound.proved else "no"
            print(f"{spec:24}{method:12}{told:>14}{proved:>8}{100 * observed:>9.2f}%")
            over += value is not None and observed > value
    return over


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where a9a and a9a.t are")
    default = ["perceptron", "perceptron:bias=true"]
    parser.add_argument("learners", nargs="*", default=default, help=f"specs (default: {' '.join(default)})")
    return parser.parse_args()


if __name__ == "__main__":
    options = _options()
    raise SystemExit(main(options.folder, options.learners))
