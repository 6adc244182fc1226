#!/bin/sh
# Formulas are simplified, the records checked, and input and output evaluated
# with many digits; a real record is altered in all its parts.
. tests/lib/cli.sh
library
{
    cat tests/formulas/values.txt
    tail -n +2 tests/formulas/pairs.tsv | cut -f2
} | grep -v '^#' | grep -v '^$' >"$work/formulas"
formulas=$(wc -l <"$work/formulas")
[ "$formulas" -ge 180 ] || fail "only $formulas formulas"
# every function that the library defines is there
cat rules/library/*/*.rw | tr '\n' ' ' | grep -o 'define *[a-z0-9_]* *(' |
    sed 's/define *//; s/ *(//' | sort -u >"$work/defined"
[ "$(wc -l <"$work/defined")" -ge 40 ] || fail "hardly any definitions"
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
    expect 0 "$rankwright" simplify --seconds 600 -e "$line" $expand --db "$db" --proof "$work/r/$n.json"
    expect 0 "$rankwright" check "$work/r/$n.json" --db "$db"
    has "$work/out" '^valid'
done <"$work/formulas"
expect 0 "$numeric" "$work"/r/*.json
[ "$(grep -c ': [1-9][0-9]* samples' "$work/out")" = "$formulas" ] ||
    fail "not every record was evaluated"

# what is written out has none of the library's names left
grep -n '^!' "$work/formulas" | cut -d: -f1 >"$work/expanded"
python3 - "$work" <<'P' || fail "a named function is not written out"
import json, re, sys
lines = lambda name: open(f"{sys.argv[1]}/{name}").read().split()
defined, seen, bad = set(lines("defined")), set(), []
for k in lines("expanded"):
    r = json.load(open(f"{sys.argv[1]}/r/{100 + int(k)}.json"))
    seen |= defined & set(re.findall(r"(\w+)\(", r["input"]))
    left = defined & set(re.findall(r"(\w+)\(", r["output"]))
    if left:
        bad.append((r["input"], r["output"], left))
print(*bad, *(defined - seen), sep="\n")
sys.exit(bool(bad) or seen != defined)
P

mkdir "$work/t"
python3 tests/lib/tamper_formula.py "$rankwright" "$db" "$work/r/102.json" "$work/t" 100 ||
    fail "tampering"

# An output that asks what a line must say: 0 <= x*y.
expect 0 "$rankwright" simplify -e 'sqrt(x)*sqrt(y)' --db "$db" --proof "$work/asks.json"
has "$work/out" '^sqrt\(x\*y\)$'
mkdir "$work/a"
python3 tests/lib/tamper_formula.py "$rankwright" "$db" "$work/asks.json" "$work/a" 100 ||
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
