#!/bin/sh
# Foreign texts in every output: no control characters, no marks of direction, no
# characters without width, no bytes that are no UTF-8; and no markup of theirs.
. tests/lib/cli.sh

# The characters between two words: ESC, BEL, C1 CSI, RLO, RLI, LRM, ALM, ZWSP, BOM, LINE SEPARATOR.
bad=$(printf 'w\033[31m\007\302\233\342\200\256\342\201\247\342\200\216\330\234\342\200\213\357\273\277\342\200\250w')
# The same without C0, which strings of rules refuse.
bad_string=$(printf 'w\302\233\342\200\256\342\201\247\342\200\216\330\234\342\200\213\357\273\277\342\200\250w')
# clean FILE: notes the file, which is looked at in the end.
mkdir "$work/seen"
seen=0
clean() {
    seen=$((seen + 1))
    cp "$1" "$work/seen/$seen.$(basename "$1")"
}
both() { clean "$work/out"; clean "$work/err"; }

# comments, origins and names of files of rules
mkdir "$work/rules"
file="$work/rules/a$bad.rw"
cat >"$file" <<R
/// A comment, $bad
rule commented {
  axes x; map n on x; tensor A[x: n] : int;
  origin "$bad_string";
  A + A => 2 * A;
}
rule negated { axes x; map n on x; tensor A[x: n] : num; -(-A) => A; }
R
grep -q 'origin' docs/rule-language.md || fail "no origins any more"
expect 0 "$rankwright" prove "$file" --db "$db" --domain int,float,real; both
for command in "query" "query --json" "show commented" "show commented --json" \
    "query --sql SELECT*FROM/**/rules" "prove --list $work/rules" "prove --list $work/rules --json" \
    "lint $work/rules"; do
    # the words of a command have no blanks
    "$rankwright" $command --db "$db" >"$work/out" 2>"$work/err" </dev/null
    both
done
expect 0 "$rankwright" show commented --db "$db"; both
has "$work/out" 'A comment, w.\[31m'
expect 0 "$rankwright" query --json --db "$db"
python3 - "$work/out" "$bad_string" <<'P' || fail "JSON keeps the data"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
assert any(sys.argv[2] in o for l in lines for o in l['origin']), lines
P

# messages: names of files, tokens, options
printf 'rule %s { }' "$bad" >"$work/token.rw"
expect 65 "$rankwright" prove "$work/token.rw" --db "$db"; both
printf 'rule a { axes x; %s }\n' "$(printf '\342\200\256')" >"$work/direction.rw"
expect 65 "$rankwright" prove "$work/direction.rw" --db "$db"; both
name=$(printf 'two\nlines\033[2J')
for command in "prove" "simplify" "check" "explain" "eval" "extract" "show" "generalize"; do
    "$rankwright" "$command" "$work/$name" --db "$db" >"$work/out" 2>"$work/err" </dev/null
    both
    "$rankwright" "$command" "--$bad" >"$work/out" 2>"$work/err" </dev/null
    both
done
"$rankwright" "$bad" >"$work/out" 2>"$work/err"; both
expect 74 "$rankwright" prove "$work/$name"; one_message
expect 74 "$rankwright" query --db "$work/$name"; one_message; both
expect 65 "$rankwright" simplify -e "$bad + 1" --db "$db"; both
expect 65 "$rankwright" simplify -e "1" --given "$bad" --db "$db"; both
expect 64 "$rankwright" query "op=$bad" --db "$db"; both
"$rankwright" query --sql "SELECT '$bad', x'1b5b' " --db "$db" >"$work/out" 2>"$work/err"; both
"$rankwright" query --sql "SELECT $bad" --db "$db" >"$work/out" 2>"$work/err"; both
printf '{"a": "%s", "%s": 1}' "$bad" "$bad" >"$work/bad.json"
"$rankwright" extract "$work/bad.json" >"$work/out" 2>"$work/err"; both
"$rankwright" check "$work/bad.json" --db "$db" >"$work/out" 2>"$work/err"; both
"$rankwright" merge "$work/bad.json" --db "$db" >"$work/out" 2>"$work/err"; both
printf '{"line": 1, "error": "x"}\n{"rule": "%s"}\n%s\n' "$bad" "$bad" | "$rankwright" merge - --db "$db" >"$work/out" 2>"$work/err"; both

# programs: strings stay what they are, written with escapes; names of values and comments go
hidden=$(printf '\302\233\342\200\256\342\200\213')
cat >"$work/strings.mlir" <<M
module @"m$hidden" {
  // $bad
  func.func @"f$hidden<b>"(%a: tensor<4xf32> {s = "<script>$hidden"}) -> tensor<4xf32> {
    %0 = stablehlo.negate %a : tensor<4xf32>
    %1 = stablehlo.negate %0 : tensor<4xf32>
    %2 = stablehlo.custom_call @"g$hidden"(%1) {x = "</pre><b>$hidden"} : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
M
expect 0 "$rankwright" simplify "$work/strings.mlir" --db "$db" --proof "$work/p.json" -o "$work/o.mlir" \
    --html "$work/p.html" --dump-egraph "$work/p.dot"; both
clean "$work/p.json"; clean "$work/p.dot"
expect 0 "$rankwright" simplify "$work/strings.mlir" --db "$db" -o "$work/o.mlir" --dump-egraph "$work/g.json"
clean "$work/g.json"
# graphs of other programs: names are data in JSON, and labels in pictures
python3 - "$work/names.json" "$bad" <<'P'
import json, sys
name = sys.argv[2] + '"]; evil [label="<script>alert(1)</script>\\'
json.dump({"nodes": {name: {"op": name, "children": [], "eclass": name, "cost": 1.0}},
           "root_eclasses": [name]}, open(sys.argv[1], "w"))
P
for suffix in dot svg; do
    [ $suffix = dot ] || command -v dot >/dev/null || {
        left_out "SVG, since dot is not installed"
        continue
    }
    expect 0 "$rankwright" extract "$work/names.json" -o "$work/chosen.json" --picture "$work/names.$suffix"; both
    clean "$work/chosen.json"; clean "$work/names.$suffix"
done
python3 - "$work/names.json" "$work/chosen.json" <<'P' || fail "names of nodes in JSON"
import json, sys
given, chosen = (json.load(open(f)) for f in sys.argv[1:])
assert given["nodes"].keys() == chosen["nodes"].keys(), chosen
P
grep -Eq '^[^"]*evil' "$work/names.dot" && fail "a name leaves its label"
[ -e "$work/names.svg" ] && grep -q "<script" "$work/names.svg" && fail "markup of a name in the picture"
clean "$work/o.mlir"
has "$work/o.mlir" 'g\\C2\\9B\\E2\\80\\AE\\E2\\80\\8B'
expect 0 "$rankwright" check "$work/p.json" --db "$db"; both
expect 0 "$rankwright" explain "$work/p.json" --db "$db"; both
expect 0 "$rankwright" explain "$work/p.json" --db "$db" --html "$work/p.html"; both
clean "$work/p.html"
grep -Eq '<script|</pre><b>|<b>' "$work/p.html" && fail "markup of a string in the page"
# every text of a record, of a program and of a formula: markup and hidden characters in
# it reach neither the page nor the terminal
expect 0 "$rankwright" simplify -e '-(-x)*3.14159265' --db "$db" --proof "$work/f.json" --given 'x > 0'
for record in p f; do
    python3 - "$rankwright" "$db" "$work/$record.json" "$work/seen/$record" <<'P' || fail "texts of the record $record"
import json, os, subprocess, sys
rankwright, db, path, seen = sys.argv[1:]
record = json.load(open(path))
places = []
def walk(value, place):
    if isinstance(value, str):
        places.append(place)
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        walk(value[key], place + [key])
walk(record, [])
shown = 0
for i, place in enumerate(places[:80]):
    changed = json.loads(json.dumps(record))
    at = changed
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] += "</title></pre><script>alert(1)</script>\x1b[31m\x9b\u202e\u200b"
    file = f"{seen}{i}"
    json.dump(changed, open(file, "w"))
    page = f"{seen}{i}.html"
    for words in [], ["--json"], ["--html", page]:
        run = subprocess.run([rankwright, "explain", file, "--db", db, *words], capture_output=True)
        if run.returncode not in (0, 1, 65):
            sys.exit(f"{place}: status {run.returncode}: {run.stderr}")
        for name, text in ("out", run.stdout), ("err", run.stderr):
            open(f"{seen}{i}.{len(words)}.{name}", "wb").write(text)
    if os.path.exists(page):
        shown += 1
        text = open(page, "rb").read()
        for bad in b"<script", b"</title></pre>":
            if bad in text:
                sys.exit(f"{place}: {bad!r} in the page")
    os.remove(file)
if shown == 0 and "terms" in record: # texts of formulas are read, and most do not parse
    sys.exit("no page was written")
P
done
expect 0 "$rankwright" simplify "$work/o.mlir" --db "$db"
cp "$work/out" "$work/again.mlir"
expect 0 "$rankwright" simplify "$work/again.mlir" --db "$db"
cmp "$work/out" "$work/again.mlir" || fail "printed strings are read as the same strings"

python3 - "$work"/seen/* <<'P' || fail "hidden characters"
import sys, unicodedata
status = 0
for path in sys.argv[1:]:
    text = open(path, 'rb').read().decode()
    if path.endswith('.html'):
        text = text.replace('\u2062', '')  # MathML's own: times that is not seen
    wrong = {c for c in text if c not in '\n\t' and unicodedata.category(c) in ('Cc', 'Cf', 'Zl', 'Zp')}
    if wrong:
        print(path, sorted(wrong), text[:400].encode('unicode_escape'))
        status = 1
sys.exit(status)
P
[ "$seen" -gt 60 ] || fail "only $seen outputs"
# Control characters in the name of an operation are printed as three; what is printed is read again.
for tabs in 30 50; do
    name=$(printf "%${tabs}s" '' | tr ' ' '\t')
    printf 'func.func @f(%%x: tensor<f32>) -> tensor<f32> {\n  %%0 = "test.a%sb"(%%x) : (tensor<f32>) -> tensor<f32>\n  return %%0 : tensor<f32>\n}\n' "$name" >"$work/name.mlir"
    if "$rankwright" simplify "$work/name.mlir" --db "$db" -o "$work/named.mlir" 2>"$work/err"; then
        expect 0 "$rankwright" simplify "$work/named.mlir" --db "$db" -o "$work/again.mlir"
        [ "$tabs" = 30 ] || fail "a name of $tabs tabs is read"
    else
        has "$work/err" 'the name of the operation is too long'
        [ "$tabs" = 50 ] || fail "a name of $tabs tabs is refused"
    fi
done
finish
