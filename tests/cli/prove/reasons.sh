#!/bin/sh
# Why a domain is unknown, in the words of the rule: the operands and their types, the reduction,
# the index, the operator without a value; not in those of the prover.
. tests/lib/cli.sh
cat >"$work/rules.rw" <<'R'
rule never_a_value {
  axes x; map n on x; tensor A[x: n] : float; claims real;
  (A - A) / (A - A) => 1 + 0 * A;
}
rule never_a_root {
  axes x; map n on x; tensor A[x: n] : float; claims real;
  A * sqrt(-1) => 0 * A;
}
rule remainder_by_itself {
  axes x; map n on x; tensor A[x: n] : float; claims real;
  rem(A, A) + A => A;
}
rule any_base {
  axes x; map n on x; tensor A[x: n] : float, B[x: n] : float; claims real;
  power(-2, A) * erf(B) => erf(B) * power(-2, A) + (erf(B) - erf(A)) * 0.0;
}
rule distribute {
  axes x; map n on x; tensor A[x: n] : float, B[x: n] : float; claims float;
  A * (B + 1) => A * B + A;
}
rule add_and_subtract {
  axes x; map n on x; type T : sint; type U : uint; tensor A[x: n] : T; claims word;
  convert(convert(A, U) + 1, T) => A + 1;
}
rule widened {
  axes x; map n on x; type T : float; tensor A[x: n] : int, B[x: n] : T; claims word;
  (convert(A, T) + B) - B => convert(A, T);
}
rule greatest_negated {
  axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float; claims float;
  reduce(max, -A, {y}) => -reduce(min, A, {y});
}
rule scatter_once {
  axis a, b; map n on a; map m on b; type I : int; where m <= 1, n >= 1;
  tensor A[a: n] : num, J[b: m] : I, U[b: m] : num; where all(0 <= J), all(J < value(n));
  claims int;
  gather(scatter(max, A, J, U, axis=a), J, axis=a) => max(gather(A, J, axis=a), U);
}
rule sums_in_another_order {
  axis x; axes y; map n on x; map m on y; tensor A[y: m, x: n] : float; claims float;
  reduce(+, reverse(A, {x}), {x}) => reduce(+, A, {x});
}
rule floats_in_int {
  axes x; map n on x; tensor A[x: n] : int; type T : float; claims int;
  convert(A, T) + 0 => convert(A, T);
}
rule integers_in_real {
  axes x; map n on x; tensor A[x: n] : int, B[x: n] : int; type T : float; claims real;
  convert(A * (B + 1), T) => convert(A * B + A, T);
}
rule index_computed {
  axis a; axes b; map n on a; map k on b; type I : int; where n >= 1;
  tensor A[a: n] : num, J[b: k] : I; where all(0 <= J), all(J < value(n)); claims int;
  gather(reverse(A, {a}), J, axis=a) => gather(A, value(n - 1) - J, axis=a);
}
R
expect 2 "$rankwright" prove "$work/rules.rw" --db "$db" --no-search --json
python3 - "$work/out" <<'P' || fail "reasons"
import json, sys
open_ = "no proof and no counterexample: the "
elements = open_ + "elements of the two sides may differ"
wanted = {
    "never_a_value": "left side undefined where it computes `(A - A)/(A - A)`: A - A = 0 for all elements that were tried",
    "never_a_root": "left side undefined where it computes `sqrt(-1)`",
    "remainder_by_itself": "left side undefined where A = 0; add `where all(A != 0)`",
    "any_base": None,  # a power of a negative number has a value for some exponents
    "distribute": elements,
    "add_and_subtract": elements + " for U of ui2 and A of i8",
    "widened": elements + " for B of f16 and A of i8",
    "greatest_negated": open_ + "reductions of the two sides may differ: "
                        "`reduce(maximum, -A, {y})`, `reduce(minimum, A, {y})`",
    "scatter_once": open_ + "reductions of the two sides may differ: `scatter(maximum, A, J, U, axis=a)`",
    "sums_in_another_order": open_ + "sums of the two sides may differ",
    "floats_in_int": "arithmetic on floats is not decided in this domain: T",
    "integers_in_real": "arithmetic on integers is not decided in this domain: A, B",
    "index_computed": elements + "; not known: which number the index `value(n - 1) - J` of `gather` is",
}
found = {r["rule"].split("/")[-1]: r["reason"] for r in map(json.loads, open(sys.argv[1])) if r["claimed"]}
bad = [(name, found.get(name)) for name, text in wanted.items()
       if text is not None and found.get(name) != text]
assert not bad, bad
assert "undefined where it computes" not in found["any_base"], found["any_base"]
P

# The advice on the remainder, taken, makes the rule proved.
cat >"$work/mended.rw" <<'R'
rule remainder_by_itself {
  axes x; map n on x; tensor A[x: n] : float; where all(A != 0);
  rem(A, A) + A => A;
}
rule remainder_by_another {
  axes x; map n on x; tensor A[x: n] : float, B[x: n] : float; where all(A != 0), all(A == B);
  rem(A, B) * rem(A, A) => 0 * A;
}
R
expect 0 "$rankwright" prove "$work/mended.rw" --domain real --db "$db"

# A domain that the rule does not claim is no answer without a word.
cat >"$work/claims.rw" <<'R'
rule claims_one {
  axis a; axes b; map n on a; map k on b; type I : int; where n >= 1;
  tensor A[a: n] : num, J[b: k] : I; where all(0 <= J), all(J < value(n)); claims int;
  gather(reverse(A, {a}), J, axis=a) => gather(A, value(n - 1) - J, axis=a);
}
rule claims_two {
  axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float; claims float;
  reduce(max, -A, {y}) => -reduce(min, A, {y});
}
rule claims_proved {
  axes x; map n on x; tensor A[x: n] : float; claims real;
  A + 0 => 0 + A;
}
R
for again in fresh stored; do
    expect 2 "$rankwright" prove "$work/claims.rw" --db "$db" --no-search
    grep 'not claimed' "$work/out" >"$work/lines"
    cat >"$work/wanted" <<'W'
    float, real, word: not claimed by the rule; add them to its `claims` to ask for a proof
    real: not claimed by the rule; add the domain to its `claims` to ask for a proof
W
    diff "$work/wanted" "$work/lines" || fail "$again: domains that are not claimed"
done
finish
