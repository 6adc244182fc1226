// SPDX-License-Identifier: Apache-2.0
// Text, and what all notations share.
#include "formula/print/box.h"

static bool negative(const struct surface *s)
{
    return s->kind == SURFACE_NUMBER && s->text[0] == '-';
}

static bool whole(const struct surface *s)
{
    return s->kind == SURFACE_NUMBER && strpbrk(s->text, "/.e") == NULL;
}

static bool fraction(const struct surface *s)
{
    return s->kind == SURFACE_NUMBER && strchr(s->text, '/') != NULL;
}

static enum fname_level level(const struct surface *s)
{
    if (s->kind == SURFACE_OP)
        return s->op->level;
    if (fraction(s))
        return LEVEL_SUM; // as a factor it would not be one literal
    return negative(s) ? LEVEL_MINUS : LEVEL_ATOM;
}

// Its text begins with a minus sign.
static bool begins_with_minus(const struct surface *s)
{
    while (s->kind == SURFACE_OP && s->op->kind == FNAME_INFIX &&
           level(s->kid[0]) >= s->op->level)
        s = s->kid[0];
    return negative(s) ||
           (s->kind == SURFACE_OP && s->op->level == LEVEL_MINUS);
}

static void put(const struct surface *s, enum fname_level least, bool behind,
                struct buf *out);

static void put_axes(const struct surface *s, const char *open,
                     const char *close, struct buf *out)
{
    buf_puts(out, open);
    for (uint32_t i = 0; i < s->n_axes; i++)
        buf_printf(out, "%s%s", i ? ", " : "", s->axis[i]);
    buf_puts(out, close);
}

static void put_call(const struct surface *s, struct buf *out)
{
    buf_puts(out, s->text);
    if (s->n_axes > 0)
        put_axes(s, "[", "]", out);
    buf_puts(out, "(");
    for (uint32_t i = 0; i < s->n; i++) {
        buf_puts(out, i ? ", " : "");
        put(s->kid[i], LEVEL_OR, false, out);
    }
    buf_puts(out, ")");
}

static void put_op(const struct surface *s, struct buf *out)
{
    enum fname_level l = s->op->level, left = l, right = l + 1;
    if (s->op->kind == FNAME_PREFIX) {
        buf_puts(out, s->text);
        buf_puts(out, l == LEVEL_NOT ? " " : "");
        // -(2) is no number.
        bool close = s->kid[0]->kind == SURFACE_NUMBER;
        put(s->kid[0],
            l == LEVEL_NOT ? LEVEL_ATOM
            : close        ? LEVEL_ATOM + 1
                           : LEVEL_POWER,
            true, out);
        return;
    }
    if (l == LEVEL_POWER) {
        left = LEVEL_ATOM;
        right = LEVEL_POWER;
    } else if (l == LEVEL_COMPARE) {
        left = right = LEVEL_SUM;
    }
    bool tight = l == LEVEL_PRODUCT || l == LEVEL_POWER;
    // 1/(3) is no number.
    if (strcmp(s->text, "/") == 0 && whole(s->kid[0]) && whole(s->kid[1]))
        right = LEVEL_ATOM + 1;
    put(s->kid[0], left, false, out);
    buf_printf(out, tight ? "%s" : " %s ", s->text);
    put(s->kid[1], right, l != LEVEL_COMPARE, out);
}

// In parentheses unless it binds at least as tightly as `least`; behind an
// operator also if a minus sign would follow it.
static void put(const struct surface *s, enum fname_level least, bool behind,
                struct buf *out)
{
    bool fence = level(s) < least || (behind && begins_with_minus(s));
    buf_puts(out, fence ? "(" : "");
    switch (s->kind) {
    case SURFACE_NUMBER:
    case SURFACE_NAME:
        buf_puts(out, s->text);
        break;
    case SURFACE_INDEXED:
        buf_puts(out, s->text);
        put_axes(s, "[", "]", out);
        break;
    case SURFACE_SIZE:
        buf_puts(out, s->text);
        put_axes(s, "(", ")", out);
        break;
    case SURFACE_OP:
        put_op(s, out);
        break;
    case SURFACE_CALL:
    case SURFACE_REDUCE:
    case SURFACE_MATMUL:
    case SURFACE_TR:
        put_call(s, out);
        break;
    }
    buf_puts(out, fence ? ")" : "");
}

void surface_text(const struct surface_tree *s, struct buf *out)
{
    for (uint32_t i = 0; i < s->lets.len; i++) {
        buf_printf(out, "let %s = ", s->lets.at[i].name);
        put(s->lets.at[i].value, LEVEL_OR, false, out);
        buf_puts(out, ";\n");
    }
    put(s->root, LEVEL_OR, false, out);
}

void formula_print_marked(const struct formula *f, const struct fdefines *defs,
                          fterm x, enum notation n,
                          const struct print_options *o, struct buf *out)
{
    struct surface_tree s;
    surface_choose(f, defs, x, o, &s);
    if (n == NOTATION_TEXT)
        surface_text(&s, out);
    else if (n == NOTATION_LATEX)
        box_latex(box_of(&s), out);
    else
        box_mathml(box_of(&s), out);
    surface_release(&s);
}

void formula_print(const struct formula *f, const struct fdefines *defs,
                   fterm x, enum notation n, bool lets, struct buf *out)
{
    struct print_options o = {.lets = lets};
    formula_print_marked(f, defs, x, n, &o, out);
}

// In their order, which is that of the arguments of the program that a formula
// is: a statement for each run of one kind.
static void head_variables(const struct formula *f, struct buf *out)
{
    for (uint32_t i = 0; i < f->variables.len; i++) {
        const struct fvariable *v = &f->variables.at[i];
        bool tensor = v->n > 0;
        bool first = i == 0 || (v[-1].n > 0) != tensor;
        bool last = i + 1 == f->variables.len || (v[1].n > 0) != tensor;
        buf_printf(out, "%s%s",
                   !first   ? ", "
                   : tensor ? "tensor "
                            : "scalar ",
                   v->name);
        for (uint32_t k = 0; k < v->n; k++)
            buf_printf(out, "%s%s", k ? ", " : "[", f->axes.at[v->at + k]);
        buf_puts(out, tensor ? "]" : "");
        buf_puts(out, last ? ";\n" : "");
    }
}

void formula_print_head(const struct formula *f, struct buf *out)
{
    head_variables(f, out);
    for (uint32_t i = 0; i + 1 < f->extents.len; i += 2)
        buf_printf(out, "let %s = size(%s);\n", f->extents.at[i],
                   f->extents.at[i + 1]);
    for (uint32_t i = 0; i < f->givens.len; i++) {
        if (f->givens.at[i].by != GIVEN_DECLARED)
            continue;
        struct surface_tree s;
        surface_of_given(f, f->givens.at[i].cond, &s);
        buf_puts(out, "given ");
        surface_text(&s, out);
        buf_puts(out, ";\n");
        surface_release(&s);
    }
}
