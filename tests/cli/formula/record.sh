#!/bin/sh
# Records of formulas: checked, shown, evaluated with many digits; every
# tampering is rejected with a reason.
. tests/lib/cli.sh
expect 0 "$rankwright" prove tests/rules/formula.rw --db "$db"
r=$work/r.json
expect 0 python3 tests/lib/formula_record.py "$rankwright" "$db" "$r"
expect 0 "$rankwright" check "$r" --db "$db"
has "$work/out" '^valid over the reals: 11 lines, 3 uses of 3 rules$'
expect 0 "$rankwright" check "$r" --db "$db" --json
has "$work/out" '"rule_uses":3'
expect 0 "$rankwright" check "$r" --reprove

# what a name means is the record's word: readers know the database's
softmax='softmax is as the record defines it'
expect 0 "$rankwright" check "$r" --db "$db"
has "$work/out" "^$softmax: the database defines it otherwise\$"
expect 0 "$rankwright" check "$r" --reprove --db "$work/none.db"
has "$work/out" "^$softmax: there is no database to compare with\$"
sed '/^rule other_definition/,/^}/d' tests/rules/formula.rw >"$work/one.rw"
expect 0 "$rankwright" prove "$work/one.rw" --db "$work/one.db"
expect 0 "$rankwright" check "$r" --reprove --db "$work/one.db"
grep -q "$softmax" "$work/out" && fail "a definition is said to be another one"
expect 0 "$rankwright" check "$r" --db "$work/one.db" --json
has "$work/out" '"functions":\[\{"function":"softmax","database":"same"\}\]'
sed '/^rule softmax_definition/,/^}/d' tests/rules/formula.rw >"$work/two.rw"
expect 0 "$rankwright" prove "$work/two.rw" --db "$work/two.db"
expect 0 "$rankwright" check "$r" --reprove --db "$work/two.db"
has "$work/out" "^$softmax: the database defines it otherwise\$"
expect 0 "$rankwright" prove tests/rules/small.rw --db "$work/small.db"
expect 0 "$rankwright" check "$r" --reprove --db "$work/small.db" --json
has "$work/out" '"functions":\[\{"function":"softmax","database":"none"\}\]'
expect 0 "$rankwright" check "$r" --reprove --db "$work/small.db"
has "$work/out" "^$softmax: the database does not define it\$"
expect 0 "$rankwright" explain "$r" --db "$db"
has "$work/out" '3.14159265 is taken for pi'
has "$work/out" 'by cancel, where y != 0'
has "$work/out" '= x\*pi'
expect 0 "$numeric" "$r"
has "$work/out" 'r.json: 20 samples'

# a file that must say the same
python3 - "$r" "$work" <<'P'
import json, sys
r = json.load(open(sys.argv[1]))
open(sys.argv[2] + "/in.expr", "w").write(r["input"])
open(sys.argv[2] + "/out.expr", "w").write(r["output"])
r["output"] = r["output"].replace("*2", "*3")
json.dump(r, open(sys.argv[2] + "/false.json", "w"))
r["givens"].append({"cond": "(lt c 0)", "by": "declared"})
json.dump(r, open(sys.argv[2] + "/never.json", "w"))
P
expect 0 "$rankwright" check "$r" --db "$db" --input "$work/in.expr" --program "$work/out.expr"
expect 1 "$rankwright" check "$r" --db "$db" --input "$work/out.expr"

# values tell, without any proof
expect 1 "$numeric" "$work/false.json"
has "$work/out" 'false.json: .* in, .* out'
# and that nothing was compared is no agreement
expect 1 "$numeric" "$work/never.json"
has "$work/out" 'never.json: hardly any values'
expect 1 "$numeric" --samples 1 "$work/never.json"
expect 64 "$numeric" --samples 0 "$r"
expect 64 "$numeric"

# equal whatever y/0 is: but there the output has no value.  The prover refuses such a rule,
# and the check does so where it is assumed.
cat >"$work/guard.rw" <<'R'
rule guard { axes i; map n on i; claims real; tensor A[i: n] : float, B[i: n] : float;
  select(A == 0, 0, B / A) * A => B / A * A; }
R
expect 2 "$rankwright" prove "$work/guard.rw" --db "$work/guard.db"
python3 - "$rankwright" "$work/guard.db" "$work" <<'P'
import json, subprocess, sys
shown = json.loads(subprocess.run([sys.argv[1], "show", "guard", "--db", sys.argv[2], "--json"],
                                  capture_output=True, text=True, check=True).stdout)
r = {"format": "rankwright formula record", "version": 1,
     "input": "where(x == 0, 0, y/x)*x", "output": "y/x*x", "defines": [], "constants": [], "givens": [],
     "rules": [{"name": "guard", "hash": shown["hash"], "backward": False, "assumed": True, "text": shown["canonical"]}],
     "proof": ["term 0 x", "term 1 y", "term 2 0", "term 3 eq 0 2", "term 4 divide 1 0", "term 5 select 3 2 4",
               "term 6 multiply 5 0", "term 7 multiply 4 0", "rule 0 6 7 by guard"]}
json.dump(r, open(sys.argv[3] + "/unguarded.json", "w"))
given = "given x != 0; "
r["input"], r["output"] = given + r["input"], given + r["output"]
json.dump(r, open(sys.argv[3] + "/unsaid.json", "w"))
r["givens"] = [{"cond": "(ne x 0)", "by": "declared"}]
r["proof"][8:] = ["term 8 ne 0 2", "term 9 true", "given 0 8 9 0", "rule 1 6 7 by guard"]
json.dump(r, open(sys.argv[3] + "/said.json", "w"))
P
for name in unguarded unsaid; do
    expect 1 "$rankwright" check "$work/$name.json" --assume "$work/guard.rw"
    has "$work/out" '^rejected: the output may have no value where the input has one: nothing says that \(ne x 0\)$'
done
expect 0 "$rankwright" check "$work/said.json" --assume "$work/guard.rw"

# rules that are not proved, or not known
expect 1 "$rankwright" check "$r" --db "$work/small.db"
has "$work/out" 'rejected: .*not in the database'
sed 's/"assumed": false/"assumed": true/' "$r" >"$work/assumed.json"
expect 1 "$rankwright" check "$work/assumed.json" --db "$db"
expect 0 "$rankwright" check "$work/assumed.json" --db "$db" --assume tests/rules/formula.rw
expect 0 "$rankwright" explain "$work/assumed.json" --db "$db" --assume tests/rules/formula.rw
has "$work/out" 'by cancel \(ASSUMED\)'

# no record at all
for text in '' '{' '{"format": "rankwright formula record"}' \
    '{"format": "rankwright formula record", "version": 2}'; do
    printf '%s' "$text" >"$work/bad.json"
    expect 65 "$rankwright" check "$work/bad.json" --db "$db"; one_message
    expect 65 "$rankwright" explain "$work/bad.json"; one_message
done

mkdir "$work/t"
python3 tests/lib/tamper_formula.py "$rankwright" "$db" "$r" "$work/t" || fail "tampering"
# A definition may be assumed too, and only by its file.
cat >"$work/plain.rw" <<'R'
rule plain { axes x; map n on x; tensor A[x: n] : float; claims real; A + 0 => A; }
R
expect 0 "$rankwright" prove "$work/plain.rw" --db "$work/own.db"
cat >"$work/define.rw" <<'R'
rule squared { axes x; map n on x; tensor A[x: n] : float; claims real; A * A => define squared(A); }
R
expect 0 "$rankwright" simplify -e 'x*x' --db "$work/own.db" --assume "$work/define.rw" --proof "$work/define.json"
has "$work/out" '^squared\(x\)$'
expect 0 "$rankwright" check "$work/define.json" --db "$work/own.db" --assume "$work/define.rw"
expect 1 "$rankwright" check "$work/define.json" --db "$work/own.db" --assume "$work/plain.rw"
expect 1 "$rankwright" check "$work/define.json" --db "$work/own.db"
finish
