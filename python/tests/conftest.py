# SPDX-License-Identifier: Apache-2.0
import importlib.metadata
import os

import pytest

import rankwright

# jaxlib 0.4 runs what looks like JAX's softmax with a kernel of oneDNN that computes other bits, and knows it
# no more when it is simpler.  Both programs are compiled as they are written.
try:
    if int(importlib.metadata.version("jaxlib").split(".")[1]) < 5:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_disable_hlo_passes=onednn-ops-rewriter"
except importlib.metadata.PackageNotFoundError:
    pass

REVERSE_TWICE = """
rule reverse_twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
"""
FALSE_RULE = """
rule my_slice_of_slice {
  axes x;
  map n, s, e, p, t, f, q on x;
  tensor A[x: n] : any;
  slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)
    => slice(A, start=s+t*p, limit=s+f*p, stride=p*q);
}
"""
FLIP = """func.func @main(%image: tensor<32x48xf32>) -> tensor<8x24xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reverse %image, dims = [1] : tensor<32x48xf32>
  %1 = stablehlo.pad %0, %zero, low = [2, 2], high = [2, 2], interior = [0, 0]
       : (tensor<32x48xf32>, tensor<f32>) -> tensor<36x52xf32>
  %2 = stablehlo.slice %1 [2:34, 2:50] : (tensor<36x52xf32>) -> tensor<32x48xf32>
  %3 = stablehlo.reverse %2, dims = [1] : tensor<32x48xf32>
  %4 = stablehlo.slice %3 [8:24:2, 0:48:2] : (tensor<32x48xf32>) -> tensor<8x24xf32>
  return %4 : tensor<8x24xf32>
}
"""


@pytest.fixture
def database():
    """A database of its own, over the library's."""
    return rankwright.Database()


@pytest.fixture
def alone():
    """A database of its own without the library."""
    return rankwright.Database(library=False)
