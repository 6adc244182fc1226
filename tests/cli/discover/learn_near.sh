#!/bin/sh
# Pairs that are not equal: the nearest true rule, which is proved again.
. tests/lib/cli.sh
. tests/lib/pair.sh
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
has "$work/update.rw" 'where e <= (n2 \+ s2|s2 \+ n2)'

# machine integers that overflow inside are no rounding, whatever the results are
overflow() {
    expect 1 "$rankwright" learn "$work/$1.mlir"
    has "$work/out" '^The programs are not equal: different where numbers overflow'
}
pair less '(%x: tensor<8xi8>, %y: tensor<8xi8>) -> tensor<8xi1>' <<'P'
  %z = stablehlo.constant dense<0> : tensor<8xi8>
  %0 = stablehlo.subtract %x, %y : tensor<8xi8>
  %1 = stablehlo.compare LT, %0, %z, SIGNED : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  return %1 : tensor<8xi1>
--
  %1 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  return %1 : tensor<8xi1>
P
overflow less
pair sum '(%x: tensor<8xi8>, %y: tensor<8xi8>) -> tensor<8xf32>' <<'P'
  %0 = stablehlo.add %x, %y : tensor<8xi8>
  %1 = stablehlo.convert %0 : (tensor<8xi8>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
--
  %0 = stablehlo.convert %x : (tensor<8xi8>) -> tensor<8xf32>
  %1 = stablehlo.convert %y : (tensor<8xi8>) -> tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
P
overflow sum
pair choice '(%x: tensor<4xi8>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32>' <<'P'
  %c = stablehlo.constant dense<1> : tensor<4xi8>
  %0 = stablehlo.add %x, %c : tensor<4xi8>
  %1 = stablehlo.compare GT, %0, %x, SIGNED : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  %2 = stablehlo.select %1, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %2 : tensor<4xf32>
--
  return %a : tensor<4xf32>
P
overflow choice

# one operator on two types is no operator variable
pair larger '(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xf32>' <<'P'
  %0 = stablehlo.maximum %x, %y : tensor<8xi32>
  %1 = stablehlo.convert %0 : (tensor<8xi32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
--
  %0 = stablehlo.convert %x : (tensor<8xi32>) -> tensor<8xf32>
  %1 = stablehlo.convert %y : (tensor<8xi32>) -> tensor<8xf32>
  %2 = stablehlo.maximum %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
P
expect 0 "$rankwright" learn "$work/larger.mlir" -o "$work/larger.rw"
has "$work/larger.rw" 'monotone\(T1\) -> T0'
has "$work/larger.rw" '=> maximum\(f\(A\), f\(B\)\)'
finish
