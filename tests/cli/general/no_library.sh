#!/bin/sh
# A program that was copied without its rules says where it looked for them, and what to do.
. tests/lib/cli.sh
mkdir "$work/bin" "$work/home"
cp "$rankwright" "$work/bin/rankwright"
alone() { env -u RANKWRIGHT_LIBRARY -u RANKWRIGHT_LIBRARY_DATABASE HOME="$work/home" "$work/bin/rankwright" "$@"; }
for command in prove "generalize slice_of_slice" "simplify tests/programs/signal.mlir"; do
    expect 74 alone $command
    has "$work/err" 'rule library was not found: RANKWRIGHT_LIBRARY names no folder'
    has "$work/err" 'there is no \.\./rules/library, \.\./\.\./rules/library or \.\./share/rankwright/library'
    has "$work/err" 'set RANKWRIGHT_LIBRARY to rules/library of the sources, or run make install'
done

# what it says to do helps: the rules are found, and searched for a name that none of them has
RANKWRIGHT_LIBRARY=$PWD/rules/library expect 65 "$work/bin/rankwright" generalize no_such_rule
has "$work/err" 'no such rule: no_such_rule'
mkdir -p "$work/share/rankwright/library"
cp rules/library/movement/slice.rw "$work/share/rankwright/library"
expect 65 alone generalize no_such_rule
has "$work/err" 'no such rule: no_such_rule'
finish
