#!/bin/sh
# Rules from examples: what a pair does not show and its rule says all the same.
. tests/lib/cli.sh
. tests/lib/pair.sh
# learned NAME STATUS: the rule is written, and proved again.
learned() {
    rm -f "$work/$1.rw"
    expect "$2" "$rankwright" learn "$work/$1.mlir" -o "$work/$1.rw"
    cp "$work/out" "$work/$1.text"
    expect 0 "$rankwright" prove "$work/$1.rw" --db "$work/r.db"
}

# a dot without batch axes: the rule has some
pair dot '(%a: tensor<4x6xf32>, %b: tensor<7x4xf32>) -> tensor<6x9xf32>' <<'P'
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %b, %z, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<7x4xf32>, tensor<f32>) -> tensor<9x4xf32>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [0] x [1] : (tensor<4x6xf32>, tensor<9x4xf32>) -> tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
--
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<4x6xf32>, tensor<7x4xf32>) -> tensor<6x7xf32>
  %1 = stablehlo.pad %0, %z, low = [0, 2], high = [0, 0], interior = [0, 0] : (tensor<6x7xf32>, tensor<f32>) -> tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
P
learned dot 0
has "$work/dot.rw" 'batch=\{o\}'

# a new axis of size 1: the rule has any reshape; operands of the operator are of two types
pair reshape '(%a: tensor<3x2xf32>, %b: tensor<3x2xf32>) -> tensor<3x1x2xf32>' <<'P'
  %0 = stablehlo.reshape %a : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
  %1 = stablehlo.reshape %b : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x1x2xf32>
  return %2 : tensor<3x1x2xf32>
--
  %0 = stablehlo.add %a, %b : tensor<3x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
  return %1 : tensor<3x1x2xf32>
P
learned reshape 0
has "$work/reshape.rw" 'reshape\(A, \[y\] -> \[x: n\]\)'

# a padding by a constant that both sides have, each in a type of its own; any operator for convert
pair convert '(%a: tensor<5xf32>) -> tensor<9xbf16>' <<'P'
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [4], high = [0], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<9xf32>
  %1 = stablehlo.convert %0 : (tensor<9xf32>) -> tensor<9xbf16>
  return %1 : tensor<9xbf16>
--
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xbf16>
  %1 = stablehlo.pad %0, %z, low = [4], high = [0], interior = [0] : (tensor<5xbf16>, tensor<bf16>) -> tensor<9xbf16>
  return %1 : tensor<9xbf16>
P
learned convert 0
has "$work/convert.rw" 'op f : elementwise\(T[0-9]*\) -> T[0-9]*;'

# numbers alone: the rule is one of tensors, where both sides have a logarithm
pair numbers '(%a: tensor<f64>) -> tensor<f64>' <<'P'
  %c = stablehlo.constant dense<4.0> : tensor<f64>
  %0 = stablehlo.multiply %a, %c : tensor<f64>
  %1 = stablehlo.log %0 : tensor<f64>
  return %1 : tensor<f64>
--
  %c = stablehlo.constant dense<1.3862943611198906> : tensor<f64>
  %0 = stablehlo.log %a : tensor<f64>
  %1 = stablehlo.add %0, %c : tensor<f64>
  return %1 : tensor<f64>
P
learned numbers 0
has "$work/numbers.text" "different where numbers overflow: equal over all integers or reals"
has "$work/numbers.rw" 'tensor A\[o: n\]'
has "$work/numbers.rw" 'where all\(A > 0\)'

# what holds for some elements only
pair quotient '(%a: tensor<5xf32>) -> tensor<5xf32>' <<'P'
  %0 = stablehlo.divide %a, %a : tensor<5xf32>
  return %0 : tensor<5xf32>
--
  %0 = stablehlo.constant dense<1.0> : tensor<5xf32>
  return %0 : tensor<5xf32>
P
learned quotient 1
has "$work/quotient.text" 'Near to it is a rule'
has "$work/quotient.rw" 'where all\(A != 0\)'
pair roots '(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32>' <<'P'
  %0 = stablehlo.sqrt %a : tensor<5xf32>
  %1 = stablehlo.sqrt %b : tensor<5xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<5xf32>
  return %2 : tensor<5xf32>
--
  %0 = stablehlo.multiply %a, %b : tensor<5xf32>
  %1 = stablehlo.sqrt %0 : tensor<5xf32>
  return %1 : tensor<5xf32>
P
learned roots 1
has "$work/roots.rw" 'where all\(A >= 0\)'
has "$work/roots.rw" 'where all\(B >= 0\)'

# a precondition on elements, and one on sizes, each with a program that differs without it; the
# folder may be there
expect 1 "$rankwright" learn "$work/roots.mlir" --counterexamples "$work/cases"
has "$work/out" '^  needs-1\.mlir: without all\(A >= 0\)$'
pair reverse '(%a: tensor<1x9xf32>) -> tensor<1x9xf32>' <<'P'
  %0 = stablehlo.reverse %a, dims = [0] : tensor<1x9xf32>
  return %0 : tensor<1x9xf32>
--
  return %a : tensor<1x9xf32>
P
expect 0 "$rankwright" learn "$work/reverse.mlir" --counterexamples "$work/cases"
has "$work/out" '^  needs-1\.mlir: without n <= 1$'
expect 0 "$rankwright" eval "$work/cases/needs-1.mlir"
[ "$(sort -u "$work/out" | wc -l)" = 2 ] || fail "needs-1.mlir shows no difference"

# any monoid in place of a sum says nothing of sums of floats; the answer does
pair same '(%a: tensor<4xf32>) -> tensor<4xf32>' <<'P'
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %z : tensor<4xf32>
  return %0 : tensor<4xf32>
--
  %0 = stablehlo.maximum %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
P
expect 0 "$rankwright" learn "$work/same.mlir"
has "$work/out" "with the pair's own operators false: .*A=-0"

# numbers of the right side that count elements
pair copies '(%a: tensor<5xf32>) -> tensor<5xf32>' <<'P'
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<5xf32>) -> tensor<4x5xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
--
  %c = stablehlo.constant dense<4.0> : tensor<5xf32>
  %0 = stablehlo.multiply %a, %c : tensor<5xf32>
  return %0 : tensor<5xf32>
P
learned copies 0
has "$work/copies.rw" 'value\(n\)'
pair places '() -> tensor<7xi32>' <<'P'
  %0 = stablehlo.iota dim = 0 : tensor<7xi32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<7xi32>
  return %1 : tensor<7xi32>
--
  %c = stablehlo.constant dense<6> : tensor<7xi32>
  %0 = stablehlo.iota dim = 0 : tensor<7xi32>
  %1 = stablehlo.subtract %c, %0 : tensor<7xi32>
  return %1 : tensor<7xi32>
P
learned places 0
has "$work/places.rw" 'value\(n - 1\) - iota'

# what holds of unsigned integers only
pair unsigned '(%a: tensor<6xui32>) -> tensor<6xui32>' <<'P'
  %c = stablehlo.constant dense<4> : tensor<6xui32>
  %0 = stablehlo.remainder %a, %c : tensor<6xui32>
  return %0 : tensor<6xui32>
--
  %c = stablehlo.constant dense<3> : tensor<6xui32>
  %0 = stablehlo.and %a, %c : tensor<6xui32>
  return %0 : tensor<6xui32>
P
learned unsigned 0
has "$work/unsigned.rw" 'type T[0-9]* : uint'
finish
