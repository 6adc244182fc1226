// SPDX-License-Identifier: Apache-2.0
// In which order do the sums of an instance take their terms?  A rule names axes; a tensor
// has dimensions in an order.  The value of a sum of floats over several axes depends on
// that order.  The claim of domain float reads every sum in one order of the axes: class by
// class as the rule declares them, place by place (docs/semantics.md).  Only instances with
// such a layout show an exact difference of sums.
#include "verify/counterexample/parts.h"

// Does the order list the axes of these classes in ascending order, behind axis *last?
static bool ascending(const struct instance *in, const struct order *order, uint64_t classes,
                      int64_t *last)
{
    for (uint32_t i = 0; i < order->n; i++) {
        if ((classes >> (in->axis_class[order->axis[i]] & 63) & 1) == 0)
            continue;
        if ((int64_t)order->axis[i] < *last)
            return false;
        *last = order->axis[i];
    }
    return true;
}

static uint64_t classes_of(const struct pat *pattern)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        set |= UINT64_C(1) << (pattern->sizes[i].cls & 63);
    return set;
}

static uint64_t window_classes(const struct pat *pattern)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < pattern->n_attrs; i++)
        if (pattern->attrs[i].expr[0] != NULL)
            set |= UINT64_C(1) << (pattern->attrs[i].cls & 63);
    return set;
}

static bool node_in_order(const struct instance *in, uint32_t i)
{
    const struct pat *pattern = &in->rule->pats[i];
    const struct order *from = in->pat[i].in;
    int64_t last = -1;
    switch (pattern->op) {
    case OP_REDUCE:
    case OP_DOT_GENERAL:
        return ascending(in, &from[0], pattern->classes, &last);
    case OP_CONVOLUTION: // features, then the places of the window
        return ascending(in, &from[0], pattern->classes, &last) &&
               ascending(in, &from[0], pattern->spatial, &last);
    case OP_REDUCE_WINDOW:
        return ascending(in, &from[0], window_classes(pattern), &last);
    case OP_SCATTER: // updates for one place, in the order of the updates
        return ascending(in, &from[2],
                         classes_of(&in->rule->pats[pattern->args[1]]) & ~pattern->batch, &last);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return true;
}

bool cex_in_order(const struct instance *in)
{
    const struct rule *rule = in->rule;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_OP && in->pat[i].in != NULL &&
            elem_kind(in->elem[rule->pats[i].type]) == KIND_FLOAT && !node_in_order(in, i))
            return false;
    return true;
}

static bool is_sum(const struct pat *pattern)
{
    return pattern->kind == PAT_OP &&
           (op_info(pattern->op)->flow == FLOW_SUM ||
            (op_has_reducer(pattern->op) &&
             (pattern->reducer == OP_ADD || pattern->reducer == OP_MULTIPLY)));
}

bool cex_has_float_sums(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (is_sum(&rule->pats[i]) && (rule->types[rule->pats[i].type].kinds & KIND_FLOAT) != 0)
            return true;
    return false;
}

bool cex_sums_floats(const struct rule *rule, const struct cex_case *candidate)
{
    for (uint32_t i = 0; i < rule->n_pats && !candidate->approximate; i++) {
        enum elem elem = candidate->elem[rule->pats[i].type];
        if (is_sum(&rule->pats[i]) && elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem))
            return true;
    }
    return false;
}
