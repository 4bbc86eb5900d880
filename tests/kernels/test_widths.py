"""Arrays that are not filled up to whole tiles are refused by name: kernels would write past their ends."""

import contextlib

import numpy as np
import pytest

from boltzcore.kernels import annealing, dense, messages, rows
from boltzcore.kernels import random as streams
from boltzcore.kernels.ascent import Term
from boltzcore.kernels.machine import Machine

N, N_VISIBLE, N_HIDDEN = 3, 37, 21
V = np.zeros((N, N_VISIBLE), np.uint8)
B, C = np.zeros(N_VISIBLE, np.float32), np.zeros(N_HIDDEN, np.float32)
STREAM = streams.Stream(np.uint64(0), streams.GIBBS, 0, 0)


def array(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


@pytest.mark.parametrize(("width", "fields"), [(N_HIDDEN, 32), (64, 64), (32, N_HIDDEN), (32, 32)])
def test_hidden_fields(width, fields):
    def run():
        rows.hidden_fields(array(N_VISIBLE, width), C, V, array(N, fields))

    refuses(run, unless=(width, fields) == (32, 32))


@pytest.mark.parametrize(
    ("width", "transposed", "fields"),
    [(N_HIDDEN, 64, N_HIDDEN), (32, N_VISIBLE, 32), (32, 64, N_HIDDEN), (32, 64, 32)],
)
def test_gibbs_steps(width, transposed, fields):
    machine = Machine(array(N_VISIBLE, width), array(N_HIDDEN, transposed), B, C)
    fits = (width, transposed, fields) == (32, 64, 32)
    refuses(lambda: rows.gibbs(machine, V.copy(), array(N, fields), STREAM, 0, 1), unless=fits)


@pytest.mark.parametrize("p", [N_HIDDEN, 32])
def test_probabilities(p):
    refuses(lambda: rows.probabilities(array(N, 32), N_HIDDEN, np.float32(1), array(N, p), C.copy()), unless=p == 32)


@pytest.mark.parametrize(("p", "vp"), [(N_HIDDEN, N_HIDDEN), (32, N_HIDDEN), (N_HIDDEN, 32), (32, 32)])
def test_statistics(p, vp):
    term = Term(array(N_VISIBLE, vp), B.copy(), C.copy(), array(0), array(0))
    refuses(lambda: rows.add_statistics(V, 0, N_VISIBLE, array(N, p), np.float32(1), term), unless=p == vp == 32)


@pytest.mark.parametrize(
    ("W", "WT"),
    [
        ((1, N_VISIBLE, N_HIDDEN), (2, N_HIDDEN, 32)),
        ((1, N_VISIBLE, 32), (1, N_HIDDEN, 64)),
        ((1, N_VISIBLE, 32), (1, N_HIDDEN, 32)),
        ((1, N_VISIBLE, 32), (2, N_HIDDEN, 32)),
    ],
)
def test_annealing(W, WT):
    fields = array(N, N_HIDDEN)
    chains = annealing.Chains(V.copy(), fields, array(N, dtype=np.float64))
    path = annealing.Path(B, np.array([0, 1], np.float32))
    machine = Machine(array(*W), array(*WT), B, C)
    refuses(lambda: annealing.anneal(machine, path, chains, STREAM, 1, 2), unless=(W[2], WT[0]) == (32, 2))
    refuses(lambda: annealing.hidden_fields(array(*W), C, V, fields), unless=W[2] == 32)


@pytest.mark.parametrize("right", [N_HIDDEN, 32])
@pytest.mark.parametrize("out", [N_HIDDEN, 32, 48])
def test_dense_products(right, out):
    fits = right == out == 32
    refuses(lambda: dense.add_product(array(N, 5), array(5, right), array(N, out)), unless=fits)
    refuses(lambda: dense.add_transposed_product(array(5, N), array(5, right), array(N, out), 0, N), unless=fits)


def edges(form, table, sent):
    return messages.Edges(form, array(N_VISIBLE, table) + 1, array(N_VISIBLE, sent) + 1, 32, np.float32(0))


@pytest.mark.parametrize("form", [messages.SUM, messages.LOG_MAX])
@pytest.mark.parametrize(
    ("table", "sent", "pairwise"),
    [(N_HIDDEN, N_HIDDEN, None), (64, 64, None), (32, N_HIDDEN, None), (32, 32, N_HIDDEN), (32, 32, 32)],
)
def test_propagation(form, table, sent, pairwise):
    n = [array(N, k) for k in (N_VISIBLE, N_HIDDEN, N_VISIBLE, N_HIDDEN, 2)]
    instances = messages.Instances(*n, array(N, dtype=np.int64), array(N, dtype=np.bool_))
    pairs = None if pairwise is None else array(N_VISIBLE, pairwise)
    made = edges(form, table, sent)
    refuses(lambda: messages.propagate(made, instances, np.float32(0), 0, N, pairs), unless=pairwise == 32)


@pytest.mark.parametrize(
    ("table", "sent", "hidden", "parts"),
    [(N_HIDDEN, N_HIDDEN, 32, 32), (32, N_HIDDEN, 32, 32), (32, 32, N_HIDDEN, 32), (32, 32, 32, N_HIDDEN), (32,) * 4],
)
def test_sweeps(table, sent, hidden, parts):
    visible = messages.Visible(B, B.copy())
    of_hidden = messages.Hidden(*(array(hidden) + np.float32(0.5) for _ in range(3)))
    sums = array(messages.BLOCKS, parts, dtype=np.float64)
    made = edges(messages.SUM, table, sent)
    fits = (table, sent, hidden, parts) == (32,) * 4
    refuses(lambda: messages.sweep(made, visible, of_hidden, 0, messages.BLOCKS, sums), unless=fits)
    refuses(lambda: messages.settle(C, sums, of_hidden), unless=hidden == parts == 32)


def refuses(run, *, unless):
    with contextlib.nullcontext() if unless else pytest.raises(ValueError, match="wide"):
        run()
