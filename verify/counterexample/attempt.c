// SPDX-License-Identifier: Apache-2.0
// One case of a search: filled, tried, and made a counterexample.
#include "verify/counterexample/schedule.h"
#include "verify/counterexample/values.h"

struct cex_case *cex_blank_case(const struct cex_schedule *schedule, struct arena *mem,
                                const uint8_t *ranks)
{
    struct cex_case *candidate = cex_case_new(schedule->rule, mem);
    candidate->domain = schedule->domain;
    candidate->approximate = schedule->approximate;
    for (uint32_t k = 0; k < schedule->rule->n_classes; k++)
        for (uint32_t f = 0; f < schedule->space->n_families; f++)
            if (cex_root(schedule->rule, k) == schedule->space->family[f].root)
                candidate->rank[k] = ranks[f];
    cex_case_maps(schedule->rule, candidate, mem);
    return candidate;
}

void cex_put_point(const struct cex_schedule *schedule, struct cex_case *candidate, uint32_t family,
                   uint32_t axis, const struct cex_point *point)
{
    for (uint32_t m = 0; m < schedule->rule->n_maps; m++)
        if (cex_root(schedule->rule, schedule->rule->maps[m].cls) ==
            schedule->space->family[family].root)
            candidate->map[m][axis] = point->v[m];
}

static void choose_like(const struct rule *rule, struct cex_case *candidate,
                        const struct cex_case *like)
{
    for (uint32_t i = 0; i < rule->n_types; i++)
        candidate->elem[i] = like->elem[i];
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        candidate->op[i] = like->op[i];
    candidate->index_elem = like->index_elem;
}

static bool choose(struct cex_schedule *schedule, struct cex_case *candidate,
                   struct cex_effort effort)
{
    if (effort.like != NULL) {
        choose_like(schedule->rule, candidate, effort.like);
        return true;
    }
    return cex_choose_types(schedule->rule, candidate, effort.round, schedule->rng) &&
           cex_choose_ops(schedule->rule, &schedule->evaluator, candidate, effort.round,
                          schedule->rng);
}

static bool prepare(struct cex_schedule *schedule, struct cex_case *candidate,
                    struct cex_effort effort)
{
    if (effort.indices == 0 && !effort.own_indices)
        cex_choose_indices(schedule->rule, candidate, effort.round, schedule->rng);
    if (choose(schedule, candidate, effort) &&
        cex_evaluator_ground(&schedule->evaluator, candidate, schedule->mem))
        return true;
    schedule->runs++;
    return false;
}

// Fills a grounded case in the style and evaluates it.
static bool fails_filled(struct cex_schedule *schedule, struct cex_case *candidate,
                         struct cex_effort effort, uint32_t i)
{
    struct cex_outcome outcome;
    uint32_t style = i == 0 ? effort.first : effort.then + i - 1;
    cex_fill(schedule->rule, candidate, style % cex_styles(schedule->rule, candidate),
             schedule->rng);
    schedule->runs += schedule->evaluator.cost;
    enum cex_failure failure = cex_evaluator_run(&schedule->evaluator, candidate, &outcome);
    return schedule->evaluator.plain ? failure == CEX_ELEMENTS
                                     : failure != CEX_NONE && failure != CEX_DISCARD;
}

static bool fails_there(struct cex_schedule *schedule, struct cex_case *candidate,
                        struct cex_effort effort)
{
    if (!prepare(schedule, candidate, effort))
        return false;
    for (uint32_t i = 0; i < effort.fills; i++)
        if (fails_filled(schedule, candidate, effort, i))
            return true;
    struct cex_vector_limits limits = {.sum = UINT32_MAX,
                                       .vectors = effort.vectors,
                                       .mixed = !effort.addends,
                                       .addends = effort.addends};
    return effort.vectors > 0 &&
           cex_vectors(&schedule->evaluator, candidate, limits, &schedule->runs);
}

bool cex_fails(struct cex_schedule *schedule, struct cex_case *candidate, struct cex_effort effort)
{
    if (effort.indices == 0)
        return fails_there(schedule, candidate, effort);
    for (uint32_t i = 0; i < effort.indices; i++)
        if (!cex_put_indices(schedule->rule, candidate, i))
            return false;
        else if (fails_there(schedule, candidate, effort))
            return true;
    return false;
}

bool cex_conclude(struct cex_schedule *schedule, const struct cex_case *candidate)
{
    struct cex_outcome outcome;
    struct err err = {0};
    struct cex_evaluator *evaluator = &schedule->evaluator;
    struct cex_case *small = cex_shrink(evaluator, candidate, schedule->rng, schedule->mem);
    if (!cex_evaluator_ground(evaluator, small, schedule->mem))
        return false;
    struct cex_case *least = cex_least(schedule, small, evaluator->lack);
    small = cex_simplify(evaluator, least != NULL ? least : small, schedule->rng, schedule->mem);
    if (!cex_evaluator_ground(evaluator, small, schedule->mem))
        return false;
    enum cex_failure failure = cex_evaluator_run(evaluator, small, &outcome);
    if (failure == CEX_NONE || failure == CEX_DISCARD)
        return false;
    const char *json = cex_json(evaluator, small, &outcome, schedule->mem);
    if (!cex_replay(schedule->rule, schedule->domain, json, &err))
        return false;
    schedule->json = json;
    return true;
}

bool cex_try(struct cex_schedule *schedule, struct cex_case *candidate, struct cex_effort effort)
{
    if (!prepare(schedule, candidate, effort))
        return false;
    for (uint32_t i = 0; i < effort.fills; i++) {
        if (!fails_filled(schedule, candidate, effort, i))
            continue;
        if (schedule->evaluator.plain || cex_conclude(schedule, candidate))
            return true;
        if (!cex_evaluator_ground(&schedule->evaluator, candidate, schedule->mem))
            return false;
    }
    return false;
}
