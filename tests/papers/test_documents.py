"""The tables of the results' documents say what the stored rows say, rounded; the others say that none are stored."""

import re
import statistics
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import pytest

from boltzcore.papers.conditional_tasks import NOTHING, TASKS
from boltzcore.papers.stored import RESULTS, stored
from boltzcore.papers.study import Row, grouped

pytestmark = pytest.mark.nightly
Lines = Iterable[Iterable[object]]  # the cells of each row of a table
NOT_STORED = "not stored"  # what a section says whose tables have no stored rows
OF_PAGES = {"README.md"}  # a list of the others


def rows(study: str, scale: str) -> tuple[Row, ...]:
    result = stored(study, scale)
    assert result is not None
    return result.rows


# -- how the cells of a table follow from rows ----------------------------------------------------------


def conditional(scale: str, tasks: Mapping[str, str]) -> Lines:
    """Every method of tasks, {how the table names a task: its study}."""
    for title, study in tasks.items():
        for row in rows(study, scale):
            if row["method"] != NOTHING:
                errors = f"{row['all']:.3f}", f"{row['changed']:.2f}"
                reported = (f"{error:.3f}" for error in TASKS[study].reported[row["method"]])
                epoch = f"{row['epoch']:g} of {row['epochs']:g}"
                yield f"{title}, {row['method']}", *errors, *reported, f"{row['rate']:g}", epoch


def inputs() -> Lines:
    found = [row for row in rows("crbm-inputs", "sample") if row["method"] != NOTHING]
    for (noise, weight), group in grouped(found, "noise", "input_weight").items():
        by_method = {row["method"]: f"{row['all']:.3f}, {row['changed']:.2f}" for row in group}
        yield noise, f"{weight:g}", by_method["MLE-BP"], by_method["MSSVM"]


def table_1() -> Lines:
    figures = {"kl_to_data": ".3f", "kl_to_truth": ".3f", "terms": ".0f", "seconds": ".2f"}
    for row in rows("fsll-table-1", "paper"):
        cells = []
        for figure, form in figures.items():
            reported = row[f"reported_{figure}"]
            cells += [spread(row[figure], form), f"{reported:.3f}" if isinstance(reported, float) else reported]
        yield row["data"], row["model"], *cells


def spread(values: list[float], form: str) -> str:
    middle, least, most = (f"{of(values):{form}}" for of in (statistics.median, min, max))
    return middle if min(values) == max(values) else f"{middle} ({least} to {most})"


def couplings() -> Lines:
    for (d,), group in grouped(rows("bslm-couplings", "paper"), "d").items():
        q, starts = d * (d + 1) / 2, 5
        errors = [row["mse"] for row in group]
        middle, bound = statistics.median(errors), statistics.median(row["cramer_rao"] for row in group)
        least, most = (short(of(errors) / q / starts) for of in (min, max))
        parts = map(short, (middle, bound, middle / q, middle / q / starts))
        yield d, *parts, f"{least} to {most}", short(group[0]["reported_mse"])


def short(number: float) -> str:
    return f"{number:.2e}".replace("e-0", "e-")


def chains() -> Lines:
    for row in rows("dcp-chains", "few"):
        values = (f"{mean:.3f} / {median:.3f}" for mean, median in zip(row["mean"], row["median"], strict=True))
        yield f"{row['rate']:g}", row["learner"], *values, f"{row['epoch_at_90_percent']:,}"


def figure_3() -> Lines:
    name = "test_log_likelihood_ais"
    for (learner,), group in grouped(rows("dcp-mnist", "quick"), "training").items():
        values = (f"{row[name]:.1f} [{row[f'{name}_low']:.1f}, {row[f'{name}_high']:.1f}]" for row in group)
        yield learner, f"{group[-1]['seconds_per_epoch']:.1f}", *values


def frank_wolfe_starts() -> Lines:
    for (start,), group in grouped(rows("fw-starts", "sample"), "start").items():
        best = max(group, key=lambda row: row["validation"])["test"]
        means = (statistics.fmean(row["test"] for row in group if row["rate"] == rate) for rate in (0.05, 0.01))
        yield start, *(f"{value:.1f}" for value in (best, *means))


def frank_wolfe_sizes() -> Lines:
    """At each size the likelihood of every method and the units of FW full, then the labels missed."""
    measured = (*rows("fw-figure-1", "hours"), *rows("fw-corrected", "hours"))
    found = {(row["method"], row["units"]): row for row in measured}
    missed = {(row["method"], row["units"]): row["error"] for row in rows("fw-figure-2", "hours")}

    def value(method: str, units: int) -> str:
        row = found.get((method, units))
        if row is None:
            return ""
        low, high = (f"{row[end]:.1f}" if end in row else "inf" for end in ("test_low", "test_high"))
        return f"{row['test']:.1f} [{low}, {high}]"

    for units in sorted({units for _, units in found}):
        left = found.get(("FW full", units), {}).get("hidden_units", "")
        cd = ("CD from random", "CD from FW")
        errors = (f"{missed[method, units]:.1f} %" if (method, units) in missed else "" for method in ("FW", *cd))
        yield units, value("FW", units), value("FW full", units), left, *(value(each, units) for each in cd), *errors


def clusters() -> Lines:
    titles = {0.01: "five clusters in 100 pixels, -21.1 on test rows"}
    for (rate,), group in grouped(rows("everything-looks-right", "paper"), "rate").items():
        by_learner = grouped(group, "learner")
        cells = []
        for learner in ("CD-1", "PCD-1", "PCD-10", "PT", "PTT"):
            values = [row["log_likelihood"] for row in by_learner.get((learner,), ())]
            cells.append(f"{statistics.fmean(values):.1f}" if values else "")
        yield titles.get(rate, ""), f"{rate:g}".lstrip("0"), *cells


PAPERS_SCALE = {"noise 10 %": "crbm-noise-10", "patch 8 x 8": "crbm-occlusion-8"}
OF_10_000 = {
    "noise 20 %": "crbm-noise-20",
    "patch 12 x 12": "crbm-occlusion-12",
    "silhouettes, noise 20 %": "crbm-caltech-noise",
    "silhouettes, patch 12 x 12": "crbm-caltech-occlusion",
}
TABLES: dict[tuple[str, str], Callable[[], Lines]] = {  # {(document, heading): the table of stored rows that it has}
    ("equilibrium.md", "Beyond the papers: chains that are not where their model is"): clusters,
    ("paper-1-bslm.md", "Smaller couplings"): couplings,
    ("paper-2-dc-programming.md", "20 chains for each row"): chains,
    ("paper-2-dc-programming.md", "Figure 3 after 10 epochs"): figure_3,
    ("paper-3-frank-wolfe.md", "All images of MNIST"): frank_wolfe_sizes,
    ("paper-3-frank-wolfe.md", "As many tries for each start"): frank_wolfe_starts,
    ("paper-4-log-linear.md", "Table 1, figures 3 and 4"): table_1,
    ("paper-5-conditional.md", "At the paper's scale"): partial(conditional, "paper", PAPERS_SCALE),
    ("paper-5-conditional.md", "At 10,000 images"): partial(conditional, "quick", OF_10_000),
    ("paper-5-conditional.md", "Input weight and noise"): inputs,
}


# -- documents ------------------------------------------------------------------------------------------


def sections(document: Path) -> dict[str, str]:
    """{heading: what stands under it, up to the next}."""
    parts = re.split(r"^#+ (.*)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def lines_of(section: str) -> list[str]:
    """The rows of its tables, without heads; a minus is a hyphen, and nothing is bold."""
    tables = re.findall(r"^\|.*\n\|[ :|-]+\n((?:\|.*\n?)+)", section, re.MULTILINE)
    return [plain(line) for table in tables for line in table.splitlines()]


def plain(line: str) -> str:
    return re.sub(r"\s+", " ", line.replace("−", "-").replace("**", "").strip("| "))


def line(cells: Iterable[object]) -> str:
    return plain(" | ".join(map(str, cells)))


@pytest.mark.parametrize(("document", "heading"), TABLES)
def test_a_table_says_what_its_rows_say(document, heading):
    made = [line(cells) for cells in TABLES[document, heading]()]
    told = lines_of(sections(RESULTS / document)[heading])
    assert told
    others = {each: get_close_matches(each, made, 1, 0.0) for each in told if each not in made}
    assert not others, "not in the stored rows (beside the nearest): " + "\n".join(map(str, others.items()))
    assert [each for each in made if each in told] == told, "in another order, or twice"


def test_a_table_without_stored_rows_says_so():
    silent = [
        f"{document.name}: {heading}"
        for document in RESULTS.glob("*.md")
        for heading, section in sections(document).items()
        if lines_of(section) and (document.name, heading) not in TABLES and document.name not in OF_PAGES
        if NOT_STORED not in " ".join(f"{heading} {section}".split())
    ]
    assert not silent
