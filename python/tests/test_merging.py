# SPDX-License-Identifier: Apache-2.0
"""Databases into one: what comes, what is refused, what an end in between leaves."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import rankwright
from conftest import FALSE_RULE, REVERSE_TWICE
from rankwright import apart


@pytest.fixture
def theirs(tmp_path):
    path = tmp_path / "theirs.db"
    rankwright.prove(REVERSE_TWICE + FALSE_RULE, database=rankwright.Database(path, library=False), progress=False)
    return path


@pytest.mark.parametrize("reprove", [False, True])
@pytest.mark.parametrize("kind", ["memory", "file"])
def test_merge(kind, reprove, theirs, tmp_path):
    ours = rankwright.Database(None if kind == "memory" else tmp_path / "ours.db", library=False)
    merged = rankwright.merge(ours, theirs, reprove=reprove)
    assert (merged.new_rules, merged.refused, merged.contradictions) == (2, 0, 0)
    assert rankwright.query_rule("reverse_twice", database=ours).verdicts["float"].decision == "proved"
    assert rankwright.query_rule("my_slice_of_slice", database=ours).verdicts["int"].counterexample
    again = rankwright.merge(ours, [theirs])
    assert again.new_rules == 0 and again.kept > 0


def test_what_is_not_there(tmp_path):
    with pytest.raises(rankwright.Error):
        rankwright.merge(rankwright.Database(library=False), [tmp_path / "nothing.db"])


def test_noise_is_an_error_or_refused(theirs, tmp_path):
    data, rng = theirs.read_bytes(), random.Random(1)
    for number in range(20):
        noise = bytearray(data)
        for _ in range(50):
            noise[rng.randrange(100, len(noise))] = rng.randrange(256)
        (tmp_path / "noise.db").write_bytes(noise)
        ours = rankwright.Database(library=False)
        try:
            rankwright.merge(ours, [tmp_path / "noise.db"])
        except rankwright.Error:
            pass
        for rule in rankwright.query(database=ours):
            assert rule.name != "my_slice_of_slice" or rule.verdicts["int"].decision != "proved"


def test_a_crash_leaves_the_database_as_it_was(theirs, tmp_path):
    ours = rankwright.Database(library=False)
    rankwright.formula("x - x")
    os.kill(apart.worker_process(), signal.SIGSTOP)
    threading.Timer(0.3, os.kill, (apart.worker_process(), signal.SIGKILL)).start()
    assert rankwright.merge(ours, [theirs]).new_rules == 2  # it had not begun, and another worker did it
    ours, start = rankwright.Database(library=False), time.monotonic()

    def kill():
        while time.monotonic() < start + 60 and not ended.wait(0.05):
            pid = apart.worker_process()
            children = open("/proc/%d/task/%d/children" % (pid, pid)).read() if pid else ""
            if children or time.monotonic() > start + 2:
                os.kill(pid, signal.SIGKILL)
                return
    library, ended = rankwright.default_database().library, threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(rankwright.InternalError, match="SIGKILL"):
        rankwright.merge(ours, [library], reprove=True, progress=False)
    ended.set()
    killer.join()
    assert len(rankwright.query(database=ours)) == 0


def test_ctrl_c_keeps_what_was_stored():
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent("""
        import signal, rankwright
        signal.signal(signal.SIGINT, signal.default_int_handler)
        ours = rankwright.Database(library=False, limits={"workers": 1})
        print("start", flush=True)
        try:
            rankwright.merge(ours, rankwright.default_database().library, reprove=True, progress=False)
        except KeyboardInterrupt:
            print("stopped", len(rankwright.query(database=ours)) > 0)
    """)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "start\n"
    time.sleep(5)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=120)[0] == "stopped True\n"
