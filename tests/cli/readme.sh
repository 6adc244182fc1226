#!/bin/sh
# The session of the README is what the program prints.
. tests/lib/cli.sh
here=$(pwd)
case $rankwright in /*) ;; *) rankwright=$here/$rankwright ;; esac
# The library is proved already, as it is when the session comes to programs.
if [ -n "${proved_library:-}" ]; then
    mkdir -p "$work/rankwright" && cp "$proved_library" "$work/rankwright/rules.db"
fi
RANKWRIGHT_LIBRARY=$here/rules/library XDG_DATA_HOME=$work \
    python3 tests/lib/readme.py "$rankwright" README.md "$work" || fail "README"
finish
