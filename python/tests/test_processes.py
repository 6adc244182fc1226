# SPDX-License-Identifier: Apache-2.0
"""Calls from the pools, loops and kernels of other libraries."""

import asyncio
import concurrent.futures
import multiprocessing
import threading
import time

import pytest

import rankwright
from conftest import FLIP, REVERSE_TWICE


def work(number):
    result = rankwright.simplify(FLIP)
    report = rankwright.prove(REVERSE_TWICE.replace("reverse_twice", "r%d" % number), progress=False)
    return result.text, result.check().valid, report.proved, len(rankwright.query("op=pad", "op=slice")) > 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")  # of fork, with threads
@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_multiprocessing(method):
    expected = work(0)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(work, range(4)).get(timeout=300) == [expected] * 4
    assert work(5) == expected


def test_a_pool_of_threads():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(work, range(8)))) == 1


def test_asyncio():
    """The loop runs on while threads of its own work."""
    async def main():
        ticks, ended = [0], asyncio.Event()

        async def tick():
            while not ended.is_set():
                ticks[0] += 1
                await asyncio.sleep(0.002)

        ticking = asyncio.ensure_future(tick())
        loop = asyncio.get_running_loop()
        found = await asyncio.gather(*(loop.run_in_executor(None, work, number) for number in range(4)))
        ended.set()
        await ticking
        return found, ticks[0]

    found, ticks = asyncio.run(main())
    assert len(set(found)) == 1 and ticks > 10


def test_results_in_other_processes():
    """Results are data; they go where pickle takes them."""
    result = rankwright.simplify(FLIP, database=None)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(str, (result.record,)).get(timeout=300) == result.record.text
        assert pool.apply_async(repr, (rankwright.prove(REVERSE_TWICE, progress=False),)).get(timeout=300)


LONG = """
import rankwright
try:
    rankwright.discover("add,mul,sub", domains="real", most=6, progress=False)
except KeyboardInterrupt:
    print("stopped")
"""


def test_the_kernel_of_a_notebook_is_interrupted():
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("ipykernel")
    kernel, client = manager.start_new_kernel(kernel_name="python3")
    try:
        texts = []

        def run(code):
            def hook(message):
                if message["msg_type"] == "stream":
                    texts.append(message["content"]["text"])
                elif message["msg_type"] == "error":
                    texts.extend(message["content"]["traceback"])
            return client.execute_interactive(code, output_hook=hook, timeout=300)

        run("import rankwright; print(rankwright.formula('x - x').text)")
        stopper = threading.Timer(3, kernel.interrupt_kernel)
        stopper.start()
        start = time.monotonic()
        run(LONG)
        assert time.monotonic() - start < 60
        run("print(rankwright.formula('exp(a)/(1 + exp(a))').text)")
        assert "".join(texts).split() == ["0", "stopped", "sigmoid(a)"]
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
