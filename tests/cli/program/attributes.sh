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

# A pinned operation is not replaced, merged or dropped, whatever it is.
cat >"$work/pinned.mlir" <<'E2'
module {
  func.func @main(%x: tensor<4xf32>, %z: tensor<4xcomplex<f32>>, %p: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>) {
    %0 = call @f(%x) {my.keep = "a"} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %unused = stablehlo.sine %x {my.keep = "b"} : tensor<4xf32>
    %same = stablehlo.sine %x {my.keep = "b"} : tensor<4xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = "stablehlo.case"(%c) ({
      stablehlo.return %x : tensor<4xf32>
    }, {
      stablehlo.return %same : tensor<4xf32>
    }) {"my.keep" = "c"} : (tensor<i32>) -> tensor<4xf32>
    %w:2 = "stablehlo.while"(%x, %x) ({
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      stablehlo.return %p : tensor<i1>
    }, {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      stablehlo.return %a, %b : tensor<4xf32>, tensor<4xf32>
    }) {my.keep = "d"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %3 = stablehlo.subtract %w#0, %w#1 : tensor<4xf32>
    %n = stablehlo.negate %z {my.keep = "e"} : tensor<4xcomplex<f32>>
    %4 = stablehlo.negate %n : tensor<4xcomplex<f32>>
    %5 = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0, %1, %2, %4, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x {my.keep = "f"} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
E2
expect 0 "$rankwright" simplify "$work/pinned.mlir" --db "$db" --keep-attributes my.keep \
    -o "$work/out.mlir" --proof "$work/r.json"
expect 0 "$rankwright" check "$work/r.json" --db "$db"
for name in a b c d e f; do
    [ "$(result "my.keep\"* = \"$name\"")" -eq "$(grep -c "my.keep\"* = \"$name\"" "$work/pinned.mlir")" ] ||
        fail "--keep-attributes: $name"
done
[ "$(result 'call @f')" -eq 1 ] && [ "$(result 'call @g')" -eq 1 ] || fail "calls of pinned operations"
grep -q 'return %0, %1, %2, %4, %3, %5 ' "$work/out.mlir" && grep -q '%w#0, %w#1' "$work/out.mlir" ||
    fail "results of pinned operations"
expect 0 "$rankwright" simplify "$work/pinned.mlir" --db "$db" -o "$work/out.mlir"
[ "$(result my.keep)" -eq 1 ] || fail "without --keep-attributes"

# several modules: one record, each module in its place
{ cat "$work/in.mlir"; echo '// -----'; echo 'module @m {'; cat "$work/in.mlir"
  echo '}'; echo '--- the end ---'; } >"$work/two.mlir"
expect 0 "$rankwright" simplify "$work/two.mlir" --db "$db" -o "$work/out.mlir" --proof "$work/r.json"
has "$work/err" 'two.mlir: line 16 is no MLIR'
expect 0 "$rankwright" check "$work/r.json" --db "$db"
[ "$(result 'func.func @f')" -eq 2 ] && [ "$(result '^// -----$')" -eq 1 ] &&
    [ "$(result negate)" -eq 0 ] || fail "two modules"

# braces of other dialects need be no dictionaries
cat >"$work/braces.mlir" <<'P'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    %1 = stablehlo.negate %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
P
for option in --quiet --keep-attributes=my.keep; do
    expect 0 "$rankwright" simplify "$work/braces.mlir" --db "$db" $option -o "$work/out.mlir"
    has "$work/out.mlir" 'return %x'
done
finish
