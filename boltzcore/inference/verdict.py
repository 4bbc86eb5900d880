"""What an equilibrium gap says of chains, by thresholds that were chosen on models of known law."""

from dataclasses import dataclass

from boltzcore.inference.equilibrium import Gap

# Of a verdict, chosen on models of known law (`python -m tests.tools.light`): chi-squares up to which chains are sound,
# and from which they are not; nats that are missed, and so many that it is not by chance; nats that an interval may be
# wide
SOUND, UNSOUND, MISSED, LOST, WIDE = 3.5, 5.0, 0.5, 2.0, 1.5
EXPLAINED = 0.15  # nats: particles that miss a seventh of the model may be what makes the means differ


@dataclass(frozen=True)
class Verdict:
    """Whether chains are where their model is.

    word : "at equilibrium", "not at equilibrium" or "cannot tell"
    sentence : what follows from it

    >>> from boltzcore.inference import Gap, verdict_on
    >>> verdict_on(Gap(value=0.1, low=-0.2, high=0.4, chi_square=1.1)).sentence
    'No sign that the chains are elsewhere than the model: what it dreams seems to be what it has learnt.'
    """

    word: str
    sentence: str


AT = Verdict(
    "at equilibrium",
    "No sign that the chains are elsewhere than the model: what it dreams seems to be what it has learnt.",
)
NOT = Verdict("not at equilibrium", "The chains are not where the model is: what it dreams is not what it has learnt.")
UNSURE = Verdict("cannot tell", "The chains may or may not be where the model is: the signs are weak, or disagree.")


def misses(gap: Gap) -> bool:
    """Whether log Z by annealing back from chains says that they miss some of the model."""
    return gap.value <= -LOST or (gap.value <= -MISSED and gap.high < 0)


def differs(gap: Gap, chi_square: float = UNSOUND) -> bool:
    """Whether the means of hidden units say that chains are elsewhere, and not that the particles are."""
    return gap.chi_square >= chi_square and gap.low <= 0 and gap.value < EXPLAINED


def verdict_on(gap: Gap) -> Verdict:
    """Return the verdict of a gap on chains, by thresholds that were chosen on models of known law.

    `python -m tests.tools.light` counts how often it is wrong.

    They are not at equilibrium where the means of hidden units are far from those of the particles, or log Z by
    annealing back is too small. They are where both are near, and the interval is narrow enough to tell. A gap above
    0 says that the particles miss what chains have found: neither their log Z nor their means are a reference.

    >>> from boltzcore.inference import Gap, verdict_on
    >>> verdict_on(Gap(value=-6.1, low=-7.0, high=-5.2, chi_square=43.0)).word
    'not at equilibrium'
    """
    if differs(gap) or misses(gap):
        return NOT
    if gap.low > 0 or gap.chi_square > SOUND or gap.high - gap.low > WIDE or abs(gap.value) > MISSED:
        return UNSURE
    return AT
