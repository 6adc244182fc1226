#!/bin/sh
# Records: checked against the right database only, re-provable, and every
# tampering is rejected with a reason.
. tests/lib/cli.sh
library
expect 0 "$rankwright" simplify tests/records/tamper.mlir --domain real \
    --db "$db" -o "$work/out.mlir" --proof "$work/r.json"
cp "$work/r.json" "$work/record.json"
expect 0 "$rankwright" check "$work/record.json" --db "$db"
has "$work/out" '^valid'
expect 0 "$rankwright" check "$work/record.json" --db "$db" \
    --input tests/records/tamper.mlir --program "$work/out.mlir"
expect 1 "$rankwright" check "$work/record.json" --db "$db" --input "$work/out.mlir"
expect 0 "$rankwright" check "$work/record.json" --reprove
expect 2 "$rankwright" check "$work/record.json" --reprove --timeout 0.001
expect 0 "$rankwright" query "record=$work/record.json" --db "$db"
[ "$(wc -l <"$work/out")" -ge 5 ] || fail "the rules of a record"
expect 65 "$rankwright" query record=tests/rules/small.rw --db "$db"; one_message
expect 0 "$rankwright" check "$work/record.json" --json --db "$db"

# unproved: a database without the rules; stale verdicts; refuted in the domain
expect 0 "$rankwright" prove tests/rules/small.rw --db "$work/small.db"
expect 1 "$rankwright" check "$work/record.json" --db "$work/small.db"
has "$work/out" 'rejected: .*not in the database'
cp "$db" "$work/stale.db"
python3 - "$work/stale.db" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update verdict set verifier='0'"); c.commit()
P
expect 1 "$rankwright" check "$work/record.json" --db "$work/stale.db"
has "$work/out" 'rejected: .*not proved'

# a match is what a record can say, or none
expect 0 "$rankwright" simplify tests/records/turned_block.mlir --db "$db" \
    -o "$work/b.mlir" --proof "$work/b.json"
expect 0 "$rankwright" check "$work/b.json" --db "$db"
expect 0 "$rankwright" eval tests/records/turned_block.mlir --compare "$work/b.mlir"

# a name that the database does not give the rule is the record's claim
rule=$(python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(r["rules"][0]["name"]); r["rules"][0]["name"] = "my_own"; json.dump(r, open(sys.argv[2], "w"))' \
    "$work/b.json" "$work/named.json")
expect 0 "$rankwright" check "$work/b.json" --db "$db"
grep -q 'by the record alone' "$work/out" && fail "names that agree"
expect 0 "$rankwright" check "$work/named.json" --db "$db"
has "$work/out" "is called my_own by the record alone: the database calls it [a-z_]+/$rule\$"
expect 0 "$rankwright" check "$work/named.json" --db "$db" --json
has "$work/out" "\"renamed\":\[\{\"record\":\"my_own\""

mkdir "$work/t"
python3 tests/lib/tamper.py "$rankwright" "$db" "$work/record.json" "$work/t" || fail "tampering"

# assumed rules are marked on every step, and accepted only when asked for
cat >"$work/wish.rw" <<'R'
rule wish { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; A - B => B - A; }
rule zero { axes x; map n on x; tensor A[x: n] : num; exponential(A) => tanh(A); }
R
sed -i '1d' "$work/wish.rw"
sed -i 's/: num/: float/' "$work/wish.rw"
cat >"$work/e.mlir" <<'M'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.exponential %a : tensor<2xf32>
  %1 = stablehlo.tanh %a : tensor<2xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
M
expect 0 "$rankwright" simplify "$work/e.mlir" --db "$db" --domain real --assume "$work/wish.rw" -o "$work/e.out" --proof "$work/e.json"
expect 0 "$rankwright" explain "$work/e.json" --db "$db" --assume "$work/wish.rw"
has "$work/out" 'ASSUMED'
expect 1 "$rankwright" check "$work/e.json" --db "$db"
expect 0 "$rankwright" check "$work/e.json" --db "$db" --assume "$work/wish.rw"

# one that the database has, proved in another domain, is assumed all the same
cat >"$work/known.rw" <<'R'
rule known { axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }
R
cat >"$work/k.mlir" <<'M'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<2xf32>
  %1 = stablehlo.add %a, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
M
expect 0 "$rankwright" simplify "$work/k.mlir" --db "$db" --domain float --assume "$work/known.rw" -o "$work/k.out" --proof "$work/k.json"
expect 0 "$rankwright" explain "$work/k.json" --db "$db" --assume "$work/known.rw"
has "$work/out" 'ASSUMED'
expect 1 "$rankwright" check "$work/k.json" --db "$db"
expect 0 "$rankwright" check "$work/k.json" --db "$db" --assume "$work/known.rw"
finish
