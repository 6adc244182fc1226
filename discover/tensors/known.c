// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "discover/limits.h"

static bool rewrites(const struct kept_rule *kept, const struct sketch *sketch, unsigned node)
{
    return sketch_matches(&kept->pair.lhs, kept->pair.spectator, kept->pair.general != GENERAL_NOT,
                          false, sketch, node);
}

// Does a rule without preconditions rewrite the sketch somewhere?
bool search_reducible(const struct rule_search *search, const struct sketch *sketch)
{
    for (uint32_t i = 0; i < search->kept.len; i++) {
        const struct kept_rule *kept = &search->kept.at[i];
        if (!kept->whole || kept->permutes || kept->pair.lhs.n_ops > sketch->n_ops)
            continue;
        for (unsigned n = sketch->n; n-- > 0;)
            if (rewrites(kept, sketch, n))
                return true;
    }
    return false;
}

// Puts both sides below one node, so that pairs are matched as terms are.
static bool pair_of(const struct sketch *l, const struct sketch *r, struct sketch *out)
{
    unsigned root = l->n - 1u;
    *out = *l;
    if (l->n + r->n + 1 > SKETCH_NODES)
        return false;
    for (unsigned i = 0; i < r->n; i++) {
        struct sketch_node node = r->node[i];
        for (unsigned k = 0; k < 3; k++)
            node.arg[k] = (uint8_t)(node.arg[k] + root + 1);
        out->node[out->n++] = node;
    }
    unsigned right = out->n - 1u;
    out->node[out->n++] = (struct sketch_node){
        .kind = SKETCH_CONCAT, .what = 9, .arg = {(uint8_t)root, (uint8_t)right}};
    return true;
}

// Is the pair, or its reverse, an instance of a kept pair with other variables
// for its variables?  Variables must stay distinct, because further rules may
// hold if two of them become one.
static bool known_pair(const struct rule_search *search, const struct sketch *l,
                       const struct sketch *r)
{
    struct sketch sketch, t;
    if (!pair_of(l, r, &sketch) || !pair_of(r, l, &t))
        return false;
    for (uint32_t i = 0; i < search->pairs.len; i++) {
        const struct kept_pair *pair = &search->pairs.at[i];
        if (pair->pair.n <= sketch.n &&
            (sketch_matches(&pair->pair, pair->spectator, pair->any_binary, true, &sketch,
                            sketch.n - 1u) ||
             sketch_matches(&pair->pair, pair->spectator, pair->any_binary, true, &t, t.n - 1u)))
            return true;
    }
    return false;
}

void search_keep_pair(struct rule_search *search, const struct rule_sketch *pair)
{
    struct kept_pair p = {.spectator = pair->spectator, .any_binary = pair->general != GENERAL_NOT};
    if (pair_of(&pair->lhs, &pair->rhs, &p.pair))
        vec_push(&search->pairs, p);
}

// Is the pair an instance of a kept pair below operators that both sides share?
bool search_congruent(const struct rule_search *search, const struct sketch *l,
                      const struct sketch *r)
{
    struct sketch sketch = *l, b = *r;
    for (;;) {
        const struct sketch_node *node = &sketch.node[sketch.n - 1], *q = &b.node[b.n - 1];
        struct sketch x[3], y[3];
        unsigned differ = 0, which = 0;
        if (known_pair(search, &sketch, &b))
            return true;
        if (node->kind != q->kind || node->what != q->what || node->acts != q->acts ||
            sketch_arity(node->kind) == 0 || sketch_node_slots(node) + sketch_node_slots(q) > 0)
            return false;
        for (unsigned k = 0; k < sketch_arity(node->kind); k++) {
            sketch_below(&sketch, node->arg[k], &x[k]);
            sketch_below(&b, q->arg[k], &y[k]);
            if (!sketch_same(&x[k], &y[k])) {
                differ++;
                which = k;
            }
        }
        if (differ != 1)
            return differ == 0;
        sketch = x[which];
        b = y[which];
    }
}
