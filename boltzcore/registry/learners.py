"""Learners by name: of the project, of installed packages, and registered by a script."""

import dataclasses
import logging
from collections import UserDict
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any

from boltzcore.learners import Learner
from boltzcore.quoting import Refusal, error_message, quoted
from boltzcore.registry.info import LearnerInfo
from boltzcore.registry.models import MODELS

GROUP = "boltzcore.learners"  # group of the entry points of packages

logger = logging.getLogger(__name__)


class LearnerTable(UserDict[str, LearnerInfo]):
    """Learners by name; packages are imported when the table is first read.

    added : names of the learners that do not come with the project
    """

    def __init__(self, infos: Iterable[LearnerInfo]) -> None:
        self._infos, self._loaded = {info.learner.__name__: info for info in infos}, False
        self._own, self.added = frozenset(self._infos), set[str]()

    @property
    def data(self) -> dict[str, LearnerInfo]:  # type: ignore[override]  # which all methods of UserDict read
        """All learners, including those of packages."""
        if not self._loaded:
            self.load_packages()
        return self._infos

    def add(self, info: LearnerInfo) -> None:
        """Add a learner, or replace an added one. Raises Refusal if it is none, or the project has its name."""
        kind, name = info.learner, getattr(info.learner, "__name__", "")
        if not (isinstance(kind, type) and issubclass(kind, Learner)):
            raise Refusal(f"learner must be a subclass of boltzcore.learners.Learner, not {quoted(kind)}.", "learner")
        if any(isinstance(value, dataclasses.Field) for value in vars(kind).values()):
            raise Refusal(f"learner must be a dataclass: write @dataclass(frozen=True) above {name}.", "learner")
        if name in self._own:
            raise Refusal(f"learner must not have the name of one that comes with the project, {name}.", "learner")
        if strangers := [model for model in info.models if model not in MODELS]:
            raise Refusal(f"models must be some of {', '.join(MODELS)}, not {quoted(strangers[0])}.", "models")
        self._infos[name] = info
        self.added.add(name)

    def load_packages(self) -> None:
        """Add the learners of installed packages; one that cannot be loaded is omitted, with a line in the log."""
        self._loaded = True
        for point in entry_points(group=GROUP):
            try:
                found = point.load()
                self.add(found if isinstance(found, LearnerInfo) else info_from(found))
            except Exception as error:  # importing a package may raise anything
                logger.warning(
                    "The learner %s of a package is left out: %s.", point.value, error_message(error).rstrip(".")
                )

    def is_stored(self, learner: Learner) -> bool:
        """Return True if trials of a learner may be stored: an added one declares `numerics` in its own class."""
        return type(learner).__name__ not in self.added or "numerics" in vars(type(learner))


def info_from(learner: type[Learner], **fields: Any) -> LearnerInfo:
    """Return an entry of a learner: its title, its models (RBMs) and a sentence about it, unless given."""
    name = getattr(learner, "__name__", quoted(learner))
    about = (getattr(learner, "__doc__", None) or name).strip().partition("\n")[0]
    usual: dict[str, Any] = {"title": name, "source": getattr(learner, "__module__", ""), "about": about}
    return LearnerInfo(learner, **usual | {"family": name, "models": ("rbm",)} | fields)
