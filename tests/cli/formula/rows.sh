#!/bin/sh
# A name that is a row only because it stands beside one is named, if it is reduced: meant as a
# number, it would give something else.
. tests/lib/cli.sh
library
says() { # REMARK FORMULA
    printf '%s\n' "$2" >"$work/in.expr"
    expect 0 "$rankwright" simplify "$work/in.expr" --db "$db"
    if [ -z "$1" ]; then
        ! grep -q 'read as' "$work/err" || fail "a remark on: $2"
    else
        grep -qxF "rankwright: $1" "$work/err" || fail "no remark on: $2"
    fi
}
c='c is read as a row; declare `scalar c;` for a single number'
says "$c" 'logsumexp(x - c) + c' # c is a number outside
says "$c" 'sum(x*c)/c'
says "$c" 'tensor x[j]; sum[j](x*c)'
says 'c, b are read as rows; declare `scalar c;` for a single number' 'sum(x)*sum(c*x + b)'
# Nothing reduces c and b: the result is that of numbers.
for formula in 'c*exp(x)/sum(exp(x))' 'exp(x)/sum(exp(x))*c + b' 'exp(x + c)/exp(c)/sum(exp(x)) + b' \
    'max(x + c, max(x) + c) + b' '(x - mean(x))*c + mean(x)*c + b'; do
    says '' "$formula"
    cp "$work/out" "$work/rows"
    says '' "scalar c, b; $formula"
    cmp -s "$work/out" "$work/rows" || fail "rows and numbers give different results: $formula"
done
says '' 'scalar c; logsumexp(x - c) + c'
says '' 'scalar c; exp(x)/sum(exp(x))*c'
says '' 'tensor c[j], x[j]; exp(x)/sum(exp(x))*c'
says '' 'exp(x - max(x))/sum(exp(x - max(x)))' # x is reduced
says '' 'a*x + b'                              # no row at all
k='k is read as a row; declare `scalar k;` for a single number'
says "$k" 'k*sum(x) - sum(k*x)'
says "$k" 'mean(x + k) - mean(x)'
says "$k" 'mean(x + relu(2*k)) - mean(x)'
says "$k" 'tensor x[j]; sum(k*x)'
says "$k" 'let y = x*k; sum(y) - sum(x)'
says '' 'scalar k; mean(x + k) - mean(x)'
says '' 'mean(x*y) - mean(x)*mean(y)'
says '' 'sum(x*y)/sum(z*z)'
says '' 'matmul(A, B) + sum(A)'
says '' 'sum(x*y)'                             # both are reduced
finish
