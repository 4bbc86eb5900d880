"""Taking a race away: its link, its records, the comparison as JSON, and the script that makes it again."""

import streamlit as st

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.jobs.race import Race
from pages.common import presenting
from pages.common.downloads import download
from pages.parts import codes
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


def away(comparison: Comparison, race: Race | None, preset: str) -> None:
    """What a race may be taken away as.

    preset : the name of the question that it answers; that of none where it is another comparison
    """
    popover = st.popover("Share", key=_OPEN, on_change="rerun")
    codes.asked()
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
        # as they are when it is pressed: a page may be drawn before the end of a race
        download("Records (CSV)", "records.csv", lambda: race.snapshot.result.csv(), "numbers", *of, disabled=none)
        if not comparison.private:
            text = comparison.to_json()
            download("Comparison (JSON)", "comparison.json", lambda: text, "columns")
            download("Python script", "compare.py", lambda: SCRIPT.format(text=text), "columns")
        if race is not None:
            save_page("compare")
