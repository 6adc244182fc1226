// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/paths.h"

#define MAX_PATHS 200

// A condition that is false on some axis of the family.
struct failed_condition {
    uint32_t family;
    expr_id cond;
};
struct rank_path {
    VEC(struct failed_condition) fails;
    struct u32_vec holds; // conditions that are true on every axis
};

// The family whose place the condition speaks of; NONE if of none.
static uint32_t family_of(const struct session *s, expr_id e)
{
    const struct exprs *x = &s->x;
    const struct expr *n = expr_at(x, e);
    if (n->kind == X_VAR)
        return x->var.at[n->sym].part % s->r->n_classes;
    if (n->kind == X_VALUE) // read at places of any family
        return NONE;
    for (uint32_t i = 0; i < n->n; i++) {
        uint32_t f = family_of(s, expr_arg(x, e, i));
        if (f != NONE)
            return f;
    }
    return NONE;
}

// A choice that stands below no other one.
static expr_id outer_pick(const struct exprs *x, expr_id e)
{
    struct u32_vec reach = {0};
    expr_id found = NO_EXPR;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) // users have larger ids
        if (expr_at(x, reach.at[i])->kind == X_PICK)
            found = reach.at[i];
    vec_release(&reach);
    return found;
}

// e where every choice on cond is decided.
static expr_id decided(struct exprs *x, expr_id e, expr_id cond, bool truth)
{
    for (bool again = true; again;) {
        struct u32_vec reach = {0};
        again = false;
        expr_reach(x, e, &reach);
        for (uint32_t i = reach.len; i-- > 0 && !again;) {
            expr_id p = reach.at[i];
            if (expr_at(x, p)->kind != X_PICK || expr_arg(x, p, 0) != cond)
                continue;
            expr_id to = expr_arg(x, p, truth ? 1 : 2);
            e = expr_subst(x, e, 1, &p, &to);
            again = true;
        }
        vec_release(&reach);
    }
    return e;
}

// Hypotheses of the family, and of the path, at one place.
static void known_at(struct rank_paths *p, const struct rank_path *q, uint32_t family,
                     struct u32_vec *out)
{
    struct session *s = p->s;
    const struct u32_vec *h = &p->hyps[family];
    for (uint32_t i = 0; i < h->len; i++)
        vec_push(out, h->at[i]);
    for (uint32_t i = 0; i < q->holds.len; i++)
        if (family_of(s, q->holds.at[i]) == family)
            vec_push(out, q->holds.at[i]);
}

// Can the condition be false on an axis where the path's conditions hold?
static bool can_fail(struct rank_paths *p, const struct rank_path *q,
                     const struct failed_condition *f)
{
    struct u32_vec all = {0};
    known_at(p, q, f->family, &all);
    bool can = !linear_proves(&p->s->l, all.len, all.at, f->cond);
    vec_release(&all);
    return can;
}

static bool feasible(struct rank_paths *p, const struct rank_path *q)
{
    for (uint32_t i = 0; i < q->fails.len; i++)
        if (!can_fail(p, q, &q->fails.at[i]))
            return false;
    return true;
}

// Of two failures, is an axis where the first fails one where the second does?
static bool serves(struct rank_paths *p, const struct rank_path *q,
                   const struct failed_condition *a, const struct failed_condition *b)
{
    if (a->family != b->family)
        return false;
    struct u32_vec all = {0};
    known_at(p, q, a->family, &all);
    vec_push(&all, expr_not(&p->s->x, a->cond));
    bool same =
        linear_proves(&p->s->l, all.len, all.at, expr_not(&p->s->x, b->cond));
    vec_release(&all);
    return same;
}

static uint32_t count_witnesses(struct rank_paths *p, const struct rank_path *q,
                                uint32_t family)
{
    struct u32_vec kept = {0};
    for (uint32_t i = 0; i < q->fails.len; i++) {
        const struct failed_condition *f = &q->fails.at[i];
        bool served = f->family != family;
        for (uint32_t k = 0; k < kept.len && !served; k++)
            served = serves(p, q, &q->fails.at[kept.at[k]], f);
        if (served)
            continue;
        // Those kept before that this one serves are not needed.
        uint32_t n = 0;
        for (uint32_t k = 0; k < kept.len; k++)
            if (!serves(p, q, f, &q->fails.at[kept.at[k]]))
                kept.at[n++] = kept.at[k];
        kept.len = n;
        vec_push(&kept, i);
    }
    uint32_t n = kept.len;
    vec_release(&kept);
    return n;
}

bool rank_paths_same_classes(const struct tensor_var *a, const struct tensor_var *b)
{
    bool same = a->n_sizes == b->n_sizes;
    for (uint32_t i = 0; i < a->n_sizes && same; i++)
        same = a->sizes[i].cls == b->sizes[i].cls;
    return same;
}

// Do two reads agree on every axis of the family, whatever the rank?
static bool agree(struct rank_paths *p, const struct rank_path *q, uint32_t family,
                  expr_id a, expr_id b)
{
    struct session *s = p->s;
    struct exprs *x = &s->x;
    const struct tensor_var *t = &s->r->tensors[expr_at(x, a)->sym];
    struct u32_vec all = {0}, eq = {0};
    if (!rank_paths_same_classes(t, &s->r->tensors[expr_at(x, b)->sym]))
        return false;
    for (uint32_t i = 0; i < expr_at(x, a)->n; i++)
        if (denote_family(s->r, t->sizes[i].cls) == family &&
            expr_arg(x, a, i) != expr_arg(x, b, i))
            vec_push(&eq, expr_eq(x, expr_arg(x, a, i), expr_arg(x, b, i)));
    bool same = eq.len == 0;
    if (!same) {
        known_at(p, q, family, &all);
        same =
            linear_proves(&s->l, all.len, all.at, expr_and(x, eq.len, eq.at));
    }
    vec_release(&all);
    vec_release(&eq);
    return same;
}

static void reads_of(const struct exprs *x, expr_id e, struct u32_vec *out)
{
    struct u32_vec reach = {0};
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        bool known = expr_at(x, reach.at[i])->kind != X_ACCESS;
        for (uint32_t k = 0; k < out->len && !known; k++)
            known = out->at[k] == reach.at[i];
        if (!known)
            vec_push(out, reach.at[i]);
    }
    vec_release(&reach);
}

// Different points among the reads of each group, less one, summed.
static uint32_t count_separators(struct rank_paths *p, const struct rank_path *q,
                                 uint32_t family, const struct u32_vec *reads)
{
    const struct exprs *x = &p->s->x;
    uint32_t sum = 0;
    for (uint32_t t = 0; t < p->s->r->n_tensors; t++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < reads->len; i++) {
            bool known = p->group[expr_at(x, reads->at[i])->sym] != t;
            for (uint32_t j = 0; j < i && !known; j++)
                known = p->group[expr_at(x, reads->at[j])->sym] == t &&
                        agree(p, q, family, reads->at[i], reads->at[j]);
            n += !known;
        }
        sum += n > 1 ? n - 1 : 0;
    }
    return sum;
}

// Both sides with reads that agree everywhere made one.
static bool leaf_is_equal(struct rank_paths *p, const struct rank_path *q, expr_id a,
                          expr_id b, const struct u32_vec *reads)
{
    struct session *s = p->s;
    struct exprs *x = &s->x;
    for (uint32_t i = 0; i < reads->len; i++)
        for (uint32_t j = 0; j < i; j++) {
            expr_id u = reads->at[i], v = reads->at[j];
            bool same = expr_at(x, u)->sym == expr_at(x, v)->sym;
            for (uint32_t f = 0; f < s->r->n_classes && same; f++)
                same = denote_family(s->r, f) != f || agree(p, q, f, u, v);
            if (!same)
                continue;
            a = expr_subst(x, a, 1, &u, &v);
            b = expr_subst(x, b, 1, &u, &v);
            break;
        }
    return a == b && !s->p.overflow;
}

static void count_leaf(struct rank_paths *p, const struct rank_path *q, expr_id a,
                       expr_id b)
{
    struct session *s = p->s;
    struct u32_vec reads = {0};
    if (++p->n_paths > MAX_PATHS)
        p->too_many = true;
    reads_of(&s->x, a, &reads);
    reads_of(&s->x, b, &reads);
    if (!leaf_is_equal(p, q, a, b, &reads))
        for (uint32_t f = 0; f < s->r->n_classes; f++) {
            if (denote_family(s->r, f) != f || denote_one_axis(s->r, f))
                continue;
            struct rank_need n = {count_witnesses(p, q, f),
                             count_separators(p, q, f, &reads)};
            struct rank_need *worst = &p->need[f];
            if (n.witnesses + n.separators >
                worst->witnesses + worst->separators)
                *worst = n;
        }
    vec_release(&reads);
}

static void walk(struct rank_paths *p, struct rank_path *q, expr_id a, expr_id b);

// The branch where `part`, a conjunct group of the condition, is false on some
// axis of its family.
static void walk_false(struct rank_paths *p, struct rank_path *q, expr_id a, expr_id b,
                       struct failed_condition f)
{
    vec_push(&q->fails, f);
    if (feasible(p, q))
        walk(p, q, a, b);
    (void)vec_pop(&q->fails);
}

// Conjuncts of a condition, by family.
static expr_id part_of_cond(struct session *s, expr_id cond, uint32_t family)
{
    struct exprs *x = &s->x;
    if (expr_at(x, cond)->kind != X_AND)
        return family_of(s, cond) == family ? cond : expr_true(x);
    expr_id out = expr_true(x);
    for (uint32_t i = 0; i < expr_at(x, cond)->n; i++) {
        expr_id c = expr_arg(x, cond, i);
        if (family_of(s, c) == family)
            out = expr_and2(x, out, c);
    }
    return out;
}

static void walk(struct rank_paths *p, struct rank_path *q, expr_id a, expr_id b)
{
    struct session *s = p->s;
    struct exprs *x = &s->x;
    expr_id pick = outer_pick(x, a);
    if (pick == NO_EXPR)
        pick = outer_pick(x, b);
    if (p->too_many)
        return;
    if (pick == NO_EXPR) {
        count_leaf(p, q, a, b);
        return;
    }
    expr_id cond = expr_arg(x, pick, 0);
    // A condition that is constant at one axis no longer shows which class
    // decides it: true is true at every rank, anything else is left to the
    // plain count.
    bool constant = family_of(s, cond) == NONE;
    if (constant && expr_at(x, cond)->kind != X_TRUE) {
        p->too_many = true;
        return;
    }
    uint32_t held = q->holds.len;
    for (uint32_t f = 0; f < s->r->n_classes; f++) {
        expr_id part = part_of_cond(s, cond, f);
        if (!constant && expr_at(x, part)->kind != X_TRUE)
            vec_push(&q->holds, part);
    }
    if (feasible(p, q))
        walk(p, q, decided(x, a, cond, true), decided(x, b, cond, true));
    q->holds.len = held;
    expr_id na = decided(x, a, cond, false), nb = decided(x, b, cond, false);
    if (constant)
        return;
    for (uint32_t f = 0; f < s->r->n_classes; f++) {
        expr_id part = part_of_cond(s, cond, f);
        if (expr_at(x, part)->kind != X_TRUE)
            walk_false(p, q, na, nb, (struct failed_condition){f, part});
    }
}

void rank_paths_walk(struct rank_paths *p, expr_id a, expr_id b)
{
    struct rank_path q = {.holds = {0}};
    walk(p, &q, a, b);
    vec_release(&q.fails);
    vec_release(&q.holds);
}
