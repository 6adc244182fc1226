// SPDX-License-Identifier: Apache-2.0
// Programs as trees: an operation that is used twice becomes two nodes, so that each use
// may have axes of its own.  Dimensions that an operation keeps are joined.
#include "discover/examples/core.h"
#include "tensor/language/attr.h"
#include "tensor/eval/eval.h"
#include <stdio.h>

bool pair_fails(struct pair *pair, const char *fmt, ...)
{
    char line[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (pair->why == NULL)
        pair->why = arena_strdup(&pair->mem, line);
    return false;
}

void pair_release(struct pair *pair)
{
    vec_release(&pair->nodes);
    vec_release(&pair->dims);
    vec_release(&pair->groups);
    vec_release(&pair->tensors);
    vec_release(&pair->scalars);
    vec_release(&pair->constants);
    vec_release(&pair->classes);
    vec_release(&pair->slots);
    vec_release(&pair->class_of);
    vec_release(&pair->type_of);
    vec_release(&pair->names);
    vec_release(&pair->size_group);
    arena_release(&pair->mem);
}

static uint32_t find(struct u32_vec *parent, uint32_t i)
{
    while (parent->at[i] != i) {
        parent->at[i] = parent->at[parent->at[i]];
        i = parent->at[i];
    }
    return i;
}

uint32_t type_find(struct pair *pair, uint32_t node)
{
    return find(&pair->type_of, node);
}

uint32_t dim_find(struct pair *pair, uint32_t dim)
{
    while (pair->dims.at[dim].parent != dim)
        dim = pair->dims.at[dim].parent;
    return dim;
}

// The first dimension of a set is its root, so that sets have an order.
void dim_join(struct pair *pair, uint32_t a, uint32_t b)
{
    a = dim_find(pair, a);
    b = dim_find(pair, b);
    if (a < b)
        pair->dims.at[b].parent = a;
    else
        pair->dims.at[a].parent = b;
}

// ---- variables

static uint32_t variable(struct pair *pair, bool scalar, term_id term, uint32_t node)
{
    struct tensor_name one = {term, node, NULL};
    if (scalar) {
        for (uint32_t i = 0; i < pair->scalars.len; i++)
            if (pair->scalars.at[i].term.v == term.v)
                return i;
        vec_push(&pair->scalars, one);
        return pair->scalars.len - 1;
    }
    for (uint32_t i = 0; i < pair->tensors.len; i++)
        if (pair->tensors.at[i].term.v == term.v)
            return i;
    vec_push(&pair->tensors, one);
    return pair->tensors.len - 1;
}

static uint32_t constant(struct pair *pair, enum elem elem, struct scalar value, bool right)
{
    for (uint32_t i = 0; i < pair->constants.len; i++)
        if (pair->constants.at[i].elem == elem &&
            scalar_same(elem, pair->constants.at[i].value, value))
            return i;
    struct constant one = {.elem = elem, .value = value, .right = right, .cls = NONE};
    vec_push(&pair->constants, one);
    return pair->constants.len - 1;
}

// ---- attributes

// The usual value of an attribute along a dimension of the result.
int64_t dim_usual(const struct pair *pair, uint32_t dim, uint32_t k)
{
    const struct dimension *at = &pair->dims.at[dim];
    const struct node *node = &pair->nodes.at[at->node];
    uint32_t n;
    const struct attribute_form *form = attribute_forms(node->op, &n);
    if (form[k].usual != ATTRIBUTE_OF_OPERAND)
        return form[k].usual;
    const struct node *operand = &pair->nodes.at[node->args[0]];
    return pair->dims.at[operand->dim + (dim - node->dim)].size;
}

bool dim_is_idle(const struct pair *pair, uint32_t dim)
{
    const struct dimension *at = &pair->dims.at[dim];
    const struct node *node = &pair->nodes.at[at->node];
    uint32_t n;
    attribute_forms(node->op, &n);
    if (at->start != 0)
        return false;
    if (node->op == OP_DYNAMIC_UPDATE_SLICE &&
        pair->dims.at[pair->nodes.at[node->args[1]].dim + (dim - node->dim)].size != at->size)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (at->attr[k] != dim_usual(pair, dim, k))
            return false;
    return true;
}

static bool read_start(struct pair *pair, struct dimension *at, term_id start)
{
    const struct pool *pool = pair->terms->pool;
    lit_id literal = term_literal(pair->terms, start);
    if (literal.v != NO_LIT.v) {
        struct scalar scalar = literal_get(pool, literal, 0);
        at->attr[0] = (int64_t)scalar.bits;
        return true;
    }
    if (term_op(pair->terms, start) != OP_PARAMETER)
        return pair_fails(pair, "a start that is computed");
    at->start = start.v + 1;
    return true;
}

// Attributes that stand in a vector, one run of values for each kind.
static void read_runs(struct pair *pair, const struct node *node, const int64_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < node->rank; i++)
        for (uint32_t k = 0; k < n; k++)
            pair->dims.at[node->dim + i].attr[k] = values[k * node->rank + i];
}

static bool read_attributes(struct pair *pair, uint32_t at)
{
    const struct pool *pool = pair->terms->pool;
    const struct node *node = &pair->nodes.at[at];
    const struct term *term = term_at(pair->terms, node->term);
    const term_id *args = term_args(pair->terms, node->term);
    const int64_t *v = attr_at(pool, term->attr);
    uint32_t n = attr_len(pool, term->attr);
    bool ok = true;
    switch (node->op) {
    case OP_SLICE:
    case OP_PAD:
        read_runs(pair, node, v, 3);
        break;
    case OP_REDUCE_WINDOW:
        read_runs(pair, node, v + 1, 6);
        break;
    case OP_DYNAMIC_SLICE:
        for (uint32_t i = 0; ok && i < node->rank; i++) {
            pair->dims.at[node->dim + i].attr[1] = v[i];
            ok = read_start(pair, &pair->dims.at[node->dim + i], args[1 + i]);
        }
        break;
    case OP_DYNAMIC_UPDATE_SLICE:
        for (uint32_t i = 0; ok && i < node->rank; i++)
            ok = read_start(pair, &pair->dims.at[node->dim + i], args[2 + i]);
        break;
    case OP_REVERSE:
        for (uint32_t i = 0; i < n; i++)
            pair->dims.at[node->dim + v[i]].marked = true;
        break;
    case OP_CONCATENATE:
    case OP_IOTA:
        pair->dims.at[node->dim + v[0]].marked = true;
        break;
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return ok;
}

// ---- nodes

static bool is_one_element(const struct pair *pair, term_id term, struct scalar *out)
{
    lit_id literal = term_literal(pair->terms, term);
    if (literal.v == NO_LIT.v)
        return false;
    const struct literal *data = pool_literal(pair->terms->pool, literal);
    if (!data->splat && data->count > 1)
        return false;
    if (data->count == 0) { // of no element: any
        *out = scalar_of_int(data->elem, 0);
        return true;
    }
    *out = literal_get(pair->terms->pool, literal, 0);
    return true;
}

static bool same_as_operand(const struct pair *pair, term_id term)
{
    enum op op = term_op(pair->terms, term);
    const term_id *args = term_args(pair->terms, term);
    bool same = (op == OP_CONVERT || op == OP_RESHAPE || op == OP_CONCATENATE) &&
                term_at(pair->terms, term)->n_args == 1 &&
                term_type(pair->terms, args[0]).v == term_type(pair->terms, term).v;
    return op == OP_TRANSPOSE || same;
}

static bool build(struct pair *pair, term_id term, bool right, uint32_t depth, uint32_t *out);

static bool build_args(struct pair *pair, uint32_t at, uint32_t depth)
{
    term_id term = pair->nodes.at[at].term;
    bool right = pair->nodes.at[at].right;
    uint32_t n = 0;
    (void)tree_operands(pair->terms, term, &n);
    uint32_t *args = ARENA_NEW(&pair->mem, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (!build(pair, term_args(pair->terms, term)[i], right, depth + 1, &args[i]))
            return false;
    pair->nodes.at[at].args = args;
    pair->nodes.at[at].n_args = n;
    return true;
}

static bool build(struct pair *pair, term_id term, bool right, uint32_t depth, uint32_t *out)
{
    const struct pool *pool = pair->terms->pool;
    struct scalar value;
    if (pair->nodes.len >= EXAMPLE_NODES || depth > EXAMPLE_DEPTH)
        return pair_fails(pair, "the programs are too large");
    if (!type_is_tensor(pool, term_type(pair->terms, term)))
        return pair_fails(pair, "a value that is no tensor of known sizes");
    uint32_t at = *out = pair->nodes.len;
    struct node node = {.kind = NODE_OP,
                        .op = term_op(pair->terms, term),
                        .term = term,
                        .right = right,
                        .rank = type_rank(pool, term_type(pair->terms, term)),
                        .dim = pair->dims.len};
    uint32_t n;
    enum elem elem = type_elem(pool, term_type(pair->terms, term));
    if (elem_kind(elem) == 0)
        return pair_fails(pair, "elements of an unknown type");
    for (uint32_t i = 0; i < node.rank; i++) {
        struct dimension dim = {.parent = pair->dims.len,
                                .size = type_dims(pool, term_type(pair->terms, term))[i],
                                .node = at};
        vec_push(&pair->dims, dim);
    }
    if (is_one_element(pair, term, &value) && !(pair->freedom.constants && node.rank > 0)) {
        node.kind = NODE_LITERAL;
        node.var = constant(pair, elem, value, right);
    } else if (node.op == OP_PARAMETER || node.op == OP_CONSTANT) {
        bool scalar = node.rank == 0 && !(pair->all_scalars && pair->freedom.rank);
        node.kind = scalar ? NODE_SCALAR : NODE_TENSOR;
        node.var = variable(pair, scalar, term, at);
    } else if (same_as_operand(pair, term)) {
        node.kind = NODE_SAME;
    } else if (!tree_operands(pair->terms, term, &n)) {
        if (depth == 0 && !right) // a variable is no left side
            return pair_fails(pair, "no rule is learned of %s", unread_name(pair, term));
        node.kind = NODE_TENSOR;
        node.var = variable(pair, false, term, at);
    }
    vec_push(&pair->nodes, node);
    vec_push(&pair->type_of, at);
    if (node.kind == NODE_OP || node.kind == NODE_SAME) {
        if (!build_args(pair, at, depth) || !read_attributes(pair, at))
            return false;
    }
    pair_tie(pair, at);
    return pair->why == NULL;
}

// Groups that were settled may be empty.
bool node_has_groups(const struct pair *pair, const struct node *node)
{
    for (uint32_t g = node->group; g < node->group + node->n_groups; g++)
        if (pair->groups.at[g].n_from + pair->groups.at[g].n_to > 0)
            return true;
    return false;
}

bool node_is_lifted(const struct pair *pair, uint32_t at)
{
    const struct node *node = &pair->nodes.at[at];
    if (node->kind == NODE_LITERAL || node->kind == NODE_SCALAR ||
        (node->rank == 0 && !(pair->all_scalars && pair->freedom.rank)))
        return true;
    if (node->kind == NODE_SAME)
        return node_is_lifted(pair, node->args[0]);
    if (node->kind != NODE_OP)
        return false;
    if (node->op == OP_BROADCAST_IN_DIM)
        return pair->nodes.at[node->args[0]].rank == 0;
    if (!op_is_elementwise(node->op))
        return false;
    for (uint32_t i = 0; i < node->n_args; i++)
        if (!node_is_lifted(pair, node->args[i]))
            return false;
    return true;
}

static bool all_scalars(const struct terms *terms, term_id before, term_id after)
{
    term_id roots[2] = {before, after};
    struct u32_vec ids = {0};
    bool all = true;
    terms_reach(terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len; i++) {
        type_id type = term_type(terms, (term_id){ids.at[i]});
        all = all && type_is_tensor(terms->pool, type) && type_rank(terms->pool, type) == 0;
    }
    vec_release(&ids);
    return all;
}

bool pair_read(struct pair *pair, const struct terms *terms, struct freedom freedom, term_id before,
               term_id after)
{
    *pair = (struct pair){.terms = terms, .freedom = freedom, .more = NONE};
    pair->all_scalars = all_scalars(terms, before, after);
    if (!build(pair, before, false, 0, &pair->before))
        return false;
    uint32_t known_tensors = pair->tensors.len, known_scalars = pair->scalars.len;
    if (!build(pair, after, true, 0, &pair->after))
        return false;
    if (term_type(terms, before).v != term_type(terms, after).v)
        return pair_fails(pair, "the results differ in type");
    for (uint32_t i = 0; i < pair->nodes.at[pair->before].rank; i++)
        dim_join(pair, pair->nodes.at[pair->before].dim + i, pair->nodes.at[pair->after].dim + i);
    pair->type_of.at[type_find(pair, pair->after)] = type_find(pair, pair->before);
    if (pair->tensors.len > known_tensors || pair->scalars.len > known_scalars)
        return unread_fails(pair, known_tensors);
    // Where dimensions of size 1 go is easier to say once the others are joined.
    for (int clear = 1; clear >= 0; clear--)
        for (uint32_t i = 0; i < pair->nodes.len; i++)
            if (pair->nodes.at[i].op == OP_RESHAPE && pair->nodes.at[i].kind == NODE_OP &&
                reshape_is_clear(pair, i) == (clear == 1) && !pair_groups(pair, i))
                return false;
    for (uint32_t i = 0; i < pair->nodes.len; i++)
        reshape_settle(pair, i);
    return true;
}
