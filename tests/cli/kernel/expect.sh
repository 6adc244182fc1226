#!/bin/sh
# What a kernel is expected to compute: proved for all sizes, or refuted by a run.
. tests/lib/cli.sh
kernels=tests/kernels

# Every kernel of the tests that is proved computes what it prints.
for kernel in scale_add softmax_row softmax_online layer_norm sum_lanes matmul_blocks; do
    expect 0 "$rankwright" lift "$kernels/$kernel.ttir" --expectation
    cp "$work/out" "$work/$kernel.expect"
    expect 0 "$rankwright" lift "$kernels/$kernel.ttir" --as-written --expect "@$work/$kernel.expect"
    has "$work/out" '^proved equal: expected [a-z]+\['
    has "$work/out" '^  agrees with runs, at [0-9]+ elements$'
done

# A bare formula takes places and sizes from the kernel; other names, other spellings.
expect 0 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --expect 'exp(x[i,j])/sum[j](exp(x[i,j]))'
has "$work/out" '^proved equal: expected out\[i, j\]'
expect 0 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --expect 'tensor x[p,q]; exp(x[p,q] + 7)/sum[q](exp(x[p,q] + 7))'
# Named functions are what their rules define, by position or by axes; the record holds them written out.
expect 0 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --expect 'softmax(x)' --proof "$work/named.record"
has "$work/out" '^  tensor x\[i, j\]; exp\(x\)/sum\(exp\(x\)\)$'
expect 0 "$rankwright" check "$work/named.record"
has "$work/out" '^proved equal: expected out'
expect 0 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --expect 'softmax[j](x[i,j])'
expect 0 "$rankwright" lift "$kernels/layer_norm.ttir" --as-written --expect 'scalar eps; layer_norm(x, w, b, eps)'
expect 1 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --expect 'log_softmax(x)'
expect 65 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --expect 'softmox(x)'
one_message
has "$work/err" 'unknown function softmox'

# What integers in memory point to, as lift prints it.
for kernel in embedding cross_entropy; do
    expect 0 "$rankwright" lift "$kernels/$kernel.ttir" --expectation
    cp "$work/out" "$work/$kernel.expect"
    expect 0 "$rankwright" lift "$kernels/$kernel.ttir" --as-written --expect "@$work/$kernel.expect"
    has "$work/out" '^proved equal: expected'
done
sed 's/table\[j + width/table[j + 1 + width/' "$work/embedding.expect" >"$work/other.expect"
expect 1 "$rankwright" lift "$kernels/embedding.ttir" --as-written --expect "@$work/other.expect"

expect 1 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --expect 'exp(x[i,j])/sum[j](2*exp(x[i,j]))'
has "$work/out" '^refuted: expected out'
has "$work/out" '^  counterexample: out\[[0-9]+, [0-9]+\] is .*, the formula says .*; sizes .*n='
expect 1 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --expect 'scalar a; a*x[i] - y[i]'
# Names that the kernel does not have.
expect 2 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --expect 'tensor z[i]; z[i]'
has "$work/out" '^unknown: '

# "Equal wherever the formula has a value" must say something: a formula without a value is not
# proved, nor is one that lacks values that the kernel has.  A record that holds it is rejected.
expect 0 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --proof "$work/plain.record"
vacuous() { # FORMULA
    expect 2 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --expect "scalar a; $1"
    has "$work/out" '^unknown: expected out'
    has "$work/out" "^  not proved: the expectation has no value at out\[[0-9]+\], where the kernel's has one; sizes a="
    cp "$work/plain.record" "$work/vacuous.record"
    printf 'expect %d\n%s\n' $((${#1} + 10)) "scalar a; $1" >>"$work/vacuous.record"
    expect 1 "$rankwright" check "$work/vacuous.record"
    has "$work/out" '^  not proved: the expectation has no value at out'
}
vacuous 'a*x[i] + y[i] + 0/(x[i] - x[i])'
vacuous 'a*x[i] + y[i] + 0/(sin(x[i])^2 + cos(x[i])^2 - 1)'
vacuous 'a*x[i] + y[i] + 0*log(-1 - x[i]*x[i])'
vacuous 'a*x[i] + y[i] + 0*log(x[i])'
vacuous 'a*x[i] + y[i] + 0*sqrt(x[i])'
vacuous 'a*x[i] + y[i] + 0*(1/(size(i) - size(i)))'
vacuous 'a*x[i] + y[i] + 0*max[i](log(x[i]))'
expect 0 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --expect 'scalar a; a*x[i]*(y[i]/y[i]) + y[i]'

# A fact that was proposed is a need of the expectation, too.
expect 0 "$rankwright" lift "$kernels/matmul_turned.ttir" --as-written \
    --expect 'tensor a[i,k], b[k,j]; sum[k](a[i,k]*b[k,j])'
sed -n '/^proved equal/,$p' "$work/out" >"$work/equal"
has "$work/equal" '^  needs K % 16 == 0$'

# What no launch meets proves nothing; the facts that contradict each other are named.
contradiction() { # ASSUME PATTERN
    expect 2 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --assume "$1"
    has "$work/out" "^  open, line [0-9]+: given: no launch meets $2\$"
}
contradiction 'n <= 5, n >= 7, 1 <= n' 'n <= 5 and n >= 7'
contradiction 'n <= 0' 'n <= 0 and n >= 1'
contradiction 'n == 5, n == 7' 'n == 5 and n == 7'
contradiction 'grid.x == 3, n == 1000' 'grid.x == cdiv\(n,BLOCK\) and grid.x == 3 and n == 1000'
contradiction 'n % 4 == 2, n % 2 == 1' 'n % 4 == 2 and n % 2 == 1 and n >= 1'
has "$work/out" '^  not run: no launch meets all facts$'
expect 2 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --grid '(0,)'
has "$work/out" 'given: no launch meets grid.x == 0 and grid.x >= 1$'
expect 2 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --assume 'n <= 0' --expect 'scalar a; a*x[i] + y[i]'
has "$work/out" '^unknown: expected'

# Places and sizes are compared, too.
other() { # STATUS KERNEL SED-SCRIPT
    sed "$3" "$work/$2.expect" >"$work/other.expect"
    ! cmp -s "$work/other.expect" "$work/$2.expect" || fail "nothing changed: $3"
    expect "$1" "$rankwright" lift "$kernels/$2.ttir" --as-written --expect "@$work/other.expect"
}
other 1 softmax_online 's/out_stride\*i/x_stride*i/; s/(out_stride)/(x_stride)/'
other 1 softmax_online 's/j < n/j < n + 1/'
other 1 sum_lanes 's/j < n/j < n - 1/'
other 1 matmul_blocks 's/k < [A-Za-z]*/& + 1/'
has "$work/out" '^  counterexample: '

# Wrong kernels against the formula of the right one.
wrong() { # KERNEL SED-SCRIPT
    sed "$2" "$kernels/$1.ttir" >"$work/wrong.ttir"
    ! cmp -s "$work/wrong.ttir" "$kernels/$1.ttir" || fail "nothing changed: $2"
    expect 1 "$rankwright" lift "$work/wrong.ttir" --as-written --expect "@$work/$1.expect"
    has "$work/out" '^refuted: expected'
    has "$work/out" '^  counterexample: .*; sizes '
}
wrong scale_add 's/arith.cmpi slt/arith.cmpi sle/'
wrong scale_add 's/arith.addf/arith.subf/'
wrong softmax_row 's/math.exp /math.sqrt /'
wrong softmax_online 's/0xFF800000/0x00000000/'
wrong layer_norm "s/math.sqrt/math.exp/"

# Malformed texts have one message with its place.
malformed() { # TEXT PATTERN
    expect 65 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --expect "$1"
    one_message
    has "$work/err" "$2"
}
malformed 'output none[i], i < n; 1' 'expect:1:8: expected the name of an array of the kernel'
malformed 'output out[i], i < m; 1' 'expect:1:20: expected an integer over sizes and indices'
malformed 'output out[i*i], i < n; 1' 'expect:1:.*: expected an address that is linear in its indices'
malformed 'output out[i], i < n;' 'expected a formula without comments'
malformed 'x[i] # + y[i]' 'expected a formula without comments'
malformed 'output out[i], i < n; array x[k] = x[k]; x[i]' 'expected an axis with a size'

# Each section is proved for itself, also of one array.
cat "$work/scale_add.expect" >"$work/two.expect"
sed 's/ + / - /' "$work/scale_add.expect" >>"$work/two.expect"
expect 2 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --expect "@$work/two.expect"
! grep -q 'proved equal' "$work/out" || fail "a wrong section is proved"
expect 0 "$rankwright" lift "$kernels/rotate_halves.ttir" --expectation
cp "$work/out" "$work/rotate_halves.expect"
expect 0 "$rankwright" lift "$kernels/rotate_halves.ttir" --as-written --expect "@$work/rotate_halves.expect"
other 1 rotate_halves 's/x\[i,j\]\*cos\[i,j\] + /x[i,j]*cos[i,j] - /'
finish
