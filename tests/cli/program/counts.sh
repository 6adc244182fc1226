#!/bin/sh
# A rule that is proved of mathematical integers is used on a machine's counts where the type has
# all of them, and nowhere else.
. tests/lib/cli.sh
library
# program TYPE SIZE CONSTANT COMPARISON: a choice by place of $work/in.mlir
program() {
    cat >"$work/in.mlir" <<P
func.func @main(%a: tensor<$2x3xf32>, %b: tensor<$2x3xf32>) -> tensor<$2x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<$2x3x$1>
  %c = stablehlo.constant dense<$3> : tensor<$2x3x$1>
  %p = stablehlo.compare $4, %i, %c : (tensor<$2x3x$1>, tensor<$2x3x$1>) -> tensor<$2x3xi1>
  %s = stablehlo.select %p, %a, %b : tensor<$2x3xi1>, tensor<$2x3xf32>
  return %s : tensor<$2x3xf32>
}
P
    for domain in float real; do
        expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" --cost nodes --verify 3 \
            --domain $domain -o "$work/out.mlir" --proof "$work/r.json"
        expect 0 "$rankwright" check "$work/r.json" --db "$db"
        expect 0 "$rankwright" eval "$work/in.mlir" --compare "$work/out.mlir" --runs 20
        iotas=$(grep -c 'stablehlo.iota' "$work/out.mlir" || true)
        [ "$iotas" = "$5" ] || fail "$1, $2 places, $4 $3, $domain: $iotas iotas left"
    done
}
program i8 128 100 LT 0
program i8 129 100 LT 1 # the last count wraps to -128
program ui8 256 200 GE 0
program ui8 257 200 GE 1
program i8 100 99 GT 0
program i16 200 70 LE 0
program ui32 200 70 NE 0
program i8 128 0 LT 0
program i8 129 0 LT 1 # the last count is negative
program i16 200 200 GE 0
program i16 200 -1 NE 0
program i16 200 199 LE 0
program f32 200 70.0 LT 1 # floats count, but round at some size

# The checker asks the same: with one place more, the last count wraps.
program i8 128 100 LT 0
sed 's/128/129/g; s/\b28\b/29/g' "$work/r.json" >"$work/wrong.json"
expect 1 "$rankwright" check "$work/wrong.json" --db "$db"
has "$work/out" 'is not proved in the domain of these elements'
finish
