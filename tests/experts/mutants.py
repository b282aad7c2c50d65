"""Expert rules that are wrong: twins of the reference with one thing changed."""

from noregret.reference import regrets

# ---- of rules that weigh by losses: each makes a wrong class of a right one -----------------------


def taught(name, lesson):
    """A kind of mutant that is taught something else than what it suffers."""

    def mutant(form):
        def learn(self, row):
            return form.learn(self, lesson(self, row))

        return type(name, (form,), {"learn": learn})

    mutant.__name__ = name
    return mutant


def played(name, twist):
    """A kind of mutant that learns as it should and then plays other weights."""

    def mutant(form):
        def weights(self, row=None):
            bent = twist(form.weights(self, row))
            return [w / sum(bent) for w in bent]

        return type(name, (form,), {"weights": weights})

    mutant.__name__ = name
    return mutant


def scaled(name, factor):
    """A kind of mutant with a wrong rate: its exponents, made of the right losses, times a factor."""

    def mutant(form):
        def raw(self):
            return [factor * v for v in form.raw(self)]

        return type(name, (form,), {"raw": raw})

    mutant.__name__ = name
    return mutant


def dropped(form):
    """Never learns: uniform weights."""
    return type("dropped", (form,), {"learn": lambda self, row: 0.0})


def stopped(form):
    """Learns for a hundred rounds and no longer."""

    def learn(self, row):
        return form.learn(self, row) if self.rounds < 100 else 0.0

    return type("stopped", (form,), {"learn": learn})


def forgetful(form):
    """Begins anew in each round, so that only the last one counts."""

    class Forgetful(form):
        def __init__(self, *given):
            super().__init__(*given)
            self.given_first = given

        def learn(self, row):
            self.__init__(*self.given_first)
            return super().learn(row)

    return Forgetful


def mirrored(form):
    """MLpol that takes a regret below 0 for one above."""

    class Mirrored(form):
        def raw(self):
            return [
                abs(r) / (self.bound + s) if s > 0.0 else 0.0
                for r, s in zip(self.regret, self.square, strict=True)
            ]

    return Mirrored


def lossless_share(form):
    """Fixed-Share that shares and does not weigh."""

    def update(self, charged, own, row):
        form.update(self, [0.0] * self.n, own, row)

    return type("lossless_share", (form,), {"update": update})


def leader_only(self, row):
    p = self.weights()
    return [loss if i == p.index(max(p)) else 0.0 for i, loss in enumerate(row)]


flipped = taught("flipped", lambda self, row: [1.0 - loss for loss in row])
shifted = taught("shifted", lambda self, row: [row[-1], *row[:-1]])
averaged = taught("averaged", lambda self, row: [sum(row) / len(row)] * len(row))
best_only = taught("best_only", leader_only)
weak = taught("weak", lambda self, row: [0.01 * loss for loss in row])
strong = taught("strong", lambda self, row: [50.0 * loss for loss in row])
half_uniform = played("half_uniform", lambda p: [w + 1.0 / len(p) for w in p])
contrary = played("contrary", lambda p: [max(p) + min(p) - w for w in p])
greedy = played("greedy", lambda p: [float(i == p.index(max(p))) for i in range(len(p))])
blunt = scaled("blunt", 0.01)
keen = scaled("keen", 50.0)


# ---- of rules that need advice ---------------------------------------------------------------------


class CutsTheRight(regrets.WeightedMajority):
    def learn(self, said, truth):
        erred = self.predict(said) != truth
        return super().learn([1.0 - label for label in said], truth) if erred else False


class CutsNobody(regrets.WeightedMajority):
    def learn(self, said, truth):
        return self.predict(said) != truth


class CutsEverybody(regrets.WeightedMajority):
    def learn(self, said, truth):
        self.counts = [count + 1 for count in self.counts]
        return True


class CutsTheNext(regrets.WeightedMajority):
    """Cuts the neighbour of the one that erred."""

    def learn(self, said, truth):
        return super().learn([said[-1], *said[:-1]], truth)


class CutsOnlyOne(regrets.WeightedMajority):
    """Cuts the last of those that erred, and by a hundredth."""

    def learn(self, said, truth):
        wrong = [i for i, label in enumerate(said) if label != truth]
        if self.predict(said) != truth:
            self.counts[wrong[-1]] += 0.01
        return True


class WeakCut(regrets.WeightedMajority):
    """β is 0.99, whatever it was told."""

    def __init__(self, n, beta=0.5):
        super().__init__(n, 0.99)


class ForgetsCuts(regrets.WeightedMajority):
    def learn(self, said, truth):
        self.counts = [0] * len(said)
        return super().learn(said, truth)


class FlippedTarget(regrets.ExpertRidge):
    def learn(self, said, truth):
        super().learn(said, 2.0 * sum(said) / self.n - truth)


class SaysTheMean(regrets.ExpertRidge):
    def learn(self, said, truth):
        pass


class LastRoundOnly(regrets.ExpertRidge):
    def learn(self, said, truth):
        self.__init__(self.n)
        super().learn(said, truth)


class NextExpert(regrets.ExpertRidge):
    def learn(self, said, truth):
        super().learn([said[-1], *said[:-1]], truth)


class HeavyPenalty(regrets.ExpertRidge):
    """λ is 10,000, whatever it was told."""

    def __init__(self, n, penalty=1.0):
        super().__init__(n, 10_000.0)
