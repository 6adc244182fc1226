// SPDX-License-Identifier: Apache-2.0
// Simpler arguments: 0 or 1 everywhere in one of them, or at one place, as long as the functions
// differ in the same way.
#include "tensor/compare/core.h"

#define SHRINK_ELEMENTS 64 // arguments that are larger are only made one value

static bool differs(struct judge *judge, enum difference kind, bool ordinary,
                    const struct value *params, struct difference_at *at, struct arena *mem)
{
    struct pair_run run;
    struct err err = {0};
    struct difference_at found = {0};
    if (!pair_run(judge->side, params, mem, &run, &err) || run.unknown != NULL)
        return false;
    if (judge_run(judge, params, &run, ordinary, &found, mem) != kind)
        return false;
    *at = found;
    return true;
}

static struct value *copy_params(const struct pool *pool, const struct function *function,
                                 const struct value *params, struct arena *mem)
{
    struct value *copy = ARENA_NEW(mem, struct value, function->params.len + 1u);
    for (uint32_t k = 0; k < function->params.len; k++) {
        size_t size =
            elem_bytes(type_elem(pool, params[k].type)) * (size_t)type_count(pool, params[k].type);
        copy[k] = (struct value){params[k].type, arena_alloc(mem, size + 1)};
        memcpy(copy[k].data, params[k].data, size);
    }
    return copy;
}

static void fill(const struct pool *pool, struct value *value, int64_t from, int64_t to, int64_t x)
{
    enum elem elem = type_elem(pool, value->type);
    for (int64_t i = from; i < to; i++)
        scalar_store(elem, value->data, (size_t)i, scalar_of_int(elem, x));
}

// Elements from..to of parameter k become 0 or 1 if they may.
static void try_fill(struct judge *judge, enum difference kind, bool ordinary, uint32_t k,
                     int64_t from, int64_t to, struct difference_at *at, struct arena *mem)
{
    const struct pool *pool = judge->side[0].program->pool;
    const struct function *function =
        &judge->side[0].program->functions.at[judge->side[0].function];
    enum elem elem = type_elem(pool, at->params[k].type);
    for (int64_t x = 0; x < 2; x++) {
        bool already = true;
        for (int64_t i = from; already && i < to; i++)
            already = scalar_same(elem, scalar_load(elem, at->params[k].data, (size_t)i),
                                  scalar_of_int(elem, x));
        if (already)
            return;
        struct value *params = copy_params(pool, function, at->params, mem);
        fill(pool, &params[k], from, to, x);
        if (differs(judge, kind, ordinary, params, at, mem))
            return;
    }
}

void shrink_arguments(struct judge *judge, enum difference kind, bool ordinary,
                      struct difference_at *at, struct arena *mem)
{
    const struct pool *pool = judge->side[0].program->pool;
    uint32_t n = judge->side[0].program->functions.at[judge->side[0].function].params.len;
    for (uint32_t k = 0; k < n; k++)
        try_fill(judge, kind, ordinary, k, 0, type_count(pool, at->params[k].type), at, mem);
    for (uint32_t k = 0; k < n; k++) {
        int64_t count = type_count(pool, at->params[k].type);
        for (int64_t i = 0; count > 1 && count <= SHRINK_ELEMENTS && i < count; i++)
            try_fill(judge, kind, ordinary, k, i, i + 1, at, mem);
    }
}
