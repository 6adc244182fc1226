#!/bin/sh
# What a database says of a rule when a formula is simplified. The plain rules come without the
# texts of the rules and without the ground of their proofs, which are read of the rules that the
# result uses: damage there is refused, and a rule that is not proved does not run.
. tests/lib/cli.sh
library
mine=$work/mine.db
RANKWRIGHT_LIBRARY=$PWD/rules/library
export RANKWRIGHT_LIBRARY
sql() { # DATABASE SQL
    python3 - "$@" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("pragma foreign_keys = 0")
for statement in sys.argv[2].split(";"):
    print("\n".join("|".join(map(str, row)) for row in c.execute(statement)))
c.commit()
P
}
expect 0 "$rankwright" simplify -e x --db "$db" # plain rules are made, if they are missing
circle='sin(x)^2 + cos(x)^2'
rule="(select hash from rule where name = 'sum_of_squared_sine_and_cosine')"
run() { # DATABASE NAME: the result and its record
    expect 0 "$rankwright" simplify -e "$circle" --db "$1" --proof "$work/$2.json"
    cp "$work/out" "$work/$2.text"
}
run "$db" want
has "$work/want.text" '^1$'
has "$work/want.json" 'sum_of_squared_sine_and_cosine'

# ---- damage of a rule that is used, in the one layer and in the library
for change in "update rule set canonical = replace(canonical, 'sin', 'tan') where hash = $rule|the text" \
    "delete from obligation where rule = $rule|has no obligations" \
    "insert into counterexample values ($rule, 'real', '{}')|has a counterexample"; do
    cp "$db" "$work/changed.db"
    sql "$work/changed.db" "${change%|*}" >/dev/null
    expect 74 "$rankwright" simplify -e "$circle" --db "$work/changed.db"
    one_message
    has "$work/err" "${change#*|}"
    [ -s "$work/out" ] && fail "a result in spite of: $change"
    expect 0 "$rankwright" simplify -e 'x + 0' --db "$work/changed.db" # that does not use it
    has "$work/out" '^x$'
    RANKWRIGHT_LIBRARY_DATABASE=$work/changed.db
    expect 74 "$rankwright" simplify -e "$circle" --db "$mine"
    has "$work/err" "${change#*|}"
    RANKWRIGHT_LIBRARY_DATABASE=
done

# ---- a rule that is not proved there, that no name stands for, or that is no plain rule
for change in "update verdict set verdict = 'unknown' where rule = $rule" \
    "update verdict set verifier = '0' where rule = $rule" \
    "update verdict set semantics = '0' where rule = $rule" \
    "delete from verdict where rule = $rule and domain = 'real'" \
    "update named set domain = 'bool' where rule = $rule" \
    "update named set domain = '' where rule = $rule" \
    "delete from current where hash = $rule"; do
    cp "$db" "$work/changed.db"
    sql "$work/changed.db" "$change" >/dev/null
    run "$work/changed.db" changed
    grep -q sum_of_squared_sine_and_cosine "$work/changed.json" && fail "used in spite of: $change"
done

# ---- lines that the rule does not say
cp "$db" "$work/changed.db"
sql "$work/changed.db" "update named set forward = '@: (add ?a ?b) => ?a' || char(10) where rule = $rule" \
    >/dev/null
expect 74 "$rankwright" simplify -e "$circle + y" --db "$work/changed.db"
one_message
has "$work/err" 'the plain rule of sum_of_squared_sine_and_cosine in the database is damaged'
[ -s "$work/out" ] && fail "a result by a damaged rule"

# ---- the same bytes without plain rules, which are made again, and over a library
cp "$db" "$work/none.db"
sql "$work/none.db" "delete from named" >/dev/null
run "$work/none.db" none
cmp -s "$work/want.json" "$work/none.json" || fail "another record without plain rules"
[ "$(sql "$work/none.db" 'select rule, domain, forward, backward from named order by 1' | cksum)" = \
    "$(sql "$db" 'select rule, domain, forward, backward from named order by 1' | cksum)" ] ||
    fail "other plain rules"
chmod a-w "$db"
RANKWRIGHT_LIBRARY_DATABASE=$db
run "$mine" layers
cmp -s "$work/want.json" "$work/layers.json" || fail "another record over a library"
# of a rule of which both layers speak, the views say what is proved
RANKWRIGHT_LIBRARY_DATABASE=
cp "$db" "$work/both.db"
chmod u+w "$work/both.db"
RANKWRIGHT_LIBRARY_DATABASE=$db
run "$work/both.db" both
cmp -s "$work/want.json" "$work/both.json" || fail "another record over a library, of the same rules"
sql "$work/both.db" "update verdict set verdict = 'unknown', reason = 'internal: x' where rule = $rule
    and domain = 'real'" >/dev/null
run "$work/both.db" both
grep -q sum_of_squared_sine_and_cosine "$work/both.json" && fail "used in spite of a contradiction"
finish
