#!/bin/sh
# eval --compare --runs: arguments on which two programs differ, and in which sense.
. tests/lib/cli.sh
# pair NAME TYPES: the bodies of both functions come from standard input, with a line "--" between.
pair() {
    awk -v before="$work/$1.before.mlir" -v after="$work/$1.after.mlir" -v types="$2" '
        BEGIN { out = before; print "func.func @main" types " {" > out }
        /^--$/ { print "}" > out; out = after; print "func.func @main" types " {" > out; next }
        { print > out }
        END { print "}" > out }'
}
# differs NAME STATUS SENSE: the answer, its sense, and a module that shows the difference.
differs() {
    rm -f "$work/$1.mlir"
    expect "$2" "$rankwright" eval "$work/$1.before.mlir" --compare "$work/$1.after.mlir" \
        --runs 100 --json -o "$work/$1.mlir"
    has "$work/out" "\"sense\": *\"$3\""
    [ "$2" = 1 ] || return
    cp "$work/out" "$work/$1.json"
    expect 0 "$rankwright" eval "$work/$1.mlir"
    [ "$(sort -u "$work/out" | wc -l)" = 2 ] || fail "$1: the module's results are not two"
}

pair half '(%a: tensor<5xi8>) -> tensor<5xi8>' <<'P'
  %c = stablehlo.constant dense<2> : tensor<5xi8>
  %0 = stablehlo.multiply %a, %c : tensor<5xi8>
  %1 = stablehlo.divide %0, %c : tensor<5xi8>
  return %1 : tensor<5xi8>
--
  return %a : tensor<5xi8>
P
differs half 1 overflow

pair zero '(%a: tensor<5xf32>) -> tensor<f32>' <<'P'
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
--
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
P
differs zero 1 value

pair order '(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32>' <<'P'
  %0 = stablehlo.add %a, %b : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
--
  %0 = stablehlo.add %b, %c : tensor<f32>
  %1 = stablehlo.add %a, %0 : tensor<f32>
  return %1 : tensor<f32>
P
differs order 1 rounding

# large numbers that cancel, and roots: what rounds is no difference of the real numbers
pair cancel '(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32>' <<'P'
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.add %a, %a : tensor<4xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4xf32>
  %3 = stablehlo.is_finite %2 : (tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.select %3, %2, %b : tensor<4xi1>, tensor<4xf32>
  return %4 : tensor<4xf32>
--
  %2 = stablehlo.subtract %b, %a : tensor<4xf32>
  %3 = stablehlo.is_finite %2 : (tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.select %3, %2, %b : tensor<4xi1>, tensor<4xf32>
  return %4 : tensor<4xf32>
P
expect 1 "$rankwright" eval "$work/cancel.before.mlir" --compare "$work/cancel.after.mlir" --runs 300
has "$work/out" 'on NaN or infinities|rounding of floats|where numbers overflow'
pair root '(%a: tensor<4xf32>) -> tensor<4xf32>' <<'P'
  %0 = stablehlo.sqrt %a : tensor<4xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
--
  return %a : tensor<4xf32>
P
differs root 1 undefined
# few runs meet NaN, infinities and -0
pair early '(%a: tensor<f32>) -> tensor<i1>' <<'P'
  %0 = stablehlo.compare EQ, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
--
  %0 = stablehlo.constant dense<true> : tensor<i1>
  return %0 : tensor<i1>
P
expect 1 "$rankwright" eval "$work/early.before.mlir" --compare "$work/early.after.mlir" --runs 2

# the order of a sum is open
pair sum '(%a: tensor<5x4xf32>) -> tensor<f32>' <<'P'
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
--
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
P
differs sum 0 sums

pair nothing '(%a: tensor<4xf32>) -> tensor<4xf32>' <<'P'
  %c = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.multiply %a, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
--
  %c = stablehlo.constant dense<0.0> : tensor<4xf32>
  return %c : tensor<4xf32>
P
differs nothing 1 special
has "$work/nothing.json" '"sense": *"zero"'

pair start '(%a: tensor<9xf32>, %i: tensor<i32>) -> tensor<3xf32>' <<'P'
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [3] : (tensor<9xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
--
  %c = stablehlo.constant dense<6> : tensor<i32>
  %0 = stablehlo.minimum %i, %c : tensor<i32>
  %1 = stablehlo.dynamic_slice %a, %0, sizes = [3] : (tensor<9xf32>, tensor<i32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
P
differs start 0 none
sed 's/dense<6>/dense<5>/' "$work/start.after.mlir" >"$work/bound.after.mlir"
cp "$work/start.before.mlir" "$work/bound.before.mlir"
differs bound 1 value

# 2.5 * 10^9 elements: slices that meet, and slices that do not
pair large '(%a: tensor<50000x50000xf32>) -> tensor<50000x40000xf32>' <<'P'
  %0 = stablehlo.slice %a [0:50000, 1000:21000] : (tensor<50000x50000xf32>) -> tensor<50000x20000xf32>
  %1 = stablehlo.slice %a [0:50000, 21000:41000] : (tensor<50000x50000xf32>) -> tensor<50000x20000xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<50000x20000xf32>, tensor<50000x20000xf32>) -> tensor<50000x40000xf32>
  return %2 : tensor<50000x40000xf32>
--
  %0 = stablehlo.slice %a [0:50000, 1000:41000] : (tensor<50000x50000xf32>) -> tensor<50000x40000xf32>
  return %0 : tensor<50000x40000xf32>
P
differs large 0 none
has "$work/out" '"smaller": *true'
cp "$work/large.after.mlir" "$work/gap.after.mlir"
sed 's/21000:41000/22000:42000/' "$work/large.before.mlir" >"$work/gap.before.mlir"
differs gap 1 value

# the diagonal by a stride that is the size and 1
pair diagonal '(%a: tensor<3000x3000xf32>) -> tensor<3000xf32>' <<'P'
  %0 = stablehlo.reshape %a : (tensor<3000x3000xf32>) -> tensor<9000000xf32>
  %1 = stablehlo.slice %0 [0:9000000:3001] : (tensor<9000000xf32>) -> tensor<3000xf32>
  return %1 : tensor<3000xf32>
--
  %0 = stablehlo.iota dim = 0 : tensor<3000x3000xi32>
  %1 = stablehlo.iota dim = 1 : tensor<3000x3000xi32>
  %2 = stablehlo.compare EQ, %0, %1 : (tensor<3000x3000xi32>, tensor<3000x3000xi32>) -> tensor<3000x3000xi1>
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %z = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<3000x3000xf32>
  %3 = stablehlo.select %2, %a, %z : tensor<3000x3000xi1>, tensor<3000x3000xf32>
  %4 = stablehlo.reduce(%3 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<3000x3000xf32>, tensor<f32>) -> tensor<3000xf32>
  return %4 : tensor<3000xf32>
P
differs diagonal 0 none
sed 's/compare EQ/compare LE/' "$work/diagonal.after.mlir" >"$work/off.after.mlir"
cp "$work/diagonal.before.mlir" "$work/off.before.mlir"
differs off 1 value

pair shape '(%a: tensor<2x3xf32>) -> tensor<2x3xf32>' <<'P'
  return %a : tensor<2x3xf32>
--
  stablehlo.return %0 : tensor<3x2xf32>
P
sed 's/stablehlo.return %0/%0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>\
  stablehlo.return %0/' "$work/shape.after.mlir" >"$work/other.after.mlir"
expect 1 "$rankwright" eval "$work/shape.before.mlir" --compare "$work/other.after.mlir" --runs 5
has "$work/out" 'types of the results'
echo 'rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }' >"$work/r.rw"
expect 0 "$rankwright" prove "$work/r.rw" --db "$db"
expect 0 "$rankwright" simplify "$work/other.after.mlir" --db "$db"
has "$work/err" 'taken to be of the type of its value, tensor<3x2xf32>'
# other parameters are no question
expect 65 "$rankwright" eval "$work/shape.before.mlir" --compare "$work/half.before.mlir" --runs 5
one_message
# what the interpreter does not know is not known
pair custom '(%a: tensor<3xf32>) -> tensor<3xf32>' <<'P'
  %0 = stablehlo.custom_call @f(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
--
  return %a : tensor<3xf32>
P
expect 2 "$rankwright" eval "$work/custom.before.mlir" --compare "$work/custom.after.mlir" --runs 5
has "$work/out" 'does not know'
# a number that counts elements stays at smaller sizes: what differs there is not known
pair count '(%a: tensor<f32>) -> tensor<f32>' <<'P'
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<16384x4096xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<16384x4096xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
--
  %n = stablehlo.constant dense<67108864.0> : tensor<f32>
  %0 = stablehlo.multiply %a, %n : tensor<f32>
  return %0 : tensor<f32>
P
expect 2 "$rankwright" eval "$work/count.before.mlir" --compare "$work/count.after.mlir" --runs 9
has "$work/out" 'not known: at smaller sizes'
# same seed, same bytes
expect 1 "$rankwright" eval "$work/order.before.mlir" --compare "$work/order.after.mlir" --runs 50
cp "$work/out" "$work/first"
expect 1 "$rankwright" eval "$work/order.before.mlir" --compare "$work/order.after.mlir" --runs 50
cmp -s "$work/out" "$work/first" || fail "another answer"
# values that are made up are called so, in one run too
cat >"$work/unknown.mlir" <<'P'
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @other(%x) {has_side_effect = false} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
P
sed 's/custom_call @other(%x) {.*} : .* ->/sine %x :/' "$work/unknown.mlir" >"$work/known.mlir"
expect 0 "$rankwright" eval "$work/unknown.mlir"
has "$work/err" 'does not know stablehlo.custom_call: what depends on it has values that are made up'
expect 0 "$rankwright" eval "$work/unknown.mlir" --compare "$work/unknown.mlir"
has "$work/err" 'does not know stablehlo.custom_call'
expect 0 "$rankwright" eval "$work/known.mlir"
[ ! -s "$work/err" ] || fail "a remark on values that are known"
finish
