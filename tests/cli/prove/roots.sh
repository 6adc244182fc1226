#!/bin/sh
# Systems of polynomials that some solvers' algebra wrongly calls unsatisfiable: no rule that
# rests on one is proved over the reals, and the one with a small counterexample is refuted.
. tests/lib/cli.sh
"$rankwright" prove tests/rules/roots.rw --db "$db" --domain real --json >"$work/out" 2>"$work/err"
rules=$(grep -c '^rule ' tests/rules/roots.rw)
[ "$(grep -c '"domain":"real"' "$work/out")" = "$rules" ] || fail "expected $rules verdicts"
! grep '"domain":"real","verdict":"proved"' "$work/out" || fail "a false rule is proved"
has "$work/out" '"rule":"ordered_roots",.*"verdict":"refuted"'
finish
