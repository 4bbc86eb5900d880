"""Paths of more parts than a page has: Streamlit would answer with a page that finds none of its scripts and stays
white.
"""

from urllib.parse import quote

import streamlit as st
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pages.parts import address

# First parts of what Streamlit and the app serve. A browser also looks for `_stcore` below the path of a page, to find
# where the app lies, and has to be told that it is not there.
_SERVED = ("_stcore", "static", "media", "component", "app", "auth", "vendor", "live", "film", "ready", "steps", "why")


class _Deeper(Convertor[str]):
    regex = rf"(?!(?:{'|'.join(_SERVED)})/)(?!.*/_stcore(?:/|$))[^/]+/.+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("deeper", _Deeper())


def _to_first(request: Request) -> Response:
    """On to the first part, which is a page or says that it is none."""
    return _lead(request, f"./{quote(request.path_params['path'].split('/')[0], safe='')}")


def _to_start(request: Request) -> Response:
    return _lead(request, "./")


def _lead(request: Request, place: str) -> Response:
    """On to a place beside the first part of the path. The way is told from here: a proxy may have put the app below a
    path that is not known here.
    """
    ups = request.scope["raw_path"].count(b"/") - 1 - _BASE.count("/")
    query = request.scope["query_string"].decode("latin-1")
    return RedirectResponse("../" * ups + place + (f"?{query}" if query else ""), headers={"Cache-Control": "no-cache"})


# Below the base path alone: Streamlit serves nothing beside it.
_BASE = f"/{base}" if (base := st.get_option("server.baseUrlPath").strip("/")) else ""
ROUTES = [Route(f"{_BASE}/{address.START}", _to_start), Route(f"{_BASE}/{{path:deeper}}", _to_first)]
