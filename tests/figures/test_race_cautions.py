"""What is said of a race whose contenders had hardly begun to learn, or were learning still."""

from boltzcore.figures.race_cautions import cautions
from boltzcore.runs.trial import FINISHED
from tests.figures.test_racing import made


def test_who_stood_still_and_who_went_on_is_told():
    flat, rising, done = [-9, -9, -9, -9, -9, -8.9], [-9, -8, -7, -6, -5, -4], [-9, -4, -3, -3, -3, -3]
    told = cautions(made(FINISHED, one=[flat], two=[rising], three=[done]))
    assert told == [
        "one has hardly left the start: at a larger cost the order may be different.",
        "two was still gaining at the end.",
    ]


def test_who_has_fallen_is_not_said_to_have_stood_still():
    fallen, done = [-9, -10, -12, -14, -15, -19], [-9, -4, -3, -3, -3, -3]
    assert cautions(made(FINISHED, one=[fallen], two=[done])) == ["one ended worse than it began."]
