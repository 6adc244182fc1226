#!/bin/sh
# Rules made wider: a quick part of what `make generalize` writes into docs/.
. tests/lib/cli.sh

# strides are freed, and the right side's attributes are found
expect 0 "$rankwright" generalize tests/generalize/slices.rw \
    --rule slice_of_slice_unit -o "$work/slice.rw"
has "$work/out" 'freed'
has "$work/out" 'maximal'
has "$work/slice.rw" 'rule slice_of_slice_unit_general'
has "$work/slice.rw" '^/// More general than slice_of_slice_unit .* seed 1'
has "$work/slice.rw" 'p\*p2'
expect 0 "$rankwright" prove "$work/slice.rw" --db "$work/slice.db"

# operators, operands and types; what is found goes to the database
expect 0 "$rankwright" generalize tests/generalize/elements.rw --json \
    --db "$work/elements.db"
[ "$(grep -c '"wider": *true' "$work/out")" = 12 ] ||
    fail "not every rule on elements became wider"
has "$work/out" 'op g : monoid'
"$rankwright" query verdict=proved --db "$work/elements.db" >"$work/query"
[ "$(grep -c '_general' "$work/query")" = 12 ] ||
    fail "not every wider rule is proved in the database"
# equal seeds, equal answers
sed 's/"seconds": *[0-9.e-]*//' "$work/out" >"$work/first"
expect 0 "$rankwright" generalize tests/generalize/elements.rw --json
sed 's/"seconds": *[0-9.e-]*//' "$work/out" >"$work/second"
cmp -s "$work/first" "$work/second" || fail "two runs differ"

# what each precondition is for
cat >"$work/need.rw" <<'R'
rule strict { axes x; map n, l, h on x; tensor A[x: n] : T; scalar v : T;
  where l >= 0, h >= 1, h == l;
  slice(pad(A, v, low=l, high=h), start=l, limit=l + n) => A; }
R
expect 0 "$rankwright" generalize "$work/need.rw"
has "$work/out" 'without'
# times are on stderr alone
has "$work/err" '^rankwright: 1 of 1 rules changed in [0-9.]+ s$'
cp "$work/out" "$work/first"
expect 0 "$rankwright" generalize "$work/need.rw"
cmp -s "$work/first" "$work/out" || fail "two runs print different things"
expect 0 "$rankwright" generalize "$work/need.rw" --json
has "$work/out" '"stopped": *false'
expect 0 "$rankwright" generalize "$work/need.rw" --json --seconds 0.0001
has "$work/out" '"stopped": *true'
# nor is anything looked at behind the end of the time, or said of what was not looked at
has "$work/out" '"refused":\[\],"needs":\[\],"maximal":false,"lost":null'

# false rules are not made wider (but repaired: repair.sh)
cat >"$work/false.rw" <<'R'
rule turned { axes x; map n on x; tensor A[x: n] : num; scalar c : num;
  -A < c => A < -c; }
R
expect 1 "$rankwright" generalize "$work/false.rw"
has "$work/err" 'turned is not proved'

echo 'rule none { axes x; map n on x; tensor A[x: n] : T; where n < 0; A => A; }' \
    >"$work/none.rw"
expect 1 "$rankwright" generalize "$work/none.rw"
has "$work/err" 'none is not proved.*: no instance meets its preconditions'

# equal strides are no accident of random points
cat >"$work/twice.rw" <<'R'
rule twice { axes x; map n, s, e on x; tensor A[x: n] : int;
  slice(A, start=s, limit=e) + slice(A, start=s, limit=e)
    => slice(A + A, start=s, limit=e); }
R
expect 0 "$rankwright" generalize "$work/twice.rw"
has "$work/out" 'not maximal: the sides agree at .* p=([23]) .*p2=\1'

# usage
expect 64 "$rankwright" generalize
one_message
expect 64 "$rankwright" generalize add_commutes --rule add_commutes
one_message
expect 65 "$rankwright" generalize tests/generalize/slices.rw --rule nothing
one_message
expect 65 "$rankwright" generalize no_such_rule_of_the_library
one_message
expect 65 "$rankwright" generalize add_commutes no_such_rule_of_the_library
one_message
expect 74 "$rankwright" generalize "$work/absent.rw"

# a rule that is not proved has its object too
echo 'rule wrong { axes x; map n on x; tensor A[x: n] : sint; A + 1 => A; }' >"$work/wrong.rw"
expect 1 "$rankwright" generalize "$work/wrong.rw" --json
has "$work/out" '^\{"rule":"wrong","hash":"[0-9a-f]+","wider":false,"reason":"wrong is not proved '
finish
