#!/bin/sh
# Verdict files of the library, of false rules and of rules that are not decided, made on the
# machine as it is and beside busy processes, by one worker and by two: the same bytes.
#   tests/check_steady.sh RANKWRIGHT [ROUNDS [BUSY]]
# RULES: more files of rules, or folders.  A verdict file has every verdict, every remark, and every
# obligation with the solver's steps, which tell of a difference before a verdict does.
set -u
rankwright=$1 rounds=${2:-3} busy=${3:-10}
cd "$(dirname "$0")/.." || exit 74
RANKWRIGHT_LIBRARY_DATABASE=
export RANKWRIGHT_LIBRARY_DATABASE
work=$(mktemp -d)
crowd=
disperse() {
    # shellcheck disable=SC2086 # many words
    [ -z "$crowd" ] || kill $crowd 2>/dev/null
    wait 2>/dev/null
    crowd=
}
trap 'disperse; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
gather() { # BUSY processes that do nothing, and never rest
    for _ in $(seq "$busy"); do
        sh -c 'while :; do :; done' &
        crowd="$crowd $!"
    done
}

# verdict_file FILE JOBS RULES...: from a new database.
verdict_file() {
    file=$1 jobs=$2
    shift 2
    status=0
    "$rankwright" prove "$@" --json --no-times -j "$jobs" --db "$file.db" \
        >"$file" 2>"$work/messages" || status=$?
    [ $status -le 2 ] || return 1
    for question in \
        "select r.family, r.name, o.domain, o.seq, o.kind, o.ranks, o.detail, o.verdict, o.reason,
            o.effort from obligation o join rule r on r.hash = o.rule
            order by r.family, r.name, r.hash, o.domain, o.seq" \
        "select r.family, r.name, m.seq, m.text from remark m join rule r on r.hash = m.rule
            order by r.family, r.name, r.hash, m.seq"; do
        "$rankwright" query --db "$file.db" --sql "$question" >>"$file" 2>"$work/messages" ||
            { status=$?; return 1; }
    done
    rm -f "$file.db"
}

# compare SET CONDITION JOBS RULES...: with the first verdict file of the set.
compare() {
    set_name=$1 condition=$2 jobs=$3
    shift 3
    first=$work/$set_name found=$work/found start=$(date +%s)
    verdict_file "$found" "$jobs" "$@" || {
        echo "FAIL  round $round, $set_name, $condition, -j$jobs: status $status"
        sed 's/^/      /' "$work/messages"
        return 1
    }
    seconds=$(($(date +%s) - start))
    [ -e "$first" ] || cp "$found" "$first"
    if ! cmp -s "$first" "$found"; then
        echo "FAIL  round $round, $set_name, $condition, -j$jobs: not as the first time"
        diff "$first" "$found" | head -n 40
        return 1
    fi
    echo "ok    round $round, $set_name, $condition, -j$jobs: $(wc -l <"$found") lines," \
        "$(cksum <"$found" | cut -d ' ' -f 1) ($seconds s)"
}

compare_all() { # CONDITION
    for jobs in 1 2; do
        compare library "$1" $jobs rules/library || return 1
        compare wrong "$1" $jobs tests/wrong || return 1
        compare undecided "$1" $jobs tests/rules/undecided.rw tests/rules/vacuous.rw \
            tests/rules/empty.rw || return 1
        # shellcheck disable=SC2086 # many words
        [ -z "${RULES-}" ] || compare given "$1" $jobs $RULES || return 1
    done
}

round=0
while [ $((round += 1)) -le "$rounds" ]; do
    compare_all quiet || exit 1
    gather
    compare_all "beside $busy" || exit 1
    disperse
done
echo "the same bytes; rounds: $rounds"
