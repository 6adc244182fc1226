#!/bin/sh
# cvc5's opinion of every query that the library's verdicts rest on, counted by
# kind of obligation (a query of several domains counts in each).  Fails where
# it contradicts Z3.  Takes minutes.
#   tests/check_cvc5.sh RANKWRIGHT
set -eu
cd "$(dirname "$0")/.."
command -v cvc5 >/dev/null || {
    echo "check-cvc5: cvc5 is not installed; on Debian: apt-get install cvc5" >&2
    exit 1
}
# Without a library beneath, whose verdicts no second solver has seen.
RANKWRIGHT_LIBRARY_DATABASE=
export RANKWRIGHT_LIBRARY_DATABASE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
status=0
"$1" prove rules/library --db "$work/rules.db" --solver both \
    --json >"$work/out" || status=$?
python3 - "$work/out" <<'P'
import collections, json, re, sys
same, asked, open_ = collections.Counter(), collections.Counter(), []
alone = proved = 0
for line in open(sys.argv[1]):
    v = json.loads(line)
    if v["verdict"] != "proved":
        continue
    proved += 1
    opinion = v["solver"].split("; ", 1)[1]
    alone += "no queries" in opinion
    for kind, a, n in re.findall(r"[:,] ([a-z -]+) (\d+) of (\d+)", opinion):
        same[kind] += int(a)
        asked[kind] += int(n)
        if a != n:
            open_.append("%s (%s): %s %s of %s" % (v["rule"], v["domain"], kind, a, n))
for kind in sorted(asked):
    print("%-12s %5d of %5d confirmed" % (kind, same[kind], asked[kind]))
print("\n".join(["without an answer:"] + open_) if open_ else "all confirmed")
print("%d verdicts proved, %d of them without queries" % (proved, alone))
assert sum(same.values()) > 1000, "hardly anything was confirmed"
P
[ "$status" != 70 ] || { echo "the solvers contradict each other"; exit 1; }
