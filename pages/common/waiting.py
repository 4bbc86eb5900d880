"""Waiting for the kernels: shown without a run of the script, which runs once the wait is over."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from boltzcore.warmup import TITLES
from pages.common import lab
from pages.web.answers import NO_STORE
from pages.web.base_url import number, routes_at
from pages.web.scripts import component

_waiting = component("lab_waiting", "common/waiting.js", "lab-waiting")


def wait_for(piece: str | None) -> bool:
    """Show the wait for a piece of the kernels and return True; return False if it is ready. When it is, the script
    runs again.

    piece : one of `warmup.TITLES`; None if no kernel is needed
    """
    if piece is None or not (sentence := lab.describe_wait(piece)):
        return False
    data = {"piece": TITLES.index(piece) + 1, "sentence": sentence}
    _waiting(key=f"waiting {piece}", data=data, on_ready_change=lambda: None)
    return True


def _serve(request: Request) -> Response:
    piece = number(request.path_params["piece"])
    if not 1 <= piece <= len(TITLES):
        return Response(status_code=404)
    return JSONResponse({"sentence": lab.describe_wait(TITLES[piece - 1])}, headers=NO_STORE)


ROUTES = routes_at("/ready/{piece}", _serve, "numbers")
