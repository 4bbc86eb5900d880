"""Pictures of results, as Plotly figures and in notebooks, and progress bars."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

Move = Callable[..., None]
REDRAWN = 0.25  # smallest number of seconds between two pictures in a notebook
FORM = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"


class Displayed:
    """Base class of results with a picture, drawn by `boltzcore.plotting`."""

    def plot(self, **options: Any) -> Any:
        """Return a Plotly figure; see `boltzcore.plotting.plot` for its content and options. Raises ImportError if
        Plotly is not installed.
        """
        return import_module("boltzcore.plotting").plot(self, **options)

    def _repr_html_(self) -> str:
        return str(import_module("boltzcore.plotting.results").as_html(self))


@contextmanager
def progress_bar(shown: bool, title: str) -> Iterator[Move]:
    """Yield a function of the finished share, which moves a tqdm bar, and of a result so far, which a notebook shows
    and updates; a no-op unless `shown`.

    Raises
    ------
    ImportError
        If tqdm is not installed.
    """
    if not shown:
        yield lambda _share, _result=None: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("A progress bar needs tqdm: pip install 'boltzcore[progress]'.") from None
    handles: list[Any] = []
    shown_at = -math.inf
    with tqdm(total=1.0, desc=title, bar_format=FORM) as bar:

        def move(share: float, result: Any = None) -> None:
            nonlocal shown_at
            bar.update(max(0.0, share - bar.n))
            soon = share < 1 and time.monotonic() < shown_at + REDRAWN
            if result is None or soon or "ipykernel" not in sys.modules:
                return
            shown_at = time.monotonic()
            if handles:
                handles[0].update(result)
            else:
                handles.append(sys.modules["IPython"].display.display(result, display_id=True))

        yield move
        move(1.0)
