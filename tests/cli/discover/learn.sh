#!/bin/sh
# Rules from examples: what is printed is proved, rewrites the program before into the program
# after with a valid record, and does not depend on names or layouts.
. tests/lib/cli.sh

expect 0 "$rankwright" learn tests/examples/slice_of_pad.mlir -o "$work/rule.rw"
has "$work/out" 'holds for all ranks and sizes'
has "$work/out" '^  %0 = pad\(A, v'
has "$work/out" 'It needs .* along each of these dimensions\. Without that the programs differ'
has "$work/out" 'floats, bit for bit +proved'
# Other right sides are right at points like the pair, too, but not where the slice starts beyond n2.
has "$work/out" '^  %1 = pad\(%0, v, low=\{y: l - s\}, high=\{y: min\(e - l, 0\)\}\)'
[ "$(grep -c '^It needs ' "$work/out")" = 1 ] || fail "more preconditions than the one that is needed"
has "$work/out" '^It needs e <= n2 \+ l along'
grep -qE '24|21|\b11\b|\b7\b' "$work/rule.rw" && fail "a size of the pair stands in the rule"
expect 0 "$rankwright" prove "$work/rule.rw" --db "$work/r.db"
awk '/@before/,/^}/' tests/examples/slice_of_pad.mlir >"$work/before.mlir"
awk '/@after/,/^}/' tests/examples/slice_of_pad.mlir >"$work/after.mlir"
expect 0 "$rankwright" simplify "$work/before.mlir" --db "$work/r.db" --cost nodes \
    --proof "$work/proof.json" -o "$work/got.mlir"
expect 0 "$rankwright" check "$work/proof.json" --db "$work/r.db"

# sums of three parts, of which the pair has two of one element
expect 0 "$rankwright" learn tests/examples/sum_of_joined.mlir
has "$work/out" 'op g : monoid'
has "$work/out" 'floats, bit for bit +proved of maximum and minimum'

# two files; other names, another order of dimensions in all arguments: the same rule
expect 0 "$rankwright" learn "$work/before.mlir" "$work/after.mlir" --json
hash=$(sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p' "$work/out")
[ -n "$hash" ] || fail "no hash in the JSON"
cat >"$work/turned.mlir" <<'M'
func.func @p(%a: tensor<10x24xf32>, %b: tensor<f32>) -> tensor<9x24xf32> {
  %c = stablehlo.pad %a, %b, low = [7, 0], high = [4, 0], interior = [0, 0] : (tensor<10x24xf32>, tensor<f32>) -> tensor<21x24xf32>
  %d = stablehlo.slice %c [2:11, 0:24] : (tensor<21x24xf32>) -> tensor<9x24xf32>
  return %d : tensor<9x24xf32>
}
func.func @q(%a: tensor<10x24xf32>, %b: tensor<f32>) -> tensor<9x24xf32> {
  %c = stablehlo.slice %a [0:4, 0:24] : (tensor<10x24xf32>) -> tensor<4x24xf32>
  %d = stablehlo.pad %c, %b, low = [5, 0], high = [0, 0], interior = [0, 0] : (tensor<4x24xf32>, tensor<f32>) -> tensor<9x24xf32>
  return %d : tensor<9x24xf32>
}
M
expect 0 "$rankwright" learn "$work/turned.mlir" --functions p,q --json
has "$work/out" "\"hash\": *\"$hash\""
has "$work/out" '"answer": *"rule"'

# the database has it
expect 0 "$rankwright" learn tests/examples/slice_of_pad.mlir --db "$work/r.db"
has "$work/out" 'The database has this rule: rule/learned'

# one up to layout; not equal
cat >"$work/layout.mlir" <<'M'
func.func @p(%x: tensor<4x5xf32>) -> tensor<5x4xf32> {
  %0 = stablehlo.negate %x : tensor<4x5xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}
func.func @q(%x: tensor<4x5xf32>) -> tensor<5x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.negate %0 : tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}
M
expect 0 "$rankwright" learn "$work/layout.mlir"
has "$work/out" 'No rule is needed'
sed 's/%1 = stablehlo.negate %0/%1 = stablehlo.abs %0/' "$work/layout.mlir" >"$work/wrong.mlir"
expect 1 "$rankwright" learn "$work/wrong.mlir" --counterexamples "$work/wrong"
has "$work/out" '^The programs are not equal: different in the value of an element'
has "$work/out" '^result 0 at \[[0-9], [0-9]\]: .* before, .* after, for'
expect 1 "$rankwright" learn "$work/wrong.mlir" --json
has "$work/out" '"answer": *"different"'
expect 0 "$rankwright" eval "$work/wrong/pair.mlir"
[ "$(sort -u "$work/out" | wc -l)" = 2 ] || fail "the program of a wrong pair shows no difference"

# what a precondition is for: here the right side is no program without it, and the answer says so
expect 0 "$rankwright" learn tests/examples/slice_of_pad.mlir --counterexamples "$work/cases"
has "$work/out" 'needs-1 \(no program\): without e <= n2 \+ l; there the program after is not well-defined'

# machine integers that overflow are not equal; the rule that would be true is one over integers
cat >"$work/overflow.mlir" <<'M'
func.func @p(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c = stablehlo.constant dense<2> : tensor<4xi8>
  %0 = stablehlo.multiply %x, %c : tensor<4xi8>
  %1 = stablehlo.divide %0, %c : tensor<4xi8>
  return %1 : tensor<4xi8>
}
func.func @q(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}
M
expect 1 "$rankwright" learn "$work/overflow.mlir"
has "$work/out" '^The programs are not equal: different where numbers overflow'

# floats that differ on NaN and infinities: a rule over the reals, and programs that differ
cat >"$work/special.mlir" <<'M'
func.func @p(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.subtract %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @q(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
M
expect 0 "$rankwright" learn "$work/special.mlir" --counterexamples "$work/special"
has "$work/out" '^The programs are different on NaN or infinities'
has "$work/out" 'real numbers +proved'
has "$work/out" 'floats, bit for bit +false'
for case in pair float; do
    expect 0 "$rankwright" eval "$work/special/$case.mlir"
    [ "$(sort -u "$work/out" | wc -l)" = 2 ] || fail "$case.mlir shows no difference"
done

# a second pair
expect 0 "$rankwright" learn tests/examples/slice_of_pad.mlir --also tests/examples/slice_of_pad.mlir
expect 2 "$rankwright" learn tests/examples/slice_of_pad.mlir --also tests/examples/sum_of_joined.mlir
has "$work/out" 'the second pair is no instance'

# wrong use
expect 64 "$rankwright" learn
expect 64 "$rankwright" learn "$work/layout.mlir" --functions p
expect 65 "$rankwright" learn "$work/layout.mlir" --functions p,r
expect 65 "$rankwright" learn "$work/before.mlir"
has "$work/err" 'found one with 1'
expect 65 "$rankwright" learn "$work/before.mlir" "$work/turned.mlir" --functions before,p
has "$work/err" 'argument 1 has another type: %.* is tensor<24x10xf32> before, %.* after'
# a path that cannot be written is refused before the work
expect 74 "$rankwright" learn tests/examples/slice_of_pad.mlir -o "$work/no/such/folder.rw"
one_message
finish

# as JAX writes programs: a public function that calls private ones, of one result and of two
cat >"$work/calls.mlir" <<'M'
module @jit_f {
  func.func public @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = call @flip(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %1:2 = call @both(%0) : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    return %1#1 : tensor<4x6xf32>
  }
  func.func private @both(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
    %0 = call @flip(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return %x, %0 : tensor<4x6xf32>, tensor<4x6xf32>
  }
  func.func private @flip(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.reverse %x, dims = [1] : tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
M
cat >"$work/same.mlir" <<'M'
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> { return %x : tensor<4x6xf32> }
M
expect 0 "$rankwright" learn "$work/calls.mlir" "$work/same.mlir"
has "$work/out" '%0 = reverse\(A, \{y\}\)'
has "$work/out" 'floats, bit for bit +proved'
sed 's/return %1#1/return %1#0/' "$work/calls.mlir" >"$work/other.mlir"
expect 1 "$rankwright" learn "$work/other.mlir" "$work/same.mlir"
# the other way round
expect 0 "$rankwright" learn "$work/same.mlir" "$work/calls.mlir"
finish
