#!/bin/sh
# Every claim of tests/rules/coefficients.rw is proved, at every rank, mostly by
# coefficient functions.
. tests/lib/cli.sh
expect 0 "$rankwright" prove tests/rules/coefficients.rw --db "$db" --json
python3 - "$work/out" <<'P' || fail "coefficient functions"
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
claimed = [r for r in rows if r["claimed"]]
bad = [(r["rule"], r["domain"], r["reason"]) for r in claimed
       if r["verdict"] != "proved"]
assert not bad, bad
assert len({r["rule"] for r in claimed}) >= 20
P
expect 0 "$rankwright" show square_of_sum --db "$db"
grep -q 'All ranks at once (coefficients)' "$work/out" || fail "the method"
finish
