// SPDX-License-Identifier: Apache-2.0
// Parts of a candidate other than maps, element types and operators: indices and element values.
#include "tensor/eval/eval.h"
#include "verify/counterexample/values.h"
#include "verify/obligations/named.h"
#include <math.h>

bool cex_has_index(const struct rule *rule)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->maps[m].index)
            return true;
    return false;
}

bool cex_put_indices(const struct rule *rule, struct cex_case *candidate, uint32_t n)
{
    static const int64_t simple[] = {0, 1, -1, 2};
    candidate->index_elem = ELEM_I32;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; rule->maps[m].index && rule->maps[m].def == NULL &&
                             i < candidate->rank[rule->maps[m].cls];
             i++, n /= 4)
            candidate->map[m][i] = simple[n % 4];
    return n == 0;
}

void cex_choose_indices(const struct rule *rule, struct cex_case *candidate, uint32_t round,
                        struct rng *rng)
{
    static const enum elem types[] = {ELEM_I32, ELEM_I8, ELEM_UI8, ELEM_I64};
    if (!cex_has_index(rule))
        return;
    uint64_t pick = rng_below(rng, 12);
    candidate->index_elem = types[round < 2 || pick > 3 ? 0 : pick];
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; rule->maps[m].index && rule->maps[m].def == NULL &&
                             i < candidate->rank[rule->maps[m].cls];
             i++) {
            int64_t v = rng_range(rng, -2, rng_below(rng, 2) ? 3 : 8);
            uint64_t far = rng_below(rng, 12);
            if (far < 2 && round > 1)
                v = (int64_t)(far == 0 ? scalar_lowest(candidate->index_elem)
                                       : scalar_highest(candidate->index_elem))
                        .bits;
            if (!elem_has_int(candidate->index_elem, v))
                v = -v;
            candidate->map[m][i] = v;
        }
}

static struct scalar small_int(enum elem elem, int64_t k)
{
    if (elem_kind(elem) == KIND_BOOL)
        return scalar_of_int(elem, k & 1);
    if (elem_kind(elem) == KIND_UINT)
        k = k < 0 ? -k : k;
    return scalar_of_int(elem, k);
}

static struct scalar ratio(enum elem elem, int64_t num, int64_t den)
{
    if (elem == ELEM_REAL) {
        struct scalar scalar = {.num = num, .den = den};
        for (int64_t d = 2; d <= den; d++)
            while (scalar.num % d == 0 && scalar.den % d == 0) {
                scalar.num /= d;
                scalar.den /= d;
            }
        return scalar;
    }
    return scalar_of_double(elem, (double)num / (double)den);
}

static struct scalar special_float(enum elem elem, struct rng *rng)
{
    uint64_t sign = UINT64_C(1) << (elem_bits(elem) - 1);
    uint64_t inf = scalar_highest(elem).bits;
    uint64_t flip = rng_below(rng, 2) ? sign : 0;
    switch (rng_below(rng, 8)) {
    case 0:
        return scalar_of_double(elem, NAN);
    case 1:
        return (struct scalar){.bits = inf ^ flip};
    case 2:
        return (struct scalar){.bits = (inf - 1) ^ flip}; // greatest finite
    case 3:
        return (struct scalar){.bits = 1 ^ flip}; // least subnormal
    case 4:
        return scalar_of_double(elem, flip ? -0x1p14 : 0x1p14);
    case 5:
        return scalar_of_double(elem, flip ? 1.0 / 3 : 100);
    default:
        return (struct scalar){.bits = flip}; // 0 and -0
    }
}

static struct scalar special(enum elem elem, struct rng *rng)
{
    if (elem_is_ideal(elem))
        return small_int(elem,
                         rng_below(rng, 4) ? rng_range(rng, -1, 1) : rng_range(rng, -100, 100));
    if (elem_kind(elem) == KIND_FLOAT)
        return special_float(elem, rng);
    uint64_t top = UINT64_C(1) << (elem_bits(elem) - 1);
    switch (rng_below(rng, 6)) {
    case 0:
        return scalar_lowest(elem);
    case 1:
        return scalar_highest(elem);
    case 2:
        return scalar_of_int(elem, -1);
    case 3:
        return scalar_of_int(elem, (int64_t)(top >> 1));
    case 4:
        return scalar_of_int(elem, (int64_t)rng_u64(rng));
    default:
        return scalar_of_int(elem, (int64_t)rng_below(rng, 2));
    }
}

// Numbers whose sum depends on the order: a number with one digit more than the type holds,
// tenths, and factors whose products are rounded.
static struct scalar addend(enum elem elem, struct rng *rng)
{
    double most = elem == ELEM_F16    ? 0x1p11
                  : elem == ELEM_BF16 ? 0x1p8
                  : elem == ELEM_F32  ? 0x1p24
                                      : 0x1p53;
    switch (rng_below(rng, 8)) {
    case 0:
        return scalar_of_double(elem, most);
    case 1:
        return scalar_of_double(elem, -most);
    case 2:
        return scalar_of_double(elem, 0.1);
    case 3:
        return scalar_of_double(elem, 1 + 2 / most);
    case 4:
        return scalar_of_double(elem, rng_below(rng, 4) ? 0.0 : -0.0);
    default:
        return scalar_of_int(elem, rng_range(rng, -3, 3));
    }
}

// Elements of approximate runs are multiples of 1/4 of moderate size.
static struct scalar one_value(const struct cex_case *candidate, enum elem elem, uint32_t style,
                               struct rng *rng)
{
    bool floats = elem_kind(elem) == KIND_FLOAT;
    if (style == CEX_STYLE_SUMS)
        return floats && !elem_is_ideal(elem) ? addend(elem, rng)
                                              : small_int(elem, rng_range(rng, 0, 1));
    if (style == 3 && !candidate->approximate)
        return special(elem, rng);
    if (style == 4 && floats)
        return ratio(elem, rng_range(rng, -12, 12), 4);
    if (style == 4)
        return special(elem, rng);
    if (style == 5 && floats && elem == ELEM_REAL)
        return ratio(elem, rng_range(rng, -9, 9), rng_range(rng, 1, 5));
    if (style == 5 && floats && candidate->approximate)
        return ratio(elem, rng_range(rng, 1, 12), 4);
    return small_int(elem, rng_range(rng, -3, 4));
}

// One of the numbers that conditions name, or one between two of them.
static struct scalar near_named(const struct named_values *named, enum elem elem, struct rng *rng)
{
    struct scalar a = named->at[rng_below(rng, named->n)], b = named->at[rng_below(rng, named->n)];
    double low = scalar_to_double(elem, a), high = scalar_to_double(elem, b);
    if (elem == ELEM_REAL || fabs(low) > 0x1p52 || fabs(high) > 0x1p52)
        return a;
    if (elem_kind(elem) == KIND_FLOAT)
        return scalar_of_double(elem, low + (high - low) * (double)rng_below(rng, 9) / 8);
    return low < high ? scalar_of_int(elem, rng_range(rng, (int64_t)low, (int64_t)high)) : a;
}

// A value of a map of the case, for elements that a condition compares with sizes.  False if
// there is none.
static bool some_map_value(const struct rule *rule, const struct cex_case *candidate,
                           struct rng *rng, int64_t *out)
{
    uint32_t m = rule->n_maps > 0 ? (uint32_t)rng_below(rng, rule->n_maps) : 0;
    if (rule->n_maps == 0 || rule->maps[m].def != NULL || candidate->rank[rule->maps[m].cls] == 0)
        return false;
    *out = candidate->map[m][0];
    return true;
}

// Tensors below pattern i.
static void mark_tensors(const struct rule *rule, uint32_t i, bool *mark)
{
    const struct pat *pattern = &rule->pats[i];
    if (pattern->kind == PAT_TENSOR)
        mark[pattern->var] = true;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        mark_tensors(rule, pattern->args[k], mark);
}

// Marks the tensors that gather or scatter look up places in.
static void mark_places(const struct rule *rule, bool *mark)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_OP &&
            (rule->pats[i].op == OP_GATHER || rule->pats[i].op == OP_SCATTER))
            mark_tensors(rule, rule->pats[i].args[1], mark);
}

uint32_t cex_styles(const struct rule *rule, const struct cex_case *candidate)
{
    bool more = candidate->domain == DOMAIN_FLOAT && cex_has_float_sums(rule);
    return more ? CEX_STYLES + 1 : CEX_STYLES;
}

// Styles: 0 all distinct, 1 small integers, 2 one value for each operand (some are sizes), 3
// special values, 4 few values shared by all operands, 5 any mixture, 6 what
// sums of floats round.
void cex_fill(const struct rule *rule, struct cex_case *candidate, uint32_t style, struct rng *rng)
{
    int64_t next = 1;
    uint64_t seeds[3] = {rng_u64(rng), rng_u64(rng), rng_u64(rng)};
    enum { FEW = 64 };
    bool few[FEW] = {false}, *places = rule->n_tensors <= FEW ? few : mem_alloc(rule->n_tensors);
    struct named_values named; // of the type named_of
    enum elem named_of = ELEM_OTHER;
    mark_places(rule, places);
    uint32_t base = style == 2 ? 1 + 2 * (uint32_t)rng_below(rng, 3) : style;
    for (uint32_t i = 0; i < rule->n_tensors + rule->n_scalars; i++) {
        enum elem elem =
            candidate->elem[i < rule->n_tensors ? rule->tensors[i].type
                                                : rule->scalars[i - rule->n_tensors].type];
        if (i == 0 || elem != named_of)
            named_values_of(rule, elem, &named);
        named_of = elem;
        struct rng own = *rng;
        struct scalar same = one_value(candidate, elem, base, rng);
        int64_t size;
        if (style == 2 && rng_below(rng, 3) == 0 && some_map_value(rule, candidate, rng, &size))
            same = small_int(elem, size);
        bool all_named = named.n > 0 && rng_below(rng, 2) == 0;
        for (uint64_t k = 0; k < candidate->param[i].count; k++) {
            struct scalar *scalar = &candidate->param[i].at[k];
            if (all_named) {
                *scalar = near_named(&named, elem, rng);
                continue;
            }
            if (style == 4)
                rng_seed(&own, seeds[rng_below(rng, 3)]);
            if (i < rule->n_tensors && places[i] && (style != 3 || k % 2))
                *scalar = small_int(elem, rng_range(rng, -1, 3));
            else if (style == 0)
                *scalar = small_int(elem, next++);
            else if (style == 2)
                *scalar = same;
            else if (style == 4)
                *scalar = one_value(candidate, elem, seeds[0] % 2 ? 3 : 4, &own);
            else
                *scalar = one_value(candidate, elem,
                                    style == 5 ? (uint32_t)rng_below(rng, 6) : style, rng);
        }
    }
    if (places != few)
        mem_free(places);
}
