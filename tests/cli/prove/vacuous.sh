#!/bin/sh
# Rules without an instance: nothing is proved about nothing; the answer is unknown, with the
# remark that the rule is vacuous.  Rules about empty tensors have instances, and are decided.
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
expect 0 "$rankwright" prove tests/rules/empty.rw --db "$db"
python3 - "$work/out" <<'P' || fail "rules about empty tensors"
import sys
lines = [l for l in open(sys.argv[1]) if l.startswith("empty/")]
bad = [l for l in lines if "; empty: along an axis" not in l]
assert len(lines) >= 4 and not bad, bad
P
# Empty tensors have shapes: a rule that changes them is refuted.
cat > "$work/wrong.rw" <<'R'
rule slice_of_empty {
  axis a; axes x; map n on a; map m on x; tensor A[a: n, x: m] : any;
  where n == 0;
  slice(A, limit={x: 1}) => A;
}
R
expect 1 "$rankwright" prove "$work/wrong.rw" --db "$db"
finish
