"""First-order learners that are wrong: twins with one thing changed."""

from noregret.reference.adaptive import FTRL, AdaGrad, AveragingAdaGrad, Coin
from noregret.reference.alma import Alma
from noregret.reference.gradient import OGD
from noregret.reference.passive_aggressive import PassiveAggressive, PassiveAggressive1, PassiveAggressive2
from noregret.reference.perceptron import Perceptron
from noregret.reference.romma import Romma
from noregret.reference.selective_perceptron import SelectivePerceptron


class PlainOGD(OGD):
    """Takes the parameters of the learner, of which λ₁ and λ₂ are 0."""

    def __init__(self, l1, l2, **parameters):
        assert l1 == l2 == 0
        super().__init__(**parameters)


class Descent(AdaGrad):
    def __init__(self, form, **parameters):
        assert form == "descent"
        super().__init__(**parameters)


class Averaging(AveragingAdaGrad):
    def __init__(self, form, **parameters):
        assert form == "averaging"
        super().__init__(**parameters)


def mutants(form):
    """Six ways to go wrong that any rule has."""

    class Flipped(form):
        """Steps away."""

        def update(self, x, y, score, weight):
            return super().update([(feature, -value) for feature, value in x], y, score, weight)

    class Dropped(form):
        def update(self, x, y, score, weight):
            return False

    class Absolute(form):
        """Loses the sign of the features."""

        def update(self, x, y, score, weight):
            return super().update([(feature, abs(value)) for feature, value in x], y, score, weight)

    class OnlyPositives(form):
        """Drops the updates of one label."""

        def update(self, x, y, score, weight):
            return y > 0 and super().update(x, y, score, weight)

    class FirstFeature(form):
        def update(self, x, y, score, weight):
            return super().update(x[:1], y, score, weight)

    class Shifted(form):
        """Writes to the feature beside."""

        def update(self, x, y, score, weight):
            moved = [(feature, value) for (feature, _), (_, value) in zip(x, x[1:] + x[:1], strict=True)]
            return super().update(moved, y, score, weight)

    return [Flipped, Dropped, Absolute, OnlyPositives, FirstFeature, Shifted]


class TooLong(Descent):
    """Every step is a hundred times as long."""

    def apply(self, at, value, step):
        weight, squares = super().apply(at, value, step)
        return at[0] + 100.0 * (weight - at[0]), squares


def _all_but(form, *names):
    return [mutant for mutant in mutants(form) if mutant.__name__ not in names]


# Theorem → spec, the right twin, and mutants that the theorem catches on the stream of test_mutations.py.
FORMS = {
    "Zinkevich": ("ogd:rate=0.1", PlainOGD, _all_but(PlainOGD, "OnlyPositives")),
    "Crammer (PA)": ("pa", PassiveAggressive, mutants(PassiveAggressive)),
    "Crammer (PA-I)": ("pa1", PassiveAggressive1, _all_but(PassiveAggressive1, "OnlyPositives")),
    "Crammer (PA-II)": ("pa2", PassiveAggressive2, mutants(PassiveAggressive2)),
    "Novikoff (updates)": (
        "perceptron:margin=2",
        Perceptron,
        _all_but(Perceptron, "Dropped", "OnlyPositives"),  # who does not update has few updates
    ),
    "Mohri–Rostamizadeh (updates)": (
        "perceptron:margin=2",
        Perceptron,
        _all_but(Perceptron, "Dropped", "OnlyPositives"),
    ),
    "Shalev-Shwartz–Singer (PA-I)": ("pa1", PassiveAggressive1, mutants(PassiveAggressive1)),
    "Shalev-Shwartz–Singer (PA-II)": ("pa2", PassiveAggressive2, mutants(PassiveAggressive2)),
    "Cesa-Bianchi–Gentile–Zaniboni": (
        "selective-perceptron:smoothing=5",
        SelectivePerceptron,
        mutants(SelectivePerceptron),
    ),
    "Gentile–Zinkevich": ("alma:alpha=1", Alma, _all_but(Alma, "Dropped", "OnlyPositives")),
    "Li–Long": ("romma", Romma, mutants(Romma)),
    "Duchi (descent)": (
        "adagrad:rate=0.1",
        Descent,
        [TooLong, *_all_but(Descent, "Dropped", "Absolute", "OnlyPositives", "FirstFeature")],
    ),
    "Duchi (averaging)": ("adagrad:form=averaging,rate=0.1", Averaging, _all_but(Averaging, "OnlyPositives")),
    "McMahan": ("ftrl:loss=hinge,alpha=0.1,l1=0.2,l2=0.1", FTRL, mutants(FTRL)),
    "Orabona–Pál": ("coin:wealth=0.1", Coin, _all_but(Coin, "OnlyPositives")),
}
