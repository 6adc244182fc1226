#!/bin/sh
# Pages in a real browser (check.py), and pages with a fault each, which must be
# found.
#   tests/html/run.sh RANKWRIGHT PAGE-PROGRAM OUT-FOLDER
# The rules of formulas are proved into OUT-FOLDER.db, once.
# Installs Debian's chromium, and a font for mathematics, if there is none.
set -eu
rankwright=$1 page=$2 out=$3
cd "$(dirname "$0")"
if ! command -v chromium >/dev/null; then
    command -v apt-get >/dev/null || {
        echo "check-html: chromium is missing, and apt-get is not installed" >&2
        exit 1
    }
    sudo=""
    [ "$(id -u)" = 0 ] || sudo="sudo"
    export DEBIAN_FRONTEND=noninteractive
    echo "+ $sudo apt-get install chromium fonts-stix" >&2
    $sudo apt-get update -qq >&2
    $sudo apt-get install -y -qq --no-install-recommends chromium fonts-stix >&2
fi
rm -rf "$out"
mkdir -p "$out/wrong"

"$page" 'exp(x - max(x))/sum(exp(x - max(x)))' 'exp(x)/sum(exp(x))' \
    softmax.proof >"$out/softmax.html"
norm='(x - sum(x)/N)*(x - sum(x)/N)'
"$page" "(x - sum(x)/N)*(1/sqrt(sum($norm)/N + eps))*w + b" \
    "(x - sum(x)/N)/sqrt(sum($norm)/N + eps)*w + b" >"$out/norm.html"
"$page" 'where(abs(x - y) < d, 0.5*(x - y)*(x - y)/d, abs(x - y) - 0.5*d)' \
    'where(x < 0, where(not (y == 1) and z >= 2, -x, (x_mean + x1)/(1 + mu^2)),
        cbrt(floor(x)) + 3e-9*ceil(y))' >"$out/cases.html"
m='max(max(x1), max(x2))'
"$page" "exp(x1 - $m)/(sum(exp(x1 - max(x1)))*exp(max(x1) - $m)
        + sum(exp(x2 - $m)))" \
    'exp(x1)/(sum(exp(x1)) + sum(exp(x2)))' >"$out/online.html"
s='matmul(Q, tr(K))'
"$page" "matmul(exp($s - max($s)), V)/sum(exp($s - max($s)))" \
    "matmul(exp($s)/sum(exp($s)), V)" >"$out/attention.html"
"$page" 'tensor x[i, j], w[j]; scalar b; sum[j] x[i,j]*w[j]*size(j) + b' \
    'b + sum[j](w[j]*x[i,j])*pi' >"$out/axes.html"

# From simplify, with the library's rules.
library=../../rules/library
"$rankwright" prove $library/real $library/facts --db "$out.db" >/dev/null
simplify() {
    "$rankwright" simplify --formula "$2" --db "$out.db" \
        --html "$out/simplify-$1.html" --proof "$out/$1.json" >/dev/null
    "$rankwright" explain "$out/$1.json" --db "$out.db" \
        --html "$out/explain-$1.html"
}
simplify softmax 'exp(x - max(x))/sum(exp(x - max(x)))'
simplify norm "(x - sum(x)/N)*(1/sqrt(sum($norm)/N + eps))*w + b"
simplify gelu '0.5*x*(1 + tanh(x*0.79788456*(1 + 0.044715*pow(x, 2))))'
simplify attention "matmul(exp($s - max($s)), V)/sum(exp($s - max($s)))"
simplify huber 'where(abs(x - y) < d, 0.5*(x - y)*(x - y)/d, abs(x - y) - 0.5*d)'
simplify nothing 'x + y'
python3 check.py --shots "$out/shots" "$out"/*.html

# Programs, which have no formulas.
mkdir -p "$out/programs"
"$rankwright" prove $library/movement/reverse.rw --db "$out.db" >/dev/null
printf '%s\n' 'func.func @main(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {' \
    '  %0 = stablehlo.reverse %a, dims = [1] : tensor<2x3xf32>' \
    '  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3xf32>' \
    '  return %1, %0 : tensor<2x3xf32>, tensor<2x3xf32>' '}' >"$out/reverse.mlir"
"$rankwright" simplify "$out/reverse.mlir" --db "$out.db" -o "$out/simple.mlir" \
    --proof "$out/reverse.json" --html "$out/programs/simplify-reverse.html"
"$rankwright" explain "$out/reverse.json" --db "$out.db" \
    --html "$out/programs/explain-reverse.html"
python3 check.py --maths 0 --shots "$out/shots" "$out"/programs/*.html

# The check of the check.
wrong() {
    sed "$2" "$out/softmax.html" >"$out/wrong/$1.html"
    cmp -s "$out/softmax.html" "$out/wrong/$1.html" && exit 1
    return 0
}
wrong link 's/id="rule-1-/id="rule-9-/'
wrong id 's/id="conditions"/id="rules"/'
wrong log 's|</body>|<script>console.error("x")</script>&|'
wrong throws 's|</body>|<script>throw 1</script>&|'
wrong network 's|</body>|<img src="file:///nowhere.png" alt="">&|'
wrong wide 's|</body>|<div style="width: 2000px">x</div>&|'
wrong hidden 's|</style>|math { display: none; }&|'
wrong children 's|<mfrac>|<mfrac><mi>x</mi>|'
wrong element 's|<mi>x</mi>|<mx>x</mx>|'
wrong mark 's|</style>|math .changed { background: none !important; }&|'
wrong dark 's|</style>|:root { --paper: #fff !important; }&|'
python3 check.py --wrong "$out"/wrong/*.html
echo "pages with a fault: all found"
