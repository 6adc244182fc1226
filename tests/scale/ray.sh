#!/bin/sh
# scale/prove.sh on Ray: tests/scale/lib.sh says what must hold.
. tests/scale/lib.sh
"${PYTHON:=python3}" -c 'import ray' 2>/dev/null || skip "Ray is not installed (for $PYTHON)"
export PYTHON RAY_TMPDIR="$work"
serial
block=2 enough=10
run_whole ray
kill_worker ray pids
kill_worker ray parents
kill_driver ray
finish
