"""Export of a race: its link, its records, the comparison as JSON, and the script that repeats it."""

import json
from datetime import UTC, datetime

import streamlit as st

from boltzcore import __version__
from boltzcore.comparison.comparison import MOST_TRIALS, Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.comparison.result import Result
from boltzcore.jobs.race import Race
from boltzcore.registry import OPTIONAL_PARTS
from pages.common import presenting
from pages.common.downloads import download
from pages.parts import qr
from pages.parts.for_class import for_class
from pages.parts.saving import save_page

_OPEN = "share race"  # key of the popover

SCRIPT = '''"""A comparison from Boltzmann Lab, run with the library."""

from boltzcore import Comparison, compare

comparison = Comparison.from_json(r"""
{text}
""")

if __name__ == "__main__":
    found = compare(comparison)
    print(found.table().to_string())
    print(found.sentence())
    with open("records.csv", "w", newline="") as file:
        file.write(found.csv(seconds=False))
'''


def draw_menu(comparison: Comparison, race: Race | None, preset: str) -> None:
    """Draw the menu that shares or exports a race.

    preset : name of the comparison's preset; the name of none if it is another comparison
    """
    popover = st.popover("Share", key=_OPEN, on_change="rerun")
    qr.show_asked()
    with popover:
        if comparison.private:
            st.caption("The data are your own table, which a link would share: only records can be exported.")
        else:
            known = COMPARISON_PRESETS.get(preset)
            st.caption("A link to the same comparison, without your prediction.")
            query = {"preset": preset} if known else comparison.to_query()
            for_class(query, title=known.question if known else "this comparison", within=_OPEN)
            if known:
                asked = {"question": preset}
                st.page_link("classroom.py", label="For teachers: ask a class", query_params=asked)
        if race is not None and race.snapshot.status == "finished" and not comparison.private:
            st.markdown("**Link to this result**, with its curves and figures.")
            st.code(presenting.link({"race": race.id}), language=None, wrap_lines=True)
        none, of = race is None or race.snapshot.result is None, comparison.recipes
        # as they are at the press: a page may be drawn before the end of a race
        download("Records (CSV)", "records.csv", lambda: race.snapshot.result.csv(), "numbers", *of, disabled=none)
        if not comparison.private:
            text = comparison.to_json()
            download("Comparison (JSON)", "comparison.json", lambda: text, "columns")
            download("Python script", "compare.py", lambda: SCRIPT.format(text=text), "columns")
        if race is not None:
            save_page("compare", settings(comparison, race.snapshot.result) if race.snapshot.result else ())


def settings(comparison: Comparison, result: Result) -> tuple[tuple[str, str], ...]:
    """Return name and text of everything that a race depends on; of a contender all parameters of its first trial."""
    base, recipes = comparison.base, [trials[0].recipe.redacted for trials in result.trials.values()]
    unused, texts = OPTIONAL_PARTS.keys() - base.entry.parts, [json.loads(recipe.to_json()) for recipe in recipes]
    alike = {key for key, text in texts[0].items() if all(each.get(key) == text for each in texts)}
    shared = [f"{key} {texts[0][key]}" for key in texts[0] if key in alike and key.partition(".")[0] not in unused]
    own = [", ".join(f"{key} {text}" for key, text in each.items() if key not in alike) for each in texts]
    rows = ", ".join(f"{len(split):,} {name}" for name, split in base.data.load().splits.items())
    return (
        ("Data", f"{base.data.title}; {rows} rows"),
        ("Trials", f"{comparison.trials} of each contender, each of {comparison.cost:,} {comparison.axis}"),
        ("Seeds", f"from {comparison.seed} on; of a tuning from {comparison.seed + MOST_TRIALS} on"),
        ("Compared by", result.figure_title),
        ("Reference", comparison.reference or "none: all pairs"),
        ("Tuning (field:values:runs)", f"{comparison.tuning or 'none'}"),
        ("All contenders", ", ".join(shared)),
        *zip(result.trials, own, strict=True),
        ("Made with", f"boltzcore {__version__}, {datetime.now(UTC):%Y-%m-%d}"),
        ("Link", "none: a private table" if comparison.private else presenting.link(comparison.to_query())),
    )
