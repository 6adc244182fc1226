// SPDX-License-Identifier: Apache-2.0
// Operators whose attributes are many lists: products, windows, slices at
// run-time starts, gather and scatter.  Each list has a slot in reader.list,
// each number one in known.number; what they are called is in the tables.
#include "io/stablehlo/read/op_reader.h"

enum { LHS_BATCH, RHS_BATCH, LHS_CONTRACTING, RHS_CONTRACTING }; // dot_general
enum { SIZE, STRIDE, PAD, BASE, DILATION }; // reduce_window
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
    default:
        return false;
    }
}

struct i64_vec *dims_list(struct op_reader *k, int slot)
{
    struct i64_vec *v = &k->r->list[slot];
    vec_clear(v);
    k->lists |= 1u << slot;
    return v;
}

static bool read_flags(struct op_reader *k, uint32_t *i, struct i64_vec *out)
{
    struct mlir *m = k->m;
    if (!mlir_expect_word(m, i, "array") || !mlir_expect(m, i, '<', "'<'") ||
        !mlir_expect_word(m, i, "i1"))
        return false;
    if (mlir_accept(m, i, ':'))
        do {
            int64_t x = mlir_accept_word(m, i, "true");
            if (!x && !mlir_expect_word(m, i, "false"))
                return false;
            vec_push(out, x);
        } while (mlir_accept(m, i, ','));
    return mlir_expect(m, i, '>', "',' or '>'");
}

static bool read_padding(struct op_reader *k, uint32_t *i, struct i64_vec *out)
{
    struct mlir *m = k->m;
    const struct pool *pool = k->r->p->pool;
    uint32_t at = *i;
    bool known;
    lit_id l;
    type_id t;
    if (!mlir_expect_word(m, i, "dense") || !mlir_dense(m, i, &known, &l, &t))
        return false;
    if (!known || type_elem(pool, t) != ELEM_I64 || type_rank(pool, t) != 2 ||
        type_dims(pool, t)[1] != 2 || type_dims(pool, t)[0] > MAX_RANK)
        return mlir_fail(m, at, "expected pairs of i64");
    bool splat = pool_literal(pool, l)->splat;
    for (int64_t n = 0; n < 2 * type_dims(pool, t)[0]; n++)
        vec_push(out,
                 (int64_t)literal_get(pool, l, splat ? 0 : (uint64_t)n).bits);
    return true;
}

// Whether [#stablehlo<precision DEFAULT>, ..] up to `end` says nothing else.
static bool all_default(const struct mlir *m, uint32_t i, uint32_t end)
{
    if (mlir_kind(m, i) != '[' || m->tok.at[i].match + 1 != end)
        return false;
    for (i++; mlir_kind(m, i) != ']'; i += mlir_kind(m, i) == ',') {
        if (!mlir_text_is(m, i, "#stablehlo") || mlir_kind(m, i + 1) != '<' ||
            !mlir_word(m, i + 2, "precision") ||
            !mlir_word(m, i + 3, "DEFAULT") || m->tok.at[i + 1].match != i + 4)
            return false;
        i += 5;
    }
    return true;
}

static bool read_members(struct op_reader *k, uint32_t *i);

static bool read_form(struct op_reader *k, const struct attribute_key *key, uint32_t *i,
                      uint32_t end)
{
    struct mlir *m = k->m;
    int64_t x = 0;
    switch (key->form) {
    case ARRAY:
        return mlir_int_array(m, i, dims_list(k, key->slot));
    case LIST:
        return mlir_int_list(m, i, dims_list(k, key->slot));
    case FLAGS:
        return read_flags(k, i, dims_list(k, key->slot));
    case PADDING:
        return read_padding(k, i, dims_list(k, key->slot));
    case FLAG:
        x = mlir_accept_word(m, i, "true");
        if (!x && !mlir_expect_word(m, i, "false"))
            return false;
        break;
    case NUMBER:
        if (!mlir_int(m, i, &x))
            return false;
        break;
    case STRUCT:
        return read_members(k, i);
    case LETTERS:
        if (!mlir_text_is(m, *i, "#stablehlo.conv") ||
            mlir_kind(m, *i + 1) != '<')
            return mlir_expected(m, *i, "#stablehlo.conv<...>");
        *i += 2;
        if (mlir_word(m, *i, "raw")) {
            k->opaque = true;
            return true;
        }
        return conv_numbers(k, i);
    case DEFAULTS:
        k->opaque |= !all_default(m, *i, end);
        return true;
    }
    k->number[key->slot] = x;
    k->numbers |= 1u << key->slot;
    return true;
}

// #stablehlo.gather<offset_dims = [1], ...>
static bool read_members(struct op_reader *k, uint32_t *i)
{
    struct mlir *m = k->m;
    const char *name = k->op == OP_DOT_GENERAL ? "#stablehlo.dot"
                       : k->op == OP_GATHER    ? "#stablehlo.gather"
                                               : "#stablehlo.scatter";
    if (!mlir_text_is(m, *i, name) || mlir_kind(m, *i + 1) != '<')
        return mlir_expected(m, *i, "an attribute of StableHLO");
    uint32_t close = m->tok.at[*i + 1].match;
    *i += 2;
    while (*i != close) {
        const struct attribute_key *key = NULL;
        for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
            if (keys[n].op == k->op && keys[n].inner &&
                mlir_word(m, *i, keys[n].name))
                key = &keys[n];
        if (key == NULL)
            return mlir_expected(m, *i, "the name of a list of dimensions");
        ++*i;
        if (!mlir_expect(m, i, '=', "'='") || !read_form(k, key, i, close))
            return false;
        if (*i != close && !mlir_expect(m, i, ',', "',' or '>'"))
            return false;
    }
    ++*i;
    return true;
}

bool dims_entry(struct op_reader *k, const struct mlir_entry *x, bool *taken)
{
    uint32_t i = x->value;
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++) {
        const struct attribute_key *key = &keys[n];
        if (key->op != k->op || key->inner || !mlir_key_is(k->m, x, key->name))
            continue;
        *taken = true;
        return read_form(k, key, &i, x->end);
    }
    *taken = false;
    return true;
}

// "NAME = [0] x [1]" of dot_general.
static bool pretty_pair(struct op_reader *k, uint32_t *i, int slot)
{
    struct mlir *m = k->m;
    if (k->lists >> slot & 1)
        return mlir_fail(m, *i, "the dimensions are given twice");
    ++*i;
    return mlir_expect(m, i, '=', "'='") &&
           mlir_int_list(m, i, dims_list(k, slot)) &&
           mlir_expect_word(m, i, "x") &&
           mlir_int_list(m, i, dims_list(k, slot + 1));
}

// precision = [DEFAULT, DEFAULT]
static bool pretty_precision(struct op_reader *k, uint32_t *i)
{
    struct mlir *m = k->m;
    ++*i;
    if (!mlir_expect(m, i, '=', "'='"))
        return false;
    if (mlir_kind(m, *i) != '[')
        return mlir_expected(m, *i, "'['");
    uint32_t close = m->tok.at[*i].match;
    for (++*i; *i != close; ++*i)
        k->opaque |= mlir_kind(m, *i) != ',' && !mlir_word(m, *i, "DEFAULT");
    ++*i;
    return true;
}

bool dims_pretty_key(struct op_reader *k, uint32_t *i)
{
    struct mlir *m = k->m;
    if (k->op == OP_DYNAMIC_SLICE && mlir_accept_word(m, i, "sizes"))
        return mlir_expect(m, i, '=', "'='") &&
               mlir_int_list(m, i, dims_list(k, SLICE));
    if (k->op == OP_DOT_GENERAL) {
        if (mlir_word(m, *i, "batching_dims"))
            return pretty_pair(k, i, LHS_BATCH);
        if (mlir_word(m, *i, "contracting_dims"))
            return pretty_pair(k, i, LHS_CONTRACTING);
        if (mlir_word(m, *i, "precision"))
            return pretty_precision(k, i);
        if (mlir_word(m, *i, "algorithm")) {
            k->opaque = true;
            ++*i;
            return true;
        }
    }
    return mlir_expected(m, *i,
                         k->r->args.len == 0 ? "a value such as %0" : "':'");
}

bool dims_mixed(const struct op_reader *k)
{
    const struct pool *p = k->r->p->pool;
    enum elem first = type_elem(p, k->r->types.at[0]);
    uint32_t n = k->r->types.len;
    if (k->op == OP_DOT_GENERAL || k->op == OP_CONVOLUTION ||
        k->op == OP_REDUCE_WINDOW)
        return type_elem(p, k->r->types.at[1]) != first ||
               type_elem(p, k->r->types.at[n - 1]) != first;
    return k->op == OP_SCATTER &&
           (type_elem(p, k->r->types.at[2]) != first ||
            type_elem(p, k->r->types.at[n - 1]) != first);
}

static void push(struct op_reader *k, int64_t x)
{
    vec_push(&k->r->attr, x);
}

static void push_length(struct op_reader *k, int slot)
{
    push(k, k->r->list[slot].len);
}

static void push_all(struct op_reader *k, int slot)
{
    for (uint32_t n = 0; n < k->r->list[slot].len; n++)
        push(k, k->r->list[slot].at[n]);
}

// A list of n numbers, all `value` when it was not given; every second from
// `first` on when it holds pairs.
static bool push_sized(struct op_reader *k, int slot, uint32_t n, int64_t value,
                       bool pairs, uint32_t first)
{
    const struct i64_vec *v = &k->r->list[slot];
    bool given = k->lists >> slot & 1;
    if (given && v->len != n * (pairs ? 2 : 1))
        return mlir_fail(k->m, k->at,
                         "'%s': expected %u numbers for its window or slice, "
                         "found %u",
                         op_name(k->op), n * (pairs ? 2 : 1), v->len);
    for (uint32_t d = 0; d < n; d++)
        push(k, !given ? value : pairs ? v->at[2 * d + first] : v->at[d]);
    return true;
}

// Two lists of one length.
static bool check_pair(struct op_reader *k, int a, int b)
{
    if (k->r->list[a].len == k->r->list[b].len)
        return true;
    return mlir_fail(k->m, k->at,
                     "'%s': expected lists of one length, found %u and %u "
                     "dimensions",
                     op_name(k->op), k->r->list[a].len, k->r->list[b].len);
}

// Contracted dimensions in the order of lhs: it says nothing, but one program
// shall be one term.
static void sort_contracting(struct op_reader *k)
{
    struct i64_vec *l = &k->r->list[LHS_CONTRACTING];
    int64_t *a = l->at, *b = k->r->list[RHS_CONTRACTING].at;
    for (uint32_t n = 1; n < l->len; n++)
        for (uint32_t i = n; i > 0 && a[i] < a[i - 1]; i--) {
            int64_t x = a[i], y = b[i];
            a[i] = a[i - 1];
            b[i] = b[i - 1];
            a[i - 1] = x;
            b[i - 1] = y;
        }
}

static bool dot_vector(struct op_reader *k)
{
    if (!check_pair(k, LHS_BATCH, RHS_BATCH) ||
        !check_pair(k, LHS_CONTRACTING, RHS_CONTRACTING))
        return false;
    sort_contracting(k);
    push_length(k, LHS_BATCH);
    push_length(k, LHS_CONTRACTING);
    for (int slot = LHS_BATCH; slot <= RHS_CONTRACTING; slot++)
        push_all(k, slot);
    return true;
}

static int64_t number_or(const struct op_reader *k, int slot, int64_t value)
{
    return k->numbers >> slot & 1 ? k->number[slot] : value;
}

static bool conv_vector(struct op_reader *k)
{
    uint32_t ns = k->r->list[CONV_IN].len;
    if (!(k->lists >> CONV_IN & 1))
        return op_reader_missing(k, "its dimensions");
    if (!check_pair(k, CONV_IN, CONV_KERNEL) ||
        !check_pair(k, CONV_IN, CONV_OUT))
        return false;
    for (int n = 0; n < 3; n++)
        push(k, 1);
    push(k, ns);
    if (!push_sized(k, CONV_STRIDE, ns, 1, false, 0) ||
        !push_sized(k, CONV_PAD, ns, 0, true, 0) ||
        !push_sized(k, CONV_PAD, ns, 0, true, 1) ||
        !push_sized(k, CONV_BASE, ns, 1, false, 0) ||
        !push_sized(k, CONV_DILATION, ns, 1, false, 0) ||
        !push_sized(k, CONV_REVERSE, ns, 0, false, 0))
        return false;
    push(k, number_or(k, CONV_FEATURE_GROUPS, 1));
    push(k, number_or(k, CONV_BATCH_GROUPS, 1));
    static const int slots[3][2] = {{CONV_IN_BATCH, CONV_IN},
                                    {CONV_KERNEL_FEATURE, CONV_KERNEL},
                                    {CONV_OUT_BATCH, CONV_OUT}};
    for (int n = 0; n < 3; n++) {
        push(k, k->number[slots[n][0]]);
        push(k, k->number[slots[n][0] + 1]);
        push_all(k, slots[n][1]);
    }
    return true;
}

static bool window_vector(struct op_reader *k)
{
    uint32_t rank = type_rank(k->r->p->pool, k->r->types.at[0]);
    if (!(k->lists >> SIZE & 1))
        return op_reader_missing(k, "its window");
    push(k, k->reducer);
    return push_sized(k, SIZE, rank, 1, false, 0) &&
           push_sized(k, STRIDE, rank, 1, false, 0) &&
           push_sized(k, PAD, rank, 0, true, 0) &&
           push_sized(k, PAD, rank, 0, true, 1) &&
           push_sized(k, BASE, rank, 1, false, 0) &&
           push_sized(k, DILATION, rank, 1, false, 0);
}

static bool indexed_vector(struct op_reader *k)
{
    uint32_t rank = type_rank(k->r->p->pool, k->r->types.at[0]);
    if (!check_pair(k, BATCHING, INDICES_BATCHING))
        return false;
    if (k->op == OP_GATHER && !(k->lists >> SLICE & 1))
        return op_reader_missing(k, "its sizes");
    if (k->op == OP_SCATTER)
        push(k, k->reducer);
    push_length(k, WINDOW);
    push_length(k, DROPPED);
    push_length(k, BATCHING);
    push_length(k, MAP);
    push(k, number_or(k, SORTED, 0));
    if (k->op == OP_SCATTER)
        push(k, number_or(k, UNIQUE, 0));
    push(k, number_or(k, VECTOR, 0));
    for (int slot = WINDOW; slot <= MAP; slot++)
        push_all(k, slot);
    return k->op == OP_SCATTER || push_sized(k, SLICE, rank, 0, false, 0);
}

bool dims_attr(struct op_reader *k)
{
    uint32_t rank = type_rank(k->r->p->pool, k->r->types.at[0]);
    switch (k->op) {
    case OP_DOT_GENERAL:
        return dot_vector(k);
    case OP_CONVOLUTION:
        return conv_vector(k);
    case OP_REDUCE_WINDOW:
        return window_vector(k);
    case OP_DYNAMIC_SLICE:
        if (!(k->lists >> SLICE & 1))
            return op_reader_missing(k, "its sizes");
        return push_sized(k, SLICE, rank, 0, false, 0);
    case OP_GATHER:
    case OP_SCATTER:
        return indexed_vector(k);
    default: // OP_DYNAMIC_UPDATE_SLICE
        return true;
    }
}
