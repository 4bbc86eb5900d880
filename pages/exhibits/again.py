"""Button that reruns the quick scale of a study on this server, and how many rows equal the stored ones."""

from functools import cache, partial

import streamlit as st

from boltzcore.jobs.work import Work
from boltzcore.papers import STUDIES
from boltzcore.papers.stored import StoredResult, equal_rows, sources_of, stored
from pages.common import lab, members
from pages.common.words import plain
from pages.web.session import SESSION

QUICK = "quick"
LONGEST = 600.0  # seconds that the stored result may have taken
EVERY = 1.0  # seconds between two updates of the progress


def rerun(key: str, name: str) -> None:
    """Draw the button that reruns a study, or the progress of the rerun; nothing if this server does not offer it.

    key : of the exhibit and the study
    """
    kept = _quick_result(name)
    if kept is None or not _has_data(name):
        return
    work = lab.engine().works.get(name)
    moving = work is not None and work.moving
    st.fragment(_rerun, run_every=EVERY if moving else None)(key, name, kept, moving)


def _rerun(key: str, name: str, kept: StoredResult, moving: bool) -> None:
    work = lab.engine().works.get(name)
    if work is not None and work.moving != moving:
        st.rerun()
    if work is not None and work.moving:
        work.touch()
        st.progress(min(work.snapshot.share, 1.0), f"Rerun on this server: {work.snapshot.share:.0%}")
        mine = name in SESSION.studies
        st.button("Cancel", key=f"cancel {key}", on_click=work.cancel, disabled=not mine)
        return
    about = f"The stored result took {kept.provenance.seconds:.0f} seconds."
    if st.button("Rerun on this server", key=f"again {key}", help=about):
        _begin(name)
    if work is not None:
        _report(work, kept)


def _begin(name: str) -> None:
    try:
        members.check()
        lab.engine().works.begin(name, partial(STUDIES[name].rows, QUICK))
    except ValueError as refusal:
        st.caption(plain(str(refusal)))
        return
    SESSION.studies.add(name)
    st.rerun()


def _report(work: Work, kept: StoredResult) -> None:
    if work.snapshot.reason:
        st.caption(plain(work.snapshot.reason))
    if made := list(work.made):
        equal = equal_rows(made, kept.rows)
        st.caption(f"Rerun: {equal} of {len(made)} rows equal the stored ones, except for seconds.")


def _quick_result(name: str) -> StoredResult | None:
    try:
        kept = stored(name, QUICK) if QUICK in STUDIES[name].scales else None
    except ValueError:
        return None
    return kept if kept is not None and kept.finished and kept.provenance.seconds <= LONGEST else None


@cache
def _has_data(name: str) -> bool:
    return all(source.at_hand() for source in sources_of(STUDIES[name], QUICK))
