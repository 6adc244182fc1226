// SPDX-License-Identifier: Apache-2.0
#include "discover/generalize/generalize.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "discover/learn/experiment.h"
#include "discover/generalize/widen.h"
#include <string.h>

// ---- the order of changes

// Tries every condition of the current rule, equations first, since others may
// depend on the values that they fix.  An accepted change may renumber the
// conditions.
static void weaken_all(struct widening *widening)
{
    struct draft draft;
    draft_init(&draft, widening->cur);
    uint32_t n = draft.r.n_wheres, k = 0;
    const char **cond = ARENA_NEW(&widening->learner->set.mem, const char *, n + 1);
    for (int eq = 1; eq >= 0; eq--)
        for (uint32_t i = 0; i < n; i++)
            if ((draft.wheres[i].cond != NULL && draft.wheres[i].cond->op == COND_EQ) == (eq == 1))
                cond[k++] = widening_where(widening, &draft.r, i);
    draft_release(&draft);
    for (k = 0; k < n && !widening_over(widening); k++) {
        uint32_t at = NONE;
        draft_init(&draft, widening->cur);
        for (uint32_t i = 0; i < draft.r.n_wheres; i++)
            if (strcmp(widening_where(widening, &draft.r, i), cond[k]) == 0)
                at = i;
        draft_release(&draft);
        if (at != NONE && !widen_where(widening, at))
            widen_element(widening, at);
    }
}

static bool pass(struct widening *widening)
{
    uint32_t before = widening->general->variants.len;
    for (uint32_t i = 0;
         !widening->forms && i < widen_n_slots(widening) && !widening_over(widening); i++)
        widen_slot(widening, i);
    if (!widening->forms)
        weaken_all(widening);
    for (uint32_t i = 0; i < widening->cur->n_pats && !widening_over(widening); i++)
        if (widen_literal(widening, i))
            i = (uint32_t)-1;
    for (uint32_t i = 0; i < widening->cur->n_scalars && !widening_over(widening); i++)
        if (widen_scalar(widening, i))
            i = (uint32_t)-1;
    while (!widening_over(widening) && widen_parts(widening))
        ;
    for (uint32_t c = 0; c < widening->cur->n_classes && !widening_over(widening); c++)
        widen_split(widening, c);
    while (!widening_over(widening) && widen_ops(widening))
        ;
    for (uint32_t c = 0; c < widening->cur->n_classes && !widening_over(widening); c++)
        widen_class(widening, c);
    if (!widening_over(widening))
        widen_add_class(widening);
    while (!widening_over(widening) && widen_types(widening))
        ;
    return widening->general->variants.len > before;
}

// Drops preconditions that follow from the others: the rule stays equivalent.
static void drop_implied(struct widening *widening)
{
    for (uint32_t i = 0;
         i < widening->cur->n_wheres && widening->cur->n_wheres > 1 && !widening_over(widening);) {
        struct draft draft;
        draft_init(&draft, widening->cur);
        const char *cond = widening_where(widening, &draft.r, i);
        draft_drop_where(&draft, i);
        if (!widening_try(widening, &draft,
                          widening_text(widening, "without %s, not needed", cond)))
            i++;
        draft_release(&draft);
    }
}

// ---- what the last variant needs and lacks

// Shows what each precondition is for: a point at which the rule without it
// fails.
static void find_needs(struct widening *widening, const struct draft *draft)
{
    for (uint32_t i = 0; i < draft->r.n_wheres && !widening_over(widening); i++) {
        struct draft own;
        struct err err = {0};
        const struct learn_memo *memo;
        struct condition_need need = {.condition = widening_where(widening, &draft->r, i)};
        draft_copy(&own, draft);
        draft_drop_where(&own, i);
        const struct rule *rule = draft_rule(&own, &widening->learner->set, &err);
        if (rule != NULL) {
            need.breaks =
                learner_attack(widening->learner, rule, widening->claims, GENERALIZE_NEED_ATTACKS);
            if (need.breaks == NULL && learner_prove(widening->learner, rule, widening->claims,
                                                     true, &memo) != widening->claims)
                need.breaks = memo->counterexample;
        }
        if (need.breaks != NULL || !widening_over(widening))
            vec_push(&widening->general->needs, need);
        draft_release(&own);
    }
}

struct outside {
    const struct rule *rule;       // the rule without its preconditions on maps
    struct experiment *open, *own; // experiments of that rule and of the rule itself
    uint64_t least, least_empty;   // sizes of the smallest points found
};

// Copies the point of `open` to `own`.  Returns its distance from zero.
static uint64_t take_point(const struct widening *widening, struct outside *outside)
{
    uint64_t size = 0;
    memcpy(experiment_rank(outside->own), experiment_rank(outside->open),
           outside->rule->n_classes * sizeof(uint32_t));
    for (uint32_t m = 0; m < outside->rule->n_maps; m++) {
        uint32_t to = map_by_name(widening->cur, outside->rule->maps[m].name);
        int64_t v = experiment_map(outside->open, m)[0];
        if (to != NONE)
            memcpy(experiment_map(outside->own, to), experiment_map(outside->open, m),
                   4 * sizeof v);
        size += (uint64_t)(v < 0 ? 1 - 2 * v : v);
    }
    return size;
}

// Keeps the point if it is smaller than those found before, meets no
// precondition, and the sides agree there.
static void examine_point(struct widening *widening, struct outside *outside)
{
    uint64_t size = take_point(widening, outside);
    widening->general->points++;
    if ((size >= outside->least && size >= outside->least_empty) || experiment_left(outside->own))
        return;
    enum experiment_answer a = experiment_run(outside->open, 5);
    if (a == EXPERIMENT_AGREE && size < outside->least) {
        outside->least = size;
        widening->general->lost = learner_case(widening->learner, outside->open);
        widening->general->maximal = false;
    } else if (a == EXPERIMENT_EMPTY && size < outside->least_empty) {
        outside->least_empty = size;
        widening->general->lost_empty = learner_case(widening->learner, outside->open);
    }
}

static void look_outside(struct widening *widening, const struct rule *rule)
{
    struct outside outside = {
        rule, experiment_new(rule, widening->claims, widening->learner->seed + 99),
        experiment_new(widening->cur, widening->claims, widening->learner->seed + 99), UINT64_MAX,
        UINT64_MAX};
    bool good = false;
    for (uint32_t i = 0; i < GENERALIZE_POINTS && !widening_over(widening); i++) {
        // Random values rarely have equal strides.
        if (good && i % 2 == 1)
            experiment_mutate(outside.open, NONE);
        else
            experiment_random(outside.open, NONE);
        good = experiment_left(outside.open);
        if (good)
            examine_point(widening, &outside);
    }
    experiment_free(outside.open);
    experiment_free(outside.own);
}

// Do the sides agree at a point where the preconditions on maps do not hold?
static void find_lost(struct widening *widening, const struct draft *draft)
{
    struct draft open;
    struct err err = {0};
    draft_copy(&open, draft);
    for (uint32_t i = open.r.n_wheres; i-- > 0;)
        if (open.wheres[i].cond != NULL)
            draft_drop_where(&open, i);
    const struct rule *rule = draft_rule(&open, &widening->learner->set, &err);
    widening->general->maximal = true;
    if (rule != NULL && open.r.n_wheres < draft->r.n_wheres)
        look_outside(widening, rule);
    widening->general->maximal = widening->general->maximal && !widening_over(widening);
    draft_release(&open);
}

static void examine(struct widening *widening)
{
    struct draft draft;
    draft_init(&draft, widening->cur);
    find_needs(widening, &draft);
    if (!widening->forms)
        find_lost(widening, &draft);
    draft_release(&draft);
}

bool generalize(struct learner *learner, const struct rule *rule,
                const struct generalize_options *options, struct generalization *out,
                struct err *err)
{
    double start = clock_wall();
    struct widening widening = {
        .learner = learner, .general = out, .claims = rule->claims, .forms = options->forms};
    const struct learn_memo *memo;
    *out = (struct generalization){.best = 0};
    learner->end = 0; // the rule itself is judged in any case
    unsigned proved = learner_prove(learner, rule, rule->claims, true, &memo);
    if (options->seconds > 0)
        learner->end = start + options->seconds;
    if (proved != rule->claims)
        return err_set(err, ERR_CHECK, "%s is not proved in the domains it claims: %s", rule->name,
                       memo->counterexample ? memo->counterexample
                       : memo->vacuous      ? "no instance meets its preconditions"
                                            : "not decided");
    struct rule_variant first = {rule, NONE, "as given", "", proved};
    vec_push(&out->variants, first);
    widening.cur = rule;
    for (int i = 0; i < GENERALIZE_PASSES && !widening_over(&widening) && pass(&widening); i++)
        ;
    drop_implied(&widening);
    out->best = widening.at;
    examine(&widening);
    out->stopped = widening_over(&widening);
    learner->end = 0;
    out->seconds = clock_wall() - start;
    return true;
}

void generalization_release(struct generalization *general)
{
    vec_release(&general->variants);
    vec_release(&general->refused);
    vec_release(&general->needs);
}
