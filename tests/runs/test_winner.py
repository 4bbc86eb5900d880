"""Winners of comparisons."""

import dataclasses
from itertools import permutations

import numpy as np

from boltzcore.comparison.result import Result
from tests.runs.test_result import made

LOW = [-5.0, -4.9, -5.1, -5.05, -4.95, -5.0, -4.9, -5.1]


def ended(**finals):
    """A result whose trials end with these figures."""
    values = {name.replace("_", "-"): [[-6.0, final] for final in each] for name, each in finals.items()}
    return made(values)


def shifted(by, jitter=0.01):
    return [value + by + jitter * (-1) ** k for k, value in enumerate(LOW)]


def test_where_no_difference_is_shown_none_has_won_and_equals_stand_together():
    result = ended(CD_1=LOW, CD_4=shifted(0.0, 0.3))
    assert result.winner == ""
    assert set(result.ahead) == {"CD-1", "CD-4"}
    result = ended(CD_1=LOW, CD_4=LOW, CD_9=shifted(-9.0))
    assert result.ahead == ("CD-1", "CD-4")
    for one, other in (("CD-1", "CD-4"), ("CD-4", "CD-1")):
        assert result.differences(one)[other].equal
        assert other in result.sentence(one)
    unsure = ended(CD_1=LOW, CD_4=LOW, CD_9=shifted(-0.01, 0.3))
    assert set(unsure.ahead) == {"CD-1", "CD-4", "CD-9"}
    assert "CD-9" in unsure.headline


def test_equal_contenders_lead_together_and_the_number_of_trials_is_said_once():
    mixed = [value - 0.01 + 0.3 * (-1) ** k for k, value in enumerate(LOW)]
    words = ended(CD_1=LOW, CD_4=mixed, CD_9=LOW).headline
    assert max(map(words.index, ("CD-1", "CD-9"))) < words.index("CD-4")  # equals lead together
    equal = ended(CD_1=LOW, CD_4=LOW)
    assert all(name in equal.headline for name in equal.ahead)
    assert "mean" not in equal.headline
    for result in (equal, ended(CD_1=LOW, CD_4=mixed)):
        assert result.sentence().count("8 trials") == 1


def test_headline_and_differences_make_the_same_claims_whichever_contender_is_the_reference():
    """Of comparisons whose differences are about as large as what can be claimed."""
    rng, won = np.random.default_rng(1), 0
    for n in (2, 4, 5, 8) * 15:
        result = ended(**{name: rng.normal(rng.normal(scale=2), size=n) for name in ("CD_1", "CD_4", "CD_9")})
        names = result.comparison.names
        found = {one: result.differences(one) for one in names}
        for one, other in permutations(names, 2):
            ours, theirs = found[other][one], found[one][other]
            assert (ours.low, ours.p, ours.claimed) == (theirs.high and -theirs.high, theirs.p, theirs.claimed)
        better = {one for one in names if all(found[o][one].claimed and found[o][one].mean > 0 for o in found[one])}
        assert better == ({result.winner} - {""})
        assert not better or n >= 5
        won += len(better)
    assert 5 < won < 40


def test_none_has_won_against_one_of_which_nothing_is_claimed_nor_by_the_differences_from_a_reference():
    result = ended(CD_1=LOW, CD_4=shifted(1.0), CD_9=shifted(-1.0, 0.02))
    assert result.winner == "CD-4"
    assert "CD-4" in result.headline
    for by in (-1.0, 3.0):  # with the lowest mean, and with the highest
        *others, last = ended(CD_1=LOW, CD_4=LOW, CD_9=shifted(by)).trials["CD-9"]
        failed = result.trials | {"CD-9": (*others, dataclasses.replace(last, status="diverged"))}
        without = Result(result.comparison, failed)
        assert (without.winner, "CD-9" in without.headline, "CD-4" in without.headline) == ("", True, False)
    asked = Result(result.comparison.changed(reference="CD-4"), result.trials)
    assert asked.ahead == ()
    own, all_pairs = asked.differences()["CD-1"], result.differences("CD-4")["CD-1"]
    assert own.mean == all_pairs.mean
    assert own.high - own.low < all_pairs.high - all_pairs.low


def test_a_race_without_whole_trials_says_nothing():
    curves = [[-6.0, final] for final in LOW]
    assert made({"CD-1": curves, "CD-4": curves}, status="stopped").headline == ""
