// SPDX-License-Identifier: Apache-2.0
// A Z3 context and the few calls that the verifier makes.  A session lasts as long as one
// rule and has a fresh context, so that answers do not depend on earlier proofs.  A query
// is a fresh simple solver in it.
//
// S1  Z3's error handler is removed (the default one exits the process).  After each query
//     the error code is read; an error is the answer UNKNOWN.
// S2  Effort is limited in solver steps first (which repeat), by wall clock second.
// S3  Only simple solvers are used, since they keep their limits on any input.
//     smt_open_bits is for bit-vectors and floats alone, where nothing else can occur.
#ifndef VERIFY_SOLVERS_SMT_H
#define VERIFY_SOLVERS_SMT_H

#include "base/text/buf.h"
#include "base/memory/vec.h"
#include <stdbool.h>
#include <stdint.h>
#include <z3.h>

enum smt_answer { SMT_UNSAT, SMT_SAT, SMT_UNKNOWN };

// A query with an answer, as text.
struct smt_query {
    struct buf text; // declarations and assertions
    const char *note;
    bool unsat;
};
// A part of the trail, saved for a later proof that rests on it, too.
struct smt_slice {
    uint32_t at, n;
};

struct smt {
    Z3_context ctx;
    unsigned rlimit, timeout_ms; // per check
    // The text of queries, for obligations/script.h.  The trail: answered queries on which
    // the current proof rests.  Empty unless keep_text.
    bool keep_text;
    const char *note; // about the next query: a static text, or in an arena
    VEC(struct smt_query) query;
    struct u32_vec trail, saved;
    Z3_solver solver;
    Z3_model model;  // of the last SAT, until the query is closed
    bool bits;       // the query is one of smt_open_bits
    bool broken;     // an assertion of this query was rejected
    uint64_t effort; // steps of all checks of the session
    double deadline; // clock_wall after which checks answer UNKNOWN
    const char *why; // of the last UNKNOWN: "time", "resource limit", ...
};

void smt_init(struct smt *smt, unsigned rlimit, unsigned timeout_ms);
void smt_release(struct smt *smt);

void smt_open(struct smt *smt); // a new query
// The same for bit-vectors and floats without uninterpreted symbols except constants:
// bit-blasting and a SAT solver, many times as fast there.
void smt_open_bits(struct smt *smt);
void smt_close(struct smt *smt);
void smt_assert(struct smt *smt, Z3_ast a);
enum smt_answer smt_check(struct smt *smt);
// smt_mark returns the length of the trail; smt_forget shortens the trail to it, if the
// queries since then are of no use.
uint32_t smt_mark(const struct smt *smt);
void smt_forget(struct smt *smt, uint32_t mark);
// Of the queries since the mark, keeps only a final SAT.
void smt_keep_last_sat(struct smt *smt, uint32_t mark);
// Cached answers save the queries on which they rest: smt_save saves the trail since the
// mark, and smt_reuse appends it to the trail later.
struct smt_slice smt_save(struct smt *smt, uint32_t mark);
void smt_reuse(struct smt *smt, struct smt_slice slice);
bool smt_out_of_time(const struct smt *smt);
// The value of an integer term in the model.  False if it does not fit.
bool smt_value(struct smt *smt, Z3_ast term, int64_t *out);

Z3_ast smt_int(struct smt *smt, int64_t k);
Z3_ast smt_const(struct smt *smt, const char *name, Z3_sort sort);
Z3_ast smt_and(struct smt *smt, unsigned n, const Z3_ast *a);
Z3_ast smt_or(struct smt *smt, unsigned n, const Z3_ast *a);

#endif
