"""Reference: every model, learner, setting, measure and term, out of its declaration; searched, and led to by links."""

from pathlib import Path

import streamlit as st

from boltzcore.quoting import cut, quoted
from pages.common import address, entries, keyboard
from pages.common.words import warn
from pages.handbook import html
from pages.handbook.contents import addresses
from pages.handbook.scripts import LONGEST, find

STYLE = Path(html.__file__).with_name("reference.css").read_text(encoding="utf-8")


def asked() -> tuple[str, str, list[str]]:
    """What the address asks for: a search, an entry, and a sentence on each thing that cannot be taken."""
    query, refused = st.query_params.to_dict(), []
    search, entry = query.get("q", ""), query.get("entry", "").lower()
    if len(search) > LONGEST:
        refused.append(f"q must have at most {LONGEST} characters, not {len(search):,}: the first {LONGEST} are taken.")
        search = search[:LONGEST]
    if entry and entry not in addresses():
        refused.append(f"The reference has no entry {quoted(cut(entry))}: the link is wrong, or cut off.")
        entry = ""
    return search, entry, [*refused, *address.strange(query, ("q", "entry").__contains__)]


search, entry, refused = asked()
st.html(f"<style>{STYLE}</style>")
keyboard.serve("Skip to the search", ["find"])
st.title("Reference", anchor=False)
warn(refused)
with st.container(key="find"):
    find(key="find in the reference", data={"q": search, "entry": entry, "page": entries.PAGE})
st.html(html.document())
