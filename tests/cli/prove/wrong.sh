#!/bin/sh
# Every false rule of tests/wrong is refuted, with a counterexample, in every
# domain that it claims.
. tests/lib/cli.sh
expect 1 "$rankwright" prove tests/wrong --db "$db" --json -j 2
python3 - "$work/out" <<'P' || fail "false rules"
import json, re, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
rules = {r["rule"] for r in rows}
assert len(rules) >= 150, len(rules)
claimed = [r for r in rows if r["claimed"]]
assert {r["rule"] for r in claimed} == rules
bad = [(r["rule"], r["domain"], r["verdict"], r["reason"]) for r in claimed
       if r["verdict"] != "refuted" or not r["counterexample"]]
assert not bad, bad
# What has no value at the edge is not refuted in the reals, nor proved.
lifted = set(re.findall(r"^rule (\w+)", open("tests/wrong/lift.rw").read(), re.M))
in_reals = [r for r in rows if r["rule"] in lifted and r["domain"] == "real"]
assert len(in_reals) >= 3, in_reals
bad = [r["rule"] for r in in_reals if r["verdict"] == "proved"]
assert not bad, bad
# A refutation in float has a grade, or says why it has none.
plain = "no grade: finite numbers differ by more than the sign of zero"
sides = "no grade: the right side is not well-defined, or has another shape"
floats = [r for r in rows if r["domain"] == "float" and r["verdict"] == "refuted"]
bare = [r for r in floats if r["grade"] == "none"]
assert all(r["reason"].startswith("no grade") for r in bare)
assert all(r["reason"] == sides for r in bare if r["counterexample"]["failure"] != "elements")
assert len([r for r in bare if r["reason"] == plain]) >= 150, len(bare)
# A domain is searched at the place, and with indices of the type, that another one was refuted by.
places = {json.dumps([r["counterexample"]["maps"], r["counterexample"]["index_type"]])
          for r in claimed if r["rule"] == "reverse_of_dynamic_slice"}
assert len(places) == 1, places
print(len(rules), "false rules refuted in", len(claimed), "claims")
P
expect 0 "$rankwright" query verdict=refuted --db "$db"
[ "$(grep -c 'left' "$work/out")" -ge 20 ] || fail "query shows counterexamples"
finish
