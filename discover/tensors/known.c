// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"

static bool rewrites(const struct kept_rule *k, const struct sketch *s,
                     unsigned node)
{
    return sketch_matches(&k->r.lhs, k->r.spectator,
                          k->r.general != GENERAL_NOT, false, s, node);
}

// Does a rule without preconditions rewrite the sketch somewhere?
bool search_reducible(const struct rule_search *w, const struct sketch *s)
{
    for (uint32_t i = 0; i < w->kept.len; i++) {
        const struct kept_rule *k = &w->kept.at[i];
        if (!k->whole || k->permutes || k->r.lhs.n_ops > s->n_ops)
            continue;
        for (unsigned n = s->n; n-- > 0;)
            if (rewrites(k, s, n))
                return true;
    }
    return false;
}

// Both sides below one node, so that pairs are matched as terms are.
static bool pair_of(const struct sketch *l, const struct sketch *r,
                    struct sketch *out)
{
    unsigned root = l->n - 1u;
    *out = *l;
    if (l->n + r->n + 1 > SKETCH_NODES)
        return false;
    for (unsigned i = 0; i < r->n; i++) {
        struct sketch_node p = r->node[i];
        for (unsigned k = 0; k < 3; k++)
            p.arg[k] = (uint8_t)(p.arg[k] + root + 1);
        out->node[out->n++] = p;
    }
    unsigned right = out->n - 1u;
    out->node[out->n++] =
        (struct sketch_node){.kind = SKETCH_CONCAT,
                             .what = 9,
                             .arg = {(uint8_t)root, (uint8_t)right}};
    return true;
}

// Is the pair, or its reverse, an instance of a kept one with other variables
// for its variables?  (Where two of them become one more may hold.)
static bool known_pair(const struct rule_search *w, const struct sketch *l,
                       const struct sketch *r)
{
    struct sketch s, t;
    if (!pair_of(l, r, &s) || !pair_of(r, l, &t))
        return false;
    for (uint32_t i = 0; i < w->pairs.len; i++) {
        const struct kept_pair *p = &w->pairs.at[i];
        if (p->pair.n <= s.n &&
            (sketch_matches(&p->pair, p->spectator, p->any_binary, true, &s,
                            s.n - 1u) ||
             sketch_matches(&p->pair, p->spectator, p->any_binary, true, &t,
                            t.n - 1u)))
            return true;
    }
    return false;
}

void search_keep_pair(struct rule_search *w, const struct rule_sketch *r)
{
    struct kept_pair p = {.spectator = r->spectator,
                          .any_binary = r->general != GENERAL_NOT};
    if (pair_of(&r->lhs, &r->rhs, &p.pair))
        vec_push(&w->pairs, p);
}

// Instances of kept pairs, below operators that both sides share.
bool search_congruent(const struct rule_search *w, const struct sketch *l,
                      const struct sketch *r)
{
    struct sketch a = *l, b = *r;
    for (;;) {
        const struct sketch_node *p = &a.node[a.n - 1], *q = &b.node[b.n - 1];
        struct sketch x[3], y[3];
        unsigned differ = 0, which = 0;
        if (known_pair(w, &a, &b))
            return true;
        if (p->kind != q->kind || p->what != q->what || p->acts != q->acts ||
            sketch_arity(p->kind) == 0 ||
            sketch_node_slots(p) + sketch_node_slots(q) > 0)
            return false;
        for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
            sketch_below(&a, p->arg[k], &x[k]);
            sketch_below(&b, q->arg[k], &y[k]);
            if (!sketch_same(&x[k], &y[k])) {
                differ++;
                which = k;
            }
        }
        if (differ != 1)
            return differ == 0;
        a = x[which];
        b = y[which];
    }
}
