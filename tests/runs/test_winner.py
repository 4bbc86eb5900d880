"""Who has won a comparison."""

import pytest

from boltzcore.runs import winner
from boltzcore.runs.result import Result
from boltzcore.runs.scheduler import Standing
from tests.runs.test_result import made

LOW = [-5.0, -4.9, -5.1, -5.05, -4.95, -5.0, -4.9, -5.1]


def ended(**finals):
    """A result whose trials end with these figures."""
    return made({name.replace("_", "-"): [[-6.0, final] for final in each] for name, each in finals.items()})


def shifted(by):
    return [value + by + 0.01 * (-1) ** k for k, value in enumerate(LOW)]


@pytest.mark.parametrize(("first", "second", "won"), [(LOW, shifted(1.0), "CD-4"), (shifted(1.0), LOW, "CD-1")])
def test_who_is_better_in_every_trial_has_won_whichever_comes_first(first, second, won):
    result = ended(CD_1=first, CD_4=second)
    assert winner.winner(result) == won
    assert winner.said(result) == f"Won: {won}."


def test_where_no_difference_is_shown_nobody_has_won():
    mixed = [value + 0.3 * (-1) ** k for k, value in enumerate(LOW)]
    result = ended(CD_1=LOW, CD_4=mixed)
    assert winner.winner(result) == ""
    assert winner.ahead(result) == ("CD-1", "CD-4")
    assert winner.said(result) == "No clear winner: no difference is shown between CD-1 and CD-4."


def test_a_race_without_whole_trials_says_nothing():
    result = ended(CD_1=LOW, CD_4=LOW)
    standings = {
        name: tuple(Standing(each.recipe, "cancelled", records=each.records) for each in trials)
        for name, trials in result.standings.items()
    }
    cut = Result(result.comparison, standings)
    assert winner.said(cut) == ""
