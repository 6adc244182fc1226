// SPDX-License-Identifier: Apache-2.0
// One run of plain rules on a named term: the graph is filled within limits,
// the term that costs least is taken, and why it is equal is written down.
#ifndef SIMPLIFY_ENGINE_ENGINE_H
#define SIMPLIFY_ENGINE_ENGINE_H

#include "egraph/plain/saturate/run.h"
#include "formula/language/formula.h"

struct engine_rules {
    const char *text; // of egraph/plain/plain.h
    // What is known to be true of the variables: the numbers of `given` lines.
    uint32_t n_givens;
    const fterm *given;
};
struct engine_options {
    enum run_scheduler scheduler;
    uint32_t max_nodes, max_rounds;
    double deadline; // on clock_cpu(); 0: none
    // What one node costs, without its arguments; infinite: not in a result.
    double (*cost)(const void *ctx, const struct fterms *t, fterm x);
    const void *ctx;
    // Terms below the one that is run on, which cost less by `familiar`; NULL:
    // none.
    bool (*kept)(const void *ctx, fterm x);
    double familiar;
    // Operators of which the older node is taken of two that cost the same: it
    // is nearer to the term that is run on; NULL: none.
    bool (*by_age)(const void *ctx, const char *op);
};
struct engine_result {
    fterm term;
    struct buf proof; // of proof/plain/check.h; empty where the term is the same
    bool flipped;     // its last line reads from the result to the term
    uint32_t nodes, rounds;
    enum run_stop stop;
};

// `stop` is RUN_CONFLICT where two different values became equal: then what is
// given has a contradiction, or the rules have, and there is no term.
bool engine_run(struct fterms *terms, fterm term, const struct engine_rules *rules,
                const struct engine_options *options, struct engine_result *out, struct err *err);
void engine_release(struct engine_result *result);

// A condition, and the proof that it is `true`, if it follows.
struct engine_fact {
    fterm condition;
    struct buf proof; // empty: not found
    bool flipped;     // as above, from `true` to the condition
};
// Proves those of the conditions that follow from the givens and that have no
// proof yet.  Callers set the conditions, and release the proofs.
bool engine_facts(struct fterms *terms, uint32_t n, struct engine_fact *facts,
                  const struct engine_rules *rules, const struct engine_options *options,
                  struct err *err);
// Do the rules make two different values equal?  *err says which, *names the
// rules of a least set of them that still does.
bool engine_contradiction(struct fterms *terms, fterm term, const struct engine_rules *rules,
                          const struct engine_options *options, struct buf *names, struct err *err);
const char *engine_stop_text(enum run_stop stop);

#endif
