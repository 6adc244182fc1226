// SPDX-License-Identifier: Apache-2.0
// Elements: what stands at a symbolic index of a pattern.
#include "verify/meaning/parts.h"

static size_t index_size(const struct denote *d)
{
    return (size_t)d->r->n_classes * d->max_rank + 1;
}

expr_id *denote_new_index(struct denote *d)
{
    expr_id *ix = mem_alloc(index_size(d) * sizeof *ix);
    for (size_t i = 0; i < index_size(d); i++)
        ix[i] = NO_EXPR;
    return ix;
}

void denote_out_index(struct denote *d, uint32_t pat, expr_id *index)
{
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        for (uint32_t k = 0; k < d->rank[c]; k++)
            if (denote_has_class(d, pat, c))
                index[c * d->max_rank + k] =
                    expr_var(d->x, VAR_OUT, c, k, 0, denote_part(d->r, c, k));
}

void denote_in_range(struct denote *d, uint32_t pat, const expr_id *index,
                     struct clauses *out)
{
    struct exprs *x = d->x;
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        if (!denote_has_class(d, pat, c))
            continue;
        for (uint32_t k = 0; k < d->rank[c]; k++) {
            expr_id i = index[c * d->max_rank + k];
            struct clause q = {NO_EXPR, denote_family(d->r, c),  k,
                               c,       "the index is in range", pat,
                               false};
            q.cond = expr_and2(x, expr_le(x, expr_int(x, 0), i),
                               expr_lt(x, i, denote_size(d, pat, c, k)));
            vec_push(&out->at, q);
        }
    }
}

// "12.50" as k / 10^sym; false if it does not fit.
static bool read_decimal(const char *s, int64_t *k, uint32_t *scale)
{
    bool negative = *s == '-', point = false;
    uint64_t v = 0;
    uint32_t digits = 0;
    for (s += negative; (*s >= '0' && *s <= '9') || (*s == '.' && !point);
         s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        if (v > 99999999999999999U)
            return false;
        v = v * 10 + (uint64_t)(*s - '0');
        digits += point;
    }
    if (*s != '\0')
        return false;
    while (digits > 0 && v % 10 == 0 && v != 0) {
        v /= 10;
        digits--;
    }
    *scale = v == 0 ? negative : digits; // k = 0, scale 1: the negative zero
    *k = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

expr_id denote_unit(struct denote *d, const struct pat *p)
{
    struct exprs *x = d->x;
    if (p->reducer == N_OPS)
        return expr_literal(x, LIT_UNIT, 0, p->opvar, p->type);
    switch (p->reducer) {
    case OP_MULTIPLY:
        return expr_literal(x, LIT_INT, 1, 0, p->type);
    case OP_MAXIMUM:
        return expr_literal(x, LIT_LOWEST, 0, 0, p->type);
    case OP_MINIMUM:
        return expr_literal(x, LIT_HIGHEST, 0, 0, p->type);
    case OP_AND:
        return expr_literal(x, LIT_INT, -1, 1, p->type);
    default: // add, or
        return expr_literal(x, LIT_INT, 0, 0, p->type);
    }
}

static expr_id literal(struct denote *d, const struct pat *p)
{
    struct exprs *x = d->x;
    int64_t k = p->k;
    uint32_t scale = 0;
    switch (p->lit) {
    case LIT_UNIT:
        return denote_unit(d, p);
    case LIT_INF:
        return expr_literal(x, k > 0 ? LIT_HIGHEST : LIT_LOWEST, 0, 0, p->type);
    case LIT_DECIMAL:
        if (!read_decimal(p->text, &k, &scale))
            d->failure = "a decimal literal is too long";
        if (scale == 0)
            return expr_literal(x, LIT_INT, k, 0, p->type);
        return expr_literal(x, LIT_DECIMAL, k, scale, p->type);
    case LIT_LOWEST:
    case LIT_HIGHEST:
        return expr_literal(x, p->lit, 0, 0, p->type);
    case LIT_PI:
        d->failure = "pi";
        return expr_literal(x, LIT_INT, 3, 0, p->type);
    case LIT_VALUE:
        return expr_inject(x, denote_iexp(d, p->value, 0), p->type);
    default:
        return expr_literal(x, p->lit, k, 0, p->type);
    }
}

static expr_id access(struct denote *d, const struct pat *p,
                      const expr_id *index)
{
    const struct tensor_var *t = &d->r->tensors[p->var];
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < t->n_sizes; i++)
        for (uint32_t k = 0; k < d->rank[t->sizes[i].cls]; k++)
            vec_push(&args, index[t->sizes[i].cls * d->max_rank + k]);
    expr_id e = expr_access(d->x, p->var, t->type, args.len, args.at);
    vec_release(&args);
    return e;
}

// Where element i of one axis of a pad comes from; returns the condition.
static expr_id pad_axis(struct denote *d, const struct pat *p,
                        const struct pat_attr *a, uint32_t place, expr_id *i)
{
    struct exprs *x = d->x;
    expr_id zero = expr_int(x, 0);
    expr_id n = denote_size(d, p->args[0], a->cls, place);
    expr_id q = *i, fits = expr_true(x);
    if (a->v[0] != NULL)
        q = expr_sub(x, q, denote_iexp(d, a->v[0], place));
    if (a->v[2] != NULL) {
        expr_id step =
            expr_add(x, denote_iexp(d, a->v[2], place), expr_int(x, 1));
        fits = expr_eq(x, expr_mod(x, q, step), zero);
        q = expr_div(x, q, step);
    }
    *i = q;
    expr_id all[] = {fits, expr_le(x, zero, q), expr_lt(x, q, n)};
    return expr_and(x, 3, all);
}

void denote_note_fold(struct denote *d, uint32_t cls, expr_id cond)
{
    vec_push(&d->folds, ((struct axis_condition){cls, cond}));
}

static expr_id pad(struct denote *d, const struct pat *p, expr_id *index)
{
    struct exprs *x = d->x;
    expr_id inside = expr_true(x);
    expr_id *none = denote_new_index(d);
    expr_id value = denote_element(d, p->args[1], none);
    mem_free(none);
    for (uint32_t j = 0; j < p->n_attrs; j++) {
        const struct pat_attr *a = &p->attrs[j];
        expr_id all = expr_true(x);
        for (uint32_t k = 0; k < d->rank[a->cls]; k++)
            all = expr_and2(
                x, all, pad_axis(d, p, a, k, &index[a->cls * d->max_rank + k]));
        denote_note_fold(d, a->cls, all);
        inside = expr_and2(x, inside, all);
    }
    return expr_pick(x, inside, denote_element(d, p->args[0], index), value);
}

static expr_id concat(struct denote *d, const struct pat *p, expr_id *index)
{
    struct exprs *x = d->x;
    uint32_t axis = denote_lowest_bit(p->classes);
    expr_id *at = &index[axis * d->max_rank];
    struct u32_vec part = {0}, cut = {0};
    for (uint32_t j = 0; j < p->n_args; j++) {
        expr_id i = *at;
        expr_id n = denote_size(d, p->args[j], axis, 0);
        vec_push(&part, denote_element(d, p->args[j], index));
        vec_push(&cut, expr_lt(x, i, n));
        *at = expr_sub(x, i, n);
    }
    expr_id out = vec_pop(&part);
    while (part.len > 0) {
        out = expr_pick(x, cut.at[part.len - 1], vec_last(&part), out);
        (void)vec_pop(&part);
    }
    vec_release(&part);
    vec_release(&cut);
    return out;
}

static expr_id compare(struct denote *d, const struct pat *p, expr_id a,
                       expr_id b)
{
    struct exprs *x = d->x;
    switch (p->dir) {
    case CMP_GT:
        return expr_op(x, OP_COMPARE, CMP_LT, p->type, 2, (expr_id[]){b, a});
    case CMP_GE:
        return expr_op(x, OP_COMPARE, CMP_LE, p->type, 2, (expr_id[]){b, a});
    case CMP_NE: {
        expr_id eq =
            expr_op(x, OP_COMPARE, CMP_EQ, p->type, 2, (expr_id[]){a, b});
        return expr_op(x, OP_NOT, 0, p->type, 1, &eq);
    }
    default:
        return expr_op(x, OP_COMPARE, p->dir, p->type, 2, (expr_id[]){a, b});
    }
}

static bool always_bool(const struct denote *d, uint32_t type)
{
    return d->r->types[type].kinds == KIND_BOOL;
}

// From i1: 1 or 0, numbers that every type has.  To i1: x != 0.  A choice is
// converted branch by branch.  Between other types nothing is known.
static expr_id convert(struct denote *d, uint32_t to, expr_id a)
{
    struct exprs *x = d->x;
    const struct expr n = *expr_at(x, a);
    bool to_bool = always_bool(d, to), from_bool = always_bool(d, n.type);
    if (n.type == to)
        return a;
    if (n.kind == X_LITERAL && n.op == LIT_INT && (n.k == 0 || n.k == 1))
        return to_bool ? expr_literal(x, LIT_BOOL, n.k, 0, to)
                       : expr_literal(x, LIT_INT, n.k, 0, to);
    if (n.kind == X_OP && n.op == OP_SELECT) {
        expr_id pick[] = {expr_arg(x, a, 0), NO_EXPR, NO_EXPR};
        pick[1] = convert(d, to, expr_arg(x, a, 1));
        pick[2] = convert(d, to, expr_arg(x, a, 2));
        return expr_op(x, OP_SELECT, 0, to, 3, pick);
    }
    if (from_bool) {
        enum literal_kind lit = to_bool ? LIT_BOOL : LIT_INT;
        expr_id pick[] = {a, expr_literal(x, lit, 1, 0, to),
                          expr_literal(x, lit, 0, 0, to)};
        return expr_op(x, OP_SELECT, 0, to, 3, pick);
    }
    if (to_bool) {
        expr_id sides[] = {a, expr_literal(x, LIT_INT, 0, 0, n.type)};
        expr_id eq = expr_op(x, OP_COMPARE, CMP_EQ, to, 2, sides);
        return expr_op(x, OP_NOT, 0, to, 1, &eq);
    }
    return expr_op(x, OP_CONVERT, 0, to, 1, &a);
}

// The same bits, branch by branch.  Twice is once where the type in between
// keeps them all; all NaNs of a float count as one value.
static expr_id bitcast(struct denote *d, uint32_t to, expr_id a)
{
    struct exprs *x = d->x;
    const struct expr n = *expr_at(x, a);
    if (n.type == to)
        return a;
    if (n.kind == X_PICK)
        return expr_pick(x, expr_arg(x, a, 0),
                         bitcast(d, to, expr_arg(x, a, 1)),
                         bitcast(d, to, expr_arg(x, a, 2)));
    if (n.kind == X_OP && n.op == OP_BITCAST_CONVERT) {
        expr_id from = expr_arg(x, a, 0);
        if ((d->r->types[n.type].kinds & KIND_FLOAT) == 0)
            return bitcast(d, to, from);
    }
    return expr_op(x, OP_BITCAST_CONVERT, 0, to, 1, &a);
}

static expr_id elementwise(struct denote *d, const struct pat *p,
                           const expr_id *index)
{
    struct exprs *x = d->x;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < p->n_args; i++)
        vec_push(&args, denote_element(d, p->args[i], index));
    expr_id e;
    if (p->kind == PAT_OPVAR) {
        e = expr_opvar(x, p->var, p->type, args.len, args.at);
    } else if (p->op == OP_COMPARE) {
        e = compare(d, p, args.at[0], args.at[1]);
    } else if (p->op == OP_CONVERT) {
        e = convert(d, p->type, args.at[0]);
    } else if (p->op == OP_REAL) { // of floats, which have no imaginary part
        e = args.at[0];
    } else if (p->op == OP_IMAG) {
        e = expr_literal(x, LIT_INT, 0, 0, p->type);
    } else if (p->op == OP_CLAMP) { // minimum(maximum(x, low), high)
        e = expr_op(x, OP_MAXIMUM, 0, p->type, 2,
                    (expr_id[]){args.at[1], args.at[0]});
        e = expr_op(x, OP_MINIMUM, 0, p->type, 2, (expr_id[]){e, args.at[2]});
    } else {
        e = expr_op(x, p->op, 0, p->type, args.len, args.at);
    }
    vec_release(&args);
    return e;
}

static expr_id move(struct denote *d, uint32_t pat, expr_id *ix)
{
    struct exprs *x = d->x;
    const struct pat *p = &d->r->pats[pat];
    switch (p->op) {
    case OP_IOTA:
        return expr_inject(x, ix[denote_lowest_bit(p->classes) * d->max_rank],
                           p->type);
    case OP_BROADCAST_IN_DIM:
        return denote_element(d, p->args[0], ix);
    case OP_REVERSE:
        for (uint32_t c = 0; c < d->r->n_classes; c++)
            for (uint32_t k = 0; (p->classes >> c & 1) && k < d->rank[c]; k++) {
                expr_id *i = &ix[c * d->max_rank + k];
                expr_id n = denote_size(d, p->args[0], c, k);
                *i = expr_sub(x, expr_sub(x, n, expr_int(x, 1)), *i);
            }
        return denote_element(d, p->args[0], ix);
    case OP_SLICE:
        for (uint32_t j = 0; j < p->n_attrs; j++) {
            const struct pat_attr *a = &p->attrs[j];
            for (uint32_t k = 0; k < d->rank[a->cls]; k++) {
                expr_id *i = &ix[a->cls * d->max_rank + k];
                if (a->v[2] != NULL)
                    *i = expr_mul(x, *i, denote_iexp(d, a->v[2], k));
                if (a->v[0] != NULL)
                    *i = expr_add(x, denote_iexp(d, a->v[0], k), *i);
            }
        }
        return denote_element(d, p->args[0], ix);
    case OP_PAD:
        return pad(d, p, ix);
    case OP_CONCATENATE:
        return concat(d, p, ix);
    case OP_REDUCE:
        return denote_reduce(d, pat, ix);
    case OP_DOT_GENERAL:
        return denote_dot(d, pat, ix);
    case OP_CONVOLUTION:
        return denote_convolution(d, pat, ix);
    case OP_REDUCE_WINDOW:
        return denote_reduce_window(d, pat, ix);
    case OP_DYNAMIC_SLICE:
        return denote_dynamic_slice(d, pat, ix);
    case OP_DYNAMIC_UPDATE_SLICE:
        return denote_dynamic_update(d, pat, ix);
    case OP_GATHER:
        return denote_gather(d, pat, ix);
    case OP_SCATTER:
        return denote_scatter(d, pat, ix);
    case OP_RESHAPE:
        return denote_reshape(d, pat, ix);
    default:
        d->failure = "an operator that the verifier does not know";
        return expr_atom(x, pat, p->type);
    }
}

static void relabel(struct denote *d, const struct pat *p, const expr_id *index,
                    expr_id *ix)
{
    for (uint32_t i = 0; i < p->n_relabels; i++)
        for (uint32_t k = 0; k < d->max_rank; k++)
            ix[p->relabels[i].from * d->max_rank + k] =
                index[p->relabels[i].to * d->max_rank + k];
}

expr_id denote_element(struct denote *d, uint32_t pat, const expr_id *index)
{
    const struct pat *p = &d->r->pats[pat];
    switch (p->kind) {
    case PAT_TENSOR:
        return access(d, p, index);
    case PAT_SCALAR:
        return expr_scalar(d->x, p->var, d->r->scalars[p->var].type);
    case PAT_LITERAL:
        return literal(d, p);
    case PAT_OPVAR:
        return elementwise(d, p, index);
    case PAT_CALL: // proved by definition, not here
        d->failure = "a named function";
        return expr_atom(d->x, pat, p->type);
    case PAT_SPLAT:
    case PAT_OP:
    case PAT_RELABEL:
        break;
    }
    if (p->kind == PAT_OP && op_is_elementwise(p->op))
        return elementwise(d, p, index);
    if (denote_is_op(p, OP_BITCAST_CONVERT))
        return bitcast(d, p->type, denote_element(d, p->args[0], index));
    expr_id *ix = denote_new_index(d);
    expr_id e;
    memcpy(ix, index, index_size(d) * sizeof *ix);
    if (p->kind == PAT_RELABEL) {
        relabel(d, p, index, ix);
        e = denote_element(d, p->args[0], ix);
    } else if (p->kind == PAT_SPLAT) {
        e = denote_element(d, p->args[0], ix);
    } else {
        e = move(d, pat, ix);
    }
    mem_free(ix);
    return e;
}
