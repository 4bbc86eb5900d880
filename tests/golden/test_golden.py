"""The same recipe gives the same digits on every processor."""

import json
import os
import platform
import subprocess
import sys

import pytest
from llvmlite import binding

from tests.conftest import REPOSITORY
from tests.golden.cases import CASES, digest, measured
from tests.golden.stored import load

CLOSE = 1e-12  # relative: measures may differ in the last digits of float64

V2 = "sse3 ssse3 sse4.1 sse4.2 popcnt cx16 sahf"
V3 = f"{V2} avx avx2 fma bmi bmi2 lzcnt movbe f16c"
WIDE, MIDDLE = "AVX512_SPR AVX512_ICL X86_V4", "X86_V3"  # as numpy calls what it has code of its own for
# name: what LLVM compiles for, its features, the kind of OpenBLAS, what numpy does without
PROCESSORS = {
    "haswell": ("haswell", V3, "Haswell", WIDE),
    "x86-64-v2": ("x86-64-v2", V2, "Nehalem", f"{WIDE} {MIDDLE}"),
    "generic": ("generic", "sse2 cx16", "Prescott", f"{WIDE} {MIDDLE}"),
}


@pytest.mark.parametrize("name", CASES)
def test_digits_are_the_golden_ones(name):
    assert digest(CASES[name]()) == load()["digests"][name], (
        f"{name} gives other digits: `python -m tests.golden` tells what changed, --write keeps it"
    )


def test_no_digest_is_of_what_is_not_there():
    assert list(load()["digests"]) == list(CASES)


def test_measures_are_the_golden_ones_to_their_last_digits():
    assert measured() == pytest.approx(load()["measured"], rel=CLOSE)


@pytest.fixture(params=PROCESSORS)
def emulated(request: pytest.FixtureRequest) -> dict[str, str]:
    """What makes a process take this machine's processor for a lesser one; its kernels are kept apart."""
    cpu, features, blas, without = PROCESSORS[request.param]
    has = binding.get_host_cpu_features() if platform.machine() in ("x86_64", "AMD64") else {}
    if lacking := [feature for feature in features.split() if not has.get(feature)]:
        pytest.skip(f"this processor cannot run code for {request.param}: it lacks {', '.join(lacking)}")
    return {
        "NUMBA_CPU_NAME": cpu,
        "NUMBA_CPU_FEATURES": ",".join(f"+{feature}" for feature in features.split()),
        "OPENBLAS_CORETYPE": blas,
        "NPY_DISABLE_CPU_FEATURES": " ".join(feature for feature in without.split() if _numpy_knows(feature)),
    }


def _numpy_knows(feature: str) -> bool:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return feature in __cpu_dispatch__ and bool(__cpu_features__.get(feature))


@pytest.mark.timeout(900)  # every kernel is compiled anew where none is cached
def test_digits_are_the_same_on_another_processor(emulated):
    command = [sys.executable, "-m", "tests.golden", "--json"]
    told = subprocess.run(
        command, cwd=REPOSITORY, env=os.environ | emulated, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    found, golden = json.loads(told.stdout), load()
    assert {name for name in golden["digests"] if found["digests"].get(name) != golden["digests"][name]} == set()
    assert found["measured"] == pytest.approx(golden["measured"], rel=CLOSE)
