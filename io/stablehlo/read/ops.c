// SPDX-License-Identifier: Apache-2.0
// The operators of tensor/language/op.h, in pretty and generic form, as terms.
//
// An operation whose attributes say more than a term can hold (a sharding, an
// accuracy, anything unknown) is no term: it stays opaque, so that nothing is
// lost and no rule moves it.
#include "io/stablehlo/read/op_reader.h"

bool stablehlo_check_operand(struct stablehlo_reader *r, uint32_t at, uint32_t k,
                          term_id have, type_id want)
{
    type_id t = term_type(&r->p->terms, have);
    if (t.v == want.v)
        return true;
    struct buf a = {0}, b = {0};
    type_print(r->p->pool, t, &a);
    type_print(r->p->pool, want, &b);
    mlir_fail(&r->m, at,
              "expected the type of operand %u, %.200s, found "
              "%.200s",
              k, buf_text(&a), buf_text(&b));
    buf_release(&a);
    buf_release(&b);
    return false;
}

bool stablehlo_signature(struct stablehlo_reader *r, uint32_t *i, uint32_t *n_operands)
{
    struct mlir *m = &r->m;
    vec_clear(&r->types);
    for (int part = 0; part < 2; part++) {
        bool list = mlir_accept(m, i, '(');
        if (part == 0 && !list)
            return mlir_expected(m, *i, "'(' and the operand types");
        while (!list || mlir_kind(m, *i) != ')') {
            type_id t;
            if (!mlir_type(m, i, &t))
                return false;
            vec_push(&r->types, t);
            if (!list || !mlir_accept(m, i, ','))
                break;
            if (mlir_kind(m, *i) == ')')
                return mlir_expected(m, *i, "a type");
        }
        if (list && !mlir_expect(m, i, ')', "',' or ')'"))
            return false;
        if (part == 0) {
            *n_operands = r->types.len;
            if (!mlir_expect(m, i, T_ARROW, "'->'"))
                return false;
        }
    }
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void push_list(struct op_reader *k, int list)
{
    for (uint32_t n = 0; n < k->r->ints[list].len; n++)
        vec_push(&k->r->attr, k->r->ints[list].at[n]);
}

static void push_sorted(struct op_reader *k)
{
    struct i64_vec *v = &k->r->ints[INTS_FIRST];
    if (v->len > 1)
        qsort(v->at, v->len, sizeof *v->at, compare_ints);
    push_list(k, INTS_FIRST);
}

bool op_reader_missing(struct op_reader *k, const char *what)
{
    return mlir_fail(k->m, k->at, "'%s' lacks %s", op_name(k->op), what);
}

static bool push_three(struct op_reader *k)
{
    const struct i64_vec *v = k->r->ints;
    if (!k->has[INTS_FIRST] || !k->has[INTS_SECOND] || !k->has[INTS_THIRD])
        return op_reader_missing(k, "one of its three lists");
    uint32_t rank = type_rank(k->r->p->pool, k->r->types.at[0]);
    for (int n = 0; n < 3; n++)
        if (v[n].len != rank)
            return mlir_fail(k->m, k->at,
                             "'%s': expected %u numbers, one for "
                             "each dimension, found %u",
                             op_name(k->op), rank, v[n].len);
    push_list(k, INTS_FIRST);
    push_list(k, INTS_SECOND);
    push_list(k, INTS_THIRD);
    return true;
}

static enum compare_type default_compare(enum elem t)
{
    switch (elem_kind(t)) {
    case KIND_FLOAT:
        return CMPT_FLOAT;
    case KIND_SINT:
        return CMPT_SIGNED;
    default:
        return CMPT_UNSIGNED;
    }
}

// The attribute vector, as op.h lays it out, into reader.attr.
static bool make_attr(struct op_reader *k)
{
    struct stablehlo_reader *r = k->r;
    vec_clear(&r->attr);
    if (dims_is(k->op))
        return dims_attr(k);
    switch (k->op) {
    case OP_COMPARE:
        if (!k->has_dir)
            return op_reader_missing(k, "a direction");
        if (!k->has_type)
            k->type = default_compare(type_elem(r->p->pool, r->types.at[0]));
        vec_push(&r->attr, k->dir);
        vec_push(&r->attr, k->type);
        return true;
    case OP_IOTA:
    case OP_CONCATENATE:
        if (!k->has_dim)
            return op_reader_missing(k, "its dimension");
        vec_push(&r->attr, k->dim);
        return true;
    case OP_TRANSPOSE:
    case OP_BROADCAST_IN_DIM:
        if (!k->has[INTS_FIRST])
            return op_reader_missing(k, "its dimensions");
        push_list(k, INTS_FIRST);
        return true;
    case OP_REDUCE:
    case OP_REVERSE:
        if (k->op == OP_REDUCE)
            vec_push(&r->attr, k->reducer);
        if (!k->has[INTS_FIRST])
            return op_reader_missing(k, "its dimensions");
        push_sorted(k);
        return true;
    case OP_SLICE:
    case OP_PAD:
        return push_three(k);
    default:
        return true;
    }
}

static bool result_mismatch(struct op_reader *k, type_id have, type_id want)
{
    struct buf a = {0}, b = {0};
    type_print(k->r->p->pool, have, &a);
    type_print(k->r->p->pool, want, &b);
    mlir_fail(k->m, k->types,
              "%s: expected the result type %.200s, found "
              "%.200s",
              op_name(k->op), buf_text(&a), buf_text(&b));
    buf_release(&a);
    buf_release(&b);
    return false;
}

static bool build(struct op_reader *k, term_id *out)
{
    struct stablehlo_reader *r = k->r;
    uint32_t n = r->args.len;
    type_id want = r->types.at[n];
    bool given = k->op == OP_IOTA || k->op == OP_CONVERT ||
                 k->op == OP_BROADCAST_IN_DIM || k->op == OP_RESHAPE ||
                 k->op == OP_BITCAST_CONVERT;
    if (!make_attr(k))
        return false;
    attr_id attr = attr_make(r->p->pool, r->attr.len, r->attr.at);
    struct err why = {0};
    if (!term_build(&r->p->terms, k->op, attr, given ? want : NO_TYPE, n,
                    r->args.at, out, &why))
        return mlir_fail(k->m, k->at, "%s", why.msg);
    type_id have = term_type(&r->p->terms, *out);
    return have.v == want.v || result_mismatch(k, have, want);
}

static bool build_constant(struct op_reader *k, type_id want, term_id *out)
{
    struct stablehlo_reader *r = k->r;
    if (want.v != k->literal_type.v)
        return result_mismatch(k, k->literal_type, want);
    *out = term_constant(&r->p->terms, k->literal, want);
    return true;
}

// Arity and operand types; whether any type is more than a term can hold.
static bool check_operands(struct op_reader *k)
{
    struct stablehlo_reader *r = k->r;
    uint32_t n = r->args.len;
    for (uint32_t j = 0; j < n; j++)
        if (!stablehlo_check_operand(r, k->types, j, r->args.at[j],
                                  r->types.at[j]))
            return false;
    for (uint32_t j = 0; j <= n; j++)
        k->opaque |= !type_is_tensor(r->p->pool, r->types.at[j]);
    return true;
}

static bool check_arity(struct op_reader *k)
{
    uint32_t n = k->r->args.len;
    int arity = op_arity(k->op);
    if (arity >= 0 && n != (uint32_t)arity)
        return mlir_fail(k->m, k->at, "'%s': expected %d operands, found %u",
                         op_name(k->op), arity, n);
    return true;
}

// The region of a reduce, behind the types in pretty form.
static bool reduce_region(struct op_reader *k, uint32_t *i, bool generic)
{
    struct mlir *m = k->m;
    const struct pool *pool = k->r->p->pool;
    type_id elem = k->r->types.at[1];
    // StableHLO may widen elements while it reduces; a term may not.
    if (type_elem(pool, k->r->types.at[0]) != type_elem(pool, elem) ||
        type_elem(pool, k->r->types.at[2]) != type_elem(pool, elem)) {
        k->opaque = true;
        return true;
    }
    if (generic) {
        if (k->region == 0)
            return op_reader_missing(k, "its region");
        k->has_reducer = stablehlo_is_reducer(m, k->region, elem, &k->reducer);
    } else if (!k->has_reducer) {
        uint32_t name[2];
        if (!mlir_expect_word(m, i, "reducer") ||
            !mlir_expect(m, i, '(', "'('"))
            return false;
        if (stablehlo_reducer_args(m, i, elem, name) && mlir_kind(m, *i) == '{') {
            uint32_t close = m->tok.at[*i].match;
            k->has_reducer =
                stablehlo_reducer_body(m, *i + 1, close, elem, name, &k->reducer);
            *i = close + 1;
        }
    }
    k->opaque |= !k->has_reducer;
    return true;
}

// The region of reduce_window or scatter, which are read in generic form only.
static bool dims_region(struct op_reader *k)
{
    struct err none = {0};
    type_id elem;
    if (k->region == 0)
        return op_reader_missing(k, "its region");
    if (!type_tensor(k->r->p->pool, type_elem(k->r->p->pool, k->r->types.at[0]),
                     0, NULL, &elem, &none))
        return op_reader_missing(k, "elements");
    k->has_reducer = stablehlo_is_reducer(k->m, k->region, elem, &k->reducer);
    if (!k->has_reducer && k->op == OP_SCATTER) {
        k->reducer = N_OPS;
        k->has_reducer = stablehlo_is_replacement(k->m, k->region, elem);
    }
    k->opaque |= !k->has_reducer;
    return true;
}

static bool constant_term(struct op_reader *k, uint32_t *i, bool generic,
                          term_id *out)
{
    struct stablehlo_reader *r = k->r;
    bool typed = generic || mlir_kind(k->m, *i) == '(';
    if (!(generic ? op_reader_generic(k, i) : op_reader_constant(k, i)))
        return false;
    if (k->opaque)
        return true;
    if (!k->has_literal)
        return op_reader_missing(k, "its value");
    k->types = k->at;
    if (!typed)
        return build_constant(k, k->literal_type, out);
    if (!check_arity(k) || !op_reader_types(k, i, true))
        return false;
    return build_constant(k, r->types.at[0], out);
}

static bool operator_term(struct op_reader *k, uint32_t *i, bool generic,
                          term_id *out)
{
    if (!(generic ? op_reader_generic(k, i) : op_reader_pretty(k, i)))
        return false;
    // Several inputs: no term.
    if (op_reader_has_region(k->op) && k->r->args.len > (uint32_t)op_arity(k->op))
        k->opaque = true;
    if (k->opaque)
        return true;
    if (!check_arity(k) || !op_reader_types(k, i, generic) || !check_operands(k))
        return false;
    if (k->op == OP_REDUCE && !k->opaque && !reduce_region(k, i, generic))
        return false;
    k->opaque |= !k->opaque && dims_is(k->op) && dims_mixed(k);
    if ((k->op == OP_REDUCE_WINDOW || k->op == OP_SCATTER) && !k->opaque &&
        !dims_region(k))
        return false;
    return k->opaque || build(k, out);
}

enum ops_answer stablehlo_known_op(struct stablehlo_reader *r, uint32_t *i, enum op op,
                             term_id *out)
{
    struct op_reader k = {.r = r, .m = &r->m, .op = op, .at = *i};
    uint32_t j = *i + 1;
    bool generic = mlir_kind(k.m, *i) == T_STRING;
    vec_clear(&r->args);
    for (int n = 0; n < 3; n++)
        vec_clear(&r->ints[n]);
    for (int n = 0; n < 8; n++)
        vec_clear(&r->list[n]);
    if (!(op == OP_CONSTANT ? constant_term(&k, &j, generic, out)
                            : operator_term(&k, &j, generic, out)))
        return OPS_FAILED;
    if (k.opaque)
        return OPS_OPAQUE;
    *i = j;
    return OPS_TERM;
}
