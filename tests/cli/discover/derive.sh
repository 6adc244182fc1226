#!/bin/sh
# What follows from what: statuses, exit statuses, records that check, limits
# that are said, and rules that are not there.
. tests/lib/cli.sh
d=tests/derive
one() { # name: the goal alone
    awk -v n="$1" '$1 == "rule" {on = $2 == n} on' $d/goal.rw >"$work/$1.rw"
    [ -s "$work/$1.rw" ] || fail "no goal $1"
}
for name in three_sums zero_inside quotient three_slices other_names; do
    one $name
    expect 0 "$rankwright" derive --from $d/base.rw --goal "$work/$name.rw"
done
for name in doubles_itself quotient_of_positive; do
    one $name
    expect 1 "$rankwright" derive --from $d/base.rw --goal "$work/$name.rw"
done
expect 0 "$rankwright" prove $d/base.rw --db "$db"
expect 1 "$rankwright" derive --from $d/base.rw --db "$db" --goal $d/goal.rw --json --proof "$work/p"
has "$work/out" '"goal":"three_sums".*"status":"derived","method":"terms".*"used":\["add_comm","add_assoc"\]'
has "$work/out" '"goal":"quotient","hash":"[0-9a-f]{64}","domain":"real","status":"derived","method":"terms"'
has "$work/out" '"goal":"three_slices".*"status":"derived","method":"instances","instances":8,"used":\["slice_of_slice"\]'
has "$work/out" '"goal":"other_names".*"status":"same rule"'
has "$work/out" '"goal":"doubles_itself".*"status":"not derived"'
has "$work/err" '4 derived, 2 not, 0 at a limit, 0 unknown, 1 in the base; 5 base rules'
# Every record is one that check accepts, and one for each instance.
n=0
for f in "$work"/p/*.json; do
    expect 0 "$rankwright" check "$f" --db "$db"
    n=$((n + 1))
done
[ "$n" = 10 ] || fail "expected 10 records, found $n"
# Rules without names have records of their own.
cat >"$work/anonymous.rw" <<'R'
rule _ { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; (A + B) + 0 => B + A; claims real; }
rule _ { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; A + (B + 0) => B + A; claims real; }
R
expect 0 "$rankwright" derive --from $d/base.rw --goal "$work/anonymous.rw" --proof "$work/q"
[ "$(ls "$work/q" | grep -c '^[0-9a-f]\{12\}[.]real[.]0[.]json$')" = 2 ] || fail "records of rules without names"
# Without the rule that it took, nothing follows.
grep -v 'rule add_assoc' $d/base.rw >"$work/less.rw"
expect 1 "$rankwright" derive --from "$work/less.rw" --goal "$work/three_sums.rw"
# From the left side alone; a limit is no answer.
one zero_inside
expect 0 "$rankwright" derive --lhs --from $d/base.rw --goal "$work/zero_inside.rw"
expect 2 "$rankwright" derive --nodes 4 --from $d/base.rw --goal "$work/three_slices.rw"
has "$work/out" 'limit on nodes'
# What cannot be assumed is said.
expect 2 "$rankwright" derive --method instances --from $d/base.rw --goal "$work/quotient.rw"
has "$work/out" 'unknown +a precondition on elements'
# Unproved rules of a database derive nothing.
cat >"$work/false.rw" <<'R'
rule wrong { axes x; map n on x; tensor A[x: n] : num; A + A => A; }
R
expect 0 "$rankwright" derive --from "$work/false.rw" --goal $d/three.rw
expect 1 "$rankwright" prove "$work/false.rw" --db "$db"
expect 1 "$rankwright" derive --from "$work/false.rw" --goal $d/three.rw --db "$db"
expect 0 "$rankwright" derive --from "$work/false.rw" --goal $d/three.rw --db "$db" --assume "$work/false.rw"
# Where no instance has an axis, nothing was asked: n is 63 here.
cat >"$work/far.rw" <<'R'
rule far { axes x; map n, m on x; tensor A[x: n] : num; where n * n * n == 250047 * m, m == 1; reverse(A, {x}) => A; }
R
expect 2 "$rankwright" derive --from $d/base.rw --goal "$work/far.rw"
has "$work/out" '^far .*unknown +no instance with an axis of x was found'
# The same text is no proof in another domain, nor a twin of what claims more.
for domain in real float; do
    echo "rule of_$domain { axes x; map n on x; type T : float; tensor A[x: n] : T, B[x: n] : T, C[x: n] : T; claims $domain; A * (B + C) => A * B + A * C; }" >"$work/$domain.rw"
done
expect 0 "$rankwright" derive --from "$work/real.rw" --goal "$work/real.rw"
expect 1 "$rankwright" derive --from "$work/real.rw" --goal "$work/float.rw"
has "$work/out" '^of_float +float +not derived'
for two in "$work/real.rw,$work/float.rw" "$work/float.rw,$work/real.rw"; do
    expect 0 "$rankwright" derive --from "$two" --minimal
    has "$work/out" '^needed +of_real$'
    has "$work/out" '^needed +of_float$'
    has "$work/err" 'asked in real, float$'
done
# What was not asked does not follow.
expect 0 "$rankwright" derive --from "$work/real.rw" --minimal --domain bool
has "$work/out" '^needed +of_real$'
# A least set.
expect 0 "$rankwright" derive --from $d/base.rw,$d/goal.rw --minimal
has "$work/out" '^follows +three_sums$'
has "$work/out" '^follows +three_slices$'
has "$work/out" '^follows +other_names$'
has "$work/out" '^needed +add_comm$'
has "$work/out" '^needed +doubles_itself$'
# The same bytes, but for times.
for i in 1 2; do
    "$rankwright" derive --from $d/base.rw --goal $d/goal.rw --json 2>"$work/err" |
        sed 's/"seconds":[^}]*//' >"$work/run$i"
done
cmp "$work/run1" "$work/run2" || fail "two runs differ"
# Whatever the proved library derives between elements is true: no false rule is.
rm -f "$db"
library
"$rankwright" derive --method terms --from rules/library --db "$db" --goal tests/wrong \
    --domain real,int,word,float,bool --rounds 4 --nodes 2000 --json >"$work/out" 2>"$work/err"
grep '"status":"derived"' "$work/out" && fail "a false rule was derived"
n=$(grep -c '"status":"\(not derived\|limit\)"' "$work/out")
[ "$n" -ge 150 ] || fail "only $n questions were asked"
# That nothing was asked is no yes.
: >"$work/empty.rw"
expect 65 "$rankwright" derive --from $d/base.rw --goal "$work/empty.rw"
expect 2 "$rankwright" derive --from $d/base.rw --goal "$work/quotient.rw" --domain word
expect 64 "$rankwright" derive --goal $d/goal.rw
expect 64 "$rankwright" derive --from $d/base.rw
expect 64 "$rankwright" derive --from $d/base.rw --goal $d/goal.rw --lhs --both
expect 64 "$rankwright" derive --from $d/base.rw --goal $d/goal.rw --minimal
expect 65 "$rankwright" derive --from "$work/p/three_sums.real.0.json" --goal $d/goal.rw
# What is derived at instances and false at others is not called derived.
for name in low_pad_of_low_pad slice_outside_of_pad; do
    awk -v n="$name" '$1 == "rule" {on = $2 == n} on' tests/wrong/*.rw >"$work/$name.rw"
    [ -s "$work/$name.rw" ] || fail "no wrong rule $name"
    "$rankwright" derive --from rules/library --goal "$work/$name.rw" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" = 1 ] || [ "$got" = 2 ] || fail "$name is called derived"
    has "$work/out" 'unknown +the goal is false at x rank [01]|not derived +nothing more follows|limit +limit on rounds'
done
finish
