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

// The number of axes of the classes whose size, in argument `arg` of the node, is not 1.
static uint32_t axes_of(const struct instance *in, const struct pat *pattern, uint32_t arg,
                        uint64_t classes)
{
    const struct pat *at = &in->rule->pats[pattern->args[arg]];
    uint32_t n = 0;
    for (uint32_t c = 0; c < in->rule->n_classes; c++)
        for (uint32_t i = 0; classes >> c & 1 && i < in->rank[c]; i++) {
            int64_t size = 0;
            n += !instance_size(in, at->n_sizes, at->sizes, in->class_axes[c][i], &size) ||
                 size != 1;
        }
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

// The number of axes, of sizes other than 1, over which a node adds or multiplies elements.
// For scatter these are the axes along which updates for one place may stand.
static uint32_t summed_axes(const struct instance *in, const struct pat *pattern)
{
    uint64_t own = 0;
    switch (pattern->op) {
    case OP_REDUCE:
    case OP_DOT_GENERAL:
        return axes_of(in, pattern, 0, pattern->classes);
    case OP_CONVOLUTION:
        return axes_of(in, pattern, 1, pattern->classes | pattern->spatial);
    case OP_REDUCE_WINDOW:
        return window_axes(in, pattern);
    case OP_SCATTER: {
        const struct pat *at = &in->rule->pats[pattern->args[1]];
        for (uint32_t i = 0; i < at->n_sizes; i++)
            own |= UINT64_C(1) << at->sizes[i].cls;
        return axes_of(in, pattern, 1, own & ~pattern->batch);
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

// Does the node add or multiply floats?
static bool sums_floats(const struct instance *in, const struct pat *pattern)
{
    enum elem elem;
    if (pattern->kind != PAT_OP)
        return false;
    elem = in->elem[pattern->type];
    return (op_info(pattern->op)->flow == FLOW_SUM ||
            (pattern->opvar == NONE &&
             (pattern->reducer == OP_ADD || pattern->reducer == OP_MULTIPLY))) &&
           elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem);
}

// Are nodes i and j one operation, on operands with their dimensions in one order?
static bool same_operation(const struct instance *in, uint32_t i, uint32_t j)
{
    const struct pat_place *p = &in->pat[i], *q = &in->pat[j];
    bool same = pat_same(in->rule, i, j) && order_same(&p->out, &q->out);
    for (uint32_t k = 0; same && k < in->rule->pats[i].n_args; k++)
        same = order_same(&p->in[k], &q->in[k]);
    return same;
}

// Floats bit for bit.  What an implementation makes of the terms of a sum may depend on the
// operation, which a proof takes for one function of the list of terms.  So the operation must
// be one; or, if the reading says that the list is all that counts, its order must not follow
// the layout.
static bool sums_are_one(const struct instance *in, enum float_reading reading)
{
    uint32_t first = NONE;
    bool one = true, along_one = true;
    for (uint32_t i = 0; i < in->rule->n_pats; i++) {
        const struct pat *pattern = &in->rule->pats[i];
        uint32_t n = sums_floats(in, pattern) ? summed_axes(in, pattern) : 0;
        if (n == 0)
            continue;
        along_one &= n == 1;
        one &= first == NONE || same_operation(in, first, i);
        if (first == NONE)
            first = i;
    }
    return one || (reading == READ_FLOAT_SUMS && along_one);
}

bool instance_monoids(const struct instance *in, enum float_reading reading, struct err *err)
{
    const struct rule *rule = in->rule;
    enum domain float_mode = reading_domain(reading);
    if (reading != READ_REAL && !sums_are_one(in, reading))
        return err_set(err, ERR_CHECK,
                       "rule %s: sums or products of floats %s, so their roundings may differ "
                       "(domain %s)",
                       rule->name,
                       reading == READ_FLOAT ? "are taken by other operations"
                                             : "over several axes are taken by other operations",
                       reading_text(reading));
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
