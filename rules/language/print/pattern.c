// SPDX-License-Identifier: Apache-2.0
// Patterns as text.
#include "rules/attributes.h"
#include "rules/limits.h"
#include "rules/language/print/print.h"

static const char *compare_sign(enum compare_dir direction)
{
    static const char *const signs[] = {
        [CMP_EQ] = " == ", [CMP_NE] = " != ", [CMP_GE] = " >= ",
        [CMP_GT] = " > ",  [CMP_LE] = " <= ", [CMP_LT] = " < ",
    };
    return signs[direction];
}

static bool is_number(const struct pat *pattern)
{
    return pattern->kind == PAT_LITERAL &&
           (pattern->lit == LIT_INT || pattern->lit == LIT_DECIMAL || pattern->lit == LIT_INF);
}

// The infix sign of a node and its level.  NULL if the node is a call or an operand.
static const char *infix(const struct pat *pattern, int *level)
{
    *level = 8;
    if (pattern->kind != PAT_OP)
        return NULL;
    if (pattern->op == OP_COMPARE) {
        *level = COMPARE_LEVEL;
        return compare_sign(pattern->dir);
    }
    if (op_info(pattern->op)->level > 0) {
        *level = op_info(pattern->op)->level;
        return op_info(pattern->op)->infix;
    }
    return NULL;
}

bool sizes_equal(const struct pat *a, const struct pat *b)
{
    if (a->n_sizes != b->n_sizes)
        return false;
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (a->sizes[i].cls != b->sizes[i].cls || !iexp_equal(a->sizes[i].size, b->sizes[i].size))
            return false;
    return true;
}

static bool is_elementwise(const struct pat *pattern)
{
    return pattern->kind == PAT_OPVAR ||
           (pattern->kind == PAT_OP && op_is_elementwise(pattern->op));
}

// In source text a lifted scalar is printed as the scalar, if the parser would lift the
// scalar again.
static uint32_t unlifted(const struct printer *printer, const struct pat *user, uint32_t arg)
{
    const struct pat *pattern = &printer->rule->pats[arg];
    if (printer->names || pattern->kind != PAT_SPLAT || !is_elementwise(user) ||
        !sizes_equal(pattern, user))
        return arg;
    for (uint32_t i = 0; i < user->n_args; i++)
        if (printer->rule->pats[user->args[i]].kind != PAT_SPLAT)
            return pattern->args[0];
    return arg;
}

static void pat_at(struct printer *printer, uint32_t pat, int least)
{
    int level;
    infix(&printer->rule->pats[pat], &level);
    bool wrap = level < least;
    if (wrap)
        buf_putc(printer->out, '(');
    print_pat(printer, pat);
    if (wrap)
        buf_putc(printer->out, ')');
}

static void print_literal(struct printer *printer, const struct pat *pattern)
{
    switch (pattern->lit) {
    case LIT_INT:
        buf_printf(printer->out, "%lld", (long long)pattern->k);
        return;
    case LIT_DECIMAL:
        buf_puts(printer->out, pattern->text);
        return;
    case LIT_BOOL:
        buf_puts(printer->out, pattern->k ? "true" : "false");
        return;
    case LIT_INF:
        buf_puts(printer->out, pattern->k < 0 ? "-inf" : "inf");
        return;
    case LIT_LOWEST:
        buf_puts(printer->out, "lowest");
        return;
    case LIT_HIGHEST:
        buf_puts(printer->out, "highest");
        return;
    case LIT_PI:
        buf_puts(printer->out, "pi");
        return;
    case LIT_VALUE:
        buf_puts(printer->out, "value(");
        print_iexp(printer, pattern->value);
        buf_putc(printer->out, ')');
        return;
    case LIT_UNIT:
        buf_puts(printer->out, "unit(");
        if (pattern->opvar != NONE)
            print_opvar(printer, pattern->opvar);
        else
            buf_puts(printer->out, op_name(pattern->reducer));
        buf_putc(printer->out, ')');
        return;
    }
}

static void print_set(struct printer *printer, uint64_t classes)
{
    struct entries entries = {0};
    for (uint32_t c = 0; c < printer->rule->n_classes; c++)
        if (classes >> c & 1)
            entry_add(printer, &entries, c, NULL, NULL, 0);
    buf_putc(printer->out, '{');
    entries_print(printer, &entries);
    buf_putc(printer->out, '}');
}

// Attribute k as {x: n}, behind its name, if it has one.
static void print_attr(struct printer *printer, const struct pat *pattern, uint32_t k,
                       const char *name)
{
    struct entries entries = {0};
    for (uint32_t i = 0; i < pattern->n_attrs; i++)
        if (pattern->attrs[i].expr[k])
            entry_add(printer, &entries, pattern->attrs[i].cls, pattern->attrs[i].expr[k], NULL, 0);
    if (!entries.at.len)
        return;
    buf_printf(printer->out, ", %s%s{", name, *name ? "=" : "");
    entries_print(printer, &entries);
    buf_putc(printer->out, '}');
}

static void print_attrs(struct printer *printer, const struct pat *pattern)
{
    uint32_t n;
    const struct attribute_form *form = attribute_forms(pattern->op, &n);
    for (uint32_t k = 0; k < n; k++)
        print_attr(printer, pattern, k, form[k].name);
}

static void print_axis(struct printer *printer, const struct pat *pattern)
{
    uint32_t c = 0;
    while (!(pattern->classes >> c & 1))
        c++;
    buf_puts(printer->out, ", axis=");
    print_class(printer, c);
}

// In source text x -> y and y -> x are one entry x <-> y.
static void print_relabel(struct printer *printer, const struct pat *pattern)
{
    uint32_t to[RULES_MAX_CLASSES];
    struct entries entries = {0};
    for (uint32_t c = 0; c < RULES_MAX_CLASSES; c++)
        to[c] = NONE;
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        to[pattern->relabels[i].from] = pattern->relabels[i].to;
    for (uint32_t i = 0; i < pattern->n_relabels; i++) {
        struct relabel relabel = pattern->relabels[i];
        bool swap = !printer->names && to[relabel.to] == relabel.from;
        if (!swap || relabel.from < relabel.to)
            entry_add(printer, &entries, relabel.from, NULL, swap ? " <-> " : " -> ", relabel.to);
    }
    buf_puts(printer->out, ", {");
    entries_print(printer, &entries);
    buf_putc(printer->out, '}');
}

static void print_args(struct printer *printer, const struct pat *pattern)
{
    for (uint32_t i = 0; i < pattern->n_args; i++) {
        buf_puts(printer->out, i ? ", " : "");
        print_pat(printer, unlifted(printer, pattern, pattern->args[i]));
    }
}

static void print_iota(struct printer *printer, const struct pat *pattern)
{
    buf_puts(printer->out, "iota({");
    print_sizes(printer, pattern->n_sizes, pattern->sizes);
    buf_putc(printer->out, '}');
    print_axis(printer, pattern);
    buf_putc(printer->out, ')');
}

static void print_reducer(struct printer *printer, const struct pat *pattern)
{
    if (pattern->opvar != NONE)
        print_opvar(printer, pattern->opvar);
    else
        buf_puts(printer->out, op_name(pattern->reducer));
    buf_puts(printer->out, ", ");
}

static void print_init(struct printer *printer, const struct pat *pattern)
{
    if (pattern->n_args == 1)
        return;
    buf_puts(printer->out, ", init=");
    print_pat(printer, pattern->args[1]);
}

static void print_reduce(struct printer *printer, const struct pat *pattern)
{
    buf_puts(printer->out, "reduce(");
    print_reducer(printer, pattern);
    print_pat(printer, pattern->args[0]);
    buf_puts(printer->out, ", ");
    print_set(printer, pattern->classes);
    print_init(printer, pattern);
    buf_putc(printer->out, ')');
}

static void print_classes_of(struct printer *printer, const char *name, uint64_t classes)
{
    if (!classes)
        return;
    buf_printf(printer->out, ", %s=", name);
    print_set(printer, classes);
}

static void print_conv(struct printer *printer, const struct pat *pattern)
{
    buf_puts(printer->out, "conv(");
    print_args(printer, pattern);
    print_classes_of(printer, "feature", pattern->classes);
    print_classes_of(printer, "spatial", pattern->spatial);
    print_attrs(printer, pattern);
    print_classes_of(printer, "flip", pattern->flipped);
    if (pattern->feature_groups) {
        buf_puts(printer->out, ", feature_groups=");
        print_iexp(printer, pattern->feature_groups);
    }
    if (pattern->batch_groups) {
        buf_puts(printer->out, ", batch_groups=");
        print_iexp(printer, pattern->batch_groups);
    }
    buf_putc(printer->out, ')');
}

static void print_reduce_window(struct printer *printer, const struct pat *pattern)
{
    buf_puts(printer->out, "reduce_window(");
    print_reducer(printer, pattern);
    print_pat(printer, pattern->args[0]);
    print_attrs(printer, pattern);
    print_init(printer, pattern);
    buf_putc(printer->out, ')');
}

// gather and scatter
static void print_places(struct printer *printer, const struct pat *pattern)
{
    buf_printf(printer->out, "%s(", op_name(pattern->op));
    if (pattern->op == OP_SCATTER)
        print_reducer(printer, pattern);
    print_args(printer, pattern);
    print_axis(printer, pattern);
    print_attr(printer, pattern, 0, "size");
    print_classes_of(printer, "batch", pattern->batch);
    buf_putc(printer->out, ')');
}

static int by_string(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *group_text(struct printer *printer, const struct reshape_group *group)
{
    struct buf buf = {0}, *out = printer->out;
    printer->out = &buf;
    buf_putc(&buf, '[');
    for (uint32_t i = 0; i < group->n_from; i++) {
        buf_puts(&buf, i ? ", " : "");
        print_class(printer, group->from[i]);
    }
    buf_puts(&buf, "] -> [");
    for (uint32_t i = 0; i < group->n_to; i++) {
        buf_puts(&buf, i ? ", " : "");
        print_class(printer, group->to[i].cls);
        buf_puts(&buf, ": ");
        print_iexp(printer, group->to[i].size);
    }
    buf_putc(&buf, ']');
    printer->out = out;
    return buf_detach(&buf);
}

// The groups of a reshape are a set; the classes of one group are a list.
static void print_reshape(struct printer *printer, const struct pat *pattern)
{
    VEC(char *) v = {0};
    buf_puts(printer->out, "reshape(");
    print_args(printer, pattern);
    for (uint32_t i = 0; i < pattern->n_groups; i++)
        vec_push(&v, group_text(printer, &pattern->groups[i]));
    if (printer->names)
        qsort(v.at, v.len, sizeof *v.at, by_string);
    for (uint32_t i = 0; i < v.len; i++) {
        buf_printf(printer->out, ", %s", v.at[i]);
        mem_free(v.at[i]);
    }
    buf_putc(printer->out, ')');
    vec_release(&v);
}

// Calls with the operands in front.
static void print_call(struct printer *printer, const struct pat *pattern)
{
    const struct op_info *info = op_info(pattern->op);
    const char *name = info->word != NULL && info->cls == OPC_SHAPED ? info->word : info->name;
    buf_printf(printer->out, "%s(", name);
    print_args(printer, pattern);
    switch (pattern->op) {
    case OP_SLICE:
    case OP_PAD:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        print_attrs(printer, pattern);
        break;
    case OP_BROADCAST_IN_DIM:
        print_attr(printer, pattern, 0, "");
        break;
    case OP_CONCATENATE:
        print_axis(printer, pattern);
        break;
    case OP_REVERSE:
        buf_puts(printer->out, ", ");
        print_set(printer, pattern->classes);
        break;
    case OP_CONVERT:
    case OP_BITCAST_CONVERT:
        buf_puts(printer->out, ", ");
        print_type(printer, pattern->type);
        break;
    case OP_DOT_GENERAL:
        print_classes_of(printer, "contract", pattern->classes);
        print_classes_of(printer, "batch", pattern->batch);
        break;
    case OP_IS_FINITE:
    case OP_COMPARE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_TRANSPOSE:
    case OP_REDUCE:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
        LEAF_CASES
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    buf_putc(printer->out, ')');
}

static void print_op(struct printer *printer, const struct pat *pattern)
{
    int level;
    const char *sign = infix(pattern, &level);
    if (sign) {
        // Comparisons do not chain: neither side may be one.
        pat_at(printer, unlifted(printer, pattern, pattern->args[0]),
               pattern->op == OP_COMPARE ? level + 1 : level);
        buf_puts(printer->out, sign);
        pat_at(printer, unlifted(printer, pattern, pattern->args[1]), level + 1);
        return;
    }
    const struct pat *a = pattern->n_args ? &printer->rule->pats[pattern->args[0]] : NULL;
    if ((pattern->op == OP_NEGATE && !is_number(a)) || pattern->op == OP_NOT) {
        buf_putc(printer->out, pattern->op == OP_NOT ? '!' : '-');
        pat_at(printer, pattern->args[0], 7);
    } else if (pattern->op == OP_IOTA) {
        print_iota(printer, pattern);
    } else if (pattern->op == OP_REDUCE) {
        print_reduce(printer, pattern);
    } else if (pattern->op == OP_REDUCE_WINDOW) {
        print_reduce_window(printer, pattern);
    } else if (pattern->op == OP_CONVOLUTION) {
        print_conv(printer, pattern);
    } else if (pattern->op == OP_GATHER || pattern->op == OP_SCATTER) {
        print_places(printer, pattern);
    } else if (pattern->op == OP_RESHAPE) {
        print_reshape(printer, pattern);
    } else {
        print_call(printer, pattern);
    }
}

void print_pat(struct printer *printer, uint32_t pat)
{
    const struct rule *rule = printer->rule;
    const struct pat *pattern = &rule->pats[pat];
    if (printer->names && printer->out->len > RULES_TEXT) // canonical.c refuses it
        return;
    switch (pattern->kind) {
    case PAT_TENSOR:
        print_var(printer, printer->names ? printer->names->tensor : NULL, 't', pattern->var,
                  rule->tensors[pattern->var].name);
        return;
    case PAT_SCALAR:
        print_var(printer, printer->names ? printer->names->scalar : NULL, 's', pattern->var,
                  rule->scalars[pattern->var].name);
        return;
    case PAT_LITERAL:
        print_literal(printer, pattern);
        return;
    case PAT_SPLAT:
        buf_puts(printer->out, "broadcast(");
        print_args(printer, pattern);
        buf_puts(printer->out, ", {");
        print_sizes(printer, pattern->n_sizes, pattern->sizes);
        buf_puts(printer->out, "})");
        return;
    case PAT_OP:
        print_op(printer, pattern);
        return;
    case PAT_OPVAR:
        print_opvar(printer, pattern->var);
        buf_putc(printer->out, '(');
        print_args(printer, pattern);
        buf_putc(printer->out, ')');
        return;
    case PAT_CALL:
        buf_printf(printer->out, "define %s(", pattern->text);
        print_args(printer, pattern);
        if (pattern->classes) {
            buf_puts(printer->out, ", ");
            print_set(printer, pattern->classes);
        }
        buf_putc(printer->out, ')');
        return;
    case PAT_RELABEL:
        buf_puts(printer->out, "relabel(");
        print_args(printer, pattern);
        print_relabel(printer, pattern);
        buf_putc(printer->out, ')');
        return;
    }
}

void pat_print(const struct rule *rule, uint32_t pat, struct buf *out)
{
    struct printer printer = {rule, out, NULL};
    print_pat(&printer, pat);
}
