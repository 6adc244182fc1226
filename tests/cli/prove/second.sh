#!/bin/sh
# prove --solver: a second solver's opinion.  Programs that crash, lie, hang or
# talk nonsense never lead to a wrong verdict; the real one confirms rules of
# the library.
. tests/lib/cli.sh
cat >"$work/some.rw" <<'R'
rule slice_twice {
  axes x; map n, s, e, t, f on x; tensor A[x: n] : any;
  slice(slice(A, start=s, limit=e), start=t, limit=f)
    => slice(A, start=s+t, limit=min(e, s+f));
}
rule pad_cut {
  axes x; map n, l on x; tensor A[x: n] : any; scalar v : any;
  where l >= 0;
  slice(pad(A, v, low=l), start=l, limit=l+n) => A;
}
R
cat >"$work/false.rw" <<'R'
rule drops_the_last {
  claims int;
  axes x; map n on x; tensor A[x: n] : num;
  where n >= 1;
  slice(pad(A, 0, high=1), limit=n+1) => A;
}
R

# fake NAME: a program from the script on standard input.
fake() {
    { echo '#!/bin/sh'; cat; } >"$work/$1"
    chmod +x "$work/$1"
}
# Answers every check-sat with $2, as `name version`.
says() {
    fake "$1" <<F
awk '/get-info :name/ {print "(:name \"cvc5\")"}
     /get-info :version/ {print "(:version \"1.0\")"}
     /check-sat/ {print "$2"}'
F
}
says always_unsat unsat
says always_sat sat
says always_unknown unknown
says shouts UNSAT
says blanks 'unsat '
says two_answers 'unsat\nunsat'
fake crashes <<'F'
kill -SEGV $$
F
fake crashes_later <<'F'
echo '(:name "cvc5")'; echo '(:version "1.0")'
echo sat; echo unsat; kill -SEGV $$
F
fake silent <<'F'
cat >/dev/null
F
fake garbage <<'F'
head -c 3000 /dev/urandom
F
fake deaf <<'F'
exec <&-; echo '(:name "cvc5")'; echo '(:version "1.0")'; echo unsat
F
fake hangs <<'F'
sleep 1000
F
fake floods <<'F'
yes unsat
F
fake strange_name <<'F'
echo '(:name "<script>")'; echo '(:version "1.0")'
F

# rejected NAME REASON [SECONDS]: nothing is proved, for this reason.
rejected() {
    expect 2 "$rankwright" prove "$work/some.rw" --db "$work/$1.db" --json \
        -j 1 --timeout "${3:-600}" --solver cvc5 --solver-program "$work/$1"
    grep -q '"verdict":"proved"' "$work/out" &&
        fail "$1: something is proved"
    has "$work/out" "$2"
}
rejected always_unsat 'a wrong answer to a test query'
rejected always_sat 'a wrong answer to a test query'
rejected always_unknown 'a wrong answer to a test query'
rejected shouts 'neither sat nor unsat nor unknown'
rejected blanks 'neither sat nor unsat nor unknown'
rejected two_answers 'a wrong answer to a test query|more answers'
rejected crashes 'the program crashed'
rejected crashes_later 'the program crashed'
rejected silent 'does not say its name'
rejected garbage 'does not say its name|not text'
rejected deaf 'fewer answers|wrong answer'
rejected hangs 'time|no answer' 3
rejected floods 'does not say its name|too much output'
rejected strange_name 'does not say its name'

# A program that is not there has no opinion: nothing is asked, and no verdict is lost.
expect 0 "$rankwright" prove "$work/some.rw" --db "$work/kept.db"
"$rankwright" query --db "$work/kept.db" --json >"$work/before"
expect 64 "$rankwright" prove "$work/some.rw" --db "$work/kept.db" --solver cvc5 \
    --solver-program "$work/absent"
one_message
has "$work/err" 'cannot be started'
"$rankwright" query --db "$work/kept.db" --json >"$work/after"
cmp -s "$work/before" "$work/after" || fail "a solver that is not there changed verdicts"

# An earlier proof by Z3 does not speak for it.
expect 0 "$rankwright" prove "$work/some.rw" --db "$work/silent.db" --again
rejected silent 'not confirmed: .*does not say its name'

# What Z3 proves stays proved with `both`, and it says what the other said.
expect 0 "$rankwright" prove "$work/some.rw" --db "$work/both.db" --json -j 1 \
    --solver both --solver-program "$work/crashes"
has "$work/out" 'z3 [^"]*the program crashed'
# One remark says that nobody confirms; --quiet is quiet.
for program in crashes silent always_unsat garbage; do
    expect 0 "$rankwright" prove "$work/some.rw" --db "$work/both.db" -j 2 --solver both \
        --solver-program "$work/$program"
    [ "$(grep -c "the solver .*/$program confirms nothing: .*; every verdict is z3's alone" "$work/err")" = 1 ] ||
        { fail "no remark on $program"; cat "$work/err"; }
done
expect 0 "$rankwright" prove "$work/some.rw" --db "$work/both.db" --solver both --quiet \
    --solver-program "$work/silent"
[ -s "$work/err" ] && fail "a remark in spite of --quiet"

# check --reprove asks it, too.
cat >"$work/in.mlir" <<'M'
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
M
expect 0 "$rankwright" prove rules/library/elementwise/not.rw --db "$work/sub.db" -j 2
expect 0 "$rankwright" simplify "$work/in.mlir" --db "$work/sub.db" \
    -o "$work/out.mlir" --proof "$work/record.json"
expect 2 "$rankwright" check "$work/record.json" --reprove --solver cvc5 \
    --solver-program "$work/crashes"

command -v cvc5 >/dev/null || {
    fail "cvc5 is not installed: only false solvers were tried"
    finish
    exit
}

# Around the real one: its answers, changed.  Lines 1 and 2 are its name, 3
# and 4 test queries, then come query and test query in turn.
around() {
    fake "$1" <<F
cvc5 "\$@" | awk '$2'
F
}
around lacks_one 'NR > 1 {print last} {last = $0}'
around adds_one '{print} END {print "unsat"}'
around wavers '{print (NR > 4 && NR % 2) ? "unknown" : $0}'
around contradicts 'NR > 4 && NR % 2 {$0 = $0 == "sat" ? "unsat" : "sat"} {print}'
around always_unsat_later 'NR > 4 && $0 == "sat" {$0 = "unsat"} {print}'
fake fails_at_the_end <<'F'
cvc5 "$@"; exit 3
F
rejected lacks_one 'fewer answers'
rejected adds_one 'more answers'
rejected wavers 'no answer'
rejected always_unsat_later 'a wrong answer to a test query'
rejected fails_at_the_end 'ended with a failure'
# Its answers to the test queries are right, and the others missing.
expect 0 "$rankwright" prove "$work/some.rw" --db "$work/both.db" --solver both --solver-program "$work/wavers"
[ "$(grep -c 'wavers confirms nothing' "$work/err")" = 1 ] || { fail "no remark on wavers"; cat "$work/err"; }
expect 0 "$rankwright" prove "$work/some.rw" --db "$work/both.db" --solver both
grep -q 'confirms nothing' "$work/err" && fail "a remark on a solver that confirms"
for how in cvc5 both; do
    expect 70 "$rankwright" prove "$work/some.rw" --db "$work/$how.db" --json \
        -j 1 --solver $how --solver-program "$work/contradicts"
    grep -q '"verdict":"proved"' "$work/out" && fail "proved, contradicted"
    has "$work/out" 'internal: two solvers disagree'
done

expect 70 "$rankwright" check "$work/record.json" --reprove --solver cvc5 \
    --solver-program "$work/contradicts"
expect 0 "$rankwright" check "$work/record.json" --reprove --solver cvc5

# False rules stay false, true ones are confirmed query by query.
expect 1 "$rankwright" prove "$work/false.rw" --db "$work/f.db" --solver cvc5
expect 0 "$rankwright" prove "$work/some.rw" rules/library/movement/concat.rw \
    rules/library/movement/reverse.rw --db "$db" --json -j 2 --solver cvc5
python3 - "$work/out" <<'P' || fail "not all queries are confirmed"
import json, re, sys
asked = 0
for line in open(sys.argv[1]):
    v = json.loads(line)
    if v["verdict"] != "proved":
        continue
    assert v["solver"].startswith("cvc5 1."), v
    for same, n in re.findall(r"(\d+) of (\d+)", v["solver"]):
        assert same == n, v
        asked += int(n)
assert asked > 100, asked
print(asked, "answers of cvc5 agree")
P
finish
