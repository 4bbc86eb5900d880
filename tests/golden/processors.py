"""This machine taken for a lesser one, by what numba, OpenBLAS and numpy read at their start."""

import json
import os
import platform
import subprocess
import sys
from typing import Any

from llvmlite import binding

from tests.golden.stored import REPOSITORY

V2 = "sse3 ssse3 sse4.1 sse4.2 popcnt cx16 sahf"
V3 = f"{V2} avx avx2 fma bmi bmi2 lzcnt movbe f16c"
WIDE, MIDDLE = "AVX512_SPR AVX512_ICL X86_V4", "X86_V3"  # as numpy calls what it has code of its own for
# name: what LLVM compiles for, its features, the kind of OpenBLAS, what numpy does without
PROCESSORS = {
    "haswell": ("haswell", V3, "Haswell", WIDE),
    "x86-64-v2": ("x86-64-v2", V2, "Nehalem", f"{WIDE} {MIDDLE}"),
    "generic": ("generic", "sse2 cx16", "Prescott", f"{WIDE} {MIDDLE}"),
}


def missing_features(name: str) -> list[str]:
    """Features of an emulated processor that this machine does not have: it cannot run the code."""
    has = binding.get_host_cpu_features() if platform.machine() in ("x86_64", "AMD64") else {}
    return [feature for feature in PROCESSORS[name][1].split() if not has.get(feature)]


def digits_on(name: str, *, kernels: bool = True) -> dict[str, Any]:
    """The numbers of all golden cases as an emulated processor gives them, by a process of its own.

    kernels : whether they are compiled for it, too, which takes minutes; else those for this machine are taken
    """
    cpu, features, blas, without = PROCESSORS[name]
    variables = {
        "OPENBLAS_CORETYPE": blas,
        "NPY_DISABLE_CPU_FEATURES": " ".join(feature for feature in without.split() if _numpy_knows(feature)),
    }
    if kernels:
        compiled = ",".join(f"+{feature}" for feature in features.split())
        variables |= {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": compiled}
    command = [sys.executable, "-m", "tests.golden", "--json"]
    ended = subprocess.run(
        command, cwd=REPOSITORY, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def _numpy_knows(feature: str) -> bool:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return feature in __cpu_dispatch__ and bool(__cpu_features__.get(feature))
