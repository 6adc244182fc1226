// SPDX-License-Identifier: Apache-2.0
// Operators whose attributes are many lists: products, windows, slices at
// run-time starts, gather and scatter.  Each list has a slot in reader.list,
// each number a slot in known.number.  The tables have their names.
#include "io/stablehlo/read/op_reader.h"

enum { LHS_BATCH, RHS_BATCH, LHS_CONTRACTING, RHS_CONTRACTING };  // dot_general
enum { SIZE, STRIDE, PAD, BASE, DILATION };                       // reduce_window
enum { WINDOW, DROPPED, BATCHING, INDICES_BATCHING, MAP, SLICE }; // indexed
enum { SORTED, VECTOR, UNIQUE };                                  // indexed

enum form {
    ARRAY,   // array<i64: 1, 2>
    FLAGS,   // array<i1: true, false>
    PADDING, // dense<..> : tensor<rx2xi64>
    NUMBER,  // 1 : i64
    FLAG,    // true
    LIST,    // [1, 2], inside an attribute of StableHLO
    STRUCT,  // #stablehlo.dot<..>, its members in this table too
    LETTERS, // #stablehlo.conv<[b, ..]x[..]->[..]>
    DEFAULTS // [#stablehlo<precision DEFAULT>, ..]
};

struct attribute_key {
    enum op op;
    const char *name;
    enum form form;
    int slot;
    bool inner; // a member of the STRUCT
};

static const struct attribute_key keys[] = {
    {OP_DOT_GENERAL, "dot_dimension_numbers", STRUCT, 0, false},
    {OP_DOT_GENERAL, "precision_config", DEFAULTS, 0, false},
    {OP_DOT_GENERAL, "lhs_batching_dimensions", LIST, LHS_BATCH, true},
    {OP_DOT_GENERAL, "rhs_batching_dimensions", LIST, RHS_BATCH, true},
    {OP_DOT_GENERAL, "lhs_contracting_dimensions", LIST, LHS_CONTRACTING, true},
    {OP_DOT_GENERAL, "rhs_contracting_dimensions", LIST, RHS_CONTRACTING, true},
    {OP_CONVOLUTION, "dimension_numbers", LETTERS, 0, false},
    {OP_CONVOLUTION, "precision_config", DEFAULTS, 0, false},
    {OP_CONVOLUTION, "window_strides", ARRAY, CONV_STRIDE, false},
    {OP_CONVOLUTION, "padding", PADDING, CONV_PAD, false},
    {OP_CONVOLUTION, "lhs_dilation", ARRAY, CONV_BASE, false},
    {OP_CONVOLUTION, "rhs_dilation", ARRAY, CONV_DILATION, false},
    {OP_CONVOLUTION, "window_reversal", FLAGS, CONV_REVERSE, false},
    {OP_CONVOLUTION, "feature_group_count", NUMBER, CONV_FEATURE_GROUPS, false},
    {OP_CONVOLUTION, "batch_group_count", NUMBER, CONV_BATCH_GROUPS, false},
    {OP_REDUCE_WINDOW, "window_dimensions", ARRAY, SIZE, false},
    {OP_REDUCE_WINDOW, "window_strides", ARRAY, STRIDE, false},
    {OP_REDUCE_WINDOW, "padding", PADDING, PAD, false},
    {OP_REDUCE_WINDOW, "base_dilations", ARRAY, BASE, false},
    {OP_REDUCE_WINDOW, "window_dilations", ARRAY, DILATION, false},
    {OP_DYNAMIC_SLICE, "slice_sizes", ARRAY, SLICE, false},
    {OP_GATHER, "dimension_numbers", STRUCT, 0, false},
    {OP_GATHER, "indices_are_sorted", FLAG, SORTED, false},
    {OP_GATHER, "slice_sizes", ARRAY, SLICE, false},
    {OP_GATHER, "offset_dims", LIST, WINDOW, true},
    {OP_GATHER, "collapsed_slice_dims", LIST, DROPPED, true},
    {OP_GATHER, "operand_batching_dims", LIST, BATCHING, true},
    {OP_GATHER, "start_indices_batching_dims", LIST, INDICES_BATCHING, true},
    {OP_GATHER, "start_index_map", LIST, MAP, true},
    {OP_GATHER, "index_vector_dim", NUMBER, VECTOR, true},
    {OP_SCATTER, "scatter_dimension_numbers", STRUCT, 0, false},
    {OP_SCATTER, "indices_are_sorted", FLAG, SORTED, false},
    {OP_SCATTER, "unique_indices", FLAG, UNIQUE, false},
    {OP_SCATTER, "update_window_dims", LIST, WINDOW, true},
    {OP_SCATTER, "inserted_window_dims", LIST, DROPPED, true},
    {OP_SCATTER, "input_batching_dims", LIST, BATCHING, true},
    {OP_SCATTER, "scatter_indices_batching_dims", LIST, INDICES_BATCHING, true},
    {OP_SCATTER, "scatter_dims_to_operand_dims", LIST, MAP, true},
    {OP_SCATTER, "index_vector_dim", NUMBER, VECTOR, true},
};

bool dims_is(enum op op)
{
    switch (op) {
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
        return true;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return false;
}

struct i64_vec *dims_list(struct op_reader *reading, int slot)
{
    struct i64_vec *list = &reading->reader->list[slot];
    vec_clear(list);
    reading->lists |= 1u << slot;
    return list;
}

struct i64_vec *dims_named_list(struct op_reader *reading, const char *name)
{
    size_t n = 0;
    while (keys[n].op != reading->op || strcmp(keys[n].name, name) != 0)
        n++;
    return dims_list(reading, keys[n].slot);
}

static bool read_flags(struct op_reader *reading, uint32_t *at, struct i64_vec *out)
{
    struct mlir *mlir = reading->mlir;
    if (!mlir_expect_word(mlir, at, "array") || !mlir_expect(mlir, at, '<', "'<'") ||
        !mlir_expect_word(mlir, at, "i1"))
        return false;
    if (mlir_accept(mlir, at, ':'))
        do {
            int64_t x = mlir_accept_word(mlir, at, "true");
            if (!x && !mlir_expect_word(mlir, at, "false"))
                return false;
            vec_push(out, x);
        } while (mlir_accept(mlir, at, ','));
    return mlir_expect(mlir, at, '>', "',' or '>'");
}

static bool read_padding(struct op_reader *reading, uint32_t *next, struct i64_vec *out)
{
    struct mlir *mlir = reading->mlir;
    const struct pool *pool = reading->reader->program->pool;
    uint32_t at = *next;
    bool known;
    lit_id literal;
    type_id type;
    if (!mlir_expect_word(mlir, next, "dense") || !mlir_dense(mlir, next, &known, &literal, &type))
        return false;
    if (!known || type_elem(pool, type) != ELEM_I64 || type_rank(pool, type) != 2 ||
        type_dims(pool, type)[1] != 2 || type_dims(pool, type)[0] > TENSOR_MAX_RANK)
        return mlir_fail(mlir, at, "expected pairs of i64");
    bool splat = pool_literal(pool, literal)->splat;
    for (int64_t n = 0; n < 2 * type_dims(pool, type)[0]; n++)
        vec_push(out, (int64_t)literal_get(pool, literal, splat ? 0 : (uint64_t)n).bits);
    return true;
}

// True if [#stablehlo<precision DEFAULT>, ..] up to `end` has defaults only.
static bool all_default(const struct mlir *mlir, uint32_t from, uint32_t end)
{
    if (mlir_kind(mlir, from) != '[' || mlir->tok.at[from].match + 1 != end)
        return false;
    for (from++; mlir_kind(mlir, from) != ']'; from += mlir_kind(mlir, from) == ',') {
        if (!mlir_text_is(mlir, from, "#stablehlo") || mlir_kind(mlir, from + 1) != '<' ||
            !mlir_word(mlir, from + 2, "precision") || !mlir_word(mlir, from + 3, "DEFAULT") ||
            mlir->tok.at[from + 1].match != from + 4)
            return false;
        from += 5;
    }
    return true;
}

static bool read_members(struct op_reader *reading, uint32_t *next);

static bool read_form(struct op_reader *reading, const struct attribute_key *key, uint32_t *at,
                      uint32_t end)
{
    struct mlir *mlir = reading->mlir;
    int64_t x = 0;
    switch (key->form) {
    case ARRAY:
        return mlir_int_array(mlir, at, dims_list(reading, key->slot));
    case LIST:
        return mlir_int_list(mlir, at, dims_list(reading, key->slot));
    case FLAGS:
        return read_flags(reading, at, dims_list(reading, key->slot));
    case PADDING:
        return read_padding(reading, at, dims_list(reading, key->slot));
    case FLAG:
        x = mlir_accept_word(mlir, at, "true");
        if (!x && !mlir_expect_word(mlir, at, "false"))
            return false;
        break;
    case NUMBER:
        if (!mlir_int(mlir, at, &x))
            return false;
        break;
    case STRUCT:
        return read_members(reading, at);
    case LETTERS:
        if (!mlir_text_is(mlir, *at, "#stablehlo.conv") || mlir_kind(mlir, *at + 1) != '<')
            return mlir_expected(mlir, *at, "#stablehlo.conv<...>");
        *at += 2;
        if (mlir_word(mlir, *at, "raw")) {
            reading->opaque = true;
            return true;
        }
        return conv_numbers(reading, at);
    case DEFAULTS:
        reading->opaque |= !all_default(mlir, *at, end);
        return true;
    }
    reading->number[key->slot] = x;
    reading->numbers |= 1u << key->slot;
    return true;
}

// #stablehlo.gather<offset_dims = [1], ...>
static bool read_members(struct op_reader *reading, uint32_t *next)
{
    struct mlir *mlir = reading->mlir;
    const char *name = reading->op == OP_DOT_GENERAL ? "#stablehlo.dot"
                       : reading->op == OP_GATHER    ? "#stablehlo.gather"
                                                     : "#stablehlo.scatter";
    if (!mlir_text_is(mlir, *next, name) || mlir_kind(mlir, *next + 1) != '<')
        return mlir_expected(mlir, *next, "an attribute of StableHLO");
    uint32_t close = mlir->tok.at[*next + 1].match;
    *next += 2;
    while (*next != close) {
        const struct attribute_key *key = NULL;
        for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
            if (keys[n].op == reading->op && keys[n].inner && mlir_word(mlir, *next, keys[n].name))
                key = &keys[n];
        if (key == NULL)
            return mlir_expected(mlir, *next, "the name of a list of dimensions");
        ++*next;
        if (!mlir_expect(mlir, next, '=', "'='") || !read_form(reading, key, next, close))
            return false;
        if (*next != close && !mlir_expect(mlir, next, ',', "',' or '>'"))
            return false;
    }
    ++*next;
    return true;
}

bool dims_entry(struct op_reader *reading, const struct mlir_entry *entry, bool *taken)
{
    uint32_t i = entry->value;
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++) {
        const struct attribute_key *key = &keys[n];
        if (key->op != reading->op || key->inner || !mlir_key_is(reading->mlir, entry, key->name))
            continue;
        *taken = true;
        return read_form(reading, key, &i, entry->end);
    }
    *taken = false;
    return true;
}

// "NAME = [0] x [1]" of dot_general.
static bool pretty_pair(struct op_reader *reading, uint32_t *at, int slot)
{
    struct mlir *mlir = reading->mlir;
    if (reading->lists >> slot & 1)
        return mlir_fail(mlir, *at, "the dimensions are given twice");
    ++*at;
    return mlir_expect(mlir, at, '=', "'='") && mlir_int_list(mlir, at, dims_list(reading, slot)) &&
           mlir_expect_word(mlir, at, "x") && mlir_int_list(mlir, at, dims_list(reading, slot + 1));
}

// precision = [DEFAULT, DEFAULT]
static bool pretty_precision(struct op_reader *reading, uint32_t *next)
{
    struct mlir *mlir = reading->mlir;
    ++*next;
    if (!mlir_expect(mlir, next, '=', "'='"))
        return false;
    if (mlir_kind(mlir, *next) != '[')
        return mlir_expected(mlir, *next, "'['");
    uint32_t close = mlir->tok.at[*next].match;
    for (++*next; *next != close; ++*next)
        reading->opaque |= mlir_kind(mlir, *next) != ',' && !mlir_word(mlir, *next, "DEFAULT");
    ++*next;
    return true;
}

bool dims_pretty_key(struct op_reader *reading, uint32_t *i)
{
    struct mlir *mlir = reading->mlir;
    if (reading->op == OP_DYNAMIC_SLICE && mlir_accept_word(mlir, i, "sizes"))
        return mlir_expect(mlir, i, '=', "'='") &&
               mlir_int_list(mlir, i, dims_list(reading, SLICE));
    if (reading->op == OP_DOT_GENERAL) {
        if (mlir_word(mlir, *i, "batching_dims"))
            return pretty_pair(reading, i, LHS_BATCH);
        if (mlir_word(mlir, *i, "contracting_dims"))
            return pretty_pair(reading, i, LHS_CONTRACTING);
        if (mlir_word(mlir, *i, "precision"))
            return pretty_precision(reading, i);
        if (mlir_word(mlir, *i, "algorithm")) {
            reading->opaque = true;
            ++*i;
            return true;
        }
    }
    return mlir_expected(mlir, *i, reading->reader->args.len == 0 ? "a value such as %0" : "':'");
}

bool dims_mixed(const struct op_reader *reading)
{
    const struct pool *pool = reading->reader->program->pool;
    enum elem first = type_elem(pool, reading->reader->types.at[0]);
    uint32_t n = reading->reader->types.len;
    if (reading->op == OP_DOT_GENERAL || reading->op == OP_CONVOLUTION ||
        reading->op == OP_REDUCE_WINDOW)
        return type_elem(pool, reading->reader->types.at[1]) != first ||
               type_elem(pool, reading->reader->types.at[n - 1]) != first;
    return reading->op == OP_SCATTER &&
           (type_elem(pool, reading->reader->types.at[2]) != first ||
            type_elem(pool, reading->reader->types.at[n - 1]) != first);
}

static void push(struct op_reader *reading, int64_t x)
{
    vec_push(&reading->reader->attr, x);
}

static void push_length(struct op_reader *reading, int slot)
{
    push(reading, reading->reader->list[slot].len);
}

static void push_all(struct op_reader *reading, int slot)
{
    for (uint32_t n = 0; n < reading->reader->list[slot].len; n++)
        push(reading, reading->reader->list[slot].at[n]);
}

// A list of n numbers, all `value` if the list was not given. Of a list of
// pairs, every second number from `first` on.
static bool push_sized(struct op_reader *reading, int slot, uint32_t n, int64_t value, bool pairs,
                       uint32_t first)
{
    const struct i64_vec *list = &reading->reader->list[slot];
    bool given = reading->lists >> slot & 1;
    if (given && list->len != n * (pairs ? 2 : 1))
        return mlir_fail(reading->mlir, reading->at,
                         "'%s': expected %u numbers for its window or slice, "
                         "found %u",
                         op_name(reading->op), n * (pairs ? 2 : 1), list->len);
    for (uint32_t d = 0; d < n; d++)
        push(reading, !given ? value : pairs ? list->at[2 * d + first] : list->at[d]);
    return true;
}

// Two lists of one length.
static bool check_pair(struct op_reader *reading, int a, int b)
{
    if (reading->reader->list[a].len == reading->reader->list[b].len)
        return true;
    return mlir_fail(reading->mlir, reading->at,
                     "'%s': expected lists of one length, found %u and %u "
                     "dimensions",
                     op_name(reading->op), reading->reader->list[a].len,
                     reading->reader->list[b].len);
}

// Sorts contracted dimensions in the order of lhs: equal programs shall be equal terms.  Of
// floats the order is that in which they are added.
static void sort_contracting(struct op_reader *reading)
{
    const struct pool *pool = reading->reader->program->pool;
    type_id type = reading->reader->types.at[0];
    if (type_is_tensor(pool, type) && elem_kind(type_elem(pool, type)) == KIND_FLOAT)
        return;
    struct i64_vec *list = &reading->reader->list[LHS_CONTRACTING];
    int64_t *a = list->at, *b = reading->reader->list[RHS_CONTRACTING].at;
    for (uint32_t n = 1; n < list->len; n++)
        for (uint32_t i = n; i > 0 && a[i] < a[i - 1]; i--) {
            int64_t x = a[i], y = b[i];
            a[i] = a[i - 1];
            b[i] = b[i - 1];
            a[i - 1] = x;
            b[i - 1] = y;
        }
}

static bool dot_vector(struct op_reader *reading)
{
    if (!check_pair(reading, LHS_BATCH, RHS_BATCH) ||
        !check_pair(reading, LHS_CONTRACTING, RHS_CONTRACTING))
        return false;
    sort_contracting(reading);
    push_length(reading, LHS_BATCH);
    push_length(reading, LHS_CONTRACTING);
    for (int slot = LHS_BATCH; slot <= RHS_CONTRACTING; slot++)
        push_all(reading, slot);
    return true;
}

static int64_t number_or(const struct op_reader *reading, int slot, int64_t value)
{
    return reading->numbers >> slot & 1 ? reading->number[slot] : value;
}

static bool conv_vector(struct op_reader *reading)
{
    uint32_t ns = reading->reader->list[CONV_IN].len;
    if (!(reading->lists >> CONV_IN & 1))
        return op_reader_missing(reading, "its dimensions");
    if (!check_pair(reading, CONV_IN, CONV_KERNEL) || !check_pair(reading, CONV_IN, CONV_OUT))
        return false;
    for (int n = 0; n < 3; n++)
        push(reading, 1);
    push(reading, ns);
    if (!push_sized(reading, CONV_STRIDE, ns, 1, false, 0) ||
        !push_sized(reading, CONV_PAD, ns, 0, true, 0) ||
        !push_sized(reading, CONV_PAD, ns, 0, true, 1) ||
        !push_sized(reading, CONV_BASE, ns, 1, false, 0) ||
        !push_sized(reading, CONV_DILATION, ns, 1, false, 0) ||
        !push_sized(reading, CONV_REVERSE, ns, 0, false, 0))
        return false;
    push(reading, number_or(reading, CONV_FEATURE_GROUPS, 1));
    push(reading, number_or(reading, CONV_BATCH_GROUPS, 1));
    static const int slots[3][2] = {
        {CONV_IN_BATCH, CONV_IN}, {CONV_KERNEL_FEATURE, CONV_KERNEL}, {CONV_OUT_BATCH, CONV_OUT}};
    for (int n = 0; n < 3; n++) {
        push(reading, reading->number[slots[n][0]]);
        push(reading, reading->number[slots[n][0] + 1]);
        push_all(reading, slots[n][1]);
    }
    return true;
}

static bool window_vector(struct op_reader *reading)
{
    uint32_t rank = type_rank(reading->reader->program->pool, reading->reader->types.at[0]);
    if (!(reading->lists >> SIZE & 1))
        return op_reader_missing(reading, "its window");
    push(reading, reading->reducer);
    return push_sized(reading, SIZE, rank, 1, false, 0) &&
           push_sized(reading, STRIDE, rank, 1, false, 0) &&
           push_sized(reading, PAD, rank, 0, true, 0) &&
           push_sized(reading, PAD, rank, 0, true, 1) &&
           push_sized(reading, BASE, rank, 1, false, 0) &&
           push_sized(reading, DILATION, rank, 1, false, 0);
}

static bool indexed_vector(struct op_reader *reading)
{
    uint32_t rank = type_rank(reading->reader->program->pool, reading->reader->types.at[0]);
    if (!check_pair(reading, BATCHING, INDICES_BATCHING))
        return false;
    if (reading->op == OP_GATHER && !(reading->lists >> SLICE & 1))
        return op_reader_missing(reading, "its sizes");
    if (reading->op == OP_SCATTER)
        push(reading, reading->reducer);
    push_length(reading, WINDOW);
    push_length(reading, DROPPED);
    push_length(reading, BATCHING);
    push_length(reading, MAP);
    push(reading, number_or(reading, SORTED, 0));
    if (reading->op == OP_SCATTER)
        push(reading, number_or(reading, UNIQUE, 0));
    push(reading, number_or(reading, VECTOR, 0));
    for (int slot = WINDOW; slot <= MAP; slot++)
        push_all(reading, slot);
    return reading->op == OP_SCATTER || push_sized(reading, SLICE, rank, 0, false, 0);
}

bool dims_attr(struct op_reader *reading)
{
    uint32_t rank = type_rank(reading->reader->program->pool, reading->reader->types.at[0]);
    switch (reading->op) {
    case OP_DOT_GENERAL:
        return dot_vector(reading);
    case OP_CONVOLUTION:
        return conv_vector(reading);
    case OP_REDUCE_WINDOW:
        return window_vector(reading);
    case OP_DYNAMIC_SLICE:
        if (!(reading->lists >> SLICE & 1))
            return op_reader_missing(reading, "its sizes");
        return push_sized(reading, SLICE, rank, 0, false, 0);
    case OP_GATHER:
    case OP_SCATTER:
        return indexed_vector(reading);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return true;
}
