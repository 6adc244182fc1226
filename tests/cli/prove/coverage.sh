#!/bin/sh
# The marks of the coverage table: rules that say less than their row, each kind once, beside
# rules that say all of it.
. tests/lib/cli.sh
cat >"$work/true.rw" <<'R'
rule said_again { origin "xla-153"; axes x; map n on x; tensor A[x: n] : num;
  where all(A >= 0); A >= 0 => true; }
rule of_an_operator { origin "xla-153"; axes x; map n on x; tensor A[x: n] : real;
  claims real; abs(A) >= 0 => true; }
rule two_operands { origin "xla-040"; axis a; axes x; map n, m on a; map k on x; type T : any;
  tensor A[a: n, x: k] : T, B[a: m, x: k] : T;
  concat(A, concat(B, axis=a), axis=a) => concat(A, B, axis=a); }
rule not_negative { origin "tensorright add/rule02"; axes x; map n on x; tensor A[x: n] : int;
  where all(A >= 0); A + 0 => A; }
rule plus_zero { origin "tensorright add/rule03"; axes x; map n on x; tensor A[x: n] : int;
  0 + A => A; }
rule any_monoid { origin "xla-262"; axes x, y; map n on x; map m on y; type T : float;
  op g : monoid(T); tensor A[x: n, y: m] : T; reduce(g, reduce(g, A, {x}), {y}) => reduce(g, A, {x, y}); }
rule impossible { origin "xla-067"; axes x; map n on x; tensor A[x: n] : any; where n < 0;
  reverse(A, {x}) => A; }
rule mended { origin "wrong 5"; axes x; map n on x; tensor A[x: n] : int; A - A => 0 * A; }
R
cat >"$work/false.rw" <<'R'
rule as_it_was { origin "wrong 5"; axes x; map n on x; tensor A[x: n] : int; A - A => A; }
R
"$rankwright" prove "$work/true.rw" --db "$work/true.db" >"$work/out" 2>&1
"$rankwright" prove "$work/false.rw" --db "$work/false.db" >"$work/out" 2>&1
"$rankwright" lint "$work/true.rw" --json >"$work/lint" 2>"$work/err"
expect 0 python3 tests/coverage/table.py --rankwright "$rankwright" --db "$work/true.db" \
    "$work/false.db" --notes docs/coverage-notes.tsv --rows docs/coverage-rows.tsv \
    --lint "$work/lint" --table "$work/table"
row() { has "$work/table" "^\| $1 \| $2 \|"; }
row 153 'true/said_again \(tautology\)'
row 153 'true/of_an_operator'
row 040 'true/two_operands \(for a fixed number of operands\)'
row add/rule02 'true/not_negative \(under a precondition\)'
row add/rule03 'true/plus_zero'
row 067 'true/impossible \(vacuous\)'
row 5 'true/mended \(repaired\)'
row 5 'false/as_it_was'
has "$work/table" 'any_monoid .*\| proved \(max, min\) \|'
has "$work/table" '^\| 040 \| \*missing: any number of operands'
finish
