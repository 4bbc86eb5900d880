"""How a class has answered a question, once or twice."""

import string
from collections.abc import Mapping, Sequence

from boltzcore.figures import drawing, palette

_STYLES = (("/", 0.45), ("", 1.0))  # pattern and opacity of the time before the last, and of the last


def letter(number: int) -> str:
    """What an answer is called in a chart: A is that of the number 0."""
    return string.ascii_uppercase[number]


def histogram(rounds: Sequence[Mapping[str, int]]) -> drawing.Figure:
    """The share of each answer as bars from the left, those of the last two times that a question was asked.

    rounds : {answer: how many gave it}, of the same answers in the same order
    """
    shown = list(rounds)[-2:]
    figure = drawing.blank("Share of answers in %", "")
    letters = [letter(number) for number in range(len(shown[-1]))]
    for counts, (pattern, opacity) in zip(shown, _STYLES[-len(shown) :], strict=True):
        total = max(1, sum(counts.values()))
        shares = [100 * count / total for count in counts.values()]
        figure["data"].append(
            {
                "type": "bar",
                "orientation": "h",
                "y": letters,
                "x": shares,
                "text": [f"{count} ({share:.0f} %)" for count, share in zip(counts.values(), shares, strict=True)],
                "textposition": "outside",
                "cliponaxis": False,
                "marker": {"color": palette.hue("CD"), "opacity": opacity, "pattern": {"shape": pattern}},
                "hoverinfo": "skip",
            }
        )
    figure["layout"] |= {"hovermode": False, "barmode": "group", "bargap": 0.3, "uirevision": "answers"}
    figure["layout"]["xaxis"] |= {"range": [0, 120], "autorange": False, "tickvals": [0, 25, 50, 75, 100]}
    figure["layout"]["yaxis"] |= {"type": "category", "autorange": "reversed"}
    return figure


def in_words(rounds: Sequence[Mapping[str, int]]) -> str:
    """The same for who does not see it."""
    shown = list(rounds)[-2:]
    times = [""] if len(shown) == 1 else ["Before: ", "Now: "]
    return " ".join(
        time + ", ".join(f"{letter(k)} {count}" for k, count in enumerate(counts.values())) + "."
        for time, counts in zip(times, shown, strict=True)
    )
