#!/bin/sh
# The same function written with jnp and with lax (tests/programs/written.py): what jnp adds,
# calls of small functions with steps of their own, is gone after `simplify`.
. tests/lib/cli.sh
library
count() { grep -E '= "?(stablehlo\.|call )|= func.call' "$1" | grep -cv 'stablehlo.constant'; }
for jnp in tests/programs/written/*.jnp.mlir; do
    name=$(basename "$jnp" .jnp.mlir)
    for domain in real float; do
        for way in jnp lax; do
            expect 0 "$rankwright" simplify "${jnp%.jnp.mlir}.$way.mlir" --db "$db" \
                --domain $domain --cost nodes -o "$work/$way.mlir" --proof "$work/$way.json"
            expect 0 "$rankwright" check "$work/$way.json" --db "$db"
        done
        [ "$(count "$work/jnp.mlir")" -le "$(count "$work/lax.mlir")" ] ||
            fail "$name in $domain: $(count "$work/jnp.mlir") operations, with lax $(count "$work/lax.mlir")"
    done
    # in the last domain, float: the same bits
    expect 0 "$rankwright" eval "$jnp" --compare "$work/jnp.mlir"
done
[ "$(ls tests/programs/written/*.jnp.mlir | wc -l)" -ge 10 ] || fail "the programs are missing"
finish
