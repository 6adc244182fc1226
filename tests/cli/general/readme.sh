#!/bin/sh
# What README.md says: the session is what the program prints, and what is said
# beside it is so.  (Targets of make that it names are run by who calls them.)
. tests/lib/cli.sh
here=$(pwd)
case $rankwright in /*) ;; *) rankwright=$here/$rankwright ;; esac
# The library is proved already, as it is when the session comes to programs.
if [ -n "${proved_library:-}" ]; then
    mkdir -p "$work/rankwright" && cp "$proved_library" "$work/rankwright/rules.db"
fi
RANKWRIGHT_LIBRARY=$here/rules/library XDG_DATA_HOME=$work \
    python3 tests/lib/readme.py "$rankwright" README.md "$work" || fail "README"

# without `pl >= 0`
sed 's/, pl >= 0//' "$work/fold.rw" >"$work/cuts.rw"
cmp -s "$work/fold.rw" "$work/cuts.rw" && fail "fold.rw has no pl >= 0"
expect 1 "$rankwright" prove "$work/cuts.rw" --db "$work/cuts.db"
has "$work/out" 'int refuted, real refuted, word refuted'

# the library is proved when a program is first simplified
mkdir "$work/few" "$work/new"
cp rules/library/movement/reverse.rw "$work/few"
few() { env RANKWRIGHT_LIBRARY="$work/few" XDG_DATA_HOME="$work/new" "$rankwright" "$@"; }
expect 74 few query
expect 0 few simplify "$work/flip.mlir"
[ -s "$work/new/rankwright/rules.db" ] || fail "no default database"
expect 0 few query verdict=proved
[ "$(wc -l <"$work/out")" = "$(grep -c '^rule ' rules/library/movement/reverse.rw)" ] ||
    fail "the library is not proved"

# a page: the formula before and after, every step, the proofs of its rules
expect 0 "$rankwright" simplify "$work/norm.expr" \
    --db "$work/rankwright/rules.db" --html "$work/page.html" --proof "$work/norm.json"
python3 - "$work" >"$work/names" <<'P'
import json, sys
rules = json.load(open(sys.argv[1] + "/norm.json"))["rules"]
print(*[r["name"].removesuffix("-back") for r in rules])
P
[ "$(wc -w <"$work/names")" = 7 ] || fail "not 7 rules"
# two steps; the other rules are used for conditions
# shellcheck disable=SC2046 # words
expect 0 python3 tests/lib/page.py "$work/page.html" --maths 7 --links 2 \
    --marks 2 --rules $(cat "$work/names")

# what is installed finds its library, from anywhere
expect 0 env -u MAKEFLAGS -u MFLAGS make -s -o all install \
    BUILD="$(dirname "$rankwright")" DESTDIR="$work/to" PREFIX=/usr
installed() {
    (cd "$work" && env -u RANKWRIGHT_LIBRARY XDG_DATA_HOME="$work" to/usr/bin/rankwright "$@")
}
expect 0 installed prove
rules=$(cat rules/library/*/*.rw | grep -c '^rule ')
has "$work/err" "^rankwright: $rules rules: [0-9]+ claims proved, 0 refuted, 0 unknown"

# commands, links and targets are there
expect 0 "$rankwright" --help
for command in prove show query simplify explain check eval extract; do
    has "$work/out" "^  $command "
done
grep -o '](\(docs\|rules\|bench\)[^)]*)' README.md | tr -d ']()' >"$work/links"
[ "$(wc -l <"$work/links")" -ge 16 ] || fail "hardly any links"
while read -r link; do
    [ -e "$link" ] || fail "no $link"
done <"$work/links"
# (but "make and a C compiler")
grep -o 'make [a-z][a-z0-9-]*' README.md | cut -d' ' -f2 | sort -u |
    grep -vx and >"$work/targets"
[ "$(wc -l <"$work/targets")" -ge 14 ] || fail "hardly any targets"
while read -r target; do
    grep -q "^$target:" Makefile || fail "no target $target"
done <"$work/targets"
finish
