// SPDX-License-Identifier: Apache-2.0
// A pool of worker processes that prove rules.  Workers are forked after
// parsing, so they know every rule; the parent sends an index through a pipe,
// the worker answers with one line: 16 hexadecimal digits (a hash of the rest),
// a blank, the report as JSON.
//
//      parent --- index (4 bytes) ---> worker     one pair of pipes a worker
//             <-- "hash json\n" -----             its stderr is a third pipe
//
// W1  One report a rule comes out, whatever a worker does.  A worker that is
//     too slow is killed (SIGKILL) and the verdicts are unknown, "time"; one
//     that hits its memory limit, "memory"; one that dies otherwise, "the
//     worker died (...)"; an answer that does not hash, parse or fit the rule,
//     "the worker's answer cannot be read".  A new worker takes its place.
// W2  Results come in order of completion; each is handed over at once.  The
//     reports themselves do not depend on the number of workers.
// W3  On SIGINT or SIGTERM the workers are killed and what was handed over is
//     all there is; the handlers of before are put back.
// W4  A worker never returns into the caller's code and never writes to its
//     files: it leaves by _exit and its stderr goes to the parent.
#ifndef VERIFY_WORKERS_POOL_H
#define VERIFY_WORKERS_POOL_H

#include "verify/prove.h"

struct worker_options {
    unsigned jobs;              // worker processes; 0 counts as 1
    double seconds_per_rule;    // hard limit; 0: 30 s
    uint64_t memory;            // bytes of address space a worker; 0: 2 GiB
    struct prove_options prove; // smt2 is not carried over
    // Asked once a second at least; true stops the run as a signal does.  May
    // be NULL.
    bool (*stop)(void *ctx);
    void *stop_ctx;
    // What a worker does with a rule: appends its answer to `line`.  NULL:
    // prove_rule.  Tests give workers that misbehave.
    void (*task)(void *ctx, const struct rule *r, const struct prove_options *o, struct buf *line);
    void *task_ctx;
};

// Called in the parent.  The report is the callee's to release.  False stops
// the run as a signal does.
typedef bool (*workers_done)(void *ctx, uint32_t rule, struct report *rep);

struct workers_result {
    uint32_t done;    // reports handed over
    uint32_t died;    // workers that were replaced
    bool interrupted; // by a signal or by the callback
};

// Proves rules[0..n).  Fails with ERR_IO when no worker can be started.
bool workers_run(const struct rule *const *rules, uint32_t n, const struct worker_options *options,
                 workers_done done, void *ctx, struct workers_result *res, struct err *err);

// The answer of the default task.
void workers_prove(void *ctx, const struct rule *rule, const struct prove_options *options,
                   struct buf *line);
// Puts the hash in front of a line.
void workers_seal(struct buf *line);

#endif
