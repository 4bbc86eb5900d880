"""Comparisons to try first, each a question with its measured answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.training.recipe import Recipe


@dataclass(frozen=True)
class ComparisonPreset:
    """A comparison to try first.

    question : the question that it answers
    about : a description in words that need no explanation
    answer : the result of `python -m boltzcore compare --preset NAME`
    better, worse : contenders that are claimed to be better, and worse, than the first
    """

    question: str
    about: str
    comparison: Comparison
    answer: str
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()


def _of(base: str, contenders: Mapping[str, str], **rules: Any) -> Comparison:
    """Return the comparison of a base and the contenders' differences, as parameters of a link."""
    query, *differences = (dict(piece.split("=") for piece in text.split()) for text in (base, *contenders.values()))
    return Comparison(Recipe.from_query(query), dict(zip(contenders, differences, strict=True)), **rules)


_DIGITS = (
    "model=rbm data=digits learner=CD CD.batch_size=50 schedule.length=400 schedule.every=20 "
    "measures=log_likelihood,reconstruction_error"
)
_STEPS = {"CD-1": "", "CD-10": "CD.K=10", "PCD": "learner=PCD PCD.batch_size=50"}

COMPARISON_PRESETS: dict[str, ComparisonPreset] = {
    "shifting-bar": ComparisonPreset(
        "Which learner is best on Shifting Bar?",
        "Six learners, the same number of multiplications and additions for each, on nine patterns.",
        _of(  # the learners of Upadhya and Sastry (2017), and CD with the Gibbs steps of one inner step
            "model=rbm rbm.hidden=4 data=shifting-bar learner=CD CD.rate=0.3 CD.batch_size=0 CD.K=12 "
            "schedule.length=5000 schedule.every=50 measures=log_likelihood",
            {
                "CD-12": "",
                "CD-4": "CD.K=4",
                "PCD-12": "learner=PCD PCD.rate=0.3 PCD.batch_size=0 PCD.K=12",
                "CG-12": "learner=CenteredGradient CenteredGradient.rate=0.3 CenteredGradient.batch_size=0 "
                "CenteredGradient.K=12",
                "S-DCP": "learner=SDCP SDCP.rate=0.3 SDCP.batch_size=0 SDCP.d=3 SDCP.K_prime=4",
                "CS-DCP": "learner=CSDCP CSDCP.rate=0.3 CSDCP.batch_size=0 CSDCP.d=3 CSDCP.K_prime=4",
            },
            target=-2.8,
        ),
        "CS-DCP. Better than CD-12: CS-DCP by 0.80 nats, CD-4 by 0.45, S-DCP by 0.44 and CG-12 by 0.016, each in 8 "
        "of 8 trials; PCD-12 does not differ significantly from CD-12, nor CD-4 from S-DCP.",
        better=("CD-4", "CG-12", "S-DCP", "CS-DCP"),
    ),
    "everything-looks-right": ComparisonPreset(
        "Which learner finds five separated clusters?",
        "Images of five kinds that Gibbs steps cannot move between. PCD with one step and with ten, and chains that "
        "swap with those at higher temperatures (PT) or of earlier models (PTT).",
        _of(
            "model=rbm rbm.hidden=12 data=clusters learner=PCD PCD.batch_size=100 measures=log_likelihood "
            "schedule.length=4000 schedule.unit=updates schedule.every=100",
            {
                "PCD": "",
                "PCD-10": "PCD.K=10",
                "PT": "learner=TemperedPCD TemperedPCD.batch_size=100",
                "PTT": "learner=TrajectoryTempering TrajectoryTempering.batch_size=100",
            },
            budget=6_000_000_000,
            trials=12,
        ),
        "PT and PTT: they are better than PCD by 5.4 and 5.3 nats, each in 10 of 12 trials; PCD-10 does not differ "
        "significantly from PCD.",
        better=("PT", "PTT"),
    ),
    "digits": ComparisonPreset(
        "Do ten Gibbs steps pay?",
        "CD with one and with ten Gibbs steps, and PCD, on digits of 8 × 8 pixels: ten steps estimate the gradient "
        "better, and cost more.",
        _of(_DIGITS, _STEPS),
        "No: at the same cost CD-10, which makes fewer updates, is worse than CD-1 by 1.4 nats, and PCD is worse by "
        "0.2.",
        worse=("CD-10", "PCD"),
    ),
    "reconstruction": ComparisonPreset(
        "Which learner reconstructs best?",
        "The learners of the previous question, now with the same number of updates, compared by reconstruction error: "
        "does the best model of the digits also reconstruct them best?",
        _of(_DIGITS, _STEPS, axis="updates", figure="reconstruction_error", trials=12),
        "By reconstruction error CD-1 ranks first, with no significant differences; by likelihood, which you can "
        "choose under Judged by, CD-10 wins: it is better than CD-1 by 0.11 nats in 12 of 12 trials. Reconstruction "
        "error is a poor guide.",
    ),
    "correction": ComparisonPreset(
        "Does correcting inserted units help?",
        "Frank-Wolfe inserts hidden units one by one, and then corrects all counts or none.",
        _of(
            "model=infinite-rbm data=bars-and-stripes learner=FrankWolfe FrankWolfe.correction=none "
            "FrankWolfe.lambda_=0.01 schedule.length=30 schedule.unit=updates",
            {kind: f"FrankWolfe.correction={kind}" for kind in ("none", "full")},
            axis="updates",
        ),
        "Yes: after 30 insertions full correction is better than none by 9.8 nats.",
        better=("full",),
    ),
    "bayes-net": ComparisonPreset(
        "Which learner finds rules beyond pairs?",
        "1,000 rows of a Bayesian network of 20 nodes with two parents each. A model with few terms chosen one by one, "
        "and two with all pairs, compared by the divergence from the network's true distribution.",
        _of(  # table 1, S, of Takabatake and Akaho
            "model=log-linear data=bayes-net bayes-net.parents=2 learner=PairwisePCD schedule.length=16000 "
            "schedule.unit=updates schedule.every=800 measures=kl_to_truth,log_likelihood",
            {
                "greedy MDL": "learner=GreedyMDL",
                "BM-DI": "learner=PairwiseExact PairwiseExact.iterations=5",
                "BM-PCD": "",
            },
            figure="kl_to_truth",
        ),
        "Greedy MDL: it ends 0.27 nats from the truth, and the two models of pairs 0.34 to 0.36 "
        "farther, in 8 of 8 trials.",
        worse=("BM-DI", "BM-PCD"),
    ),
    "noise": ComparisonPreset(
        "Which learner restores noisy digits best?",
        "Six learners of conditional RBMs on digits whose pixels are flipped with probability 0.1.",
        _of(  # table 1 of Ping and Ihler, from the same start, on a sample of MNIST
            "model=crbm crbm.hidden=32 crbm.hidden_bias=0 crbm.input_weight=4 data=mnist-small "
            "mnist-small.binarise=threshold learner=ConditionalCD ConditionalCD.K=10 corruption.rate=0.1 "
            "corruption.redrawn=once schedule.length=600 schedule.unit=updates schedule.every=60",
            {
                "MLE-BP": "learner=BeliefPropagationMLE",
                "MLE-MF": "learner=MeanFieldMLE",
                "MSSVM": "learner=MSSVM",
                "LSSVM": "learner=LSSVM",
                "CD-10": "",
                "LR": "learner=ConditionalLR",
            },
        ),
        "Logistic regression, after this short training: 2.4 % of the pixels wrong. MLE-BP, whose updates cost the "
        "most, is the worst. The paper trains much longer.",
        better=("MLE-MF", "MSSVM", "LSSVM", "CD-10", "LR"),
    ),
}
