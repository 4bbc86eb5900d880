"""Answers that take work: in the turn of who asks, and dropped once nobody waits for them."""

import asyncio
from collections.abc import Callable

from starlette.requests import Request

from pages.live.maker import Maker
from pages.live.visitors import visitor_of

LOOK = 0.5  # seconds between two looks whether somebody still waits


class Left(Exception):
    """Who asked does not wait any more."""


async def worked_out(request: Request, maker: Maker, work: Callable[[], bytes], *, urgent: bool = True) -> bytes:
    """What `work` returns. Raises `Full` of the maker, and `Left` where who asked has left."""
    making = maker.do(work, urgent=urgent, by=visitor_of(request))
    try:
        while not (await asyncio.wait({making}, timeout=LOOK))[0]:
            if await request.is_disconnected():
                raise Left
        return making.result()
    finally:
        making.cancel()  # who has left waits for nothing
