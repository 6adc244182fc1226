// SPDX-License-Identifier: Apache-2.0
// Vectors of simple elements, by the sum of their places.
#include "verify/counterexample/values.h"

// The simple values of one parameter, and which of them its own conditions allow.
struct choice {
    struct cex_simple simple;
    bool allowed[VERIFY_CEX_SIMPLE_VALUES];
};

struct coordinate {
    struct scalar *at;
    const struct choice *choice;
    uint32_t least, most;           // place
    uint32_t rest_least, rest_most; // sums of these of the coordinates after this one
    bool all;                       // values that are not allowed, too
};

struct vectors {
    struct cex_evaluator *evaluator;
    struct cex_case *candidate;
    uint32_t n, n_choices;
    struct coordinate coordinate[VERIFY_CEX_VECTOR_ELEMENTS];
    struct choice choice[VERIFY_CEX_VECTOR_ELEMENTS];
    uint32_t left;   // vectors
    uint32_t visits; // left, of choices for single elements
    bool mixed;      // values in another order
    uint32_t each;   // values of one element, with addends before the simple ones; 0: no limit
    uint64_t *runs;
};

// Takes the simplest and the least simple values by turns: a search wants both early.
static void mix(struct cex_simple *simple)
{
    struct cex_simple old = *simple;
    for (uint32_t i = 0; i < old.n; i++)
        simple->at[i] = old.at[i % 2 == 0 ? i / 2 : old.n - 1 - i / 2];
}

// Drops all values but the first so many that are allowed.
static void keep(struct choice *choice, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < choice->simple.n && kept < n; i++)
        if (choice->allowed[i]) {
            choice->simple.at[kept] = choice->simple.at[i];
            choice->allowed[kept++] = true;
        }
    choice->simple.n = kept;
}

// The number of values of each element with which there are at most so many vectors, but 2 at
// least.
static uint32_t values_each(uint32_t elements, uint32_t vectors)
{
    uint32_t each = 2;
    for (; each < VERIFY_CEX_ADDENDS; each++) {
        uint64_t all = 1;
        for (uint32_t i = 0; i < elements && all <= vectors; i++)
            all *= each + 1;
        if (all > vectors)
            break;
    }
    return each;
}

// What the conditions on a parameter alone say of each of its simple values. Values that they
// exclude need not be tried in vectors: of four elements that a condition binds to one value
// each, there is one vector, and not a million. If they allow none, all are tried.
static void choose(struct vectors *vectors, uint32_t param, struct choice *choice)
{
    struct cex_evaluator *evaluator = vectors->evaluator;
    bool any = false, binds = cex_binds_alone(evaluator, param);
    (vectors->each > 0 ? cex_addends : cex_simple_values)(
        evaluator->rule, type_elem(&evaluator->pool, evaluator->types[param]),
        vectors->candidate->approximate, &choice->simple);
    if (vectors->mixed)
        mix(&choice->simple);
    for (uint32_t i = 0; i < choice->simple.n; i++) {
        choice->allowed[i] = !binds || cex_allows_alone(evaluator, param, choice->simple.at[i]);
        any |= choice->allowed[i];
        *vectors->runs += binds;
    }
    for (uint32_t i = 0; i < choice->simple.n && !any; i++)
        choice->allowed[i] = true;
    if (vectors->each > 0)
        keep(choice, vectors->each);
}

// The allowed places up to `most`, or all of them if none is allowed.
static void bound(struct coordinate *coordinate, uint32_t most)
{
    const struct choice *choice = coordinate->choice;
    uint32_t least = 0;
    if (most > choice->simple.n - 1)
        most = choice->simple.n - 1;
    coordinate->most = most;
    while (least <= most && !choice->allowed[least])
        least++;
    coordinate->all = least > most;
    if (coordinate->all)
        return;
    coordinate->least = least;
    while (!choice->allowed[coordinate->most])
        coordinate->most--;
}

static bool make_coordinates(struct vectors *vectors, struct cex_vector_limits limits)
{
    const struct cex_evaluator *evaluator = vectors->evaluator;
    for (uint32_t i = 0; i < evaluator->n_params; i++)
        if (vectors->candidate->param[i].count > VERIFY_CEX_VECTOR_ELEMENTS - vectors->n)
            return false;
        else
            vectors->n += (uint32_t)vectors->candidate->param[i].count;
    if (limits.addends)
        vectors->each = values_each(vectors->n, limits.vectors);
    uint32_t n = 0;
    for (uint32_t i = 0; i < evaluator->n_params; i++) {
        struct cex_values *values = &vectors->candidate->param[i];
        struct choice *choice = &vectors->choice[vectors->n_choices];
        if (values->count == 0)
            continue;
        vectors->n_choices++;
        choose(vectors, i, choice);
        for (uint64_t k = 0; k < values->count; k++, n++) {
            vectors->coordinate[n] = (struct coordinate){.at = &values->at[k], .choice = choice};
            bound(&vectors->coordinate[n], limits.caps != NULL ? limits.caps[n] : UINT32_MAX);
        }
    }
    for (uint32_t i = n; i-- > 1;) {
        const struct coordinate *after = &vectors->coordinate[i];
        vectors->coordinate[i - 1].rest_least = after->rest_least + after->least;
        vectors->coordinate[i - 1].rest_most = after->rest_most + after->most;
    }
    return n > 0;
}

static bool try_vector(struct vectors *vectors)
{
    struct cex_outcome outcome;
    vectors->left--;
    ++*vectors->runs;
    enum cex_failure failure = cex_evaluator_run(vectors->evaluator, vectors->candidate, &outcome);
    return vectors->evaluator->plain ? failure == CEX_ELEMENTS
                                     : failure != CEX_NONE && failure != CEX_DISCARD;
}

static bool is_over(const struct vectors *vectors)
{
    return vectors->left == 0 || vectors->visits == 0;
}

// All vectors from coordinate `at` on whose places sum up to `sum`.
static bool by_sum(struct vectors *vectors, uint32_t at, uint32_t sum)
{
    if (is_over(vectors))
        return false;
    vectors->visits--;
    if (at == vectors->n)
        return try_vector(vectors);
    const struct coordinate *coordinate = &vectors->coordinate[at];
    if (sum < coordinate->least + coordinate->rest_least)
        return false;
    uint32_t low = sum > coordinate->rest_most ? sum - coordinate->rest_most : 0;
    uint32_t high = sum - coordinate->rest_least;
    for (uint32_t i = low > coordinate->least ? low : coordinate->least;
         i <= high && i <= coordinate->most; i++) {
        if (!coordinate->all && !coordinate->choice->allowed[i])
            continue;
        *coordinate->at = coordinate->choice->simple.at[i];
        if (by_sum(vectors, at + 1, sum - i))
            return true;
    }
    return false;
}

bool cex_vectors(struct cex_evaluator *evaluator, struct cex_case *candidate,
                 struct cex_vector_limits limits, uint64_t *runs)
{
    struct vectors vectors = {.evaluator = evaluator,
                              .candidate = candidate,
                              .left = limits.vectors,
                              .visits = VERIFY_CEX_VECTOR_VISITS * (limits.vectors + 1),
                              .runs = runs,
                              .mixed = limits.mixed};
    struct scalar before[VERIFY_CEX_VECTOR_ELEMENTS];
    if (!make_coordinates(&vectors, limits))
        return false;
    for (uint32_t i = 0; i < vectors.n; i++)
        before[i] = *vectors.coordinate[i].at;
    const struct coordinate *first = &vectors.coordinate[0];
    uint32_t most = first->rest_most + first->most;
    if (limits.sum < most)
        most = limits.sum;
    for (uint32_t sum = first->rest_least + first->least; sum <= most && !is_over(&vectors); sum++)
        if (by_sum(&vectors, 0, sum))
            return true;
    for (uint32_t i = 0; i < vectors.n; i++)
        *vectors.coordinate[i].at = before[i];
    return false;
}
