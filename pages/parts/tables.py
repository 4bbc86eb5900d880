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
        st.caption("Somebody else uploaded this table and gave you the link to it, which they can withdraw.")
        return
    st.caption(
        "The address bar of your browser holds the secret that opens this table: with it you find the table again, "
        "so keep it to yourself."
    )
    with st.expander("Let others use this table, or delete it"):
        st.write(
            "Who opens a link to the table sees its rows, can learn from them and keeps what they learn, until you "
            "withdraw the link."
        )
        links = st.session_state.setdefault(_GIVEN, {})
        for number, each in enumerate(grants.given_by(grant), 1):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.write(f"Link {number}, made {when(each.created)}")
                st.button("Withdraw", key=f"withdraw {each.key}", on_click=_end, args=(each,))
            if each.key in links:
                st.code(links[each.key], language=None, wrap_lines=True)
        with st.container(horizontal=True):
            st.button("Make a link", on_click=_give, args=(grant,))
            st.button(
                "Delete this table",
                on_click=_end,
                args=(grant,),
                help="The table and all links to it stop working. Trainings keep what they have learnt from it, and "
                "cannot go on.",
            )


def _give(grant: Grant) -> None:
    try:
        secret = grants.give(grant.digest, grant)
    except (ValueError, OSError) as error:
        st.error(plain(explained(error, "The link could not be made")))
        return
    query = {"view": "data", "set": Own.name, "table": secret}
    st.session_state[_GIVEN][grants.key_of(secret)] = presenting.link(query)


def _end(grant: Grant) -> None:
    try:
        lab.end_grant(grant)
    except OSError as error:
        st.error(plain(explained(error, "It could not be removed")))
