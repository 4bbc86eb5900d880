"""Taking a race away: its link, its records, the comparison as JSON, and the script that makes it again."""

from collections.abc import Callable
from urllib.parse import urlencode

import streamlit as st

from boltzcore.runs.comparison import Comparison
from boltzcore.runs.race import RaceSnapshot

SCRIPT = '''"""A comparison of Boltzmann Lab, made again from the library alone."""

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


def away(comparison: Comparison, snapshot: RaceSnapshot | None) -> None:
    """What a race may be taken away as."""
    with st.popover("Share"):
        if comparison.private:
            st.caption("The data are a table of your own, which a link would open to others: only the records go.")
        else:
            st.caption("A link to the same comparison; the prediction does not go along.")
            st.code(link(comparison), language=None, wrap_lines=True)
        result = snapshot.result if snapshot else None
        csv: str | Callable[[], str] = "" if result is None else result.csv
        st.download_button("Records (CSV)", csv, "records.csv", "text/csv", disabled=result is None)
        if comparison.private:
            return
        st.download_button("Comparison (JSON)", comparison.to_json(), "comparison.json", "application/json")
        script = SCRIPT.format(text=comparison.to_json())
        st.download_button("Python script", script, "compare.py", "text/x-python")


def link(comparison: Comparison) -> str:
    """The address of a comparison."""
    return f"{(st.context.url or '').partition('?')[0]}?{urlencode(comparison.to_query(), safe=':;,=')}"
