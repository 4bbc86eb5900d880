"""The setting of the page Restore: damage, model and comparison, and the fields that follow from these."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boltzcore.data.corruption import Corruption
from boltzcore.data.strokes import Stroke, pack, unpack
from boltzcore.inference import Inference
from boltzcore.parameters import Parameter, Parameters
from boltzcore.quoting import Refusal, cut
from boltzcore.restoration import NONE, Choice, models_for, unpack_pixels
from boltzcore.trained import SHAPE, TRAINED
from pages.common.setting import Link, Setting, is_default, keyed_fields
from pages.common.words import use_labels
from pages.web.session import SESSION

MEAN_FIELD = "mean field"
STYLE = Path(__file__).with_suffix(".css")
OWNERS: dict[str, type[Parameters]] = {
    "": Choice,
    "corruption": Corruption,
    "inference": Inference,
    "beside": Inference,
}
LEFT_OUT = {"corruption.kind", "corruption.redrawn"} | {
    f"beside.{declared.name}" for declared in Inference.parameters() if declared.name != "kind"
}
LASTING = ("inference.", "beside.", "model")  # by default those of the damage and the model
PACKED: dict[str, Callable[[str], Any]] = {"drawing": unpack, "rubbed": unpack, "pixels": unpack_pixels}
FOLLOWS = {"damage": ("model", "inference."), "model": ("inference.",), "beside": ("beside.",)}  # unset by an edit


def keys() -> dict[str, Parameter]:
    """Return {key in the link: declaration} of all fields."""
    there = {key: declared for key, declared in keyed_fields(OWNERS).items() if key not in LEFT_OUT}
    there["corruption.size"] = dataclasses.replace(there["corruption.size"], high=min(SHAPE))  # within the image
    return there


class _Restoring(Setting):
    """A setting in which some fields follow others."""

    def edit(self, key: str, text: str) -> None:
        """Set one field, and unset those that follow it: another damage brings the model that was made for it."""
        there, texts = keys(), self.texts() | {key: text}
        self.put(
            {
                name: each
                for name, each in texts.items()
                if not name.startswith(FOLLOWS.get(key, ()))
                and (name.startswith(LASTING) or not is_default(there[name], each))
            }
        )

    def problems(self, texts: Link) -> dict[str, str]:
        """Return problems as for any setting; drawings and pixels are unpacked, too."""
        sentences = super().problems(texts)
        for key, read in PACKED.items():
            try:
                if text := texts.get(key):
                    read(text)
            except Refusal as refusal:
                sentences[key] = use_labels(refusal, [keys()[key]])
        return sentences


SETTING = _Restoring("restoring", lambda _: keys(), prefix="restoring ")


@dataclass(frozen=True)
class Chosen:
    """Choices read from the texts. A refused field has a sentence in `problems`, and its last valid value here.

    model, beside : names of trained models; the one made for the damage if none was chosen
    inference, inference_beside : theirs; as in the training of the model if nothing was chosen
    """

    choice: Choice
    corruption: Corruption
    model: str
    inference: Inference
    beside: str
    inference_beside: Inference
    problems: Mapping[str, str]


def is_setting(key: str) -> bool:
    """True if a URL parameter belongs to this page."""
    return key in keys() or key.partition(".")[0] in OWNERS


def from_link(link: Link) -> tuple[dict[str, str], list[str]]:
    """Return (texts, sentences on refused values) of a link's parameters."""
    there = keys()
    strangers = {key: f"{cut(key)} is not a field of this page and is ignored." for key in link if key not in there}
    wrong = {key: f"{sentence} The default is used instead." for key, sentence in SETTING.problems(link).items()}
    problems = wrong | strangers
    texts = {key: text for key, text in link.items() if key not in problems}
    return texts, [problems[key] for key in link if key in problems]


def read() -> Chosen:
    """Return the choices of this session."""
    there, texts, before = keys(), SETTING.texts(), SESSION.last_good
    problems = SETTING.problems(texts)
    good = {key: before[key] for key in problems if key in before}  # values before the refused texts
    good |= {key: there[key].parse(text) for key, text in texts.items() if key not in problems}
    SESSION.last_good = good

    def of(owner: str) -> dict[str, Any]:
        split = {key: key.rpartition(".") for key in texts if key in good}
        return {name: good[key] for key, (whose, _, name) in split.items() if whose == owner}

    choice, corruption = Choice(**of("")), Corruption(**of("corruption"))
    model, beside = choice.model if "model" in texts else models_for(choice.damage, corruption)[0], choice.beside
    inference = TRAINED[model].inference.changed(**of("inference"))
    kind = TRAINED[beside].inference.kind if beside != NONE else inference.kind
    if beside == model and kind == inference.kind:  # a comparison with itself would show nothing
        kind = MEAN_FIELD if kind != MEAN_FIELD else Inference().kind
    inference_beside = inference.changed(**{"kind": kind} | of("beside"))
    return Chosen(choice, corruption, model, inference, beside, inference_beside, problems)


def on_pad(key: str, given: Sequence[Stroke]) -> tuple[Sequence[Stroke], int]:
    """Return (the drawing of a pad in the setting, or `given` if it has none; how often something other than the pad
    has put it there): a link, or the browser's way back.
    """
    text, (last, times) = SETTING.texts().get(key, ""), SESSION.pad_texts.get(key, (None, 0))
    if text != last:
        times += 1
        SESSION.pad_texts[key] = text, times
    return unpack(text) if text else given, times


def store_drawing(key: str, strokes: Sequence[Stroke], given: Sequence[Stroke]) -> None:
    """Keep the drawing of a pad in the setting, so that the address has it; not if it is the given one, or has too many
    points for a link.
    """
    SETTING.texts().pop(key, None)
    _, times = SESSION.pad_texts[key]
    long = SESSION.too_long
    long.discard(key)
    try:
        text = pack(strokes)
    except Refusal:
        long.add(key)
        text = ""
    if text == pack(given):
        text = ""
    SESSION.pad_texts[key] = text, times
    if text:
        SETTING.texts()[key] = text


def set_next(key: str, last: int | None = None) -> None:
    """Set the next value of a whole number, the first after the last; by default the last of its declaration."""
    declared = keys()[key]
    last = declared.high if last is None else last
    value = getattr(read().choice, key) % (last + 1)
    following = value + 1 if value < last else declared.low
    SETTING.edit(key, declared.write(following))
