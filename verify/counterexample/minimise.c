// SPDX-License-Identifier: Apache-2.0
// Makes a failing case small, greedily: a step is kept if the case still fails.
#include "verify/counterexample/ops.h"
#include "verify/counterexample/types.h"
#include "verify/counterexample/values.h"
#include "verify/limits.h"
#include <math.h>

struct cex_minimiser {
    const struct rule *rule;
    struct cex_evaluator *evaluator;
    struct rng *rng;
    struct arena *mem;
    struct cex_case *best;
    int64_t index;      // of the element that differs in `best`
    enum cex_lack lack; // of `best`
    bool indices;       // of the maps, only these change
    uint32_t steps, values;
    uint64_t runs; // of vectors
};

static bool fails(struct cex_minimiser *cex_minimiser, const struct cex_case *candidate)
{
    struct cex_outcome outcome;
    enum cex_failure failure = cex_evaluator_run(cex_minimiser->evaluator, candidate, &outcome);
    if (failure == CEX_NONE || failure == CEX_DISCARD)
        return false;
    cex_minimiser->index = outcome.index;
    return true;
}

// Puts the values that made the difference everywhere.  That is right if operators act
// element by element.
static void spread(const struct cex_minimiser *cex_minimiser, struct cex_case *candidate,
                   uint64_t index)
{
    for (uint32_t i = 0; i < cex_minimiser->evaluator->n_params; i++) {
        const struct cex_values *old = &cex_minimiser->best->param[i];
        for (uint64_t k = 0; k < candidate->param[i].count && old->count > 0; k++)
            candidate->param[i].at[k] = old->at[index % old->count];
    }
}

static bool has_types_of_best(const struct cex_minimiser *cex_minimiser,
                              const struct cex_case *candidate)
{
    for (uint32_t i = 0; i < cex_minimiser->rule->n_types; i++)
        if (candidate->elem[i] != cex_minimiser->best->elem[i])
            return false;
    return true;
}

// Does the changed case still fail, with its elements, unless they are stale, or with others?  Then
// it becomes the best.
static bool accept_with(struct cex_minimiser *cex_minimiser, struct cex_case *candidate, bool stale)
{
    cex_minimiser->steps++;
    uint32_t n = cex_minimiser->evaluator->n_params;
    uint64_t before = 0, after = 0;
    for (uint32_t i = 0; i < n; i++)
        before += candidate->param[i].count;
    if (!cex_evaluator_ground(cex_minimiser->evaluator, candidate, cex_minimiser->mem) ||
        cex_minimiser->evaluator->lack > cex_minimiser->lack)
        return false;
    enum cex_lack lack = cex_minimiser->evaluator->lack;
    for (uint32_t i = 0; i < n; i++)
        after += candidate->param[i].count;
    bool ok = !stale && after == before && fails(cex_minimiser, candidate);
    if (!ok && after != before && has_types_of_best(cex_minimiser, candidate)) {
        spread(cex_minimiser, candidate, (uint64_t)cex_minimiser->index);
        ok = fails(cex_minimiser, candidate);
    }
    for (uint32_t i = 0; !ok && i < VERIFY_CEX_SHRINK_FILLS; i++) {
        cex_fill(cex_minimiser->rule, candidate, i % cex_styles(cex_minimiser->rule, candidate),
                 cex_minimiser->rng);
        ok = fails(cex_minimiser, candidate);
    }
    if (ok) {
        cex_minimiser->best = candidate;
        cex_minimiser->lack = lack;
    }
    return ok;
}

static bool accept(struct cex_minimiser *cex_minimiser, struct cex_case *candidate)
{
    return accept_with(cex_minimiser, candidate, false);
}

// Makes one axis of a block's last two axes, or none of one of size 1.
static bool try_merge(struct cex_minimiser *cex_minimiser, uint32_t root)
{
    struct cex_case *candidate =
        cex_case_copy(cex_minimiser->rule, cex_minimiser->best, cex_minimiser->mem);
    const struct rule *rule = cex_minimiser->rule;
    for (uint32_t k = 0; k < rule->n_classes; k++)
        if (rule->classes[k].like == root && candidate->rank[k]-- <= rule->classes[k].least_rank)
            return false;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t last = candidate->rank[rule->maps[m].cls];
        if (rule->classes[rule->maps[m].cls].like != root)
            continue;
        if (last == 0 ? candidate->map[m][0] != 1
                      : __builtin_mul_overflow(candidate->map[m][last - 1], candidate->map[m][last],
                                               &candidate->map[m][last - 1]))
            return false;
    }
    return accept(cex_minimiser, candidate);
}

static bool try_drop(struct cex_minimiser *cex_minimiser, uint32_t root, uint32_t axis)
{
    if (cex_minimiser->rule->classes[root].block)
        return try_merge(cex_minimiser, root);
    struct cex_case *candidate =
        cex_case_copy(cex_minimiser->rule, cex_minimiser->best, cex_minimiser->mem);
    for (uint32_t k = 0; k < cex_minimiser->rule->n_classes; k++)
        if (cex_minimiser->rule->classes[k].like == root) {
            if (cex_minimiser->rule->classes[k].single ||
                candidate->rank[k] <= cex_minimiser->rule->classes[k].least_rank)
                return false;
            candidate->rank[k]--;
        }
    for (uint32_t m = 0; m < cex_minimiser->rule->n_maps; m++)
        if (cex_minimiser->rule->classes[cex_minimiser->rule->maps[m].cls].like == root)
            for (uint32_t i = axis; i < candidate->rank[cex_minimiser->rule->maps[m].cls]; i++)
                candidate->map[m][i] = candidate->map[m][i + 1];
    return accept(cex_minimiser, candidate);
}

static bool drop_axes(struct cex_minimiser *cex_minimiser)
{
    bool any = false;
    for (uint32_t k = 0; k < cex_minimiser->rule->n_classes; k++) {
        if (cex_minimiser->rule->classes[k].like != k)
            continue;
        for (uint32_t i = cex_minimiser->best->rank[k];
             i-- > 0 && cex_minimiser->steps < VERIFY_CEX_SHRINK_STEPS;)
            any |= try_drop(cex_minimiser, k, i);
    }
    return any;
}

static int64_t size_of(int64_t v)
{
    return v < 0 ? -v : v;
}

static bool try_map(struct cex_minimiser *cex_minimiser, uint32_t m, uint32_t i, int64_t v)
{
    int64_t old = cex_minimiser->best->map[m][i];
    if (size_of(v) >= size_of(old) && !(v == -old && v > 0))
        return false;
    struct cex_case *candidate =
        cex_case_copy(cex_minimiser->rule, cex_minimiser->best, cex_minimiser->mem);
    candidate->map[m][i] = v;
    if (accept(cex_minimiser, candidate))
        return true;
    if (cex_minimiser->indices)
        return false;
    // Maps that must be equal change together.
    candidate = cex_case_copy(cex_minimiser->rule, cex_minimiser->best, cex_minimiser->mem);
    bool more = false;
    uint32_t root = cex_root(cex_minimiser->rule, cex_minimiser->rule->maps[m].cls);
    for (uint32_t k = 0; k < cex_minimiser->rule->n_maps; k++)
        if (cex_minimiser->rule->maps[k].def == NULL &&
            cex_root(cex_minimiser->rule, cex_minimiser->rule->maps[k].cls) == root &&
            i < candidate->rank[cex_minimiser->rule->maps[k].cls] && candidate->map[k][i] == old) {
            candidate->map[k][i] = v;
            more |= k != m;
        }
    return more && accept(cex_minimiser, candidate);
}

static bool shrink_maps(struct cex_minimiser *cex_minimiser)
{
    bool any = false;
    for (uint32_t m = 0; m < cex_minimiser->rule->n_maps; m++) {
        const struct map *map = &cex_minimiser->rule->maps[m];
        if (map->def != NULL || (cex_minimiser->indices && !map->index))
            continue;
        for (uint32_t i = 0; i < cex_minimiser->best->rank[cex_minimiser->rule->maps[m].cls]; i++) {
            int64_t v = cex_minimiser->best->map[m][i];
            int64_t next[5] = {0, 1, -v, v / 2, v > 0 ? v - 1 : v + 1};
            for (int k = 0; k < 5 && cex_minimiser->steps < VERIFY_CEX_SHRINK_STEPS; k++)
                if (cex_minimiser->best->map[m][i] == v && v != 0 &&
                    try_map(cex_minimiser, m, i, next[k]))
                    any = true;
        }
    }
    return any;
}

static bool try_value(struct cex_minimiser *cex_minimiser, struct scalar *at, struct scalar scalar)
{
    struct scalar old = *at;
    if (++cex_minimiser->values > VERIFY_CEX_SHRINK_VALUES)
        return false;
    *at = scalar;
    if (fails(cex_minimiser, cex_minimiser->best))
        return true;
    *at = old;
    return false;
}

// Takes the first simple value with which the case fails.  If there is none, halves the value
// as often as the case still fails.
static void shrink_value(struct cex_minimiser *cex_minimiser, enum elem elem,
                         const struct cex_simple *simple, struct scalar *at)
{
    uint32_t place = cex_simplicity(simple, elem, *at);
    for (uint32_t i = 0; i < place; i++)
        if (try_value(cex_minimiser, at, simple->at[i]))
            return;
    double x = scalar_to_double(elem, *at);
    for (int k = 0; place == simple->n && k < 64 && fabs(x) < 0x1p62 && fabs(x) > 4; k++) {
        x = trunc(x / 2);
        if (!try_value(cex_minimiser, at, scalar_of_int(elem, (int64_t)x)))
            break;
    }
}

// The instances in order have one axis for each block.
static void drop_blocks(struct cex_minimiser *cex_minimiser)
{
    const struct rule *rule = cex_minimiser->rule;
    for (uint32_t k = 0; k < rule->n_classes; k++)
        while (rule->classes[k].like == k && rule->classes[k].block && try_merge(cex_minimiser, k))
            continue;
}

// Does the changed case still fail with some vector of simple elements, or of addends?
static bool accept_vector(struct cex_minimiser *cex_minimiser, struct cex_case *candidate,
                          uint32_t vectors)
{
    struct cex_evaluator *evaluator = cex_minimiser->evaluator;
    bool sums = cex_sums_floats(cex_minimiser->rule, candidate);
    struct cex_vector_limits limits = {.sum = UINT32_MAX, .vectors = vectors, .mixed = true};
    struct cex_vector_limits addends = {
        .sum = UINT32_MAX, .vectors = VERIFY_CEX_SUM_VECTORS, .addends = true};
    if (!cex_evaluator_ground(evaluator, candidate, cex_minimiser->mem) ||
        evaluator->lack > cex_minimiser->lack ||
        !(cex_vectors(evaluator, candidate, limits, &cex_minimiser->runs) ||
          (sums && cex_vectors(evaluator, candidate, addends, &cex_minimiser->runs))))
        return false;
    cex_minimiser->best = candidate;
    cex_minimiser->lack = evaluator->lack;
    return true;
}

// The same number in another element type, if it has it.
static bool convert_value(enum elem from, enum elem to, struct scalar scalar, struct scalar *out)
{
    double x = scalar_to_double(from, scalar);
    if (elem_kind(from) != KIND_FLOAT && fabs(x) >= 0x1p53)
        return false;
    if (elem_kind(to) != KIND_FLOAT) {
        bool fits = fabs(x) < 0x1p53 && trunc(x) == x && elem_has_int(to, (int64_t)x);
        *out = fits ? scalar_of_int(to, (int64_t)x) : *out;
        return fits;
    }
    *out = scalar_of_double(to, x);
    return scalar_to_double(to, *out) == x || (isnan(x) && scalar_is_nan(to, *out));
}

// The same numbers in the new element types, if these have all of them.
static bool convert_values(const struct cex_minimiser *cex_minimiser, struct cex_case *candidate)
{
    const struct rule *rule = cex_minimiser->rule;
    const struct cex_case *best = cex_minimiser->best;
    for (uint32_t i = 0; i < cex_minimiser->evaluator->n_params; i++) {
        uint32_t type =
            i < rule->n_tensors ? rule->tensors[i].type : rule->scalars[i - rule->n_tensors].type;
        if (candidate->elem[type] == best->elem[type])
            continue;
        for (uint64_t k = 0; k < candidate->param[i].count; k++)
            if (!convert_value(best->elem[type], candidate->elem[type], best->param[i].at[k],
                               &candidate->param[i].at[k]))
                return false;
    }
    return true;
}

// One choice of element types with all choices of operators.
struct retyped {
    struct cex_minimiser *minimiser;
    uint32_t ops; // choices so far
    bool found;
};

static bool try_ops(void *context, struct cex_case *now)
{
    struct retyped *retyped = context;
    struct cex_minimiser *cex_minimiser = retyped->minimiser;
    const struct rule *rule = cex_minimiser->rule;
    struct arena_mark mark = arena_mark(cex_minimiser->mem);
    struct cex_case *candidate = cex_case_copy(rule, cex_minimiser->best, cex_minimiser->mem);
    for (uint32_t i = 0; i < rule->n_types; i++)
        candidate->elem[i] = now->elem[i];
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        candidate->op[i] = now->op[i];
    candidate->index_elem = now->index_elem;
    bool stale = !convert_values(cex_minimiser, candidate);
    bool first = retyped->ops++ == 0;
    cex_minimiser->runs += first ? 0 : VERIFY_CEX_SHRINK_FILLS;
    retyped->found = accept_with(cex_minimiser, candidate, stale) ||
                     accept_vector(cex_minimiser, candidate,
                                   first ? VERIFY_CEX_TYPE_VECTORS : VERIFY_CEX_OP_VECTORS);
    if (!retyped->found)
        arena_reset(cex_minimiser->mem, mark);
    return !retyped->found && cex_minimiser->runs < VERIFY_CEX_TYPE_RUNS;
}

static bool try_types(void *context, struct cex_case *now)
{
    struct cex_minimiser *cex_minimiser = context;
    struct retyped retyped = {.minimiser = cex_minimiser};
    struct cex_op_walk walk = {.rule = cex_minimiser->rule,
                               .evaluator = cex_minimiser->evaluator,
                               .like = cex_minimiser->best,
                               .choices = VERIFY_CEX_OP_CHOICES,
                               .visit = try_ops,
                               .context = &retyped};
    cex_walk_ops(&walk, now, cex_minimiser->mem);
    return !retyped.found && cex_minimiser->runs < VERIFY_CEX_TYPE_RUNS;
}

// Takes the first element types with which the case fails.
static void plain_types(struct cex_minimiser *cex_minimiser)
{
    struct cex_case *now =
        cex_case_copy(cex_minimiser->rule, cex_minimiser->best, cex_minimiser->mem);
    struct cex_type_walk walk = {.rule = cex_minimiser->rule,
                                 .before = cex_minimiser->best,
                                 .choices = VERIFY_CEX_TYPE_CHOICES,
                                 .visit = try_types,
                                 .context = cex_minimiser};
    cex_walk_types(&walk, now, cex_minimiser->mem);
}

// Makes the elements simple one after the other, then all together: the vector of simple
// values with the smallest sum of places.  If there are too many vectors, then among those in
// which no element is less simple.
static void shrink_values(struct cex_minimiser *cex_minimiser)
{
    const struct cex_evaluator *evaluator = cex_minimiser->evaluator;
    struct cex_case *best = cex_minimiser->best;
    uint32_t caps[VERIFY_CEX_VECTOR_ELEMENTS], n = 0;
    uint64_t runs = 0;
    if (!cex_evaluator_ground(cex_minimiser->evaluator, best, cex_minimiser->mem))
        return;
    for (uint32_t i = 0; i < evaluator->n_params; i++) {
        struct cex_simple simple;
        enum elem elem = type_elem(&evaluator->pool, evaluator->types[i]);
        cex_simple_values(cex_minimiser->rule, elem, best->approximate, &simple);
        for (uint64_t k = 0; k < best->param[i].count; k++) {
            shrink_value(cex_minimiser, elem, &simple, &best->param[i].at[k]);
            if (n < VERIFY_CEX_VECTOR_ELEMENTS)
                caps[n++] = cex_simplicity(&simple, elem, best->param[i].at[k]);
        }
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += caps[i];
    struct cex_vector_limits limits = {.sum = sum, .vectors = VERIFY_CEX_SHRINK_VECTORS};
    if (cex_vectors(cex_minimiser->evaluator, best, limits, &runs))
        return;
    limits.caps = caps;
    cex_vectors(cex_minimiser->evaluator, best, limits, &runs);
}

struct cex_case *cex_shrink(struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
                            struct rng *rng, struct arena *mem)
{
    struct cex_minimiser cex_minimiser = {
        .rule = cex_evaluator->rule, .evaluator = cex_evaluator, .rng = rng, .mem = mem};
    cex_minimiser.best = cex_case_copy(cex_evaluator->rule, candidate, mem);
    bool more = cex_evaluator_ground(cex_evaluator, cex_minimiser.best, mem) &&
                fails(&cex_minimiser, cex_minimiser.best);
    cex_minimiser.lack = cex_evaluator->lack;
    while (more && cex_minimiser.steps < VERIFY_CEX_SHRINK_STEPS) {
        more = drop_axes(&cex_minimiser);
        more |= shrink_maps(&cex_minimiser);
    }
    return cex_minimiser.best;
}

struct cex_case *cex_simplify(struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
                              struct rng *rng, struct arena *mem)
{
    struct cex_minimiser cex_minimiser = {.rule = cex_evaluator->rule,
                                          .evaluator = cex_evaluator,
                                          .rng = rng,
                                          .mem = mem,
                                          .lack = CEX_LACKS_RESULT};
    cex_minimiser.best = cex_case_copy(cex_evaluator->rule, candidate, mem);
    if (!cex_evaluator_ground(cex_evaluator, cex_minimiser.best, mem) ||
        !fails(&cex_minimiser, cex_minimiser.best))
        return cex_minimiser.best;
    cex_minimiser.lack = cex_evaluator->lack;
    drop_blocks(&cex_minimiser);
    cex_minimiser.indices = true;
    while (cex_has_index(cex_evaluator->rule) && cex_minimiser.steps < VERIFY_CEX_SHRINK_STEPS &&
           shrink_maps(&cex_minimiser))
        ;
    plain_types(&cex_minimiser);
    shrink_values(&cex_minimiser);
    return cex_minimiser.best;
}
