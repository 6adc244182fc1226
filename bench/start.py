#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processor time (user and system) of the start of a program: of `--version`, and of `simplify` on
one operation, where a user's database lies over a library's, and over one twice as large.

    bench/start.py RANKWRIGHT DATABASE [RUNS]

DATABASE has the verdicts on rules/library. The commands run in turn; each line is the least of the
runs (20).
"""
import os
import subprocess
import sys
import tempfile

if len(sys.argv) not in (3, 4):
    print("usage: bench/start.py RANKWRIGHT DATABASE [RUNS]", file=sys.stderr)
    sys.exit(64)
rankwright, database = sys.argv[1:3]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 20
PROGRAM = """func.func @f(%x: tensor<8x4xf32>{more}) -> tensor<8x4xf32> {{
  %0 = stablehlo.{operation} {operands} : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}}
"""


def processor_time(command, environment):
    run = subprocess.Popen([rankwright, *command], env=environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = run.stderr.read()
    _, status, used = os.wait4(run.pid, 0)
    if status != 0 or b"not used" in message:
        sys.exit(f"bench: {' '.join(command)}: {message.decode()}")
    return 1e3 * (used.ru_utime + used.ru_stime)


with tempfile.TemporaryDirectory() as work:
    subprocess.run([sys.executable, "tests/lib/double_library.py", rankwright, "rules/library", database,
                    f"{work}/twice", f"{work}/twice.db"], check=True, stdout=subprocess.DEVNULL)
    once = dict(os.environ, RANKWRIGHT_LIBRARY=os.path.abspath("rules/library"),
                RANKWRIGHT_LIBRARY_DATABASE=f"{work}/once.db", XDG_DATA_HOME=f"{work}/home")
    twice = dict(once, RANKWRIGHT_LIBRARY=f"{work}/twice",
                 RANKWRIGHT_LIBRARY_DATABASE=f"{work}/twice.db")
    with open(database, "rb") as source, open(f"{work}/once.db", "wb") as target:
        target.write(source.read())
    for command in (["-e", "x"], ["-"]):
        subprocess.run([rankwright, "simplify", *command, "--db", f"{work}/once.db"], check=True,
                       env=dict(once, RANKWRIGHT_LIBRARY_DATABASE=""), stderr=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, input=b"func.func @none() { return }")
    lines = [("--version", ["--version"], once)]
    for operation, operands, more in (("negate", "%x", ""),
                                      ("add", "%x, %y", ", %y: tensor<8x4xf32>")):
        path = f"{work}/{operation}.mlir"
        with open(path, "w") as file:
            file.write(PROGRAM.format(operation=operation, operands=operands, more=more))
        for domain in ("float", "real"):
            command = ["simplify", path, "--domain", domain]
            lines += [(f"simplify {operation}, {domain}", command, once),
                      (f"simplify {operation}, {domain}, twice the library", command, twice)]
    lines += [("simplify -e x+0", ["simplify", "-e", "x+0"], once),
              ("simplify -e x+0, twice the library", ["simplify", "-e", "x+0"], twice)]
    times = [[processor_time(command, layers) for _, command, layers in lines]
             for _ in range(runs)]
    for (name, _, _), *of in zip(lines, *times):
        print("%-44s %6.1f ms" % (name, min(of)))
