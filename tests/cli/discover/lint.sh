#!/bin/sh
# What lint says of small sets of rules, each named in its file, and nothing
# else; that what it is said of is proved; the library within its limits.
. tests/lib/cli.sh
n=0
for f in tests/lint/*/*.rw; do
    "$rankwright" lint "$f" --json >"$work/out" 2>"$work/err"
    got=$?
    python3 - "$f" "$work/out" "$got" <<'P' || fail "$f"
import json, re, sys
path, out, status = sys.argv[1:]
want = sorted(l.split(":", 1)[1].split() for l in open(path) if l.startswith("// expect:"))
rows = [json.loads(l) for l in open(out)]
have = sorted([r["kind"]] + r["rules"] for r in rows)
if not want:
    sys.exit("no expectation")
if want == [["nothing"]]:
    want = []
norm = lambda v: sorted([x[0]] + (sorted(x[1:]) if x[0] != "instance" else x[1:]) for x in v)
if norm(want) != norm(have):
    sys.exit("expected %s, found %s" % (norm(want), norm(have)))
answers = {w[0] for w in want}
if status != ("0" if not want else "2" if answers == {"undecided"} else "1"):
    sys.exit("status " + status)
for r in rows:
    if not r["witness"] or not r["method"]:
        sys.exit("nothing to see")
    # A loop ends with its first term, by rules that it names.
    if r["kind"] in ("loop", "inverse") and "sequence" in r["method"]:
        lines = [l.strip() for l in r["witness"].splitlines()]
        steps = [l[3:].split(": ", 1) for l in lines[1:]]
        if not steps or steps[-1][1] != lines[0]:
            sys.exit("no loop: " + r["witness"])
        if {s[0] for s in steps} != set(r["rules"]):
            sys.exit("other rules: " + r["witness"])
    # What grows ends with its first term in it, as it says.
    if r["kind"] == "grows":
        lines = [l.strip() for l in r["witness"].splitlines()]
        said = "has the first term as a part, with "
        subst = {}
        if lines[-1].startswith(said):
            subst = dict(x.split(" := ") for x in lines.pop()[len(said):].split("; "))
        first = re.sub(r"%\d+", lambda m: subst.get(m.group(), m.group()), lines[0])
        last = lines[-1].split(": ", 1)[1]
        if first not in last or last == lines[0]:
            sys.exit("does not grow: " + r["witness"])
P
    case $f in
    */never.rw | */never_elements.rw) ;; # what never fires is not proved
    *) expect 0 "$rankwright" prove "$f" --db "$work/$n.db" ;;
    esac
    n=$((n + 1))
done
[ "$n" -ge 20 ] || fail "only $n files"
# The same bytes twice.
"$rankwright" lint tests/lint/growth/grows.rw >"$work/a" 2>"$work/err"
"$rankwright" lint tests/lint/growth/grows.rw >"$work/b" 2>"$work/err"
cmp "$work/a" "$work/b" || fail "two runs differ"
# Both known sets together: both are found.
expect 1 "$rankwright" lint tests/lint/loops/cycle3.rw tests/lint/loops/dus.rw --json
has "$work/out" '"kind":"loop","rules":\["convert_concat","elementwise_reshape_like","concat_insert_dim_elementwise"\]'
has "$work/out" '"kind":"inverse","rules":\["slice_of_dynamic_update","dus_dus_subsuming"\]'
expect 64 "$rankwright" lint
expect 65 "$rankwright" lint tests/cli/discover/lint.sh
expect 64 "$rankwright" lint tests/lint/instances/same.rw --instances 0
finish
