"""Handouts of lessons and class plans: a notebook with the library's own calls, and a worksheet to print."""

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.common.downloads import download
from pages.common.words import escape
from pages.inside.worked_examples import step_named
from pages.lessons.inference import RestorationScene, TenDigitsScene
from pages.lessons.scenes import RaceScene, StepScene, TrainingScene
from pages.lessons.tables import LadderScene, QuestionScene
from pages.lessons.terrain import TerrainScene
from pages.lessons.three_units import LONG, MANY, RATE, ThreeUnitsScene
from pages.lessons.units import ClampScene, DetectorScene
from pages.parts.share import code
from pages.race.export import SCRIPT
from pages.rooms.questions import RESTORE, Subject
from pages.rooms.results import printable

STYLE = """article { margin: 1rem 0; } h2 { font-size: 1rem; margin: 0 0 .25rem; } p, li { margin: .15rem 0; }
ul { list-style: none; padding: 0; margin: 0; } li { display: inline-block; margin-right: 1.25rem; }
.line { border-bottom: 1px solid; padding-top: .75rem; }
@media print { @page { size: A4; margin: 11mm; } body { max-width: none; margin: 0; padding: 0; font-size: 8.5pt; }
  h1 { font-size: 14pt; margin: 0; } main { columns: 2; column-gap: 8mm; } header { column-span: all; }
  article { margin: 2.5mm 0; } h2 { font-size: 9.5pt; } .line { padding-top: 2.5mm; } }"""

_SIZES = """from boltzcore import Recipe, fit

for query in {queries}:
    recipe = Recipe.from_query(query)
    print(recipe.data, dict(fit(recipe).records[-1].values))
"""
_ASK = """
given = {{0: 1}}  # the first variable has its second value
model = step.state.model
print("log-probability:", model.log_probability_of(given))
print("all others, given that:", model.marginals(given))
"""
_STEP = """from boltzcore import Recipe, reference, train

recipe, update = Recipe.from_query({query}), {update}
for step in train(recipe):
    if step.state.count >= update:
        break
learner = recipe.learner_at(step.state.count)
for phase in reference.trace(learner, step.state, recipe.data.load().train, row={row}).phases:
    print(phase.kind, {{name: values.shape for name, values in phase.arrays.items()}})
"""
_UNITS = """import numpy as np

from boltzcore.inference import gibbs
from boltzcore.models import FVBM

b = np.array({b})  # biases of units that are 0 or 1
w12, w13, w23 = {w}  # couplings: change them, and run the cell again
states = np.array(list(np.ndindex(2, 2, 2)))


def machine(b, w12, w13, w23):
    \"\"\"Return the same machine in units of -1 and +1, which the library has.\"\"\"
    W = np.array([[0, w12, w13], [w12, 0, w23], [w13, w23, 0]])
    return FVBM(W / 4, b / 2 + W.sum(axis=0) / 4)


energies = -states @ b - np.prod(states[:, [[0, 1], [0, 2], [1, 2]]], axis=2) @ [w12, w13, w23]
probabilities = machine(b, w12, w13, w23).probabilities()[states @ [1, 2, 4]]
for state, energy, p in zip(states, energies, probabilities):
    print(state, f"E = {{energy:+.2f}}, exp(-E) = {{np.exp(-energy):.2f}}, p = {{p:.3f}}")
print("Z =", np.exp(-energies).sum())
"""
_SAMPLE = """
rows = (gibbs(machine(b, w12, w13, w23), -np.ones(({many}, 3)), 20, seed=0) + 1) // 2  # 20 sweeps of each chain
for state, p in zip(states, probabilities):
    print(state, f"p = {{p:.3f}}, share of draws {{(rows == state).all(axis=1).mean():.3f}}")
"""
_LEARN = """
shares = np.array({rows})  # of the states in the data
features = np.hstack([states, np.prod(states[:, [[0, 1], [0, 2], [1, 2]]], axis=2)])
theta = np.array([*b, w12, w13, w23], float)
for step in range({long} + 1):
    p = machine(theta[:3], *theta[3:]).probabilities()[states @ [1, 2, 4]]
    if step % 20 == 0:
        print(step, f"{{shares @ np.log(p):.4f}} nats", theta.round(2))
    theta += {rate} * (shares - p) @ features  # data minus model
"""
_UNIT = """from dataclasses import replace

import numpy as np
from scipy.special import expit

from boltzcore.data import MNISTSmall
from boltzcore.home import asset
from boltzcore.inference import gibbs
from boltzcore.models import RBM

model, unit = RBM.load(asset("mnist-rbm.npz")), {unit}
dataset = MNISTSmall(binarise="threshold").load()
digits, labels = dataset.test.v, dataset.labels["test"]
for digit in range(10):
    on = expit(model.hidden_field(digits[labels == digit])[:, unit])
    print(f"{{digit}}: unit {{unit + 1}} is on for {{on.mean():.0%}} of them")
for held, odds in (("off", -1_000), ("on", 1_000)):
    c = model.c.copy()
    c[unit] = odds
    samples = gibbs(replace(model, c=c), digits[labels == 0][:12], 20, seed=0).reshape(-1, 28, 28)
    print(f"held {{held}}: {{samples[:, 12:17, 12:17].mean():.0%}} of the pixels in the middle are on")
"""
_TERRAIN = """import numpy as np

from boltzcore.inference import gibbs
from boltzcore.models import FVBM

M = np.array({M})  # couplings of units of -1 and +1
b = np.array({b})
bits = 2 ** np.arange(len(b))  # unit i is bit i of a state's number
for T in (4, 1, 0.5, 0.25):
    model = FVBM(M / T, b / T)  # all energies divided by T
    p = model.probabilities()
    rows = gibbs(model, -np.ones((500, len(b))), 50, seed=0) > 0  # 50 sweeps of each chain from one corner
    for state in np.argsort(-p)[:4]:
        share = (rows @ bits == state).mean()
        print(f"T = {{T:g}}, state {{state}}: p = {{p[state]:.3f}}, share of chains {{share:.3f}}")
"""
_DIGIT = """from boltzcore import restoration
from boltzcore.data.corruption import Corruption
from boltzcore.trained import TRAINED

clean = restoration.own_digit({digit})
seen = restoration.corrupt(clean, {damage!r}, Corruption(**{corruption}), seed=0)
for name in {models}:
    model = TRAINED[name]
    found = restoration.restore(model, seen, model.inference, seed=0)
    print(model.title, "-", restoration.count_wrong(clean, found.image), "of 784 pixels wrong")
for row in found.image.reshape(28, 28):
    print("".join(".#"[pixel] for pixel in row))
"""


def code_of(subject: Subject) -> str:
    """Return Python code for the subject of a question; "" if only the app can run it."""
    if subject.shown == RESTORE:
        return _DIGIT.format(digit=3, damage="flip", corruption={"rate": 0.1}, models=("noise-10",))
    match subject.scene:
        case TrainingScene(recipe=recipe):
            return code(recipe)
        case QuestionScene(recipe=recipe):
            return code(recipe) + _ASK.format()
        case LadderScene(recipes=recipes):
            return _SIZES.format(queries=[each.to_query() for each in recipes])
        case RaceScene(comparison=comparison):
            return SCRIPT.format(text=comparison.to_json())
        case StepScene(example=example):
            step = step_named(example)
            return _STEP.format(query=step.recipe.to_query(), update=step.update, row=step.row)
        case ThreeUnitsScene() as scene:
            text = _UNITS.format(b=list(scene.machine.b), w=scene.machine.w)
            text += _SAMPLE.format(many=MANY) if scene.act == "sample" else ""
            return text + (_LEARN.format(rows=list(scene.rows), long=LONG, rate=RATE) if scene.rows else "")
        case TerrainScene(of=stored):
            M, b = stored.machine.M.round(4).tolist(), stored.machine.b.tolist()
            return _TERRAIN.format(M=M, b=b)
        case DetectorScene(unit=unit) | ClampScene(unit=unit):
            return _UNIT.format(unit=unit)
        case RestorationScene(models=models, damage=damage, corruption=corruption, digit=digit):
            return _DIGIT.format(digit=digit or 0, damage=damage, corruption=corruption.values(), models=models)
        case TenDigitsScene(model=model, corruption=corruption):
            return _DIGIT.format(digit=0, damage="flip", corruption=corruption.values(), models=(model,))
    return ""


def to_notebook(title: str, subjects: Sequence[Subject]) -> str:
    """Return a notebook: the context of each question, the question, code that answers it, and the explanation."""
    cells = [
        _cell("markdown", f"# {escape(title)}\n\nRuns with the Python library `boltzcore`. Predict before you run.")
    ]
    for number, subject in enumerate(subjects, 1):
        asked, step = subject.asked, subject.lesson_step
        question = [] if subject.title == asked.text else [f"**{escape(asked.text)}**"]
        options = "\n".join(f"- {escape(option)}" for option in asked.options)
        question += [options, "*Your prediction:*"] if options else []
        head = f"## {number}. {escape(subject.title)}"
        cells.append(_cell("markdown", "\n\n".join([head, subject.before, *question])))
        if text := code_of(subject):
            cells.append(_cell("code", text.rstrip()))
        if step is not None:
            cells.append(_cell("markdown", f"<details><summary>Why</summary>\n\n{step.explain}\n\n</details>"))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    written = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(written, indent=1, ensure_ascii=False)


def _cell(kind: str, text: str) -> dict[str, Any]:
    more: Mapping[str, Any] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True), **more}


def to_worksheet(title: str, subjects: Sequence[Subject]) -> str:
    """Return an HTML page to print: the predictions of a lesson or a plan, with room for reason and observation."""
    articles = []
    for number, subject in enumerate(subjects, 1):
        asked = subject.asked
        options = "".join(f"<li>☐ {html.escape(option)}</li>" for option in asked.options)
        room = "".join(f"<p class='line'>{label}</p>" for label in (*["Because"] * bool(options), "I saw"))
        texts = [html.escape(text) for text in (asked.context, asked.text) if text and text != subject.title]
        head = f"<h2>{number}. {html.escape(subject.title)}</h2>" + "".join(f"<p>{text}</p>" for text in texts)
        articles.append(f"<article>{head}<ul>{options}</ul>{room}</article>")
    return printable(title, "Name: ____________________ Predict first, then try it.", "".join(articles), STYLE)


def offer(title: str, subjects: Sequence[Subject]) -> None:
    """Draw the buttons for the notebook and the worksheet."""
    with st.container(horizontal=True):
        download("Notebook", "notebook.ipynb", lambda: to_notebook(title, subjects), "columns")
        download("Worksheet", "worksheet.html", lambda: to_worksheet(title, subjects), "columns")
