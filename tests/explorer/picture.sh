#!/bin/sh
# The pictures of rules, drawn by a script, against the interpreter.
. tests/lib/cli.sh
values=$(dirname "$rankwright")/picture_values
command -v node >/dev/null || {
    left_out "all, since node is not installed"
    finish
    exit
}
"$values" rules/library >"$work/values" || fail "picture_values"
node tests/explorer/picture.js <"$work/values" >"$work/out" || fail "pictures"
tail -n 21 "$work/out"
[ "$(sed -n 's/^\([0-9]*\) rules, .*/\1/p' "$work/out")" -ge 150 ] || fail "hardly any rules"
# A picture with a fault is found.
sed 's/p.start + p.stride \* at(c)/p.start + at(c)/' explorer/static/picture.js >"$work/wrong.js"
cmp -s explorer/static/picture.js "$work/wrong.js" && fail "no fault was planted"
node tests/explorer/picture.js "$work/wrong.js" <"$work/values" >"$work/out" &&
    fail "a wrong stride is not found"
finish
