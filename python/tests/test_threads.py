# SPDX-License-Identifier: Apache-2.0
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import rankwright
from conftest import FALSE_RULE, FLIP, REVERSE_TWICE

HEAVY = str(rankwright.library_rules() / "contractions")


def test_two_databases_in_two_threads():
    errors, texts = [], []

    def work(number):
        try:
            database = rankwright.Database()
            for _ in range(10):
                texts.append(rankwright.simplify(FLIP, database=database).text)
                assert rankwright.prove(REVERSE_TWICE if number % 2 else FALSE_RULE, again=True, database=database,
                                        domains=["int"], progress=False).refuted is (number % 2 == 0)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(texts) == 30 and len(set(texts)) == 1


def test_the_interpreter_runs_meanwhile():
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    rankwright.prove(FALSE_RULE, again=True, database=rankwright.Database(library=False))
    stop.set()
    thread.join()
    assert ticks[0] > 5


def test_one_database_shared_by_threads(database):
    found = []
    threads = [threading.Thread(target=lambda: found.append(rankwright.simplify(FLIP, database=database).steps))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1


def test_handles_of_other_threads_are_released():
    results = [rankwright.simplify(FLIP) for _ in range(5)]
    thread = threading.Thread(target=lambda: (results.clear(), gc.collect()))
    thread.start()
    thread.join()
    assert rankwright.simplify(FLIP).steps > 0


def script(tmp_path, text):
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(text))
    return subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


PROVE = """
    import signal, rankwright
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background of a shell
    database = rankwright.Database({path!r}, library=False, limits={{"workers": 1}})
    print("start", flush=True)
    try:
        rankwright.prove(rankwright.library_rules(), database=database, progress=False)
        print("all")
    except KeyboardInterrupt:
        print("interrupted", len(rankwright.query(database=database)), flush=True)
    print("alive", rankwright.formula("exp(a)/(1+exp(a))").text)
"""


@pytest.mark.parametrize("wait", [2.0])
def test_interrupted_proofs_keep_what_was_proved(tmp_path, wait):
    path = str(tmp_path / "rules.db")
    child = script(tmp_path, PROVE.format(path=path))
    assert child.stdout.readline() == "start\n"
    # Until something is proved.
    reader = None
    for _ in range(600):
        time.sleep(0.1)
        if os.path.exists(path):
            reader = reader or rankwright.Database(path, library=False, read_only=True)
            if rankwright.query(database=reader):
                break
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    assert out.startswith("interrupted "), (out, err)
    assert int(out.split()[1]) > 0 and "alive sigmoid(a)" in out
    assert child.returncode == 0


def test_cancel_from_another_thread():
    database = rankwright.Database(library=False, limits={"workers": 1})
    ended = threading.Event()

    def cancel():
        while not ended.wait(0.1):
            database.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    report = rankwright.prove(rankwright.library_rules(), database=database, progress=False)
    ended.set()
    thread.join()
    assert report.interrupted
    # The next call is not affected.
    assert rankwright.prove(REVERSE_TWICE, database=database).proved


def test_interrupted_simplification(tmp_path):
    """Ctrl-C while another thread is inside the library, or before: nothing of it stays."""
    child = script(tmp_path, """
        import signal, threading, time, rankwright, sys
        sys.path.insert(0, {tests!r})
        from conftest import FLIP
        signal.signal(signal.SIGINT, signal.default_int_handler)
        steps = rankwright.simplify(FLIP).steps
        for i in range(10):
            timer = threading.Timer(0.01 * i, signal.raise_signal, (signal.SIGINT,))
            try:
                timer.start()
                while True:
                    rankwright.simplify(FLIP)
            except KeyboardInterrupt:
                pass
            timer.join()
            assert rankwright.simplify(FLIP).steps == steps, i
        print("interrupted")
    """.format(tests=os.path.dirname(os.path.abspath(__file__))))
    out, err = child.communicate(timeout=300)
    assert out == "interrupted\n", (out, err)


def test_crashed_workers_leave_the_interpreter_alive(tmp_path):
    """Kills every worker that it sees."""
    database = rankwright.Database(tmp_path / "rules.db", library=False, limits={"workers": 2})
    stop = threading.Event()

    def kill_children():
        while not stop.is_set():
            children = open("/proc/%d/task/%d/children" % (os.getpid(), prover[0])).read().split() if prover else []
            for child in children:
                try:
                    os.kill(int(child), signal.SIGSEGV)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)

    prover, found = [], []

    def run():
        prover.append(threading.get_native_id())
        found.append(rankwright.prove(rankwright.library_rules() / "movement" / "slice.rw", database=database,
                                      progress=False))

    killer, thread = threading.Thread(target=kill_children), threading.Thread(target=run)
    killer.start()
    thread.start()
    thread.join()
    stop.set()
    killer.join()
    unknown = [v for v in found[0].verdicts if v.decision == "unknown"]
    assert unknown and all(v.reason for v in unknown)
    # Nothing wrong was kept, and the next call goes on.
    assert rankwright.prove(REVERSE_TWICE, database=database).proved


def test_calls_from_callbacks_are_refused(database):
    from rankwright import _library
    with _library.inside(), pytest.raises(rankwright.UsageError):
        database.limit("seconds", 1)


def test_a_forked_process_has_its_own_default(tmp_path):
    child = script(tmp_path, """
        import os, rankwright
        assert rankwright.formula("exp(a)/(1+exp(a))").text == "sigmoid(a)"
        pid = os.fork()
        if pid == 0:
            os._exit(0 if rankwright.formula("exp(a)/(1+exp(a))").text == "sigmoid(a)" else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """)
    out, err = child.communicate(timeout=120)
    assert out == "0\n", err
