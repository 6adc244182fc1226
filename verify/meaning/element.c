// SPDX-License-Identifier: Apache-2.0
// The element at a symbolic index of a pattern.
#include "verify/meaning/parts.h"

static size_t index_size(const struct denote *denote)
{
    return (size_t)denote->rule->n_classes * denote->max_rank + 1;
}

expr_id *denote_new_index(struct denote *denote)
{
    expr_id *ix = mem_alloc(index_size(denote) * sizeof *ix);
    for (size_t i = 0; i < index_size(denote); i++)
        ix[i] = NO_EXPR;
    return ix;
}

void denote_out_index(struct denote *denote, uint32_t pat, expr_id *index)
{
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        for (uint32_t k = 0; k < denote->rank[c]; k++)
            if (denote_has_class(denote, pat, c))
                index[c * denote->max_rank + k] =
                    expr_var(denote->exprs, VAR_OUT, c, k, 0, denote_part(denote->rule, c, k));
}

void denote_in_range(struct denote *denote, uint32_t pat, const expr_id *index, struct clauses *out)
{
    struct exprs *exprs = denote->exprs;
    for (uint32_t c = 0; c < denote->rule->n_classes; c++) {
        if (!denote_has_class(denote, pat, c))
            continue;
        for (uint32_t k = 0; k < denote->rank[c]; k++) {
            expr_id i = index[c * denote->max_rank + k];
            struct clause clause = {
                NO_EXPR, denote_family(denote->rule, c), k, c, "the index is in range", pat, false};
            clause.cond = expr_and2(exprs, expr_le(exprs, expr_int(exprs, 0), i),
                                    expr_lt(exprs, i, denote_size(denote, pat, c, k)));
            vec_push(&out->at, clause);
        }
    }
}

// "12.50" as k / 10^scale.  False if it does not fit.
static bool read_decimal(const char *text, int64_t *k, uint32_t *scale)
{
    bool negative = *text == '-', point = false;
    uint64_t v = 0;
    uint32_t digits = 0;
    for (text += negative; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (v > 99999999999999999U)
            return false;
        v = v * 10 + (uint64_t)(*text - '0');
        digits += point;
    }
    if (*text != '\0')
        return false;
    while (digits > 0 && v % 10 == 0 && v != 0) {
        v /= 10;
        digits--;
    }
    *scale = v == 0 ? negative : digits; // k = 0, scale 1: the negative zero
    *k = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

expr_id denote_unit(struct denote *denote, const struct pat *pattern)
{
    struct exprs *exprs = denote->exprs;
    if (pattern->reducer == N_OPS)
        return expr_literal(exprs, LIT_UNIT, 0, pattern->opvar, pattern->type);
    switch (op_facts(pattern->reducer)->unit) {
    case UNIT_ONE:
        return expr_literal(exprs, LIT_INT, 1, 0, pattern->type);
    case UNIT_LOWEST:
        return expr_literal(exprs, LIT_LOWEST, 0, 0, pattern->type);
    case UNIT_HIGHEST:
        return expr_literal(exprs, LIT_HIGHEST, 0, 0, pattern->type);
    case UNIT_ONES:
        return expr_literal(exprs, LIT_INT, -1, 1, pattern->type);
    case UNIT_ZERO:
        return expr_literal(exprs, LIT_INT, 0, 0, pattern->type);
    case UNIT_NONE:
    case UNIT_RIGHT_ZERO:
    case UNIT_RIGHT_ONE:
        break;
    }
    BUG("%s has no unit", op_name(pattern->reducer));
}

static expr_id literal(struct denote *denote, const struct pat *pattern)
{
    struct exprs *exprs = denote->exprs;
    int64_t k = pattern->k;
    uint32_t scale = 0;
    switch (pattern->lit) {
    case LIT_UNIT:
        return denote_unit(denote, pattern);
    case LIT_INF:
        return expr_literal(exprs, k > 0 ? LIT_HIGHEST : LIT_LOWEST, 0, 0, pattern->type);
    case LIT_DECIMAL:
        if (!read_decimal(pattern->text, &k, &scale))
            denote->failure = "a decimal literal is too long";
        if (scale == 0)
            return expr_literal(exprs, LIT_INT, k, 0, pattern->type);
        return expr_literal(exprs, LIT_DECIMAL, k, scale, pattern->type);
    case LIT_LOWEST:
    case LIT_HIGHEST:
        return expr_literal(exprs, pattern->lit, 0, 0, pattern->type);
    case LIT_PI:
        denote->failure = "pi";
        return expr_literal(exprs, LIT_INT, 3, 0, pattern->type);
    case LIT_VALUE:
        return expr_inject(exprs, denote_iexp(denote, pattern->value, 0), pattern->type);
    default:
        return expr_literal(exprs, pattern->lit, k, 0, pattern->type);
    }
}

static expr_id access(struct denote *denote, const struct pat *pattern, const expr_id *index)
{
    const struct tensor_var *tensor = &denote->rule->tensors[pattern->var];
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < tensor->n_sizes; i++)
        for (uint32_t k = 0; k < denote->rank[tensor->sizes[i].cls]; k++)
            vec_push(&args, index[tensor->sizes[i].cls * denote->max_rank + k]);
    expr_id e = expr_access(denote->exprs, pattern->var, tensor->type, args.len, args.at);
    vec_release(&args);
    return e;
}

// Moves the index to the element of a pad's operand on one axis.  Returns the condition that
// there is one.
static expr_id pad_axis(struct denote *denote, const struct pat *pattern,
                        const struct pat_attr *attr, uint32_t place, expr_id *i)
{
    struct exprs *exprs = denote->exprs;
    expr_id zero = expr_int(exprs, 0);
    expr_id n = denote_size(denote, pattern->args[0], attr->cls, place);
    expr_id q = *i, fits = expr_true(exprs);
    if (attr->expr[0] != NULL)
        q = expr_sub(exprs, q, denote_iexp(denote, attr->expr[0], place));
    if (attr->expr[2] != NULL) {
        expr_id step =
            expr_add(exprs, denote_iexp(denote, attr->expr[2], place), expr_int(exprs, 1));
        fits = expr_eq(exprs, expr_mod(exprs, q, step), zero);
        q = expr_div(exprs, q, step);
    }
    *i = q;
    expr_id all[] = {fits, expr_le(exprs, zero, q), expr_lt(exprs, q, n)};
    return expr_and(exprs, 3, all);
}

void denote_note_fold(struct denote *denote, uint32_t cls, expr_id cond)
{
    vec_push(&denote->folds, ((struct axis_condition){cls, cond}));
}

static expr_id pad(struct denote *denote, const struct pat *pattern, expr_id *index)
{
    struct exprs *exprs = denote->exprs;
    expr_id inside = expr_true(exprs);
    expr_id *none = denote_new_index(denote);
    expr_id value = denote_element(denote, pattern->args[1], none);
    mem_free(none);
    for (uint32_t j = 0; j < pattern->n_attrs; j++) {
        const struct pat_attr *attr = &pattern->attrs[j];
        expr_id all = expr_true(exprs);
        for (uint32_t k = 0; k < denote->rank[attr->cls]; k++)
            all = expr_and2(
                exprs, all,
                pad_axis(denote, pattern, attr, k, &index[attr->cls * denote->max_rank + k]));
        denote_note_fold(denote, attr->cls, all);
        inside = expr_and2(exprs, inside, all);
    }
    return expr_pick(exprs, inside, denote_element(denote, pattern->args[0], index), value);
}

static expr_id concat(struct denote *denote, const struct pat *pattern, expr_id *index)
{
    struct exprs *exprs = denote->exprs;
    uint32_t axis = denote_lowest_bit(pattern->classes);
    expr_id *at = &index[axis * denote->max_rank];
    struct u32_vec part = {0}, cut = {0};
    for (uint32_t j = 0; j < pattern->n_args; j++) {
        expr_id i = *at;
        expr_id n = denote_size(denote, pattern->args[j], axis, 0);
        vec_push(&part, denote_element(denote, pattern->args[j], index));
        vec_push(&cut, expr_lt(exprs, i, n));
        *at = expr_sub(exprs, i, n);
    }
    expr_id out = vec_pop(&part);
    while (part.len > 0) {
        out = expr_pick(exprs, cut.at[part.len - 1], vec_last(&part), out);
        (void)vec_pop(&part);
    }
    vec_release(&part);
    vec_release(&cut);
    return out;
}

static expr_id compare(struct denote *denote, const struct pat *pattern, expr_id a, expr_id b)
{
    struct exprs *exprs = denote->exprs;
    switch (pattern->dir) {
    case CMP_GT:
        return expr_op(exprs, OP_COMPARE, CMP_LT, pattern->type, 2, (expr_id[]){b, a});
    case CMP_GE:
        return expr_op(exprs, OP_COMPARE, CMP_LE, pattern->type, 2, (expr_id[]){b, a});
    case CMP_NE: {
        expr_id eq = expr_op(exprs, OP_COMPARE, CMP_EQ, pattern->type, 2, (expr_id[]){a, b});
        return expr_op(exprs, OP_NOT, 0, pattern->type, 1, &eq);
    }
    default:
        return expr_op(exprs, OP_COMPARE, pattern->dir, pattern->type, 2, (expr_id[]){a, b});
    }
}

static bool always_bool(const struct denote *denote, uint32_t type)
{
    return denote->rule->types[type].kinds == KIND_BOOL;
}

// From i1: 1 or 0, numbers that every type has.  To i1: x != 0.  A choice is converted
// branch by branch.  Other conversions are uninterpreted.
static expr_id convert(struct denote *denote, uint32_t to, expr_id a)
{
    struct exprs *exprs = denote->exprs;
    const struct expr node = *expr_at(exprs, a);
    bool to_bool = always_bool(denote, to), from_bool = always_bool(denote, node.type);
    if (node.type == to)
        return a;
    if (node.kind == X_LITERAL && node.op == LIT_INT && (node.k == 0 || node.k == 1))
        return to_bool ? expr_literal(exprs, LIT_BOOL, node.k, 0, to)
                       : expr_literal(exprs, LIT_INT, node.k, 0, to);
    if (node.kind == X_OP && node.op == OP_SELECT) {
        expr_id pick[] = {expr_arg(exprs, a, 0), NO_EXPR, NO_EXPR};
        pick[1] = convert(denote, to, expr_arg(exprs, a, 1));
        pick[2] = convert(denote, to, expr_arg(exprs, a, 2));
        return expr_op(exprs, OP_SELECT, 0, to, 3, pick);
    }
    if (from_bool) {
        enum literal_kind lit = to_bool ? LIT_BOOL : LIT_INT;
        expr_id pick[] = {a, expr_literal(exprs, lit, 1, 0, to),
                          expr_literal(exprs, lit, 0, 0, to)};
        return expr_op(exprs, OP_SELECT, 0, to, 3, pick);
    }
    if (to_bool) {
        expr_id sides[] = {a, expr_literal(exprs, LIT_INT, 0, 0, node.type)};
        expr_id eq = expr_op(exprs, OP_COMPARE, CMP_EQ, to, 2, sides);
        return expr_op(exprs, OP_NOT, 0, to, 1, &eq);
    }
    return expr_op(exprs, OP_CONVERT, 0, to, 1, &a);
}

// The same bits, branch by branch.  Two bitcasts are one if the type in between keeps all
// bits; all NaNs of a float count as one value.
static expr_id bitcast(struct denote *denote, uint32_t to, expr_id a)
{
    struct exprs *exprs = denote->exprs;
    const struct expr node = *expr_at(exprs, a);
    if (node.type == to)
        return a;
    if (node.kind == X_PICK)
        return expr_pick(exprs, expr_arg(exprs, a, 0), bitcast(denote, to, expr_arg(exprs, a, 1)),
                         bitcast(denote, to, expr_arg(exprs, a, 2)));
    if (node.kind == X_OP && node.op == OP_BITCAST_CONVERT) {
        expr_id from = expr_arg(exprs, a, 0);
        if ((denote->rule->types[node.type].kinds & KIND_FLOAT) == 0)
            return bitcast(denote, to, from);
    }
    return expr_op(exprs, OP_BITCAST_CONVERT, 0, to, 1, &a);
}

static expr_id elementwise(struct denote *denote, const struct pat *pattern, const expr_id *index)
{
    struct exprs *exprs = denote->exprs;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < pattern->n_args; i++)
        vec_push(&args, denote_element(denote, pattern->args[i], index));
    expr_id e;
    if (pattern->kind == PAT_OPVAR) {
        e = expr_opvar(exprs, pattern->var, pattern->type, args.len, args.at);
    } else if (pattern->op == OP_COMPARE) {
        e = compare(denote, pattern, args.at[0], args.at[1]);
    } else if (pattern->op == OP_CONVERT) {
        e = convert(denote, pattern->type, args.at[0]);
    } else if (pattern->op == OP_REAL) { // of floats, which have no imaginary part
        e = args.at[0];
    } else if (pattern->op == OP_IMAG) {
        vec_push(&denote->dropped, args.at[0]);
        e = expr_literal(exprs, LIT_INT, 0, 0, pattern->type);
    } else if (pattern->op == OP_CLAMP) { // minimum(maximum(x, low), high)
        e = expr_op(exprs, OP_MAXIMUM, 0, pattern->type, 2, (expr_id[]){args.at[1], args.at[0]});
        e = expr_op(exprs, OP_MINIMUM, 0, pattern->type, 2, (expr_id[]){e, args.at[2]});
    } else {
        e = expr_op(exprs, pattern->op, 0, pattern->type, args.len, args.at);
    }
    vec_release(&args);
    return e;
}

static expr_id move(struct denote *denote, uint32_t pat, expr_id *ix)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[pat];
    switch (pattern->op) {
    case OP_IOTA:
        return expr_inject(exprs, ix[denote_lowest_bit(pattern->classes) * denote->max_rank],
                           pattern->type);
    case OP_BROADCAST_IN_DIM:
        return denote_element(denote, pattern->args[0], ix);
    case OP_REVERSE:
        for (uint32_t c = 0; c < denote->rule->n_classes; c++)
            for (uint32_t k = 0; (pattern->classes >> c & 1) && k < denote->rank[c]; k++) {
                expr_id *i = &ix[c * denote->max_rank + k];
                expr_id n = denote_size(denote, pattern->args[0], c, k);
                *i = expr_sub(exprs, expr_sub(exprs, n, expr_int(exprs, 1)), *i);
            }
        return denote_element(denote, pattern->args[0], ix);
    case OP_SLICE:
        for (uint32_t j = 0; j < pattern->n_attrs; j++) {
            const struct pat_attr *attr = &pattern->attrs[j];
            for (uint32_t k = 0; k < denote->rank[attr->cls]; k++) {
                expr_id *i = &ix[attr->cls * denote->max_rank + k];
                if (attr->expr[2] != NULL)
                    *i = expr_mul(exprs, *i, denote_iexp(denote, attr->expr[2], k));
                if (attr->expr[0] != NULL)
                    *i = expr_add(exprs, denote_iexp(denote, attr->expr[0], k), *i);
            }
        }
        return denote_element(denote, pattern->args[0], ix);
    case OP_PAD:
        return pad(denote, pattern, ix);
    case OP_CONCATENATE:
        return concat(denote, pattern, ix);
    case OP_REDUCE:
        return denote_reduce(denote, pat, ix);
    case OP_DOT_GENERAL:
        return denote_dot(denote, pat, ix);
    case OP_CONVOLUTION:
        return denote_convolution(denote, pat, ix);
    case OP_REDUCE_WINDOW:
        return denote_reduce_window(denote, pat, ix);
    case OP_DYNAMIC_SLICE:
        return denote_dynamic_slice(denote, pat, ix);
    case OP_DYNAMIC_UPDATE_SLICE:
        return denote_dynamic_update(denote, pat, ix);
    case OP_GATHER:
        return denote_gather(denote, pat, ix);
    case OP_SCATTER:
        return denote_scatter(denote, pat, ix);
    case OP_RESHAPE:
        return denote_reshape(denote, pat, ix);
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_TRANSPOSE:
    case OP_BITCAST_CONVERT:
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    denote->failure = "an operator that the verifier does not know";
    return expr_atom(exprs, pat, pattern->type);
}

static void relabel(struct denote *denote, const struct pat *pattern, const expr_id *index,
                    expr_id *ix)
{
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        for (uint32_t k = 0; k < denote->max_rank; k++)
            ix[pattern->relabels[i].from * denote->max_rank + k] =
                index[pattern->relabels[i].to * denote->max_rank + k];
}

expr_id denote_element(struct denote *denote, uint32_t pat, const expr_id *index)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    switch (pattern->kind) {
    case PAT_TENSOR:
        return access(denote, pattern, index);
    case PAT_SCALAR:
        return expr_scalar(denote->exprs, pattern->var, denote->rule->scalars[pattern->var].type);
    case PAT_LITERAL:
        return literal(denote, pattern);
    case PAT_OPVAR:
        return elementwise(denote, pattern, index);
    case PAT_CALL: // proved by definition, not here
        denote->failure = "a named function";
        return expr_atom(denote->exprs, pat, pattern->type);
    case PAT_SPLAT:
    case PAT_OP:
    case PAT_RELABEL:
        break;
    }
    if (pattern->kind == PAT_OP && op_is_elementwise(pattern->op))
        return elementwise(denote, pattern, index);
    if (denote_is_op(pattern, OP_BITCAST_CONVERT))
        return bitcast(denote, pattern->type, denote_element(denote, pattern->args[0], index));
    expr_id *ix = denote_new_index(denote);
    expr_id e;
    memcpy(ix, index, index_size(denote) * sizeof *ix);
    if (pattern->kind == PAT_RELABEL) {
        relabel(denote, pattern, index, ix);
        e = denote_element(denote, pattern->args[0], ix);
    } else if (pattern->kind == PAT_SPLAT) {
        e = denote_element(denote, pattern->args[0], ix);
    } else {
        e = move(denote, pat, ix);
    }
    mem_free(ix);
    return e;
}
