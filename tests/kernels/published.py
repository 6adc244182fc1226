# SPDX-License-Identifier: Apache-2.0
"""Lifts the published kernels of a folder, and compares what is proved with the formulas that expected.tsv of the folder
gives for their outputs.

    python3 tests/kernels/published.py RANKWRIGHT FOLDER [KERNEL ..]

One line a kernel: outputs that are proved, of all; seconds of the processor; MB; each expected formula: same (eval finds
the same numbers at random arguments, relative 1e-9 or the tolerance of the table), differs, not proved, or by hand (the
table gives no formula that eval reads, or the kernel reads an array in several ways)."""

import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

SIZES = (5, 7, 6, 4, 3, 8)  # of axes in the order of their names; no multiples of tiles
HEADER = re.compile(r"// arguments: (.*)")


def lift(program, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([program, "lift", str(path), "--json", "--as-written"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    outputs = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return outputs, after.ru_utime - before.ru_utime, after.ru_maxrss / 1024


def pointers(path):
    """The names of the kernel's arrays in the order of its arguments."""
    for line in path.read_text().splitlines():
        found = HEADER.match(line)
        if found:
            return [name for name, kind in re.findall(r"%arg\d+=(\w+):(\S+?)(?:,|$)", found.group(1)) if kind[0] == "*"]
    return []


def declarations(text):
    """The tensors of a formula with their axes, its scalars, and its body."""
    tensors, scalars = {}, []
    *heads, body = [part.strip() for part in text.split(";")]
    for head in heads:
        kind, _, rest = head.partition(" ")
        if kind == "scalar":
            scalars += [name.strip() for name in rest.split(",")]
            continue
        for name, axes in re.findall(r"(\w+)\s*\[([^]]*)\]", rest):
            tensors[name] = [axis.strip() for axis in axes.split(",")]
    return tensors, scalars, body


def renamed(text, names):
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda word: names.get(word.group(), word.group()), text)


def translated(expected, arrays, kernel_arrays, output, lifted, elements):
    """The expected formula with the names of the lifted one; None: they do not correspond one to one."""
    tensors, scalars, body = declarations(expected)
    own, own_scalars, _ = declarations(lifted)
    array_of = {}
    for name in own:
        stem = re.sub(r"_\d+$", "", name)
        fits = [p for p in kernel_arrays if p == name or p.removesuffix("_ptr") == name or p == stem
                or p.removesuffix("_ptr") == stem or p.lstrip("_") == name]
        if len(fits) != 1 or fits[0] in array_of.values():
            return None
        array_of[name] = fits[0]
    names = {}
    for name, axes in tensors.items():
        place = [array for array, _ in arrays].index(name)
        match = [mine for mine, array in array_of.items() if array == kernel_arrays[place]]
        if len(match) != 1 or len(own[match[0]]) != len(axes):
            return None
        names[name] = match[0]
        for axis, mine in zip(axes, own[match[0]]):
            if names.setdefault(axis, mine) != mine:
                return None
    axes = re.findall(r"\[([^]]*)\]", output)
    for axis, mine in zip(axes[0].split(",") if axes else [], re.findall(r"(\w+) < ", elements)):
        if names.setdefault(axis.strip(), mine) != mine:
            return None
    # Scalars have the caller's names, and those without a declaration are as they stand.
    ours, theirs = ([name for name in a if name not in b] for a, b in ((own_scalars, scalars + [body]), (scalars, own_scalars)))
    ours = [name for name in ours if not re.search(rf"\b{name}\b", body)]
    if len(ours) != len(theirs):
        return None
    names.update(zip(theirs, ours))
    heads = lifted.rpartition(";")[0]
    return (heads + "; " if heads else "") + renamed(body, names)


def compare(program, lifted, expected, tolerance):
    axes = sorted({axis for found in declarations(lifted)[0].values() for axis in found})
    sizes = ",".join(f"{axis}={size}" for axis, size in zip(axes, SIZES))
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("lifted.expr", "expected.expr")]
        for path, text in zip(paths, (lifted, expected)):
            path.write_text(text + "\n")
        run = subprocess.run([program, "eval", str(paths[0]), "--compare", str(paths[1]), "--tolerance", str(tolerance)]
                             + (["--sizes", sizes] if sizes else []), capture_output=True, text=True)
    return {0: "same", 1: "differs"}.get(run.returncode, "by hand: " + run.stderr.strip()[-60:])


def judged(program, row, path, outputs):
    kernel_arrays = pointers(path)
    arrays = re.findall(r"(\w+):\[([^]]*)\]", row["arguments as arrays (row-major axes of the check)"] or "")
    output, expected = row["output"], row["expected formula"]
    if not output or not expected or row["read by rankwright eval"] != "yes" or len(arrays) > len(kernel_arrays):
        return "by hand"
    place = [array for array, _ in arrays].index(output.split("[")[0])
    found = [o for o in outputs if o["output"] == kernel_arrays[place]]
    if len(found) != 1 or found[0]["verdict"] != "proved":
        return "not proved" if len(found) < 2 else "by hand"
    text = translated(expected, arrays, kernel_arrays, output, found[0]["formula"], found[0]["elements"])
    # Constants that were rounded to single precision are no others: the table says how far they are off.
    error = row["interpreter: max relative error at random inputs"] or "0"
    tolerance = max(1e-9, 100 * float(error)) if re.fullmatch(r"[\d.e+-]+", error) else 1e-9
    return compare(program, found[0]["formula"], text, tolerance) if text else "by hand"


def main():
    program, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    with open(folder / "expected.tsv", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = sys.argv[3:] or sorted(path.stem for path in folder.glob("*.ttir"))
    proved = whole = 0
    tally, times = {}, []
    for name in names:
        path = folder / f"{name}.ttir"
        outputs, seconds, most = lift(program, path)
        good = sum(o["verdict"] == "proved" for o in outputs)
        proved += good > 0
        whole += good > 0 and good == len(outputs)
        times.append(seconds)
        said = []
        for row in rows:
            if row["file"] == name and row["expected formula"]:
                said.append(f"{row['output'] or '?'} {judged(program, row, path, outputs)}")
                word = " ".join(said[-1].split(" ")[1:]).split(":")[0]
                tally[word] = tally.get(word, 0) + 1
        print(f"{name}: {good} of {len(outputs)}, {seconds:.2f} s, at most {most:.0f} MB so far"
              + "".join(f"; {one}" for one in said), flush=True)
    times.sort()
    print(f"{proved} of {len(names)} with a proved output, {whole} with all; median {times[len(times) // 2]:.2f} s, "
          f"90 % {times[len(times) * 9 // 10]:.2f} s, at most {times[-1]:.2f} s; formulas: "
          + ", ".join(f"{n} {word}" for word, n in sorted(tally.items())))


if __name__ == "__main__":
    main()
