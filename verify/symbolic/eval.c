// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/eval.h"
#include "base/rng.h"
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

static bool integer_of(enum elem elem, struct scalar scalar, int64_t *out)
{
    *out = elem_is_ideal(elem) ? scalar.num : (int64_t)scalar.bits;
    return elem_is_ideal(elem) ? scalar.den == 1 : elem_kind(elem) != KIND_UINT || *out >= 0;
}

static struct scalar same_bits(enum elem from, enum elem to, struct scalar scalar)
{
    uint64_t memory[2] = {0};
    scalar_store(from, memory, 0, scalar);
    return scalar_load(to, memory, 0);
}

bool eval_int(const struct eval_env *env, expr_id e, int64_t *out)
{
    const struct exprs *exprs = env->exprs;
    const struct expr *node = expr_at(exprs, e);
    int64_t a, b;
    bool c;
    struct scalar scalar;
    switch ((enum expr_kind)node->kind) {
    case X_INT:
        *out = node->k;
        return true;
    case X_VAR:
        if (node->sym >= env->n_values)
            return false;
        *out = env->value[node->sym];
        return true;
    case X_IF:
        return eval_truth(env, expr_arg(exprs, e, 0), &c) &&
               eval_int(env, expr_arg(exprs, e, c ? 1 : 2), out);
    case X_VALUE:
        if (!eval_elem(env, expr_arg(exprs, e, 0), &scalar))
            return false;
        return integer_of(env->elem[expr_at(exprs, expr_arg(exprs, e, 0))->type], scalar, out);
    default:
        break;
    }
    if (!eval_int(env, expr_arg(exprs, e, 0), &a) || !eval_int(env, expr_arg(exprs, e, 1), &b))
        return false;
    switch ((enum expr_kind)node->kind) {
    case X_ADD:
        return !__builtin_add_overflow(a, b, out);
    case X_MUL:
        return !__builtin_mul_overflow(a, b, out);
    default:
        return divide((enum expr_kind)node->kind, a, b, out);
    }
}

static bool eval_junction(const struct eval_env *env, expr_id e, bool *out)
{
    bool all = expr_at(env->exprs, e)->kind == X_AND;
    *out = all;
    for (uint32_t i = 0; i < expr_at(env->exprs, e)->n && *out == all; i++)
        if (!eval_truth(env, expr_arg(env->exprs, e, i), out))
            return false;
    return true;
}

bool eval_truth(const struct eval_env *env, expr_id e, bool *out)
{
    const struct exprs *exprs = env->exprs;
    const struct expr *node = expr_at(exprs, e);
    int64_t a, b;
    struct scalar scalar, t;
    switch ((enum expr_kind)node->kind) {
    case X_TRUE:
    case X_FALSE:
        *out = node->kind == X_TRUE;
        return true;
    case X_LE:
    case X_EQ:
        if (!eval_int(env, expr_arg(exprs, e, 0), &a) || !eval_int(env, expr_arg(exprs, e, 1), &b))
            return false;
        *out = node->kind == X_LE ? a <= b : a == b;
        return true;
    case X_NOT:
        if (!eval_truth(env, expr_arg(exprs, e, 0), out))
            return false;
        *out = !*out;
        return true;
    case X_AND:
    case X_OR:
        return eval_junction(env, e, out);
    case X_SAME:
        if (!eval_elem(env, expr_arg(exprs, e, 0), &scalar) ||
            !eval_elem(env, expr_arg(exprs, e, 1), &t))
            return false;
        *out = scalar_same(env->elem[expr_at(exprs, expr_arg(exprs, e, 0))->type], scalar, t);
        return true;
    case X_HOLDS:
        if (!eval_elem(env, expr_arg(exprs, e, 0), &scalar))
            return false;
        *out = scalar.bits != 0;
        return true;
    default:
        return false;
    }
}

static bool eval_literal(const struct eval_env *env, const struct expr *node, enum elem elem,
                         struct scalar *out)
{
    switch ((enum literal_kind)node->op) {
    case LIT_INT:
    case LIT_BOOL:
        *out = scalar_of_int(elem, node->k);
        return true;
    case LIT_DECIMAL:
        *out = scalar_of_double(elem,
                                node->k == 0 ? -0.0 : (double)node->k / pow(10, (double)node->sym));
        return true;
    case LIT_LOWEST:
        *out = scalar_lowest(elem);
        return true;
    case LIT_HIGHEST:
        *out = scalar_highest(elem);
        return true;
    case LIT_UNIT:
        if (env->op == NULL)
            return false;
        *out = reducer_unit(env->op[node->sym].op, elem);
        return true;
    case LIT_INF:
    case LIT_PI:    // in definitions, which have no expressions
    case LIT_VALUE: // an injected integer, never a literal of an expression
        break;
    }
    return false;
}

static bool eval_op(const struct eval_env *env, expr_id e, enum op op, struct scalar *out)
{
    const struct exprs *exprs = env->exprs;
    const struct expr *node = expr_at(exprs, e);
    struct scalar scalar[3] = {{0}};
    if (node->n > 3 || node->n == 0)
        return false;
    for (uint32_t i = 0; i < node->n; i++)
        if (!eval_elem(env, expr_arg(exprs, e, i), &scalar[i]))
            return false;
    enum elem in = env->elem[expr_at(exprs, expr_arg(exprs, e, 0))->type];
    enum elem to = env->elem[node->type];
    struct err err = {0};
    switch (op) {
    case OP_SELECT:
        *out = scalar[0].bits != 0 ? scalar[1] : scalar[2];
        return true;
    case OP_COMPARE: {
        bool b = eval_compare((enum compare_dir)node->sym, compare_type_of(in), in, scalar[0],
                              scalar[1]);
        *out = scalar_of_int(ELEM_I1, b);
        return true;
    }
    case OP_IS_FINITE:
        *out = scalar_of_int(ELEM_I1, isfinite(scalar_to_double(in, scalar[0])) != 0);
        return true;
    case OP_BITCAST_CONVERT:
        *out = same_bits(in, to, scalar[0]);
        return elem_bytes(in) == elem_bytes(to);
    case OP_CONVERT:
        return eval_convert(in, to, scalar[0], out, &err);
    case OP_CLAMP:
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
        LEAF_CASES
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return node->n == 1 ? eval_unary(op, in, scalar[0], out, &err)
                        : eval_binary(op, in, scalar[0], scalar[1], out, &err);
}

// Sums the body over the bound indices from argument `at` on.  The values of bound variables
// are written into a copy of the environment.
static bool eval_bound(struct eval_env *env, int64_t *value, expr_id e, uint32_t at, enum op op,
                       struct scalar *acc)
{
    const struct exprs *exprs = env->exprs;
    struct err err = {0};
    struct scalar scalar;
    int64_t n;
    if (at == expr_at(exprs, e)->n)
        return eval_elem(env, expr_arg(exprs, e, 0), &scalar) &&
               eval_binary(op, env->elem[expr_at(exprs, e)->type], *acc, scalar, acc, &err);
    uint32_t var = expr_at(exprs, expr_arg(exprs, e, at))->sym;
    if (!eval_int(env, expr_arg(exprs, e, at + 1), &n) || var >= env->n_values)
        return false;
    for (int64_t i = 0; i < n; i++) {
        value[var] = i;
        if (!eval_bound(env, value, e, at + 2, op, acc))
            return false;
    }
    return true;
}

static bool eval_reduce(const struct eval_env *env, expr_id e, struct scalar *out)
{
    const struct expr *node = expr_at(env->exprs, e);
    enum op op = (enum op)node->op;
    if (op == N_OPS) {
        if (env->op == NULL)
            return false;
        op = env->op[node->sym].op;
    }
    if (node->n == 1) // over no axis: no node in a program
        return eval_elem(env, expr_arg(env->exprs, e, 0), out);
    int64_t *value = mem_alloc((env->n_values + 1) * sizeof *value);
    memcpy(value, env->value, env->n_values * sizeof *value);
    struct eval_env inner = *env;
    inner.value = value;
    *out = reducer_unit(op, env->elem[node->type]);
    bool ok = eval_bound(&inner, value, e, 1, op, out);
    mem_free(value);
    return ok;
}

static bool eval_access(const struct eval_env *env, expr_id e, struct scalar *out)
{
    const struct expr *node = expr_at(env->exprs, e);
    int64_t *index = mem_alloc((node->n + 1) * sizeof *index);
    bool ok = env->tensor != NULL;
    for (uint32_t i = 0; ok && i < node->n; i++)
        ok = eval_int(env, expr_arg(env->exprs, e, i), &index[i]);
    ok = ok && env->tensor(env->ctx, node->sym, node->n, index, out);
    mem_free(index);
    return ok;
}

bool eval_elem(const struct eval_env *env, expr_id e, struct scalar *out)
{
    const struct exprs *exprs = env->exprs;
    const struct expr *node = expr_at(exprs, e);
    int64_t k;
    bool c;
    if (env->elem == NULL)
        return false;
    switch ((enum expr_kind)node->kind) {
    case X_ACCESS:
        return eval_access(env, e, out);
    case X_SCALAR:
        if (env->scalar == NULL)
            return false;
        *out = env->scalar(env->ctx, node->sym);
        return true;
    case X_LITERAL:
        return eval_literal(env, node, env->elem[node->type], out);
    case X_INJECT:
        if (!eval_int(env, expr_arg(exprs, e, 0), &k))
            return false;
        *out = scalar_of_int(env->elem[node->type], k);
        return true;
    case X_OP:
        return eval_op(env, e, (enum op)node->op, out);
    case X_OPVAR:
        return env->op != NULL && eval_op(env, e, env->op[node->sym].op, out);
    case X_PICK:
        return eval_truth(env, expr_arg(exprs, e, 0), &c) &&
               eval_elem(env, expr_arg(exprs, e, c ? 1 : 2), out);
    case X_REDUCE:
        return eval_reduce(env, e, out);
    default:
        return false;
    }
}

static bool all_true(const struct eval_env *env, uint32_t n, const expr_id *conjuncts)
{
    bool truth = true;
    for (uint32_t i = 0; i < n && truth; i++)
        truth = eval_truth(env, conjuncts[i], &truth) && truth;
    return truth;
}

bool eval_meets(const struct exprs *exprs, uint32_t n, const expr_id *conjuncts,
                struct random_values values)
{
    uint32_t n_values = exprs->var.len;
    int64_t *value = mem_alloc((n_values + 1) * sizeof *value);
    struct eval_env env = {.exprs = exprs, .value = value, .n_values = n_values};
    struct rng rng;
    bool met = false;
    rng_seed(&rng, 1 + values.from);
    for (uint32_t round = values.from; round < values.to && !met; round++) {
        for (uint32_t i = 0; i < n_values; i++)
            value[i] = rng_range(&rng, -1, 2 + (int64_t)(round / values.growth));
        met = all_true(&env, n, conjuncts);
    }
    mem_free(value);
    return met;
}
