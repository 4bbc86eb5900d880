"""Terms of art: each that is shown has its explanation, in plain words, and no explanation is of something else."""

import ast
import re
from functools import cache
from pathlib import Path

from pages.common.glossary import key_of, link_terms, pattern, pieces
from pages.common.terms import TERMS
from pages.common.terms.term import MOST
from pages.parts import form

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("figures", "learners", "models", "data", "inference", "registry")
ALONE = ("restoration.py", "training/presets.py", "training/recipe.py")
# What a newcomer was found to meet before any picture.
MET = [
    *("RBM", "conditional RBM", "fantasy particle", "Gibbs step", "belief propagation", "base rate", "receptive field"),
    *("plateau", "K", "d", "K'", "spectral descent", "batch", "AIS", "likelihood", "nats", "chain"),
    *("effective chains", "dead unit", "patience", "sigma", "marginal", "log-odds", "tolerance", "damping", "clamped"),
    *("Changed error", "trace", "digest", "threshold"),
]
CODE = re.compile(r"\\|%[Ydm]|<path|=>|;\n")  # no words: patterns, dates, drawings, scripts


def words_in(text: str) -> list[str]:
    """The keys of the terms in a text, each once, in their order."""
    return list(dict.fromkeys(key_of(found) for found in re.findall(pattern(), text)))


@cache
def shown() -> str:
    """Every text of the program that a page may show: without the documentation of its parts, and without words that
    stand alone in small letters, which are names of fields, keys and the like.
    """
    folders = [ROOT / "pages", *(ROOT / "boltzcore" / part for part in PARTS)]
    files = {path for folder in folders for path in folder.rglob("*.py")} | {
        ROOT / "boltzcore" / name for name in ALONE
    }
    labels = [declared.label for owner in form.owners().values() for declared in owner.parameters()]
    texts = []
    explanations = ROOT / "pages" / "common" / "terms"
    for path in files:
        if path.is_relative_to(explanations):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts += [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone
        ]
    words = [text for text in texts if (" " in text.strip() or text[:1].isupper()) and not CODE.search(text)]
    return "\n".join(labels + words)


def test_what_a_newcomer_meets_is_explained():
    assert [term for term in MET if not words_in(term)] == []


def test_an_explanation_is_short_and_of_something_that_is_shown():
    for key, word in TERMS.items():
        assert 5 < len(word.text.split()) <= MOST, key
        assert '"' not in word.text, key  # it is a link's title
    assert set(words_in(shown())) >= set(TERMS)
    forms = [form for word in TERMS.values() for form in word.forms]
    assert len(forms) == len(set(forms))


def test_a_term_is_a_link_where_it_stands_first_and_only_as_a_word_of_its_own():
    found = [key for _, key in pieces("The **base rate**; a Base rate. PCD-5 (d K' = 12), S-DCP.") if key]
    assert found == ["base-rate", "pcd", "d", "K-prime", "s-dcp"]
    text = TERMS["base-rate"].text
    assert link_terms("A **base rate**.") == f'A **[base rate](reference?entry=term-base-rate "{text}")**.'
    assert words_in("log-pseudo-likelihood, I'd, Kb, sub-batch, rbm.K/d") == ["pseudo-likelihood"]
