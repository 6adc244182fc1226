// SPDX-License-Identifier: Apache-2.0
// The matches of a rule are applied.
#include "egraph/plain/saturate/core.h"

#include "egraph/core/tables.h"

enum { CHUNK = RUN_CHUNK };

// A batch of matches of one rule is applied level by level: all first nodes of
// the right side, then all second ones, and at last the merges.  So the table's
// memory is asked for long before it is needed.
struct match_batch {
    struct run *run;
    const struct plain_rule *pattern;
    uint32_t rule, n;
    uint32_t asked, ask; // conditions: those before, and from here on, are not
    uint32_t *nodes;     // [match][atom]
    uint32_t reg[EGRAPH_PLAIN_VARIABLES * CHUNK]; // [variable][match]
    uint32_t made[EGRAPH_PLAIN_ATOMS * CHUNK];    // [build][match]
    uint64_t hash[CHUNK];
    uint32_t home[CHUNK], guess[CHUNK];
    uint32_t all[CHUNK], miss[CHUNK]; // matches: 0, 1 ..; those whose nodes were not guessed
    uint64_t canonical;               // variables whose classes are: bits
    uint32_t none[CHUNK];             // stands for an argument that is absent
    bool news[CHUNK];
};

// The variables that the right side, and what is merged, ask for.
static uint64_t asked_for(const struct plain_rule *rule, uint64_t *built)
{
    *built = 0;
    for (uint32_t j = 0; j < rule->n_builds; j++)
        for (uint32_t k = 0; k < rule->build[j].n; k++)
            *built |= UINT64_C(1) << rule->build[j].arg[k];
    if (rule->left == CC_NONE)
        return *built;
    return *built | UINT64_C(1) << rule->left | UINT64_C(1) << rule->right;
}

// A variable of all matches: the class of atom j, or its argument k, which is made canonical if
// the right side has it as an argument.
static void bind_column(struct match_batch *match_batch, uint32_t var, uint32_t j, uint32_t k,
                        bool canonical)
{
    struct cc *graph = match_batch->run->graph;
    const uint32_t *up = graph->up.at;
    uint32_t n_atoms = match_batch->pattern->n_atoms, n = match_batch->n;
    const uint32_t *node = match_batch->nodes + j;
    uint32_t *restrict cls = match_batch->reg + var * CHUNK;
    if (k != CC_NONE && match_batch->pattern->atom[j].n > 2) {
        for (uint32_t i = 0; i < n; i++, node += n_atoms)
            cls[i] = cc_args(graph, *node)[k];
        return;
    }
    enum { WORDS = sizeof(struct enode) / sizeof(uint32_t) };
    const uint32_t *field = k == CC_NONE ? &graph->node.at->cls : &graph->node.at->a + k;
    if (!canonical) {
        for (uint32_t i = 0; i < n; i++, node += n_atoms)
            cls[i] = field[(size_t)*node * WORDS];
        return;
    }
    for (uint32_t i = 0; i < n; i++, node += n_atoms) {
        uint32_t c = field[(size_t)*node * WORDS];
        cls[i] = up[c] == c ? c : cc_find(graph, c);
    }
    match_batch->canonical |= UINT64_C(1) << var;
}

// Variables of all matches, from their nodes.
static void bind_columns(struct match_batch *match_batch)
{
    const struct plain_rule *rule = match_batch->pattern;
    uint64_t built, ask = asked_for(rule, &built);
    for (uint32_t j = 0; j < rule->n_atoms; j++) {
        const struct plain_atom *atom = &rule->atom[j];
        if (ask >> atom->cls & 1)
            bind_column(match_batch, atom->cls, j, CC_NONE, built >> atom->cls & 1);
        ask &= ~(UINT64_C(1) << atom->cls);
        for (uint32_t k = 0; k < atom->n; k++) {
            if (ask >> atom->arg[k] & 1)
                bind_column(match_batch, atom->arg[k], j, k, built >> atom->arg[k] & 1);
            ask &= ~(UINT64_C(1) << atom->arg[k]);
        }
    }
}

// Of one match.
static void bind(struct match_batch *match_batch, uint32_t i)
{
    const struct cc *graph = match_batch->run->graph;
    const uint32_t *nodes = match_batch->nodes + i * match_batch->pattern->n_atoms;
    for (uint32_t j = 0; j < match_batch->pattern->n_atoms; j++) {
        const struct plain_atom *atom = &match_batch->pattern->atom[j];
        match_batch->reg[atom->cls * CHUNK + i] = graph->node.at[nodes[j]].cls;
        const struct enode *node = &graph->node.at[nodes[j]];
        const uint32_t *args = atom->n > 2 ? graph->wide.at + node->a : &node->a;
        for (uint32_t k = 0; k < atom->n; k++)
            match_batch->reg[atom->arg[k] * CHUNK + i] = args[k];
    }
}

// Conditions before the first that computes something.
static uint32_t plain_guards(const struct plain_rule *rule)
{
    uint32_t n = 0;
    while (n < rule->n_guards && rule->guard[n].out == CC_NONE)
        n++;
    return n;
}

// Of the conditions with the same number behind `else`, one must fail.
static bool guards_hold(struct match_batch *match_batch, uint32_t i)
{
    const struct plain_rule *rule = match_batch->pattern;
    const struct run_options *options = &match_batch->run->opt;
    uint32_t asked = 0, failed = 0; // bits of those numbers
    for (uint32_t k = match_batch->asked; k < match_batch->ask; k++) {
        const struct plain_guard *plain_guard = &rule->guard[k];
        uint32_t arg[4], out;
        for (uint32_t j = 0; j < plain_guard->n; j++)
            arg[j] = match_batch->reg[plain_guard->arg[j] * CHUNK + i];
        // Nothing is computed, and perhaps built, for a match that has gone
        // another way.
        if (plain_guard->out != CC_NONE && asked != failed)
            return false;
        bool holds =
            options->guard(options->ctx, match_batch->run->graph, plain_guard->kind, arg, &out);
        if (plain_guard->unless == 0 && !holds)
            return false;
        if (plain_guard->unless > 0) {
            asked |= UINT32_C(1) << (plain_guard->unless & 31);
            failed |= (uint32_t)!holds << (plain_guard->unless & 31);
        }
        if (plain_guard->out != CC_NONE)
            match_batch->reg[plain_guard->out * CHUNK + i] = out;
    }
    return asked == failed;
}

// Binds the matches whose conditions hold, and drops the others.
static void bind_all(struct match_batch *match_batch)
{
    const struct plain_rule *rule = match_batch->pattern;
    uint32_t n = 0;
    if (match_batch->asked == match_batch->ask) {
        bind_columns(match_batch);
        return;
    }
    for (uint32_t i = 0; i < match_batch->n; i++) {
        if (n != i)
            memcpy(match_batch->nodes + n * rule->n_atoms, match_batch->nodes + i * rule->n_atoms,
                   rule->n_atoms * sizeof *match_batch->nodes);
        bind(match_batch, n);
        n += guards_hold(match_batch, n);
    }
    match_batch->n = n;
}

// The classes of a variable become canonical.  Until the batch merges them they stay so.
static void find_column(struct match_batch *match_batch, uint32_t var)
{
    struct cc *graph = match_batch->run->graph;
    const uint32_t *up = graph->up.at;
    uint32_t *restrict cls = match_batch->reg + var * CHUNK;
    if (match_batch->canonical >> var & 1)
        return;
    match_batch->canonical |= UINT64_C(1) << var;
    for (uint32_t i = 0, n = match_batch->n; i < n; i++)
        if (up[cls[i]] != cls[i])
            cls[i] = cc_find(graph, cls[i]);
}

static void build(struct match_batch *match_batch, uint32_t j)
{
    struct cc *graph = match_batch->run->graph;
    const struct plain_build *u = &match_batch->pattern->build[j];
    bool into = u->out == match_batch->pattern->right && match_batch->pattern->left != CC_NONE;
    uint32_t args[EGRAPH_PLAIN_ARGUMENTS];
    for (uint32_t k = 0; k < u->n; k++)
        find_column(match_batch, u->arg[k]);
    for (uint32_t i = 0; i < match_batch->n; i++) {
        for (uint32_t k = 0; k < u->n; k++)
            args[k] = match_batch->reg[u->arg[k] * CHUNK + i];
        match_batch->hash[i] = cc_hash(graph, u->op, args);
        cc_prefetch(graph, match_batch->hash[i]);
    }
    for (uint32_t i = 0; i < match_batch->n; i++) {
        for (uint32_t k = 0; k < u->n; k++)
            args[k] = match_batch->reg[u->arg[k] * CHUNK + i];
        uint32_t node = cc_lookup_hash(graph, match_batch->hash[i], u->op, args);
        if (node == CC_NONE) {
            node = cc_insert_hash(
                graph, match_batch->hash[i], u->op, args,
                into ? cc_find(graph, match_batch->reg[match_batch->pattern->left * CHUNK + i])
                     : CC_NONE);
            match_batch->news[i] |= into;
        }
        match_batch->made[j * CHUNK + i] = node;
        match_batch->reg[u->out * CHUNK + i] = graph->node.at[node].cls;
    }
}

// Nodes with two arguments at most, which are most of all: by match.
struct narrow {
    uint32_t op;
    const uint32_t *x, *y; // arguments
    const uint32_t *into;  // classes that the nodes join; NULL: each has a new one
    uint32_t *made, *out;  // the nodes and their classes
};

// Takes all nodes that were guessed, and lists the matches whose guess was wrong; how many.  No
// branch depends on which these are.
static uint32_t check_guesses(struct match_batch *match_batch, const struct narrow *narrow)
{
    const struct enode *nodes = match_batch->run->graph->node.at;
    const uint32_t *guess = match_batch->guess, *x = narrow->x, *y = narrow->y;
    uint32_t *restrict made = narrow->made, *restrict out = narrow->out;
    uint32_t *restrict miss = match_batch->miss;
    uint32_t op = narrow->op, n = match_batch->n, n_miss = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct enode *node = &nodes[guess[i]];
        uint32_t differ = (node->op & CC_OP) ^ op;
        differ |= node->a ^ x[i];
        differ |= node->b ^ y[i];
        made[i] = guess[i];
        out[i] = node->cls;
        miss[n_miss] = i;
        n_miss += differ != 0;
    }
    return n_miss;
}

// Looks for the nodes of the matches that are listed, and makes those that are not there.
static void place(struct match_batch *match_batch, const struct narrow *narrow, uint32_t n,
                  const uint32_t *list)
{
    struct cc *graph = match_batch->run->graph;
    const uint32_t *x = narrow->x, *y = narrow->y, *into = narrow->into;
    uint32_t *restrict made = narrow->made, *restrict out = narrow->out;
    uint32_t op = narrow->op;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = list[k], free = 0;
        uint64_t hash = match_batch->hash[i];
        uint32_t node = cc_lookup2(graph, match_batch->home[i], hash, op, x[i], y[i], &free);
        if (node == CC_NONE) {
            uint32_t cls = into != NULL ? cc_find(graph, into[i]) : CC_NONE;
            node = cc_insert2(graph, hash, free, op, x[i], y[i], cls);
            match_batch->news[i] |= into != NULL;
        }
        made[i] = node;
        out[i] = graph->node.at[node].cls;
    }
}

// Of most rules either most nodes are there already or most are not.  Guesses save time only where
// most are there: a node that is not is looked for again.  The last batch tells.
static void build_narrow(struct match_batch *match_batch, uint32_t j)
{
    struct cc *graph = match_batch->run->graph;
    const struct plain_build *u = &match_batch->pattern->build[j];
    bool into = u->out == match_batch->pattern->right && match_batch->pattern->left != CC_NONE;
    uint32_t n = match_batch->n;
    uint64_t *there = &match_batch->run->rule.at[match_batch->rule].there, bit = UINT64_C(1) << j;
    struct narrow narrow = {
        .op = u->op,
        .x = u->n > 0 ? match_batch->reg + u->arg[0] * CHUNK : match_batch->none,
        .y = u->n > 1 ? match_batch->reg + u->arg[1] * CHUNK : match_batch->none,
        .into = into ? match_batch->reg + match_batch->pattern->left * CHUNK : NULL,
        .made = match_batch->made + j * CHUNK,
        .out = match_batch->reg + u->out * CHUNK,
    };
    for (uint32_t k = 0; k < u->n; k++)
        find_column(match_batch, u->arg[k]);
    cc_reserve(graph, n);
    cc_homes(graph, u->op, n, narrow.x, narrow.y, match_batch->hash, match_batch->home);
    uint32_t before = graph->node.len;
    if (*there & bit) {
        cc_guesses(graph, n, match_batch->hash, match_batch->home, match_batch->guess);
        place(match_batch, &narrow, check_guesses(match_batch, &narrow), match_batch->miss);
    } else {
        place(match_batch, &narrow, n, match_batch->all);
    }
    bool most = 4 * (graph->node.len - before) < n;
    *there = most ? *there | bit : *there & ~bit;
}

static inline void record(struct match_batch *match_batch, uint32_t i, bool news)
{
    const struct plain_rule *rule = match_batch->pattern;
    struct journal *journal = &match_batch->run->graph->journal;
    struct journal_use use = {.matched = rule->n_atoms,
                              .built = rule->n_builds,
                              .by = CHUNK,
                              .nodes = match_batch->nodes + i * rule->n_atoms,
                              .made = match_batch->made + i};
    if (news)
        journal_rule(journal, match_batch->rule, &use);
    else
        journal_spare(journal, match_batch->rule, &use);
}

// Most matches say what is known.
static void merge_all(struct match_batch *match_batch)
{
    const struct plain_rule *rule = match_batch->pattern;
    struct cc *graph = match_batch->run->graph;
    uint64_t applied = 0;
    if (rule->left == CC_NONE)
        return;
    const uint32_t *left = match_batch->reg + rule->left * CHUNK;
    const uint32_t *right = match_batch->reg + rule->right * CHUNK;
    for (uint32_t i = 0; i < match_batch->n; i++) {
        // A node that was new went to the left side's class.
        bool news = match_batch->news[i];
        if (!news)
            news = left[i] != right[i] && cc_union(graph, left[i], right[i]);
        applied += news;
        if (graph->journal.on)
            record(match_batch, i, news);
    }
    match_batch->run->rule.at[match_batch->rule].applied += applied;
}

static struct match_batch *batch_of(struct run *run, uint32_t rule, uint32_t n, uint32_t *nodes)
{
    if (run->batch == NULL) {
        run->batch = mem_resize(NULL, sizeof *run->batch);
        memset(run->batch->none, 0, sizeof run->batch->none);
        for (uint32_t i = 0; i < CHUNK; i++)
            run->batch->all[i] = i;
    }
    struct match_batch *match_batch = run->batch;
    match_batch->run = run;
    match_batch->pattern = run->rule.at[rule].rule;
    match_batch->rule = rule;
    match_batch->n = n;
    match_batch->nodes = nodes;
    return match_batch;
}

uint32_t run_ask(struct run *run, uint32_t rule, uint32_t n, uint32_t *nodes)
{
    struct match_batch *match_batch = batch_of(run, rule, n, nodes);
    match_batch->asked = 0;
    match_batch->ask = plain_guards(match_batch->pattern);
    if (match_batch->ask > 0)
        bind_all(match_batch);
    return match_batch->n;
}

void run_apply(struct run *run, uint32_t rule, uint32_t n, uint32_t *nodes, bool asked)
{
    struct match_batch *match_batch = batch_of(run, rule, n, nodes);
    match_batch->asked = asked ? plain_guards(match_batch->pattern) : 0;
    match_batch->ask = match_batch->pattern->n_guards;
    match_batch->canonical = 0;
    memset(match_batch->news, 0, sizeof match_batch->news);
    bind_all(match_batch);
    for (uint32_t j = 0; j < match_batch->pattern->n_builds; j++)
        if (match_batch->pattern->build[j].n <= 2)
            build_narrow(match_batch, j);
        else
            build(match_batch, j);
    merge_all(match_batch);
}
