"""The kernels of contrastive learners against their reference updates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Examples, load
from boltzcore.learners import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient
from boltzcore.models import RBMSetup
from boltzcore.reference import trace

ROW = 2
OFFSETS = {"nu_mu": 0.2, "nu_lambda": 0.3}
LEARNERS = {
    "CD": CD(K=3, rate=0.4, batch_size=7),
    "CD, three chains a row": CD(K=2, rate=0.4, batch_size=7, chains_per_row=3),
    "PCD": PCD(K=2, rate=0.4, batch_size=7),
    "PCD, three chains a row": PCD(K=2, rate=0.4, batch_size=7, chains_per_row=3),
    "centred gradient": CenteredGradient(K=2, rate=0.4, batch_size=7, **OFFSETS),
    "S-DCP": SDCP(d=3, K_prime=2, rate=0.4, batch_size=7),
    "CS-DCP": CSDCP(d=3, K_prime=2, rate=0.4, batch_size=7, **OFFSETS),
    "SSD": SSD(K=2, rate=0.1, batch_size=7),
}
OPTIONS = {"momentum": 0.7, "weight_decay": 0.02, "l1_decay": 0.03, "clip": 0.4, "schedule_epochs": 3}
LEARNERS |= {
    f"{name}, with options": LEARNERS[name].changed(**OPTIONS, rate_schedule=schedule)
    for name, schedule in (
        ("CD", "cosine"),
        ("PCD", "linear"),
        ("S-DCP", "linear"),
        ("CS-DCP", "cosine"),
        ("SSD", "linear"),
    )
}


@pytest.fixture(params=LEARNERS)
def learner(request):
    return LEARNERS[request.param]


@pytest.fixture
def data():
    return Examples(np.tile(load("bars-and-stripes").train.v, (2, 1)))


def test_each_update_of_the_kernels_is_that_of_the_reference(learner, data, kernels):
    state = learner.start(RBMSetup(hidden=5, sigma=0.5).initial(data, seed=1), data, seed=2)
    for _ in range(8):  # the last mini-batch of an epoch has fewer rows
        taken, state = trace(learner, state, data, row=ROW), learner.advance(state, data)
        for name in "Wbc":
            assert_allclose(getattr(taken.models[-1], name), getattr(state.model, name), atol=2e-6)
        ends = [phase.arrays["v"] for phase in taken.phases if phase.kind == "end"]
        assert len(ends) == learner.inner_steps
        assert_array_equal(ends[-1], state.chains[ROW * learner.copies])
        if learner.centred:
            (*_, offsets) = (phase.arrays for phase in taken.phases if phase.kind == "offsets")
            assert_allclose(offsets["mu"], state.mu, atol=1e-6)
            assert_allclose(offsets["lambda"], state.lambda_, atol=1e-6)
