// SPDX-License-Identifier: Apache-2.0
#include "verify/counterexample/values.h"

#include <math.h>

// Distinct values only: of a narrow type several of a list are one.
static void put(struct cex_simple *out, enum elem elem, struct scalar scalar)
{
    for (uint32_t i = 0; i < out->n; i++)
        if (scalar_same(elem, out->at[i], scalar))
            return;
    if (out->n < VERIFY_CEX_SIMPLE_VALUES)
        out->at[out->n++] = scalar;
}

static void put_int(struct cex_simple *out, enum elem elem, int64_t k)
{
    if (elem_has_int(elem, k))
        put(out, elem, scalar_of_int(elem, k));
}

static void put_words(struct cex_simple *out, enum elem elem)
{
    struct scalar low = scalar_lowest(elem), high = scalar_highest(elem);
    uint32_t bits = elem_bits(elem);
    put_int(out, elem, bits);
    put_int(out, elem, (int64_t)bits - 1);
    put(out, elem, high);
    put(out, elem, low);
    put(out, elem, scalar_of_int(elem, (int64_t)high.bits - 1));
    put(out, elem, scalar_of_int(elem, (int64_t)low.bits + 1));
    put(out, elem, scalar_of_int(elem, (int64_t)(UINT64_C(1) << (bits - 1)) >> 1));
    put(out, elem, scalar_of_int(elem, (int64_t)(UINT64_C(1) << (bits - 1))));
}

static void put_floats(struct cex_simple *out, enum elem elem)
{
    uint64_t infinite = scalar_highest(elem).bits, sign = UINT64_C(1) << (elem_bits(elem) - 1);
    put(out, elem, scalar_of_double(elem, 0.1));
    put(out, elem, scalar_of_double(elem, 1.0 / 3));
    put(out, elem, (struct scalar){.bits = infinite - 1}); // greatest finite
    put(out, elem, (struct scalar){.bits = (infinite - 1) ^ sign});
    put(out, elem, (struct scalar){.bits = 1}); // least subnormal
    put(out, elem, (struct scalar){.bits = sign});
    put(out, elem, (struct scalar){.bits = infinite});
    put(out, elem, (struct scalar){.bits = infinite ^ sign});
    put(out, elem, scalar_of_double(elem, NAN));
}

void cex_simple_values(enum elem elem, bool approximate, struct cex_simple *out)
{
    static const double halves[] = {0.5, -0.5, 1.5, -1.5, 0.25, 2.5};
    static const struct scalar fractions[] = {{.num = 1, .den = 2},  {.num = -1, .den = 2},
                                              {.num = 3, .den = 2},  {.num = 1, .den = 3},
                                              {.num = -1, .den = 3}, {.num = -3, .den = 2}};
    unsigned kind = elem_kind(elem);
    out->n = 0;
    for (int64_t k = 0; k <= 4; k++) {
        put_int(out, elem, k);
        if (kind != KIND_BOOL && k > 0)
            put_int(out, elem, -k);
    }
    if (kind == KIND_BOOL)
        return;
    for (uint32_t i = 0; kind == KIND_FLOAT && i < sizeof halves / sizeof *halves; i++)
        put(out, elem, elem == ELEM_REAL ? fractions[i] : scalar_of_double(elem, halves[i]));
    put_int(out, elem, 5);
    put_int(out, elem, 7);
    put_int(out, elem, 100);
    if (elem_is_ideal(elem) || approximate)
        return;
    if (kind == KIND_FLOAT)
        put_floats(out, elem);
    else
        put_words(out, elem);
}

uint32_t cex_simplicity(const struct cex_simple *simple, enum elem elem, struct scalar scalar)
{
    uint32_t i = 0;
    while (i < simple->n && !scalar_same(elem, simple->at[i], scalar) &&
           !(scalar_is_nan(elem, simple->at[i]) && scalar_is_nan(elem, scalar)))
        i++;
    return i;
}

struct coordinate {
    struct scalar *at;
    uint32_t kind; // of `simple`
    uint32_t most; // place
    uint32_t rest; // sum of `most` of the coordinates after this one
};

struct vectors {
    struct cex_evaluator *evaluator;
    struct cex_case *candidate;
    uint32_t n, n_simple;
    struct coordinate coordinate[VERIFY_CEX_VECTOR_ELEMENTS];
    struct cex_simple simple[VERIFY_CEX_VECTOR_ELEMENTS];
    enum elem elem[VERIFY_CEX_VECTOR_ELEMENTS]; // of `simple`
    uint32_t left;                              // vectors
    bool mixed;                                 // values in another order
    uint64_t *runs;
};

// Takes the simplest and the least simple values by turns: a search wants both early.
static void mix(struct cex_simple *simple)
{
    struct cex_simple old = *simple;
    for (uint32_t i = 0; i < old.n; i++)
        simple->at[i] = old.at[i % 2 == 0 ? i / 2 : old.n - 1 - i / 2];
}

static uint32_t kind_of(struct vectors *vectors, enum elem elem)
{
    uint32_t i = 0;
    while (i < vectors->n_simple && vectors->elem[i] != elem)
        i++;
    if (i == vectors->n_simple) {
        vectors->elem[vectors->n_simple++] = elem;
        cex_simple_values(elem, vectors->candidate->approximate, &vectors->simple[i]);
        if (vectors->mixed)
            mix(&vectors->simple[i]);
    }
    return i;
}

static bool make_coordinates(struct vectors *vectors, const uint32_t *caps)
{
    const struct cex_evaluator *evaluator = vectors->evaluator;
    for (uint32_t i = 0; i < evaluator->n_params; i++) {
        struct cex_values *values = &vectors->candidate->param[i];
        if (values->count > VERIFY_CEX_VECTOR_ELEMENTS - vectors->n)
            return false;
        for (uint64_t k = 0; k < values->count; k++) {
            uint32_t kind = kind_of(vectors, type_elem(&evaluator->pool, evaluator->types[i]));
            uint32_t most = vectors->simple[kind].n - 1;
            if (caps != NULL && caps[vectors->n] < most)
                most = caps[vectors->n];
            vectors->coordinate[vectors->n++] =
                (struct coordinate){.at = &values->at[k], .kind = kind, .most = most};
        }
    }
    for (uint32_t i = vectors->n; i-- > 1;)
        vectors->coordinate[i - 1].rest = vectors->coordinate[i].rest + vectors->coordinate[i].most;
    return vectors->n > 0;
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

// All vectors from coordinate `at` on whose places sum up to `sum`.
static bool by_sum(struct vectors *vectors, uint32_t at, uint32_t sum)
{
    if (vectors->left == 0)
        return false;
    if (at == vectors->n)
        return try_vector(vectors);
    const struct coordinate *coordinate = &vectors->coordinate[at];
    uint32_t low = sum > coordinate->rest ? sum - coordinate->rest : 0;
    uint32_t high = sum < coordinate->most ? sum : coordinate->most;
    for (uint32_t i = low; i <= high; i++) {
        *coordinate->at = vectors->simple[coordinate->kind].at[i];
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
                              .runs = runs,
                              .mixed = limits.mixed};
    struct scalar before[VERIFY_CEX_VECTOR_ELEMENTS];
    if (!make_coordinates(&vectors, limits.caps))
        return false;
    for (uint32_t i = 0; i < vectors.n; i++)
        before[i] = *vectors.coordinate[i].at;
    uint32_t most = vectors.coordinate[0].rest + vectors.coordinate[0].most;
    if (limits.sum < most)
        most = limits.sum;
    for (uint32_t sum = 0; sum <= most && vectors.left > 0; sum++)
        if (by_sum(&vectors, 0, sum))
            return true;
    for (uint32_t i = 0; i < vectors.n; i++)
        *vectors.coordinate[i].at = before[i];
    return false;
}
