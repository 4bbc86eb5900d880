"""Comparisons worth making first: each a question."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.clusters import Clusters
from boltzcore.data.corruption import Corruption
from boltzcore.data.mnist import MNISTSmall
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.learners import (
    BSLM,
    CD,
    CSDCP,
    LSSVM,
    MSSVM,
    PCD,
    SDCP,
    BeliefPropagationMLE,
    CenteredGradient,
    ConditionalCD,
    ConditionalLR,
    FrankWolfe,
    GradientAscent,
    GreedyMDL,
    MeanFieldMLE,
    PairwiseExact,
    PairwisePCD,
    PseudoLikelihoodLBFGS,
    TemperedPCD,
    TrajectoryTempering,
)
from boltzcore.models import CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule


@dataclass(frozen=True)
class ComparisonPreset:
    """A comparison worth making.

    question : that it answers
    about : what is compared, in words that need no explanation
    answer : what was measured, as `python -m boltzcore compare --preset NAME` does
    better, worse : the contenders of which it was claimed that they are better, and worse, than the first
    """

    question: str
    about: str
    comparison: Comparison
    answer: str
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()


def _of_learners(base: Recipe, learners: Mapping[str, Any], **fields: Any) -> Comparison:
    return Comparison(base, {name: replace(base, learner=learner) for name, learner in learners.items()}, **fields)


def _equal_work() -> Comparison:
    """The learners of Upadhya and Sastry (2017), d = 3 and K' = 4, and CD with as many Gibbs steps as a step of these
    has, to as many operations as 5,000 updates of CD-12.
    """
    rate, whole = 0.3, 0
    learners = {
        "CD-12": CD(rate, whole, K=12),
        "CD-4": CD(rate, whole, K=4),
        "PCD-12": PCD(rate, whole, K=12),
        "CG-12": CenteredGradient(rate, whole, K=12),
        "S-DCP": SDCP(rate, whole, d=3, K_prime=4),
        "CS-DCP": CSDCP(rate, whole, d=3, K_prime=4),
    }
    schedule = Schedule(length=5_000, every=50)
    base = Recipe(RBMSetup(hidden=4), "shifting-bar", learners["CD-12"], schedule, measures=("log_likelihood",))
    return _of_learners(base, learners, target=-2.8)


def _terms() -> Comparison:
    """The learners of Takabatake and Akaho's table 1, S: how far they end from the distribution of the data."""
    learners = {
        "greedy MDL": GreedyMDL(),
        "BM-DI": PairwiseExact(iterations=5),
        "BM-PCD": PairwisePCD(),
    }
    base = Recipe(
        LogLinearSetup(),
        BayesNet(parents=2),
        learners["BM-PCD"],
        Schedule(length=16_000, unit="updates", every=800),
        measures=("kl_to_truth", "log_likelihood"),
    )
    return _of_learners(base, learners, figure="kl_to_truth")


def _restoring() -> Comparison:
    """The learners of Ping and Ihler's table 1, from the same start, on a sample of MNIST."""
    learners = {
        "MLE-BP": BeliefPropagationMLE(),
        "MLE-MF": MeanFieldMLE(),
        "MSSVM": MSSVM(),
        "LSSVM": LSSVM(),
        "CD-10": ConditionalCD(K=10),
        "LR": ConditionalLR(),
    }
    base = Recipe(
        CRBMSetup(hidden=32, hidden_bias=0.0, input_weight=4.0),
        MNISTSmall(binarise="threshold"),
        learners["CD-10"],
        Schedule(length=600, unit="updates", every=60),
        corruption=Corruption(rate=0.1, redrawn="once"),
    )
    return _of_learners(base, learners)


def _of_chains() -> Comparison:
    """Learners whose chains go on, about a hundred of them: with more Gibbs steps, and with exchanges."""
    learners = {
        "PCD": PCD(rate=0.05, batch_size=100),
        "PCD-10": PCD(rate=0.05, batch_size=100, K=10),
        "PT": TemperedPCD(rate=0.05, batch_size=100),
        "PTT": TrajectoryTempering(rate=0.05, batch_size=100),
    }
    schedule = Schedule(length=4_000, unit="updates", every=100)
    base = Recipe(RBMSetup(hidden=12), Clusters(), learners["PCD"], schedule, measures=("log_likelihood",))
    return _of_learners(base, learners, budget=6_000_000_000, trials=12)


_DIGITS = Recipe(
    RBMSetup(hidden=16),
    "digits",
    CD(rate=0.05, batch_size=50),
    Schedule(length=400, every=20),
    measures=("log_likelihood", "reconstruction_error"),
)
_STEPS = {
    "CD-1": CD(rate=0.05, batch_size=50),
    "CD-10": CD(rate=0.05, batch_size=50, K=10),
    "PCD": PCD(rate=0.05, batch_size=50),
}
_SUMMIT = Recipe(FVBMSetup(), RandomFVBM(d=10), BSLM(tau=1e-9), Schedule(length=400, unit="updates", every=4))
_INSERTION = Recipe(
    InfiniteRBMSetup(),
    "bars-and-stripes",
    FrankWolfe(correction="none", lambda_=0.01),
    Schedule(length=30, unit="updates"),
)

COMPARISON_PRESETS: dict[str, ComparisonPreset] = {
    "shifting-bar": ComparisonPreset(
        "Which learner is best on Shifting Bar?",
        "Six learners, the same number of multiplications and additions for each, on nine patterns.",
        _equal_work(),
        "CS-DCP: it is better than CD-12 by 0.80 nats, CD-4 by 0.45, S-DCP by 0.44 and CG-12 by 0.016, each in 8 of 8 "
        "trials; of PCD-12 no difference is shown, and none between CD-4 and S-DCP.",
        better=("CD-4", "CG-12", "S-DCP", "CS-DCP"),
    ),
    "everything-looks-right": ComparisonPreset(
        "Who learns five clusters that chains cannot walk between?",
        "Images of five kinds that Gibbs steps do not lead between. PCD with one step and with ten, and chains that "
        "change places with those of higher temperatures (PT) or of earlier models (PTT).",
        _of_chains(),
        "PT and PTT: they are better than PCD by 5.4 and 5.3 nats, each in 10 of 12 trials; of PCD-10 no difference "
        "is shown.",
        better=("PT", "PTT"),
    ),
    "digits": ComparisonPreset(
        "Do ten Gibbs steps pay?",
        "CD with one and with ten Gibbs steps, and PCD, on digits of 8 x 8 pixels: ten steps estimate the gradient "
        "better, and cost more.",
        _of_learners(_DIGITS, _STEPS),
        "No: at the same cost CD-10, which makes fewer updates, is worse than CD-1 by 1.4 nats, and PCD by 0.2.",
        worse=("CD-10", "PCD"),
    ),
    "reconstruction": ComparisonPreset(
        "Who reconstructs best?",
        "The same trainings as in the question before, judged by the reconstruction error: does the best model of "
        "the digits also reconstruct them best?",
        _of_learners(_DIGITS, _STEPS, axis="updates", figure="reconstruction_error", trials=12),
        "By the reconstruction error CD-1 stands highest, and no difference from it is shown; by the likelihood, which "
        "you may choose as the judge, CD-10 wins: it is better than CD-1 by 0.11 nats in 12 of 12 trials. The error "
        "does not tell.",
    ),
    "summit": ComparisonPreset(
        "Who is first at the summit?",
        "One pseudo-likelihood, one summit: sweeps of BSLM, gradient ascent with four steps, and L-BFGS.",
        _of_learners(
            _SUMMIT,
            {
                "BSLM": BSLM(tau=1e-9),
                **{f"GA, mu {mu:g}": GradientAscent(mu=mu, tau=1e-9) for mu in (0.5, 1.0, 1.9, 2.5)},
                "L-BFGS": PseudoLikelihoodLBFGS(),
            },
        ),
        "L-BFGS, GA with mu 2.5 and GA with mu 1.9 stand higher than BSLM in 8 of 8 trials, by 0.0018 to "
        "0.0031 nats; GA with mu 1 is the same as BSLM, and mu 0.5 is behind.",
        better=("GA, mu 1.9", "GA, mu 2.5", "L-BFGS"),
        worse=("GA, mu 0.5",),
    ),
    "correction": ComparisonPreset(
        "Does it pay to correct what was inserted?",
        "Frank-Wolfe inserts hidden units one by one; counts are then not corrected, corrected along a line, or fully.",
        _of_learners(
            _INSERTION,
            {kind: FrankWolfe(correction=kind, lambda_=0.01) for kind in ("none", "line", "full")},
            axis="updates",
        ),
        "Yes: after 30 insertions full correction is better than none by 9.8 nats, correction along a line by 8.3.",
        better=("line", "full"),
    ),
    "bayes-net": ComparisonPreset(
        "Who finds rules of more than pairs?",
        "1,000 rows of a Bayesian network of 20 nodes with two parents each. A model with few terms that are chosen "
        "one by one, and two with all pairs, judged by the divergence from the network's true distribution.",
        _terms(),
        "Greedy MDL: it ends 0.27 nats from the truth, and the two models of pairs 0.34 to 0.36 "
        "farther, in 8 of 8 trials.",
        worse=("BM-DI", "BM-PCD"),
    ),
    "noise": ComparisonPreset(
        "Who restores noisy digits best?",
        "Six learners of conditional machines on digits of which each pixel is flipped with probability 0.1.",
        _restoring(),
        "Logistic regression after so short a training: 2.4 % of the pixels wrong, and all others but MLE-BP "
        "itself are better than MLE-BP, whose updates cost the most. The paper trains much longer.",
        better=("MLE-MF", "MSSVM", "LSSVM", "CD-10", "LR"),
    ),
}
