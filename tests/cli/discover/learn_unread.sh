#!/bin/sh
# Operations that rules say nothing of; what the first line says; floats that overflow.
. tests/lib/cli.sh
. tests/lib/pair.sh

sort() { # DIRECTION: %s, sorted
    cat <<M
  %s = "stablehlo.sort"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = stablehlo.compare $1, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<8xf32>) -> tensor<8xf32>
M
}

# What is sorted is a tensor like an argument.
pair sorted '(%a: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32>' <<P
$(sort LT)
  %q = stablehlo.reverse %s, dims = [0] : tensor<8xf32>
  %r = stablehlo.reverse %q, dims = [0] : tensor<8xf32>
  %m = stablehlo.multiply %c, %r : tensor<8xf32>
  return %m : tensor<8xf32>
--
$(sort LT)
  %m = stablehlo.multiply %c, %s : tensor<8xf32>
  return %m : tensor<8xf32>
P
expect 0 "$rankwright" learn "$work/sorted.mlir" -o "$work/sorted.rw"
has "$work/out" '^The programs are an example of a rule that holds for all ranks and sizes\.$'
has "$work/sorted.rw" 'reverse\(reverse\('

# The program after may be nothing else.
pair bare '(%a: tensor<8xf32>) -> tensor<8xf32>' <<P
$(sort LT)
  %q = stablehlo.negate %s : tensor<8xf32>
  %r = stablehlo.negate %q : tensor<8xf32>
  return %r : tensor<8xf32>
--
$(sort LT)
  return %s : tensor<8xf32>
P
expect 0 "$rankwright" learn "$work/bare.mlir" -o "$work/bare.rw"
has "$work/bare.rw" '=> A;'

# One that stands in the program after only is named.
pair alone '(%a: tensor<8xf32>) -> tensor<8xf32>' <<P
  %q = stablehlo.negate %a : tensor<8xf32>
  return %q : tensor<8xf32>
--
$(sort LT)
  %m = stablehlo.negate %s : tensor<8xf32>
  %n = stablehlo.negate %m : tensor<8xf32>
  %o = stablehlo.negate %n : tensor<8xf32>
  return %o : tensor<8xf32>
P
status=0
"$rankwright" learn "$work/alone.mlir" >"$work/out" || status=$?
[ "$status" != 0 ] || fail "a sort was taken for nothing"
grep -q '^The rule' "$work/out" && fail "a rule about half of a program"

# Where both programs end in other such operations there is no rule.
pair ends '(%a: tensor<8xf32>) -> tensor<8xf32>' <<P
$(sort LT)
  return %s : tensor<8xf32>
--
$(sort LE)
  return %s : tensor<8xf32>
P
expect 2 "$rankwright" learn "$work/ends.mlir"
has "$work/out" 'no rule is learned of stablehlo.sort'
sed 's/"stablehlo.sort"/"unheard.of"/' "$work/ends.mlir" >"$work/effect.mlir"
expect 65 "$rankwright" learn "$work/effect.mlir"
has "$work/err" 'may have side effects: unheard.of'

# Elements, ranks and lengths of lists that a rule does not speak of are not claimed.
pair sums '(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32>' <<'P'
  %0 = stablehlo.multiply %a, %b : tensor<3xf32>
  %1 = stablehlo.multiply %a, %c : tensor<3xf32>
  %2 = stablehlo.add %0, %1 : tensor<3xf32>
  return %2 : tensor<3xf32>
--
  %0 = stablehlo.add %b, %c : tensor<3xf32>
  %1 = stablehlo.multiply %a, %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
P
expect 0 "$rankwright" learn "$work/sums.mlir"
has "$work/out" 'holds for all ranks and sizes, over truth values, integers without overflow, machine integers and real numbers\.$'
expect 0 "$rankwright" learn tests/examples/sum_of_joined.mlir
has "$work/out" 'holds for all ranks and sizes, for 3 parts that are joined'

# f64 overflows, too, where no wider numbers are left.
sed 's/f32/f64/g' "$work/sums.mlir" >"$work/wide.mlir"
expect 0 "$rankwright" learn "$work/wide.mlir"
has "$work/out" '^The programs are different where numbers overflow'
finish
