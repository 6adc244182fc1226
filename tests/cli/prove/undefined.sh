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
    "difference_of_logs": "right side undefined where A <= 0; add `where all(A > 0)`",
    "quotient_times_zero": "right side undefined where A = 0; add `where all(A != 0)`",
    "power_half": "both sides undefined where A < 0; add `where all(A >= 0)`",
    "log_of_shifted": "both sides undefined where A <= -1; add `where all(A > -1)`",
}
for name, text in said.items():
    assert reason[name] == text, (name, reason[name])
P
expect 0 "$rankwright" prove "$work/mended.rw" --domain real --db "$db"

# The same where no condition helps.
cat >"$work/never.rw" <<'R'
rule remainder_by_zero {
  axes x; map n on x; tensor A[x: n] : float;
  max(A, A) => max(A, A + 0 * rem(A, 0));
}
rule operator_elsewhere {
  axes x; map n on x; type T : float; op f : elementwise(T) -> T; tensor A[x: n] : T;
  f(A) => f(A) + 0 * f(0 * A);
}
rule operator_not_chosen {
  axes x; map n on x; type T : float; op f : elementwise(T) -> T;
  tensor A[x: n] : T, P[x: n] : bool;
  select(P, f(A), A) => select(P, f(A), A) + 0 * f(A);
}
rule operator_that_chooses {
  axes x; map n on x; type T : float; op f : elementwise(T) -> bool; tensor A[x: n] : T;
  A + 0 => select(f(A), A, A);
}
rule chosen_by_another_element {
  axes x; map n on x; type T : float; op f : elementwise(T) -> bool; tensor A[x: n] : T, B[x: n] : T;
  select(f(A), B, B) => select(f(B), B, B);
}
rule longer_sum {
  axes x; axis c; map n on x; map k, m on c; where 0 <= k, k <= m;
  tensor A[x: n, c: m] : float;
  reduce(+, log(slice(A, start={c: 0}, limit={c: k})), {c})
    => reduce(+, log(slice(A, start={c: 0}, limit={c: k})), {c}) + 0 * reduce(+, log(A), {c});
}
R
expect 2 "$rankwright" prove "$work/never.rw" --domain real --db "$db"
python3 - "$work/out" <<'P' || fail "parts without a value"
import re, sys
found = re.findall(r"real: the right side may have no value where the left side has one: (.*)", open(sys.argv[1]).read())
assert found == ["A % 0", "f(multiply(0, A))", "f(A)", "f(A)", "f(B)"], found
P

# Nor what hides a part: integers beside reals, laws of truth values, elements that no result
# depends on.
expect 2 "$rankwright" prove tests/rules/no_value.rw --domain real --db "$db" --no-search
[ "$(grep -c ': real unknown$' "$work/out")" = "$(grep -c '^rule' tests/rules/no_value.rw)" ] ||
    fail "a rule of no_value.rw is not unknown"

# A value on the right follows: the left side has the same part, conditions say it, a choice
# or signs do.
cat >"$work/follows.rw" <<'R'
rule same_part {
  axes x; map n on x; tensor A[x: n] : float;
  log(A) => log(A) + 0 * log(A) + 0 * rsqrt(A);
}
rule by_condition {
  axes x; map n on x; tensor A[x: n] : float, B[x: n] : float; where all(B != 0);
  A => A * (B / B) + 0 * (1 / (B * B));
}
rule by_choice {
  axes x; map n on x; tensor A[x: n] : float;
  A => A + 0 * select(A > 0, log(A), A);
}
rule by_signs {
  axes x; map n on x; tensor A[x: n] : float;
  A => A + 0 * log(exp(A) + 1) + 0 / broadcast(reduce(+, exp(A), {x}), {x: n});
}
rule by_equal_sums {
  axes x; map n on x; tensor A[x: n] : float, B[x: n] : float; where all(B != 0);
  A / broadcast(reduce(+, B, {x}), {x: n}) + 0 * A
    => A / broadcast(reduce(+, B, {x}), {x: n});
}
rule operator_at_the_same_place {
  axes x; map n on x; type T : float; op f : elementwise(T) -> T;
  tensor A[x: n] : T, P[x: n] : bool;
  select(P, f(A), A) => select(P, f(A) + 0 * f(A), A);
}
rule operator_below_sums {
  axes x; axis a; map n on x; map m on a; type T : float; op f : elementwise(T) -> T;
  tensor A[x: n, a: m] : T, B[x: n, a: m] : T;
  reduce(+, f(reverse(A, {a})) + f(B), {a}) => reduce(+, f(A), {a}) + reduce(+, f(B), {a});
}
rule choice_of_operands {
  axes x; map n on x; type T : float; op f : elementwise(T) -> T;
  tensor A[x: n] : T, B[x: n] : T, P[x: n] : bool;
  select(P, f(A), f(B)) => f(select(P, A, B));
}
rule shorter_sum {
  axes x; axis c; map n on x; map k, m on c; where 0 <= k, k <= m;
  tensor A[x: n, c: m] : float;
  reduce(+, log(A), {c}) => reduce(+, log(A), {c})
    + 0 * reduce(+, log(slice(A, start={c: 0}, limit={c: k})), {c});
}
R
expect 0 "$rankwright" prove "$work/follows.rw" --domain real --db "$db"

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
