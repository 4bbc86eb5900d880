"""Arrays that are not filled up to whole tiles are refused by name: kernels would write past their ends."""

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
NARROW_W = r"^W must be n_hidden columns wide, rounded up to whole tiles of 32\.$"
NARROW_WT = r"^WT must be n_visible columns wide, rounded up to whole tiles of 32\.$"


def array(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


@pytest.mark.parametrize(
    ("width", "fields", "sentence"),
    [
        (N_HIDDEN, 32, NARROW_W),
        (64, 64, NARROW_W),
        (32, N_HIDDEN, "^hidden fields must be as wide as W"),
        (32, 32, None),
    ],
)
def test_hidden_fields(width, fields, sentence):
    def run():
        rows.hidden_fields(array(N_VISIBLE, width), C, V, array(N, fields))

    refuses(run, sentence)


@pytest.mark.parametrize(
    ("width", "transposed", "fields", "sentence"),
    [
        (N_HIDDEN, 64, N_HIDDEN, NARROW_W),
        (32, N_VISIBLE, 32, NARROW_WT),
        (32, 64, N_HIDDEN, "^hidden fields must be as wide as W"),
        (32, 64, 32, None),
    ],
)
@pytest.mark.parametrize("own", [False, True])
def test_gibbs_steps(width, transposed, fields, sentence, own):
    b, c = (np.zeros((N, len(bias)), np.float32) if own else bias for bias in (B, C))
    machine = Machine(array(N_VISIBLE, width), array(N_HIDDEN, transposed), b, c)
    refuses(lambda: rows.gibbs(machine, V.copy(), array(N, fields), STREAM, 0, 1), sentence)


@pytest.mark.parametrize(("p", "sentence"), [(N_HIDDEN, "^p must be as wide as the hidden fields"), (32, None)])
def test_probabilities(p, sentence):
    refuses(lambda: rows.probabilities(array(N, 32), N_HIDDEN, np.float32(1), array(N, p), C.copy()), sentence)


@pytest.mark.parametrize(("p", "vp"), [(N_HIDDEN, N_HIDDEN), (32, N_HIDDEN), (N_HIDDEN, 32), (32, 32)])
def test_statistics(p, vp):
    term = Term(array(N_VISIBLE, vp), B.copy(), C.copy(), array(0), array(0))
    sentence = None if p == vp == 32 else "^p must be whole tiles of 32 columns wide, and vp as wide"
    refuses(lambda: rows.add_statistics(V, 0, N_VISIBLE, array(N, p), np.float32(1), term), sentence)


@pytest.mark.parametrize(
    ("W", "WT", "sentence"),
    [
        (
            (1, N_VISIBLE, N_HIDDEN),
            (2, N_HIDDEN, 32),
            "^W must be cut into the tiles of n_hidden columns, 32 wide each",
        ),
        ((1, N_VISIBLE, 32), (1, N_HIDDEN, 64), "^WT must be cut into the tiles of n_visible columns, 32 wide each"),
        ((1, N_VISIBLE, 32), (1, N_HIDDEN, 32), "^WT must be cut into the tiles of n_visible columns, 32 wide each"),
        ((1, N_VISIBLE, 32), (2, N_HIDDEN, 32), None),
    ],
)
def test_annealing(W, WT, sentence):
    fields = array(N, N_HIDDEN)
    chains = annealing.Chains(V.copy(), fields, array(N, dtype=np.float64))
    path = annealing.Path(B, np.array([0, 1], np.float32))
    refuses(lambda: annealing.anneal(Machine(array(*W), array(*WT), B, C), path, chains, STREAM, 1, 2), sentence)
    of_start = sentence if sentence and sentence.startswith("^W ") else None
    refuses(lambda: annealing.hidden_fields(array(*W), C, V, fields), of_start)


@pytest.mark.parametrize("right", [N_HIDDEN, 32])
@pytest.mark.parametrize("out", [N_HIDDEN, 32, 48])
def test_dense_products(right, out):
    sentence = None if right == out == 32 else "^right and out must be equally many columns wide, a multiple of 16"
    refuses(lambda: dense.add_product(array(N, 5), array(5, right), array(N, out)), sentence)
    refuses(lambda: dense.add_transposed_product(array(5, N), array(5, right), array(N, out), 0, N), sentence)


NARROW_TABLE = r"^table must be n_hidden columns wide, rounded up to whole tiles of 32, and sent as wide\.$"
NARROW_HIDDEN = r"^hidden beliefs and parts must be whole tiles of 32 wide, as table is\.$"


def edges(form, table, sent):
    return messages.Edges(form, array(N_VISIBLE, table) + 1, array(N_VISIBLE, sent) + 1, 32, np.float32(0))


@pytest.mark.parametrize("form", [messages.SUM, messages.LOG_MAX])
@pytest.mark.parametrize(
    ("table", "sent", "pairwise", "sentence"),
    [
        (N_HIDDEN, N_HIDDEN, None, NARROW_TABLE),
        (64, 64, None, NARROW_TABLE),
        (32, N_HIDDEN, None, NARROW_TABLE),
        (32, 32, N_HIDDEN, "^pairwise must be as wide as table"),
        (32, 32, 32, None),
        (32, 32, None, None),
    ],
)
def test_propagation(form, table, sent, pairwise, sentence):
    n = [array(N, k) for k in (N_VISIBLE, N_HIDDEN, N_VISIBLE, N_HIDDEN, 2)]
    instances = messages.Instances(*n, array(N, dtype=np.int64), array(N, dtype=np.bool_))
    pairs = None if pairwise is None else array(N_VISIBLE, pairwise)
    refuses(lambda: messages.propagate(edges(form, table, sent), instances, np.float32(0), 0, N, pairs), sentence)


@pytest.mark.parametrize(
    ("table", "sent", "hidden", "parts", "sentence"),
    [
        (N_HIDDEN, N_HIDDEN, N_HIDDEN, N_HIDDEN, NARROW_TABLE),
        (32, N_HIDDEN, 32, 32, NARROW_TABLE),
        (32, 32, N_HIDDEN, 32, NARROW_HIDDEN),
        (32, 32, 32, N_HIDDEN, NARROW_HIDDEN),
        (32, 32, 32, 32, None),
    ],
)
def test_sweeps(table, sent, hidden, parts, sentence):
    visible = messages.Visible(B, B.copy())
    of_hidden = messages.Hidden(*(array(hidden) + np.float32(0.5) for _ in range(3)))
    sums = array(messages.BLOCKS, parts, dtype=np.float64)
    made = edges(messages.SUM, table, sent)
    refuses(lambda: messages.sweep(made, visible, of_hidden, 0, messages.BLOCKS, sums), sentence)
    of_end = NARROW_HIDDEN if N_HIDDEN in (hidden, parts) else None
    refuses(lambda: messages.settle(C, sums, of_hidden), of_end)


def refuses(run, sentence):
    if sentence is None:
        run()
    else:
        with pytest.raises(ValueError, match=sentence):
            run()
