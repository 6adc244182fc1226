// SPDX-License-Identifier: Apache-2.0
// chlo.square, which JAX writes for x * x.  Of elements that are not complex it is, by
// definition, the product of the operand with itself, and is read as that term.
#include "io/stablehlo/read/op_reader.h"

static bool is_real(const struct pool *pool, type_id type)
{
    if (!type_is_tensor(pool, type))
        return false;
    enum elem_kind kind = elem_kind(type_elem(pool, type));
    return kind == KIND_FLOAT || kind == KIND_SINT || kind == KIND_UINT;
}

// The operand's type at *at, and that of the result behind an arrow, if there is one.
static bool read_types(struct op_reader *reading, uint32_t *at, bool generic)
{
    struct stablehlo_reader *reader = reading->reader;
    if (!op_reader_types(reading, at, generic))
        return false;
    if (mlir_accept(reading->mlir, at, T_ARROW) &&
        !mlir_type(reading->mlir, at, &reader->types.at[1]))
        return false;
    return reader->types.len == 2 && reader->types.at[0].v == reader->types.at[1].v;
}

static bool read_product(struct op_reader *reading, uint32_t *at, term_id *out)
{
    struct stablehlo_reader *reader = reading->reader;
    bool generic = mlir_kind(reading->mlir, reading->at) == T_STRING;
    if (!(generic ? op_reader_generic(reading, at) : op_reader_pretty(reading, at)) ||
        reading->opaque || reader->args.len != 1 || !read_types(reading, at, generic) ||
        !is_real(reader->program->pool, reader->types.at[0]) ||
        !stablehlo_check_operand(reader, reading->types, 0, reader->args.at[0],
                                 reader->types.at[0]))
        return false;
    vec_push(&reader->args, reader->args.at[0]);
    vec_push(&reader->types, reader->types.at[0]);
    return op_reader_term(reading, out);
}

bool stablehlo_square(struct stablehlo_reader *reader, uint32_t *next, term_id *out)
{
    char name[IO_OPERATION_NAME];
    if (!stablehlo_op_name(&reader->mlir, *next, name) || strcmp(name, "chlo.square") != 0)
        return false;
    struct op_reader reading = {
        .reader = reader, .mlir = &reader->mlir, .op = OP_MULTIPLY, .at = *next};
    uint32_t at = *next + 1;
    struct err *err = reader->mlir.err, none = {0};
    op_reader_start(reader);
    reader->mlir.err = &none;
    bool ok = read_product(&reading, &at, out);
    reader->mlir.err = err;
    if (ok) {
        op_reader_attach(&reading, *out);
        *next = at;
    }
    return ok;
}
