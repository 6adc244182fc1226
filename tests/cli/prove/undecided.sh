#!/bin/sh
# Rules that the prover does not decide: unknown with a reason, status 2,
# never refuted; the false ones that no instance refutes are not proved.
. tests/lib/cli.sh
expect 2 "$rankwright" prove tests/rules/undecided.rw --db "$db" --json
python3 - "$work/out" <<'P' || fail "undecided rules"
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
claimed = [r for r in rows if r["claimed"]]
assert not [r for r in claimed if r["verdict"] == "refuted"]
unknown = [r for r in claimed if r["verdict"] == "unknown"]
assert unknown and all(r["reason"] for r in unknown)
false = ("sum_of_rounded_products", "window_as_features")
undecided = [r["rule"].split("/")[-1] for r in unknown if r["domain"] == "float"]
assert all(name in undecided for name in false)
valueless = ("mean_of_equal_or_none", "log_of_any_scaled_sum", "sum_cancels_zero")
undecided = [r["rule"].split("/")[-1] for r in unknown if r["domain"] == "real"]
assert all(name in undecided for name in valueless)
P
finish
