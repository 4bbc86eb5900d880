"""Layout of Train on one screen: settings fold into a line, controls stay in reach, messages have a fixed place."""

from collections.abc import Callable

import streamlit as st

from boltzcore.registry import info_of
from boltzcore.training.recipe import Recipe
from pages.common.glossary import link_terms
from pages.common.words import escape
from pages.figures import naming
from pages.web.session import SESSION
from pages.web.unstable import DeltaGenerator

NONE = "none"  # run id for settings opened before there is a run
GROUND = "light-dark(#FAF9F5, #14171B)"  # of the page, behind sticky parts

# By keys of containers: Streamlit wraps each in a box of its own, which takes part in the layout.
STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-messages, .st-key-settings, .st-key-simple, .st-key-inside,
  .st-key-seen):empty) { display: none; }
.st-key-knobs { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem 1rem; }
.st-key-knobs > * { width: 100% !important; min-width: 0; }
[data-testid="stMainBlockContainer"]:has(.st-key-simple > *) { padding-top: calc(var(--lab-header, HEADER) + 1rem); }
.st-key-simple .lab-live figure { zoom: var(--lab-larger, 1); }
.st-key-simple [data-testid="stElementToolbar"] { display: none; }
.st-key-questions [class*="st-key-family-"] { gap: .25rem; padding-block: .75rem; }
.st-key-simple .st-key-knobs [data-testid="stTooltipIcon"] { display: none; }  /* explained among all settings */
.st-key-seen .lab-light .sentence { display: none; }              /* its word says it, too */
.st-key-simple [data-testid="stLayoutWrapper"]:has(> .st-key-transport) { position: static; padding: 0; margin: 0; }
.st-key-simple .st-key-transport { overflow: visible; }
.st-key-simple .st-key-knobs { grid-template-columns: repeat(2, minmax(0, 1fr)); }
@media (max-width: 640px) {                               /* long titles have a line, and Play is always in sight */
  .st-key-simple .st-key-knobs > [class*="st-key-choose-"] { grid-column: 1 / -1; }
  :has(> .st-key-begin) { position: sticky; bottom: 0; padding: .5rem 0; background: GROUND; }
}
.st-key-line { flex-wrap: nowrap; }
.st-key-line [data-testid="stMarkdownContainer"] { margin: 0; }
.st-key-line p { margin: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.st-key-line > [data-testid="stElementContainer"]:not(:has(button)) { flex: 0 1 auto; min-width: 0; }
[data-testid="stLayoutWrapper"]:has(> .st-key-transport) { position: sticky;
  top: var(--lab-header, HEADER); z-index: 90;
  padding: 0.4rem 0; margin: -0.4rem 0; background: GROUND; box-shadow: -4px 0 GROUND; }
:is(.st-key-messages, .st-key-found) [data-testid="stAlertContainer"] { padding: .375rem .75rem; }
@media (min-width: 641px) and (max-width: 1320px) { .st-key-transport { column-gap: 0.5rem; } }
@media (min-width: 901px) and (min-height: 601px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-message-short),
    .st-key-message-acts:not(:has(> :nth-child(2))) { display: none; }
  .st-key-message { flex-direction: row; align-items: center; gap: 0; }
  .st-key-message-acts { margin-left: 1rem; }
  .st-key-message > [data-testid="stLayoutWrapper"]:has(> .st-key-message-acts) { width: auto; flex: none;
    min-width: 0; }
  .st-key-message > [data-testid="stLayoutWrapper"]:has(> .st-key-message-words) { flex: 1 1 0; min-width: 0; }
}
@media (max-width: 900px), (max-height: 600px) {           /* of what there is to say a line, the rest on asking */
  [data-testid="stLayoutWrapper"]:has(> .st-key-message-words) { display: none; }
  .st-key-message-short :is(p, [data-testid="stMarkdownContainer"]) { white-space: nowrap; margin: 0; }
  .st-key-message-acts { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: thin; padding: 0.25rem 0; }
}
@media (max-width: 640px), (max-height: 600px) {
  .st-key-transport { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: thin; column-gap: 0.375rem; }
}
@media (max-width: 640px) {                                /* the curve, the samples and what changes, then the past */
  .st-key-seen .lab-live .back { order: 5; }
  .st-key-seen .lab-live .below-rows { order: 6; }
  .st-key-seen .lab-live .stage .curve .lab-plot { max-height: max(9rem, 23.5dvh); }
  .st-key-seen .lab-live .stage .beside img.drawn { max-height: 15dvh; }
  .st-key-seen .lab-live .stage .beside .even img.drawn { max-height: 11.5dvh; }
}
@media (max-width: 360px) { .st-key-transport button { padding-inline: 0.4rem; } }
</style>""".replace("HEADER", "3.75rem").replace("GROUND", GROUND)
# Hidden by rules that come and go: redrawn parts would for a moment appear twice.
_CLOSE = """
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-settings, .st-key-simple)) { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-title) { position: absolute; width: 1px; height: 1px;
  overflow: hidden; clip-path: inset(50%); }
[data-testid="stMainBlockContainer"] { padding-top: 4.25rem; }
[data-testid="stMainBlockContainer"] > div { gap: 0.5rem; }
[data-testid="stVerticalBlock"]:has(> [data-testid="stLayoutWrapper"] > .st-key-transport) { gap: 0.5rem; }
"""
_SEEN = ".st-key-seen { min-height: 100dvh; }"  # parts below do not appear and vanish
FOLDED = f"""<style>{_CLOSE}
@media (max-width: 640px), (max-height: 600px) {{ {_SEEN} }}
@media (max-height: 600px) {{
  [data-testid="stMainBlockContainer"] {{ padding-top: HEADER; }}
  [data-testid="stMainBlockContainer"] > div {{ gap: 0.25rem; }}
}}
</style>""".replace("HEADER", "3.75rem")


def fold(recipe: Recipe | None, *, run_id: str | None, name: str = "") -> None:
    """Draw the line that replaces the settings, with the button that opens them.

    recipe : of the run, or before there is one, of the form; None if the settings are not the run's own, or are
        refused
    name : that its owner gave it, or of its preset; "" for none
    """
    if recipe is None:
        return
    setup = link_terms(escape(line(recipe)))
    if fold_line(f"**{escape(name)}** · {setup}" if name else setup, "settings", run_id):
        st.html(FOLDED)


def fold_line(words: str, what: str, run_id: str | None) -> bool:
    """Draw the line itself; return True if the settings are folded.

    words : Markdown; what : the name of the folded part; run_id : of the run, or the race, of the line
    """
    folded = not is_open(run_id)
    with st.container(key="line", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(words)
        if folded:
            st.button(f"All {what}", on_click=put_open, args=(run_id,))
        else:
            st.button(f"Hide {what}", on_click=fold_up)
    return folded


def notice(short: str, words: str, way: Callable[[str], object]) -> DeltaGenerator:
    """Draw a message and return the row for its actions. On a small screen both are one line, which gives the subject
    in short, and the message on a press.

    words : Markdown; way : how they are shown if there is room, such as `st.info`
    """
    with st.container(key="message", gap="small"):
        with st.container(key="message-words"):
            way(words)
        acts = st.container(key="message-acts", horizontal=True, vertical_alignment="center")
    with acts, st.container(key="message-short", width="content", horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{short}**")
        st.popover("Why").markdown(words)
    return acts


def line(recipe: Recipe) -> str:
    """Return a summary of a recipe in one line."""
    learner = recipe.learner
    size = [recipe.model.size[0].lower() + recipe.model.size[1:]] if info_of(learner).hidden_units else []
    name = [naming.name(learner, recipe.changes), *naming.options(learner, recipe.changes)]
    return ", ".join([recipe.entry.title, *size, recipe.data.title, *name])


def is_open(run_id: str | None) -> bool:
    """True if the settings of this run are unfolded; with None, those of no run yet."""
    return SESSION.settings_open == (run_id or NONE)


def put_open(run_id: str | None) -> None:
    """Open the settings of this run, and of no other; with None, those of no run yet."""
    SESSION.settings_open = run_id or NONE


def fold_up() -> None:
    """Fold the settings of any run."""
    SESSION.settings_open = None
