// SPDX-License-Identifier: Apache-2.0
// The expressions below an expression, and substitution.
#include "verify/symbolic/expr.h"

void expr_reach(const struct exprs *exprs, expr_id e, struct u32_vec *out)
{
    // Arguments have smaller ids, so one downward sweep over marks suffices.
    uint8_t *mark = mem_alloc((size_t)e + 1);
    mark[e] = 1;
    uint32_t count = 0;
    for (expr_id i = e + 1; i-- > 0;) {
        if (!mark[i])
            continue;
        count++;
        for (uint32_t k = 0; k < exprs->node.at[i].n; k++)
            mark[expr_arg(exprs, i, k)] = 1;
    }
    vec_reserve(out, out->len + count);
    for (expr_id i = 0; i <= e; i++)
        if (mark[i])
            vec_push(out, i);
    mem_free(mark);
}

expr_id expr_subst(struct exprs *exprs, expr_id e, uint32_t n, const expr_id *from,
                   const expr_id *to)
{
    struct u32_vec reach = {0}, args = {0};
    expr_reach(exprs, e, &reach);
    expr_id *map = mem_alloc(((size_t)e + 1) * sizeof *map);
    for (uint32_t i = 0; i < reach.len; i++) {
        expr_id old = reach.at[i];
        map[old] = old;
        bool replaced = false, changed = false;
        for (uint32_t k = 0; k < n && !replaced; k++)
            if (from[k] == old) {
                map[old] = to[k];
                replaced = true;
            }
        if (replaced)
            continue;
        vec_clear(&args);
        for (uint32_t k = 0; k < exprs->node.at[old].n; k++) {
            expr_id a = expr_arg(exprs, old, k);
            vec_push(&args, map[a]);
            changed |= map[a] != a;
        }
        if (changed)
            map[old] = expr_with_args(exprs, old, args.at);
    }
    expr_id out = map[e];
    mem_free(map);
    vec_release(&reach);
    vec_release(&args);
    return out;
}

bool expr_contains(const struct exprs *exprs, expr_id e, expr_id part)
{
    if (part > e)
        return false;
    struct u32_vec reach = {0};
    expr_reach(exprs, e, &reach);
    bool found = false;
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = reach.at[i] == part;
    vec_release(&reach);
    return found;
}
