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
    struct cc g;
    struct plain_rules p;
    struct naive n;
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

__attribute__((format(printf, 2, 3))) static bool differ(struct world *w,
                                                         const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->msg, sizeof w->msg, fmt, ap);
    va_end(ap);
    return false;
}

// Knowledge

static uint32_t *value_at(struct world *w, uint32_t cls)
{
    while (w->value.len <= cls)
        vec_push(&w->value, 0);
    return &w->value.at[cls];
}

static bool world_learn(void *ctx, struct cc *g, uint32_t node)
{
    struct world *w = ctx;
    uint32_t known[NAIVE_ARGS], n = cc_arity(g, node);
    for (uint32_t k = 0; k < n; k++)
        known[k] = *value_at(w, cc_find(g, cc_args(g, node)[k]));
    uint32_t *v = value_at(w, cc_class(g, node)), old = *v;
    *v |= naive_says(g->node.at[node].op & CC_OP, n, known);
    return *v != old;
}

static unsigned world_join(void *ctx, struct cc *g, uint32_t keep,
                           uint32_t lose)
{
    (void)g;
    uint32_t a = *value_at(ctx, keep), b = *value_at(ctx, lose);
    *value_at(ctx, keep) = a | b;
    return (a != (a | b) ? CC_KEEP_LEARNED : 0) |
           (b != (a | b) ? CC_LOSE_LEARNED : 0);
}

// The two nodes are equal because it is said so.
static void world_given(struct world *w, uint32_t a, uint32_t b)
{
    struct given x = {a, b};
    cc_union_given(&w->g, JOURNAL_GIVEN, a, b, w->given.len);
    vec_push(&w->given, x);
}

static void world_modify(void *ctx, struct cc *g, uint32_t cls)
{
    struct world *w = ctx;
    if (!w->knowing || !naive_is_constant(*value_at(w, cls)))
        return;
    uint32_t node = cc_add(g, CONSTANT, NULL);
    world_given(w, g->class_.at[cls].founder, node);
    uint32_t first = g->class_.at[cls].member, m = first;
    do {
        if (w->prune && (g->node.at[m].op & CC_OP) != CONSTANT)
            cc_hide(g, m);
        m = g->next.at[m];
    } while (m != first);
}

static bool world_guard(void *ctx, struct cc *g, uint32_t kind,
                        const uint32_t *arg, uint32_t *out)
{
    (void)g, (void)kind, (void)out;
    return (*value_at(ctx, arg[0]) & 4) != 0;
}

// Rules

// A few operators, so that patterns meet nodes: constants, then others.
static void random_pool(struct rng *r, uint32_t *pool)
{
    for (uint32_t i = 0; i < POOL; i++)
        pool[i] = (uint32_t)(i < POOL_CONSTANTS ? rng_below(r, CONSTANT)
                             : i < POOL_FEW     ? 4 + rng_below(r, 4)
                                                : 4 + rng_below(r, 6));
}

static uint32_t random_pattern(struct rng *r, struct naive_rule *rule,
                               const uint32_t *pool, uint32_t depth,
                               uint32_t max, uint32_t n_vars, bool root)
{
    uint32_t me = rule->n++;
    struct naive_pattern p = {0};
    uint32_t stop = root ? 20 : depth == 0 ? 1 : 3;
    if (rule->n + 5 >= max || rng_below(r, stop) == 0) {
        p.var = n_vars > 0;
        p.id = n_vars > 0 ? (uint32_t)rng_below(r, n_vars)
                          : pool[rng_below(r, POOL_CONSTANTS)];
        rule->at[me] = p;
        return me;
    }
    p.id = pool[root + rng_below(r, POOL - root)];
    p.n = world_op[p.id].arity;
    for (uint32_t k = 0; k < p.n; k++)
        p.arg[k] = random_pattern(r, rule, pool, depth - (depth > 0), max,
                                  n_vars, false);
    rule->at[me] = p;
    return me;
}

// One pattern, or two or three that may share variables.
static void random_left(struct rng *r, const uint32_t *pool,
                        struct naive_rule *rule, uint32_t vars)
{
    rule->n_roots = rng_below(r, 4) > 0 ? 1 : 1 + (uint32_t)rng_below(r, 3);
    bool named = rule->n_roots > 1 || rng_below(r, 8) == 0;
    uint32_t depth = (uint32_t)rng_below(r, named ? 2 : 3);
    for (uint32_t k = 0; k < rule->n_roots; k++) {
        uint32_t first = rule->n;
        do {
            rule->n = first;
            rule->root[k] = random_pattern(
                r, rule, pool, depth, first + (named ? 9 : 14), vars, true);
        } while (named && rule->at[first].var);
        rule->root_var[k] = named ? (uint32_t)rng_below(r, vars) : NONE;
    }
    rule->target = (uint32_t)rng_below(r, rule->n_roots);
    rule->n_left = rule->n;
}

static void random_rule(struct rng *r, const uint32_t *pool,
                        struct naive_rule *rule)
{
    *rule = (struct naive_rule){.guard = NONE};
    uint32_t vars = 1 + (uint32_t)rng_below(r, 3), used[NAIVE_VARS], n = 0;
    bool has[NAIVE_VARS] = {false};
    random_left(r, pool, rule, vars);
    for (uint32_t i = 0; i < rule->n; i++)
        if (rule->at[i].var)
            has[rule->at[i].id] = true;
    for (uint32_t k = 0; k < rule->n_roots; k++)
        if (rule->root_var[k] != NONE)
            has[rule->root_var[k]] = true;
    for (uint32_t v = 0; v < vars; v++)
        if (has[v])
            used[n++] = v;
    random_pattern(r, rule, pool, (uint32_t)rng_below(r, 3), rule->n_left + 10,
                   n, false);
    for (uint32_t i = rule->n_left; i < rule->n; i++)
        if (rule->at[i].var)
            rule->at[i].id = used[rule->at[i].id];
    if (!rule->at[0].var && n > 0 && rng_below(r, 4) == 0)
        rule->guard = used[rng_below(r, n)];
}

static void pattern_text(const struct naive_rule *rule, uint32_t at, char *out,
                         size_t size)
{
    const struct naive_pattern *p = &rule->at[at];
    size_t n = strlen(out);
    if (p->var) {
        snprintf(out + n, size - n, "?%u", p->id);
        return;
    }
    snprintf(out + n, size - n, "%s%s", p->n > 0 ? "(" : "",
             world_op[p->id].name);
    for (uint32_t k = 0; k < p->n; k++) {
        n = strlen(out);
        snprintf(out + n, size - n, " ");
        pattern_text(rule, p->arg[k], out, size);
    }
    n = strlen(out);
    snprintf(out + n, size - n, "%s", p->n > 0 ? ")" : "");
}

static void rule_text(const struct naive_rule *rule, uint32_t index, char *out,
                      size_t size)
{
    snprintf(out, size, "r%u: ", index);
    size_t n;
    for (uint32_t k = 0; k < rule->n_roots; k++) {
        n = strlen(out);
        if (rule->root_var[k] != NONE)
            snprintf(out + n, size - n, "%s?%u = ", k > 0 ? " and " : "",
                     rule->root_var[k]);
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

static bool world_init(struct world *w, uint64_t rule_seed, uint32_t n_rules,
                       uint32_t rule_mask)
{
    static const struct guard_name guards[] = {{"knows", 1, false},
                                               {NULL, 0, false}};
    struct err e = {0};
    char text[4096];
    struct rng r;
    memset(w, 0, sizeof *w);
    w->n.constant = CONSTANT;
    w->check = true;
    cc_init(&w->g, true);
    plain_init(&w->p);
    for (uint32_t i = 0; i < OPS; i++)
        if (plain_op(&w->p, &w->g, world_op[i].name, 2, world_op[i].arity) != i)
            return differ(w, "operators are not numbered as they are made");
    rng_seed(&r, rule_seed);
    random_pool(&r, w->pool);
    for (uint32_t i = 0; i < n_rules; i++) {
        struct naive_rule *rule = &w->rule[w->n_rules];
        random_rule(&r, w->pool, rule);
        if (!(rule_mask >> i & 1))
            continue;
        rule_text(rule, i, text, sizeof text);
        if (!plain_read(&w->p, &w->g, "rules", text, guards, &e))
            return differ(w, "%s: %s", text, e.msg);
        buf_puts(&w->rules, text);
        if (w->p.rule.len != ++w->n_rules)
            return differ(w, "%s is several rules", text);
    }
    why_init(&w->why, &w->g, &w->p);
    w->g.analysis = (struct cc_analysis){.ctx = w,
                                         .learn = world_learn,
                                         .join = world_join,
                                         .modify = world_modify};
    struct run_options o = {.max_rounds = 1,
                            .match_limit = 2,
                            .pause = 2,
                            .ration = 1,
                            .guard = world_guard,
                            .ctx = w};
    for (uint32_t i = 0; i < RUNS; i++) {
        o.scheduler = i == RUN_SOME     ? RUN_BACKOFF
                      : i == RUN_LITTLE ? RUN_RATION
                                        : RUN_SIMPLE;
        run_init(&w->run[i], &w->g, &w->p, o);
    }
    return true;
}

static void world_release(struct world *w)
{
    for (uint32_t i = 0; i < RUNS; i++)
        run_release(&w->run[i]);
    for (uint32_t i = 0; i < RULES; i++)
        vec_release(&w->seen[i]);
    why_release(&w->why);
    buf_release(&w->rules);
    vec_release(&w->given);
    plain_release(&w->p);
    cc_release(&w->g);
    naive_release(&w->n);
    vec_release(&w->map);
    vec_release(&w->value);
}

// Comparing

static void map_set(struct world *w, uint32_t cls, uint32_t label)
{
    while (w->map.len <= cls)
        vec_push(&w->map, NONE);
    w->map.at[cls] = label;
}

static uint32_t map_get(const struct world *w, uint32_t cls)
{
    return cls < w->map.len && w->map.at[cls] != NONE
               ? w->n.now.at[w->map.at[cls]]
               : NONE;
}

// The naive node of an engine node; NULL: not known yet, or (with `msg`) none.
static struct naive_node *naive_of(struct world *w, uint32_t node)
{
    struct cc *g = &w->g;
    uint32_t arg[NAIVE_ARGS], n = cc_arity(g, node);
    for (uint32_t k = 0; k < n; k++) {
        arg[k] = map_get(w, cc_find(g, cc_args(g, node)[k]));
        if (arg[k] == NONE)
            return NULL;
    }
    struct naive_node *x = naive_find(&w->n, g->node.at[node].op & CC_OP, arg);
    if (x == NULL)
        differ(w, "node %u is too much", node);
    return x;
}

static bool map_nodes(struct world *w)
{
    struct cc *g = &w->g;
    uint32_t left = 0, before = NONE;
    vec_clear(&w->map);
    do {
        before = left;
        left = 0;
        for (uint32_t i = 0; i < g->node.len; i++) {
            if (g->node.at[i].op & CC_DEAD)
                continue;
            struct naive_node *x = naive_of(w, i);
            if (w->msg[0] != 0)
                return false;
            left += x == NULL;
            if (x == NULL)
                continue;
            uint32_t cls = cc_class(g, i), label = w->n.now.at[x->label];
            if (map_get(w, cls) == NONE)
                map_set(w, cls, label);
            else if (map_get(w, cls) != label)
                return differ(w, "node %u is merged with others wrongly", i);
        }
    } while (left != before || before == NONE);
    return left == 0 || differ(w, "%u nodes are no terms", left);
}

// Both are closed and say the same.
static bool same_graphs(struct world *w)
{
    struct cc *g = &w->g;
    uint32_t live = 0;
    if (!map_nodes(w))
        return false;
    for (uint32_t i = 0; i < g->node.len; i++) {
        if (g->node.at[i].op & CC_DEAD)
            continue;
        struct naive_node *x = naive_of(w, i);
        bool hidden = (g->node.at[i].op & CC_HIDDEN) != 0;
        if (w->prune)
            x->hidden = hidden;
        if (x->hidden != hidden)
            return differ(w, "node %u: hidden here, not there", i);
        uint32_t cls = cc_class(g, i);
        if (*value_at(w, cls) != w->n.value.at[map_get(w, cls)])
            return differ(w, "class %u: %x is known, not %x", cls,
                          *value_at(w, cls), w->n.value.at[map_get(w, cls)]);
        live++;
    }
    if (live != w->n.node.len)
        return differ(w, "%u nodes, not %u", live, w->n.node.len);
    if (g->n_live != naive_visible(&w->n))
        return differ(w, "n_live %u, not %u", g->n_live, naive_visible(&w->n));
    if (g->n_classes != naive_classes(&w->n))
        return differ(w, "%u classes, not %u", g->n_classes,
                      naive_classes(&w->n));
    return true;
}

// The engine has done a part of what the naive one did; that becomes the state
// of both.
static bool part_of(struct world *w)
{
    struct cc *g = &w->g;
    if (!map_nodes(w))
        return false;
    struct naive n = {.constant = CONSTANT};
    for (uint32_t i = 0; i < g->class_.len; i++)
        naive_label(&n);
    for (uint32_t i = 0; i < g->class_.len; i++)
        n.now.at[i] = cc_find(g, i);
    for (uint32_t i = 0; i < g->node.len; i++) {
        struct naive_node x = {.op = g->node.at[i].op & CC_OP,
                               .n = cc_arity(g, i),
                               .label = cc_class(g, i),
                               .hidden = (g->node.at[i].op & CC_HIDDEN) != 0};
        for (uint32_t k = 0; k < x.n; k++)
            x.arg[k] = cc_args(g, i)[k];
        if (!(g->node.at[i].op & CC_DEAD))
            vec_push(&n.node, x);
    }
    naive_release(&w->n);
    w->n = n;
    naive_settle(&w->n, w->knowing);
    return same_graphs(w);
}

static void plant(struct world *w)
{
    struct cc *g = &w->g;
    for (uint32_t i = 0; w->fault == FAULT_EVENTS && i < g->op.len; i++)
        g->op.at[i].events.len = g->op.at[i].round_events;
    for (uint32_t i = 0; i < g->class_.len; i++) {
        if (w->fault == FAULT_USES)
            g->class_.at[i].uses &= 0xaaaaaaaa;
        if (w->fault == FAULT_OPS)
            g->class_.at[i].ops &= 0xaaaaaaaa;
    }
}

static bool world_rebuilt(struct world *w, bool whole)
{
    struct err e = {0};
    if (w->check && !cc_check(&w->g, &e))
        return differ(w, "%s", e.msg);
    if (!(whole ? same_graphs(w) : part_of(w)))
        return false;
    plant(w);
    return true;
}

static bool world_rebuild(struct world *w)
{
    cc_rebuild(&w->g);
    naive_settle(&w->n, w->knowing);
    return world_rebuilt(w, true);
}

// Explanations

// Positions of a node's own term, no more than `most`.
static uint32_t term_size(const struct world *w, uint32_t term, uint32_t most)
{
    const struct why_term *t = &w->why.term.at[term];
    uint32_t n = 1;
    for (uint32_t k = 0; k < w->g.op.at[t->op].arity && n <= most; k++)
        n += term_size(w, w->why.arg.at[t->at + k], most - n);
    return n;
}

// A term of the checker, as one of the finder's.  Terms come behind their
// arguments, and share: each is done once.
static uint32_t own_term(struct world *w, const struct plain_check_terms *t,
                         uint32_t id)
{
    struct u32_vec own = {0};
    for (uint32_t i = 0; i <= id; i++) {
        const struct plain_check_term *x = &t->term.at[i];
        uint32_t arg[NAIVE_ARGS], op = 0;
        for (uint32_t k = 0; k < x->n; k++)
            arg[k] = own.at[x->arg[k]];
        while (op < OPS && memcmp(world_op[op].name, x->name.at, 2) != 0)
            op++;
        vec_push(&own, why_term(&w->why, op, arg));
    }
    uint32_t last = vec_last(&own);
    vec_release(&own);
    return last;
}

static bool is_given(void *ctx, const struct plain_check_terms *t, uint32_t a,
                     uint32_t b, uint32_t number)
{
    struct world *w = ctx;
    if (number >= w->given.len)
        return false;
    uint32_t x = why_term_of(&w->why, w->given.at[number].a);
    uint32_t y = why_term_of(&w->why, w->given.at[number].b);
    a = own_term(w, t, a);
    b = own_term(w, t, b);
    return (a == x && b == y) || (a == y && b == x);
}

// What was known when the rule was used is no property of terms.
static bool is_known(void *ctx, const struct plain_check_terms *t,
                     struct plain_word name, uint32_t n, const uint32_t *arg,
                     const uint32_t *proved, bool holds)
{
    (void)ctx, (void)t, (void)name, (void)arg, (void)proved;
    return n == 1 && holds;
}

static bool checked(struct world *w, uint32_t a, uint32_t b, uint32_t line)
{
    struct err e = {0};
    struct buf proof = {0}, left = {0}, right = {0};
    struct plain_check_facts facts = {
        .given = is_given, .guard = is_known, .ctx = w};
    why_print(&w->why, line, &proof);
    why_print_term(&w->why, a, &left);
    why_print_term(&w->why, b, &right);
    bool ok = plain_check(buf_text(&w->rules), buf_text(&proof),
                          buf_text(&left), buf_text(&right), &facts, &e);
    bool turned = plain_check(buf_text(&w->rules), buf_text(&proof),
                              buf_text(&right), buf_text(&left), &facts, &e);
    if (!ok && !turned)
        differ(w, "an explanation is refused: %s", e.msg);
    buf_release(&proof);
    buf_release(&left);
    buf_release(&right);
    return ok || turned;
}

// Up to `n` pairs of equal nodes from node `from` on; no pair of unequal ones.
static bool world_explain(struct world *w, uint32_t from, uint32_t n,
                          uint32_t *done)
{
    struct err e = {0};
    uint32_t nodes = w->g.node.len;
    if (!why_read(&w->why, &e) || !why_check(&w->why, &e))
        return differ(w, "%s", e.msg);
    for (uint32_t i = 0, met = 0; i < nodes && met < n; i++) {
        uint32_t x = (from + i) % nodes, y = from / 7 % nodes;
        for (uint32_t k = 0; k < nodes; k++, y = (y + 1) % nodes)
            if (y != x && cc_class(&w->g, x) == cc_class(&w->g, y))
                break;
        struct why_part line;
        uint32_t a = why_term_of(&w->why, x), b = why_term_of(&w->why, y);
        bool equal = cc_class(&w->g, x) == cc_class(&w->g, y);
        if (term_size(w, a, 300) > 300 || term_size(w, b, 300) > 300)
            continue;
        met++;
        err_clear(&e);
        if (why_explain(&w->why, a, b, &line, &e) != equal)
            return differ(w, "%u and %u: %s", x, y,
                          equal ? e.msg : "unequal nodes are explained");
        if (equal && (a == b) != (line.line == CC_NONE))
            return differ(w, "%u and %u: nothing to explain", x, y);
        if (equal && a != b && !checked(w, a, b, line.line))
            return false;
        *done += equal && a != b;
    }
    return true;
}

#endif
