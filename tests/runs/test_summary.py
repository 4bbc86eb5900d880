"""Names of runs: one line that can be seen."""

import pytest

from boltzcore.jobs.summary import name_in


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  my\n first\tRBM ", "my first RBM"),
        ("\u3164", ""),
        ("\u2800 \u2800", ""),
        ("\u0301", ""),
        ("\u202e\u200b", ""),
        ("\u3164a", "\u3164a"),
        ("Z" + "\u0335" * 40 + "a", "Z\u0335\u0335a"),
        ("Tie\u0302\u0301ng", "Tie\u0302\u0301ng"),
        ("x" * 99, "x" * 80),
    ],
)
def test_a_name_is_one_line_that_can_be_seen(text, name):
    assert name_in(text) == name
