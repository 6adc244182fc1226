#!/bin/sh
# False rules repaired: a quick part of what `make repairs` writes into docs/.
. tests/lib/cli.sh

# the best first, with the domains that it is proved in and those it is false in
cat >"$work/false.rw" <<'R'
rule turned { origin "somewhere"; axes x; map n on x; tensor A[x: n] : num;
  scalar c : num;
  -A < c => A < -c; }
R
expect 0 "$rankwright" generalize --repair "$work/false.rw" -o "$work/true.rw"
has "$work/out" '^turned: false: '
has "$work/out" '\[1\] .*right side: A < -c became A > -c'
has "$work/out" 'proved in int, real, float; false in word'
! grep -Eq '[0-9] s$' "$work/out" || fail "stdout tells seconds"
[ "$(tail -n 1 "$work/err" | grep -Ec '1 repaired; [0-9.]+ s$')" = 1 ] ||
    fail "stderr does not end with seconds"
has "$work/true.rw" 'rule turned_repaired1'
has "$work/true.rw" 'claims int, real, float;'
has "$work/true.rw" 'origin "somewhere"'
expect 0 "$rankwright" prove "$work/true.rw" --db "$work/true.db"

# rows of the list of wrong rewrites; every proposal is proved again
python3 tests/generalize/wrong_rows.py 4 16 20 42 >"$work/rows.rw"
expect 0 "$rankwright" generalize --repair "$work/rows.rw" --json \
    -o "$work/rows_true.rw"
[ "$(wc -l <"$work/out")" -ge 4 ] || fail "rows are missing"
! grep -q '"repairs": *\[\]' "$work/out" || fail "a row has no repair"
has "$work/out" '"proved": *\['
sed 's/"seconds": *[0-9.e-]*//' "$work/out" >"$work/first"
expect 0 "$rankwright" prove "$work/rows_true.rw" --db "$work/rows.db"

# equal seeds, equal answers
expect 0 "$rankwright" generalize --repair "$work/rows.rw" --json
sed 's/"seconds": *[0-9.e-]*//' "$work/out" >"$work/second"
cmp -s "$work/first" "$work/second" || fail "two runs differ"

for run in 1 2; do
    python3 tests/generalize/wrong_rows.py 16 >"$work/row.rw"
    expect 0 "$rankwright" generalize --repair "$work/row.rw"
    cp "$work/out" "$work/human$run"
done
cmp -s "$work/human1" "$work/human2" || fail "two runs print something else"

# a true rule needs no repair
cat >"$work/fine.rw" <<'R'
rule fine { axes x; map n on x; tensor A[x: n] : int; -(-A) => A; }
R
expect 0 "$rankwright" generalize --repair "$work/fine.rw"
has "$work/out" 'proved as it is; 0 repairs'

# log(A*B) is NaN where A*B < 0, and so is the other side: true, and no use
cat >"$work/nan.rw" <<'R'
rule nan { claims real; axes x; map n on x;
  tensor A[x: n] : float, B[x: n] : float; log(A * B) => log(A) + log(B); }
R
expect 0 "$rankwright" generalize --repair "$work/nan.rw"
has "$work/out" '^  \[1\] .*: where all\(A > 0\), all\(B > 0\)$'
! grep -E '^  \[' "$work/out" | grep -q '< 0' || fail "NaN on both sides is a repair"

# what nothing small makes true has none
cat >"$work/none.rw" <<'R'
rule none { claims real; axes x; map n on x; tensor A[x: n] : float;
  exp(A) => log(A); }
R
expect 1 "$rankwright" generalize --repair "$work/none.rw"
has "$work/out" '^none: .* 0 repairs'
finish
