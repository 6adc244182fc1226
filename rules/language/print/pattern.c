// SPDX-License-Identifier: Apache-2.0
// Patterns as text.
#include "rules/limits.h"
#include "rules/language/print/print.h"

static const struct {
    enum op op;
    int level;
    const char *sign;
} infixes[] = {
    {OP_OR, 1, " | "},   {OP_XOR, 2, " ^ "},       {OP_AND, 3, " & "},
    {OP_ADD, 5, " + "},  {OP_SUBTRACT, 5, " - "},  {OP_MULTIPLY, 6, "*"},
    {OP_DIVIDE, 6, "/"}, {OP_REMAINDER, 6, " % "},
};

static const char *compare_sign(enum compare_dir d)
{
    static const char *const signs[] = {
        [CMP_EQ] = " == ", [CMP_NE] = " != ", [CMP_GE] = " >= ",
        [CMP_GT] = " > ",  [CMP_LE] = " <= ", [CMP_LT] = " < ",
    };
    return signs[d];
}

static bool is_number(const struct pat *n)
{
    return n->kind == PAT_LITERAL &&
           (n->lit == LIT_INT || n->lit == LIT_DECIMAL || n->lit == LIT_INF);
}

// The infix sign of a node and its level; NULL: a call or an operand.
static const char *infix(const struct pat *n, int *level)
{
    *level = 8;
    if (n->kind != PAT_OP)
        return NULL;
    if (n->op == OP_COMPARE) {
        *level = 4;
        return compare_sign(n->dir);
    }
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++) {
        if (infixes[i].op == n->op) {
            *level = infixes[i].level;
            return infixes[i].sign;
        }
    }
    return NULL;
}

bool sizes_equal(const struct pat *a, const struct pat *b)
{
    if (a->n_sizes != b->n_sizes)
        return false;
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (a->sizes[i].cls != b->sizes[i].cls ||
            !iexp_equal(a->sizes[i].size, b->sizes[i].size))
            return false;
    return true;
}

static bool is_elementwise(const struct pat *n)
{
    return n->kind == PAT_OPVAR ||
           (n->kind == PAT_OP && op_is_elementwise(n->op));
}

// In source text an operand that the parser would lift again is printed as the
// scalar that it is.
static uint32_t unlifted(const struct printer *w, const struct pat *user,
                         uint32_t arg)
{
    const struct pat *a = &w->r->pats[arg];
    if (w->names || a->kind != PAT_SPLAT || !is_elementwise(user) ||
        !sizes_equal(a, user))
        return arg;
    for (uint32_t i = 0; i < user->n_args; i++)
        if (w->r->pats[user->args[i]].kind != PAT_SPLAT)
            return a->args[0];
    return arg;
}

static void pat_at(struct printer *w, uint32_t pat, int least)
{
    int level;
    infix(&w->r->pats[pat], &level);
    bool wrap = level < least;
    if (wrap)
        buf_putc(w->out, '(');
    print_pat(w, pat);
    if (wrap)
        buf_putc(w->out, ')');
}

static void print_literal(struct printer *w, const struct pat *n)
{
    switch (n->lit) {
    case LIT_INT:
        buf_printf(w->out, "%lld", (long long)n->k);
        return;
    case LIT_DECIMAL:
        buf_puts(w->out, n->text);
        return;
    case LIT_BOOL:
        buf_puts(w->out, n->k ? "true" : "false");
        return;
    case LIT_INF:
        buf_puts(w->out, n->k < 0 ? "-inf" : "inf");
        return;
    case LIT_LOWEST:
        buf_puts(w->out, "lowest");
        return;
    case LIT_HIGHEST:
        buf_puts(w->out, "highest");
        return;
    case LIT_PI:
        buf_puts(w->out, "pi");
        return;
    case LIT_VALUE:
        buf_puts(w->out, "value(");
        print_iexp(w, n->value);
        buf_putc(w->out, ')');
        return;
    case LIT_UNIT:
        buf_puts(w->out, "unit(");
        if (n->opvar != NONE)
            print_opvar(w, n->opvar);
        else
            buf_puts(w->out, op_name(n->reducer));
        buf_putc(w->out, ')');
        return;
    }
}

static void print_set(struct printer *w, uint64_t classes)
{
    struct entries v = {0};
    for (uint32_t c = 0; c < w->r->n_classes; c++)
        if (classes >> c & 1)
            entry_add(w, &v, c, NULL, NULL, 0);
    buf_putc(w->out, '{');
    entries_print(w, &v);
    buf_putc(w->out, '}');
}

static void print_attr(struct printer *w, const struct pat *n, int k,
                       const char *name)
{
    struct entries v = {0};
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (n->attrs[i].v[k])
            entry_add(w, &v, n->attrs[i].cls, n->attrs[i].v[k], NULL, 0);
    if (!v.at.len)
        return;
    buf_printf(w->out, ", %s{", name);
    entries_print(w, &v);
    buf_putc(w->out, '}');
}

static void print_axis(struct printer *w, const struct pat *n)
{
    uint32_t c = 0;
    while (!(n->classes >> c & 1))
        c++;
    buf_puts(w->out, ", axis=");
    print_class(w, c);
}

// In source text x -> y and y -> x are one entry x <-> y.
static void print_relabel(struct printer *w, const struct pat *n)
{
    uint32_t to[LIMIT_CLASSES];
    struct entries v = {0};
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++)
        to[c] = NONE;
    for (uint32_t i = 0; i < n->n_relabels; i++)
        to[n->relabels[i].from] = n->relabels[i].to;
    for (uint32_t i = 0; i < n->n_relabels; i++) {
        struct relabel b = n->relabels[i];
        bool swap = !w->names && to[b.to] == b.from;
        if (!swap || b.from < b.to)
            entry_add(w, &v, b.from, NULL, swap ? " <-> " : " -> ", b.to);
    }
    buf_puts(w->out, ", {");
    entries_print(w, &v);
    buf_putc(w->out, '}');
}

static void print_args(struct printer *w, const struct pat *n)
{
    for (uint32_t i = 0; i < n->n_args; i++) {
        buf_puts(w->out, i ? ", " : "");
        print_pat(w, unlifted(w, n, n->args[i]));
    }
}

static void print_iota(struct printer *w, const struct pat *n)
{
    buf_puts(w->out, "iota({");
    print_sizes(w, n->n_sizes, n->sizes);
    buf_putc(w->out, '}');
    print_axis(w, n);
    buf_putc(w->out, ')');
}

static void print_reducer(struct printer *w, const struct pat *n)
{
    if (n->opvar != NONE)
        print_opvar(w, n->opvar);
    else
        buf_puts(w->out, op_name(n->reducer));
    buf_puts(w->out, ", ");
}

static void print_init(struct printer *w, const struct pat *n)
{
    if (n->n_args == 1)
        return;
    buf_puts(w->out, ", init=");
    print_pat(w, n->args[1]);
}

static void print_reduce(struct printer *w, const struct pat *n)
{
    buf_puts(w->out, "reduce(");
    print_reducer(w, n);
    print_pat(w, n->args[0]);
    buf_puts(w->out, ", ");
    print_set(w, n->classes);
    print_init(w, n);
    buf_putc(w->out, ')');
}

static void print_classes_of(struct printer *w, const char *name,
                             uint64_t classes)
{
    if (!classes)
        return;
    buf_printf(w->out, ", %s=", name);
    print_set(w, classes);
}

static void print_conv(struct printer *w, const struct pat *n)
{
    static const char *const names[] = {
        "stride=", "low=", "high=", "dilation=", "kernel_dilation="};
    buf_puts(w->out, "conv(");
    print_args(w, n);
    print_classes_of(w, "feature", n->classes);
    print_classes_of(w, "spatial", n->spatial);
    for (int k = 0; k < 5; k++)
        print_attr(w, n, k, names[k]);
    print_classes_of(w, "flip", n->flipped);
    if (n->feature_groups) {
        buf_puts(w->out, ", feature_groups=");
        print_iexp(w, n->feature_groups);
    }
    if (n->batch_groups) {
        buf_puts(w->out, ", batch_groups=");
        print_iexp(w, n->batch_groups);
    }
    buf_putc(w->out, ')');
}

static void print_reduce_window(struct printer *w, const struct pat *n)
{
    static const char *const names[] = {
        "size=", "stride=", "low=", "high=", "dilation=", "window_dilation="};
    buf_puts(w->out, "reduce_window(");
    print_reducer(w, n);
    print_pat(w, n->args[0]);
    for (int k = 0; k < 6; k++)
        print_attr(w, n, k, names[k]);
    print_init(w, n);
    buf_putc(w->out, ')');
}

// gather and scatter
static void print_places(struct printer *w, const struct pat *n)
{
    buf_printf(w->out, "%s(", op_name(n->op));
    if (n->op == OP_SCATTER)
        print_reducer(w, n);
    print_args(w, n);
    print_axis(w, n);
    print_attr(w, n, 0, "size=");
    print_classes_of(w, "batch", n->batch);
    buf_putc(w->out, ')');
}

static int by_string(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *group_text(struct printer *w, const struct reshape_group *g)
{
    struct buf b = {0}, *out = w->out;
    w->out = &b;
    buf_putc(&b, '[');
    for (uint32_t i = 0; i < g->n_from; i++) {
        buf_puts(&b, i ? ", " : "");
        print_class(w, g->from[i]);
    }
    buf_puts(&b, "] -> [");
    for (uint32_t i = 0; i < g->n_to; i++) {
        buf_puts(&b, i ? ", " : "");
        print_class(w, g->to[i].cls);
        buf_puts(&b, ": ");
        print_iexp(w, g->to[i].size);
    }
    buf_putc(&b, ']');
    w->out = out;
    return buf_detach(&b);
}

// The groups of a reshape are a set, the classes of one a list.
static void print_reshape(struct printer *w, const struct pat *n)
{
    VEC(char *) v = {0};
    buf_puts(w->out, "reshape(");
    print_args(w, n);
    for (uint32_t i = 0; i < n->n_groups; i++)
        vec_push(&v, group_text(w, &n->groups[i]));
    if (w->names)
        qsort(v.at, v.len, sizeof *v.at, by_string);
    for (uint32_t i = 0; i < v.len; i++) {
        buf_printf(w->out, ", %s", v.at[i]);
        mem_free(v.at[i]);
    }
    buf_putc(w->out, ')');
    vec_release(&v);
}

// Calls whose operands stand in front.
static void print_call(struct printer *w, const struct pat *n)
{
    const char *name = n->op == OP_BROADCAST_IN_DIM ? "broadcast"
                       : n->op == OP_CONCATENATE    ? "concat"
                       : n->op == OP_DOT_GENERAL    ? "dot"
                                                    : op_name(n->op);
    buf_printf(w->out, "%s(", name);
    print_args(w, n);
    switch (n->op) {
    case OP_SLICE:
        print_attr(w, n, 0, "start=");
        print_attr(w, n, 1, "limit=");
        print_attr(w, n, 2, "stride=");
        break;
    case OP_PAD:
        print_attr(w, n, 0, "low=");
        print_attr(w, n, 1, "high=");
        print_attr(w, n, 2, "interior=");
        break;
    case OP_BROADCAST_IN_DIM:
        print_attr(w, n, 0, "");
        break;
    case OP_CONCATENATE:
        print_axis(w, n);
        break;
    case OP_REVERSE:
        buf_puts(w->out, ", ");
        print_set(w, n->classes);
        break;
    case OP_CONVERT:
    case OP_BITCAST_CONVERT:
        buf_puts(w->out, ", ");
        print_type(w, n->type);
        break;
    case OP_DOT_GENERAL:
        print_classes_of(w, "contract", n->classes);
        print_classes_of(w, "batch", n->batch);
        break;
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        print_attr(w, n, 0, "start=");
        print_attr(w, n, 1, "size=");
        break;
    default:
        break;
    }
    buf_putc(w->out, ')');
}

static void print_op(struct printer *w, const struct pat *n)
{
    int level;
    const char *sign = infix(n, &level);
    if (sign) {
        // Comparisons do not chain: neither side may be one.
        pat_at(w, unlifted(w, n, n->args[0]),
               n->op == OP_COMPARE ? level + 1 : level);
        buf_puts(w->out, sign);
        pat_at(w, unlifted(w, n, n->args[1]), level + 1);
        return;
    }
    const struct pat *a = n->n_args ? &w->r->pats[n->args[0]] : NULL;
    if ((n->op == OP_NEGATE && !is_number(a)) || n->op == OP_NOT) {
        buf_putc(w->out, n->op == OP_NOT ? '!' : '-');
        pat_at(w, n->args[0], 7);
    } else if (n->op == OP_IOTA) {
        print_iota(w, n);
    } else if (n->op == OP_REDUCE) {
        print_reduce(w, n);
    } else if (n->op == OP_REDUCE_WINDOW) {
        print_reduce_window(w, n);
    } else if (n->op == OP_CONVOLUTION) {
        print_conv(w, n);
    } else if (n->op == OP_GATHER || n->op == OP_SCATTER) {
        print_places(w, n);
    } else if (n->op == OP_RESHAPE) {
        print_reshape(w, n);
    } else {
        print_call(w, n);
    }
}

void print_pat(struct printer *w, uint32_t pat)
{
    const struct rule *r = w->r;
    const struct pat *n = &r->pats[pat];
    if (w->names && w->out->len > LIMIT_TEXT) // canonical.c refuses it
        return;
    switch (n->kind) {
    case PAT_TENSOR:
        print_var(w, w->names ? w->names->tensor : NULL, 't', n->var,
                  r->tensors[n->var].name);
        return;
    case PAT_SCALAR:
        print_var(w, w->names ? w->names->scalar : NULL, 's', n->var,
                  r->scalars[n->var].name);
        return;
    case PAT_LITERAL:
        print_literal(w, n);
        return;
    case PAT_SPLAT:
        buf_puts(w->out, "broadcast(");
        print_args(w, n);
        buf_puts(w->out, ", {");
        print_sizes(w, n->n_sizes, n->sizes);
        buf_puts(w->out, "})");
        return;
    case PAT_OP:
        print_op(w, n);
        return;
    case PAT_OPVAR:
        print_opvar(w, n->var);
        buf_putc(w->out, '(');
        print_args(w, n);
        buf_putc(w->out, ')');
        return;
    case PAT_CALL:
        buf_printf(w->out, "define %s(", n->text);
        print_args(w, n);
        if (n->classes) {
            buf_puts(w->out, ", ");
            print_set(w, n->classes);
        }
        buf_putc(w->out, ')');
        return;
    case PAT_RELABEL:
        buf_puts(w->out, "relabel(");
        print_args(w, n);
        print_relabel(w, n);
        buf_putc(w->out, ')');
        return;
    }
}

void pat_print(const struct rule *r, uint32_t pat, struct buf *out)
{
    struct printer w = {r, out, NULL};
    print_pat(&w, pat);
}
