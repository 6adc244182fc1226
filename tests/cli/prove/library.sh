#!/bin/sh
# The rule library: every rule is proved in every domain it claims, a second
# run proves nothing again, and the answers about rules are as promised.
. tests/lib/cli.sh
library
expect 0 "$rankwright" prove rules/library --db "$db" --json -j 2
python3 - "$work/out" <<'P' || fail "library verdicts"
import collections, json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
keys = {"rule", "hash", "domain", "verdict", "reason", "bound", "instances",
        "obligations", "solver", "seconds", "counterexample", "rung", "grade",
        "method", "claimed", "stale"}
assert all(keys <= set(r) for r in rows)
rules = {r["rule"] for r in rows}
assert len(rules) >= 400, len(rules)
bad = [(r["rule"], r["domain"], r["verdict"], r["reason"]) for r in rows
       if r["claimed"] and r["verdict"] != "proved"]
assert not bad, bad
print(len(rules), "rules,", collections.Counter(r["verdict"] for r in rows))
P
"$rankwright" query --sql "select count(*) from verdict" --db "$db" >"$work/n1"
n=$("$rankwright" query --db "$db" | wc -l)
expect 0 "$rankwright" prove rules/library --db "$db" --stats
has "$work/err" "^rankwright: $n of $n rules have stored verdicts already"
has "$work/err" '^rankwright: 0 rules proved in .*, 0 replaced; peak_kib 0$'
"$rankwright" query --sql "select count(*) from verdict" --db "$db" >"$work/n2"
cmp -s "$work/n1" "$work/n2" || fail "the second run changed verdicts"

# answers, a line each
expect 0 "$rankwright" query domain=float verdict=proved --db "$db"
has "$work/out" 'slice/slice_of_slice'
expect 0 "$rankwright" query op=pad op=slice --db "$db"
has "$work/out" 'slice/'
! grep -q 'add/' "$work/out" || fail "op=pad op=slice names an add rule"
expect 0 "$rankwright" query precondition=stride --db "$db"
expect 0 "$rankwright" query stale --db "$db"
[ ! -s "$work/out" ] || fail "nothing is stale yet"
python3 - "$db" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update verdict set verifier='0' where domain='float' and rule in "
          "(select hash from rule where family in ('slice', 'add'))")
c.commit()
P
expect 0 "$rankwright" query stale --db "$db"
has "$work/out" 'slice/slice_of_slice'
expect 0 "$rankwright" prove rules/library --db "$db"
expect 0 "$rankwright" query stale --db "$db"
[ ! -s "$work/out" ] || fail "stale verdicts were not proved again"
expect 0 "$rankwright" show slice_of_slice --db "$db"
for part in Statement Meaning Verdicts 'All ranks' Obligations 'float: proved' 'A\['; do
    has "$work/out" "$part"
done
expect 0 "$rankwright" show slice/slice_of_slice --db "$db"
expect 0 "$rankwright" show slice_of_slice --json --db "$db"
python3 -m json.tool <"$work/out" >/dev/null || fail "show --json"
expect 0 "$rankwright" show slice_of_slice --smt2 --db "$db"
has "$work/out" '\(check-sat\)'
expect 0 "$rankwright" query --json --db "$db"
python3 -c "
import json, sys
for l in open(sys.argv[1]):
    assert set(json.loads(l)) == {'rule', 'hash', 'origin', 'family', 'verdicts', 'uses', 'claims',
        'preconditions', 'reasons', 'counterexamples', 'current', 'layer'}
" "$work/out" || fail "query --json"
expect 65 "$rankwright" show no_such_rule --db "$db"; one_message
expect 64 "$rankwright" query domain=imaginary --db "$db"; one_message

# a changed rule supersedes its old text; equal texts share a hash
cat >"$work/a.rw" <<'R'
rule twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
R
expect 0 "$rankwright" prove "$work/a.rw" --db "$db"
cat >"$work/a.rw" <<'R'
rule twice { axes y; map n on y; tensor A[y: n] : num; claims int; A + 0 => A; }
R
expect 0 "$rankwright" prove "$work/a.rw" --db "$db"
expect 0 "$rankwright" query superseded --db "$db"
has "$work/out" 'superseded'
finish
