# SPDX-License-Identifier: Apache-2.0
"""Kernels as TTIR, and as functions of Triton where it is installed."""

import importlib.util
import pathlib

import pytest

import rankwright
from rankwright import testing

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "kernels"
SOFTMAX = "exp(x[i,j])/sum[j](exp(x[i,j]))"


def test_a_kernel_computes_its_formula():
    lifted = testing.assert_kernel_computes(KERNELS / "softmax_online.ttir", SOFTMAX)
    assert lifted.proved and lifted.expected == "proved"
    assert "proved" in rankwright.check_kernel(lifted)


def test_another_formula_has_a_counterexample():
    with pytest.raises(AssertionError, match="counterexample: out"):
        testing.assert_kernel_computes(KERNELS / "softmax_online.ttir", "exp(x[i,j])/sum[j](2*exp(x[i,j]))")


def test_a_bent_record_is_rejected():
    lifted = rankwright.lift(KERNELS / "scale_add.ttir")
    assert lifted.proved
    assert "out" in rankwright.check_kernel(lifted.record)
    bent = lifted.record.replace("a*x[i] + y[i]", "a*x[i] - y[i]")
    assert bent != lifted.record
    with pytest.raises(rankwright.CheckError):
        rankwright.check_kernel(bent)


def test_wrong_text_has_its_place():
    with pytest.raises(rankwright.InputError) as caught:
        rankwright.lift("module {\n  tt.func public @k( {\n}")
    assert caught.value.line > 0


def test_grids():
    from rankwright.triton_kernels import grid_text
    assert grid_text(("cdiv(n, 64)", 2)) == "(cdiv(n, 64), 2,)"
    assert grid_text(4) == "(4,)"
    with pytest.raises(rankwright.UsageError) as caught:
        grid_text(lambda meta: (1,))
    assert "cdiv(n, 64)" in caught.value.hint


def kernels_of_the_tests():
    spec = importlib.util.spec_from_file_location("kernels", KERNELS / "kernels.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.KERNELS


def types_of(function, constants):
    return {name: "*fp32" for name, parameter in __import__("inspect").signature(function.fn).parameters.items()
            if name not in constants and not isinstance(parameter.annotation, str)}


@pytest.fixture(scope="module")
def triton():
    return pytest.importorskip("triton")


def test_functions_of_triton(triton):
    """Compiled without a GPU, each gives the formulas that its committed TTIR gives."""
    same = 0
    for function, launch, constants in kernels_of_the_tests():
        name = function.fn.__name__
        if name not in ("scale_add", "softmax_row", "softmax_online", "layer_norm", "sum_lanes"):
            continue
        grid, _, facts = launch.partition(";")
        lifted = rankwright.lift(function, types_of(function, constants), grid, constants,
                                 assume=facts.strip().replace(";", ","))
        kept = rankwright.lift(KERNELS / (name + ".ttir"))
        assert [(o.array, o.verdict) for o in lifted] == [(o.array, o.verdict) for o in kept], name
        assert [o.formula for o in lifted] == [o.formula for o in kept], name
        same += 1
    assert same == 5


def test_a_function_of_triton_computes(triton):
    function, _, constants = next(k for k in kernels_of_the_tests() if k[0].fn.__name__ == "scale_add")
    testing.assert_kernel_computes(function, "scalar a; a*x[i] + y[i]", signature=types_of(function, constants),
                                   grid="(cdiv(n, BLOCK),)", constants=constants)
    with pytest.raises(AssertionError, match="counterexample"):
        testing.assert_kernel_computes(function, "scalar a; a*x[i] - y[i]", signature=types_of(function, constants),
                                       grid="(cdiv(n, BLOCK),)", constants=constants)


def test_missing_types_and_constants(triton):
    function, _, constants = next(k for k in kernels_of_the_tests() if k[0].fn.__name__ == "scale_add")
    with pytest.raises(rankwright.UsageError) as caught:
        rankwright.ttir(function, None, None, constants)
    assert caught.value.file == "signature" and "*fp32" in caught.value.hint
    with pytest.raises(rankwright.UsageError) as caught:
        rankwright.ttir(function, types_of(function, constants))
    assert caught.value.file == "constants"
