// SPDX-License-Identifier: Apache-2.0
#include "rules/attributes.h"
#include "rules/export/egglog.h"
#include <ctype.h>
#include <inttypes.h>

void egglog_operator(enum op op, struct buf *out)
{
    bool up = true;
    for (const char *at = op_name(op); *at; at++) {
        if (*at != '_')
            buf_putc(out, up ? (char)toupper((unsigned char)*at) : *at);
        up = *at == '_';
    }
}

bool egglog_has(enum op op)
{
    return op_is_elementwise(op) && op != OP_COMPARE && op != OP_CONVERT;
}

typedef void put_item(struct egglog_rule *to, const void *ctx, uint32_t k, struct buf *out);

static void put_list(struct egglog_rule *to, put_item *item, const void *ctx, uint32_t n,
                     struct buf *out)
{
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(out, "(Cons ");
        item(to, ctx, k, out);
        buf_putc(out, ' ');
    }
    buf_puts(out, "(Nil)");
    for (uint32_t k = 0; k < n; k++)
        buf_putc(out, ')');
}

static void put_number(struct egglog_rule *to, const void *ctx, uint32_t k, struct buf *out)
{
    (void)to;
    buf_printf(out, "%u", ((const uint32_t *)ctx)[k]);
}

// ---- integers by dimension

static uint32_t class_of(const struct egglog_rule *to, uint32_t axis)
{
    return to->in->axis_class[axis];
}

static uint32_t place_of(const struct egglog_rule *to, uint32_t axis)
{
    uint32_t c = class_of(to, axis), j = 0;
    while (to->in->class_axes[c][j] != axis)
        j++;
    return j;
}

static const struct iexp *size_of(uint32_t n, const struct axis_size *sizes, uint32_t cls)
{
    for (uint32_t k = 0; k < n; k++)
        if (sizes[k].cls == cls)
            return sizes[k].size;
    return NULL;
}

struct sizes {
    uint32_t n;
    const struct axis_size *sizes;
    const struct order *order;
};

static void put_size(struct egglog_rule *to, const void *ctx, uint32_t k, struct buf *out)
{
    const struct sizes *sizes = ctx;
    uint32_t axis = sizes->order->axis[k];
    const struct iexp *size = size_of(sizes->n, sizes->sizes, class_of(to, axis));
    egglog_integer(to, size, 0, place_of(to, axis), out);
}

bool egglog_sizes(struct egglog_rule *to, uint32_t n, const struct axis_size *sizes,
                  const struct order *order, struct buf *out)
{
    struct sizes all = {n, sizes, order};
    for (uint32_t k = 0; k < order->n; k++)
        if (size_of(n, sizes, class_of(to, order->axis[k])) == NULL)
            return egglog_refuse(to, "a size is not stated");
    put_list(to, put_size, &all, order->n, out);
    return true;
}

struct attribute {
    uint32_t pat, k;
    int64_t usual;
};

static void put_attribute(struct egglog_rule *to, const void *ctx, uint32_t d, struct buf *out)
{
    const struct attribute *attribute = ctx;
    const struct pat *pattern = &to->rule->pats[attribute->pat];
    const struct pat *operand = &to->rule->pats[pattern->args[0]];
    uint32_t axis = to->in->pat[attribute->pat].out.axis[d], c = class_of(to, axis);
    const struct iexp *expr = attribute_given(pattern, c, attribute->k);
    if (expr == NULL && attribute->usual == ATTRIBUTE_OF_OPERAND)
        expr = size_of(operand->n_sizes, operand->sizes, c);
    egglog_integer(to, expr, attribute->usual, place_of(to, axis), out);
}

static void put_attributes(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    uint32_t n;
    const struct attribute_form *form = attribute_forms(to->rule->pats[i].op, &n);
    for (uint32_t k = 0; k < n; k++) {
        struct attribute attribute = {i, k, form[k].usual};
        buf_putc(out, ' ');
        put_list(to, put_attribute, &attribute, to->in->pat[i].out.n, out);
    }
}

// ---- terms

// On the right every new term below the root is named, and its shape and element type are
// stated.
static bool finish(struct egglog_rule *to, uint32_t type, uint32_t n_sizes,
                   const struct axis_size *sizes, const struct order *order, struct buf *term,
                   struct buf *out)
{
    bool ok = true;
    if (!to->right) {
        buf_puts(out, buf_text(term));
    } else {
        struct buf shape = {0};
        uint32_t r = to->n_terms++;
        ok = egglog_sizes(to, n_sizes, sizes, order, &shape);
        buf_printf(&to->action, "\n       (let r_%u %s)", r, buf_text(term));
        buf_printf(&to->action, "\n       (set (shape r_%u) %s)", r, buf_text(&shape));
        buf_printf(&to->action, "\n       (set (elem r_%u) ", r);
        egglog_type(to, type, &to->action);
        buf_putc(&to->action, ')');
        buf_printf(out, "r_%u", r);
        buf_release(&shape);
    }
    buf_release(term);
    return ok;
}

// A term with dimensions in order `have`, for a reader that wants them in `want`.
static bool transposed(struct egglog_rule *to, const struct pat *pattern, const struct order *have,
                       const struct order *want, const char *term, struct buf *out)
{
    struct buf text = {0};
    uint32_t *perm = ARENA_NEW(to->mem, uint32_t, want->n + 1);
    if (order_same(have, want)) {
        buf_puts(out, term);
        return true;
    }
    for (uint32_t k = 0; k < want->n; k++)
        perm[k] = order_find(have, want->axis[k]);
    buf_printf(&text, "(Transpose %s ", term);
    put_list(to, put_number, perm, want->n, &text);
    buf_putc(&text, ')');
    return finish(to, pattern->type, pattern->n_sizes, pattern->sizes, want, &text, out);
}

static bool put_argument(struct egglog_rule *to, uint32_t i, uint32_t k, struct buf *out)
{
    const struct pat *pattern = &to->rule->pats[i];
    struct buf term = {0};
    uint32_t a = pattern->args[k];
    bool ok = egglog_pattern(to, a, &term);
    buf_putc(out, ' ');
    ok = ok && transposed(to, &to->rule->pats[a], &to->in->pat[a].out, &to->in->pat[i].in[k],
                          buf_text(&term), out);
    buf_release(&term);
    return ok;
}

static bool put_arguments(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    for (uint32_t k = 0; k < to->rule->pats[i].n_args; k++)
        if (!put_argument(to, i, k, out))
            return false;
    return true;
}

// Positions in `order` of the axes of a set of classes.
static uint32_t positions(const struct egglog_rule *to, const struct order *order, uint64_t classes,
                          uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t d = 0; d < order->n; d++)
        if (classes >> class_of(to, order->axis[d]) & 1)
            out[n++] = d;
    return n;
}

static bool put_reduce(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    const struct pat *pattern = &to->rule->pats[i];
    const struct order *in = &to->in->pat[i].in[0];
    uint32_t *dims = ARENA_NEW(to->mem, uint32_t, in->n + 1);
    uint32_t n = positions(to, in, pattern->classes, dims);
    if (pattern->opvar != NONE)
        return egglog_refuse(to, "it has an operator variable");
    buf_printf(out, "(%s \"%s\"", pattern->n_args == 2 ? "ReduceFrom" : "Reduce",
               op_name(pattern->reducer));
    if (!put_arguments(to, i, out))
        return false;
    buf_putc(out, ' ');
    put_list(to, put_number, dims, n, out);
    buf_putc(out, ')');
    return true;
}

static bool put_broadcast(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    const struct pat *pattern = &to->rule->pats[i];
    const struct order *in = &to->in->pat[i].in[0], *result = &to->in->pat[i].out;
    uint32_t *dims = ARENA_NEW(to->mem, uint32_t, in->n + 1);
    for (uint32_t k = 0; k < in->n; k++)
        dims[k] = order_find(result, in->axis[k]);
    buf_puts(out, "(Broadcast");
    if (!put_argument(to, i, 0, out))
        return false;
    buf_putc(out, ' ');
    put_list(to, put_number, dims, in->n, out);
    buf_putc(out, ' ');
    if (!egglog_sizes(to, pattern->n_sizes, pattern->sizes, result, out))
        return false;
    buf_putc(out, ')');
    return true;
}

static bool put_axis_operator(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    const struct pat *pattern = &to->rule->pats[i];
    const struct order *order = &to->in->pat[i].out;
    uint32_t *dims = ARENA_NEW(to->mem, uint32_t, order->n + 1);
    uint32_t n = positions(to, order, pattern->classes, dims);
    if (pattern->op == OP_REVERSE) {
        buf_puts(out, "(Reverse");
        bool ok = put_arguments(to, i, out);
        buf_putc(out, ' ');
        put_list(to, put_number, dims, n, out);
        buf_putc(out, ')');
        return ok;
    }
    if (n != 1)
        return egglog_refuse(to, "an axis is not a single one");
    if (pattern->op == OP_IOTA) {
        buf_puts(out, "(Iota ");
        egglog_type(to, pattern->type, out);
        buf_printf(out, " %u ", dims[0]);
        to->type_bound[pattern->type] = to->type_bound[pattern->type] || !to->right;
        bool ok = egglog_sizes(to, pattern->n_sizes, pattern->sizes, order, out);
        buf_putc(out, ')');
        return ok;
    }
    if (pattern->n_args < 2 || pattern->n_args > 4)
        return egglog_refuse(to, "it joins %u tensors", pattern->n_args);
    buf_printf(out, "(Concatenate%u", pattern->n_args);
    bool ok = put_arguments(to, i, out);
    buf_printf(out, " %u)", dims[0]);
    return ok;
}

static bool put_elementwise(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    static const char *const directions[] = {[CMP_EQ] = "EQ", [CMP_NE] = "NE", [CMP_GE] = "GE",
                                             [CMP_GT] = "GT", [CMP_LE] = "LE", [CMP_LT] = "LT"};
    const struct pat *pattern = &to->rule->pats[i];
    if (pattern->op == OP_COMPARE) {
        buf_printf(out, "(Compare \"%s\"", directions[pattern->dir]);
    } else if (pattern->op == OP_CONVERT) {
        buf_puts(out, "(Convert ");
        egglog_type(to, pattern->type, out);
        to->type_bound[pattern->type] = to->type_bound[pattern->type] || !to->right;
    } else {
        buf_putc(out, '(');
        egglog_operator(pattern->op, out);
    }
    bool ok = put_arguments(to, i, out);
    buf_putc(out, ')');
    return ok;
}

static bool put_slice(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    bool slice = to->rule->pats[i].op == OP_SLICE;
    buf_puts(out, slice ? "(Slice" : "(Pad");
    if (!put_arguments(to, i, out))
        return false;
    put_attributes(to, i, out);
    buf_putc(out, ')');
    return true;
}

// A node that changes nothing at these ranks is not in programs.
static bool is_idle(const struct egglog_rule *to, uint32_t i)
{
    const struct pat *pattern = &to->rule->pats[i];
    const struct pat_place *place = &to->in->pat[i];
    uint32_t *dims = ARENA_NEW(to->mem, uint32_t, place->out.n + 1);
    enum op op = pattern->op;
    if (op == OP_SLICE || op == OP_PAD)
        return place->out.n == 0;
    if (op == OP_REVERSE)
        return positions(to, &place->out, pattern->classes, dims) == 0;
    return (op == OP_BROADCAST_IN_DIM || (op == OP_REDUCE && pattern->n_args == 1)) &&
           place->out.n == place->in[0].n;
}

static bool put_operator(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    static bool (*const put[N_OPS])(struct egglog_rule * to, uint32_t i,
                                    struct buf * out) = {[OP_SLICE] = put_slice,
                                                         [OP_PAD] = put_slice,
                                                         [OP_REDUCE] = put_reduce,
                                                         [OP_BROADCAST_IN_DIM] = put_broadcast,
                                                         [OP_REVERSE] = put_axis_operator,
                                                         [OP_IOTA] = put_axis_operator,
                                                         [OP_CONCATENATE] = put_axis_operator};
    enum op op = to->rule->pats[i].op;
    if (op_is_elementwise(op))
        return put_elementwise(to, i, out);
    return put[op] ? put[op](to, i, out) : egglog_refuse(to, "%s has no text", op_name(op));
}

// A number without zeros that say nothing, so that equal ones have equal texts.
static void put_decimal(const char *text, struct buf *out)
{
    size_t n = strlen(text);
    if (strchr(text, '.') && !strpbrk(text, "eE")) {
        while (text[n - 1] == '0')
            n--;
        n -= text[n - 1] == '.';
    }
    buf_write(out, text, n);
}

static bool put_literal(struct egglog_rule *to, const struct pat *pattern, struct buf *out)
{
    buf_puts(out, "(Constant ");
    egglog_type(to, pattern->type, out);
    buf_puts(out, " \"");
    to->type_bound[pattern->type] = to->type_bound[pattern->type] || !to->right;
    switch (pattern->lit) {
    case LIT_INT:
        buf_printf(out, "%" PRId64, pattern->k);
        break;
    case LIT_DECIMAL:
        put_decimal(pattern->text, out);
        break;
    case LIT_BOOL:
        buf_puts(out, pattern->k ? "true" : "false");
        break;
    case LIT_INF:
        buf_puts(out, pattern->k > 0 ? "inf" : "-inf");
        break;
    case LIT_LOWEST:
        buf_puts(out, "lowest");
        break;
    case LIT_HIGHEST:
        buf_puts(out, "highest");
        break;
    case LIT_UNIT:
        if (pattern->opvar != NONE)
            return egglog_refuse(to, "it has an operator variable");
        buf_printf(out, "unit of %s", op_name(pattern->reducer));
        break;
    case LIT_PI:
    case LIT_VALUE:
        return egglog_refuse(to, "an element is computed from integers");
    }
    buf_puts(out, "\")");
    return true;
}

static bool put_node(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    const struct pat *pattern = &to->rule->pats[i];
    bool ok;
    switch (pattern->kind) {
    case PAT_LITERAL:
        return put_literal(to, pattern, out);
    case PAT_SPLAT:
        buf_puts(out, "(Splat");
        ok = put_argument(to, i, 0, out);
        buf_putc(out, ' ');
        ok = ok && egglog_sizes(to, pattern->n_sizes, pattern->sizes, &to->in->pat[i].out, out);
        buf_putc(out, ')');
        return ok;
    case PAT_OP:
        return put_operator(to, i, out);
    case PAT_OPVAR:
        return egglog_refuse(to, "it has an operator variable");
    case PAT_CALL:
        return egglog_refuse(to, "it defines a function");
    case PAT_TENSOR:
    case PAT_SCALAR:
    case PAT_RELABEL:
        break;
    }
    return false;
}

static bool put_tensor(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    const struct pat *pattern = &to->rule->pats[i];
    struct buf name = {0};
    buf_printf(&name, "t_%s", to->rule->tensors[pattern->var].name);
    bool ok = transposed(to, pattern, &to->in->order[pattern->var], &to->in->pat[i].out,
                         buf_text(&name), out);
    buf_release(&name);
    return ok;
}

// An argument in the order in which its reader has it, for a node that is not there.
static bool put_through(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    struct buf term = {0};
    bool ok = put_argument(to, i, 0, &term);
    buf_puts(out, ok ? buf_text(&term) + 1 : ""); // without the blank
    buf_release(&term);
    return ok;
}

bool egglog_pattern(struct egglog_rule *to, uint32_t i, struct buf *out)
{
    const struct pat *pattern = &to->rule->pats[i];
    struct buf term = {0};
    if (pattern->kind == PAT_TENSOR)
        return put_tensor(to, i, out);
    if (pattern->kind == PAT_SCALAR) {
        buf_printf(out, "t_%s", to->rule->scalars[pattern->var].name);
        return true;
    }
    if (pattern->kind == PAT_RELABEL || (pattern->kind == PAT_OP && is_idle(to, i)) ||
        (pattern->kind == PAT_SPLAT && to->in->pat[i].out.n == 0))
        return put_through(to, i, out);
    if (put_node(to, i, &term))
        return finish(to, pattern->type, pattern->n_sizes, pattern->sizes, &to->in->pat[i].out,
                      &term, out);
    buf_release(&term);
    return false;
}
