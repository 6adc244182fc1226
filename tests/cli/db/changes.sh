#!/bin/sh
# What changed between two databases, what records use most, what is new.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
rule add_zero { axes x; map n on x; tensor A[x: n] : sint; A + 0 => A; }
rule double_reverse { axes x; map n on x; tensor A[x: n] : any;
  reverse(reverse(A, {x}), {x}) => A; }
rule apart { axes x; map n on x; tensor A[x: n] : sint, B[x: n] : sint, C[x: n] : sint;
  A * (B + C) => A * B + A * C; }
rule old { axes x; map n on x; tensor A[x: n] : int; -(-A) => A; }
rule moved { axes x; map n on x; tensor A[x: n] : int; max(A, A) => A; }
R
expect 0 "$rankwright" prove "$work/a.rw" --db "$work/before.db"
sed -e '/^rule old/d' -e 's/rule moved/rule renamed/' -e 's/rule add_zero.*/rule add_zero { axes x; map n on x; tensor A[x: n] : sint; A - 0 => A; }/' \
    "$work/a.rw" >"$work/after.rw"
echo 'rule added { axes x; map n on x; tensor A[x: n] : int; min(A, A) => A; }' >>"$work/after.rw"
mkdir "$work/b" && cp "$work/after.rw" "$work/b/a.rw"
expect 0 "$rankwright" prove "$work/b/a.rw" --db "$db"
query() { "$rankwright" query "$@" --db "$db"; }

# rules and verdicts
cp "$db" "$work/same.db"
expect 0 query --diff "$work/same.db"; [ -s "$work/out" ] && fail "a database differs from itself"
expect 0 query --diff "$work/before.db"
[ "$(wc -l <"$work/out")" = 4 ] || { fail "not four changes"; cat "$work/out"; }
has "$work/out" '^added +[0-9a-f]{12} a/added$'
has "$work/out" '^changed +[0-9a-f]{12} a/add_zero: was [0-9a-f]{12}$'
has "$work/out" '^renamed +[0-9a-f]{12} a/renamed: was called moved$'
has "$work/out" '^removed +[0-9a-f]{12} a/old$'
expect 0 query --diff "$work/before.db" --count; [ "$(cat "$work/out")" = 4 ] || fail "count of changes"
expect 0 query --diff "$work/before.db" op=minimum
[ "$(wc -l <"$work/out")" = 1 ] || { fail "filters choose the rules"; cat "$work/out"; }
cp "$work/before.db" "$work/lost.db"
python3 - "$work/lost.db" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update verdict set verdict='unknown' where domain='word' and rule=(select hash from rule where name='double_reverse')")
c.commit()
P
expect 0 query --diff "$work/lost.db" double_reverse
[ "$(wc -l <"$work/out")" = 1 ] || { fail "one verdict differs"; cat "$work/out"; }
has "$work/out" '^verdict +[0-9a-f]{12} a/double_reverse: word proved, was unknown$'
expect 0 query --diff "$work/lost.db" double_reverse --json
has "$work/out" '"change":"verdict".*"domain":"word","before":"unknown","after":"proved"'
expect 74 query --diff "$work/none.db"; one_message

# rules that came or were judged since a time, or since a version of the verifier
python3 - "$work/lost.db" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update rule set added='2020-01-01T00:00:00Z'")
c.execute("update run set started='2020-01-02T00:00:00Z'")
c.execute("update verdict set verifier='1'")
c.execute("update verdict set verifier='2' where domain='int' and rule=(select hash from rule where name='old')")
c.execute("update rule set added='2021-05-05T10:00:00Z' where name='apart'")
c.commit()
P
since() { "$rankwright" query --since "$1" --db "$work/lost.db"; }
expect 0 since 2; [ -s "$work/out" ] && fail "since the latest version"
expect 0 since 2021-05-05T10:00:00Z; [ "$(wc -l <"$work/out")" = 1 ] || { fail "since a second"; cat "$work/out"; }
has "$work/out" a/apart
expect 0 since 2021-05-06; [ -s "$work/out" ] && fail "since a day after all"
expect 0 since 2020-01-02; [ "$(wc -l <"$work/out")" = 5 ] || { fail "since all were judged"; cat "$work/out"; }
expect 0 since 1; [ "$(wc -l <"$work/out")" = 1 ] || { fail "since a version"; cat "$work/out"; }
has "$work/out" a/old
"$rankwright" query --values family --since 1 --db "$work/lost.db" >"$work/out"
has "$work/out" "^ +1  a\$"
expect 64 since yesterday; one_message; has "$work/err" 'expected a UTC time such as .* found yesterday'

# how often records use rules: two steps of one rule, one of another
cat >"$work/p.mlir" <<'M'
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<4xi32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<4xi32>
  %2 = stablehlo.reverse %b, dims = [0] : tensor<4xi32>
  %3 = stablehlo.reverse %2, dims = [0] : tensor<4xi32>
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %4 = stablehlo.subtract %3, %z : tensor<4xi32>
  return %1, %4 : tensor<4xi32>, tensor<4xi32>
}
M
expect 0 query --used; [ -s "$work/out" ] && fail "uses without a record"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/o.mlir" --proof "$work/p.json"
printf '     2  a/double_reverse\n     1  a/add_zero\n' >"$work/want"
expect 0 query --used; cmp -s "$work/out" "$work/want" || { fail "stored uses"; cat "$work/out"; }
expect 0 query --used "record=$work/p.json"
cmp -s "$work/out" "$work/want" || { fail "uses of a record"; cat "$work/out"; }
expect 0 query --used "record=$work/p.json" "record=$work/p.json"; has "$work/out" '^ +4  a/double_reverse$'
expect 0 query --used "record=$work/p.json" --json op=reverse; has "$work/out" '"uses":2'
expect 65 query --used "record=$work/p.mlir"; one_message
expect 0 query "record=tests/records/formula/softmax.json" --count; [ "$(cat "$work/out")" = 0 ] || fail "a formula's record"

# new rules
cat >"$work/mine.rw" <<'R'
rule same { axes y; map m on y; tensor B[y: m] : any; reverse(reverse(B, {y}), {y}) => B; }
rule together { axes y; map m on y; tensor B[y: m] : sint, C[y: m] : sint, D[y: m] : sint;
  B * C + B * D => B * (C + D); }
rule thrice { axes y; map m on y; tensor B[y: m] : any;
  reverse(reverse(reverse(B, {y}), {y}), {y}) => reverse(B, {y}); }
rule itself { axes y; map m on y; tensor B[y: m] : sint; B => B; }
rule fresh { axes y; map m on y; tensor B[y: m] : sint; abs(-B) => abs(B); }
R
expect 0 query --new "$work/mine.rw"
has "$work/out" '^same: same rule as a/double_reverse$'
has "$work/out" '^together: from right to left a/apart$'
has "$work/out" '^thrice: follows from a/double_reverse \(real, at 8 instances\)$'
has "$work/out" '^itself: the two sides are the same \(int, '
has "$work/out" '^fresh: new: in int none of 5 proved rules derives it'
expect 0 query --new "$work/mine.rw" --json
has "$work/out" '"rule":"together".*"novelty":"reversed","by":\["a/apart"\]'
expect 0 query --new "$work/mine.rw" op=subtract; has "$work/out" '^same: new: '
expect 65 query --new "$work/p.mlir"; one_message
finish
