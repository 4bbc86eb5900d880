"""Papers: one figure or table of the five papers at a time, and how closely ours agrees with it."""

from collections import Counter
from collections.abc import Mapping

import streamlit as st

from boltzcore.papers.citations import PAPERS
from boltzcore.papers.exhibits import EXHIBITS, Exhibit, judge_exhibit, scale_sentence
from boltzcore.papers.verdicts import UNDECIDED, VERDICTS, Verdict
from boltzcore.quoting import Refusal
from pages.common import address
from pages.common.words import escape, warn
from pages.exhibits.exhibit import LONGEST, draw


def judge(exhibit: Exhibit) -> Verdict:
    """Return the verdict; undecided if a stored file is damaged."""
    try:
        return judge_exhibit(exhibit)
    except Refusal as refusal:
        return Verdict(UNDECIDED, str(refusal))


def key_of(exhibit: Exhibit) -> str:
    """Return the name of a figure or table of its paper in an address."""
    return exhibit.label.lower().replace(" ", "-")


def overview(verdicts: Mapping[Exhibit, Verdict]) -> str:
    """Return all figures and tables as a table with links."""
    lines = ["| Figure or table | Verdict and our scale |", "| --- | --- |"]
    for each, found in verdicts.items():
        link = f"[Paper {each.paper}, {each.label.lower()}](papers?paper={each.paper}&exhibit={key_of(each)})"
        scale = f"Our scale: {escape(scale_sentence(each), most=LONGEST)}." if found.checks else ""
        lines.append(f"| {link}: {each.title} | **{found.title}.** {escape(found.reason, most=LONGEST)} {scale} |")
    return "\n".join(lines)


st.title("Papers", anchor=False)
warn(address.unknown_params(st.query_params, ("paper", "exhibit").__contains__))
verdicts = {each: judge(each) for each in EXHIBITS}
counts = Counter(found.verdict for found in verdicts.values())
counted = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name])
st.write(f"How closely we reproduced {len(EXHIBITS)} figures and tables: {counted}.")
left, right = st.columns(2)
with left:
    titles = {key: paper.title for key, paper in PAPERS.items()}
    paper = address.choice(
        st.selectbox, "Paper", titles, "paper", otherwise="1", on_change=address.forget, args=("exhibit",)
    )
with right:
    exhibits = {key_of(each): each for each in EXHIBITS if each.paper == paper}
    titles, first = {key: f"{each.label}: {each.title}" for key, each in exhibits.items()}, next(iter(exhibits))
    name = address.choice(st.selectbox, "Figure or table", titles, "exhibit", otherwise=first)
address.keep({"paper": "" if paper == "1" else paper, "exhibit": "" if name == first else name})
draw(exhibits[name], verdicts[exhibits[name]])
st.subheader("All figures and tables", anchor=False)
st.markdown(overview(verdicts))
