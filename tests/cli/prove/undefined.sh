#!/bin/sh
# A rule that is true wherever both sides have a value: the reason of `unknown` over the reals
# says where a side has none, and names a condition.  The condition is added to the rule, and the
# rule is then proved.
. tests/lib/cli.sh
expect 2 "$rankwright" prove tests/rules/undefined.rw --domain real --db "$db" --json
python3 - "$work/out" tests/rules/undefined.rw "$work/mended.rw" <<'P' || fail "reasons"
import json, re, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
rules = re.findall(r"^rule (\w+) \{\n(.*?)^\}\n", open(sys.argv[2]).read(), re.M | re.S)
assert len(rules) >= 15 and len(rows) == len(rules)
reason = {r["rule"].split("/")[-1]: r["reason"] for r in rows if r["verdict"] == "unknown"}
form = re.compile(r"(both sides|left side|right side) undefined where .*; add `where (all\(.*\))`$")
with open(sys.argv[3], "w") as out:
    for name, body in rules:
        advice = form.match(reason[name])
        assert advice, (name, reason[name])
        out.write(f"rule {name} {{\n  where {advice[2]};\n{body}}}\n")
said = {
    "quotient_times_divisor": "left side undefined where B = 0; add `where all(B != 0)`",
    "number_as_quotient": "right side undefined where B = 0; add `where all(B != 0)`",
    "log_of_product": "left side undefined where A*B <= 0, right side undefined where A <= 0 or B <= 0; "
                      "add `where all(A > 0), all(B > 0)`",
    "square_of_root_of_difference": "left side undefined where A - B < 0; add `where all(A - B >= 0)`",
    "quotient_by_padded": "left side undefined where B = 0 or v = 0; add `where all(B != 0), all(v != 0)`",
    "log_of_shifted": "both sides undefined where A <= -1; add `where all(A > -1)`",
}
for name, text in said.items():
    assert reason[name] == text, (name, reason[name])
P
expect 0 "$rankwright" prove "$work/mended.rw" --domain real --db "$db"

# No advice where no condition of this kind helps.
cat >"$work/false.rw" <<'R'
rule other_root {
  axes x; map n on x; tensor A[x: n] : float, B[x: n] : float;
  tanh(A / B) => tanh(A) / tanh(B) + tanh(A / B) - tanh(A) / tanh(B) + erf(B) * (erf(A) - erf(A * 1.5));
}
R
"$rankwright" prove "$work/false.rw" --domain real --db "$db" --no-search >"$work/out"
grep -q 'add `where' "$work/out" && fail "advice that proves nothing"
finish
