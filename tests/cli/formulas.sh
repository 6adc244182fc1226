#!/bin/sh
# simplify on formulas: all pairs of tests/formulas, and what the options do.
. tests/lib/cli.sh
library
mkdir "$work/pairs"
expect 0 python3 tests/lib/pairs.py "$rankwright" "$db" "$work/pairs"
cat "$work/out"

simplify() { "$rankwright" simplify --db "$db" "$@"; }
lines() { printf '%s\n' "$@" >"$work/want"; cmp -s "$work/want" "$work/out" ||
    { fail "expected $*"; cat "$work/out"; }; }

# conditions are stated: of what was declared, or where there is a value at all
expect 0 simplify -e 'x/x'
lines 1 'where x != 0'
expect 0 simplify -e 'sqrt(x*x)' --given 'x >= 0'
lines x 'where x >= 0'
expect 0 simplify -e 'sqrt(x*x)'
lines 'abs(x)'
expect 0 simplify -e 'log(a*b) - log(b)' --given 'a > 0, b > 0'
has "$work/out" '^log\(a\)$'
# (a*b > 0 and b > 0 are where that has a value, so a > 0)
expect 0 simplify -e 'log(a*b) - log(b)'
has "$work/out" '^where .*b > 0'
expect 0 simplify -e 'log(a*b)'
lines 'log(a*b)'
# what facts prove is no condition
expect 0 simplify -e 'log(exp(x) + 1) + log(1/(1 + exp(x)))'
lines 0

# constants are recovered, unless they are to be kept
expect 0 simplify -e 'x*0.7978845608028654' --json
has "$work/out" '"text":"0.7978845608028654","value":"sqrt\(2/pi\)","precision":"f64"'
expect 0 simplify -e 'x*0.7978845608028654' --keep-constants
lines 'x*0.7978845608028654'

# named functions are made, or undone
expect 0 simplify -e 'softmax(x) + relu(y)' --expand
grep -Eq 'softmax|relu' "$work/out" && fail "not written out"
expect 0 simplify -e 'exp(x)/sum(exp(x))' --notation latex
has "$work/out" 'softmax'
expect 0 simplify -e '1/x' --notation mathml
has "$work/out" '^<math'

# files in, files out, records
echo 'tensor x[i, j]; given x > 0; exp(sum[j] log(x[i, j]) - log(2))' >"$work/in.expr"
expect 0 simplify "$work/in.expr" -o "$work/out.expr" --proof "$work/p.json"
[ -s "$work/out" ] && fail "text besides the file"
expect 0 "$rankwright" check "$work/p.json" --db "$db"
expect 0 simplify "$work/out.expr" --iterations 0
expect 0 simplify -e 'x + 0' --stats
has "$work/err" 'cost 3 -> 1, 1 rule uses'

# rules: some of those that are proved, or others that the record names
cat >"$work/one.rw" <<'R'
rule one { axes x; map n on x; type T : real; tensor A[x: n] : T; claims real;
  A + 0 => A; }
R
cat >"$work/wish.rw" <<'R'
rule wish { axes x; map n on x; type T : real; tensor A[x: n] : T; claims real;
  exp(A) => A; }
R
expect 0 simplify -e '(x + 0)*1' --rules "$work/one.rw"
expect 0 simplify -e 'log(exp(x))' --rules "$work/wish.rw"
lines 'log(exp(x))'
expect 0 simplify -e 'exp(x)' --rules "$work/one.rw" --assume "$work/wish.rw" \
    --proof "$work/a.json"
expect 1 "$rankwright" check "$work/a.json" --db "$db"
has "$work/out" 'assumed'
# a false rule is noticed where it makes two numbers equal
cat >"$work/false.rw" <<'R'
rule bad { axes x; map n on x; type T : real; tensor A[x: n] : T; claims real;
  A * 0 => 1; }
R
expect 65 simplify -e 'x*0 + y' --assume "$work/false.rw"
has "$work/err" 'make 0 and 1 equal'

# what is not understood
expect 64 simplify -e x -e y "$work/in.expr"
one_message
expect 64 simplify -e x --cost flops
one_message
expect 64 simplify -e x --notation roman
one_message
expect 65 simplify -e 'x + * y'
one_message
has "$work/err" 'formula:1:5'
expect 65 simplify -e 'softmix(x)'
has "$work/err" 'unknown function softmix'
expect 65 simplify -e 'x' --given 'x'
one_message
expect 74 simplify "$work/absent.expr"
one_message

# the same input gives the same bytes
expect 0 simplify -e 'x1/(1 + exp(0 - x1))*x2' --proof "$work/p1.json"
expect 0 simplify -e 'x1/(1 + exp(0 - x1))*x2' --proof "$work/p2.json"
cmp -s "$work/p1.json" "$work/p2.json" || fail "two records of one formula differ"
finish
