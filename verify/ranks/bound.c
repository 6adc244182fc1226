// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/bound.h"
#include "verify/ranks/paths.h"

// How often, and where, the tensors of a group are read.  Tensors that stand
// in one element condition form a group: their elements at one index are tied.
struct read_points {
    uint32_t *group;      // per tensor: its first member
    struct u32_vec reads; // X_ACCESS nodes, canonical
    // With reduces inside reduces one name may stand for different indices on
    // the two sides.  Reads and folds from these on are of the right side, and
    // those that mention a bound index are then told from the left side's.
    uint32_t rhs_reads, rhs_folds;
    bool nested;
};

static uint32_t find(const struct read_points *p, uint32_t t)
{
    while (p->group[t] != t)
        t = p->group[t];
    return t;
}

static void join_tensors(const struct rule *r, struct read_points *p, uint32_t pat,
                         uint32_t *first, const char **failure)
{
    const struct pat *q = &r->pats[pat];
    bool pointwise =
        q->kind != PAT_RELABEL &&
        (q->kind != PAT_OP || op_is_elementwise(q->op) || q->op == OP_IOTA);
    if (!pointwise)
        *failure = "an element condition is not pointwise";
    if (q->kind == PAT_TENSOR && *first == NONE)
        *first = q->var;
    else if (q->kind == PAT_TENSOR)
        p->group[find(p, q->var)] = find(p, *first);
    for (uint32_t i = 0; i < q->n_args; i++)
        join_tensors(r, p, q->args[i], first, failure);
}

// Does the expression mention an index that a reduce binds?
static bool mentions_bound(const struct exprs *x, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++) {
        const struct expr *n = expr_at(x, reach.at[i]);
        found = n->kind == X_VAR && x->var.at[n->sym].kind == VAR_BOUND;
    }
    vec_release(&reach);
    return found;
}

// Do reads i and j agree on every index that belongs to the family?  Tensors of
// other classes, or in another order, never agree: that counts too many.
static bool same_point(struct session *s, const struct read_points *p,
                       uint32_t family, uint32_t i, uint32_t j)
{
    const struct exprs *x = &s->x;
    expr_id a = p->reads.at[i], b = p->reads.at[j];
    const struct tensor_var *t = &s->r->tensors[expr_at(x, a)->sym];
    bool apart = p->nested && (i < p->rhs_reads) != (j < p->rhs_reads);
    if (!rank_paths_same_classes(t, &s->r->tensors[expr_at(x, b)->sym]))
        return false;
    for (uint32_t k = 0; k < expr_at(x, a)->n; k++)
        if (denote_family(s->r, t->sizes[k].cls) == family &&
            (expr_arg(x, a, k) != expr_arg(x, b, k) ||
             (apart && mentions_bound(x, expr_arg(x, a, k)))))
            return false;
    return true;
}

static uint32_t count_points(struct session *s, const struct read_points *p,
                             uint32_t group, uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->reads.len; i++) {
        bool known = find(p, expr_at(&s->x, p->reads.at[i])->sym) != group;
        for (uint32_t j = 0; j < i && !known; j++)
            known = find(p, expr_at(&s->x, p->reads.at[j])->sym) == group &&
                    same_point(s, p, family, i, j);
        n += !known;
    }
    return n;
}

static bool same_fold(struct session *s, const struct denote *d,
                      const struct read_points *p, uint32_t i, uint32_t j)
{
    const struct axis_condition *f = &d->folds.at[i], *g = &d->folds.at[j];
    bool apart = p->nested && (i < p->rhs_folds) != (j < p->rhs_folds) &&
                 mentions_bound(&s->x, f->cond);
    return f->cls == g->cls && f->cond == g->cond && !apart;
}

static uint32_t count_folds(struct session *s, const struct denote *d,
                            const struct read_points *p, uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->folds.len; i++) {
        const struct axis_condition *f = &d->folds.at[i];
        bool known = denote_family(s->r, f->cls) != family ||
                     expr_at(&s->x, f->cond)->kind == X_TRUE;
        for (uint32_t j = 0; j < i && !known; j++)
            known = same_fold(s, d, p, i, j);
        n += !known;
    }
    return n;
}

static uint32_t count_conditions(struct session *s, struct denote *d,
                                 uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < s->r->n_wheres; w++) {
        bool touches = false;
        for (uint32_t c = 0; c < s->r->n_classes; c++)
            touches |= s->r->wheres[w].cond == NULL &&
                       denote_family(s->r, c) == family &&
                       denote_has_class(d, s->r->wheres[w].pat, c);
        n += touches;
    }
    return n;
}

// Without reduces: the worst path through the choices.
static uint32_t bound_by_paths(const struct rank_paths *w, uint32_t family,
                               uint32_t conds, struct buf *why)
{
    const struct rank_need *n = &w->need[family];
    uint32_t most = n->witnesses + n->separators + conds;
    buf_printf(why,
               "%s: %u, on the worst of %u paths %u false condition%s and "
               "%u pair%s of reads to tell apart",
               w->s->r->classes[family].name, (unsigned)most,
               (unsigned)w->n_paths, (unsigned)n->witnesses,
               n->witnesses == 1 ? "" : "s", (unsigned)n->separators,
               n->separators == 1 ? "" : "s");
    if (conds > 0)
        buf_printf(why, ", %u element condition%s", (unsigned)conds,
                   conds == 1 ? "" : "s");
    return most;
}

static void bound_family(struct session *s, struct denote *d,
                         const struct read_points *p, const struct rank_paths *w,
                         uint32_t family, struct rank_bound *b, struct buf *why)
{
    const struct axis_class *c = &s->r->classes[family];
    uint32_t most = 1;
    if (why->len > 0)
        buf_puts(why, "; ");
    bool one = denote_one_axis(s->r, family);
    if (one && c->single) {
        buf_printf(why, "%s: one axis by declaration", c->name);
    } else if (one) {
        buf_printf(why, "%s: one axis for a block of any rank", c->name);
    } else if (w != NULL) {
        most = bound_by_paths(w, family, count_conditions(s, d, family), why);
        if (most == 0)
            buf_puts(why, "; at least 1");
    } else {
        uint32_t folds = count_folds(s, d, p, family);
        uint32_t conds = count_conditions(s, d, family);
        most = folds + conds;
        buf_printf(why, "%s: %u branch condition%s", c->name, (unsigned)folds,
                   folds == 1 ? "" : "s");
        if (conds > 0)
            buf_printf(why, " + %u element condition%s", (unsigned)conds,
                       conds == 1 ? "" : "s");
        for (uint32_t t = 0; t < s->r->n_tensors; t++) {
            uint32_t n = find(p, t) == t ? count_points(s, p, t, family) : 0;
            if (n < 2)
                continue;
            most += n - 1;
            buf_printf(why, " + %u (%s is read at %u places)",
                       (unsigned)(n - 1), s->r->tensors[t].name, (unsigned)n);
        }
        if (most == 0)
            buf_puts(why, ", at least 1");
    }
    for (uint32_t k = 0; k < s->r->n_classes; k++)
        if (denote_family(s->r, k) == family) {
            b->least[k] = one ? 1 : c->least_rank;
            b->most[k] = most == 0 ? 1 : most;
        }
}

static void collect_reads(struct session *s, expr_id e, struct read_points *p)
{
    struct u32_vec reach = {0};
    expr_reach(&s->x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        if (expr_at(&s->x, reach.at[i])->kind == X_ACCESS)
            vec_push(&p->reads, reach.at[i]);
    vec_release(&reach);
}

struct bound_sides
{
    expr_id lhs, rhs;
    struct u32_vec hyps[64]; // per family
};

// Both sides where every class has one axis, and what is known there.
static void make_template(struct session *s, struct denote *d, struct read_points *p,
                          struct bound_sides *t)
{
    struct clauses h = {{0}};
    expr_id *index = denote_new_index(d);
    denote_out_index(d, s->r->lhs, index);
    hypotheses(d, &h);
    denote_valid(d, s->r->rhs, &h);
    denote_in_range(d, s->r->lhs, index, &h);
    for (uint32_t f = 0; f < s->r->n_classes; f++)
        if (denote_family(s->r, f) == f)
            clauses_append(&h, f, &t->hyps[f]);
    t->lhs = canon(&s->p, denote_element(d, s->r->lhs, index));
    p->rhs_folds = d->folds.len;
    t->rhs = canon(&s->p, denote_element(d, s->r->rhs, index));
    collect_reads(s, t->lhs, p);
    p->rhs_reads = p->reads.len;
    collect_reads(s, t->rhs, p);
    for (uint32_t i = 0; i < s->x.var.len; i++)
        p->nested |=
            s->x.var.at[i].kind == VAR_BOUND && s->x.var.at[i].level > 0;
    for (uint32_t i = 0; i < d->folds.len; i++)
        d->folds.at[i].cond = canon(&s->p, d->folds.at[i].cond);
    mem_free(index);
    vec_release(&h.at);
}

static void count_instances(struct session *s, struct rank_bound *b)
{
    struct buf json = {0};
    b->instances = 1;
    for (uint32_t c = 0; c < s->r->n_classes; c++) {
        if (s->r->classes[c].single || !denote_one_axis(s->r, c))
            buf_printf(&json, "%s\"%s\": %u", json.len == 0 ? "{" : ", ",
                       s->r->classes[c].name, (unsigned)b->most[c]);
        if (denote_family(s->r, c) == c && b->instances < UINT32_MAX)
            b->instances *= b->most[c] - b->least[c] + 1;
    }
    buf_puts(&json, json.len == 0 ? "{}" : "}");
    b->json = arena_strdup(s->mem, buf_text(&json));
    buf_release(&json);
}

void rank_bound_of(struct session *s, struct rank_bound *b)
{
    const struct rule *r = s->r;
    struct denote d;
    struct read_points p = {.group = ARENA_NEW(s->mem, uint32_t, r->n_tensors + 1)};
    struct bound_sides sides = {.lhs = NO_EXPR};
    struct buf why = {0};
    uint32_t rank[64];
    *b = (struct rank_bound){.why = ""};
    for (uint32_t c = 0; c < 64; c++)
        rank[c] = 1;
    for (uint32_t t = 0; t < r->n_tensors; t++)
        p.group[t] = t;
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        uint32_t first = NONE;
        if (r->wheres[w].cond == NULL)
            join_tensors(r, &p, r->wheres[w].pat, &first, &b->failure);
        if (condition_counts(r, w) && !condition_defines(r, w))
            b->failure = "an element condition counts along an axis, but "
                         "defines no tensor";
    }
    if (!denote_init(&d, &s->x, r, rank)) {
        b->failure = "more than 64 axis classes";
        return;
    }
    // Nothing may be simplified away before it is counted.
    bool keep = s->x.keep_picks;
    s->x.keep_picks = true;
    make_template(s, &d, &p, &sides);
    struct rank_paths w = {.s = s, .group = p.group, .hyps = sides.hyps};
    for (uint32_t i = 0; i < r->n_tensors; i++)
        p.group[i] = find(&p, i);
    w.need = ARENA_NEW(s->mem, struct rank_need, r->n_classes + 1);
    bool reduces = keep;
    s->l.quick = true; // a bound that is too large costs instances only
    if (!reduces)
        rank_paths_walk(&w, sides.lhs, sides.rhs);
    s->l.quick = false;
    s->x.keep_picks = keep;
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (denote_family(r, c) == c)
            bound_family(s, &d, &p, reduces || w.too_many ? NULL : &w, c, b,
                         &why);
    count_instances(s, b);
    b->why = arena_strdup(s->mem, buf_text(&why));
    buf_release(&why);
    vec_release(&p.reads);
    for (uint32_t c = 0; c < r->n_classes; c++)
        vec_release(&sides.hyps[c]);
    denote_release(&d);
}
