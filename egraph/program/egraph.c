// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/egraph.h"

#include "base/clock.h"
#include "base/hash.h"
#include "egraph/program/constants.h"
#include "egraph/program/core.h"
#include "egraph/program/orbit.h"
#include "tensor/fold/fold.h"

struct egraph_options egraph_defaults(void)
{
    return (struct egraph_options){
        .fold = true,
        .fold_exact = true,
        .fold_count = FOLD_MAX_COUNT,
    };
}

void egraph_init(struct egraph *g, struct terms *t, struct egraph_options o)
{
    memset(g, 0, sizeof *g);
    g->terms = t;
    g->opt = o;
    g->closed = true;
    cc_init(&g->cc, true);
}

void egraph_release(struct egraph *g)
{
    cc_release(&g->cc);
    vec_release(&g->node_of);
    vec_release(&g->node);
    vec_release(&g->class_);
    vec_release(&g->key);
    vec_release(&g->key_slot);
    vec_release(&g->given);
    vec_release(&g->layouts);
    vec_release(&g->again);
    vec_release(&g->touched);
}

uint64_t egraph_bytes(const struct egraph *g)
{
    uint64_t n = cc_bytes(&g->cc);
#define BYTES(v) n += (uint64_t)(v).cap * sizeof *(v).at
    BYTES(g->node_of);
    BYTES(g->node);
    BYTES(g->class_);
    BYTES(g->key);
    BYTES(g->key_slot);
    BYTES(g->given);
    BYTES(g->layouts);
    BYTES(g->again);
    BYTES(g->touched);
#undef BYTES
    return n;
}

bool egraph_full(const struct egraph *g)
{
    const struct egraph_options *o = &g->opt;
    return egraph_has_nodes(g) ||
           (o->max_bytes != 0 && egraph_bytes(g) >= o->max_bytes) ||
           (o->deadline > 0 && clock_wall() >= o->deadline);
}

type_id egraph_type(const struct egraph *g, class_id c)
{
    return term_type(g->terms, node_term(g, c.v)); // of the class at birth
}

// Operators

static uint32_t *key_slot(const struct egraph *g, struct op_key k)
{
    uint32_t mask = g->key_slot.len - 1;
    uint64_t h = hash_u64((uint64_t)k.attr.v << 32 | k.type.v, k.op);
    for (uint32_t i = (uint32_t)h & mask;; i = (i + 1) & mask) {
        uint32_t *s = &g->key_slot.at[i];
        if (*s == 0)
            return s;
        const struct op_key *o = &g->key.at[*s - 1];
        if (o->op == k.op && o->attr.v == k.attr.v && o->type.v == k.type.v &&
            o->n == k.n)
            return s;
    }
}

bool egraph_operator(const struct egraph *g, struct op_key k, uint32_t *op)
{
    uint32_t s = g->key_slot.len > 0 ? *key_slot(g, k) : 0;
    *op = s - 1;
    return s != 0;
}

static uint32_t operator_of(struct egraph *g, struct op_key k)
{
    uint32_t op;
    if (egraph_operator(g, k, &op))
        return op;
    op = cc_op_new(&g->cc, k.n);
    vec_push(&g->key, k);
    if (2 * g->key.len <= g->key_slot.len) {
        *key_slot(g, k) = op + 1;
        return op;
    }
    uint32_t n = g->key_slot.len == 0 ? 64 : 2 * g->key_slot.len;
    vec_reserve(&g->key_slot, n);
    memset(g->key_slot.at, 0, n * sizeof g->key_slot.at[0]);
    g->key_slot.len = n;
    for (uint32_t i = 0; i < g->key.len; i++)
        *key_slot(g, g->key.at[i]) = i + 1;
    return op;
}

enum { FEW = 16 };

bool egraph_lookup(struct egraph *g, enum op op, attr_id attr, type_id type,
                   uint32_t n, const term_id *args, term_id *out)
{
    uint32_t few[FEW] = {0}, o;
    if (!egraph_operator(g, (struct op_key){op, attr, type, n}, &o))
        return false;
    uint32_t *cls = n <= FEW ? few : mem_alloc(n * sizeof *cls);
    bool known = true;
    for (uint32_t i = 0; i < n && known; i++) {
        known = egraph_known(g, args[i]);
        cls[i] = known ? egraph_find(g, args[i]).v : 0;
    }
    uint32_t node = known ? cc_lookup(&g->cc, o, cls) : CC_NONE;
    if (n > FEW)
        mem_free(cls);
    if (node != CC_NONE)
        *out = node_term(g, node);
    return node != CC_NONE;
}

// Merging

// Numbers in the journal: laws of layout, folding, and then uses of rules.
enum { GIVEN_FOLD = 15, GIVEN_RULE };

void egraph_join(struct egraph *g, term_id a, term_id b, struct reason why)
{
    uint32_t x = why.kind == REASON_LAYOUT ? why.x
                 : why.kind == REASON_FOLD ? GIVEN_FOLD
                                           : GIVEN_RULE + g->given.len;
    if (!cc_union_given(&g->cc, JOURNAL_GIVEN, egraph_node(g, a),
                        egraph_node(g, b), x))
        return;
    if (why.kind == REASON_RULE)
        vec_push(&g->given, why);
    g->closed = false;
}

struct reason egraph_reason(const struct egraph *g, uint32_t x)
{
    if (x >= GIVEN_RULE)
        return g->given.at[x - GIVEN_RULE];
    return x == GIVEN_FOLD ? (struct reason){REASON_FOLD, 0, 0}
                           : (struct reason){REASON_LAYOUT, x, 0};
}

bool egraph_merge(struct egraph *g, term_id a, term_id b, struct reason why,
                  struct err *e)
{
    if (!egraph_known(g, a) || !egraph_known(g, b))
        return err_set(e, ERR_CHECK, "merge of term %u, which is not known",
                       egraph_known(g, a) ? b.v : a.v);
    if (why.kind != REASON_RULE)
        return err_set(e, ERR_CHECK, "merge for a reason that is no rule");
    if (term_type(g->terms, a).v != term_type(g->terms, b).v)
        return err_set(e, ERR_CHECK,
                       "merge of terms %u and %u, which differ in type", a.v,
                       b.v);
    egraph_join(g, a, b, why);
    return true;
}

// Registration

static void start_class(struct egraph *g, uint32_t node)
{
    struct class_data d = {
        .oldest = node,
        .changed = g->round,
        .constant = NO_TERM,
        .splat = NO_TERM,
    };
    vec_push(&g->class_, d);
    orbit_start(g, (class_id){node});
    analysis_start(g, (class_id){node});
}

// A term whose arguments are all registered.
static void enter(struct egraph *g, term_id t)
{
    struct term m = *term_at(g->terms, t);
    struct op_key k = {(enum op)m.op, m.attr, m.type, m.n_args};
    uint32_t few[FEW], n = m.n_args;
    uint32_t *cls = n <= FEW ? few : mem_alloc(n * sizeof *cls);
    for (uint32_t i = 0; i < n; i++)
        cls[i] = egraph_node(g, term_args(g->terms, t)[i]);
    uint32_t node = cc_insert_exact(&g->cc, operator_of(g, k), cls);
    if (n > FEW)
        mem_free(cls);
    struct graph_node x = {.term = t.v, .news = g->round & NEWS_MASK};
    vec_push(&g->node, x);
    g->node_of.at[t.v] = node;
    g->n_twins += !node_live(g, node);
    g->closed = false;
    start_class(g, node);
}

void egraph_add_term(struct egraph *g, term_id t)
{
    if (egraph_known(g, t))
        return;
    uint32_t n = g->terms->term.len;
    vec_reserve(&g->node_of, n);
    while (g->node_of.len < n)
        g->node_of.at[g->node_of.len++] = NO_NODE;
    struct u32_vec stack = {0};
    vec_push(&stack, t.v);
    while (stack.len > 0) {
        uint32_t top = vec_last(&stack), deep = stack.len;
        const term_id *args = term_args(g->terms, (term_id){top});
        for (uint32_t i = term_at(g->terms, (term_id){top})->n_args; i-- > 0;)
            if (!egraph_known(g, args[i]))
                vec_push(&stack, args[i].v);
        if (stack.len > deep)
            continue;
        if (!egraph_known(g, (term_id){top}))
            enter(g, (term_id){top});
        stack.len = deep - 1;
    }
    vec_release(&stack);
}

bool egraph_add(struct egraph *g, enum op op, attr_id attr, type_id want,
                uint32_t n, const term_id *args, term_id *out, struct err *e)
{
    if (!term_build(g->terms, op, attr, want, n, args, out, e))
        return false;
    egraph_add_term(g, *out);
    return true;
}
