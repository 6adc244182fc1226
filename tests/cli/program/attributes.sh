#!/bin/sh
# Attributes that say nothing about values: rules see through them, surviving operations
# keep them, and --keep-attributes leaves operations alone.
. tests/lib/cli.sh
library
cat >"$work/in.mlir" <<'E2'
func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.negate %x {mhlo.sharding = "a"} : tensor<4x4xf32>
  %1 = stablehlo.negate %0 {my.note = 1 : i32} : tensor<4x4xf32>
  %2 = stablehlo.multiply %1, %y {mhlo.sharding = "b", my.note = 2 : i32} : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
E2
result() { grep -c "$1" "$work/out.mlir" || true; }
expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" -o "$work/out.mlir" --proof "$work/r.json"
expect 0 "$rankwright" check "$work/r.json" --db "$db"
[ "$(result negate)" -eq 0 ] || fail "rules do not see through attributes"
# the product is another term by now, but the same operation
grep -q '%x, %y {mhlo.sharding = "b", my.note = 2 : i32} :' "$work/out.mlir" ||
    fail "the product lost its attributes"
expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" --keep-attributes x.y,my.note \
    -o "$work/out.mlir" --proof "$work/r.json"
expect 0 "$rankwright" check "$work/r.json" --db "$db"
[ "$(result negate)" -eq 2 ] || fail "--keep-attributes"
[ "$(result 'my.note')" -eq 2 ] || fail "--keep-attributes"
# the record says which attributes were kept: without, its terms are others
sed 's/"keep_attributes": *"[^"]*"/"keep_attributes": ""/' "$work/r.json" >"$work/other.json"
expect 1 "$rankwright" check "$work/other.json" --db "$db"
expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" --keep-attributes mhlo.sharding \
    -o "$work/out.mlir"
[ "$(result negate)" -eq 2 ] || fail "--keep-attributes mhlo.sharding"

# several modules: one record, each module in its place
{ cat "$work/in.mlir"; echo '// -----'; echo 'module @m {'; cat "$work/in.mlir"
  echo '}'; echo '--- the end ---'; } >"$work/two.mlir"
expect 0 "$rankwright" simplify "$work/two.mlir" --db "$db" -o "$work/out.mlir" --proof "$work/r.json"
has "$work/err" 'two.mlir: line 16 is no MLIR'
expect 0 "$rankwright" check "$work/r.json" --db "$db"
[ "$(result 'func.func @f')" -eq 2 ] && [ "$(result '^// -----$')" -eq 1 ] &&
    [ "$(result negate)" -eq 0 ] || fail "two modules"
finish
