#!/bin/sh
# The interpreter runs reduce, sort and map with any body; where it invents a value it does not
# call two programs different.
. tests/lib/cli.sh
cat >"$work/p.mlir" <<'M'
func.func @main() -> (tensor<2xi32>, tensor<2xi64>, tensor<3x2xi32>, tensor<3x2xi32>, tensor<3xi32>) {
  %a = stablehlo.constant dense<[[1, 7, 7], [5, 2, -3]]> : tensor<2x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi64>
  %low = stablehlo.constant dense<-2147483648> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi64>, tensor<i32>, tensor<i64>) -> (tensor<2xi32>, tensor<2xi64>)
   reducer(%x: tensor<i32>, %y: tensor<i32>) (%u: tensor<i64>, %v: tensor<i64>) {
    %c = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = stablehlo.select %c, %x, %y : tensor<i1>, tensor<i32>
    %t = stablehlo.select %c, %u, %v : tensor<i1>, tensor<i64>
    stablehlo.return %s, %t : tensor<i32>, tensor<i64>
  }
  %key = stablehlo.constant dense<[[2, 1], [1, 3], [2, 2]]> : tensor<3x2xi32>
  %row = stablehlo.iota dim = 0 : tensor<3x2xi32>
  %1:2 = "stablehlo.sort"(%key, %row) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>):
    %c = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3x2xi32>, tensor<3x2xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>)
  %p = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %q = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %2 = "stablehlo.map"(%p, %q) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.multiply %x, %two : tensor<i32>
    %d = stablehlo.subtract %y, %c : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0#0, %0#1, %1#0, %1#1, %2 : tensor<2xi32>, tensor<2xi64>, tensor<3x2xi32>, tensor<3x2xi32>, tensor<3xi32>
}
M
expect 0 "$rankwright" eval "$work/p.mlir"
cat >"$work/want" <<'W'
dense<[7, 5]> : tensor<2xi32>
dense<[1, 0]> : tensor<2xi64>
dense<[[2, 3], [2, 2], [1, 1]]> : tensor<3x2xi32>
dense<[[0, 1], [2, 2], [1, 0]]> : tensor<3x2xi32>
dense<[8, 16, 24]> : tensor<3xi32>
W
cmp -s "$work/out" "$work/want" || { fail "other values"; cat "$work/out"; }

# The region of a reduce may be of a wider type than its operands.
cat >"$work/wide.mlir" <<'M'
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<[100, 27, -128]> : tensor<3xi8>
  %e = stablehlo.constant dense<> : tensor<0xi8>
  %z = stablehlo.constant dense<-1> : tensor<i8>
  %0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.constant dense<2> : tensor<i32>
    %d = stablehlo.multiply %x, %c : tensor<i32>
    %s = stablehlo.subtract %d, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  %1 = "stablehlo.reduce"(%e, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.subtract %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<0xi8>, tensor<i8>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}
M
expect 0 "$rankwright" eval "$work/wide.mlir"
printf 'dense<-334> : tensor<i32>\ndense<-1> : tensor<i32>\n' >"$work/want"
cmp -s "$work/out" "$work/want" || { fail "a wider type"; cat "$work/out"; }

# The written form in pairs and the generic one are the same reduce; a wrong one differs.
reducer() { # NAME RESULT
    cat >"$work/$1.mlir" <<M
func.func @main(%a: tensor<4x5xf32>, %z: tensor<f32>, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.add %x, %y : tensor<f32>
    %u = stablehlo.multiply %t, %s : tensor<f32>
    %v = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return $2 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
M
}
reducer captured %s
reducer scaled %u
reducer plain %v
cat >"$work/max.mlir" <<'M'
func.func @main(%a: tensor<4x5xf32>, %z: tensor<f32>, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
M
cat >"$work/spread.mlir" <<'M'
func.func @main(%a: tensor<4x5xf32>, %z: tensor<f32>, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
M
expect 0 "$rankwright" eval "$work/captured.mlir" --compare "$work/spread.mlir"
expect 0 "$rankwright" eval "$work/plain.mlir" --compare "$work/max.mlir"
expect 1 "$rankwright" eval "$work/scaled.mlir" --compare "$work/max.mlir"
has "$work/out" '^result 0 differs, first at element 0$'
expect 0 "$rankwright" simplify "$work/scaled.mlir" --db "$proved_library" --verify 4 \
    -o "$work/scaled_out.mlir"
has "$work/err" '1 function gave equal results on 4 random arguments'

# What a region takes from the loop around it is looked at each time.
cat >"$work/nested.mlir" <<'M'
func.func @main() -> (tensor<i32>, tensor<3xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %v = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r:3 = stablehlo.while(%i = %zero, %s = %zero, %t = %v) : tensor<i32>, tensor<i32>, tensor<3xi32>
   cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %square = stablehlo.multiply %n, %n : tensor<i32>
    %red = stablehlo.reduce(%v init: %zero) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
     reducer(%x: tensor<i32>, %y: tensor<i32>) {
      %m = stablehlo.multiply %y, %square : tensor<i32>
      %p = stablehlo.add %x, %m : tensor<i32>
      %q = stablehlo.add %p, %i : tensor<i32>
      stablehlo.return %q : tensor<i32>
    }
    %map = "stablehlo.map"(%t) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<i32>):
      %k = stablehlo.add %x, %s : tensor<i32>
      stablehlo.return %k : tensor<i32>
    }) : (tensor<3xi32>) -> tensor<3xi32>
    %s2 = stablehlo.add %s, %red : tensor<i32>
    stablehlo.return %n, %s2, %map : tensor<i32>, tensor<i32>, tensor<3xi32>
  }
  return %r#1, %r#2 : tensor<i32>, tensor<3xi32>
}
M
expect 0 "$rankwright" eval "$work/nested.mlir"
has "$work/out" '^dense<93> : tensor<i32>$'
has "$work/out" '^dense<\[40, 41, 42\]> : tensor<3xi32>$'

# An attribute of a longer name, or in a string, is another one; a body with a side effect is run
# by nobody.
sorted() { # NAME ATTRIBUTES EFFECT
    cat >"$work/$1.mlir" <<M
func.func @main() -> tensor<2x3xi32> {
  %a = stablehlo.constant dense<[[3, 1, 2], [0, 5, 4]]> : tensor<2x3xi32>
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    $3
    %c = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {$2} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
M
    expect 0 "$rankwright" eval "$work/$1.mlir"
}
for attributes in 'dimension = 1 : i64' 'a.dimension = 0 : i64, dimension = 1 : i64' \
    'aaa = "dimension = 0", dimension = 1 : i64' 'my.dimension = 0 : i64'; do
    sorted rows "$attributes" ''
    has "$work/out" '^dense<\[\[1, 2, 3\], \[0, 4, 5\]\]>'
done
sorted effect 'dimension = 1 : i64' '%e = stablehlo.custom_call @f(%x) : (tensor<i32>) -> tensor<i32>'

# Nobody knows what a custom call computes.
for name in one other; do
    cat >"$work/$name.mlir" <<M
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @$name(%a) {has_side_effect = false} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
M
done
expect 0 "$rankwright" eval "$work/one.mlir" --compare "$work/one.mlir"
expect 2 "$rankwright" eval "$work/one.mlir" --compare "$work/other.mlir"
has "$work/out" '^result 0 may differ, first at element 0: the interpreter does not know stablehlo.custom_call$'
finish
