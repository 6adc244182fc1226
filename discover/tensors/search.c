// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "rules/verdict.h"
#include <stdlib.h>

void search_show(struct rule_search *search, bool now)
{
    double t = clock_wall();
    search->progress->seconds = t - search->begin;
    search->progress->kept = search->out->at.len;
    if (search->options->progress != NULL && (now || t - search->shown > 0.5)) {
        search->shown = t;
        search->options->progress(search->options->ctx, search->progress);
    }
    search->ended |=
        search->options->seconds > 0 && search->progress->seconds > search->options->seconds;
    search->ended |= stop_asked(&search->options->stop);
}

static unsigned count_bits(unsigned m)
{
    return (unsigned)__builtin_popcount(m);
}

// Orders sketches: small ones first, of these the general ones, which have many
// variables.
static int by_generality(const void *a, const void *b)
{
    const struct sketch *sketch = a, *y = b;
    int p = sketch->n_tensors - y->n_tensors, q = sketch->n_scalars - y->n_scalars;
    int special = (int)search_has_literal_operand(sketch) - (int)search_has_literal_operand(y);
    if (sketch->n_ops > 2 && sketch->n_slots != y->n_slots)
        return sketch->n_slots - y->n_slots;
    if (sketch->n != y->n)
        return sketch->n - y->n;
    if (special != 0)
        return special;
    if (p != 0)
        return -p;
    if (q != 0)
        return -q;
    uint64_t g = sketch_hash(sketch), h = sketch_hash(y);
    return (g > h) - (g < h);
}

// The k-th choice of nodes among slices without stride and paddings without
// interior.  Such left sides are tried on their own if the general ones give no
// rule.  False: there is no such choice.
static bool pinned(const struct sketch *sketch, unsigned k, struct sketch *out)
{
    unsigned nth = 0;
    *out = *sketch;
    for (unsigned i = 0; i < sketch->n; i++)
        if (sketch->node[i].kind == SKETCH_SLICE || sketch->node[i].kind == SKETCH_PAD)
            out->node[i].pin = k >> nth++ & 1;
    sketch_finish(out);
    return k < 1u << nth;
}

static bool has(const struct rule_search *search, uint32_t number)
{
    for (uint32_t i = 0; i < search->promising.len; i++)
        if (search->promising.at[i] == number)
            return true;
    return false;
}

// The sketches that no kept rule rewrites, general ones first.
static struct sketch_vec irreducible(struct rule_search *search, const struct sketch_vec *raw)
{
    struct sketch_vec now = {0};
    for (uint32_t i = 0; i < raw->len && !search->ended; i++) {
        if (i % 1024 == 0)
            search_show(search, false);
        if (!search_reducible(search, &raw->at[i]))
            vec_push(&now, raw->at[i]);
    }
    if (now.len > 0)
        qsort(now.at, now.len, sizeof *now.at, by_generality);
    return now;
}

// Looks at the left sides, and at those with strides and interiors left out.
static void try_lefts(struct rule_search *search, const struct sketch_vec *now, unsigned classes)
{
    for (uint32_t i = 0; i < SEARCH_PINS * now->len && !search->ended && !search->failed; i++) {
        struct sketch one;
        const struct sketch *sketch = &one;
        bool there = pinned(&now->at[i % now->len], i / now->len, &one);
        search->progress->left = i;
        search_show(search, false);
        if ((count_bits(sketch_classes(sketch)) < classes && classes > 1) || !there ||
            (i >= now->len && !has(search, i % now->len)) || search_reducible(search, sketch))
            continue;
        vec_push(&search->lefts, *sketch);
        vec_push(&search->number, i % now->len);
        if (search->lefts.len == SEARCH_WAVE) {
            search_solve_wave(search);
            search_prove_wave(search);
        }
    }
    search_solve_wave(search);
    search_prove_wave(search);
}

static void one_size(struct rule_search *search, struct sizes *sizes, unsigned classes,
                     unsigned size, unsigned attributed)
{
    struct sketch_vec *raw = &sizes->of[size];
    struct sketch_vec *parts = &sizes->parts[size];
    search->progress->classes = classes;
    search->progress->size = size;
    search->progress->attributed = attributed;
    search_show(search, true);
    sizes->sketches.most = attributed;
    vec_clear(raw);
    enumerate(&sizes->sketches, sizes->parts, size, raw);
    search->progress->sketches += raw->len;
    if (size == 0) {
        for (uint32_t i = 0; i < raw->len; i++)
            vec_push(parts, raw->at[i]);
        return;
    }
    struct sketch_vec now = irreducible(search, raw);
    struct sketch_vec from[SEARCH_OPERATORS] = {{0}};
    bool large = size > SEARCH_SMALL;
    for (unsigned k = 0; k < size; k++)
        from[k] = sizes->parts[k];
    from[size] = now;
    struct table *table = large ? sizes->small : NULL;
    if (table == NULL)
        table = table_new(&sizes->sketches.options, from, large ? SEARCH_SMALL + 1 : size + 1,
                          SEARCH_SMALL, search->options->seed);
    if (large)
        sizes->small = table;
    search->progress->left = 0;
    search->progress->lefts = SEARCH_PINS * now.len;
    search->table = table;
    vec_clear(&search->promising);
    try_lefts(search, &now, classes);
    for (uint32_t i = 0; i < now.len && !search->ended && size < search->options->size; i++)
        if (!search_reducible(search, &now.at[i]))
            vec_push(parts, now.at[i]);
    vec_release(&now);
    if (!large)
        table_free(table);
}

void found_rules_release(struct found_rules *found)
{
    vec_release(&found->at);
    arena_release(&found->mem);
}

// Prints everything that the answers of a journal depend on.
static void describe_run(const struct search_options *options, struct buf *out)
{
    buf_printf(out,
               "verifier %s semantics %s layout %zu kinds %u binaries %u "
               "tensors %u scalars %u classes %u literals %d size %u domains "
               "%u seed %llu",
               VERIFIER_VERSION, SEMANTICS_VERSION,
               sizeof(struct rule_candidate) + sizeof(struct sent_counts) * 1000,
               options->enumerate.kinds, options->enumerate.binaries, options->enumerate.tensors,
               options->enumerate.scalars, options->enumerate.classes, options->enumerate.literals,
               options->size, options->domains, (unsigned long long)options->seed);
    for (uint32_t i = 0; options->known != NULL && i < options->known->rules.len; i++)
        buf_printf(out, " %s", options->known->rules.at[i]->hash);
}

static bool begin(struct rule_search *search)
{
    struct buf run = {0};
    memset(search->progress, 0, sizeof *search->progress);
    search->begin = clock_wall();
    search->base = derive_base_new(DOMAIN_INT, &search->mem);
    intern_init(&search->texts);
    intern_init(&search->names);
    for (uint32_t i = 0; search->options->known != NULL && i < search->options->known->rules.len;
         i++) {
        const struct rule *rule = search->options->known->rules.at[i];
        struct rule_status status = {.proved = rule->claims,
                                     .uninterpreted = rule_only_moves(rule) ? rule->claims : 0};
        if (!rule_defines(rule))
            (void)derive_add(search->base, rule, status);
        (void)intern_str(&search->names, rule->name);
    }
    describe_run(search->options, &run);
    bool ok = search->options->journal == NULL ||
              answers_open(&search->journal, search->options->journal, buf_text(&run), search->err);
    buf_release(&run);
    search->failed = !ok;
    return ok;
}

static void finish(struct rule_search *search)
{
    if (!search->failed)
        search_show(search, true);
    search->out->ended = search->ended;
    answers_close(&search->journal);
    derive_base_free(search->base);
    vec_release(&search->kept);
    vec_release(&search->wave);
    vec_release(&search->lefts);
    vec_release(&search->number);
    vec_release(&search->promising);
    vec_release(&search->asked);
    vec_release(&search->answer);
    arena_release(&search->step);
    vec_release(&search->pairs);
    intern_release(&search->texts);
    intern_release(&search->names);
    search->out->mem = search->mem; // owns the texts of found rules
}

bool search_rules(const struct search_options *options, struct ruleset *set,
                  struct found_rules *out, struct search_progress *progress, struct err *err)
{
    struct rule_search search = {
        .options = options, .set = set, .out = out, .progress = progress, .err = err};
    struct sizes sizes[SKETCH_CLASSES] = {0};
    unsigned classes = options->enumerate.classes;
    if (begin(&search)) {
        for (unsigned c = 0; c < classes; c++) {
            struct enumerate_options one = options->enumerate;
            one.classes = c + 1;
            enumeration_init(&sizes[c].sketches, &one);
        }
        for (unsigned size = 0; size <= options->size && size < SEARCH_OPERATORS; size++)
            // Large sketches in the order of their cost: those with few slices and paddings
            // first, for all numbers of classes.
            for (unsigned a = size > SEARCH_SMALL ? 0 : size; a <= size; a++)
                for (unsigned c = 0; c < classes && !search.ended && !search.failed; c++)
                    one_size(&search, &sizes[c], c + 1, size, a);
    }
    finish(&search);
    for (unsigned c = 0; c < classes; c++) {
        enumeration_release(&sizes[c].sketches);
        table_free(sizes[c].small);
        for (unsigned k = 0; k < SEARCH_OPERATORS; k++) {
            vec_release(&sizes[c].of[k]);
            vec_release(&sizes[c].parts[k]);
        }
    }
    return !search.failed;
}

bool search_judge(const struct search_options *options, const struct ruleset *given,
                  struct ruleset *set, struct found_rules *out, struct search_progress *progress,
                  struct err *err)
{
    struct rule_search search = {
        .options = options, .set = set, .out = out, .progress = progress, .err = err};
    bool ok = begin(&search);
    progress->lefts = given->rules.len;
    for (uint32_t i = 0; ok && i < given->rules.len && !search.ended && !search.failed; i++) {
        const struct rule *rule = given->rules.at[i];
        struct rule_candidate candidate = {
            .rule = rule, .given = rule, .whole = rule->n_wheres == 0};
        progress->left = i;
        progress->pairs++;
        if (search_stands(&search, rule) && search_is_new(&search, &candidate)) {
            candidate.number = progress->candidates++;
            vec_push(&search.wave, candidate);
        }
        if (search.wave.len >= SEARCH_WAVE || i + 1 == given->rules.len)
            search_prove_wave(&search);
    }
    finish(&search);
    return !search.failed;
}
