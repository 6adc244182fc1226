#!/bin/sh
# Real programs: each gets smaller or stays equal, means the same, its record
# is accepted, reading and printing are stable.
. tests/lib/cli.sh
library
total=0
for program in tests/programs/*.mlir; do
    name=$(basename "$program" .mlir)
    for domain in real float; do
        out=$work/$name.$domain.mlir
        record=$work/$name.$domain.json
        expect 0 "$rankwright" simplify "$program" --db "$db" --domain $domain \
            -o "$out" --proof "$record" --json
        cp "$work/out" "$work/summary"
        python3 - "$work/summary" "$name" $domain <<'P' || fail "$name: cost"
import json, sys
s = json.loads(open(sys.argv[1]).read())
assert {"nodes", "classes", "iterations", "cost_before", "cost_after", "stop", "steps", "seconds"} <= set(s)
assert s["cost_after"] <= s["cost_before"], s
print(sys.argv[2], sys.argv[3], s)
P
        expect 0 "$rankwright" check "$record" --db "$db"
        expect 0 "$rankwright" explain "$record" --db "$db"
        tolerance=0
        [ $domain = float ] || tolerance=1e-3
        for seed in 1 2 3; do
            expect 0 "$rankwright" eval "$program" --compare "$out" --seed $seed \
                --tolerance $tolerance
        done
        # the output reads and prints as itself
        echo 'rule unused { axes x; map n on x; tensor A[x: n] : float; cosine(tanh(A)) => cosine(tanh(A)); }' \
            >"$work/unused.rw"
        expect 0 "$rankwright" simplify "$out" --db "$db" --domain $domain \
            --rules "$work/unused.rw" -o "$work/again.mlir" --json
        cmp -s "$out" "$work/again.mlir" || fail "$name: printing is not stable"
        # and what stays costs what it cost
        python3 - "$work/summary" "$work/out" <<'P' || fail "$name: cost of what stays"
import json, sys
first, again = (json.load(open(f)) for f in sys.argv[1:])
costs = first["cost_after"], again["cost_before"], again["cost_after"]
assert max(costs) - min(costs) <= 1e-9 * max(costs), costs
P
        total=$((total + 1))
    done
done
[ "$total" -ge 12 ] || fail "too few programs"

# equal inputs give equal bytes
expect 0 "$rankwright" simplify tests/programs/stencil.mlir --db "$db" -o "$work/a.mlir" --proof "$work/a.json"
expect 0 "$rankwright" simplify tests/programs/stencil.mlir --db "$db" -o "$work/b.mlir" --proof "$work/b.json"
cmp -s "$work/a.mlir" "$work/b.mlir" || fail "different programs"
cmp -s "$work/a.json" "$work/b.json" || fail "different records"
expect 0 "$rankwright" query "record=$work/a.json" --db "$db"
[ -s "$work/out" ] || fail "the record's rules"

# limits are answers
expect 2 "$rankwright" simplify tests/programs/transformer.mlir --db "$db" --nodes 10 -o "$work/l.mlir"
expect 0 "$rankwright" eval tests/programs/transformer.mlir --compare "$work/l.mlir"
finish
