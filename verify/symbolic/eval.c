// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/eval.h"
#include "tensor/eval/eval.h"
#include <math.h>

static bool divide(enum expr_kind kind, int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    int64_t q = a / b, r = a % b;
    if (r != 0 && (r < 0) != (b < 0)) {
        q--;
        r += b;
    }
    *out = kind == X_DIV ? q : r;
    return true;
}

static bool integer_of(enum elem t, struct scalar s, int64_t *out)
{
    *out = elem_is_ideal(t) ? s.num : (int64_t)s.bits;
    return elem_is_ideal(t) ? s.den == 1
                            : elem_kind(t) != KIND_UINT || *out >= 0;
}

static struct scalar same_bits(enum elem from, enum elem to, struct scalar s)
{
    uint64_t memory[2] = {0};
    scalar_store(from, memory, 0, s);
    return scalar_load(to, memory, 0);
}

bool eval_int(const struct eval_env *v, expr_id e, int64_t *out)
{
    const struct exprs *x = v->x;
    const struct expr *n = expr_at(x, e);
    int64_t a, b;
    bool c;
    struct scalar s;
    switch ((enum expr_kind)n->kind) {
    case X_INT:
        *out = n->k;
        return true;
    case X_VAR:
        if (n->sym >= v->n_values)
            return false;
        *out = v->value[n->sym];
        return true;
    case X_IF:
        return eval_truth(v, expr_arg(x, e, 0), &c) &&
               eval_int(v, expr_arg(x, e, c ? 1 : 2), out);
    case X_VALUE:
        if (!eval_elem(v, expr_arg(x, e, 0), &s))
            return false;
        return integer_of(v->elem[expr_at(x, expr_arg(x, e, 0))->type], s, out);
    default:
        break;
    }
    if (!eval_int(v, expr_arg(x, e, 0), &a) ||
        !eval_int(v, expr_arg(x, e, 1), &b))
        return false;
    switch ((enum expr_kind)n->kind) {
    case X_ADD:
        return !__builtin_add_overflow(a, b, out);
    case X_MUL:
        return !__builtin_mul_overflow(a, b, out);
    default:
        return divide((enum expr_kind)n->kind, a, b, out);
    }
}

static bool eval_junction(const struct eval_env *v, expr_id e, bool *out)
{
    bool all = expr_at(v->x, e)->kind == X_AND;
    *out = all;
    for (uint32_t i = 0; i < expr_at(v->x, e)->n && *out == all; i++)
        if (!eval_truth(v, expr_arg(v->x, e, i), out))
            return false;
    return true;
}

bool eval_truth(const struct eval_env *v, expr_id e, bool *out)
{
    const struct exprs *x = v->x;
    const struct expr *n = expr_at(x, e);
    int64_t a, b;
    struct scalar s, t;
    switch ((enum expr_kind)n->kind) {
    case X_TRUE:
    case X_FALSE:
        *out = n->kind == X_TRUE;
        return true;
    case X_LE:
    case X_EQ:
        if (!eval_int(v, expr_arg(x, e, 0), &a) ||
            !eval_int(v, expr_arg(x, e, 1), &b))
            return false;
        *out = n->kind == X_LE ? a <= b : a == b;
        return true;
    case X_NOT:
        if (!eval_truth(v, expr_arg(x, e, 0), out))
            return false;
        *out = !*out;
        return true;
    case X_AND:
    case X_OR:
        return eval_junction(v, e, out);
    case X_SAME:
        if (!eval_elem(v, expr_arg(x, e, 0), &s) ||
            !eval_elem(v, expr_arg(x, e, 1), &t))
            return false;
        *out = scalar_same(v->elem[expr_at(x, expr_arg(x, e, 0))->type], s, t);
        return true;
    case X_HOLDS:
        if (!eval_elem(v, expr_arg(x, e, 0), &s))
            return false;
        *out = s.bits != 0;
        return true;
    default:
        return false;
    }
}

static bool eval_literal(const struct eval_env *v, const struct expr *n,
                         enum elem t, struct scalar *out)
{
    switch ((enum literal_kind)n->op) {
    case LIT_INT:
    case LIT_BOOL:
        *out = scalar_of_int(t, n->k);
        return true;
    case LIT_DECIMAL:
        *out = scalar_of_double(
            t, n->k == 0 ? -0.0 : (double)n->k / pow(10, (double)n->sym));
        return true;
    case LIT_LOWEST:
        *out = scalar_lowest(t);
        return true;
    case LIT_HIGHEST:
        *out = scalar_highest(t);
        return true;
    case LIT_UNIT:
        if (v->op == NULL)
            return false;
        *out = reducer_unit(v->op[n->sym].op, t);
        return true;
    case LIT_INF:
    case LIT_PI:    // in definitions, which have no expressions
    case LIT_VALUE: // an injected integer, never a literal of an expression
        break;
    }
    return false;
}

static bool eval_op(const struct eval_env *v, expr_id e, enum op op,
                    struct scalar *out)
{
    const struct exprs *x = v->x;
    const struct expr *n = expr_at(x, e);
    struct scalar a[3] = {{0}};
    if (n->n > 3 || n->n == 0)
        return false;
    for (uint32_t i = 0; i < n->n; i++)
        if (!eval_elem(v, expr_arg(x, e, i), &a[i]))
            return false;
    enum elem in = v->elem[expr_at(x, expr_arg(x, e, 0))->type];
    enum elem to = v->elem[n->type];
    struct err err = {0};
    switch (op) {
    case OP_SELECT:
        *out = a[0].bits != 0 ? a[1] : a[2];
        return true;
    case OP_COMPARE: {
        bool b = eval_compare((enum compare_dir)n->sym, compare_type_of(in), in,
                              a[0], a[1]);
        *out = scalar_of_int(ELEM_I1, b);
        return true;
    }
    case OP_IS_FINITE:
        *out =
            scalar_of_int(ELEM_I1, isfinite(scalar_to_double(in, a[0])) != 0);
        return true;
    case OP_BITCAST_CONVERT:
        *out = same_bits(in, to, a[0]);
        return elem_bytes(in) == elem_bytes(to);
    case OP_CONVERT:
        return eval_convert(in, to, a[0], out, &err);
    default:
        return n->n == 1 ? eval_unary(op, in, a[0], out, &err)
                         : eval_binary(op, in, a[0], a[1], out, &err);
    }
}

// Sums the body over the bound indices from argument `at` on; the values of
// bound variables are written into a copy of the environment.
static bool eval_bound(struct eval_env *v, int64_t *value, expr_id e,
                       uint32_t at, enum op op, struct scalar *acc)
{
    const struct exprs *x = v->x;
    struct err err = {0};
    struct scalar s;
    int64_t n;
    if (at == expr_at(x, e)->n)
        return eval_elem(v, expr_arg(x, e, 0), &s) &&
               eval_binary(op, v->elem[expr_at(x, e)->type], *acc, s, acc,
                           &err);
    uint32_t var = expr_at(x, expr_arg(x, e, at))->sym;
    if (!eval_int(v, expr_arg(x, e, at + 1), &n) || var >= v->n_values)
        return false;
    for (int64_t i = 0; i < n; i++) {
        value[var] = i;
        if (!eval_bound(v, value, e, at + 2, op, acc))
            return false;
    }
    return true;
}

static bool eval_reduce(const struct eval_env *v, expr_id e, struct scalar *out)
{
    const struct expr *n = expr_at(v->x, e);
    enum op op = (enum op)n->op;
    if (op == N_OPS) {
        if (v->op == NULL)
            return false;
        op = v->op[n->sym].op;
    }
    if (n->n == 1) // over no axis: no node in a program
        return eval_elem(v, expr_arg(v->x, e, 0), out);
    int64_t *value = mem_alloc((v->n_values + 1) * sizeof *value);
    memcpy(value, v->value, v->n_values * sizeof *value);
    struct eval_env inner = *v;
    inner.value = value;
    *out = reducer_unit(op, v->elem[n->type]);
    bool ok = eval_bound(&inner, value, e, 1, op, out);
    mem_free(value);
    return ok;
}

static bool eval_access(const struct eval_env *v, expr_id e, struct scalar *out)
{
    const struct expr *n = expr_at(v->x, e);
    int64_t *index = mem_alloc((n->n + 1) * sizeof *index);
    bool ok = v->tensor != NULL;
    for (uint32_t i = 0; ok && i < n->n; i++)
        ok = eval_int(v, expr_arg(v->x, e, i), &index[i]);
    ok = ok && v->tensor(v->ctx, n->sym, n->n, index, out);
    mem_free(index);
    return ok;
}

bool eval_elem(const struct eval_env *v, expr_id e, struct scalar *out)
{
    const struct exprs *x = v->x;
    const struct expr *n = expr_at(x, e);
    int64_t k;
    bool c;
    if (v->elem == NULL)
        return false;
    switch ((enum expr_kind)n->kind) {
    case X_ACCESS:
        return eval_access(v, e, out);
    case X_SCALAR:
        if (v->scalar == NULL)
            return false;
        *out = v->scalar(v->ctx, n->sym);
        return true;
    case X_LITERAL:
        return eval_literal(v, n, v->elem[n->type], out);
    case X_INJECT:
        if (!eval_int(v, expr_arg(x, e, 0), &k))
            return false;
        *out = scalar_of_int(v->elem[n->type], k);
        return true;
    case X_OP:
        return eval_op(v, e, (enum op)n->op, out);
    case X_OPVAR:
        return v->op != NULL && eval_op(v, e, v->op[n->sym].op, out);
    case X_PICK:
        return eval_truth(v, expr_arg(x, e, 0), &c) &&
               eval_elem(v, expr_arg(x, e, c ? 1 : 2), out);
    case X_REDUCE:
        return eval_reduce(v, e, out);
    default:
        return false;
    }
}
