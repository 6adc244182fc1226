// SPDX-License-Identifier: Apache-2.0
// The operators of tensor/op.h, in pretty and generic form, as terms.
//
// An operation whose attributes say more than a term can hold (a sharding, an
// accuracy, anything unknown) is no term: it stays opaque, so that nothing is
// lost and no rule moves it.
#include "io/stablehlo_known.h"
#include <inttypes.h>

enum { A, B, C }; // the integer lists of reader.ints

struct int_key {
    enum op op;
    const char *generic, *pretty;
    int list;
};

static const struct int_key int_keys[] = {
    {OP_TRANSPOSE, "permutation", "dims", A},
    {OP_BROADCAST_IN_DIM, "broadcast_dimensions", "dims", A},
    {OP_REVERSE, "dimensions", "dims", A},
    {OP_REDUCE, "dimensions", NULL, A},
    {OP_SLICE, "start_indices", NULL, A},
    {OP_SLICE, "limit_indices", NULL, B},
    {OP_SLICE, "strides", NULL, C},
    {OP_PAD, "edge_padding_low", "low", A},
    {OP_PAD, "edge_padding_high", "high", B},
    {OP_PAD, "interior_padding", "interior", C},
};

static const struct int_key dim_keys[] = {
    {OP_CONCATENATE, "dimension", "dim", 0},
    {OP_IOTA, "iota_dimension", "dim", 0},
};

bool reader_check_operand(struct reader *r, uint32_t at, uint32_t k,
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

bool reader_signature(struct reader *r, uint32_t *i, uint32_t *n_operands)
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

static bool read_dir(struct known *k, uint32_t i)
{
    char text[24];
    const struct token *t = &k->m->tok.at[i];
    snprintf(text, sizeof text, "%.*s", t->len > 20 ? 20 : (int)t->len,
             k->m->text + t->at);
    k->has_dir = compare_dir_by_text(text, &k->dir);
    return k->has_dir || mlir_expected(k->m, i, "EQ, NE, GE, GT, LE or LT");
}

// NOTYPE is an old way to leave the type out.
static bool read_compare_type(struct known *k, uint32_t i)
{
    char text[24];
    const struct token *t = &k->m->tok.at[i];
    snprintf(text, sizeof text, "%.*s", t->len > 20 ? 20 : (int)t->len,
             k->m->text + t->at);
    if (strcmp(text, "NOTYPE") == 0)
        return true;
    k->has_type = compare_type_by_text(text, &k->type);
    return k->has_type ||
           mlir_expected(k->m, i, "FLOAT, TOTALORDER, SIGNED or UNSIGNED");
}

// #stablehlo<WORD X>: moves i to X.
static bool enum_attr(struct known *k, const char *word, uint32_t *i)
{
    if (mlir_kind(k->m, *i) == T_STRING)
        return mlir_fail(k->m, *i,
                         "expected #stablehlo<%s ...>, found a "
                         "string: the encoding of an old version",
                         word);
    if (!mlir_text_is(k->m, *i, "#stablehlo") || mlir_kind(k->m, *i + 1) != '<')
        return mlir_expected(k->m, *i, "an attribute of StableHLO");
    *i += 2;
    return mlir_expect_word(k->m, i, word);
}

// #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>
// says nothing; any other accuracy is a promise that a rewrite could break.
static bool default_accuracy(const struct mlir *m, uint32_t i)
{
    return mlir_text_is(m, i, "#stablehlo.result_accuracy") &&
           mlir_kind(m, i + 1) == '<' && mlir_word(m, i + 2, "mode") &&
           mlir_kind(m, i + 3) == '=' &&
           mlir_text_is(m, i + 4, "#stablehlo.result_accuracy_mode") &&
           mlir_kind(m, i + 5) == '<' && mlir_word(m, i + 6, "DEFAULT") &&
           m->tok.at[i + 1].match == i + 8;
}

// Attributes that may be dropped: an accuracy that is the default, and a
// dictionary of attributes for the frontend that is empty.  Both are the same
// as no attribute by their definition.
static bool harmless(struct known *k, const struct mlir_entry *x)
{
    if (mlir_key_is(k->m, x, "result_accuracy"))
        return x->end > x->value && default_accuracy(k->m, x->value);
    return mlir_key_is(k->m, x, "mhlo.frontend_attributes") &&
           x->end == x->value + 2 && mlir_kind(k->m, x->value) == '{';
}

static bool read_literal(struct known *k, uint32_t *i)
{
    bool known, ok;
    if (mlir_accept_word(k->m, i, "dense_resource"))
        ok =
            mlir_dense_resource(k->m, i, &known, &k->literal, &k->literal_type);
    else if (mlir_accept_word(k->m, i, "dense"))
        ok = mlir_dense(k->m, i, &known, &k->literal, &k->literal_type);
    else if (mlir_kind(k->m, *i) == T_ATTR || mlir_word(k->m, *i, "sparse")) {
        k->opaque = true; // elements of another dialect
        return true;
    } else {
        return mlir_expected(k->m, *i, "dense<...>");
    }
    k->has_literal = ok && known;
    k->opaque |= ok && !known;
    return ok;
}

// One attribute of the dictionary.
static bool read_entry(struct known *k, const struct mlir_entry *x)
{
    struct mlir *m = k->m;
    uint32_t i = x->value;
    bool taken;
    if (!dims_entry(k, x, &taken))
        return false;
    if (taken)
        return true;
    for (size_t n = 0; n < sizeof int_keys / sizeof *int_keys; n++) {
        const struct int_key *key = &int_keys[n];
        if (key->op != k->op || !mlir_key_is(m, x, key->generic))
            continue;
        struct i64_vec *v = &k->r->ints[key->list];
        vec_clear(v);
        k->has[key->list] = true;
        return mlir_int_array(m, &i, v);
    }
    for (size_t n = 0; n < sizeof dim_keys / sizeof *dim_keys; n++) {
        if (dim_keys[n].op != k->op || !mlir_key_is(m, x, dim_keys[n].generic))
            continue;
        k->has_dim = true;
        return mlir_int(m, &i, &k->dim);
    }
    if (k->op == OP_COMPARE && mlir_key_is(m, x, "comparison_direction"))
        return enum_attr(k, "comparison_direction", &i) && read_dir(k, i);
    if (k->op == OP_COMPARE && mlir_key_is(m, x, "compare_type"))
        return enum_attr(k, "comparison_type", &i) && read_compare_type(k, i);
    if (k->op == OP_CONSTANT && mlir_key_is(m, x, "value"))
        return read_literal(k, &i);
    k->opaque |= !harmless(k, x);
    return true;
}

// The dictionary at '{'.
static bool read_dict(struct known *k, uint32_t *i)
{
    struct mlir_entry x;
    bool ok;
    ++*i;
    while (mlir_next_entry(k->m, i, &x, &ok))
        if (!read_entry(k, &x))
            return false;
    ++*i;
    return ok;
}

bool known_push_operand(struct known *k, uint32_t *i)
{
    term_id t;
    if (!reader_operand(k->r, i, &t))
        return false;
    vec_push(&k->r->args, t);
    return true;
}

static bool has_region(enum op op)
{
    return op == OP_REDUCE || op == OP_REDUCE_WINDOW || op == OP_SCATTER;
}

static bool read_generic(struct known *k, uint32_t *i)
{
    struct mlir *m = k->m;
    if (!mlir_expect(m, i, '(', "'('"))
        return false;
    while (mlir_kind(m, *i) != ')') {
        if (!known_push_operand(k, i))
            return false;
        if (!mlir_accept(m, i, ','))
            break;
        if (mlir_kind(m, *i) == ')')
            return mlir_expected(m, *i, "a value such as %0");
    }
    if (!mlir_expect(m, i, ')', "',' or ')'"))
        return false;
    if (mlir_accept(m, i, '<')) {
        if (mlir_kind(m, *i) != '{')
            return mlir_expected(m, *i, "'{'");
        if (!read_dict(k, i) || !mlir_expect(m, i, '>', "'>'"))
            return false;
    }
    if (mlir_kind(m, *i) == '(') {
        if (!has_region(k->op) || mlir_kind(m, *i + 1) != '{')
            return mlir_expected(m, *i, "':'");
        k->region = *i + 1;
        uint32_t end = m->tok.at[k->region].match + 1;
        if (end != m->tok.at[*i].match)
            return mlir_expected(m, end, "')', as there is one region");
        *i = end + 1;
    }
    if (mlir_kind(m, *i) == '{' && !read_dict(k, i))
        return false;
    return true;
}

static bool pretty_key(struct known *k, uint32_t *i)
{
    struct mlir *m = k->m;
    if (dims_is(k->op))
        return dims_pretty_key(k, i);
    for (size_t n = 0; n < sizeof int_keys / sizeof *int_keys; n++) {
        const struct int_key *key = &int_keys[n];
        if (key->op != k->op || key->pretty == NULL ||
            !mlir_word(m, *i, key->pretty))
            continue;
        if (k->has[key->list])
            return mlir_fail(m, *i, "'%s' is given twice", key->pretty);
        k->has[key->list] = true;
        ++*i;
        return mlir_expect(m, i, '=', "'='") &&
               mlir_int_list(m, i, &k->r->ints[key->list]);
    }
    for (size_t n = 0; n < sizeof dim_keys / sizeof *dim_keys; n++) {
        if (dim_keys[n].op != k->op || !mlir_word(m, *i, "dim") || k->has_dim)
            continue;
        k->has_dim = true;
        ++*i;
        return mlir_expect(m, i, '=', "'='") && mlir_int(m, i, &k->dim);
    }
    if (k->op == OP_COMPARE && !k->has_dir)
        return read_dir(k, (*i)++);
    if (k->op == OP_COMPARE && k->r->args.len == 2 && !k->has_type)
        return read_compare_type(k, (*i)++);
    return mlir_expected(m, *i,
                         k->r->args.len == 0 ? "a value such as %0" : "':'");
}

// [start:limit:stride, ...]
static bool pretty_ranges(struct known *k, uint32_t *i)
{
    struct mlir *m = k->m;
    uint32_t close = m->tok.at[*i].match;
    for (++*i; *i != close;) {
        int64_t v[3] = {0, 0, 1};
        if (!mlir_int(m, i, &v[0]) || !mlir_expect(m, i, ':', "':'") ||
            !mlir_int(m, i, &v[1]))
            return false;
        if (mlir_accept(m, i, ':') && !mlir_int(m, i, &v[2]))
            return false;
        for (int n = 0; n < 3; n++)
            vec_push(&k->r->ints[n], v[n]);
        if (*i != close && !mlir_expect(m, i, ',', "',' or ']'"))
            return false;
    }
    k->has[A] = k->has[B] = k->has[C] = true;
    ++*i;
    return true;
}

// Operands and named lists, separated by commas.
static bool pretty_items(struct known *k, uint32_t *i)
{
    struct mlir *m = k->m;
    bool named = false;
    do {
        if (mlir_kind(m, *i) == T_VALUE && !named) {
            if (!known_push_operand(k, i))
                return false;
            if (k->op == OP_SLICE && mlir_kind(m, *i) == '[')
                return pretty_ranges(k, i);
            continue;
        }
        if (mlir_kind(m, *i) != T_BARE)
            return mlir_expected(m, *i, named ? "a name" : "a value or name");
        named = k->op != OP_COMPARE || k->has_dir;
        if (!pretty_key(k, i))
            return false;
        if (k->opaque)
            return true;
    } while (mlir_accept(m, i, ','));
    return true;
}

// (%x init: %s) [applies stablehlo.add] across dimensions = [0]
static bool pretty_reduce(struct known *k, uint32_t *i)
{
    struct mlir *m = k->m;
    if (!mlir_expect(m, i, '(', "'('") || !known_push_operand(k, i) ||
        !mlir_expect_word(m, i, "init") || !mlir_expect(m, i, ':', "':'") ||
        !known_push_operand(k, i) || !mlir_expect(m, i, ')', "')'"))
        return false;
    if (mlir_kind(m, *i) == ',') {
        k->opaque = true; // several inputs
        return true;
    }
    if (mlir_accept_word(m, i, "applies")) {
        char name[64];
        uint32_t at = (*i)++;
        enum op op;
        if (!reader_op_name(m, at, name) ||
            strncmp(name, "stablehlo.", 10) != 0 ||
            !op_by_name(name + 10, &op) || op_class(op) != OPC_BINARY ||
            !(op_is_reducer(op) || op == OP_XOR))
            return mlir_expected(m, at,
                                 "a commutative operation of two "
                                 "operands");
        k->reducer = op;
        k->has_reducer = true;
        k->opaque |= !op_is_reducer(op);
    }
    if (!mlir_expect_word(m, i, "across") ||
        !mlir_expect_word(m, i, "dimensions") ||
        !mlir_expect(m, i, '=', "'='") || !mlir_int_list(m, i, &k->r->ints[A]))
        return false;
    k->has[A] = true;
    return true;
}

// {...}? dense<...> : type, or "() {value = ...} : () -> type".
static bool pretty_constant(struct known *k, uint32_t *i)
{
    if (mlir_kind(k->m, *i) == '(')
        return read_generic(k, i);
    if (mlir_kind(k->m, *i) == '{' && !read_dict(k, i))
        return false;
    return k->has_literal || read_literal(k, i);
}

static bool read_pretty(struct known *k, uint32_t *i)
{
    bool ok;
    if (k->op == OP_CONSTANT)
        return pretty_constant(k, i);
    if (k->op == OP_REDUCE)
        ok = pretty_reduce(k, i);
    else if (k->op == OP_CONVOLUTION)
        ok = conv_pretty(k, i);
    else
        ok = pretty_items(k, i);
    if (!ok || k->opaque)
        return ok;
    return mlir_kind(k->m, *i) != '{' || read_dict(k, i);
}

// Operand types and the result type, whatever the spelling: reader.types gets
// one type for each operand and then the result's.
static bool read_types(struct known *k, uint32_t *i, bool generic)
{
    struct reader *r = k->r;
    struct mlir *m = k->m;
    uint32_t n = r->args.len;
    vec_clear(&r->types);
    if (!mlir_expect(m, i, ':', "':'"))
        return false;
    k->types = *i;
    if (generic || mlir_kind(m, *i) == '(') {
        if (!reader_signature(r, i, &k->n_in))
            return false;
        if (k->n_in != n)
            return mlir_fail(m, k->types, "expected %u operand types, found %u",
                             n, k->n_in);
        if (r->types.len != n + 1)
            return mlir_fail(m, k->types, "expected one result type, found %u",
                             r->types.len - n);
        return true;
    }
    enum op_class cls = op_class(k->op);
    if (cls == OPC_OTHER && k->op != OP_SELECT && k->op != OP_CLAMP &&
        k->op != OP_REVERSE && k->op != OP_CONVERT)
        return mlir_expected(m, *i, "'(' and the operand types");
    type_id t;
    if (!mlir_type(m, i, &t))
        return false;
    if (k->op == OP_SELECT) {
        vec_push(&r->types, t);
        if (!mlir_expect(m, i, ',', "','") || !mlir_type(m, i, &t))
            return false;
    }
    if (n == 1 && strcmp(op_dialect(k->op), "chlo") == 0) { // T -> U
        vec_push(&r->types, t);
        if (!mlir_expect(m, i, T_ARROW, "'->'") || !mlir_type(m, i, &t))
            return false;
    }
    while (r->types.len <= n)
        vec_push(&r->types, t);
    k->n_in = n;
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void push_list(struct known *k, int list)
{
    for (uint32_t n = 0; n < k->r->ints[list].len; n++)
        vec_push(&k->r->attr, k->r->ints[list].at[n]);
}

static void push_sorted(struct known *k)
{
    struct i64_vec *v = &k->r->ints[A];
    if (v->len > 1)
        qsort(v->at, v->len, sizeof *v->at, compare_ints);
    push_list(k, A);
}

bool known_missing(struct known *k, const char *what)
{
    return mlir_fail(k->m, k->at, "'%s' lacks %s", op_name(k->op), what);
}

static bool push_three(struct known *k)
{
    const struct i64_vec *v = k->r->ints;
    if (!k->has[A] || !k->has[B] || !k->has[C])
        return known_missing(k, "one of its three lists");
    uint32_t rank = type_rank(k->r->p->pool, k->r->types.at[0]);
    for (int n = 0; n < 3; n++)
        if (v[n].len != rank)
            return mlir_fail(k->m, k->at,
                             "'%s': expected %u numbers, one for "
                             "each dimension, found %u",
                             op_name(k->op), rank, v[n].len);
    push_list(k, A);
    push_list(k, B);
    push_list(k, C);
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
static bool make_attr(struct known *k)
{
    struct reader *r = k->r;
    vec_clear(&r->attr);
    if (dims_is(k->op))
        return dims_attr(k);
    switch (k->op) {
    case OP_COMPARE:
        if (!k->has_dir)
            return known_missing(k, "a direction");
        if (!k->has_type)
            k->type = default_compare(type_elem(r->p->pool, r->types.at[0]));
        vec_push(&r->attr, k->dir);
        vec_push(&r->attr, k->type);
        return true;
    case OP_IOTA:
    case OP_CONCATENATE:
        if (!k->has_dim)
            return known_missing(k, "its dimension");
        vec_push(&r->attr, k->dim);
        return true;
    case OP_TRANSPOSE:
    case OP_BROADCAST_IN_DIM:
        if (!k->has[A])
            return known_missing(k, "its dimensions");
        push_list(k, A);
        return true;
    case OP_REDUCE:
    case OP_REVERSE:
        if (k->op == OP_REDUCE)
            vec_push(&r->attr, k->reducer);
        if (!k->has[A])
            return known_missing(k, "its dimensions");
        push_sorted(k);
        return true;
    case OP_SLICE:
    case OP_PAD:
        return push_three(k);
    default:
        return true;
    }
}

static bool result_mismatch(struct known *k, type_id have, type_id want)
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

static bool build(struct known *k, term_id *out)
{
    struct reader *r = k->r;
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

static bool build_constant(struct known *k, type_id want, term_id *out)
{
    struct reader *r = k->r;
    if (want.v != k->literal_type.v)
        return result_mismatch(k, k->literal_type, want);
    *out = term_constant(&r->p->terms, k->literal, want);
    return true;
}

// Arity and operand types; whether any type is more than a term can hold.
static bool check_operands(struct known *k)
{
    struct reader *r = k->r;
    uint32_t n = r->args.len;
    for (uint32_t j = 0; j < n; j++)
        if (!reader_check_operand(r, k->types, j, r->args.at[j],
                                  r->types.at[j]))
            return false;
    for (uint32_t j = 0; j <= n; j++)
        k->opaque |= !type_is_tensor(r->p->pool, r->types.at[j]);
    return true;
}

static bool check_arity(struct known *k)
{
    uint32_t n = k->r->args.len;
    int arity = op_arity(k->op);
    if (arity >= 0 && n != (uint32_t)arity)
        return mlir_fail(k->m, k->at, "'%s': expected %d operands, found %u",
                         op_name(k->op), arity, n);
    return true;
}

// The region of a reduce, behind the types in pretty form.
static bool reduce_region(struct known *k, uint32_t *i, bool generic)
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
            return known_missing(k, "its region");
        k->has_reducer = reader_is_reducer(m, k->region, elem, &k->reducer);
    } else if (!k->has_reducer) {
        uint32_t name[2];
        if (!mlir_expect_word(m, i, "reducer") ||
            !mlir_expect(m, i, '(', "'('"))
            return false;
        if (reader_reducer_args(m, i, elem, name) && mlir_kind(m, *i) == '{') {
            uint32_t close = m->tok.at[*i].match;
            k->has_reducer =
                reader_reducer_body(m, *i + 1, close, elem, name, &k->reducer);
            *i = close + 1;
        }
    }
    k->opaque |= !k->has_reducer;
    return true;
}

// The region of reduce_window or scatter, which are read in generic form only.
static bool dims_region(struct known *k)
{
    struct err none = {0};
    type_id elem;
    if (k->region == 0)
        return known_missing(k, "its region");
    if (!type_tensor(k->r->p->pool, type_elem(k->r->p->pool, k->r->types.at[0]),
                     0, NULL, &elem, &none))
        return known_missing(k, "elements");
    k->has_reducer = reader_is_reducer(k->m, k->region, elem, &k->reducer);
    if (!k->has_reducer && k->op == OP_SCATTER) {
        k->reducer = N_OPS;
        k->has_reducer = reader_is_replacement(k->m, k->region, elem);
    }
    k->opaque |= !k->has_reducer;
    return true;
}

static bool constant_term(struct known *k, uint32_t *i, bool generic,
                          term_id *out)
{
    struct reader *r = k->r;
    bool typed = generic || mlir_kind(k->m, *i) == '(';
    if (!(generic ? read_generic(k, i) : pretty_constant(k, i)))
        return false;
    if (k->opaque)
        return true;
    if (!k->has_literal)
        return known_missing(k, "its value");
    k->types = k->at;
    if (!typed)
        return build_constant(k, k->literal_type, out);
    if (!check_arity(k) || !read_types(k, i, true))
        return false;
    return build_constant(k, r->types.at[0], out);
}

static bool operator_term(struct known *k, uint32_t *i, bool generic,
                          term_id *out)
{
    if (!(generic ? read_generic(k, i) : read_pretty(k, i)))
        return false;
    // Several inputs: no term.
    if (has_region(k->op) && k->r->args.len > (uint32_t)op_arity(k->op))
        k->opaque = true;
    if (k->opaque)
        return true;
    if (!check_arity(k) || !read_types(k, i, generic) || !check_operands(k))
        return false;
    if (k->op == OP_REDUCE && !k->opaque && !reduce_region(k, i, generic))
        return false;
    k->opaque |= !k->opaque && dims_is(k->op) && dims_mixed(k);
    if ((k->op == OP_REDUCE_WINDOW || k->op == OP_SCATTER) && !k->opaque &&
        !dims_region(k))
        return false;
    return k->opaque || build(k, out);
}

enum ops_answer reader_known(struct reader *r, uint32_t *i, enum op op,
                             term_id *out)
{
    struct known k = {.r = r, .m = &r->m, .op = op, .at = *i};
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
