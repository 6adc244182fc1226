#!/bin/sh
# Clp and libmicrohttpd are loaded by the commands that need them and by no other. One that cannot be
# loaded is told of in one message.
. tests/lib/cli.sh

# loads COMMAND...: runs it; the libraries that the dynamic linker looked for are in $work/loads.
loads() {
    rm -f "$work"/linker.*
    LD_DEBUG=files LD_DEBUG_OUTPUT="$work/linker" "$@" >"$work/out" 2>"$work/err" </dev/null || fail "$*"
    sed -n 's/.*file=\([^ ]*\) .*; *generating link map.*/\1/p' "$work"/linker.* >"$work/loads"
}
late='libClp|libCoinUtils|libmicrohttpd|libgnutls'

loads "$rankwright" simplify -e 'x + 0'
if ! has "$work/loads" '^libz3'; then
    left_out "the dynamic linker does not tell what it loads"
    finish
    exit
fi
grep -E "$late" "$work/loads" && fail "simplify loads it"
loads "$rankwright" extract tests/egraphs/shared.json --method dag
grep -E "$late" "$work/loads" && fail "extract loads it"
loads "$rankwright" extract tests/egraphs/shared.json --method exact
has "$work/loads" '^libClp'

# A library in front of the right one that is none: an empty file.
mkdir "$work/broken"
for name in libClp libmicrohttpd; do
    : >"$work/broken/$(grep -ao "$name\.so[.0-9]*" "$rankwright" | head -n 1)"
done
broken() { LD_LIBRARY_PATH="$work/broken" "$@"; }
expect 74 broken "$rankwright" extract tests/egraphs/shared.json --method exact; one_message
has "$work/err" 'needs the shared library libClp\.so.* cannot be loaded: .*coinor-libclp-dev'
expect 0 broken "$rankwright" extract tests/egraphs/shared.json --method dag
expect 0 "$rankwright" prove tests/rules/empty.rw --db "$db"
expect 74 broken "$rankwright" serve --db "$db"; one_message
has "$work/err" 'needs the shared library libmicrohttpd\.so.* cannot be loaded: .*libmicrohttpd-dev'
finish
