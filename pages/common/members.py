"""Optional login: with one, uploads, trainings, races and studies are only for visitors that have logged in. A section
[auth] in the secrets of Streamlit turns it on; `st.login` reads it.
"""

from collections.abc import Mapping

import streamlit as st

from boltzcore.quoting import Refusal

STRANGER = "Log in to train, compare and upload files; everything else is open to all."


def is_anonymous() -> bool:
    """True if the app requires a login and this visitor has not logged in."""
    return st.user.to_dict().get("is_logged_in") is False  # the key is missing if the app requires no login


def check() -> None:
    """Raise Refusal if the visitor has to log in first."""
    if is_anonymous():
        raise Refusal(STRANGER)


def login_bar() -> None:
    """Draw the buttons to log in or out; nothing if the app requires no login."""
    if "is_logged_in" not in st.user.to_dict():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="door"):
        if not is_anonymous():
            st.button("Log out", key="log out", on_click=st.logout)
            return
        st.caption(STRANGER)
        auth = st.secrets["auth"] if st.secrets.load_if_toml_exists() and "auth" in st.secrets else {}
        for provider in [name for name, section in auth.items() if isinstance(section, Mapping)] or [""]:
            label = f"Log in with {provider.capitalize()}" if provider else "Log in"
            st.button(label, key=f"log in {provider}", on_click=st.login, args=(provider,) if provider else ())
