// SPDX-License-Identifier: Apache-2.0
// Statements of a reducer's body that nothing uses.  No term has them, so they are read into a
// program of their own, which is thrown away: a text that is wrong there is refused as anywhere.
#include "io/stablehlo/read/reader.h"
#include "tensor/program/region.h"

struct unused_reader {
    struct stablehlo_reader reader;
    int64_t n_parameters;
};

// The next parameters of a function are these values.
static void bind_parameters(struct unused_reader *unused, uint32_t name, uint32_t n,
                            const type_id *types)
{
    struct stablehlo_reader *reader = &unused->reader;
    struct value_binding binding = {n, reader->value.len, false};
    for (uint32_t k = 0; k < n; k++) {
        int64_t v[2] = {0, unused->n_parameters++};
        attr_id attr = attr_make(reader->program->pool, 2, v);
        vec_push(&reader->value,
                 term_make(&reader->program->terms, OP_PARAMETER, attr, types[k], 0, NULL));
    }
    while (reader->bind_of.len <= name)
        vec_push(&reader->bind_of, 0);
    vec_push(&reader->bind, binding);
    vec_push(&reader->undo, name);
    reader->bind_of.at[name] = reader->bind.len;
}

// Binds values from outside that the body names.  True if there is one, or a symbol.
static bool bind_outer(struct unused_reader *unused, const struct stablehlo_reader *outer,
                       const struct reducer_body *body)
{
    struct stablehlo_reader *reader = &unused->reader;
    VEC(type_id) types = {0};
    bool found = false;
    for (uint32_t at = body->at; at < body->returns; at++) {
        uint32_t name =
            mlir_kind(&reader->mlir, at) == T_VALUE ? mlir_name(&reader->mlir, at) : UINT32_MAX;
        found |= mlir_kind(&reader->mlir, at) == T_SYMBOL;
        if (name >= outer->bind_of.len || outer->bind_of.at[name] == 0 ||
            (name < reader->bind_of.len && reader->bind_of.at[name] != 0))
            continue;
        struct value_binding binding = outer->bind.at[outer->bind_of.at[name] - 1];
        vec_clear(&types);
        found = true;
        for (uint32_t k = 0; !binding.local && k < binding.n; k++)
            vec_push(&types, term_type(&outer->program->terms, outer->value.at[binding.first + k]));
        if (types.len > 0)
            bind_parameters(unused, name, types.len, types.at);
    }
    vec_release(&types);
    return found;
}

bool stablehlo_read_unused(struct stablehlo_reader *reader)
{
    struct reducer_body body = reader->body;
    struct program program;
    struct unused_reader unused = {.reader = {.mlir = reader->mlir,
                                              .program = &program,
                                              .hidden = reader->hidden,
                                              .scope = scope_of_function(0)}};
    struct stablehlo_reader *aside = &unused.reader;
    bool ok = true;
    if (body.n_unused == 0)
        return true;
    program_init(&program, reader->program->pool);
    program.pinned = reader->program->pinned;
    intern_init(&aside->region_keys);
    aside->callable.at = reader->callable.at; // borrowed
    aside->callable.len = reader->callable.len;
    aside->callable_of = reader->callable_of;
    for (int k = 0; k < 2; k++)
        bind_parameters(&unused, body.name[k], 1, &body.elem);
    reader->body.names_outer = bind_outer(&unused, reader, &body);
    for (uint32_t at = body.at; ok && at < body.returns;)
        ok = stablehlo_statement(aside, &at);
    reader->mlir = aside->mlir; // its names have grown
    memset(&aside->callable, 0, sizeof aside->callable);
    memset(&aside->callable_of, 0, sizeof aside->callable_of);
    stablehlo_release(aside);
    program_release(&program);
    return ok;
}
