// SPDX-License-Identifier: Apache-2.0
// Shared by tests of the engine: programs of instructions, and what each of them does to the engine
// and to a naive e-graph.
#ifndef TESTS_UNIT_SUPPORT_CC_PROGRAM_H
#define TESTS_UNIT_SUPPORT_CC_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "tests/unit/support/cc_world.h"

enum kind {
    ADD,
    MERGE,
    HIDE,
    REBUILD,
    ROUND,
    PART,
    RUN,
    RUN_PAUSES,
    RUN_FULL,
    RUN_RATIONED,
    EXPLAIN
};
static const char *const kind_name[] = {"add",       "merge",       "hide",       "rebuild",
                                        "round",     "part",        "run simple", "run bans",
                                        "run until", "run rations", "explain"};

struct instr {
    enum kind kind;
    uint32_t x, y, z;
};

struct program {
    uint64_t rule_seed;
    uint32_t n_rules, rule_mask;
    bool knowing, prune, exact;
    enum fault fault;
    VEC(struct instr) instr;
};

static struct {
    uint32_t programs, rounds, matches, found, dropped, saturated, constants, hidden, explained;
} met;

static inline void do_add(struct world *world, const struct instr *instr)
{
    struct cc *graph = &world->graph;
    struct rng rng;
    uint32_t arg[NAIVE_ARGS], label[NAIVE_ARGS];
    rng_seed(&rng, (uint64_t)instr->y << 32 | instr->z);
    uint32_t op = graph->node.len == 0 ? 0
                  : instr->x % 32 == 0 ? CONSTANT
                                       : world->pool[instr->x / 32 % POOL];
    uint32_t n = world_op[op].arity;
    for (uint32_t k = 0; k < n; k++) {
        arg[k] = graph->node.at[rng_below(&rng, graph->node.len)].cls;
        label[k] = map_get(world, cc_find(graph, arg[k]));
    }
    uint32_t node = world->exact && instr->z % 4 == 0 ? cc_insert_exact(graph, op, arg)
                                                      : cc_add(graph, op, arg);
    uint32_t added = naive_add(&world->naive, op, n, label);
    // Of congruent nodes in two classes each side may have found another.
    if (map_get(world, cc_class(graph, node)) == NONE)
        map_set(world, cc_class(graph, node), added);
}

static inline void do_merge(struct world *world, const struct instr *instr)
{
    struct cc *graph = &world->graph;
    if (graph->node.len == 0)
        return;
    uint32_t a = instr->x % graph->node.len, b = instr->y % graph->node.len;
    naive_union(&world->naive, map_get(world, cc_class(graph, a)),
                map_get(world, cc_class(graph, b)));
    world_given(world, a, b);
}

static inline void do_hide(struct world *world, const struct instr *instr)
{
    struct cc *graph = &world->graph;
    uint32_t arg[NAIVE_ARGS], node = graph->node.len == 0 ? 0 : instr->x % graph->node.len;
    if (graph->node.len == 0 || (graph->node.at[node].op & CC_DEAD))
        return;
    for (uint32_t k = 0; k < cc_arity(graph, node); k++)
        arg[k] = map_get(world, cc_find(graph, cc_args(graph, node)[k]));
    naive_find(&world->naive, graph->node.at[node].op & CC_OP, arg)->hidden = true;
    cc_hide(graph, node);
    met.hidden++;
}

// Rules by hand

struct finder {
    struct world *world;
    uint32_t rule, stop, n, n_new;
    struct u32_vec key;  // places of the left side, as classes
    struct u32_vec node; // and nodes of the atoms
};

// The atom of a place whose class is `var`: the one of an equal place that came before, or the
// next one.
static inline const struct plain_atom *atom_of(const struct plain_search *search, uint32_t var,
                                               bool root, uint32_t n, uint32_t *atom)
{
    for (uint32_t i = 0; i < *atom && !root; i++)
        if (search->rule->atom[i].cls == var && search->rule->atom[i].n == n)
            return &search->rule->atom[i];
    return &search->rule->atom[(*atom)++];
}

// The classes of the places below `at`, whose atoms come in the same order.
static inline void key_of(const struct plain_search *search, const struct naive_rule *rule,
                          uint32_t at, uint32_t var, uint32_t *atom, uint32_t *key)
{
    const struct naive_pattern *naive_pattern = &rule->at[at];
    bool root = false;
    for (uint32_t k = 0; k < rule->n_roots; k++)
        root |= rule->root[k] == at;
    key[at] = search->reg[var];
    if (naive_pattern->var)
        return;
    const struct plain_atom *a = atom_of(search, var, root, naive_pattern->n, atom);
    for (uint32_t k = 0; k < naive_pattern->n; k++)
        key_of(search, rule, naive_pattern->arg[k], a->arg[k], atom, key);
}

static inline bool found(void *ctx, const struct plain_search *search)
{
    struct finder *finder = ctx;
    const struct naive_rule *rule = &finder->world->rule[finder->rule];
    uint32_t key[NAIVE_PATTERN], atom = 0;
    for (uint32_t k = 0; k < rule->n_roots; k++)
        key_of(search, rule, rule->root[k], search->rule->atom[atom].cls, &atom, key);
    for (uint32_t i = 0; i < rule->n_left; i++)
        vec_push(&finder->key, key[i]);
    for (uint32_t i = 0; i < search->rule->n_atoms; i++)
        vec_push(&finder->node, search->node[i]);
    finder->n_new += search_new(search);
    return ++finder->n < finder->stop;
}

static inline bool has_key(const struct u32_vec *list, const uint32_t *key, uint32_t n)
{
    for (uint32_t i = 0; i < list->len; i += n)
        if (memcmp(list->at + i, key, n * sizeof *key) == 0)
            return true;
    return false;
}

static inline void add_key(struct u32_vec *list, const uint32_t *key, uint32_t n)
{
    if (has_key(list, key, n))
        return;
    for (uint32_t i = 0; i < n; i++)
        vec_push(list, key[i]);
}

// What was seen before, with the classes as they are now.
static inline void seen_now(struct world *world, uint32_t rule)
{
    struct u32_vec now = {0};
    uint32_t n = world->rule[rule].n_left, key[NAIVE_PATTERN];
    for (uint32_t i = 0; i < world->seen[rule].len; i += n) {
        for (uint32_t k = 0; k < n; k++)
            key[k] = cc_find(&world->graph, world->seen[rule].at[i + k]);
        add_key(&now, key, n);
    }
    vec_release(&world->seen[rule]);
    world->seen[rule] = now;
}

// Labels of `all` as classes.
static inline void to_classes(const struct world *world, struct u32_vec *all)
{
    struct u32_vec cls = {0};
    for (uint32_t i = 0; i < world->naive.now.len; i++)
        vec_push(&cls, NONE);
    for (uint32_t c = 0; c < world->map.len; c++)
        if (map_get(world, c) != NONE && world->graph.up.at[c] == c)
            cls.at[map_get(world, c)] = c;
    for (uint32_t i = 0; i < all->len; i++)
        all->at[i] = cls.at[all->at[i]];
    vec_release(&cls);
}

// The matches that were found: matches all, none twice, and with those of
// before they are all that there are.
static inline bool right_matches(struct world *world, struct finder *finder, bool whole, bool once,
                                 const struct u32_vec *all)
{
    uint32_t n = world->rule[finder->rule].n_left;
    struct u32_vec before = {0};
    bool ok = true;
    for (uint32_t i = 0; i < finder->key.len && ok; i += n) {
        if (!has_key(all, finder->key.at + i, n))
            ok = differ(world, "rule %u: match %u is none", finder->rule, i / n);
        else if (once && has_key(&before, finder->key.at + i, n))
            ok = differ(world, "rule %u: match %u is found twice", finder->rule, i / n);
        add_key(&before, finder->key.at + i, n);
        add_key(&world->seen[finder->rule], finder->key.at + i, n);
    }
    for (uint32_t i = 0; i < all->len && ok && whole; i += n)
        if (!has_key(&world->seen[finder->rule], all->at + i, n))
            ok = differ(world, "rule %u: match %u is not found", finder->rule, i / n);
    vec_release(&before);
    met.found += finder->n;
    met.matches += all->len / n;
    return ok;
}

static inline void apply_match(struct world *world, struct finder *finder, uint32_t i, bool into)
{
    struct cc *graph = &world->graph;
    const struct plain_rule *rule = &world->p.rule.at[finder->rule];
    uint32_t reg[EGRAPH_PLAIN_VARIABLES], list[2 * EGRAPH_PLAIN_ATOMS], n = 0;
    for (; n < rule->n_atoms; n++) {
        uint32_t node = list[n] = finder->node.at[i * rule->n_atoms + n];
        reg[rule->atom[n].cls] = graph->node.at[node].cls;
        for (uint32_t k = 0; k < rule->atom[n].n; k++)
            reg[rule->atom[n].arg[k]] = cc_args(graph, node)[k];
    }
    bool news = false;
    for (uint32_t j = 0; j < rule->n_builds; j++) {
        const struct plain_build *build = &rule->build[j];
        uint32_t arg[NAIVE_ARGS];
        for (uint32_t k = 0; k < build->n; k++)
            arg[k] = cc_find(graph, reg[build->arg[k]]);
        uint32_t node = cc_lookup(graph, build->op, arg);
        bool here = node == CC_NONE && into && build->out == rule->right;
        if (node == CC_NONE)
            node =
                cc_insert(graph, build->op, arg, here ? cc_find(graph, reg[rule->left]) : CC_NONE);
        news = news || here;
        reg[build->out] = graph->node.at[node].cls;
        list[n++] = node;
    }
    struct journal_use use = {.matched = rule->n_atoms,
                              .built = rule->n_builds,
                              .by = 1,
                              .nodes = list,
                              .made = list + rule->n_atoms};
    if (cc_union(graph, reg[rule->left], reg[rule->right]) || news)
        journal_rule(&graph->journal, finder->rule, &use);
}

// Goes through all matches, and says which are new: those are what the other
// search is going to find, as many and none twice.
static inline bool whole_search(struct world *world, uint32_t rule, uint32_t *n_new,
                                const struct u32_vec *all)
{
    uint32_t old = world->seen[rule].len;
    struct finder finder = {.world = world, .rule = rule, .stop = NONE};
    struct plain_search search = {.graph = &world->graph,
                                  .rule = &world->p.rule.at[rule],
                                  .since = &world->mark[rule],
                                  .n_frozen = world->graph.n_entered,
                                  .found = found,
                                  .ctx = &finder};
    *n_new = NONE;
    if (!search_can_be_whole(&search))
        return true;
    search.whole = true;
    bool ok = search_rule(&search) && finder.key.len == all->len;
    if (!ok)
        differ(world, "rule %u: %u matches of all", rule, finder.n);
    ok = ok && right_matches(world, &finder, true, true, all);
    world->seen[rule].len = old;
    *n_new = finder.n_new;
    vec_release(&finder.key);
    vec_release(&finder.node);
    return ok;
}

static inline bool search_one(struct world *world, uint32_t rule, const struct instr *instr,
                              bool part, const struct u32_vec *all, struct seen_mark *next)
{
    struct finder finder = {.world = world, .rule = rule, .stop = NONE};
    // Where events were dropped in between, more than once perhaps.
    const struct plain_rule *q = &world->p.rule.at[rule];
    bool once = true;
    for (uint32_t i = 0; i < q->n_atoms; i++)
        once = once &&
               (!world->mark[rule].ever || q->atom[i].op == ATOM_ANY ||
                world->mark[rule].atom[i].events >= world->graph.op.at[q->atom[i].op].event_base);
    uint32_t n_new;
    if (!whole_search(world, rule, &n_new, all))
        return false;
    if (part)
        finder.stop = 1 + (instr->y >> rule) % 4;
    seen_mark_set(next, &world->graph, &world->p.rule.at[rule]);
    struct plain_search search = {.graph = &world->graph,
                                  .rule = &world->p.rule.at[rule],
                                  .since = &world->mark[rule],
                                  .n_frozen = world->graph.n_entered,
                                  .found = found,
                                  .ctx = &finder};
    bool whole = search_rule(&search);
    if (!whole)
        *next = world->mark[rule];
    bool ok = right_matches(world, &finder, whole, once, all);
    if (ok && whole && n_new != NONE && finder.n != n_new)
        ok = differ(world, "rule %u: %u new matches", rule, n_new);
    for (uint32_t i = 0; i < finder.n && ok; i++)
        apply_match(world, &finder, i, (instr->z >> i % 32 & 1) != 0);
    vec_release(&finder.key);
    vec_release(&finder.node);
    return ok;
}

// All rules, guards or not; `part`: some not at all, some not to the end.
static inline bool do_round(struct world *world, const struct instr *instr, bool part,
                            struct u32_vec *all)
{
    bool ok = true;
    struct seen_mark next[RULES];
    memcpy(next, world->mark, sizeof next);
    struct u32_vec cls[RULES] = {0};
    for (uint32_t i = 0; i < world->n_rules; i++) {
        for (uint32_t k = 0; k < all[i].len; k++)
            vec_push(&cls[i], all[i].at[k]);
        to_classes(world, &cls[i]);
        seen_now(world, i);
    }
    for (uint32_t i = 0; i < world->n_rules && ok; i++)
        if (!part || !(instr->x >> i & 1))
            ok = search_one(world, i, instr, part, &cls[i], &next[i]);
    for (uint32_t i = 0; i < RULES; i++)
        vec_release(&cls[i]);
    cc_rebuild(&world->graph);
    for (uint32_t i = 0; i < world->n_rules && world->fault == FAULT_MARK; i++)
        seen_mark_set(&next[i], &world->graph, &world->p.rule.at[i]);
    memcpy(world->mark, next, sizeof next);
    return ok;
}

// Whole rounds

static inline bool do_run(struct world *world, const struct instr *instr, bool *whole)
{
    struct run *run = &world->run[instr->kind - RUN];
    uint32_t nodes = world->naive.node.len, classes = naive_classes(&world->naive);
    naive_settle(&world->naive, world->knowing);
    if (instr->kind == RUN_FULL) {
        bool bytes = instr->y % 4 == 0, matches = instr->y % 4 == 1;
        run->opt.max_nodes = bytes || matches ? 0 : world->graph.n_live + 1 + instr->x % 30;
        run->opt.max_bytes = bytes ? cc_bytes(&world->graph) + 1 + instr->x % 2000 : 0;
        run->opt.max_matches = matches ? 1 + instr->x % 40 : 0;
    }
    enum run_stop stop = run_rounds(run);
    *whole = instr->kind == RUN;
    if (stop == RUN_SATURATED &&
        (nodes != world->naive.node.len || classes != naive_classes(&world->naive)))
        return differ(world, "it ended with something left to do");
    met.dropped += instr->kind != RUN;
    met.saturated += instr->kind != RUN && stop == RUN_SATURATED;
    return true;
}

static inline bool round_of(struct world *world, const struct instr *instr)
{
    enum { MAX_NODES = 100, MAX_MATCHES = 150 };
    bool by_hand = instr->kind == ROUND || instr->kind == PART, ok = true;
    bool whole = instr->kind == ROUND;
    struct u32_vec all[RULES] = {0};
    uint32_t n = 0;
    if (!world->graph.closed && !world_rebuild(world))
        return false;
    for (uint32_t i = 0; i < world->n_rules; i++) {
        naive_matches(&world->naive, &world->rule[i], !by_hand, &all[i]);
        n += all[i].len / world->rule[i].n_left;
    }
    if (world->naive.node.len <= MAX_NODES && n <= MAX_MATCHES) {
        met.rounds++;
        if (by_hand)
            ok = do_round(world, instr, instr->kind == PART, all);
        for (uint32_t i = 0; i < world->n_rules; i++)
            for (uint32_t k = 0; k < all[i].len; k += world->rule[i].n_left)
                naive_apply(&world->naive, &world->rule[i], all[i].at + k);
        if (by_hand)
            naive_settle(&world->naive, world->knowing);
        else
            ok = do_run(world, instr, &whole);
        ok = ok && world_rebuilt(world, whole);
    }
    for (uint32_t i = 0; i < RULES; i++)
        vec_release(&all[i]);
    return ok;
}

static inline bool do_instr(struct world *world, const struct instr *instr)
{
    switch (instr->kind) {
    case ADD:
        do_add(world, instr);
        return true;
    case MERGE:
        do_merge(world, instr);
        return true;
    case HIDE:
        do_hide(world, instr);
        return true;
    case REBUILD:
        return world_rebuild(world);
    case EXPLAIN:
        if (!world->graph.closed && !world_rebuild(world))
            return false;
        return !world->check || world_explain(world, instr->x, 3, &met.explained);
    case ROUND:
    case PART:
    case RUN:
    case RUN_PAUSES:
    case RUN_FULL:
    case RUN_RATIONED:
        break;
    }
    return round_of(world, instr);
}

#endif
