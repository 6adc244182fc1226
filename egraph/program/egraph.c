// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/egraph.h"

#include "base/clock.h"
#include "base/memory/table.h"
#include "egraph/program/constants.h"
#include "egraph/program/core.h"
#include "egraph/program/orbit.h"
#include "tensor/fold/fold.h"

struct egraph_options egraph_defaults(void)
{
    return (struct egraph_options){
        .fold = true,
        .reading = READ_REAL,
        .fold_count = TENSOR_FOLD_ELEMENTS,
    };
}

void egraph_init(struct egraph *graph, struct terms *terms, struct egraph_options options)
{
    memset(graph, 0, sizeof *graph);
    graph->terms = terms;
    graph->opt = options;
    graph->closed = true;
    cc_init(&graph->cc, true);
}

// Operators: few, and looked up once for each new term, so a general table.

struct operator_entry {
    UT_hash_handle hh;
    struct operation key;
    uint32_t op;
};
_Static_assert(sizeof(struct operation) == 4 * sizeof(uint32_t), "keys are hashed as bytes");

bool egraph_operator(const struct egraph *graph, struct operation key, uint32_t *op)
{
    struct operator_entry *entry;
    HASH_FIND(hh, graph->operators, &key, sizeof key, entry);
    *op = entry ? entry->op : CC_NONE;
    return entry != NULL;
}

static uint32_t operator_of(struct egraph *graph, struct operation key)
{
    uint32_t op;
    if (egraph_operator(graph, key, &op))
        return op;
    struct operator_entry *entry = mem_alloc(sizeof *entry);
    op = cc_op_new(&graph->cc, key.n);
    vec_push(&graph->key, key);
    entry->key = key;
    entry->op = op;
    HASH_ADD(hh, graph->operators, key, sizeof entry->key, entry);
    return op;
}

static void release_operators(struct egraph *graph)
{
    struct operator_entry *entry, *next;
    HASH_ITER(hh, graph->operators, entry, next)
    {
        HASH_DEL(graph->operators, entry);
        mem_free(entry);
    }
}

void egraph_release(struct egraph *graph)
{
    cc_release(&graph->cc);
    vec_release(&graph->node_of);
    vec_release(&graph->node);
    vec_release(&graph->class_);
    vec_release(&graph->key);
    release_operators(graph);
    vec_release(&graph->given);
    vec_release(&graph->layouts);
    vec_release(&graph->again);
    vec_release(&graph->touched);
}

uint64_t egraph_bytes(const struct egraph *graph)
{
    uint64_t n = cc_bytes(&graph->cc);
#define BYTES(v) n += (uint64_t)(v).cap * sizeof *(v).at
    BYTES(graph->node_of);
    BYTES(graph->node);
    BYTES(graph->class_);
    BYTES(graph->key);
    BYTES(graph->given);
    BYTES(graph->layouts);
    BYTES(graph->again);
    BYTES(graph->touched);
#undef BYTES
    n += HASH_COUNT(graph->operators) * sizeof(struct operator_entry);
    return n + HASH_OVERHEAD(hh, graph->operators);
}

bool egraph_full(const struct egraph *graph)
{
    const struct egraph_options *options = &graph->opt;
    return egraph_has_nodes(graph) ||
           (options->max_bytes != 0 && egraph_bytes(graph) >= options->max_bytes) ||
           (options->deadline > 0 && clock_wall() >= options->deadline);
}

type_id egraph_type(const struct egraph *graph, class_id class)
{
    return term_type(graph->terms, node_term(graph, class.v)); // of the class at birth
}

enum { FEW = 16 };

bool egraph_lookup(struct egraph *graph, struct operation key, const term_id *args, term_id *out)
{
    uint32_t few[FEW] = {0}, n = key.n, o;
    if (!egraph_operator(graph, key, &o))
        return false;
    uint32_t *cls = n <= FEW ? few : mem_alloc(n * sizeof *cls);
    bool known = true;
    for (uint32_t i = 0; i < n && known; i++) {
        known = egraph_known(graph, args[i]);
        cls[i] = known ? egraph_find(graph, args[i]).v : 0;
    }
    uint32_t node = known ? cc_lookup(&graph->cc, o, cls) : CC_NONE;
    if (n > FEW)
        mem_free(cls);
    if (node != CC_NONE)
        *out = node_term(graph, node);
    return node != CC_NONE;
}

// Merging

// Numbers in the journal: laws of layout, folding, and then what is stated from outside.
enum { GIVEN_FOLD = 15, GIVEN_RULE };

void egraph_join(struct egraph *graph, term_id a, term_id b, struct reason why)
{
    uint32_t x = why.kind == REASON_LAYOUT ? why.x
                 : why.kind == REASON_FOLD ? GIVEN_FOLD
                                           : GIVEN_RULE + graph->given.len;
    if (!cc_union_given(&graph->cc, JOURNAL_GIVEN, egraph_node(graph, a), egraph_node(graph, b), x))
        return;
    if (x >= GIVEN_RULE)
        vec_push(&graph->given, why);
    graph->closed = false;
}

struct reason egraph_reason(const struct egraph *graph, uint32_t x)
{
    if (x >= GIVEN_RULE)
        return graph->given.at[x - GIVEN_RULE];
    return x == GIVEN_FOLD ? (struct reason){REASON_FOLD, 0, 0}
                           : (struct reason){REASON_LAYOUT, x, 0};
}

bool egraph_merge(struct egraph *graph, term_id a, term_id b, struct reason why, struct err *err)
{
    if (!egraph_known(graph, a) || !egraph_known(graph, b))
        return err_set(err, ERR_CHECK, "term %u is not in the e-graph",
                       egraph_known(graph, a) ? b.v : a.v);
    if (why.kind == REASON_FOLD || why.kind == REASON_LAYOUT)
        return err_set(err, ERR_CHECK,
                       "expected a rule, or the structure of the program, as the "
                       "reason of a merge");
    if (term_type(graph->terms, a).v != term_type(graph->terms, b).v)
        return err_set(err, ERR_CHECK, "terms %u and %u cannot be equal: their types differ", a.v,
                       b.v);
    egraph_join(graph, a, b, why);
    return true;
}

// Registration

static void start_class(struct egraph *graph, uint32_t node)
{
    struct class_data data = {
        .oldest = node,
        .changed = graph->round,
        .constant = NO_TERM,
        .splat = NO_TERM,
    };
    vec_push(&graph->class_, data);
    orbit_start(graph, (class_id){node});
    analysis_start(graph, (class_id){node});
}

// A term whose arguments are all registered.
static void enter(struct egraph *graph, term_id term)
{
    struct term m = *term_at(graph->terms, term);
    struct operation key = {(enum op)m.op, m.attr, m.type, m.n_args};
    uint32_t few[FEW], n = m.n_args;
    uint32_t *cls = n <= FEW ? few : mem_alloc(n * sizeof *cls);
    for (uint32_t i = 0; i < n; i++)
        cls[i] = egraph_node(graph, term_args(graph->terms, term)[i]);
    uint32_t node = cc_insert_exact(&graph->cc, operator_of(graph, key), cls);
    if (n > FEW)
        mem_free(cls);
    struct graph_node x = {.term = term.v, .news = graph->round & NEWS_MASK};
    vec_push(&graph->node, x);
    graph->node_of.at[term.v] = node;
    graph->n_twins += !node_live(graph, node);
    graph->closed = false;
    start_class(graph, node);
}

void egraph_add_term(struct egraph *graph, term_id term)
{
    if (egraph_known(graph, term))
        return;
    uint32_t n = graph->terms->term.len;
    vec_reserve(&graph->node_of, n);
    while (graph->node_of.len < n)
        graph->node_of.at[graph->node_of.len++] = NO_NODE;
    struct u32_vec stack = {0};
    vec_push(&stack, term.v);
    while (stack.len > 0) {
        uint32_t top = vec_last(&stack), deep = stack.len;
        const term_id *args = term_args(graph->terms, (term_id){top});
        for (uint32_t i = term_at(graph->terms, (term_id){top})->n_args; i-- > 0;)
            if (!egraph_known(graph, args[i]))
                vec_push(&stack, args[i].v);
        if (stack.len > deep)
            continue;
        if (!egraph_known(graph, (term_id){top}))
            enter(graph, (term_id){top});
        stack.len = deep - 1;
    }
    vec_release(&stack);
}

bool egraph_add(struct egraph *graph, struct operation key, const term_id *args, term_id *out,
                struct err *err)
{
    if (!term_build(graph->terms, key, args, out, err))
        return false;
    egraph_add_term(graph, *out);
    return true;
}
