// SPDX-License-Identifier: Apache-2.0
// Which lines of the texts of a program's record make the values that its steps are about.
#include "api/records/records.h"

#include "io/program/program.h"
#include "tensor/program/import.h"

// The search: all terms of the record and of both programs in one store, in which equal terms are
// one; what lines of the record say to be equal is one class.
struct search {
    struct terms terms;
    struct u32_vec own;   // by term of the record: its copy
    struct u32_vec class; // by copy: another one of its class, or itself
    struct arena *mem;
};

static uint32_t find(struct search *search, uint32_t term)
{
    while (search->class.at[term] != term)
        term = search->class.at[term] = search->class.at[search->class.at[term]];
    return term;
}

// Each class of the copies gets a set of its own.
static void grow(struct search *search)
{
    for (uint32_t i = search->class.len; i < search->terms.term.len; i++)
        vec_push(&search->class, i);
}

static void join_lines(struct search *search, const struct record *record)
{
    for (uint32_t i = 0; i < record->terms.term.len; i++)
        (void)term_import(&search->terms, &record->terms, &search->own, (term_id){i});
    grow(search);
    for (uint32_t i = 0; i < record->lines.len; i++) {
        const struct record_line *line = &record->lines.at[i];
        search->class.at[find(search, search->own.at[line->a.v])] =
            find(search, search->own.at[line->b.v]);
    }
}

static uint32_t count_lines(const char *text)
{
    uint32_t n = text[0] != '\0';
    for (const char *at = text; *at; at++)
        n += *at == '\n' && at[1] != '\0';
    return n;
}

static void take_line(struct u32_vec *lines, uint32_t at, uint32_t line)
{
    if (lines->at[at] == 0 || line < lines->at[at])
        lines->at[at] = line;
}

// By term of the record: the first line of the program that makes the term; else its value.
static const uint32_t *lines_of(struct search *search, const struct record *record,
                                const struct program *program, const char *text)
{
    struct u32_vec memo = {0}, of_term = {0}, of_class = {0};
    uint32_t line = 1, at = 0, n = record->terms.term.len;
    uint32_t *lines = ARENA_NEW(search->mem, uint32_t, n + 1);
    for (uint32_t i = 0; i < program->source->statements.len; i++)
        (void)term_import(&search->terms, &program->terms, &memo,
                          program->source->statements.at[i].term);
    grow(search);
    for (uint32_t i = 0; i < search->class.len; i++) {
        vec_push(&of_term, 0);
        vec_push(&of_class, 0);
    }
    for (uint32_t i = 0; i < program->source->statements.len; i++) {
        const struct source_statement *statement = &program->source->statements.at[i];
        if (statement->begin < at) // inner statements come in front of their block's
            line = 1, at = 0;
        for (; at < statement->begin; at++)
            line += text[at] == '\n';
        uint32_t term = memo.at[statement->term.v];
        take_line(&of_term, term, line);
        take_line(&of_class, find(search, term), line);
    }
    for (uint32_t i = 0; i < n; i++)
        lines[i] = of_term.at[search->own.at[i]] ? of_term.at[search->own.at[i]]
                                                 : of_class.at[find(search, search->own.at[i])];
    vec_release(&memo);
    vec_release(&of_term);
    vec_release(&of_class);
    return lines;
}

// By line: the first step about its value.
static const uint32_t *steps_of(const struct record *record, const uint32_t *line_of, uint32_t n,
                                struct arena *mem)
{
    uint32_t *steps = ARENA_NEW(mem, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        steps[i] = UINT32_MAX;
    for (uint32_t i = record->lines.len; i-- > 0;) {
        const struct record_line *line = &record->lines.at[i];
        uint32_t place = line_of[line->a.v];
        if (line->kind != LINE_CONG && line->kind != LINE_TRANS && place > 0 && place <= n)
            steps[place - 1] = i;
    }
    return steps;
}

static void find_places(const struct record *record, const struct program *in,
                        const struct program *out, struct arena *mem, struct emit_places *places)
{
    struct search search = {.mem = mem};
    terms_init(&search.terms, record->terms.pool);
    join_lines(&search, record);
    *places = (struct emit_places){.n_terms = record->terms.term.len,
                                   .before = lines_of(&search, record, in, record->input),
                                   .after = lines_of(&search, record, out, record->output),
                                   .n_before = count_lines(record->input),
                                   .n_after = count_lines(record->output)};
    places->step_before = steps_of(record, places->before, places->n_before, mem);
    places->step_after = steps_of(record, places->after, places->n_after, mem);
    terms_release(&search.terms);
    vec_release(&search.own);
    vec_release(&search.class);
}

bool record_places(const struct rw_record *record, struct arena *mem, struct emit_places *places)
{
    const struct record *at = &record->program;
    struct program in, out;
    struct err none = {0};
    if (record->is_formula)
        return false;
    program_init(&in, at->terms.pool);
    program_init(&out, at->terms.pool);
    in.pinned = out.pinned = sym_make(at->terms.pool, at->keep_attributes);
    in.source = source_new(at->input, strlen(at->input));
    out.source = source_new(at->output, strlen(at->output));
    bool ok = program_text_read(at->input, strlen(at->input), "input program", &in, &none) &&
              program_text_read_output(at->output, strlen(at->output), "output program",
                                       &(struct output_of){&in, &at->regions}, &out, &none);
    if (ok)
        find_places(at, &in, &out, mem, places);
    program_release(&in);
    program_release(&out);
    return ok;
}
