#!/bin/sh
# Worker processes that are killed, out of time or out of memory give unknown
# verdicts with the reason, never wrong ones, and the run goes on; a run that
# is killed goes on where it was.
. tests/lib/cli.sh
some=rules/library/elementwise/divmod.rw
count=$(grep -c '^rule ' $some)

# verdicts FILE WHAT: the rules of --json output, checked.
cat >"$work/check.py" <<'P'
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
want, reasons = int(sys.argv[2]), sys.argv[3].split("|")
assert len({r["rule"] for r in rows}) == want, len({r["rule"] for r in rows})
unknown = [r for r in rows if r["claimed"] and r["verdict"] == "unknown"]
assert not [r for r in rows if r["claimed"] and r["verdict"] == "refuted"]
for r in unknown:
    assert any(x in r["reason"] for x in reasons), r
print(len({r["rule"] for r in unknown}))
P
# Prints how many rules have unknown claims.
unknown() { python3 "$work/check.py" "$work/out" "$count" "$1" 2>"$work/why" ||
    { cat "$work/why"; echo; }; }
children() { awk -v p="$1" '$4 == p {print $1}' /proc/[0-9]*/stat 2>/dev/null; }

# The newest worker of the run that is at a rule: it has used the processor.
victim_of() {
    for w in $(children "$1"); do
        awk '$14 + $15 > 0 {print $1}' "/proc/$w/stat"
    done 2>/dev/null | tail -n 1
}
busy() { [ -n "$(victim_of "$1")" ]; }
going_on() {
    [ "$("$rankwright" query --db "$work/k.db" | wc -l)" -gt 0 ] && busy "$run"
}

# One worker killed in the middle: its rule is unknown, a new one takes over.
# Another try, from nothing, where that worker had just finished its last rule.
for try in 1 2 3 4 5 6 7 8 9 10; do
    rm -f "$db"
    "$rankwright" prove $some --db "$db" --json --stats -j 2 >"$work/out" 2>"$work/err" &
    run=$!
    await busy $run
    victim=$(victim_of $run)
    [ -n "$victim" ] && kill -KILL "$victim"
    wait $run
    status=$?
    grep -q ' 1 replaced' "$work/err" && [ $status = 2 ] && break
done
n=$(unknown 'the worker died (signal 9)')
[ "$status" = 2 ] && [ "$n" = 1 ] || fail "killed worker: status $status, $n unknown"
has "$work/err" ', 1 replaced; peak_kib [0-9]+$'
# Only that rule is proved again.
expect 0 "$rankwright" prove $some --db "$db" --json --stats -j 2
has "$work/err" "$((count - 1)) of $count rules have stored verdicts"
has "$work/err" '^rankwright: 1 rules proved '
[ "$(unknown nothing)" = 0 ] || fail "unknown after the second run"
peak=$(sed -n 's/.*peak_kib \([0-9]*\)$/\1/p' "$work/err")
[ "${peak:-0}" -gt 1000 ] && [ "$peak" -lt 512000 ] || fail "peak_kib $peak"

# The whole run killed: what was stored stays, workers do not outlive it.
# It has far more to do than what it goes on with, so that it cannot end before.
more=$(for f in rules/library/*/*.rw; do [ "$f" = $some ] || echo "$f"; done)
# shellcheck disable=SC2086 # many files
"$rankwright" prove $some $more --db "$work/k.db" -j 2 >/dev/null 2>&1 &
run=$!
await going_on
workers=$(children $run)
[ -n "$workers" ] || fail "the run ended before it was killed"
kill -KILL $run
wait $run 2>/dev/null
for w in $workers; do await_end "$w"; done # no worker outlives its parent
expect 0 "$rankwright" prove $some --db "$work/k.db" --json --stats -j 2
[ "$(unknown nothing)" = 0 ] || fail "unknown after going on"

# No time: unknown, for every rule, or proved; a false rule is never proved.
for seconds in 0.001 0.05; do
    "$rankwright" prove $some --db "$work/t$seconds.db" --json -j 2 \
        --timeout $seconds >"$work/out" 2>"$work/err"
    case $? in 0 | 2) ;; *) fail "timeout $seconds: status" ;; esac
    [ -n "$(unknown 'time|limit')" ] || fail "timeout $seconds"
done
cat >"$work/one.rw" <<'R'
rule one { axes x; map n on x; tensor A[x: n] : sint; A + 0 => A; }
R
# A rule that was to be proved again, and was not: the verdict is an earlier one.
expect 0 "$rankwright" prove "$work/one.rw" --db "$work/one.db"
expect 2 "$rankwright" prove "$work/one.rw" --db "$work/one.db" --again --timeout 0.001
has "$work/out" '^one/one: int proved \(earlier\), word proved \(earlier\)$'
has "$work/err" '2 claims keep the verdict of an earlier proof'
expect 2 "$rankwright" prove "$work/one.rw" --db "$work/one.db" --again --timeout 0.001 --json
[ "$(grep -c '"verdict":"proved".*"earlier":true' "$work/out")" = 2 ] || fail "earlier in JSON"
expect 0 "$rankwright" prove "$work/one.rw" --db "$work/one.db"
grep -q earlier "$work/out" "$work/err" && fail "a verdict that was to be kept"
expect 0 "$rankwright" prove "$work/one.rw" --db "$work/one.db" --again
grep -q earlier "$work/out" "$work/err" && fail "proved again"
# No memory, for the program, for the solver's context, for its terms or for its search: the
# words are the same.
for mib in 1 20 45 52 58 60 64; do
    "$rankwright" prove $some --db "$work/m$mib.db" --json -j 2 \
        --memory $mib >"$work/out" 2>"$work/err"
    case $? in 0 | 2) ;; *) fail "memory $mib: status" ;; esac
    [ -n "$(unknown "memory: limit of $mib MiB")" ] || fail "memory $mib"
done
for limit in '--timeout 0.02' '--memory 60' '--memory 45'; do
    # shellcheck disable=SC2086 # two words
    "$rankwright" prove tests/wrong/ranks.rw tests/wrong/words.rw --json -j 2 \
        --db "$work/w.db" --again $limit >"$work/out" 2>/dev/null
    grep '"claimed":true' "$work/out" | grep -q '"verdict":"proved"' &&
        fail "$limit: a false rule is proved"
done

# Progress on a terminal, and nowhere else.
grep -q "$(printf '\r')" "$work/err" && fail "progress in a file"
if command -v script >/dev/null; then
    script -qec "$rankwright prove rules/library/elementwise/not.rw --db $work/p.db" \
        /dev/null >"$work/out" 2>&1 </dev/null
    has "$work/out" 'of [0-9]+ rules; claims: [0-9]+ proved, 0 refuted.* left'
else
    fail "no program script: progress on a terminal was not tried"
fi
finish
