#!/bin/sh
# What simplify leaves as it is has the bytes that it had, and its place: a diff of a program
# and its result has nothing but what is different.
. tests/lib/cli.sh
library
programs=tests/programs/readable
readable() { # NAME: simplified into $work/NAME.mlir, with a record that is valid
    expect 0 "$rankwright" simplify "$programs/$1.mlir" --db "$db" -o "$work/$1.mlir" \
        --proof "$work/$1.json"
    expect 0 "$rankwright" check "$work/$1.json" --db "$db"
    # The result is printed as it is read.
    expect 0 "$rankwright" simplify "$work/$1.mlir" --db "$db" -o "$work/again.mlir"
    cmp "$work/$1.mlir" "$work/again.mlir" || fail "$1: another text at the second time"
}
changes() { # NAME: the lines of the diff, as on standard input
    diff "$programs/$1.mlir" "$work/$1.mlir" | grep '^[<>]' >"$work/changes"
    diff - "$work/changes" || fail "$1: another difference"
}

# Nothing is cheaper: comments, blanks, aliases, locations, generic forms and names stay.
readable same
cmp "$programs/same.mlir" "$work/same.mlir" || fail "same: a difference"
expect 0 "$rankwright" explain "$work/same.json" --db "$db" --html "$work/same.html"
expect 0 python3 tests/lib/page.py "$work/same.html" --maths 0
lines=$(wc -l <"$programs/same.mlir")
has "$work/same.html" "Lines: $lines equal, 0 changed, 0 gone, 0 new"
has "$work/same.html" "<summary>$lines equal lines</summary>"

# One line goes, others have another operand.  A line keeps its name, its spelling, its comment.
readable changed
changes changed <<'D'
<   %12 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
< 
<   %13 = "stablehlo.transpose"(%12) <{permutation = array<i64: 1, 0>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
<   %first = "stablehlo.sine"(%13) : (tensor<4x8xf32>) -> tensor<4x8xf32> // of the argument
< 
<   %unused = stablehlo.cosine %arg0 : tensor<4x8xf32>
>   %first = "stablehlo.sine"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32> // of the argument
<   %21 = stablehlo.add %12, %b : tensor<8x4xf32>
<   %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
<   %23 = stablehlo.tanh   %n : tensor<8x4xf32>
<   %24 = stablehlo.sine %23 : tensor<8x4xf32>
>   %v22 = stablehlo.transpose %b, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
>   %22 = stablehlo.add %arg0, %v22 : tensor<4x8xf32>
>   %24 = stablehlo.sine %20 : tensor<8x4xf32>
D

# What a call was replaced by has the names of the function; names in sight stay different.
readable names
changes names <<'D'
<   func.func private @first(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
<     %0 = stablehlo.sine %x : tensor<4x8xf32>
<     %b = stablehlo.cosine   %0 : tensor<4x8xf32>
<     %c = stablehlo.add %b, %y : tensor<4x8xf32>
<     return %c : tensor<4x8xf32>
<   }
<   func.func private @second(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
<     %0 = stablehlo.sine %x : tensor<4x8xf32>
<     %b = stablehlo.tanh   %0 : tensor<4x8xf32>
<     %c = stablehlo.add %b, %y : tensor<4x8xf32>
<     return %c : tensor<4x8xf32>
<   }
<     %7 = func.call @first(%p, %0) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
<     %8 = func.call @second(%7, %0) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
>     %v0 = stablehlo.sine %p : tensor<4x8xf32>
>     %b = stablehlo.cosine   %v0 : tensor<4x8xf32>
>     %7 = stablehlo.add %b, %0 : tensor<4x8xf32>
>     %v0_1 = stablehlo.sine %7 : tensor<4x8xf32>
>     %b_1 = stablehlo.tanh   %v0_1 : tensor<4x8xf32>
>     %8 = stablehlo.add %b_1, %0 : tensor<4x8xf32>
>     %1 = stablehlo.exponential %p : tensor<4x8xf32>
<       %1 = stablehlo.exponential %p : tensor<4x8xf32>
<       %1 = stablehlo.exponential %p : tensor<4x8xf32>
D
finish
