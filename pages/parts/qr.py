"""QR codes of links, to show to a class."""

import html
import io
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from pages.common.downloads import download
from pages.web.session import SESSION
from pages.web.unstable import get_internal_ip

DENSEST = 15  # version: 77 squares a side, 520 characters; a phone at the back of a room reads nothing denser
MARGIN = 4  # squares of white that the standard requires around a code
_PNG = 12  # pixels of a square in a file
STYLE = """<style>
.lab-code { display: block; width: min(100%, 58vh); margin: 0 auto; }
.lab-code-text { font-size: clamp(2.2rem, 9vh, 5rem); font-weight: 700; letter-spacing: .12em; line-height: 1.1;
  text-align: center; }
</style>"""


def draw_link(address: str, what: str, *, key: str, within: str) -> None:
    """Draw a link to copy, or to show as a code.

    what : the effect of scanning it; within : key of the popover that this is in
    """
    st.code(address, language=None, wrap_lines=True)
    st.button("Show QR code", key=f"code {key}", on_click=_ask, args=(what, address, within))


def _ask(what: str, address: str, within: str) -> None:
    """Show a link as a code, and close the popover, which would cover it."""
    st.session_state[within], SESSION.code_asked = False, (what, address)


def show_asked() -> None:
    """Show the requested code once; call it before the popover of the request is drawn."""
    if (shown := SESSION.code_asked) is not None:
        SESSION.code_asked = None
        show(*shown)


def code_of(link: str) -> segno.QRCode | None:
    """Return the code of a link; None if it would be too dense to be read across a room."""
    try:
        code = segno.make_qr(link, error="l")
    except segno.DataOverflowError:
        return None
    return code if int(code.version) <= DENSEST else None


def is_local(link: str) -> bool:
    """True if a link leads each reader to the reader's own computer."""
    host = urlsplit(link).hostname or ""
    return host == "::1" or host.startswith("127.") or host.rpartition(".")[2] == "localhost"


def show(what: str, link: str, text: str = "") -> None:
    """Show the code of a link as large as there is room for, or why there is none.

    what : the effect of scanning it; text : text to type instead, in large letters
    """
    if is_local(link):
        st.dialog("Other devices", width="large")(_open_elsewhere)(link)
    else:
        st.dialog("QR code", width="large")(_show)(what, link, text)


def _show(what: str, link: str, text: str) -> None:
    if (code := code_of(link)) is None:
        st.info(
            f"This link has {len(link):,} characters, too many for a readable QR code: copy the link, or use the "
            "settings of a preset to shorten it."
        )
    else:
        st.markdown(what)
        drawn = code.svg_data_uri(border=MARGIN, light="#fff", omitsize=True)
        typed = f'<div class="lab-code-text">{html.escape(text)}</div>' if text else ""
        st.html(f'{STYLE}<img class="lab-code" src="{html.escape(drawn)}" alt="QR code of {html.escape(link)}">{typed}')
        st.code(link, language=None, wrap_lines=True)
        with st.container(horizontal=True):
            download("Save as SVG", "link.svg", lambda: _file(code, "svg"), "columns")
            download("Save as PNG", "link.png", lambda: _file(code, "png"), "columns")


def _open_elsewhere(link: str) -> None:
    """Explain how to open the app from other devices if its address means the reader's own computer."""
    at = urlsplit(link)
    st.info(
        f"Other devices cannot open this link, because it leads to {at.hostname}. Open the app by this computer's name "
        "or address in your network instead."
    )
    if is_local(f"//{st.get_option('server.address')}"):
        st.markdown("Start the app for your network with `streamlit run app.py --server.address 0.0.0.0`.")
    address = get_internal_ip()
    if address and not is_local(f"//{address}") and not is_local(f"//{st.get_option('server.address')}"):
        # Not the link, which may lead others to another page: the reader stays on the present page.
        here = urlsplit((st.context.url or link).partition("?")[0])
        netloc = f"{address}:{here.port}" if here.port else address
        place = here._replace(netloc=netloc, query=urlencode(st.query_params))
        st.link_button(f"Open this page at {place.netloc}", place.geturl())
        st.caption(
            "If this address does not open on a phone, the network isolates devices, a firewall blocks the port, or "
            "the app runs in a container."
        )


def _file(code: segno.QRCode, kind: str) -> bytes:
    out = io.BytesIO()
    code.save(out, kind=kind, scale=_PNG, border=MARGIN, light="#fff")
    return out.getvalue()
