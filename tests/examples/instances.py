#!/usr/bin/env python3
"""Is a rule that `learn` prints false at some instance?

    instances.py --rankwright BIN --breaker BIN --pairs FOLDER [--instances N] [NAME...]

Every pair of FOLDER/public and FOLDER/own is learned from.  Random instances of the rule that is
printed, N in each domain in which it is said to hold, are evaluated on random arguments, both sides
compared (tests/mutation/breaker.c, which shares nothing with the verifier; machine integers and
machine floats of all widths).  Prints a line for each rule that is false or of which fewer than N
instances were found, and exits with 1 if one is false.
"""
import json, os, subprocess, sys, tempfile

from pairs import options_of

SECONDS = 300  # for a rule whose preconditions random instances hardly meet


def printed(options, folder):
    """(rule, domains in which it is said to hold); None: no rule is printed."""
    done = subprocess.run([options.rankwright, "learn", os.path.join(folder, "before.mlir"),
                           os.path.join(folder, "after.mlir"), "--json"], capture_output=True, text=True)
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return None
    domains = [d["domain"] for d in found.get("domains", []) if d["verdict"] == "proved"]
    return (found["rule"], domains) if found.get("rule") else None


def broken(options, rule):
    """By domain: whether an instance is false, and how many were evaluated."""
    with tempfile.NamedTemporaryFile("w", suffix=".rw") as file:
        file.write(rule)
        file.flush()
        done = subprocess.run([options.breaker, "--seconds", str(SECONDS), "--tries",
                               str(options.instances), file.name], capture_output=True, text=True)
    lines = (line.split() for line in done.stdout.splitlines())
    return {domain: (how == "broken", int(tries)) for _, domain, how, tries in lines}


def main():
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--breaker", required=True)
    parser.add_argument("--instances", type=int, default=10000)
    options = options_of(parser)
    if not os.path.isdir(options.pairs):
        print(f"no pairs at {options.pairs}: nothing was measured")
        return 0
    rules = false = few = total = 0
    for kind in "public", "own":
        for name in sorted(os.listdir(os.path.join(options.pairs, kind))):
            if options.names and name not in options.names:
                continue
            rule = printed(options, os.path.join(options.pairs, kind, name))
            if rule is None:
                continue
            rules += 1
            found = broken(options, rule[0])
            for domain in rule[1]:
                wrong, n = found.get(domain, (False, 0))
                total += n
                false += wrong
                few += n < options.instances and not wrong
                if wrong or n < options.instances:
                    print(f"{name}: {domain}: {'FALSE after ' if wrong else 'only '}{n} instances",
                          flush=True)
    print(f"{rules} rules, {total} instances, {false} false; {few} times fewer than {options.instances}")
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
