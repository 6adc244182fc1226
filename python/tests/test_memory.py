# SPDX-License-Identifier: Apache-2.0
import gc

import pytest

import rankwright
from conftest import REVERSE_TWICE
from rankwright import apart

PROGRAM = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = stablehlo.reverse %a, dims = [0] : tensor<4xf32>
  %c = stablehlo.reverse %b, dims = [0] : tensor<4xf32>
  return %c : tensor<4xf32>
}"""


def resident():
    """KiB of this process and of its worker."""
    gc.collect()
    return sum(int(line.split()[1]) for process in ("self", apart.worker_process()) if process is not None
               for line in open("/proc/%s/status" % process) if line.startswith("VmRSS"))


def flat(call, count):
    """Does memory stay as it is, once the first calls have filled what is kept?"""
    for _ in range(count // 5):
        call()
    before = resident()
    for _ in range(count):
        call()
    grown = resident() - before
    assert grown < 2048 + count // 8, "%d KiB more after %d calls" % (grown, count)


def test_parse_10000(alone):
    flat(lambda: rankwright.Rules.parse(REVERSE_TWICE), 10000)


def test_query_and_errors_10000(alone):
    rankwright.prove(REVERSE_TWICE, database=alone)

    def call():
        rankwright.query("op=reverse", database=alone)
        try:
            rankwright.query("colour=blue", database=alone)
        except rankwright.UsageError:
            pass
    flat(call, 10000)


def test_simplify_and_record(alone):
    rankwright.prove(REVERSE_TWICE, database=alone)
    flat(lambda: str(rankwright.simplify(PROGRAM, database=alone, progress=False).record), 2000)


def test_databases():
    flat(lambda: rankwright.Database(), 100)


def test_databases_that_the_worker_has():
    def call():
        database = rankwright.Database(library=False)
        rankwright.prove(REVERSE_TWICE, database=database, domains=["float"], search=False, progress=False)
        assert rankwright.simplify(PROGRAM, database=database, progress=False).steps == 1
    flat(call, 100)


def test_jit_10000():
    jax = pytest.importorskip("jax")
    fast = rankwright.jit(lambda state, scale: {"x": jax.numpy.flip(jax.numpy.flip(state["x"])) * scale})
    state = {"x": jax.numpy.ones(8)}
    flat(lambda: fast(state, 2.0), 10000)
    # Under a transformation the original is called.
    flat(lambda: jax.vmap(fast, (0, None))(state, 2.0), 500)
