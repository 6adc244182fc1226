#!/bin/sh
# Formulas that look like something they are not: what is true only of a part
# of the inputs comes out with its condition, or not at all.
. tests/lib/cli.sh
library
numeric=$(dirname "$rankwright")/numeric
[ -x "$numeric" ] || numeric=build/dev/numeric
expect 0 python3 tests/lib/traps.py "$rankwright" "$numeric" "$db" \
    tests/formulas/traps.tsv "$work"
cat "$work/out"
[ "$(grep -cv '^#' tests/formulas/traps.tsv)" -ge 60 ] || fail "too few traps"

# A false rule snaps them: by what comes out, and by its values.
cat >"$work/false.rw" <<'R'
/// Not where A is negative.
rule root_of_square_without_magnitude {
  claims real;
  axes x;
  map n on x;
  tensor A[x: n] : float;
  sqrt(A * A) => A;
}
R
tab=$(printf '\t')
printf '%s\n' "sqrt(x*x)${tab}-${tab}x${tab}-" >"$work/seen.tsv"
printf '%s\n' "sqrt(x*x)${tab}-${tab}y${tab}-" >"$work/valued.tsv"
for trap in seen valued; do
    expect 1 python3 tests/lib/traps.py "$rankwright" "$numeric" "$db" \
        "$work/$trap.tsv" "$work" --assume "$work/false.rw"
    has "$work/out" '^1 traps, 1 snapped$'
done
finish
