"""Reference: every model, learner, setting, measure and term, by sections, with a search and links to entries."""

from collections.abc import Sequence

import streamlit as st

from boltzcore.quoting import cut, quoted
from pages.common import address, keyboard
from pages.common.words import escape, warn
from pages.handbook.entry import Entry, search_entries
from pages.handbook.sections import sections

LONGEST = 80  # characters of a search
MOST = 20  # entries that a search shows


def show(entries: Sequence[Entry], *, open: bool) -> None:
    """Draw entries under their titles."""
    for each in entries:
        with st.expander(escape(each.title), expanded=open):
            st.markdown(each.body)


def show_all_of(name: str) -> None:
    """Go from the entry that the address names to its section."""
    address.choose("section", name)
    address.keep({"entry": ""})


there = sections()
asked = st.query_params.get("entry", "").lower()
entry, of = next(((e, name) for name, section in there.items() for e in section.entries if e.id == asked), (None, ""))
keyboard.serve("Skip to the search", ["find"])
st.title("Reference", anchor=False)
warn(address.unknown_params(st.query_params, ("q", "entry", "section").__contains__))
address.arrive_text("q", LONGEST)
with st.container(key="find"):
    search = st.text_input("Search the reference", key="q", type="search", max_chars=LONGEST).strip()
if asked and entry is None:
    st.warning(escape(f"The reference has no entry {quoted(cut(asked))}: the link is wrong or incomplete."))
if search:
    matches = search_entries(there.values(), search)
    shown = f" The first {MOST} are shown." if len(matches) > MOST else ""
    st.caption(f"Entries found: {len(matches):,}.{shown}" if matches else "No entries. Try fewer or shorter words.")
    show(matches[:MOST], open=len(matches) <= 3)
elif entry is not None:
    st.header(escape(entry.title), anchor=False)
    st.markdown(entry.body)
    st.button(f"All of {there[of].title}", on_click=show_all_of, args=(of,))
else:
    titles = {name: section.title for name, section in there.items()}
    pick = address.choice(st.segmented_control, "Section", titles, "section", otherwise="manual", required=True)
    section = there[pick]
    st.caption(section.about)
    if section.short:
        st.markdown("\n\n".join(f"#### {escape(each.title)}\n\n{each.body}" for each in section.entries))
    else:
        show(section.entries, open=False)
    address.keep({"section": "" if pick == "manual" else pick})
address.keep({"q": search} | ({"entry": ""} if search or entry is None else {}))
