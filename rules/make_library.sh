#!/bin/sh
# Makes the database of the library's verdicts that is installed: rules/library proved, with
# all that readers would make of the rules. The file appears whole or not at all.
#   rules/make_library.sh RANKWRIGHT FILE [prove option...]
set -eu
rankwright=$1 file=$2
shift 2
cd "$(dirname "$0")/.."
RANKWRIGHT_LIBRARY=$PWD/rules/library RANKWRIGHT_LIBRARY_DATABASE=
export RANKWRIGHT_LIBRARY RANKWRIGHT_LIBRARY_DATABASE
new=$file.$$
trap 'rm -f "$new" "$new-journal"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$rankwright" prove rules/library --db "$new" "$@" >/dev/null || [ $? = 2 ]
# Reads every rule, keeps the rules on named terms, and notes that no rule lacks a verdict. A
# program, though it is empty, needs the outlines of all rules, and keeps them.
"$rankwright" simplify -e x --db "$new" >/dev/null
echo 'func.func @none() { return }' | "$rankwright" simplify - --quiet --db "$new" >/dev/null
chmod 644 "$new"
sync "$new"
mv "$new" "$file"
