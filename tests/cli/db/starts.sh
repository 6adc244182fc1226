#!/bin/sh
# Two provers and two mergers start together where there is neither a database nor its folder,
# again and again; a reader looks on. All succeed, and the database has every verdict, whole.
#   starts.sh [COUNT]
. tests/lib/cli.sh
count=${1:-6}
cat >"$work/one.rw" <<'R'
rule only_here { axes x; map n on x; tensor A[x: n] : sint; claims int; -(-A) => A; }
R
cat >"$work/two.rw" <<'R'
rule add_zero { axes x; map n on x; tensor A[x: n] : num; claims int; A + 0 => A; }
rule wrong { axes x; map n on x; tensor A[x: n] : num; claims int; A + 1 => A; }
R
"$rankwright" prove --list "$work/two.rw" | "$rankwright" prove --worker >"$work/lines"
expect 1 "$rankwright" prove "$work/two.rw" --domain int --db "$work/two.db"
XDG_DATA_HOME=$work/home
export XDG_DATA_HOME
started() { # NUMBER command...: in the background
    number=$1
    shift
    "$@" --wait 600 >"$work/out$number" 2>"$work/err$number" &
    processes="$processes $!"
}
state() { # what the database holds, and the verdicts of which a part is missing
    "$rankwright" query --sql "select (select count(*) from rule),
        (select count(*) from current), (select count(*) from verdict where verdict = 'proved'),
        (select count(*) from verdict where verdict = 'refuted'),
        (select count(*) from counterexample),
        (select count(*) from verdict v where obligations <> (select count(*) from obligation o
            where o.rule = v.rule and o.domain = v.domain))" 2>&1
}
expect 0 "$rankwright" prove "$work/one.rw" --domain int
expect 0 "$rankwright" merge "$work/lines"
expect 0 "$rankwright" merge "$work/two.db"
whole=$(state)
case $whole in "3	3	"*"	0") ;; *) fail "one after the other: $whole" ;; esac
begin=$(date +%s)
try=0
while [ $((try += 1)) -le "$count" ]; do
    rm -rf "$work/home"
    processes=
    started 1 "$rankwright" prove "$work/one.rw" --domain int
    started 2 "$rankwright" merge "$work/lines"
    started 3 "$rankwright" prove "$work/one.rw" --domain int
    started 4 "$rankwright" merge "$work/two.db"
    # A reader may come before there is anything to read, and never finds half of it.
    "$rankwright" query verdict=proved >"$work/out" 2>"$work/err" || [ $? = 74 ] ||
        { fail "start $try: a reader"; cat "$work/err"; }
    for process in $processes; do
        wait "$process" || { fail "start $try: status $?"; cat "$work"/err?; }
    done
    found=$(state)
    [ "$found" = "$whole" ] || fail "start $try: $found, not $whole"
    expect 0 "$rankwright" query --sql 'pragma integrity_check'
    has "$work/out" '^ok$'
    [ "$failures" -lt 5 ] || break
done
[ "$count" -lt 100 ] || echo "$count starts in $(($(date +%s) - begin)) s: $failures failures"
finish
