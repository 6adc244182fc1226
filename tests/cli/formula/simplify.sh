#!/bin/sh
# simplify on formulas: all pairs of tests/formulas, and what the options do.
. tests/lib/cli.sh
library
mkdir "$work/pairs"
expect 0 python3 tests/lib/pairs.py "$rankwright" "$db" "$work/pairs"
cat "$work/out"

simplify() { "$rankwright" simplify --db "$db" --seconds 600 "$@"; }
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

# an option that formulas do not have is named
expect 64 simplify -e x --picture-nodes 3
one_message
has "$work/err" '--picture-nodes works only with --dump-egraph'

# one formula, and all its conditions at once
for twice in '-e x -e y' '-e x --formula=y' '-e x --given x>0 --given x>1'; do
    expect 64 simplify $twice
    one_message
    has "$work/err" 'is given twice'
done
# errors have the place of the text they are in
expect 65 simplify -e 'x + y)' --given 'x > 0'
has "$work/err" '^rankwright: formula:1:6: '
expect 65 simplify -e 'x + y' --given 'x > '
has "$work/err" '^rankwright: --given:1:5: '
expect 65 simplify -e 'x + y' --given 'y > 0, x'
has "$work/err" '^rankwright: --given:1:9: '
printf 'x\n + y)' >"$work/wrong.expr"
expect 65 simplify "$work/wrong.expr" --given "$(printf 'x >\n0')"
has "$work/err" 'wrong.expr:2:5: '
expect 65 simplify "$work/wrong.expr" --given "$(printf 'x >\n )')"
has "$work/err" '^rankwright: --given:2:2: '

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

# as people write it
as() { expect 0 simplify -e "$1"; lines "$2"; }
as 'exp(-a)*h + 0*b' 'exp(-a)*h'
as '-log(sigmoid(x))' '-log_sigmoid(x)'
as 'exp(-x^2/2)' 'exp(-sq(x)/2)'
as 'exp(0 - 0.5*x*x)' 'exp(-0.5*sq(x))'
as 'x*x*x*x*x' 'x^5'
as 'sin(a)*cos(b) + cos(a)*sin(b)' 'sin(a + b)'
as 'where(x > 0, 1, where(x < 0, -1, 0))' 'sign(x)'
as '(sum(x*x) - N*sq(mean(x)))/(N - 1)' 'sample_var(x)'

# of what costs the same: what stood there, in its order
expect 0 simplify -e '(0 + x1) + (x2 - x1)/2 + (x3 - (x1 + (x2 - x1)/2))/3'
lines '(x1 + x2 + x3)/3'
expect 0 simplify -e 'd*(abs(x - y) - 0.5*d) + 0*x'
lines 'd*(abs(x - y) - 0.5*d)'
expect 0 simplify -e 'w*(x - m)*rsqrt(v + eps) + b + 0'
lines 'w*(x - m)*rsqrt(v + eps) + b'
expect 0 simplify -e 'exp(r - l) - (r - l) - 1'
lines 'expm1(r - l) - (r - l)'
expect 0 simplify -e 'where(x - y < d, 0.5*(x - y)*(x - y), d*(abs(x - y) - 0.5*d))'
lines 'where(x - y < d, 0.5*sq(x - y), d*(abs(x - y) - 0.5*d))'
expect 0 simplify -e 'exp(x - max(x))/(sum(exp(x - max(x))) + 1e-8)'
lines 'exp(x)/(sum(exp(x)) + 1e-8*exp(max(x)))'
expect 0 simplify -e 'where(x*beta > 20, x*beta, log(1 + exp(x*beta)))/beta'
lines 'where(x*beta > 20, x, softplus(x*beta)/beta)' 'where beta != 0'
expect 0 simplify -e 'where(abs(x - y) < d, 0.5*(x - y)*(x - y)/d, abs(x - y) - 0.5*d)' --given 'd > 0'
has "$work/out" '^smooth_l1\(x - y, d\)$'
# a matrix is no row of weights
expect 0 simplify -e 'matmul(A, B)*rsqrt(sum(A*A)/N + eps)'
has "$work/out" '^matmul\(A, B\)/sqrt\(mean\(sq\(A\)\) \+ eps\)$'
expect 0 simplify -e 'g - exp(x - max(x) - log(sum(exp(x - max(x)))))*sum(g)'
lines 'g - softmax(x)*sum(g)'
expect 0 simplify -e 'g*(x*(1/(1 + exp(0 - x)))*(1 - 1/(1 + exp(0 - x))) + 1/(1 + exp(0 - x)))*b'
lines 'g*sigmoid(x)*(1 - silu(-x))*b'

# files in, files out, records
echo 'tensor x[i, j]; given x > 0; exp(sum[j] log(x[i, j]) - log(2))' >"$work/in.expr"
expect 0 simplify "$work/in.expr" -o "$work/out.expr" --proof "$work/p.json"
[ -s "$work/out" ] && fail "text besides the file"
expect 0 "$rankwright" check "$work/p.json" --db "$db"
expect 0 simplify "$work/out.expr"
for in in '-e x+0' "$work/in.expr" tests/programs/stencil.mlir; do
    expect 64 simplify $in --iterations 0
    one_message
    has "$work/err" '--iterations: expected a number from 1 '
done
expect 0 simplify -e 'x + 0' --stats
has "$work/err" 'cost 3 -> 1, 1 rule uses'

# rules: some of those that are proved, or others that the record names
sed -n '/^rule add_zero /,/^}/p' rules/library/elementwise/add.rw >"$work/one.rw"
cat >"$work/wish.rw" <<'R'
rule wish { axes x; map n on x; type T : real; tensor A[x: n] : T; claims real;
  exp(A) => A; }
R
expect 0 simplify -e '(x + 0)*1' --rules "$work/one.rw"
lines 'x*1'
[ -s "$work/err" ] && fail "a remark on rules that are proved"
expect 0 simplify -e 'log(exp(x))' --rules "$work/wish.rw,$work/one.rw"
lines 'log(exp(x))'
one_message
has "$work/err" 'not proved over the reals, so not used: wish$'
expect 0 simplify -e x --rules "$work/wish.rw" --assume "$work/wish.rw"
[ -s "$work/err" ] && fail "a remark on a rule that is assumed"
expect 0 simplify -e x --rules rules/library/elementwise/bits.rw
[ -s "$work/err" ] && fail "a remark on rules that formulas cannot use"
expect 0 simplify tests/records/tamper.mlir --rules "$work/wish.rw" -o "$work/same.mlir"
has "$work/err" 'not proved, so not used: wish$'
expect 0 simplify -e 'exp(x)' --rules "$work/one.rw" --assume "$work/wish.rw" \
    --proof "$work/a.json"
expect 1 "$rankwright" check "$work/a.json" --db "$db"
has "$work/out" 'assumed'
# a false rule is noticed where it makes two numbers equal
cat >"$work/false.rw" <<'R'
rule bad { axes x; map n on x; type T : real; tensor A[x: n] : T; claims real;
  A * 0 => 1; }
R
expect 70 simplify -e 'x*0 + y' --assume "$work/false.rw"
has "$work/err" 'contradict each other: 0 and 1 become equal by .*bad'
# but what has no value anywhere says so, and stays
for f in 'sqrt(x)' '1/(x - x) + 5' 'x/(y - y)'; do
    expect 0 simplify -e "$f" --given 'x < 0' --proof "$work/none.json"
    has "$work/err" 'has no value'
    lines "$f"
    expect 0 "$rankwright" check "$work/none.json" --db "$db"
done
expect 0 simplify -e '3.14159265*x' --given '1 > 2'
has "$work/err" 'has no value'
lines '3.14159265*x'
expect 0 simplify -e 'sqrt(x*x)' --given 'x < 0'
lines '-x' 'where x < 0'
[ -s "$work/err" ] && fail "no contradiction"

# a size that is at least 2, guarded all the same
expect 0 simplify --given 'N > 1' --proof "$work/none.json" \
    -e 'sqrt(max((sum(x*x)/N - sum(x)/N*(sum(x)/N))*N/max(N - 1, 1.0), 0.0))'
lines 'sample_std(x)' 'where N > 1'
expect 0 "$rankwright" check "$work/none.json" --db "$db"

# results read back: reductions within each other are one, and shapes stay
for f in 'tensor x[i,j]; sum[i](mean[j](x[i,j])*size(j))=sum[i, j](x)' \
    'tensor x[i,j,k]; 2*sum[i](sum[j](sum[k](x[i,j,k])*2)/4)=sum[i, j, k](x)' \
    'tensor x[i,j]; max[i](0 + max[j](x[i,j]))=max[i, j](x)' \
    'tensor x[i,j]; exp(sum[j](log(exp(sum[i](x[i,j])))))=exp(sum[i, j](x))' \
    'tensor u[i], x[i,j]; sum[i](mean[i](sum[j](u[i])))=sum[i, j](u[i])' \
    'tensor w[j], x[i,j]; max[j](x[i,j])+sum[j](sum[i](w[j]))=max[j](x[i, j]) + sum[i, j](w[j])'; do
    expect 0 simplify -e "${f%%=*}" --proof "$work/none.json"
    lines "${f#*=}"
    expect 0 "$rankwright" check "$work/none.json" --db "$db"
done

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
printf 'x\0 + 1000*y\n' >"$work/nul.expr"
expect 65 simplify "$work/nul.expr"
one_message
has "$work/err" 'NUL at byte 1'
expect 65 "$rankwright" eval "$work/nul.expr"

# the same input gives the same bytes
expect 0 simplify -e 'x1/(1 + exp(0 - x1))*x2' --proof "$work/p1.json"
expect 0 simplify -e 'x1/(1 + exp(0 - x1))*x2' --proof "$work/p2.json"
cmp -s "$work/p1.json" "$work/p2.json" || fail "two records of one formula differ"
# large classes that lead to one another: what they hold is looked for once (a tenth of a second,
# and minutes on all ways there are)
expect 0 timeout 120 "$rankwright" simplify --db "$db" -e \
    'tensor x[i, j], w[j]; scalar c; tanh(sq(w - w) + x/x/min[j](w)) + exp(sum[j](sum[j](sqrt(c))))'
has "$work/out" '^tanh\(1/min\(w\)\) \+ exp\(sum\[j\]\(sum\[j\]\(sqrt\(c\)\)\)\)$'
finish
