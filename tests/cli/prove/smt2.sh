#!/bin/sh
# show --smt2: the queries that a rule's verdicts rest on, for other solvers.
# Every check-sat has a :status and a title; solvers that are installed must not
# give the opposite answer.
. tests/lib/cli.sh
library
cat >"$work/structure.py" <<'P'
import re
import sys

lines = open(sys.argv[1]).read().splitlines()
assert lines.count("(set-logic ALL)") == 1, "set-logic"
logic = lines.index("(set-logic ALL)")
assert all(l.startswith(";") for l in lines[:logic]), "text before set-logic"
depth, status, titled, expected, numbers = 0, None, False, [], []
kinds = set()
for line in lines[logic + 1:]:
    if line.startswith("; == "):
        titled = True
        kinds.add(line[5:].split(":")[0])
    number = re.match(r"; query (\d+)( once more)?", line)
    if number and number.group(2):
        assert int(number.group(1)) in numbers, line
    elif number:
        numbers.append(int(number.group(1)))
    elif line == "(push 1)":
        assert titled and depth == 0, "a query without a title"
        depth, status = 1, None
    elif line.startswith("(set-info :status "):
        status = line[18:-1]
        assert depth == 1 and status in ("sat", "unsat"), line
    elif line.startswith("(check-sat"):
        assert depth == 1 and status, "a check without :status"
        expected.append(status)
    elif line == "(pop 1)":
        depth = 0
    elif line and not line.startswith(";"):
        assert depth == 1, "outside of a query: " + line
    # Symbols that begin so are the solvers' own.
    if not line.startswith(";"):
        assert not re.search(r"(^|[\s(|])[@.][A-Za-z]", line), line
assert depth == 0 and numbers == list(range(1, len(expected) + 1)), "numbers"
for kind in ("valid", "shape", "nonempty", "elements"):
    assert kind in kinds, "no section for " + kind
assert len(lines) < 5000, "%d lines" % len(lines)
print("\n".join(expected))
P
cat >"$work/compare.py" <<'P'
import sys

expected = open(sys.argv[1]).read().split()
found = [l for l in open(sys.argv[2]).read().splitlines() if l.strip()]
errors = [l for l in found
          if l not in ("sat", "unsat", "unknown", "timeout")
          and "interrupted by timeout" not in l]
assert not errors, errors[0]
answers = [l for l in found if l in ("sat", "unsat", "unknown")]
# A solver out of time may stop; what it did say counts.
for number, (want, got) in enumerate(zip(expected, answers), 1):
    assert got in (want, "unknown"), "query %d: %s, not %s" % (number, got, want)
assert len(answers) <= len(expected)
print(sum(a in ("sat", "unsat") for a in answers))
P
solvers=
for s in z3 cvc5; do
    command -v "$s" >/dev/null && solvers="$solvers $s"
done
[ -n "$solvers" ] || fail "neither z3 nor cvc5 is installed: structure only"
run_solver() {
    case $1 in
    z3) z3 -T:60 "$2" ;;
    cvc5) cvc5 --incremental --fp-exp --tlimit-per=20000 "$2" ;;
    esac
}
queries=0
confirmed=0
for rule in slice_of_slice slice_undoes_pad pad_of_pad concat_is_associative \
    add_zero max_lowest mul_one reverse_of_reverse; do
    expect 0 "$rankwright" show "$rule" --smt2 --db "$db"
    cp "$work/out" "$work/$rule.smt2"
    python3 "$work/structure.py" "$work/$rule.smt2" >"$work/expected" \
        2>"$work/why" || { fail "$rule: $(tail -n 1 "$work/why")"; continue; }
    queries=$((queries + $(wc -l <"$work/expected")))
    for s in $solvers; do
        run_solver "$s" "$work/$rule.smt2" >"$work/answers" 2>&1
        n=$(python3 "$work/compare.py" "$work/expected" "$work/answers" \
            2>"$work/why") || { fail "$rule, $s: $(tail -n 1 "$work/why")"; n=0; }
        confirmed=$((confirmed + n))
    done
done
[ "$queries" -gt 20 ] || fail "only $queries queries"
[ -z "$solvers" ] || [ "$confirmed" -gt 20 ] ||
    fail "only $confirmed answers confirmed"
echo "$queries queries, $confirmed answers confirmed by:${solvers:- none}"
finish
