// SPDX-License-Identifier: Apache-2.0
// Which shapes of operators stand in a program that no rule with their operators makes fewer.
#include "api/questions/rule_search.h"
#include "api/questions/shapes.h"

#include <stdlib.h>

struct rw_missed {
    struct arena mem;
    struct rw_report *report;
    VEC(struct rw_missed_shape) shapes;
};

// An operator over another one: the top of a class, and an operand.
struct pair {
    class_id root;
    enum op below;
    bool touched; // a rule with both operators matches that makes fewer operators
    bool moved;   // another rule with both operators matches
    bool missed;  // the nearest miss of such a rule
    uint32_t nearness;
    enum miss_kind kind;
    const struct rw_rule *rule;
    const char *condition, *found;
};
struct search {
    struct rw_missed *out;
    struct rule_search at;
    struct shape_uses uses;
    VEC(struct pair) pairs;    // by class, then operator
    struct u32_vec first_pair; // by class, and one more
    const struct rw_rule *rule;
    struct operators below; // of that rule
    bool simplifies;        // that rule makes fewer operators
};

void rw_missed_free(struct rw_missed *missed)
{
    if (missed == NULL)
        return;
    vec_release(&missed->shapes);
    rw_report_free(missed->report);
    arena_release(&missed->mem);
    mem_free(missed);
}

size_t rw_missed_count(const struct rw_missed *missed)
{
    return missed->shapes.len;
}

const struct rw_missed_shape *rw_missed_at(const struct rw_missed *missed, size_t index)
{
    return &missed->shapes.at[index];
}

static int by_class(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    int order = (x->root.v > y->root.v) - (x->root.v < y->root.v);
    return order ? order : ((int)x->below > (int)y->below) - ((int)x->below < (int)y->below);
}

// The pairs of operators of all tops, without their repetitions.
static void list_pairs(struct search *search)
{
    const struct terms *terms = &search->at.program->at.terms;
    struct egraph *graph = &search->at.graph;
    for (uint32_t i = 0; i < search->uses.tops.len; i++) {
        term_id top = {search->uses.tops.at[i]};
        for (uint32_t k = 0; k < term_at(terms, top)->n_args; k++) {
            term_id operand = shape_operand(terms, top, k);
            struct pair pair = {.root = egraph_find(graph, top), .below = term_op(terms, operand)};
            if (!shape_is_leaf(terms, graph, operand))
                vec_push(&search->pairs, pair);
        }
    }
    uint32_t n = 0, n_classes = graph->class_.len;
    if (search->pairs.len > 0)
        qsort(search->pairs.at, search->pairs.len, sizeof *search->pairs.at, by_class);
    for (uint32_t i = 0; i < search->pairs.len; i++)
        if (n == 0 || by_class(&search->pairs.at[n - 1], &search->pairs.at[i]) != 0)
            search->pairs.at[n++] = search->pairs.at[i];
    search->pairs.len = n;
    for (uint32_t c = 0, i = 0; c <= n_classes; c++) {
        vec_push(&search->first_pair, i);
        while (i < n && search->pairs.at[i].root.v == c)
            i++;
    }
}

static void begin_rule(void *ctx, const struct pattern *pattern, const struct rw_rule *view)
{
    struct search *search = ctx;
    search->rule = view;
    search->simplifies = pattern->simplifies;
    operators_below(pattern->rule, &search->below);
}

// Misses of rules that make fewer operators are nearer than all others.
static uint32_t nearness_of(const struct search *search, enum miss_kind kind)
{
    return (search->simplifies ? MISS_VERDICT + 1 : 0) + (uint32_t)kind;
}

static void take_miss(void *ctx, const struct near_miss *miss)
{
    struct search *search = ctx;
    struct arena *mem = &search->out->mem;
    const char *condition = NULL, *found = NULL;
    class_id root = egraph_find(&search->at.graph, miss->root);
    for (uint32_t i = search->first_pair.at[root.v]; i < search->first_pair.at[root.v + 1]; i++) {
        struct pair *pair = &search->pairs.at[i];
        if (!operators_have(&search->below, pair->below) ||
            (pair->missed && pair->nearness >= nearness_of(search, miss->kind)))
            continue;
        condition = condition ? condition : arena_strdup(mem, miss->condition);
        found = found ? found : arena_strdup(mem, miss->found);
        pair->missed = true;
        pair->kind = miss->kind;
        pair->nearness = nearness_of(search, miss->kind);
        pair->rule = search->rule;
        pair->condition = condition;
        pair->found = found;
    }
}

static void end_rule(void *ctx, const struct match_result *result)
{
    struct search *search = ctx;
    for (uint32_t m = 0; m < result->found.len; m++) {
        class_id root = class_find(&search->at.graph, result->found.at[m].root);
        for (uint32_t i = search->first_pair.at[root.v]; i < search->first_pair.at[root.v + 1]; i++)
            if (operators_have(&search->below, search->pairs.at[i].below)) {
                search->pairs.at[i].touched |= search->simplifies;
                search->pairs.at[i].moved = true;
            }
    }
}

static const struct pair *pair_of(struct search *search, term_id top, enum op below)
{
    class_id root = egraph_find(&search->at.graph, top);
    uint32_t i = search->first_pair.at[root.v];
    while (search->pairs.at[i].below != below)
        i++;
    return &search->pairs.at[i];
}

struct counted {
    struct rw_missed_shape shape;
    uint32_t nearness; // 0: no rule is near
    term_id top;
};

// The use, if no rule touches a pair of its operators.
static bool untouched(struct search *search, const struct shape_use *use, struct counted *out)
{
    const struct pair *pair = pair_of(search, use->top, use->below);
    const struct pair *other =
        use->other_top.v != NO_TERM.v ? pair_of(search, use->other_top, use->other) : pair;
    if (pair->touched || other->touched)
        return false;
    bool moved = pair->moved || other->moved;
    if (other->root.v == pair->root.v && other->missed &&
        (!pair->missed || other->nearness > pair->nearness))
        pair = other;
    *out = (struct counted){
        .shape = {.shape = use->text, .operators = use->operators, .count = 1, .moved = moved},
        .top = use->top};
    if (pair->missed) {
        out->shape.rule = pair->rule;
        out->shape.kind = miss_kind_text(pair->kind);
        out->shape.condition = pair->condition;
        out->shape.found = pair->found;
        out->nearness = 1 + pair->nearness;
    }
    return true;
}

static int by_shape(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    int order = strcmp(x->shape.shape, y->shape.shape);
    if (order == 0)
        order = (x->nearness < y->nearness) - (x->nearness > y->nearness);
    return order ? order : (x->top.v > y->top.v) - (x->top.v < y->top.v);
}

static int by_count(const void *a, const void *b)
{
    const struct rw_missed_shape *x = a, *y = b;
    uint64_t left = x->count - x->moved, right = y->count - y->moved;
    int order = (left < right) - (left > right);
    order = order ? order : (x->count < y->count) - (x->count > y->count);
    order = order ? order : (x->operators > y->operators) - (x->operators < y->operators);
    return order ? order : strcmp(x->shape, y->shape);
}

// Equal shapes are counted; the use with the nearest miss speaks for all.
static void count_shapes(struct search *search)
{
    struct rw_missed *out = search->out;
    VEC(struct counted) all = {0};
    for (uint32_t i = 0; i < search->uses.at.len; i++) {
        struct counted counted;
        if (untouched(search, &search->uses.at.at[i], &counted))
            vec_push(&all, counted);
    }
    if (all.len > 0)
        qsort(all.at, all.len, sizeof *all.at, by_shape);
    for (uint32_t i = 0; i < all.len; i++)
        if (i > 0 && strcmp(all.at[i].shape.shape, all.at[i - 1].shape.shape) == 0) {
            vec_last(&out->shapes).count++;
            vec_last(&out->shapes).moved += all.at[i].shape.moved;
        } else {
            vec_push(&out->shapes, all.at[i].shape);
            vec_last(&out->shapes).place =
                operation_words(&search->at.program->at.terms, all.at[i].top, &out->mem);
        }
    if (out->shapes.len > 0)
        qsort(out->shapes.at, out->shapes.len, sizeof *out->shapes.at, by_count);
    vec_release(&all);
}

static bool find_missed(struct search *search, struct parsed_program *program,
                        enum float_reading reading, struct err *err)
{
    struct rule_reader reader = {begin_rule, take_miss, end_rule, search};
    rule_search_init(&search->at, program, reading);
    shapes_of_program(&program->at, &search->at.graph, &search->out->mem, &search->uses);
    list_pairs(search);
    bool ok = rule_search_report(&search->at, search->out->report, &reader, err);
    if (ok)
        count_shapes(search);
    vec_release(&search->pairs);
    vec_release(&search->first_pair);
    shape_uses_release(&search->uses);
    rule_search_release(&search->at);
    return ok;
}

struct rw_missed *rw_query_missed(struct rw_database *database,
                                  const struct rw_query_options *options,
                                  struct rw_program *program, enum rw_reading reading,
                                  struct rw_error *error)
{
    struct err err = {0};
    struct rw_missed *missed = mem_alloc(sizeof *missed);
    struct search search = {.out = missed};
    bool ok = false;
    missed->report = rw_query(database, options, error);
    if (missed->report != NULL) {
        struct parsed_program *parsed = program_take(program, "", &err);
        ok = (parsed != NULL && find_missed(&search, parsed, (enum float_reading)reading, &err)) ||
             error_give(&err, error);
    }
    if (ok)
        return missed;
    rw_missed_free(missed);
    return NULL;
}
