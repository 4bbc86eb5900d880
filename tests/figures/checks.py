"""Checks of figures that several tests share."""

import io
import json

import numpy as np
import plotly.graph_objects as go
from PIL import Image

from boltzcore.plotting.drawing import Figure


def check_figure(figure: Figure) -> None:
    """Raise unless Plotly accepts a figure and JSON can hold it."""
    go.Figure(json.loads(json.dumps(figure, allow_nan=False)))


def line(figure: Figure, name: str) -> dict:
    """Return the trace of this name."""
    return next(trace for trace in figure["data"] if trace["name"] == name)


def pixels(png: bytes) -> np.ndarray:
    """Return (height, width, 3) red, green and blue."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))[..., :3].astype(int)
