#!/bin/sh
# A file of costs decides what is cheaper; what is wrong in it has a message with its place.
. tests/lib/cli.sh

cat >"$work/sum.mlir" <<'P'
func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.add %a, %a : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
P
simplify() {
    "$rankwright" simplify "$@" --cost "$work/my.costs" --domain real --db "$proved_library" -o "$work/out.mlir" \
        2>"$work/err"
}

# A sum of two equal numbers stays one, or becomes a product.
printf 'multiply 100\ndot_general 100\nothers 1\n' >"$work/my.costs"
expect 0 simplify "$work/sum.mlir"
has "$work/out.mlir" 'stablehlo.add %a, %a'
has "$work/err" 'my.costs) 1 -> 1,'
printf 'add 100 # dear\n\n  others\t1' >"$work/my.costs"
expect 0 simplify "$work/sum.mlir"
grep -q stablehlo.add "$work/out.mlir" && fail "the sum is still there"
has "$work/err" 'my.costs) 100 -> 2,'

# Each number counts what it says.  Each transpose: 100 + 2048 elements + 16384 bytes / 2.  A sum of 64
# x 32 elements reads the zero besides: 3 * 2048 + 4 * (2048 + 1 + 64).  A constant: its text, 4 bytes.
cat >"$work/moved.mlir" <<'P'
func.func @main(%a: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<32x64xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
  return %0, %1 : tensor<64xf32>, tensor<32x64xf32>
}
P
printf 'transpose 100 1 0.5\nreduce 7 3 1\nconstant 5 1000000 0.25\nothers 1e9' >"$work/my.costs"
expect 0 simplify "$work/moved.mlir"
has "$work/err" 'my.costs) 24949 -> 24949,'
: >"$work/my.costs"
expect 0 simplify "$work/moved.mlir"
has "$work/err" 'my.costs) 3 -> 3,'

# The unit may be seconds; of sizes ? it is the same unit.
printf 'transpose 1e-7 1e-9 5e-10\nreduce 7e-9 3e-9 1e-9\nconstant 5e-9 1e-3 2.5e-10\nothers 1' >"$work/my.costs"
expect 0 simplify "$work/moved.mlir"
has "$work/err" 'my.costs) 2.4949e-05 -> 2.4949e-05,'
cat >"$work/sizes.mlir" <<'P'
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
P
printf 'others 1' >"$work/my.costs"
expect 0 simplify "$work/sizes.mlir"
cp "$work/err" "$work/ones"
printf 'others 1e-9' >"$work/my.costs"
expect 0 simplify "$work/sizes.mlir"
has "$work/ones" 'e.11 -> '
has "$work/err" 'my.costs) [0-9]{3}(\.[0-9]*)? -> '

# wrong PLACE MESSAGE TEXT
wrong() {
    printf '%b' "$3" >"$work/my.costs"
    expect 65 simplify "$work/sum.mlir"
    has "$work/err" "my.costs:$1: $2"
}
wrong 1:4 'expected 0 or a number from 1e-30 to 1e.09' 'add'
wrong 2:5 'expected 0 or a number' '# costs\nadd -1'
wrong 1:7 'expected 0 or a number' 'add 1 nan'
wrong 1:5 'expected 0 or a number' 'add 1e400'
wrong 1:5 'expected 0 or a number' 'add 1000000001'
wrong 1:5 'expected 0 or a number' 'add 0x10'
wrong 1:5 'expected 0 or a number' 'add 0000000000000000000000000000000000000000000001'
wrong 1:11 'expected the end of the line' 'add 1 2 3 4'
wrong 3:1 'this name is on line 1, too' 'add 1\nothers 1\nadd 2'
wrong 1:1 'expected an operator or .others.' 'transposed 1'
has "$work/err" 'did you mean transpose'
wrong 1:5 'expected 0 or a number' 'add 1e-320'
wrong 1:1 'expected an operator' 'stablehlo.add 1'
has "$work/err" 'without its dialect'
wrong 1:1 'expected an operator' 'custom_call 1'
has "$work/err" 'kept as text'
wrong 1:1 'expected an operator' "$(printf '%0100d' 7)"
wrong 1:1 'expected an operator' '\0303\0244dd 1'
expect 65 "$rankwright" simplify "$work/sum.mlir" --cost "$rankwright" --db "$proved_library"
expect 64 "$rankwright" simplify "$work/sum.mlir" --cost weights --db "$proved_library"
has "$work/err" 'has a point or a slash'
expect 74 "$rankwright" simplify "$work/sum.mlir" --cost "$work/none" --db "$proved_library"
expect 74 "$rankwright" simplify "$work/sum.mlir" --cost / --db "$proved_library"
finish
