#!/bin/sh
# Pairs that are not equal: the nearest true rule, which is proved again.
. tests/lib/cli.sh
pair() {
    awk -v types="$2" 'BEGIN { print "func.func @p" types " {" }
        /^--$/ { print "}\nfunc.func @q" types " {"; next }
        { print }
        END { print "}" }' >"$work/$1.mlir"
}
near() {
    rm -f "$work/$1.rw"
    expect 1 "$rankwright" learn "$work/$1.mlir" -o "$work/$1.rw"
    has "$work/out" '^The programs are not equal'
    has "$work/out" '^Near to it is a rule'
    has "$work/out" '^It is not what the pair says: '
    expect 0 "$rankwright" prove "$work/$1.rw" --db "$work/r.db"
}

# a maximum that begins with 0
pair zero '(%a: tensor<5xf32>) -> tensor<f32>' <<'P'
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
--
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
P
near zero
has "$work/zero.rw" '=> maximum\(reduce\(maximum, A'

# an update that is as large as the tensor begins at 0, so the slice is another one
pair update '(%a: tensor<9xf32>, %b: tensor<9xf32>) -> tensor<2xf32>' <<'P'
  %c = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %b, %c : (tensor<9xf32>, tensor<9xf32>, tensor<i32>) -> tensor<9xf32>
  %1 = stablehlo.slice %0 [5:7] : (tensor<9xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
--
  %0 = stablehlo.slice %b [1:3] : (tensor<9xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
P
near update
has "$work/update.rw" 'where e <= n2 \+ s2'
finish
