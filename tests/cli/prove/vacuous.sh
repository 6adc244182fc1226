#!/bin/sh
# Rules whose left side never has an element: nothing is proved about nothing;
# the answer is unknown, with the remark that the rule is vacuous.
. tests/lib/cli.sh
expect 2 "$rankwright" prove "$generous" tests/rules/vacuous.rw --db "$db" --json
python3 - "$work/out" <<'P' || fail "vacuous rules"
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
assert len({r["rule"] for r in rows}) >= 4
bad = [(r["rule"], r["domain"], r["verdict"], r["reason"]) for r in rows
       if r["verdict"] != "unknown" or not r["reason"].startswith("vacuous")]
assert not bad, bad
P
finish
