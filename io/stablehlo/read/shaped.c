// SPDX-License-Identifier: Apache-2.0
// Which operators operations on sizes "?" and on complex numbers are (tensor/program/form.h,
// tensor/program/complex.h).  Such an operation is kept as text.  It is read a second time here,
// with each "?" as 1: the attributes of an operator depend on the ranks of its operands alone.
#include "io/stablehlo/read/dynamic.h"
#include "tensor/program/complex.h"
#include "tensor/program/form.h"

// Types without "?" in the place of those with some, and parts in the place of complex numbers.
static bool stand_in(struct stablehlo_reader *reader)
{
    struct pool *pool = reader->program->pool;
    struct err none = {0};
    for (uint32_t k = 0; k < reader->types.len; k++) {
        enum elem elem;
        uint32_t rank;
        int64_t dims[TENSOR_MAX_RANK];
        if (complex_part_type(pool, reader->types.at[k], &reader->types.at[k]))
            continue;
        if (!shape_of_type(pool, reader->types.at[k], &elem, &rank, dims))
            return false;
        for (uint32_t i = 0; i < rank; i++)
            dims[i] = dims[i] < 0 ? 1 : dims[i];
        if (!type_tensor(pool, elem, rank, dims, &reader->types.at[k], &none))
            return false;
    }
    return true;
}

// "dim = 0" or {dimension = 0 : i64} of get_dimension_size.
static bool dimension_form(struct op_reader *reading, uint32_t at, struct op_form *out)
{
    struct mlir *mlir = reading->mlir;
    struct mlir_entry entry;
    int64_t dim = -1;
    bool ok = true;
    if (mlir_kind(mlir, reading->at) != T_STRING) {
        ok = op_reader_push_operand(reading, &at) && mlir_expect(mlir, &at, ',', "','") &&
             mlir_expect_word(mlir, &at, "dim") && mlir_expect(mlir, &at, '=', "'='") &&
             mlir_int(mlir, &at, &dim) && mlir_kind(mlir, at) == ':';
    } else {
        ok = mlir_expect(mlir, &at, '(', "'('") && op_reader_push_operand(reading, &at) &&
             mlir_expect(mlir, &at, ')', "')'");
        bool properties = ok && mlir_accept(mlir, &at, '<');
        ok = ok && mlir_kind(mlir, at) == '{';
        at++;
        while (ok && mlir_next_entry(mlir, &at, &entry, &ok)) {
            uint32_t value = entry.value;
            ok = ok && mlir_key_is(mlir, &entry, "dimension") && mlir_int(mlir, &value, &dim);
        }
        at++;
        ok = ok && (!properties || mlir_accept(mlir, &at, '>')) && mlir_kind(mlir, at) == ':';
    }
    *out = (struct op_form){N_OPS, attr_make(reading->reader->program->pool, 1, &dim), 1};
    return ok && reading->reader->args.len == 1 && dim >= 0;
}

// Lists that operands give are not there yet.
static void give_lists(struct op_reader *reading, const struct dynamic_op *dynamic)
{
    uint32_t rank = type_rank(reading->reader->program->pool, reading->reader->types.at[0]);
    if (reading->op != OP_GATHER && reading->op != OP_SLICE && reading->op != OP_PAD)
        return;
    for (uint32_t k = 0; k < FORM_LISTS && dynamic->list[k] != NULL; k++) {
        struct i64_vec *list = op_reader_list(reading, dynamic->list[k]);
        while (list->len < rank)
            vec_push(list, 0);
    }
}

// The operator's form, from operands, attributes and types.
static bool operator_form(struct op_reader *reading, const struct dynamic_op *dynamic, uint32_t at,
                          struct op_form *out)
{
    struct stablehlo_reader *reader = reading->reader;
    struct pool *pool = reader->program->pool;
    bool generic = mlir_kind(reading->mlir, reading->at) == T_STRING;
    if (!(generic ? op_reader_generic(reading, &at) : op_reader_pretty(reading, &at)) ||
        reading->opaque || !op_reader_types(reading, &at, generic || dynamic != NULL))
        return false;
    uint32_t n = reader->args.len, own = dynamic != NULL ? dynamic->operands : n;
    if (n < own || reader->types.len != n + 1 || n - own > FORM_LISTS)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!stablehlo_check_operand(reader, reading->types, k, reader->args.at[k],
                                     reader->types.at[k]))
            return false;
    if (!stand_in(reader))
        return false;
    reader->types.at[own] = reader->types.at[n];
    reader->types.len = own + 1;
    if (dynamic != NULL)
        give_lists(reading, dynamic);
    if ((dims_is(reading->op) && dims_mixed(reading)) || !op_reader_attr(reading))
        return false;
    uint32_t length = reader->attr.len, rank = type_rank(pool, reader->types.at[0]);
    if (dynamic != NULL && reading->op == OP_GATHER)
        length -= rank;
    if (dynamic != NULL && (reading->op == OP_SLICE || reading->op == OP_PAD))
        length = 0;
    *out = (struct op_form){reading->op, attr_make(pool, length, reader->attr.at), own};
    return true;
}

static bool read_form(struct op_reader *reading, const char *name, struct op_form *out)
{
    uint32_t at = reading->at + 1;
    const struct dynamic_op *dynamic = stablehlo_find_dynamic(name);
    if (strcmp(name, "stablehlo.get_dimension_size") == 0)
        return dimension_form(reading, at, out);
    if (strcmp(name, "tensor.cast") == 0) {
        *out = (struct op_form){OP_CONVERT, NO_ATTR, 1};
        return true;
    }
    reading->dynamic = dynamic != NULL;
    const char *dot = strchr(name, '.');
    if (dynamic != NULL)
        reading->op = dynamic->op;
    else if (dot == NULL || !op_by_name(dot + 1, &reading->op) ||
             strncmp(name, op_dialect(reading->op), (size_t)(dot - name)) != 0 ||
             op_class(reading->op) == OPC_OUTSIDE ||
             (op_class(reading->op) == OPC_LEAF && reading->op != OP_IOTA))
        return false;
    return operator_form(reading, dynamic, at, out);
}

static bool wants_form(const struct stablehlo_reader *reader, const char *name)
{
    const struct program *program = reader->program;
    bool wants =
        stablehlo_find_dynamic(name) != NULL || strcmp(name, "stablehlo.get_dimension_size") == 0;
    type_id part;
    for (uint32_t k = 0; !wants && k < reader->types.len; k++)
        wants = type_is_dynamic(program->pool, reader->types.at[k]) ||
                complex_part_type(program->pool, reader->types.at[k], &part);
    for (uint32_t k = 0; !wants && k < reader->args.len; k++)
        wants = type_is_dynamic(program->pool, term_type(&program->terms, reader->args.at[k]));
    return wants;
}

void stablehlo_note_form(struct stablehlo_reader *reader, uint32_t at, const char *name,
                         sym_id text)
{
    struct program *program = reader->program;
    struct op_form form;
    if (reader->types.len != 1 || !wants_form(reader, name) ||
        (text.v < program->form_of.len && program->form_of.at[text.v] != 0))
        return;
    type_id type = reader->types.at[0];
    struct op_reader reading = {.reader = reader, .mlir = &reader->mlir, .at = at};
    struct err *err = reader->mlir.err, none = {0};
    op_reader_start(reader);
    vec_clear(&reader->types);
    reader->mlir.err = &none;
    if (read_form(&reading, name, &form))
        op_form_add(program, text, form);
    reader->mlir.err = err;
    op_reader_start(reader);
    vec_clear(&reader->types);
    vec_push(&reader->types, type);
}
