"""The digest of code names what computes the numbers of a training, and nothing else."""

import ast
import importlib.util
from pathlib import Path

import pytest

from boltzcore.runs import code_digest as digests
from boltzcore.runs.code_digest import code_digest
from boltzcore.runs.recipe import Recipe

CD, SDCP = (Recipe("rbm", "shifting-bar", learner) for learner in ("CD", "SDCP"))
GREEDY = Recipe("log-linear", "bayes-net", "GreedyMDL")


@pytest.fixture
def edited(monkeypatch):
    """Puts another text in place of a module's."""

    def edit(module, change):
        text = Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8")
        assert change(text) != text
        changed, as_it_is = digests._read(change(text), package=False), digests._module
        monkeypatch.setattr(digests, "_module", lambda name: changed if name == module else as_it_is(name))

    return edit


def test_it_is_the_same_each_time_and_another_for_other_code():
    assert code_digest(CD) == code_digest(Recipe("rbm", "shifting-bar", "CD"))
    assert len({code_digest(each) for each in (CD, SDCP, GREEDY)}) == 3


@pytest.mark.parametrize(
    "module",
    [
        "boltzcore.learners.contrastive.algorithm",
        "boltzcore.kernels.random",
        "boltzcore.data.patterns",
        "boltzcore.measures.likelihood",
        "boltzcore.models.rbm",
        "boltzcore.runs.stopping",
    ],
)
def test_a_change_of_what_it_runs_through_changes_it(edited, module):
    before = code_digest(CD)
    edited(module, lambda text: f"{text}\nANOTHER = 1\n")
    assert code_digest(CD) != before


def test_the_code_of_another_learner_does_not_change_it(edited):
    before = code_digest(CD), code_digest(SDCP)
    edited("boltzcore.learners.contrastive.dc_programming", lambda text: f"{text}\nANOTHER = 1\n")
    assert code_digest(CD) == before[0]
    assert code_digest(SDCP) != before[1]


def test_what_only_records_an_update_does_not_change_it(edited):
    before = code_digest(CD)
    edited("boltzcore.learners.walkthrough.contrastive", lambda text: f"{text}\nANOTHER = 1\n")
    assert code_digest(CD) == before


def test_neither_comments_nor_docstrings_change_it(edited):
    before = code_digest(CD)
    edited("boltzcore.learners.contrastive.base", lambda text: text.replace('"""The', '"""Otherwise, the') + "# so\n")
    assert code_digest(CD) == before


@pytest.mark.parametrize(
    ("module", "text", "better"),
    [
        ("boltzcore.learners.contrastive.cd", 'title: ClassVar[str] = "', 'title: ClassVar[str] = "Our '),
        ("boltzcore.runs.schedule", 'help="', 'help="So: '),
        ("boltzcore.models.base", "before must end with", "the stage before must end with"),
    ],
)
def test_a_text_that_is_only_shown_does_not_change_it(edited, module, text, better):
    before = code_digest(CD)
    edited(module, lambda source: source.replace(text, better))
    assert code_digest(CD) == before


def test_a_value_that_is_a_text_changes_it(edited):
    before = code_digest(CD)
    edited("boltzcore.runs.schedule", lambda source: source.replace('"updates"', '"steps"'))
    assert code_digest(CD) != before


def test_a_change_of_a_value_changes_it(edited):
    before = code_digest(CD)
    edited("boltzcore.learners.contrastive.cd", lambda text: text.replace("1", "2"))
    assert code_digest(CD) != before


def test_a_module_is_parsed_again_where_other_threads_came_in_between(monkeypatch):
    parse, met = ast.parse, []

    def meets_another_once(text):
        met.append(text)
        if len(met) == 1:
            raise SystemError("AST constructor recursion depth mismatch (before=51, after=27)")
        return parse(text)

    expected = digests._read("a = 1", package=False)
    monkeypatch.setattr(digests.ast, "parse", meets_another_once)
    assert digests._read("a = 1", package=False) == expected
    assert len(met) == 2
