#!/bin/sh
# Proves rules on more processes or machines than one, with an engine that is
# there already: GNU parallel, Slurm or Ray (docs/scale-out.md).
#
#   scale/prove.sh ENGINE --db OUT [OPTION...] FILE... [-- OPTION OF prove...]
#
#   ENGINE          parallel, slurm or ray
#   --db OUT        the database that all verdicts come into
#   --lines DIR     where lines are kept until they are merged (OUT.lines); on
#                   Slurm all nodes must see it
#   --tasks N       how many workers at a time (2)
#   --block N       candidates for a worker before a new one starts (16; Slurm:
#                   those of a task)
#   --rounds N      most times to go on with what lacks a verdict (5)
#   --rankwright P  the program, as it is called where workers run (rankwright)
#   --engine TEXT   options of the engine's own, in words: of parallel
#                   (--engine '--sshlogin a,b'), of sbatch, or Ray's address
#
# Can be killed at any time and called again: what workers wrote is merged
# first, and only what still lacks a verdict is proved.  Exit status: 0 every
# rule has verdicts, whatever they are; 2 some have none; 70 verdicts contradict
# each other; else that of what failed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
die() { # STATUS MESSAGE
    status=$1
    shift
    echo "scale/prove.sh: $*" >&2
    exit "$status"
}

engine=${1:-}
case $engine in
parallel | slurm | ray) shift ;;
-h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
*) die 64 "expected parallel, slurm or ray, found ${engine:-nothing}; --help says more" ;;
esac
db='' lines='' tasks=2 block=16 rounds=5 rankwright=rankwright own=''
number() { # OPTION VALUE
    case $2 in '' | *[!0-9]* | 0*) die 64 "$1: expected a number, found $2" ;; esac
}
# Files stay in "$@" in front of a mark, options of prove come behind it.
n=$#
while [ "$n" -gt 0 ]; do
    case $1 in
    --db | --lines | --tasks | --block | --rounds | --rankwright | --engine)
        [ "$n" -ge 2 ] || die 64 "option $1 needs a value"
        case $1 in
        --db) db=$2 ;;
        --lines) lines=$2 ;;
        --tasks) number "$1" "$2"; tasks=$2 ;;
        --block) number "$1" "$2"; block=$2 ;;
        --rounds) number "$1" "$2"; rounds=$2 ;;
        --rankwright) rankwright=$2 ;;
        --engine) own=$2 ;;
        esac
        shift 2
        n=$((n - 2))
        ;;
    --)
        shift
        n=$((n - 1))
        break
        ;;
    -*) die 64 "unknown option $1 (options of prove stand behind --)" ;;
    *)
        set -- "$@" "$1"
        shift
        n=$((n - 1))
        ;;
    esac
done
# Now $@ is: n options of prove, then the files.
[ -n "$db" ] || die 64 "expected --db OUT"
[ $# -gt "$n" ] || die 64 "expected files or folders of rules"
: "${lines:=$db.lines}"
mkdir -p "$lines" || exit 74
lines=$(cd "$lines" && pwd)
# One driver at a time; what it starts does not hold the lock, so that nothing
# but the driver's end has to be waited for.
exec 9>"$lines/lock"
flock -n 9 || die 74 "$lines is in use by another driver"

list() { # options, files: the candidates that lack a verdict
    "$rankwright" prove --list --db "$db" "$@" >"$lines/candidates.new" || exit
    mv "$lines/candidates.new" "$lines/candidates"
}
# Lines stay until every rule has verdicts: workers that outlived a driver may
# still write to them, and merging again costs little.
merge() {
    set -- "$lines"/*.jsonl
    [ -e "$1" ] || return 0
    "$rankwright" merge --db "$db" "$@"
    status=$?
    case $status in
    0 | 65) ;; # 65: lines that no merge will take, and said so
    *) exit $status ;;
    esac
}

# The engine gets the options of prove, not the files behind them.
run() {
    k=$n
    while [ "$k" -gt 0 ]; do
        set -- "$@" "$1"
        shift
        k=$((k - 1))
    done
    shift $(($# - n))
    sh "$here/engine_$engine.sh" "$lines/candidates" "$out" "$tasks" "$block" \
        "$rankwright" "$own" "$@" 9>&-
}

merge
before=-1 round=0
while :; do
    list "$@"
    lacking=$(wc -l <"$lines/candidates")
    if [ "$lacking" = 0 ]; then
        rm -f "$lines"/*.jsonl "$lines/candidates"
        exit 0
    fi
    [ $round -lt "$rounds" ] || die 2 "$lacking rules have no verdict after $rounds rounds"
    [ "$lacking" != "$before" ] || die 2 "$lacking rules have no verdict, and another round made no difference"
    before=$lacking
    round=$((round + 1))
    echo "scale/prove.sh: round $round: $lacking rules to prove" >&2
    # A name that no killed driver's workers still write to.
    out=$lines/$(date +%s).$$.$round
    run "$@"
    status=$?
    merge
    # 69: the engine is not to be had, so that going on is no use.
    [ $status != 69 ] || exit 69
done
