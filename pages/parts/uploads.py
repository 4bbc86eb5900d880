"""Files that a visitor uploads, read once and not in each run of the script."""

from collections.abc import Callable, Hashable
from typing import Any

import streamlit as st

from boltzcore.quoting import Refusal
from pages.common import members
from pages.common.words import escape
from pages.web.limiter import allow_uploads
from pages.web.unstable import get_script_run_ctx


def uploader(label: str, **options: Any) -> Any:
    """Draw Streamlit's uploader; if a visitor has to log in first, a sentence instead, and return None."""
    if members.is_anonymous():
        st.info(escape(members.STRANGER))
        return None
    allow_uploads()
    return st.file_uploader(label, **options)


def free(file: Any) -> None:
    """Free the bytes of an uploaded file."""
    if context := get_script_run_ctx():
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def read(place: str, file: Any, reader: Callable[[], Any], how: Hashable = None) -> Any:
    """Return what `reader` makes of an uploaded file; None after its refusal, which is shown.

    place : key of the session's last result
    how : what the reading depends on in addition to the file
    """
    kept = st.session_state.get(f"read {place}")
    if kept is None or kept[0] != (file.file_id, how):
        try:
            kept = (file.file_id, how), reader(), ""
        except Refusal as refusal:
            kept = (file.file_id, how), None, str(refusal)
        st.session_state[f"read {place}"] = kept
    if kept[2]:
        st.error(escape(kept[2]))
    return kept[1]
