#!/usr/bin/env python3
"""How general are the rules that `learn` finds?

    coverage.py --rankwright BIN --covers BIN --pairs FOLDER [--table FILE] [--results FILE]
                [--instances N] [--limit S] [NAME...]

FOLDER/public.tsv names pairs of programs, FOLDER/public/NAME/{before,after}.mlir.  For each pair
whose expected answer begins with "rule", `rankwright learn` is run, and the rule is held against
that of tests/examples/references.rw: how many of N instances of the reference it covers
(tests/examples/covers.c), how many preconditions more it has, and whether a size of the pair
stands in it.  A pair counts as reached if the rule covers every instance, with at most two more
preconditions and without a size of the pair.  Without FOLDER nothing is measured, which is said.
"""
import argparse, json, os, re, resource, signal, subprocess, sys, tempfile

from pairs import options_of, rule_pairs

HERE = os.path.dirname(os.path.abspath(__file__))
REFERENCES = os.path.join(HERE, "references.rw")
# A rule that no reference needs: with it the engine has its laws of layout alone.
NO_RULE = "rule none { axes x; map n on x; type T : num; tensor A[x: n] : T; A + A - A - A + A => A + 0; }\n"


def reference_rules():
    """Texts by name."""
    text = open(REFERENCES).read()
    return {m.group(1): m.group(0) for m in re.finditer(r"^rule (\w+) \{.*?^\}", text, re.S | re.M)}


def without_comments(text):
    return re.sub(r"//.*", "", text)


def preconditions(text):
    """Conjuncts of all `where`s; a comma inside of parentheses does not count."""
    n = 0
    for where in re.findall(r"\bwhere\b(.*?);", without_comments(text), re.S):
        depth, n = 0, n + 1
        for sign in where:
            depth += (sign in "([{") - (sign in ")]}")
            n += sign == "," and depth == 0
        n += len(re.findall(r"\band\b", where))
    return n


def numbers(text):
    return {int(k) for k in re.findall(r"(?<![\w.])\d+(?![\w.])", without_comments(text))}


def sizes(folder):
    found = set()
    for name in ("before.mlir", "after.mlir"):
        for shape in re.findall(r"tensor<([0-9x]*)x[a-z]", open(os.path.join(folder, name)).read()):
            found |= {int(k) for k in shape.split("x") if k}
    return found


def learn(options, folder):
    """(object or None, exit status or None, seconds of processor time)."""
    def seconds():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit + 1))
    start = seconds()
    done = subprocess.run(
        [options.rankwright, "learn", os.path.join(folder, "before.mlir"),
         os.path.join(folder, "after.mlir"), "--json"],
        capture_output=True, text=True, preexec_fn=limited)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, None, seconds() - start
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        found = {"answer": "error", "reason": done.stderr.strip().splitlines()[0] if done.stderr else ""}
    return found, done.returncode, seconds() - start


def covered(options, name, rule, domains):
    """(instances, covered, first instance that is not, instances whose sides are one term)."""
    with tempfile.NamedTemporaryFile("w", suffix=".rw") as file:
        file.write(rule)
        file.flush()
        done = subprocess.run(
            [options.covers, str(options.instances), REFERENCES, name, file.name, domains],
            capture_output=True, text=True)
    if done.returncode != 0:
        return 0, 0, done.stderr.strip(), 0
    first, rest = done.stdout.split("\n", 1)
    instances, n, same = first.split()
    return int(instances), int(n), rest.strip(), int(same)


def measure(options, pair, reference):
    folder = os.path.join(options.pairs, "public", pair)
    name = re.sub(r"\W", "_", pair)
    found, status, seconds = learn(options, folder)
    row = {"pair": pair, "seconds": seconds, "answer": "no answer in time", "reason": "",
           "instances": 0, "covered": 0, "more": 0, "sizes": "", "domains": ""}
    if found is None:
        return row
    row["answer"] = found.get("answer", "?")
    row["reason"] = found.get("reason", "")
    if row["answer"] == "layout":
        # The answer is that both programs are one; so are the sides of such an instance.
        instances, n, row["reason"], same = covered(options, name, NO_RULE, "bool")
        row["instances"], row["covered"] = instances + same, n + same
        return row
    rule = found.get("rule", "")
    proved = [d["domain"] for d in found.get("domains", []) if d["verdict"] == "proved"]
    row["domains"] = " ".join(proved)
    if not rule or not proved:
        return row
    row["instances"], row["covered"], row["reason"], _ = covered(options, name, rule, ",".join(proved))
    row["more"] = preconditions(rule) - preconditions(reference)
    literal = (numbers(rule) - numbers(reference)) & {k for k in sizes(folder) if k > 1}
    row["sizes"] = " ".join(str(k) for k in sorted(literal))
    row["rule"] = rule
    return row


def reached(row):
    return (row["instances"] > 0 and row["covered"] == row["instances"] and row["more"] <= 2
            and not row["sizes"])


def table(rows, options):
    seconds = sorted(row["seconds"] for row in rows)
    lines = ["# Rules learned from pairs", "",
             "`make learned` writes this page: what `rankwright learn` makes of pairs of programs out of published",
             "tests, held against the rule that a person would state ([references](../tests/examples/references.rw)).",
             f"Covered are instances of that rule, of {options.instances} that are sampled, at which the learned rule makes",
             "both sides equal in the engine. *More* are preconditions beyond those of the reference. A pair is reached",
             "if all instances are covered, with at most two more preconditions and no size of the pair in the rule.",
             "", f"{sum(map(reached, rows))} of {len(rows)} are reached.", "",
             "| pair | answer | proved in | covered | more | sizes | reached |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        part = f"{row['covered']} of {row['instances']}" if row["instances"] else ""
        lines.append(f"| {row['pair']} | {row['answer']} | {row['domains']} | {part} | "
                     f"{row['more'] if row['instances'] else ''} | {row['sizes']} | "
                     f"{'yes' if reached(row) else 'no'} |")
    print(f"{sum(map(reached, rows))} of {len(rows)} reached; median {seconds[len(seconds) // 2]:.1f} s, "
          f"90% under {seconds[int(0.9 * len(seconds))]:.1f} s")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--covers", required=True)
    parser.add_argument("--table")
    parser.add_argument("--results", help="a line for each pair, as soon as it is known")
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=120, help="seconds of processor time for a pair")
    options = options_of(parser)
    names = rule_pairs(options)
    if names is None:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        proved = subprocess.run([options.rankwright, "prove", REFERENCES, "--db",
                                 os.path.join(folder, "references.db")], capture_output=True, text=True)
        if proved.returncode != 0:
            print("not all references are proved:\n" + proved.stdout + proved.stderr)
            return 1
    rules = reference_rules()
    rows = []
    out = open(options.results, "w") if options.results else None
    for pair in names:
        row = measure(options, pair, rules[re.sub(r"\W", "_", pair)])
        rows.append(row)
        if out:
            out.write(f"{'ok ' if reached(row) else '-- '}{pair} {row['seconds']:.1f}s {row['answer']} "
                      f"[{row['domains']}] {row['covered']}/{row['instances']} more {row['more']} "
                      f"sizes {row['sizes'] or '-'} {row['reason'][:160]}\n")
            out.flush()
    text = table(rows, options)
    if options.table and not options.names:
        open(options.table, "w").write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
