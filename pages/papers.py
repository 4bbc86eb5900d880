"""Papers: one figure or table of the five papers at a time, and how closely ours agrees with it."""

from collections import Counter

import streamlit as st

from boltzcore.papers.citations import PAPERS
from boltzcore.papers.exhibits import EXHIBITS, Exhibit, judged
from boltzcore.papers.verdicts import NOT_ATTEMPTED, VERDICTS, Verdict
from pages.common import address
from pages.common.words import warn
from pages.exhibits.exhibit import draw


def judge(exhibit: Exhibit) -> Verdict:
    """Return the verdict; not attempted if a stored file is damaged."""
    try:
        return judged(exhibit)
    except ValueError as refusal:
        return Verdict(NOT_ATTEMPTED, str(refusal))


st.title("Papers", anchor=False)
warn(address.strange(st.query_params, ("paper", "exhibit").__contains__))
verdicts = {each: judge(each) for each in EXHIBITS}
counts = Counter(found.verdict for found in verdicts.values())
counted = ", ".join(f"{name} {counts[name]}" for name in VERDICTS if counts[name])
st.write(f"How closely we reproduced {len(EXHIBITS)} figures and tables: {counted}.")
left, right = st.columns(2)
with left:
    titles = {key: paper.title for key, paper in PAPERS.items()}
    paper = address.choice(
        st.selectbox, "Paper", titles, "paper", otherwise="1", on_change=address.forget, args=("exhibit",)
    )
with right:
    exhibits = {each.label.lower().replace(" ", "-"): each for each in EXHIBITS if each.paper == paper}
    titles, first = {key: f"{each.label}: {each.title}" for key, each in exhibits.items()}, next(iter(exhibits))
    name = address.choice(st.selectbox, "Figure or table", titles, "exhibit", otherwise=first)
address.keep({"paper": "" if paper == "1" else paper, "exhibit": "" if name == first else name})
draw(exhibits[name], verdicts[exhibits[name]])
