#!/bin/sh
# What a kernel says of itself is a fact of its proof, and a need of what is proved.
. tests/lib/cli.sh

# scale_add with these lines before its write, which may make %v of %17.
kernel() { # NAME
    {
        sed '/tt.store/,$d' tests/kernels/scale_add.ttir
        cat
        sed -n '/tt.store/,$ { s/%17/%v/; p; }' tests/kernels/scale_add.ttir
    } >"$work/$1.ttir"
    line=$(grep -n 'tt.assert\|llvm.intr.assume' "$work/$1.ttir" | cut -d: -f1)
}
says() { # NAME STATUS LINE..
    name=$1 status=$2
    shift 2
    expect "$status" "$rankwright" lift "$work/$name.ttir" --as-written --proof "$work/$name.rwl"
    for said in "$@"; do has "$work/out" "$said"; done
}

# Where n is less than 100, the tiles are whole: the read without a mask is of elements of x.
branch() { # [ASSERTION]
    cat <<END
    %h = arith.constant 100 : i32
    %few = arith.cmpi slt, %arg4, %h : i32
    %v = scf.if %few -> (tensor<64xf32>) {
      %np = tt.get_num_programs x : i32
      %size = arith.muli %np, %c64_i32 : i32
      %whole = arith.cmpi eq, %size, %arg4 : i32
$*
      %y = tt.load %8 : tensor<64x!tt.ptr<f32>>
      scf.yield %y : tensor<64xf32>
    } else {
      scf.yield %17 : tensor<64xf32>
    }
END
}
branch '      tt.assert %whole, "whole tiles" : i1' >"$work/body"
kernel asserted <"$work/body"
says asserted 0 '^proved out' "^  needs the condition of line $line is true\$"
expect 0 "$rankwright" check "$work/asserted.rwl"
has "$work/out" "^  needs the condition of line $line is true\$"
branch '' >"$work/body"
kernel open <"$work/body"
says open 2 '^derived out' 'open, line [0-9]+: bounds'

# What the condition is made of must fit: a product that wraps may be small.
kernel product <<'END'
    %h = arith.constant 1000000000 : i32
    %m = arith.constant 1000000 : i32
    %p = arith.muli %arg4, %m : i32
    %few = arith.cmpi slt, %p, %h : i32
    llvm.intr.assume %few : i1
    %v = math.absf %17 : tensor<64xf32>
END
says product 2 "^  needs the condition of line $line is true\$" \
    '^  needs 1000000\*n < 2147483648$'
# One that is always true is no need.
kernel always <<'END'
    %few = arith.cmpi sle, %arg4, %arg4 : i32
    llvm.intr.assume %few : i1
    %v = math.absf %17 : tensor<64xf32>
END
says always 0 '^proved out'
! grep -q 'the condition' "$work/out" || fail 'a condition that is always true is a need'
finish
