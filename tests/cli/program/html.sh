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
expect 0 "$rankwright" explain "$work/assumed.json" --db "$db" --html "$page"
has "$page" 'assumed, not proved'
! grep -q 'word: proved' "$page" || fail "an assumed rule is shown as proved"

expect 74 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/out.mlir" \
    --html "$work/no/such/p.html"
has "$work/err" "cannot create a file beside '$work/no/such/p.html'"
finish
