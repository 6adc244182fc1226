#!/bin/sh
# scale/prove.sh on GNU parallel: tests/scale/lib.sh says what must hold.
. tests/scale/lib.sh
command -v parallel >/dev/null || skip "GNU parallel is not installed"
serial
run_whole parallel
kill_worker parallel pids
kill_driver parallel
finish
