#!/bin/sh
# The database survives: other files in its place, truncation, newer versions,
# read-only places, full disks, locks, kill -9, two provers at once.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
rule add_zero { axes x; map n on x; tensor A[x: n] : num;
  claims int, word, real; A + 0 => A; }
rule double_reverse { axes x; map n on x; tensor A[x: n] : any;
  reverse(reverse(A, {x}), {x}) => A; }
R
prove() { "$rankwright" prove "$work/a.rw" --db "$1"; }
count() { "$rankwright" query verdict=proved --db "$1" | wc -l; }

# made on first use, incremental, re-openable
expect 0 prove "$db"
[ "$(count "$db")" = 2 ] || fail "two rules proved"
expect 0 prove "$db"
has "$work/err" 'already|stored'

# not a database; truncated; another program's; a newer version
printf 'this is not a database, only a text that is long enough' >"$work/text.db"
expect 74 prove "$work/text.db"; one_message
size=$(wc -c <"$db")
for part in 50 1000 $((size / 2)); do
    head -c "$part" "$db" >"$work/cut.db"
    expect 74 prove "$work/cut.db"; one_message
done
cp "$db" "$work/newer.db"
python3 -c "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('pragma user_version=99'); c.commit()" "$work/newer.db"
expect 74 prove "$work/newer.db"; one_message; has "$work/err" 'newer'
expect 74 "$rankwright" query --db "$work/newer.db"; one_message
python3 -c "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('create table t(x)'); c.commit()" "$work/other.db"
expect 74 prove "$work/other.db"; one_message
# another program's without a table; an empty file, where nothing is written
python3 -c "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('pragma application_id=1196444487'); c.commit()" "$work/other_id.db"
sum=$(cksum <"$work/other_id.db")
for command in "prove $work/a.rw" query; do
    # shellcheck disable=SC2086 # words
    expect 74 "$rankwright" $command --db "$work/other_id.db"; one_message
    has "$work/err" 'expected a rule database, found an SQLite database of another program'
done
[ "$(cksum <"$work/other_id.db")" = "$sum" ] || fail "another program's database was changed"
: >"$work/empty.db"
expect 74 "$rankwright" query --db "$work/empty.db"; one_message
has "$work/err" 'empty.db: expected a rule database, found an empty file; any command that writes \(prove\)'
[ ! -s "$work/empty.db" ] || fail "an empty file was written"
expect 0 prove "$work/empty.db"
expect 0 "$rankwright" query --db "$work/empty.db"
expect 74 "$rankwright" query --db "$work/absent.db"; one_message
expect 74 prove "$work/no/such/folder/x.db"; one_message
expect 74 prove /proc/rules.db; one_message

# an older version is migrated and keeps its rows
python3 - "$db" "$work/older.db" <<'P'
import sqlite3, sys
src = sqlite3.connect(sys.argv[1])
dst = sqlite3.connect(sys.argv[2])
src.backup(dst)
dst.execute("drop table outline"); dst.execute("drop index rule_order")
dst.execute("drop index verdict_proved")
dst.execute("drop table use"); dst.execute("drop table record")
dst.execute("drop table complete"); dst.execute("drop table named")
dst.execute("alter table verdict drop column grade")
dst.execute("create table old(name text primary key, hash text not null references rule(hash))")
dst.execute("insert into old select name, hash from current"); dst.execute("drop table current")
dst.execute("alter table old rename to current")
dst.execute("pragma user_version=1"); dst.commit()
P
expect 74 "$rankwright" query --db "$work/older.db"; one_message
expect 0 prove "$work/older.db"
[ "$(count "$work/older.db")" = 2 ] || fail "migration keeps verdicts"

# a full disk: the file may not grow
expect 74 sh -c "ulimit -f 8; exec '$rankwright' prove '$work/a.rw' --db '$work/full.db'"
one_message
cp "$db" "$work/full2.db"
cat >"$work/b.rw" <<'R'
rule only_here { axes x; map n on x; tensor A[x: n] : sint; -(-A) => A; }
R
blocks=$(( ($(wc -c <"$work/full2.db") + 511) / 512 ))
expect 74 sh -c "ulimit -f $blocks; exec '$rankwright' prove '$work/b.rw' rules/library --db '$work/full2.db'"
[ "$(count "$work/full2.db")" -ge 2 ] || fail "a full disk lost verdicts"
expect 0 "$rankwright" query --sql "pragma integrity_check" --db "$work/full2.db"
has "$work/out" '^ok$'

# what is lacking of a library is said again and again, whatever was noted
mkdir "$work/lib"
cat >"$work/lib/one.rw" <<'R'
rule twice { axes x; map n on x; tensor A[x: n] : sint; -(-A) => A; }
R
cat >"$work/p.mlir" <<'M'
func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.negate %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}
M
lacks() { # N WHEN: simplify says N times what is lacking
    RANKWRIGHT_LIBRARY=$work/lib "$rankwright" simplify "$work/p.mlir" \
        --db "$work/lib.db" -o "$work/o.mlir" 2>"$work/err"
    [ "$(grep -c 'no current verdict' "$work/err")" = "$1" ] ||
        { fail "expected $1 notes: $2"; cat "$work/err"; }
}
noted() { # N WHEN: so many facts about libraries are noted
    [ "$("$rankwright" query --sql 'select count(*) from complete' --db "$work/lib.db")" = "$1" ] ||
        fail "expected $1 facts to be noted: $2"
}
expect 0 "$rankwright" prove "$work/lib" --db "$work/lib.db"
lacks 0 "all are proved"; lacks 0 "all are proved"; noted 2 "all are proved"
echo 'rule kept { axes x; map n on x; tensor A[x: n] : int; A + 0 => A; }' >"$work/lib/two.rw"
lacks 1 "a rule is new"; lacks 1 "a rule is new"; noted 2 "a rule is new"
expect 0 "$rankwright" prove "$work/lib" --db "$work/lib.db"
noted 0 "a verdict was written"
lacks 0 "both are proved"; lacks 0 "both are proved"; noted 2 "both are proved"

# two provers at once, and one killed in the middle again and again
set -- rules/library/movement/slice.rw rules/library/movement/concat.rw rules/library/elementwise/not.rw
"$rankwright" prove "$@" --db "$work/two.db" >/dev/null 2>"$work/e1" & p1=$!
"$rankwright" prove "$@" --db "$work/two.db" >/dev/null 2>"$work/e2" & p2=$!
wait $p1; s1=$?
wait $p2; s2=$?
[ $s1 = 0 ] && [ $s2 = 0 ] || { fail "two provers: $s1 $s2"; cat "$work/e1" "$work/e2"; }
before=0
stored() { "$rankwright" query --db "$work/killed.db" 2>/dev/null | wc -l; }
more_rules() { [ -f "$work/killed.db" ] && [ "$(stored)" -gt "$before" ]; }
for try in 1 2 3 4 5 6 7 8; do
    "$rankwright" prove rules/library --db "$work/killed.db" >/dev/null 2>&1 & p=$!
    await more_rules
    kill -9 $p || fail "the prover was not killed before its end"
    wait $p 2>/dev/null
    now=$(stored)
    [ "$now" -ge "$before" ] || fail "kill -9 lost verdicts: $before, then $now"
    before=$now
done
"$rankwright" query --sql "pragma integrity_check" --db "$work/killed.db" >"$work/out"
has "$work/out" '^ok$'
orphans=$("$rankwright" query --sql "select count(*) from verdict v where v.verdict='proved' and not exists (select 1 from obligation o where o.rule=v.rule and o.domain=v.domain) and v.obligations>0" --db "$work/killed.db")
[ "$orphans" = 0 ] || fail "half-written verdicts: $orphans"

# locked for good by another process: one message after the wait is over
mkfifo "$work/release"
python3 - "$db" "$work" <<'P' &
import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("begin exclusive")
open(sys.argv[2] + "/locked", "w").close()
open(sys.argv[2] + "/release").read()
P
locker=$!
await test -e "$work/locked"
expect 74 "$rankwright" prove "$work/b.rw" --db "$db" --wait 0.5; one_message
: >"$work/release"
wait $locker
expect 0 prove "$db"
[ "$(count "$db")" = 2 ] || fail "the lock lost verdicts"
# a row that contradicts itself is refused wherever it is read, as by merge; the message names the
# database and the rule
cat >"$work/damaged.rw" <<'R'
rule add_zero { axes x; map n on x; tensor A[x: n] : int; claims int; A + 0 => A; }
R
expect 0 "$rankwright" prove "$work/damaged.rw" --db "$work/damaged.db"
damage() {
    cp "$work/damaged.db" "$work/bad.db"
    python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()' \
        "$work/bad.db" "$1"
}
damage "update verdict set rung = 'none'"
for command in query "show add_zero"; do
    # shellcheck disable=SC2086 # words
    expect 74 "$rankwright" $command --db "$work/bad.db"
    one_message
    has "$work/err" 'bad.db: the verdict on rule [0-9a-f]{64} in int is damaged: proved, but its rung is none'
done
# some of its obligations are gone, or one is refuted; nor does merge take such a proof
for change in "delete from obligation where kind = 'elements'" "delete from obligation where seq = 0" \
    "update obligation set verdict = 'refuted' where seq = 1" "update obligation set verdict = '' where seq = 1" \
    "update verdict set rung = ''" "update verdict set obligations = 0"; do
    damage "$change"
    for command in query "show add_zero" "export --format json"; do
        # shellcheck disable=SC2086 # words
        expect 74 "$rankwright" $command --db "$work/bad.db"
        one_message
        has "$work/err" 'bad.db: the verdict on rule [0-9a-f]{64} in int is damaged: proved, but its (obligations are|rung is) n'
    done
    expect 74 "$rankwright" merge --db "$work/merged.db" "$work/bad.db"
    has "$work/err" 'bad.db: the verdict on rule [0-9a-f]{64} in int is damaged'
done
# it is proved again
expect 0 "$rankwright" prove "$work/damaged.rw" --db "$work/bad.db"
has "$work/err" '1 claims? proved'
expect 0 "$rankwright" query --db "$work/bad.db"
# a refutation that nobody can run again
expect 1 "$rankwright" prove tests/wrong/words.rw --db "$work/wrong.db"
expect 0 "$rankwright" query --db "$work/wrong.db"
cp "$work/damaged.db" "$work/proved.db"
for change in "delete from counterexample" "update counterexample set json = substr(json, 1, 30)"; do
    cp "$work/wrong.db" "$work/damaged.db"
    damage "$change"
    for command in query "query --json" "export --format json"; do
        # shellcheck disable=SC2086 # words
        expect 74 "$rankwright" $command --db "$work/bad.db"
        has "$work/err" 'the verdict on rule [0-9a-f]{64} in [a-z]+ is damaged: refuted, but its counterexample'
    done
    expect 1 "$rankwright" prove tests/wrong/words.rw --db "$work/bad.db"
    expect 0 "$rankwright" query --db "$work/bad.db"
done
cp "$work/proved.db" "$work/damaged.db"
damage "update rule set source = 'rule add_zero {'"
expect 74 "$rankwright" show add_zero --db "$work/bad.db"
one_message
has "$work/err" 'bad.db: the source of rule damaged/add_zero [0-9a-f]{12} is damaged: expected'
# A source that is another rule's would be shown and exported as the proved one.
damage "update rule set source = replace(source, '=> A', '=> A + A')"
for command in query "show add_zero" "export --format json" "export --format egglog" "query --json"; do
    # shellcheck disable=SC2086 # words
    expect 74 "$rankwright" $command --db "$work/bad.db"
    has "$work/err" 'the source of rule damaged/add_zero [0-9a-f]{12} is damaged: it is another rule'
done
# What is no regular file is no database, and stays as it is.
mkdir -p "$work/folder"
mkfifo "$work/pipe"
for path in /dev/null "$work/pipe" "$work/folder"; do
    for c in "prove $work/a.rw" 'query x'; do
        expect 74 "$rankwright" $c --db "$path" --json
        has "$work/err" "\"expected a database, found a .*\"file\":\"$path\""
    done
done
finish
