#!/bin/sh
# Formulas that look like something they are not: what is true only of a part
# of the inputs comes out with its condition, or not at all.
. tests/lib/cli.sh
library
traps() { # file, options
    file=$1
    shift
    python3 tests/lib/traps.py "$rankwright" "$numeric" "$db" "$file" "$work" "$@"
}
expect 0 traps tests/formulas/traps.tsv
cat "$work/out"
has "$work/out" '^173 traps, 1(2[0-9]|3[0-4]) told by values alone, 0 snapped$'

# False rules snap traps, each by what comes out.
cat >"$work/false.rw" <<'R'
/// Not where A is negative.
rule root_of_square_without_magnitude {
  claims real; axes x; map n on x; tensor A[x: n] : float;
  sqrt(A * A) => A;
}
rule divisor_that_may_be_zero {
  claims real; axes x; map n on x; tensor A[x: n] : float, B[x: n] : float;
  A / B * B => A;
}
rule maximum_of_products {
  claims real; axes x; map n on x;
  tensor A[x: n] : float, B[x: n] : float, C[x: n] : float;
  max(A * B, A * C) => A * max(B, C);
}
rule magnitude_of_sum {
  claims real; axes x; map n on x; tensor A[x: n] : float, B[x: n] : float;
  abs(A + B) => abs(A) + abs(B);
}
rule sum_of_exponentials {
  claims real; axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float;
  reduce(+, exp(A), {y}) => exp(reduce(+, A, {y}));
}
rule sum_of_products {
  claims real; axes x, y; map n on x; map m on y;
  tensor A[x: n, y: m] : float, B[x: n, y: m] : float;
  reduce(+, A * B, {y}) => reduce(+, A, {y}) * reduce(+, B, {y});
}
R
n=0
for formula in 'sqrt(x*x)' '(x/y)*y' 'max(a*x, a*y)' 'abs(x + y) - abs(x) - abs(y)' \
    'log(sum(exp(x))) - sum(x)' 'sum(x*y) - sum(x)*sum(y)'; do
    n=$((n + 1))
    awk -F '\t' -v f="$formula" '$1 == f' tests/formulas/traps.tsv >>"$work/some.tsv"
    [ "$(wc -l <"$work/some.tsv")" = $n ] || fail "one trap: $formula"
done
expect 1 traps "$work/some.tsv" --assume "$work/false.rw"
has "$work/out" "^$n traps, $n snapped$"
[ "$(grep -c ': became ' "$work/out")" = $n ] || fail "snapped by something else"

# Traps that look for too little are no traps: values tell, look-alikes do.
trap_of() { printf '%s\t%s\t%s\t%s\t%s\n' "$@" >"$work/one.tsv"; }
trap_of 'sqrt(x*x)' - y - y
expect 1 traps "$work/one.tsv" --assume "$work/false.rw"
has "$work/out" 'became x: .* in, .* out'
trap_of 'log(x*x)' - '2\*log\(x\)' 'x > 0' '2*log(x)'
expect 1 traps "$work/one.tsv"
has "$work/out" 'would come out as'
trap_of 'abs(x + y)' - 'abs\(x\) \+ abs\(y\)' - 'abs(x) + abs(y)'
expect 1 traps "$work/one.tsv"
has "$work/out" 'costs as much as'
trap_of 'cos(3*x) - 4*cos(x)^3 + 3*cos(x)' - 0 - 0
expect 1 traps "$work/one.tsv"
has "$work/out" 'has the same values'
trap_of 'x*0 + 1' - none - -
expect 1 traps "$work/one.tsv"
has "$work/out" 'became 1, though'
finish
