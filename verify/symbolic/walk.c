// SPDX-License-Identifier: Apache-2.0
// The expressions below an expression, and substitution.
#include "verify/symbolic/expr.h"

// An expression is marked if its entry is the number of the current walk.  So no walk clears the
// marks of the one before: there are far more expressions than one walk meets.
struct walk {
    struct u32_vec mark; // by expression
    uint32_t turn;
};

struct walk *walk_new(void)
{
    return mem_alloc(sizeof(struct walk));
}

void walk_free(struct walk *walk)
{
    if (walk == NULL)
        return;
    vec_release(&walk->mark);
    mem_free(walk);
}

static struct walk *walk_begin(const struct exprs *exprs)
{
    struct walk *walk = exprs->walk;
    while (walk->mark.len < exprs->node.len)
        vec_push(&walk->mark, 0);
    if (++walk->turn == 0) {
        for (uint32_t i = 0; i < walk->mark.len; i++)
            walk->mark.at[i] = 0;
        walk->turn = 1;
    }
    return walk;
}

// Appends the expression, unless the walk has met it.
static void meet(struct walk *walk, expr_id e, struct u32_vec *out)
{
    if (walk->mark.at[e] == walk->turn)
        return;
    walk->mark.at[e] = walk->turn;
    vec_push(out, e);
}

static int by_id(const void *a, const void *b)
{
    expr_id x = *(const expr_id *)a, y = *(const expr_id *)b;
    return x < y ? -1 : x > y;
}

void expr_reach(const struct exprs *exprs, expr_id e, struct u32_vec *out)
{
    struct walk *walk = walk_begin(exprs);
    uint32_t from = out->len;
    meet(walk, e, out);
    for (uint32_t i = from; i < out->len; i++)
        for (uint32_t k = 0, n = exprs->node.at[out->at[i]].n; k < n; k++)
            meet(walk, expr_arg(exprs, out->at[i], k), out);
    qsort(out->at + from, out->len - from, sizeof *out->at, by_id);
}

// The place of an expression in an ascending list that has it.
static uint32_t place_of(const struct u32_vec *list, expr_id e)
{
    uint32_t low = 0, high = list->len - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->at[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

expr_id expr_subst(struct exprs *exprs, expr_id e, uint32_t n, const expr_id *from,
                   const expr_id *to)
{
    struct u32_vec reach = {0}, args = {0};
    expr_reach(exprs, e, &reach);
    expr_id *map = mem_alloc(reach.len * sizeof *map); // by place in `reach`
    for (uint32_t i = 0; i < reach.len; i++) {
        expr_id old = reach.at[i];
        map[i] = old;
        bool replaced = false, changed = false;
        for (uint32_t k = 0; k < n && !replaced; k++)
            if (from[k] == old) {
                map[i] = to[k];
                replaced = true;
            }
        if (replaced)
            continue;
        vec_clear(&args);
        for (uint32_t k = 0; k < exprs->node.at[old].n; k++) {
            expr_id a = expr_arg(exprs, old, k);
            vec_push(&args, map[place_of(&reach, a)]);
            changed |= args.at[k] != a;
        }
        if (changed)
            map[i] = expr_with_args(exprs, old, args.at);
    }
    expr_id out = map[reach.len - 1]; // e has the greatest id
    mem_free(map);
    vec_release(&reach);
    vec_release(&args);
    return out;
}

bool expr_contains(const struct exprs *exprs, expr_id e, expr_id part)
{
    if (part > e)
        return false;
    // Arguments have smaller ids, so what is below `part` does not contain it.
    struct walk *walk = walk_begin(exprs);
    struct u32_vec met = {0};
    bool found = e == part;
    meet(walk, e, &met);
    for (uint32_t i = 0; i < met.len && !found; i++)
        for (uint32_t k = 0, n = exprs->node.at[met.at[i]].n; k < n && !found; k++) {
            expr_id a = expr_arg(exprs, met.at[i], k);
            found = a == part;
            if (a > part)
                meet(walk, a, &met);
        }
    vec_release(&met);
    return found;
}
