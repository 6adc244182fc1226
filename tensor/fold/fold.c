// SPDX-License-Identifier: Apache-2.0
// Two ways to fold.  Splats: the result is one element for all, found without
// looking at sizes.  Dense: the interpreter runs, within the limits.
#include "tensor/fold/fold.h"
#include "tensor/eval/parts.h"

#include <math.h>

struct constant_fold {
    struct pool *pool;
    enum op op;
    attr_id attr;
    type_id type;
    uint32_t n;
    const lit_id *args;
    const type_id *types;
    bool exact;
    uint64_t max_count;
};

static bool is_splat(const struct constant_fold *fold, uint32_t i)
{
    return pool_literal(fold->pool, fold->args[i])->splat;
}

static bool all_splats(const struct constant_fold *fold)
{
    for (uint32_t i = 0; i < fold->n; i++)
        if (!is_splat(fold, i))
            return false;
    return true;
}

static bool is_foldable(const struct constant_fold *fold)
{
    if (fold->op == OP_PARAMETER || fold->op == OP_CONSTANT || fold->op == OP_OPAQUE ||
        fold->op == OP_RESULT || !type_is_tensor(fold->pool, fold->type) ||
        elem_kind(type_elem(fold->pool, fold->type)) == 0)
        return false;
    for (uint32_t i = 0; i < fold->n; i++) {
        if (fold->args[i].v == NO_LIT.v || !type_is_tensor(fold->pool, fold->types[i]))
            return false;
        const struct literal *literal = pool_literal(fold->pool, fold->args[i]);
        if (literal->elem != type_elem(fold->pool, fold->types[i]) ||
            (!literal->splat && literal->count != (uint64_t)type_count(fold->pool, fold->types[i])))
            return false;
    }
    return true;
}

static uint64_t read_limit(const struct constant_fold *fold)
{
    return fold->max_count > UINT64_MAX / TENSOR_FOLD_READ_FACTOR
               ? UINT64_MAX
               : fold->max_count * TENSOR_FOLD_READ_FACTOR;
}

static bool all_finite(const struct constant_fold *fold, lit_id literal)
{
    const struct literal *lit = pool_literal(fold->pool, literal);
    if (elem_kind(lit->elem) != KIND_FLOAT)
        return true;
    if (lit->count > read_limit(fold))
        return false;
    for (uint64_t i = 0; i < lit->count; i++)
        if (!scalar_finite(lit->elem, literal_get(fold->pool, literal, i)))
            return false;
    return true;
}

// Rules on floats take all NaNs as one value; total order and the bits tell
// them apart.
static bool tells_nans(const struct constant_fold *fold)
{
    if (fold->op == OP_COMPARE ? attr_at(fold->pool, fold->attr)[1] != (int64_t)CMPT_TOTALORDER
                               : fold->op != OP_BITCAST_CONVERT)
        return false;
    for (uint32_t i = 0; i < fold->n; i++) {
        const struct literal *literal = pool_literal(fold->pool, fold->args[i]);
        for (uint64_t k = 0; k < literal->count; k++)
            if (scalar_is_nan(literal->elem, literal_get(fold->pool, fold->args[i], k)))
                return true;
    }
    return false;
}

// A real number has no bits: 0 and -0 are one, yet their bits are two.
static bool reads_bits(const struct constant_fold *fold)
{
    return fold->op == OP_BITCAST_CONVERT &&
           (elem_kind(type_elem(fold->pool, fold->types[0])) == KIND_FLOAT ||
            elem_kind(type_elem(fold->pool, fold->type)) == KIND_FLOAT);
}

static bool same_splat(const struct constant_fold *fold, lit_id a, lit_id b)
{
    const struct literal *literal = pool_literal(fold->pool, a);
    return literal->splat && pool_literal(fold->pool, b)->splat &&
           scalar_same(literal->elem, literal_get(fold->pool, a, 0), literal_get(fold->pool, b, 0));
}

static bool point_splat(const struct constant_fold *fold, lit_id *out)
{
    struct scalar args[3], scalar;
    struct err err = {0};
    enum elem in = type_elem(fold->pool, fold->types[fold->n > 1]);
    enum elem to = type_elem(fold->pool, fold->type);
    struct scalar_step pt = scalar_step_make(fold->pool, fold->op, fold->attr, in, to, fold->exact);
    if (!all_splats(fold))
        return false;
    for (uint32_t i = 0; i < fold->n; i++)
        args[i] = literal_get(fold->pool, fold->args[i], 0);
    if (!scalar_step_eval(&pt, args, &scalar, &err))
        return false;
    *out = literal_splat(fold->pool, to, scalar);
    return true;
}

// A constant predicate, or one that does not matter, picks a whole operand.
static bool select_splat(const struct constant_fold *fold, lit_id *out)
{
    if (fold->args[1].v == fold->args[2].v)
        *out = fold->args[1];
    else if (is_splat(fold, 0))
        *out = fold->args[literal_get(fold->pool, fold->args[0], 0).bits ? 1 : 2];
    else
        return false;
    return true;
}

static bool concatenate_splat(const struct constant_fold *fold, lit_id *out)
{
    uint32_t first = fold->n;
    for (uint32_t i = 0; i < fold->n; i++) {
        if (type_count(fold->pool, fold->types[i]) == 0)
            continue;
        if (first == fold->n)
            first = i;
        if (!same_splat(fold, fold->args[first], fold->args[i]))
            return false;
    }
    if (first == fold->n)
        return false;
    *out = fold->args[first];
    return true;
}

static bool move_splat(const struct constant_fold *fold, lit_id *out)
{
    if (!is_splat(fold, 0))
        return false;
    *out = fold->args[0];
    return true;
}

static bool pad_splat(const struct constant_fold *fold, lit_id *out)
{
    bool empty = type_count(fold->pool, fold->types[0]) == 0;
    if (!empty && !same_splat(fold, fold->args[0], fold->args[1]))
        return false;
    *out = fold->args[1];
    return is_splat(fold, 1);
}

// Elements reduced into each element of the result.
static int64_t reduced_count(const struct constant_fold *fold)
{
    const int64_t *v = attr_at(fold->pool, fold->attr);
    const int64_t *dims = type_dims(fold->pool, fold->types[0]);
    int64_t n = 1;
    for (uint32_t i = 1; i < attr_len(fold->pool, fold->attr); i++)
        n *= dims[v[i]]; // divides the number of elements, or is 0
    return n;
}

// init + n * scalar and init * scalar^n wrap to the same result in every order.
static bool reduce_words(enum op op, enum elem elem, struct scalar scalar, int64_t n,
                         struct scalar *acc)
{
    struct err err = {0};
    uint64_t power = 1, base = scalar.bits;
    if (elem_is_ideal(elem) || elem_kind(elem) == KIND_FLOAT || elem_kind(elem) == KIND_BOOL ||
        (op != OP_ADD && op != OP_MULTIPLY))
        return false;
    for (uint64_t k = (uint64_t)n; k; k >>= 1, base *= base)
        if (k & 1)
            power *= base;
    scalar = int_wrap(elem, op == OP_ADD ? scalar.bits * (uint64_t)n : power);
    return eval_binary(op, elem, *acc, scalar, acc, &err);
}

// The steps of the interpreter.  If a step changes nothing, then no later step does.
static bool reduce_steps(const struct scalar_step *pt, struct scalar scalar, int64_t n,
                         struct scalar *acc)
{
    struct err err = {0};
    for (int64_t i = 0; i < n; i++) {
        struct scalar pair[2] = {*acc, scalar};
        if (i == TENSOR_SPLAT_STEPS || !scalar_step_eval(pt, pair, acc, &err))
            return false;
        if (scalar_same(pt->in, *acc, pair[0]))
            return true;
    }
    return true;
}

static bool reduce_splat(const struct constant_fold *fold, lit_id *out)
{
    enum elem elem = type_elem(fold->pool, fold->type);
    if (!is_splat(fold, 1))
        return false;
    struct scalar acc = literal_get(fold->pool, fold->args[1], 0);
    if (type_count(fold->pool, fold->types[0]) > 0) {
        if (!is_splat(fold, 0))
            return false;
        enum op op = (enum op)attr_at(fold->pool, fold->attr)[0];
        struct scalar_step pt = {.op = op, .in = elem, .out = elem, .exact = fold->exact};
        struct scalar scalar = literal_get(fold->pool, fold->args[0], 0);
        int64_t n = reduced_count(fold);
        if (!reduce_words(op, elem, scalar, n, &acc) && !reduce_steps(&pt, scalar, n, &acc))
            return false;
    }
    *out = literal_splat(fold->pool, elem, acc);
    return !fold->exact || scalar_finite(elem, acc);
}

// 0 + x * y + x * y + ..
static bool dot_splat(const struct constant_fold *fold, lit_id *out)
{
    enum elem elem = type_elem(fold->pool, fold->type);
    struct err err = {0};
    if (!all_splats(fold))
        return false;
    struct scalar_step times = {.op = OP_MULTIPLY, .in = elem, .out = elem, .exact = fold->exact};
    struct scalar_step plus = {.op = OP_ADD, .in = elem, .out = elem, .exact = fold->exact};
    struct scalar factor[2] = {literal_get(fold->pool, fold->args[0], 0),
                               literal_get(fold->pool, fold->args[1], 0)};
    struct scalar scalar, acc = scalar_of_int(elem, 0);
    int64_t n = eval_steps(fold->pool, fold->op, fold->attr, fold->type, fold->types) /
                type_count(fold->pool, fold->type);
    if (!scalar_step_eval(&times, factor, &scalar, &err) ||
        (!reduce_words(OP_ADD, elem, scalar, n, &acc) && !reduce_steps(&plus, scalar, n, &acc)))
        return false;
    *out = literal_splat(fold->pool, elem, acc);
    return true;
}

static bool update_splat(const struct constant_fold *fold, lit_id *out)
{
    *out = fold->args[0];
    return is_splat(fold, 0) && is_splat(fold, 1) && same_splat(fold, fold->args[0], fold->args[1]);
}

static bool fold_splat(const struct constant_fold *fold, lit_id *out)
{
    switch (fold->op) {
    case OP_IOTA:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        return false;
    case OP_SELECT:
        return select_splat(fold, out);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_RESHAPE:
    case OP_DYNAMIC_SLICE:
    case OP_GATHER:
        return move_splat(fold, out);
    case OP_DYNAMIC_UPDATE_SLICE:
        return update_splat(fold, out);
    case OP_DOT_GENERAL:
        return dot_splat(fold, out);
    case OP_PAD:
        return pad_splat(fold, out);
    case OP_CONCATENATE:
        return concatenate_splat(fold, out);
    case OP_REDUCE:
        return reduce_splat(fold, out);
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_IS_FINITE:
    case OP_COMPARE:
    case OP_CLAMP:
    case OP_CONVERT:
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return point_splat(fold, out);
}

// Counts the elements that the interpreter would read: splats that it must spread,
// and all operands of combining operators.
static bool within_limits(const struct constant_fold *fold)
{
    uint64_t limit = read_limit(fold);
    if ((uint64_t)type_count(fold->pool, fold->type) > fold->max_count ||
        (uint64_t)eval_steps(fold->pool, fold->op, fold->attr, fold->type, fold->types) > limit)
        return false;
    for (uint32_t i = 0; i < fold->n; i++)
        if ((is_splat(fold, i) || fold->exact) &&
            (uint64_t)type_count(fold->pool, fold->types[i]) > limit)
            return false;
    return true;
}

static bool fold_dense(const struct constant_fold *fold, lit_id *out)
{
    struct arena mem = {0};
    struct err err = {0};
    struct value *args, value;
    if (!within_limits(fold))
        return false;
    for (uint32_t i = 0; fold->exact && !op_only_moves(fold->op) && i < fold->n; i++)
        if (!all_finite(fold, fold->args[i]))
            return false;
    args = ARENA_NEW(&mem, struct value, fold->n + 1);
    bool ok = true;
    for (uint32_t i = 0; ok && i < fold->n; i++)
        ok = value_of_literal(fold->pool, fold->args[i], fold->types[i], &mem, &args[i], &err);
    struct interpreter interpreter = {fold->pool, &mem, fold->exact};
    struct operation operation = {fold->op, fold->attr, fold->type, fold->n};
    ok = ok && eval_plain(&interpreter, operation, args, &value, &err);
    if (ok)
        *out = literal_make(fold->pool, type_elem(fold->pool, fold->type),
                            (uint64_t)type_count(fold->pool, fold->type), value.data);
    arena_release(&mem);
    return ok;
}

// Is the operation one of functions whose last bits IEEE 754 leaves open?
static bool is_open(const struct constant_fold *fold)
{
    return op_is_elementwise(fold->op) && op_facts(fold->op)->accuracy == ACCURACY_OPEN &&
           elem_kind(type_elem(fold->pool, fold->type)) == KIND_FLOAT;
}

// Does the operation add or multiply floats, so that the order of the elements may matter?
static bool sums_floats(const struct constant_fold *fold)
{
    enum op reducer = OP_ADD;
    if (op_has_reducer(fold->op))
        reducer = (enum op)attr_at(fold->pool, fold->attr)[0];
    else if (op_info(fold->op)->flow != FLOW_SUM)
        return false;
    enum elem elem = type_elem(fold->pool, fold->type);
    return elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem) &&
           (reducer == OP_ADD || reducer == OP_MULTIPLY);
}

// What the elements of an operand are.
struct magnitudes {
    double largest; // infinity: not all are integers, or they are too many
    bool zero, minus_zero, negative;
};

static struct magnitudes magnitudes_of(const struct constant_fold *fold, uint32_t i)
{
    const struct literal *literal = pool_literal(fold->pool, fold->args[i]);
    struct magnitudes out = {0};
    if (literal->count > read_limit(fold))
        return (struct magnitudes){INFINITY, true, true, true};
    for (uint64_t k = 0; k < literal->count; k++) {
        double x = scalar_to_double(literal->elem, literal_get(fold->pool, fold->args[i], k));
        out.zero |= x == 0;
        out.minus_zero |= x == 0 && signbit(x);
        out.negative |= !(x >= 0);
        out.largest = isfinite(x) && x == trunc(x) ? fmax(out.largest, fabs(x)) : INFINITY;
    }
    return out;
}

// Sums of integers are exact in every order while the sum of all magnitudes is.  One term has
// no order.  But no product of several elements is looked at, no -0, since an implementation
// may leave out the initial value 0 of a sum, and no window with an initial value, which
// padding adds again.
static bool order_matters(const struct constant_fold *fold)
{
    if (!sums_floats(fold))
        return false;
    uint64_t count = (uint64_t)type_count(fold->pool, fold->type);
    uint64_t steps =
        (uint64_t)eval_steps(fold->pool, fold->op, fold->attr, fold->type, fold->types);
    double terms = fold->op == OP_SCATTER ? (double)steps : ceil((double)steps / (double)count);
    double limit = ldexp(1, (int)elem_precision(type_elem(fold->pool, fold->type)));
    bool product = !op_has_reducer(fold->op);
    uint32_t second = fold->op == OP_SCATTER ? 2 : 1;
    struct magnitudes a = magnitudes_of(fold, 0), b = magnitudes_of(fold, second);
    if (a.minus_zero || b.minus_zero ||
        (product && (a.zero || b.zero) && (a.negative || b.negative)))
        return true;
    if (!product && attr_at(fold->pool, fold->attr)[0] != (int64_t)OP_ADD)
        return true;
    if (fold->op == OP_REDUCE_WINDOW && b.largest != 0)
        return true;
    if (terms <= 1)
        return false;
    double sum = product                  ? terms * a.largest * b.largest
                 : fold->op == OP_SCATTER ? a.largest + terms * b.largest
                                          : b.largest + terms * a.largest;
    return !(sum <= limit);
}

bool fold_node(struct pool *pool, struct operation operation, const lit_id *args,
               const type_id *arg_types, struct fold_options options, lit_id *out)
{
    struct constant_fold fold = {.pool = pool,
                                 .op = operation.op,
                                 .attr = operation.attr,
                                 .type = operation.type,
                                 .n = operation.n,
                                 .args = args,
                                 .types = arg_types,
                                 .exact = options.reading == READ_REAL,
                                 .max_count = options.max_count};
    if (!is_foldable(&fold))
        return false;
    if (type_count(pool, fold.type) == 0) {
        *out = literal_make(pool, type_elem(pool, fold.type), 0, NULL);
        return true;
    }
    if (options.reading == READ_FLOAT && order_matters(&fold))
        return false;
    fold.exact |= is_open(&fold);
    return !tells_nans(&fold) && !(fold.exact && reads_bits(&fold)) &&
           (fold_splat(&fold, out) || fold_dense(&fold, out));
}
