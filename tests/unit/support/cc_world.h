// SPDX-License-Identifier: Apache-2.0
// The engine and the naive e-graph side by side: the same rules and operations
// for both, and the comparison of what they have become.
#ifndef TESTS_UNIT_SUPPORT_CC_WORLD_H
#define TESTS_UNIT_SUPPORT_CC_WORLD_H

#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"
#include "proof/plain/check.h"
#include "tests/unit/support/naive.h"

#include <stdarg.h>
#include <stdio.h>

enum { OPS = 10, RULES = 6, CONSTANT = 3 };
enum { POOL = 6, POOL_CONSTANTS = 2, POOL_FEW = 5 };

static const struct {
    const char *name;
    uint32_t arity;
} world_op[OPS] = {{"c0", 0}, {"c1", 0}, {"c2", 0}, {"c3", 0}, {"u0", 1},
                   {"u1", 1}, {"b0", 2}, {"b1", 2}, {"t0", 3}, {"w0", 5}};

enum fault { FAULT_NONE, FAULT_EVENTS, FAULT_USES, FAULT_OPS, FAULT_MARK };

// simple, back-off, with a limit, rationed
enum { RUN_ALL, RUN_SOME, RUN_UNTIL, RUN_LITTLE, RUNS };

struct given {
    uint32_t a, b;
};

struct world {
    struct cc graph;
    struct plain_rules p;
    struct naive naive;
    struct naive_rule rule[RULES];
    uint32_t n_rules, pool[POOL];
    struct u32_vec map;   // class -> label
    struct u32_vec value; // class -> what is known
    struct run run[RUNS];
    struct seen_mark mark[RULES];
    struct u32_vec seen[RULES]; // matches, as classes
    bool knowing, prune, exact;
    enum fault fault;
    bool check;       // invariants too
    struct buf rules; // as text
    struct why why;
    VEC(struct given) given; // by number
    char msg[512];
};

__attribute__((format(printf, 2, 3))) static bool differ(struct world *world, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(world->msg, sizeof world->msg, fmt, ap);
    va_end(ap);
    return false;
}

// Knowledge

static uint32_t *value_at(struct world *world, uint32_t cls)
{
    while (world->value.len <= cls)
        vec_push(&world->value, 0);
    return &world->value.at[cls];
}

static bool world_learn(void *ctx, struct cc *graph, uint32_t node)
{
    struct world *world = ctx;
    uint32_t known[NAIVE_ARGS], n = cc_arity(graph, node);
    for (uint32_t k = 0; k < n; k++)
        known[k] = *value_at(world, cc_find(graph, cc_args(graph, node)[k]));
    uint32_t *v = value_at(world, cc_class(graph, node)), old = *v;
    *v |= naive_says(graph->node.at[node].op & CC_OP, n, known);
    return *v != old;
}

static unsigned world_join(void *ctx, struct cc *graph, uint32_t keep, uint32_t lose)
{
    (void)graph;
    uint32_t a = *value_at(ctx, keep), b = *value_at(ctx, lose);
    *value_at(ctx, keep) = a | b;
    return (a != (a | b) ? CC_KEEP_LEARNED : 0) | (b != (a | b) ? CC_LOSE_LEARNED : 0);
}

// The two nodes are equal because it is said so.
static void world_given(struct world *world, uint32_t a, uint32_t b)
{
    struct given given = {a, b};
    cc_union_given(&world->graph, JOURNAL_GIVEN, a, b, world->given.len);
    vec_push(&world->given, given);
}

static void world_modify(void *ctx, struct cc *graph, uint32_t cls)
{
    struct world *world = ctx;
    if (!world->knowing || !naive_is_constant(*value_at(world, cls)))
        return;
    uint32_t node = cc_add(graph, CONSTANT, NULL);
    world_given(world, graph->class_.at[cls].founder, node);
    uint32_t first = graph->class_.at[cls].member, m = first;
    do {
        if (world->prune && (graph->node.at[m].op & CC_OP) != CONSTANT)
            cc_hide(graph, m);
        m = graph->next.at[m];
    } while (m != first);
}

static bool world_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg,
                        uint32_t *out)
{
    (void)graph, (void)kind, (void)out;
    return (*value_at(ctx, arg[0]) & 4) != 0;
}

// Rules

// A few operators, so that patterns meet nodes: constants, then others.
static void random_pool(struct rng *rng, uint32_t *pool)
{
    for (uint32_t i = 0; i < POOL; i++)
        pool[i] = (uint32_t)(i < POOL_CONSTANTS ? rng_below(rng, CONSTANT)
                             : i < POOL_FEW     ? 4 + rng_below(rng, 4)
                                                : 4 + rng_below(rng, 6));
}

static uint32_t random_pattern(struct rng *rng, struct naive_rule *rule, const uint32_t *pool,
                               uint32_t depth, uint32_t max, uint32_t n_vars, bool root)
{
    uint32_t me = rule->n++;
    struct naive_pattern naive_pattern = {0};
    uint32_t stop = root ? 20 : depth == 0 ? 1 : 3;
    if (rule->n + 5 >= max || rng_below(rng, stop) == 0) {
        naive_pattern.var = n_vars > 0;
        naive_pattern.id =
            n_vars > 0 ? (uint32_t)rng_below(rng, n_vars) : pool[rng_below(rng, POOL_CONSTANTS)];
        rule->at[me] = naive_pattern;
        return me;
    }
    naive_pattern.id = pool[root + rng_below(rng, POOL - root)];
    naive_pattern.n = world_op[naive_pattern.id].arity;
    for (uint32_t k = 0; k < naive_pattern.n; k++)
        naive_pattern.arg[k] =
            random_pattern(rng, rule, pool, depth - (depth > 0), max, n_vars, false);
    rule->at[me] = naive_pattern;
    return me;
}

// One pattern, or two or three that may share variables.
static void random_left(struct rng *rng, const uint32_t *pool, struct naive_rule *rule,
                        uint32_t vars)
{
    rule->n_roots = rng_below(rng, 4) > 0 ? 1 : 1 + (uint32_t)rng_below(rng, 3);
    bool named = rule->n_roots > 1 || rng_below(rng, 8) == 0;
    uint32_t depth = (uint32_t)rng_below(rng, named ? 2 : 3);
    for (uint32_t k = 0; k < rule->n_roots; k++) {
        uint32_t first = rule->n;
        do {
            rule->n = first;
            rule->root[k] =
                random_pattern(rng, rule, pool, depth, first + (named ? 9 : 14), vars, true);
        } while (named && rule->at[first].var);
        rule->root_var[k] = named ? (uint32_t)rng_below(rng, vars) : NONE;
    }
    rule->target = (uint32_t)rng_below(rng, rule->n_roots);
    rule->n_left = rule->n;
}

static void random_rule(struct rng *rng, const uint32_t *pool, struct naive_rule *rule)
{
    *rule = (struct naive_rule){.guard = NONE};
    uint32_t vars = 1 + (uint32_t)rng_below(rng, 3), used[NAIVE_VARS], n = 0;
    bool has[NAIVE_VARS] = {false};
    random_left(rng, pool, rule, vars);
    for (uint32_t i = 0; i < rule->n; i++)
        if (rule->at[i].var)
            has[rule->at[i].id] = true;
    for (uint32_t k = 0; k < rule->n_roots; k++)
        if (rule->root_var[k] != NONE)
            has[rule->root_var[k]] = true;
    for (uint32_t v = 0; v < vars; v++)
        if (has[v])
            used[n++] = v;
    random_pattern(rng, rule, pool, (uint32_t)rng_below(rng, 3), rule->n_left + 10, n, false);
    for (uint32_t i = rule->n_left; i < rule->n; i++)
        if (rule->at[i].var)
            rule->at[i].id = used[rule->at[i].id];
    if (!rule->at[0].var && n > 0 && rng_below(rng, 4) == 0)
        rule->guard = used[rng_below(rng, n)];
}

static void pattern_text(const struct naive_rule *rule, uint32_t at, char *out, size_t size)
{
    const struct naive_pattern *naive_pattern = &rule->at[at];
    size_t n = strlen(out);
    if (naive_pattern->var) {
        snprintf(out + n, size - n, "?%u", naive_pattern->id);
        return;
    }
    snprintf(out + n, size - n, "%s%s", naive_pattern->n > 0 ? "(" : "",
             world_op[naive_pattern->id].name);
    for (uint32_t k = 0; k < naive_pattern->n; k++) {
        n = strlen(out);
        snprintf(out + n, size - n, " ");
        pattern_text(rule, naive_pattern->arg[k], out, size);
    }
    n = strlen(out);
    snprintf(out + n, size - n, "%s", naive_pattern->n > 0 ? ")" : "");
}

static void rule_text(const struct naive_rule *rule, uint32_t index, char *out, size_t size)
{
    snprintf(out, size, "r%u: ", index);
    size_t n;
    for (uint32_t k = 0; k < rule->n_roots; k++) {
        n = strlen(out);
        if (rule->root_var[k] != NONE)
            snprintf(out + n, size - n, "%s?%u = ", k > 0 ? " and " : "", rule->root_var[k]);
        pattern_text(rule, rule->root[k], out, size);
    }
    n = strlen(out);
    snprintf(out + n, size - n, " => ");
    n = strlen(out);
    if (rule->root_var[rule->target] != NONE)
        snprintf(out + n, size - n, "?%u = ", rule->root_var[rule->target]);
    pattern_text(rule, rule->n_left, out, size);
    n = strlen(out);
    if (rule->guard != NONE)
        snprintf(out + n, size - n, " if knows(?%u)", rule->guard);
    n = strlen(out);
    snprintf(out + n, size - n, "\n");
}

static bool world_init(struct world *world, uint64_t rule_seed, uint32_t n_rules,
                       uint32_t rule_mask)
{
    static const struct guard_name guards[] = {{"knows", 1, false}, {NULL, 0, false}};
    struct err err = {0};
    char text[4096];
    struct rng rng;
    memset(world, 0, sizeof *world);
    world->naive.constant = CONSTANT;
    world->check = true;
    cc_init(&world->graph, true);
    plain_init(&world->p);
    for (uint32_t i = 0; i < OPS; i++)
        if (plain_op(&world->p, &world->graph, world_op[i].name, 2, world_op[i].arity) != i)
            return differ(world, "operators are not numbered as they are made");
    rng_seed(&rng, rule_seed);
    random_pool(&rng, world->pool);
    for (uint32_t i = 0; i < n_rules; i++) {
        struct naive_rule *rule = &world->rule[world->n_rules];
        random_rule(&rng, world->pool, rule);
        if (!(rule_mask >> i & 1))
            continue;
        rule_text(rule, i, text, sizeof text);
        if (!plain_read(&world->p, &world->graph, "rules", text, guards, &err))
            return differ(world, "%s: %s", text, err.msg);
        buf_puts(&world->rules, text);
        if (world->p.rule.len != ++world->n_rules)
            return differ(world, "%s is several rules", text);
    }
    why_init(&world->why, &world->graph, &world->p);
    world->graph.analysis = (struct cc_analysis){
        .ctx = world, .learn = world_learn, .join = world_join, .modify = world_modify};
    struct run_options options = {.max_rounds = 1,
                                  .match_limit = 2,
                                  .pause = 2,
                                  .ration = 1,
                                  .guard = world_guard,
                                  .ctx = world};
    for (uint32_t i = 0; i < RUNS; i++) {
        options.scheduler = i == RUN_SOME ? RUN_BACKOFF : i == RUN_LITTLE ? RUN_RATION : RUN_SIMPLE;
        run_init(&world->run[i], &world->graph, &world->p, options);
    }
    return true;
}

static void world_release(struct world *world)
{
    for (uint32_t i = 0; i < RUNS; i++)
        run_release(&world->run[i]);
    for (uint32_t i = 0; i < RULES; i++)
        vec_release(&world->seen[i]);
    why_release(&world->why);
    buf_release(&world->rules);
    vec_release(&world->given);
    plain_release(&world->p);
    cc_release(&world->graph);
    naive_release(&world->naive);
    vec_release(&world->map);
    vec_release(&world->value);
}

// Comparing

static void map_set(struct world *world, uint32_t cls, uint32_t label)
{
    while (world->map.len <= cls)
        vec_push(&world->map, NONE);
    world->map.at[cls] = label;
}

static uint32_t map_get(const struct world *world, uint32_t cls)
{
    return cls < world->map.len && world->map.at[cls] != NONE
               ? world->naive.now.at[world->map.at[cls]]
               : NONE;
}

// The naive node of an engine node; NULL: not known yet, or (with `msg`) none.
static struct naive_node *naive_of(struct world *world, uint32_t node)
{
    struct cc *graph = &world->graph;
    uint32_t arg[NAIVE_ARGS], n = cc_arity(graph, node);
    for (uint32_t k = 0; k < n; k++) {
        arg[k] = map_get(world, cc_find(graph, cc_args(graph, node)[k]));
        if (arg[k] == NONE)
            return NULL;
    }
    struct naive_node *naive_node = naive_find(&world->naive, graph->node.at[node].op & CC_OP, arg);
    if (naive_node == NULL)
        differ(world, "node %u is too much", node);
    return naive_node;
}

static bool map_nodes(struct world *world)
{
    struct cc *graph = &world->graph;
    uint32_t left = 0, before = NONE;
    vec_clear(&world->map);
    do {
        before = left;
        left = 0;
        for (uint32_t i = 0; i < graph->node.len; i++) {
            if (graph->node.at[i].op & CC_DEAD)
                continue;
            struct naive_node *naive_node = naive_of(world, i);
            if (world->msg[0] != 0)
                return false;
            left += naive_node == NULL;
            if (naive_node == NULL)
                continue;
            uint32_t cls = cc_class(graph, i), label = world->naive.now.at[naive_node->label];
            if (map_get(world, cls) == NONE)
                map_set(world, cls, label);
            else if (map_get(world, cls) != label)
                return differ(world, "node %u is merged with others wrongly", i);
        }
    } while (left != before || before == NONE);
    return left == 0 || differ(world, "%u nodes are no terms", left);
}

// Both are closed and say the same.
static bool same_graphs(struct world *world)
{
    struct cc *graph = &world->graph;
    uint32_t live = 0;
    if (!map_nodes(world))
        return false;
    for (uint32_t i = 0; i < graph->node.len; i++) {
        if (graph->node.at[i].op & CC_DEAD)
            continue;
        struct naive_node *naive_node = naive_of(world, i);
        bool hidden = (graph->node.at[i].op & CC_HIDDEN) != 0;
        if (world->prune)
            naive_node->hidden = hidden;
        if (naive_node->hidden != hidden)
            return differ(world, "node %u: hidden here, not there", i);
        uint32_t cls = cc_class(graph, i);
        if (*value_at(world, cls) != world->naive.value.at[map_get(world, cls)])
            return differ(world, "class %u: %x is known, not %x", cls, *value_at(world, cls),
                          world->naive.value.at[map_get(world, cls)]);
        live++;
    }
    if (live != world->naive.node.len)
        return differ(world, "%u nodes, not %u", live, world->naive.node.len);
    if (graph->n_live != naive_visible(&world->naive))
        return differ(world, "n_live %u, not %u", graph->n_live, naive_visible(&world->naive));
    if (graph->n_classes != naive_classes(&world->naive))
        return differ(world, "%u classes, not %u", graph->n_classes, naive_classes(&world->naive));
    return true;
}

// The engine has done a part of what the naive one did; that becomes the state
// of both.
static bool part_of(struct world *world)
{
    struct cc *graph = &world->graph;
    if (!map_nodes(world))
        return false;
    struct naive naive = {.constant = CONSTANT};
    for (uint32_t i = 0; i < graph->class_.len; i++)
        naive_label(&naive);
    for (uint32_t i = 0; i < graph->class_.len; i++)
        naive.now.at[i] = cc_find(graph, i);
    for (uint32_t i = 0; i < graph->node.len; i++) {
        struct naive_node naive_node = {.op = graph->node.at[i].op & CC_OP,
                                        .n = cc_arity(graph, i),
                                        .label = cc_class(graph, i),
                                        .hidden = (graph->node.at[i].op & CC_HIDDEN) != 0};
        for (uint32_t k = 0; k < naive_node.n; k++)
            naive_node.arg[k] = cc_args(graph, i)[k];
        if (!(graph->node.at[i].op & CC_DEAD))
            vec_push(&naive.node, naive_node);
    }
    naive_release(&world->naive);
    world->naive = naive;
    naive_settle(&world->naive, world->knowing);
    return same_graphs(world);
}

static void plant(struct world *world)
{
    struct cc *graph = &world->graph;
    for (uint32_t i = 0; world->fault == FAULT_EVENTS && i < graph->op.len; i++)
        graph->op.at[i].events.len = graph->op.at[i].round_events;
    for (uint32_t i = 0; i < graph->class_.len; i++) {
        if (world->fault == FAULT_USES)
            graph->class_.at[i].uses &= 0xaaaaaaaa;
        if (world->fault == FAULT_OPS)
            graph->class_.at[i].ops &= 0xaaaaaaaa;
    }
}

static bool world_rebuilt(struct world *world, bool whole)
{
    struct err err = {0};
    if (world->check && !cc_check(&world->graph, &err))
        return differ(world, "%s", err.msg);
    if (!(whole ? same_graphs(world) : part_of(world)))
        return false;
    plant(world);
    return true;
}

static bool world_rebuild(struct world *world)
{
    cc_rebuild(&world->graph);
    naive_settle(&world->naive, world->knowing);
    return world_rebuilt(world, true);
}

// Explanations

// Positions of a node's own term, no more than `most`.
static uint32_t term_size(const struct world *world, uint32_t term, uint32_t most)
{
    const struct why_term *t = &world->why.term.at[term];
    uint32_t n = 1;
    for (uint32_t k = 0; k < world->graph.op.at[t->op].arity && n <= most; k++)
        n += term_size(world, world->why.arg.at[t->at + k], most - n);
    return n;
}

// A term of the checker, as one of the finder's.  Terms come behind their
// arguments, and share: each is done once.
static uint32_t own_term(struct world *world, const struct plain_check_terms *terms, uint32_t id)
{
    struct u32_vec own = {0};
    for (uint32_t i = 0; i <= id; i++) {
        const struct plain_check_term *term = &terms->term.at[i];
        uint32_t arg[NAIVE_ARGS], op = 0;
        for (uint32_t k = 0; k < term->n; k++)
            arg[k] = own.at[term->arg[k]];
        while (op < OPS && memcmp(world_op[op].name, term->name.at, 2) != 0)
            op++;
        vec_push(&own, why_term(&world->why, op, arg));
    }
    uint32_t last = vec_last(&own);
    vec_release(&own);
    return last;
}

static bool is_given(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                     uint32_t number)
{
    struct world *world = ctx;
    if (number >= world->given.len)
        return false;
    uint32_t x = why_term_of(&world->why, world->given.at[number].a);
    uint32_t y = why_term_of(&world->why, world->given.at[number].b);
    a = own_term(world, terms, a);
    b = own_term(world, terms, b);
    return (a == x && b == y) || (a == y && b == x);
}

// What was known when the rule was used is no property of terms.
static bool is_known(void *ctx, const struct plain_check_terms *terms,
                     const struct plain_check_condition *condition, bool holds)
{
    (void)ctx, (void)terms;
    return condition->n == 1 && holds;
}

static bool checked(struct world *world, uint32_t a, uint32_t b, uint32_t line)
{
    struct err err = {0};
    struct buf proof = {0}, left = {0}, right = {0};
    struct plain_check_facts facts = {.given = is_given, .guard = is_known, .ctx = world};
    why_print(&world->why, line, &proof);
    why_print_term(&world->why, a, &left);
    why_print_term(&world->why, b, &right);
    bool ok = plain_check(buf_text(&world->rules), buf_text(&proof), buf_text(&left),
                          buf_text(&right), &facts, &err);
    bool turned = plain_check(buf_text(&world->rules), buf_text(&proof), buf_text(&right),
                              buf_text(&left), &facts, &err);
    if (!ok && !turned)
        differ(world, "an explanation is refused: %s", err.msg);
    buf_release(&proof);
    buf_release(&left);
    buf_release(&right);
    return ok || turned;
}

// Up to `n` pairs of equal nodes from node `from` on; no pair of unequal ones.
static bool world_explain(struct world *world, uint32_t from, uint32_t n, uint32_t *done)
{
    struct err err = {0};
    uint32_t nodes = world->graph.node.len;
    if (!why_read(&world->why, &err) || !why_check(&world->why, &err))
        return differ(world, "%s", err.msg);
    for (uint32_t i = 0, met = 0; i < nodes && met < n; i++) {
        uint32_t x = (from + i) % nodes, y = from / 7 % nodes;
        for (uint32_t k = 0; k < nodes; k++, y = (y + 1) % nodes)
            if (y != x && cc_class(&world->graph, x) == cc_class(&world->graph, y))
                break;
        struct why_part line;
        uint32_t a = why_term_of(&world->why, x), b = why_term_of(&world->why, y);
        bool equal = cc_class(&world->graph, x) == cc_class(&world->graph, y);
        if (term_size(world, a, 300) > 300 || term_size(world, b, 300) > 300)
            continue;
        met++;
        err_clear(&err);
        if (why_explain(&world->why, a, b, &line, &err) != equal)
            return differ(world, "%u and %u: %s", x, y,
                          equal ? err.msg : "unequal nodes are explained");
        if (equal && (a == b) != (line.line == CC_NONE))
            return differ(world, "%u and %u: nothing to explain", x, y);
        if (equal && a != b && !checked(world, a, b, line.line))
            return false;
        *done += equal && a != b;
    }
    return true;
}

#endif
