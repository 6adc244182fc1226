// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/arguments.h"

#include "api/simplify/slices.h"
#include "base/hash.h"
#include "tensor/dynamic/operation.h"
#include "tensor/program/form.h"

// Sizes that are chosen are 1 to this.
#define CHOSEN_SIZES 5u

// How sizes of one run are chosen.
struct choice {
    uint64_t seed, most;
};

static int64_t chosen_size(const struct choice *choice, uint32_t number)
{
    return 1 + (int64_t)(hash_u64(number, choice->seed) % choice->most);
}

// No size is above its bound.
static struct choice choice_of(const struct pool *pool, const struct function *function,
                               uint64_t seed)
{
    struct choice choice = {seed, CHOSEN_SIZES};
    for (uint32_t k = 0; k < function->params.len; k++) {
        struct sized sized;
        if (!sized_of(pool, function->params.at[k].type, &sized))
            continue;
        for (uint32_t d = 0; d < sized.rank; d++)
            if (sized.bounds[d] > 0 && (uint64_t)sized.bounds[d] < choice.most)
                choice.most = (uint64_t)sized.bounds[d];
    }
    return choice;
}

static term_id parameter(struct simplification *run, const struct function *function, uint32_t k)
{
    struct terms *terms = &run->in->at.terms;
    int64_t v[2] = {function->number, k};
    return term_make(terms, OP_PARAMETER, attr_make(terms->pool, 2, v), function->params.at[k].type,
                     0, NULL);
}

// The declared type, with sizes in the place of "?"; marks these in `number`.
static type_id sized_argument(struct simplification *run, struct size_facts *facts, term_id id,
                              const struct choice *choice, struct u32_vec *number)
{
    struct pool *pool = run->in->at.pool;
    struct sized sized;
    type_id declared = term_type(&run->in->at.terms, id), out;
    if (!type_is_dynamic(pool, declared) || !sized_of(pool, declared, &sized))
        return declared;
    for (uint32_t d = 0; d < sized.rank; d++) {
        if (sized.dims[d] >= 0)
            continue;
        uint32_t same = size_number(facts, id, d);
        sized.dims[d] = chosen_size(choice, same);
        vec_push(number, same);
    }
    sized.n_open = 0;
    return sized_type(pool, &sized, &out) ? out : declared;
}

void arguments_choose(struct simplification *run, uint32_t function, uint64_t seed,
                      struct argument_types *out)
{
    const struct function *f = &run->in->at.functions.at[function];
    struct size_facts facts;
    struct u32_vec number = {0};
    struct choice choice = choice_of(run->in->at.pool, f, seed);
    bool dynamic = false;
    vec_clear(&out->type);
    vec_clear(&out->size);
    for (uint32_t k = 0; k < f->params.len; k++) {
        vec_push(&out->type, f->params.at[k].type);
        vec_push(&out->size, -1);
        dynamic |= type_is_dynamic(run->in->at.pool, f->params.at[k].type);
    }
    out->chosen = dynamic;
    if (!dynamic)
        return;
    for (uint32_t k = 0; k < f->params.len; k++)
        (void)parameter(run, f, k);
    slices_facts(run, function, &facts);
    size_facts_suppose(&facts);
    for (uint32_t k = 0; k < f->params.len; k++)
        out->type.at[k] = sized_argument(run, &facts, parameter(run, f, k), &choice, &number);
    for (uint32_t k = 0; k < f->params.len; k++) {
        struct sized sized;
        uint32_t same = size_number(&facts, parameter(run, f, k), 0);
        if (!sized_of(run->in->at.pool, f->params.at[k].type, &sized) || sized.rank > 0)
            continue;
        for (uint32_t i = 0; i < number.len; i++)
            if (number.at[i] == same)
                out->size.at[k] = chosen_size(&choice, same);
    }
    vec_release(&number);
    size_facts_release(&facts);
}

void arguments_release(struct argument_types *types)
{
    vec_release(&types->type);
    vec_release(&types->size);
}

void arguments_random(struct pool *pool, const struct argument_types *types, struct rng *rng,
                      struct arena *mem, struct value *out)
{
    for (uint32_t k = 0; k < types->type.len; k++) {
        out[k] = value_random(pool, types->type.at[k], rng, false, mem);
        if (types->size.at[k] < 0)
            continue;
        enum elem elem = type_elem(pool, types->type.at[k]);
        scalar_store(elem, out[k].data, 0, scalar_of_int(elem, types->size.at[k]));
    }
}
