"""Checks of figures that several tests share."""

import json

import plotly.graph_objects as go

from boltzcore.figures.drawing import Figure


def check_figure(figure: Figure) -> None:
    """Raise unless Plotly accepts a figure and JSON can hold it."""
    go.Figure(json.loads(json.dumps(figure, allow_nan=False)))


def line(figure: Figure, name: str) -> dict:
    """Return the trace of this name."""
    return next(trace for trace in figure["data"] if trace["name"] == name)
