# Shared by tests/scale/*.sh.  A driver's final database must be that of a
# serial run, also when workers, engines or the driver itself are killed with
# kill -9 on the way.  $rankwright, $work, $serial_db and $rules are set.
set -u
: "${rankwright:=build/rankwright}"
rankwright=$(cd "$(dirname "$rankwright")" && pwd)/$(basename "$rankwright")
work=$(mktemp -d)
cleanup=:
trap 'eval "$cleanup"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
failures=0
rules="rules/library/movement/slice.rw rules/library/movement/pad.rw rules/library/movement/concat.rw rules/library/movement/reverse.rw tests/wrong/words.rw"

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
finish() { [ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }; }
skip() {
    echo "SKIPPED: $*"
    exit 77
}
# So many of the loopback interface.
free_ports() { # N
    python3 -c '
import socket, sys
s = [socket.socket() for _ in range(int(sys.argv[1]))]
for x in s: x.bind(("127.0.0.1", 0))
print(*[x.getsockname()[1] for x in s])' "$1"
}

# The program as drivers call it: each worker notes its process, and who started
# it, so that a test kills that one and no other; with $SLOW it gets its
# candidates so many seconds apart, and can be killed in the middle.
cat >"$work/worker" <<W
#!/bin/sh
case "\$*" in *--worker*) ;; *) exec "$rankwright" "\$@" ;; esac
echo \$PPID >>"$work/parents"
while IFS= read -r l; do printf '%s\n' "\$l"; sleep \${SLOW:-0}; done |
    sh -c 'echo \$\$ >>"$work/pids"; exec "$rankwright" "\$@"' sh "\$@"
W
chmod +x "$work/worker"
content() {
    "$rankwright" query --json --db "$1"
    "$rankwright" query --db "$1" --sql 'select rule, domain, verdict, rung, reason, method, bound, instances, obligations, solver, verifier, semantics, grade from verdict order by 1, 2'
    "$rankwright" query --db "$1" --sql 'select rule, domain, json from counterexample order by 1, 2'
    "$rankwright" query --db "$1" --sql 'pragma integrity_check'
    "$rankwright" query --db "$1" --sql 'select count(*) from verdict v where obligations <> (select count(*) from obligation o where o.rule = v.rule and o.domain = v.domain)'
}
serial() {
    # shellcheck disable=SC2086 # files
    "$rankwright" prove $rules --db "$work/serial.db" >/dev/null 2>&1
    content "$work/serial.db" >"$work/serial"
    [ "$(wc -l <"$work/serial")" -gt 200 ] || fail "a serial run gives too little"
    count=$("$rankwright" query --db "$work/serial.db" | wc -l)
}
same() { # DB WHAT
    content "$1" >"$work/content"
    diff "$work/serial" "$work/content" >"$work/diff" && return
    fail "$2: not what a serial run gives"
    head -n 6 "$work/diff"
    "$rankwright" query verdict=unknown --db "$1" | head -n 3
    "$rankwright" query --sql "select rule, domain, reason from verdict where verdict = 'unknown'" --db "$1" | head -n 3
}

driver() { # ENGINE DB: in the foreground, log in $work/log
    # shellcheck disable=SC2086 # files
    scale/prove.sh "$1" --db "$2" --rankwright "$work/worker" --tasks 2 \
        --block "${block:-8}" ${own:+--engine "$own"} $rules \
        >"$work/log" 2>&1 </dev/null
}
# A driver in a process group of its own; sets $driver.
start() { # ENGINE DB
    : >"$work/pids"
    : >"$work/parents"
    export SLOW=0.1
    # shellcheck disable=SC2086 # files
    setsid scale/prove.sh "$1" --db "$2" --rankwright "$work/worker" --tasks 2 \
        --block "${block:-8}" ${own:+--engine "$own"} $rules \
        >"$work/log" 2>&1 </dev/null &
    driver=$!
    # Until there is something to lose: N verdicts, and workers at it.
    for i in $(seq 1 600); do
        [ "$(cat "$2".lines/*.jsonl 2>/dev/null | wc -l)" -ge "${enough:-20}" ] && return 0
        kill -0 $driver 2>/dev/null || break
        sleep 0.1
    done
    fail "the driver got nowhere"
    tail -n 20 "$work/log"
    return 1
}
# kill -9 of the newest of the noted processes that is alive.
kill_one() { # FILE
    for p in $(tac "$1"); do
        kill -9 "$p" 2>/dev/null && return 0
    done
    return 1
}
asked() { sed -n "s/^scale.prove.sh: round $1: \([0-9]*\) rules to prove/\1/p" "$work/log"; }

# A run that nothing happens to; again, when there is nothing to do.
run_whole() { # ENGINE
    driver "$1" "$work/whole.db" || { fail "$1: status $?"; tail -n 20 "$work/log"; }
    same "$work/whole.db" "$1"
    [ "$(asked 1)" = "$(grep -ch '^rule ' $rules | awk '{n += $1} END {print n}')" ] ||
        fail "$1: $(asked 1) rules were asked for"
    driver "$1" "$work/whole.db" || fail "$1, nothing to do: status $?"
    [ -s "$work/log" ] && fail "$1: work is done again" && cat "$work/log"
}
# A worker, or who runs it, dies: others go on, and what it had not finished is
# proved by the next round, or by the engine's own second try.
kill_worker() { # ENGINE pids|parents
    rm -rf "$work/worker.db"*
    start "$1" "$work/worker.db" || return
    kill_one "$work/$2" || fail "$1: no worker was killed"
    wait $driver || { fail "$1, a worker killed: status $?"; tail -n 20 "$work/log"; }
    same "$work/worker.db" "$1, a worker killed"
    again=$(asked 2)
    if [ "$2" = pids ]; then
        [ -n "$again" ] && [ "$again" -le $((2 * ${block:-8})) ] ||
            fail "$1: a killed worker cost ${again:-no} rules"
    fi
}
# The driver dies, and what it started in its group: the next one goes on.
kill_driver() { # ENGINE
    rm -rf "$work/driver.db"*
    start "$1" "$work/driver.db" || return
    env kill -9 -- "-$driver" # the group: no builtin of every sh can
    wait $driver 2>/dev/null
    done=$(cat "$work"/driver.db.lines/*.jsonl | grep -o '"hash":"[0-9a-f]*","domain"' | sort -u | wc -l)
    before=$(asked 1)
    SLOW=0 driver "$1" "$work/driver.db" || { fail "$1, going on: status $?"; tail -n 20 "$work/log"; }
    same "$work/driver.db" "$1, the driver killed"
    [ "$(asked 1)" -le $((before - done + 1)) ] ||
        fail "$1: of $before rules $done were done, and $(asked 1) were asked for again"
}
