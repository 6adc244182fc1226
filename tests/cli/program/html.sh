#!/bin/sh
# The page of a program's record: complete, in itself, the same from simplify
# and explain but for what simplify alone knows.
. tests/lib/cli.sh
cat >"$work/r.rw" <<'R'
/// Twice a negation is none, "& <so>".
rule twice { axes x; map n on x; tensor A[x: n] : num; negate(negate(A)) => A; }
rule start { axes x; map n, s on x; tensor A[x: n] : any; where s == 0; slice(A, start=s) => A; }
R
cat >"$work/p.mlir" <<'M'
func.func @main(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = stablehlo.negate %a : tensor<2xi32>
  %1 = stablehlo.negate %0 : tensor<2xi32>
  %2 = stablehlo.slice %1 [0:2] : (tensor<2xi32>) -> tensor<2xi32>
  return %2, %0 : tensor<2xi32>, tensor<2xi32>
}
M
page=$work/p.html
expect 0 "$rankwright" prove "$work/r.rw" --db "$db"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/out.mlir" \
    --proof "$work/r.json" --html "$page"
expect 0 python3 tests/lib/page.py "$page" --maths 0 --rules twice start
has "$page" "<h1>$work/p.mlir</h1>"
has "$page" 'Before <span class="soft">3 operations</span>'
has "$page" 'After <span class="soft">1 operation</span>'
has "$page" 'Lines: 3 equal, 1 changed, 2 gone, 0 new'
has "$page" '<code class="both" id="before-2"><i>2</i>  %0 = stablehlo.negate %a'
has "$page" '<code class="old" id="before-5"><i>5</i>  return <mark>%2</mark>, %0 :'
has "$page" '<code class="new" id="after-3"><i>3</i>  return <mark>%a</mark>, %0 :'
# Steps lead to the lines of the programs, and lines to their first step.
has "$page" 'The value of <a href="#before-4">line 4 before</a>'
has "$page" 'id="before-4"><i><a href="#line-[0-9]+" title="its first step">4</a></i>'
grep -oE 'href="#[^"]+"' "$page" | sed 's/href="#//;s/"//' | sort -u >"$work/links"
for link in $(cat "$work/links"); do
    grep -q "id=\"$link\"" "$page" || fail "no place for the link #$link"
done
has "$page" 'stopped: '
has "$page" '<dd>.*word: proved'
has "$page" 'Obligations \('
has "$page" 'function 0, result 0: equal by <a href="#line-'
has "$page" 'function 0, result 1: unchanged'
has "$page" '&quot;&amp; &lt;so&gt;'
has "$page" '0 == m1: true</code>'

expect 0 "$rankwright" explain "$work/r.json" --db "$db" --html "$work/e.html"
[ ! -s "$work/out" ] || fail "text besides the page"
expect 0 python3 tests/lib/page.py "$work/e.html" --maths 0 --rules twice start
expect 0 "$rankwright" explain "$work/r.json" --db "$db" --html "$work/again.html"
cmp -s "$work/e.html" "$work/again.html" || fail "two pages of one record differ"
steps() {
    sed -n '/id="steps"/,$p' "$1"
}
[ "$(steps "$page")" = "$(steps "$work/e.html")" ] || fail "steps of simplify and explain"

# assumed rules are not said to be proved
sed -e 's/"assumed":false/"assumed":true/' "$work/r.json" >"$work/assumed.json"
expect 1 "$rankwright" explain "$work/assumed.json" --db "$db" --html "$page"
has "$page" '<h1>Not valid: '
has "$page" 'not valid:</strong> rule start is assumed'
one_message
has "$page" 'assumed, not proved'
! grep -q 'word: proved' "$page" || fail "an assumed rule is shown as proved"

# names of rules are claims of the record
sed -e 's/"name":"twice"/"name":"safe<b>"/' "$work/r.json" >"$work/named.json"
expect 0 "$rankwright" explain "$work/named.json" --db "$db"
has "$work/out" 'rule twice, hash [0-9a-f]* \(the record calls it safe<b>\)'
has "$work/out" '^line [0-9]*: rule twice \('
! grep 'safe' "$work/out" | grep -qv 'the record calls it' || fail "a claimed name as if known"
expect 0 "$rankwright" explain "$work/named.json" --db "$db" --html "$page"
has "$page" '<h3>twice</h3>'
has "$page" 'The record calls it safe&lt;b&gt;\.'
expect 0 "$rankwright" explain "$work/named.json" --db "$db" --json
has "$work/out" '^\{"valid":true,"reason":"","text":"Proof record of '
expect 0 "$rankwright" prove tests/rules/small.rw --db "$work/other.db"
expect 1 "$rankwright" explain "$work/r.json" --db "$work/other.db"
has "$work/out" '^not valid: rule start \([0-9a-f]*\) is not in the database'
has "$work/out" "^rule twice, hash [0-9a-f]* \(the name is the record's\)"
expect 1 "$rankwright" explain "$work/r.json" --db "$work/other.db" --json
has "$work/out" '^\{"valid":false,"reason":"rule start .*,"text":"not valid: rule start '
expect 1 "$rankwright" explain "$work/r.json" --db "$work/other.db" --html "$page"; one_message
has "$page" "The name is the record's"

expect 74 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/out.mlir" \
    --html "$work/no/such/p.html"
has "$work/err" "$work/no/such/p.html: cannot create a file beside it: "
finish
