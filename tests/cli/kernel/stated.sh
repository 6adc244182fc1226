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

# A condition that other facts contradict proves nothing, whether they are of the launch, of the
# kernel or needs; nor does one that is false.
kernel large <<'END'
    %h = arith.constant 64 : i32
    %many = arith.cmpi sgt, %arg4, %h : i32
    llvm.intr.assume %many : i1
    %v = math.absf %17 : tensor<64xf32>
END
says large 2 '^derived out' "^  needs the condition of line $line is true\$"
grep 'needs n ==' "$work/out" && fail "a need that contradicts the kernel"
kernel never <<'END'
    %no = arith.constant false
    tt.assert %no, "never" : i1
    %v = math.absf %17 : tensor<64xf32>
END
says never 2 '^derived out' "open, line $line: given: no launch meets the condition of line $line\$"
expect 1 "$rankwright" check "$work/never.rwl"
kernel both <<'END'
    %h = arith.constant 100 : i32
    %few = arith.cmpi slt, %arg4, %h : i32
    %many = arith.cmpi sgt, %arg4, %h : i32
    llvm.intr.assume %few : i1
    llvm.intr.assume %many : i1
    %v = math.absf %17 : tensor<64xf32>
END
says both 2 '^derived out' 'open, line [0-9]+: given: no launch meets the condition of line [0-9]+$'

# Of the lanes of a tile nothing is assumed.
kernel tile <<'END'
    %yes = arith.cmpi sge, %4, %4 : tensor<64xi32>
    tt.assert %yes, "lanes" : tensor<64xi1>
    %v = math.absf %17 : tensor<64xf32>
END
says tile 0 '^proved out'
expect 0 "$rankwright" check "$work/tile.rwl"

# Sizes at which the condition is false refute nothing.
kernel bounded <<'END'
    %c3 = arith.constant 3 : i32
    %few = arith.cmpi slt, %arg4, %c3 : i32
    llvm.intr.assume %few : i1
    %v = arith.addf %17, %17 : tensor<64xf32>
END
"$rankwright" lift "$work/bounded.ttir" --as-written \
    --expect 'tensor x[i], y[i]; scalar a; 2*(a*x[i] + y[i])' >"$work/out" 2>"$work/err"
grep -q '^refuted' "$work/out" && fail "an expectation is refuted by excluded sizes"
expect 1 "$rankwright" lift "$work/bounded.ttir" --as-written \
    --expect 'tensor x[i], y[i]; scalar a; 3*(a*x[i] + y[i])'
finish
