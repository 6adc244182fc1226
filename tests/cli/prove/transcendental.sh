#!/bin/sh
# Rules with transcendental functions, true over the reals: none is refuted because floats that
# stand for real numbers round, have signs of zero or are NaN.  Elements that meet such a condition
# are found.
. tests/lib/cli.sh
"$rankwright" prove tests/rules/transcendental.rw --db "$db" --domain real --json \
    >"$work/out" 2>"$work/err"
rules=$(grep -c '^rule ' tests/rules/transcendental.rw)
[ "$(grep -c '"domain":"real"' "$work/out")" = "$rules" ] || fail "expected $rules verdicts"
! grep '"domain":"real","verdict":"refuted"' "$work/out" || fail "a true rule is refuted"
for rule in product_with_zero angle_of_zero above_one sign_of_a_sine chain_of_equations \
    in_a_small_range far_away large_exponential between_crossings crossing_of_a_sum; do
    has "$work/out" "\"rule\":\"$rule\",.*\"verdict\":\"proved\""
done
for rule in large_by_rounding large_below_its_place large_by_underflow; do
    has "$work/out" "\"rule\":\"$rule\",.*vacuous"
done
! grep '"rule":"has_a_logarithm",.*vacuous' "$work/out" || fail "no elements were found"
finish
