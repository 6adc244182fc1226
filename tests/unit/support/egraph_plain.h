// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of plain graphs: rules and terms from text, and a run on them.
#ifndef TESTS_UNIT_SUPPORT_EGRAPH_PLAIN_H
#define TESTS_UNIT_SUPPORT_EGRAPH_PLAIN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/buf.h"
#include "base/clock.h"
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"

struct world {
    struct cc graph;
    struct plain_rules rules;
    struct plain_fold fold;
    struct run run;
    struct u32_vec root;
    struct err err;
};

static inline bool conflict(void *ctx)
{
    const struct plain_fold *fold = ctx;
    return fold->conflict;
}

static inline void begin(struct world *world, const char *rules, const char *terms,
                         struct run_options options)
{
    enum plain_fold_kind kind;
    memset(world, 0, sizeof *world);
    cc_init(&world->graph, true);
    plain_init(&world->rules);
    if (!plain_read(&world->rules, &world->graph, "rules", rules, plain_fold_guards, &world->err) ||
        !plain_fold_kind_named(world->rules.analysis, &kind, &world->err))
        fail_msg("%s", world->err.msg);
    plain_fold_init(&world->fold, kind, &world->graph, &world->rules);
    if (!plain_terms(&world->rules, &world->graph, "terms", terms, &world->root, &world->err))
        fail_msg("%s", world->err.msg);
    options.guard = plain_fold_guard;
    options.conflict = conflict;
    options.ctx = &world->fold;
    if (options.max_rounds == 0)
        options.max_rounds = 1000;
    options.match_limit = options.match_limit ? options.match_limit : 1000;
    options.pause = 5;
    run_init(&world->run, &world->graph, &world->rules, options);
}

static inline void end(struct world *world)
{
    run_release(&world->run);
    plain_fold_release(&world->fold);
    plain_release(&world->rules);
    vec_release(&world->root);
    cc_release(&world->graph);
}

// Are the terms equal after the run?
static inline bool equal(const char *rules, const char *a, const char *b)
{
    struct world world;
    char terms[2048];
    snprintf(terms, sizeof terms, "%s\n%s\n", a, b);
    begin(&world, rules, terms, (struct run_options){.max_rounds = 20});
    run_rounds(&world.run);
    assert_int_equal(world.root.len, 2);
    bool same =
        cc_class(&world.graph, world.root.at[0]) == cc_class(&world.graph, world.root.at[1]);
    end(&world);
    return same;
}

static const char explosive[] = "c: (+ ?a ?b) => (+ ?b ?a)\n"
                                "a: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
                                "n: ?a => (+ ?a 0)\n";
static const char sum[] = "(+ 1 (+ 2 (+ 3 (+ 4 (+ 5 (+ 6 (+ 7 (+ 8 (+ 9 (+ 10 (+ 11 "
                          "(+ 12 (+ 13 (+ 14 (+ 15 16)))))))))))))))";

#endif
