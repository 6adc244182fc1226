#!/bin/sh
# Runs the drivers of scale/ for real on this machine (tests/scale/*.sh).  An
# engine that is not installed is SKIPPED: that is no success, neither in the
# count nor in the exit status (0 only if all passed).
#   tests/check_scale.sh RANKWRIGHT [ENGINE...]
set -u
rankwright=$1
export rankwright
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- parallel ssh slurm ray
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for engine in "$@"; do
    start=$(date +%s)
    sh "tests/scale/$engine.sh" >"$log" 2>&1 </dev/null
    case $? in
    0)
        passed=$((passed + 1))
        echo "ok       scale/$engine ($(($(date +%s) - start)) s)"
        ;;
    77)
        skipped=$((skipped + 1))
        echo "SKIPPED  scale/$engine WAS NOT RUN: $(sed -n 's/^SKIPPED: //p' "$log")"
        ;;
    *)
        failed=$((failed + 1))
        echo "FAIL     scale/$engine"
        sed 's/^/         /' "$log" | tail -n 60
        ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $skipped = 0 ]
