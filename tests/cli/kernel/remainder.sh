#!/bin/sh
# A remainder is not that of a last group where its operand may be negative: -7 rem 8 is -7.
. tests/lib/cli.sh

# x[8*m + (where(lane <= d + 10, (d + lane) rem 8, d + 10))] with d = 8*program - 8*m.
kernel() {
    cat <<END
// arguments: %arg0=x:*fp32, %arg1=out:*fp32, %arg2=n:i32, %arg3=m:i32
// launch grid: (cdiv(n,8),)
module {
  tt.func public @f(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<8> : tensor<8xi32>
    %cst_0 = arith.constant dense<10> : tensor<8xi32>
    %c8_i32 = arith.constant 8 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c8_i32 : i32
    %2 = arith.muli %arg3, %c8_i32 : i32
    %3 = arith.subi %1, %2 : i32
    %4 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %5 = tt.splat %1 : i32 -> tensor<8xi32>
    %6 = arith.addi %5, %4 : tensor<8xi32>
    %7 = tt.splat %arg2 : i32 -> tensor<8xi32>
    %8 = arith.cmpi slt, %6, %7 : tensor<8xi32>
    %9 = tt.splat %3 : i32 -> tensor<8xi32>
    %10 = arith.addi %9, %4 : tensor<8xi32>
    %11 = arith.addi %9, %cst_0 : tensor<8xi32>
    %12 = arith.cmpi sle, %4, %11 : tensor<8xi32>
    %13 = arith.remsi %10, %cst : tensor<8xi32>
    %14 = $1
    %15 = tt.splat %2 : i32 -> tensor<8xi32>
    %16 = arith.addi %14, %15 : tensor<8xi32>
    %17 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %18 = tt.addptr %17, %16 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %19 = tt.load %18, %8 : tensor<8x!tt.ptr<f32>>
    %20 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %21 = tt.addptr %20, %6 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    tt.store %21, %19, %8 : tensor<8x!tt.ptr<f32>>
    tt.return
  }
}
END
}

kernel 'arith.select %12, %13, %11 : tensor<8xi1>, tensor<8xi32>' >"$work/remainder.ttir"
kernel 'arith.minsi %4, %11 : tensor<8xi32>' >"$work/minimum.ttir"
expect 0 "$rankwright" lift --as-written "$work/minimum.ttir"
has "$work/out" '^proved out\[i\]'
expect 2 "$rankwright" lift --as-written "$work/remainder.ttir"
! grep -q "^proved" "$work/out" || fail "a wrong formula is proved"
expect 1 "$rankwright" compare "$work/remainder.ttir" "$work/minimum.ttir"
has "$work/out" '^different$'
finish
