#!/bin/sh
# Questions about rules: filters and their values, order, reasons.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
/// Bit for bit in every domain but float.
rule add_zero { origin "sheet 1"; axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }
rule double_reverse { origin "sheet 2", "folder"; axes x; map n on x; tensor A[x: n] : any;
  reverse(reverse(A, {x}), {x}) => A; }
rule short_slice { axes x; map n, s, e, p on x; tensor A[x: n] : any; where s == 0, e == n, p == 1;
  slice(A, start=s, limit=e, stride=p) => A; }
rule no_slice { claims int; axes x; map n, s, e on x; tensor A[x: n] : int; where s <= e;
  slice(A, start=s, limit=e) => A; }
R
expect 1 "$rankwright" prove "$work/a.rw" --db "$db"
query() { "$rankwright" query "$@" --db "$db"; }
lines() { [ "$(wc -l <"$work/out")" = "$1" ] || { fail "expected $1 lines"; cat "$work/out"; }; }

# filters
expect 0 query; lines 4
expect 0 query claims=float,real; lines 3
expect 0 query domain=int,real verdict=refuted; lines 1; has "$work/out" no_slice
expect 0 query domain=float verdict=refuted claimed; lines 1; has "$work/out" add_zero
expect 0 query claimed verdict=proved domain=int claims=int; lines 3
expect 0 query origin=folder; lines 1; has "$work/out" double_reverse
expect 0 query origin=sheet origin=2; lines 1
expect 0 query precondition=stride; lines 1; has "$work/out" short_slice
expect 0 query precondition='s <= e'; lines 1; has "$work/out" no_slice
expect 0 query --domain real,int add_zero
has "$work/out" '^[0-9a-f]{12} a/add_zero: int proved, real proved$'

expect 0 query layer=user --count; [ "$(cat "$work/out")" = 4 ] || fail "layer=user"
expect 0 query layer=library --count; [ "$(cat "$work/out")" = 0 ] || fail "layer=library"
expect 64 query layer=lower; one_message; has "$work/err" 'expected one of library, user'

# the reason stands behind a verdict that was asked for, or with --why
expect 0 query verdict=refuted op=slice; has "$work/out" '; int: x rank 1: '
expect 0 query no_slice; ! grep -q '; int: ' "$work/out" || fail "a reason that was not asked for"
expect 0 query --why no_slice; has "$work/out" '; int: x rank 1: '
"$rankwright" prove tests/rules/undecided.rw --db "$work/hard.db" >/dev/null 2>&1
expect 0 "$rankwright" query verdict=unknown --db "$work/hard.db"
has "$work/out" ' unknown; [a-z]+: .'
expect 0 "$rankwright" query verdict=unknown --db "$work/hard.db" --json
has "$work/out" '"reasons":\{"[a-z]+":"..'

# order
expect 0 query --sort name; [ "$(head -n 1 "$work/out" | cut -d' ' -f2)" = a/add_zero: ] || fail "by name"
expect 0 query --sort name --reverse
[ "$(head -n 1 "$work/out" | cut -d' ' -f2)" = a/short_slice: ] || fail "by name, reversed"
expect 0 query --sort preconditions,name
[ "$(cut -d' ' -f2 <"$work/out" | tr -d '\n')" = a/add_zero:a/double_reverse:a/no_slice:a/short_slice: ] ||
    { fail "by preconditions, then by name"; cat "$work/out"; }
expect 64 query --sort age; has "$work/err" 'expected one of family, name, .*, found age'; one_message

expect 64 query --sort name,family,name; has "$work/err" '^rankwright: --sort: name is given twice$'
for day in 2026-02-30 2026-04-31 2100-02-29; do
    expect 64 query --since $day; one_message; has "$work/err" "found $day"
done
has "$work/err" 'version of the verifier \(now ([0-9]+)\) after which to look, such as [0-9]'
for time in T T1 T25 T24:00:00Z T10: T10:6 T10:61:00Z T10:00:60Z T10:00:00ZZ T10:00:00+1 ' 10:00'; do
    expect 64 query --since "2026-11-23$time"; one_message
    has "$work/err" '^rankwright: --since: expected a UTC time such as [0-9-]+T10:00:00Z'
done
for time in T23 T23:59 T23:59:59 T23:59:59Z; do
    expect 0 query --since "2024-02-29$time"
done
expect 0 query --since 2024-02-29
expect 64 query --since 2026-13-01; has "$work/err" '^rankwright: --since: expected a UTC time'

# values, with counts of the rules that pass the other filters
expect 0 query --count; [ "$(cat "$work/out")" = 4 ] || fail "count"
expect 0 query --count op=slice --json; [ "$(cat "$work/out")" = '{"rules":2}' ] || fail "count"
expect 0 query --values verdict
printf '     4  proved\n' >"$work/want"
has "$work/out" '^ +3  proved$'; has "$work/out" '^ +2  refuted$'; has "$work/out" '^ +0  unknown$'
expect 0 query --values op; has "$work/out" '^ +2  slice$'; has "$work/out" '^ +0  tanh$'
expect 0 query --values precondition; has "$work/out" '^ +1  stride$'; has "$work/out" '^ +2  start$'
expect 0 query --values origin op=reverse; lines 2; has "$work/out" '^ +1  sheet 2$'
expect 0 query --values claims --json; has "$work/out" '\{"filter":"claims","value":"real","rules":3\}'
expect 64 query --values colour; one_message; has "$work/err" 'one of op, domain, .*, found colour'
expect 64 query verdict=prooved; one_message; has "$work/err" 'expected one of proved, refuted, unknown'
expect 64 query domain=int,reel; one_message; has "$work/err" 'bool, int, word, real, float'
expect 64 query op=slce; one_message; has "$work/err" 'hint: did you mean slice\?'
for name in op origin precondition; do
    expect 64 query $name=; one_message; has "$work/err" "^rankwright: $name=: (no rule can have this value|expected one of size)"
done
expect 64 query op=fly; one_message; has "$work/err" '^rankwright: op=fly: no rule can have this value'
has "$work/err" 'hint: rankwright query --values op '
expect 64 query --since y --json; has "$work/err" '"error":"expected a UTC .*"file":"--since"'
for twice in 'verdict=proved verdict=refuted' 'family=a family=b' 'domain=int domain=real'; do
    expect 64 query $twice; one_message; has "$work/err" "${twice%%=*} is given twice"
done
expect 0 query op=slice op=reverse; lines 0
expect 64 query colour=red; one_message; has "$work/err" 'no such filter; expected op='
expect 0 query family=b; lines 0; has "$work/err" 'query --values family'
# A text that no rule has may be a filter that was misspelt; one that is near to none is not.
for pair in claimd:claimed OP=add:op= Family=b:family= stal:stale; do
    expect 0 query --count "${pair%%:*}"; one_message
    has "$work/err" "${pair%%:*}: searched as a text, .* did you mean the filter ${pair#*:}[?]"
done
for word in zzzzzz claimed precondition; do
    expect 0 query --count verdict=refuted op=slice op=reverse "$word"
    grep 'did you mean' "$work/err" && fail "a proposal for $word"
done
for name in family/ / family//; do
    expect 64 "$rankwright" show "$name" --db "$db"; one_message
    has "$work/err" "^rankwright: expected the name of a rule, .*, found $name$"
done
has "$work/err" 'hint: rankwright query family=family '
expect 65 "$rankwright" show family/none --db "$db"
has "$work/err" 'no rule has the name family/none,'
finish
