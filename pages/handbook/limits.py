"""How much the app takes and does at once, from the constants that its parts go by."""

import streamlit as st

from boltzcore.data import own, pictures, strokes, table, table_files
from boltzcore.models import enumeration, fvbm, infinite, landscape, log_linear, states
from boltzcore.runs import comparison, races, recipe, store, summary, trials
from pages.handbook.entry import Entry, entry
from pages.rooms import room
from pages.web.limiter import LIMITS, Limit

_HOUR = 3_600


def entries_of_limits() -> tuple[Entry, ...]:
    """An entry for each kind of limits."""
    return (
        _limits(
            "tables",
            "Tables of your own",
            ("An upload", f"{st.get_option('server.maxUploadSize')} MB"),
            ("A file from the command line", _bytes(table_files.MAX_BYTES)),
            ("Rows", f"{table_files.MAX_ROWS:,}"),
            ("Columns", f"{table_files.MAX_COLUMNS:,}"),
            ("Values of a column", f"{table.MOST_VALUES}"),
            (f"Columns of more than {table.MOST_VALUES} different numbers", f"{table_files.MOST_NUMBERS}"),
            ("Bins of a column of numbers", f"2 to {table.MOST_BINS}"),
            ("A table that no training uses is kept for", f"{own.UNUSED / _HOUR:g} hours"),
        ),
        _limits(
            "pictures",
            "Pictures and drawings",
            ("A picture", f"{_bytes(pictures.MAX_BYTES)}, {pictures.MAX_PIXELS:,} pixels"),
            ("A side of a picture", f"{pictures.MAX_SIDE:,} pixels"),
            ("Kinds", ", ".join(pictures.FORMATS)),
            ("Points of a drawing", f"{strokes.POINTS:,}"),
        ),
        _limits(
            "models",
            "Models",
            ("An exact likelihood of an RBM", f"at most {enumeration.LIMIT} units in its smaller layer"),
            ("An exact distribution of a fully visible machine", f"at most {states.LIMIT} columns"),
            ("Columns of a fully visible machine", f"{fvbm.MOST_UNITS:,}"),
            ("States of a log-linear model", f"{log_linear.MOST_STATES:,}"),
            ("Terms of a log-linear model", f"{log_linear.MOST_TERMS:,}"),
            ("Hidden units in effect of an infinite RBM", f"{infinite.MOST_UNITS:,}"),
            ("All states at a glance", f"at most {landscape.MOST} visible units"),
        ),
        _limits(
            "trainings",
            "Trainings and comparisons",
            ("Trainings that are kept", f"{store.KEPT:,}"),
            ("Records of a training", f"{recipe.MOST_RECORDS:,}"),
            ("Stages of a training", f"{recipe.STAGES}"),
            ("Characters of a training's name", f"{summary.LONGEST_NAME}"),
            ("Contenders of a comparison", f"{comparison.MOST_CONTENDERS}"),
            ("Trials of each contender", f"{comparison.MOST_TRIALS}"),
            ("Comparisons that go on at once", f"{races.MOST_MOVING}"),
            ("Comparisons that are kept", f"{races.KEPT}"),
            ("All trials that are kept", _bytes(trials.MOST_BYTES)),
        ),
        _limits(
            "rooms",
            "Rooms of a class",
            ("A room lasts", f"{room.LASTS / _HOUR:g} hours"),
            ("Questions asked in a room", f"{room.ROUNDS}"),
            ("Answers to a question", f"2 to {room.OPTIONS}"),
            ("Characters of a question, and of an answer", f"{room.LONGEST} and {room.LONGEST_OPTION}"),
            ("Answers from which on a histogram is shown", f"{room.FEWEST}"),
        ),
        entry(
            "limit",
            "visitors",
            "Visitors",
            "At most, for you, for all visitors without a cookie, and for all of an address:",
            facts=[_shares(each) for each in LIMITS.values()],
        ),
    )


def _limits(name: str, title: str, *rows: tuple[str, str]) -> Entry:
    return entry("limit", name, title, facts=rows)


def _shares(limit: Limit) -> tuple[str, list[str]]:
    rate = f" in {limit.seconds:g} seconds" if limit.seconds else ""
    return limit.what[0].upper() + limit.what[1:] + rate, [
        f"{most:,}" for most in (limit.visitor, limit.unknown, limit.address)
    ]


def _bytes(count: int) -> str:
    """A number of bytes in the unit in which it is round."""
    unit, name = (2**20, "MiB") if count % 2**20 == 0 else (10**6, "MB")
    return f"{count // unit:,} {name}"
