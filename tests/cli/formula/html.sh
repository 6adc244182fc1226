#!/bin/sh
# The page of a formula's record: complete, in itself, the same each time.
. tests/lib/cli.sh
expect 0 "$rankwright" prove tests/rules/formula.rw --db "$db"
r=$work/r.json page=$work/p.html
expect 0 python3 tests/lib/formula_record.py "$rankwright" "$db" "$r"
expect 0 "$rankwright" explain "$r" --db "$db" --html "$page"
[ ! -s "$work/out" ] || fail "text besides the page"
expect 0 python3 tests/lib/page.py "$page" --maths 10 --links 3 --marks 4 \
    --rules cancel take_out softmax_definition
has "$page" 'all\(B != 0\)'
has "$page" 'Obligations \('
has "$page" '3.5897932384626434e-09'
expect 0 "$rankwright" explain "$r" --db "$db" --html "$work/again.html"
cmp -s "$page" "$work/again.html" || fail "two pages of one record differ"

# What a named function stands for, where the result has one.
! grep -q 'id="functions"' "$page" || fail "functions of a result without any"
named=rules/library/definitions/of_numbers.rw
expect 0 "$rankwright" prove "$named" --db "$work/named.db"
expect 0 "$rankwright" simplify -e 'max(x, 0)*y' --db "$work/named.db" --rules "$named" \
    --html "$work/named.html"
has "$work/named.html" 'id="functions">The named functions'

# The pages that a browser looks at (make check-html) are written, and whole.
page_program=$(dirname "$rankwright")/html_page
[ -x "$page_program" ] || page_program=build/dev/html_page
expect 0 "$page_program" 'exp(x - max(x))/sum(exp(x - max(x)))' 'exp(x)/sum(exp(x))' \
    tests/html/softmax.proof
cp "$work/out" "$work/parts.html"
expect 0 python3 tests/lib/page.py "$work/parts.html" --maths 17 --links 4 --marks 4 \
    --rules exp_sub comm

# assumed rules are not said to be proved
sed -e 's/"assumed": false/"assumed": true/' "$r" >"$work/assumed.json"
expect 0 "$rankwright" explain "$work/assumed.json" --db "$db" \
    --assume tests/rules/formula.rw --html "$page"
has "$page" 'assumed, not proved'
! grep -q 'real: proved' "$page" || fail "an assumed rule is shown as proved"

# what cannot be
printf 'module {}' >"$work/none.json"
expect 65 "$rankwright" explain "$work/none.json" --db "$db" --html "$page"; one_message
expect 74 "$rankwright" explain "$r" --db "$work/absent.db" --html "$page"; one_message
expect 74 "$rankwright" explain "$r" --db "$db" --html "$work/no/such/p.html"; one_message
finish
