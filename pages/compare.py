"""Compare: up to six contenders, trained at the same cost over several trials, watched as they go."""

import html
from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from boltzcore.comparison.comparison import CONTENDER, MOST_CONTENDERS, RULES, Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.data import DATASETS
from boltzcore.jobs.race import Race
from boltzcore.parameters import Parameter
from boltzcore.plotting import comparison_curves
from boltzcore.quoting import Refusal, quoted
from boltzcore.registry import info_of, learners_of
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from pages.common import address, keyboard, lab
from pages.common.own_data import source_of
from pages.common.setting import field_widget, mirror, one_of, select, show_refusals
from pages.common.words import escape, run_action, warn
from pages.figures import naming
from pages.figures.race_table import cautions
from pages.parts import cockpit, form
from pages.race import contenders, export, rules, session
from pages.race.component import watch
from pages.race.editing import PLACE, edit, put, rearrange
from pages.stream.component import prepare
from pages.web.session import SESSION

OWN, SKIP = "your own", "Skip"
SPEEDS = {"Maximum speed": 0.0, "At least 30 seconds": 30.0, "At least 2 minutes": 120.0}  # seconds that a race takes
_SPEED = "race speed"  # key
FIRST = next(iter(COMPARISON_PRESETS))
LONGEST = 2_000  # characters of a long sentence
# On a phone the contenders are a scrolled row, so that Play is in sight, and the curves have room above their legend.
STYLE = """<style>
.st-key-contenders { align-items: stretch; }
[class*="st-key-contender-"] { height: 100%; }
[class*="st-key-contender-"] > :last-child { margin-top: auto; }
@media (max-width: 640px) {
  .st-key-contenders { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: thin; }
  .st-key-seen .lab-live .stage .curve .lab-plot { max-height: 40dvh; }
}
</style>"""


def arrive() -> None:
    """Take the comparison from the address when the page opens and when the browser goes back."""
    if not address.is_arriving():
        return
    query, sentence = st.query_params.to_dict(), lab.take_table()
    race = session.current(arriving=True) if "race" in query or not query else None
    if race is not None:
        SESSION.comparison, SESSION.refused[PLACE], SESSION.refused_texts = race.comparison, [], {}
        if race.snapshot.status == "finished" and not lab.owns(race):
            SESSION.predicted = race.comparison, SKIP  # a link to a result opens it
        return
    SESSION.race = ""
    sentences = ["Race not found: the link is wrong, or the race was deleted."] if "race" in query else []
    sentences += [*filter(None, [sentence]), *address.unknown_params(query, is_known)]
    stays = not query and not address.has_gone_back()  # a switch of pages clears the address
    name = query.pop("preset", FIRST)
    comparison = SESSION.comparison if stays else COMPARISON_PRESETS.get(name, COMPARISON_PRESETS[FIRST]).comparison
    if name not in COMPARISON_PRESETS:
        sentences.append(f"preset must be one of {', '.join(COMPARISON_PRESETS)}, not {quoted(name)}.")
    if any(key.startswith(CONTENDER) for key in query):
        try:
            asked = Comparison.from_query(query)
            for recipe in asked.recipes:
                lab.check(recipe)
                form.check_fit(recipe)
            comparison = asked
            sentences += form.from_link({key: text for key, text in query.items() if form.is_setting(key)})[1]
        except Refusal as refusal:
            sentences.append(str(refusal))
    elif any(key in RULES or form.is_setting(key) for key in query):
        sentences.append("The link has no contenders, so its settings are ignored.")
    put(comparison, *sentences)


def is_known(key: str) -> bool:
    """True if the page knows a URL parameter."""
    return key in ("race", "key", "table", *RULES) or key.startswith(CONTENDER) or form.is_setting(key)


def preset_of(comparison: Comparison) -> str:
    """Return the preset that a comparison is."""
    return next((name for name, each in COMPARISON_PRESETS.items() if each.comparison == comparison), OWN)


def question(comparison: Comparison) -> str:
    """Return the question of the comparison; for a comparison of one's own, the contenders."""
    known = COMPARISON_PRESETS.get(preset_of(comparison))
    return known.question if known else f"Custom: {', '.join(comparison.names)}"


def choose_data(comparison: Comparison, *, locked: bool) -> None:
    """Draw the choice of the data for all contenders: data on this machine, or the comparison's own."""
    now = comparison.base.data
    there = {name: kind.title for name, kind in DATASETS.items() if name == now.name or rules.is_here(source_of(name))}

    def pick(chosen: str) -> None:
        edit(lambda old: contenders.with_data(old, source_of(chosen)))

    help = "The data for all contenders. Model size, training length and batch size are set to suit them."
    select("data of the race", "Data", there, there, now.name, help=help, on_pick=pick, disabled=locked)


def choose_preset(comparison: Comparison) -> None:
    """Draw the choice of a preset by its question."""
    name = preset_of(comparison)
    titles = {key: each.question for key, each in COMPARISON_PRESETS.items()} | {OWN: question(comparison)}
    there = [*COMPARISON_PRESETS, *([OWN] if name == OWN else [])]

    def pick(chosen: str) -> None:
        if chosen in COMPARISON_PRESETS:
            put(COMPARISON_PRESETS[chosen].comparison)

    about = "A ready-made comparison with all its settings."
    select("choose comparison", "Question", there, titles, name, help=about, on_pick=pick)
    if name in COMPARISON_PRESETS:
        st.caption(COMPARISON_PRESETS[name].about)


def cards(comparison: Comparison, race: Race | None, *, locked: bool) -> None:
    """Draw a card for each contender, in its colour, with its differences and its tuned values."""
    result = race.snapshot.result if race is not None else None
    tuned = result.tuning.taken if result and result.tuning else {}
    trained = result is not None and result.share > 0
    shades = comparison_curves.colours(comparison)
    recipes, orders = dict(comparison.contenders), SESSION.card_orders
    with st.container(key="contenders", horizontal=True, gap="small"):
        for place, (name, recipe) in enumerate(recipes.items()):
            with st.container(key=f"contender {place}", border=True, width=172):
                mark = f"border-left: 4px solid {shades[name]}; padding-left: .5rem; font-weight: 600"
                st.html(f'<span style="{mark}">{html.escape(name)}</span>')
                st.caption(show_changes(name, recipe))
                if name in tuned:
                    st.caption(escape(f"Tuned to {tuned[name]}"))
                if name == comparison.reference:
                    st.caption("The other contenders are compared with this one.")
                with st.popover("Change", key=f"change {place} {orders}", disabled=locked, width="stretch"):
                    change(comparison, place, trained=trained)
        if len(recipes) < MOST_CONTENDERS:
            st.button(
                "Add a contender",
                on_click=rearrange,
                args=(contenders.add,),
                disabled=locked,
                help="Adds a copy of the last contender.",
            )


def show_changes(name: str, recipe: Recipe) -> str:
    """Return a contender in one line: its learner, unless its name says so, with main field and options, its model's
    size and earlier stages.
    """
    parts = [naming.name(recipe.learner), *naming.options(recipe.learner)]
    if info_of(recipe.learner).hidden_units:
        parts.append(recipe.model.size[0].lower() + recipe.model.size[1:])
    if recipe.before is not None:
        parts.append(naming.stages(recipe))
    return escape(", ".join(filter(None, parts)).removeprefix(f"{name}, "))


def change(comparison: Comparison, place: int, *, trained: bool) -> None:
    """Draw the fields of a contender and the buttons that copy and remove it. Keys of fields and callbacks take its
    place, not its name: the name may follow from the fields, also from one that was typed just before a click.

    trained : whether results are known: a reference chosen by its result would invalidate the claims about it
    """
    name, recipe = comparison.contenders[place]
    titles = {key: kind.title for key, kind in learners_of(recipe.model.name).items()}
    kind = type(recipe.learner).__name__

    def pick(chosen: str) -> None:
        edit(lambda now: contenders.with_learner(now, now.names[place], chosen))

    select(f"learner of {place}", "Learner", titles, titles, kind, help="The learning algorithm.", on_pick=pick)
    parts = {"learner": recipe.learner, "model": recipe.model}
    fields = [(owner, declared) for owner, part in parts.items() for declared in part.parameters()]
    for owner, declared in sorted(fields, key=lambda each: each[1].minor):
        key, value = f"{owner} {declared.name} of {place}", parts[owner].values()[declared.name]
        text, problem = SESSION.refused_texts.get(key, (declared.write(value), None))
        on_edit = partial(_edit_field, key, place, owner, declared)
        field_widget(key, declared, text, problem, on_edit=on_edit)
    shown, problem = SESSION.refused_texts.get(key := f"name of {place}", (name, None))
    st.text_input("Name", shown, key=f"{key} {shown}", on_change=_rename, args=(key, place, shown), max_chars=60)
    show_refusals(key, problem)
    query = recipe.to_query()
    st.link_button("Open in Train", f"train?{urlencode(query | lab.table_parameter(query))}", width="stretch")
    chosen = name == comparison.reference
    st.button(
        "Compare all pairs" if chosen else "Use as reference",
        key=f"reference {place}",
        on_click=edit,
        args=(lambda now: now.changed(reference="" if chosen else now.names[place]),),
        disabled=trained and not chosen,
        width="stretch",
        help="Comparing with one reference detects smaller differences than comparing all pairs, but names no winner. "
        "Choose the reference before the race; if you choose it afterwards, next to Play, the statistics correct for "
        "this.",
    )
    st.button("Copy", key=f"copy {place}", on_click=rearrange, args=(_at(place, contenders.add),), width="stretch")
    st.button(
        "Remove",
        key=f"remove {place}",
        on_click=rearrange,
        args=(_at(place, contenders.remove),),
        disabled=len(comparison.names) < 3,
        width="stretch",
    )


def _at(place: int, act: Callable[[Comparison, str], Comparison]) -> Callable[[Comparison], Comparison]:
    return lambda now: act(now, now.names[place])


def _edit_field(key: str, place: int, owner: str, declared: Parameter, text: str) -> None:
    edit(lambda now: contenders.with_field(now, now.names[place], owner, declared.name, text), key, text, [declared])


def _rename(key: str, place: int, shown: str) -> None:
    new = st.session_state[f"{key} {shown}"]
    edit(lambda now: contenders.rename(now, now.names[place], new), key, new)


@st.fragment
def racing_part(drawn: tuple[object, ...]) -> None:
    """Draw the prediction, the transport, the frames, and the results."""
    comparison, race = SESSION.comparison, session.current()
    mine = race is None or lab.owns(race)
    snapshot = race.snapshot if race else None
    moving = snapshot is not None and snapshot.status in MOVING
    if drawn != (comparison, race and race.id, moving or not mine, SESSION.refused[PLACE], SESSION.refused_texts):
        st.rerun()  # the part above must change
    predicted = predict(comparison)
    with st.container(key="transport", horizontal=True, gap="small"):
        over = snapshot is not None and snapshot.status == "finished"
        if moving and mine:
            st.button("Pause", type="primary", on_click=_command, args=(Race.pause,))
        else:
            can = not (mine and over) and not SESSION.refused_texts
            st.button("Play" if mine else "Start my own copy", type="primary", on_click=_play, disabled=not can)
        about = "Completed trials are kept."
        st.button("Cancel", on_click=_command, args=(Race.cancel,), disabled=not (moving and mine), help=about)
        against = None
        if race is not None and over and predicted and not comparison.reference:
            against = choose_reference(race)
        else:
            speed(race, mine=mine)
        export.draw_menu(comparison, race, preset_of(comparison))
    with st.container(key="found"):
        for _, sentence in SESSION.refused_texts.values():
            st.caption(escape(f"Before you can press Play: {sentence}"))
        if race is None or snapshot is None:
            cost = rules.tuning_cost(comparison) or "All contenders train at the same cost."
            st.caption(escape(f"Predict the winner, then press Play. {cost}", most=LONGEST))
            if sentence := rules.absent(comparison.base.data):
                st.caption(escape(sentence))
        elif snapshot.reason:
            st.warning(escape(snapshot.reason))
        elif not predicted:
            st.caption("The curves appear once you have predicted the winner.")
        elif over and mine and snapshot.result is not None:  # watchers see it in the frame
            result = snapshot.result
            short = escape(result.headline) if result.winner else "Result"
            cockpit.notice(short, escape(result.sentence(against), most=LONGEST), st.success)
    with st.container(key="seen"):
        if race is None or snapshot is None:
            prepare()
        else:
            watch(race, snapshot, mine=mine, hidden=not predicted, against=against)
    if over and predicted and mine and snapshot is not None and snapshot.result is not None:
        for sentence in cautions(snapshot.result):
            st.caption(escape(sentence))
    if over and predicted and (preset := preset_of(comparison)) in COMPARISON_PRESETS:
        st.caption(f"*Recorded result of the same trials.* {escape(COMPARISON_PRESETS[preset].answer)}")


def predict(comparison: Comparison) -> str:
    """Draw the prediction of the winner and return it; "" until there is one, so that the curves stay hidden."""
    of, option = SESSION.predicted
    if of == comparison:
        if option != SKIP:
            st.caption(f"Your prediction: {escape(option)}.")
        return option
    options = [*comparison.names, SKIP]
    st.pills("Who will win?", options, format_func=escape, key="prediction", on_change=_predict, args=(comparison,))
    return ""


def _predict(comparison: Comparison) -> None:
    if chosen := st.session_state["prediction"]:
        SESSION.predicted = comparison, chosen


def choose_reference(race: Race) -> str:
    """Draw the choice of the contender that the others are compared with, once their figures are known; return it."""
    names = race.comparison.names
    chosen = st.selectbox(
        "Compared with",
        names,
        key=f"compared with {race.id}",
        format_func="Compared with {}".format,
        label_visibility="collapsed",
        width=250,
        help="You may choose the highest-ranked contender: the statistics correct for this.",
    )
    return one_of(chosen, names, names[0])


def speed(race: Race | None, *, mine: bool) -> None:
    """Draw the choice of a race's speed, for a class that follows it: of a race, the present one."""
    if race is not None:  # which another page may have chosen
        st.session_state[_SPEED] = next(title for title, least in SPEEDS.items() if least == race.at_least)
    st.selectbox(
        "Speed",
        SPEEDS,
        key=_SPEED,
        on_change=_use_speed,
        args=(race,),
        persist_state="session",
        label_visibility="collapsed",
        width=190,
        disabled=not mine,
        help="The results are the same at any speed.",
    )


def _use_speed(race: Race | None) -> None:
    if race is not None and lab.owns(race):
        race.at_least = SPEEDS.get(st.session_state.get(_SPEED, ""), 0.0)


def _play() -> None:
    if SESSION.refused_texts:  # typed just before the click
        return
    if (race := session.current()) is not None and lab.owns(race):
        run_action(PLACE, session.play, race)
    else:
        run_action(PLACE, lambda: _use_speed(session.begin(SESSION.comparison)))


def _command(act: Callable[[Race], None]) -> None:
    if (race := session.current()) is not None and lab.owns(race):
        act(race)


def fold(comparison: Comparison, race: Race | None) -> None:
    """Draw the line that replaces the settings of a race, with the button that opens them."""
    if race is None:
        return
    title, trials = escape(question(comparison)), comparison.trials
    words = f"**{title}** · {escape(comparison.base.data.title)}, {trials} trial{'s' * (trials > 1)} of each"
    if cockpit.fold_line(words, "contenders", race.id):
        st.html(cockpit.FOLDED)


arrive()
if not all(map(lab.may_use, SESSION.comparison.recipes)):  # the grant has ended since
    put(COMPARISON_PRESETS[FIRST].comparison, lab.NOT_OPEN)
comparison = SESSION.comparison
race = session.current()
locked = race is not None and (not lab.owns(race) or race.snapshot.status in MOVING)
with st.container():
    warn(SESSION.refused[PLACE])
st.html(cockpit.STYLE + STYLE)
keyboard.serve("Skip to Play and Pause", ["transport"], keeps=["transport", "line"])
with st.container():
    fold(comparison, race)
with st.container(key="title"):
    st.title("Compare", anchor=False)
with st.container(key="settings"):
    what, data = st.columns([3, 1])
    with what:
        choose_preset(comparison)
    with data:
        choose_data(comparison, locked=locked)
    cards(comparison, race, locked=locked)
    rules.choose(comparison, locked=locked)
racing_part((comparison, race and race.id, locked, SESSION.refused[PLACE], SESSION.refused_texts))
texts = comparison.to_query()
mirror(texts | lab.table_parameter(texts) | session.parameters())
