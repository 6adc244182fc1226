// SPDX-License-Identifier: Apache-2.0
// The text of a tree as a side of a rule, with what is chosen.
#include "discover/examples/write.h"
#include "tensor/eval/eval.h"
#include "tensor/language/attr.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- constants

static void put_float(double x, struct buf *out)
{
    char text[400];
    if (isinf(x)) {
        buf_puts(out, x > 0 ? "inf" : "-inf");
        return;
    }
    if (x == floor(x) && fabs(x) < 1e15) {
        if (x == 0 && signbit(x))
            buf_puts(out, "-0.0");
        else
            buf_printf(out, "%lld", (long long)x);
        return;
    }
    for (int digits = 1; digits < 320; digits++) {
        snprintf(text, sizeof text, "%.*f", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    buf_puts(out, text);
}

static void put_constant(const struct constant *constant, struct buf *out)
{
    enum elem_kind kind = elem_kind(constant->elem);
    if (kind == KIND_BOOL)
        buf_puts(out, constant->value.bits ? "true" : "false");
    else if (kind == KIND_FLOAT)
        put_float(scalar_to_double(constant->elem, constant->value), out);
    else if (scalar_same(constant->elem, constant->value, scalar_lowest(constant->elem)) &&
             kind == KIND_SINT)
        buf_puts(out, "lowest");
    else
        buf_printf(out, "%lld", (long long)constant->value.bits);
}

static void put_literal(const struct writer *w, uint32_t which)
{
    const struct constant *constant = &w->pair->constants.at[which];
    if (w->choice->as[which] != NULL)
        buf_puts(w->out, w->choice->as[which]);
    else if (w->choice->constant[which] == CONSTANT_SCALAR)
        buf_puts(w->out, constant->name);
    else if (w->choice->constant[which] == CONSTANT_VALUE)
        buf_printf(w->out, "value(%s)", constant->map);
    else
        put_constant(constant, w->out);
}

// ---- attributes

static const char *slot_text(const struct writer *w, uint32_t node, uint32_t cls, int attr)
{
    for (uint32_t i = 0; i < w->pair->slots.len; i++) {
        const struct int_slot *slot = &w->pair->slots.at[i];
        if (slot->node != node || slot->cls != cls || slot->attr != attr)
            continue;
        if (slot->pinned)
            return NULL;
        if (!slot->right || slot->index)
            return slot->text;
        return w->choice->slot[i] != NULL ? w->choice->slot[i] : slot->map;
    }
    return NULL;
}

// "{x: n, y: m}" of the classes along which the attribute is written.  False: of none.
static bool put_entries(const struct writer *w, uint32_t at, int attr, const char *before)
{
    const char *sep = "{";
    for (uint32_t c = 0; c < w->pair->classes.len; c++) {
        const char *text = slot_text(w, at, c, attr);
        if (text == NULL)
            continue;
        buf_printf(w->out, "%s%s%s: %s", *sep == '{' ? before : "", sep,
                   w->pair->classes.at[c].name, text);
        sep = ", ";
    }
    if (*sep == '{')
        return false;
    buf_putc(w->out, '}');
    return true;
}

static bool has_entries(const struct writer *w, uint32_t at)
{
    uint32_t n;
    attribute_forms(w->pair->nodes.at[at].op, &n);
    for (uint32_t c = 0; c < w->pair->classes.len; c++)
        for (uint32_t k = 0; k < n; k++)
            if (slot_text(w, at, c, (int)k) != NULL)
                return true;
    return false;
}

// ---- lists of classes

static void put_class(const struct writer *w, uint32_t cls, const char **sep)
{
    buf_printf(w->out, "%s%s", *sep, w->pair->classes.at[cls].name);
    *sep = ", ";
}

static void put_side(const struct writer *w, uint32_t at, const uint32_t *dims, uint32_t n,
                     bool sizes)
{
    const char *sep = "";
    buf_putc(w->out, '[');
    for (uint32_t i = 0; i < n; i++) {
        uint32_t cls = w->pair->class_of.at[dims[i]];
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again = again || w->pair->class_of.at[dims[k]] == cls;
        if (again)
            continue;
        put_class(w, cls, &sep);
        const char *size = sizes ? slot_text(w, at, cls, ATTR_SIZE) : NULL;
        if (size != NULL)
            buf_printf(w->out, ": %s", size);
    }
    buf_putc(w->out, ']');
}

static void put_groups(const struct writer *w, uint32_t at)
{
    const struct node *node = &w->pair->nodes.at[at];
    for (uint32_t g = node->group; g < node->group + node->n_groups; g++) {
        const struct dim_group *group = &w->pair->groups.at[g];
        if (group->n_from + group->n_to == 0)
            continue;
        buf_puts(w->out, ", ");
        put_side(w, at, group->from, group->n_from, false);
        buf_puts(w->out, " -> ");
        put_side(w, at, group->to, group->n_to, group->n_from > 0);
    }
}

// The classes of the dimensions, each once.
static void put_dim_list(const struct writer *w, const uint32_t *dims, uint32_t n, const char **sep)
{
    for (uint32_t i = 0; i < n; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again = again || w->pair->class_of.at[dims[k]] == w->pair->class_of.at[dims[i]];
        if (!again)
            put_class(w, w->pair->class_of.at[dims[i]], sep);
    }
}

static void put_dims(const struct writer *w, const uint32_t *dims, uint32_t n)
{
    const char *sep = "";
    buf_putc(w->out, '{');
    put_dim_list(w, dims, n, &sep);
    buf_putc(w->out, '}');
}

// ---- operators

static void put_splat(const struct writer *w, uint32_t at, uint32_t inner)
{
    buf_puts(w->out, "broadcast(");
    writer_put(w, inner, true);
    if (!put_entries(w, at, ATTR_SIZE, ", "))
        buf_puts(w->out, ", {}");
    buf_putc(w->out, ')');
}

static void put_broadcast(const struct writer *w, uint32_t at, bool lift)
{
    const struct node *node = &w->pair->nodes.at[at];
    struct buf entries = {0};
    struct writer own = {w->pair, w->choice, &entries};
    if (w->pair->nodes.at[node->args[0]].rank == 0) {
        if (lift)
            writer_put(w, node->args[0], true);
        else
            put_splat(w, at, node->args[0]);
        return;
    }
    bool makes = put_entries(&own, at, ATTR_SIZE, ", ");
    buf_puts(w->out, makes ? "broadcast(" : "");
    buf_puts(w->out, node_has_groups(w->pair, node) ? "reshape(" : "");
    writer_put(w, node->args[0], false);
    if (node_has_groups(w->pair, node)) {
        put_groups(w, at);
        buf_putc(w->out, ')');
    }
    if (makes)
        buf_printf(w->out, "%s)", buf_text(&entries));
    buf_release(&entries);
}

static void put_elementwise(const struct writer *w, uint32_t at, bool lift)
{
    static const char *const signs[] = {[CMP_EQ] = "==", [CMP_NE] = "!=", [CMP_GE] = ">=",
                                        [CMP_GT] = ">",  [CMP_LE] = "<=", [CMP_LT] = "<"};
    const struct node *node = &w->pair->nodes.at[at];
    const struct op_info *info = op_info(node->op);
    const char *infix = info->infix;
    bool all = !lift && node_is_lifted(w->pair, at) && node->rank > 0;
    if (node->op == OP_COMPARE) {
        const struct term *term = term_at(w->pair->terms, node->term);
        infix = signs[attr_at(w->pair->terms->pool, term->attr)[0]];
    }
    bool between = infix != NULL && node->n_args == 2;
    buf_printf(w->out, "%s(", between ? "" : op_name(node->op));
    for (uint32_t i = 0; i < node->n_args; i++) {
        if (i > 0 && between)
            buf_printf(w->out, " %s ", infix + strspn(infix, " "));
        else if (i > 0)
            buf_puts(w->out, ", ");
        writer_put(w, node->args[i], !(all && i == 0));
    }
    if (node->op == OP_CONVERT)
        buf_printf(w->out, ", T%u", type_find(w->pair, at));
    buf_putc(w->out, ')');
}

static bool is_unit(const struct writer *w, uint32_t at, enum op reducer)
{
    const struct node *node = &w->pair->nodes.at[at];
    if (node->kind != NODE_LITERAL)
        return false;
    const struct constant *constant = &w->pair->constants.at[node->var];
    return scalar_same(constant->elem, constant->value, reducer_unit(reducer, constant->elem));
}

static void put_init(const struct writer *w, uint32_t at, enum op reducer)
{
    if (is_unit(w, at, reducer))
        return;
    buf_puts(w->out, ", init=");
    writer_put(w, at, true);
}

static void put_attributes(const struct writer *w, uint32_t at)
{
    uint32_t n;
    const struct attribute_form *form = attribute_forms(w->pair->nodes.at[at].op, &n);
    for (uint32_t k = 0; k < n; k++) {
        char before[64];
        snprintf(before, sizeof before, ", %s=", form[k].name);
        put_entries(w, at, (int)k, before);
    }
}

static void put_reduce(const struct writer *w, uint32_t at)
{
    const struct node *node = &w->pair->nodes.at[at], *operand = &w->pair->nodes.at[node->args[0]];
    const int64_t *v = attr_at(w->pair->terms->pool, term_at(w->pair->terms, node->term)->attr);
    uint32_t gone[TENSOR_MAX_RANK], n = operand->rank - node->rank;
    for (uint32_t i = 0; i < n; i++)
        gone[i] = operand->dim + (uint32_t)v[1 + i];
    buf_printf(w->out, "reduce(%s, ", op_name((enum op)v[0]));
    writer_put(w, node->args[0], false);
    buf_puts(w->out, ", ");
    put_dims(w, gone, n);
    put_init(w, node->args[1], (enum op)v[0]);
    buf_putc(w->out, ')');
}

// Further axes that both operands have are batch axes.
static void put_batch(const struct writer *w, const struct node *node, const uint32_t *dims,
                      uint32_t n)
{
    uint32_t more = w->pair->more;
    bool has_more = more != NONE && node_has_class(w->pair, node->args[0], more) &&
                    node_has_class(w->pair, node->args[1], more);
    if (n + has_more == 0)
        return;
    const char *sep = "";
    buf_puts(w->out, ", batch={");
    put_dim_list(w, dims, n, &sep);
    if (has_more)
        put_class(w, more, &sep);
    buf_putc(w->out, '}');
}

static void put_dot(const struct writer *w, uint32_t at)
{
    const struct node *node = &w->pair->nodes.at[at];
    const struct pool *pool = w->pair->terms->pool;
    const struct term *term = term_at(w->pair->terms, node->term);
    const struct node *a = &w->pair->nodes.at[node->args[0]];
    uint32_t dims[TENSOR_MAX_RANK];
    struct dot_attr dot;
    if (!dot_attr_read(attr_len(pool, term->attr), attr_at(pool, term->attr), &dot))
        return;
    buf_puts(w->out, "dot(");
    writer_put(w, node->args[0], false);
    buf_puts(w->out, ", ");
    writer_put(w, node->args[1], false);
    for (uint32_t i = 0; i < dot.nc; i++)
        dims[i] = a->dim + (uint32_t)dot.lhs_contracting[i];
    if (dot.nc > 0) {
        buf_puts(w->out, ", contract=");
        put_dims(w, dims, dot.nc);
    }
    for (uint32_t i = 0; i < dot.nb; i++)
        dims[i] = a->dim + (uint32_t)dot.lhs_batch[i];
    put_batch(w, node, dims, dot.nb);
    buf_putc(w->out, ')');
}

static const char *marked_class(const struct writer *w, uint32_t at)
{
    const struct node *node = &w->pair->nodes.at[at];
    for (uint32_t i = 0; i < node->rank; i++)
        if (w->pair->dims.at[node->dim + i].marked)
            return w->pair->classes.at[w->pair->class_of.at[node->dim + i]].name;
    return "";
}

static void put_shaped(const struct writer *w, uint32_t at)
{
    const struct node *node = &w->pair->nodes.at[at];
    uint32_t dims[TENSOR_MAX_RANK], n = 0;
    buf_printf(w->out, "%s(", node->op == OP_CONCATENATE ? "concat" : op_name(node->op));
    for (uint32_t i = 0; i < node->n_args; i++) {
        if (node->op == OP_REDUCE_WINDOW && i == 0) {
            const int64_t *v =
                attr_at(w->pair->terms->pool, term_at(w->pair->terms, node->term)->attr);
            buf_printf(w->out, "%s, ", op_name((enum op)v[0]));
        }
        if (node->op == OP_REDUCE_WINDOW && i == 1)
            break;
        buf_puts(w->out, i ? ", " : "");
        writer_put(w, node->args[i], node->op == OP_PAD && i == 1);
    }
    put_attributes(w, at);
    for (uint32_t i = 0; i < node->rank; i++)
        if (node->op == OP_REVERSE && w->pair->dims.at[node->dim + i].marked)
            dims[n++] = node->dim + i;
    if (node->op == OP_REVERSE) {
        buf_puts(w->out, ", ");
        put_dims(w, dims, n);
    } else if (node->op == OP_CONCATENATE) {
        buf_printf(w->out, ", axis=%s", marked_class(w, at));
    } else if (node->op == OP_IOTA) {
        put_entries(w, at, ATTR_SIZE, "");
        buf_printf(w->out, ", axis=%s", marked_class(w, at));
    } else if (node->op == OP_RESHAPE) {
        put_groups(w, at);
    } else if (node->op == OP_REDUCE_WINDOW) {
        const int64_t *v = attr_at(w->pair->terms->pool, term_at(w->pair->terms, node->term)->attr);
        put_init(w, node->args[1], (enum op)v[0]);
    }
    buf_putc(w->out, ')');
}

static void put_op(const struct writer *w, uint32_t at, bool lift)
{
    const struct node *node = &w->pair->nodes.at[at];
    uint32_t n;
    if (node->op == OP_BROADCAST_IN_DIM)
        put_broadcast(w, at, lift);
    else if (op_is_elementwise(node->op))
        put_elementwise(w, at, lift);
    else if (node->op == OP_REDUCE)
        put_reduce(w, at);
    else if (node->op == OP_DOT_GENERAL)
        put_dot(w, at);
    else if ((attribute_forms(node->op, &n) != NULL && !has_entries(w, at)) ||
             (node->op == OP_RESHAPE && !node_has_groups(w->pair, node)))
        writer_put(w, node->args[node->op == OP_DYNAMIC_UPDATE_SLICE], lift); // it changes nothing
    else
        put_shaped(w, at);
}

void writer_put(const struct writer *w, uint32_t at, bool lift)
{
    const struct node *node = &w->pair->nodes.at[at];
    switch (node->kind) {
    case NODE_TENSOR:
        buf_puts(w->out, w->pair->tensors.at[node->var].name);
        break;
    case NODE_SCALAR:
        buf_puts(w->out, w->pair->scalars.at[node->var].name);
        break;
    case NODE_LITERAL:
        if (lift || node->rank == 0) {
            put_literal(w, node->var);
        } else {
            buf_puts(w->out, "broadcast(");
            put_literal(w, node->var);
            put_entries(w, at, ATTR_SIZE, ", ");
            buf_putc(w->out, ')');
        }
        break;
    case NODE_SAME:
        writer_put(w, node->args[0], lift);
        break;
    case NODE_OP:
        put_op(w, at, lift);
        break;
    }
}
