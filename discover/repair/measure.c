// SPDX-License-Identifier: Apache-2.0
// Measures of a repair: the instances that a precondition leaves out, and those
// at which the repair holds.
#include "discover/repair/core.h"
#include "discover/limits.h"
#include <math.h>

#define SMALL 5.0 // cost of a size that must be less than SIZE
#define SIZE 4
#define SINGLE 14.0 // cost of a size that must be less than 2

static bool has_index(const struct rule *rule)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->maps[m].index)
            return true;
    return false;
}

bool repair_on_elements(const struct rule *rule)
{
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (rule->wheres[w].cond == NULL)
            return true;
    return false;
}

static void least_ranks(struct experiment *experiment, const struct rule *rule)
{
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint32_t least = 0;
        for (uint32_t k = 0; k < rule->n_classes; k++)
            if (rule->classes[k].like == rule->classes[c].like &&
                (rule->classes[k].single || rule->classes[k].least_rank > 0))
                least = 1;
        experiment_rank(experiment)[c] = least;
    }
}

struct rates {
    uint32_t met, agree, of;
};

static struct rates rates_of(struct repair_run *repair_run, const struct rule *rule, uint32_t n)
{
    struct rates rates = {0};
    if (has_index(rule))
        return rates;
    struct experiment *experiment =
        experiment_new(rule, repair_run->all, repair_run->learner->seed + 41);
    for (uint32_t i = 0; i < 4 * n && rates.of < n; i++) {
        experiment_random(experiment, NONE);
        least_ranks(experiment, rule);
        enum experiment_answer x = experiment_try(experiment, 1);
        if (x == EXPERIMENT_NOT)
            continue;
        rates.of++;
        rates.met += x != EXPERIMENT_UNSURE;
        rates.agree += x == EXPERIMENT_AGREE;
    }
    repair_run->learner->n_instances += experiment_count(experiment);
    experiment_free(experiment);
    return rates;
}

double repair_share(struct repair_run *repair_run, const struct rule *rule, uint32_t n)
{
    struct rates rates = rates_of(repair_run, rule, n);
    return rates.of ? (double)rates.agree / rates.of : 0;
}

double repair_bits(struct repair_run *repair_run, const struct rule *rule)
{
    struct rates all = rates_of(repair_run, repair_run->rule, REPAIR_BITS_SAMPLES),
                 some = rates_of(repair_run, rule, REPAIR_BITS_SAMPLES);
    if (all.met == 0 || some.of == 0)
        return 1;
    double share = ((double)some.met + 0.5) / ((double)all.met + 0.5);
    return share >= 1 ? 0 : -log2(share);
}

unsigned repair_breaks(struct repair_run *repair_run, const struct rule *rule, bool *met)
{
    unsigned broken = 0;
    *met = has_index(rule);
    struct experiment *experiment =
        *met ? NULL : experiment_new(rule, repair_run->all, repair_run->learner->seed + 53);
    for (uint32_t i = 0; i < REPAIR_BREAK_TRIES && experiment != NULL && broken == 0; i++) {
        experiment_random(experiment, NONE);
        least_ranks(experiment, rule);
        enum experiment_answer a = experiment_try(experiment, 5);
        *met = *met || a == EXPERIMENT_AGREE || a == EXPERIMENT_DIFFER;
        if (a == EXPERIMENT_DIFFER)
            broken = 1u << experiment_domain(experiment);
    }
    if (experiment != NULL)
        repair_run->learner->n_instances += experiment_count(experiment);
    experiment_free(experiment);
    return broken;
}

static uint32_t valid_instances(struct repair_run *repair_run, const struct rule *rule)
{
    struct experiment *experiment =
        experiment_new(rule, repair_run->all, repair_run->learner->seed + 47);
    uint32_t n = 0;
    for (uint32_t i = 0; i < REPAIR_VALID_TRIES && n == 0; i++) {
        experiment_random(experiment, NONE);
        for (uint32_t c = 0; c < rule->n_classes; c++)
            experiment_rank(experiment)[c] = 1; // without axes the conditions hold trivially
        n += experiment_left(experiment);
    }
    repair_run->learner->n_instances += experiment_count(experiment);
    experiment_free(experiment);
    return n;
}

static bool may_be(struct repair_run *repair_run, const struct rule *rule, const char *map,
                   int size)
{
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, rule);
    draft_where(&draft, repair_words(repair_run, "%s >= %d", map, size));
    const struct rule *large = draft_rule(&draft, &repair_run->learner->set, &err);
    draft_release(&draft);
    return large == NULL || valid_instances(repair_run, large) > 0;
}

static bool is_broadcast_size(const struct rule *rule, uint32_t map)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        for (uint32_t k = 0; k < rule->pats[i].n_sizes; k++) {
            const struct iexp *expr = rule->pats[i].sizes[k].size;
            if (rule->pats[i].kind == PAT_SPLAT && expr->op == IE_MAP && expr->map == map)
                return true;
        }
    return false;
}

double repair_size_bits(struct repair_run *repair_run, const struct rule *rule)
{
    double bits = 0;
    for (uint32_t m = 0; m < repair_run->rule->n_maps; m++) {
        bool size = is_broadcast_size(repair_run->rule, m);
        for (uint32_t i = 0; i < repair_run->rule->n_tensors; i++)
            for (uint32_t k = 0; k < repair_run->rule->tensors[i].n_sizes; k++) {
                const struct iexp *expr = repair_run->rule->tensors[i].sizes[k].size;
                size = size || (expr->op == IE_MAP && expr->map == m);
            }
        const char *name = repair_run->rule->maps[m].name;
        if (size && !may_be(repair_run, rule, name, SIZE) &&
            may_be(repair_run, repair_run->rule, name, SIZE))
            bits += may_be(repair_run, rule, name, 2) ? SMALL : SINGLE;
    }
    return bits;
}

// Do the sides agree at an instance with elements, and differ at none?
static bool agrees(struct repair_run *repair_run, const struct rule *rule, unsigned proved)
{
    bool found = false, broken = false;
    struct experiment *experiment = experiment_new(rule, proved, repair_run->learner->seed + 43);
    for (uint32_t i = 0; i < REPAIR_AGREE_TRIES && !broken && !(found && i >= REPAIR_AGREE_MORE);
         i++) {
        experiment_random(experiment, NONE);
        if (i % 2)
            least_ranks(experiment, rule);
        enum experiment_answer a = experiment_try(experiment, 5);
        found = found || a == EXPERIMENT_AGREE;
        broken = a == EXPERIMENT_DIFFER;
    }
    repair_run->learner->n_instances += experiment_count(experiment);
    experiment_free(experiment);
    return found && !broken;
}

// Over floats and reals there must also be such an instance without NaN.
bool repair_has_instance(struct repair_run *repair_run, const struct rule *rule, unsigned proved)
{
    struct draft draft;
    struct err err = {0};
    struct buf lhs = {0};
    if (has_index(rule)) // the prover itself finds a model of the left side
        return !repair_on_elements(rule);
    if (!agrees(repair_run, rule, proved))
        return false;
    if (proved & ~(1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT))
        return true;
    draft_init(&draft, rule);
    draft.r.claims = rule_domains(&draft.r);
    pat_print(&draft.r, draft.r.lhs, &lhs);
    draft_where(&draft, repair_words(repair_run, "all((%.400s) == (%.400s))", buf_text(&lhs),
                                     buf_text(&lhs)));
    const struct rule *defined = draft_rule(&draft, &repair_run->learner->set, &err);
    buf_release(&lhs);
    draft_release(&draft);
    return defined == NULL || agrees(repair_run, defined, proved);
}
