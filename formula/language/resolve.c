// SPDX-License-Identifier: Apache-2.0
#include "formula/language/reading.h"
#include "formula/limits.h"

#include "base/text/suggest.h"
#include "formula/language/hints.h"

#include "formula/terms/names.h"

#include <stdarg.h>
#include <stdio.h>

bool reading_fail(struct reading *reading, uint32_t node, const char *fmt, ...)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    char text[600];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_at(reading->err, ERR_INPUT, reading->file, x->line, x->col, "%s", text);
}

bool reading_axis(const struct reading *reading, const char *name, uint32_t *out)
{
    for (uint32_t i = 0; i < reading->axis.len; i++)
        if (strcmp(reading->axis.at[i].name, name) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static bool add_axis(struct reading *reading, const struct ast_axis *x, bool declared,
                     uint32_t *out)
{
    if (reading_axis(reading, x->name, out))
        return true;
    if (reading->axis.len == FORMULA_AXIS_NAMES)
        return err_at(reading->err, ERR_INPUT, reading->file, x->line, x->col, "more than %d axes",
                      FORMULA_AXIS_NAMES);
    struct raxis axis = {.name = x->name, .declared = declared};
    *out = reading->axis.len;
    vec_push(&reading->axis, axis);
    return true;
}

static bool variable_named(const struct reading *reading, const char *name, uint32_t *out)
{
    for (*out = 0; *out < reading->variable.len; ++*out)
        if (strcmp(reading->variable.at[*out].name, name) == 0)
            return true;
    return false;
}

static bool declare(struct reading *reading, const struct ast_tensor *tensor)
{
    struct rvariable variable = {
        .name = tensor->name, .fixed = true, .declared = true, .rank = tensor->axes_n};
    if (reading->variable.len == FORMULA_VARIABLES)
        return err_at(reading->err, ERR_INPUT, reading->file, tensor->line, tensor->col,
                      "more than %d names", FORMULA_VARIABLES);
    for (uint32_t i = 0; i < tensor->axes_n; i++)
        if (!add_axis(reading, &reading->ast.axis.at[tensor->axes_at + i], true,
                      &variable.axis[tensor->axes_n - 1 - i]))
            return false;
    vec_push(&reading->variable, variable);
    return true;
}

static bool use_variable(struct reading *reading, uint32_t node, struct name_meaning *meaning)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    meaning->kind = MEANS_VARIABLE;
    if (!variable_named(reading, x->name, &meaning->variable)) {
        struct rvariable variable = {.name = x->name};
        if (reading->variable.len == FORMULA_VARIABLES)
            return reading_fail(reading, node, "more than %d names", FORMULA_VARIABLES);
        vec_push(&reading->variable, variable);
    }
    return true;
}

static bool is_constant(const char *name)
{
    return strcmp(name, "pi") == 0 || strcmp(name, "true") == 0 || strcmp(name, "false") == 0;
}

static bool is_no_number(const char *name)
{
    static const char *const none[] = {"inf", "nan", "infinity", "Inf", "NaN", "INFINITY", "NAN"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strcmp(name, none[i]) == 0)
            return true;
    return false;
}

static bool resolve_element(struct reading *reading, uint32_t node, struct name_meaning *meaning)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    uint32_t known;
    if (is_constant(x->name) || is_no_number(x->name))
        return reading_fail(reading, node, "%s has no axes", x->name);
    // An undeclared name of this kind would be ambiguous.
    if ((strcmp(x->name, "N") == 0 || strcmp(x->name, "log2e") == 0) &&
        !variable_named(reading, x->name, &known))
        return reading_fail(reading, node, "%s has a meaning already: declare it", x->name);
    if (!use_variable(reading, node, meaning))
        return false;
    meaning->kind = MEANS_ELEMENT;
    struct rvariable *variable = &reading->variable.at[meaning->variable];
    if (!variable->fixed) {
        variable->fixed = true;
        variable->rank = x->axes_n;
    }
    if (variable->rank != x->axes_n)
        return reading_fail(reading, node, "%s has %u axes%s, not %u", x->name, variable->rank,
                            variable->declared ? "" : " where it is used before", x->axes_n);
    for (uint32_t i = 0; i < x->axes_n; i++) {
        const struct ast_axis *a = &reading->ast.axis.at[x->axes_at + i];
        uint32_t axis;
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(a[-(ptrdiff_t)k - 1].name, a->name) == 0)
                return err_at(reading->err, ERR_INPUT, reading->file, a->line, a->col,
                              "axis %s occurs twice: formulas have no diagonals", a->name);
        if (!add_axis(reading, a, false, &axis))
            return false;
    }
    return true;
}

static bool resolve_name(struct reading *reading, uint32_t node, struct name_meaning *meaning)
{
    const char *name = reading->ast.node.at[node].name;
    uint32_t known;
    if (variable_named(reading, name, &known))
        return use_variable(reading, node, meaning);
    if (is_no_number(name))
        return reading_fail(reading, node, "%s is not a real number, and formulas are about reals",
                            name);
    if (is_constant(name))
        meaning->kind = MEANS_CONSTANT;
    else if (strcmp(name, "log2e") == 0)
        meaning->kind = MEANS_LOG2E;
    else if (strcmp(name, "N") == 0)
        meaning->kind = MEANS_EXTENT;
    else
        return use_variable(reading, node, meaning);
    return true;
}

// ---- calls

struct special_call {
    const char *name;
    uint32_t n;
    enum meaning_kind kind;
};
static const struct special_call specials[] = {
    {"exp2", 1, MEANS_EXP2},  {"exp2f", 1, MEANS_EXP2},    {"log2", 1, MEANS_LOG2},
    {"log2f", 1, MEANS_LOG2}, {"matmul", 2, MEANS_MATMUL}, {"tr", 1, MEANS_TR},
    {"cat", 2, MEANS_CAT}};
enum { N_SPECIALS = sizeof specials / sizeof *specials };

static const struct fdefine *define_named(const struct reading *reading, const char *name)
{
    for (uint32_t i = 0; reading->defs != NULL && i < reading->defs->at.len; i++)
        if (strcmp(reading->defs->at.at[i].name, name) == 0)
            return &reading->defs->at.at[i];
    return NULL;
}

// The i-th function of any sort; NULL after the last one.
static const char *function_at(const struct reading *reading, uint32_t i)
{
    for (uint32_t k = 0; fname_at(k) != NULL; k++) {
        enum fname_kind kind = fname_at(k)->kind;
        if ((kind == FNAME_CALL || kind == FNAME_REDUCE) && i-- == 0)
            return fname_at(k)->surface;
    }
    if (i < N_SPECIALS)
        return specials[i].name;
    i -= N_SPECIALS;
    if (i == 0)
        return "size";
    return reading->defs != NULL && i - 1 < reading->defs->at.len ? reading->defs->at.at[i - 1].name
                                                                  : NULL;
}

static bool unknown_function(struct reading *reading, uint32_t node)
{
    const char *name = reading->ast.node.at[node].name, *text;
    struct nearest near = nearest_to(name, strlen(name));
    for (uint32_t i = 0; (text = function_at(reading, i)) != NULL; i++)
        nearest_consider(&near, text, strlen(text));
    reading_fail(reading, node,
                 "unknown function %s: it is neither built in nor defined by a rule that is loaded",
                 name);
    if (formula_hint_function(name, reading->err))
        return false;
    if (near.word != NULL)
        return err_hint(reading->err, "did you mean `%s`?", near.word);
    return err_hint(reading->err,
                    "a product is written `%s*(..)`; a rule defines a function: "
                    "`.. => define %s(A);`",
                    name, name);
}

static bool hint_arguments(struct reading *reading, const struct ast_node *call, uint32_t wanted)
{
    const struct fname *reduces =
        fname_of_surface(call->name, (uint32_t)strlen(call->name), 1, FNAME_REDUCE);
    if (reduces != NULL && call->n > 1)
        return err_hint(reading->err,
                        "the axis stands in brackets: `%s[j](x[i,j])`; `%s(x)` is "
                        "along the last axis",
                        call->name, call->name);
    static const char *const letters[] = {"a", "a, b", "a, b, c", "a, b, c, d", "a, b, c, d, e"};
    if (wanted == 0 || wanted > sizeof letters / sizeof *letters)
        return false;
    return err_hint(reading->err, "it is written `%s(%s)`", call->name,
                    strcmp(call->name, "where") == 0 ? "c, a, b" : letters[wanted - 1]);
}

// Fails for a wrong number of arguments, and lists the right ones.
static bool wrong_number(struct reading *reading, uint32_t node)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    uint32_t counts[FORMULA_COUNTS], n = 0;
    for (uint32_t k = 0; fname_at(k) != NULL; k++) {
        const struct fname *name = fname_at(k);
        bool call = name->kind == FNAME_CALL || name->kind == FNAME_REDUCE;
        if (call && n < FORMULA_COUNTS && strcmp(name->surface, x->name) == 0)
            counts[n++] = name->n;
    }
    for (uint32_t k = 0; k < N_SPECIALS; k++)
        if (n < FORMULA_COUNTS && strcmp(specials[k].name, x->name) == 0)
            counts[n++] = specials[k].n;
    const struct fdefine *define = define_named(reading, x->name);
    if (define != NULL && n < FORMULA_COUNTS)
        counts[n++] = define->n_args;
    if (n == 0)
        return unknown_function(reading, node);
    if (n == 1)
        return reading_fail(reading, node, "%s takes %u argument%s, not %u", x->name, counts[0],
                            counts[0] == 1 ? "" : "s", x->n) ||
               hint_arguments(reading, x, counts[0]);
    return reading_fail(reading, node,
                        "%s takes 1 argument, whose last axis it reduces, or "
                        "%u, not %u",
                        x->name, counts[0] > 1 ? counts[0] : counts[1], x->n);
}

static bool resolve_cat_axes(struct reading *reading, uint32_t node)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    uint32_t axis;
    if (x->axes_n != 0 && x->axes_n != 3)
        return reading_fail(reading, node,
                            "cat[a, b, c](u, v) runs along a, over the axis b "
                            "of u and then over the axis c of v");
    for (uint32_t i = 0; i < x->axes_n; i++)
        if (!add_axis(reading, &reading->ast.axis.at[x->axes_at + i], false, &axis))
            return false;
    return true;
}

// May the function have axes in brackets?
static bool may_have_axes(const struct name_meaning *meaning)
{
    return meaning->kind == MEANS_REDUCE || meaning->kind == MEANS_CAT ||
           (meaning->kind == MEANS_DEFINED && meaning->def->n_axes == 1);
}

static bool resolve_call(struct reading *reading, uint32_t node, struct name_meaning *meaning)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    uint32_t len = (uint32_t)strlen(x->name);
    const struct fname *name;
    if (strcmp(x->name, "size") == 0) {
        meaning->kind = MEANS_SIZE;
        return true;
    }
    if ((name = fname_of_surface(x->name, len, x->n, FNAME_CALL)) != NULL)
        *meaning = (struct name_meaning){.kind = MEANS_OP, .op = name->op};
    else if ((name = fname_of_surface(x->name, len, x->n, FNAME_REDUCE)) != NULL)
        *meaning = (struct name_meaning){.kind = MEANS_REDUCE, .op = name->op};
    for (uint32_t i = 0; i < N_SPECIALS; i++)
        if (specials[i].n == x->n && strcmp(specials[i].name, x->name) == 0)
            meaning->kind = specials[i].kind;
    if (meaning->kind == MEANS_UNUSED) {
        meaning->def = define_named(reading, x->name);
        if (meaning->def == NULL || meaning->def->n_args != x->n || meaning->def->n_axes > 1)
            return wrong_number(reading, node);
        meaning->kind = MEANS_DEFINED;
    }
    if (x->axes_n > 0 && !may_have_axes(meaning))
        return reading_fail(reading, node, "%s with %u argument%s takes no axes", x->name, x->n,
                            x->n == 1 ? "" : "s");
    if (meaning->kind == MEANS_CAT && ++reading->n_cats > FORMULA_CONCATENATIONS)
        return reading_fail(reading, node, "more than %d uses of cat", FORMULA_CONCATENATIONS);
    return meaning->kind != MEANS_CAT || resolve_cat_axes(reading, node);
}

static bool resolve_node(struct reading *reading, uint32_t node)
{
    struct name_meaning meaning = {0};
    bool ok = true;
    switch (reading->ast.node.at[node].kind) {
    case AST_NUMBER:
        meaning.kind = MEANS_NUMBER;
        break;
    case AST_NAME:
        ok = resolve_name(reading, node, &meaning);
        break;
    case AST_ELEMENT:
        ok = resolve_element(reading, node, &meaning);
        break;
    case AST_CALL:
        ok = resolve_call(reading, node, &meaning);
        break;
    case AST_OP:
        meaning.kind = MEANS_OP;
        meaning.op = reading->ast.node.at[node].name;
        break;
    case AST_LET:
        meaning.kind = MEANS_LET;
        break;
    }
    reading->meaning.at[node] = meaning;
    return ok;
}

// Is every axis that a reduction or size() names an axis of an operand?
static bool check_axes(struct reading *reading, uint32_t node)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    uint32_t axis;
    for (uint32_t i = 0; i < x->axes_n; i++) {
        const struct ast_axis *a = &reading->ast.axis.at[x->axes_at + i];
        if (!reading_axis(reading, a->name, &axis))
            return err_at(reading->err, ERR_INPUT, reading->file, a->line, a->col,
                          "no axis %s: neither a declaration nor an element "
                          "(x[%s]) has it",
                          a->name, a->name);
        // Both parts of a cat may have one axis.
        bool part = reading->meaning.at[node].kind == MEANS_CAT && i == 2;
        for (uint32_t k = part ? 2 : 1; k <= i; k++)
            if (a[-(ptrdiff_t)k].name == a->name)
                return err_at(reading->err, ERR_INPUT, reading->file, a->line, a->col,
                              "axis %s twice", a->name);
    }
    return true;
}

// Marks the nodes that the formula, a definition or an assumption uses.
static void mark(const struct ast *ast, bool *used)
{
    used[ast->root] = true;
    for (uint32_t i = 0; i < ast->given.len; i++)
        used[ast->given.at[i]] = true;
    for (uint32_t i = 0; i < ast->let.len; i++)
        used[ast->let.at[i].value] = true;
    for (uint32_t x = ast->node.len; x-- > 0;)
        for (uint32_t k = 0; used[x] && k < ast->node.at[x].n; k++)
            used[ast->arg.at[ast->node.at[x].at + k]] = true;
}

bool reading_resolve(struct reading *reading)
{
    uint32_t n = reading->ast.node.len;
    bool ok = true, *used = mem_alloc(n + 1);
    vec_zero(&reading->meaning, n);
    reading->meaning.len = n;
    for (uint32_t i = 0; ok && i < reading->ast.tensor.len; i++)
        ok = declare(reading, &reading->ast.tensor.at[i]);
    mark(&reading->ast, used);
    for (uint32_t x = 0; ok && x < n; x++)
        ok = !used[x] || resolve_node(reading, x);
    for (uint32_t x = 0; ok && x < n; x++)
        ok = !used[x] || check_axes(reading, x);
    mem_free(used);
    return ok;
}
