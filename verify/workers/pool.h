// SPDX-License-Identifier: Apache-2.0
// A pool of worker processes that prove rules.  Workers are forked after parsing, so they
// know every rule.  The parent sends an index through a pipe.  The worker answers with one
// line: 16 hexadecimal digits (a hash of the rest), a blank, the report as JSON.
//
//      parent --- index (4 bytes) ---> worker     one pair of pipes for each worker
//             <-- "hash json\n" -----             its stderr is a third pipe
//             <-- "12." --------------            before the answer: obligations so far (W7)
//
// W1  Every rule gets one report, whatever a worker does.  If a worker fails, the verdicts
//     are unknown, and a new worker takes its place.  The reasons are:
//       "time: limit of 5 s"                   too slow; killed with SIGKILL
//       "time: 600 s of the processor"         a net, far above what the limits of steps let
//                                              happen
//       "memory: limit of 2048 MiB"            it reached its memory limit, and so did a new
//                                              worker that had proved nothing before
//       "the worker died (...)"                any other death
//       "the worker's answer cannot be read"   the hash, the JSON or the rule is wrong
// W2  Results come in order of completion; each is handed over at once.  The reports do not
//     depend on the number of workers.
// W3  On SIGINT or SIGTERM the workers are killed and no further report is handed over.
//     The earlier signal handlers are restored.
// W4  The clock is read only if the caller sets a limit of seconds, or asks for steps.  No verdict that a clock
//     or a lack of memory decides is more than a remark: verdict_was_cut_short.
// W5  A worker ends when its parent does.
// W6  A worker never returns into the caller's code and never writes to its files: it ends
//     by _exit, and its stderr goes to the parent.
// W7  If the caller asks for steps, a worker says a few times a second how many obligations of
//     its rule are decided.  Nothing but what people are shown depends on that.
#ifndef VERIFY_WORKERS_POOL_H
#define VERIFY_WORKERS_POOL_H

#include "verify/prove.h"

struct worker_options {
    unsigned jobs;              // worker processes; 0 counts as 1
    double seconds_per_rule;    // wall clock; 0: no limit
    uint64_t memory;            // bytes of address space per worker; 0: VERIFY_WORKER_MIB
    struct prove_options prove; // smt2 is not carried over
    // Asked at least once a second.  If it returns true, the run stops as on a signal.  May
    // be NULL.
    bool (*stop)(void *ctx);
    void *stop_ctx;
    // Told how many obligations of a rule are decided, while it is proved.  If it returns false,
    // the run stops as on a signal.  NULL: nobody asks.
    bool (*step)(void *ctx, uint32_t obligations);
    void *step_ctx;
    // The task of a worker: appends the answer to a rule to `line`.  NULL: prove_rule.
    // Tests use workers that misbehave.
    void (*task)(void *ctx, const struct rule *r, const struct prove_options *o, struct buf *line);
    void *task_ctx;
};

// Called in the parent.  The callee must release the report.  If it returns false, the run
// stops as on a signal.
typedef bool (*workers_done)(void *ctx, uint32_t rule, struct report *rep);

// The receiver of reports.
struct report_sink {
    workers_done done;
    void *ctx;
};

struct workers_result {
    uint32_t done;    // reports handed over
    uint32_t died;    // workers that were replaced
    bool interrupted; // by a signal or by the callback
};

// The signal that stopped the last run; 0: none did.
int workers_signal(void);
// The same, and forgets it.
int workers_take_signal(void);

// Proves rules[0..n).  Fails with ERR_IO if no worker can be started.
bool workers_run(const struct rule *const *rules, uint32_t n, const struct worker_options *options,
                 struct report_sink sink, struct workers_result *res, struct err *err);

// The answer of the default task.
void workers_prove(void *ctx, const struct rule *rule, const struct prove_options *options,
                   struct buf *line);
// Puts the hash in front of a line.
void workers_seal(struct buf *line);

#endif
