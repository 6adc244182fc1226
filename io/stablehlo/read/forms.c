// SPDX-License-Identifier: Apache-2.0
// The generic and the pretty form of the operators of tensor/language/op.h, read into
// struct op_reader.
#include "io/stablehlo/read/op_reader.h"

struct int_key {
    enum op op;
    const char *generic, *pretty;
    int list;
};

static const struct int_key int_keys[] = {
    {OP_TRANSPOSE, "permutation", "dims", INTS_FIRST},
    {OP_BROADCAST_IN_DIM, "broadcast_dimensions", "dims", INTS_FIRST},
    {OP_REVERSE, "dimensions", "dims", INTS_FIRST},
    {OP_REDUCE, "dimensions", NULL, INTS_FIRST},
    {OP_SLICE, "start_indices", NULL, INTS_FIRST},
    {OP_SLICE, "limit_indices", NULL, INTS_SECOND},
    {OP_SLICE, "strides", NULL, INTS_THIRD},
    {OP_PAD, "edge_padding_low", "low", INTS_FIRST},
    {OP_PAD, "edge_padding_high", "high", INTS_SECOND},
    {OP_PAD, "interior_padding", "interior", INTS_THIRD},
};

static const struct int_key dim_keys[] = {
    {OP_CONCATENATE, "dimension", "dim", 0},
    {OP_IOTA, "iota_dimension", "dim", 0},
};

static bool read_dir(struct op_reader *k, uint32_t i)
{
    char text[24];
    const struct mlir_token *t = &k->m->tok.at[i];
    snprintf(text, sizeof text, "%.*s", t->len > 20 ? 20 : (int)t->len,
             k->m->text + t->at);
    k->has_dir = compare_dir_by_text(text, &k->dir);
    return k->has_dir || mlir_expected(k->m, i, "EQ, NE, GE, GT, LE or LT");
}

// NOTYPE is an old way to leave the type out.
static bool read_compare_type(struct op_reader *k, uint32_t i)
{
    char text[24];
    const struct mlir_token *t = &k->m->tok.at[i];
    snprintf(text, sizeof text, "%.*s", t->len > 20 ? 20 : (int)t->len,
             k->m->text + t->at);
    if (strcmp(text, "NOTYPE") == 0)
        return true;
    k->has_type = compare_type_by_text(text, &k->type);
    return k->has_type ||
           mlir_expected(k->m, i, "FLOAT, TOTALORDER, SIGNED or UNSIGNED");
}

// #stablehlo<WORD X>: moves i to X.
static bool enum_attr(struct op_reader *k, const char *word, uint32_t *i)
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
static bool harmless(struct op_reader *k, const struct mlir_entry *x)
{
    if (mlir_key_is(k->m, x, "result_accuracy"))
        return x->end > x->value && default_accuracy(k->m, x->value);
    return mlir_key_is(k->m, x, "mhlo.frontend_attributes") &&
           x->end == x->value + 2 && mlir_kind(k->m, x->value) == '{';
}

static bool read_literal(struct op_reader *k, uint32_t *i)
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
static bool read_entry(struct op_reader *k, const struct mlir_entry *x)
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
static bool read_dict(struct op_reader *k, uint32_t *i)
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

bool op_reader_push_operand(struct op_reader *k, uint32_t *i)
{
    term_id t;
    if (!stablehlo_operand(k->r, i, &t))
        return false;
    vec_push(&k->r->args, t);
    return true;
}

bool op_reader_has_region(enum op op)
{
    return op == OP_REDUCE || op == OP_REDUCE_WINDOW || op == OP_SCATTER;
}

bool op_reader_generic(struct op_reader *k, uint32_t *i)
{
    struct mlir *m = k->m;
    if (!mlir_expect(m, i, '(', "'('"))
        return false;
    while (mlir_kind(m, *i) != ')') {
        if (!op_reader_push_operand(k, i))
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
        if (!op_reader_has_region(k->op) || mlir_kind(m, *i + 1) != '{')
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

static bool pretty_key(struct op_reader *k, uint32_t *i)
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
static bool pretty_ranges(struct op_reader *k, uint32_t *i)
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
    k->has[INTS_FIRST] = k->has[INTS_SECOND] = k->has[INTS_THIRD] = true;
    ++*i;
    return true;
}

// Operands and named lists, separated by commas.
static bool pretty_items(struct op_reader *k, uint32_t *i)
{
    struct mlir *m = k->m;
    bool named = false;
    do {
        if (mlir_kind(m, *i) == T_VALUE && !named) {
            if (!op_reader_push_operand(k, i))
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
static bool pretty_reduce(struct op_reader *k, uint32_t *i)
{
    struct mlir *m = k->m;
    if (!mlir_expect(m, i, '(', "'('") || !op_reader_push_operand(k, i) ||
        !mlir_expect_word(m, i, "init") || !mlir_expect(m, i, ':', "':'") ||
        !op_reader_push_operand(k, i) || !mlir_expect(m, i, ')', "')'"))
        return false;
    if (mlir_kind(m, *i) == ',') {
        k->opaque = true; // several inputs
        return true;
    }
    if (mlir_accept_word(m, i, "applies")) {
        char name[64];
        uint32_t at = (*i)++;
        enum op op;
        if (!stablehlo_op_name(m, at, name) ||
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
        !mlir_expect(m, i, '=', "'='") ||
        !mlir_int_list(m, i, &k->r->ints[INTS_FIRST]))
        return false;
    k->has[INTS_FIRST] = true;
    return true;
}

// {...}? dense<...> : type, or "() {value = ...} : () -> type".
bool op_reader_constant(struct op_reader *k, uint32_t *i)
{
    if (mlir_kind(k->m, *i) == '(')
        return op_reader_generic(k, i);
    if (mlir_kind(k->m, *i) == '{' && !read_dict(k, i))
        return false;
    return k->has_literal || read_literal(k, i);
}

bool op_reader_pretty(struct op_reader *k, uint32_t *i)
{
    bool ok;
    if (k->op == OP_CONSTANT)
        return op_reader_constant(k, i);
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

bool op_reader_types(struct op_reader *k, uint32_t *i, bool generic)
{
    struct stablehlo_reader *r = k->r;
    struct mlir *m = k->m;
    uint32_t n = r->args.len;
    vec_clear(&r->types);
    if (!mlir_expect(m, i, ':', "':'"))
        return false;
    k->types = *i;
    if (generic || mlir_kind(m, *i) == '(') {
        if (!stablehlo_signature(r, i, &k->n_in))
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
