// SPDX-License-Identifier: Apache-2.0
// Prints surface trees as text; functions shared by all notations.
#include "formula/print/box.h"

static bool negative(const struct surface *surface)
{
    return surface->kind == SURFACE_NUMBER && surface->text[0] == '-';
}

static bool whole(const struct surface *surface)
{
    return surface->kind == SURFACE_NUMBER && strpbrk(surface->text, "/.e") == NULL;
}

static bool fraction(const struct surface *surface)
{
    return surface->kind == SURFACE_NUMBER && strchr(surface->text, '/') != NULL;
}

static enum fname_level level(const struct surface *surface)
{
    if (surface->kind == SURFACE_OP)
        return surface->op->level;
    if (fraction(surface))
        return LEVEL_SUM; // as a factor the fraction would not be one literal
    return negative(surface) ? LEVEL_MINUS : LEVEL_ATOM;
}

// Does the text begin with a minus sign?
static bool begins_with_minus(const struct surface *surface)
{
    while (surface->kind == SURFACE_OP && surface->op->kind == FNAME_INFIX &&
           level(surface->kid[0]) >= surface->op->level)
        surface = surface->kid[0];
    return negative(surface) || (surface->kind == SURFACE_OP && surface->op->level == LEVEL_MINUS);
}

static void put(const struct surface *surface, enum fname_level least, bool behind,
                struct buf *out);

static void put_axes(const struct surface *surface, const char *open, const char *close,
                     struct buf *out)
{
    buf_puts(out, open);
    for (uint32_t i = 0; i < surface->n_axes; i++)
        buf_printf(out, "%s%s", i ? ", " : "", surface->axis[i]);
    buf_puts(out, close);
}

static void put_call(const struct surface *surface, struct buf *out)
{
    buf_puts(out, surface->text);
    if (surface->n_axes > 0)
        put_axes(surface, "[", "]", out);
    buf_puts(out, "(");
    for (uint32_t i = 0; i < surface->n; i++) {
        buf_puts(out, i ? ", " : "");
        put(surface->kid[i], LEVEL_OR, false, out);
    }
    buf_puts(out, ")");
}

static void put_op(const struct surface *surface, struct buf *out)
{
    enum fname_level l = surface->op->level, left = l, right = l + 1;
    if (surface->op->kind == FNAME_PREFIX) {
        buf_puts(out, surface->text);
        buf_puts(out, l == LEVEL_NOT ? " " : "");
        // -(2) is not a number.
        bool close = surface->kid[0]->kind == SURFACE_NUMBER;
        put(surface->kid[0],
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
    // 1/(3) is not a number.
    if (strcmp(surface->text, "/") == 0 && whole(surface->kid[0]) && whole(surface->kid[1]))
        right = LEVEL_ATOM + 1;
    put(surface->kid[0], left, false, out);
    buf_printf(out, tight ? "%s" : " %s ", surface->text);
    put(surface->kid[1], right, l != LEVEL_COMPARE, out);
}

// Prints the tree in parentheses unless it binds at least as tightly as
// `least`; after an operator, also if it begins with a minus sign.
static void put(const struct surface *surface, enum fname_level least, bool behind, struct buf *out)
{
    bool fence = level(surface) < least || (behind && begins_with_minus(surface));
    buf_puts(out, fence ? "(" : "");
    switch (surface->kind) {
    case SURFACE_NUMBER:
    case SURFACE_NAME:
        buf_puts(out, surface->text);
        break;
    case SURFACE_INDEXED:
        buf_puts(out, surface->text);
        put_axes(surface, "[", "]", out);
        break;
    case SURFACE_SIZE:
        buf_puts(out, surface->text);
        put_axes(surface, "(", ")", out);
        break;
    case SURFACE_OP:
        put_op(surface, out);
        break;
    case SURFACE_CALL:
    case SURFACE_REDUCE:
    case SURFACE_MATMUL:
    case SURFACE_TR:
        put_call(surface, out);
        break;
    }
    buf_puts(out, fence ? ")" : "");
}

void surface_text(const struct surface_tree *tree, struct buf *out)
{
    for (uint32_t i = 0; i < tree->lets.len; i++) {
        buf_printf(out, "let %s = ", tree->lets.at[i].name);
        put(tree->lets.at[i].value, LEVEL_OR, false, out);
        buf_puts(out, ";\n");
    }
    put(tree->root, LEVEL_OR, false, out);
}

void formula_print_marked(const struct formula *formula, const struct fdefines *defs, fterm term,
                          enum notation notation, const struct print_options *options,
                          struct buf *out)
{
    struct surface_tree tree;
    surface_choose(formula, defs, term, options, &tree);
    if (notation == NOTATION_TEXT)
        surface_text(&tree, out);
    else if (notation == NOTATION_LATEX)
        box_latex(box_of(&tree), out);
    else
        box_mathml(box_of(&tree), out);
    surface_release(&tree);
}

void formula_print(const struct formula *formula, const struct fdefines *defs, fterm term,
                   enum notation notation, bool lets, struct buf *out)
{
    struct print_options options = {.lets = lets};
    formula_print_marked(formula, defs, term, notation, &options, out);
}

// Prints declarations in the order of variables, which is the order of
// arguments of the program of the formula: one statement for each run of one
// kind.
static void head_variables(const struct formula *formula, struct buf *out)
{
    for (uint32_t i = 0; i < formula->variables.len; i++) {
        const struct fvariable *variable = &formula->variables.at[i];
        bool tensor = variable->n > 0;
        bool first = i == 0 || (variable[-1].n > 0) != tensor;
        bool last = i + 1 == formula->variables.len || (variable[1].n > 0) != tensor;
        buf_printf(out, "%s%s", !first ? ", " : tensor ? "tensor " : "scalar ", variable->name);
        for (uint32_t k = 0; k < variable->n; k++)
            buf_printf(out, "%s%s", k ? ", " : "[", formula->axes.at[variable->at + k]);
        buf_puts(out, tensor ? "]" : "");
        buf_puts(out, last ? ";\n" : "");
    }
}

void formula_print_head(const struct formula *formula, struct buf *out)
{
    head_variables(formula, out);
    for (uint32_t i = 0; i + 1 < formula->extents.len; i += 2)
        buf_printf(out, "let %s = size(%s);\n", formula->extents.at[i], formula->extents.at[i + 1]);
    for (uint32_t i = 0; i < formula->givens.len; i++) {
        if (formula->givens.at[i].by != GIVEN_DECLARED)
            continue;
        struct surface_tree tree;
        surface_of_given(formula, formula->givens.at[i].cond, &tree);
        buf_puts(out, "given ");
        surface_text(&tree, out);
        buf_puts(out, ";\n");
        surface_release(&tree);
    }
}
