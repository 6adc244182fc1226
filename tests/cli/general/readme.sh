#!/bin/sh
# What README.md and docs/ say: the sessions of README.md, docs/tour.md and docs/questions.md
# are what the program prints, what is said beside them holds, and all links lead somewhere.
# (The targets of make that the pages name are looked up, not run.)
. tests/lib/cli.sh
here=$(pwd)
case $rankwright in /*) ;; *) rankwright=$here/$rankwright ;; esac
# A user whose database is empty, over the proved library, as installed or made by make library.
library && proved=$db
# Notes that no rule lacks a verdict, as rules/make_library.sh does.
expect 0 env RANKWRIGHT_LIBRARY="$here/rules/library" "$rankwright" simplify -e x --db "$proved"
as_user() {
    RANKWRIGHT_LIBRARY=$here/rules/library RANKWRIGHT_LIBRARY_DATABASE=$proved XDG_DATA_HOME=$work "$@"
}
as_user python3 tests/lib/readme.py "$rankwright" "$work" README.md docs/tour.md docs/questions.md || fail "sessions"
for page in README.md docs/tour.md docs/questions.md; do
    grep -q '^    .*; \(library\|same as library rule\)' "$page" || fail "$page shows no layer"
done
[ "$(wc -l <README.md)" -le 140 ] || fail "README.md has more than 140 lines"

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
expect 0 as_user "$rankwright" simplify "$work/norm.expr" \
    --html "$work/page.html" --proof "$work/norm.json"
python3 - "$work" >"$work/names" <<'P'
import json, sys
rules = json.load(open(sys.argv[1] + "/norm.json"))["rules"]
print(*[r["name"].removesuffix("-back") for r in rules])
P
[ "$(wc -w <"$work/names")" = 7 ] || fail "not 7 rules"
# two steps; the other rules are used for conditions
# shellcheck disable=SC2046 # words
expect 0 python3 tests/lib/page.py "$work/page.html" --maths 9 --links 2 \
    --marks 2 --rules $(cat "$work/names")

# what is installed finds its library, from anywhere
expect 0 env -u MAKEFLAGS -u MFLAGS make -s -o all install-program \
    BUILD="$(dirname "$rankwright")" DESTDIR="$work/to" PREFIX=/usr
mkdir -p "$work/proved/rankwright" && cp "$proved" "$work/proved/rankwright/rules.db"
installed() {
    (cd "$work" && env -u RANKWRIGHT_LIBRARY XDG_DATA_HOME="$work/proved" to/usr/bin/rankwright "$@")
}
expect 0 installed prove
rules=$(cat rules/library/*/*.rw | grep -c '^rule ')
has "$work/err" "^rankwright: $rules rules: [0-9]+ claims proved, 0 refuted, 0 unknown"

# commands, links and targets are there
expect 0 "$rankwright" --help
for command in prove show query simplify explain check eval extract; do
    has "$work/out" "^  $command "
done
python3 tests/lib/links.py README.md docs/*.md || fail "links"
# files that pages and comments mention exist; one that does not is noticed
python3 tests/lib/mentions.py README.md docs/*.md $(find . -path ./build -prune -o \
    \( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' \) -print) || fail "mentioned files"
echo 'See `egraph/nowhere.c`.' >"$work/page.md"
python3 tests/lib/mentions.py "$work/page.md" >"$work/mentions" && fail "no complaint about nowhere.c"
has "$work/mentions" 'no file egraph/nowhere.c'
# a link that leads nowhere is noticed: of a page, of a heading
mkdir "$work/pages"
cp -R README.md docs "$work/pages"
for folder in bench explorer include python rules tensor tests; do
    ln -s "$here/$folder" "$work/pages"
done
for wrong in 'engine.md#nowhere' 'nowhere.md'; do
    sed "s|(engine.md)|($wrong)|" docs/formulas.md >"$work/pages/docs/formulas.md"
    (cd "$work/pages" && python3 "$here/tests/lib/links.py" README.md docs/*.md) >"$work/links" &&
        fail "no complaint about $wrong"
    has "$work/links" 'nowhere'
    has "$work/links" ' links, 1 broken$'
done
# (but "make and a C compiler")
cat README.md docs/targets.md | grep -o 'make [a-z][a-z0-9-]*' | cut -d' ' -f2 | sort -u |
    grep -vx and >"$work/named"
[ "$(wc -l <"$work/named")" -ge 20 ] || fail "hardly any targets"
while read -r target; do
    grep -q "^$target:" Makefile || fail "no target $target"
done <"$work/named"
# docs/targets.md has every target that a user calls
for target in $(sed -n 's/^\([a-z][a-z0-9-]*\):.*/\1/p' Makefile | grep -vx setup); do
    grep -qx "$target" "$work/named" || fail "docs/targets.md lacks $target"
done
finish
