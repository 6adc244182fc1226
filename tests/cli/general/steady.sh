#!/bin/sh
# Verdict files that differ are found (make check-steady).
. tests/lib/cli.sh

# A program whose answers are the same, one that has another answer after GOOD questions, and
# one that ends with a bug.
cat >"$work/same" <<'P'
#!/bin/sh
[ "$1" = prove ] && echo '{"rule":"r","verdict":"proved"}'
exit 0
P
cat >"$work/other" <<'P'
#!/bin/sh
[ "$1" = prove ] || exit 0
echo >>"$COUNTED"
[ "$(wc -l <"$COUNTED")" -le "$GOOD" ] && echo proved || echo unknown
P
cat >"$work/broken" <<'P'
#!/bin/sh
exit 70
P
chmod +x "$work/same" "$work/other" "$work/broken"
expect 0 sh tests/check_steady.sh "$work/same" 2 1
[ "$(grep -c '^ok ' "$work/out")" = 24 ] || fail "2 rounds of 3 sets, 4 times each"
has "$work/out" '^ok    round 2, wrong, beside 1, -j2: 1 lines, [0-9]+ \([0-9]+ s\)$'
COUNTED=$work/counted
export COUNTED
for good in 3 7 11; do # the library: by two workers, beside others, by two beside others
    rm -f "$COUNTED"
    expect 1 env GOOD=$good sh tests/check_steady.sh "$work/other" 1 1
    has "$work/out" '^FAIL  round 1, .*: not as the first time$'
    has "$work/out" '^> unknown$'
    [ "$(grep -c '^ok ' "$work/out")" = $good ] || fail "$good verdict files are the same"
done
expect 1 sh tests/check_steady.sh "$work/broken" 1 1
has "$work/out" '^FAIL  round 1, library, quiet, -j1: status 70$'
finish
