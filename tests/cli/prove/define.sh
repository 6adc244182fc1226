#!/bin/sh
# Definitions of named functions: proved by definition over the reals, and only
# there; stored, shown and found; programs do not know them.
. tests/lib/cli.sh
cat >"$work/d.rw" <<'R'
/// The mean along some axes.
rule mean_definition {
  axes x, y;
  map n on x;
  map m on y;
  tensor A[x: n, y: m] : float;
  reduce(+, A, {y}) / count({y: m}) => define mean(A, {y});
}
rule double { axes x; map n on x; tensor A[x: n] : float; A + A => 2 * A; }
R
expect 0 "$rankwright" prove "$work/d.rw" --db "$db" --domain real
has "$work/out" '^d/mean_definition: real proved$'
expect 0 "$rankwright" prove "$work/d.rw" --db "$db" --json
has "$work/out" '"rule":"mean_definition".*"domain":"real","verdict":"proved".*"method":"definition"'
[ "$(grep -c '"rule":"mean_definition"' "$work/out")" = 1 ] ||
    fail "a definition has a verdict in another domain"
expect 0 "$rankwright" query op=define --db "$db"
has "$work/out" 'd/mean_definition: real proved$'
! grep -q double "$work/out" || fail "op=define names another rule"
expect 0 "$rankwright" show mean_definition --db "$db"
has "$work/out" '=> define mean\(A, \{y\}\);'
has "$work/out" 'right\[i_x\] = mean\(A, \{y\}\)'
has "$work/out" 'real: proved'
has "$work/out" 'a name for the left side'
expect 0 "$rankwright" show mean_definition --db "$db" --smt2
# The stored text is the rule.
"$rankwright" show mean_definition --db "$db" --json >"$work/j"
python3 - "$work/j" "$work/again.rw" <<'P' || fail "canonical text"
import json, sys
r = json.load(open(sys.argv[1]))
open(sys.argv[2], "w").write(r["canonical"])
print(r["hash"], file=open(sys.argv[2] + ".hash", "w"))
P
expect 0 "$rankwright" prove "$work/again.rw" --db "$work/other.db" --json
has "$work/out" "\"hash\":\"$(cat "$work/again.rw.hash")\""

# no program has it
expect 0 "$rankwright" simplify tests/programs/attention.mlir --db "$db" \
    --domain real --stats -o "$work/a.mlir"
has "$work/err" 'mean_definition +does not run: mean, a named function'

# not a definition
for body in 'A + B => define f(A);' 'A + B => define add(A, B);' \
    'A + B => define f(A, B) + A;' 'define f(A, B) => A + B;' \
    'reduce(+, A + B, {x}) => define f(A, B);' \
    'reverse(A, {x}) + B => define f(A, B);' \
    'A + B * inf => define f(A, B);' 'max(A, lowest) + B => define f(A, B);' \
    'broadcast(A + B, {y: 2}) => define f(A, B);' 'A * pi => pi * A;'; do
    echo "rule r { axes x, y; map n on x;
        tensor A[x: n] : float, B[x: n] : float; $body }" >"$work/bad.rw"
    expect 65 "$rankwright" prove "$work/bad.rw" --db "$work/bad.db"
done
echo 'rule r { claims float; axes x; map n on x; tensor A[x: n] : float;
    A + A => define f(A); }' >"$work/bad.rw"
expect 65 "$rankwright" prove "$work/bad.rw" --db "$work/bad.db"
has "$work/err" 'claims the domain .float., which its types or operators do not allow'
finish
