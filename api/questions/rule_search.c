// SPDX-License-Identifier: Apache-2.0
#include "api/questions/rule_search.h"

#include "api/rules/statuses.h"
#include "egraph/limits.h"
#include "egraph/saturate.h"

void rule_search_init(struct rule_search *search, struct parsed_program *program,
                      enum float_reading reading)
{
    struct u32_vec roots = {0};
    struct egraph_options options = egraph_defaults();
    *search = (struct rule_search){.program = program, .reading = reading};
    options.fold = true;
    options.reading = reading;
    egraph_init(&search->graph, &program->at.terms, options);
    for (uint32_t f = 0; f < program->at.functions.len; f++) {
        function_roots(&program->at.functions.at[f], &roots);
        for (uint32_t i = 0; i < roots.len; i++)
            egraph_add_term(&search->graph, (term_id){roots.at[i]});
    }
    finite_program(&search->finite, &program->at, &program->at.terms);
    egraph_rebuild(&search->graph);
    search->index.depth = 0; // everything is new
    match_index_build(&search->graph, &search->index);
    vec_release(&roots);
}

void rule_search_release(struct rule_search *search)
{
    match_index_release(&search->index);
    finite_release(&search->finite);
    egraph_release(&search->graph);
    parsed_program_free(search->program);
}

const char *operation_words(const struct terms *terms, term_id term, struct arena *mem)
{
    struct buf text = {0}, type = {0};
    term_print_node(terms, term, &text);
    type_print(terms->pool, term_type(terms, term), &type);
    if (strstr(buf_text(&text), buf_text(&type)) == NULL)
        buf_printf(&text, " : %s", buf_text(&type));
    const char *copy = arena_strdup(mem, buf_text(&text));
    buf_release(&text);
    buf_release(&type);
    return copy;
}

void program_places_find(const struct rw_program *program, struct program_places *out)
{
    const struct program *at = &program->parsed->at;
    uint32_t line = 1, byte = 0;
    *out = (struct program_places){.at = {0}};
    for (uint32_t i = 0; at->source != NULL && i < at->source->statements.len; i++) {
        const struct source_statement *statement = &at->source->statements.at[i];
        if (statement->begin < byte) // inner statements come in front of the one that has them
            line = 1, byte = 0;
        for (; byte < statement->begin; byte++)
            line += at->source->text[byte] == '\n';
        struct program_place place = {line,
                                      operation_words(&at->terms, statement->term, &out->mem)};
        vec_push(&out->at, place);
    }
}

void program_places_release(struct program_places *places)
{
    vec_release(&places->at);
    arena_release(&places->mem);
}

// The first statement with a result of this name.
static term_id named_statement(const struct source *source, const char *name)
{
    for (uint32_t i = 0; i < source->statements.len; i++) {
        const struct source_statement *statement = &source->statements.at[i];
        for (uint32_t h = 0; h < statement->n_holes; h++) {
            const struct source_hole *hole = &source->holes.at[statement->first_hole + h];
            if (hole->kind == SOURCE_RESULT && hole->end - hole->at == strlen(name) &&
                memcmp(source->text + hole->at, name, strlen(name)) == 0)
                return statement->term;
        }
    }
    return NO_TERM;
}

bool program_value(const struct program *program, const char *name, term_id *out, struct err *err)
{
    *out = program->source ? named_statement(program->source, name) : NO_TERM;
    for (uint32_t i = 0; out->v == NO_TERM.v && i < program->notes.len; i++)
        if (strcmp(sym_text(program->pool, program->notes.at[i].name), name) == 0)
            *out = program->notes.at[i].term;
    return out->v != NO_TERM.v || err_set(err, ERR_INPUT, "no operation is called %s", name);
}

// Does simplify run the rule, and is there a place where it could match?
static bool runs(struct rule_search *search, const struct pattern *pattern)
{
    return pattern->n_variants > 0 && pattern_guard(pattern) == NULL &&
           match_possible(pattern, &search->index, 0);
}

static void search_rule(struct rule_search *search, const struct rule *rule,
                        struct rule_status status, const struct rw_rule *view,
                        const struct rule_reader *reader)
{
    struct arena mem = {0}, instances = {0};
    struct pattern pattern;
    struct match_cursor cursor = {0};
    struct match_result found = {0};
    struct miss_reader misses = {reader->miss, reader->ctx};
    pattern_compile(&pattern, rule, false, &mem);
    struct match_request request = {.pattern = &pattern,
                                    .status = status,
                                    .reading = search->reading,
                                    .max_matches = UINT32_MAX,
                                    .max_steps = EGRAPH_MATCH_STEPS,
                                    .cursor = &cursor,
                                    .index = &search->index,
                                    .finite = &search->finite,
                                    .misses = &misses};
    if (runs(search, &pattern)) {
        reader->begin(reader->ctx, &pattern, view);
        match_all(&search->graph, &request, &instances, &found);
        reader->end(reader->ctx, &found);
    }
    match_result_release(&found);
    arena_release(&instances);
    arena_release(&mem);
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
static bool may_match(struct rule_search *search, const struct stored_rule *row)
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

static bool search_row(struct rule_search *search, const struct stored_rule *row,
                       const struct rw_rule *view, const struct rule_reader *reader,
                       struct err *err)
{
    struct ruleset set;
    struct err why = {0};
    ruleset_init(&set);
    const struct rule *rule = ruleset_add(&set, row->source, row->name, &why);
    bool ok = (rule != NULL && strcmp(rule->hash, row->hash) == 0) ||
              err_set(err, ERR_DB, "rule %s of the database is not what its text says: %s",
                      row->name, why.msg);
    if (ok)
        search_rule(search, rule, status_of_stored(row), view, reader);
    ruleset_release(&set);
    return ok;
}

bool rule_search_report(struct rule_search *search, const struct rw_report *report,
                        const struct rule_reader *reader, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < report->rules.len; i++) {
        const struct stored_rule *row = row_of(report, report->rules.at[i]->hash);
        ok = !may_match(search, row) || search_row(search, row, report->rules.at[i], reader, err);
    }
    return ok;
}
