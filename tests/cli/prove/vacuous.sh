#!/bin/sh
# Rules whose left side never has an element, or never exists: nothing is proved about
# nothing; the answer is unknown, with the remark that the rule is vacuous.
. tests/lib/cli.sh
expect 2 "$rankwright" prove tests/rules/vacuous.rw --db "$db" --json
python3 - "$work/out" <<'P' || fail "vacuous rules"
import json, sys
rows = [r for r in map(json.loads, open(sys.argv[1])) if r["claimed"]]
assert len({r["rule"] for r in rows}) >= 16, len(rows)
bad = [(r["rule"], r["domain"], r["verdict"], r["reason"]) for r in rows
       if r["verdict"] != "unknown" or not r["reason"].startswith("vacuous")]
assert not bad, bad
P
finish
