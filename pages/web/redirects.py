"""Paths of more parts than a page has: Streamlit would answer with a page that finds none of its scripts and stays
white.
"""

from collections.abc import Sequence
from urllib.parse import quote

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pages.web.base_url import base_path

# First parts of what Streamlit serves. A browser also looks for `_stcore` below the path of a page, to find where the
# app lies, and has to be told that it is not there.
_OF_STREAMLIT = ("_stcore", "static", "media", "component", "app", "auth")


def redirects(start: str, routes: Sequence[Route]) -> list[Route]:
    """Routes that lead from paths below a page to that page.

    start : the path that Streamlit has for the start page besides "/"
    routes : of the app, below whose first parts nothing is redirected
    """
    base = base_path()
    own = {route.path.removeprefix(base).split("/")[1] for route in routes}
    register_url_convertor("below_a_page", _below_a_page({*_OF_STREAMLIT, *own}))
    # Below the base path alone: Streamlit serves nothing beside it.
    return [Route(f"{base}/{start}", _to_start), Route(f"{base}/{{path:below_a_page}}", _to_page)]


def _below_a_page(served: set[str]) -> Convertor[str]:
    class BelowAPage(Convertor[str]):
        regex = rf"(?!(?:{'|'.join(sorted(served))})/)(?!.*/_stcore(?:/|$))[^/]+/.+"

        def convert(self, value: str) -> str:
            return value

        def to_string(self, value: str) -> str:
            return value

    return BelowAPage()


def _to_page(request: Request) -> Response:
    """On to the first part, which is a page or says that it is none."""
    return _to(request, f"./{quote(request.path_params['path'].split('/')[0], safe='')}")


def _to_start(request: Request) -> Response:
    return _to(request, "./")


def _to(request: Request, place: str) -> Response:
    """To a place beside the first part of the path, relative to it: a proxy may have put the app below a path that is
    not known here.
    """
    ups = request.scope["raw_path"].count(b"/") - 1 - base_path().count("/")
    query = request.scope["query_string"].decode("latin-1")
    return RedirectResponse("../" * ups + place + (f"?{query}" if query else ""), headers={"Cache-Control": "no-cache"})
