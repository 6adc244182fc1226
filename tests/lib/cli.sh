# Shared by tests/cli/*.sh: a scratch folder, a proved library, assertions.
set -u
: "${rankwright:=build/rankwright}"
work=$(mktemp -d)
finished=
# A test that ends before finish did not do all that it has to do, and fails.
end() {
    status=$?
    # Failures of a subshell count, too.
    [ ! -e "$work.failed" ] || failures=$((failures + 1))
    rm -rf "$work" "$work.data" "$work.failed"
    [ "$failures" = 0 ] || exit 1
    [ -n "$finished" ] || [ "$status" != 0 ] || {
        echo "FAIL: the test ended before its last line"
        exit 1
    }
    exit "$status"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
db=$work/rules.db
# A database is all that a test has, unless the test lays it over a library.
RANKWRIGHT_LIBRARY_DATABASE=
# Where it names none, it has one of its own, not the user's.
XDG_DATA_HOME=$work.data
export RANKWRIGHT_LIBRARY_DATABASE XDG_DATA_HOME
if [ -n "${proved_library:-}" ]; then
    mkdir -p "$XDG_DATA_HOME/rankwright"
    cp "$proved_library" "$XDG_DATA_HOME/rankwright/rules.db"
fi
numeric=$(dirname "$rankwright")/numeric
[ -x "$numeric" ] || numeric=build/dev/numeric
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
    : >"$work.failed"
}
# expect STATUS command...: runs it, output in $work/out and $work/err.
expect() {
    want=$1
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ "$got" = "$want" ] || {
        fail "expected status $want, found $got: $*"
        head -n 5 "$work/out" "$work/err"
    }
}
# has FILE PATTERN: the file has a line that matches the extended pattern.
has() { grep -Eq -- "$2" "$1" || { fail "no '$2' in $(basename "$1")"; head -n 5 "$1"; }; }
# one_message: stderr is one line that starts with the program's name; a line of the text
# and a hint may follow it, indented.
one_message() {
    [ "$(grep -vc '^  ' "$work/err")" = 1 ] && grep -q '^rankwright: ' "$work/err" ||
        { fail "expected one message"; head -n 5 "$work/err"; }
}
# await COMMAND...: until it succeeds; fails after ten minutes at least.
await() {
    for _ in $(seq 1 12000); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.05
    done
    fail "waited in vain: $*"
    return 1
}
# await_end PROCESS: until it is gone, or only a zombie.
await_end() {
    await sh -c '! grep -q "^State:[[:space:]]*[^ZX[:space:]]" /proc/$1/status' sh "$1"
}
# The whole library proved into $db.
library() {
    if [ -n "${proved_library:-}" ]; then
        cp "$proved_library" "$db" || fail "there is no proved library"
    else
        expect 0 "$rankwright" prove rules/library --db "$db" -j 2
    fi
}
# left_out WHAT: a part that cannot run here; tests/check.sh counts them.
left_out() { echo "left out: $*"; }
finish() {
    finished=yes
    [ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
}
