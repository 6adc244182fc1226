// SPDX-License-Identifier: Apache-2.0
// The schedule of the search.  First points at which shapes or the right side's validity
// fail (one axis decides those).  Then the prover's hints.  Then elements: rank vectors by
// growing number of axes, points by growing weight, several fillings of each.
#include "verify/counterexample/schedule.h"

struct cex_budget cex_budget_quick(void)
{
    return (struct cex_budget){.candidates = VERIFY_CEX_QUICK_CANDIDATES,
                               .visits = VERIFY_CEX_QUICK_VISITS,
                               .points = VERIFY_CEX_QUICK_POINTS,
                               .systematic = VERIFY_CEX_QUICK_SYSTEMATIC,
                               .least = VERIFY_CEX_QUICK_LEAST};
}

struct cex_budget cex_budget_wide(void)
{
    struct cex_budget budget = cex_budget_deep();
    budget.candidates = 0;
    budget.systematic = VERIFY_CEX_WIDE_SYSTEMATIC;
    return budget;
}

struct cex_budget cex_budget_places(void)
{
    struct cex_budget budget = cex_budget_quick();
    budget.candidates = budget.systematic = 0;
    return budget;
}

bool cex_is_wide(const struct rule *rule)
{
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint32_t n = 0;
        for (uint32_t m = 0; m < rule->n_maps; m++)
            n += rule->maps[m].def == NULL && !rule->maps[m].index &&
                 cex_root(rule, rule->maps[m].cls) == c;
        if (n >= VERIFY_CEX_WIDE_MAPS)
            return true;
    }
    return false;
}

struct cex_budget cex_budget_deep(void)
{
    return (struct cex_budget){.candidates = VERIFY_CEX_DEEP_CANDIDATES,
                               .visits = VERIFY_CEX_DEEP_VISITS,
                               .points = VERIFY_CEX_DEEP_POINTS,
                               .systematic = VERIFY_CEX_DEEP_SYSTEMATIC,
                               .least = VERIFY_CEX_DEEP_LEAST};
}

struct rank_vector {
    uint32_t free;                     // axes beside the least ranks
    uint8_t rank[VERIFY_CEX_FAMILIES]; // per family
};

uint32_t cex_root(const struct rule *rule, uint32_t cls)
{
    return rule->classes[rule->classes[cls].like].joint;
}

struct cex_space *cex_space_new(const struct rule *rule, const struct cex_hint *hints, uint32_t n,
                                const struct cex_budget *budget, struct rng *rng, struct arena *mem)
{
    struct cex_space *space = ARENA_NEW(mem, struct cex_space, 1);
    *space = (struct cex_space){.rule = rule, .hints = hints, .n_hints = n, .mem = mem};
    space->family = ARENA_NEW(mem, struct cex_family, rule->n_classes);
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (cex_root(rule, c) != c || space->n_families == VERIFY_CEX_FAMILIES)
            continue;
        struct cex_family *family = &space->family[space->n_families++];
        family->root = c;
        for (uint32_t k = 0; k < rule->n_classes; k++)
            if (cex_root(rule, k) == c) {
                family->single |= rule->classes[k].single;
                family->joint |=
                    rule->classes[k].block || rule->classes[k].like != rule->classes[c].like;
                if (rule->classes[k].least_rank > family->least)
                    family->least = rule->classes[k].least_rank;
            }
        family->single |= family->joint;
        if (family->single)
            family->least = 1;
        cex_family_fill(space, family, budget, rng);
    }
    return space;
}

static bool out_of_budget(const struct cex_schedule *schedule)
{
    return schedule->runs >= schedule->budget->candidates;
}

// Splits a size into a random product of two.
static void split_size(struct rng *rng, int64_t n, int64_t *two)
{
    int64_t d =
        n > 1 ? rng_range(rng, 1, n < VERIFY_CEX_SPLIT_DIVISOR ? n : VERIFY_CEX_SPLIT_DIVISOR) : 1;
    two[0] = n % d == 0 ? d : 1;
    two[1] = n / two[0];
    if (n == 0 && rng_below(rng, 2))
        two[0] = rng_range(rng, 0, 2);
    if (rng_below(rng, 2)) {
        int64_t swap = two[0];
        two[0] = two[1];
        two[1] = swap;
    }
}

// Gives the block class `root` (and its partners), which has one axis so far, another rank:
// two axes, or none if it has one element.
static void block_rank(struct cex_schedule *schedule, struct cex_case *candidate, uint32_t root)
{
    const struct rule *rule = schedule->rule;
    int64_t size = 1, two[2];
    uint32_t least = 0;
    for (uint32_t k = 0; k < rule->n_classes; k++)
        if (rule->classes[k].like == root && rule->classes[k].least_rank > least)
            least = rule->classes[k].least_rank;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->classes[rule->maps[m].cls].like == root)
            size = candidate->map[m][0];
    uint32_t rank = size == 1 && least == 0 && rng_below(schedule->rng, 2) ? 0 : 2;
    split_size(schedule->rng, size, two);
    for (uint32_t k = 0; k < rule->n_classes; k++)
        if (rule->classes[k].like == root)
            candidate->rank[k] = rank;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (rule->classes[rule->maps[m].cls].like != root)
            continue;
        candidate->map[m] = ARENA_NEW(schedule->mem, int64_t, rank);
        for (uint32_t i = 0; i < rank; i++)
            candidate->map[m][i] = two[i];
    }
}

static void block_ranks(struct cex_schedule *schedule, struct cex_case *candidate)
{
    for (uint32_t k = 0; k < schedule->rule->n_classes; k++)
        if (schedule->rule->classes[k].block && schedule->rule->classes[k].like == k &&
            rng_below(schedule->rng, 3) == 0)
            block_rank(schedule, candidate, k);
}

static bool try_case(struct cex_schedule *schedule, struct cex_case *candidate, uint32_t fills,
                     uint32_t round)
{
    return cex_try(
        schedule, candidate,
        (struct cex_effort){.round = round, .fills = fills, .first = round, .then = round + 1});
}

static void least_ranks(const struct cex_schedule *schedule, uint8_t *ranks)
{
    for (uint32_t f = 0; f < schedule->space->n_families; f++)
        ranks[f] = (uint8_t)schedule->space->family[f].least;
}

// Tries one failing point; the other families are as small as possible.
static bool try_failing(struct cex_schedule *schedule, uint32_t family, uint32_t point)
{
    uint8_t ranks[VERIFY_CEX_FAMILIES];
    struct arena_mark mark = arena_mark(schedule->mem);
    least_ranks(schedule, ranks);
    if (ranks[family] == 0)
        ranks[family] = 1;
    struct cex_case *candidate = cex_blank_case(schedule, schedule->mem, ranks);
    for (uint32_t f = 0; f < schedule->space->n_families; f++)
        for (uint32_t a = 0; a < ranks[f]; a++)
            cex_put_point(schedule, candidate, f, a,
                          &schedule->space->family[f].point[f == family ? point : 0]);
    for (uint32_t round = 0; round < VERIFY_CEX_FAILING_ROUNDS; round++)
        if (try_case(schedule, candidate, VERIFY_CEX_CONDITION_FILLS, round))
            return true;
    arena_reset(schedule->mem, mark);
    return false;
}

static bool failing_points(struct cex_schedule *schedule)
{
    for (uint32_t f = 0; f < schedule->space->n_families; f++)
        for (uint32_t i = 0; i < schedule->space->family[f].n_points; i++)
            if (schedule->space->family[f].point[i].fails && try_failing(schedule, f, i))
                return true;
    return false;
}

static bool try_hints(struct cex_schedule *schedule)
{
    for (uint32_t h = 0; h < schedule->space->n_hints; h++) {
        struct arena_mark mark = arena_mark(schedule->mem);
        const struct cex_hint *hint = &schedule->space->hints[h];
        struct cex_case *candidate = cex_case_new(schedule->rule, schedule->mem);
        candidate->domain = schedule->domain;
        candidate->approximate = schedule->approximate;
        candidate->index_elem = hint->index_elem;
        for (uint32_t k = 0; k < schedule->rule->n_classes; k++)
            candidate->rank[k] = hint->rank[k];
        cex_case_maps(schedule->rule, candidate, schedule->mem);
        for (uint32_t m = 0; m < schedule->rule->n_maps; m++)
            for (uint32_t i = 0; i < candidate->rank[schedule->rule->maps[m].cls]; i++)
                candidate->map[m][i] = hint->map[m][i];
        for (uint32_t round = 0; round < VERIFY_CEX_HINT_ROUNDS; round++)
            if (cex_try(schedule, candidate,
                        (struct cex_effort){.round = round,
                                            .fills = 2 * CEX_STYLES,
                                            .first = round,
                                            .then = round + 1,
                                            .own_indices = round == 0}))
                return true;
        arena_reset(schedule->mem, mark);
    }
    return false;
}

// Appends the rank vectors that spend `left` axes from family f on.
static void rank_vectors(const struct cex_schedule *schedule, uint32_t f, uint32_t left,
                         struct rank_vector *now, struct rank_vector *out, uint32_t *n)
{
    if (*n == VERIFY_CEX_RANK_VECTORS)
        return;
    if (f == schedule->space->n_families) {
        if (left == 0)
            out[(*n)++] = *now;
        return;
    }
    uint32_t most = schedule->space->family[f].single ? 0 : left;
    if (schedule->space->family[f].n_full == 0)
        most = 0;
    for (uint32_t k = 0; k <= most; k++) {
        now->rank[f] = (uint8_t)(schedule->space->family[f].least + k);
        rank_vectors(schedule, f + 1, left - k, now, out, n);
    }
}

// The point of an axis.  The first axis, or the only one, takes small points in order; other
// axes take random ones with a bias to small.
static uint32_t choose_point(struct cex_schedule *schedule, const struct cex_family *family,
                             uint32_t axis, uint32_t round, bool alone)
{
    uint32_t n = family->n_full;
    if ((alone || (axis == 0 && round % 2)) && round < n)
        return round;
    double u = rng_unit(schedule->rng);
    uint32_t reach = VERIFY_CEX_NEAR_POINTS + round < n ? VERIFY_CEX_NEAR_POINTS + round : n;
    if (rng_below(schedule->rng, 4) == 0)
        return (uint32_t)(rng_unit(schedule->rng) * n);
    return (uint32_t)(u * reach);
}

static bool try_vector(struct cex_schedule *schedule, const struct rank_vector *vector,
                       uint32_t round)
{
    struct arena_mark mark = arena_mark(schedule->mem);
    struct cex_case *candidate = cex_blank_case(schedule, schedule->mem, vector->rank);
    uint32_t axes = 0;
    for (uint32_t f = 0; f < schedule->space->n_families; f++)
        axes += vector->rank[f];
    for (uint32_t f = 0; f < schedule->space->n_families; f++)
        for (uint32_t a = 0; a < vector->rank[f]; a++) {
            const struct cex_family *fam = &schedule->space->family[f];
            if (fam->n_full == 0) { // no element to compare
                schedule->runs++;
                arena_reset(schedule->mem, mark);
                return false;
            }
            cex_put_point(schedule, candidate, f, a,
                          &fam->point[choose_point(schedule, fam, a, round, axes == 1)]);
        }
    block_ranks(schedule, candidate);
    bool many = axes == 0 || schedule->sums;
    uint32_t fills = schedule->moves ? 1
                     : many          ? cex_styles(schedule->rule, candidate)
                                     : VERIFY_CEX_FILLS;
    if (try_case(schedule, candidate, fills, schedule->turn++))
        return true;
    arena_reset(schedule->mem, mark);
    return false;
}

// Rank vectors grouped by their number of free axes.
struct vectors {
    struct rank_vector *at;
    uint32_t first[VERIFY_CEX_FREE_AXES + 2];
};

// Tries the vectors of k free axes that are due in this round.  One axis gets most runs,
// since its points are tried in order.  No axis at all gets a few fillings only, unless
// elements matter.
static bool try_group(struct cex_schedule *schedule, const struct vectors *vectors, uint32_t k,
                      uint32_t round, bool *stop)
{
    uint32_t size = vectors->first[k + 1] - vectors->first[k];
    uint32_t scalar_rounds =
        schedule->moves ? VERIFY_CEX_SCALAR_ROUNDS_MOVES : VERIFY_CEX_SCALAR_ROUNDS;
    bool rare = k == 0 && round >= scalar_rounds;
    uint32_t each = k <= 1                            ? size
                    : size < VERIFY_CEX_FEW_AXES_EACH ? size
                                                      : VERIFY_CEX_FEW_AXES_EACH;
    uint32_t times = k == 1 ? VERIFY_CEX_ONE_AXIS_TIMES : 1;
    if (rare && round % VERIFY_CEX_RARE_ROUNDS != 0 &&
        vectors->first[VERIFY_CEX_FREE_AXES + 1] > size)
        return false;
    for (uint32_t i = 0; i < each; i++)
        for (uint32_t t = 0; t < times; t++) {
            *stop = out_of_budget(schedule);
            if (*stop)
                return false;
            if (try_vector(schedule, &vectors->at[vectors->first[k] + (round * each + i) % size],
                           round * times + t))
                return true;
        }
    return false;
}

static bool try_elements(struct cex_schedule *schedule)
{
    struct arena_mark mark = arena_mark(schedule->mem);
    struct rank_vector now = {0};
    struct vectors vectors;
    uint32_t n = 0;
    bool stop = false;
    vectors.at = ARENA_NEW(schedule->mem, struct rank_vector, VERIFY_CEX_RANK_VECTORS);
    for (uint32_t k = 0; k <= VERIFY_CEX_FREE_AXES; k++) {
        vectors.first[k] = n;
        rank_vectors(schedule, 0, k, &now, vectors.at, &n);
    }
    vectors.first[VERIFY_CEX_FREE_AXES + 1] = n;
    for (uint32_t round = 0; n > 0 && !stop; round++)
        for (uint32_t k = 0; k <= VERIFY_CEX_FREE_AXES && !stop; k++)
            if (try_group(schedule, &vectors, k, round, &stop))
                return true;
    arena_reset(schedule->mem, mark);
    return false;
}

static bool needs_approximation(const struct rule *rule, enum domain domain)
{
    if (domain != DOMAIN_REAL && domain != DOMAIN_INT)
        return false;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        unsigned kinds = rule->types[pattern->type].kinds;
        if (pattern->kind == PAT_OP && op_is_transcendental(pattern->op) && kinds & KIND_FLOAT &&
            (domain == DOMAIN_REAL || kinds == KIND_FLOAT))
            return true;
    }
    return false;
}

// Does some class need an axis and have no point?  Then there is no ground instance.
static bool has_no_instance(const struct cex_space *space)
{
    for (uint32_t f = 0; f < space->n_families; f++)
        if (space->family[f].least > 0 && space->family[f].n_points == 0)
            return true;
    return false;
}

static struct cex_schedule schedule_of(const struct cex_space *space, enum domain domain,
                                       const struct cex_budget *budget, struct rng *rng,
                                       struct arena *mem)
{
    return (struct cex_schedule){
        .space = space,
        .rule = space->rule,
        .domain = domain,
        .budget = budget,
        .rng = rng,
        .mem = mem,
        .approximate = needs_approximation(space->rule, domain),
        .sums = domain == DOMAIN_FLOAT && cex_has_float_sums(space->rule),
        .moves = rule_only_moves(space->rule) && space->rule->n_wheres == 0,
    };
}

static bool search_space(const struct cex_space *space, enum domain domain,
                         const struct cex_budget *budget, bool both, struct rng *rng,
                         struct arena *mem, const char **json)
{
    struct cex_schedule schedule = schedule_of(space, domain, budget, rng, mem);
    *json = NULL;
    if (has_no_instance(space))
        return false;
    cex_evaluator_init(&schedule.evaluator, space->rule);
    schedule.evaluator.both = both;
    bool found = failing_points(&schedule) || try_hints(&schedule) ||
                 (budget->systematic > 0 && cex_systematic(&schedule));
    schedule.runs = 0;
    found = found || try_elements(&schedule);
    cex_evaluator_release(&schedule.evaluator);
    *json = schedule.json;
    return found;
}

bool cex_space_search(const struct cex_space *space, enum domain domain,
                      const struct cex_budget *budget, struct rng *rng, struct arena *mem,
                      const char **json)
{
    return search_space(space, domain, budget, false, rng, mem, json);
}

bool cex_plain_difference(const struct rule *rule, const struct cex_hint *hints, uint32_t n,
                          const struct cex_budget *budget, struct rng *rng)
{
    struct arena mem = {0};
    struct cex_space *space = cex_space_new(rule, hints, n, budget, rng, &mem);
    struct cex_schedule schedule = schedule_of(space, DOMAIN_FLOAT, budget, rng, &mem);
    bool found = false;
    schedule.sums = false; // the order of terms is no exception
    if (!has_no_instance(space)) {
        cex_evaluator_init(&schedule.evaluator, rule);
        schedule.evaluator.plain = true;
        found = try_hints(&schedule) || cex_systematic(&schedule);
        schedule.runs = 0;
        found = found || try_elements(&schedule);
        cex_evaluator_release(&schedule.evaluator);
    }
    arena_release(&mem);
    return found;
}

bool cex_search_hints(const struct cex_request *request, const char **json)
{
    struct cex_space *space = cex_space_new(request->rule, request->hints, request->n_hints,
                                            request->budget, request->rng, request->mem);
    struct cex_schedule schedule =
        schedule_of(space, request->domain, request->budget, request->rng, request->mem);
    cex_evaluator_init(&schedule.evaluator, request->rule);
    bool found = !has_no_instance(space) && try_hints(&schedule);
    cex_evaluator_release(&schedule.evaluator);
    *json = schedule.json;
    return found;
}

bool cex_search(const struct cex_request *request, const char **json)
{
    struct cex_space *space = cex_space_new(request->rule, request->hints, request->n_hints,
                                            request->budget, request->rng, request->mem);
    return search_space(space, request->domain, request->budget, request->both, request->rng,
                        request->mem, json);
}
