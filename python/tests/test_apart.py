# SPDX-License-Identifier: Apache-2.0
"""Work runs in a process of its own: what ends that process ends nothing else."""

import glob
import os
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time

import pytest

import rankwright
from conftest import FALSE_RULE, FLIP, REVERSE_TWICE
from rankwright import apart
from test_memory import PROGRAM

LONG = dict(domains="real", most=6, progress=False)  # `discover("add,mul,sub")` takes minutes


def worker():
    rankwright.formula("x - x")
    return apart.worker_process()


def when_busy(do, pid):
    """Does something to the worker once it has worked for a while."""
    def watch():
        before = processor_time(pid)
        while processor_time(pid) < before + 0.3:
            time.sleep(0.02)
        do()
    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def processor_time(pid):
    fields = open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descendants(pid):
    """Processes of its group, that have not ended."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            fields = open("/proc/%s/stat" % entry).read().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if entry.isdigit() and int(fields[2]) == pid and fields[0] != "Z":
            found.append(int(entry))
    return found


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_a_crash_is_an_exception(name):
    pid = worker()
    assert pid != os.getpid()
    thread = when_busy(lambda: os.kill(pid, getattr(signal, name)), pid)
    with pytest.raises(rankwright.InternalError, match=name):
        rankwright.discover("add,mul,sub", **LONG)
    thread.join()
    assert not descendants(pid)
    # The next call starts another process.
    assert rankwright.simplify(FLIP).steps > 0
    assert worker() not in (pid, os.getpid())


KERNEL = """// arguments: %arg0=out:*fp32, %arg1=n:i32
module { tt.func public @ones(%arg0: !tt.ptr<f32>, %arg1: i32) {
  %0 = tt.get_program_id x : i32
  %1 = arith.constant 1.0 : f32
  %2 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
  tt.store %2, %1 : !tt.ptr<f32>
  tt.return } }"""
QUIET = dict(progress=False)
CALLS = {
    "simplify": lambda: rankwright.simplify(FLIP),
    "formula": lambda: rankwright.formula("exp(a)/(1 + exp(a))"),
    "learn": lambda: rankwright.learn(FLIP, FLIP),
    "lift": lambda: rankwright.lift(KERNEL, grid="(n,)"),
    "check": lambda: rankwright.check(EXAMPLES["record"]),
    "check_kernel": lambda: rankwright.check_kernel(EXAMPLES["kernel"]),
    "explain": lambda: rankwright.Record(EXAMPLES["record"]).explain(),
    "html": lambda: rankwright.Record(EXAMPLES["record"]).html(),
    "shown in a notebook": lambda: EXAMPLES["simplified"]._repr_html_(),
    "prove": lambda: rankwright.prove(REVERSE_TWICE),
    "parse": lambda: rankwright.Rules.parse(REVERSE_TWICE),
    "sides": lambda: rankwright.Counterexample("", EXAMPLES["json"], FALSE_RULE).left,
    "meaning": lambda: EXAMPLES["rules"][0].meaning,
    "query": lambda: rankwright.query("op=slice"),
    "query_rule": lambda: rankwright.query_rule("slice_of_slice"),
    "query_sql": lambda: rankwright.query_sql("SELECT 1"),
    "query_values": lambda: rankwright.query_values("op"),
    "fires": lambda: rankwright.fires(FLIP, "op=slice"),
    "lint": lambda: rankwright.lint(REVERSE_TWICE, **QUIET),
    "generalize": lambda: rankwright.generalize(REVERSE_TWICE, **QUIET),
    "repair": lambda: rankwright.repair(REVERSE_TWICE, **QUIET),
    "derive": lambda: rankwright.derive(REVERSE_TWICE, FALSE_RULE, **QUIET),
    "minimal": lambda: rankwright.minimal(REVERSE_TWICE, **QUIET),
    "discover": lambda: rankwright.discover("not", domains="bool", **QUIET),
    "evaluate": lambda: rankwright.evaluate(FLIP),
    "compare": lambda: rankwright.compare(FLIP, FLIP),
}
EXAMPLES = {}


@pytest.fixture(scope="module", autouse=True)
def _examples():
    """What calls need, made before there are tests that end the worker."""
    simplified = rankwright.simplify(FLIP)
    rule = rankwright.prove(FALSE_RULE, domains=["int"], progress=False)
    EXAMPLES.update(simplified=simplified, record=simplified.record.text, rules=rankwright.Rules.parse(REVERSE_TWICE),
                    json=rule.verdict("int").counterexample._json, kernel=rankwright.lift(KERNEL, grid="(n,)").record)


class Asked(Exception):
    pass


@pytest.mark.parametrize("name", CALLS)
def test_which_calls_run_apart(name, monkeypatch):
    def call(self, function, *rest):
        raise Asked(function)

    monkeypatch.setattr(apart._Worker, "call", call)
    with pytest.raises(Asked):
        CALLS[name]()


def limit_memory(pid):
    resource.prlimit(pid, resource.RLIMIT_AS, (1, 1))


def kill_soon(pid):
    threading.Timer(0.005, os.kill, (pid, signal.SIGKILL)).start()


@pytest.mark.parametrize("end", [limit_memory, kill_soon])
@pytest.mark.parametrize("name", CALLS)
def test_no_call_ends_this_process(name, end):
    """An answer, or an exception that says what happened; and the next call works."""
    EXAMPLES["rules"][0].__dict__.pop("meaning", None)
    end(worker())
    for call in (CALLS[name], lambda: rankwright.formula("x - x")):
        try:
            call()
        except (rankwright.InternalError, rankwright.LimitError, MemoryError):
            pass
    time.sleep(0.01)
    apart._the_worker().kill()
    assert rankwright.formula("exp(a)/(1 + exp(a))").text == "sigmoid(a)"


def test_calls_from_what_a_call_shows():
    """They have a process of their own; the call goes on."""
    texts = []
    found = rankwright.generalize(REVERSE_TWICE.replace("reverse(", "where n == 4; reverse(", 1), progress=False,
                                  show=lambda finding: texts.append(rankwright.formula("exp(a)/(1 + exp(a))").text))
    assert found.new and texts == ["sigmoid(a)"] * len(found)


def test_a_worker_that_ended_between_two_calls():
    for _ in range(3):
        os.kill(worker(), signal.SIGKILL)
        assert rankwright.formula("exp(a)/(1 + exp(a))").text == "sigmoid(a)"


def test_no_more_memory():
    pid = worker()
    used = next(int(line.split()[1]) for line in open("/proc/%d/status" % pid) if line.startswith("VmSize")) * 1024
    resource.prlimit(pid, resource.RLIMIT_AS, (used + (1 << 20), used + (1 << 20)))
    with pytest.raises(rankwright.LimitError, match="memory"):
        rankwright.discover("add,mul,sub", **LONG)
    assert rankwright.simplify(FLIP).steps > 0


def test_memory_and_what_the_worker_knows_of_it(alone):
    copies = os.path.join(tempfile.gettempdir(), "rankwright-*")
    before = set(glob.glob(copies))
    assert rankwright.simplify(FLIP, database=alone).steps == 0
    rankwright.prove(REVERSE_TWICE, database=alone)
    result = rankwright.simplify(PROGRAM, database=alone)
    assert result.steps == 1 and result.check().valid
    assert rankwright.simplify(PROGRAM, database=rankwright.Database(library=False)).steps == 0
    assert set(glob.glob(copies)) == before


def test_a_file_that_others_write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ours, theirs = rankwright.Database("rules.db", library=False), rankwright.Database("rules.db", library=False)
    assert rankwright.simplify(PROGRAM, database=ours).steps == 0
    monkeypatch.chdir("/")  # the worker has the path as it was meant
    rankwright.prove(REVERSE_TWICE, database=theirs)
    assert rankwright.simplify(PROGRAM, database=ours).steps == 1


def test_a_crash_while_the_worker_has_processes():
    """They may hold its end of a pipe, and end with it."""
    seen = []

    def show(finding):
        seen.append(apart.worker_process())
        os.kill(seen[-1], signal.SIGKILL)

    start = time.monotonic()
    with pytest.raises(rankwright.InternalError, match="SIGKILL"):
        rankwright.generalize(rankwright.library_rules() / "movement" / "slice.rw", progress=False, show=show)
    assert time.monotonic() - start < 120 and not descendants(seen[-1])


def test_an_exception_of_show_ends_the_work():
    def show(finding):
        raise KeyError(finding.kind)

    start = time.monotonic()
    with pytest.raises(KeyError):
        rankwright.discover("and,or,not,xor", domains="bool", progress=False, show=show)
    assert time.monotonic() - start < 120
    assert rankwright.formula("exp(a)/(1 + exp(a))").text == "sigmoid(a)"


def run(text):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=300)


def test_ctrl_c_ends_what_cannot_be_cancelled():
    """The worker is stopped, as if it were in a loop."""
    done = run("""
        import os, signal, threading, rankwright
        from rankwright import apart
        signal.signal(signal.SIGINT, signal.default_int_handler)
        rankwright.formula("x - x")
        os.kill(apart.worker_process(), signal.SIGSTOP)
        threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
        try:
            rankwright.lift("module {\\n}")
        except KeyboardInterrupt:
            print("interrupted", rankwright.formula("exp(a)/(1 + exp(a))").text)
    """)
    assert done.stdout == "interrupted sigmoid(a)\n", done.stderr


def gone(pid):
    for _ in range(500):
        if not os.path.exists("/proc/%d" % pid) or open("/proc/%d/stat" % pid).read().split()[2] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_the_worker_ends_with_its_caller():
    """Also if the caller is killed, and a process that it forked lives on with its own worker."""
    done = run("""
        import os, signal, time, rankwright
        from rankwright import apart
        rankwright.formula("x - x")
        ours = apart.worker_process()
        pid = os.fork()
        if pid == 0:
            rankwright.formula("x - x")
            assert apart.worker_process() not in (None, ours)
            time.sleep(1)
            os._exit(0)
        print(ours, flush=True)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    assert gone(int(done.stdout)), done.stderr
