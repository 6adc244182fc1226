#!/bin/sh
# prove --worker: candidates on standard input, verdicts as lines, the same
# bytes for the same input, and nothing finished is lost by kill -9.
. tests/lib/cli.sh
some=rules/library/movement/slice.rw
count=$(grep -c '^rule ' $some)
worker() { "$rankwright" prove --worker "$@"; }
to() { # STATUS FILE [OPTION...]: the file's lines through a worker
    want=$1 file=$2
    shift 2
    worker "$@" <"$file" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" = "$want" ] || { fail "worker: status $got, expected $want"; head -n 5 "$work/err"; }
}

# What --list gives is what prove proves: same rules, same verdicts.
expect 0 "$rankwright" prove --list $some
cp "$work/out" "$work/all"
[ "$(wc -l <"$work/all")" = "$count" ] || fail "--list: one line a rule"
expect 0 "$rankwright" prove $some --db "$db" --json
cp "$work/out" "$work/serial"
to 0 "$work/all"
python3 - "$work/serial" "$work/out" <<'P' || fail "a worker says something else than prove"
import json, sys
a, b = ([json.loads(l) for l in open(f)] for f in sys.argv[1:])
key = lambda o: (o["rule"], o["domain"])
a.sort(key=key); b.sort(key=key)
assert len(a) == len(b) > 50, (len(a), len(b))
for x, y in zip(a, b):
    for k in x:
        assert k == "seconds" or x[k] == y[k], (k, x, y)
    assert y["text"] and y["report"]["hash"] == y["hash"]
P

# The same bytes, in one worker or in several, from text or from JSON.
to 0 "$work/all" --no-times
cp "$work/out" "$work/once"
to 0 "$work/all" --no-times
cmp "$work/once" "$work/out" || fail "two runs differ"
split -n l/3 "$work/all" "$work/part."
for p in "$work"/part.*; do worker --no-times <"$p"; done >"$work/out"
cmp "$work/once" "$work/out" || fail "three workers say something else than one"
to 0 "$work/all" --no-times --seed 7 # other searches, the same proofs
[ "$(grep -c '"verdict":"proved"' "$work/out")" = "$(grep -c '"verdict":"proved"' "$work/once")" ] ||
    fail "another seed proves something else"

# Names, families, doc comments and origins come through; canonical texts and
# rules without a name are candidates too, and blank lines and comments none.
cat >"$work/doc.rw" <<'R'
/// Nothing is added.
/// "Quoted", and \ more.
rule documented { origin "a book, 7"; claims int; axes x; map n on x;
  tensor A[x: n] : num; A + 0 => A; }
R
"$rankwright" prove --list "$work/doc.rw" >"$work/line"
to 0 "$work/line" --db "$work/doc.db"
expect 0 "$rankwright" prove "$work/doc.rw" --db "$work/doc2.db"
for q in 'select source, doc, family, claims, name, canonical from rule' \
    'select rule, domain, verdict, rung, reason, method, bound, bound_why, instances, obligations, solver, verifier, semantics, grade from verdict' \
    'select rule, domain, seq, kind, ranks, detail, verdict, reason from obligation' \
    'select * from counterexample' 'select * from origin' 'select * from current'; do
    "$rankwright" query --sql "$q order by 1, 2" --db "$work/doc.db" >"$work/a" 2>&1
    "$rankwright" query --sql "$q order by 1, 2" --db "$work/doc2.db" >"$work/b" 2>&1
    cmp "$work/a" "$work/b" || fail "a worker stores something else: $q"
    [ -s "$work/a" ] || fail "nothing stored: $q"
done
"$rankwright" query --sql "select replace(canonical, char(10), ' ') from rule" --db "$work/doc.db" >"$work/text"
{ echo; echo "  # no rule"; cat "$work/text"; printf '\t\r\n'; } >"$work/in"
to 0 "$work/in" --domain int
[ "$(wc -l <"$work/out")" = 1 ] || fail "one line of one domain"
hash=$(python3 -c 'import json,sys; o=json.loads(sys.stdin.readline()); print(o["hash"]); assert o["rule"] == "rule_" + o["hash"][:12]' <"$work/out")
[ "$hash" = "$("$rankwright" query --sql 'select hash from rule' --db "$work/doc.db")" ] ||
    fail "a canonical text has another hash"
echo '{"rule": "rule _ { axes x; map n on x; tensor A[x: n] : sint; -(-A) => A; }", "name": "twice", "family": "mine", "more": 1}' >"$work/in"
to 0 "$work/in" --domain int
grep -q '^{"rule":"twice".*"family":"mine"' "$work/out" || fail "name and family"
to 0 "$work/in" --domain bool # about none of these domains: said, not left out
grep -q '"rule":"twice".*"domain":null' "$work/out" || fail "a rule without domains"

# Bad lines: an error with the line's number each, and the others are proved.
{
    echo nonsense
    echo 'rule a { axes x; map n on x; tensor A[x: n] : sint; -(-A) => A; }'
    echo '{"rule": 3}'
    echo '{"rule": "rule b { }", "name": "b"'
    echo '{"name": "b"}'
    echo '{"rule": "rule _ { axes x; map n on x; tensor A[x: n] : sint; -(-A) => A; }", "name": "no name"}'
    echo 'rule a { axes x; map n on x; tensor A[x: n] : sint; -(-A) => A; } rule b { axes x; map n on x; tensor A[x: n] : sint; -(-A) => A; }'
    printf 'rule \377 {}\n'
    printf 'rule a { axes \000 }\n'
    echo 'rule cut { axes x;'
    printf 'rule last { axes x; map n on x; tensor A[x: n] : num; claims int; A - 0 => A; }'
} >"$work/in"
to 65 "$work/in" --domain int
python3 - "$work/out" <<'P' || fail "bad lines"
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
assert [r["line"] for r in rows if "error" in r] == [1, 3, 4, 5, 6, 7, 8, 9, 10], rows
assert all(r["error"] for r in rows if "error" in r)
assert [r["rule"] for r in rows if "error" not in r] == ["a", "last"], rows
assert all(r["verdict"] == "proved" for r in rows if "error" not in r)
P

# The exit status is the worst: unknown, refuted, bad input.
echo 'rule f { axes x; map n on x; tensor A[x: n] : sint; -A => A; }' >"$work/false"
to 1 "$work/false"
grep -q '"verdict":"refuted"' "$work/out" || fail "a false rule"
to 2 "$work/all" --timeout 0.001
: >"$work/none"
to 0 "$work/none"
[ -s "$work/out" ] && fail "nothing in, something out"
expect 64 "$rankwright" prove --worker rules/library; one_message
expect 64 "$rankwright" prove --worker -j 2; one_message
expect 64 "$rankwright" prove --worker --list; one_message
expect 64 "$rankwright" prove --no-times "$work/doc.rw" --db "$db"; one_message
expect 64 "$rankwright" prove --worker --seed -1; one_message
expect 74 sh -c "'$rankwright' prove --worker <'$work/all' >/dev/full"; one_message
expect 74 sh -c "'$rankwright' prove --worker </"; one_message
# A line without end is given up, and the next one proved.
{ head -c 70000000 /dev/zero | tr '\0' x; echo; cat "$work/false"; } |
    worker >"$work/out" 2>/dev/null
grep -q '^{"line":1,"error":"the line is longer' "$work/out" &&
    grep -q '"verdict":"refuted"' "$work/out" || fail "a line too long"

# kill -9 at any time: what is out are whole lines of rules that are done.  The
# worker gets all lines but one and waits for that one, so that it is killed
# before its end: when its first lines are out, and later.
cat "$work/all" "$work/all" "$work/all" "$work/all" >"$work/many"
worker --no-times <"$work/many" >"$work/whole" 2>/dev/null
sed '$d' "$work/many" >"$work/all_but_one"
written() { [ "$(wc -l <"$work/killed")" -ge "$1" ]; }
for lines in 1 60 150; do
    mkfifo "$work/from$lines"
    # Not by `worker`: what is killed would be the shell around it.
    "$rankwright" prove --worker --no-times <"$work/from$lines" >"$work/killed" 2>/dev/null & p=$!
    exec 3>"$work/from$lines" # no end of the input
    cat "$work/all_but_one" >&3 & feeder=$!
    await written $lines
    kill -9 $p || fail "the worker ended by itself"
    wait $p 2>/dev/null
    exec 3>&-
    wait $feeder 2>/dev/null
    n=$(wc -c <"$work/killed")
    head -c "$n" "$work/whole" | cmp - "$work/killed" ||
        fail "a killed worker's lines are not the first ones"
    [ "$n" -lt "$(wc -c <"$work/whole")" ] || fail "lines of a rule that did not come"
done
[ -s "$work/killed" ] || fail "a killed worker left nothing"

# --list with a database: what lacks a verdict there.
half=$((count / 2))
head -n $half "$work/all" >"$work/half"
to 0 "$work/half" --db "$work/list.db"
expect 0 "$rankwright" prove --list $some --db "$work/list.db"
tail -n +$((half + 1)) "$work/all" | cmp - "$work/out" || fail "--list --db"
expect 0 "$rankwright" prove --list $some --db "$work/list.db" --again
cmp "$work/all" "$work/out" || fail "--list --again"
expect 0 "$rankwright" prove --list $some --db "$work/absent.db"
cmp "$work/all" "$work/out" || fail "--list without the database"
[ -e "$work/absent.db" ] && fail "--list makes a database"
# What the clock cut short, or a prover that was killed, is no verdict.
to 2 "$work/all" --timeout 0.001 --db "$work/unknown.db"
expect 0 "$rankwright" prove --list $some --db "$work/unknown.db"
cmp -s "$work/all" "$work/out" || fail "--list: an answer of the clock is a verdict"
to 0 "$work/all" --db "$work/unknown.db"
expect 0 "$rankwright" prove --list $some --db "$work/unknown.db"
[ -s "$work/out" ] && fail "--list: a verdict is none"
python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("update verdict set verdict = \"unknown\", reason = \"the worker died (signal 15)\" where domain = \"int\" and rule = (select min(rule) from verdict)"); c.commit()' "$work/unknown.db"
expect 0 "$rankwright" prove --list $some --db "$work/unknown.db"
[ "$(wc -l <"$work/out")" = 1 ] || fail "--list: a prover that was killed gave a verdict"
finish
