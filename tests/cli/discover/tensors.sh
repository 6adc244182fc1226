#!/bin/sh
# Discovery about tensors: what is found is proved, the same with any number of
# processes and after being stopped, and stands on ground instances; false
# candidates are not kept.
. tests/lib/cli.sh
find="discover --ops slice,reverse,concat --size 1 --classes 1"
expect 0 "$rankwright" $find -j 2 -o "$work/a.rw"
has "$work/err" '[0-9]+ kept'
has "$work/a.rw" 'reverse\(A, \{x\}\)'
has "$work/a.rw" 'origin "discovered seed=0 size=1"'
expect 0 "$rankwright" $find -j 1 -o "$work/b.rw"
cmp -s "$work/a.rw" "$work/b.rw" || fail "the number of processes shows"
expect 0 "$rankwright" prove "$work/a.rw" --db "$db"

# Stopped and gone on, with an entry that was not written whole.
expect 0 "$rankwright" $find -j 2 --resume "$work/r" -o "$work/c.rw"
cmp -s "$work/a.rw" "$work/c.rw" || fail "a run that can be resumed differs"
size=$(wc -c <"$work/r/journal")
head -c $((size * 2 / 3)) "$work/r/journal" >"$work/j"
mv "$work/j" "$work/r/journal"
expect 0 "$rankwright" $find -j 2 --resume "$work/r" -o "$work/d.rw"
cmp -s "$work/a.rw" "$work/d.rw" || fail "a run that was resumed differs"
expect 65 "$rankwright" discover --ops slice --size 1 --resume "$work/r" \
    -o "$work/e.rw"
has "$work/err" 'other options'

# What is no journal stays as it is; a first line that was cut is one.
mkdir -p "$work/foreign" "$work/cut"
echo mine >"$work/foreign/journal"
expect 65 "$rankwright" $find --resume "$work/foreign" -o "$work/e.rw"
[ "$(cat "$work/foreign/journal")" = mine ] || fail "a foreign file is overwritten"
head -c 40 "$work/r/journal" >"$work/cut/journal"
expect 0 "$rankwright" $find -j 2 --resume "$work/cut" -o "$work/k.rw"
cmp -s "$work/a.rw" "$work/k.rw" || fail "a run with a cut first line differs"
# All of standard output is JSON.
expect 0 "$rankwright" $find -j 2 --json
python3 - "$work/out" "$(grep -c '^rule' "$work/a.rw")" <<'P' || fail "not JSON, or not all rules"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
rules = [x for x in lines if 'rule' in x]
sys.exit(len(rules) != int(sys.argv[2]) or lines[-1]['kept'] != len(rules) or lines[-1]['lost'] != 0)
P
# Options of the other search, and two tasks at once.
expect 64 "$rankwright" $find --vars 2
has "$work/err" '--vars works only for operators that work on elements alone'
expect 64 "$rankwright" discover --ops add --domain int --resume "$work/r"
has "$work/err" '--resume works only for operators that move elements or reduce'
expect 64 "$rankwright" discover --try "$work/a.rw" --candidates "$work/a.rw"

# Into a database; and nothing new from what was found.
expect 0 "$rankwright" $find -j 2 --db "$work/found.db" -o "$work/a.rw"
expect 0 "$rankwright" query discovered --db "$work/found.db"
has "$work/out" 'real proved'
expect 0 "$rankwright" $find -j 2 --from "$work/a.rw" -o "$work/n.rw"
! grep -q '^rule' "$work/n.rw" || fail "known rules are found again"

# Of what is committed every eighth rule (make discover-check: all of them).
awk '/^rule / { n++ } !/^\/\/\// && n % 8 == 1' rules/discovered/tensors.rw \
    >"$work/some.rw"
[ "$(grep -c '^rule' "$work/some.rw")" -ge 10 ] || fail "few rules to prove"
expect 0 "$rankwright" prove "$work/some.rw" --db "$work/tensors.db" -j 2
expect 0 "$rankwright" discover --try "$work/some.rw" --instances 100 -j 2

# Ground instances; and candidates that are given.
expect 0 "$rankwright" discover --try "$work/a.rw" --instances 200
has "$work/err" ' 0 broken'
cat >"$work/f.rw" <<'R'
rule off_by_one {
  axes x; map n, s, e on x; tensor A[x: n] : any;
  slice(reverse(A, {x}), start=s, limit=e, stride=1)
    => reverse(slice(A, start=n - e, limit=n - s + 1, stride=1), {x});
}
rule without_its_precondition {
  axes x; map n, l, h on x; type T : any; tensor A[x: n] : T; scalar v : T;
  pad(A, v, low=l, high=h, interior=0) => slice(A, start=-l, limit=n + h,
      stride=1);
}
rule swapped {
  axis a; map n, m on a; type T : any;
  tensor A[a: n] : T, B[a: m] : T;
  reverse(concat(A, B, axis=a), {a})
    => concat(reverse(A, {a}), reverse(B, {a}), axis=a);
}
rule right {
  axes x; map n, s, e on x; tensor A[x: n] : any;
  slice(reverse(A, {x}), start=s, limit=e, stride=1)
    => reverse(slice(A, start=n - e, limit=n - s, stride=1), {x});
}
rule the_same_again {
  axes y; map k, i, j on y; tensor B[y: k] : any;
  slice(reverse(B, {y}), start=i, limit=j, stride=1)
    => reverse(slice(B, start=k - j, limit=k - i, stride=1), {y});
}
R
expect 1 "$rankwright" discover --try "$work/f.rw" --instances 500
for r in off_by_one without_its_precondition swapped; do
    has "$work/out" "^$r "
done
! grep -q '^right ' "$work/out" || fail "a true rule is broken"
expect 0 "$rankwright" discover --candidates "$work/f.rw" -o "$work/g.rw"
[ "$(grep -c '^rule' "$work/g.rw")" = 1 ] && grep -q '^rule right' "$work/g.rw" ||
    fail "kept: $(grep '^rule' "$work/g.rw")"

expect 64 "$rankwright" discover --ops slice,nothing
has "$work/err" '^rankwright: --ops: expected operators out of slice, .*, max .*, found nothing$'
finish
