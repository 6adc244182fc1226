#!/bin/sh
# Operands exchanged: the library states a law with its scalar on the right, and
# the rules scalar_*_to_right bring a scalar on the left there.
. tests/lib/cli.sh
library
cat >"$work/left.mlir" <<'M'
func.func @main(%a: tensor<4xf32>, %p: tensor<3x5xi1>, %i: tensor<i32>, %u: tensor<2x3xui8>, %e: tensor<0x3xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<2x3xui8>, tensor<2x3xi1>, tensor<4xf32>, tensor<0x3xf32>) {
  %nz = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %mone = stablehlo.constant dense<-1.0> : tensor<4xf32>
  %none = stablehlo.constant dense<1.0> : tensor<0x3xf32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  %t = stablehlo.constant dense<true> : tensor<3x5xi1>
  %f = stablehlo.constant dense<false> : tensor<3x5xi1>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %uz = stablehlo.constant dense<0> : tensor<2x3xui8>
  %0 = stablehlo.add %nz, %a : tensor<4xf32>
  %1 = stablehlo.multiply %one, %a : tensor<4xf32>
  %2 = stablehlo.or %f, %p : tensor<3x5xi1>
  %3 = stablehlo.and %t, %p : tensor<3x5xi1>
  %4 = stablehlo.compare NE, %f, %p : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
  %5 = stablehlo.compare EQ, %t, %p : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
  %6 = stablehlo.add %z, %i : tensor<i32>
  %7 = stablehlo.or %z, %i : tensor<i32>
  %9 = stablehlo.minimum %inf, %a : tensor<4xf32>
  %10 = stablehlo.maximum %uz, %u : tensor<2x3xui8>
  %11 = stablehlo.compare GT, %uz, %u : (tensor<2x3xui8>, tensor<2x3xui8>) -> tensor<2x3xi1>
  %12 = stablehlo.multiply %mone, %a : tensor<4xf32>
  %13 = stablehlo.multiply %none, %e : tensor<0x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %9, %10, %11, %12, %13 : tensor<4xf32>, tensor<4xf32>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<2x3xui8>, tensor<2x3xi1>, tensor<4xf32>, tensor<0x3xf32>
}
M
for domain in float real; do
    expect 0 "$rankwright" simplify "$work/left.mlir" --db "$db" --domain $domain \
        -o "$work/out.mlir" --proof "$work/record.json"
    # what is neither a negation nor a constant is a parameter
    has "$work/out.mlir" 'return %a, %a, %p, %p, %p, %p, %i, %i, %a, %u, %11, %12, %e :'
    has "$work/out.mlir" '%11 = stablehlo.constant dense<false>'
    has "$work/out.mlir" '%12 = stablehlo.negate %a'
    expect 0 "$rankwright" check "$work/record.json" --db "$db"
    expect 0 "$rankwright" explain "$work/record.json" --db "$db"
    for operator in add mul or and eq ne; do
        has "$work/out" "scalar_${operator}_to_right"
    done
done

# Without those rules a scalar on the left stays there.
cp "$db" "$work/without.db"
python3 - "$work/without.db" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("delete from verdict where rule in (select hash from current "
          "where name like 'scalar_%_to_right')")
c.commit()
P
expect 0 "$rankwright" simplify "$work/left.mlir" --db "$work/without.db" \
    --domain float -o "$work/out.mlir"
has "$work/out.mlir" 'stablehlo.or '
finish
