// SPDX-License-Identifier: Apache-2.0
// The laws that sums, and the operators bound to variables, must obey.
#include "rules/instance/instance.h"

bool monoid_holds(enum op op, enum elem elem, enum domain float_mode)
{
    if (!op_is_reducer(op) || !(op_kinds(op) & elem_kind(elem)))
        return false;
    return elem_kind(elem) != KIND_FLOAT || op_facts(op)->accuracy == ACCURACY_EXACT ||
           elem == ELEM_REAL || float_mode == DOMAIN_REAL;
}

bool monotone_holds(enum op op, enum elem elem, enum domain float_mode)
{
    const struct op_facts *facts = op_facts(op);
    if (op_class(op) != OPC_UNARY || !(op_kinds(op) & elem_kind(elem)) ||
        facts->order != ORDER_RISES || facts->defined != DEFINED_ALWAYS)
        return false;
    // Rounded results of approximations need not be monotone.
    return facts->accuracy == ACCURACY_EXACT || elem == ELEM_REAL || float_mode == DOMAIN_REAL;
}

static uint32_t axes_of(const struct instance *in, uint64_t classes)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < in->rule->n_classes; c++)
        n += classes >> c & 1 ? in->rank[c] : 0;
    return n;
}

// The number of axes along which the size of a window is not 1.
static uint32_t window_axes(const struct instance *in, const struct pat *pattern)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < pattern->n_attrs; k++) {
        const struct pat_attr *attr = &pattern->attrs[k];
        int64_t size = 1;
        for (uint32_t i = 0; attr->expr[0] != NULL && i < in->rank[attr->cls]; i++)
            n += !instance_iexp(in, attr->expr[0], attr->cls, i, &size) || size != 1;
    }
    return n;
}

// The number of axes over which a node adds or multiplies elements.  For scatter these
// are the axes along which updates for one place may stand.
static uint32_t summed_axes(const struct instance *in, const struct pat *pattern)
{
    uint64_t own = 0;
    switch (pattern->op) {
    case OP_REDUCE:
    case OP_DOT_GENERAL:
        return axes_of(in, pattern->classes);
    case OP_CONVOLUTION:
        return axes_of(in, pattern->classes | pattern->spatial);
    case OP_REDUCE_WINDOW:
        return window_axes(in, pattern);
    case OP_SCATTER: {
        const struct pat *at = &in->rule->pats[pattern->args[1]];
        for (uint32_t i = 0; i < at->n_sizes; i++)
            own |= UINT64_C(1) << at->sizes[i].cls;
        return axes_of(in, own & ~pattern->batch);
    }
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
    return 0;
}

// Floats bit for bit: a sum or product over several axes takes its elements in an
// order that follows the layout, and a rule does not fix the order of axes.  Over one
// axis the order of the elements is fixed.
static bool one_order(const struct instance *in, const struct pat *pattern)
{
    enum elem elem = in->elem[pattern->type];
    bool sums =
        op_info(pattern->op)->flow == FLOW_SUM ||
        (pattern->opvar == NONE && (pattern->reducer == OP_ADD || pattern->reducer == OP_MULTIPLY));
    return !sums || elem_kind(elem) != KIND_FLOAT || elem_is_ideal(elem) ||
           summed_axes(in, pattern) <= 1;
}

bool instance_monoids(const struct instance *in, enum domain float_mode, struct err *err)
{
    const struct rule *rule = in->rule;
    for (uint32_t i = 0; float_mode == DOMAIN_FLOAT && i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_OP && !one_order(in, &rule->pats[i]))
            return err_set(err, ERR_CHECK,
                           "rule %s: a sum or product of floats over several "
                           "axes has no order of its own in domain float",
                           rule->name);
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        const struct op_var *opvar = &rule->opvars[i];
        enum elem elem = in->elem[opvar->result];
        if (opvar->kind == OPVAR_MONOID && !monoid_holds(in->op[i].op, elem, float_mode))
            return err_set(err, ERR_CHECK,
                           "rule %s: %s on %s is not commutative and "
                           "associative with a unit in domain %s",
                           rule->name, op_name(in->op[i].op), elem_text(elem),
                           domain_text(float_mode));
        if (opvar->kind == OPVAR_MONOTONE && !monotone_holds(in->op[i].op, elem, float_mode))
            return err_set(err, ERR_CHECK,
                           "rule %s: %s on %s does not keep the order in "
                           "domain %s",
                           rule->name, op_name(in->op[i].op), elem_text(elem),
                           domain_text(float_mode));
    }
    return true;
}
