#!/bin/sh
# merge: what workers and other databases found out comes into one database, in
# any order, as often as one likes, and no false word of theirs with it.
. tests/lib/cli.sh
# Written through to the disk at each rule: in memory it takes no time.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    rm -rf "$work"
    work=$(mktemp -d /dev/shm/rankwright.XXXXXX)
    db=$work/rules.db
fi
rules="rules/library/movement/slice.rw tests/wrong/words.rw tests/rules/small.rw"
merge() { "$rankwright" merge "$@"; }
query() { "$rankwright" query --json --db "$1"; }
sql() { "$rankwright" query --sql "$2" --db "$1"; }
edit() { # IN OUT 'python on o': every line's object o changed
    python3 -c '
import json, sys
for l in open(sys.argv[1]):
    o = json.loads(l)
    d = o["report"]["domains"][0] if o.get("report") else None
    exec(sys.argv[3])
    print(json.dumps(o))' "$1" "$2" "$3" >"$2" || fail "edit: $3"
}
# A database is whole: no verdict without its obligations or counterexample.
whole() {
    [ "$(sql "$1" 'pragma integrity_check')" = ok ] || fail "$1 is damaged"
    [ -z "$(sql "$1" 'pragma foreign_key_check')" ] || fail "$1: foreign keys"
    n=$(sql "$1" "select count(*) from verdict v where obligations <> (select count(*) from obligation o where o.rule = v.rule and o.domain = v.domain) or (verdict = 'refuted') <> exists (select 1 from counterexample c where c.rule = v.rule and c.domain = v.domain)")
    [ "$n" = 0 ] || fail "$1: $n half verdicts"
}

# shellcheck disable=SC2086 # several files
"$rankwright" prove --list $rules | "$rankwright" prove --worker >"$work/lines"
# shellcheck disable=SC2086
"$rankwright" prove $rules --db "$work/serial.db" >/dev/null 2>&1
query "$work/serial.db" >"$work/serial"
count=$(wc -l <"$work/serial")
[ "$count" -ge 45 ] || fail "too few rules"
# A reason may say besides that a proof was asked for again.
same() { query "$1" | sed 's/not confirmed: //g' | cmp - "$work/serial" || fail "$2"; whole "$1"; }

# Lines, a database, parts of lines backwards, standard input: the same.
expect 0 merge --db "$work/a.db" "$work/lines"
same "$work/a.db" "merged lines are not what a serial run gives"
expect 0 merge --db "$work/b.db" "$work/serial.db"
same "$work/b.db" "a merged database is not the same"
sql "$work/b.db" 'select v.rule, v.domain, r.started, r.command from verdict v join run r on r.id = v.run order by 1, 2' >"$work/x"
sql "$work/serial.db" 'select v.rule, v.domain, r.started, r.command from verdict v join run r on r.id = v.run order by 1, 2' | cmp - "$work/x" ||
    fail "the runs that verdicts came from"
split -n l/5 "$work/lines" "$work/part."
expect 0 merge --db "$work/c.db" "$work/part.ae" "$work"/part.ad "$work"/part.ac "$work"/part.aa "$work"/part.a*
same "$work/c.db" "parts of lines are not the whole"
merge --db "$work/d.db" - <"$work/lines" 2>/dev/null || fail "standard input"
same "$work/d.db" "standard input"
mkfifo "$work/pipe"
cat "$work/lines" >"$work/pipe" &
expect 0 merge --db "$work/e.db" "$work/pipe"
same "$work/e.db" "a pipe"
expect 64 merge --db "$work/e.db" --reprove "$work/pipe"; one_message
for t in 'rule, domain, verdict, rung, reason, method, bound, bound_why, instances, obligations, solver, verifier, semantics, grade from verdict' \
    'rule, domain, seq, kind, ranks, detail, verdict, reason from obligation' \
    'rule, domain, json from counterexample' 'hash, source, doc, name, claims, family, canonical from rule' \
    'family, name, hash from current' 'rule, seq, text from remark' 'rule, origin from origin' \
    'rule, op from operator' 'rule, seq, text, roles from precondition'; do
    for d in a b c; do
        sql "$work/$d.db" "select $t order by 1, 2, 3" >"$work/x" 2>&1 ||
            sql "$work/$d.db" "select $t order by 1, 2" >"$work/x" 2>&1
        sql "$work/serial.db" "select $t order by 1, 2, 3" >"$work/y" 2>&1 ||
            sql "$work/serial.db" "select $t order by 1, 2" >"$work/y" 2>&1
        cmp "$work/x" "$work/y" || fail "$d: $t"
    done
done
# Nothing new: nothing is written.
expect 0 merge --db "$work/b.db" "$work/serial.db"
cp "$work/b.db" "$work/b2.db"
expect 0 merge --db "$work/b.db" "$work/serial.db" "$work/serial.db"
cmp "$work/b.db" "$work/b2.db" || fail "merging again writes"
expect 0 merge --db "$work/b.db" "$work/serial.db" --json
grep -q '"new":0,"verdicts":0,"kept":[1-9].*"bad":0' "$work/out" || fail "--json counts"
cp "$work/serial.db" "$work/source.db"
chmod a-w "$work/source.db"
expect 0 merge --db "$work/ro.db" "$work/source.db"
cmp "$work/source.db" "$work/serial.db" || fail "a source was written"

# What is not claimed to be a verdict of today is left out; unknown loses.
edit "$work/lines" "$work/old" 'o["verifier"] = "0"'
expect 0 merge --db "$work/old.db" "$work/old"
has "$work/err" "^rankwright: $(grep -c '"verdict"' "$work/lines") verdicts of other versions were left out"
[ "$(sql "$work/old.db" 'select count(*) from verdict')" = 0 ] || fail "stale verdicts"
[ "$(query "$work/old.db" | wc -l)" = "$count" ] || fail "rules with stale verdicts"
cp "$work/serial.db" "$work/old2.db"
python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("update verdict set verifier = \"0\" where domain = \"int\""); c.commit()' "$work/old2.db"
expect 0 merge --db "$work/old3.db" "$work/old2.db"
has "$work/err" 'of other versions were left out'
[ "$(sql "$work/old3.db" "select count(*) from verdict where domain = 'int'")" = 0 ] || fail "stale verdicts"
expect 0 merge --db "$work/old2.db" "$work/lines"
same "$work/old2.db" "fresh verdicts replace stale ones"
edit "$work/lines" "$work/unknown" 'd.update(verdict="unknown", rung="none", grade="none", counterexample=None, reason=d["reason"] or "time"); o.update(verdict="unknown", reason=d["reason"])'
expect 0 merge --db "$work/u.db" "$work/unknown"
[ "$(sql "$work/u.db" "select count(*) from verdict where verdict <> 'unknown'")" = 0 ] || fail "unknown"
expect 0 merge --db "$work/u.db" "$work/lines" "$work/unknown"
same "$work/u.db" "unknown does not lose"

# A proof against which a short search finds a counterexample is reported and left out.
grep '"domain":"word","verdict":"refuted"' "$work/lines" | head -n 1 >"$work/refuted"
proof=$(grep -m 1 '"verdict":"proved"' "$work/lines" | python3 -c \
    'import json, sys; print(json.dumps(json.load(sys.stdin)["report"]["domains"][0]["obligations"]))')
lie="d.update(verdict='proved', rung='arithmetic', counterexample=None, obligations=$proof); o['verdict'] = 'proved'"
edit "$work/refuted" "$work/lie" "$lie"
expect 70 merge --db "$work/lie.db" "$work/lie"
has "$work/out" ': word: proved, says the source; refuted here: .*left .*right '
[ "$(sql "$work/lie.db" 'select count(*) from verdict')" = 0 ] || fail "a refuted proof is stored"
for order in "refuted lie" "lie refuted"; do
    # shellcheck disable=SC2086
    set -- $order
    rm -f "$work/lie.db"
    expect 70 merge --db "$work/lie.db" "$work/$1" "$work/$2"
    [ "$(sql "$work/lie.db" "select verdict from verdict where domain = 'word'")" = refuted ] ||
        fail "a refuted proof counts"
    whole "$work/lie.db"
done
python3 - "$work/lie.db" "$work/liar.db" <<'P'
import sqlite3, sys
a, b = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
a.backup(b)
b.execute("update verdict set verdict = 'proved', rung = 'arithmetic', obligations = 1")
b.execute("delete from counterexample")
b.execute("insert into obligation select rule, domain, 0, 'shape', '', '', 'proved', '', 0, 0 from verdict")
b.commit()
P
rm "$work/lie.db"
expect 70 merge --db "$work/lie.db" "$work/liar.db" # from database to database
has "$work/out" ': word: proved, says the source; refuted here: '

# A contradiction: proved here, refuted there, and the refutation replays. A short search does
# not find it.
"$rankwright" prove --list tests/rules/deep.rw |
    "$rankwright" prove --worker --domain int | grep '"domain":"int"' >"$work/deep"
edit "$work/deep" "$work/deep.refuted" '
root = o["rule"].split("_")[-1]
d.update(verdict="refuted", rung="none", grade="none", reason="", obligations=[],
         counterexample=json.dumps({"domain": "int", "ranks": {"x": 0}, "maps": {"n": []},
         "types": {"#0": "int", "#1": "i1"}, "tensors": {"A": {"type": "tensor<int>", "data": [int(root)]}},
         "scalars": {}, "failure": "elements", "index": [], "lhs": True, "rhs": False,
         "text": "A = " + root}))
o.update(verdict="refuted", reason="")'
edit "$work/deep.refuted" "$work/deep.lie" "$lie"
for order in "refuted lie" "lie refuted"; do
    # shellcheck disable=SC2086
    set -- $order
    rm -f "$work/lie.db"
    expect 70 merge --db "$work/lie.db" "$work/deep.$1" "$work/deep.$2"
    has "$work/out" ': int: proved by one and refuted by another source'
    [ "$(sql "$work/lie.db" "select distinct verdict, reason from verdict where domain = 'int'")" = \
        "unknown	internal: proof and counterexample disagree" ] || fail "a contradiction is stored as an answer"
    expect 70 merge --db "$work/lie.db" "$work/deep.lie"
    expect 70 merge --db "$work/lie3.db" "$work/lie.db" # from database to database
    expect 70 merge --db "$work/lie.db" "$work/deep.refuted" --json
    grep -q '"contradiction":' "$work/out" || fail "--json: contradictions"
    whole "$work/lie.db"
done
cat "$work/lines" "$work/deep.refuted" >"$work/lines.deep"
mkdir "$work/orders"
python3 tests/lib/merge_orders.py "$rankwright" "$work/lines.deep" "$work/orders" 1 3 ||
    fail "the order of merges matters"
# A refutation that does not replay has no standing, come or stored.
edit "$work/refuted" "$work/void" 'd["counterexample"] = d["counterexample"].replace("\"maps\":{", "\"maps\":{\"no\":[1],").replace("\"lhs\":", "\"lhs\":1")'
cmp -s "$work/refuted" "$work/void" && fail "no counterexample was changed"
expect 65 merge --db "$work/void.db" "$work/void"
has "$work/err" 'in word, found one that does not refute the rule'
[ "$(sql "$work/void.db" 'select count(*) from verdict')" = 0 ] || fail "a void refutation is stored"
expect 0 merge --db "$work/void2.db" "$work/refuted"
python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("update counterexample set json = \"{}\""); c.commit()' "$work/void2.db"
expect 65 merge --db "$work/void3.db" "$work/void2.db"
[ "$(sql "$work/void3.db" 'select count(*) from verdict')" = 0 ] || fail "a void refutation of a database is stored"
expect 0 merge --db "$work/void4.db" "$work/deep.refuted"
python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("update counterexample set json = \"{}\""); c.commit()' "$work/void4.db"
expect 65 merge --db "$work/void4.db" "$work/deep.lie"
[ "$(sql "$work/void4.db" "select distinct verdict from verdict")" = proved ] || fail "a void refutation wins"

# --reprove takes no proof on trust: the lie is refuted, or stays unknown.
expect 70 merge --db "$work/again.db" --reprove "$work/lie" -j 1
has "$work/out" ': word: proved, says the source; refuted here'
[ "$(sql "$work/again.db" "select verdict from verdict where domain = 'word'")" = refuted ] || fail "--reprove"
expect 70 merge --db "$work/void2.db" --reprove "$work/lie" -j 1
expect 0 merge --db "$work/again2.db" --reprove "$work/lines" -j 2
same "$work/again2.db" "--reprove gives something else"
expect 0 merge --db "$work/again3.db" --reprove "$work/serial.db" "$work/old" -j 2
same "$work/again3.db" "--reprove of a database gives something else"
grep -m 5 '"verdict":"proved"' "$work/lines" >"$work/few"
expect 2 merge --db "$work/again4.db" --reprove "$work/few" --timeout 0.001
has "$work/err" '^rankwright: 5 verdicts are proved in the sources and unknown here'
[ "$(sql "$work/again4.db" "select count(*) from verdict where verdict = 'proved'")" = 0 ] || fail "--reprove trusts"
expect 0 merge --db "$work/again5.db" "$work/few" # on trust
expect 2 merge --db "$work/again5.db" --reprove "$work/few" --timeout 0.001
[ "$(sql "$work/again5.db" "select count(*) from verdict where verdict = 'proved'")" = 0 ] ||
    fail "--reprove leaves what was taken on trust"

# Lines that were tampered with, and lines that are none.
refused() { # WHY: the one line of $work/bad is refused and says so
    rm -f "$work/bad.db"
    expect 65 merge --db "$work/bad.db" "$work/bad"
    has "$work/err" "$1"
    [ ! -e "$work/bad.db" ] || [ "$(sql "$work/bad.db" 'select count(*) from verdict')" = 0 ] ||
        fail "taken in: $1"
}
head -n 1 "$work/lines" >"$work/one"
edit "$work/one" "$work/bad" 'o["text"] = o["text"].replace("any", "num")'; refused 'bad:1: expected "hash" to be'
edit "$work/one" "$work/bad" 'o["text"] = o["text"][:-4]'; refused 'bad:1: expected'
edit "$work/one" "$work/bad" 'o["verdict"] = "refuted"'; refused 'is not that of "report"'
edit "$work/one" "$work/bad" 'd["verdict"] = o["verdict"] = "refuted"'; refused 'cannot be read'
edit "$work/one" "$work/bad" 'd["rung"] = "none"'; refused 'verdict and rung contradict each other'
edit "$work/one" "$work/bad" 'd["grade"] = "finite"'; refused 'verdict and grade contradict each other'
edit "$work/one" "$work/bad" 'd["counterexample"] = "{}"'; refused 'it has a counterexample'
edit "$work/one" "$work/bad" 'd["obligations"][0]["verdict"] = "refuted"'; refused 'an obligation refuted'
edit "$work/one" "$work/bad" 'd["obligations"] = []'; refused 'it is proved without obligations'
edit "$work/one" "$work/bad" 'd["obligations"] = []; d["method"] = "definition"'; refused 'it is proved without obligations'
edit "$work/one" "$work/bad" 'd["bound"] = "x: 1"'; refused 'no JSON object'
edit "$work/one" "$work/bad" 'd["instances"] = -1'; refused 'its counts are none'
edit "$work/one" "$work/bad" 'd["seconds"] = -1'; refused 'its counts are none'
edit "$work/one" "$work/bad" 'd["method"] = d["obligations"][0]["detail"] = "\x1b[31m"; o["report"]["remarks"] = ["a\nb\x1b"]'
expect 0 merge --db "$work/escape.db" "$work/bad"
[ "$(sql "$work/escape.db" "select v.method, o.detail, r.text from verdict v join obligation o on o.rule = v.rule join remark r on r.rule = v.rule where o.seq = 0")" = "?[31m	?[31m	a?b?" ] ||
    fail "escapes are stored"
edit "$work/one" "$work/bad" 'd["domain"] = "nowhere"'; refused 'cannot be read'
edit "$work/one" "$work/bad" 'o["report"]["hash"] = "0" * 64'; refused 'cannot be read'
edit "$work/one" "$work/bad" 'del o["report"]'; refused 'bad:1: '
edit "$work/one" "$work/bad" 'del o["text"]'; refused 'expected a text as "text", found nothing'
edit "$work/one" "$work/bad" 'o["domain"] = 3'; refused 'expected a domain'
edit "$work/one" "$work/bad" 'd["obligations"] = 3'; refused 'cannot be read'
for text in '[]' '{}' '"x"' '{' 'rule x {}' "$(printf '\377\001')"; do
    printf '%s\n' "$text" >"$work/bad"
    refused 'bad:1: '
done
python3 -c 'import random, sys
bytes_of = random.Random(1)
sys.stdout.buffer.write(b"\xd8" + bytes(bytes_of.randrange(256) for _ in range(99999)))' >"$work/bad"
echo >>"$work/bad"
refused 'bad:1: '
# Of verdicts that differ in an obligation alone the same one stays.
edit "$work/one" "$work/twin" 'd["obligations"][0]["detail"] += "!"'
for order in "one twin" "twin one"; do
    # shellcheck disable=SC2086
    set -- $order
    expect 0 merge --db "$work/$1.first.db" "$work/$1" "$work/$2"
    [ "$(sql "$work/$1.first.db" "select count(*) from obligation where detail like '%!'")" = 0 ] ||
        fail "the order of merges matters: $order"
done
# The other lines are taken in.
{ echo nonsense; cat "$work/lines"; echo '{"line":1,"error":"no rule"}'; echo; } >"$work/mixed"
expect 65 merge --db "$work/mixed.db" "$work/mixed"
same "$work/mixed.db" "a bad line costs others"
# A worker that was killed may leave a part of a line.
size=$(wc -c <"$work/lines")
head -c $((size - 100)) "$work/lines" >"$work/cut"
expect 0 merge --db "$work/cut.db" "$work/cut"
has "$work/err" '^rankwright: 1 last lines without an end'
[ "$(sql "$work/cut.db" 'select count(*) from verdict')" = $(($(grep -c '"verdict"' "$work/lines") - 1)) ] ||
    fail "a line cut off"

# Nothing that the prover says of the whole library is refused.
if [ -n "${proved_library:-}" ]; then
    expect 0 merge --db "$work/library.db" "$proved_library"
    "$rankwright" query --json --db "$proved_library" >"$work/x"
    query "$work/library.db" | cmp - "$work/x" || fail "the library"
    whole "$work/library.db"
fi

# Databases that are damaged, older, newer, other programs'.
python3 -c 'import sqlite3, sys
for name, do in (("text", "update rule set source = replace(source, \"slice\", \"reverse\")"), ("canonical", "update rule set canonical = canonical || \" \""), ("rung", "update verdict set rung = \"x\""), ("other", "pragma application_id = 1"), ("newer", "pragma user_version = 99"), ("older", "pragma user_version = 1")):
    a, b = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2] + "/" + name)
    a.backup(b); b.execute(do); b.commit()' "$work/serial.db" "$work"
expect 65 merge --db "$work/bad.db" "$work/text"
for d in canonical rung other newer older; do
    expect 74 merge --db "$work/$d.db" "$work/$d"; one_message
done
head -c 5000 "$work/serial.db" >"$work/short"
expect 74 merge --db "$work/bad.db" "$work/short"; one_message
expect 74 merge --db "$work/bad.db" "$work/absent"; one_message
expect 74 merge --db "$work/bad.db" "$work"; one_message
expect 74 merge --db "$work/other" /dev/null; one_message
# Nothing came of it: no database is left where none was.
echo 'no line' >"$work/line"
for source in absent other line; do
    "$rankwright" merge --db "$work/new.db" "$work/$source" >/dev/null 2>&1 && fail "$source is no source"
    "$rankwright" merge --db "$work/new.db" --reprove "$work/$source" >/dev/null 2>&1
    [ ! -e "$work/new.db" ] || fail "$source: a new empty database"
done
expect 0 merge --db "$work/new.db" /dev/null
[ "$(sql "$work/new.db" 'select count(*) from rule')" = 0 ] || fail "nothing merged"
: >"$work/empty"
expect 0 merge --db "$work/empty.db" "$work/empty" /dev/null
expect 64 merge --db "$work/bad.db"; one_message
expect 64 merge --db "$work/a.db" "$work/lines" "$work/a.db"; one_message
expect 64 merge --db "$work/bad.db" - -; one_message
expect 64 merge --db "$work/bad.db" --reprove -; one_message
expect 64 merge --db "$work/bad.db" "$work/lines" --wait x; one_message
expect 74 sh -c "'$rankwright' merge --json --db '$work/a.db' '$work/lines' >/dev/full"

# Names: no rule is hidden, whichever text a name stood for.
mkdir "$work/n1" "$work/n2"
cat >"$work/n1/n.rw" <<'R'
rule same { axes x; map n on x; tensor A[x: n] : num; claims int; A + 0 => A; }
R
cat >"$work/n2/n.rw" <<'R'
rule same { axes x; map n on x; tensor A[x: n] : num; claims int; A - 0 => A; }
R
for i in 1 2; do expect 0 "$rankwright" prove "$work/n$i/n.rw" --db "$work/n$i.db"; done
expect 0 merge --db "$work/n12.db" "$work/n1.db" "$work/n2.db"
expect 0 merge --db "$work/n21.db" "$work/n2.db" "$work/n1.db"
"$rankwright" query --json --db "$work/n12.db" >"$work/x"
"$rankwright" query --json --db "$work/n21.db" | cmp - "$work/x" || fail "names"
[ "$(wc -l <"$work/x")" = 2 ] && grep -q '"rule":"same"' "$work/x" &&
    grep -Eq '"rule":"same_[0-9a-f]{8}"' "$work/x" || fail "a rule is hidden"
# a name belongs to its file: rules of two files have the same name
mv "$work/n2/n.rw" "$work/n2/m.rw"
expect 0 "$rankwright" prove "$work/n2/m.rw" --db "$work/m2.db"
expect 0 merge --db "$work/nm.db" "$work/n1.db" "$work/m2.db"
[ "$("$rankwright" query --json --db "$work/nm.db" | grep -c '"rule":"same"')" = 2 ] ||
    fail "a name of another file was taken"

# Proof records and their uses.
cat >"$work/p.mlir" <<'M'
func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.add %a, %z : tensor<4xi32>
  return %0 : tensor<4xi32>
}
M
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$work/n1.db" --proof "$work/proof" -o "$work/o"
expect 0 merge --db "$work/n12.db" "$work/n1.db" "$work/n1.db"
expect 65 merge --db "$work/n12.db" "$work/proof"
one_message
has "$work/err" 'expected a database or the lines of prove --worker, found a proof record$'
[ "$(sql "$work/n12.db" 'select sum(count) from use')" = 1 ] || fail "uses"

# kill -9 in the middle of merges: what is there is whole, and going on ends
# where it would have.  A merge waits for more lines after those that it gets,
# more of them each time, and is killed when it has stored something new.
before=0
all=$(query "$work/serial.db" | wc -l)
total=$(wc -l <"$work/lines")
stored() { query "$work/killed.db" 2>/dev/null | wc -l; }
more_rules() { [ -f "$work/killed.db" ] && [ "$(stored)" -gt "$before" ]; }
for part in 1 2 3 4 5 6; do
    mkfifo "$work/more$part"
    # Not by `merge`: what is killed would be the shell around it.
    "$rankwright" merge --db "$work/killed.db" - <"$work/more$part" >/dev/null 2>&1 & p=$!
    exec 3>"$work/more$part"
    head -n $((total * part / 7)) "$work/lines" >&3
    await more_rules
    kill -9 $p || fail "a merge ended before its input"
    wait $p 2>/dev/null
    exec 3>&-
    now=$(stored)
    [ "$now" -ge "$before" ] || fail "kill -9 lost rules: $before, then $now"
    [ "$now" -lt "$all" ] || fail "a rule that did not come is stored"
    before=$now
    whole "$work/killed.db"
done
expect 0 merge --db "$work/killed.db" "$work/lines"
same "$work/killed.db" "kill -9 changes what comes out"

# Two merges at once.
merge --db "$work/two.db" "$work/lines" 2>"$work/e1" & p1=$!
merge --db "$work/two.db" "$work/serial.db" 2>"$work/e2" & p2=$!
wait $p1 || fail "two merges: $(cat "$work/e1")"
wait $p2 || fail "two merges: $(cat "$work/e2")"
same "$work/two.db" "two merges"
mkdir -p "$work/folder"
expect 74 "$rankwright" merge "$work/folder" --db "$work/folder.db" --json
has "$work/err" "found a folder\",.*\"file\":\"$work/folder\""
[ ! -e "$work/folder.db" ] || fail "a database of no source"
finish
