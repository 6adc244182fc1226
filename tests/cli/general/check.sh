#!/bin/sh
# The runner of all tests, on a tree of small ones: what did not run, did not end or did not prove
# the library is no success.
. tests/lib/cli.sh
tree=$work/tree
mkdir -p "$tree/tests/lib" "$tree/tests/unit" "$tree/tests/cli" "$tree/tests/explorer" "$tree/build/unit"
cp tests/check.sh "$tree/tests"
cp tests/lib/cli.sh tests/lib/try.sh "$tree/tests/lib"
put() { # FILE: its text on standard input
    cat >"$tree/$1"
    chmod +x "$tree/$1"
}
for script in tests/layers.sh tests/operators.sh build/unit/sums; do
    echo 'exit 0' | put $script
done
echo 'int main(void);' | put tests/unit/sums.c
# A program that proves a library, which is its file.
put build/rankwright <<'P'
#!/bin/sh
[ "$1" = prove ] && touch "$4"
P
put tests/cli/fine.sh <<'T'
. tests/lib/cli.sh
library
[ -e "$db" ] || fail "no library"
left_out "a part"
finish
T
# check STATUS LINE: what the runner says at its end.
check() {
    expect "$1" env -u proved_library sh "$tree/tests/check.sh" "$tree/build"
    [ "$(tail -n 1 "$work/out")" = "$2" ] || { fail "not: $2"; cat "$work/out"; }
}
# fails NAME: the script of this name on standard input is told as a failure.
fails() {
    put "tests/cli/$1.sh"
    check 1 '5 passed, 1 failed, 1 parts left out'
    has "$work/out" "^FAIL  cli/$1 "
    rm "$tree/tests/cli/$1.sh"
}
check 0 '5 passed, 0 failed, 1 parts left out'
has "$work/out" '^      left out: a part$'
printf '. tests/lib/cli.sh\nfail "a reason"\nfinish\n' | fails failure
printf '. tests/lib/cli.sh\n(fail "a reason")\nfinish\n' | fails subshell
printf '. tests/lib/cli.sh\nexit 0\nfinish\n' | fails early
printf '. tests/lib/cli.sh\ntrue\n' | fails unfinished
printf '. tests/lib/cli.sh\nkill -9 $$\nfinish\n' | fails killed
# The runner of the script is ended, and leaves no status.
printf '. tests/lib/cli.sh\nkill -9 $PPID\nfinish\n' | fails cut
printf '. tests/lib/cli.sh\nif true; then\nfinish\n' | fails unreadable
printf '. tests/lib/absent.sh\nfinish\n' | fails absent

# Nothing proved, nothing built, nothing found.
printf '#!/bin/sh\nexit 2\n' | put build/rankwright
check 1 '3 passed, 2 failed, 0 parts left out'
has "$work/out" '^FAIL  prove the library '
has "$work/out" 'FAIL: there is no proved library'
rm "$tree/build/rankwright"
check 1 '3 passed, 2 failed, 0 parts left out'
has "$work/out" '^FAIL  prove the library '
rm "$tree/tests/cli/fine.sh" "$tree/tests/unit/sums.c"
check 1 '2 passed, 3 failed, 0 parts left out'
has "$work/out" '^FAIL  units '
has "$work/out" '^FAIL  scripts '
finish
