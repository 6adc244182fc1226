// SPDX-License-Identifier: Apache-2.0
// Any operation as a term: its template and the types of its results.
#include "io/stablehlo/read/scan.h"

// Types [i, end) separated by commas, appended to r->types.
static bool read_types(struct stablehlo_reader *r, uint32_t i, uint32_t end)
{
    while (i < end) {
        type_id t;
        if (!mlir_type(&r->m, &i, &t))
            return false;
        vec_push(&r->types, t);
        if (i < end && !mlir_expect(&r->m, &i, ',', "','"))
            return false;
    }
    return true;
}

static bool read_result_types(struct stablehlo_reader *r, uint32_t i, uint32_t end)
{
    struct mlir *m = &r->m;
    if (mlir_kind(m, i) == '(' && m->tok.at[i].match + 1 == end)
        return read_types(r, i + 1, end - 1);
    return read_types(r, i, end);
}

// Dialects whose operations all take the last of ": T, U" as the result type.
static bool trusted_dialect(const char *name)
{
    return strncmp(name, "stablehlo.", 10) == 0 ||
           strncmp(name, "chlo.", 5) == 0 || strncmp(name, "sdy.", 4) == 0 ||
           strncmp(name, "mhlo.", 5) == 0;
}

static bool list_types(struct stablehlo_reader *r, const struct scanned_op *o,
                       uint32_t n_names)
{
    if (!read_types(r, o->types, o->types_end))
        return false;
    if (n_names == 0) {
        // Results that have no name need no type.
        vec_clear(&r->types);
        return true;
    }
    if (!trusted_dialect(o->name) || (n_names != 1 && n_names != r->types.len))
        return mlir_fail(&r->m, o->at,
                         "cannot tell the result types of '%s': write it in "
                         "generic form",
                         o->name);
    if (n_names == 1) {
        r->types.at[0] = vec_last(&r->types);
        r->types.len = 1;
    }
    return true;
}

// The result types, into r->types; operand types are compared on the way.
static bool signature(struct stablehlo_reader *r, const struct scanned_op *o,
                      uint32_t n_names)
{
    struct mlir *m = &r->m;
    vec_clear(&r->types);
    if (o->types == 0) {
        if (n_names != 0)
            return mlir_fail(m, o->at,
                             "cannot tell the result types of '%s': write it "
                             "in generic form",
                             o->name);
        return true;
    }
    if (o->arrow != 0)
        return read_result_types(r, o->arrow + 1, o->types_end);
    if (mlir_kind(m, o->types) != '(')
        return list_types(r, o, n_names);
    uint32_t close = m->tok.at[o->types].match;
    if (!read_types(r, o->types + 1, close))
        return false;
    if (o->generic && r->types.len != o->n_operands)
        return mlir_fail(m, o->types, "expected %u operand types, found %u",
                         o->n_operands, r->types.len);
    // In a pretty reduce the operands stand in another order.
    if (r->types.len == o->n_operands &&
        (o->generic || strcmp(o->name, "stablehlo.reduce") != 0))
        for (uint32_t k = 0; k < o->n_operands; k++)
            if (!stablehlo_check_operand(r, o->types, k, r->args.at[k],
                                      r->types.at[k]))
                return false;
    vec_clear(&r->types);
    return read_result_types(r, close + 2, o->types_end);
}

static bool make_opaque(struct stablehlo_reader *r, const struct scanned_op *o,
                        const char *text, bool effect, uint32_t n_names,
                        term_id *out)
{
    if (!signature(r, o, n_names))
        return false;
    if (n_names != 0 && n_names != r->types.len)
        return mlir_fail(&r->m, o->at, "'%s' has %u results, %u are named",
                         o->name, r->types.len, n_names);
    int64_t v[3] = {sym_make(r->p->pool, text).v, r->types.len, 0};
    if (effect)
        v[2] = ++r->serial;
    type_id type = r->types.len == 1
                       ? r->types.at[0]
                       : type_tuple(r->p->pool, r->types.len, r->types.at);
    attr_id attr = attr_make(r->p->pool, 3, v);
    struct err why = {0};
    if (!term_build(&r->p->terms, OP_OPAQUE, attr, type, r->args.len,
                    r->args.at, out, &why))
        return mlir_fail(&r->m, o->at, "%s", why.msg);
    return true;
}

bool stablehlo_opaque_op(struct stablehlo_reader *r, uint32_t *i, uint32_t n_names,
                   term_id *out, bool *effect)
{
    struct buf text = {0};
    struct opaque_scan s = {
        .r = r, .m = &r->m, .out = &text, .self = NOBODY, .bol = true};
    struct scanned_op o;
    vec_clear(&r->args);
    bool ok = opaque_scan_operation(&s, i, &o) &&
              make_opaque(r, &o, buf_text(&text), s.effect, n_names, out);
    *effect = s.effect;
    buf_release(&text);
    vec_release(&s.pend);
    return ok;
}
