#!/bin/sh
# Kernels to formulas: words, statuses, records, messages.
. tests/lib/cli.sh
kernels=tests/kernels

lifted() { # KERNEL STATUS LINE..
    kernel=$1 status=$2
    shift 2
    expect "$status" "$rankwright" lift "$kernels/$kernel.ttir" --as-written
    for line in "$@"; do has "$work/out" "$line"; done
}
lifted scale_add 0 '^proved out\[i\], i < n, at out\[i\]$' '  tensor x\[i\]; .*a\*x\[i\] \+ y\[i\]$'
lifted sum_lanes 0 '^proved out\[i\], i < rows' 'sum\[j\]\(x\[i,j\]\)$' 'x\[i,j\] is x\[n\*i \+ j\]'
lifted softmax_online 0 '^proved out' 'exp\(x\[i,j\] - max\[j\]\(x\[i,j\]\)\)/sum\[j\]' 'needs n >= 1' 'agrees with runs at 3'
lifted matmul_grouped 0 '^proved c' 'sum\[k\]\(a\[i,k\]\*b\[k,j\]\)' '^  k < K$'
lifted matmul_blocks 0 '^proved c'
lifted layer_norm 0 '^proved out'
# What is refused says where; other outputs stay.
lifted spin_lock 2 '^derived copy' 'open, line [0-9]+: bounds' '^refused out' '^  line [0-9]+: '
lifted atomic_total 2 '^refused out' 'line 24: an update'
expect 2 "$rankwright" lift "$kernels/spin_lock.ttir" --as-written --output copy
expect 64 "$rankwright" lift "$kernels/spin_lock.ttir" --as-written --output none
one_message

# A fact that a proof needs must be there: without it the answer says so.
expect 0 "$rankwright" lift "$kernels/softmax_row.ttir" --as-written --json
has "$work/out" '^\{"output":"out","verdict":"proved"'
sed '/launch grid/d' "$kernels/softmax_row.ttir" >"$work/bare.ttir"
expect 2 "$rankwright" lift "$work/bare.ttir" --as-written
expect 0 "$rankwright" lift "$work/bare.ttir" --as-written --grid '(rows,)' --assume 'n <= BLOCK, n >= 1'
expect 65 "$rankwright" lift "$work/bare.ttir" --as-written --assume 'm <= BLOCK'
one_message
has "$work/err" "assume:1:1: expected the name of a scalar of the program, found 'm"

# Malformed text has one message with its place.
sed 's/arith.addi/arith.addq/; s/tt.splat %[0-9]* /tt.splat %missing /' "$kernels/scale_add.ttir" >"$work/bad.ttir"
expect 65 "$rankwright" lift "$work/bad.ttir" --as-written
one_message
has "$work/err" "bad.ttir:[0-9]+:[0-9]+: '%missing' is not defined here"

# Records are checked without the finder; a record of something else is rejected.
for kernel in scale_add softmax_online layer_norm matmul_blocks; do
    expect 0 "$rankwright" lift "$kernels/$kernel.ttir" --as-written --proof "$work/$kernel.record"
    expect 0 "$rankwright" check "$work/$kernel.record" --input "$kernels/$kernel.ttir"
    has "$work/out" '^valid$'
done
expect 1 "$rankwright" check "$work/scale_add.record" --input "$kernels/layer_norm.ttir"
sed 's/arith.addf/arith.subf/' "$work/scale_add.record" >"$work/changed.record"
expect 1 "$rankwright" check "$work/changed.record"
has "$work/out" '^rejected$'
head -c 700 "$work/scale_add.record" >"$work/cut.record"
expect 65 "$rankwright" check "$work/cut.record"
one_message

# What a record takes for granted and where its elements are is said; facts that no sizes meet are
# no proof.
expect 0 "$rankwright" check "$work/scale_add.record"
has "$work/out" '^proved out\[i\], i < n, at out\[i\], line [0-9]+$'
has "$work/out" '^  x\[i\] is x\[i\] of before the launch$'
has "$work/out" '^  given grid\.x == '
python3 - "$work/scale_add.record" "$work/empty.record" <<'P'
import sys
text = open(sys.argv[1]).read()
assert "\nassume " not in text
at = text.index("\nclaim ") + 1
fact = "n <= 0"
open(sys.argv[2], "w").write(text[:at] + "assume %d\n%s\n" % (len(fact), fact) + text[at:])
P
expect 1 "$rankwright" check "$work/empty.record"
has "$work/out" 'no sizes were found that meet what is given and needed'

# Grids are texts of the host: / leaves no rest, which is said; // rounds down.
sed '/launch grid/d' "$kernels/scale_add.ttir" >"$work/bare.ttir"
expect 0 "$rankwright" lift "$work/bare.ttir" --as-written --grid '(n/64,)'
has "$work/out" '^  given n a multiple of 64$'
expect 0 "$rankwright" lift "$work/bare.ttir" --as-written --grid '(-(-n//64),)'
has "$work/out" '^proved out\[i\], i < n, at out\[i\]$'
! grep -q 'a multiple' "$work/out" || fail "a multiple is asked for"
expect 0 "$rankwright" lift "$work/bare.ttir" --as-written --grid '((n - 3)//64,)'
has "$work/out" '^  given \(n - 3\) >= 0$'

# Two kernels.
expect 0 "$rankwright" compare "$kernels/softmax_row.ttir" "$kernels/softmax_online.ttir"
has "$work/out" '^same$'
expect 2 "$rankwright" compare "$kernels/sort_row.ttir" "$kernels/sort_row.ttir"
has "$work/out" '^unknown$'
sed 's/arith.maxnumf %arg6, %11/arith.minnumf %arg6, %11/; s/math.exp %/math.exp2 %/' "$kernels/softmax_online.ttir" >"$work/other.ttir"
expect 1 "$rankwright" compare "$kernels/softmax_online.ttir" "$work/other.ttir"
has "$work/out" '^different$'
has "$work/out" '^  sizes '
expect 65 "$rankwright" compare "$kernels/scale_add.ttir" "$kernels/sum_lanes.ttir"
one_message
expect 0 "$rankwright" lift "$kernels/sum_lanes.ttir" --program
has "$work/out" 'parallel for'
finish
