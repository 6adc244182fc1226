#!/bin/sh
# Which of several dimensions of size 1 a reshape adds.
. tests/lib/cli.sh

# Which dimension of size 1 is the new one is open: the first (here) or the last.
cat >"$work/units.rw" <<'R'
rule units {
  axis a;
  axis x;
  map n, m on a;
  type T : any;
  tensor A[a: n] : T;
  tensor B[a: m] : T;
  concat(reshape(A, [] -> [x: 1]), reshape(B, [] -> [x: 1]), axis=a)
    => reshape(concat(A, B, axis=a), [] -> [x: 1]);
}
R
expect 0 "$rankwright" prove "$work/units.rw" --db "$work/u.db"
for type in '1x1 1x4 1x5 1' '1x1 4x1 5x1 0'; do
    set -- $type
    cat >"$work/units.mlir" <<M
func.func @main(%a: tensor<1xf32>, %b: tensor<4xf32>) -> tensor<$3xf32> {
  %0 = stablehlo.reshape %a : (tensor<1xf32>) -> tensor<$1xf32>
  %1 = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<$2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = $4 : (tensor<$1xf32>, tensor<$2xf32>) -> tensor<$3xf32>
  return %2 : tensor<$3xf32>
}
M
    expect 0 "$rankwright" simplify "$work/units.mlir" --db "$work/u.db" --rules "$work/units.rw" \
        --cost nodes --proof "$work/units.json" -o "$work/units-got.mlir"
    [ "$(grep -c stablehlo.reshape "$work/units-got.mlir")" = 1 ] || fail "no use with $type"
    expect 0 "$rankwright" check "$work/units.json" --db "$work/u.db"
done

# Tensors that are stacked along a new outermost dimension are joined and reshaped once.
library
for n in 2 3 4; do
    python3 - $n >"$work/stack.mlir" <<'P'
import sys
n = int(sys.argv[1])
part, unit, whole = "tensor<3x4xf32>", "tensor<1x3x4xf32>", f"tensor<{n}x3x4xf32>"
print(f"func.func @main({', '.join(f'%a{i}: {part}' for i in range(n))}) -> {whole} {{")
for i in range(n):
    print(f"  %u{i} = stablehlo.broadcast_in_dim %a{i}, dims = [1, 2] : ({part}) -> {unit}")
units = ", ".join(f"%u{i}" for i in range(n))
print(f"  %s = stablehlo.concatenate {units}, dim = 0 : ({', '.join([unit] * n)}) -> {whole}")
print(f"  return %s : {whole}\n}}")
P
    expect 0 "$rankwright" simplify "$work/stack.mlir" --db "$db" --proof "$work/stack.json" \
        -o "$work/stacked.mlir"
    [ "$(grep -c ' = ' "$work/stacked.mlir")" = 2 ] || fail "$n parts: not a join and a reshape"
    expect 0 "$rankwright" check "$work/stack.json" --db "$db"
    expect 0 "$rankwright" eval "$work/stack.mlir" --compare "$work/stacked.mlir" --runs 3
done
finish
