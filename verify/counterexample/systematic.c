// SPDX-License-Identifier: Apache-2.0
// All instances in their order: to refute a rule that is false at few of them, and to find
// the first one that fails.
#include "verify/counterexample/order.h"
#include "verify/counterexample/schedule.h"

struct systematic {
    struct cex_schedule *schedule;
    uint32_t axes;               // free axes of this walk
    uint64_t limit;              // of schedule->runs
    uint32_t tried;              // instances of this walk
    bool least;                  // the first instance that fails is wanted
    bool much;                   // each instance gets much effort
    bool varied;                 // types, operators and indices beyond the simplest matter
    const struct cex_case *like; // one that fails with other types than the simplest, or NULL
    struct cex_case *found;
};

// Are there rounds other than the first that may decide?
static bool is_varied(const struct rule *rule)
{
    return rule->n_opvars > 0 || rule->n_wider > 0 || cex_has_index(rule);
}

// Vectors of simple elements pay where there are few elements: at the first instances.
static uint32_t vectors_at(const struct systematic *systematic, uint32_t turn)
{
    if (systematic->schedule->moves)
        return 0;
    if (systematic->much)
        return VERIFY_CEX_LEAST_VECTORS;
    uint64_t part = systematic->schedule->budget->systematic / VERIFY_CEX_VECTORS_PART;
    return turn < 8 ? (uint32_t)(part >> 2 * (turn + systematic->axes)) : 0;
}

static bool fails_here(struct systematic *systematic, struct cex_case *candidate)
{
    struct cex_schedule *schedule = systematic->schedule;
    uint32_t turn = systematic->tried++;
    bool much = systematic->much || (!systematic->least && turn < VERIFY_CEX_MUCH_INSTANCES);
    uint32_t rounds = (systematic->varied ? 2u : 1u) * (much ? 2u : 1u);
    struct cex_effort effort = {.fills = schedule->moves ? 1 : 2, .then = 1 + turn % CEX_STYLES};
    if (much)
        effort = (struct cex_effort){
            .fills = CEX_STYLES + 1, .then = 1, .vectors = vectors_at(systematic, turn)};
    for (uint32_t i = 0; i < rounds; i++) {
        effort.round = much ? i : i * (2 + turn);
        effort.indices = i > 0               ? 0
                         : systematic->least ? VERIFY_CEX_INDEX_VECTORS
                                             : VERIFY_CEX_FEW_INDEX_VECTORS;
        if (cex_fails(schedule, candidate, effort))
            return true;
    }
    if (systematic->like == NULL)
        return false;
    effort.like = systematic->like;
    effort.indices = VERIFY_CEX_INDEX_VECTORS;
    return cex_fails(schedule, candidate, effort);
}

static bool visit(void *context, const uint8_t *ranks, const struct cex_point *const *point)
{
    struct systematic *systematic = context;
    struct cex_schedule *schedule = systematic->schedule;
    struct arena_mark mark = arena_mark(schedule->mem);
    struct cex_case *candidate = cex_blank_case(schedule, schedule->mem, ranks);
    uint32_t at = 0;
    if (schedule->runs >= systematic->limit)
        return false;
    for (uint32_t f = 0; f < schedule->space->n_families; f++)
        for (uint32_t a = 0; a < ranks[f]; a++)
            cex_put_point(schedule, candidate, f, a, point[at++]);
    if (fails_here(systematic, candidate)) {
        systematic->found = candidate;
        return false;
    }
    arena_reset(schedule->mem, mark);
    return true;
}

static struct cex_case *walk(struct systematic *systematic, enum cex_lack lack, uint32_t axes,
                             uint32_t weight, uint64_t runs)
{
    struct cex_walk walk = {.space = systematic->schedule->space,
                            .lack = lack,
                            .free_axes = axes,
                            .most = weight,
                            .visits = VERIFY_CEX_WALK_VISITS,
                            .visit = visit,
                            .context = systematic};
    systematic->found = NULL;
    systematic->tried = 0;
    systematic->axes = axes;
    systematic->limit = systematic->schedule->runs + runs;
    cex_walk(&walk);
    return systematic->found;
}

// The first instance before the candidate that fails with the effort.
static struct cex_case *before(struct systematic *systematic, const struct cex_case *candidate,
                               enum cex_lack lack)
{
    struct cex_schedule *schedule = systematic->schedule;
    uint32_t axes = cex_case_axes(schedule->space, candidate);
    uint32_t weight = cex_case_weight(schedule->rule, candidate);
    struct cex_case *found = NULL;
    for (uint32_t l = 0; l <= (uint32_t)lack && found == NULL; l++)
        for (uint32_t k = 0; k <= VERIFY_CEX_FREE_AXES && found == NULL; k++) {
            bool last = l == (uint32_t)lack;
            if (last && k > axes)
                break;
            found =
                walk(systematic, (enum cex_lack)l, k,
                     last && k == axes ? weight : VERIFY_CEX_WALK_WEIGHT, schedule->budget->least);
        }
    return found;
}

// Has the case other element types than those that are tried first?
static bool is_unusual(struct cex_schedule *schedule, const struct cex_case *candidate)
{
    const struct rule *rule = schedule->rule;
    struct cex_case *usual = cex_case_copy(rule, candidate, schedule->mem);
    bool same = cex_choose_types(rule, usual, 0, schedule->rng);
    for (uint32_t i = 0; i < rule->n_types; i++)
        same = same && usual->elem[i] == candidate->elem[i];
    return !same;
}

// Many instances with little effort, then those before the one found with much.
struct cex_case *cex_least(struct cex_schedule *schedule, const struct cex_case *candidate,
                           enum cex_lack lack)
{
    struct systematic systematic = {
        .schedule = schedule, .least = true, .varied = is_varied(schedule->rule)};
    if (is_unusual(schedule, candidate))
        systematic.like = candidate;
    struct cex_case *first = before(&systematic, candidate, lack);
    if (first != NULL && cex_evaluator_ground(&schedule->evaluator, first, schedule->mem))
        lack = schedule->evaluator.lack;
    systematic.much = true;
    struct cex_case *found = before(&systematic, first != NULL ? first : candidate, lack);
    return found != NULL ? found : first;
}

bool cex_systematic(struct cex_schedule *schedule)
{
    struct systematic systematic = {.schedule = schedule, .varied = is_varied(schedule->rule)};
    for (uint32_t lack = 0; lack < CEX_N_LACKS; lack++)
        for (uint32_t k = 0; k <= VERIFY_CEX_FREE_AXES; k++) {
            uint64_t part = schedule->budget->systematic / (k == 1 ? 2 : 8) / (1 + 3 * lack);
            const struct cex_case *found =
                walk(&systematic, (enum cex_lack)lack, k, VERIFY_CEX_WALK_WEIGHT, part);
            if (found != NULL && (schedule->evaluator.plain || cex_conclude(schedule, found)))
                return true;
        }
    return false;
}
