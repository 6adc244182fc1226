#!/bin/sh
# A user's database over the database of a library: what the library says stays, whatever the
# user proves under the same names and hashes, replaces or deletes.
. tests/lib/cli.sh
mkdir "$work/lib" "$work/mine" "$work/other"
cat >"$work/lib/numbers.rw" <<'R'
/// A + 0 = A.
rule add_zero { origin "the library"; axes x; map n on x; tensor A[x: n] : num;
  claims int, word, real; A + 0 => A; }
rule twice { axes x; map n on x; tensor A[x: n] : sint; claims int; -(-A) => A; }
rule wrong { axes x; map n on x; tensor A[x: n] : num; claims int; A + 1 => A; }
R
cat >"$work/p.mlir" <<'M'
func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.add %a, %z : tensor<4xi32>
  %1 = stablehlo.negate %0 : tensor<4xi32>
  %2 = stablehlo.negate %1 : tensor<4xi32>
  return %2 : tensor<4xi32>
}
M
# The same rule under the same name and under another one, with other words; another rule under
# a name of the library, in a file of the same name.
cat >"$work/mine/numbers.rw" <<'R'
/// Mine.
rule add_zero { origin "me"; axes x; map n on x; tensor A[x: n] : num; claims int; A + 0 => A; }
rule twice { axes x; map n on x; tensor A[x: n] : num; claims int; A - 0 => A; }
R
cat >"$work/other/mine.rw" <<'R'
rule plus_nothing { axes y; map m on y; tensor B[y: m] : num; claims int; B + 0 => B; }
rule wrong { axes x; map n on x; tensor A[x: n] : num; claims int; A * 1 => A; }
R
library=$work/lib.db
RANKWRIGHT_LIBRARY=$work/lib XDG_DATA_HOME=$work/home
export RANKWRIGHT_LIBRARY XDG_DATA_HOME
expect 1 "$rankwright" prove "$work/lib" --db "$library"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$library" -o "$work/want.mlir"
cp "$library" "$work/alone.db"
chmod a-w "$library"
sum=$(cksum <"$library")
RANKWRIGHT_LIBRARY_DATABASE=$library
sql() { "$rankwright" query --sql "$1" --db "$db" 2>"$work/err"; }

# without a database of the user's: nothing has to be proved
expect 0 "$rankwright" query op=add
has "$work/out" 'numbers/add_zero: .*; library$'
[ ! -e "$work/home" ] || fail "a query made a database"
expect 0 "$rankwright" simplify "$work/p.mlir" -o "$work/o.mlir" --proof "$work/proof.json"
cmp -s "$work/o.mlir" "$work/want.mlir" || fail "other rules than the library's"
grep -q proving "$work/err" && fail "something was proved"
expect 0 "$rankwright" check "$work/proof.json"
rm -r "$work/home"
expect 0 "$rankwright" check "$work/proof.json"

about() { # what is said of the library, and what its rules do: PROVENANCE FILE
    "$rankwright" query --db "$db" --json | grep '"layer":"library"'
    sql "select r.name, r.family, r.doc, r.source, o.origin, v.domain, v.verdict, v.run, v.layer,
        r.added from rule r join verdict v on v.rule = r.hash left join origin o
        on o.rule = r.hash where r.layer = 'library' order by r.hash, v.domain"
    "$rankwright" simplify "$work/p.mlir" --db "$db" --rules "$work/lib" 2>/dev/null
}
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/o.mlir"
about >"$work/before"
[ "$(grep -c '"layer":"library"' "$work/before")" = 3 ] || fail "three rules of the library"
unchanged() { about | cmp - "$work/before" || fail "the library changed: $1"; }

# the library itself: nothing is proved, nothing is stored
expect 1 "$rankwright" prove "$work/lib" --db "$db"
has "$work/err" '3 of 3 rules have stored verdicts'
[ "$(sql 'select count(*) from main.rule')" = 0 ] || fail "rules of the library were stored"
unchanged "proved by the user"

# the same hash: the library's verdict, under the user's name
expect 0 "$rankwright" prove "$work/other/mine.rw" --db "$db"
has "$work/out" 'mine/plus_nothing: .*int proved.*; same as library rule numbers/add_zero$'
[ "$(sql "select count(*) from main.verdict where rule in
    (select hash from current where name = 'plus_nothing')")" = 0 ] || fail "a verdict twice"
expect 0 "$rankwright" prove "$work/other/mine.rw" --db "$db" --again --json
has "$work/out" '"same_as":"numbers/add_zero"'
[ "$(sql "select count(*) from main.verdict where rule in
    (select hash from current where name = 'plus_nothing')")" = 0 ] || fail "a verdict twice"
expect 0 "$rankwright" show plus_nothing --db "$db"
has "$work/out" '^Rule add_zero \(numbers\)$'
unchanged "the same hash"

# the same names in a file of the same name
expect 0 "$rankwright" prove "$work/mine/numbers.rw" --db "$db"
unchanged "the same names"
expect 65 "$rankwright" show numbers/twice --db "$db"; one_message
has "$work/err" 'ambiguous: numbers/twice [0-9a-f]{12} \((user|library)\) and .*\((user|library)\)'
mine=$(sql "select hash from current where name = 'twice' and layer = 'user'")
expect 0 "$rankwright" show "$mine" --db "$db"
has "$work/out" 'A - 0'
expect 0 "$rankwright" query --db "$db" op=subtract
has "$work/out" 'numbers/twice: int proved[^;]*$'

# a rule that was renamed in its file hides none that bears the name
mkdir "$work/renamed"
for name in twice other; do
    echo "rule $name { axes x; map n on x; tensor A[x: n] : sint; claims int; A - 0 - 0 => A; }" \
        >"$work/renamed/numbers.rw"
    expect 0 "$rankwright" prove "$work/renamed/numbers.rw" --db "$work/renamed.db"
done
for name in numbers/twice twice; do
    expect 0 "$rankwright" show "$name" --db "$work/renamed.db"
    has "$work/out" '^Of the rule library'
done
expect 0 "$rankwright" show numbers/other --db "$work/renamed.db"
has "$work/out" 'A - 0 - 0'

# superseded by a rule of the user's, and by one that the library has
sed 's/A - 0 => A/A * 1 => A/' "$work/mine/numbers.rw" >"$work/numbers.rw"
expect 0 "$rankwright" prove "$work/numbers.rw" --db "$db"
expect 0 "$rankwright" query superseded --db "$db"
has "$work/out" 'numbers/twice: .*superseded'
[ "$(wc -l <"$work/out")" = 1 ] || fail "more than the user's rule was superseded"
unchanged "superseded"
sed 's/num; claims int; A - 0 => A/sint; claims int; -(-A) => A/' "$work/mine/numbers.rw" >"$work/numbers.rw"
expect 0 "$rankwright" prove "$work/numbers.rw" --db "$db"
unchanged "superseded by the library's own text"

# compared with another database: both without the library, however each was made
cp "$db" "$work/copy.db"
expect 0 "$rankwright" query --diff "$work/copy.db" --db "$db"
[ -s "$work/out" ] && fail "a database over the library differs from its copy"
expect 0 "$rankwright" prove "$work/other/mine.rw" --db "$work/over.db"
expect 0 env RANKWRIGHT_LIBRARY_DATABASE= "$rankwright" prove "$work/other/mine.rw" --db "$work/bare.db"
for pair in "over bare" "bare over"; do
    # shellcheck disable=SC2086 # two words
    set -- $pair
    expect 0 "$rankwright" query --diff "$work/$1.db" --db "$work/$2.db"
    [ -s "$work/out" ] && { fail "a difference from $1 to $2"; cat "$work/out"; }
done
expect 0 "$rankwright" query --diff "$work/bare.db" --db "$library"
[ "$(grep -c '^added' "$work/out")" = 2 ] || { fail "the library's own rules"; cat "$work/out"; }
expect 74 "$rankwright" query --diff "$work/bare.db"; one_message
# in memory, to be read as to be written
expect 0 "$rankwright" query --db :memory:
has "$work/out" 'numbers/add_zero: .*; library$'

# merged from a database that has all of the library, and other verdicts
for rules in mine lib; do
    RANKWRIGHT_LIBRARY_DATABASE= "$rankwright" prove "$work/$rules/numbers.rw" \
        --db "$work/old.db" >"$work/out" 2>"$work/err"
done
python3 - "$work/old.db" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update verdict set seconds = 0, method = '' where verdict = 'proved'")
c.execute("update rule set doc = 'old'")
c.commit()
P
expect 0 "$rankwright" merge --db "$db" "$work/old.db"
unchanged "merged"
expect 0 "$rankwright" merge --db "$db" "$library"
unchanged "merged with itself"

# deleted
python3 - "$db" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
for table in "current", "named", "obligation", "counterexample", "verdict", "origin", \
        "operator", "precondition", "remark", "rule":
    c.execute("delete from " + table)
c.commit()
P
unchanged "deleted by another hand"
rm "$db"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/o.mlir"
unchanged "the user's database was removed"

# an answer against the library's is a contradiction, not another answer
python3 - "$work/alone.db" "$work/liar.db" <<'P'
import sqlite3, sys
a, b = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
a.backup(b)
wrong = "(select hash from rule where name = 'wrong')"
b.execute("delete from counterexample where rule in " + wrong)
b.execute("update verdict set verdict = 'proved', rung = 'arithmetic' where rule in " + wrong)
b.commit()
P
chmod u+w "$library" && cp "$work/liar.db" "$library" && chmod a-w "$library"
expect 70 "$rankwright" prove "$work/lib" --db "$db" --again
has "$work/out" 'int: internal: the library says proved, a later run refuted'
expect 0 "$rankwright" query --db "$db" verdict=proved
grep -q 'numbers/wrong' "$work/out" && fail "a contradiction is proved"
chmod u+w "$library" && cp "$work/alone.db" "$library" && chmod a-w "$library"
expect 1 "$rankwright" prove "$work/lib" --db "$db" --again
[ "$(sql 'select count(*) from main.verdict')" = 0 ] || fail "the contradiction is still there"

# other rules, another version: one line, and the rules are proved as without a library
echo 'rule more { axes x; map n on x; tensor A[x: n] : num; claims int; A * 1 => A; }' \
    >"$work/lib/more.rw"
rm -f "$db"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/o.mlir"
[ "$(grep -c "lib.db: not used" "$work/err")" = 1 ] || fail "the library's database was not refused"
has "$work/err" 'proving 4 rules of the library first'
cmp -s "$work/o.mlir" "$work/want.mlir" || fail "the proved rules do something else"
rm "$work/lib/more.rw"
chmod u+w "$library"
python3 -c "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('pragma user_version=5'); c.commit()" "$library"
expect 0 "$rankwright" query --db "$db"
[ "$(grep -c "lib.db: not used" "$work/err")" = 1 ] || fail "an old library was not refused"
printf 'a text that is no database, as long as a header of one would have to be: 100 characters or so' >"$library"
printf '%s' 'a text that is no database, as long as a header of one' >>"$library"
expect 0 "$rankwright" query --db "$db"; one_message
has "$work/err" 'lib.db: not used: .*not a database'
cp "$work/alone.db" "$library"

# a library that somebody names, and that is none: one line names it, the user's database is read
expect 0 "$rankwright" prove "$work/other/mine.rw" --db "$work/own.db"
expect 0 env RANKWRIGHT_LIBRARY_DATABASE= "$rankwright" query --db "$work/own.db"
cp "$work/out" "$work/alone"
[ -s "$work/err" ] && fail "a remark on a library that nobody wants"
echo 'create table t(a)' >"$work/text.db"
mkdir "$work/folder.db"
python3 -c "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('create table t(a)')" "$work/foreign.db"
for file in none text folder foreign; do
    expect 0 env "RANKWRIGHT_LIBRARY_DATABASE=$work/$file.db" "$rankwright" query --db "$work/own.db"
    one_message
    has "$work/err" "$file.db: not used: [a-z]"
    cmp -s "$work/out" "$work/alone" || fail "another answer without a library: $file"
    expect 0 env "RANKWRIGHT_LIBRARY_DATABASE=$work/$file.db" "$rankwright" query --db "$work/own.db" --quiet
    [ -s "$work/err" ] && fail "a remark in spite of --quiet: $file"
    expect 74 env "RANKWRIGHT_LIBRARY_DATABASE=$work/$file.db" XDG_DATA_HOME="$work/nowhere" \
        "$rankwright" query
    [ "$(grep -c 'not used' "$work/err")" = 1 ] || fail "one remark without a database: $file"
done
expect 0 env "RANKWRIGHT_LIBRARY_DATABASE=$work/none.db" "$rankwright" simplify "$work/p.mlir" \
    --db "$work/first.db" -o "$work/o.mlir"
[ "$(grep -c 'none.db: not used' "$work/err")" = 1 ] || fail "simplify says nothing of the library"
has "$work/err" 'proving 3 rules of the library first'

# nobody writes the library, and no journal is left beside it
expect 0 "$rankwright" query --db "$db"
[ "$(cksum <"$library")" = "$sum" ] || fail "the library was written"
[ ! -e "$library-journal" ] && [ ! -e "$library-wal" ] || fail "a journal of the library"

# One text under two names comes from both places.
cat >"$work/two.rw" <<'R'
rule first { origin "here 1"; axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
rule second { origin "there 2"; axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
R
expect 0 "$rankwright" prove "$work/two.rw" --db "$work/two.db"
expect 0 "$rankwright" query --sql 'select origin from main.origin order by 1' --db "$work/two.db"
printf 'here 1\nthere 2\n' | cmp -s - "$work/out" || fail "an origin is lost: $(cat "$work/out")"
finish
