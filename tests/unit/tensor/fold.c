// SPDX-License-Identifier: Apache-2.0
// Folding against the interpreter (bit for bit) and, in exact mode, against
// rational arithmetic; splats of sizes that no memory holds.
#include "tests/unit/support/tensor_fold.h"

// Literal i spread over its type.
static struct value spread(struct fixture *fixture, lit_id literal, type_id type)
{
    enum elem elem = type_elem(&fixture->pool, type);
    int64_t count = type_count(&fixture->pool, type);
    struct value value = {.type = type};
    value.data = arena_alloc(&fixture->mem, elem_bytes(elem) * (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        scalar_store(elem, value.data, (size_t)i,
                     literal_get(&fixture->pool, literal, (uint64_t)i));
    return value;
}

static bool evaluate(struct fixture *fixture, const struct node *node, struct value *out)
{
    struct value args[MAX_ARGS];
    struct err err = {0};
    for (uint32_t i = 0; i < node->n; i++)
        args[i] = spread(fixture, node->lit[i], node->types[i]);
    return eval_node(&fixture->pool, (struct operation){node->op, node->attr, node->type, node->n},
                     args, &fixture->mem, out, &err);
}

static void random_operand(struct fixture *fixture, struct node *node, uint32_t i, type_id type)
{
    node->types[i] = type;
    struct value value = value_random(&fixture->pool, type, &fixture->rng, true, &fixture->mem);
    if (type_count(&fixture->pool, type) > 0 && rng_below(&fixture->rng, 3) == 0)
        node->lit[i] = literal_splat(&fixture->pool, type_elem(&fixture->pool, type),
                                     scalar_load(type_elem(&fixture->pool, type), value.data, 0));
    else
        node->lit[i] = literal_of(fixture, &value);
}

static type_id random_type(struct fixture *fixture, enum elem elem, uint32_t rank)
{
    int64_t dims[4];
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = rng_below(&fixture->rng, 12) ? rng_range(&fixture->rng, 1, 3) : 0;
    return type_of(fixture, elem, rank, dims);
}

static enum elem random_elem(struct fixture *fixture)
{
    return (enum elem)(1 + rng_below(&fixture->rng, N_ELEMS - 1));
}

static uint32_t random_axes(struct fixture *fixture, uint32_t rank, uint32_t n, int64_t *v)
{
    for (uint32_t i = 0; i < rank; i++)
        if (rng_below(&fixture->rng, 2))
            v[n++] = i;
    return n;
}

static const enum op reducers[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM, OP_AND, OP_OR};

// Attributes of the operators on shapes for an operand of this type.
static uint32_t random_attr(struct fixture *fixture, enum op op, type_id type, int64_t *v)
{
    uint32_t rank = type_rank(&fixture->pool, type), n = 0;
    const int64_t *dims = type_dims(&fixture->pool, type);
    switch (op) {
    case OP_COMPARE:
        v[0] = (int64_t)rng_below(&fixture->rng, 6);
        v[1] = (int64_t)rng_below(&fixture->rng, 4);
        return 2;
    case OP_TRANSPOSE:
        for (uint32_t i = 0; i < rank; i++)
            v[i] = rank - 1 - i;
        return rank;
    case OP_SLICE:
        for (uint32_t i = 0; i < rank; i++) {
            v[i] = rng_range(&fixture->rng, 0, dims[i]);
            v[rank + i] = rng_range(&fixture->rng, v[i], dims[i]);
            v[2 * rank + i] = rng_range(&fixture->rng, 1, 2);
        }
        return 3 * rank;
    case OP_PAD:
        for (uint32_t i = 0; i < rank; i++) {
            v[i] = rng_range(&fixture->rng, -1, 2);
            v[rank + i] = rng_range(&fixture->rng, -1, 2);
            v[2 * rank + i] = rng_range(&fixture->rng, 0, 2);
        }
        return 3 * rank;
    case OP_CONCATENATE:
        v[0] = 0;
        return 1;
    case OP_REDUCE:
        v[n++] = reducers[rng_below(&fixture->rng, 6)];
        return random_axes(fixture, rank, n, v);
    case OP_REVERSE:
        return random_axes(fixture, rank, n, v);
    default:
        return 0;
    }
}

// Operands, attributes and wanted type of the operators whose operands are of
// several shapes.  Gather and scatter take rows (dimension 0) by a list of
// indices; a convolution has a batch, a feature and a spatial dimension.
static uint32_t random_special(struct fixture *fixture, struct node *node, enum elem elem,
                               int64_t *v, type_id *want)
{
    int64_t a[3], b[3], list[2] = {rng_range(&fixture->rng, 0, 3), 1};
    int64_t slide[3] = {rng_range(&fixture->rng, 1, 2), rng_range(&fixture->rng, -1, 2),
                        rng_range(&fixture->rng, 0, 1)};
    for (int i = 0; i < 3; i++) {
        a[i] = rng_range(&fixture->rng, 0, 3);
        b[i] = rng_range(&fixture->rng, 0, 3);
    }
    type_id scalar = type_of(fixture, elem, 0, NULL), index = type_of(fixture, ELEM_I8, 0, NULL);
    random_operand(fixture, node, 0, type_of(fixture, elem, 3, a));
    switch (node->op) {
    case OP_DOT_GENERAL:
        b[0] = a[1], b[2] = a[0];
        random_operand(fixture, node, 1, type_of(fixture, elem, 3, b));
        memcpy(v, (int64_t[]){1, 1, 0, 2, 1, 0}, 6 * sizeof *v);
        return 6;
    case OP_CONVOLUTION: {
        int64_t c[18] = {1, 1, 1, 1, slide[0], slide[1], 1, 1, 1, slide[2], 1, 1, 0, 1, 2};
        int64_t d[6] = {1, 0, 2, 0, 1, 2};
        b[1] = a[1];
        random_operand(fixture, node, 1, type_of(fixture, elem, 3, b));
        memcpy(v, c, 15 * sizeof *v);
        memcpy(v + 15, d, sizeof d);
        return 21;
    }
    case OP_REDUCE_WINDOW: {
        int64_t c[7] = {reducers[rng_below(&fixture->rng, 6)],
                        2,
                        slide[0],
                        slide[1],
                        slide[1],
                        1 + slide[2],
                        1};
        random_operand(fixture, node, 0, type_of(fixture, elem, 1, a));
        random_operand(fixture, node, 1, scalar);
        memcpy(v, c, sizeof c);
        return 7;
    }
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        node->n = node->op == OP_DYNAMIC_SLICE ? 2 : 3;
        v[0] = rng_range(&fixture->rng, 0, a[0]);
        random_operand(fixture, node, 0, type_of(fixture, elem, 1, a));
        if (node->n == 3)
            random_operand(fixture, node, 1, type_of(fixture, elem, 1, v));
        random_operand(fixture, node, node->n - 1, index);
        return node->n == 2;
    case OP_GATHER: {
        int64_t c[11] = {2, 1, 0, 1, 0, 1, 1, 2, 0, 0, 1};
        random_operand(fixture, node, 1, type_of(fixture, ELEM_I8, 2, list));
        memcpy(v, c, sizeof c);
        v[11] = a[1], v[12] = a[2];
        return 13;
    }
    case OP_SCATTER: {
        int64_t op = rng_below(&fixture->rng, 3) ? reducers[rng_below(&fixture->rng, 6)] : N_OPS;
        int64_t c[12] = {op, 2, 1, 0, 1, 0, 0, 1, 1, 2, 0, 0};
        int64_t updates[3] = {list[0], a[1], a[2]};
        random_operand(fixture, node, 1, type_of(fixture, ELEM_I8, 2, list));
        random_operand(fixture, node, 2, type_of(fixture, elem, 3, updates));
        memcpy(v, c, sizeof c);
        return 12;
    }
    case OP_RESHAPE:
        b[0] = a[0] * a[1] * a[2];
        *want = type_of(fixture, elem, 1, b);
        return 0;
    default: // OP_BITCAST_CONVERT
        *want = type_of(fixture, random_elem(fixture), 3, a);
        return 0;
    }
}

static bool is_special(enum op op)
{
    return op >= OP_DOT_GENERAL && op <= OP_BITCAST_CONVERT;
}

// A well-typed node over literals, false if the draw has no such node.
static bool random_node(struct fixture *fixture, struct node *node)
{
    int64_t v[32] = {0};
    enum elem elem = random_elem(fixture);
    uint32_t rank = (uint32_t)rng_below(&fixture->rng, 4);
    type_id type = random_type(fixture, elem, rank), want = NO_TYPE;
    *node = (struct node){.op = (enum op)(OP_IOTA + rng_below(&fixture->rng, OP_OPAQUE - OP_IOTA))};
    int arity = op_arity(node->op);
    if (is_special(node->op)) {
        node->n = (uint32_t)(arity < 0 ? 0 : arity);
        uint32_t n_attr = random_special(fixture, node, elem, v, &want);
        node->attr = attr_make(&fixture->pool, n_attr, v);
        return infer(fixture, node, want);
    }
    node->n = arity < 0 ? 1 + (uint32_t)rng_below(&fixture->rng, 3) : (uint32_t)arity;
    for (uint32_t i = 0; i < node->n; i++)
        random_operand(fixture, node, i, type);
    uint32_t n_attr = random_attr(fixture, node->op, type, v);
    if (node->op == OP_PAD || node->op == OP_REDUCE)
        random_operand(fixture, node, 1, type_of(fixture, elem, 0, NULL));
    if (node->op == OP_SELECT)
        random_operand(fixture, node, 0,
                       type_of(fixture, ELEM_I1, rng_below(&fixture->rng, 2) ? rank : 0,
                               type_dims(&fixture->pool, type)));
    if (node->op == OP_CLAMP && rng_below(&fixture->rng, 2))
        random_operand(fixture, node, 0, type_of(fixture, elem, 0, NULL));
    if (node->op == OP_CONVERT)
        want = type_of(fixture, random_elem(fixture), rank, type_dims(&fixture->pool, type));
    if (node->op == OP_IOTA) {
        want = type;
        n_attr = 1;
        v[0] = rank ? (int64_t)rng_below(&fixture->rng, rank) : 0;
    }
    if (node->op == OP_BROADCAST_IN_DIM) {
        int64_t to[5] = {2};
        for (uint32_t i = 0; i < rank; i++) {
            int64_t size = type_dims(&fixture->pool, type)[i];
            v[i] = i + 1;
            to[i + 1] = size == 1 ? rng_range(&fixture->rng, 0, 2) : size;
        }
        n_attr = rank;
        want = type_of(fixture, elem, rank + 1, to);
    }
    node->attr = attr_make(&fixture->pool, n_attr, v);
    return infer(fixture, node, want);
}

// Total order and bits tell NaNs apart, which no fold may.
static bool compares_nans(struct fixture *fixture, const struct node *node)
{
    if (node->op != OP_BITCAST_CONVERT &&
        (node->op != OP_COMPARE ||
         attr_at(&fixture->pool, node->attr)[1] != (int64_t)CMPT_TOTALORDER))
        return false;
    for (uint32_t i = 0; i < node->n; i++)
        for (uint64_t k = 0; k < pool_literal(&fixture->pool, node->lit[i])->count; k++)
            if (scalar_is_nan(pool_literal(&fixture->pool, node->lit[i])->elem,
                              literal_get(&fixture->pool, node->lit[i], k)))
                return true;
    return false;
}

// The last bits of these functions are left open, so only obvious points fold.
static bool is_open(struct fixture *fixture, const struct node *node)
{
    return op_is_elementwise(node->op) && op_facts(node->op)->accuracy == ACCURACY_OPEN &&
           elem_kind(type_elem(&fixture->pool, node->type)) == KIND_FLOAT;
}

static void check_against_eval(struct fixture *fixture, const struct node *node, uint32_t *folded)
{
    lit_id got;
    struct value want;
    struct arena_mark start = arena_mark(&fixture->mem);
    bool ok = fold(fixture, node, false, &got), defined = evaluate(fixture, node, &want);
    if (compares_nans(fixture, node))
        defined = ok && type_count(&fixture->pool, node->type) == 0;
    if (ok != defined && !(defined && is_open(fixture, node)))
        fail_msg("%s: fold %d, eval %d", op_name(node->op), ok, defined);
    if (ok) {
        folded[node->op]++;
        if (got.v != literal_of(fixture, &want).v)
            fail_msg("%s: fold and eval differ", op_name(node->op));
    }
    // Exact mode folds less, never something else.
    if (fold(fixture, node, true, &got)) {
        assert_true(ok);
        assert_int_equal(got.v, literal_of(fixture, &want).v);
    }
    arena_reset(&fixture->mem, start);
}

static void test_as_eval(void **state)
{
    struct fixture *fixture = *state;
    struct node node;
    uint32_t folded[N_OPS] = {0};
    for (int i = 0; i < 40000; i++)
        if (random_node(fixture, &node))
            check_against_eval(fixture, &node, folded);
    for (enum op op = OP_IOTA; op < OP_OPAQUE; op++)
        if (folded[op] < (op_facts(op)->accuracy == ACCURACY_OPEN ? 1 : 20))
            fail_msg("%s was folded %u times only", op_name(op), folded[op]);
}

// Small numbers, so that many results are representable and many are not.
static double random_dyadic(struct fixture *fixture, enum elem elem)
{
    double m = (double)rng_range(&fixture->rng, -40, 40);
    if (elem != ELEM_F16 && rng_below(&fixture->rng, 8) == 0)
        m = (double)rng_range(&fixture->rng, -3000000, 3000000);
    double v = ldexp(m, (int)rng_range(&fixture->rng, -6, 6));
    return scalar_to_double(elem, scalar_of_double(elem, v));
}

// Exact folding succeeds just where the rational result exists in the type.
static void check_rational(struct fixture *fixture, enum op op, enum elem elem, uint32_t n,
                           int *yes, int *no)
{
    struct scalar args[2], rational[2], want, scalar = {0};
    struct err err = {0};
    for (uint32_t i = 0; i < n; i++) {
        args[i] = scalar_of_double(elem, random_dyadic(fixture, elem));
        if (op == OP_POWER && i == 1)
            args[i] = scalar_of_int(elem, rng_range(&fixture->rng, -4, 4));
        assert_true(eval_convert(elem, ELEM_REAL, args[i], &rational[i], &err));
    }
    bool real = n == 2 ? eval_binary(op, ELEM_REAL, rational[0], rational[1], &scalar, &err)
                       : eval_unary(op, ELEM_REAL, rational[0], &scalar, &err);
    if (!real && err.kind == ERR_LIMIT)
        return; // too large for 64-bit rationals
    struct scalar back;
    err_clear(&err);
    bool exists = real && eval_convert(ELEM_REAL, elem, scalar, &want, &err) &&
                  eval_convert(elem, ELEM_REAL, want, &back, &err) &&
                  scalar_same(ELEM_REAL, scalar, back);
    struct node node = point_node(fixture, op, elem, n, args);
    lit_id got;
    bool folded = fold(fixture, &node, true, &got);
    if (folded != exists)
        fail_msg("%s(%a, %a): folded %d, representable %d", op_name(op),
                 scalar_to_double(elem, args[0]), n == 2 ? scalar_to_double(elem, args[1]) : 0,
                 folded, exists);
    *(folded ? yes : no) += 1;
    if (folded) // 0 and -0 are the same number
        assert_true(scalar_to_double(elem, literal_get(&fixture->pool, got, 0)) ==
                    scalar_to_double(elem, want));
}

static void test_as_rational(void **state)
{
    struct fixture *fixture = *state;
    static const enum elem types[] = {ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};
    static const enum op unary[] = {OP_ABS,   OP_NEGATE,
                                    OP_SIGN,  OP_FLOOR,
                                    OP_CEIL,  OP_ROUND_NEAREST_AFZ,
                                    OP_SQRT,  OP_ROUND_NEAREST_EVEN,
                                    OP_RSQRT, OP_CBRT};
    static const enum op binary[] = {OP_ADD,     OP_SUBTRACT, OP_MULTIPLY,  OP_DIVIDE,
                                     OP_MAXIMUM, OP_MINIMUM,  OP_REMAINDER, OP_POWER};
    for (int k = 0; k < 18; k++) {
        int yes = 0, no = 0;
        for (int i = 0; i < 1500; i++)
            check_rational(fixture, k < 10 ? unary[k] : binary[k - 10], types[i % 4],
                           k < 10 ? 1 : 2, &yes, &no);
        assert_true(yes > 20); // the test has to see both answers
        if (k == 6 || k == 8 || k == 9 || (k >= 10 && k != 14 && k != 15))
            assert_true(no > 4);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_as_eval),
        TEST(test_as_rational),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
