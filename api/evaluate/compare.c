// SPDX-License-Identifier: Apache-2.0
#include "api/evaluate/difference.h"
#include "api/evaluate/evaluate.h"
#include "api/simplify/program.h"
#include "io/program/program.h"

struct rw_comparison {
    enum rw_comparison_word word;
    const char *sense;
    struct buf text, json, module;
};

// Both programs over one pool.
struct pair {
    struct pool pool;
    struct program at[2];
    struct compare_side side[2];
};

static bool pair_read(const struct rw_program *const given[2], const char *function,
                      struct pair *pair, struct err *err)
{
    bool ok = true;
    pool_init(&pair->pool);
    for (uint32_t s = 0; s < 2; s++)
        program_init(&pair->at[s], &pair->pool);
    for (uint32_t s = 0; ok && s < 2; s++) {
        const struct function *found = NULL;
        ok = program_text_read(buf_text(&given[s]->text), given[s]->text.len, given[s]->file,
                               &pair->at[s], err);
        if (ok)
            found = evaluated_function(&pair->at[s], function, err);
        ok = found != NULL;
        if (ok)
            pair->side[s] =
                (struct compare_side){&pair->at[s], (uint32_t)(found - pair->at[s].functions.at)};
    }
    return ok;
}

static void pair_release(struct pair *pair)
{
    program_release(&pair->at[0]);
    program_release(&pair->at[1]);
    pool_release(&pair->pool);
}

struct rw_comparison *rw_compare_programs(struct rw_context *context,
                                          const struct rw_program *before,
                                          const struct rw_program *after,
                                          const struct rw_comparison_options *options,
                                          struct rw_error *error)
{
    static const enum rw_comparison_word words[] = {[RW_PROVED] = RW_NO_DIFFERENCE,
                                                    [RW_REFUTED] = RW_DIFFERENT,
                                                    [RW_UNKNOWN] = RW_COMPARISON_UNKNOWN};
    const struct rw_program *const given[2] = {before, after};
    struct rw_comparison_options own;
    struct err err = {0};
    struct pair pair;
    (void)context;
    if (!options_copy(options, &own, sizeof own, &err)) {
        error_give(&err, error);
        return NULL;
    }
    struct rw_comparison *comparison = mem_alloc(sizeof *comparison);
    struct comparison found = {0};
    struct compare_options how = {.seed = own.seed, .runs = own.runs};
    bool ok = pair_read(given, own.function != NULL ? own.function : "main", &pair, &err);
    if (ok) {
        ok = compare_functions(pair.side, &how, &found, &err);
        comparison->word = words[comparison_answer(&found)];
        comparison->sense = difference_name(found.worst);
        comparison_print(&found, &comparison->text);
        comparison_put_json(&found, &comparison->json);
        ok = ok && comparison_put_module(&found, &comparison->module, &err);
        comparison_release(&found);
    }
    pair_release(&pair);
    if (ok)
        return comparison;
    rw_comparison_free(comparison);
    error_give(&err, error);
    return NULL;
}

void rw_comparison_free(struct rw_comparison *comparison)
{
    if (comparison == NULL)
        return;
    buf_release(&comparison->text);
    buf_release(&comparison->json);
    buf_release(&comparison->module);
    mem_free(comparison);
}

enum rw_comparison_word rw_comparison_word(const struct rw_comparison *comparison)
{
    return comparison->word;
}

const char *rw_comparison_sense(const struct rw_comparison *comparison)
{
    return comparison->sense;
}

const char *rw_comparison_text(const struct rw_comparison *comparison)
{
    return buf_text(&comparison->text);
}

const char *rw_comparison_json(const struct rw_comparison *comparison)
{
    return buf_text(&comparison->json);
}

const char *rw_comparison_module(const struct rw_comparison *comparison)
{
    return buf_text(&comparison->module);
}
