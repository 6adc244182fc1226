#!/bin/sh
# The session of the README is what the program prints.
. tests/lib/cli.sh
here=$(pwd)
case $rankwright in /*) ;; *) rankwright=$here/$rankwright ;; esac
RANKWRIGHT_LIBRARY=$here/rules/library XDG_DATA_HOME=$work \
    python3 tests/lib/readme.py "$rankwright" README.md "$work" || fail "README"
finish
