"""Fails every allocation, and every call about files and processes, one at a time.

run.py RANKWRIGHT FAULTS [--every K] [--offset N] [--only NAME] [--most N] [--sites]: FAULTS is
the shared object of faults.c.  Each scenario is a command on small inputs.  The command runs
once for each call that it makes (or each K-th; or, with --sites, the first of those with the same
stack), and that call fails: once, or from there on.  Or the process is interrupted there.  Then
  - the command ends by itself, with its usual answer or with a message and status 74
    (2, "don't know", if a worker process failed);
  - status 0 comes with the usual output, files and verdicts;
  - the database is whole, and has every verdict that it had;
  - each output is whole or absent, and no temporary file stays.
"""
import argparse
import collections
import concurrent.futures
import os
import queue
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

OLD = """rule twice { axes x; map n on x; tensor A[x: n] : num; negate(negate(A)) => A; }
rule gone { axes x; map n on x; tensor A[x: n] : real, B[x: n] : real; A + B - A => B; }
"""
NEW = """rule again { axes x; map n on x; tensor A[x: n] : num; A - 0 => A; }
rule wrong { axes x; map n on x; tensor A[x: n] : int; A + 1 => A; }
"""
PROGRAM = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
OUTPUTS = ["out.mlir", "out.json", "out.html", "out.dot", "out.expr"]
WRITE = ["-o", "out.mlir", "--proof", "out.json", "--dump-egraph", "out.dot"]
# name: the command, and the statuses beside 0 and 74
SCENARIOS = {
    "prove": (["prove", "new.rw", "--db", "f.db", "-j", "1"], {1}),
    "simplify": (["simplify", "p.mlir", "--db", "f.db", *WRITE], {0}),
    "formula": (["simplify", "-e", "x + y - x", "--db", "f.db", "--proof", "out.json",
                 "--html", "out.html", "-o", "out.expr"], {0}),
    "check": (["check", "r.json", "--db", "f.db"], {0}),
    "reprove": (["check", "r.json", "--reprove", "-j", "1"], {0}),
    "explain": (["explain", "r.json", "--db", "f.db", "--html", "out.html"], {0}),
    "merge": (["merge", "other.db", "lines", "--db", "f.db"], {0}),
}
# What fails, how and where.
KINDS = {
    "memory": {"FAULT_KIND": "memory", "FAULT_ON": "once", "FAULT_WHERE": "first"},
    "memory-on": {"FAULT_KIND": "memory", "FAULT_ON": "on", "FAULT_WHERE": "first"},
    "files": {"FAULT_KIND": "files", "FAULT_ON": "once", "FAULT_WHERE": "first"},
    "files-on": {"FAULT_KIND": "files", "FAULT_ON": "on", "FAULT_WHERE": "first"},
    "interrupt": {"FAULT_KIND": "interrupt", "FAULT_ON": "once", "FAULT_WHERE": "first"},
    "worker-memory": {"FAULT_KIND": "memory", "FAULT_ON": "once", "FAULT_WHERE": "children"},
    "worker-files": {"FAULT_KIND": "files", "FAULT_ON": "once", "FAULT_WHERE": "children"},
}
WITH_WORKERS = {"prove", "reprove"}


def run(folder, command, env, seconds=120):
    try:
        done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=seconds)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return "hang", b"", b""


class Server:
    """The program, loaded once, and forked in front of main for each run (faults.c)."""

    def __init__(self, command, env, folder):
        requests, self.ask = os.pipe()
        self.hear, answers = os.pipe()
        env = {**env, "FAULT_SERVER": f"{requests},{answers}"}
        self.process = subprocess.Popen(command, env=env, cwd=folder, stdin=subprocess.DEVNULL,
                                        pass_fds=(requests, answers))
        os.close(requests)
        os.close(answers)

    def line(self, seconds):
        text = b""
        while not text.endswith(b"\n"):
            if not select.select([self.hear], [], [], seconds)[0]:
                return None
            byte = os.read(self.hear, 1)
            if not byte:
                raise RuntimeError("the program cannot be loaded")
            text += byte
        return int(text)

    def run(self, folder, number, seconds=120):
        os.write(self.ask, f"{number} {folder}\n".encode())
        pid, status = self.line(seconds), self.line(seconds)
        if status is None:
            os.kill(pid, signal.SIGKILL)
            self.line(None)
        said = [open(os.path.join(folder, name), "rb").read() for name in ("stdout", "stderr")]
        return "hang" if status is None else os.waitstatus_to_exitcode(status), *said

    def close(self):
        os.close(self.ask)
        self.process.wait()
        os.close(self.hear)


def verdicts(folder):
    """Rows without times, and what SQLite says of the file."""
    base = sqlite3.connect(os.path.join(folder, "f.db"))
    base.text_factory = bytes
    try:
        whole = base.execute("PRAGMA integrity_check").fetchall() == [(b"ok",)]
        rows = set(base.execute("SELECT rule, domain, verdict, obligations FROM verdict"))
        rows |= set(base.execute("SELECT rule, domain, seq, verdict FROM obligation"))
        return whole, rows
    finally:
        base.close()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def verdict_of(rows):
    return {row[:2]: row[2] for row in rows if isinstance(row[2], bytes)}


def contents(folder):
    found = {}
    for name in OUTPUTS:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            found[name] = read(path)
    return found


class Scenario:
    def __init__(self, name, rankwright, template, env):
        self.name, self.template = name, template
        words, self.statuses = SCENARIOS[name]
        self.command = [rankwright, *words]
        self.env = env
        self.given = {name: read(os.path.join(template, name)) for name in os.listdir(template)
                      if name != "library"}
        self.before = verdicts(template)[1]
        with self.copy() as folder:
            self.status, self.out, self.err = run(folder, self.command, env)
            self.whole, self.after = verdicts(folder)
            self.files = contents(folder)
        assert self.whole and self.status in self.statuses, (name, self.status, self.err)

    def copy(self):
        folder = tempfile.TemporaryDirectory(dir=os.path.dirname(self.template))
        for name, text in self.given.items():
            with open(os.path.join(folder.name, name), "wb") as file:
                file.write(text)
        return folder

    def calls(self, setting):
        with self.copy() as folder:
            log = os.path.join(folder, "log")
            run(folder, self.command, {**self.env, **setting, "FAULT_LOG": log})
            return int.from_bytes(read(log), sys.byteorder)

    def sites(self, setting):
        """The first call with each stack."""
        with self.copy() as folder:
            log = {"FAULT_LOG": os.path.join(folder, "log"),
                   "FAULT_STACKS": os.path.join(folder, "stacks")}
            run(folder, self.command, {**self.env, **setting, **log}, None)
            first = {}
            for number, stack in struct.iter_unpack("=QQ", read(log["FAULT_STACKS"])):
                first[stack] = min(number, first.get(stack, number))
            return sorted(set(first.values()))

    def verdicts(self, folder):
        """As the function; a database that was not touched is as before."""
        if read(os.path.join(folder, "f.db")) == self.given["f.db"] and not any(
                os.path.exists(os.path.join(folder, "f.db" + end)) for end in ("-journal", "-wal")):
            return True, self.before
        return verdicts(folder)

    def complaint(self, setting, number, servers):
        with self.copy() as folder:
            server = servers.get()
            try:
                status, out, err = server.run(folder, number)
            finally:
                servers.put(server)
            said = err.decode(errors="replace").strip().splitlines()
            last = said[-1] if said else ""
            interrupted = {-2, 130} if setting["FAULT_KIND"] == "interrupt" else set()
            allowed = self.statuses | interrupted | {74} | ({2} if self.name in WITH_WORKERS else set())
            if status not in allowed:
                return f"status {status}: {last[:200]}"
            if status == 74 and not any(l.startswith("rankwright: ") for l in said):
                return f"status 74 without a message: {last[:200]}"
            whole, rows = self.verdicts(folder)
            if not whole:
                return "the database is damaged"
            if not self.before <= rows:
                return f"verdicts are lost: {sorted(self.before - rows)[:2]}"
            # A worker process that failed, or could not be heard, gives "unknown".
            known, usual = verdict_of(rows), verdict_of(self.after)
            wrong = [k for k, v in known.items() if v not in (usual.get(k), b"unknown")]
            if wrong:
                return f"a verdict of no proof: {wrong[0]}"
            if status in self.statuses and known.keys() != usual.keys():
                return f"status {status}, but not all verdicts are kept"
            files = contents(folder)
            for name, text in files.items():
                if text != self.files[name]:
                    return f"{name} is not whole ({len(text)} of {len(self.files[name])} bytes)"
            if status in self.statuses and known == usual:
                if out != self.out:
                    return f"status {status} with another output: {out[:200]!r}"
                if files != self.files:
                    return f"status {status} without {set(self.files) - set(files)}"
                if rows != self.after:
                    return f"status {status} with other obligations"
            left = [f for f in os.listdir(folder) if f.endswith(".tmp")]
            return f"{left} stays" if left else None


def prepare(rankwright, folder, env):
    def write(name, text):
        with open(os.path.join(folder, name), "w") as out:
            out.write(text)

    def must(*words, stdin=None):
        with open(os.path.join(folder, stdin) if stdin else os.devnull) as given:
            done = subprocess.run([rankwright, *words], cwd=folder, env=env, stdin=given,
                                  capture_output=True)
        assert done.returncode in (0, 1), (words, done.stderr)
        return done.stdout

    os.mkdir(os.path.join(folder, "library"))
    write("library/old.rw", OLD)
    write("new.rw", NEW)
    write("third.rw", "rule third { axes x; map n on x; tensor A[x: n] : any; "
                      "reverse(reverse(A, {x}), {x}) => A; }\n")
    write("p.mlir", PROGRAM)
    must("prove", "library", "--db", "f.db", "-j", "1")
    must("prove", "new.rw", "--db", "other.db", "-j", "1")
    write("rules", must("prove", "--list", "third.rw").decode())
    write("lines", must("prove", "--worker", "--no-times", stdin="rules").decode())
    must("simplify", "p.mlir", "--db", "f.db", "-o", "o.mlir", "--proof", "r.json")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rankwright")
    parser.add_argument("faults")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int, default=0, help="calls tried of one kind")
    parser.add_argument("--sites", action="store_true", help="one call of each stack")
    given = parser.parse_args()
    rankwright = os.path.abspath(given.rankwright)
    # In memory, where it can be: what a disk is asked for is what the test is about.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    work = tempfile.mkdtemp(dir=memory)
    template = os.path.join(work, "template")
    os.mkdir(template)
    env = {**os.environ, "RANKWRIGHT_LIBRARY": os.path.join(template, "library"),
           "XDG_DATA_HOME": work, "LC_ALL": "C"}
    failures = tried = 0
    start = time.monotonic()
    try:
        prepare(rankwright, template, env)
        env["LD_PRELOAD"] = os.path.abspath(given.faults)
        for name in SCENARIOS:
            scenario = Scenario(name, rankwright, template, env)
            for kind, setting in KINDS.items():
                if given.only not in f"{name}/{kind}":
                    continue
                if setting["FAULT_WHERE"] == "children" and name not in WITH_WORKERS:
                    continue
                calls = scenario.calls(setting)
                numbers = scenario.sites(setting) if given.sites else range(1, calls + 1)
                step = given.every
                if given.most:
                    step = max(step, -(-len(numbers) // given.most))
                numbers = numbers[given.offset % step::step]
                found = fail(scenario, setting, numbers)
                bad = sum(map(len, found.values()))
                print(f"{name}/{kind}: {calls} calls, {len(numbers)} failed, {bad} wrong"
                      f" ({time.monotonic() - start:.0f} s)", flush=True)
                for what, at in list(found.items())[:20]:
                    print(f"    {len(at)} times, first at {at[0]}: {what}", flush=True)
                failures += bad
                tried += len(numbers)
    finally:
        shutil.rmtree(work)
    print(f"{tried} faults, {failures} wrong")
    sys.exit(failures != 0 or tried == 0)


def fail(scenario, setting, numbers):
    """Fails the calls, one a run.  What was wrong, and at which calls."""
    workers, found = os.cpu_count(), collections.OrderedDict()
    servers = queue.Queue()
    for _ in range(workers):
        servers.put(Server(scenario.command, {**scenario.env, **setting}, scenario.template))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        complaints = pool.map(lambda n: scenario.complaint(setting, n, servers), numbers)
        for number, complaint in zip(numbers, complaints):
            if complaint:
                found.setdefault(complaint, []).append(number)
    while not servers.empty():
        servers.get().close()
    return found


main()
