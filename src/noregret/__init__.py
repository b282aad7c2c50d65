"""noregret: online learning you can check.

Learners predict, are told the truth and improve, one example at a time, at native speed; and
every run comes with a certificate: what the theorem promised, what happened, what was to spare.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noregret.certificate import Certificate as Certificate
    from noregret.certificate import Verdict as Verdict
    from noregret.certification import certify as certify
    from noregret.data.read import read as read
    from noregret.game import play as play
    from noregret.game import play_all as play_all
    from noregret.ledger import Ledger as Ledger
    from noregret.linear.baselines import LastLabel as LastLabel
    from noregret.linear.baselines import Majority as Majority
    from noregret.linear.perceptron import Perceptron as Perceptron
    from noregret.linear.winnow import BalancedWinnow as BalancedWinnow
    from noregret.linear.winnow import NormalizedWinnow as NormalizedWinnow
    from noregret.linear.winnow import Winnow as Winnow
    from noregret.model_file import load as load
    from noregret.model_file import save as save
    from noregret.natures.arrays import from_arrays as from_arrays
    from noregret.natures.arrays import shuffled as shuffled
    from noregret.natures.inspection import inspection_line as inspection_line
    from noregret.natures.margins import separable as separable
    from noregret.natures.margins import standard_basis as standard_basis
    from noregret.natures.recorded import from_rounds as from_rounds
    from noregret.natures.targets import complemented as complemented
    from noregret.natures.targets import decision_list as decision_list
    from noregret.natures.targets import disjunction as disjunction
    from noregret.natures.targets import halfspace as halfspace
    from noregret.natures.targets import k_of_n as k_of_n
    from noregret.natures.targets import unknown_literal as unknown_literal
    from noregret.registry import learner as learner
    from noregret.rounds import Round as Round

__version__ = "0.1.0"

# Where each public name lives. Imported when first used, so that `import noregret` costs little.
_HOMES = {
    "BalancedWinnow": "linear.winnow",
    "Certificate": "certificate",
    "LastLabel": "linear.baselines",
    "Ledger": "ledger",
    "Majority": "linear.baselines",
    "NormalizedWinnow": "linear.winnow",
    "Perceptron": "linear.perceptron",
    "Round": "rounds",
    "Verdict": "certificate",
    "Winnow": "linear.winnow",
    "certify": "certification",
    "complemented": "natures.targets",
    "decision_list": "natures.targets",
    "disjunction": "natures.targets",
    "from_arrays": "natures.arrays",
    "from_rounds": "natures.recorded",
    "halfspace": "natures.targets",
    "inspection_line": "natures.inspection",
    "k_of_n": "natures.targets",
    "learner": "registry",
    "load": "model_file",
    "play": "game",
    "play_all": "game",
    "read": "data.read",
    "save": "model_file",
    "separable": "natures.margins",
    "shuffled": "natures.arrays",
    "standard_basis": "natures.margins",
    "unknown_literal": "natures.targets",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'noregret' has no attribute '{name}'")
    value = getattr(import_module(f"noregret.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__version__"]
