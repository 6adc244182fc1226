#!/bin/sh
# What simplification makes of a proved formula is what a textbook says.
. tests/lib/cli.sh
library
kernels=tests/kernels

textbook() { # KERNEL OUTPUT FORMULA
    expect 0 "$rankwright" lift "$kernels/$1.ttir" --output "$2" --db "$db"
    has "$work/out" "^proved $2[[ ]"
    grep -F -q -- "; $3" "$work/out" || {
        cat "$work/out"
        fail "$1: $2 is not $3"
    }
}
textbook softmax_row out 'softmax(x)'
textbook softmax_online out 'softmax(x)'
textbook log_softmax_online out 'log_softmax(x)'
textbook layer_norm out 'layer_norm(x, w, b, eps)'
textbook rms_norm_programs out 'rms_norm(x, w, eps)'
textbook gelu_erf out 'gelu(x)'
textbook swiglu c 'silu(a)*b'
textbook geglu c 'gelu(a)*b'
textbook cross_entropy loss 'where(target != ignore, logsumexp[j](x) - x_1, loss)'
textbook attention_masked out 'matmul(softmax(matmul(q, tr(k))*scale), v)'
textbook attention_causal out 'sum[m](masked_softmax[m](index_m[m] <= index_j[j], sum[l](q[i, j, l]*k[i, m, l])*scale)*v[i, m, l])'
textbook attention_causal_tile out 'sum[m](masked_softmax[m](index_m[m] <= index_j[j], sum[l](q[i, j, l]*k[i, m, l])*scale)*v[i, m, l])'
textbook attention_two_loops out 'sum[m](masked_softmax[m](index_m[m] <= index_j[j], sum[l](q[i, j, l]*k[i, m, l])*scale)*v[i, m, l])'
textbook group_norm mean 'mean[k](x)'
textbook group_norm rstd 'rsqrt(var[k](x) + eps)'
textbook group_norm y '(x[i, j, k, l] - mean(x_1))/sqrt(var(x_1) + eps)*w[j, k] + b[j, k]'
textbook var_two_pass mean 'mean[j](x)'
finish
