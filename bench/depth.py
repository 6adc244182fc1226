#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simplifies programs of equal blocks, of 100 to 100,000 operations.

    bench/depth.py RANKWRIGHT [--db F] [--most OPERATIONS] [--domain real|float]

Prints for every kind of block and every length: operations left, and the effort for each
operation, in CPU microseconds and KiB, beyond that for a program of a few blocks.  Exit
status 0 if the same is left of every block, and time and memory for each operation stay
within a factor from some length on.  Over the reals most searches end by their effort, of
which a program of less than 1,000 operations has more for each (EGRAPH_STEPS).
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GENERATOR = os.path.join(HERE, "..", "tests", "lib", "block_program.py")
FACTOR = 1.3  # between the lengths from these on
LEAST = 1000  # of time: shorter ones are too short to measure
LEAST_MEMORY = 10000  # arrays of shorter ones share large pages that are not full
FEW = 2  # blocks of the program that the others are compared with


# No whole program is held here: what this process once held counts as memory of the programs that
# it starts.
def generate(shape, kind, blocks, path):
    with open(path, "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, GENERATOR, shape, str(blocks), kind],
                       stdout=file, check=True)
    return count(path)


def count(path):
    with open(path, encoding="utf-8") as file:
        return sum("= stablehlo." in line and "stablehlo.constant" not in line for line in file)


def simplify(args, source, output):
    """CPU seconds and KiB at the peak, of one process."""
    command = [args.rankwright, "simplify", source, "--db", args.db, "--domain", args.domain,
               "--cost", "nodes", "-o", output]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 2):
        sys.exit(f"depth: {' '.join(command)}: status {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def measure(args, work, shape, kind, blocks, runs=3):
    source, output = os.path.join(work, "in.mlir"), os.path.join(work, "out.mlir")
    before = generate(shape, kind, blocks, source)
    used = [simplify(args, source, output) for _ in range(2 if before > 20000 else runs)]
    return before, count(output), min(u[0] for u in used), min(u[1] for u in used)


def table(args, work, shape, kind):
    """Prints the rows of one kind of program; false if they are not constant."""
    few = measure(args, work, shape, kind, FEW)
    per_block = (measure(args, work, shape, kind, FEW + 2)[0] - few[0]) / 2
    left, micros, kib = [], [], []
    wanted = 100
    while wanted <= args.most:
        blocks = round(wanted / per_block / 2) * 2
        before, after, seconds, peak = measure(args, work, shape, kind, blocks)
        left.append((after - few[1]) / (blocks - FEW))
        micro = (seconds - few[2]) / (before - few[0]) * 1e6
        memory = (peak - few[3]) / (before - few[0])
        print(f"{shape:6} {kind:6} {before:7} {after:7} {left[-1]:9.3f} {micro:10.1f} "
              f"{memory:8.2f}", flush=True)
        if before >= LEAST * 0.9:
            micros.append(micro)
        if before >= LEAST_MEMORY * 0.9:
            kib.append(memory)
        wanted *= 10
    same = max(left) == min(left)
    steady = all(max(x) <= FACTOR * min(x) for x in (micros, kib) if x)
    if not same or not steady:
        print(f"{shape} {kind}: " + ("not the same is left of every block" if not same else
                                     f"time or memory varies by more than {FACTOR}"))
    return same and steady


def main():
    parser = argparse.ArgumentParser(description="Programs of equal blocks.")
    parser.add_argument("rankwright")
    parser.add_argument("--db", default="build/library.db")
    parser.add_argument("--most", type=int, default=100000)
    parser.add_argument("--domain", default="float")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"{'':13} {'before':>7} {'left':>7} {'per block':>9} {'us per op':>10} {'KiB':>8}")
    good = True
    with tempfile.TemporaryDirectory() as work:
        for shape in ("chain", "tree"):
            for kind in ("plain", "norm", "column"):
                good = table(args, work, shape, kind) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
