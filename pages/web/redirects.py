"""The path that Streamlit has for the start page besides "/", and does not serve, leads on to "/"."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pages.web.base_url import base_path


def to_start(path: str) -> Route:
    """The route of that path, below the base path alone: Streamlit serves nothing beside it."""
    return Route(f"{base_path()}/{path}", _to_start)


def _to_start(request: Request) -> Response:
    """Relative, as a proxy may have put the app below a path that is not known here."""
    query = request.scope["query_string"].decode("latin-1")
    return RedirectResponse(f"./{'?' * bool(query)}{query}", headers={"Cache-Control": "no-cache"})
