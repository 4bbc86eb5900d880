"""What of a worked example is looked at first."""

from typing import Any

from pages.inside.families import view_of
from pages.inside.worked_step import WorkedStep, state_of


def choice(example: WorkedStep) -> dict[str, Any] | None:
    """{"pick": kind, "index": number} as its family's drawing numbers it; None where it begins as it always does."""
    focus = view_of(example.family).focus
    return focus(example.choose, state_of(example)[1].model) if focus and example.choose else None
