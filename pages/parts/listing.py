"""The list of trainings as one person sees it: the title of each, and the search among them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from boltzcore.jobs.files import Entry
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.measures.merit import last_merit
from boltzcore.registry import info_of

PRIVATE = "their own table"  # in a training of someone else: its name and options are private
DAMAGED = "damaged"


@dataclass(frozen=True)
class Listed:
    """A training in the list of one person.

    entry : as the store has it, where one that is awake lags behind
    status, count, merit : of now
    yours : whether it is this person's own; private : whether it learns from a table of someone else
    """

    entry: Entry
    status: str
    count: int
    merit: float | None
    yours: bool
    private: bool

    @classmethod
    def from_entry(cls, entry: Entry, snapshot: Snapshot | None, *, yours: bool, open: bool) -> Self:
        """A training as the store has it, or, with a snapshot, as it is now."""
        status = DAMAGED if entry.recipe is None else entry.status
        if snapshot is None or snapshot.state is None or entry.recipe is None:
            return cls(entry, status, entry.count, entry.merit, yours, not open)
        reached = last_merit(snapshot.records, entry.recipe.entry.merit)
        entry = replace(entry, damage="")  # its first checkpoint is written just now
        return cls(entry, snapshot.status, snapshot.state.count, reached, yours, not open)

    @property
    def usual_title(self) -> str:
        """The title of a training that was given no name."""
        recipe = self.entry.recipe
        if recipe is None:
            return self.entry.id
        return f"{info_of(recipe.learner).title} on {PRIVATE if self.private else recipe.data.title}"

    @property
    def title(self) -> str:
        """The title of the training."""
        return self.entry.name or self.usual_title

    @property
    def file_name(self) -> str:
        """The name of its files without an ending: its own name as far as any system takes it, and part of its id."""
        name = re.sub(r"[^A-Za-z0-9]+", "-", self.entry.name).strip("-")
        return f"{name}-{self.entry.id[:6]}" if name else self.entry.id

    @property
    def _words(self) -> str:
        """The text that is searched, which holds nothing of another person's table."""
        recipe = self.entry.recipe
        words = [self.title, self.status, "" if self.private else self.entry.id]
        if recipe is not None:
            words += [recipe.entry.title, recipe.model.name, *(type(s.learner).__name__ for s in recipe.stages)]
            words += [info_of(stage.learner).title for stage in recipe.stages]
            words += [] if self.private else [recipe.data.title, recipe.data.name]
        return "\n".join(words).casefold()


def matching(trainings: Iterable[Listed], words: str, *, mine: bool = False) -> list[Listed]:
    """The trainings with all of these words in their name, their status, the names of their model, learner or data, or
    their id; mine: one's own alone.
    """
    wanted = words.casefold().split()
    return [each for each in trainings if (each.yours or not mine) and all(word in each._words for word in wanted)]
