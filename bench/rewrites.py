#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the functions of a compiler's lit tests that `simplify` makes as small as their tests expect.

    bench/rewrites.py RANKWRIGHT DATABASE FOLDER [--only TEXT] [--smaller] [--shard K/N] [--all]

FOLDER has MLIR files with RUN and CHECK lines (those of Enzyme-JAX: test/lit_tests). A function counts
if its RUN line asks for simplification of StableHLO and nothing else, and if its CHECK lines are a
whole body. The body is made a program again, and `eval --compare --runs` looks for arguments on which
it differs from the function: none (the domain is float), rounding only (real), or others (the
expectation is wrong, and does not count). Operations are counted with those of their regions, without
constants and returns.

Each function that does not reach is one line: the domain, operations before, expected, after in float
and in real, and why: an operator that the interpreter does not know, the nearest rule by `simplify
--missed` and its condition that failed, no rule, or only the direction and the cost. Where no argument
tells float from the expectation, and the size is reached in real, the domain is `real?`. --all prints
the others, too. The last lines are sums. `unread` counts expectations that cannot be evaluated.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PASSES = {"enzyme-hlo-opt", "enzyme-hlo-generate-td", "transform-interpreter",
          "enzyme-hlo-remove-transform", "canonicalize", "cse", "symbol-dce", "inline"}
OPTIONS = {"split-input-file", "allow-unregistered-dialect", "verify-each", "pass-pipeline", "patterns",
           "max_constant_expansion", "passses", "no_nan", "all_finite", "builtin", "module", "any", "func"}
REASONS = [
    ("raising from loops", r"raise|affine|polymer|for$|detect"),
    ("batching", r"batch"),
    ("derivatives", r"enzyme$|enzyme-wrap|diff|jacobian|simplify-math|unnecessary"),
    ("lowering", r"lower|legalize|convert|cpuify|kernel|llvm|linalg|triton"),
    ("distribution", r"communication|shard|comm|mpi|sdy"),
    ("numbers of several floats", r"multi-float"),
]
COUNTED = re.compile(r'(?:=\s*|^\s*|applies\s+)"?((?:stablehlo|chlo|mhlo|enzymexla|enzyme|tensor|arith|'
                     r'math|func)\.\w+)"?|(?:=\s*|^\s*)(call) @')
FREE = {"stablehlo.constant", "arith.constant", "stablehlo.return", "func.return", "func.func"}
DIRECTIVE = re.compile(r"\s*//\s*([A-Z][A-Z0-9_-]*?)((?:-NEXT|-LABEL|-DAG|-SAME|-NOT|-EMPTY|-COUNT-\d+)?"
                       r"(?:\{LITERAL\})?):(.*)")
ANY = "//any" # what a CHECK without -NEXT may skip
RETURN = re.compile(r"^\s*(?:func\.|stablehlo\.)?return\b")
SENSES = {"sums": "real", "rounding": "real", "zero": "real", "overflow": "real",
          "special": "real", "undefined": "real", "unsure": "unread"}
FUNCTION = re.compile(r'\bfunc(?:\.func)?\s+(?:(?:public|private|nested)\s+)?@"?([\w.$-]+)')


def count(text):
    operations = 0
    for line in text.split("\n"):
        line = line.split("//")[0]
        operations += sum((m.group(1) or m.group(2)) not in FREE for m in COUNTED.finditer(line))
    return operations


def functions(text):
    """The functions of a module: name, and the text from `func` to its last brace."""
    found = {}
    code = re.sub(r'//[^\n]*', lambda m: " " * len(m.group()), text)
    for start in FUNCTION.finditer(code):
        depth, at, string = 0, start.end(), False
        while at < len(code):
            c = code[at]
            if c == '"':
                string = not string
            elif not string and c in "({[":
                depth += 1
            elif not string and c in ")}]":
                depth -= 1
                if depth == 0 and c == "}" and re.match(r"\s*(func\b|\}|module\b|#|$|//|transform)",
                                                          code[at + 1:] or " "):
                    body = code[start.start():at + 1]
                    # attributes of the function end with a brace, too
                    if "return" in body:
                        found[start.group(1)] = code[start.start():at + 1]
                        break
            elif not string and depth == 0 and FUNCTION.match(code, at):
                break # a declaration
            at += 1
    return found


def runs(text):
    """The RUN lines: passes (with options), and the prefixes that FileCheck looks for."""
    lines = [m.strip() for m in re.findall(r"//\s*RUN:(.*)", text)]
    whole = re.sub(r"\\\n", " ", "\n".join(lines))
    for line in whole.split("\n"):
        if "FileCheck" not in line:
            continue
        tool, check = line.split("FileCheck", 1)
        prefixes = re.findall(r"--?check-prefix(?:es)?[= ]([\w,-]+)", check)
        yield tool, [p for group in prefixes for p in group.split(",")] or ["CHECK"]


def why_not(tool):
    """None if the passes are simplification only, else what they are for."""
    if "enable_auto_batching" in tool or "enable_convert" in tool:
        return "batching" if "batching" in tool else "other passes"
    words = re.sub(r"patterns=[^\"' }]*", "", tool)
    words = re.sub(r"'[^']*'|\"[^\"]*\"", lambda m: " " + m.group().strip("'\"") + " ", words)
    names = set(re.findall(r"(?<![=\w])-{0,2}([a-z_][a-z_-]*[a-z])(?![\w-]*/)", words))
    names -= {"enzymexlamlir-opt", "s", "true", "false"}
    names = {n.lstrip("-") for n in names}
    others = names - PASSES - OPTIONS
    if not names & {"enzyme-hlo-opt", "enzyme-hlo-generate-td", "canonicalize"}:
        others.add("?")
    if not others:
        return None
    for reason, pattern in REASONS:
        if any(re.search(pattern, n) for n in sorted(others)):
            return reason
    return "other passes"


def plain(text):
    """A CHECK line as MLIR: FileCheck's variables are SSA names."""
    text = re.sub(r"%\[\[#?([A-Za-z_]\w*)(?::[^\]]*(?:\][^\]])*)?\]\]", r"%\1", text)
    text = re.sub(r"\[\[([A-Za-z_]\w*)(?::.*?)?\]\]", r"%\1", text)
    text = re.sub(r"\{\{\\\[\\\[\}\}|\{\{\\\[\{\}?\\\[\}\}|\{\{\[\[\]\[\[\]\}\}", "[[", text)
    text = re.sub(r"\{\{\\\[\}\}", "[", text)
    return text


def expectations(text, prefixes):
    """The bodies that CHECK lines give: function to (header, body, whether it is whole)."""
    found, name = {}, None
    for line in text.split("\n"):
        m = DIRECTIVE.match(line)
        if not m or m.group(1) not in prefixes or "-NOT" in m.group(2) or "-COUNT" in m.group(2):
            continue
        body = plain(m.group(3))
        start = FUNCTION.search(body)
        if start:
            name = start.group(1)
            found[name] = [body]
        elif name is not None:
            found[name].append(body if "-NEXT" in m.group(2) or "-SAME" in m.group(2)
                               else ANY + "\n" + body)
    return {name: expectation("\n".join(lines)) for name, lines in found.items()}


def depth_of(line):
    """How many braces a line leaves open, without those of attributes and types."""
    return line.count("{") - line.count("}")


def expectation(text):
    lines = text.split("\n")
    head = next((k for k, line in enumerate(lines) if re.search(r"\{\s*$", line)
                 and not re.search(r"\bwhile\b|=", line)), 0)
    body, depth = [], 0
    for line in lines[head + 1:]:
        body.append(line)
        depth += depth_of(line)
        if depth <= 0 and RETURN.search(line):
            break
    whole = bool(body) and RETURN.search(body[-1]) is not None and is_whole(lines[:head + 1], body)
    if body and body[0].lstrip().startswith("(") and head == 0: # -SAME, without a brace
        lines, body = [lines[0] + body[0], *lines[1:]], body[1:]
    return " ".join(lines[:head + 1]), "\n".join(body), whole


def is_whole(head, body):
    """Whether no operation can stand between the lines: each follows the one before, or every value
    that is used is an argument or defined by a line."""
    text = "\n".join(body)
    if ANY not in body[1:]:
        return True
    defined = set(re.findall(r"%([\w$.-]+)", " ".join(head) + body[0] * body[0].lstrip().startswith("(")))
    defined |= set(re.findall(r"%([\w$.-]+)(?::\d+)?(?:,\s*%[\w$.-]+)*\s*=", text))
    defined |= {d for names in re.findall(r"\^bb\d+\(([^)]*)\)", text)
                for d in re.findall(r"%([\w$.-]+)", names)}
    defined |= {f"arg{k}" for k in range(99)} if not defined else set()
    return "%{{" not in text and set(re.findall(r"%([\w$.-]+)", text)) <= defined


def signature(function):
    """The arguments and results of a function: [(name, type)], text of the results."""
    depth, at = 0, function.index("(")
    for end in range(at, len(function)):
        depth += (function[end] in "(<{[") - (function[end] in "]}>)" and function[end - 1] != "-")
        if depth == 0:
            break
    inside, parts, depth = function[at + 1:end], [""], 0
    for k, c in enumerate(inside):
        depth += (c in "(<{[") - (c in "]}>)" and inside[k - 1] != "-")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    arguments = [re.match(r"\s*(%[\w$.-]+)\s*:\s*([^{]*?)\s*(\{.*)?$", p, re.S)
                 for p in parts if p.strip()]
    results = re.match(r"\s*(->\s*(?:\((?:[^(){}]|\{[^}]*\})*\)|[\w!.]+(?:<[^{]*>)?))?",
                       function[end + 1:], re.S)
    return [(m.group(1), m.group(2)) for m in arguments if m], \
        re.sub(r"\{[^}]*\}", "", results.group(1) or "")


def program(name, function, header, body):
    """The expected body as a module, with the types of the function."""
    arguments, results = signature(function)
    names = re.findall(r"(%[\w$.-]+)\s*:", header)
    if len(names) != len(arguments):
        names = [f"%arg{k}" for k in range(len(arguments))]
    inner = "\n".join(line for line in body.split("\n") if line != ANY)
    last = inner.rindex("return")
    values = inner[last:].split(":")[0]
    types = inner[last:].split(":", 1)[1] if ":" in inner[last:] else \
        results.replace("->", "", 1).strip().removeprefix("(").removesuffix(")")
    inner = inner[:last].removesuffix("stablehlo.").removesuffix("func.") + values + \
        (":" + types if types.strip() else "")
    return (f"func.func @{name}(" + ", ".join(f"{n}: {t}" for n, (_, t) in zip(names, arguments)) +
            f") {results} {{\n{inner}\n}}\n")


def module(name, everything, aliases):
    """A module of a function and those that it calls."""
    wanted, todo = [], [name]
    while todo:
        one = todo.pop()
        if one in everything and one not in wanted:
            wanted.append(one)
            todo += re.findall(r"@\"?([\w.$-]+)", everything[one])
    texts = [everything[w] for w in wanted]
    texts[0] = re.sub(r"^func(?:\.func)?\s+(?:private|public|nested)?", "func ", texts[0])
    texts = [re.sub(r"^func(?:\.func)?\s", "func.func ", t) for t in texts]
    return aliases + "\n".join(texts) + "\n"


class Judge:
    def __init__(self, rankwright, database, work):
        self.rankwright, self.database, self.work = rankwright, database, pathlib.Path(work)

    def run(self, *words):
        try:
            return subprocess.run([self.rankwright, *words], capture_output=True, text=True, timeout=40)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 124, "", "more than 40 seconds")

    def simplify(self, text, domain, *more):
        source = self.work / "in.mlir"
        source.write_text(text)
        return self.run("simplify", "-q", "--cost", "nodes", "--db", self.database, "--domain", domain,
                        str(source), *more)

    def sense(self, before, after, name):
        """Which domain the expected body needs, "wrong", or "unread"; and what was said."""
        one, other = self.work / "before.mlir", self.work / "expected.mlir"
        one.write_text(before)
        other.write_text(after)
        for runs in ("300", "20"):
            run = self.run("eval", str(one), "--compare", str(other), "--function", name, "--runs", runs,
                           "--json")
            if run.returncode != 124:
                break
        if run.returncode == 0:
            return "float", ""
        try:
            said = json.loads(run.stdout)
        except ValueError:
            return "unread", (run.stderr.strip().split("\n") or [""])[0]
        sense = said.get("sense")
        if said.get("reason"): # an operation that the interpreter does not know
            return "unread", said["reason"]
        if sense == "overflow" and not re.search(r"\b(?:b?f\d+|f8\w+)>", before):
            return "wrong", sense # of integers, which wrap
        return SENSES.get(sense, "wrong"), str(sense)


    def reason(self, text, domain, said):
        """Why the size is not reached."""
        if "does not know" in said or "refused" in said:
            return "missing operator: " + said
        listed = self.simplify(text, "float" if domain == "float" else "real", "--missed", "-o",
                               os.devnull).stdout.split("\n")[1:]
        for what, mark in (("precondition undecided", r": (?:elements|condition): "),
                           ("proved in other domains", r": verdict: "),
                           ("missing rule", r": no rule ")):
            for line in listed:
                if re.search(mark, line):
                    return f"{what}: {line.strip()}"
        return "direction or cost"


def cases(folder, files, excluded):
    """(file, function, module, expected module, operations before, operations expected) of all that count."""
    for path in files:
        text = path.read_text(errors="replace")
        if "stablehlo." not in text or "RUN" not in text:
            excluded["no StableHLO"] += 1
            continue
        lines = list(runs(text))
        wanted = [prefixes for tool, prefixes in lines if why_not(tool) is None]
        if not wanted:
            excluded[why_not(lines[0][0]) if lines else "no CHECK lines"] += 1
            continue
        excluded["counted"] += 1
        seen = set()
        for chunk in re.split(r"^\s*// -----.*$", text, flags=re.M):
            everything = functions(chunk)
            aliases = "".join(re.findall(r"^#[^\n]*\n", chunk, re.M))
            for prefixes in wanted:
                for name, (header, body, whole) in expectations(chunk, prefixes).items():
                    if name not in everything or (name, body) in seen:
                        continue
                    seen.add((name, body))
                    before = count(everything[name])
                    yield (path.relative_to(folder), name, module(name, everything, aliases),
                           program(name, everything[name], header, body) if whole else None,
                           before, count(body))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rankwright")
    parser.add_argument("database")
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="0/1", help="K/N: every Nth file, from the Kth")
    parser.add_argument("--smaller", action="store_true", help="only where fewer operations are expected")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    first, step = options.shard.split("/")
    files = sorted(pathlib.Path(options.folder).rglob("*.mlir"))
    excluded, table = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        judge = Judge(options.rankwright, options.database, work)
        chosen = files[int(first)::int(step)]
        for file, name, text, expected, before, wanted in cases(options.folder, chosen, excluded):
            if options.only not in f"{file} {name}" or options.smaller and wanted >= before:
                continue
            line = one_case(judge, name, text, expected, before, wanted, table)
            if options.all or line[0] not in ("reached", "partial"):
                if line[0] == "missed":
                    line = (*line[:-1], judge.reason(text, line[1], line[-1]))
                print(line[0], file, name, *line[1:], sep="\t", flush=True)
    print("files:", dict(excluded))
    for key in sorted(table):
        print(*key, table[key], sep="\t")


def one_case(judge, name, text, expected, before, wanted, table):
    """The row of one function, which is added to the table."""
    smaller = "smaller" if wanted < before else "not smaller"
    if expected is None:
        table["CHECK lines in part", "", smaller] += 1
        return "partial", "", before, wanted, "", ""
    domain, said = judge.sense(text, expected, name)
    after = {}
    for each in ("float", "real"):
        run = judge.simplify(text, each)
        if run.returncode not in (0, 2):
            after[each] = None
            said += " refused: " + (run.stderr.strip().split("\n") or [""])[0]
        else:
            after[each] = count(functions(run.stdout).get(name, run.stdout))
    if domain == "wrong":
        table["wrong as expected", "", smaller] += 1
        return "wrong", said, before, wanted, after["float"], after["real"]
    known = [n for n in after.values() if n is not None]
    ours = after["float"] if domain != "real" else min(known, default=None)
    reached = "reached" if ours is not None and ours <= wanted else "missed"
    if reached == "missed" and after["real"] is not None and after["real"] <= wanted:
        domain, reached = "real?", "reached" # no run told it from float, and it is a law of the reals
    table[reached, domain, smaller] += 1
    return reached, domain, before, wanted, after["float"], after["real"], said


if __name__ == "__main__":
    main()
