"""What makes an update worth looking at: how much of its learner's story a step that is taken apart tells.

Each part of a story is a share from 0 to 1 of what one would like to see; a story is told as well as its weakest part.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference import propagation
from boltzcore.learners.dissection import Dissection

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Told:
    """How much of its story a step tells.

    parts : {what there is to see: share of what one would like to}
    choose : {what: its number} that shows it best, as in `telling.Telling`
    """

    parts: Mapping[str, float]
    choose: Mapping[str, int]

    @property
    def score(self) -> float:
        """Of the weakest part."""
        return min(self.parts.values())

    @property
    def rank(self) -> tuple[float, float]:
        """What steps are put in order by: the weakest part, then all of them."""
        return self.score, sum(self.parts.values())


@dataclass(frozen=True)
class Story:
    """What a kind of learner has to show.

    family : of the steps that are taken apart, as in `Dissection.family`
    about : the parts, in words
    told : of a step, a pure function
    enough : the score that a listed example has at least
    """

    family: str
    about: str
    told: Callable[[Dissection], Told]
    enough: float = 0.5


def _share(value: Any, wanted: float) -> float:
    return float(np.clip(value / wanted, 0.0, 1.0))


def _phases(taken: Dissection, kind: str) -> list[Arrays]:
    return [phase.arrays for phase in taken.phases if phase.kind == kind]


def _undecided(p: NDArray[Any]) -> NDArray[np.float64]:
    """0 where it is certain, 1 where it is a coin's toss."""
    return 4.0 * p * (1.0 - p)


# -- what learners of hidden units share --------------------------------------------------------------


def _draws(drawn: Arrays) -> Iterator[tuple[str, float]]:
    """Of the hidden units' first draw: whether they are undecided, differ, and one is drawn by a hair's breadth."""
    p = drawn["p"]
    yield "undecided units", _share(_undecided(p).mean(), 0.5)
    yield "units that differ", _share(p.max() - p.min(), 0.5)
    yield "a close draw", _share(0.1 - np.abs(drawn["u"] - p).min(), 0.05)


def _moves(before: NDArray[Any], after: NDArray[Any]) -> tuple[dict[str, float], dict[str, int]]:
    """Of weights (n_visible, n_hidden): how far a unit's move, and whether up and down; the unit that shows it best,
    and its pixel.
    """
    moved = after - before
    most = np.abs(moved).max(axis=0)
    both = np.minimum(moved.max(axis=0), -moved.min(axis=0)) / np.maximum(most, 1e-12)
    visible = most / np.abs(before).max()
    j = int(np.argmax(np.minimum(np.clip(both / 0.5, 0, 1), np.clip(visible / 0.1, 0, 1))))
    parts = {
        "weights that grow and that shrink": _share(both[j], 0.5),
        "weights that move visibly": _share(visible[j], 0.1),
        "weights that mean something": _share(np.abs(before[:, j]).max(), 1.0),
        "weights not yet extreme": _share(4.0, max(float(np.abs(before).max()), 1e-12)),
        **_unlike(before),
    }
    return parts, {"hidden": j, "visible": int(np.abs(moved[:, j]).argmax())}


def _unlike(W: NDArray[Any]) -> dict[str, float]:
    """Whether the weights of any two hidden units point into directions of their own, as those of a training do that
    has left its start behind.
    """
    unit = W / np.maximum(np.linalg.norm(W, axis=0), 1e-12)
    alike = (unit.T @ unit)[np.triu_indices(W.shape[1], 1)]
    return {"units unlike each other": _share(1.0 - alike.mean(), 0.8)}


def _left(begin: NDArray[Any], end: NDArray[Any]) -> float:
    """Whether a quarter of the pixels differ."""
    return _share(np.count_nonzero(begin != end), max(2.0, len(begin) / 4))


# -- contrastive divergence and its kin ---------------------------------------------------------------


def chain(taken: Dissection) -> Told:
    """The chain leaves the row: several pixels flip; hidden units are undecided and one draw is close; the weights of
    one unit move visibly, up and down.
    """
    parts, choose = _moves(taken.models[0].W, taken.models[-1].W)
    row, end = _phases(taken, "data")[0]["v"], _phases(taken, "end")[-1]["v"]
    return Told({"pixels that flip": _left(row, end), **dict(_draws(_phases(taken, "hidden")[0])), **parts}, choose)


def kept(taken: Dissection) -> Told:
    """As `chain`, and the chain goes on from a picture unlike the row that is as likely to the model."""
    row, start = _phases(taken, "data")[0]["v"], _phases(taken, "start")[0]["v"]
    lower = float(np.diff(taken.models[0].free_energy(np.stack([row, start])))[0])
    told = chain(taken)
    unlike = _share(np.count_nonzero(row != start), len(row) / 3)
    return Told(
        {**told.parts, "a kept picture unlike the row": unlike, "a likely one": _share(3.0 - lower, 2.0)}, told.choose
    )


def frozen(taken: Dissection) -> Told:
    """As `chain`; besides, the chain goes on between the inner steps, and steps of one weight differ in sign while the
    data term stays.
    """
    told = chain(taken)
    ends = [phase["v"] for phase in _phases(taken, "end")]
    moved = np.mean([np.count_nonzero(a != b) for a, b in pairwise(ends)])
    j = told.choose["hidden"]
    steps = np.stack([phase["W"][:, j] for phase in _phases(taken, "new")])
    turns = np.minimum(steps.max(axis=0), -steps.min(axis=0)) / max(float(np.abs(steps).max()), 1e-12)
    parts = {"a chain that goes on": _share(moved, 1.5), "a weight that turns back": _share(turns.max(), 0.2)}
    return Told({**told.parts, **parts}, {"hidden": j, "visible": int(turns.argmax())})


def centred(taken: Dissection) -> Told:
    """As `chain`; besides, the hidden offsets have left the middle and slide on, and the centred gradient of the chosen
    unit differs from the plain one.
    """
    told = chain(taken)
    offsets, plain, along = (_phases(taken, kind)[0] for kind in ("offsets", "difference", "centred"))
    j = told.choose["hidden"]
    apart = np.abs(along["W"][:, j] - plain["W"][:, j]).max() / max(float(np.abs(plain["W"]).max()), 1e-12)
    parts = {
        "hidden offsets off the middle": _share(np.abs(offsets["lambda"] - 0.5).max(), 0.2),
        "offsets that slide": _share(np.abs(plain["data_c"] - offsets["lambda"]).max(), 0.4),
        "a gradient that changes": _share(apart, 0.3),
    }
    return Told({**told.parts, **parts}, told.choose)


def equalised(taken: Dissection) -> Told:
    """As `chain`; besides, the singular values of the gradient are unequal, and no more than the last of them is next
    to nothing.
    """
    told = chain(taken)
    s = _phases(taken, "equalised")[0]["s"]
    parts = {
        "unequal directions": _share(1.0 - s.mean() / s.max(), 0.5),
        "several directions": _share(s[1] / s[0], 0.2),
    }
    return Told({**told.parts, **parts}, told.choose)


# -- conditional machines -----------------------------------------------------------------------------


def _given(taken: Dissection) -> tuple[dict[str, float], dict[str, int], NDArray[Any], NDArray[Any]]:
    """What all of them show: parts, the unit and pixel to choose, the clean row and the input."""
    clean, x = (_phases(taken, "given")[0][name] for name in "vx")
    parts, choose = _moves(taken.models[0].W, taken.models[-1].W)
    return {"damaged pixels": _share(np.count_nonzero(clean != x), 2.0), **parts}, choose, clean, x


def beliefs(taken: Dissection) -> Told:
    """Beliefs change over several rounds before they settle, the model is in doubt about some pixel, and gets one right
    that the input has wrong.
    """
    parts, choose, clean, x = _given(taken)
    rounds = _phases(taken, "iteration")
    first, last = rounds[0], rounds[-1]
    changed = max(np.abs(last[layer] - first[layer]).max() for layer in "vh")
    parts |= {
        "rounds": _share(len(rounds), 5.0),
        "beliefs that change": _share(changed, 0.2),
        "pixels in doubt": _share(_undecided(last["v"]).max(), 0.7),
        "a pixel put right": float(np.any((clean != x) & ((last["v"] > 0.5) == clean))),
    }
    return Told(parts, choose)


def given_chain(taken: Dissection) -> Told:
    """The chain leaves the clean row, its draws are undecided, and the input is damaged."""
    parts, choose, clean, _ = _given(taken)
    drawn = _phases(taken, "hidden")[0]
    return Told(
        {**parts, "pixels that flip": _left(clean, _phases(taken, "free")[0]["v"]), **dict(_draws(drawn))}, choose
    )


def searched(taken: Dissection) -> Told:
    """The search comes upon a picture more probable than the clean row, not at once, and goes on past it."""
    parts, choose, clean, _ = _given(taken)
    energy = _phases(taken, "energy")[0]["energy"]
    best = int(energy.argmin())
    parts |= {
        "a picture more probable": _share(energy[0] - energy[best], 0.5),
        "not at once": _share(best - 1, 1.0),
        "nor at the end": _share(len(energy) - 1 - best, 1.0),
        "unlike the row": _share(np.count_nonzero(_phases(taken, "free")[0]["v"] != clean), 2.0),
    }
    return Told(parts, choose)


def logistic(taken: Dissection) -> Told:
    """One pixel is put right, another one is not, and some are in doubt; the weights of the one that is wrong move."""
    clean, x = (_phases(taken, "given")[0][name] for name in "vx")
    p = _phases(taken, "free")[0]["v"]
    wrong = np.abs(clean - p)
    i = int(wrong.argmax())
    moved = taken.models[-1].W_vx[i] - taken.models[0].W_vx[i]
    parts = {
        "damaged pixels": _share(np.count_nonzero(clean != x), 2.0),
        "a pixel put right": float(np.any((clean != x) & (wrong < 0.5))),
        "a pixel that stays wrong": _share(wrong[i], 0.6),
        "pixels in doubt": _share(_undecided(p).mean(), 0.3),
        "weights that move visibly": _share(np.abs(moved).max() / np.abs(taken.models[0].W_vx).max(), 0.05),
    }
    return Told(parts, {"visible": i})


def augmented(kind: str) -> Callable[[Dissection], Told]:
    """The same for the propagation of this kind."""

    def told(taken: Dissection) -> Told:
        """A pixel is decided wrongly because a wrong one gains 1, over a few rounds; without that it would be right."""
        parts, choose, clean, _ = _given(taken)
        given, W = _phases(taken, "given")[0], taken.models[0].W
        rounds = _phases(taken, "iteration")
        plain = propagation.instances_of(given["b"][None], given["c"][None], len(rounds))
        propagation.run(propagation.Messages.of(W, kind), plain, 0.0, 0.0)
        lured = (_phases(taken, "free")[0]["v"] != clean) & ((plain.v[0] > 0.5) == clean)
        parts |= {"pixels lured away": _share(lured.sum(), 1.0), "not all": _share((~lured).mean(), 0.6)}
        parts |= {"rounds": _share(len(rounds), 3.0)}
        moved = np.abs(taken.models[-1].W - W)[:, choose["hidden"]] * lured
        return Told(parts, {**choose, "visible": int(moved.argmax()) if moved.any() else choose["visible"]})

    return told


# -- machines without hidden units --------------------------------------------------------------------


def _steps(taken: Dissection) -> Iterator[tuple[dict[str, int], float, float, Arrays]]:
    """Of each parameter of a sweep: which it is, by how much P_n changes, by how much it moves, and its numbers."""
    before = taken.phases[0].arrays
    for phase in taken.phases[1:]:
        told = phase.arrays
        which = {name: int(told[name]) for name in "jk" if name in told}
        yield which, float(told["reached"] - before["reached"]), float(told["after"] - told["before"]), told
        before = told


def climb(taken: Dissection) -> Told:
    """A coupling goes far along its parabola: P_n rises by much of what the whole sweep brings, visibly more than the
    parabola promises, pulled from both sides; and the row's odds turn round in some column.
    """
    odds = np.stack([phase.arrays["log_odds"] for phase in taken.phases])
    turns = float(np.any(np.sign(odds[1:]) != np.sign(odds[:-1])))
    total = float(taken.phases[-1].arrays["reached"] - taken.phases[0].arrays["reached"])

    def each() -> Iterator[Told]:
        for which, rise, moved, told in _steps(taken):
            promised = float(told["pulls"].sum()) ** 2 / (2 * float(told["curvature"]))
            pulls = np.abs(told["pulls"])
            parts = {
                "a coupling": float("k" in which),
                "a rise": _share(rise, 0.15 * total),
                "a far step": _share(abs(moved), 0.3),
                "more than the parabola promises": _share(rise / max(promised, 1e-12) - 1.0, 0.1),
                "two that pull": _share(pulls.min() / max(pulls.max(), 1e-12), 0.2),
                "a row that turns round": turns,
            }
            yield Told(parts, which)

    return max(each(), key=lambda told: told.rank)


def overshoot(taken: Dissection) -> Told:
    """A step goes so far beyond the top that P_n falls, while others of the same sweep let it rise."""
    rises = [rise for _, rise, _, _ in _steps(taken)]
    which, fall, moved, told = min(_steps(taken), key=lambda step: step[1])
    pulls = np.abs(told["pulls"])
    parts = {
        "a fall": _share(-fall / abs(float(taken.phases[0].arrays["reached"])), 0.005),
        "a rise elsewhere": _share(max(rises) / max(-fall, 1e-12), 0.5),
        "a far step": _share(abs(moved), 0.3),
        "two that pull": _share(pulls.min() / max(pulls.max(), 1e-12), 0.1),
    }
    return Told(parts, which)


def bought(taken: Dissection) -> Told:
    """The price decides: not the candidate of the largest gain is bought, its rivals are close, many are skipped by the
    bound, and there are terms already that might have moved instead.
    """
    candidates, chosen = _phases(taken, "candidates"), _phases(taken, "chosen")
    if not (candidates and chosen and len(candidates[0]["term"])):
        return Told({"something to buy": 0.0}, {})
    told, y = candidates[0], int(chosen[0]["term"])
    worth, there = told["gain"] - told["price"], _phases(taken, "present")
    at = int(np.argmax(told["term"] == y)) if y in told["term"] else 0
    parts = {
        "a term bought": float(y in told["term"] and y not in taken.models[0].theta),
        "candidates skipped": _share(told["skipped"] / (told["skipped"] + told["looked"]), 0.3),
        "close rivals": _share(np.count_nonzero(worth > 0.7 * worth.max()), 3.0),
        "the price decides": _share(told["gain"].max() / told["gain"][at] - 1.0, 0.02),
        "terms already there": _share(len(there[0]["term"]) if there else 0, 2.0),
    }
    return Told(parts, {})


# -- units that arrive, and runs of L-BFGS ------------------------------------------------------------


def found_unit(taken: Dissection) -> Told:
    """A search makes a picture of noise: the weights grow on the way and come to be of both signs, the unit answers to
    data more than to what the model dreams up, several starts end at different worth, and there are units before it.
    """
    searches, found = _phases(taken, "search"), _phases(taken, "found")
    if not (searches and found and _phases(taken, "insert")):
        return Told({"a unit that is inserted": 0.0}, {})
    first, unit = searches[0]["w"][:-1], found[0]["unit"][:-1]
    most = float(np.abs(unit).max())
    reached = found[0]["reached"]
    more = np.abs(found[0]["data_on"] - found[0]["model_on"]).sum() / 2
    parts = {
        "looks at the search": _share(len(searches), 6.0),
        "weights that sharpen": _share(1.0 - np.abs(first).max() / max(most, 1e-12), 0.8),
        "weights for and against": _share(min(unit.max(), -unit.min()) / max(most, 1e-12), 0.4),
        "not the noise it began as": _share(1.0 - abs(np.corrcoef(first, unit)[0, 1]), 0.4),
        "starts that end apart": _share(
            np.ptp(reached) / max(float(-reached.min()), 1e-12) if len(reached) > 1 else 0, 0.1
        ),
        "more on data than in dreams": _share(more, 0.2),
        "units already there": _share(taken.models[0].n_units, 2.0),
    }
    return Told(parts, {"unit": taken.models[0].n_units})


def emptied(taken: Dissection) -> Told:
    """As `found_unit`, and at least one unit that was there leaves, for its count falls to 0 as all counts move."""
    told = found_unit(taken)
    leave, counts = _phases(taken, "leave"), _phases(taken, "counts")
    if not (leave and counts and told.choose):
        return Told({**told.parts, "a unit that leaves": 0.0}, told.choose)
    units = [int(k) for k in leave[0]["units"]]
    before = counts[0]["counts"]
    gone = max(units, key=lambda k: float(before[k]))
    moved = np.abs(counts[-1]["counts"] - before).max() / max(float(before.max()), 1e-12)
    parts = {
        "a unit that leaves": float(gone < taken.models[0].n_units),
        "that counted before": _share(before[gone], 0.2),
        "counts that move": _share(moved, 0.3),
    }
    return Told({**told.parts, **parts}, {"unit": gone})


def run_of_newton(taken: Dissection) -> Told:
    """A run over several points: most of the rise at once, and a long rest in which the slopes die down."""
    searches = _phases(taken, "search")
    values = np.array([float(phase["value"]) for phase in searches])
    slopes = np.array([np.abs(phase["slope"]).max() for phase in searches])
    theta = searches[-1]["theta"] - searches[0]["theta"]
    half = np.argmax(values >= values[0] + 0.5 * (values[-1] - values[0])) if len(values) > 1 else len(values)
    parts = {
        "points on the way": _share(len(searches), 8.0),
        "half of the rise in the first third": _share(1.0 - half / max(len(values) - 1, 1), 0.66),
        "slopes that die down": _share(1.0 - slopes[-1] / max(float(slopes[0]), 1e-12), 0.95),
        "parameters that go far": _share(np.abs(theta).max(), 0.5),
    }
    return Told(parts, {"parameter": int(np.abs(theta).argmax())})


# -- chains of machines without hidden units ----------------------------------------------------------


def swept(taken: Dissection) -> Told:
    """One chain changes as its units are drawn, some of them in doubt and one by a hair's breadth; the chains and the
    data differ in both directions, and the coupling that moves most, visibly, meant something before.
    """
    units, step = _phases(taken, "unit"), _phases(taken, "new")[0]["step"]
    drawn = {name: np.concatenate([unit[name] for unit in units]) for name in "pu"}
    before = _phases(taken, "data")[0]["theta"]
    start, end = _phases(taken, "start")[0]["x"], _phases(taken, "chains")[0]["x"]
    d = len(start)
    most = d + int(np.abs(step[d:]).argmax())
    parts = {
        "units that flip": _left(start, end),
        **dict(_draws(drawn)),
        "parameters that grow and that shrink": _share(min(step.max(), -step.min()) / np.abs(step).max(), 0.5),
        "a coupling that moves visibly": _share(abs(step[most]) / np.abs(before).max(), 0.1),
        "a coupling that means something": _share(abs(before[most]), 0.5),
        "parameters that mean something": _share(np.abs(before).max(), 1.0),
    }
    return Told(parts, {"parameter": most})


# -- two learners -------------------------------------------------------------------------------------


def apart(first: Dissection, second: Dissection) -> Told:
    """Of two contrastive updates from one State: their chains end unlike each other, and one weight grows by the one
    and shrinks by the other.
    """
    ends = [_phases(taken, "end")[-1]["v"] for taken in (first, second)]
    W, p = first.models[0].W, _phases(first, "data")[0]["p"]
    moved = [taken.models[-1].W - W for taken in (first, second)]
    least = np.where(moved[0] * moved[1] < 0, np.minimum(*np.abs(moved)), 0.0)
    i, j = np.unravel_index(least.argmax(), W.shape)
    parts = {
        "chains that part": _left(*ends),
        "a weight that goes both ways": _share(least.max(), 0.07 * np.abs(W).max()),
        "a weight that means something": _share(np.abs(W[:, j]).max(), 1.0),
        "weights not yet extreme": _share(4.0, np.abs(W).max()),
        "undecided units": _share(_undecided(p).mean(), 0.5),
        "units that differ": _share(p.max() - p.min(), 0.5),
        **_unlike(W),
    }
    return Told(parts, {"hidden": int(j), "visible": int(i)})


STORIES: Mapping[str, Story] = {
    "chain": Story("contrastive", "pixels flip, draws are close, one unit's weights move up and down", chain),
    "kept": Story("contrastive", "the same, from a kept picture unlike the row", kept),
    "frozen": Story("contrastive", "the same, and a weight turns back while the data term stays", frozen),
    "centred": Story("contrastive", "the same, and offsets lie apart and change the gradient", centred),
    "equalised": Story("contrastive", "the same, of a gradient whose singular values are unequal", equalised),
    "beliefs": Story("conditional", "beliefs change over several rounds and put a pixel right", beliefs),
    "given chain": Story("conditional", "the chain leaves the clean row under a damaged input", given_chain),
    "searched": Story("conditional", "the search finds a picture more probable than the clean row", searched),
    "logistic": Story("conditional", "one pixel is put right, another one stays wrong", logistic),
    "augmented max": Story("conditional", "a pixel is lured away by the bonus for being wrong", augmented("max")),
    "augmented mixed": Story("conditional", "a pixel is lured away by the bonus for being wrong", augmented("mixed")),
    "climb": Story("coordinate", "P_n rises far, more than its parabola promises", climb),
    "overshoot": Story("coordinate", "P_n falls, for a step goes beyond the top", overshoot),
    "found": Story("insertion", "a search makes a picture of noise, and a unit of it", found_unit),
    "emptied": Story("insertion", "the same, and another unit leaves", emptied),
    "run": Story("newton", "a run of L-BFGS rises at once, and settles slowly", run_of_newton),
    "swept": Story("sampled", "a chain changes unit by unit, and a coupling moves visibly", swept),
    "bought": Story("greedy", "a term is bought that does not gain most, for the price decides", bought),
}
