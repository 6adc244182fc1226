#!/bin/sh
# Programs and records that a careless engine or checker would get wrong.
. tests/lib/cli.sh
library

# over the reals an infinity must not make all numbers equal
expect 0 "$rankwright" simplify tests/records/infinity.mlir --domain real \
    --db "$db" -o "$work/inf.mlir" --proof "$work/inf.json"
has "$work/inf.mlir" 'compare GT, %arg0'
expect 0 "$rankwright" check "$work/inf.json" --db "$db"

# nor one that a barrier, a tuple, or elements carried as text hand on
expect 0 "$rankwright" simplify tests/records/carried_infinity.mlir --domain real \
    --db "$db" -o "$work/carried.mlir" --proof "$work/carried.json"
[ "$(grep -c 'stablehlo.subtract' "$work/carried.mlir")" = 5 ] || fail "inf - inf is taken for 0"
expect 0 "$rankwright" check "$work/carried.json" --db "$db"
# of finite numbers all five are 0
sed 's/0x7F800000/1.0/; s/0x7C/1.0/' tests/records/carried_infinity.mlir >"$work/finite.mlir"
expect 0 "$rankwright" simplify "$work/finite.mlir" --domain real --db "$db" -o "$work/zero.mlir"
[ "$(grep -c 'stablehlo.subtract' "$work/zero.mlir")" = 0 ] || fail "1 - 1 is not taken for 0"

# a side effect stays, even where its result equals something cheaper
expect 0 "$rankwright" simplify tests/records/empty_effect.mlir --db "$db" \
    -o "$work/e.mlir" --proof "$work/e.json"
has "$work/e.mlir" 'custom_call @print'
expect 0 "$rankwright" check "$work/e.json" --db "$db"

# a condition on elements is met by the terms of the record
expect 0 "$rankwright" simplify tests/records/element_condition.mlir \
    --db "$db" -o "$work/c.mlir" --proof "$work/c.json"
has "$work/c.mlir" 'clamp'
expect 0 "$rankwright" check "$work/c.json" --db "$db"

# bit for bit, a sum over two axes keeps its order of additions
cat >"$work/order.rw" <<'R'
rule order { axes x; axes y; map n on x; map m on y;
  tensor A[y: m] : float; tensor B[x: n] : float;
  reduce(+, -(-(broadcast(A, {x: n}))) + broadcast(B, {y: m}), {x, y})
    => reduce(+, broadcast(B, {y: m}) + broadcast(A, {x: n}), {x, y}); }
R
expect 0 "$rankwright" prove "$work/order.rw" --db "$work/order.db"
expect 0 "$rankwright" simplify tests/records/summed_order.mlir \
    --db "$work/order.db" -o "$work/o.mlir"
for seed in 1 2 3 4 5 6; do
    expect 0 "$rankwright" eval tests/records/summed_order.mlir \
        --compare "$work/o.mlir" --seed $seed
done

# forged: an effect exchanged for another one whose result is provably equal,
# and a rule on reals used on an infinity
python3 - "$work" <<'P'
import json, sys
work = sys.argv[1]
r = json.load(open(f"{work}/e.json"))
r["output"] = r["output"].replace("@print", "@launch")
json.dump(r, open(f"{work}/forged1.json", "w"))
P
expect 1 "$rankwright" check "$work/forged1.json" --db "$db"
expect 1 "$rankwright" check tests/records/forged_effect.json --db "$db"
has "$work/out" 'side effect'
expect 1 "$rankwright" check tests/records/forged_infinity.json --db "$db"
has "$work/out" 'infinite'

# a file that goes on after a NUL byte is another file
printf '\0 more' >>"$work/c.mlir"
expect 1 "$rankwright" check "$work/c.json" --db "$db" --program "$work/c.mlir"

# random programs: simplified, checked, evaluated, in both readings of floats
python3 tests/lib/differential.py "$rankwright" "$db" 1 40 "$work" ||
    fail "random programs"
finish
