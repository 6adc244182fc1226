// SPDX-License-Identifier: Apache-2.0
// Makes terms.  A node is made for given indices at its positions: max(x) at i
// is the maximum over j of x{i,j}, and x * tr(x) at i, j is x{i,j} * x{j,i}.  A
// bound index gets a name that differs from the other indices.  A node with
// positions has no other free axes, so no name is captured.  The names of one
// size are in a fixed order, so that equal texts become equal terms.
#include "formula/language/maker.h"
#include "formula/limits.h"

#include "formula/terms/number.h"

#include <stdlib.h>

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static fterm make_set(struct term_maker *maker, uint32_t n, const char **names)
{
    if (n > 0)
        qsort(names, n, sizeof *names, compare_names);
    buf_clear(&maker->text);
    buf_puts(&maker->text, "{");
    for (uint32_t i = 0; i < n; i++)
        buf_printf(&maker->text, "%s%s", i > 0 ? "," : "", names[i]);
    buf_puts(&maker->text, "}");
    return fterm_make(maker->terms, buf_text(&maker->text), 0, NULL);
}

static fterm set_of(struct term_maker *maker, uint32_t n, const uint32_t *index)
{
    const char *names[FORMULA_POSITIONS];
    for (uint32_t i = 0; i < n; i++)
        names[i] = maker->index.at[index[i]].name;
    return make_set(maker, n, names);
}

static fterm set_of_one(struct term_maker *maker, uint32_t index)
{
    return set_of(maker, 1, &index);
}

// ---- terms

static fterm make1(struct term_maker *maker, const char *op, fterm term)
{
    return fterm_make(maker->terms, op, 1, &term);
}

fterm maker_binary(struct term_maker *maker, const char *op, fterm a, fterm b)
{
    fterm args[2] = {a, b};
    return fterm_make(maker->terms, op, 2, args);
}

fterm maker_number(struct term_maker *maker, const char *text)
{
    return fterm_make(maker->terms, text, 0, NULL);
}

fterm maker_count(struct term_maker *maker, uint32_t index)
{
    return make1(maker, "count", set_of_one(maker, index));
}

static fterm make_log_of_two(struct term_maker *maker)
{
    return make1(maker, "log", maker_number(maker, "2"));
}

static fterm make_reduce(struct term_maker *maker, const char *op, fterm set, fterm body)
{
    return fterm_merged(maker->terms, maker_binary(maker, op, set, body));
}

static bool make_literal(struct term_maker *maker, uint32_t node, fterm *out)
{
    const struct ast_node *x = &maker->reading->ast.node.at[node];
    const char *slash = strchr(x->name, '/');
    uint32_t len = (uint32_t)strlen(x->name);
    uint32_t first = slash != NULL ? (uint32_t)(slash - x->name) : len;
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    bool ok = number_parse_decimal(x->name, first, p) &&
              (slash == NULL || number_parse_decimal(slash + 1, len - first - 1, q));
    if (ok && slash != NULL)
        mpq_div(p, p, q);
    buf_clear(&maker->text);
    ok = ok && number_print(p, &maker->text);
    mpq_clears(p, q, NULL);
    if (!ok)
        return reading_fail(maker->reading, node, "the number is too long");
    *out = maker_number(maker, buf_text(&maker->text));
    if (slash == NULL) {
        struct fconstant constant = {x->name, *out, x->line, x->col};
        vec_push(&maker->formula->constants, constant);
    }
    return true;
}

static fterm make_variable(struct term_maker *maker, const char *name, uint32_t n,
                           const char *const *axes)
{
    buf_clear(&maker->text);
    buf_puts(&maker->text, name);
    for (uint32_t i = 0; i < n; i++)
        buf_printf(&maker->text, "%s%s", i == 0 ? "{" : ",", axes[i]);
    if (n > 0)
        buf_puts(&maker->text, "}");
    return fterm_make(maker->terms, buf_text(&maker->text), 0, NULL);
}

static fterm variable_at(struct term_maker *maker, uint32_t node, const uint32_t *index)
{
    const struct rvariable *variable =
        &maker->reading->variable.at[maker->reading->meaning.at[node].variable];
    const char *axes[FORMULA_POSITIONS];
    for (uint32_t i = 0; i < variable->rank; i++)
        axes[i] = maker->index.at[index[variable->rank - 1 - i]].name;
    return make_variable(maker, variable->name, variable->rank, axes);
}

static fterm element(struct term_maker *maker, uint32_t node)
{
    const struct ast_node *x = &maker->reading->ast.node.at[node];
    const char *axes[FORMULA_POSITIONS];
    for (uint32_t i = 0; i < x->axes_n; i++)
        axes[i] = maker->reading->ast.axis.at[x->axes_at + i].name;
    return make_variable(maker, x->name, x->axes_n, axes);
}

// The set of axes that are written at the node.
static fterm written_set(struct term_maker *maker, uint32_t node)
{
    const struct ast_node *x = &maker->reading->ast.node.at[node];
    const char *names[FORMULA_POSITIONS];
    for (uint32_t i = 0; i < x->axes_n; i++)
        names[i] = maker->reading->ast.axis.at[x->axes_at + i].name;
    return make_set(maker, x->axes_n, names);
}

// ---- N

static bool reduces_last(const struct reading *reading, uint32_t node)
{
    const struct name_meaning *meaning = &reading->meaning.at[node];
    const struct ast_node *x = &reading->ast.node.at[node];
    if (meaning->kind != MEANS_REDUCE && meaning->kind != MEANS_DEFINED)
        return false;
    if (meaning->kind == MEANS_DEFINED && meaning->def->n_axes == 0)
        return false;
    return x->axes_n == 0 && !(reading->shape.at[reading->ast.arg.at[x->at]].kept & 1);
}

static bool make_extent(struct term_maker *maker, uint32_t node, fterm *out)
{
    const struct reading *reading = maker->reading;
    uint32_t dim = UINT32_MAX, index;
    bool several = false;
    for (uint32_t x = 0; x < reading->ast.node.len; x++) {
        if (!reduces_last(reading, x))
            continue;
        uint32_t d = reading_dim(reading, reading->shape.at[x].dim[0]);
        several |= dim != UINT32_MAX && dim != d;
        dim = d;
    }
    bool by_name = dim == UINT32_MAX;
    for (uint32_t x = 0; by_name && x < reading->ast.node.len; x++) {
        const struct ast_node *a = &reading->ast.node.at[x];
        enum meaning_kind kind = reading->meaning.at[x].kind;
        if ((kind != MEANS_REDUCE && kind != MEANS_DEFINED) || a->axes_n == 0)
            continue;
        for (uint32_t k = 0; k < a->axes_n; k++) {
            uint32_t axis;
            (void)reading_axis(reading, reading->ast.axis.at[a->axes_at + k].name, &axis);
            uint32_t d = reading_dim(reading, reading->axis.at[axis].dim);
            several |= a->axes_n > 1 || (dim != UINT32_MAX && dim != d);
            dim = d;
        }
    }
    if (dim == UINT32_MAX)
        return reading_fail(maker->reading, node,
                            "N is the extent of the axis that is reduced, and "
                            "nothing is: declare `scalar N;` or write size(j)");
    if (several)
        return reading_fail(maker->reading, node,
                            "N is ambiguous: several axes are reduced; declare "
                            "the axes and write size(j)");
    index = maker_index(maker, dim, NULL, 0);
    *out = maker_count(maker, index);
    if (maker->formula->extents.len == 0) {
        vec_push(&maker->formula->extents, "N");
        vec_push(&maker->formula->extents, maker->index.at[index].name);
    }
    return true;
}

// ---- nodes

static const uint32_t *args_of(const struct term_maker *maker, uint32_t node)
{
    return maker->reading->ast.arg.at + maker->reading->ast.node.at[node].at;
}

const struct formula_shape *maker_shape(const struct term_maker *maker, uint32_t node)
{
    return &maker->reading->shape.at[node];
}

// Makes an operand: its positions get these indices, or become axes by their
// names.
static bool make_operand(struct term_maker *maker, uint32_t node, bool named, const uint32_t *index,
                         fterm *out)
{
    const struct formula_shape *shape = maker_shape(maker, node);
    uint32_t own[FORMULA_POSITIONS];
    for (uint32_t q = 0; q < shape->rank; q++) {
        if (shape->kept >> q & 1)
            own[q] = NO_INDEX;
        else if (named)
            own[q] = maker->reading->dim_axis.at[reading_dim(maker->reading, shape->dim[q])];
        else
            own[q] = index[q];
    }
    return maker_term(maker, node, own, out);
}

// Does an operand have elements written with indices?
static bool operands_named(const struct term_maker *maker, uint32_t node)
{
    for (uint32_t i = 0; i < maker->reading->ast.node.at[node].n; i++)
        if (!axis_set_is_empty(maker_shape(maker, args_of(maker, node)[i])->free))
            return true;
    return false;
}

// Makes all operands, appends them to the first `n` terms of args, and makes
// the term.
static bool make_operands(struct term_maker *maker, uint32_t node, bool named,
                          const uint32_t *index, fterm *args)
{
    for (uint32_t i = 0; i < maker->reading->ast.node.at[node].n; i++)
        if (!make_operand(maker, args_of(maker, node)[i], named, index, &args[i]))
            return false;
    return true;
}

static bool make_elementwise(struct term_maker *maker, uint32_t node, const uint32_t *index,
                             fterm *out)
{
    const struct name_meaning *meaning = &maker->reading->meaning.at[node];
    uint32_t n = maker->reading->ast.node.at[node].n;
    fterm args[FORMULA_ARGUMENTS];
    if (!make_operands(maker, node, operands_named(maker, node), index, args))
        return false;
    if (meaning->kind == MEANS_EXP2)
        *out = make1(maker, "exponential",
                     maker_binary(maker, "multiply", args[0], make_log_of_two(maker)));
    else if (meaning->kind == MEANS_LOG2)
        *out = maker_binary(maker, "divide", make1(maker, "log", args[0]), make_log_of_two(maker));
    else
        *out =
            fterm_make(maker->terms,
                       meaning->kind == MEANS_DEFINED ? meaning->def->name : meaning->op, n, args);
    return true;
}

// The common shape of the operands.
static struct formula_shape operands_shape(const struct term_maker *maker, uint32_t node)
{
    struct formula_shape all = {0};
    for (uint32_t i = 0; i < maker->reading->ast.node.at[node].n; i++) {
        const struct formula_shape *shape = maker_shape(maker, args_of(maker, node)[i]);
        for (uint32_t q = 0; q < shape->rank; q++) {
            bool sized = !(shape->kept >> q & 1);
            if (q >= all.rank || ((all.kept >> q & 1) && sized)) {
                all.kept &= ~(1u << q);
                all.kept |= (uint32_t)!sized << q;
                all.dim[q] = shape->dim[q];
            }
            all.rank = q >= all.rank ? q + 1 : all.rank;
        }
    }
    return all;
}

// Makes the term of a reduction or of a defined function over the set.
static bool apply_over(struct term_maker *maker, uint32_t node, bool named, const uint32_t *index,
                       fterm set, fterm *out)
{
    const struct name_meaning *meaning = &maker->reading->meaning.at[node];
    uint32_t n = maker->reading->ast.node.at[node].n;
    fterm args[FORMULA_ARGUMENTS + 1] = {set};
    if (!make_operands(maker, node, named, index, args + 1))
        return false;
    *out = meaning->kind == MEANS_REDUCE
               ? make_reduce(maker, meaning->op, set, args[1])
               : fterm_make(maker->terms, meaning->def->name, n + 1, args);
    return true;
}

// sum[j] of operands with positions: positions of the axes are bound, or stay.
static bool make_over_positions(struct term_maker *maker, uint32_t node, const uint32_t *index,
                                fterm *out)
{
    const struct ast_node *x = &maker->reading->ast.node.at[node];
    struct formula_shape all = operands_shape(maker, node);
    const struct name_meaning *meaning = &maker->reading->meaning.at[node];
    bool stays = meaning->kind == MEANS_DEFINED && !meaning->def->reduces;
    uint32_t inner[FORMULA_POSITIONS], bound[FORMULA_POSITIONS], reduced = 0, next = 0;
    for (uint32_t i = 0; i < x->axes_n; i++) {
        uint32_t axis, at;
        (void)reading_axis(maker->reading, maker->reading->ast.axis.at[x->axes_at + i].name, &axis);
        if (shape_position(maker->reading, &all, axis, &at))
            reduced |= 1u << at;
    }
    for (uint32_t q = 0; q < all.rank; q++)
        inner[q] = stays || !(reduced >> q & 1) ? index[next++] : NO_INDEX;
    uint32_t n = 0;
    for (uint32_t q = 0; q < all.rank; q++)
        if (reduced >> q & 1) {
            if (!stays)
                inner[q] = maker_index(maker, all.dim[q], inner, all.rank);
            bound[n++] = inner[q];
        }
    return apply_over(maker, node, false, inner, set_of(maker, n, bound), out);
}

static bool make_reduction(struct term_maker *maker, uint32_t node, const uint32_t *index,
                           fterm *out)
{
    const struct name_meaning *meaning = &maker->reading->meaning.at[node];
    const struct ast_node *x = &maker->reading->ast.node.at[node];
    struct formula_shape all = operands_shape(maker, node);
    bool named = operands_named(maker, node);
    if (meaning->kind == MEANS_DEFINED && meaning->def->n_axes == 0)
        return make_elementwise(maker, node, index, out);
    if (x->axes_n > 0 && !named && shape_open(&all))
        return make_over_positions(maker, node, index, out);
    if (x->axes_n > 0)
        return apply_over(maker, node, named, index, written_set(maker, node), out);
    if (all.kept & 1) // a sum over extent 1
        return make_operand(maker, args_of(maker, node)[0], false, index, out);
    uint32_t inner[FORMULA_POSITIONS];
    memcpy(inner, index, all.rank * sizeof *inner);
    if (maker_shape(maker, node)->kept & 1)
        inner[0] = maker_index(maker, all.dim[0], index + 1, all.rank - 1);
    return apply_over(maker, node, false, inner, set_of_one(maker, inner[0]), out);
}

static bool make_matmul(struct term_maker *maker, uint32_t node, const uint32_t *index, fterm *out)
{
    const uint32_t *args = args_of(maker, node);
    const struct formula_shape *shape = maker_shape(maker, args[0]), *s = maker_shape(maker, node);
    uint32_t left[FORMULA_POSITIONS], right[FORMULA_POSITIONS], k = NO_INDEX;
    fterm term, y;
    memcpy(left, index, s->rank * sizeof *left);
    memcpy(right, index, s->rank * sizeof *right);
    if (!(shape->kept & 1))
        k = maker_index(maker, shape->dim[0], index, s->rank);
    left[0] = right[1] = k;
    if (!make_operand(maker, args[0], false, left, &term) ||
        !make_operand(maker, args[1], false, right, &y))
        return false;
    *out = maker_binary(maker, "multiply", term, y);
    if (k != NO_INDEX)
        *out = make_reduce(maker, "reduce_add", set_of_one(maker, k), *out);
    return true;
}

static bool make_cat(struct term_maker *maker, uint32_t node, const uint32_t *index, fterm *out)
{
    const struct ast_node *x = &maker->reading->ast.node.at[node];
    const uint32_t *args = args_of(maker, node);
    const struct formula_shape *shape = maker_shape(maker, node);
    uint32_t of[3], inner[FORMULA_POSITIONS];
    bool named = x->axes_n == 3;
    fterm all[5];
    for (uint32_t i = 0; i < 3; i++) {
        if (named)
            (void)reading_axis(maker->reading, maker->reading->ast.axis.at[x->axes_at + i].name,
                               &of[i]);
        else if (i == 0)
            of[i] = index[0];
        else
            of[i] = maker_index(maker, maker_shape(maker, args[i - 1])->dim[0], index + 1,
                                shape->rank - 1);
        all[i] = set_of_one(maker, of[i]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(inner, index, shape->rank * sizeof *inner);
        inner[0] = of[i + 1];
        if (!make_operand(maker, args[i], named, inner, &all[3 + i]))
            return false;
    }
    *out = fterm_make(maker->terms, "concatenate", 5, all);
    return true;
}

static bool make_new(struct term_maker *maker, uint32_t node, const uint32_t *index, fterm *out)
{
    const struct ast_node *x = &maker->reading->ast.node.at[node];
    uint32_t swapped[FORMULA_POSITIONS];
    switch (maker->reading->meaning.at[node].kind) {
    case MEANS_UNUSED:
        break;
    case MEANS_NUMBER:
        return make_literal(maker, node, out);
    case MEANS_VARIABLE:
        *out = variable_at(maker, node, index);
        return true;
    case MEANS_ELEMENT:
        *out = element(maker, node);
        return true;
    case MEANS_CONSTANT:
        *out = fterm_make(maker->terms, x->name, 0, NULL);
        return true;
    case MEANS_LOG2E:
        *out = maker_binary(maker, "divide", maker_number(maker, "1"), make_log_of_two(maker));
        return true;
    case MEANS_EXTENT:
        return make_extent(maker, node, out);
    case MEANS_SIZE:
        *out = make1(maker, "count", written_set(maker, node));
        return true;
    case MEANS_LET:
        return maker_term(maker, args_of(maker, node)[0], index, out);
    case MEANS_OP:
    case MEANS_EXP2:
    case MEANS_LOG2:
        return make_elementwise(maker, node, index, out);
    case MEANS_REDUCE:
    case MEANS_DEFINED:
        return make_reduction(maker, node, index, out);
    case MEANS_MATMUL:
        return make_matmul(maker, node, index, out);
    case MEANS_TR:
        memcpy(swapped, index, maker_shape(maker, node)->rank * sizeof *swapped);
        swapped[0] = index[1];
        swapped[1] = index[0];
        return maker_term(maker, args_of(maker, node)[0], swapped, out);
    case MEANS_CAT:
        return make_cat(maker, node, index, out);
    }
    BUG("a formula's node without meaning");
}

bool maker_term(struct term_maker *maker, uint32_t node, const uint32_t *index, fterm *out)
{
    uint32_t rank = maker_shape(maker, node)->rank;
    for (uint32_t k = maker->first.at[node]; k != 0; k = maker->made.at[k - 1].next) {
        const struct made_term *made_term = &maker->made.at[k - 1];
        if (rank == 0 || memcmp(made_term->index, index, rank * sizeof *index) == 0) {
            *out = made_term->term;
            return true;
        }
    }
    if (maker->made.len >= FORMULA_WORK)
        return reading_fail(maker->reading, node,
                            "the formula is too long, definitions "
                            "written out");
    if (!make_new(maker, node, index, out))
        return false;
    struct made_term x = {.term = *out, .next = maker->first.at[node]};
    if (rank > 0)
        memcpy(x.index, index, rank * sizeof *index);
    vec_push(&maker->made, x);
    maker->first.at[node] = maker->made.len;
    return true;
}
