// SPDX-License-Identifier: Apache-2.0
// The matches of a rule are applied.
#include "egraph/plain/saturate/core.h"

#include "egraph/core/tables.h"

// So many nodes are in a cache that is near enough without asking.
enum { CHUNK = RUN_CHUNK, SMALL = 1 << 15 };

// A batch of matches of one rule is applied level by level: all first nodes of
// the right side, then all second ones, and at last the merges.  So the table's
// memory is asked for long before it is needed.
struct match_batch {
    struct run *r;
    const struct plain_rule *q;
    uint32_t rule, n;
    uint32_t asked, ask; // conditions: those before, and from here on, are not
    uint32_t *nodes;     // [match][atom]
    uint32_t reg[PLAIN_MAX_VARS * CHUNK];   // [variable][match]
    uint32_t made[PLAIN_MAX_ATOMS * CHUNK]; // [build][match]
    uint64_t hash[CHUNK];
    uint32_t none[CHUNK]; // stands for an argument that is absent
    bool news[CHUNK];
};

// Variables of all matches, from their nodes.
static void bind_columns(struct match_batch *b)
{
    const struct cc *g = b->r->g;
    uint32_t n_atoms = b->q->n_atoms, n = b->n;
    for (uint32_t j = 0; j < n_atoms; j++) {
        const struct plain_atom *a = &b->q->atom[j];
        const uint32_t *node = b->nodes + j;
        uint32_t *cls = b->reg + a->cls * CHUNK;
        for (uint32_t i = 0; i < n; i++)
            cls[i] = g->cls.at[node[i * n_atoms]];
        if (a->n == 1 || a->n == 2) {
            uint32_t *x = b->reg + a->arg[0] * CHUNK;
            uint32_t *y = a->n > 1 ? b->reg + a->arg[1] * CHUNK : b->none;
            for (uint32_t i = 0; i < n; i++) {
                const struct enode *e = &g->node.at[node[i * n_atoms]];
                x[i] = e->a;
                y[i] = e->b; // absent: 0
            }
            continue;
        }
        for (uint32_t k = 0; k < a->n; k++) {
            uint32_t *x = b->reg + a->arg[k] * CHUNK;
            for (uint32_t i = 0; i < n; i++)
                x[i] = cc_args(g, node[i * n_atoms])[k];
        }
    }
}

// Of one match.
static void bind(struct match_batch *b, uint32_t i)
{
    const struct cc *g = b->r->g;
    const uint32_t *nodes = b->nodes + i * b->q->n_atoms;
    for (uint32_t j = 0; j < b->q->n_atoms; j++) {
        const struct plain_atom *a = &b->q->atom[j];
        b->reg[a->cls * CHUNK + i] = g->cls.at[nodes[j]];
        const struct enode *n = &g->node.at[nodes[j]];
        const uint32_t *args = a->n > 2 ? g->wide.at + n->a : &n->a;
        for (uint32_t k = 0; k < a->n; k++)
            b->reg[a->arg[k] * CHUNK + i] = args[k];
    }
}

// Conditions before the first that computes something.
static uint32_t plain_guards(const struct plain_rule *q)
{
    uint32_t n = 0;
    while (n < q->n_guards && q->guard[n].out == CC_NONE)
        n++;
    return n;
}

// Of the conditions with the same number behind `else`, one must fail.
static bool guards_hold(struct match_batch *b, uint32_t i)
{
    const struct plain_rule *q = b->q;
    const struct run_options *o = &b->r->opt;
    uint32_t asked = 0, failed = 0; // bits of those numbers
    for (uint32_t k = b->asked; k < b->ask; k++) {
        const struct plain_guard *u = &q->guard[k];
        uint32_t arg[4], out;
        for (uint32_t j = 0; j < u->n; j++)
            arg[j] = b->reg[u->arg[j] * CHUNK + i];
        // Nothing is computed, and perhaps built, for a match that has gone
        // another way.
        if (u->out != CC_NONE && asked != failed)
            return false;
        bool holds = o->guard(o->ctx, b->r->g, u->kind, arg, &out);
        if (u->unless == 0 && !holds)
            return false;
        if (u->unless > 0) {
            asked |= UINT32_C(1) << (u->unless & 31);
            failed |= (uint32_t)!holds << (u->unless & 31);
        }
        if (u->out != CC_NONE)
            b->reg[u->out * CHUNK + i] = out;
    }
    return asked == failed;
}

// Binds the matches whose conditions hold, and drops the others.
static void bind_all(struct match_batch *b)
{
    const struct plain_rule *q = b->q;
    uint32_t n = 0;
    if (b->asked == b->ask) {
        bind_columns(b);
        return;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        if (n != i)
            memcpy(b->nodes + n * q->n_atoms, b->nodes + i * q->n_atoms,
                   q->n_atoms * sizeof *b->nodes);
        bind(b, n);
        n += guards_hold(b, n);
    }
    b->n = n;
}

static void build(struct match_batch *b, uint32_t j)
{
    struct cc *g = b->r->g;
    const struct plain_build *u = &b->q->build[j];
    bool into = u->out == b->q->right && b->q->left != CC_NONE;
    uint32_t args[PLAIN_MAX_ARGS];
    for (uint32_t i = 0; i < b->n; i++) {
        for (uint32_t k = 0; k < u->n; k++) {
            uint32_t *x = &b->reg[u->arg[k] * CHUNK + i];
            args[k] = *x = cc_find(g, *x);
        }
        b->hash[i] = cc_hash(g, u->op, args);
        cc_prefetch(g, b->hash[i]);
    }
    for (uint32_t i = 0; i < b->n; i++)
        cc_prefetch_node(g, b->hash[i]);
    for (uint32_t i = 0; i < b->n; i++) {
        for (uint32_t k = 0; k < u->n; k++)
            args[k] = b->reg[u->arg[k] * CHUNK + i];
        uint32_t node = cc_lookup_hash(g, b->hash[i], u->op, args);
        if (node == CC_NONE) {
            node = cc_insert_hash(
                g, b->hash[i], u->op, args,
                into ? cc_find(g, b->reg[b->q->left * CHUNK + i]) : CC_NONE);
            b->news[i] |= into;
        }
        b->made[j * CHUNK + i] = node;
        b->reg[u->out * CHUNK + i] = g->cls.at[node];
    }
}

// The same for nodes with two arguments at most, most of all.
static void build_narrow(struct match_batch *b, uint32_t j)
{
    struct cc *g = b->r->g;
    const struct plain_build *u = &b->q->build[j];
    bool into = u->out == b->q->right && b->q->left != CC_NONE;
    uint32_t op = u->op, n = b->n;
    uint32_t *restrict left = b->reg + (into ? b->q->left * CHUNK : 0);
    uint32_t *restrict out = b->reg + u->out * CHUNK;
    uint32_t *restrict made = b->made + j * CHUNK;
    uint32_t *x = u->n > 0 ? b->reg + u->arg[0] * CHUNK : b->none;
    uint32_t *y = u->n > 1 ? b->reg + u->arg[1] * CHUNK : b->none;
    cc_reserve(g, n);
    for (uint32_t i = 0; u->n > 0 && i < n; i++)
        x[i] = cc_find(g, x[i]);
    for (uint32_t i = 0; u->n > 1 && i < n; i++)
        y[i] = cc_find(g, y[i]);
    for (uint32_t i = 0; i < n; i++) {
        b->hash[i] = cc_hash2(op, x[i], y[i]);
        cc_prefetch(g, b->hash[i]);
    }
    for (uint32_t i = 0; g->node.len > SMALL && i < n; i++)
        cc_prefetch_node(g, b->hash[i]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t free = 0,
                 node = cc_lookup2(g, b->hash[i], op, x[i], y[i], &free);
        if (node == CC_NONE) {
            node = cc_insert2(g, b->hash[i], free, op, x[i], y[i],
                              into ? cc_find(g, left[i]) : CC_NONE);
            b->news[i] |= into;
        }
        made[i] = node;
        out[i] = g->cls.at[node];
    }
}

static void merge(struct match_batch *b, uint32_t i)
{
    struct run *r = b->r;
    uint32_t list[PLAIN_MAX_ATOMS * 2], n = b->q->n_atoms;
    if (b->q->left == CC_NONE)
        return;
    // A node that was new went to the left side's class.
    bool news = b->news[i] || cc_union(r->g, b->reg[b->q->left * CHUNK + i],
                                       b->reg[b->q->right * CHUNK + i]);
    r->rule.at[b->rule].applied += news;
    if (!r->g->journal.on)
        return;
    for (uint32_t j = 0; j < n; j++)
        list[j] = b->nodes[i * n + j];
    for (uint32_t j = 0; j < b->q->n_builds; j++)
        list[n++] = b->made[j * CHUNK + i];
    if (news)
        journal_rule(&r->g->journal, b->rule, n, list);
    else
        journal_spare(&r->g->journal, b->rule, n, list);
}

static struct match_batch *batch_of(struct run *r, uint32_t rule, uint32_t n,
                              uint32_t *nodes)
{
    if (r->batch == NULL)
        r->batch = mem_alloc(sizeof *r->batch);
    struct match_batch *b = r->batch;
    b->r = r;
    b->q = r->rule.at[rule].rule;
    b->rule = rule;
    b->n = n;
    b->nodes = nodes;
    return b;
}

uint32_t run_ask(struct run *r, uint32_t rule, uint32_t n, uint32_t *nodes)
{
    struct match_batch *b = batch_of(r, rule, n, nodes);
    b->asked = 0;
    b->ask = plain_guards(b->q);
    if (b->ask > 0)
        bind_all(b);
    return b->n;
}

void run_apply(struct run *r, uint32_t rule, uint32_t n, uint32_t *nodes,
               bool asked)
{
    struct match_batch *b = batch_of(r, rule, n, nodes);
    b->asked = asked ? plain_guards(b->q) : 0;
    b->ask = b->q->n_guards;
    memset(b->news, 0, sizeof b->news);
    bind_all(b);
    for (uint32_t j = 0; j < b->q->n_builds; j++)
        if (b->q->build[j].n <= 2)
            build_narrow(b, j);
        else
            build(b, j);
    for (uint32_t i = 0; i < b->n; i++)
        merge(b, i);
}
