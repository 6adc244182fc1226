# SPDX-License-Identifier: Apache-2.0
"""Times programs in JAX before and after `simplify`, and compares cost models with run times.

    python run.py RANKWRIGHT DATABASE [--programs] [--models] [--only NAME,...] [--markdown]

--programs runs each function of functions.py as JAX exports it, and as `simplify` writes it
in the domains real, float-sums and float with the default cost.  A table shows milliseconds and their ratios;
"same": XLA compiles both to the same program.  The command fails if a simplified program
takes more than 1.05 times as long, or gives other numbers.  Of `float` it is also counted how
many programs give every bit.
--models runs the small programs of small.py and prints, for each cost model, Spearman's rank
correlation of its costs with the run times.  Without options both are done.

One core, CPU time, programs interleaved, the least of many runs: so other load on the
machine matters little.  Needs JAX: tests/programs/requirements.txt.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import one_core  # noqa: F401  before JAX

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tests" / "programs")]
import jax
import numpy as np
import run_jax
from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir

import functions
import small

DOMAINS = ("real", "float-sums", "float")
SLOWER = 1.05
MODELS = ("time", "flops", "bytes", "nodes")


def simplify(options, path, out, *more):
    """Writes the simplified program to `out`; the cost before."""
    done = subprocess.run([options.rankwright, "simplify", str(path), "--db", options.database, "-o", str(out),
                           "--json", *more], capture_output=True, text=True)
    if done.returncode not in (0, 2):
        sys.exit(done.stderr)
    return json.loads(done.stdout)["cost_before"]


class Program:
    """A compiled program.  The inputs are those of `like`: the same bytes at the same places."""

    def __init__(self, path, like=None):
        module = run_jax.parse(path)
        self.run = run_jax.load(path, module)
        rng = np.random.default_rng(1)
        self.inputs = like.inputs if like else run_jax.place(
            [run_jax.draw(rng, *kind) for kind in run_jax.signature(path, module)[0]])
        self.best = float("inf")

    def compiled(self):
        """What XLA made of it, but for names and places: programs with equal texts run alike."""
        text = self.run.__self__.hlo_modules()[0].to_string()
        text = re.sub(r"^HloModule \S+|, metadata=\{[^}]*\}|, backend_config=\{[^\n]*", "", text)
        text = re.sub(r"(FileNames|FunctionNames|FileLocations|StackFrames)\n(?:\d.*\n)*", "", text)
        names = {}
        return re.sub(r"%[\w.-]+", lambda name: names.setdefault(name[0], "%%%d" % len(names)), text)

    def results(self):
        arrays = self.run(self.inputs).disassemble_into_single_device_arrays()
        return [jax.block_until_ready(array[0]) for array in arrays]

    def once(self):
        start = time.process_time()
        self.results()
        self.best = min(self.best, time.process_time() - start)


def measure(programs, seconds, slower=None):
    """Interleaved runs; more of them while one program seems slower than the first."""
    for program in programs:
        program.results()
    for _ in range(5):
        end = time.monotonic() + seconds
        rounds = 0
        while rounds < 10 or (time.monotonic() < end and rounds < 2000):
            for program in programs[::1 - 2 * (rounds % 2)]:
                program.once()
            rounds += 1
        if slower is None or all(p.best <= slower * programs[0].best for p in programs):
            break


def differences(a, b):
    return [text for x, y in zip(a, b, strict=True)
            if (text := run_jax.compare(np.asarray(x), np.asarray(y), 1e-3)) is not None]


def function_row(options, work, name):
    """Milliseconds before, and in each domain after; what is wrong; is the last one equal in every bit?"""
    path = work / (name + ".mlir")
    path.write_text(functions.text(name))
    programs = {"before": Program(path)}
    wrong, exact = [], True
    for domain in DOMAINS:
        out = work / ("%s.%s.mlir" % (name, domain))
        simplify(options, path, out, "--domain", domain)
        after = Program(out, programs["before"])
        results = programs["before"].results(), after.results()
        wrong += differences(*results)
        exact = all(np.asarray(x).tobytes() == np.asarray(y).tobytes() for x, y in zip(*results))
        programs[domain] = next((p for p in programs.values() if p.compiled() == after.compiled()), after)
    measure(list({id(p): p for p in programs.values()}.values()), options.seconds, SLOWER)
    times = [program.best * 1e3 for program in programs.values()]
    wrong += ["%s is slower" % d for d, t in zip(DOMAINS, times[1:]) if t > SLOWER * times[0]]
    return times, wrong, exact


def row(options, cells):
    """A line of the table; the first cell is a name."""
    bar = "| " if options.markdown else ""
    widths = [24] + [10] * (1 + len(DOMAINS)) + [10] * len(DOMAINS)
    text = " ".join("%s%s" % (bar, cell.ljust(24) if width == 24 else cell.rjust(width))
                    for cell, width in zip(cells, widths))
    return (text + " " + bar).rstrip()


def run_functions(options, work):
    print(row(options, ["function", "before ms", *("%s ms" % d for d in DOMAINS), *DOMAINS]))
    if options.markdown:
        print("|---" + "|--:" * (1 + 2 * len(DOMAINS)) + "|")
    failed, ratios, exact = 0, [], {}
    for name in functions.FUNCTIONS:
        if options.only and name not in options.only:
            continue
        times, wrong, same = function_row(options, work, name)
        own = [t / times[0] for t in times[1:]]
        ratios += own
        exact[name] = same
        print(row(options, [name, *("%.3f" % t for t in times),
                            *("same" if ratio == 1 else "%.2f" % ratio for ratio in own)]) +
              "; ".join(["", *wrong]), flush=True)
        failed += bool(wrong)
    print("\n%d programs: %d at least 5%% faster, %d more than 5%% slower; geometric mean of the ratios %.3f" % (
        len(ratios), sum(r < 0.95 for r in ratios), sum(r > SLOWER for r in ratios),
        np.exp(np.mean(np.log(ratios)))))
    print("float: %d of %d functions give every bit" % (sum(exact.values()), len(exact)) +
          "".join("; not %s" % name for name, same in exact.items() if not same))
    return failed


def ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    values = np.asarray(values)
    return np.array([(np.sum(values < v) + np.sum(values <= v) + 1) / 2 for v in values])


def spearman(a, b):
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def run_models(options, work):
    rows = []
    for name in small.PROGRAMS:
        if options.only and name not in options.only:
            continue
        path = work / (name + ".small.mlir")
        path.write_text(functions.text(name, small.PROGRAMS))
        program = Program(path)
        measure([program], options.seconds / 4)
        cost = [simplify(options, path, work / "unused.mlir", "--cost", model, "--iterations", "1")
                for model in MODELS]
        rows.append((name, program.best * 1e6, *cost))
        print("%-24s %10.1f us  %s" % (name, rows[-1][1], "  ".join("%s %.4g" % c for c in zip(MODELS, cost))),
              flush=True)
    for k, model in enumerate(MODELS):
        print("rank correlation of %s with the run time of %d programs: %.3f" % (
            model, len(rows), spearman([r[1] for r in rows], [r[2 + k] for r in rows])))
    return 0


def main():
    parser = argparse.ArgumentParser(description="Times programs in JAX before and after simplify.")
    parser.add_argument("rankwright")
    parser.add_argument("database")
    parser.add_argument("--programs", action="store_true", help="only the table of functions")
    parser.add_argument("--models", action="store_true", help="only the rank correlations")
    parser.add_argument("--only", type=lambda text: text.split(","), help="only these (comma separated)")
    parser.add_argument("--seconds", type=float, default=2, help="of a function's first round of runs")
    parser.add_argument("--markdown", action="store_true", help="print the table of functions as Markdown")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the programs in this folder")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder, make_ir_context(), ir.Location.unknown():
        work = options.keep or pathlib.Path(folder)
        work.mkdir(exist_ok=True)
        if not options.models:
            failed += run_functions(options, work)
        if not options.programs:
            failed += run_models(options, work)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
