#!/bin/sh
# Formulas as programs: a formula and its textbook form have the same values,
# a false one has not.
. tests/lib/cli.sh
RANKWRIGHT_LIBRARY=rules/library
export RANKWRIGHT_LIBRARY
formula() { printf '%s\n' "$2" >"$work/$1.expr"; }
formula lifted 'exp(x - max(x))/sum(exp(x - max(x)))'
formula natural 'softmax(x)'
formula false 'exp(x - max(x))/(sum(exp(x - max(x))) + 1e-3)'
formula other 'softmax(y)'
expect 0 "$rankwright" eval "$work/lifted.expr" --sizes j=4
has "$work/out" 'tensor<4xf64>'
expect 0 "$rankwright" eval "$work/lifted.expr" --compare "$work/natural.expr" \
    --tolerance 1e-12 --sizes j=7 --seed 3
has "$work/out" '^same 1 results$'
# (of numbers: where both have no value they are the same, too)
expect 0 "$rankwright" eval "$work/lifted.expr" --sizes j=7 --seed 3
has "$work/out" 'tensor<7xf64>'
grep -Eqi 'nan|inf' "$work/out" && fail "no values were compared"
expect 1 "$rankwright" eval "$work/lifted.expr" --compare "$work/false.expr" \
    --tolerance 1e-12
expect 65 "$rankwright" eval "$work/lifted.expr" --compare "$work/other.expr"
one_message
formula matrices 'tensor X[i, k]; given X > 0; matmul(X, tr(X))'
expect 0 "$rankwright" eval "$work/matrices.expr" --sizes i=2,k=5
has "$work/out" 'tensor<2x2xf64>'
for sizes in i i=0 i=2,k=x i=2k; do
    expect 64 "$rankwright" eval "$work/matrices.expr" --sizes $sizes
    one_message
done
# an axis that does not exist
expect 64 "$rankwright" eval "$work/matrices.expr" --sizes i=2,q=7
one_message
has "$work/err" '^rankwright: --sizes: no axis is called q$'
has "$work/err" 'hint: the axes are i, k$'
expect 64 "$rankwright" eval "$work/matrices.expr" --sizes i=2,i=3
has "$work/err" '^rankwright: --sizes: i is given twice$'
formula rows 'tensor X[row, col]; sum(X)'
expect 64 "$rankwright" eval "$work/rows.expr" --sizes roww=2
has "$work/err" 'did you mean row\?'
# with --compare: one of both has it
formula columns 'tensor X[row, column]; sum(X)'
expect 0 "$rankwright" eval "$work/rows.expr" --compare "$work/columns.expr" --sizes row=2,col=4,column=4
expect 64 "$rankwright" eval "$work/rows.expr" --compare "$work/columns.expr" --sizes row=2,c=4
one_message
formula wrong 'sum(x) + softmix(x)'
expect 65 "$rankwright" eval "$work/wrong.expr"
has "$work/err" 'wrong.expr:1:10: unknown function softmix'
has "$work/err" 'did you mean `softmax`'
# functions as other rules define them
cat >"$work/own.rw" <<'R'
rule own { axes x; map n on x; claims real; tensor A[x: n] : float;
  A * A * A => define cube(A); }
R
formula cubes 'cube(x)'
formula powers 'x*x*x'
expect 0 "$rankwright" eval "$work/cubes.expr" --rules "$work/own.rw" \
    --compare "$work/powers.expr" --tolerance 1e-12
expect 65 "$rankwright" eval "$work/cubes.expr"
# what simplify writes has the names in the formula's order
library
echo 'x*(1/(1 + exp(-x))) + sum(y*y)/N' >"$work/before.expr"
expect 0 "$rankwright" simplify --db "$db" "$work/before.expr" -o "$work/after.expr"
expect 0 "$rankwright" eval "$work/before.expr" --compare "$work/after.expr" \
    --tolerance 1e-12 --rules rules/library/definitions

finish
