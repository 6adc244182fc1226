// SPDX-License-Identifier: Apache-2.0
#include "tensor/dynamic/operation.h"

#include "base/text/buf.h"
#include "tensor/language/attr.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"
#include <inttypes.h>

bool sized_of(const struct pool *pool, type_id type, struct sized *out)
{
    *out = (struct sized){0};
    if (!bounds_of_type(pool, type, &out->elem, &out->rank, out->dims, out->bounds))
        return false;
    for (uint32_t k = 0; k < out->rank; k++)
        out->n_open += out->dims[k] < 0;
    return true;
}

bool sized_same(const struct sized *a, const struct sized *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0 &&
           memcmp(a->bounds, b->bounds, a->rank * sizeof *a->bounds) == 0;
}

static void put_bounds(const struct sized *sized, struct buf *out)
{
    bool any = false;
    for (uint32_t k = 0; k < sized->rank; k++)
        any |= sized->bounds[k] > 0;
    if (!any)
        return;
    for (uint32_t k = 0; k < sized->rank; k++) {
        buf_puts(out, k > 0 ? ", " : ", #stablehlo.bounds<");
        if (sized->bounds[k] == 0)
            buf_putc(out, '?');
        else
            buf_printf(out, "%" PRId64, sized->bounds[k]);
    }
    buf_putc(out, '>');
}

bool sized_type(struct pool *pool, const struct sized *sized, type_id *out)
{
    struct err none = {0};
    struct buf text = {0};
    if (sized->n_open == 0)
        return type_tensor(pool, sized->elem, sized->rank, sized->dims, out, &none);
    buf_puts(&text, "tensor<");
    for (uint32_t k = 0; k < sized->rank; k++)
        if (sized->dims[k] < 0)
            buf_puts(&text, "?x");
        else
            buf_printf(&text, "%" PRId64 "x", sized->dims[k]);
    buf_puts(&text, elem_text(sized->elem));
    put_bounds(sized, &text);
    buf_putc(&text, '>');
    *out = type_other(pool, buf_text(&text));
    buf_release(&text);
    return true;
}

void sized_slice(const struct sized *sized, struct sized *out)
{
    *out = (struct sized){.elem = sized->elem};
    for (uint32_t k = 0; k < sized->rank; k++)
        if (sized->dims[k] >= 0)
            out->dims[out->rank++] = sized->dims[k];
}

uint32_t sized_open(const struct sized *sized, uint32_t n)
{
    uint32_t k = 0;
    for (;; k++)
        if (sized->dims[k] < 0 && n-- == 0)
            return k;
}

// ---- texts

static void put_type(const struct terms *terms, type_id type, struct buf *out)
{
    type_print(terms->pool, type, out);
}

static void put_signature(const struct terms *terms, struct operation operation,
                          const term_id *args, struct buf *out)
{
    buf_puts(out, " : (");
    for (uint32_t k = 0; k < operation.n; k++) {
        buf_puts(out, k > 0 ? ", " : "");
        put_type(terms, term_type(terms, args[k]), out);
    }
    buf_puts(out, ") -> ");
    put_type(terms, operation.type, out);
}

static void put_args(uint32_t n, struct buf *out)
{
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%%{%u}", k > 0 ? ", " : " ", k);
}

static void put_ints(const char *label, uint32_t n, const int64_t *values, struct buf *out)
{
    buf_printf(out, "%s[", label);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%" PRId64, k > 0 ? ", " : "", values[k]);
    buf_putc(out, ']');
}

static bool put_dot_dims(uint32_t n, const int64_t *v, struct buf *out)
{
    struct dot_attr dot;
    if (!dot_attr_read(n, v, &dot))
        return false;
    if (dot.nb > 0) {
        put_ints(", batching_dims = ", dot.nb, dot.lhs_batch, out);
        put_ints(" x ", dot.nb, dot.rhs_batch, out);
    }
    put_ints(", contracting_dims = ", dot.nc, dot.lhs_contracting, out);
    put_ints(" x ", dot.nc, dot.rhs_contracting, out);
    return true;
}

// ": T" if all arguments have the type of the result, else all types.
static void put_types(const struct terms *terms, struct operation operation, const term_id *args,
                      struct buf *out)
{
    for (uint32_t k = 0; k < operation.n; k++)
        if (term_type(terms, args[k]).v != operation.type.v) {
            put_signature(terms, operation, args, out);
            return;
        }
    buf_puts(out, " : ");
    put_type(terms, operation.type, out);
}

// Operands and attributes behind the name; false: the operator has no text here.
static bool put_operands(const struct terms *terms, struct operation operation, struct buf *out)
{
    const int64_t *v = attr_at(terms->pool, operation.attr);
    uint32_t n = attr_len(terms->pool, operation.attr);
    if (operation.op == OP_COMPARE) {
        if (n != 2)
            return false;
        buf_printf(out, " %s, %%{0}, %%{1}, %s", compare_dir_text((enum compare_dir)v[0]),
                   compare_type_text((enum compare_type)v[1]));
        return true;
    }
    if (operation.op == OP_REDUCE) {
        if (operation.n != 2 || n == 0)
            return false;
        buf_printf(out, "(%%{0} init: %%{1}) applies stablehlo.%s across", op_name((enum op)v[0]));
        put_ints(" dimensions = ", n - 1, v + 1, out);
        return true;
    }
    put_args(operation.n, out);
    if (op_is_elementwise(operation.op) || operation.op == OP_RESHAPE)
        return true;
    if (operation.op == OP_CONCATENATE) {
        buf_printf(out, ", dim = %" PRId64, n == 1 ? v[0] : -1);
        return n == 1;
    }
    if (operation.op == OP_DOT_GENERAL)
        return put_dot_dims(n, v, out);
    put_ints(", dims = ", n, v, out);
    return operation.op == OP_TRANSPOSE || operation.op == OP_REVERSE ||
           operation.op == OP_BROADCAST_IN_DIM;
}

bool operation_takes_shape(enum op op)
{
    return op == OP_BROADCAST_IN_DIM || op == OP_RESHAPE;
}

bool operation_text(const struct terms *terms, struct operation operation, const term_id *args,
                    struct buf *out)
{
    enum op op = operation.op;
    bool shaped = operation_takes_shape(op);
    if (op_arity(op) >= 0 && (int)operation.n != op_arity(op) + shaped)
        return false;
    buf_printf(out, "%s.%s%s", op_dialect(op), shaped ? "dynamic_" : "", op_name(op));
    if (!put_operands(terms, operation, out))
        return false;
    if (op == OP_SELECT) {
        buf_puts(out, " : ");
        put_type(terms, term_type(terms, args[0]), out);
        buf_puts(out, ", ");
        put_type(terms, operation.type, out);
    } else if (op == OP_REVERSE ||
               (op_is_elementwise(op) && op != OP_IS_FINITE && op != OP_CONVERT)) {
        put_types(terms, operation, args, out);
        if (strcmp(op_dialect(op), "chlo") == 0) {
            buf_puts(out, " -> ");
            put_type(terms, operation.type, out);
        }
    } else {
        put_signature(terms, operation, args, out);
    }
    return true;
}

bool operation_is(const struct program *program, const struct terms *terms, term_id id, enum op op,
                  attr_id attr)
{
    const struct term *node = term_at(terms, id);
    if (node->op != OP_OPAQUE || attr_len(terms->pool, node->attr) != OPAQUE_PLAIN ||
        pool_type(terms->pool, node->type)->form == TYPE_TUPLE || term_serial(terms, id) != 0)
        return false;
    const struct op_form *form = op_form_of(program, node->attr);
    bool shaped = operation_takes_shape(op);
    if (form != NULL && form->op == op && form->attr.v == attr.v &&
        node->n_args == form->operands + shaped)
        return true;
    struct buf text = {0};
    bool same = operation_text(terms, (struct operation){op, attr, node->type, node->n_args},
                               term_args(terms, id), &text) &&
                strcmp(buf_text(&text), sym_text(terms->pool, opaque_view(terms, id).text)) == 0;
    buf_release(&text);
    return same;
}

term_id operation_make(struct terms *terms, struct operation operation, const term_id *args)
{
    struct buf text = {0};
    term_id out = NO_TERM;
    if (operation_text(terms, operation, args, &text)) {
        int64_t v[OPAQUE_PLAIN] = {sym_make(terms->pool, buf_text(&text)).v, 1, 0};
        out = term_make(terms, OP_OPAQUE, attr_make(terms->pool, OPAQUE_PLAIN, v), operation.type,
                        operation.n, args);
    }
    buf_release(&text);
    return out;
}
