// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of explanations: a plain graph, and explanations that a checker which shares
// nothing with them accepts.
#ifndef TESTS_UNIT_SUPPORT_EGRAPH_WHY_H
#define TESTS_UNIT_SUPPORT_EGRAPH_WHY_H

#include "base/rng.h"
#include "egraph/plain/ac/ac.h"
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"
#include "proof/plain/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static const char rules[] = "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                            "assoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
                            "distribute: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n"
                            "factor: (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\n"
                            "zero: (* ?a 0) => 0\n"
                            "sub: (- ?a ?a) => 0\n"
                            "add: ?a => (+ ?a 0)\n"
                            "wide: (if ?a ?b ?b ?c) => (if ?c ?b ?a ?a)\n"
                            "both: ?v = (f ?x) and ?v = (g ?y) => ?v = (if ?x ?y ?x ?y)\n"
                            "same: (* ?a ?b) => (f ?b) if same((g ?a), (g ?b))\n"
                            "f: (f (g ?a)) => (g (f ?a))\n";

struct world {
    struct cc graph;
    struct plain_rules rules;
    struct why why;
    struct u32_vec root;
    struct err err;
};

static inline void setup(struct world *world, const char *text)
{
    memset(world, 0, sizeof *world);
    cc_init(&world->graph, true);
    plain_init(&world->rules);
    if (!plain_read(&world->rules, &world->graph, "rules", text, NULL, &world->err))
        fail_msg("%s", world->err.msg);
}

static inline void drop(struct world *world)
{
    why_release(&world->why);
    plain_release(&world->rules);
    vec_release(&world->root);
    cc_release(&world->graph);
}

static inline void rounds(struct world *world, uint32_t n)
{
    struct run run;
    struct run_options options = {.max_rounds = n, .max_nodes = 3000};
    run_init(&run, &world->graph, &world->rules, options);
    run_rounds(&run);
    run_release(&run);
}

static inline uint32_t op(struct world *world, const char *name, uint32_t n)
{
    return plain_op(&world->rules, &world->graph, name, (uint32_t)strlen(name), n);
}

static inline uint32_t random_term(struct world *world, struct rng *rng, uint32_t depth)
{
    static const char *const name[] = {"a", "b", "0", "f", "g", "+", "*", "-", "if"};
    static const uint32_t arity[] = {0, 0, 0, 1, 1, 2, 2, 2, 4};
    uint32_t k = (uint32_t)rng_below(rng, depth == 0 ? 3 : 9), arg[4];
    for (uint32_t i = 0; i < arity[k]; i++) {
        uint32_t node = random_term(world, rng, depth - 1);
        arg[i] = world->graph.node.at[node].cls;
    }
    return cc_add(&world->graph, op(world, name[k], arity[k]), arg);
}

static inline bool given(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                         uint32_t number)
{
    // a = b was stated with number 1 for the symbols a and b only.
    (void)ctx;
    return number == 1 && terms->term.at[a].n == 0 && terms->term.at[b].n == 0 &&
           terms->term.at[a].name.at[0] == 'a' && terms->term.at[b].name.at[0] == 'b';
}

static const struct plain_check_facts no_facts = {.given = given};

// The line, printed, is a proof of a = b for one who knows the rules only.
static inline void must_check(struct world *world, const char *text,
                              const struct plain_check_facts *facts, uint32_t a, uint32_t b,
                              struct why_part line)
{
    struct buf proof = {0}, buf = {0}, r = {0};
    why_print(&world->why, line.line, &proof);
    why_print_term(&world->why, a, &buf);
    why_print_term(&world->why, b, &r);
    struct err err = {0};
    if (!plain_check(text, proof.at, buf.at, r.at, facts, &err))
        fail_msg("%s: line %u: %s\n%s", buf.at, err.line, err.msg, proof.at);
    buf_release(&proof);
    buf_release(&buf);
    buf_release(&r);
}

static inline uint64_t explain_with(struct world *world, const char *text,
                                    const struct plain_check_facts *facts, uint32_t m, uint32_t n)
{
    struct why_part line;
    uint32_t a = why_term_of(&world->why, m), b = why_term_of(&world->why, n);
    if (!why_explain(&world->why, a, b, &line, &world->err))
        fail_msg("%s", world->err.msg);
    must_check(world, text, facts, a, b, line);
    return why_steps(&world->why, line);
}

static inline uint64_t explain_nodes(struct world *world, const char *text, uint32_t m, uint32_t n)
{
    return explain_with(world, text, &no_facts, m, n);
}

// Every pair of neighbours in the lists of the classes, and some others.
static inline uint32_t explain_classes(struct world *world, struct rng *rng)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->graph.node.len; i++) {
        uint32_t k = world->graph.next.at[i];
        if (rng_below(rng, 4) == 0)
            k = world->graph.next.at[world->graph.next.at[k]];
        if (k == i || cc_class(&world->graph, k) != cc_class(&world->graph, i))
            continue;
        explain_nodes(world, rules, i, k);
        n++;
    }
    return n;
}

#endif
