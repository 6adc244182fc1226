#!/bin/sh
# `rankwright site`: pages of the library, their links, their size, the index of the search;
# texts that are no texts of this program never become elements.
. tests/lib/cli.sh
library

expect 0 "$rankwright" site "$work/site" --db "$db"
[ "$(cat "$work/out")" = "" ] || fail "site prints results"
expect 0 python3 tests/explorer/pages.py "$work/site"
cat "$work/out"
rules=$("$rankwright" query --count --db "$db")
[ "$(find "$work/site/rule" -name '*.html' | wc -l)" = "$rules" ] || fail "a page for each rule"
bytes=$(find "$work/site" -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')
[ "$bytes" -lt 20000000 ] || fail "$bytes bytes"

# Every counterexample is shown as arrays, and the sides differ where it says so.
examples=$("$rankwright" query --sql 'SELECT count(*) FROM counterexample' --db "$db")
marked=$(cat "$work"/site/rule/*/*.html | grep -o 'class="differs marked"' | wc -l)
[ "$marked" = $((2 * examples)) ] || fail "$marked marked elements of $examples counterexamples"

# The index: every rule, found by its operators and by words.
cat >"$work/index.py" <<'EOF'
import json, sys
text = open(sys.argv[1]).read()
assert text.startswith("window.rankwrightRules = [\n") and text.endswith(",\n];\n")
rows = json.loads(text[len("window.rankwrightRules = "):].replace(",\n];\n", "\n]"))
print(len(rows))
found = [r for r in rows if "slice" in r[6] and "pad" in r[6]]
print(*sorted(r[1] for r in rows if all(w in r[14] for w in ("slicing", "twice"))))
assert found and all(len(r) == 15 and len(r[5]) == 5 for r in rows)
EOF
expect 0 python3 "$work/index.py" "$work/site/static/rules-index.js"
has "$work/out" "^$rules\$"
has "$work/out" '(^| )slice_of_slice( |$)'
if command -v node >/dev/null; then
    expect 0 node --check "$work/site/static/rules.js"
else
    left_out "the syntax of the script, since node is not installed"
fi

# The same bytes again; a folder of others is left alone.
(cd "$work/site" && find . -type f -exec sha256sum {} + | sort) >"$work/first"
expect 0 "$rankwright" site "$work/site" --db "$db"
(cd "$work/site" && find . -type f -exec sha256sum {} + | sort) >"$work/second"
cmp "$work/first" "$work/second" || fail "another run gives other bytes"
mkdir "$work/other" && echo mine >"$work/other/index.html"
expect 65 "$rankwright" site "$work/other" --db "$db"
one_message
[ "$(cat "$work/other/index.html")" = mine ] || fail "a file of others was written"
expect 64 "$rankwright" site --db "$db"
expect 64 "$rankwright" site a b --db "$db"
expect 74 "$rankwright" site "$work/no/folder" --db "$db"
one_message

# Payloads in every text of the database.
cp "$db" "$work/foreign.db"
[ "$(python3 tests/explorer/payloads.py --count)" = 100 ] || fail "payloads"
expect 0 python3 tests/explorer/payloads.py "$work/foreign.db"
mkdir "$work/foreign"
expect 0 "$rankwright" site "$work/foreign" --db "$work/foreign.db"
expect 0 python3 tests/explorer/pages.py "$work/foreign"
grep -rq '&lt;script&gt;alert(1)' "$work/foreign/rule" || fail "no payload came through"
[ "$(ls "$work" | grep -cvE '^(site|foreign|other|first|second|out|err|index.py|.*\.db.*)$')" = 0 ] ||
    fail "files outside of the folder: $(ls "$work")"
# The checker finds a fault.
sed 's/&lt;script&gt;alert/<script>alert/' "$work/foreign/rules.html" >"$work/foreign/about.html"
expect 1 python3 tests/explorer/pages.py "$work/foreign"
finish
