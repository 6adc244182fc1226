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
lifted softmax_online 0 '^proved out' 'exp\(x\[i,j\] - max\[j\]\(x\[i,j\]\)\)/sum\[j\]' 'needs n >= 1' 'agrees with runs at [3-9] random'
lifted matmul_grouped 0 '^proved c' 'sum\[k\]\(a\[i,k\]\*b\[k,j\]\)' '^  k < K$'
lifted matmul_blocks 0 '^proved c'
lifted layer_norm 0 '^proved out'
lifted rotate_pairs 0 '^proved out.i, j, k.*k < D2, at out.2.heads.D2.i . 2.D2.j . 2.k.$' 'cos.k . D2..i rem seq.'
lifted convolution 0 '^proved out' 'sum.k..x.i,j,k..w.k..$' 'x.i,j,k. is x.L.i . j . k. of'
lifted transpose_convolution 0 '^proved out' 'x.i,j,k. is x.L.i . ..j - k. div 2.'
lifted attention_masked 0 '^proved out.i, j, l., i < H, j < N, l < 32' '^proved lse'
lifted softmax_lanes 0 '^proved out' 'exp.x.i,j../sum.j..exp.x.i,j...$'
lifted rms_norm_programs 0 '^proved out.i, j., i < rows, j < n'
lifted matmul_int8 0 '^proved c' 'sum.k..a.i,k..b.k,j....sa.i..sb.j..$'
lifted matmul_programs 0 '^proved c.i, j., i < M, j < N' 'sum.k..a.i,k..b.k,j..$'
lifted dropout_given 0 '^proved out' 'where.0 < keep.i., x.i./.1 - p., 0.$'
lifted logsumexp_rows 0 '^proved y.i., i < M' 'needs N . 63 < 2147483648'
lifted flip 0 '^proved y.i., i < n' 'x.i. is x.-1.i . n - 1. of'
lifted dequantize_blocks 0 '^proved y.i, j.' 's.i,j. is s.*j div 64.* of'
lifted rotate_rows 0 'needs half <= 64'
lifted sum_magnitudes 0 'sum.j..abs.x.i,j...$'
lifted attention_heads 0 '^proved o.i, j, k., i < heads, j < T' '^proved lse'
lifted join_columns 0 '^proved out' 'where.12 <= index.i., abs.b.i.., a.i..$' '^  b.i. is b.i - 12..i div 32. - 12. of'
# A read under a mask that is never true reads nothing.
lifted join_nothing 0 '^proved out' '^  tensor a.i.; a.i.$'
# Sizes that are constants may be too large for a whole run.
lifted pick_logit 0 '^proved out' 'agrees with runs of a few programs at [1-9]'
# Shifts by constants and the last bits of an index are arithmetic ..
lifted turn_words 0 '^proved out' '^  x.i. is x.-i . 64..i div 32. . 31. of' '^  needs 2.n . 124 < 2147483648$'
lifted turn_words 0 '^proved double' 'x.2.i. of'
# .. other masks, numbers that may be negative, and shifts out of the word are not.
for change in 's/dense<31>/dense<29>/' 's/dense<5>/dense<33>/' \
    's/%\([0-9]*\) = arith.shrsi %[0-9]*,/%\1 = arith.shrsi %signed,/'; do
    sed -e 's/^\( *\)\(%[0-9]* = arith.shrsi \)/\1%signed = arith.subi %4, %few : tensor<64xi32>\
\1\2/' -e 's/^\( *\)\(%[0-9]* = tt.get_program_id\)/\1%few = arith.constant dense<9> : tensor<64xi32>\
\1\2/' -e "$change" "$kernels/turn_words.ttir" >"$work/words.ttir"
    expect 2 "$rankwright" lift "$work/words.ttir" --output out
    has "$work/out" 'an operator on words that is not supported'
done
lifted adamw 0 '^proved p' '^proved m' '^proved v'
lifted scale_gradient 0 '^proved dx.i, j., i < rows, j < n' '^proved dw.i, j., i < G'
lifted rotate_heads 0 '^proved x.i, j, k., i < tokens, j < heads'
lifted moments_of_channel 0 '^proved mean' '^proved square'
lifted convolution_causal 0 'sum.k..where.3 <= index_j.j. . index_k.k., w.k..x.i,j,k., 0..$'
lifted attention_two_loops 0 '^proved out'
lifted argmax_row 0 '^proved value' 'min.j..where.x.i,j. == max.j..x.i,j.., index_j.j., 64..$'
lifted matmul_turned 0 '^proved c' '^  needs K % 16 == 0$' '^  without it: c is refused, line [0-9]+: .*mask leaves undefined'
lifted average_pool 0 '^proved out.i, j., i < B.C, j < HO.WO'
lifted batch_norm 0 '^proved mean' '^proved rstd' '^proved y.i, j, k., i < N, j < C, k < L'
lifted rotate_tiles 0 '^proved out.i, j, k, l., i < B, j < H, k < S, l < 32, at out.ob.i . oh.j . os.k . l . 32.$'
lifted convolution_padded 0 '^proved out' 'where.index_k.k. . index_m.m. < L . pad and pad <= index_k.k. . index_m.m.'
lifted convolution_planes 0 '^proved y.i, j, k, l., i < B, j < CO, k < HO, l < WO'
lifted strided_product 0 '^proved o.i, j, k., i < s0, j < s1, k < s2, at o.b0.i . b1.j . b2.k.$'
lifted transpose_heads 0 '^proved o.i, j, k, l., i < A, j < C, k < B, l < D'
lifted library_functions 0 '^proved hyperbolic' '^proved inverse' '^proved powers' '^proved rounded'
lifted quantize_rows 0 '^proved q' '^proved low' '^proved scale' '; max.max.j..abs.x.i,j..., 1e-10./127$' 'needs no integer of line 34 overflows'
lifted combine_splits 0 '^proved out'
# Zeros behind the end are beside a maximum of magnitudes, and not of numbers of any sign.
sed 's/%9 = math.absf %8/%9 = arith.addf %8, %8/' "$kernels/quantize_rows.ttir" >"$work/signed.ttir"
expect 0 "$rankwright" lift "$work/signed.ttir" --as-written
has "$work/out" 'max.j..where.*x.i,j. . x.i,j.'
lifted double_last 1 '^refuted x' '^  open, line [0-9]+: order: a read' '^  counterexample: x'
# Sizes must be so small that no integer of 32 bits overflows.
lifted scale_add 0 '^  needs n \+ 62 < 2147483648$'
lifted softmax_row 0 '^  needs .*out_stride.* < 2147483648$'
# Also where a branch, a choice or a value is computed from them.
sed 's/^    tt.store \(.*\)/    %square = arith.muli %arg4, %arg4 : i32\
    %zero = arith.constant 0 : i32\
    %fits = arith.cmpi sge, %square, %zero : i32\
    scf.if %fits {\
      tt.store \1\
    }/' "$kernels/scale_add.ttir" >"$work/branch.ttir"
expect 0 "$rankwright" lift "$work/branch.ttir" --as-written
has "$work/out" '^  needs n\*n < 2147483648$'
sed 's/^    %17 = .*/    %square = arith.muli %4, %4 : tensor<64xi32>\
    %value = arith.sitofp %square : tensor<64xi32> to tensor<64xf32>\
    %sum = arith.addf %13, %16 : tensor<64xf32>\
    %17 = arith.addf %sum, %value : tensor<64xf32>/' "$kernels/scale_add.ttir" >"$work/stored.ttir"
expect 0 "$rankwright" lift "$work/stored.ttir" --as-written
has "$work/out" '^  needs .*n\*n.* < 2147483648$'
lifted twice_bytes 0 '^proved out' '^  needs no integer of line [0-9]+ overflows$'
# Lanes behind the end are 0, and 0/0 is no number: nothing is proved of their sum.
sed 's/arith.mulf %9, %9/arith.divf %9, %9/' "$kernels/rms_norm_programs.ttir" >"$work/quotient.ttir"
expect 2 "$rankwright" lift "$work/quotient.ttir" --as-written
has "$work/out" '^refused out'
has "$work/out" 'a division by 0'
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
expect 0 "$rankwright" lift "$work/bare.ttir" --as-written
has "$work/out" '^  needs n <= 128$'
has "$work/out" '^  without it: out\[.*\] is not written; sizes'
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
# So is one of a kernel whose constants ask for more programs than a whole run has.
cat >"$work/double_all.ttir" <<'END'
// kernel: double_all
// arguments: %arg0=x:*fp32, %arg1=out:*fp32
// launch grid: (1000,)
module {
  tt.func public @double_all(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : i32
    %p = tt.get_program_id x : i32
    %oa = tt.addptr %arg1, %p : !tt.ptr<f32>, i32
    %xa = tt.addptr %arg0, %p : !tt.ptr<f32>, i32
    %g = tt.load %xa : !tt.ptr<f32>
    %v = arith.addf %g, %g : f32
    tt.store %oa, %v : !tt.ptr<f32>
    tt.return
  }
}
END
expect 0 "$rankwright" lift "$work/double_all.ttir" --as-written --proof "$work/double_all.record"
has "$work/out" 'agrees with runs of a few programs'
expect 0 "$rankwright" check "$work/double_all.record"
has "$work/out" '^valid$'
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
# under what both proofs need
[ "$(sed -n '/^the first kernel$/,/^the second kernel$/p' "$work/out" | grep -c '^  needs ')" -ge 2 ] ||
    fail "no needs of the first kernel"
[ "$(sed -n '/^the second kernel$/,$p' "$work/out" | grep -c '^  needs n + 63 < 2147483648$')" = 1 ] ||
    fail "no needs of the second kernel"
# Integers without a sign that are made of reals: what a negative one or a large one gives is not said.
sed 's/arith.fptosi/arith.fptoui/' "$kernels/quantize_rows.ttir" >"$work/unsigned.ttir"
expect 2 "$rankwright" lift "$work/unsigned.ttir"
has "$work/out" 'arith.fptoui is not supported'
# Formulas that are written differently: what the first computes is proved of the second.
sed "s/arith.subf \(%[0-9]*\), \(%[0-9]*\) /arith.addf \1, \2 /" "$kernels/softmax_row.ttir" >"$work/other.ttir"
expect 0 "$rankwright" compare "$kernels/softmax_row.ttir" "$work/other.ttir"
has "$work/out" '^out: both are proved to compute the same formula$'
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

# One record holds the kernel's proof and how its formulas were simplified; each is replayed.
if [ -n "${proved_library:-}" ]; then
    cp "$proved_library" "$work/library.db"
    for kernel in softmax_online layer_norm; do
        expect 0 "$rankwright" lift "$kernels/$kernel.ttir" --db "$work/library.db" --proof "$work/both.record"
        expect 0 "$rankwright" check "$work/both.record" --db "$work/library.db"
        has "$work/out" '^valid$'
        has "$work/out" '^  = tensor x\[i, j\].* (softmax\(x\)|layer_norm\(x, w, b, eps\))$'
    done
    sed 's/layer_norm(x, w, b/layer_norm(x, b, w/' "$work/both.record" >"$work/other.record"
    expect 1 "$rankwright" check "$work/other.record" --db "$work/library.db"
    has "$work/out" '^  not proved = '
    # Steps from a formula that the kernel does not have.
    expect 0 "$rankwright" lift "$kernels/softmax_row.ttir" --db "$work/library.db" --proof "$work/row.record"
    python3 - "$work/both.record" "$work/row.record" "$work/mixed.record" <<'P'
import sys
one, other = (open(name, "rb").read() for name in sys.argv[1:3])
open(sys.argv[3], "wb").write(one + other[other.rindex(b"\nsimplify ") + 1:])
P
    expect 1 "$rankwright" check "$work/mixed.record" --db "$work/library.db"
    has "$work/out" '^the record simplifies what is no formula of the kernel$'
fi
# What was expected is part of the record.
expect 0 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --expect 'scalar a; y[i] + x[i]*a' --proof "$work/expect.record"
expect 0 "$rankwright" check "$work/expect.record"
has "$work/out" '^proved equal: expected out\[i\]'
sed 's/y\[i\] + x\[i\]\*a/y[i] - x[i]*a/' "$work/expect.record" >"$work/other.record"
expect 1 "$rankwright" check "$work/other.record"

# Elements in front of an array are none: a loop that starts at -1.
sed 's/%c0_i32 = arith.constant 0 : i32/%c0_i32 = arith.constant -1 : i32/' "$kernels/softmax_online.ttir" >"$work/before.ttir"
expect 1 "$rankwright" lift "$work/before.ttir" --as-written --proof "$work/before.record"
expect 1 "$rankwright" check "$work/before.record"
has "$work/out" 'does not hold: address: no element lies in front of its array'

# The page and the explanation are those of the record, and say how each part is proved.
expect 0 "$rankwright" lift "$kernels/softmax_online.ttir" --as-written --proof "$work/page.record" --html "$work/page.html"
has "$work/page.html" '<h2>Proved <code>out\[i, j\], i &lt; rows, j &lt; n, at out\[out_stride\*i \+ j\]</code></h2>'
has "$work/page.html" '<math'
has "$work/page.html" '<td><a href="#L14">14</a></td><td>1</td><td><code>'
has "$work/page.html" '<code id="L65" class="named"><i>65</i>'
expect 0 "$rankwright" explain "$work/page.record" --html "$work/again.html"
cmp -s "$work/page.html" "$work/again.html" || fail "the pages differ"
expect 0 "$rankwright" explain "$work/page.record"
has "$work/out" '^loop of line 14, state 2 is max\['
has "$work/out" '^  holds, line 65: covered: '
sed 's/arith.addf/arith.subf/' "$work/page.record" >"$work/other.record"
expect 1 "$rankwright" explain "$work/other.record" --html "$work/other.html"
has "$work/other.html" 'not valid:'
has "$work/other.html" '<td class="open">open</td>'
expect 2 "$rankwright" lift "$kernels/atomic_total.ttir" --as-written --html "$work/none.html"
one_message
# A maximum of a tile of which a part is missing is that of the lanes up to the last element.
lifted max_of_tiles 0 '^proved value.i., i < ..n . 63. div 64.' '^proved index' 'x.i,j. is x.64.i . min.j, n - 64.i - 1..'
# The second axis of the grid is no loop over the grid: its stride is 1, that of the rows is K.
lifted log_softmax_middle 0 '^proved out.i, j, k., i < M, j < N, k < K, at out.N.K.i . K.j . k.$'
lifted embedding_flat 0 '^proved out.i., i < 64.rows' 'needs table.i - 64..i div 64. . 64.index..i div 64... is an element of table$'
lifted logsumexp_of_rows 0 '^proved out' 'needs rows % 4 == 0' 'without it: out is refused, line 58: a difference of infinities'
# The rows of the last group, a remainder, are the smaller of two numbers.
lifted matmul_batched 0 '^proved c.i, j, k., i < batch, j < M, k < N' 'sum.l..a.i,j,l..b.i,l,k..'
lifted attention_scaled_masks 0 '^proved out' 'needs N % 16 == 0' 'without it: out is refused, line 101: a product with an infinity'
grep -q 'given N % 16' "$work/out" && fail "a proposed fact is among those that are given"
lifted select_row 0 '^proved out' 'tensor index_1.i.; tensor row.i.; tensor x.i.; scalar index;'
# A truth value of memory is 1 or 0.
lifted large_at_start 0 '^proved out' 'where.size.i. <= 3 . index_i.i., 0, where.0.5 < x.i., 1, 0..$'
# What differs from itself is not a number, and no real is infinite.
lifted without_nan 0 '^proved out' 'where.x.i. != x.i., other, x.i..$'
# B is a size of the caller, not the beginning of BLOCK.
expect 2 "$rankwright" lift "$kernels/scale_add.ttir" --as-written --grid '(B,)'
has "$work/out" '^  given B >= 1$'
finish
