"""Restore: draw a digit, damage it, and watch inference restore it."""

from typing import Any

import pandas as pd
import streamlit as st

from boltzcore import restoration
from boltzcore.data.strokes import ERASERS, RUBBED, coverage
from boltzcore.inference import Inference
from boltzcore.measures.pixels import pixel_errors
from boltzcore.restoration import ERASER, NONE, Damaged
from boltzcore.trained import SHAPE, TRAINED
from boltzcore.warmup import RESTORING
from pages.common import address, keyboard, presenting
from pages.common.downloads import download
from pages.common.setting import mirror
from pages.common.waiting import wait_for
from pages.common.words import warn
from pages.figures import restoration as figures
from pages.figures.measurements import percent
from pages.lessons.into_view import into_view
from pages.parts import digit_input, restoring, stepping
from pages.parts.pad import pad
from pages.parts.restoring import SETTING, Chosen
from pages.parts.saving import save_page
from pages.parts.stepping import Answer
from pages.stream.films import Film, play
from pages.web.session import SESSION
from pages.web.unstable import DeltaGenerator

PAGE = "denoise"
FRAME = 0.5  # seconds that an iteration is shown while it plays
DAMAGES = {
    "flip": "Flip pixels",
    "patch": "Hide a patch",
    "lower half": "Hide the lower half",
    "upper half": "Hide the upper half",
    "salt": "Add white dots",
    ERASER: "Erase by hand",
    NONE: "None (already damaged)",
}
MAIN = {"flip": "rate", "salt": "rate", "patch": "size"}  # main field of a damage
KINDS = {
    "sum-product": "sum-product BP",
    "max-product": "max-product BP",
    "mixed-product": "mixed-product BP",
    "mean field": "mean field",
}

INFERENCE = (
    "How the probability of each pixel is computed. **Sum-product belief propagation (BP)**: pixels and hidden units "
    "exchange messages, which give the probability of each pixel. **Max-product**: the most likely joint state of "
    "pixels and hidden units. **Mixed-product**: the most probable image, summed over all states of the hidden units. "
    "**Mean field**: no messages; each unit is updated from the means of the others, which is faster but overconfident."
)
ERRORS = (
    "**All**: the share of all 784 pixels that are wrong. **Changed**: the share of the pixels changed by the damage "
    "that are still wrong. **In doubt**: the number of pixels whose marginal, the probability of being on, is between "
    "5 and 95 %. They are drawn in amber, brighter if more probable."
)
WHY = (
    "The log-odds of a pixel are the sum of its bias, the evidence from the damaged image and the messages from the "
    "hidden units; above 0 the pixel is on. Click a pixel in the images above to see its sum."
)
ROW, COLUMN = "pixel row", "pixel column"  # widgets of the explained pixel


# -- damage and model ---------------------------------------------------------------------------------


def controls(setting: Chosen) -> None:
    damage = setting.choice.damage
    kind, amount, noise, more = st.columns(4, vertical_alignment="bottom")
    with kind:
        SETTING.pick("damage", "Damage", DAMAGES, damage, help="The damage that is applied to the digit.")
    with amount:
        if (name := MAIN.get(damage)) is not None:
            SETTING.slide(f"corruption.{name}", getattr(setting.corruption, name))
    with noise:
        about = "Change the random seed, and with it the flipped pixels or the position of the patch."
        again = "New place" if damage == "patch" else "New noise"
        st.button(
            again,
            key="new noise",
            on_click=restoring.set_next,
            args=("seed",),
            disabled=damage not in MAIN,
            help=about,
            width="stretch",
        )
    fits = restoration.models_for(damage, setting.corruption)
    titles = {name: TRAINED[name].title for name in fits}
    model, how, beside, how_beside = st.columns(4)
    with model:
        SETTING.pick(
            "model",
            "Restore with",
            titles,
            setting.model,
            help="Models trained for this damage are listed first.",
        )
    with how:
        inference("inference.kind", "Inference", setting.model, setting.inference.kind)
    with beside:
        SETTING.pick(
            "beside",
            "Compare with",
            {NONE: "Nothing"} | titles,
            setting.beside,
            help="Use a second model or another inference on the same damaged digit.",
        )
    with how_beside:
        if setting.beside != NONE:
            inference("beside.kind", "Second inference", setting.beside, setting.inference_beside.kind)
    with more:
        both = st.container(horizontal=True, gap="small")
    with both, st.popover("More", width="stretch"):
        for name in ("tolerance", "iterations", "damping"):
            SETTING.field(f"inference.{name}", setting.problems, otherwise=getattr(setting.inference, name))
        if damage in ("patch", "lower half", "upper half"):
            SETTING.field("corruption.value", setting.problems)
        SETTING.field("seed", setting.problems)
        SETTING.field("amber", setting.problems)
    with both:
        link(setting)


def inference(key: str, label: str, model: str, kind: str) -> None:
    """Draw the choice of how marginals are computed; nothing for a plain RBM, which has only one way."""
    if TRAINED[model].corruption:
        SETTING.pick(
            key, label, {name: title[0].upper() + title[1:] for name, title in KINDS.items()}, kind, help=INFERENCE
        )


# -- the pictures -------------------------------------------------------------------------------------


def strip(film: Film, setting: Chosen) -> None:
    """Draw the pictures, with buttons to step through the iterations if the models have any."""
    several = any(TRAINED[name].corruption for name in used_models(setting))
    with st.container(key="strip"):
        controls = "Iteration" if several else ""
        pick = {"on_pick": pick_pixel, "picked": "" if (pixel := explained_pixel()) is None else str(pixel)}
        play("pictures", film, every=FRAME, controls=controls, height=stepping.HEIGHT, group=PAGE, **pick)


def used_models(setting: Chosen) -> list[str]:
    """Return the models that restore the digit."""
    return [name for name in (setting.model, setting.beside) if name != NONE]


def eraser(clean: Any) -> Any:
    """Draw the pad on which the digit is erased; return the erased pixels."""
    st.html("<b>Erase</b>")
    there, times = restoring.on_pad("rubbed", [RUBBED])
    strokes = pad(
        "eraser",
        rev=f"{ERASER} {times}",
        strokes=there,
        pens=ERASERS,
        label="Eraser for parts of the digit",
        hint="Draw over the digit. Hatched pixels are lost.",
        ground=figures.digit(clean, SHAPE),
    )
    restoring.store_drawing("rubbed", strokes, [RUBBED])
    return coverage(strokes, min(SHAPE))


def table(clean: Any, seen: Damaged, answers: list[Answer]) -> None:
    """Draw the error over all and over changed pixels of the damaged and each restored digit."""
    errors = [pixel_errors(clean, seen.seen, image) for image in (seen.seen, *(it.restored.image for it in answers))]
    columns = {
        "Image": ["Damaged", *(answer.by for answer in answers)],
        "All": [percent(error.all, 1) for error in errors],
        "Changed": [percent(error.changed, 1) for error in errors],
        "In doubt": ["", *(f"{answer.restored.doubtful:,}" for answer in answers)],
    }
    st.markdown("**Errors**", help=ERRORS)
    st.table(pd.DataFrame(columns), border="horizontal", width="content", hide_index=True)


def link(setting: Chosen) -> None:
    """Draw the link to the present view."""
    with st.popover("Share", width="stretch", key="share picture"):
        st.markdown("**Link to this page**, with the digit and all settings.")
        st.code(presenting.link(SETTING.texts()), language=None, wrap_lines=True)
        if setting.choice.source == "upload":
            st.caption("The link holds the digit as 28 × 28 pixels, not the uploaded picture.")
        pads = {"drawing" * (setting.choice.source == "draw"), "rubbed" * (setting.choice.damage == ERASER)}
        if SESSION.too_long & pads:
            st.caption("The drawing is too long for a link: clear it and draw with fewer strokes.")
        save_page("restore")


def remarks(setting: Chosen) -> None:
    """Draw a note on each model that was not trained for the chosen damage."""
    damage, corruption = setting.choice.damage, setting.corruption
    if damage == NONE:
        return
    if lost := restoration.is_too_noisy(damage, corruption):
        st.caption("No model here was trained on this much noise: expect a poor restoration.")
    for name in dict.fromkeys(used_models(setting)):
        title, learnt = TRAINED[name].title, TRAINED[name].corruption
        if learnt is not None and not lost and not restoration.covers(name, damage, corruption):
            st.caption(f"**{title}** was trained for other damage ({learnt.title}): expect more errors.")


def step_completions(seen: Damaged, answers: list[Answer], setting: Chosen) -> None:
    """Draw the single completions of a model that samples them."""
    for answer in answers:
        if answer.restored.completions is not None:
            with st.container(key="singly"):
                st.header("Step through completions", anchor=False)
                film = stepping.completions(seen, answer, setting.choice)
                play(f"completions {answer.key}", film, every=FRAME, height=stepping.HEIGHT)
            return  # two plain RBMs would draw the same


def steps(seen: Damaged, answers: list[Answer], setting: Chosen) -> None:
    """Draw inference iteration by iteration."""
    if not any(answer.last for answer in answers):
        return
    st.header("Step through iterations", anchor=False)
    st.caption("The images above update with each step.")
    film = stepping.insides(seen, answers, setting.choice)
    play("insides", film, every=FRAME, controls="Iteration", height=stepping.HEIGHT, group=PAGE)


def reasons(clean: Any, seen: Damaged, answers: list[Answer], setting: Chosen) -> None:
    """Draw the sum of the chosen pixel; nothing for models that only sample."""
    moving = {answer.key: answer for answer in answers if answer.last}
    if not moving:
        return
    answer = moving.get(SESSION.explained[0], next(iter(moving.values())))
    known = None if setting.choice.damage == NONE else clean
    pixel = explained_pixel()
    with st.container(key="why"), st.container(key="unsaved" if pixel is None else "explained"):
        st.header("Why is this pixel on or off?", anchor=False)
        st.caption(WHY)
        if pixel is None:
            st.button("Explain a pixel", on_click=explain, args=(answer, seen, known))
        else:
            with st.container(horizontal=True, key="pixel"):
                st.selectbox("Row", range(1, SHAPE[0] + 1), key=ROW, width=140)
                st.selectbox("Column", range(1, SHAPE[1] + 1), key=COLUMN, width=140)
            film = stepping.reasons(seen, answer, known, pixel)
            play("reasons", film, every=FRAME, controls="Iteration", height=stepping.HEIGHT, group=PAGE)
    into_view("why", "" if pixel is None else " ".join(SESSION.explained))


def explained_pixel() -> int | None:
    """Return the number, from 0, of the explained pixel; None before one is chosen."""
    places = [st.session_state.get(key) for key in (ROW, COLUMN)]
    if not all(isinstance(place, int) and 1 <= place <= side for place, side in zip(places, SHAPE, strict=True)):
        return None
    return (places[0] - 1) * SHAPE[1] + places[1] - 1


def pick_pixel(name: str, value: str) -> None:
    """Explain the pixel of a picture that was clicked."""
    if value.isdecimal() and len(value) < 4 and int(value) < SHAPE[0] * SHAPE[1]:
        SESSION.explained = name.removeprefix("pixel "), value
        st.session_state[ROW], st.session_state[COLUMN] = (place + 1 for place in divmod(int(value), SHAPE[1]))


def explain(answer: Answer, seen: Damaged, clean: Any) -> None:
    """Explain the most instructive pixel."""
    history = restoration.history(answer.model, seen, answer.inference)
    pick_pixel(answer.key, str(restoration.decisive_pixel(history, seen, clean)))


def restore_with(key: str, name: str, inference: Inference, seen: Damaged, setting: Chosen) -> Answer:
    """Return a model's restoration of the damaged digit."""
    restored = restoration.restore(TRAINED[name], seen, inference, seed=setting.choice.seed)
    title = f"{TRAINED[name].title}, {KINDS[inference.kind] if TRAINED[name].corruption else 'clamped Gibbs'}"
    return Answer(key, title, name, inference, restored)


def laboratory(
    clean: Any, setting: Chosen, results: DeltaGenerator, below: DeltaGenerator
) -> tuple[Damaged, list[Answer]] | None:
    """Draw the damage and restoration of one digit in `results`, and controls `below`; return None if there is nothing
    to restore.
    """
    choice, done = setting.choice, None
    with results:
        mask, place = None, st.container()
        if choice.damage == ERASER and clean is not None:
            beside, place = st.columns([1, 2 if setting.beside == NONE else 3])
            with beside, st.container(key="eraser-pad"):
                mask = eraser(clean)
        with place:
            if wait_for(RESTORING) or clean is None:
                strip(stepping.empty_film(clean, len(used_models(setting))), setting)
            else:
                done = restore_digit(clean, mask, setting)
    with below:
        with st.container(key="controls"):
            controls(setting)
        if done is None:
            return None
        seen, answers = done
        remarks(setting)
        if choice.damage != NONE:
            table(clean, seen, answers)
        restored = answers[0].restored.image
        download("Restored digit (PNG)", "restored.png", lambda: figures.digit(restored, SHAPE), "rows")
    return done


def restore_digit(clean: Any, mask: Any, setting: Chosen) -> tuple[Damaged, list[Answer]]:
    """Return the damaged digit and each model's restoration."""
    seen = restoration.corrupt(clean, setting.choice.damage, setting.corruption, mask=mask, seed=setting.choice.seed)
    answers = [restore_with("restored", setting.model, setting.inference, seen, setting)]
    if setting.beside != NONE:
        answers.append(restore_with("beside", setting.beside, setting.inference_beside, seen, setting))
    strip(stepping.pictures(clean, seen, answers, setting.choice), setting)
    return seen, answers


st.html(restoring.STYLE)
keyboard.serve("Skip to the digit", ["drawing", "crop", "bench-drawing"])
st.title("Restore a digit", anchor=False)
st.write("Draw a digit. The page damages it, and a Boltzmann machine restores it.")
if address.is_arriving():
    query = st.query_params.to_dict()
    if address.has_gone_back() and not any(map(restoring.is_setting, query)):
        SETTING.put({})  # the address of all defaults
    SETTING.arrive(query, restoring.is_setting, restoring.from_link)
    SETTING.refuse(*SETTING.refused(), *address.unknown_params(query, restoring.is_setting))
with st.container():
    warn(SETTING.refused())
setting = restoring.read()
with st.container(key="bench"):  # in the order in which a phone shows it
    results, drawing, below = (st.container(key=f"bench-{name}") for name in ("results", "drawing", "below"))
with drawing:
    clean = digit_input.digit(setting)
done = laboratory(clean, setting, results, below)
if done is not None:
    step_completions(*done, setting)
    reasons(clean, *done, setting)
    steps(*done, setting)
mirror(SETTING.texts())  # with the drawing of this run
