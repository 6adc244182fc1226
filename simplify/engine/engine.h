// SPDX-License-Identifier: Apache-2.0
// One run of plain rules on a named term: the graph is filled within limits,
// the term that costs least is taken, and why it is equal is written down.
#ifndef SIMPLIFY_ENGINE_ENGINE_H
#define SIMPLIFY_ENGINE_ENGINE_H

#include "egraph/plain/saturate/run.h"
#include "formula/language/formula.h"

// The rules that the last run has read: a run with the same text does not read them again.  All
// zero: none.
struct engine_kept {
    struct buf text;
    struct plain_rules rules;
    struct plain_ops ops;
    bool full;
};
void engine_kept_release(struct engine_kept *kept);

struct engine_rules {
    const char *text; // of egraph/plain/plain.h
    // Conditions known to be true: line `given i` is about given[i].
    uint32_t n_givens;
    const fterm *given;
    struct engine_kept *kept; // of runs one after the other; may be NULL
};
struct engine_options {
    enum run_scheduler scheduler;
    uint32_t max_nodes, max_rounds;
    uint64_t max_steps; // as in struct run_options; 0: none
    double deadline;    // on clock_wall(); 0: none
    // The cost of one node without its arguments; infinite: in no result.
    double (*cost)(const void *ctx, const struct fterms *terms, fterm term);
    const void *ctx;
    // Is this a subterm of the input?  Such terms cost less by `familiar`.  NULL:
    // none.
    bool (*kept)(const void *ctx, fterm term);
    double familiar;
    // Operators for which the older of two nodes with one cost is taken: the older
    // node is nearer to the input.  NULL: none.
    bool (*by_age)(const void *ctx, const char *op);
    // Is argument k of the function, counted behind its axes, declared along these?  NULL: none
    // is.
    bool (*is_along)(const void *ctx, const char *op, uint32_t len, uint32_t k);
    // May the term that costs least be taken?  If not, *refused is the subterm of it to
    // avoid, and *conditions are such that could help: those that are true in the graph
    // are handed to `know`, and the question is asked again.  NULL: every term may.
    bool (*accept)(void *judge, fterm term, fterm *refused, struct u32_vec *conditions);
    void (*know)(void *judge, fterm condition);
    // Would the caller take the term?  If not, the result is the term itself, and nobody asks
    // why another one is equal.  NULL: yes.
    bool (*wanted)(void *judge, fterm term);
    void *judge;
};
// A condition, and the proof that it is `true`, if it follows.
struct engine_fact {
    fterm condition;
    struct buf proof; // empty: not found
    bool flipped;     // as above, from `true` to the condition
};
struct engine_result {
    fterm term;       // the term itself if none was accepted and wanted
    struct buf proof; // of proof/plain/check.h; empty if the term is the same
    bool flipped;     // its last line reads from the result to the term
    uint32_t nodes, rounds;
    uint64_t steps;
    enum run_stop stop;
    VEC(struct engine_fact) facts; // that were handed to `know`
};

// `stop` is RUN_CONFLICT if two different values became equal.  Then the givens or
// the rules have a contradiction, and there is no term.
bool engine_run(struct fterms *terms, fterm term, const struct engine_rules *rules,
                const struct engine_options *options, struct engine_result *out, struct err *err);
void engine_release(struct engine_result *result);

// Proves those of the conditions that follow from the givens and that have no
// proof yet.  Callers set the conditions, and release the proofs.
bool engine_facts(struct fterms *terms, uint32_t n, struct engine_fact *facts,
                  const struct engine_rules *rules, const struct engine_options *options,
                  struct err *err);
// Returns whether the rules make two different values equal.  *err says which values,
// and *names gets the names of a least set of such rules.
bool engine_contradiction(struct fterms *terms, fterm term, const struct engine_rules *rules,
                          const struct engine_options *options, struct buf *names, struct err *err);
const char *engine_stop_text(enum run_stop stop);

#endif
