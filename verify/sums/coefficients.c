// SPDX-License-Identifier: Apache-2.0
#include "verify/sums/coefficients.h"
#include "verify/sums/parts.h"

#include "verify/integers/translate.h"

// Of every domain at once; where that takes longer, each has its turn.
#define MOST_ASKED 200

bool coeff_fail(struct coeff *k, const char *why)
{
    if (k->why == NULL)
        k->why = why;
    return false;
}

bool coeff_family(struct coeff *k, expr_id e, uint32_t *family)
{
    const struct exprs *x = &k->s->x;
    struct u32_vec reach = {0};
    bool ok = true;
    *family = NONE;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && ok; i++) {
        const struct expr *n = expr_at(x, reach.at[i]);
        if (expr_sort(x, reach.at[i]) == SORT_ELEM)
            ok = coeff_fail(k, "an index that is read from a tensor");
        if (n->kind != X_VAR)
            continue;
        uint32_t part = x->var.at[n->sym].part;
        if (part >= k->n_families || (*family != NONE && *family != part))
            ok = coeff_fail(k, "a condition on several rank classes");
        *family = part;
    }
    vec_release(&reach);
    return ok;
}

bool coeff_is_single(const struct coeff *k, uint32_t family)
{
    return denote_one_axis(k->s->r, family);
}

bool coeff_may_be_empty(const struct coeff *k, uint32_t family)
{
    return !denote_one_axis(k->s->r, family) &&
           k->s->r->classes[family].least_rank == 0;
}

expr_id coeff_hole(struct coeff *k, uint32_t number, uint32_t family)
{
    return expr_var(&k->s->x, VAR_BOUND, family, 0, 1000 + number, family);
}

bool coeff_follows(struct coeff *k, uint32_t family, const struct cterm *t,
                   expr_id goal)
{
    struct session *s = k->s;
    struct u32_vec all = {0};
    goal = canon(&s->p, goal);
    bool proved = expr_at(&s->x, goal)->kind == X_TRUE;
    for (uint32_t i = 0; i < k->hyps[family].len && !proved; i++) {
        vec_push(&all, k->hyps[family].at[i]);
        proved = canon(&s->p, k->hyps[family].at[i]) == goal;
    }
    for (uint32_t i = 0; t != NULL && i < t->n_guards && !proved; i++) {
        if (t->guard[i].family != family)
            continue;
        vec_push(&all, t->guard[i].e);
        proved = t->guard[i].e == goal;
    }
    // Most of these questions are answered by no, which costs a proof at worst.
    s->l.quick = true;
    proved = proved || linear_proves(&s->l, all.len, all.at, goal);
    s->l.quick = false;
    vec_release(&all);
    return proved && !s->p.overflow;
}

// ---- signatures

static void sort_reads(struct cterm *t)
{
    for (uint32_t i = 1; i < t->n_reads; i++) {
        struct cread r = t->read[i];
        uint32_t j = i;
        for (; j > 0 && t->read[j - 1].head > r.head; j--)
            t->read[j] = t->read[j - 1];
        t->read[j] = r;
    }
}

static bool same_signature(const struct cterm *a, const struct cterm *b)
{
    bool same = a->n_reads == b->n_reads;
    for (uint32_t i = 0; i < a->n_reads && same; i++)
        same =
            a->read[i].head == b->read[i].head && a->read[i].n == b->read[i].n;
    for (uint32_t i = 0; i < a->n_reads && same; i++)
        for (uint32_t j = 0; j < a->read[i].n && same; j++)
            same = a->read[i].family[j] == b->read[i].family[j];
    return same;
}

// Appends the term with its reads of equal heads in every order, from `at` on.
static bool permute(struct coeff *k, struct cterm *t, uint32_t at,
                    struct csum *out)
{
    if (at >= t->n_reads) {
        if (out->at.len >= MAX_TERMS)
            return coeff_fail(k, "too many terms");
        vec_push(&out->at, *t);
        return true;
    }
    bool ok = true;
    for (uint32_t i = at; i < t->n_reads && ok; i++) {
        if (t->read[i].head != t->read[at].head)
            break;
        struct cread r = t->read[at];
        t->read[at] = t->read[i];
        t->read[i] = r;
        ok = permute(k, t, at + 1, out);
        t->read[i] = t->read[at];
        t->read[at] = r;
    }
    return ok;
}

void coeff_anchors(struct coeff *k, const struct cterm *t, struct anchors *a)
{
    for (uint32_t i = 0; i < t->n_reads; i++)
        for (uint32_t j = 0; j < t->read[i].n; j++)
            a->at[i][j] = expr_fresh(&k->s->x, t->read[i].family[j]);
}

bool coeff_anchor(struct coeff *k, struct cterm *t, const struct anchors *a)
{
    struct exprs *x = &k->s->x;
    for (uint32_t i = 0; i < t->n_reads; i++)
        for (uint32_t j = 0; j < t->read[i].n; j++) {
            if (t->n_guards == MAX_GUARDS)
                return coeff_fail(k, "too many conditions");
            expr_id e = expr_eq(x, a->at[i][j], t->read[i].arg[j]);
            t->guard[t->n_guards++] =
                (struct cguard){canon(&k->s->p, e), t->read[i].family[j]};
        }
    return true;
}

// Idempotent: [guards] * count is the condition guards and count >= 1.
static bool counts_to_guards(struct coeff *k, struct cterm *t, bool *zero)
{
    struct exprs *x = &k->s->x;
    for (uint32_t i = 0; i < t->n_counts; i++) {
        expr_id e = expr_le(x, expr_int(x, 1), t->count[i].e);
        if (t->n_guards == MAX_GUARDS)
            return coeff_fail(k, "too many conditions");
        t->guard[t->n_guards++] =
            (struct cguard){canon(&k->s->p, e), t->count[i].family};
    }
    t->n_counts = 0;
    return coeff_tidy(k, t, zero);
}

// Terms of one signature: anchors, then solves each of them.
static bool prepare(struct coeff *k, const struct algebra *alg,
                    const struct csum *terms, struct csum *out)
{
    struct anchors a;
    coeff_anchors(k, &terms->at.at[0], &a);
    for (uint32_t i = 0; i < terms->at.len; i++) {
        struct cterm u = terms->at.at[i];
        bool zero = false;
        if (!coeff_anchor(k, &u, &a) || !coeff_solve(k, &u, &zero) ||
            (alg->positive && !zero && !counts_to_guards(k, &u, &zero)))
            return false;
        if (!zero)
            vec_push(&out->at, u);
    }
    return true;
}

static bool has_repeats(const struct cterm *t)
{
    for (uint32_t i = 1; i < t->n_reads; i++)
        if (t->read[i].head == t->read[i - 1].head)
            return true;
    return false;
}

static bool signature_holds(struct coeff *k, const struct algebra *alg,
                            const struct csum *terms)
{
    struct csum solved = {{0}}, all = {{0}};
    bool same =
        prepare(k, alg, terms, &solved) &&
        (alg->positive ? coeff_covers(k, &solved) : coeff_vanishes(k, &solved));
    if (!same && k->why == NULL && has_repeats(&terms->at.at[0]) &&
        !alg->positive) {
        vec_clear(&solved.at);
        same = true;
        for (uint32_t i = 0; i < terms->at.len && same; i++) {
            struct cterm t = terms->at.at[i];
            same = permute(k, &t, 0, &all);
        }
        same = same && prepare(k, alg, &all, &solved) &&
               coeff_vanishes(k, &solved);
    }
    vec_release(&solved.at);
    vec_release(&all.at);
    return same;
}

static bool sum_holds(struct coeff *k, const struct algebra *alg,
                      struct csum *sum)
{
    bool same = true;
    for (uint32_t i = 0; i < sum->at.len; i++)
        sort_reads(&sum->at.at[i]);
    while (same && sum->at.len > 0) {
        struct csum terms = {{0}}, rest = {{0}};
        for (uint32_t i = 0; i < sum->at.len; i++) {
            if (same_signature(&sum->at.at[0], &sum->at.at[i]))
                vec_push(&terms.at, sum->at.at[i]);
            else
                vec_push(&rest.at, sum->at.at[i]);
        }
        same = signature_holds(k, alg, &terms);
        vec_release(&terms.at);
        vec_release(&sum->at);
        *sum = rest;
    }
    return same;
}

static bool same_in(struct coeff *k, const struct algebra *alg, expr_id a,
                    expr_id b)
{
    struct csum sum = {{0}};
    bool same = coeff_terms(k, alg, a, &sum);
    uint32_t from = sum.at.len;
    same = same && coeff_terms(k, alg, b, &sum);
    for (uint32_t i = from; same && i < sum.at.len; i++) {
        struct cterm *t = &sum.at.at[i];
        t->right = true;
        if (!alg->positive && __builtin_sub_overflow(0, t->c, &t->c))
            same = coeff_fail(k, "constants too large");
    }
    if (same && alg->kind == ALG_RING && k->domain == DOMAIN_REAL)
        same = coeff_cancel_counts(k, &sum);
    same = same && sum_holds(k, alg, &sum);
    vec_release(&sum.at);
    return same;
}

// ---- which algebra

struct choices {
    struct algebra at[8];
    uint32_t n;
};

static void offer(struct choices *c, struct algebra a)
{
    bool known = false;
    for (uint32_t i = 0; i < c->n && !known; i++)
        known = c->at[i].kind == a.kind && c->at[i].op == a.op &&
                c->at[i].opvar == a.opvar && c->at[i].none == a.none &&
                c->at[i].positive == a.positive;
    if (!known && c->n < 8)
        c->at[c->n++] = a;
}

static bool is_ring(const struct coeff *k, uint32_t type)
{
    return (k->domain == DOMAIN_INT || k->domain == DOMAIN_WORD ||
            k->domain == DOMAIN_REAL) &&
           type_in_domain(k->s->r, type, (enum domain)k->domain);
}

static bool is_boolean(const struct coeff *k, uint32_t type)
{
    return k->domain == DOMAIN_BOOL || emit_type_is_bool(k->s->r, type);
}

// A formal sum under the operator of a node, if that is a monoid's.
static void offer_monoid(const struct coeff *k, const struct expr *n,
                         struct choices *c)
{
    struct algebra a = {.kind = ALG_MONOID, .op = n->op};
    if (n->kind == X_OPVAR ? k->s->r->opvars[n->sym].kind == OPVAR_MONOID
                           : n->kind == X_REDUCE && n->op == N_OPS) {
        a.op = N_OPS;
        a.opvar = n->sym;
    } else if (n->kind != X_REDUCE && n->kind != X_OP) {
        return;
    } else if (n->op == OP_MAXIMUM || n->op == OP_MINIMUM || n->op == OP_AND ||
               n->op == OP_OR) {
        a.idempotent = true;
    } else if (n->op != OP_MULTIPLY || !is_ring(k, n->type)) {
        return;
    }
    if (a.idempotent) {
        a.positive = true;
        offer(c, a);
        a.positive = false;
    }
    offer(c, a);
}

static const struct expr *root_of(const struct exprs *x, expr_id e)
{
    while (expr_at(x, e)->kind == X_PICK)
        e = expr_arg(x, e, 1);
    return expr_at(x, e);
}

// A sum of another kind than those of rings.
static bool is_monoid_node(const struct expr *n)
{
    if (n->kind == X_OP)
        return n->op == OP_MAXIMUM || n->op == OP_MINIMUM || n->op == OP_AND ||
               n->op == OP_OR;
    return n->kind == X_OPVAR || (n->kind == X_REDUCE && n->op != OP_ADD);
}

static void choose(const struct coeff *k, expr_id a, expr_id b,
                   struct choices *c)
{
    const struct exprs *x = &k->s->x;
    const struct expr *m = root_of(x, a), *n = root_of(x, b);
    if (is_boolean(k, m->type))
        offer(c, (struct algebra){.kind = ALG_BOOLEAN,
                                  .idempotent = true,
                                  .positive = true});
    bool other = is_monoid_node(m) && is_monoid_node(n);
    if (is_ring(k, m->type) && !other)
        offer(c, (struct algebra){.kind = ALG_RING});
    offer_monoid(k, m, c);
    offer_monoid(k, n, c);
    if (m->kind != X_REDUCE && n->kind != X_REDUCE)
        offer(c, (struct algebra){.kind = ALG_MONOID, .none = true});
}

// ---- equality

static bool in_some_algebra(struct coeff *k, expr_id a, expr_id b,
                            const char **first)
{
    struct choices c = {.n = 0};
    choose(k, a, b, &c);
    bool same = false;
    uint32_t scopes = k->scope.len;
    for (uint32_t i = 0; i < c.n && !same; i++) {
        uint32_t mark = smt_mark(&k->s->smt);
        k->why = NULL;
        same = same_in(k, &c.at[i], a, b) && !k->s->p.overflow;
        k->scope.len = scopes;
        if (!same)
            smt_forget(&k->s->smt, mark);
        if (i == 0 || k->why == NULL)
            *first = k->why; // "may differ" tells most
    }
    return same;
}

bool coeff_same(struct coeff *k, expr_id a, expr_id b)
{
    const char *why = k->why, *first = NULL;
    a = coeff_without_empty(k, canon(&k->s->p, a));
    b = coeff_without_empty(k, canon(&k->s->p, b));
    if (a == b)
        return !k->s->p.overflow;
    if (k->depth == MAX_DEPTH)
        return coeff_fail(k, "nested too deeply");
    if (k->domain < 0 && ++k->asked > MOST_ASKED)
        return coeff_fail(k, "too many comparisons");
    k->depth++;
    uint32_t mark = smt_mark(&k->s->smt);
    bool same = coeff_same_lists(k, a, b) && !k->s->p.overflow;
    if (!same) {
        smt_forget(&k->s->smt, mark);
        same = in_some_algebra(k, a, b, &first);
    }
    k->depth--;
    k->why = why;
    if (!same && k->depth == 0 && k->why == NULL)
        k->why = first;
    return same;
}

// ---- the obligation

bool coeff_init(struct coeff *k, struct session *s, int domain)
{
    struct clauses h = {{0}};
    const struct rule *r = s->r;
    uint32_t rank[64];
    *k = (struct coeff){.s = s, .domain = domain, .n_families = r->n_classes};
    for (uint32_t c = 0; c < 64; c++)
        rank[c] = 1;
    if (!denote_init(&k->d, &s->x, r, rank))
        return false;
    k->d.float_sums =
        domain < 0 || domain == DOMAIN_FLOAT || domain == DOMAIN_WORD;
    k->d.domain = domain;
    expr_id *index = denote_new_index(&k->d);
    denote_out_index(&k->d, r->lhs, index);
    hypotheses(&k->d, &h);
    denote_valid(&k->d, r->rhs, &h);
    denote_in_range(&k->d, r->lhs, index, &h);
    for (uint32_t f = 0; f < r->n_classes; f++)
        if (denote_family(r, f) == f)
            clauses_append(&h, f, &k->hyps[f]);
    k->lhs = denote_element(&k->d, r->lhs, index);
    k->rhs = denote_element(&k->d, r->rhs, index);
    k->why = k->d.failure;
    if (domain == DOMAIN_REAL) {
        k->lhs = coeff_expand(k, k->lhs);
        k->rhs = coeff_expand(k, k->rhs);
    }
    mem_free(index);
    vec_release(&h.at);
    return true;
}

void coeff_release(struct coeff *k)
{
    for (uint32_t f = 0; f < k->n_families; f++)
        vec_release(&k->hyps[f]);
    vec_release(&k->scope);
    vec_release(&k->nested);
    denote_release(&k->d);
}

bool coeff_prove(struct session *s, int domain)
{
    struct coeff k;
    struct stopwatch t = session_start(s);
    bool keep = s->x.keep_picks;
    s->x.keep_picks = true; // a condition false at rank 1 is true at rank 0
    bool same = coeff_init(&k, s, domain) && k.why == NULL &&
                coeff_same(&k, k.lhs, k.rhs);
    s->x.keep_picks = keep;
    if (!same)
        s->reason = k.why != NULL ? session_text(s, "coefficients: %s", k.why)
                                  : "coefficients may differ";
    struct buf what = {0};
    buf_puts(&what, "coefficients");
    if (domain >= 0)
        buf_printf(&what, " (%s)", domain_text((enum domain)domain));
    session_record(s, t, OBLIGATION_ELEMENTS, "every rank", buf_text(&what),
                   same, s->reason);
    smt_forget(&s->smt, t.mark);
    buf_release(&what);
    coeff_release(&k);
    return same;
}

const char *coeff_bound(void)
{
    return "the coefficients of every product of elements agree, rank class by "
           "rank class: at every rank";
}
