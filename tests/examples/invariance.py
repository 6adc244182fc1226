#!/usr/bin/env python3
"""Is the rule behind a pair the same rule if the arguments have other names and layouts?

    invariance.py --rankwright BIN --pairs FOLDER [NAME...]

FOLDER is that of coverage.py.  Each pair is learned from as it is, and once more with arguments of
other names whose dimensions stand in reverse order: a transpose in front of both programs puts
them back.  Prints the pairs whose rules have different hashes, and how many have the same.
"""
import json, os, re, subprocess, sys, tempfile

from pairs import options_of, rule_pairs, sides

HEAD = re.compile(r"(func\.func @main\()(.*?)(\) -> [^\n]*\{\n)")
ARGUMENT = re.compile(r"%(\w+): tensor<([^>]*)>")


def turned(text):
    """The program with its arguments renamed and turned."""
    head = HEAD.search(text)
    lines = []

    def turn(match):
        name, (*dims, elem) = match.group(1), match.group(2).split("x")
        if len(dims) < 2:
            return match.group(0)
        back = "x".join(dims + [elem])
        other = "x".join(dims[::-1] + [elem])
        order = ", ".join(str(k) for k in reversed(range(len(dims))))
        lines.append(f"    %{name} = stablehlo.transpose %turned_{name}, dims = [{order}] : "
                     f"(tensor<{other}>) -> tensor<{back}>\n")
        return f"%turned_{name}: tensor<{other}>"

    arguments = ARGUMENT.sub(turn, head.group(2))
    return (text[:head.start()] + head.group(1) + arguments + head.group(3) + "".join(lines)
            + text[head.end():])


def learned(options, before, after):
    """(answer, hash)."""
    done = subprocess.run([options.rankwright, "learn", before, after, "--json"],
                          capture_output=True, text=True)
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return "error", done.stderr.strip()
    return found.get("answer", "?"), (found.get("hash") or "")


def main():
    options = options_of()
    names = rule_pairs(options)
    if names is None:
        return 0
    same = asked = 0
    for name in names:
        paths = sides(options, name)
        with tempfile.TemporaryDirectory() as other:
            turned_paths = []
            for path in paths:
                turned_paths.append(os.path.join(other, os.path.basename(path)))
                with open(path) as text, open(turned_paths[-1], "w") as out:
                    out.write(turned(text.read()))
            own, its = learned(options, *paths), learned(options, *turned_paths)
        asked += 1
        same += own == its
        if own != its:
            print(f"{name}: {own[0]} {own[1][:12]}, turned {its[0]} {its[1][:12]}", flush=True)
    print(f"{same} of {asked} have one hash")
    return 0


if __name__ == "__main__":
    sys.exit(main())
