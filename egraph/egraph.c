// SPDX-License-Identifier: Apache-2.0
#include "egraph/egraph.h"

#include "base/clock.h"
#include "egraph/analysis.h"
#include "egraph/core.h"
#include "egraph/orbit.h"
#include "tensor/fold.h"

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
}

void egraph_release(struct egraph *g)
{
    uf_release(&g->uf);
    vec_release(&g->node);
    vec_release(&g->class_);
    vec_release(&g->edge);
    vec_release(&g->slot);
    for (int i = 0; i < N_OPS; i++)
        vec_release(&g->by_op[i]);
    forest_release(&g->forest);
    vec_release(&g->pending);
    vec_release(&g->layouts);
    vec_release(&g->fresh);
    vec_release(&g->touched);
    vec_release(&g->orbit_size);
}

uint64_t egraph_bytes(const struct egraph *g)
{
    uint64_t n = 0;
#define BYTES(v) n += (uint64_t)(v).cap * sizeof *(v).at
    BYTES(g->uf.up);
    BYTES(g->node);
    BYTES(g->class_);
    BYTES(g->edge);
    BYTES(g->slot);
    for (int i = 0; i < N_OPS; i++)
        BYTES(g->by_op[i]);
    BYTES(g->forest.up);
    BYTES(g->forest.link);
    BYTES(g->forest.edge);
    BYTES(g->pending);
    BYTES(g->layouts);
    BYTES(g->fresh);
    BYTES(g->touched);
    BYTES(g->orbit_size);
#undef BYTES
    return n;
}

bool egraph_full(const struct egraph *g)
{
    const struct egraph_options *o = &g->opt;
    return (o->max_nodes != 0 && g->n_nodes >= o->max_nodes) ||
           (o->max_bytes != 0 && egraph_bytes(g) >= o->max_bytes) ||
           (o->deadline > 0 && clock_wall() >= o->deadline);
}

type_id egraph_type(const struct egraph *g, class_id c)
{
    return term_type(g->terms, class_term(c));
}

// Congruence table

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9FB21C651E98DF25);
    return h ^ (h >> 32);
}

uint32_t egraph_hash(const struct egraph *g, enum op op, attr_id attr,
                     type_id type, uint32_t n, const term_id *args)
{
    uint64_t h = mix((uint64_t)op << 32 | attr.v, (uint64_t)type.v << 32 | n);
    for (uint32_t i = 0; i < n; i++)
        h = mix(h, g->class_.at[uf_root(&g->uf, args[i].v).v].label);
    return (uint32_t)(h ^ (h >> 29));
}

static const term_id *args_of(const struct egraph *g, const struct term *m)
{
    return m->n_args == 0 ? NULL : g->terms->args.at + m->args_at;
}

static uint32_t hash_of(const struct egraph *g, uint32_t node)
{
    const struct term *m = &g->terms->term.at[node];
    return egraph_hash(g, (enum op)m->op, m->attr, m->type, m->n_args,
                       args_of(g, m));
}

struct key {
    enum op op;
    attr_id attr;
    type_id type;
    uint32_t n;
    const term_id *args;
};

static bool congruent(struct egraph *g, uint32_t node, const struct key *k)
{
    const struct term *m = &g->terms->term.at[node];
    if (m->op != k->op || m->attr.v != k->attr.v || m->type.v != k->type.v ||
        m->n_args != k->n)
        return false;
    const term_id *args = args_of(g, m);
    for (uint32_t i = 0; i < k->n; i++)
        if (args[i].v != k->args[i].v && !egraph_same(g, args[i], k->args[i]))
            return false;
    return true;
}

// The slot of the node congruent to k, or the free slot where it belongs.
static uint32_t find_slot(struct egraph *g, uint32_t hash, const struct key *k)
{
    uint32_t mask = g->slot.len - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t s = g->slot.at[i];
        if (s == 0 ||
            (g->node.at[s - 1].hash == hash && congruent(g, s - 1, k)))
            return i;
    }
}

static void table_grow(struct egraph *g)
{
    if (2 * (g->n_nodes + 1) <= g->slot.len)
        return;
    uint32_t n = g->slot.len == 0 ? 64 : 2 * g->slot.len;
    struct u32_vec old = g->slot;
    vec_zero(&g->slot, n);
    for (uint32_t j = 0; j < old.len; j++) {
        if (old.at[j] == 0)
            continue;
        uint32_t i = g->node.at[old.at[j] - 1].hash & (n - 1);
        while (g->slot.at[i] != 0)
            i = (i + 1) & (n - 1);
        g->slot.at[i] = old.at[j];
    }
    vec_release(&old);
}

// Takes a node out and closes the gap, so that no tombstones are needed.
static void table_remove(struct egraph *g, uint32_t node)
{
    uint32_t mask = g->slot.len - 1, i = g->node.at[node].hash & mask;
    while (g->slot.at[i] != node + 1)
        i = (i + 1) & mask;
    for (uint32_t j = (i + 1) & mask; g->slot.at[j] != 0; j = (j + 1) & mask) {
        uint32_t home = g->node.at[g->slot.at[j] - 1].hash & mask;
        if (((j - home) & mask) >= ((j - i) & mask)) {
            g->slot.at[i] = g->slot.at[j];
            i = j;
        }
    }
    g->slot.at[i] = 0;
}

bool egraph_lookup(struct egraph *g, enum op op, attr_id attr, type_id type,
                   uint32_t n, const term_id *args, term_id *out)
{
    struct key k = {op, attr, type, n, args};
    if (g->slot.len == 0)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!egraph_known(g, args[i]))
            return false;
    uint32_t s = find_slot(g, egraph_hash(g, op, attr, type, n, args), &k);
    if (g->slot.at[s] == 0)
        return false;
    *out = (term_id){g->slot.at[s] - 1};
    return true;
}

// Rings and parent lists

static void ring_join(struct egraph *g, uint32_t a, uint32_t b)
{
    struct node *n = g->node.at;
    uint32_t a_end = n[a].prev, b_end = n[b].prev;
    n[a_end].next = b;
    n[b].prev = a_end;
    n[b_end].next = a;
    n[a].prev = b_end;
}

static void kill_node(struct egraph *g, uint32_t node)
{
    struct node *n = g->node.at;
    n[n[node].prev].next = n[node].next;
    n[n[node].next].prev = n[node].prev;
    n[node].flags &= ~(uint32_t)NODE_LIVE;
    g->class_.at[uf_find(&g->uf, node).v].n_live--;
    g->n_nodes--;
    g->dead_edges += g->terms->term.at[node].n_args;
}

static void add_parent(struct egraph *g, uint32_t root, uint32_t node)
{
    struct class_data *c = &g->class_.at[root];
    if (c->parents_end != NO_EDGE && g->edge.at[c->parents_end].node == node)
        return; // the same argument twice
    uint32_t i = g->edge.len;
    vec_push(&g->edge, ((struct edge){node, NO_EDGE}));
    if (c->parents_end == NO_EDGE)
        c->parents = i;
    else
        g->edge.at[c->parents_end].next = i;
    c->parents_end = i;
    c->n_parents++;
}

static void add_parents(struct egraph *g, uint32_t node)
{
    const struct term *m = &g->terms->term.at[node];
    for (uint32_t i = 0; i < m->n_args; i++) {
        term_id arg = g->terms->args.at[m->args_at + i];
        add_parent(g, egraph_find(g, arg).v, node);
    }
}

void egraph_compact_parents(struct egraph *g)
{
    for (uint32_t i = 0; i < g->node.len; i++) {
        g->class_.at[i].parents = g->class_.at[i].parents_end = NO_EDGE;
        g->class_.at[i].n_parents = 0;
    }
    vec_clear(&g->edge);
    g->dead_edges = 0;
    for (uint32_t i = 0; i < g->node.len; i++)
        if (g->node.at[i].flags & NODE_LIVE)
            add_parents(g, i);
}

static uint32_t skip_dead(const struct egraph *g, uint32_t edge)
{
    while (edge != NO_EDGE &&
           !(g->node.at[g->edge.at[edge].node].flags & NODE_LIVE))
        edge = g->edge.at[edge].next;
    return edge;
}

uint32_t parent_first(const struct egraph *g, class_id root)
{
    return skip_dead(g, g->class_.at[root.v].parents);
}

uint32_t parent_next(const struct egraph *g, uint32_t edge)
{
    return skip_dead(g, g->edge.at[edge].next);
}

// Merging

// The class with fewer parents gives up its label; the parents of that class
// must be hashed again.
static void join_parents(struct egraph *g, struct class_data *keep,
                         const struct class_data *lose)
{
    const struct class_data *big = keep, *small = lose;
    if (keep->n_parents < lose->n_parents) {
        big = lose;
        small = keep;
    }
    if (small->parents != NO_EDGE)
        vec_push(&g->pending,
                 ((struct pending){small->parents, small->parents_end}));
    uint32_t first = big->parents, last = big->parents_end;
    if (first == NO_EDGE) {
        first = small->parents;
        last = small->parents_end;
    } else if (small->parents != NO_EDGE) {
        g->edge.at[last].next = small->parents;
        last = small->parents_end;
    }
    keep->label = big->label;
    keep->parents = first;
    keep->parents_end = last;
    keep->n_parents += lose->n_parents;
}

void egraph_join(struct egraph *g, term_id a, term_id b, struct reason why)
{
    class_id keep = egraph_find(g, a), lose = egraph_find(g, b);
    if (keep.v == lose.v)
        return;
    bool turn_b = egraph_class(g, lose)->size <= egraph_class(g, keep)->size;
    forest_join(&g->forest, a, b, turn_b, why);
    if (keep.v > lose.v) {
        class_id c = keep;
        keep = lose;
        lose = c;
    }
    orbit_relate(g, keep, lose, NO_ATTR);
    orbit_absorb(g, keep, lose);
    analysis_merge(g, keep, lose);
    struct class_data *k = egraph_class(g, keep), *l = egraph_class(g, lose);
    join_parents(g, k, l);
    ring_join(g, keep.v, lose.v);
    k->n_live += l->n_live;
    k->size += l->size;
    k->changed = g->round;
    uf_merge(&g->uf, keep.v, lose.v);
    g->n_classes--;
    g->n_merges++;
    g->closed = false;
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

static struct key key_of(const struct egraph *g, uint32_t node)
{
    const struct term *m = &g->terms->term.at[node];
    return (struct key){(enum op)m->op, m->attr, m->type, m->n_args,
                        args_of(g, m)};
}

// Puts `node` in the table.  If a congruent node stands there, the older of
// the two stays, the other is returned in *loser.
static bool table_put(struct egraph *g, uint32_t node, uint32_t *winner,
                      uint32_t *loser)
{
    struct key k = key_of(g, node);
    uint32_t s = find_slot(g, g->node.at[node].hash, &k);
    uint32_t there = g->slot.at[s];
    if (there == 0 || there - 1 > node)
        g->slot.at[s] = node + 1;
    if (there == 0)
        return false;
    *winner = there - 1 < node ? there - 1 : node;
    *loser = there - 1 < node ? node : there - 1;
    return true;
}

void egraph_rehash(struct egraph *g, uint32_t node)
{
    uint32_t winner, loser;
    table_remove(g, node);
    g->node.at[node].hash = hash_of(g, node);
    if (!table_put(g, node, &winner, &loser))
        return;
    egraph_join(g, (term_id){winner}, (term_id){loser},
                (struct reason){REASON_CONG, 0, 0});
    kill_node(g, loser);
}

static void grow(struct egraph *g)
{
    uint32_t n = g->terms->term.len;
    if (n <= g->node.len)
        return;
    uf_grow(&g->uf, n);
    forest_grow(&g->forest, n);
    vec_reserve(&g->node, n);
    vec_reserve(&g->class_, n);
    vec_reserve(&g->orbit_size, n);
    uint32_t more = n - g->node.len;
    memset(g->node.at + g->node.len, 0, more * sizeof *g->node.at);
    memset(g->class_.at + g->node.len, 0, more * sizeof *g->class_.at);
    memset(g->orbit_size.at + g->node.len, 0, more * sizeof(uint32_t));
    g->node.len = g->class_.len = g->orbit_size.len = n;
}

static void start_class(struct egraph *g, uint32_t t)
{
    g->node.at[t] = (struct node){t, t, 0, NODE_KNOWN | NODE_LIVE, g->round};
    g->class_.at[t] = (struct class_data){
        .label = t,
        .parents = NO_EDGE,
        .parents_end = NO_EDGE,
        .n_live = 1,
        .size = 1,
        .changed = g->round,
        .constant = NO_TERM,
        .splat = NO_TERM,
    };
    orbit_start(g, (class_id){t});
    analysis_start(g, (term_id){t});
    g->n_known++;
    g->n_nodes++;
    g->n_classes++;
    g->closed = false;
}

// A term whose arguments are all registered.
static void enter(struct egraph *g, uint32_t t)
{
    uint32_t winner, loser;
    table_grow(g);
    start_class(g, t);
    g->node.at[t].hash = hash_of(g, t);
    bool twin = table_put(g, t, &winner, &loser);
    if (!twin || winner == t) {
        add_parents(g, t);
        vec_push(&g->by_op[g->terms->term.at[t].op], t);
        vec_push(&g->fresh, t);
    }
    if (twin) {
        egraph_join(g, (term_id){winner}, (term_id){loser},
                    (struct reason){REASON_CONG, 0, 0});
        kill_node(g, loser);
    }
}

void egraph_add_term(struct egraph *g, term_id t)
{
    if (egraph_known(g, t))
        return;
    grow(g);
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
            enter(g, top);
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
