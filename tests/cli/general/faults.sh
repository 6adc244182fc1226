#!/bin/sh
# Some of the faults of make check-faults: memory, disks and processes at an end.
. tests/lib/cli.sh
# Sanitizers bring an allocator of their own.
if nm "$rankwright" 2>/dev/null | grep -q __asan_init; then
    echo "not run: faults are for a program without sanitizers"
    finish
    exit 0
fi
sh tests/faults/run.sh "$rankwright" --most 10 >"$work/faults" || {
    fail "faults"
    cat "$work/faults"
}
# Each kind of fault was tried on each command.
for kind in prove/memory prove/files simplify/memory simplify/files formula/memory check/memory \
    check/files merge/memory merge/files prove/worker-memory prove/worker-files; do
    grep -Eq "^$kind: [1-9][0-9]* calls, [1-9][0-9]* failed, 0 wrong" "$work/faults" ||
        fail "$kind was not tried"
done
finish
