"""Data of a recipe, prepared once and shared by training, figures and comparison."""

import os
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from boltzcore.data.examples import Dataset, Examples
from boltzcore.home import home
from boltzcore.learners.base import Learner
from boltzcore.learners.batches import updates_per_epoch
from boltzcore.measures import base_rate_log_likelihood
from boltzcore.measures.measure import SPLITS, all_rows, rows_to_measure
from boltzcore.parameters import name_owner
from boltzcore.registry import info_of
from boltzcore.ticks import Tick, idle
from boltzcore.training.recipe import Recipe

KEPT = 8  # number of recipes whose data stay in memory


@dataclass(frozen=True, eq=False)
class PreparedData:
    """Data of a recipe with everything derived from them before the first update.

    dataset : the data set as the learner sees it
    learner : the learner with its initial fields
    updates_per_epoch : number of updates by this learner in an epoch of these data
    seed : seed that selects the rows to measure
    before : prepared data of the previous stage, if there is one
    """

    dataset: Dataset
    learner: Learner
    updates_per_epoch: int
    seed: int
    before: "PreparedData | None" = None
    _warnings: list[str] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def from_recipe(cls, recipe: Recipe, tick: Tick = idle) -> "PreparedData":
        """Load and check the data of a recipe, or return the cached result.

        Raises Refusal if recipe and data do not fit, or the data are unavailable.
        """
        found = _cache_slot(_key(recipe))
        if not found:
            found.append(cls._made(recipe, tick))  # if two threads prepare it at once, the first result is used
        return found[0]

    @classmethod
    def _made(cls, recipe: Recipe, tick: Tick) -> "PreparedData":
        earlier = cls.from_recipe(recipe.before, tick) if recipe.before else None
        dataset = recipe.dataset(tick)
        recipe.model.check(dataset.train)
        learner, seed = recipe.learner, recipe.schedule.seed
        with name_owner(type(learner).__name__):
            if check := info_of(learner).check:
                check(learner, dataset.train, names=dataset.names, tick=tick)
            length = updates_per_epoch(learner, dataset.train)
        return cls(dataset, learner, length, seed, earlier)

    @cached_property
    def rows(self) -> Dataset:
        """Rows to measure, drawn at first use, so that a page that checks a setting needs no kernel."""
        return rows_to_measure(self.dataset, self.seed)

    @cached_property
    def all_rows(self) -> Dataset:
        """All rows of each split, for measures that need them."""
        return all_rows(self.dataset, self.seed)

    @cached_property
    def base_rates(self) -> dict[str, float]:
        """Mean log-likelihood of each split's measured rows under independent columns, {split: nats per example}."""
        return {
            split: base_rate_log_likelihood(self.dataset.train, rows, pseudocount=0 if split == "train" else 1)
            for split, rows in self.rows.splits.items()
        }

    @property
    def base_rate(self) -> float:
        """Base rate of the training rows."""
        return self.base_rates["train"]

    def data_warning(self, tick: Tick = idle) -> str:
        """Return the learners' warnings about their data, computed at the first call; "" if there are none."""
        if not self._warnings:
            each = [
                warn(stage.dataset.train, names=stage.dataset.names, tick=tick)
                for stage in self.stages
                if (warn := info_of(stage.learner).data_warning)
            ]
            each += [
                f"This learner leaves out {len(gaps):,} training rows with gaps."
                for stage in self.stages
                if (gaps := stage.dataset.train.gaps) is not None and not stage.learner.takes_gaps
            ]
            self._warnings.append(" ".join(dict.fromkeys(filter(None, each))))
        return self._warnings[0]

    def baseline(self, figure: str) -> float:
        """Return the value of a figure of merit without interactions between columns.

        For a likelihood or pseudo-likelihood that of independent columns, nats per example; for an error the share of
        wrong pixels if the input is taken as it is.
        """
        split = next(name for name in SPLITS if figure.startswith(f"{name}_"))
        rows = self.rows.splits[split]
        return self.base_rates[split] if rows.x is None else rows.average((rows.v != rows.x).mean(axis=1))

    @cached_property
    def base_rate_of_all(self) -> float:
        """Base rate of all training rows."""
        return base_rate_log_likelihood(self.dataset.train, self.all_rows.train, pseudocount=0)

    def memory(self, recipe: Recipe) -> int:
        """Return the bytes of tables and chains that a training of this recipe holds at once."""
        pairs = zip(recipe.stages, self.stages, strict=True)
        return max(_memory(stage, prepared.dataset.train) for stage, prepared in pairs)

    def budget(self, recipe: Recipe) -> int:
        """Return the largest number of updates of a training of this recipe, in all its stages."""
        pairs = zip(recipe.stages, self.stages, strict=True)
        return sum(stage.timetable(prepared.updates_per_epoch).length for stage, prepared in pairs)

    @property
    def stages(self) -> "tuple[PreparedData, ...]":
        """The prepared data of each stage of a recipe, in order."""
        return (*(self.before.stages if self.before else ()), self)


@lru_cache(maxsize=KEPT)
def _cache_slot(_key: tuple[Any, ...]) -> list[PreparedData]:
    """Return a list that holds the prepared data of a key once they are made."""
    return []


def _memory(recipe: Recipe, train: Examples) -> int:
    carried = info_of(recipe.learner).memory
    chains = carried(recipe.learner, train.n_visible, recipe.model.hidden) if carried else 0
    return recipe.model.memory(train) + chains


def _key(recipe: Recipe) -> tuple[Any, ...]:
    """Return a key of everything that prepared data depend on."""
    parts = tuple(getattr(recipe, name) for name in recipe.entry.parts)
    place = os.environ.get("BOLTZCORE_DATA"), home()
    before = None if recipe.before is None else _key(recipe.before)
    return recipe.model, recipe.data, recipe.learner, recipe.schedule.seed, parts, place, before
