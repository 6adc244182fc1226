// SPDX-License-Identifier: Apache-2.0
// Integer expressions of the right side changed in one place, or two; and what
// is learned from ground instances.
#include "discover/repair/core.h"
#include <math.h>
#include <string.h>

#define COST_EXPRESSION 3.0
#define COST_LEARNED 4.0 // an attribute
#define COST_ALWAYS 2.5  // the same, if nothing is asked for then
#define COST_BESIDE 0.5  // ... one more of one operator: one change
#define COST_TERM 3.0    // a precondition
#define COST_EQUAL 2.5   // more, if it holds for single values only: samples
                         // are of small numbers and meet it too often
#define MAX_PAIRS 4000   // changes in two places
#define MAX_CLAMPS 8     // minima and maxima of an expression

struct changed {
    const struct iexp *x;
};
struct changes {
    struct draft *d; // owns them
    uint32_t root;   // the family
    VEC(struct changed) at;
};

static const struct iexp *node(struct draft *d, enum iexp_op op,
                               const struct iexp *a, const struct iexp *b)
{
    struct iexp *x = ARENA_NEW(&d->mem, struct iexp, 1);
    *x = (struct iexp){.op = op, .a = a, .b = b, .nodes = 1};
    x->nodes += (a ? a->nodes : 0) + (b ? b->nodes : 0);
    return x;
}

static void push(struct changes *c, const struct iexp *x)
{
    struct changed k = {x};
    vec_push(&c->at, k);
}

// A map of the program's sizes and attributes, of the family.
static bool plain_map(const struct changes *c, uint32_t m)
{
    const struct map *k = &c->d->maps[m];
    return k->cls != NONE && !k->index && k->def == NULL &&
           class_root(&c->d->r, k->cls) == c->root;
}

static void of_map(struct changes *c, const struct iexp *x)
{
    const struct rule *r = &c->d->r;
    bool index = r->maps[x->map].index;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        if (m == x->map || r->maps[m].cls == NONE || r->maps[m].def != NULL)
            continue;
        if (r->maps[m].index == index &&
            class_root(r, r->maps[m].cls) == c->root)
            push(c, draft_map(c->d, m));
    }
    for (uint32_t a = 0; a < r->n_maps && index; a++)
        for (uint32_t b = 0; b < r->n_maps; b++) {
            if (a == b || !plain_map(c, a) || !plain_map(c, b))
                continue;
            const struct iexp *high = node(c->d, IE_SUB, draft_map(c->d, a),
                                           draft_map(c->d, b));
            const struct iexp *low =
                node(c->d, IE_MAX, x, draft_const(c->d, 0));
            push(c, node(c->d, IE_MIN, low, high));
        }
}

static void change(struct changes *c, const struct iexp *x)
{
    static const enum iexp_op other[] = {
        [IE_ADD] = IE_SUB,  [IE_SUB] = IE_ADD,  [IE_MIN] = IE_MAX,
        [IE_MAX] = IE_MIN,  [IE_DIV] = IE_CDIV, [IE_CDIV] = IE_DIV,
        [IE_MUL] = IE_MUL,  [IE_MOD] = IE_MOD,  [IE_ABS] = IE_ABS,
        [IE_NEG] = IE_NEG,  [IE_MAP] = IE_MAP,  [IE_CONST] = IE_CONST,
    };
    if (x->op == IE_MAP)
        of_map(c, x);
    if (x->op == IE_CONST) {
        push(c, draft_const(c->d, x->k + 1));
        push(c, draft_const(c->d, x->k - 1));
    }
    if (x->op == IE_SUB || x->op == IE_DIV || x->op == IE_MOD ||
        x->op == IE_CDIV)
        push(c, node(c->d, x->op, x->b, x->a));
    if (other[x->op] != x->op)
        push(c, node(c->d, other[x->op], x->a, x->b));
    for (int side = 0; side < 2; side++) {
        const struct iexp *inner = side ? x->b : x->a;
        if (inner == NULL)
            continue;
        uint32_t from = c->at.len;
        change(c, inner);
        for (uint32_t i = from; i < c->at.len; i++)
            c->at.at[i].x = node(c->d, x->op, side ? x->a : c->at.at[i].x,
                                 side ? c->at.at[i].x : x->b);
    }
}

static void offer(struct repair_run *s, const struct draft *with, uint32_t pat,
                  uint32_t k, int j, const struct iexp *x, double cost)
{
    struct draft d;
    struct buf was = {0}, is = {0};
    draft_copy(&d, with);
    struct pat_attr *attrs =
        ARENA_NEW(&d.mem, struct pat_attr, d.pats[pat].n_attrs);
    memcpy(attrs, d.pats[pat].attrs, d.pats[pat].n_attrs * sizeof *attrs);
    iexp_print(&s->base.r, attrs[k].v[j], &was);
    iexp_print(&d.r, x, &is);
    attrs[k].v[j] = x;
    d.pats[pat].attrs = attrs;
    repair_offer(s, &d, cost,
               repair_words(s, "%.400s became %.400s", buf_text(&was),
                         buf_text(&is)));
    buf_release(&was);
    buf_release(&is);
    draft_release(&d);
}

static void one_slot(struct repair_run *s, uint32_t pat, uint32_t k, int j,
                     bool pairs)
{
    struct draft own;
    draft_copy(&own, &s->base);
    const struct pat_attr *a = &s->base.pats[pat].attrs[k];
    struct changes c = {.d = &own, .root = class_root(&own.r, a->cls)};
    change(&c, a->v[j]);
    uint32_t n = c.at.len;
    for (uint32_t i = 0; i < n && !pairs; i++)
        offer(s, &own, pat, k, j, c.at.at[i].x, COST_EXPRESSION);
    for (uint32_t i = 0; i < n && pairs && c.at.len < MAX_PAIRS; i++)
        change(&c, c.at.at[i].x);
    for (uint32_t i = n; i < c.at.len; i++)
        offer(s, &own, pat, k, j, c.at.at[i].x, 2 * COST_EXPRESSION);
    vec_release(&c.at);
    draft_release(&own);
}
// ---- shorter

// What is clamped, of min(max(x, low), high); NULL: it is no such expression.
static const struct iexp *clamped(const struct iexp *x)
{
    return x->op == IE_MIN && x->a->op == IE_MAX ? x->a->a : NULL;
}

// The expression with its nth minimum or maximum replaced by one operand; of
// clamps not the half, which reads worse.
static const struct iexp *without(struct draft *d, const struct iexp *x,
                                  uint32_t *nth, bool first)
{
    if (x == NULL)
        return NULL;
    const struct iexp *inner = clamped(x);
    if (x->op == IE_MIN || x->op == IE_MAX) {
        if (*nth == 0) {
            *nth = NONE;
            return !first ? x->b : inner ? inner : x->a;
        }
        --*nth;
    }
    if (inner != NULL) {
        const struct iexp *to = without(d, inner, nth, first);
        return to == inner ? x
                           : node(d, IE_MIN,
                                  node(d, IE_MAX, to, x->a->b), x->b);
    }
    const struct iexp *a = without(d, x->a, nth, first);
    const struct iexp *b = *nth == NONE ? x->b : without(d, x->b, nth, first);
    return a == x->a && b == x->b ? x : node(d, x->op, a, b);
}

// One attribute without one of its minima and maxima, if there is so much.
static const struct rule *shorter(struct repair_run *s, const struct rule *r,
                                  uint32_t pat, uint32_t k, int j, uint32_t nth,
                                  bool first, bool *is_one, struct buf *now)
{
    struct draft d;
    struct err e = {0};
    draft_init(&d, r);
    struct pat_attr *attrs =
        ARENA_NEW(&d.mem, struct pat_attr, d.pats[pat].n_attrs);
    memcpy(attrs, d.pats[pat].attrs, d.pats[pat].n_attrs * sizeof *attrs);
    attrs[k].v[j] = without(&d, attrs[k].v[j], &nth, first);
    d.pats[pat].attrs = attrs;
    *is_one = nth == NONE;
    iexp_print(&d.r, attrs[k].v[j], now);
    const struct rule *out =
        *is_one ? draft_rule(&d, &s->l->set, &e) : NULL;
    s->l->n_rules += *is_one;
    draft_release(&d);
    return out;
}

// "... became OLD" is told as "... became NEW".
static const char *told(struct repair_run *s, const char *what, const char *old,
                        const char *now)
{
    size_t n = strlen(what), m = strlen(old);
    if (n >= m && strcmp(what + n - m, old) == 0)
        return repair_words(s, "%.*s%s", (int)(n - m), what, now);
    return repair_words(s, "%s; %.400s became %.400s", what, old, now);
}

static bool shorten_slot(struct repair_run *s, struct repair_candidate *c, uint32_t pat,
                         uint32_t k, int j)
{
    bool is_one = true, done = false;
    for (uint32_t at = 0; is_one && !done && at < 2 * MAX_CLAMPS; at++) {
        struct buf was = {0}, now = {0};
        const struct rule *r = shorter(s, c->rule, pat, k, j, at / 2, at % 2,
                                       &is_one, &now);
        if (r != NULL) {
            struct judged_domains is = repair_judge(s, r, c->is.proved, false, NULL);
            done = is.proved == c->is.proved;
        }
        if (done) {
            iexp_print(c->rule, c->rule->pats[pat].attrs[k].v[j], &was);
            c->what = told(s, c->what, buf_text(&was), buf_text(&now));
            c->rule = r;
        }
        buf_release(&was);
        buf_release(&now);
    }
    return done;
}

void repair_shorten(struct repair_run *s, struct repair_candidate *c)
{
    bool again = true;
    while (again) { // each time it has one node less
        const struct rule *r = c->rule;
        again = false;
        for (uint32_t i = 0; i < r->n_pats && !again; i++)
            for (uint32_t k = 0; !again && draft_below(r, r->rhs, i) &&
                                 k < r->pats[i].n_attrs;
                 k++)
                for (int j = 0; j < N_ATTRS && !again; j++)
                    again = r->pats[i].attrs[k].v[j] != NULL &&
                            shorten_slot(s, c, i, k, j);
    }
}

// ---- changes

void repair_expressions(struct repair_run *s, bool pairs)
{
    const struct rule *r = &s->base.r;
    s->kind = "expression";
    for (uint32_t i = 0; i < r->n_pats; i++)
        for (uint32_t k = 0;
             draft_below(r, r->rhs, i) && k < r->pats[i].n_attrs; k++)
            for (int j = 0; j < N_ATTRS; j++)
                if (r->pats[i].attrs[k].v[j] != NULL)
                    one_slot(s, i, k, j, pairs);
}

// ---- learned

// Is every literal of the disjunction an equality?
static bool equalities(const char *term)
{
    for (const char *p = term; p != NULL; p = strstr(p, " or ")) {
        p += p == term ? 0 : 4;
        size_t n = strcspn(p, "=");
        const char *or = strstr(p, " or ");
        if (p[n] != '=' || p[n + 1] != '=' || (or && or < p + n) ||
            strcspn(p, "<>!") < n)
            return false;
    }
    return true;
}

static void keep_learned(struct repair_run *s, const struct learn_problem *k,
                         const struct learned *a)
{
    struct buf b = {0};
    double share = ((double)a->covered + 0.5) / ((double)a->points + 0.5);
    double bits = share >= 1 ? 0 : -log2(share);
    for (uint32_t u = 0; u < k->n_unknown; u++)
        buf_printf(&b, "%s%s", u ? ", " : "attributes ", a->expr[u]);
    for (uint32_t i = 0; i < a->n_terms; i++) {
        buf_printf(&b, "%s%s", i ? ", " : b.len ? "; where " : "where ",
                   a->term[i]);
        bits += equalities(a->term[i]) ? COST_EQUAL : 0;
    }
    if (a->n_terms > 0)
        bits += repair_size_bits(s, a->rule);
    struct judged_domains is = {.proved = a->proved};
    double change = k->n_unknown == 0  ? 0
                    : a->n_terms == 0 ? COST_ALWAYS
                                      : COST_LEARNED;
    if (k->n_unknown > 1)
        change += COST_BESIDE * (k->n_unknown - 1);
    s->kind = k->n_unknown ? "attributes" : "precondition on maps";
    repair_keep(s, a->rule, is,
              change + COST_TERM * a->n_terms + bits,
              repair_words(s, "%s", buf_text(&b)));
    buf_release(&b);
}

static void learn_with(struct repair_run *s, struct draft *d, uint32_t cls,
                       uint32_t n, const uint32_t *unknown,
                       const bool *positive)
{
    struct learned got;
    const char *why;
    struct learn_problem k = {.draft = d,
                       .root = cls,
                       .n_unknown = n,
                       .unknown = unknown,
                       .positive = positive,
                       .domains = s->claims,
                       .some_domains = true};
    if (repair_over(s))
        return;
    s->out->n_proofs++;
    if (learn_rule(s->l, &k, &got, &why))
        keep_learned(s, &k, &got);
}

// Every attribute alone, then two of one operator.
static void learn_attributes(struct repair_run *s, uint32_t cls)
{
    struct draft_slot_list all = {0};
    draft_slots(&s->base, s->base.r.rhs, class_root(&s->base.r, cls), &all);
    for (uint32_t i = 0; i < all.len && i < 16; i++) {
        struct draft d;
        const struct draft_slot *at = &all.at[i];
        bool positive = at->usual == 1;
        if (at->at == NULL) // as the operator has it by itself
            continue;
        draft_copy(&d, &s->base);
        uint32_t u = draft_new_map(&d, "u", at->cls);
        draft_set_slot(&d, at, draft_map(&d, u));
        learn_with(s, &d, cls, 1, &u, &positive);
        draft_release(&d);
    }
    // Two of one operator.
    for (uint32_t i = 0; i + 1 < all.len && i < 16; i++)
        for (uint32_t k = i + 1; k < all.len && k < 16; k++) {
            const struct draft_slot *two[2] = {&all.at[i], &all.at[k]};
            struct draft d;
            uint32_t u[2];
            bool positive[2];
            if (two[0]->pat != two[1]->pat || !two[0]->at || !two[1]->at)
                continue;
            draft_copy(&d, &s->base);
            for (int n = 0; n < 2; n++) {
                positive[n] = two[n]->usual == 1;
                u[n] = draft_new_map(&d, "u", two[n]->cls);
                draft_set_slot(&d, two[n], draft_map(&d, u[n]));
            }
            learn_with(s, &d, cls, 2, u, positive);
            draft_release(&d);
        }
    vec_release(&all);
}

void repair_maps(struct repair_run *s)
{
    const struct rule *r = &s->base.r;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->maps[m].index)
            return; // places that are known only as the program runs
    for (uint32_t c = 0; c < r->n_classes; c++) {
        bool first = class_root(r, c) == c, has = false;
        for (uint32_t m = 0; m < r->n_maps; m++)
            has = has || (r->maps[m].cls != NONE &&
                          class_root(r, r->maps[m].cls) == c);
        if (!first || !has)
            continue;
        learn_with(s, &s->base, c, 0, NULL, NULL);
        learn_attributes(s, c);
    }
}
