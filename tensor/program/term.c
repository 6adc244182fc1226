// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/term.h"
#include "tensor/language/attr.h"
#include "base/text/buf.h"
#include "base/hash.h"
#include "tensor/shape/infer.h"
#include <assert.h>
#include <inttypes.h>

// This table is the store's own: every node of programs and right sides is looked up here.
static void new_table(struct terms *terms, uint32_t n_slots)
{
    struct term_slot *old = terms->slot.at;
    uint32_t n_old = terms->slot.len, cap_old = terms->slot.cap, mask = n_slots - 1;
    vec_zero(&terms->slot, n_slots);
    for (uint32_t k = 0; k < n_old; k++) {
        if (!old[k].id)
            continue;
        uint32_t i = old[k].hash & mask;
        while (terms->slot.at[i].id)
            i = (i + 1) & mask;
        terms->slot.at[i] = old[k];
    }
    vec_free(old, cap_old, sizeof *old);
}

void terms_init(struct terms *terms, struct pool *pool)
{
    *terms = (struct terms){0};
    terms->pool = pool;
    new_table(terms, 64);
}

void terms_release(struct terms *terms)
{
    vec_release(&terms->term);
    vec_release(&terms->args);
    vec_release(&terms->slot);
    vec_release(&terms->region);
    vec_release(&terms->home);
    vec_release(&terms->homes);
    vec_release(&terms->home_list);
    vec_release(&terms->effect);
    terms->pool = NULL;
}

static uint32_t hash_node(enum op op, attr_id attr, type_id type, uint32_t n, const term_id *args)
{
    uint64_t h = hash_u64((uint64_t)attr.v << 32 | type.v, (uint64_t)n << 32 | (uint64_t)op);
    uint32_t i = 0;
    for (; i + 1 < n; i += 2)
        h = hash_u64((uint64_t)args[i].v << 32 | args[i + 1].v, h);
    if (i < n)
        h = hash_u64(args[i].v, h);
    return (uint32_t)(h ^ h >> 32);
}

static bool same_node(const struct terms *terms, uint32_t id, struct operation operation,
                      const term_id *args)
{
    const struct term *node = &terms->term.at[id];
    if (node->op != operation.op || node->attr.v != operation.attr.v ||
        node->type.v != operation.type.v || node->n_args != operation.n)
        return false;
    for (uint32_t i = 0; i < operation.n; i++)
        if (terms->args.at[node->args_at + i].v != args[i].v)
            return false;
    return true;
}

// Slot that holds the node, or the free slot where it belongs.
static struct term_slot *find_slot(const struct terms *terms, uint32_t hash,
                                   struct operation operation, const term_id *args)
{
    uint32_t mask = terms->slot.len - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        struct term_slot *slot = &terms->slot.at[i];
        if (!slot->id || (slot->hash == hash && same_node(terms, slot->id - 1, operation, args)))
            return slot;
    }
}

// Appends n arguments, which may themselves be arguments of a node.
static uint32_t push_args(struct terms *terms, uint32_t n, const term_id *args)
{
    uint32_t at = terms->args.len;
    if (!n)
        return at;
    if (n > UINT32_MAX - at)
        out_of_memory("%u arguments", n);
    uintptr_t base = (uintptr_t)terms->args.at, from = (uintptr_t)args;
    bool inside = base && from >= base && from < base + (uintptr_t)at * sizeof *args;
    size_t offset = inside ? (from - base) / sizeof *args : 0;
    vec_reserve(&terms->args, at + n);
    memmove(terms->args.at + at, inside ? terms->args.at + offset : args, n * sizeof *args);
    terms->args.len += n;
    return at;
}

term_id term_make(struct terms *terms, enum op op, attr_id attr, type_id type, uint32_t n,
                  const term_id *args)
{
    uint32_t hash = hash_node(op, attr, type, n, args);
    struct term_slot *slot = find_slot(terms, hash, (struct operation){op, attr, type, n}, args);
    if (slot->id)
        return (term_id){slot->id - 1};
    uint32_t id = terms->term.len;
    if (id >= UINT32_MAX / 4)
        out_of_memory("%u terms", id);
    for (uint32_t i = 0; i < n; i++)
        assert(args[i].v < id);
    *slot = (struct term_slot){hash, id + 1};
    struct term node = {(uint16_t)op, 0, attr, type, 0, n};
    node.args_at = push_args(terms, n, args);
    vec_push(&terms->term, node);
    if (2 * (id + 1) > terms->slot.len)
        new_table(terms, 2 * terms->slot.len);
    return (term_id){id};
}

enum { FEW_ARGS = 16 };

// The type that the shape rule gives a node with these arguments.
static bool node_type(const struct terms *terms, struct operation operation, const term_id *args,
                      type_id *out, struct err *err)
{
    uint32_t n = operation.n;
    type_id few[FEW_ARGS] = {{0}}, *types = few;
    if (n > FEW_ARGS)
        types = mem_alloc(n * sizeof *types);
    for (uint32_t i = 0; i < n; i++)
        types[i] = term_type(terms, args[i]);
    bool ok = infer_type(terms->pool, operation, types, out, err);
    if (types != few)
        mem_free(types);
    return ok;
}

bool term_build(struct terms *terms, struct operation operation, const term_id *args, term_id *out,
                struct err *err)
{
    type_id type;
    if (!node_type(terms, operation, args, &type, err))
        return false;
    *out = term_make(terms, operation.op, operation.attr, type, operation.n, args);
    return true;
}

lit_id term_literal(const struct terms *terms, term_id id)
{
    const struct term *node = term_at(terms, id);
    if (node->op != OP_CONSTANT)
        return NO_LIT;
    return (lit_id){(uint32_t)attr_at(terms->pool, node->attr)[0]};
}

term_id term_constant(struct terms *terms, lit_id literal, type_id type)
{
    const struct literal *k = pool_literal(terms->pool, literal);
    if (k->splat && type_count(terms->pool, type) == 0)
        literal = literal_make(terms->pool, k->elem, 0, NULL);
    int64_t v = literal.v;
    return term_make(terms, OP_CONSTANT, attr_make(terms->pool, 1, &v), type, 0, NULL);
}

// Arguments have smaller ids: one walk downwards marks all that is reached.
void terms_reach(const struct terms *terms, uint32_t n_roots, const term_id *roots,
                 struct u32_vec *out)
{
    vec_clear(out);
    uint32_t top = 0; // one above the greatest root
    for (uint32_t i = 0; i < n_roots; i++) {
        assert(roots[i].v < terms->term.len);
        if (roots[i].v >= top)
            top = roots[i].v + 1;
    }
    uint8_t *mark = mem_alloc(top);
    for (uint32_t i = 0; i < n_roots; i++)
        mark[roots[i].v] = 1;
    for (uint32_t id = top; id-- > 0;) {
        if (!mark[id])
            continue;
        const struct term *node = &terms->term.at[id];
        for (uint32_t i = 0; i < node->n_args; i++)
            mark[terms->args.at[node->args_at + i].v] = 1;
    }
    for (uint32_t id = 0; id < top; id++)
        if (mark[id])
            vec_push(out, id);
    mem_free(mark);
}

static bool check_node(const struct terms *terms, uint32_t id, struct err *err)
{
    const struct term *node = &terms->term.at[id];
    if (node->op >= N_OPS || node->attr.v >= terms->pool->attr.len ||
        node->type.v >= terms->pool->type.len || node->n_args > terms->args.len ||
        node->args_at > terms->args.len - node->n_args)
        return err_set(err, ERR_CHECK,
                       "term %u: expected an operator, attributes, a type and arguments that exist",
                       id);
    const term_id *args = node->n_args ? terms->args.at + node->args_at : NULL;
    for (uint32_t i = 0; i < node->n_args; i++)
        if (args[i].v >= id)
            return err_set(err, ERR_CHECK, "argument %u of term %u is %u: breaks T1", i, id,
                           args[i].v);
    struct operation operation = {(enum op)node->op, node->attr, node->type, node->n_args};
    uint32_t hash = hash_node(operation.op, node->attr, node->type, node->n_args, args);
    uint32_t found = find_slot(terms, hash, operation, args)->id;
    if (found != id + 1)
        return err_set(err, ERR_CHECK,
                       "term %u is not in the table under its own id: breaks "
                       "T2",
                       id);
    struct err why = {0};
    type_id type;
    if (!node_type(terms, operation, args, &type, &why))
        return err_set(err, ERR_CHECK, "term %u breaks T3: %s", id, why.msg);
    if (type.v != node->type.v)
        return err_set(err, ERR_CHECK, "term %u has another type: breaks T3", id);
    return true;
}

bool terms_check(const struct terms *terms, struct err *err)
{
    if (2 * terms->term.len > terms->slot.len || (terms->slot.len & (terms->slot.len - 1)))
        return err_set(err, ERR_CHECK, "the term table has %u slots for %u terms", terms->slot.len,
                       terms->term.len);
    uint32_t used = 0;
    for (uint32_t i = 0; i < terms->slot.len; i++) {
        used += terms->slot.at[i].id != 0;
        if (terms->slot.at[i].id > terms->term.len)
            return err_set(err, ERR_CHECK, "the term table holds term %u of %u",
                           terms->slot.at[i].id - 1, terms->term.len);
    }
    if (used != terms->term.len)
        return err_set(err, ERR_CHECK, "the term table holds %u of %u terms: breaks T2", used,
                       terms->term.len);
    for (uint32_t id = 0; id < terms->term.len; id++)
        if (!check_node(terms, id, err))
            return false;
    return true;
}

static void print_ints(const int64_t *values, uint32_t n, struct buf *out)
{
    buf_putc(out, '[');
    for (uint32_t i = 0; i < n; i++)
        buf_printf(out, "%s%" PRId64, i ? ", " : "", values[i]);
    buf_putc(out, ']');
}

static void print_literal(const struct pool *pool, lit_id literal, struct buf *out)
{
    const struct literal *k = pool_literal(pool, literal);
    if (k->splat) {
        scalar_print(k->elem, literal_get(pool, literal, 0), out);
        return;
    }
    buf_putc(out, '[');
    for (uint64_t i = 0; i < k->count && i < TENSOR_LITERAL_SHOWN; i++) {
        if (i)
            buf_puts(out, ", ");
        scalar_print(k->elem, literal_get(pool, literal, i), out);
    }
    buf_puts(out, k->count > TENSOR_LITERAL_SHOWN ? ", ...]" : "]");
}

// Lists of `n` values each, a comma in front of each.
static void print_lists(const int64_t *values, uint32_t lists, uint32_t n, struct buf *out)
{
    for (uint32_t k = 0; k < lists; k++) {
        buf_puts(out, ", ");
        print_ints(values + k * n, n, out);
    }
}

static void print_reducer(int64_t op, struct buf *out)
{
    buf_printf(out, ", %s", op == N_OPS ? "replace" : op_name((enum op)op));
}

static void print_dot(const struct dot_attr *attr, struct buf *out)
{
    print_lists(attr->lhs_batch, 2, attr->nb, out);
    print_lists(attr->lhs_contracting, 2, attr->nc, out);
}

// Numbers of windows, then for each tensor the dimensions: batch and feature,
// feature and out, batch and out, with the spatial ones last.
static void print_convolution(const struct conv_attr *attr, struct buf *out)
{
    print_lists(attr->stride, 6, attr->ns, out);
    buf_printf(out, ", %" PRId64 ", %" PRId64, attr->feature_groups, attr->batch_groups);
    print_lists(attr->in_batch, 1, attr->nb, out);
    print_lists(attr->in_feature, 1, attr->nf, out);
    print_lists(attr->in_spatial, 1, attr->ns, out);
    print_lists(attr->kernel_feature, 1, attr->nf, out);
    print_lists(attr->kernel_out, 1, attr->no, out);
    print_lists(attr->kernel_spatial, 1, attr->ns, out);
    print_lists(attr->out_batch, 1, attr->nb, out);
    print_lists(attr->out_feature, 1, attr->no, out);
    print_lists(attr->out_spatial, 1, attr->ns, out);
}

static void print_gather(const struct gather_attr *attr, uint32_t rank, struct buf *out)
{
    buf_printf(out, ", %" PRId64 ", %" PRId64, attr->sorted, attr->index_vector_dim);
    print_lists(attr->offset, 1, attr->n_offset, out);
    print_lists(attr->collapsed, 1, attr->n_collapsed, out);
    print_lists(attr->batching, 2, attr->n_batching, out);
    print_lists(attr->map, 1, attr->n_map, out);
    print_lists(attr->size, 1, rank, out);
}

static void print_scatter(const struct scatter_attr *attr, struct buf *out)
{
    print_reducer(attr->reducer, out);
    buf_printf(out, ", %" PRId64 ", %" PRId64 ", %" PRId64, attr->sorted, attr->unique,
               attr->index_vector_dim);
    print_lists(attr->window, 1, attr->n_window, out);
    print_lists(attr->inserted, 1, attr->n_inserted, out);
    print_lists(attr->batching, 2, attr->n_batching, out);
    print_lists(attr->map, 1, attr->n_map, out);
}

// The operators with several lists; false for any other, or a vector that is
// not of their form.
static bool print_structured(const struct terms *terms, const struct term *node, uint32_t n,
                             const int64_t *values, struct buf *out)
{
    uint32_t rank = 0;
    struct dot_attr dot;
    struct conv_attr conv;
    struct window_attr window;
    struct gather_attr gather;
    struct scatter_attr scatter;
    if (node->n_args &&
        type_is_tensor(terms->pool, term_type(terms, terms->args.at[node->args_at])))
        rank = type_rank(terms->pool, term_type(terms, terms->args.at[node->args_at]));
    switch ((enum op)node->op) {
    case OP_DOT_GENERAL:
        if (!dot_attr_read(n, values, &dot))
            return false;
        print_dot(&dot, out);
        return true;
    case OP_CONVOLUTION:
        if (!conv_attr_read(n, values, &conv))
            return false;
        print_convolution(&conv, out);
        return true;
    case OP_REDUCE_WINDOW:
        if (!window_attr_read(n, values, rank, &window))
            return false;
        print_reducer(values[0], out);
        print_lists(values + 1, 6, rank, out);
        return true;
    case OP_GATHER:
        if (!gather_attr_read(n, values, rank, &gather))
            return false;
        print_gather(&gather, rank, out);
        return true;
    case OP_SCATTER:
        if (!scatter_attr_read(n, values, &scatter))
            return false;
        print_scatter(&scatter, out);
        return true;
    case OP_SLICE:
    case OP_PAD:
        print_lists(values, 3, n / 3, out);
        return true;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return false;
}

// The attributes that stand behind the operands, each with a comma in front.
static void print_attrs(const struct terms *terms, const struct term *node, struct buf *out)
{
    const int64_t *v = attr_at(terms->pool, node->attr);
    uint32_t n = attr_len(terms->pool, node->attr), from = 0;
    if (print_structured(terms, node, n, v, out))
        return;
    if (node->op == OP_COMPARE) {
        buf_printf(out, ", %s, %s", compare_dir_text((enum compare_dir)v[0]),
                   compare_type_text((enum compare_type)v[1]));
        return;
    }
    if (node->op == OP_REDUCE) {
        print_reducer(v[0], out);
        from = 1;
    } else if (!n) {
        return;
    }
    buf_puts(out, node->n_args ? ", " : "");
    print_ints(v + from, n - from, out);
}

// The first word of the template, with the function of a call.
static void print_opaque_name(const struct terms *terms, const struct term *node, struct buf *out)
{
    const char *text =
        sym_text(terms->pool, (sym_id){(uint32_t)attr_at(terms->pool, node->attr)[0]});
    size_t quoted = *text == '"';
    size_t n = strcspn(text + quoted, quoted ? "\"" : " (");
    if (strncmp(text, "call @", 6) == 0)
        n = 6 + strcspn(text + 6, "(");
    buf_write(out, text + quoted, n);
}

static bool needs_type(enum op op)
{
    return op == OP_IOTA || op == OP_CONVERT || op == OP_BROADCAST_IN_DIM || op == OP_RESHAPE ||
           op == OP_BITCAST_CONVERT;
}

void term_print_node(const struct terms *terms, term_id id, struct buf *out)
{
    const struct term *node = term_at(terms, id);
    enum op op = (enum op)node->op;
    struct buf attrs = {0};
    if (op == OP_PARAMETER || op == OP_CONSTANT) {
        term_print(terms, id, 0, out);
        return;
    }
    if (op == OP_OPAQUE)
        buf_puts(&attrs,
                 sym_text(terms->pool, (sym_id){(uint32_t)attr_at(terms->pool, node->attr)[0]}));
    else
        print_attrs(terms, node, &attrs);
    // The text behind the operands begins with a comma.
    const char *text = buf_text(&attrs);
    if (node->n_args && strncmp(text, ", ", 2) == 0)
        text += 2;
    buf_puts(out, op_name(op));
    if (*text)
        buf_printf(out, "(%s)", text);
    if (needs_type(op)) {
        buf_puts(out, " : ");
        type_print(terms->pool, node->type, out);
    }
    buf_release(&attrs);
}

void term_print(const struct terms *terms, term_id id, unsigned depth, struct buf *out)
{
    const struct term *node = term_at(terms, id);
    enum op op = (enum op)node->op;
    if (op == OP_PARAMETER) {
        const int64_t *v = attr_at(terms->pool, node->attr);
        if (v[0] < 0) // of a region (tensor/program/region.h)
            buf_printf(out, "%%%" PRId64 ".%" PRId64, -1 - v[0], v[1]);
        else
            buf_printf(out, "%%%" PRId64, v[1]);
        return;
    }
    if (op == OP_CONSTANT) {
        print_literal(terms->pool, term_literal(terms, id), out);
        return;
    }
    if (depth == 0) {
        buf_printf(out, "#%u", id.v);
        return;
    }
    if (op == OP_OPAQUE)
        print_opaque_name(terms, node, out);
    else
        buf_puts(out, op_name(op));
    buf_putc(out, '(');
    for (uint32_t i = 0; i < node->n_args; i++) {
        if (i)
            buf_puts(out, ", ");
        term_print(terms, terms->args.at[node->args_at + i], depth - 1, out);
    }
    if (op != OP_OPAQUE)
        print_attrs(terms, node, out);
    buf_putc(out, ')');
    if (needs_type(op)) {
        buf_puts(out, " : ");
        type_print(terms->pool, node->type, out);
    }
}
