// SPDX-License-Identifier: Apache-2.0
// What the operators that variables are bound to, and sums, have to obey.
#include "rules/instance/instance.h"

bool monoid_holds(enum op op, enum elem t, enum domain float_mode)
{
    if (!op_is_reducer(op) || !(op_kinds(op) & elem_kind(t)))
        return false;
    if (elem_kind(t) != KIND_FLOAT)
        return true;
    bool picks = op == OP_MAXIMUM || op == OP_MINIMUM;
    bool exact = t == ELEM_REAL || float_mode == DOMAIN_REAL;
    return picks || (exact && (op == OP_ADD || op == OP_MULTIPLY));
}

bool monotone_holds(enum op op, enum elem t, enum domain float_mode)
{
    if (elem_kind(t) != KIND_FLOAT)
        return op == OP_SIGN && elem_kind(t) == KIND_SINT;
    switch (op) {
    case OP_CEIL:
    case OP_FLOOR:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
    case OP_SIGN:
        return true;
    case OP_ERF:
    case OP_CBRT:
    case OP_EXPONENTIAL:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_LOGISTIC:
    case OP_TANH:
        // Rounded results of approximations need not be monotone.
        return t == ELEM_REAL || float_mode == DOMAIN_REAL;
    default:
        return false;
    }
}

static uint32_t axes_of(const struct instance *in, uint64_t classes)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < in->rule->n_classes; c++)
        n += classes >> c & 1 ? in->rank[c] : 0;
    return n;
}

// Axes along which a window has another size than 1.
static uint32_t window_axes(const struct instance *in, const struct pat *p)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->n_attrs; k++) {
        const struct pat_attr *a = &p->attrs[k];
        int64_t size = 1;
        for (uint32_t i = 0; a->v[0] != NULL && i < in->rank[a->cls]; i++)
            n += !instance_iexp(in, a->v[0], a->cls, i, &size) || size != 1;
    }
    return n;
}

// The axes over which a node adds elements up, or multiplies them: those of
// scatter are the ones along which updates for one place may stand.
static uint32_t summed_axes(const struct instance *in, const struct pat *p)
{
    uint64_t own = 0;
    switch (p->op) {
    case OP_REDUCE:
    case OP_DOT_GENERAL:
        return axes_of(in, p->classes);
    case OP_CONVOLUTION:
        return axes_of(in, p->classes | p->spatial);
    case OP_REDUCE_WINDOW:
        return window_axes(in, p);
    case OP_SCATTER: {
        const struct pat *at = &in->rule->pats[p->args[1]];
        for (uint32_t i = 0; i < at->n_sizes; i++)
            own |= UINT64_C(1) << at->sizes[i].cls;
        return axes_of(in, own & ~p->batch);
    }
    default:
        return 0;
    }
}

// Floats bit for bit: a sum or product over several axes takes its elements in
// an order that follows the layout, and which axis comes first is not the
// rule's to say.  Over one axis it is the order of that axis.
static bool one_order(const struct instance *in, const struct pat *p)
{
    enum elem t = in->elem[p->type];
    bool sums = p->op == OP_DOT_GENERAL || p->op == OP_CONVOLUTION ||
                (p->opvar == NONE &&
                 (p->reducer == OP_ADD || p->reducer == OP_MULTIPLY));
    return !sums || elem_kind(t) != KIND_FLOAT || elem_is_ideal(t) ||
           summed_axes(in, p) <= 1;
}

bool instance_monoids(const struct instance *in, enum domain float_mode,
                      struct err *e)
{
    const struct rule *r = in->rule;
    for (uint32_t i = 0; float_mode == DOMAIN_FLOAT && i < r->n_pats; i++)
        if (r->pats[i].kind == PAT_OP && !one_order(in, &r->pats[i]))
            return err_set(e, ERR_CHECK,
                           "rule %s: a sum or product of floats over several "
                           "axes has no order of its own in domain float",
                           r->name);
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        const struct op_var *v = &r->opvars[i];
        enum elem t = in->elem[v->result];
        if (v->kind == OPVAR_MONOID &&
            !monoid_holds(in->op[i].op, t, float_mode))
            return err_set(e, ERR_CHECK,
                           "rule %s: %s on %s is not commutative and "
                           "associative with a unit in domain %s",
                           r->name, op_name(in->op[i].op), elem_text(t),
                           domain_text(float_mode));
        if (v->kind == OPVAR_MONOTONE &&
            !monotone_holds(in->op[i].op, t, float_mode))
            return err_set(e, ERR_CHECK,
                           "rule %s: %s on %s does not keep the order in "
                           "domain %s",
                           r->name, op_name(in->op[i].op), elem_text(t),
                           domain_text(float_mode));
    }
    return true;
}
