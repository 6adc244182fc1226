// SPDX-License-Identifier: Apache-2.0
// stablehlo.complex is kept as text, as complex numbers are.  What is said of its parts
// (tensor/program/complex.h) rests on its types.
#include "io/stablehlo/read/scan.h"
#include "tensor/program/complex.h"
#include "tensor/program/form.h"

static bool refuse(struct stablehlo_reader *reader, uint32_t at, const char *wanted, type_id found)
{
    struct buf text = {0};
    type_print(reader->program->pool, found, &text);
    mlir_fail(&reader->mlir, at, "'stablehlo.complex': expected %s, found %.200s", wanted,
              buf_text(&text));
    buf_release(&text);
    return false;
}

// Types that are not known, as those with encodings, are not compared.
static bool is_known(const struct pool *pool, type_id type, enum elem *elem)
{
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    return shape_of_type(pool, type, elem, &rank, dims);
}

static bool check_operand(struct stablehlo_reader *reader, uint32_t at, uint32_t k, type_id type)
{
    struct pool *pool = reader->program->pool;
    enum elem elem;
    type_id parts;
    bool known = is_known(pool, type, &elem);
    return (known ? elem == ELEM_F32 || elem == ELEM_F64 : !complex_parts(pool, type, &parts)) ||
           refuse(reader, at,
                  k == 0 ? "a tensor of f32 or f64 for operand 0"
                         : "a tensor of f32 or f64 for operand 1",
                  type);
}

static bool check_result(struct stablehlo_reader *reader, uint32_t at, type_id operand,
                         type_id type)
{
    struct pool *pool = reader->program->pool;
    enum elem elem;
    type_id parts = type;
    bool complex = complex_parts(pool, type, &parts);
    if (complex ? types_meet(pool, operand, parts) : !is_known(pool, type, &elem))
        return true;
    struct buf wanted = {0};
    buf_puts(&wanted, "complex numbers with parts of ");
    type_print(pool, operand, &wanted);
    refuse(reader, at, buf_text(&wanted), type);
    buf_release(&wanted);
    return false;
}

bool stablehlo_check_complex(struct stablehlo_reader *reader, const struct scanned_op *scanned_op)
{
    const struct terms *terms = &reader->program->terms;
    uint32_t at = scanned_op->at;
    if (strcmp(scanned_op->name, "stablehlo.complex") != 0)
        return true;
    if (reader->args.len != 2)
        return mlir_fail(&reader->mlir, at, "'stablehlo.complex': expected 2 operands, found %u",
                         reader->args.len);
    type_id real = term_type(terms, reader->args.at[0]),
            imag = term_type(terms, reader->args.at[1]);
    if (!check_operand(reader, at, 0, real) || !check_operand(reader, at, 1, imag))
        return false;
    if (!types_meet(reader->program->pool, real, imag)) {
        struct buf wanted = {0};
        type_print(reader->program->pool, real, &wanted);
        buf_puts(&wanted, " for operand 1, as for operand 0");
        refuse(reader, at, buf_text(&wanted), imag);
        buf_release(&wanted);
        return false;
    }
    return reader->types.len != 1 || check_result(reader, at, real, reader->types.at[0]);
}
