// SPDX-License-Identifier: Apache-2.0
// Notes where statements stand (tensor/program/source.h).
#include "io/stablehlo/read/reader.h"

uint32_t source_statements(const struct stablehlo_reader *reader)
{
    return reader->source == NULL ? 0 : reader->source->statements.len;
}

uint32_t source_block(struct stablehlo_reader *reader)
{
    struct source *source = reader->source;
    if (source == NULL)
        return NO_BLOCK;
    vec_push(&source->block_function, reader->program->functions.len - 1);
    return source->block_function.len - 1;
}

void source_hole(const struct stablehlo_reader *reader, struct source_holes *holes, uint32_t at,
                 uint32_t end, struct source_place place)
{
    const struct mlir_token *tokens = reader->mlir.tok.at;
    if (reader->source == NULL)
        return;
    vec_push(holes, ((struct source_hole){tokens[at].at, tokens[end - 1].at + tokens[end - 1].len,
                                          place.kind, place.k, NO_BLOCK}));
}

void source_block_hole(const struct stablehlo_reader *reader, struct source_holes *holes,
                       uint32_t from, uint32_t to, uint32_t k, uint32_t block)
{
    const struct mlir_token *tokens = reader->mlir.tok.at, *before = &tokens[from - 1];
    if (reader->source == NULL)
        return;
    vec_push(holes, ((struct source_hole){before->at + before->len, tokens[to].at, SOURCE_BLOCK, k,
                                          block}));
}

// Z1, in the bytes [begin, end).  Tokens of aliases stand elsewhere.
static bool in_order(const struct source_holes *holes, uint32_t begin, uint32_t end)
{
    uint32_t at = begin;
    for (uint32_t i = 0; i < holes->len; i++) {
        if (holes->at[i].at < at || holes->at[i].end < holes->at[i].at)
            return false;
        at = holes->at[i].end;
    }
    return at <= end;
}

static void keep_holes(struct source *source, const struct source_holes *holes, uint32_t *first,
                       uint32_t *n)
{
    *first = source->holes.len;
    *n = holes->len;
    for (uint32_t i = 0; i < holes->len; i++)
        vec_push(&source->holes, holes->at[i]);
}

static void add_statement(struct stablehlo_reader *reader, const struct source_start *start,
                          uint32_t next, struct source_statement statement,
                          const struct source_holes *inner)
{
    struct source *source = reader->source;
    const struct mlir_token *tokens = reader->mlir.tok.at;
    struct source_holes holes = {0};
    statement.block = reader->source_block;
    statement.begin = tokens[start->at].at;
    statement.next = tokens[next].at;
    statement.first_name = source->names.len;
    statement.n_names = reader->names.len;
    for (uint32_t k = 0; k < reader->names.len; k++) {
        uint32_t at = reader->names.at[k].at;
        source_hole(reader, &holes, at, at + 1, (struct source_place){SOURCE_RESULT, k});
        vec_push(&source->names, reader->names.at[k].n);
    }
    for (uint32_t k = 0; k < inner->len; k++)
        vec_push(&holes, inner->at[k]);
    statement.spelled &= in_order(&holes, statement.begin, statement.next);
    keep_holes(source, &holes, &statement.first_hole, &statement.n_holes);
    vec_push(&source->statements, statement);
    vec_release(&holes);
}

// The number of a value that the operation's region names.
static uint32_t local_number(struct u32_vec *locals, uint32_t name)
{
    for (uint32_t k = 0; k < locals->len; k++)
        if (locals->at[k] == name)
            return k;
    vec_push(locals, name);
    return locals->len - 1;
}

static bool is_square(const struct terms *terms, term_id term)
{
    const term_id *args = term_args(terms, term);
    return term_op(terms, term) == OP_MULTIPLY && args[0].v == args[1].v;
}

void source_operator(struct stablehlo_reader *reader, const struct source_start *start,
                     uint32_t next, term_id term)
{
    struct mlir *mlir = &reader->mlir;
    struct source_holes holes = {0};
    struct u32_vec locals = {0};
    uint32_t operand = 0;
    if (reader->source == NULL)
        return;
    for (uint32_t at = start->name; at < next; at++) {
        uint32_t end = at + 1;
        if (mlir_kind(mlir, at) != T_VALUE)
            continue;
        if (operand < reader->operand_at.len && reader->operand_at.at[operand] == at) {
            end += mlir_kind(mlir, end) == T_ATTR && mlir_touches(mlir, end);
            source_hole(reader, &holes, at, end, (struct source_place){SOURCE_ARGUMENT, operand++});
        } else {
            uint32_t k = local_number(&locals, mlir_name(mlir, at));
            source_hole(reader, &holes, at, end, (struct source_place){SOURCE_LOCAL, k});
        }
    }
    const char *kept = buf_text(&reader->kept);
    bool square = operand == 1 && is_square(&reader->program->terms, term);
    struct source_statement statement = {
        .term = term,
        .kept = sym_make(reader->program->pool, kept),
        .spelled = operand == reader->operand_at.len && !reader->body.names_outer &&
                   (square || operand == term_at(&reader->program->terms, term)->n_args),
        .square = square,
        .reducer = reader->n_reducers > start->n_reducers};
    add_statement(reader, start, next, statement, &holes);
    vec_release(&holes);
    vec_release(&locals);
}

void source_opaque(struct stablehlo_reader *reader, const struct source_start *start, uint32_t next,
                   term_id term, const struct source_holes *holes)
{
    struct source_statement statement = {
        .term = term, .kept = sym_make(reader->program->pool, ""), .spelled = true};
    if (reader->source != NULL)
        add_statement(reader, start, next, statement, holes);
}

void source_function(struct stablehlo_reader *reader, uint32_t at, uint32_t next, uint32_t body,
                     const struct source_holes *holes)
{
    struct source *source = reader->source;
    const struct mlir_token *tokens = reader->mlir.tok.at;
    struct source_function function = {.begin = tokens[at].at,
                                       .next = tokens[next].at,
                                       .number = reader->program->functions.len - 1,
                                       .body = body};
    if (source == NULL)
        return;
    if (source->functions.len > 0)
        function.first_statement = vec_last(&source->functions).end_statement;
    function.end_statement = source->statements.len;
    keep_holes(source, holes, &function.first_hole, &function.n_holes);
    vec_push(&source->functions, function);
}

void source_resources(struct stablehlo_reader *reader, uint32_t at)
{
    const struct mlir_token *tokens = reader->mlir.tok.at;
    const struct mlir_token *close = &tokens[tokens[at].match];
    if (reader->source != NULL)
        vec_push(&reader->source->resources,
                 ((struct source_resources){tokens[at].at, close->at + close->len, false}));
}

void source_keep_resources(struct stablehlo_reader *reader, uint32_t from)
{
    if (reader->source == NULL)
        return;
    for (uint32_t i = reader->source->resources.len; i-- > 0;)
        if (reader->source->resources.at[i].at >= reader->mlir.tok.at[from].at)
            reader->source->resources.at[i].stays = true;
}

void source_end(struct stablehlo_reader *reader, uint32_t at)
{
    if (reader->source != NULL)
        reader->source->n = reader->mlir.tok.at[at].at;
}
