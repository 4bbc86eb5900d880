"""Uploaded tables: how a file is read, the choices that columns need, and the access to them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from boltzcore.data import Own, Reading, grants, look_at, upload
from boltzcore.data.grants import Grant
from boltzcore.data.reading import AUTOMATIC
from boltzcore.data.table import DROP, EXPECT, MODE, REFUSE, Table, names_of, text_of
from boltzcore.quoting import Refusal, cut, explain
from pages.common import lab, presenting
from pages.common.setting import Setting, keyed_fields
from pages.common.times import when
from pages.common.words import escape, use_labels
from pages.common.working import compute
from pages.parts import uploads
from pages.parts.form import choose_part
from pages.web.session import SESSION

BINS = 4  # into which a press cuts numbers
LONG = 1_200  # characters of the sentence on how a file was read
_MOST_COLUMNS, _MOST_CHARACTERS = 40, 60  # of the preview
_GIVEN = "links to tables that were given away"  # {key of a grant: its link}, kept by the session that made it


# -- how a file is read ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """First look at a file.

    rows : its first rows as texts
    sentence : on how it was read, or why it cannot be
    field : the required choice of the reading; "" if there is none
    """

    rows: list[list[str]]
    sentence: str
    table: Table | None = None
    field: str = ""

    @classmethod
    def at(cls, file: Any, reading: Reading) -> "Look":
        rows, found = look_at(file, reading)
        rows = [[cut(cell, _MOST_CHARACTERS) for cell in row[:_MOST_COLUMNS]] for row in rows]
        if isinstance(found, Refusal):
            return cls(rows, use_labels(found, Reading.parameters()), field=found.field)
        return cls(rows, sentence_on(found.reading), found)


def sentence_on(reading: Reading) -> str:
    """Return how a file was read, with the labels of the page."""
    return use_labels(reading.sentence, Reading.parameters())


def read_file(file: Any) -> None:
    """Show how a file is read, with the choices of its reading, until its table is used."""
    name = f"reading {file.file_id}"
    setting = Setting(name, lambda _: keyed_fields({"": Reading}), prefix=f"{name}.")
    texts = {key: text.strip() or AUTOMATIC for key, text in setting.texts().items()}
    look = Look([], "")
    if not (problems := setting.problems(texts)):
        reading = Reading(**texts)
        this = f"{name} {reading.texts()}"
        for other in [each for each in SESSION.results if each.startswith("reading ") and each != this]:
            del SESSION.results[other]  # which hold tables
        if (found := compute(this, "Reading the file", lambda _: Look.at(file, reading))) is None:
            return
        look = found
        if look.table and (SESSION.used_file == file.file_id or look.table.reading.format == "array"):
            _use(file, look.table)
            return
    if look.table:
        st.write(escape(look.sentence, most=LONG))
    elif look.sentence:
        st.error(escape(look.sentence))
    if look.rows or problems:
        with st.expander("Change how it is read", expanded=bool(look.field or problems)):
            names = sorted(setting.declared({}), key=lambda each: each != look.field)
            for column, each in zip(st.columns(len(names)), names, strict=True):
                with column:
                    setting.field(each, problems)
    if look.table:
        st.button("Use this table", type="primary", on_click=_choose_file, args=(file.file_id,))
    if look.rows:
        _show_rows(look)


def _show_rows(look: Look) -> None:
    """Show the first rows of a file, below their names if there are some."""
    n = max(map(len, look.rows))
    has_names = look.table is not None and look.table.reading.header == "yes"
    names = look.rows[0] if has_names else [str(i + 1) for i in range(n)]
    names = [""] * (n - len(names)) + names  # rows may have a name each, in a column without one
    keys = [f"column {i}" for i in range(n)]  # names may be equal
    rows = pd.DataFrame([[*row, *[""] * (n - len(row))] for row in look.rows[has_names:]], columns=keys, dtype=str)
    st.dataframe(rows, hide_index=True, column_config=dict(zip(keys, [name or " " for name in names], strict=True)))
    if n == _MOST_COLUMNS:
        st.caption(f"The first {n} columns.")


def _choose_file(file_id: str) -> None:
    SESSION.used_file = file_id


def _use(file: Any, table: Table) -> None:
    """Keep the table of a file for this session, which frees the file."""
    if (own := compute(f"table {file.file_id}", "Storing the table", lambda _: upload(table))) is None:
        return
    try:
        lab.keep_table(own)
    except Refusal as refusal:
        st.error(escape(refusal))
        return
    SESSION.results.clear()  # which holds the table
    SESSION.work = ("", None)  # which holds the file
    uploads.free(file)
    st.rerun()


# -- the choices that columns need ----------------------------------------------------------------------


def offer_choices(table: Own, edit: Callable[[str, str], None], take_all: tuple[str, str] | None = None) -> None:
    """Show buttons for the choices that columns need, and the columns with more than two values.

    edit : sets a field of the table; take_all : the model that takes columns of more than two values, and its name
    """
    numbers, texts, more = table.unbinned(), table.identifiers(), table.needs_choice()
    gaps = table.gaps() if table.missing == REFUSE else None
    if more and not (numbers or texts or gaps):  # a refusal names these columns
        sentence = use_labels(table.two_values(), Own.parameters())
        st.info(escape(f"{sentence} Log-linear and Potts models take all of them."))

    def offer(label: str, field: str, value: str, help: str = "") -> None:
        kind = "primary" if proposal == {field: value} else "secondary"
        st.button(label, type=kind, help=help or None, on_click=edit, args=(field, value))

    def without(names: tuple[str, ...]) -> str:
        return text_of((*names_of(table.leave_out), *names))

    def take_proposal() -> None:
        for field, value in proposal.items():
            edit(field, value)

    # A zero would go before the number.
    binned = [each for each in names_of(table.bins) if each.rpartition("=")[2].strip(" 0")]
    bins = text_of((str(BINS), *binned))
    proposal = {"leave_out": without(texts)} if texts else {}
    proposal |= {"bins": bins} if {*numbers} - {*texts} else {}
    with suppress(Refusal):  # the list of names is too long
        left = table.changed(**proposal).gaps() if table.missing == REFUSE else None
        proposal |= {"missing": EXPECT} if left and left.rows < left.of else {}
    if len(proposal) > 1:
        choices = "; ".join(f"{Own.named(field).label}: {value}" for field, value in proposal.items())
        st.caption(escape(f"Proposal: {choices}. You can change it afterwards.", most=LONG))
        st.button("Accept the proposal", type="primary", on_click=take_proposal)
    with st.container(horizontal=True):
        if numbers:
            offer(f"Cut numbers into {BINS} bins", "bins", bins)
        if texts:
            label = f"Exclude {escape(cut(texts[0])) if len(texts) == 1 else 'identifiers and texts'}"
            offer(label, "leave_out", without(texts))
        if gaps and gaps.rows < gaps.of:
            about = "A log-linear model learns from their known values, too; other models leave these rows out."
            offer("Keep incomplete rows", "missing", EXPECT, about)
            offer(f"Drop {gaps.rows:,} row{'s' * (gaps.rows > 1)}", "missing", DROP)
        if gaps:
            about = "Puts the most frequent value of its column into each gap."
            offer("Use most frequent", "missing", MODE, about)
        if more and take_all:
            st.button(f"Use the {take_all[0]}", on_click=choose_part, args=("model", take_all[1]))
        if set(more) > {*texts}:
            offer("Exclude non-binary columns", "leave_out", without(more))


# -- access ---------------------------------------------------------------------------------------------


def access(grant: Grant) -> None:
    """Draw the controls with which the holder of a grant shares or deletes the table."""
    if grant.parent:
        st.caption("Someone else uploaded this table and shared it with you by a link, which they can withdraw.")
        return
    st.caption(
        "The address in your browser contains the key to this table. Keep the address to return to the table, and do "
        "not share it."
    )
    with st.expander("Share or delete this table"):
        st.write(
            "Until you withdraw a link, anyone who opens it can see the rows and train on them. They keep the trained "
            "models."
        )
        links = st.session_state.setdefault(_GIVEN, {})
        for number, each in enumerate(grants.children(grant), 1):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.write(f"Link {number}, made {when(each.created)}")
                st.button("Withdraw", key=f"withdraw {each.key}", on_click=_end, args=(each,))
            if each.key in links:
                st.code(links[each.key], language=None, wrap_lines=True)
        with st.container(horizontal=True):
            st.button("Create a link", on_click=_give, args=(grant,))
            st.button(
                "Delete this table",
                on_click=_end,
                args=(grant,),
                help="The table and all links to it stop working. Runs on it are kept, but cannot continue.",
            )


def _give(grant: Grant) -> None:
    try:
        secret = grants.give(grant.digest, grant)
    except (Refusal, OSError) as error:
        st.error(escape(explain(error, "The link could not be created")))
        return
    query = {"view": "data", "set": Own.name, "table": secret}
    st.session_state[_GIVEN][grants.hash_of(secret)] = presenting.link(query)


def _end(grant: Grant) -> None:
    try:
        lab.end_grant(grant)
    except OSError as error:
        st.error(escape(explain(error, "The table could not be deleted")))
