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

struct i64_vec *op_reader_list(struct op_reader *reading, const char *name)
{
    for (size_t n = 0; n < sizeof int_keys / sizeof *int_keys; n++)
        if (int_keys[n].op == reading->op && strcmp(int_keys[n].generic, name) == 0) {
            reading->has[int_keys[n].list] = true;
            return &reading->reader->ints[int_keys[n].list];
        }
    return dims_named_list(reading, name);
}

static bool read_dir(struct op_reader *reading, uint32_t from)
{
    char text[24];
    const struct mlir_token *token = &reading->mlir->tok.at[from];
    snprintf(text, sizeof text, "%.*s", token->len > 20 ? 20 : (int)token->len,
             reading->mlir->text + token->at);
    reading->has_dir = compare_dir_by_text(text, &reading->dir);
    return reading->has_dir || mlir_expected(reading->mlir, from, "EQ, NE, GE, GT, LE or LT");
}

// NOTYPE is an old way to leave the type out.
static bool read_compare_type(struct op_reader *reading, uint32_t from)
{
    char text[24];
    const struct mlir_token *token = &reading->mlir->tok.at[from];
    snprintf(text, sizeof text, "%.*s", token->len > 20 ? 20 : (int)token->len,
             reading->mlir->text + token->at);
    if (strcmp(text, "NOTYPE") == 0)
        return true;
    reading->has_type = compare_type_by_text(text, &reading->type);
    return reading->has_type ||
           mlir_expected(reading->mlir, from, "FLOAT, TOTALORDER, SIGNED or UNSIGNED");
}

// #stablehlo<WORD X>: moves i to X.
static bool enum_attr(struct op_reader *reading, const char *word, uint32_t *at)
{
    if (mlir_kind(reading->mlir, *at) == T_STRING)
        return mlir_fail(reading->mlir, *at,
                         "expected #stablehlo<%s ...>, found a "
                         "string: the encoding of an old version",
                         word) ||
               err_hint(reading->mlir->err, "a present stablehlo-opt reads old encodings and "
                                            "writes new ones: `stablehlo-opt FILE`");
    if (!mlir_text_is(reading->mlir, *at, "#stablehlo") || mlir_kind(reading->mlir, *at + 1) != '<')
        return mlir_expected(reading->mlir, *at, "an attribute of StableHLO");
    *at += 2;
    return mlir_expect_word(reading->mlir, at, word);
}

// #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>
// is no attribute; any other accuracy is a promise that a rewrite could break.
static bool default_accuracy(const struct mlir *mlir, uint32_t from)
{
    return mlir_text_is(mlir, from, "#stablehlo.result_accuracy") &&
           mlir_kind(mlir, from + 1) == '<' && mlir_word(mlir, from + 2, "mode") &&
           mlir_kind(mlir, from + 3) == '=' &&
           mlir_text_is(mlir, from + 4, "#stablehlo.result_accuracy_mode") &&
           mlir_kind(mlir, from + 5) == '<' && mlir_word(mlir, from + 6, "DEFAULT") &&
           mlir->tok.at[from + 1].match == from + 8;
}

// Attributes that may be dropped: the default accuracy, an empty dictionary of
// attributes for the frontend, and what a dynamic broadcast says of sizes that are known
// anyway.  They mean the same as no attribute, by definition.
static bool harmless(struct op_reader *reading, const struct mlir_entry *entry)
{
    if (mlir_key_is(reading->mlir, entry, "result_accuracy"))
        return entry->end > entry->value && default_accuracy(reading->mlir, entry->value);
    if (reading->dynamic && (mlir_key_is(reading->mlir, entry, "known_expanding_dimensions") ||
                             mlir_key_is(reading->mlir, entry, "known_nonexpanding_dimensions")))
        return true;
    return mlir_key_is(reading->mlir, entry, "mhlo.frontend_attributes") &&
           entry->end == entry->value + 2 && mlir_kind(reading->mlir, entry->value) == '{';
}

static bool read_literal(struct op_reader *reading, uint32_t *at)
{
    bool known, ok;
    if (mlir_word(reading->mlir, *at, "dense") && mlir_word(reading->mlir, *at + 2, "__elided__")) {
        reading->opaque = true; // elements that nobody knows
        return true;
    }
    if (mlir_accept_word(reading->mlir, at, "dense_resource"))
        ok = mlir_dense_resource(reading->mlir, at, &known, &reading->literal,
                                 &reading->literal_type);
    else if (mlir_accept_word(reading->mlir, at, "dense"))
        ok = mlir_dense(reading->mlir, at, &known, &reading->literal, &reading->literal_type);
    else if (mlir_kind(reading->mlir, *at) == T_ATTR || mlir_word(reading->mlir, *at, "sparse") ||
             mlir_word(reading->mlir, *at, "opaque") || reading->foreign) {
        reading->opaque = true; // elements of another dialect, or one number
        return true;
    } else {
        return mlir_expected(reading->mlir, *at, "dense<...>");
    }
    reading->has_literal = ok && known;
    reading->opaque |= ok && !known;
    return ok;
}

// One attribute of the dictionary.
static bool read_entry(struct op_reader *reading, const struct mlir_entry *entry)
{
    struct mlir *mlir = reading->mlir;
    uint32_t i = entry->value;
    bool taken;
    if (stablehlo_pins(reading->reader, entry)) {
        reading->opaque = true;
        return true;
    }
    if (!dims_entry(reading, entry, &taken))
        return false;
    if (taken)
        return true;
    for (size_t n = 0; n < sizeof int_keys / sizeof *int_keys; n++) {
        const struct int_key *key = &int_keys[n];
        if (key->op != reading->op || !mlir_key_is(mlir, entry, key->generic))
            continue;
        struct i64_vec *list = &reading->reader->ints[key->list];
        vec_clear(list);
        reading->has[key->list] = true;
        return mlir_int_array(mlir, &i, list);
    }
    for (size_t n = 0; n < sizeof dim_keys / sizeof *dim_keys; n++) {
        if (dim_keys[n].op != reading->op || !mlir_key_is(mlir, entry, dim_keys[n].generic))
            continue;
        reading->has_dim = true;
        return mlir_int(mlir, &i, &reading->dim);
    }
    if (reading->op == OP_COMPARE && mlir_key_is(mlir, entry, "comparison_direction"))
        return enum_attr(reading, "comparison_direction", &i) && read_dir(reading, i);
    if (reading->op == OP_COMPARE && mlir_key_is(mlir, entry, "compare_type"))
        return enum_attr(reading, "comparison_type", &i) && read_compare_type(reading, i);
    if (reading->op == OP_CONSTANT && mlir_key_is(mlir, entry, "value"))
        return read_literal(reading, &i);
    if (harmless(reading, entry))
        return true;
    if (op_reader_discardable(reading, entry))
        op_reader_keep(reading, entry);
    else
        reading->opaque = true;
    return true;
}

// The dictionary at '{'.
static bool read_dict(struct op_reader *reading, uint32_t *at)
{
    struct mlir_entry entry;
    bool ok;
    ++*at;
    while (mlir_next_entry(reading->mlir, at, &entry, &ok))
        if (!read_entry(reading, &entry))
            return false;
    ++*at;
    return ok;
}

bool op_reader_push_operand(struct op_reader *reading, uint32_t *i)
{
    term_id term;
    uint32_t at = *i;
    if (!stablehlo_operand(reading->reader, i, &term))
        return false;
    vec_push(&reading->reader->args, term);
    vec_push(&reading->reader->operand_at, at);
    return true;
}

bool op_reader_has_region(enum op op)
{
    return op_has_reducer(op);
}

bool op_reader_generic(struct op_reader *reading, uint32_t *i)
{
    struct mlir *mlir = reading->mlir;
    if (!mlir_expect(mlir, i, '(', "'('"))
        return false;
    while (mlir_kind(mlir, *i) != ')') {
        if (!op_reader_push_operand(reading, i))
            return false;
        if (!mlir_accept(mlir, i, ','))
            break;
        if (mlir_kind(mlir, *i) == ')')
            return mlir_expected(mlir, *i, "a value such as %0");
    }
    if (!mlir_expect(mlir, i, ')', "',' or ')'"))
        return false;
    if (mlir_accept(mlir, i, '<')) {
        if (mlir_kind(mlir, *i) != '{')
            return mlir_expected(mlir, *i, "'{'");
        if (!read_dict(reading, i) || !mlir_expect(mlir, i, '>', "'>'"))
            return false;
    }
    if (mlir_kind(mlir, *i) == '(') {
        if (!op_reader_has_region(reading->op) || mlir_kind(mlir, *i + 1) != '{')
            return mlir_expected(mlir, *i, "':'");
        reading->region = *i + 1;
        uint32_t end = mlir->tok.at[reading->region].match + 1;
        if (end != mlir->tok.at[*i].match)
            return mlir_expected(mlir, end, "')', as there is one region");
        *i = end + 1;
    }
    if (mlir_kind(mlir, *i) == '{' && !read_dict(reading, i))
        return false;
    return true;
}

static bool pretty_key(struct op_reader *reading, uint32_t *at)
{
    struct mlir *mlir = reading->mlir;
    if (dims_is(reading->op))
        return dims_pretty_key(reading, at);
    for (size_t n = 0; n < sizeof int_keys / sizeof *int_keys; n++) {
        const struct int_key *key = &int_keys[n];
        if (key->op != reading->op || key->pretty == NULL || !mlir_word(mlir, *at, key->pretty))
            continue;
        if (reading->has[key->list])
            return mlir_fail(mlir, *at, "'%s' is given twice", key->pretty);
        reading->has[key->list] = true;
        ++*at;
        return mlir_expect(mlir, at, '=', "'='") &&
               mlir_int_list(mlir, at, &reading->reader->ints[key->list]);
    }
    for (size_t n = 0; n < sizeof dim_keys / sizeof *dim_keys; n++) {
        if (dim_keys[n].op != reading->op || !mlir_word(mlir, *at, "dim") || reading->has_dim)
            continue;
        reading->has_dim = true;
        ++*at;
        return mlir_expect(mlir, at, '=', "'='") && mlir_int(mlir, at, &reading->dim);
    }
    if (reading->op == OP_COMPARE && !reading->has_dir)
        return read_dir(reading, (*at)++);
    if (reading->op == OP_COMPARE && reading->reader->args.len == 2 && !reading->has_type)
        return read_compare_type(reading, (*at)++);
    return mlir_expected(mlir, *at, reading->reader->args.len == 0 ? "a value such as %0" : "':'");
}

// [start:limit:stride, ...]
static bool pretty_ranges(struct op_reader *reading, uint32_t *next)
{
    struct mlir *mlir = reading->mlir;
    uint32_t close = mlir->tok.at[*next].match;
    for (++*next; *next != close;) {
        int64_t v[3] = {0, 0, 1};
        if (!mlir_int(mlir, next, &v[0]) || !mlir_expect(mlir, next, ':', "':'") ||
            !mlir_int(mlir, next, &v[1]))
            return false;
        if (mlir_accept(mlir, next, ':') && !mlir_int(mlir, next, &v[2]))
            return false;
        for (int n = 0; n < 3; n++)
            vec_push(&reading->reader->ints[n], v[n]);
        if (*next != close && !mlir_expect(mlir, next, ',', "',' or ']'"))
            return false;
    }
    reading->has[INTS_FIRST] = reading->has[INTS_SECOND] = reading->has[INTS_THIRD] = true;
    ++*next;
    return true;
}

// Operands and named lists, separated by commas.
static bool pretty_items(struct op_reader *reading, uint32_t *at)
{
    struct mlir *mlir = reading->mlir;
    bool named = false;
    do {
        if (mlir_kind(mlir, *at) == T_VALUE && !named) {
            if (!op_reader_push_operand(reading, at))
                return false;
            if (reading->op == OP_SLICE && mlir_kind(mlir, *at) == '[')
                return pretty_ranges(reading, at);
            continue;
        }
        if (mlir_kind(mlir, *at) != T_BARE)
            return mlir_expected(mlir, *at, named ? "a name" : "a value or name");
        named = reading->op != OP_COMPARE || reading->has_dir;
        if (!pretty_key(reading, at))
            return false;
        if (reading->opaque)
            return true;
    } while (mlir_accept(mlir, at, ','));
    return true;
}

// (%x init: %s) [applies stablehlo.add] across dimensions = [0]
static bool pretty_reduce(struct op_reader *reading, uint32_t *next)
{
    struct mlir *mlir = reading->mlir;
    if (!mlir_expect(mlir, next, '(', "'('") || !op_reader_push_operand(reading, next) ||
        !mlir_expect_word(mlir, next, "init") || !mlir_expect(mlir, next, ':', "':'") ||
        !op_reader_push_operand(reading, next) || !mlir_expect(mlir, next, ')', "')'"))
        return false;
    if (mlir_kind(mlir, *next) == ',') {
        reading->opaque = true; // several inputs
        return true;
    }
    if (mlir_accept_word(mlir, next, "applies")) {
        char name[IO_OPERATION_NAME];
        uint32_t at = (*next)++;
        enum op op;
        if (!stablehlo_op_name(mlir, at, name) || strncmp(name, "stablehlo.", 10) != 0 ||
            !op_by_name(name + 10, &op) || op_class(op) != OPC_BINARY || !op_is_commutative(op))
            return mlir_expected(mlir, at,
                                 "a commutative operation of two "
                                 "operands");
        reading->reducer = op;
        reading->has_reducer = true;
        reading->opaque |= !op_is_reducer(op);
    }
    if (!mlir_expect_word(mlir, next, "across") || !mlir_expect_word(mlir, next, "dimensions") ||
        !mlir_expect(mlir, next, '=', "'='") ||
        !mlir_int_list(mlir, next, &reading->reader->ints[INTS_FIRST]))
        return false;
    reading->has[INTS_FIRST] = true;
    return true;
}

// {...}? dense<...> : type, or "() {value = ...} : () -> type".
bool op_reader_constant(struct op_reader *reading, uint32_t *i)
{
    if (mlir_kind(reading->mlir, *i) == '(')
        return op_reader_generic(reading, i);
    if (mlir_kind(reading->mlir, *i) == '{' && !read_dict(reading, i))
        return false;
    return reading->has_literal || read_literal(reading, i);
}

bool op_reader_pretty(struct op_reader *reading, uint32_t *i)
{
    bool ok;
    if (reading->op == OP_CONSTANT)
        return op_reader_constant(reading, i);
    if (reading->op == OP_REDUCE)
        ok = pretty_reduce(reading, i);
    else if (reading->op == OP_CONVOLUTION)
        ok = conv_pretty(reading, i);
    else
        ok = pretty_items(reading, i);
    if (!ok || reading->opaque)
        return ok;
    return mlir_kind(reading->mlir, *i) != '{' || read_dict(reading, i);
}

bool op_reader_types(struct op_reader *reading, uint32_t *i, bool generic)
{
    struct stablehlo_reader *reader = reading->reader;
    struct mlir *mlir = reading->mlir;
    uint32_t n = reader->args.len;
    vec_clear(&reader->types);
    if (!mlir_expect(mlir, i, ':', "':'"))
        return false;
    reading->types = *i;
    if (generic || mlir_kind(mlir, *i) == '(') {
        if (!stablehlo_signature(reader, i, &reading->n_in))
            return false;
        if (reading->n_in != n)
            return mlir_fail(mlir, reading->types, "expected %u operand types, found %u", n,
                             reading->n_in);
        if (reader->types.len != n + 1)
            return mlir_fail(mlir, reading->types, "expected one result type, found %u",
                             reader->types.len - n);
        return true;
    }
    enum op_class cls = op_class(reading->op);
    bool short_form = cls == OPC_UNARY || cls == OPC_BINARY || cls == OPC_LEAF ||
                      reading->op == OP_SELECT || reading->op == OP_CLAMP ||
                      reading->op == OP_REVERSE || reading->op == OP_CONVERT;
    if (!short_form)
        return mlir_expected(mlir, *i, "'(' and the operand types");
    type_id type;
    if (!mlir_type(mlir, i, &type))
        return false;
    if (reading->op == OP_SELECT) {
        vec_push(&reader->types, type);
        if (!mlir_expect(mlir, i, ',', "','") || !mlir_type(mlir, i, &type))
            return false;
    }
    if (n == 1 && strcmp(op_dialect(reading->op), "chlo") == 0) { // T -> U
        vec_push(&reader->types, type);
        if (!mlir_expect(mlir, i, T_ARROW, "'->'") || !mlir_type(mlir, i, &type))
            return false;
    }
    while (reader->types.len <= n)
        vec_push(&reader->types, type);
    reading->n_in = n;
    return true;
}
