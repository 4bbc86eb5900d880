"""Damage and restoration of a digit, for the page "Restore"."""

import base64
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.corruption import HIDING, Corruption, erase
from boltzcore.data.digit_pictures import THRESHOLD, as_digit, normalise, read_digits
from boltzcore.data.pictures import crop
from boltzcore.data.strokes import DIGITS, Stroke, draw, scale
from boltzcore.inference import Inference, complete
from boltzcore.inference.beliefs import Beliefs
from boltzcore.inference.history import History
from boltzcore.models import CRBM
from boltzcore.parameters import Parameters, parameter
from boltzcore.quoting import Refusal
from boltzcore.trained import SHAPE, TRAINED, Trained

SURE = 0.05  # a pixel whose probability is this near to 0 or 1 is not in doubt
LOUDEST = 6
HISTORIES = 32  # number of cached inferences, some 100 kB each at 30 iterations, for explanations
UNLIKE = "none"
NOISIEST = 0.3  # share of pixels flipped, or set to 1, above which no model here restores a digit
ERASER, NONE = "eraser", "none"
_PACKED = "[A-Za-z0-9_-]*"  # as `strokes.pack` writes
_HIDES = (*HIDING, ERASER)  # damages whose position is visible


@dataclass(frozen=True)
class Choice(Parameters):
    """The image to restore, and the models that restore it."""

    source: str = parameter("draw", choices=("draw", "upload", "test"), help="Source of the digit.", label="Digit")
    digit: int = parameter(3, low=0, high=9, help="The initial digit on the pad.")
    pixels: str = parameter("", pattern=_PACKED, help="The digit of an uploaded picture, encoded.")
    image: int = parameter(0, low=0, high=9_999, help="Which of MNIST's 10,000 test images.", label="Test image")
    drawing: str = parameter("", pattern=_PACKED, help="The drawing on the pad, encoded; empty for the digit above.")
    damage: str = parameter(
        "flip",
        choices=(*Corruption.named("kind").choices, ERASER, NONE),
        help="The damage that is applied to the digit.",
    )
    rubbed: str = parameter("", pattern=_PACKED, help="The pixels erased by hand, encoded; empty erases one line.")
    model: str = parameter(
        next(iter(TRAINED)), choices=tuple(TRAINED), help="The trained model that restores the digit."
    )
    beside: str = parameter(
        NONE,
        choices=(NONE, *TRAINED),
        help="A second model or inference on the same damaged digit.",
        label="Compare with",
    )
    amber: bool = parameter(
        True,
        help="Draw pixels that are on with probability from 5 to 95 % in amber instead of grey.",
        label="Highlight doubtful pixels",
    )
    seed: int = parameter(
        0,
        low=0,
        high=2**53,
        help="Seed of the damage and of Gibbs sampling.",
    )

    @property
    def without_drawings(self) -> "Choice":
        """Return the choice without drawings and pixels."""
        return self.changed(drawing="", rubbed="", pixels="")


@dataclass(frozen=True, eq=False)
class Damaged:
    """An image as seen by a model.

    seen : (n_visible,) 0/1
    known : (n_visible,) False for pixels that are visibly lost; flipped pixels cannot be distinguished from others
    """

    seen: NDArray[np.uint8]
    known: NDArray[np.bool_]

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Pixels that are visibly lost, (n_visible,)."""
        return ~self.known


@dataclass(frozen=True, eq=False)
class Restored:
    """An image restored by a model.

    probabilities : (n_visible,) P(pixel is on), or the max-marginals of max-product
    beliefs : of belief propagation or mean field; None for clamped Gibbs
    completions : (100, n_visible) 0/1, of clamped Gibbs: samples with the mean `probabilities`
    tried : False if a plain RBM changed nothing, because the damaged pixels are not visible
    """

    probabilities: NDArray[np.float64]
    beliefs: Beliefs | None
    tried: bool = True
    completions: NDArray[np.uint8] | None = None

    @property
    def image(self) -> NDArray[np.uint8]:
        """Each pixel's more probable value, (n_visible,) 0/1."""
        return (self.probabilities > 0.5).astype(np.uint8)

    @property
    def uncertain(self) -> NDArray[np.bool_]:
        """Pixels in doubt, (n_visible,): on with a probability from 5 to 95 %."""
        return (self.probabilities > SURE) & (self.probabilities < 1 - SURE)

    @property
    def doubtful(self) -> int:
        """Number of pixels in doubt."""
        return int(self.uncertain.sum())


def from_strokes(strokes: Sequence[Stroke]) -> NDArray[np.uint8]:
    """Return a drawing normalised like MNIST's digits, (n_visible,) 0/1; raise Refusal if it is empty, or no more
    than a dot.
    """
    return (normalise(draw(scale(strokes))) > THRESHOLD).astype(np.uint8).ravel()


def own_digit(digit: int) -> NDArray[np.uint8]:
    """Return a digit drawn by the project itself, (n_visible,) 0/1."""
    return from_strokes(DIGITS[digit])


def from_picture(
    gray: NDArray[np.uint8], box: tuple[float, float, float, float] | None = None
) -> tuple[NDArray[np.uint8], str]:
    """Return the digit in a picture, (n_visible,) 0/1, and a doubt about it or ""; raise Refusal if there is none.

    box : the part of the picture to read, as in `pictures.crop`; None for all
    """
    digit = as_digit(gray if box is None else crop(gray, box))
    return digit.bits.ravel(), digit.doubt


def pack_pixels(image: ArrayLike) -> str:
    """Return a digit (n_visible,) of 0/1 as text for a link, the inverse of `unpack_pixels`."""
    return base64.urlsafe_b64encode(np.packbits(np.asarray(image, bool)).tobytes()).rstrip(b"=").decode()


def unpack_pixels(text: str) -> NDArray[np.uint8]:
    """Return the digit from a text of `pack_pixels`, (n_visible,) 0/1; raise Refusal for any other text."""
    many = math.prod(SHAPE)
    if len(text) != math.ceil(many / 6) or not re.fullmatch(_PACKED, text):
        raise Refusal("A digit in a link must be complete: copy the link again.")
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return np.unpackbits(np.frombuffer(content, np.uint8))[:many]


def corrupt(
    clean: ArrayLike, damage: str, corruption: Corruption, *, mask: ArrayLike | None = None, seed: int
) -> Damaged:
    """Return a clean image (n_visible,) after `damage`, one of `Choice`'s.

    corruption : rate, size and value of the damage
    mask : (n_visible,) True for pixels that were erased
    """
    v = np.asarray(clean, np.uint8)[None]
    whole = np.ones(v.shape[1], bool)
    if damage == NONE:
        return Damaged(v[0], whole)
    if damage == ERASER:
        lost = ~whole if mask is None else np.asarray(mask, bool).ravel()
        return Damaged(erase(v, lost)[0], ~lost)
    corruption = corruption.changed(kind=damage)
    return Damaged(corruption.apply(v, SHAPE, seed=seed)[0], ~corruption.lost(1, SHAPE, seed=seed)[0])


def known_damage(names: Iterable[str], damaged: Damaged) -> str:
    """Return a sentence on the models that know the damaged pixels, which continues one with their number."""
    several = len(chosen := set(names)) > 1
    if not damaged.lost.any():
        return f"{'The models do' if several else 'The model does'} not know which."
    colour = "white" if damaged.seen[damaged.lost].all() else "black"
    plain = {TRAINED[name].corruption is None for name in chosen}
    if plain == {True}:
        return f"{'The models know' if several else 'The model knows'} which."
    if plain == {False}:
        return f"To the {'models' if several else 'model'} the lost pixels are simply {colour}."
    return f"The plain RBM knows which; the conditional RBM sees {colour} there."


def models_for(damage: str, corruption: Corruption) -> list[str]:
    """Return the names of the trained models, starting with those made for this damage: conditional ones before a plain
    RBM, the nearest first.
    """

    def distance(name: str) -> tuple[bool, bool, bool, float]:
        learnt = TRAINED[name].corruption
        if learnt is None:
            return not made_for(name, damage), True, False, 0
        apart = (
            abs(learnt.size - corruption.size)
            if damage == "patch"
            else -learnt.size
            if damage in _HIDES
            else abs(learnt.rate - corruption.rate)
        )
        return not made_for(name, damage), False, (learnt.kind in _HIDES) != (damage in _HIDES), apart

    return sorted(TRAINED, key=distance)


def made_for(name: str, damage: str) -> bool:
    """Return True if a model was trained on damage of this kind, as on patches for what is rubbed out; a plain RBM
    takes any of which one sees where it is.
    """
    learnt = TRAINED[name].corruption
    if learnt is None:
        return damage in _HIDES
    return learnt.kind == ("patch" if damage == ERASER else damage)


def covers(name: str, damage: str, corruption: Corruption) -> bool:
    """Return True if a model was trained on just this much of this damage; of what is rubbed out any amount counts."""
    trained = TRAINED[name].corruption
    return (
        trained is not None
        and made_for(name, damage)
        and (damage == ERASER or corruption.changed(kind=damage).title == trained.title)
    )


def is_too_noisy(damage: str, corruption: Corruption) -> bool:
    """Return True if there is more noise than any of the trained models can undo."""
    return damage in ("flip", "salt") and corruption.rate > NOISIEST


def restore(trained: Trained, damaged: Damaged, inference: Inference, *, seed: int) -> Restored:
    """Return the restoration of a damaged image by a model: marginals by `inference`, for a plain RBM means of
    clamped Gibbs chains.
    """
    model = trained.model()
    if isinstance(model, CRBM):
        beliefs = inference.infer(model, damaged.seen.astype(np.float32))
        return Restored(np.asarray(beliefs.v, np.float64), beliefs)
    if damaged.known.all():
        return Restored(damaged.seen.astype(np.float64), None, tried=False)
    found = complete(model, damaged.seen, damaged.known, seed=seed)
    return Restored(found.mean, None, completions=found.rows)


def count_digits(completions: ArrayLike) -> dict[str, int]:
    """Return {digit: number of completions that look like it}, the most frequent first; `UNLIKE` for others."""
    read, counts = np.unique(read_digits(completions), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return {UNLIKE if read[i] < 0 else str(read[i]): int(counts[i]) for i in order}


def count_wrong(clean: ArrayLike, guess: ArrayLike) -> int:
    """Return the number of pixels of a guess that differ from the clean image."""
    return int(np.count_nonzero(np.asarray(clean) != np.asarray(guess)))


@dataclass(frozen=True, eq=False)
class Messages:
    """Messages from hidden units to pixels.

    units : (n,) the hidden units with the strongest final messages, from 0 on
    rows : (n, n_visible) their messages, log-odds: positive for on
    limit : end of the colour scale, from the final messages
    passed : True for messages of belief propagation; in mean field it is a hidden unit's mean times its weights
    """

    units: NDArray[np.int64]
    rows: NDArray[np.float64]
    limit: float
    passed: bool


def messages(history: History, at: int, *, count: int = LOUDEST) -> Messages:
    """Return the hidden units with the strongest messages in the last iteration, and their messages in iteration `at`,
    from 1 on: the terms of the beliefs of that iteration.
    """
    last = history.messages(history.iterations)
    units = np.argsort(-np.abs(last).sum(axis=0), kind="stable")[:count]
    rows = history.messages(at)[:, units].T
    return Messages(units, rows, float(np.abs(last[:, units]).max()), history.passes)


def history(name: str, damaged: Damaged, inference: Inference) -> History:
    """Return the cached history of a restoration by a conditional model that comes with the project."""
    return _history(name, damaged.seen.tobytes(), inference)


@lru_cache(maxsize=HISTORIES)
def _history(name: str, seen: bytes, inference: Inference) -> History:
    return History(TRAINED[name].model(), inference, np.frombuffer(seen, np.uint8))


def decisive_pixel(history: History, damaged: Damaged, clean: ArrayLike | None) -> int:
    """Return the most instructive pixel: of those that were correctly restored, preferably turned on, the one with the
    strongest messages; if there is none, the one most in doubt.

    clean : (n_visible,) 0/1 the original digit; None if unknown, and every change counts as correct
    """
    p = history.v[-1].astype(np.float64)
    on = p > 0.5
    back = (on != damaged.seen) & (on == (on if clean is None else np.asarray(clean, bool)))
    if not back.any():
        return int(np.abs(p - 0.5).argmin())
    back &= on | ~(back & on).any()
    evidence = np.log(np.clip(p, 1e-6, None)) - np.log(np.clip(1 - p, 1e-6, None)) - history.b
    return int(np.where(back, np.where(on, evidence, -evidence), -np.inf).argmax())
