"""Who may open an uploaded table: links that its uploader gives to others and takes back, and its deletion."""

import streamlit as st

from boltzcore.data import Own, grants
from boltzcore.data.grants import Grant
from boltzcore.quoting import explained
from pages.common import lab, presenting
from pages.common.times import when
from pages.common.words import plain

_GIVEN = "links to tables that were given away"  # {key of a grant: its link}, known to the session that made it


def access(grant: Grant) -> None:
    """What the holder of a grant can do about who opens the table."""
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
        for number, each in enumerate(grants.given_by(grant), 1):
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
    except (ValueError, OSError) as error:
        st.error(plain(explained(error, "The link could not be created")))
        return
    query = {"view": "data", "set": Own.name, "table": secret}
    st.session_state[_GIVEN][grants.key_of(secret)] = presenting.link(query)


def _end(grant: Grant) -> None:
    try:
        lab.end_grant(grant)
    except OSError as error:
        st.error(plain(explained(error, "The table could not be deleted")))
