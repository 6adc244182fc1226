// SPDX-License-Identifier: Apache-2.0
// How much a precondition leaves out, and what a repair holds at.
#include "discover/repair/core.h"
#include <math.h>

#define SMALL 5.0 // a size that must be less than
#define SIZE 4
#define SINGLE 14.0 // ... less than 2

static bool has_index(const struct rule *r)
{
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->maps[m].index)
            return true;
    return false;
}

bool repair_on_elements(const struct rule *r)
{
    for (uint32_t w = 0; w < r->n_wheres; w++)
        if (r->wheres[w].cond == NULL)
            return true;
    return false;
}

static void least_ranks(struct experiment *l, const struct rule *r)
{
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint32_t least = 0;
        for (uint32_t k = 0; k < r->n_classes; k++)
            if (r->classes[k].like == r->classes[c].like &&
                (r->classes[k].single || r->classes[k].least_rank > 0))
                least = 1;
        experiment_rank(l)[c] = least;
    }
}

struct rates {
    uint32_t met, agree, of;
};

static struct rates rates_of(struct repair_run *s, const struct rule *r, uint32_t n)
{
    struct rates a = {0};
    if (has_index(r))
        return a;
    struct experiment *l = experiment_new(r, s->all, s->l->seed + 41);
    for (uint32_t i = 0; i < 4 * n && a.of < n; i++) {
        experiment_random(l, NONE);
        least_ranks(l, r);
        enum experiment_answer x = experiment_try(l, 1);
        if (x == EXPERIMENT_NOT)
            continue;
        a.of++;
        a.met += x != EXPERIMENT_UNSURE;
        a.agree += x == EXPERIMENT_AGREE;
    }
    s->l->n_instances += experiment_count(l);
    experiment_free(l);
    return a;
}

double repair_share(struct repair_run *s, const struct rule *r, uint32_t n)
{
    struct rates a = rates_of(s, r, n);
    return a.of ? (double)a.agree / a.of : 0;
}

double repair_bits(struct repair_run *s, const struct rule *r)
{
    struct rates all = rates_of(s, s->rule, 200), some = rates_of(s, r, 200);
    if (all.met == 0 || some.of == 0)
        return 1;
    double share = ((double)some.met + 0.5) / ((double)all.met + 0.5);
    return share >= 1 ? 0 : -log2(share);
}

unsigned repair_breaks(struct repair_run *s, const struct rule *r, bool *met)
{
    unsigned broken = 0;
    *met = has_index(r);
    struct experiment *l = *met ? NULL : experiment_new(r, s->all, s->l->seed + 53);
    for (uint32_t i = 0; i < 200 && l != NULL && broken == 0; i++) {
        experiment_random(l, NONE);
        least_ranks(l, r);
        enum experiment_answer a = experiment_try(l, 5);
        *met = *met || a == EXPERIMENT_AGREE || a == EXPERIMENT_DIFFER;
        if (a == EXPERIMENT_DIFFER)
            broken = 1u << experiment_domain(l);
    }
    if (l != NULL)
        s->l->n_instances += experiment_count(l);
    experiment_free(l);
    return broken;
}

static uint32_t valid_instances(struct repair_run *s, const struct rule *r)
{
    struct experiment *l = experiment_new(r, s->all, s->l->seed + 47);
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3000 && n == 0; i++) {
        experiment_random(l, NONE);
        for (uint32_t c = 0; c < r->n_classes; c++)
            experiment_rank(l)[c] = 1; // without axes everything holds of them
        n += experiment_left(l);
    }
    s->l->n_instances += experiment_count(l);
    experiment_free(l);
    return n;
}

static bool may_be(struct repair_run *s, const struct rule *r, const char *map,
                   int size)
{
    struct draft d;
    struct err e = {0};
    draft_init(&d, r);
    draft_where(&d, repair_words(s, "%s >= %d", map, size));
    const struct rule *large = draft_rule(&d, &s->l->set, &e);
    draft_release(&d);
    return large == NULL || valid_instances(s, large) > 0;
}

static bool is_broadcast_size(const struct rule *r, uint32_t map)
{
    for (uint32_t i = 0; i < r->n_pats; i++)
        for (uint32_t k = 0; k < r->pats[i].n_sizes; k++) {
            const struct iexp *x = r->pats[i].sizes[k].size;
            if (r->pats[i].kind == PAT_SPLAT && x->op == IE_MAP &&
                x->map == map)
                return true;
        }
    return false;
}

double repair_size_bits(struct repair_run *s, const struct rule *r)
{
    double bits = 0;
    for (uint32_t m = 0; m < s->rule->n_maps; m++) {
        bool size = is_broadcast_size(s->rule, m);
        for (uint32_t i = 0; i < s->rule->n_tensors; i++)
            for (uint32_t k = 0; k < s->rule->tensors[i].n_sizes; k++) {
                const struct iexp *x = s->rule->tensors[i].sizes[k].size;
                size = size || (x->op == IE_MAP && x->map == m);
            }
        const char *name = s->rule->maps[m].name;
        if (size && !may_be(s, r, name, SIZE) && may_be(s, s->rule, name, SIZE))
            bits += may_be(s, r, name, 2) ? SMALL : SINGLE;
    }
    return bits;
}

// Is there an instance with elements at which it holds, and none at which it
// does not?
static bool agrees(struct repair_run *s, const struct rule *r, unsigned proved)
{
    bool found = false, broken = false;
    struct experiment *l = experiment_new(r, proved, s->l->seed + 43);
    for (uint32_t i = 0; i < 4000 && !broken && !(found && i >= 400); i++) {
        experiment_random(l, NONE);
        if (i % 2)
            least_ranks(l, r);
        enum experiment_answer a = experiment_try(l, 5);
        found = found || a == EXPERIMENT_AGREE;
        broken = a == EXPERIMENT_DIFFER;
    }
    s->l->n_instances += experiment_count(l);
    experiment_free(l);
    return found && !broken;
}

// ... and where elements are floats or reals, one without NaN?
bool repair_has_instance(struct repair_run *s, const struct rule *r, unsigned proved)
{
    struct draft d;
    struct err e = {0};
    struct buf lhs = {0};
    if (has_index(r)) // the prover has a model of the left side
        return !repair_on_elements(r);
    if (!agrees(s, r, proved))
        return false;
    if (proved & ~(1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT))
        return true;
    draft_init(&d, r);
    d.r.claims = rule_domains(&d.r);
    pat_print(&d.r, d.r.lhs, &lhs);
    draft_where(&d, repair_words(s, "all((%.400s) == (%.400s))", buf_text(&lhs),
                              buf_text(&lhs)));
    const struct rule *defined = draft_rule(&d, &s->l->set, &e);
    buf_release(&lhs);
    draft_release(&d);
    return defined == NULL || agrees(s, defined, proved);
}
