"""Papers: each figure and table of the five papers, what of it was made here, and how near that is."""

from collections import Counter

import streamlit as st

from boltzcore.papers.citations import PAPERS
from boltzcore.papers.exhibits import EXHIBITS, judged
from boltzcore.papers.verdicts import VERDICTS, Verdict
from pages.common import address
from pages.common.words import warn
from pages.exhibits import exhibit

MEANS = (
    "**Same numbers**: within the tolerance of each claim. **Same order**: the methods rank as in the paper. **Same "
    "shape**: the curves run as in the paper. **Differs**: none of these. The strictest that holds is given. Each "
    "verdict follows from the stored rows by rules that state what the paper reports; the authors of the rules had "
    "seen earlier results of some of these studies. Charts show the values that a paper's text or tables give; the "
    "values of its curves are in no text, so ours are drawn alone."
)

st.title("Papers", anchor=False)
warn(address.strange(st.query_params, ("paper",).__contains__))
verdicts = []
for each in EXHIBITS:
    try:
        verdicts.append((each, *judged(each)))
    except ValueError as refusal:  # a stored file was changed by hand
        verdicts.append((each, Verdict("not attempted", str(refusal)), {}))
counts = Counter(found.verdict for _, found, _ in verdicts)
counted = ", ".join(f"{name} {counts[name]}" for name in VERDICTS if counts[name])
st.write(f"{len(EXHIBITS)} of their figures and tables, and how near ours are where a result is stored: {counted}.")
with st.expander("What the verdicts mean"):
    st.markdown(MEANS)
titles = {key: paper.title for key, paper in PAPERS.items()}
chosen = address.choice(st.selectbox, "Paper", titles, "paper", otherwise="1")
address.keep({"paper": "" if chosen == "1" else chosen})
st.header(PAPERS[chosen].title, anchor=False)
st.write(PAPERS[chosen].question)
for each, found, made in verdicts:
    if each.paper == chosen:
        with st.container(border=True):
            exhibit.exhibit(each, found, made)
