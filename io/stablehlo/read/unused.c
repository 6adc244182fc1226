// SPDX-License-Identifier: Apache-2.0
// Statements of a reducer's body that nothing uses.  No term has them, so they are read into a
// program of their own, which is thrown away: a text that is wrong there is refused as anywhere.
#include "io/stablehlo/read/reader.h"
#include "tensor/program/region.h"

// The body's arguments, as those of a function.
static void bind_arguments(struct stablehlo_reader *reader, const struct reducer_body *body)
{
    for (int64_t k = 0; k < 2; k++) {
        int64_t v[2] = {0, k};
        uint32_t name = body->name[k];
        attr_id attr = attr_make(reader->program->pool, 2, v);
        vec_push(&reader->value,
                 term_make(&reader->program->terms, OP_PARAMETER, attr, body->elem, 0, NULL));
        while (reader->bind_of.len <= name)
            vec_push(&reader->bind_of, 0);
        vec_push(&reader->bind, ((struct value_binding){1, reader->value.len - 1, false}));
        vec_push(&reader->undo, name);
        reader->bind_of.at[name] = reader->bind.len;
    }
}

bool stablehlo_read_unused(struct stablehlo_reader *reader)
{
    struct reducer_body body = reader->body;
    struct program program;
    struct stablehlo_reader aside = {.mlir = reader->mlir, .program = &program};
    bool ok = true;
    if (body.n_unused == 0)
        return true;
    program_init(&program, reader->program->pool);
    program.pinned = reader->program->pinned;
    intern_init(&aside.region_keys);
    aside.scope = scope_of_function(0);
    bind_arguments(&aside, &body);
    for (uint32_t at = body.at; ok && at < body.returns;)
        ok = stablehlo_statement(&aside, &at);
    reader->mlir = aside.mlir; // its names have grown
    stablehlo_release(&aside);
    program_release(&program);
    return ok;
}
