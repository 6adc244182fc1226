// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/template.h"

static bool is_many(const struct rule *r, uint32_t cls)
{
    return !denote_one_axis(r, cls);
}

uint64_t rank_template_scope(const struct rank_template *l, expr_id e)
{
    const struct exprs *x = &l->s->x;
    struct u32_vec reach = {0};
    uint64_t scope = 0;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct expr *n = expr_at(x, reach.at[i]);
        if (n->kind != X_VAR)
            continue;
        uint32_t part = x->var.at[n->sym].part;
        scope |= part == NONE ? UINT64_MAX
                              : UINT64_C(1) << part % l->s->r->n_classes;
    }
    vec_release(&reach);
    return scope;
}

expr_id rank_template_part(const struct rank_template *l, expr_id cond, uint32_t family)
{
    struct exprs *x = &l->s->x;
    const struct expr n = *expr_at(x, cond);
    expr_id out = expr_true(x);
    for (uint32_t i = 0; i < (n.kind == X_AND ? n.n : 1); i++) {
        expr_id c = n.kind == X_AND ? expr_arg(x, cond, i) : cond;
        uint64_t scope = rank_template_scope(l, c);
        bool here = family == NONE ? (scope & l->many) == 0
                                   : scope == UINT64_C(1) << family;
        if (here)
            out = expr_and2(x, out, c);
    }
    return out;
}

expr_id rank_template_apply(struct exprs *x, const struct rank_template_map *m, expr_id e)
{
    struct u32_vec reach = {0}, args = {0};
    expr_reach(x, e, &reach);
    expr_id *to = mem_alloc(((size_t)e + 1) * sizeof *to);
    for (uint32_t i = 0; i < reach.len; i++) {
        expr_id old = reach.at[i];
        const struct expr n = *expr_at(x, old);
        to[old] = old;
        if (expr_sort(x, old) != SORT_ELEM)
            continue;
        if (n.kind == X_ACCESS) {
            to[old] = m->read(m->ctx, old);
            continue;
        }
        vec_clear(&args);
        for (uint32_t k = 0; k < n.n; k++) {
            expr_id a = expr_arg(x, old, k);
            vec_push(&args,
                     n.kind == X_PICK && k == 0 ? m->cond(m->ctx, a) : to[a]);
        }
        to[old] = expr_with_args(x, old, args.at);
    }
    expr_id out = to[e];
    mem_free(to);
    vec_release(&reach);
    vec_release(&args);
    return out;
}

// ---- the sides at another rank, made from those at rank 1

struct template_raise {
    struct rank_template *l;
    struct denote *d; // at the other rank
};

// Variables of families that are many, moved to another place.
static expr_id at_place(struct rank_template *l, expr_id e, uint32_t place)
{
    struct exprs *x = &l->s->x;
    struct u32_vec reach = {0}, from = {0}, to = {0};
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct expr n = *expr_at(x, reach.at[i]);
        if (n.kind != X_VAR || (rank_template_scope(l, reach.at[i]) & l->many) == 0)
            continue;
        struct var v = x->var.at[n.sym];
        if (v.kind == VAR_FRESH) {
            l->failure = "a side has a variable of its own";
            continue;
        }
        uint32_t part = v.part + place * l->s->r->n_classes;
        vec_push(&from, reach.at[i]);
        vec_push(&to, expr_var(x, v.kind, v.a, place, v.level, part));
    }
    expr_id out = expr_subst(x, e, from.len, from.at, to.at);
    vec_release(&reach);
    vec_release(&from);
    vec_release(&to);
    return out;
}

static expr_id raise_cond(void *ctx, expr_id cond)
{
    struct template_raise *w = ctx;
    struct exprs *x = w->d->x;
    expr_id out = rank_template_part(w->l, cond, NONE);
    for (uint32_t f = 0; f < w->d->r->n_classes; f++)
        if ((w->l->many >> f & 1) != 0)
            for (uint32_t k = 0; k < w->d->rank[f]; k++)
                out = expr_and2(x, out,
                                at_place(w->l, rank_template_part(w->l, cond, f), k));
    return canon(&w->l->s->p, out);
}

static expr_id raise_read(void *ctx, expr_id access)
{
    struct template_raise *w = ctx;
    struct exprs *x = w->d->x;
    const struct expr n = *expr_at(x, access);
    const struct tensor_var *t = &w->d->r->tensors[n.sym];
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < t->n_sizes; i++)
        for (uint32_t k = 0; k < w->d->rank[t->sizes[i].cls]; k++)
            vec_push(&args, canon(&w->l->s->p,
                                  at_place(w->l, expr_arg(x, access, i), k)));
    expr_id out = expr_access(x, n.sym, n.type, args.len, args.at);
    vec_release(&args);
    return out;
}

static expr_id canon_cond(void *ctx, expr_id cond)
{
    return canon(&((struct rank_template *)ctx)->s->p, cond);
}

static expr_id canon_read(void *ctx, expr_id access)
{
    struct rank_template *l = ctx;
    struct exprs *x = &l->s->x;
    const struct expr n = *expr_at(x, access);
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < n.n; i++)
        vec_push(&args, canon(&l->s->p, expr_arg(x, access, i)));
    expr_id out = expr_access(x, n.sym, n.type, args.len, args.at);
    vec_release(&args);
    return out;
}

// Does every hypothesis of the template hold at every place?
static void check_hypotheses(struct rank_template *l, struct denote *d,
                             const expr_id *index)
{
    struct session *s = l->s;
    struct clauses h = {{0}};
    hypotheses(d, &h);
    denote_valid(d, s->r->rhs, &h);
    denote_in_range(d, s->r->lhs, index, &h);
    for (uint32_t f = 0; f < s->r->n_classes; f++)
        for (uint32_t i = 0; i < l->hyps[f].len * d->rank[f]; i++) {
            expr_id want =
                canon(&s->p, at_place(l, l->hyps[f].at[i / d->rank[f]],
                                      i % d->rank[f]));
            bool found = false;
            for (uint32_t k = 0; k < h.at.len && !found; k++)
                found = canon(&s->p, h.at.at[k].cond) == want;
            if (!found)
                l->failure = "a hypothesis does not hold axis by axis";
        }
    vec_release(&h.at);
}

static void check_rank(struct rank_template *l, uint32_t rank)
{
    struct session *s = l->s;
    const struct rule *r = s->r;
    struct denote d;
    uint32_t ranks[64];
    for (uint32_t c = 0; c < r->n_classes; c++)
        ranks[c] = is_many(r, c) ? rank : 1;
    (void)denote_init(&d, &s->x, r, ranks);
    struct template_raise w = {l, &d};
    const struct rank_template_map up = {raise_cond, raise_read, &w};
    const struct rank_template_map same = {canon_cond, canon_read, l};
    expr_id *index = denote_new_index(&d);
    denote_out_index(&d, r->lhs, index);
    check_hypotheses(l, &d, index);
    for (int side = 0; side < 2 && l->failure == NULL; side++) {
        expr_id want = rank_template_apply(&s->x, &up, side == 0 ? l->lhs : l->rhs);
        expr_id found = denote_element(&d, side == 0 ? r->lhs : r->rhs, index);
        if (d.failure != NULL || s->p.overflow ||
            want != rank_template_apply(&s->x, &same, found))
            l->failure = session_text(
                s, "the sides at rank %u are not those at rank 1, axis by axis",
                (unsigned)rank);
    }
    mem_free(index);
    denote_release(&d);
}

// ---- the sides at rank 1

static void add(struct u32_vec *set, expr_id e)
{
    for (uint32_t i = 0; i < set->len; i++)
        if (set->at[i] == e)
            return;
    vec_push(set, e);
}

static bool has_elements(const struct exprs *x, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_sort(x, reach.at[i]) == SORT_ELEM;
    vec_release(&reach);
    return found;
}

// Every conjunct must show the one family that it speaks of; one that is
// constant at one axis shows none.
static void check_cond(struct rank_template *l, expr_id cond)
{
    const struct exprs *x = &l->s->x;
    const struct expr n = *expr_at(x, cond);
    if (has_elements(x, cond))
        l->failure = "a choice depends on elements";
    for (uint32_t i = 0; i < (n.kind == X_AND ? n.n : 1); i++) {
        expr_id c = n.kind == X_AND ? expr_arg(x, cond, i) : cond;
        uint64_t scope = rank_template_scope(l, c), many = scope & l->many;
        if (scope == 0 && expr_at(x, c)->kind != X_TRUE)
            l->failure = "a condition is constant at one axis";
        else if (many != 0 && (scope & (scope - 1)) != 0)
            l->failure = "a condition speaks of several rank classes";
    }
}

static void check_node(struct rank_template *l, expr_id e)
{
    struct exprs *x = &l->s->x;
    const struct expr n = *expr_at(x, e);
    if (n.kind == X_REDUCE) {
        l->failure = "it has reductions";
    } else if (n.kind == X_PICK) {
        add(&l->conds, expr_arg(x, e, 0));
        check_cond(l, expr_arg(x, e, 0));
    } else if (n.kind == X_ACCESS) {
        const struct tensor_var *t = &l->s->r->tensors[n.sym];
        add(&l->reads, e);
        for (uint32_t i = 0; i < n.n; i++) {
            uint32_t f = denote_family(l->s->r, t->sizes[i].cls);
            expr_id a = expr_arg(x, e, i);
            uint64_t may =
                (l->many >> f & 1) != 0 ? UINT64_C(1) << f : ~l->many;
            if (has_elements(x, a))
                l->failure = "a place depends on elements";
            if ((rank_template_scope(l, a) & ~may) != 0)
                l->failure = "an index speaks of several rank classes";
        }
    } else if (expr_sort(x, e) == SORT_ELEM) {
        for (uint32_t i = 0; i < n.n; i++)
            if (expr_sort(x, expr_arg(x, e, i)) != SORT_ELEM &&
                (rank_template_scope(l, expr_arg(x, e, i)) & l->many) != 0)
                l->failure = "an element is made from an index of a class of "
                             "any rank";
    }
}

static void take_hypotheses(struct rank_template *l, const struct clauses *h)
{
    const struct rule *r = l->s->r;
    for (uint32_t i = 0; i < h->at.len; i++) {
        const struct clause *c = &h->at.at[i];
        uint64_t scope = rank_template_scope(l, c->cond);
        bool many = (l->many >> c->family & 1) != 0;
        uint64_t may = many ? UINT64_C(1) << c->family : ~l->many;
        if ((scope & ~may) != 0)
            l->failure = "a hypothesis speaks of several rank classes";
        vec_push(&l->hyps[many ? c->family : r->n_classes], c->cond);
    }
}

void rank_template_init(struct rank_template *l, struct session *s)
{
    const struct rule *r = s->r;
    struct clauses h = {{0}};
    struct u32_vec reach = {0};
    uint32_t ones[64];
    *l = (struct rank_template){.s = s};
    for (uint32_t c = 0; c < 64; c++)
        ones[c] = 1;
    if (r->n_classes > 63 || !denote_init(&l->d, &s->x, r, ones)) {
        l->failure = "more than 63 axis classes";
        return;
    }
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint32_t f = denote_family(r, c);
        if (is_many(r, c))
            l->many |= UINT64_C(1) << f;
        if (is_many(r, c) != is_many(r, f))
            l->failure = "a block is in a rank class with other classes";
    }
    bool keep = s->x.keep_picks;
    s->x.keep_picks = true;
    expr_id *index = denote_new_index(&l->d);
    denote_out_index(&l->d, r->lhs, index);
    hypotheses(&l->d, &h);
    denote_valid(&l->d, r->rhs, &h);
    denote_in_range(&l->d, r->lhs, index, &h);
    take_hypotheses(l, &h);
    l->lhs = denote_element(&l->d, r->lhs, index);
    l->rhs = denote_element(&l->d, r->rhs, index);
    if (l->d.failure != NULL)
        l->failure = l->d.failure;
    else if (l->d.rounds)
        l->failure = "it has sums";
    expr_reach(&s->x, l->lhs, &reach);
    expr_reach(&s->x, l->rhs, &reach);
    for (uint32_t i = 0; i < reach.len && l->failure == NULL; i++)
        check_node(l, reach.at[i]);
    for (uint32_t rank = 0; rank <= 2 && l->failure == NULL; rank += 2)
        check_rank(l, rank);
    s->x.keep_picks = keep;
    mem_free(index);
    vec_release(&h.at);
    vec_release(&reach);
}

void rank_template_release(struct rank_template *l)
{
    for (int i = 0; i < 64; i++)
        vec_release(&l->hyps[i]);
    vec_release(&l->reads);
    vec_release(&l->conds);
    denote_release(&l->d);
}
