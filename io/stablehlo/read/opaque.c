// SPDX-License-Identifier: Apache-2.0
// Any operation as a term: its template and the types of its results.
#include "io/stablehlo/read/foreign.h"
#include "io/stablehlo/read/scan.h"

#include "tensor/program/region.h"

#include "base/text/suggest.h"

// Types [i, end) separated by commas, appended to reader->types.
static bool read_types(struct stablehlo_reader *reader, uint32_t at, uint32_t end)
{
    while (at < end) {
        type_id type;
        if (!mlir_type(&reader->mlir, &at, &type))
            return false;
        vec_push(&reader->types, type);
        if (at < end && !mlir_expect(&reader->mlir, &at, ',', "','"))
            return false;
    }
    return true;
}

static bool read_result_types(struct stablehlo_reader *reader, uint32_t from, uint32_t end)
{
    struct mlir *mlir = &reader->mlir;
    if (mlir_kind(mlir, from) == '(' && mlir->tok.at[from].match + 1 == end)
        return read_types(reader, from + 1, end - 1);
    return read_types(reader, from, end);
}

// Dialects whose operations all take the last of ": T, U" as the result type.
static bool trusted_dialect(const char *name)
{
    return strncmp(name, "stablehlo.", 10) == 0 || strncmp(name, "chlo.", 5) == 0 ||
           strncmp(name, "sdy.", 4) == 0 || strncmp(name, "mhlo.", 5) == 0;
}

static bool no_types(struct stablehlo_reader *reader, const struct scanned_op *scanned_op)
{
    const char *name = scanned_op->name;
    enum op op;
    mlir_fail(&reader->mlir, scanned_op->at,
              "cannot tell the result types of '%s': write it in generic form", name);
    if (op_by_name(name, &op))
        return err_hint(reader->mlir.err, "did you mean '%s.%s'?", op_dialect(op), name);
    if (foreign_is_vhlo(name))
        return foreign_hint_vhlo(reader->mlir.err);
    const char *dot = strchr(name, '.');
    struct nearest near = nearest_to(name, dot != NULL ? (size_t)(dot - name) : 0);
    nearest_consider(&near, "stablehlo", strlen("stablehlo"));
    nearest_consider(&near, "chlo", strlen("chlo"));
    if (near.word != NULL)
        return err_hint(reader->mlir.err, "did you mean '%s%s'?", near.word, dot);
    return err_hint(reader->mlir.err,
                    "the generic form is `%%r = \"%s\"(%%x) : (tensor<2xf32>) -> tensor<2xf32>`; "
                    "`stablehlo-opt --mlir-print-op-generic FILE` prints it",
                    name);
}

static bool list_types(struct stablehlo_reader *reader, const struct scanned_op *scanned_op,
                       uint32_t n_names)
{
    if (!read_types(reader, scanned_op->types, scanned_op->types_end))
        return false;
    if (n_names == 0) {
        // Results without a name need no type.
        vec_clear(&reader->types);
        return true;
    }
    if (!trusted_dialect(scanned_op->name)) {
        uint32_t at = scanned_op->types;
        return (n_names == 1 && foreign_type(reader, scanned_op->name, at)) ||
               no_types(reader, scanned_op);
    }
    if (n_names != 1 && n_names != reader->types.len)
        return no_types(reader, scanned_op);
    if (n_names == 1) {
        reader->types.at[0] = vec_last(&reader->types);
        reader->types.len = 1;
    }
    return true;
}

// The last type of ": T, U to V".
static bool converted_type(struct stablehlo_reader *reader, const struct scanned_op *scanned_op)
{
    uint32_t at = scanned_op->types;
    while (!mlir_word(&reader->mlir, at, "to") && !mlir_word(&reader->mlir, at, "into"))
        at = mlir_kind(&reader->mlir, at) == '<' ? reader->mlir.tok.at[at].match + 1 : at + 1;
    return read_types(reader, at + 1, scanned_op->types_end);
}

// The result types, into reader->types; operand types are compared on the way.
static bool signature(struct stablehlo_reader *reader, const struct scanned_op *scanned_op,
                      uint32_t n_names)
{
    struct mlir *mlir = &reader->mlir;
    vec_clear(&reader->types);
    if (scanned_op->types == 0)
        return n_names == 0 || (n_names == 1 && foreign_type(reader, scanned_op->name, 0)) ||
               no_types(reader, scanned_op);
    if (scanned_op->converts)
        return converted_type(reader, scanned_op);
    if (scanned_op->arrow != 0)
        return read_result_types(reader, scanned_op->arrow + 1, scanned_op->types_end);
    if (mlir_kind(mlir, scanned_op->types) != '(')
        return list_types(reader, scanned_op, n_names);
    uint32_t close = mlir->tok.at[scanned_op->types].match;
    if (!read_types(reader, scanned_op->types + 1, close))
        return false;
    if (scanned_op->generic && reader->types.len != scanned_op->n_operands)
        return mlir_fail(mlir, scanned_op->types, "expected %u operand types, found %u",
                         scanned_op->n_operands, reader->types.len);
    // In a pretty reduce the operands stand in another order.
    if (reader->types.len == scanned_op->n_operands &&
        (scanned_op->generic || strcmp(scanned_op->name, "stablehlo.reduce") != 0))
        for (uint32_t k = 0; k < scanned_op->n_operands; k++)
            if (!stablehlo_check_operand(reader, scanned_op->types, k, reader->args.at[k],
                                         reader->types.at[k]))
                return false;
    vec_clear(&reader->types);
    return read_result_types(reader, close + 2, scanned_op->types_end);
}

static void note_callee(struct stablehlo_reader *reader, const struct scanned_op *scanned_op,
                        const struct opaque_scan *opaque_scan, const char *text)
{
    struct program *program = reader->program;
    if (strcmp(scanned_op->name, "func.call") != 0 || opaque_scan->callee == NOBODY ||
        opaque_scan->effect || !reader->callable.at[opaque_scan->callee].pure)
        return;
    struct callee callee = {
        sym_make(program->pool, text),
        sym_make(program->pool,
                 intern_text(&reader->mlir.names, reader->callable.at[opaque_scan->callee].name)),
        program->modules.len, NO_FUNCTION};
    while (program->callee_of.len <= callee.text.v)
        vec_push(&program->callee_of, 0);
    if (program->callee_of.at[callee.text.v] != 0)
        return;
    vec_push(&program->callees, callee);
    program->callee_of.at[callee.text.v] = program->callees.len;
}

static bool make_opaque(struct stablehlo_reader *reader, const struct scanned_op *scanned_op,
                        struct opaque_scan *opaque_scan, uint32_t n_names, term_id *out)
{
    const char *text = buf_text(opaque_scan->out);
    block_decide_parent(opaque_scan);
    vec_clear(&reader->args);
    for (uint32_t k = 0; k < opaque_scan->args.len; k++)
        vec_push(&reader->args, opaque_scan->args.at[k]);
    if (!signature(reader, scanned_op, n_names))
        return false;
    if (n_names != 0 && n_names != reader->types.len)
        return mlir_fail(&reader->mlir, scanned_op->at, "'%s': expected %u result names, found %u",
                         scanned_op->name, reader->types.len, n_names);
    if (!stablehlo_check_complex(reader, scanned_op))
        return false;
    vec_clear(&reader->attr);
    vec_push(&reader->attr, sym_make(reader->program->pool, text).v);
    vec_push(&reader->attr, reader->types.len);
    vec_push(&reader->attr, opaque_scan->effect ? ++reader->serial : 0);
    if (opaque_scan->effect)
        effect_settle(&reader->program->terms, reader->serial, reader->scope);
    if (scanned_op->pinned)
        program_pin(reader->program, reader->serial);
    if (opaque_scan->region != NO_REGION) {
        vec_push(&reader->attr, opaque_scan->region);
        for (uint32_t k = 0; k < opaque_scan->blocks.len; k++)
            vec_push(&reader->attr, opaque_scan->blocks.at[k]);
    }
    type_id type = reader->types.len == 1
                       ? reader->types.at[0]
                       : type_tuple(reader->program->pool, reader->types.len, reader->types.at);
    attr_id attr = attr_make(reader->program->pool, reader->attr.len, reader->attr.at);
    struct err why = {0};
    if (!term_build(&reader->program->terms,
                    (struct operation){OP_OPAQUE, attr, type, reader->args.len}, reader->args.at,
                    out, &why))
        return mlir_fail(&reader->mlir, scanned_op->at, "%s", why.msg);
    if (opaque_scan->region != NO_REGION && !stablehlo_check_returns(opaque_scan, scanned_op, *out))
        return false;
    note_callee(reader, scanned_op, opaque_scan, text);
    stablehlo_note_call(reader, scanned_op, opaque_scan->callee, *out);
    if (opaque_scan->region != NO_REGION && !opaque_scan->effect && reader->regions == NULL)
        *out = region_share(opaque_scan, *out);
    if (opaque_scan->region == NO_REGION && !opaque_scan->effect)
        stablehlo_note_form(reader, scanned_op->at, scanned_op->name,
                            (sym_id){(uint32_t)attr_at(reader->program->pool, attr)[0]});
    return true;
}

// Marks the text as one of this module.
static void of_module(const struct stablehlo_reader *reader, struct buf *text)
{
    struct buf marked = {0};
    if (reader->program->modules.len == 0)
        return;
    buf_printf(&marked, "%%{;%u}%s", reader->program->modules.len, buf_text(text));
    buf_release(text);
    *text = marked;
}

bool stablehlo_opaque_op(struct stablehlo_reader *reader, uint32_t *i, uint32_t n_names,
                         term_id *out, bool *effect, const struct source_start *start)
{
    struct buf text = {0};
    struct opaque_scan opaque_scan = {.reader = reader,
                                      .mlir = &reader->mlir,
                                      .out = &text,
                                      .self = NOBODY,
                                      .bol = true,
                                      .callee = NOBODY,
                                      .form = REGION_OPEN,
                                      .region = NO_REGION,
                                      .n_terms = reader->scope_of.len,
                                      .first_statement = source_statements(reader),
                                      .first_term = reader->program->terms.term.len};
    struct scanned_op scanned_op;
    // Statements of its regions are operations of their own.
    bool names_module = reader->names_module, elided = reader->elided;
    reader->names_module = reader->elided = false;
    bool ok = opaque_scan_operation(&opaque_scan, i, &scanned_op);
    // Two constants whose elements were left out are equal by no name.  With numbers of
    // their own, they are never shared.
    opaque_scan.effect |= reader->elided;
    if (ok && reader->names_module)
        of_module(reader, &text);
    ok = ok && make_opaque(reader, &scanned_op, &opaque_scan, n_names, out);
    if (ok)
        source_opaque(reader, start, *i, *out, &opaque_scan.holes);
    reader->names_module = names_module;
    reader->elided = elided;
    *effect = opaque_scan.effect;
    buf_release(&text);
    vec_release(&opaque_scan.pend);
    vec_release(&opaque_scan.args);
    vec_release(&opaque_scan.blocks);
    vec_release(&opaque_scan.parameters);
    vec_release(&opaque_scan.holes);
    return ok;
}
