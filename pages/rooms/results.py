"""Results of a class: the answers to each question, before and after discussion, as CSV and as a page to print."""

import html
from collections.abc import Sequence

from boltzcore.data.table_text import csv_text
from boltzcore.quoting import cell
from pages.rooms import answers
from pages.rooms.rounds import FEWEST, Results

_STYLE = """:root { color-scheme: light dark; } body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
font-family: system-ui, sans-serif; } article { break-inside: avoid; margin: 2.5rem 0; }
h2 { font-size: 1.25rem; overflow-wrap: anywhere; } b { print-color-adjust: exact; }"""


def _right(found: Results) -> int | None:
    return found.answer.right if found.answer is not None else found.asked.about.right


def to_csv(results: Sequence[Results]) -> str:
    """Return a row for each answer, with the counts of the first and of the last vote on the question."""
    lines = []
    for number, found in enumerate(results, 1):
        for at, option in enumerate(found.asked.options):
            counts = [each[at] if each else "" for each in (found.counts[:1] + found.counts[1:][-1:])]
            right = "" if _right(found) is None else "yes" if _right(found) == at else "no"
            lines.append([number, cell(found.asked.text), cell(option), right, *counts, *[""] * (2 - len(counts))])
    return csv_text(("number", "question", "answer", "right", "before discussion", "after discussion"), lines)


def to_page(results: Sequence[Results]) -> str:
    """Return a self-contained HTML page."""
    articles = []
    for number, found in enumerate(results, 1):
        rounds = [dict(zip(found.asked.options, each, strict=True)) for each in found.counts if each]
        drawn = answers.drawn(rounds[:1] + rounds[1:][-1:], _right(found))
        articles.append(f"<article><h2>{number}. {html.escape(found.asked.text)}</h2>{drawn}</article>")
    about = f"Questions with at least {FEWEST} answers."
    return printable("Results of a class", about, "".join(articles), answers.STYLE)


def printable(title: str, about: str, articles: str, style: str) -> str:
    """Return a self-contained HTML page of articles, which are HTML, with their style."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}'
        f"{style}</style><main><header><h1>{html.escape(title)}</h1><p>{html.escape(about)}</p></header>"
        f"{articles}</main></html>"
    )
