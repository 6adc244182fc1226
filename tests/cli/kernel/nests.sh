#!/bin/sh
# Loops inside of loops: too many are refused, and runs of many iterations end.
. tests/lib/cli.sh

# scale_add, and in front of its write N loops around a write of y.
kernel() { # N UPPER
    sed '/%16 = /d; /%17 = /d; /tt.store/,$d' tests/kernels/scale_add.ttir
    echo '    %c0 = arith.constant 0 : i32'
    echo '    %c1 = arith.constant 1 : i32'
    for i in $(seq 1 "$1"); do
        echo "    scf.for %a$i = %c0 to $2 step %c1 : i32 {"
    done
    echo '    tt.store %15, %11, %10 : tensor<64x!tt.ptr<f32>>'
    for _ in $(seq 1 "$1"); do echo '    }'; done
    sed -n '/tt.store/,$ { s/%17/%11/; p; }' tests/kernels/scale_add.ttir
}
for n in 7 12 13 14 40; do
    kernel "$n" %c1 >"$work/nest.ttir"
    line=$(grep -n 'tt.store %15' "$work/nest.ttir" | cut -d: -f1)
    expect 2 "$rankwright" lift "$work/nest.ttir" --as-written --proof "$work/nest.rwl"
    has "$work/out" '^refused y$'
    has "$work/out" "^  line $line: too many loops"
    has "$work/out" '^proved out'
    expect 0 "$rankwright" check "$work/nest.rwl"
done
# A run is given up after so many elements, also where none of them is computed anew.
kernel 3 %arg4 >"$work/nest.ttir"
expect 2 timeout 300 "$rankwright" lift "$work/nest.ttir" --as-written
has "$work/out" '^refused y$'
finish
