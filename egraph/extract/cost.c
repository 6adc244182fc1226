// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/cost.h"
#include "tensor/eval/eval.h"
#include "tensor/program/form.h"

#include <math.h>

static const double BYTE_WEIGHT = 1.0 / 64;
static const double NODE_WEIGHT = 1.0 / 16;
// An operation that takes fewer than 16 more constants to save another one saves something.
static const double CONSTANT_NODE = 1.0 / 16;

// More than any operator on tensors that a machine holds.
static const double UNSIZED_COST = 1e11;
// Parts of it: of a size that is asked for, of a broadcast or a reshape, of a step for each index.
static const double UNSIZED_SIZE = 1.0 / 16, UNSIZED_NAMED = 1.0 / 4, UNSIZED_STEP = 1.0 / 64;

static bool is_operation(enum op op)
{
    return op != OP_PARAMETER && op != OP_RESULT;
}

double cost_elements_of(const struct pool *pool, type_id type)
{
    const struct type *t = pool_type(pool, type);
    if (t->form == TYPE_TENSOR)
        return (double)type_count(pool, type);
    double n = 0;
    for (uint32_t i = 0; t->form == TYPE_TUPLE && i < t->n; i++)
        n += cost_elements_of(pool, tuple_type(pool, type, i));
    return n > 0 ? n : 1;
}

double cost_bytes_of(const struct pool *pool, type_id type)
{
    const struct type *t = pool_type(pool, type);
    if (t->form == TYPE_TENSOR)
        return (double)type_count(pool, type) * (double)elem_bytes(t->elem);
    double n = 0;
    for (uint32_t i = 0; t->form == TYPE_TUPLE && i < t->n; i++)
        n += cost_bytes_of(pool, tuple_type(pool, type, i));
    return n;
}

double cost_literal_bytes(const struct terms *terms, term_id id)
{
    const struct literal *literal = pool_literal(terms->pool, term_literal(terms, id));
    return (double)literal->count * (double)elem_bytes(literal->elem);
}

double cost_steps_of(const struct terms *terms, term_id id)
{
    const struct term *node = term_at(terms, id);
    type_id types[3];
    for (uint32_t i = 0; i < node->n_args && i < 3; i++)
        types[i] = term_type(terms, term_args(terms, id)[i]);
    return (double)eval_steps(terms->pool, (enum op)node->op, node->attr, node->type, types);
}

// The operator that the text of an operation names, whose attributes may be operands
// ("dynamic_reshape"); N_OPS: none of the table.
static enum op named_operator(const char *text)
{
    char name[64];
    enum op op;
    text += *text == '"';
    size_t dialect = strcspn(text, ".") + 1, n = strcspn(text, " (\"");
    if (dialect > n || n - dialect >= sizeof name)
        return N_OPS;
    snprintf(name, sizeof name, "%.*s", (int)(n - dialect), text + dialect);
    bool dynamic = strncmp(name, "dynamic_", 8) == 0;
    return op_by_name(name, &op) || (dynamic && op_by_name(name + 8, &op)) ? op : N_OPS;
}

// The number of elements, with one for each size "?".
static double known_elements(const struct pool *pool, type_id type)
{
    enum elem elem;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    double n = 1;
    if (!shape_of_type(pool, type, &elem, &rank, dims))
        return n;
    for (uint32_t k = 0; k < rank; k++)
        n *= dims[k] > 0 ? (double)dims[k] : 1;
    return n;
}

// Of an operation on sizes "?": 1 for one that computes, and its steps for each index of these.
// What only repeats or renames elements is part of the operation that uses it; folds and sums are
// loops of their own.
static double unsized_share(const struct terms *terms, term_id id)
{
    const struct term *node = term_at(terms, id);
    const char *text =
        sym_text(terms->pool, (sym_id){(uint32_t)attr_at(terms->pool, node->attr)[0]});
    if (strncmp(text + (*text == '"'), "stablehlo.get_dimension_size", 28) == 0)
        return UNSIZED_SIZE;
    enum op op = named_operator(text);
    if (op == OP_BROADCAST_IN_DIM || op == OP_RESHAPE)
        return UNSIZED_NAMED;
    if (op == N_OPS || op_info(op)->flow == FLOW_MOVE || op_info(op)->flow == FLOW_CHOOSE)
        return 1;
    double steps = known_elements(terms->pool, node->type);
    bool sum = op_info(op)->flow == FLOW_SUM;
    for (uint32_t k = 0; k < node->n_args && (sum || op_info(op)->flow == FLOW_FOLD); k++) {
        double n = known_elements(terms->pool, term_type(terms, term_args(terms, id)[k]));
        steps = sum ? steps * n : steps > n ? steps : n;
    }
    // The sizes of a product of matrices are each in two of the three.
    steps = sum ? sqrt(steps) : steps;
    bool loop = sum || op_info(op)->flow == FLOW_FOLD;
    return (loop ? 2 : 1) + op_info(op)->weight * steps * UNSIZED_STEP;
}

double cost_unsized(const struct terms *terms, term_id id)
{
    const struct term *node = term_at(terms, id);
    if (node->op != OP_OPAQUE || term_is_cast(terms, id))
        return 0;
    bool unsized = type_is_dynamic(terms->pool, node->type);
    for (uint32_t k = 0; !unsized && k < node->n_args; k++)
        unsized = type_is_dynamic(terms->pool, term_type(terms, term_args(terms, id)[k]));
    return unsized ? UNSIZED_COST * unsized_share(terms, id) : 0;
}

double cost_elements_made(const struct terms *terms, term_id id)
{
    enum op_flow flow = op_info(term_op(terms, id))->flow;
    return flow == FLOW_FOLD || flow == FLOW_SUM
               ? cost_steps_of(terms, id)
               : cost_elements_of(terms->pool, term_type(terms, id));
}

// An opaque node (a sort, a call, ...) does unknown work on each element; its
// weight is such that no rule removes it unless nothing uses it.
static double work(const struct terms *terms, term_id id)
{
    double weight = op_info(term_op(terms, id))->weight;
    if (weight == 0 || term_is_cast(terms, id)) // moves data, or does nothing
        return 0;
    return weight * cost_elements_made(terms, id);
}

static double node_one(const struct cost *model, const struct terms *terms, term_id id)
{
    (void)model;
    enum op op = term_op(terms, id);
    return op == OP_CONSTANT ? CONSTANT_NODE : is_operation(op) ? 1 : 0;
}

// Constants pay only the bytes of their text; 1/16 for each node, so that no
// operation is free.
static double node_flops(const struct cost *model, const struct terms *terms, term_id id)
{
    (void)model;
    enum op op = term_op(terms, id);
    if (!is_operation(op))
        return 0;
    double bytes = op == OP_CONSTANT ? cost_literal_bytes(terms, id)
                                     : cost_bytes_of(terms->pool, term_type(terms, id));
    return NODE_WEIGHT + BYTE_WEIGHT * bytes +
           (op == OP_CONSTANT ? 0 : work(terms, id) + cost_unsized(terms, id));
}

double cost_bytes_moved(const struct terms *terms, term_id id)
{
    if (term_op(terms, id) == OP_CONSTANT)
        return cost_literal_bytes(terms, id);
    double n = cost_bytes_of(terms->pool, term_type(terms, id));
    uint32_t n_args = term_at(terms, id)->n_args;
    for (uint32_t i = 0; i < n_args; i++)
        n += cost_bytes_of(terms->pool, term_type(terms, term_args(terms, id)[i]));
    return n;
}

static double node_bytes(const struct cost *model, const struct terms *terms, term_id id)
{
    (void)model;
    if (!is_operation(term_op(terms, id)))
        return 0;
    return cost_bytes_moved(terms, id) + cost_unsized(terms, id);
}

struct cost cost_nodes(void)
{
    return (struct cost){"nodes", node_one, NULL};
}

struct cost cost_flops(void)
{
    return (struct cost){"flops", node_flops, NULL};
}

struct cost cost_bytes(void)
{
    return (struct cost){"bytes", node_bytes, NULL};
}

#define X(name, counts) #name,
const char *const cost_names[] = {COST_MODELS(X) NULL};
#undef X

bool cost_by_name(const char *name, struct cost *out)
{
#define X(name, counts) cost_##name(),
    struct cost all[] = {COST_MODELS(X)};
#undef X
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(name, all[i].name) == 0) {
            *out = all[i];
            return true;
        }
    return false;
}

double terms_cost_dag(const struct terms *terms, const struct cost *model, uint32_t n_roots,
                      const term_id *roots)
{
    struct u32_vec reach = {0};
    double sum = 0;
    terms_reach(terms, n_roots, roots, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        sum += model->node(model, terms, (term_id){reach.at[i]});
    vec_release(&reach);
    return sum;
}

double terms_cost_tree(const struct terms *terms, const struct cost *model, uint32_t n_roots,
                       const term_id *roots)
{
    struct u32_vec reach = {0};
    double sum = 0;
    terms_reach(terms, n_roots, roots, &reach);
    uint32_t top = reach.len == 0 ? 0 : vec_last(&reach) + 1;
    double *cost = mem_alloc(top * sizeof *cost + 1);
    for (uint32_t i = 0; i < reach.len; i++) {
        term_id id = {reach.at[i]};
        const term_id *args = term_args(terms, id);
        cost[id.v] = model->node(model, terms, id);
        for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++)
            cost[id.v] += cost[args[k].v];
    }
    for (uint32_t i = 0; i < n_roots; i++)
        sum += cost[roots[i].v];
    mem_free(cost);
    vec_release(&reach);
    return sum;
}
