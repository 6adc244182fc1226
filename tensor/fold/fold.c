// SPDX-License-Identifier: Apache-2.0
// Two ways to fold.  Splats: the result is one element for all, found without
// looking at sizes.  Dense: the interpreter runs, within the limits.
#include "tensor/fold/fold.h"
#include "tensor/eval/parts.h"

// Reductions of splats whose accumulator keeps changing stop being folded here.
#define SPLAT_STEPS ((int64_t)1 << 16)

struct constant_fold {
    struct pool *p;
    enum op op;
    attr_id attr;
    type_id type;
    uint32_t n;
    const lit_id *args;
    const type_id *types;
    bool exact;
    uint64_t max_count;
};

static bool is_splat(const struct constant_fold *f, uint32_t i)
{
    return pool_literal(f->p, f->args[i])->splat;
}

static bool all_splats(const struct constant_fold *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (!is_splat(f, i))
            return false;
    return true;
}

static bool is_foldable(const struct constant_fold *f)
{
    if (f->op == OP_PARAMETER || f->op == OP_CONSTANT || f->op == OP_OPAQUE ||
        f->op == OP_RESULT || !type_is_tensor(f->p, f->type) ||
        elem_kind(type_elem(f->p, f->type)) == 0)
        return false;
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->args[i].v == NO_LIT.v || !type_is_tensor(f->p, f->types[i]))
            return false;
        const struct literal *l = pool_literal(f->p, f->args[i]);
        if (l->elem != type_elem(f->p, f->types[i]) ||
            (!l->splat && l->count != (uint64_t)type_count(f->p, f->types[i])))
            return false;
    }
    return true;
}

static uint64_t read_limit(const struct constant_fold *f)
{
    return f->max_count > UINT64_MAX / FOLD_READ_FACTOR
               ? UINT64_MAX
               : f->max_count * FOLD_READ_FACTOR;
}

static bool all_finite(const struct constant_fold *f, lit_id l)
{
    const struct literal *lit = pool_literal(f->p, l);
    if (elem_kind(lit->elem) != KIND_FLOAT)
        return true;
    if (lit->count > read_limit(f))
        return false;
    for (uint64_t i = 0; i < lit->count; i++)
        if (!scalar_finite(lit->elem, literal_get(f->p, l, i)))
            return false;
    return true;
}

// Elements come out as they went in, so no number is rounded, and infinities
// and NaNs are as good as any other.
static bool only_moves(enum op op)
{
    return op == OP_BROADCAST_IN_DIM || op == OP_TRANSPOSE ||
           op == OP_REVERSE || op == OP_SLICE || op == OP_PAD ||
           op == OP_CONCATENATE || op == OP_SELECT || op == OP_RESHAPE ||
           op == OP_DYNAMIC_SLICE || op == OP_DYNAMIC_UPDATE_SLICE ||
           op == OP_GATHER;
}

// Rules on floats take all NaNs as one value; total order and the bits tell
// them apart.
static bool tells_nans(const struct constant_fold *f)
{
    if (f->op == OP_COMPARE
            ? attr_at(f->p, f->attr)[1] != (int64_t)CMPT_TOTALORDER
            : f->op != OP_BITCAST_CONVERT)
        return false;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct literal *l = pool_literal(f->p, f->args[i]);
        for (uint64_t k = 0; k < l->count; k++)
            if (scalar_is_nan(l->elem, literal_get(f->p, f->args[i], k)))
                return true;
    }
    return false;
}

// A real number has no bits: 0 and -0 are one, yet their bits are two.
static bool reads_bits(const struct constant_fold *f)
{
    return f->op == OP_BITCAST_CONVERT &&
           (elem_kind(type_elem(f->p, f->types[0])) == KIND_FLOAT ||
            elem_kind(type_elem(f->p, f->type)) == KIND_FLOAT);
}

static bool same_splat(const struct constant_fold *f, lit_id a, lit_id b)
{
    const struct literal *x = pool_literal(f->p, a);
    return x->splat && pool_literal(f->p, b)->splat &&
           scalar_same(x->elem, literal_get(f->p, a, 0),
                       literal_get(f->p, b, 0));
}

static bool point_splat(const struct constant_fold *f, lit_id *out)
{
    struct scalar args[3], r;
    struct err e = {0};
    enum elem in = type_elem(f->p, f->types[f->n > 1]);
    enum elem to = type_elem(f->p, f->type);
    struct scalar_step pt = scalar_step_make(f->p, f->op, f->attr, in, to, f->exact);
    if (!all_splats(f))
        return false;
    for (uint32_t i = 0; i < f->n; i++)
        args[i] = literal_get(f->p, f->args[i], 0);
    if (!scalar_step_eval(&pt, args, &r, &e))
        return false;
    *out = literal_splat(f->p, to, r);
    return true;
}

// A constant predicate, or one that does not matter, picks a whole operand.
static bool select_splat(const struct constant_fold *f, lit_id *out)
{
    if (f->args[1].v == f->args[2].v)
        *out = f->args[1];
    else if (is_splat(f, 0))
        *out = f->args[literal_get(f->p, f->args[0], 0).bits ? 1 : 2];
    else
        return false;
    return true;
}

static bool concatenate_splat(const struct constant_fold *f, lit_id *out)
{
    uint32_t first = f->n;
    for (uint32_t i = 0; i < f->n; i++) {
        if (type_count(f->p, f->types[i]) == 0)
            continue;
        if (first == f->n)
            first = i;
        if (!same_splat(f, f->args[first], f->args[i]))
            return false;
    }
    if (first == f->n)
        return false;
    *out = f->args[first];
    return true;
}

static bool move_splat(const struct constant_fold *f, lit_id *out)
{
    if (!is_splat(f, 0))
        return false;
    *out = f->args[0];
    return true;
}

static bool pad_splat(const struct constant_fold *f, lit_id *out)
{
    bool empty = type_count(f->p, f->types[0]) == 0;
    if (!empty && !same_splat(f, f->args[0], f->args[1]))
        return false;
    *out = f->args[1];
    return is_splat(f, 1);
}

// Elements reduced into each element of the result.
static int64_t reduced_count(const struct constant_fold *f)
{
    const int64_t *v = attr_at(f->p, f->attr);
    const int64_t *dims = type_dims(f->p, f->types[0]);
    int64_t n = 1;
    for (uint32_t i = 1; i < attr_len(f->p, f->attr); i++)
        n *= dims[v[i]]; // divides the number of elements, or is 0
    return n;
}

// init + n x and init * x^n wrap to the same whatever the order.
static bool reduce_words(enum op op, enum elem t, struct scalar x, int64_t n,
                         struct scalar *acc)
{
    struct err e = {0};
    uint64_t power = 1, base = x.bits;
    if (elem_is_ideal(t) || elem_kind(t) == KIND_FLOAT ||
        elem_kind(t) == KIND_BOOL || (op != OP_ADD && op != OP_MULTIPLY))
        return false;
    for (uint64_t k = (uint64_t)n; k; k >>= 1, base *= base)
        if (k & 1)
            power *= base;
    x = int_wrap(t, op == OP_ADD ? x.bits * (uint64_t)n : power);
    return eval_binary(op, t, *acc, x, acc, &e);
}

// The steps of the interpreter; once a step changes nothing none will.
static bool reduce_steps(const struct scalar_step *pt, struct scalar x, int64_t n,
                         struct scalar *acc)
{
    struct err e = {0};
    for (int64_t i = 0; i < n; i++) {
        struct scalar pair[2] = {*acc, x};
        if (i == SPLAT_STEPS || !scalar_step_eval(pt, pair, acc, &e))
            return false;
        if (scalar_same(pt->in, *acc, pair[0]))
            return true;
    }
    return true;
}

static bool reduce_splat(const struct constant_fold *f, lit_id *out)
{
    enum elem t = type_elem(f->p, f->type);
    if (!is_splat(f, 1))
        return false;
    struct scalar acc = literal_get(f->p, f->args[1], 0);
    if (type_count(f->p, f->types[0]) > 0) {
        if (!is_splat(f, 0))
            return false;
        enum op op = (enum op)attr_at(f->p, f->attr)[0];
        struct scalar_step pt = {.op = op, .in = t, .out = t, .exact = f->exact};
        struct scalar x = literal_get(f->p, f->args[0], 0);
        int64_t n = reduced_count(f);
        if (!reduce_words(op, t, x, n, &acc) && !reduce_steps(&pt, x, n, &acc))
            return false;
    }
    *out = literal_splat(f->p, t, acc);
    return !f->exact || scalar_finite(t, acc);
}

// 0 + x * y + x * y + ..
static bool dot_splat(const struct constant_fold *f, lit_id *out)
{
    enum elem t = type_elem(f->p, f->type);
    struct err e = {0};
    if (!all_splats(f))
        return false;
    struct scalar_step times = {
        .op = OP_MULTIPLY, .in = t, .out = t, .exact = f->exact};
    struct scalar_step plus = {.op = OP_ADD, .in = t, .out = t, .exact = f->exact};
    struct scalar factor[2] = {literal_get(f->p, f->args[0], 0),
                               literal_get(f->p, f->args[1], 0)};
    struct scalar x, acc = scalar_of_int(t, 0);
    int64_t n = eval_steps(f->p, f->op, f->attr, f->type, f->types) /
                type_count(f->p, f->type);
    if (!scalar_step_eval(&times, factor, &x, &e) ||
        (!reduce_words(OP_ADD, t, x, n, &acc) &&
         !reduce_steps(&plus, x, n, &acc)))
        return false;
    *out = literal_splat(f->p, t, acc);
    return true;
}

static bool update_splat(const struct constant_fold *f, lit_id *out)
{
    *out = f->args[0];
    return is_splat(f, 0) && is_splat(f, 1) &&
           same_splat(f, f->args[0], f->args[1]);
}

static bool fold_splat(const struct constant_fold *f, lit_id *out)
{
    switch (f->op) {
    case OP_IOTA:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        return false;
    case OP_SELECT:
        return select_splat(f, out);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_RESHAPE:
    case OP_DYNAMIC_SLICE:
    case OP_GATHER:
        return move_splat(f, out);
    case OP_DYNAMIC_UPDATE_SLICE:
        return update_splat(f, out);
    case OP_DOT_GENERAL:
        return dot_splat(f, out);
    case OP_PAD:
        return pad_splat(f, out);
    case OP_CONCATENATE:
        return concatenate_splat(f, out);
    case OP_REDUCE:
        return reduce_splat(f, out);
    default:
        return point_splat(f, out);
    }
}

// What running the interpreter reads: splats that it must spread, and all that
// it combines.
static bool within_limits(const struct constant_fold *f)
{
    uint64_t limit = read_limit(f);
    if ((uint64_t)type_count(f->p, f->type) > f->max_count ||
        (uint64_t)eval_steps(f->p, f->op, f->attr, f->type, f->types) > limit)
        return false;
    for (uint32_t i = 0; i < f->n; i++)
        if ((is_splat(f, i) || f->exact) &&
            (uint64_t)type_count(f->p, f->types[i]) > limit)
            return false;
    return true;
}

static bool fold_dense(const struct constant_fold *f, lit_id *out)
{
    struct arena mem = {0};
    struct err e = {0};
    struct value *args, r;
    if (!within_limits(f))
        return false;
    for (uint32_t i = 0; f->exact && !only_moves(f->op) && i < f->n; i++)
        if (!all_finite(f, f->args[i]))
            return false;
    args = ARENA_NEW(&mem, struct value, f->n + 1);
    bool ok = true;
    for (uint32_t i = 0; ok && i < f->n; i++)
        ok =
            value_of_literal(f->p, f->args[i], f->types[i], &mem, &args[i], &e);
    ok = ok && eval_plain(f->p, f->op, f->attr, f->type, f->n, args, f->exact,
                          &mem, &r, &e);
    if (ok)
        *out = literal_make(f->p, type_elem(f->p, f->type),
                            (uint64_t)type_count(f->p, f->type), r.data);
    arena_release(&mem);
    return ok;
}

bool fold_node(struct pool *p, enum op op, attr_id attr, type_id type,
               uint32_t n, const lit_id *args, const type_id *arg_types,
               bool exact, uint64_t max_count, lit_id *out)
{
    struct constant_fold f = {p, op, attr, type, n, args, arg_types, exact, max_count};
    if (!is_foldable(&f))
        return false;
    if (type_count(p, type) == 0) {
        *out = literal_make(p, type_elem(p, type), 0, NULL);
        return true;
    }
    return !tells_nans(&f) && !(exact && reads_bits(&f)) &&
           (fold_splat(&f, out) || fold_dense(&f, out));
}
