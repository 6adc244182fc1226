#!/bin/sh
# Files of rules that are empty or cannot all be read, formulas on standard input,
# and SQL of the user's own.
. tests/lib/cli.sh
cat >"$work/fine.rw" <<'R'
rule fine { axes x; map n on x; tensor A[x: n] : num; claims int, real; A + 0 => A; }
R
cat >"$work/part.rw" <<'R'
rule one { axes x; map n on x; tensor A[x: n] : num; A + B => A; }
rule other { axes x; map n on x; tensor A[x: n] : num; claims int, real; A * 1 => A; }
R
: >"$work/none.rw"
mkdir "$work/folder" "$work/mixed"
echo '// no rule' >"$work/folder/a.rw"
cp "$work/fine.rw" "$work/part.rw" "$work/none.rw" "$work/mixed"

# no rules at all
empty() { # HINT command...
    hint=$1
    shift
    expect 65 "$rankwright" "$@"
    one_message
    has "$work/err" "^rankwright: .*/(none.rw|folder): expected rules, found none$"
    has "$work/err" "hint: $hint"
}
for file in none.rw folder; do
    hint='a rule is written'
    [ $file = folder ] && hint='rules stand in files'
    empty "$hint" prove "$work/$file" --db "$db"
    empty "$hint" lint "$work/$file"
    empty "$hint" derive --assume "$work/$file" --goal "$work/fine.rw"
    empty "$hint" derive --assume "$work/fine.rw" --goal "$work/$file"
    empty "$hint" generalize "$work/$file" --rule x
    empty "$hint" discover --try "$work/$file"
done
expect 0 "$rankwright" prove "$work/fine.rw" --db "$db"
empty 'a rule is written' simplify -q -e 'x + 0' --rules "$work/none.rw" --db "$db"
empty 'a rule is written' simplify -q -e 'x + 0' --assume "$work/fine.rw,$work/none.rw" --db "$db"

# one rule that cannot be read: reported, and the others do their work
expect 65 "$rankwright" prove "$work/part.rw" --db "$db"
has "$work/err" 'part.rw:1:[0-9]+: .*B'
has "$work/out" '^part/other: int proved, real proved'
expect 65 "$rankwright" prove "$work/mixed" --db "$work/mixed.db"
has "$work/out" 'fine/fine: int proved'
has "$work/out" 'part/other: int proved'
expect 65 "$rankwright" lint "$work/part.rw"
has "$work/err" '^rankwright: 1 rules: '
expect 65 "$rankwright" simplify -e 'x * 1' --rules "$work/part.rw" --db "$db"
has "$work/err" 'part.rw:1:[0-9]+: '
[ "$(head -n 1 "$work/out")" = x ] || fail "the rule that can be read is not used"
expect 65 "$rankwright" prove --list "$work/part.rw"
has "$work/out" 'other'
expect 74 "$rankwright" lint "$work/part.rw" "$work/absent.rw"

# many errors of a file: ten of them, and how many more there are
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    echo "rule r$i { axes x; map n on x; tensor A[x: n] : num; A + B => A; }"
done >"$work/many.rw"
mkdir "$work/two" && head -n 11 "$work/many.rw" >"$work/two/a.rw" && sed "s/rule r/rule s/" "$work/many.rw" >"$work/two/b.rw"
expect 65 "$rankwright" prove "$work/many.rw" --db "$db"
[ "$(grep -c 'many.rw:[0-9]*:5[78]: ' "$work/err")" = 10 ] || { fail "not ten errors"; cat "$work/err"; }
has "$work/err" 'many.rw: 3 more errors$'
expect 65 "$rankwright" prove "$work/two" --db "$db"
[ "$(grep -c '[ab].rw:[0-9]*:5[78]: ' "$work/err")" = 20 ] || { fail "not ten errors a file"; cat "$work/err"; }
has "$work/err" 'a.rw: 1 more errors$'
has "$work/err" 'b.rw: 3 more errors$'
head -n 10 "$work/many.rw" >"$work/ten.rw"
expect 65 "$rankwright" prove "$work/ten.rw" --db "$db"
grep -q 'more errors' "$work/err" && fail "ten errors are all"

# a formula on standard input, and one that a limit of the user cuts off
printf 'scalar k;\nx * 1 + k\n' >"$work/formula"
for words in '-e -' '--formula=-'; do
    # shellcheck disable=SC2086 # words
    "$rankwright" simplify $words --rules "$work/fine.rw,$work/part.rw" --db "$db" \
        <"$work/formula" >"$work/out" 2>"$work/err"
    [ "$(cat "$work/out")" = 'k + x' ] || [ "$(cat "$work/out")" = 'x + k' ] ||
        fail "a formula on standard input: $(cat "$work/out")"
done
printf 'x +' | "$rankwright" simplify -e - --db "$db" >"$work/out" 2>"$work/err"
[ $? = 65 ] || fail "half a formula on standard input"
"$rankwright" simplify - --rules "$work/fine.rw" --db "$db" <tests/programs/mlp.mlir \
    >"$work/program" 2>"$work/err" || fail "a program on standard input"
has "$work/program" 'func.func'

# SQL
sql() { "$rankwright" query --db "$db" --sql "$@"; }
expect 64 sql 'select 1; garbage('
has "$work/err" 'SQL: expected one statement, found more behind it: garbage\('
expect 64 sql 'select 1; select 2'
expect 64 sql 'selct 1'
has "$work/err" 'SQL: near "selct": syntax error'
expect 64 sql 'select a from nowhere'
has "$work/err" 'SQL: no such table: nowhere'
expect 64 sql 'delete from rule'
expect 64 sql 'vacuum'
has "$work/err" 'SQL: only statements that read'
expect 64 sql "select 1; attach 'x' as y"
expect 64 sql ' -- nothing'
has "$work/err" 'found none'
expect 64 sql 'select abs(-9223372036854775808)'
has "$work/err" 'SQL: integer overflow'
expect 0 sql 'select 1; -- and no more'
expect 0 sql "select 1 as a, 2.5, null, x'00ff', 'b', 9e999, 7 as a" --json
echo "{\"a\":1,\"2.5\":2.5,\"null\":null,\"x'00ff'\":\"00ff\",\"'b'\":\"b\",\"9e999\":null,\"a:2\":7}" |
    cmp - "$work/out" || { fail "numbers in JSON"; cat "$work/out"; }
finish
