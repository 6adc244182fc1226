// SPDX-License-Identifier: Apache-2.0
// Which rules match a program as it stands, and why others nearly do: the first
// round of a simplification, with the engine's own matcher.
#include "api/questions/rule_search.h"

#include <stdlib.h>

struct miss_at {
    struct rw_near_miss miss;
    enum miss_kind kind;
};
struct match_of_rule {
    struct rw_match out;
    VEC(struct miss_at) misses; // one for each class, then one for each text
};
struct rw_matches {
    struct arena mem;
    struct rw_report *report;
    VEC(struct match_of_rule) rules;
    VEC(struct rw_match) sorted;
};

// Where the miss of a class stands.
struct slot {
    uint32_t rule, index; // rule: + 1
};
struct search {
    struct rw_matches *out;
    struct rule_search at;
    struct slot *slot; // by class
    uint32_t rule;     // that is searched for
    term_id only;      // NO_TERM: all operations
};

void rw_matches_free(struct rw_matches *matches)
{
    if (matches == NULL)
        return;
    for (uint32_t i = 0; i < matches->rules.len; i++)
        vec_release(&matches->rules.at[i].misses);
    vec_release(&matches->rules);
    vec_release(&matches->sorted);
    rw_report_free(matches->report);
    arena_release(&matches->mem);
    mem_free(matches);
}

size_t rw_matches_count(const struct rw_matches *matches)
{
    return matches->sorted.len;
}

const struct rw_match *rw_matches_at(const struct rw_matches *matches, size_t index)
{
    return &matches->sorted.at[index];
}

// Is the class one that was asked for?
static bool is_asked(struct search *search, class_id root)
{
    return search->only.v == NO_TERM.v || egraph_find(&search->at.graph, search->only).v == root.v;
}

// Of a class the nearest miss is kept.
static void take_miss(void *ctx, const struct near_miss *miss)
{
    struct search *search = ctx;
    struct match_of_rule *rule = &vec_last(&search->out->rules);
    struct arena *mem = &search->out->mem;
    class_id root = egraph_find(&search->at.graph, miss->root);
    struct slot *slot = &search->slot[root.v];
    bool first = slot->rule != search->rule + 1;
    if (!is_asked(search, root))
        return;
    if (!first && miss->kind <= rule->misses.at[slot->index].kind)
        return;
    struct miss_at at = {
        .kind = miss->kind,
        .miss = {.kind = miss_kind_text(miss->kind),
                 .condition = arena_strdup(mem, miss->condition),
                 .found = arena_strdup(mem, miss->found),
                 .place = operation_words(&search->at.program->at.terms, miss->root, mem),
                 .count = 1}};
    if (first) {
        *slot = (struct slot){search->rule + 1, rule->misses.len};
        vec_push(&rule->misses, at);
    } else {
        rule->misses.at[slot->index] = at;
    }
}

static int by_nearness(const void *a, const void *b)
{
    const struct miss_at *x = a, *y = b;
    int order = (x->kind < y->kind) - (x->kind > y->kind);
    order = order ? order : strcmp(x->miss.condition, y->miss.condition);
    order = order ? order : strcmp(x->miss.found, y->miss.found);
    return order ? order : strcmp(x->miss.place, y->miss.place);
}

// Equal ones are counted, the nearest come first.
static void merge_misses(struct match_of_rule *rule, struct arena *mem)
{
    uint32_t n = 0;
    if (rule->misses.len > 0)
        qsort(rule->misses.at, rule->misses.len, sizeof *rule->misses.at, by_nearness);
    for (uint32_t i = 0; i < rule->misses.len; i++)
        if (n > 0 && by_nearness(&rule->misses.at[n - 1], &rule->misses.at[i]) == 0)
            rule->misses.at[n - 1].miss.count++;
        else
            rule->misses.at[n++] = rule->misses.at[i];
    struct rw_near_miss *all = ARENA_NEW(mem, struct rw_near_miss, n + 1);
    for (uint32_t i = 0; i < n; i++)
        all[i] = rule->misses.at[i].miss;
    rule->misses.len = n;
    rule->out.misses = all;
    rule->out.n_misses = n;
}

// Takes out the misses of classes where the rule matches.
static void drop_matched(struct search *search, struct match_of_rule *rule,
                         const struct match_result *found)
{
    bool *matched = mem_alloc(rule->misses.len + 1);
    for (uint32_t i = 0; i < found->found.len; i++) {
        class_id root = class_find(&search->at.graph, found->found.at[i].root);
        const struct slot *slot = &search->slot[root.v];
        if (slot->rule == search->rule + 1)
            matched[slot->index] = true;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < rule->misses.len; i++)
        if (!matched[i])
            rule->misses.at[n++] = rule->misses.at[i];
    rule->misses.len = n;
    mem_free(matched);
}

static void begin_rule(void *ctx, const struct pattern *pattern, const struct rw_rule *view)
{
    struct search *search = ctx;
    struct match_of_rule fresh = {.out = {.rule = view, .complete = true}};
    (void)pattern;
    vec_push(&search->out->rules, fresh);
}

static void end_rule(void *ctx, const struct match_result *found)
{
    struct search *search = ctx;
    struct match_of_rule *own = &vec_last(&search->out->rules);
    for (uint32_t i = 0; i < found->found.len; i++)
        own->out.matches +=
            is_asked(search, class_find(&search->at.graph, found->found.at[i].root));
    own->out.complete = found->complete;
    drop_matched(search, own, found);
    merge_misses(own, &search->out->mem);
    if (own->out.matches == 0 && own->out.n_misses == 0) {
        vec_release(&own->misses);
        (void)vec_pop(&search->out->rules);
    }
    search->rule++;
}

static int by_matches(const void *a, const void *b)
{
    const struct match_of_rule *x = a, *y = b;
    int order = (x->out.matches < y->out.matches) - (x->out.matches > y->out.matches);
    if (order == 0 && x->misses.len > 0 && y->misses.len > 0)
        order = (x->misses.at[0].kind < y->misses.at[0].kind) -
                (x->misses.at[0].kind > y->misses.at[0].kind);
    order = order ? order : strcmp(x->out.rule->family, y->out.rule->family);
    order = order ? order : strcmp(x->out.rule->name, y->out.rule->name);
    return order ? order : strcmp(x->out.rule->hash, y->out.rule->hash);
}

static void sort(struct rw_matches *matches)
{
    if (matches->rules.len > 0)
        qsort(matches->rules.at, matches->rules.len, sizeof *matches->rules.at, by_matches);
    for (uint32_t i = 0; i < matches->rules.len; i++)
        vec_push(&matches->sorted, matches->rules.at[i].out);
}

struct rw_matches *rw_query_fires(struct rw_database *database,
                                  const struct rw_query_options *options,
                                  struct rw_program *program, enum rw_reading reading,
                                  struct rw_error *error)
{
    struct err err = {0};
    const char *value = options != NULL ? options->value : NULL;
    struct rw_matches *matches = mem_alloc(sizeof *matches);
    struct search search = {.out = matches, .only = NO_TERM};
    struct rule_reader reader = {begin_rule, take_miss, end_rule, &search};
    bool ok = false;
    matches->report = rw_query(database, options, error);
    if (matches->report != NULL) {
        struct parsed_program *parsed = program_take(program, "", &err);
        if (parsed != NULL && value != NULL &&
            !program_value(&parsed->at, value, &search.only, &err)) {
            parsed_program_free(parsed);
            parsed = NULL;
        }
        if (parsed != NULL) {
            rule_search_init(&search.at, parsed, (enum float_reading)reading);
            search.slot = mem_alloc((search.at.graph.class_.len + 1) * sizeof *search.slot);
            ok = rule_search_report(&search.at, matches->report, &reader, &err);
            mem_free(search.slot);
            rule_search_release(&search.at);
        }
        sort(matches);
        if (!ok)
            error_give(&err, error);
    }
    if (ok)
        return matches;
    rw_matches_free(matches);
    return NULL;
}
