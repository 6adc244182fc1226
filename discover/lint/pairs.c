// SPDX-License-Identifier: Apache-2.0
// Rules that are said twice: the same text, sides that are one term, and rules
// whose whole work one step of another does.
#include "base/clock.h"
#include "discover/derive/derive.h"
#include "discover/lint/core.h"

#include <stdlib.h>

struct by_hash {
    const char *hash;
    uint32_t index;
};

static int hash_order(const void *a, const void *b)
{
    const struct by_hash *x = a, *y = b;
    int c = strcmp(x->hash, y->hash);
    return c != 0 ? c : x->index < y->index ? -1 : x->index > y->index;
}

// The first entry with the hash, or n.
static uint32_t find_hash(const struct by_hash *at, uint32_t n,
                          const char *hash)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (strcmp(at[mid].hash, hash) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && strcmp(at[low].hash, hash) == 0 ? low : n;
}

static struct by_hash *sort_hashes(const struct lint_run *w, struct arena *mem)
{
    struct by_hash *at = ARENA_NEW(mem, struct by_hash, w->n + 1);
    for (uint32_t i = 0; i < w->n; i++)
        at[i] = (struct by_hash){w->rule[i].r->hash, i};
    qsort(at, w->n, sizeof *at, hash_order);
    return at;
}

// The rule from right to left, if it is one.
static const struct rule *reversed(struct lint *l, const struct rule *r)
{
    struct rule turned = *r;
    struct buf text = {0};
    struct err e = {0};
    turned.lhs = r->rhs;
    turned.rhs = r->lhs;
    turned.name = "_";
    rule_print(&turned, &text);
    const struct rule *out =
        ruleset_add(&l->reversed, buf_text(&text), r->name, &e);
    buf_release(&text);
    return out;
}

static void put_rule(const struct rule *r, struct buf *b)
{
    buf_printf(b, "%s: ", r->name);
    pat_print(r, r->lhs, b);
    buf_puts(b, " => ");
    pat_print(r, r->rhs, b);
    buf_putc(b, '\n');
}

void lint_inverses(struct lint_run *w)
{
    struct arena mem = {0};
    struct by_hash *at = sort_hashes(w, &mem);
    for (uint32_t i = 0; i < w->n; i++) {
        const struct rule *r = w->rule[i].r;
        const struct rule *back = reversed(w->l, r);
        struct buf b = {0};
        if (back == NULL)
            continue;
        uint32_t k = find_hash(at, w->n, back->hash);
        if (k < w->n && at[k].index >= i) {
            const struct rule *two[] = {r, w->rule[at[k].index].r};
            put_rule(two[0], &b);
            if (two[1] != two[0])
                put_rule(two[1], &b);
            lint_add(w->l, LINT_INVERSE, "exact: one is the other reversed",
                     two[0] == two[1] ? 1 : 2, two, buf_text(&b));
        }
        buf_release(&b);
    }
    arena_release(&mem);
}

static void same_texts(struct lint_run *w)
{
    struct arena mem = {0};
    struct by_hash *at = sort_hashes(w, &mem);
    for (uint32_t i = 1; i < w->n; i++)
        if (strcmp(at[i].hash, at[i - 1].hash) == 0) {
            const struct rule *two[] = {w->rule[at[i - 1].index].r,
                                        w->rule[at[i].index].r};
            struct buf b = {0};
            put_rule(two[0], &b);
            put_rule(two[1], &b);
            lint_add(w->l, LINT_SAME, "exact: equal but for names", 2, two,
                     buf_text(&b));
            buf_release(&b);
        }
    arena_release(&mem);
}

// One instance of a rule in a store of its own.
struct place_of {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct sample at;
};

static bool place_make(struct lint_run *w, uint32_t rule, uint32_t k,
                       struct place_of *p)
{
    struct err e = {0};
    *p = (struct place_of){.at = {.in = NULL}};
    pool_init(&p->pool);
    terms_init(&p->terms, &p->pool);
    if (!sample_make(w->rule[rule].sampler, w->rule[rule].domain, k, &p->terms,
                     &w->rng, &p->mem, &p->at, &e) ||
        p->at.status != GROUND_OK)
        return false;
    p->at.lhs = term_normal(&p->terms, p->at.lhs);
    p->at.rhs = term_normal(&p->terms, p->at.rhs);
    return true;
}

static void place_free(struct place_of *p)
{
    terms_release(&p->terms);
    pool_release(&p->pool);
    arena_release(&p->mem);
}

static bool has_element_condition(const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_wheres; i++)
        if (r->wheres[i].cond == NULL)
            return true;
    return false;
}

// Rules one step of which makes the right side of the left one; can[] is
// filled (first) or thinned out.  `edge`: unless the rule itself cannot, since
// the engine does not match it there.
static void one_step(struct lint_run *w, uint32_t rule, struct place_of *p,
                     bool first, bool edge, bool *can)
{
    step_vec steps = {0};
    bool *now = mem_alloc(w->n + 1u);
    rewrite_steps(&w->steps, &p->terms, p->at.lhs,
                  lint_mode(w->rule[rule].domain), UINT32_MAX, &steps);
    for (uint32_t i = 0; i < steps.len; i++)
        if (steps.at[i].term.v == p->at.rhs.v)
            now[steps.at[i].rule] = true;
    for (uint32_t i = 0; i < w->n && (!edge || now[rule]); i++)
        can[i] = first ? now[i] : can[i] && now[i];
    mem_free(now);
    vec_release(&steps);
}

static bool subsumes(const struct rule *a, const struct rule *b)
{
    return a != b && strcmp(a->hash, b->hash) != 0 &&
           (b->claims & ~a->claims) == 0;
}

static void report_instance(struct lint_run *w, uint32_t a, uint32_t b,
                            const char *method, struct place_of *p)
{
    const struct rule *two[] = {w->rule[b].r, w->rule[a].r};
    struct buf text = {0};
    buf_printf(&text, "%s does in one step what %s does\n", two[1]->name,
               two[0]->name);
    put_rule(two[1], &text);
    put_rule(two[0], &text);
    if (p != NULL) {
        buf_puts(&text, "as at ");
        sample_print(p->at.in, &text);
        buf_puts(&text, ": ");
        term_print(&p->terms, p->at.lhs, 6, &text);
        buf_putc(&text, '\n');
    }
    lint_add(w->l, LINT_INSTANCE, method, 2, two, buf_text(&text));
    buf_release(&text);
}

// Both sides are one term wherever anything can be told.
static void report_equal(struct lint_run *w, uint32_t rule, uint32_t n)
{
    const struct rule *r = w->rule[rule].r;
    struct buf text = {0}, method = {0};
    put_rule(r, &text);
    buf_printf(&method, "at %u instances", n);
    lint_add(w->l, LINT_EQUAL, arena_strdup(&w->l->mem, buf_text(&method)), 1,
             &r, buf_text(&text));
    buf_release(&text);
    buf_release(&method);
}

// Other instances that still could tell the rules apart.
static void try_edges(struct lint_run *w, uint32_t rule, bool *can)
{
    uint32_t n = 3 * sampler_families(w->rule[rule].sampler);
    for (uint32_t k = 0; k < n; k++) {
        struct place_of p;
        if (place_make(w, rule, SAMPLE_EDGES + k, &p) &&
            p.at.lhs.v != p.at.rhs.v)
            one_step(w, rule, &p, false, true, can);
        place_free(&p);
    }
}

// Without an axis of a class, all that the rule does along it is gone.
static bool has_all_axes(const struct instance *in)
{
    for (uint32_t c = 0; c < in->rule->n_classes; c++)
        if (in->rank[c] == 0)
            return false;
    return true;
}

static void look_at_rule(struct lint_run *w, uint32_t rule)
{
    bool *can = mem_alloc(w->n + 1u);
    bool any = true, full = false;
    uint32_t asked = 0, equal = 0;
    for (uint32_t k = 0; k < w->o->instances && any; k++) {
        struct place_of p;
        if (place_make(w, rule, k, &p)) {
            full = full || has_all_axes(p.at.in);
            if (p.at.lhs.v == p.at.rhs.v) // of rank 0 much is
                equal += p.at.in->n_axes > 0 || w->rule[rule].r->n_classes == 0;
            else
                one_step(w, rule, &p, asked++ == 0, false, can);
        }
        any = equal > 0;
        for (uint32_t i = 0; i < w->n && asked > 0; i++) {
            can[i] = can[i] && subsumes(w->rule[i].r, w->rule[rule].r);
            any = any || can[i];
        }
        bool last = k + 1 == w->o->instances && asked > 0 && full;
        if (last && any)
            try_edges(w, rule, can);
        for (uint32_t i = 0; last && i < w->n; i++)
            if (can[i]) {
                struct buf method = {0};
                buf_printf(&method, "one step at %u instances", asked);
                report_instance(w, i, rule,
                                arena_strdup(&w->l->mem, buf_text(&method)),
                                p.at.in != NULL ? &p : NULL);
                buf_release(&method);
            }
        place_free(&p);
    }
    if (asked == 0 && equal > 0 && full)
        report_equal(w, rule, equal);
    mem_free(can);
}

// Rules with preconditions on elements, which no instance meets: by terms.
static void look_at_conditional(struct lint_run *w, uint32_t rule,
                                struct derive_base **base)
{
    const struct lint_rule *q = &w->rule[rule];
    struct derive_options o = derive_defaults();
    struct derive_answer a;
    struct arena mem = {0};
    bool *without = ARENA_NEW(&mem, bool, w->n + 1);
    if (base[q->domain] == NULL) {
        base[q->domain] = derive_base_new(q->domain, &w->l->mem);
        for (uint32_t i = 0; i < w->n; i++)
            derive_add(base[q->domain], w->rule[i].r,
                       w->steps.rule.at[i].status);
    }
    for (uint32_t i = 0; i < w->n; i++)
        without[i] = !subsumes(w->rule[i].r, q->r);
    o.method = DERIVE_TERMS;
    o.lhs_only = true;
    o.max_rounds = 1;
    o.without = without;
    derive_goal(base[q->domain], q->r, &o, &mem, &a);
    if (a.status == DERIVE_YES && a.n_used == 1)
        report_instance(w, a.used[0], rule,
                        "one round on terms: all ranks and sizes", NULL);
    arena_release(&mem);
}

void lint_pairs(struct lint_run *w)
{
    struct derive_base *base[N_DOMAINS] = {NULL};
    same_texts(w);
    for (uint32_t i = 0; i < w->n; i++) {
        if (has_element_condition(w->rule[i].r))
            look_at_conditional(w, i, base);
        else
            look_at_rule(w, i);
    }
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (base[d] != NULL)
            derive_base_free(base[d]);
}
