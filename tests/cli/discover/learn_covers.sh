#!/bin/sh
# Rules from examples: no step makes a rule narrower, and what both sides share is any tensor.
. tests/lib/cli.sh
. tests/lib/pair.sh
# learned NAME STATUS: the rule is written, and proved again.
learned() {
    rm -f "$work/$1.rw"
    expect "$2" "$rankwright" learn "$work/$1.mlir" -o "$work/$1.rw"
    expect 0 "$rankwright" prove "$work/$1.rw" --db "$work/r.db"
}

lacks() { grep -Eq -- "$2" "$1" && fail "'$2' in $(basename "$1")"; }

# equal numbers that mean nothing: 40 is a size, both paddings and the end of the slice behind them
pair lower '(%a: tensor<40xf32>, %v: tensor<f32>) -> tensor<40xf32>' <<'P'
  %0 = stablehlo.pad %a, %v, low = [40], high = [40], interior = [0] : (tensor<40xf32>, tensor<f32>) -> tensor<120xf32>
  %1 = stablehlo.slice %0 [20:60] : (tensor<120xf32>) -> tensor<40xf32>
  return %1 : tensor<40xf32>
--
  %0 = stablehlo.slice %a [0:20] : (tensor<40xf32>) -> tensor<20xf32>
  %1 = stablehlo.pad %0, %v, low = [20], high = [0], interior = [0] : (tensor<20xf32>, tensor<f32>) -> tensor<40xf32>
  return %1 : tensor<40xf32>
P
learned lower 0
has "$work/lower.rw" 'where l <= e;'
has "$work/lower.rw" 'where e <= n \+ l;'
[ "$(grep -c where "$work/lower.rw")" = 2 ] || fail "lower.rw has more preconditions"

# one axis in the padding is enough; what the others have does not matter, nor do strides
pair beside '(%a: tensor<30xf32>, %v: tensor<f32>) -> tensor<20xf32>' <<'P'
  %0 = stablehlo.pad %a, %v, low = [30], high = [30], interior = [0] : (tensor<30xf32>, tensor<f32>) -> tensor<90xf32>
  %1 = stablehlo.slice %0 [5:25] : (tensor<90xf32>) -> tensor<20xf32>
  return %1 : tensor<20xf32>
--
  %0 = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<20xf32>
  return %0 : tensor<20xf32>
P
learned beside 0
has "$work/beside.rw" '^  axis x;'
has "$work/beside.rw" 'low=\{x: l, y: l2\}'
has "$work/beside.rw" 'stride=\{x: p, y: p2\}'
lacks "$work/beside.rw" 'where.*[a-z]2'

# a last operand that both sides slice alike is any tensor
pair shared '(%a: tensor<6x9xf32>) -> tensor<6x7xf32>' <<'P'
  %0 = stablehlo.slice %a [0:6, 0:2] : (tensor<6x9xf32>) -> tensor<6x2xf32>
  %1 = stablehlo.slice %a [0:6, 2:5] : (tensor<6x9xf32>) -> tensor<6x3xf32>
  %2 = stablehlo.slice %a [0:6, 7:9] : (tensor<6x9xf32>) -> tensor<6x2xf32>
  %3 = stablehlo.concatenate %0, %1, %2, dim = 1 : (tensor<6x2xf32>, tensor<6x3xf32>, tensor<6x2xf32>) -> tensor<6x7xf32>
  return %3 : tensor<6x7xf32>
--
  %0 = stablehlo.slice %a [0:6, 0:5] : (tensor<6x9xf32>) -> tensor<6x5xf32>
  %1 = stablehlo.slice %a [0:6, 7:9] : (tensor<6x9xf32>) -> tensor<6x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<6x5xf32>, tensor<6x2xf32>) -> tensor<6x7xf32>
  return %2 : tensor<6x7xf32>
P
learned shared 0
has "$work/shared.rw" 'tensor Z\['
[ "$(grep -o slice "$work/shared.rw" | wc -l)" = 3 ] || fail "shared.rw slices the last operand"

# neighbours stay neighbours, wherever they begin
pair window '(%a: tensor<21xf32>) -> tensor<16xf32>' <<'P'
  %0 = stablehlo.slice %a [3:19] : (tensor<21xf32>) -> tensor<16xf32>
  %1 = stablehlo.slice %a [4:20] : (tensor<21xf32>) -> tensor<16xf32>
  %2 = stablehlo.add %0, %1 : tensor<16xf32>
  return %2 : tensor<16xf32>
--
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %a [3:20] : (tensor<21xf32>) -> tensor<17xf32>
  %1 = "stablehlo.reduce_window"(%0, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<17xf32>, tensor<f32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
P
learned window 0
has "$work/window.rw" 'size=\{[xa]: 2\}'
lacks "$work/window.rw" 'where'

# paddings of equal attributes, any interior, and a third operand of any width
pair pads '(%a: tensor<5x30xf32>, %b: tensor<5x4xf32>, %v: tensor<f32>, %c: tensor<7x3xf32>) -> tensor<7x37xf32>' <<'P'
  %0 = stablehlo.pad %a, %v, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<5x30xf32>, tensor<f32>) -> tensor<7x30xf32>
  %1 = stablehlo.pad %b, %v, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  %2 = stablehlo.concatenate %0, %1, %c, dim = 1 : (tensor<7x30xf32>, tensor<7x4xf32>, tensor<7x3xf32>) -> tensor<7x37xf32>
  return %2 : tensor<7x37xf32>
--
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<5x30xf32>, tensor<5x4xf32>) -> tensor<5x34xf32>
  %1 = stablehlo.pad %0, %v, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<5x34xf32>, tensor<f32>) -> tensor<7x34xf32>
  %2 = stablehlo.concatenate %1, %c, dim = 1 : (tensor<7x34xf32>, tensor<7x3xf32>) -> tensor<7x37xf32>
  return %2 : tensor<7x37xf32>
P
learned pads 0
has "$work/pads.rw" 'interior=\{.*: i[0-9]*'
lacks "$work/pads.rw" 'where'

# a slice of a slice may end behind the end: what is right at most points is solved for again
pair strided '(%a: tensor<50xf32>) -> tensor<4xf32>' <<'P'
  %0 = stablehlo.slice %a [4:46:2] : (tensor<50xf32>) -> tensor<21xf32>
  %1 = stablehlo.slice %0 [3:15:3] : (tensor<21xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
--
  %0 = stablehlo.slice %a [10:34:6] : (tensor<50xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
P
learned strided 0
has "$work/strided.rw" 'limit=\{x: min\('
has "$work/strided.rw" 'stride=\{x: p2?\*p2?\}'
lacks "$work/strided.rw" 'where'

# integers that choose among floats: the rule is one of integers that do not overflow, and of reals
pair choice '(%a: tensor<11x3xf32>, %b: tensor<11x3xf32>) -> tensor<11x3xf32>' <<'P'
  %0 = stablehlo.iota dim = 0 : tensor<11x3xi32>
  %c = stablehlo.constant dense<8> : tensor<11x3xi32>
  %1 = stablehlo.compare GE, %0, %c : (tensor<11x3xi32>, tensor<11x3xi32>) -> tensor<11x3xi1>
  %2 = stablehlo.select %1, %a, %b : tensor<11x3xi1>, tensor<11x3xf32>
  return %2 : tensor<11x3xf32>
--
  %0 = stablehlo.slice %b [0:8, 0:3] : (tensor<11x3xf32>) -> tensor<8x3xf32>
  %1 = stablehlo.slice %a [8:11, 0:3] : (tensor<11x3xf32>) -> tensor<3x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<8x3xf32>, tensor<3x3xf32>) -> tensor<11x3xf32>
  return %2 : tensor<11x3xf32>
P
learned choice 0
has "$work/choice.rw" 'claims int, real;'
has "$work/choice.rw" 'value\(c\)'

# a difference on NaN is not all that is said; a function that calls itself is no side effect
pair cancels '(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32>' <<'P'
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.subtract %0, %b : tensor<4xf32>
  return %1 : tensor<4xf32>
--
  return %a : tensor<4xf32>
P
expect 0 "$rankwright" learn "$work/cancels.mlir"
has "$work/out" '^and on ordinary numbers different in the rounding'
cat >"$work/calls.mlir" <<'M'
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @p(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @q(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
M
expect 65 "$rankwright" learn "$work/calls.mlir"
has "$work/err" 'calls itself'
finish
