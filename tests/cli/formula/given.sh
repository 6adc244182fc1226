#!/bin/sh
# What is given stands in the formula, too; and results that lack an axis of the
# formula, have one that no variable has, or could lack a value.
. tests/lib/cli.sh
library

# formula, and the text that must come out
becomes() {
    expect 0 "$rankwright" simplify --db "$db" --seconds 600 -e "$1" --proof "$work/p.json"
    printf '%b\n' "$2" >"$work/want"
    diff "$work/want" "$work/out" >&2 || fail "$1"
    expect 0 "$rankwright" check "$work/p.json" --db "$db"
}

becomes 'given c > 0; where(c > 0, x, y)' 'x\nwhere c > 0'
becomes 'given c > 0; where(c > 0, x*2*3, y)' '6*x\nwhere c > 0'
becomes 'given c > 0, where(c > 0, x, y) > 0; abs(where(c > 0, x, y))' \
    'x\nwhere c > 0, where(c > 0, x, y) > 0'
becomes 'tensor x[j]; where(size(j) > 0, x, 2)' 'x'

# sides of an equation that is given
becomes 'tensor x[j]; given size(j) == 4; mean(x)*4' 'sum(x)\nwhere size(j) == 4'
becomes 'given x == 2*y; x/y' '2\nwhere x == 2*y, y != 0'
becomes 'given c == d, c == 3; d + 1' '4\nwhere c == d, c == 3'
becomes 'given x == 0, y != 0; y/y' '1\nwhere y != 0'

# elements have names, not positions
becomes 'tensor x[i,j]; 0*x[k,j] + x[i,j]' 'x[i, j]'
becomes 'tensor x[i,j], y[j]; x[k,j] - x[k,j] + y[j]' 'y[j]'
becomes 'tensor x[i,j]; x[i,j]*(x[k,j]/x[k,j])' 'x[i, j]\nwhere x[k, j] != 0'

# the size of k is told by i
becomes 'tensor x[i,j]; sum[k](x[k,j]/x[k,j])' 'size(i)\nwhere x[k, j] != 0'
becomes 'sum(matmul(X, tr(X))*0 + 1)' 'size(i)'
becomes 'sum(cat(u, v)*0 + 1)*exp(log(2))' '2*(size(k) + size(j))'
# a sum over k and j, of 2: no text says that
becomes 'tensor x[i,j]; sum[k,j](x[k,j]*0 + 2)' 'sum[j, k](x[k, j]*0 + 2)'

# a result has a value wherever the formula has one
becomes 'where(x > 0 and log(x) > 0, 1, 0)' 'where(x > 0 and log(x) > 0, 1, 0)'
becomes 'where(x > 0 or log(-x) > 0, 1, 0)' 'where(x > 0 or log(-x) > 0, 1, 0)'
becomes 'where(x > 0, where(log(x) > 0, 1, 0), 0)' \
    'where(x > 0, where(log(x) > 0, 1, 0), 0)'
becomes 'where(x == 0, 0, y/x)*x' 'where(x == 0, 0, y/x)*x'
becomes 'where(x > 0, y, 0)/where(x > 0, z, 1)' \
    'where(x > 0, y, 0)/where(x > 0, z, 1)'
becomes 'tensor x[j]; where(min(x) > 0, sum[j](where(x > 0, log(x), 0)), 0)' \
    'where(min(x) > 0, sum(where(x > 0, log(x), 0)), 0)'
# it does for other reasons: the same below the same condition, what is given
becomes 'where(x > 0 and y > 0, 1, 0)' 'where(min(x, y) > 0, 1, 0)'
becomes 'where(x > 0, log(x), 0) + where(x > 0, y, 0)' \
    'where(x > 0, log(x) + y, 0)'
becomes 'where(x >= 0, sqrt(x), sqrt(-x))' 'sqrt(abs(x))'
becomes 'where(x == 0, 0, y/x)*x + z/x*0' 'y\nwhere x != 0'
becomes 'log(a*b) - log(b)' 'log(a)\nwhere b > 0, a*b > 0'
# functions are written out, to see where they have a value
becomes 'tensor x[j]; exp(logit(x))*(1 - x)' 'x\nwhere x/(1 - x) > 0, 1 - x != 0'
finish
