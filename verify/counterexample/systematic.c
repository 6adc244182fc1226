// SPDX-License-Identifier: Apache-2.0
// All instances in their order: to refute a rule that is false at few of them, and to find
// the first one that fails.
#include "verify/counterexample/ops.h"
#include "verify/counterexample/order.h"
#include "verify/counterexample/schedule.h"
#include "verify/counterexample/types.h"

// How an instance that might be less than the one found is filled.
enum least_stage {
    LEAST_FEW,   // with a few elements
    LEAST_MUCH,  // in every way, with the simplest types
    LEAST_TYPES, // with every choice of element types, and the operators found
    LEAST_OPS,   // with every choice of element types and operators
    LEAST_SUMS,  // with every vector of a few addends
};

struct systematic {
    struct cex_schedule *schedule;
    uint32_t axes;               // free axes of this walk
    uint64_t limit;              // of schedule->runs
    uint32_t tried;              // instances of this walk
    bool least;                  // the first instance that fails is wanted
    bool varied;                 // types, operators and indices beyond the simplest matter
    const struct cex_case *like; // one that fails with other types than the simplest, or NULL
    enum least_stage stage;
    const struct cex_case *last;  // the least one so far, whose operators come first
    const struct cex_case *bound; // the instance found, if the walk ends at its weight
    uint32_t bound_weight;
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
    if (systematic->stage == LEAST_MUCH)
        return VERIFY_CEX_LEAST_VECTORS;
    uint64_t part = systematic->schedule->budget->systematic / VERIFY_CEX_VECTORS_PART;
    return turn < 8 ? (uint32_t)(part >> 2 * (turn + systematic->axes)) : 0;
}

static bool fails_here(struct systematic *systematic, struct cex_case *candidate)
{
    struct cex_schedule *schedule = systematic->schedule;
    uint32_t turn = systematic->tried++;
    bool much =
        systematic->stage == LEAST_MUCH || (!systematic->least && turn < VERIFY_CEX_MUCH_INSTANCES);
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

// One instance with all choices of element types.
struct typed {
    struct systematic *systematic;
    struct cex_case *candidate;
    bool fails;
};

static bool try_ops(void *context, struct cex_case *now)
{
    struct typed *typed = context;
    struct cex_schedule *schedule = typed->systematic->schedule;
    bool many = typed->systematic->stage == LEAST_OPS;
    struct cex_effort effort = {.like = now,
                                .fills = many ? 1 : CEX_STYLES,
                                .then = 1,
                                .vectors =
                                    many ? VERIFY_CEX_LEAST_OP_VECTORS : VERIFY_CEX_LEAST_VECTORS,
                                .indices = VERIFY_CEX_FEW_INDEX_VECTORS};
    typed->fails = cex_fails(schedule, typed->candidate, effort);
    return !typed->fails && schedule->runs < typed->systematic->limit;
}

static bool try_typed(void *context, struct cex_case *now)
{
    struct typed *typed = context;
    struct cex_schedule *schedule = typed->systematic->schedule;
    bool many = typed->systematic->stage == LEAST_OPS;
    struct cex_op_walk walk = {.rule = schedule->rule,
                               .evaluator = &schedule->evaluator,
                               .like = typed->systematic->last,
                               .choices = many ? VERIFY_CEX_OP_CHOICES : 1,
                               .visit = try_ops,
                               .context = typed};
    cex_walk_ops(&walk, now, schedule->mem);
    return !typed->fails && schedule->runs < typed->systematic->limit;
}

// The types of an instance that is as light as the one found must come before the other's.
static bool fails_typed(struct systematic *systematic, struct cex_case *candidate)
{
    struct cex_schedule *schedule = systematic->schedule;
    const struct rule *rule = schedule->rule;
    const struct cex_case *bound = systematic->bound;
    struct typed typed = {systematic, candidate, false};
    struct cex_case *now = cex_case_copy(rule, candidate, schedule->mem);
    bool tie = bound != NULL && cex_case_weight(rule, candidate) == systematic->bound_weight;
    struct cex_type_walk walk = {.rule = rule,
                                 .before = tie ? bound : NULL,
                                 .choices = VERIFY_CEX_TYPE_CHOICES,
                                 .visit = try_typed,
                                 .context = &typed};
    cex_walk_types(&walk, now, schedule->mem);
    return typed.fails;
}

// Sums of floats differ by how they round, for few of many fillings.
static bool fails_sums(struct systematic *systematic, struct cex_case *candidate)
{
    struct cex_effort effort = {.like = systematic->like,
                                .vectors = VERIFY_CEX_SUM_VECTORS,
                                .addends = true,
                                .indices = VERIFY_CEX_FEW_INDEX_VECTORS};
    return cex_fails(systematic->schedule, candidate, effort);
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
    enum least_stage stage = systematic->stage;
    bool fails = stage == LEAST_TYPES || stage == LEAST_OPS ? fails_typed(systematic, candidate)
                 : stage == LEAST_SUMS                      ? fails_sums(systematic, candidate)
                                                            : fails_here(systematic, candidate);
    if (fails) {
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

// The first instance before the candidate that fails with the effort.  Of those that weigh as much
// some may fail for other types or elements.
static struct cex_case *before(struct systematic *systematic, const struct cex_case *candidate,
                               enum cex_lack lack, uint64_t runs)
{
    struct cex_schedule *schedule = systematic->schedule;
    uint32_t axes = cex_case_axes(schedule->space, candidate);
    struct cex_case *found = NULL;
    systematic->bound_weight = cex_case_weight(schedule->rule, candidate);
    for (uint32_t l = 0; l <= (uint32_t)lack && found == NULL; l++)
        for (uint32_t k = 0; k <= VERIFY_CEX_FREE_AXES && found == NULL; k++) {
            bool last = l == (uint32_t)lack;
            if (last && k > axes)
                break;
            last = last && k == axes;
            systematic->bound = last ? candidate : NULL;
            found = walk(systematic, (enum cex_lack)l, k,
                         last ? systematic->bound_weight : VERIFY_CEX_WALK_WEIGHT, runs);
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

static bool has_stage(const struct cex_schedule *schedule, const struct cex_case *found,
                      enum least_stage stage)
{
    bool types = schedule->domain == DOMAIN_WORD || schedule->domain == DOMAIN_FLOAT;
    types = types && !schedule->moves;
    return stage == LEAST_TYPES  ? types
           : stage == LEAST_OPS  ? types && schedule->rule->n_opvars > 0
           : stage == LEAST_SUMS ? cex_sums_floats(schedule->rule, found)
                                 : true;
}

// Many instances with little effort, then those before the one found with much, then with other
// element types, with other operators, and with addends.
struct cex_case *cex_least(struct cex_schedule *schedule, const struct cex_case *candidate,
                           enum cex_lack lack)
{
    struct systematic systematic = {
        .schedule = schedule, .least = true, .varied = is_varied(schedule->rule)};
    struct cex_case *least = NULL;
    for (uint32_t stage = LEAST_FEW; stage <= LEAST_SUMS; stage++) {
        const struct cex_case *last = least != NULL ? least : candidate;
        systematic.stage = (enum least_stage)stage;
        if (!has_stage(schedule, last, systematic.stage))
            continue;
        systematic.last = last;
        systematic.like = stage == LEAST_SUMS || is_unusual(schedule, last) ? last : NULL;
        uint64_t runs = stage == LEAST_SUMS ? VERIFY_CEX_SUM_STEPS : schedule->budget->least;
        struct cex_case *found = before(&systematic, last, lack, runs);
        if (found == NULL)
            continue;
        least = found;
        if (cex_evaluator_ground(&schedule->evaluator, found, schedule->mem))
            lack = schedule->evaluator.lack;
    }
    return least;
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
