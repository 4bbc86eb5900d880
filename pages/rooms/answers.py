"""Answers of a class to a question, asked once or twice, as HTML: bars below the texts of the answers."""

import html
from collections.abc import Mapping, Sequence

from boltzcore.plotting import palette
from boltzcore.quoting import number

MANY = 4  # answers beyond which bars are thinner, so that all are in sight
STYLE = f"""
.lab-answers {{ --hue: {palette.hue("CD")}; }}
.lab-answers .legend {{ display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 .75rem; font-size: 1.05rem; }}
.lab-answers .legend b {{ display: inline-block; width: 1.5rem; height: 1rem; margin-right: .5rem;
  vertical-align: -.1rem; }}
.lab-answers ol {{ list-style: upper-alpha; margin: 0; padding-left: 1.75rem; font-size: 1.2rem; line-height: 1.3; }}
.lab-answers li {{ margin: 0 0 .7rem; overflow-wrap: anywhere; }}
.lab-answers .right {{ font-weight: 700; }}
.lab-answers .bar {{ display: flex; align-items: center; gap: .5rem; height: 1.9rem; margin-top: .2rem;
  font-size: 1.1rem; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.lab-answers .bar b {{ height: 100%; min-width: 2px; }}
.lab-answers .many .bar {{ height: 1.1rem; margin-top: .1rem; }}
.lab-answers .many li {{ margin: 0 0 .35rem; }}
.lab-answers b.now {{ background: var(--hue); }}
.lab-answers b.before {{ border: 1px solid var(--hue); box-sizing: border-box;
  background: repeating-linear-gradient(135deg, var(--hue) 0 2px, #0000 2px 8px); }}
"""
_WIDEST = 70  # % of the line that a bar takes at most: its number follows it


def drawn(rounds: Sequence[Mapping[str, int]], right: int | None = None) -> str:
    """Return the share of each answer, for the last two times that a question was asked.

    rounds : {answer: votes}, of the same answers in the same order
    right : the number of the right answer
    """
    shown = list(zip(("before", "now"), rounds[-2:], strict=True)) if len(rounds) > 1 else [("now", rounds[-1])]
    lines = "".join(_line(place, option, shown, right) for place, option in enumerate(rounds[-1]))
    style = ' class="many"' if len(rounds[-1]) > MANY else ""
    return f'<section class="lab-answers" aria-label="Answers">{_legend(shown)}<ol{style}>{lines}</ol></section>'


Shown = Sequence[tuple[str, Mapping[str, int]]]


def _legend(shown: Shown) -> str:
    counts = [(time, sum(each.values())) for time, each in shown]
    totals = [(time, f"{count} answer{'s' * (count != 1)}") for time, count in counts]
    names = {"before": "Before discussion", "now": "After discussion"}
    entries = (f'<span><b class="{time}"></b>{names[time]}: {total}</span>' for time, total in totals)
    return f'<p class="legend">{totals[0][1] if len(totals) == 1 else "".join(entries)}</p>'


def _line(place: int, option: str, shown: Shown, right: int | None) -> str:
    bars = []
    for time, counts in shown:
        share = counts[option] / max(1, sum(counts.values()))
        style = f"width: {_WIDEST * share:.1f}%"
        bars.append(
            f'<div class="bar"><b class="{time}" style="{style}"></b>'
            f"<span>{counts[option]} ({number(share, '.0%')})</span></div>"
        )
    mark = ' <span role="img" aria-label="Correct">\N{HEAVY CHECK MARK}</span>' if place == right else ""
    style = ' class="right"' if place == right else ""
    return f"<li{style}>{html.escape(option)}{mark}{''.join(bars)}</li>"
