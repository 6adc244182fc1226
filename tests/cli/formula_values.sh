#!/bin/sh
# Formulas are simplified, the records checked, and input and output evaluated
# with many digits; a real record is altered in all its parts.
. tests/lib/cli.sh
numeric=$(dirname "$rankwright")/numeric
[ -x "$numeric" ] || numeric=build/dev/numeric
library
{
    cat tests/formulas/values.txt
    [ -e tests/formulas/pairs.tsv ] && tail -n +2 tests/formulas/pairs.tsv | cut -f2
} | grep -v '^#' | grep -v '^$' >"$work/formulas"
# every function that the library defines is there
cat rules/library/*.rw | tr '\n' ' ' | grep -o 'define *[a-z0-9_]* *(' |
    sed 's/define *//; s/ *(//' | sort -u >"$work/defined"
[ -s "$work/defined" ] || fail "no definitions"
while read -r f; do
    grep -Eq "^!.*\\b$f\\(" "$work/formulas" || fail "$f is not evaluated"
done <"$work/defined"

mkdir "$work/r"
n=100
while IFS= read -r line; do
    n=$((n + 1))
    expand=
    case $line in
    !*) expand=--expand line=${line#!} ;;
    esac
    expect 0 "$rankwright" simplify -e "$line" $expand --db "$db" --proof "$work/r/$n.json"
    expect 0 "$rankwright" check "$work/r/$n.json" --db "$db"
    has "$work/out" '^valid'
done <"$work/formulas"
expect 0 "$numeric" "$work"/r/*.json
[ "$(grep -c ': [0-9]* samples' "$work/out")" = "$(wc -l <"$work/formulas")" ] ||
    fail "not every record was evaluated"
cp "$work/out" "$work/values"

# what is written out has no names left, and means what it should
grep -n '^!' "$work/formulas" | cut -d: -f1 | while read -r k; do
    python3 - "$work/r/$((100 + k)).json" <<'P' || exit 1
import json, re, sys
r = json.load(open(sys.argv[1]))
names = set(re.findall(r"(\w+)\(", r["input"])) & set(re.findall(r"(\w+)\(", r["output"]))
sys.exit(bool(names - {"exp", "log", "sqrt", "sum", "max", "min", "abs", "tanh", "where", "erf", "sign", "sigmoid"}))
P
done || fail "a named function is not written out"

mkdir "$work/t"
python3 tests/lib/tamper_formula.py "$rankwright" "$db" "$work/r/102.json" "$work/t" some ||
    fail "tampering"

# An output that asks what a line must say: 0 <= x*y.
expect 0 "$rankwright" simplify -e 'sqrt(x)*sqrt(y)' --db "$db" --proof "$work/asks.json"
has "$work/out" '^sqrt\(x\*y\)$'
mkdir "$work/a"
python3 tests/lib/tamper_formula.py "$rankwright" "$db" "$work/asks.json" "$work/a" some ||
    fail "tampering"
python3 - "$work/asks.json" "$work/unsaid.json" <<'P' || fail "the line is used elsewhere"
import json, sys
r = json.load(open(sys.argv[1]))
k = next(k for k, l in enumerate(r["proof"]) if l.endswith("by product_of_nonnegative"))
n = int(r["proof"].pop(k).split()[1])
for i in range(k, len(r["proof"])):
    w = r["proof"][i].split()
    if str(n) in w[4:] or w[1] != str(n + 1 + i - k):
        sys.exit(1)
    w[1] = str(n + i - k)
    r["proof"][i] = " ".join(w)
r["rules"] = [x for x in r["rules"] if x["name"] != "product_of_nonnegative"]
json.dump(r, open(sys.argv[2], "w"))
P
expect 1 "$rankwright" check "$work/unsaid.json" --db "$db"
has "$work/out" '^rejected: the output may have no value .*: nothing says that \(le 0 \(multiply x y\)\)$'
finish
