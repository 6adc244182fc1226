// SPDX-License-Identifier: Apache-2.0
// The equations between the sizes and attributes of a program and those of a rule.
#include "egraph/match/axes.h"
#include "egraph/program/constants.h"
#include "rules/attributes.h"

static void add_equation(struct match_axes *axes, struct equation_of of, const struct iexp *expr,
                         int64_t value, int64_t found)
{
    struct equation_at equation = {of, expr, value, found, NO_CLASS};
    vec_push(&axes->equations, equation);
}

// The start along dimension d: an index is bound to the class of its term,
// anything else is a constant.
static void start_equation(struct match_axes *axes, uint32_t i, uint32_t d, uint32_t c)
{
    const struct pat *pattern = &axes->rule->pats[i];
    const struct iexp *expr = attribute_given(pattern, c, 0);
    struct equation_of of = {i, c, 0};
    const term_id *args = term_args(axes->matcher->graph->terms, axes->matcher->node[i]);
    class_id class = egraph_find(axes->matcher->graph, args[pattern->n_args + d]);
    lit_id lit = class_constant(axes->matcher->graph, class);
    if (expr != NULL && iexp_is_index(axes->rule, expr)) {
        struct equation_at equation = {of, expr, 0, 0, class};
        vec_push(&axes->equations, equation);
    } else if (lit.v == NO_LIT.v) {
        add_equation(axes, of, NULL, 0, 1); // no constant: no match
    } else {
        enum elem elem = type_elem(axes->pool, egraph_type(axes->matcher->graph, class));
        uint64_t bits = literal_get(axes->pool, lit, 0).bits;
        bool fits = elem_kind(elem) == KIND_SINT || bits <= INT64_MAX;
        add_equation(axes, of, expr, fits ? 0 : 1, fits ? (int64_t)bits : 0);
    }
}

static int64_t operand_size(const struct match_axes *axes, uint32_t i, uint32_t d)
{
    term_id arg = term_args(axes->matcher->graph->terms, axes->matcher->node[i])[0];
    return type_dims(axes->pool, term_type(axes->matcher->graph->terms, arg))[d];
}

// Attribute k of class c, along dimension d of the node, is found to be so; where the
// pattern does not name it, it must be the default.
static void attribute_is(struct match_axes *axes, uint32_t i, uint32_t d, uint32_t c, uint32_t k,
                         int64_t found)
{
    const struct pat *pattern = &axes->rule->pats[i];
    uint32_t n;
    int64_t usual = attribute_forms(pattern->op, &n)[k].usual;
    if (usual == ATTRIBUTE_OF_OPERAND)
        usual = operand_size(axes, i, d);
    add_equation(axes, (struct equation_of){i, c, k}, attribute_given(pattern, c, k), usual, found);
}

// Attributes along dimension d of the node, of class c.
static void attribute_equations(struct match_axes *axes, uint32_t i, uint32_t d, uint32_t c)
{
    const struct pat *pattern = &axes->rule->pats[i];
    uint32_t n, rank = axes_count(axes, i);
    if (pattern->kind != PAT_OP)
        return;
    const int64_t *attr = axes_node_attr(axes, i, &n);
    switch (pattern->op) {
    case OP_SLICE:
    case OP_PAD:
        for (uint32_t k = 0; k < 3; k++)
            attribute_is(axes, i, d, c, k, attr[k * rank + d]);
        break;
    case OP_REDUCE_WINDOW:
        for (uint32_t k = 0; k < 6; k++)
            attribute_is(axes, i, d, c, k, attr[1 + k * rank + d]);
        break;
    case OP_DYNAMIC_SLICE:
        attribute_is(axes, i, d, c, 1, attr[d]);
        start_equation(axes, i, d, c);
        break;
    case OP_DYNAMIC_UPDATE_SLICE:
        start_equation(axes, i, d, c);
        break;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
}

// The window of a convolution along its j-th spatial axis, and the groups.
static void convolution_equations(struct match_axes *axes, uint32_t i,
                                  const struct axis_group *group)
{
    const struct pat *pattern = &axes->rule->pats[i];
    uint32_t n, q;
    if (pattern->kind != PAT_OP || pattern->op != OP_CONVOLUTION)
        return;
    const int64_t *attr = axes_node_attr(axes, i, &n), ns = attr[3];
    const int64_t *spatial = attr + n - ns; // of the result
    for (int64_t j = 0; j < ns; j++)
        if (axes_in_group(axes, group, axes->base[i] + (uint32_t)spatial[j], &q))
            for (uint32_t k = 0; k < 5; k++)
                attribute_is(axes, i, (uint32_t)spatial[j], axes->label[q], k,
                             attr[4 + k * ns + j]);
    const int64_t *groups = attr + 4 + 6 * ns;
    for (uint32_t k = 0; k < 2; k++) {
        const struct iexp *expr = k == 0 ? pattern->feature_groups : pattern->batch_groups;
        struct equation_of of = {i, NONE, k == 0 ? EQUATION_FEATURE_GROUPS : EQUATION_BATCH_GROUPS};
        add_equation(axes, of, expr, 1, groups[k]);
    }
}

// An integer that stands as an element: literals_fit asks again.
static void value_equation(struct match_axes *axes, uint32_t i, const struct axis_group *group)
{
    const struct pat *pattern = &axes->rule->pats[i];
    lit_id lit = axes->matcher->lit[i];
    if (pattern->kind != PAT_LITERAL || pattern->value == NULL || lit.v == NO_LIT.v ||
        pattern_value_family(axes->rule, pattern->value) !=
            axes->rule->classes[axes->label[group->first]].like)
        return;
    enum elem elem = pool_literal(axes->pool, lit)->elem;
    uint64_t bits = literal_get(axes->pool, lit, 0).bits;
    if ((elem_kind(elem) & (KIND_SINT | KIND_UINT)) &&
        (elem_kind(elem) == KIND_SINT || bits <= INT64_MAX))
        add_equation(axes, (struct equation_of){i, NONE, EQUATION_VALUE}, pattern->value, 0,
                     (int64_t)bits);
}

void axes_equations(struct match_axes *axes, const struct axis_group *group)
{
    uint32_t q;
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        const struct pat *pattern = &axes->rule->pats[i];
        convolution_equations(axes, i, group);
        value_equation(axes, i, group);
        for (uint32_t d = 0; d < axes_count(axes, i); d++) {
            if (!axes_in_group(axes, group, axes->base[i] + d, &q))
                continue;
            for (uint32_t k = 0; k < pattern->n_sizes; k++)
                if (pattern->sizes[k].cls == axes->label[q])
                    add_equation(axes, (struct equation_of){i, axes->label[q], EQUATION_SIZE},
                                 pattern->sizes[k].size, 0, axes->size[axes->base[i] + d]);
            attribute_equations(axes, i, d, axes->label[q]);
        }
    }
}
