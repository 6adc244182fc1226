// SPDX-License-Identifier: Apache-2.0
// Which rules match a program as it stands, and why others nearly do: the first
// round of a simplification, with the engine's own matcher.
#include "api/database/database.h"
#include "api/rules/report.h"
#include "api/rules/statuses.h"
#include "api/simplify/program.h"
#include "egraph/limits.h"
#include "egraph/saturate.h"
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
    struct parsed_program *program;
    struct egraph graph;
    struct match_index index;
    struct finite finite;
    struct slot *slot; // by class
    uint32_t rule;     // that is searched for
    enum float_reading reading;
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

static const char *place_text(struct search *search, term_id term)
{
    const struct terms *terms = &search->program->at.terms;
    struct buf text = {0}, type = {0};
    term_print_node(terms, term, &text);
    type_print(terms->pool, term_type(terms, term), &type);
    if (strstr(buf_text(&text), buf_text(&type)) == NULL)
        buf_printf(&text, " : %s", buf_text(&type));
    const char *copy = arena_strdup(&search->out->mem, buf_text(&text));
    buf_release(&text);
    buf_release(&type);
    return copy;
}

// Of a class the nearest miss is kept.
static void take_miss(void *ctx, const struct near_miss *miss)
{
    struct search *search = ctx;
    struct match_of_rule *rule = &vec_last(&search->out->rules);
    struct arena *mem = &search->out->mem;
    struct slot *slot = &search->slot[egraph_find(&search->graph, miss->root).v];
    bool first = slot->rule != search->rule + 1;
    if (!first && miss->kind <= rule->misses.at[slot->index].kind)
        return;
    struct miss_at at = {.kind = miss->kind,
                         .miss = {.kind = miss_kind_text(miss->kind),
                                  .condition = arena_strdup(mem, miss->condition),
                                  .found = arena_strdup(mem, miss->found),
                                  .place = place_text(search, miss->root),
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
        class_id root = class_find(&search->graph, found->found.at[i].root);
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

// Does simplify run the rule, and is there a place where it could match?
static bool runs(struct search *search, const struct pattern *pattern)
{
    return pattern->n_variants > 0 && pattern_guard(pattern) == NULL &&
           match_possible(pattern, &search->index, 0);
}

static void search_rule(struct search *search, const struct rule *rule, struct rule_status status,
                        const struct rw_rule *view)
{
    struct arena mem = {0}, instances = {0};
    struct pattern pattern;
    struct match_cursor cursor = {0};
    struct match_result found = {0};
    struct miss_reader reader = {take_miss, search};
    struct match_of_rule fresh = {.out = {.rule = view, .complete = true}};
    vec_push(&search->out->rules, fresh);
    pattern_compile(&pattern, rule, false, &mem);
    struct match_request request = {.pattern = &pattern,
                                    .status = status,
                                    .reading = search->reading,
                                    .max_matches = UINT32_MAX,
                                    .max_steps = EGRAPH_MATCH_STEPS,
                                    .cursor = &cursor,
                                    .index = &search->index,
                                    .finite = &search->finite,
                                    .misses = &reader};
    if (runs(search, &pattern)) {
        match_all(&search->graph, &request, &instances, &found);
        struct match_of_rule *own = &vec_last(&search->out->rules);
        own->out.matches = found.found.len;
        own->out.complete = found.complete;
        drop_matched(search, own, &found);
        merge_misses(own, &search->out->mem);
    }
    if (vec_last(&search->out->rules).out.matches == 0 &&
        vec_last(&search->out->rules).out.n_misses == 0) {
        vec_release(&vec_last(&search->out->rules).misses);
        (void)vec_pop(&search->out->rules);
    }
    match_result_release(&found);
    arena_release(&instances);
    arena_release(&mem);
}

static void open_search(struct search *search)
{
    struct u32_vec roots = {0};
    struct egraph_options options = egraph_defaults();
    options.fold = true;
    options.reading = search->reading;
    egraph_init(&search->graph, &search->program->at.terms, options);
    for (uint32_t f = 0; f < search->program->at.functions.len; f++) {
        function_roots(&search->program->at.functions.at[f], &roots);
        for (uint32_t i = 0; i < roots.len; i++)
            egraph_add_term(&search->graph, (term_id){roots.at[i]});
    }
    finite_program(&search->finite, &search->program->at, &search->program->at.terms);
    egraph_rebuild(&search->graph);
    search->index.depth = 0; // everything is new
    match_index_build(&search->graph, &search->index);
    search->slot = mem_alloc((search->graph.class_.len + 1) * sizeof *search->slot);
    vec_release(&roots);
}

static void close_search(struct search *search)
{
    mem_free(search->slot);
    match_index_release(&search->index);
    finite_release(&search->finite);
    egraph_release(&search->graph);
}

// The row of the rule.
static const struct stored_rule *row_of(const struct rw_report *report, const char *hash)
{
    const struct stored_rules *rows = &report->stored.at[0];
    uint32_t i = 0;
    while (strcmp(rows->rules.at[i].hash, hash) != 0)
        i++;
    return &rows->rules.at[i];
}

// Is there a place where the rule could match?  The canonical text is read faster
// than the written one.
static bool may_match(struct search *search, const struct stored_rule *row)
{
    struct ruleset set;
    struct err err = {0};
    struct arena mem = {0};
    struct pattern pattern;
    bool may = true;
    ruleset_init(&set);
    const struct rule *rule = ruleset_add_canonical(&set, row->canonical, NULL, row->name, &err);
    if (rule != NULL) {
        pattern_compile(&pattern, rule, false, &mem);
        may = runs(search, &pattern);
    }
    arena_release(&mem);
    ruleset_release(&set);
    return may;
}

// The rule as it is written, so that conditions have the writer's names.
static bool search_row(struct search *search, const struct stored_rule *row,
                       const struct rw_rule *view, struct err *err)
{
    struct ruleset set;
    struct err why = {0};
    ruleset_init(&set);
    const struct rule *rule = ruleset_add(&set, row->source, row->name, &why);
    bool ok = (rule != NULL && strcmp(rule->hash, row->hash) == 0) ||
              err_set(err, ERR_DB, "rule %s of the database is not what its text says: %s",
                      row->name, why.msg);
    if (ok)
        search_rule(search, rule, status_of_stored(row), view);
    ruleset_release(&set);
    return ok;
}

static bool search_rules(struct search *search, struct err *err)
{
    const struct rw_report *report = search->out->report;
    bool ok = true;
    for (uint32_t i = 0; ok && i < report->rules.len; i++, search->rule++) {
        const struct stored_rule *row = row_of(report, report->rules.at[i]->hash);
        ok = !may_match(search, row) || search_row(search, row, report->rules.at[i], err);
    }
    return ok;
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
    struct rw_matches *matches = mem_alloc(sizeof *matches);
    struct search search = {.out = matches, .reading = (enum float_reading)reading};
    bool ok = false;
    matches->report = rw_query(database, options, error);
    if (matches->report != NULL) {
        search.program = program_take(program, "", &err);
        ok = search.program != NULL;
        if (ok) {
            open_search(&search);
            ok = search_rules(&search, &err);
            close_search(&search);
        }
        parsed_program_free(search.program);
        sort(matches);
        if (!ok)
            error_give(&err, error);
    }
    if (ok)
        return matches;
    rw_matches_free(matches);
    return NULL;
}
