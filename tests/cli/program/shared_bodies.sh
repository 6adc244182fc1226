#!/bin/sh
# Reductions of several operands and sorts: equal ones are one, those with another body, order or
# dimension stay apart, and one whose results nothing uses is gone.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
rule twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
R
expect 0 "$rankwright" prove "$work/a.rw" --db "$db"
reduction() { # NAME DIRECTION
    cat <<M
  %$1:2 = stablehlo.reduce(%a init: %z), (%i init: %zi) across dimensions = [1] : (tensor<4x4xf32>, tensor<4x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %1 = stablehlo.compare $2, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
M
}
sort() { # NAME DIRECTION DIMENSION
    cat <<M
  %$1 = "stablehlo.sort"(%a) <{dimension = $3 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare $2, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
M
}
program() { # SECOND-REDUCTION SECOND-SORT DIMENSION
    printf 'func.func @main(%%a: tensor<4x4xf32>, %%i: tensor<4x4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4x4xf32>, tensor<4x4xf32>) {\n'
    printf '  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n  %%zi = stablehlo.constant dense<0> : tensor<i32>\n'
    reduction r GE
    reduction s "$1"
    reduction unused LT
    sort t LT 1
    sort u "$2" "$3"
    printf '  return %%r#0, %%s#1, %%t, %%u : tensor<4xf32>, tensor<4xi32>, tensor<4x4xf32>, tensor<4x4xf32>\n}\n'
}
stays() { # REDUCTIONS SORTS
    expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/o.mlir" --proof "$work/p.json" -q
    found=$(grep -c 'stablehlo.reduce(' "$work/o.mlir"),$(grep -c 'stablehlo.sort' "$work/o.mlir")
    [ "$found" = "$1,$2" ] || fail "expected $1,$2 reductions and sorts, found $found"
    expect 0 "$rankwright" check "$work/p.json" --db "$db"
}
program GE LT 1 >"$work/p.mlir"; stays 1 1
has "$work/o.mlir" 'return %r#0, %r#1, %t, %t '
program GT LT 1 >"$work/p.mlir"; stays 2 1
program GE GT 1 >"$work/p.mlir"; stays 1 2
program GE LT 0 >"$work/p.mlir"; stays 1 2
finish
