// SPDX-License-Identifier: Apache-2.0
// A Z3 context and the few calls that the verifier makes.  A session lasts as long as one
// rule and has a fresh context, so that answers do not depend on earlier proofs.  A query
// is a fresh simple solver in it.
//
// S1  Z3's error handler is replaced (the default one exits the process).  After each query
//     the error code is read; an error is the answer UNKNOWN.  Only a lack of memory ends the
//     process (out_of_memory): Z3 returns NULL then, and follows the NULL in the next call.
// S2  Effort is limited in steps, which repeat: those of each query and those of the
//     session.  The clock is read only if the session has a limit of seconds.
// S3  Only simple solvers are used, since they keep their limits on any input.
//     smt_open_bits is for bit-vectors and floats alone, where nothing else can occur.
// S4  Z3's answers near a limit of steps depend on what its context did before.  So a query of
//     smt_open_bits that is not answered within VERIFY_SHARED_STEPS is asked again, alone in a
//     context of its own, with the steps of a query.  Callers that know it to be long say so.
// S5  Z3's algebra of reals (nlsat) is never asked: Z3 4.8.12 answers `unsat` to systems that have
//     solutions, and the algebra counts no steps.  verify/products/ has what takes its place.
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

struct smt_limits {
    unsigned query_steps;
    uint64_t steps;   // of the session; 0: no limit
    double seconds;   // of the wall clock, from now on; 0: no limit
    const char *late; // the reason when they are over; NULL: REASON_TIME
};

struct smt {
    Z3_context ctx;
    struct smt_limits limits;
    // The text of queries, for obligations/script.h.  The trail: answered queries on which
    // the current proof rests.  Empty unless keep_text.
    bool keep_text;
    const char *note; // about the next query: a static text, or in an arena
    VEC(struct smt_query) query;
    struct u32_vec trail, saved;
    Z3_solver solver;
    VEC(Z3_ast) asserted; // of the query
    Z3_model model;       // of the last SAT, until the query is closed
    bool alone;           // queries of smt_open_bits are long: they are asked alone at once
    bool bits;            // the query is one of smt_open_bits
    bool broken;          // an assertion of this query was rejected
    uint64_t effort;      // steps of all checks of the session
    const uint64_t *work; // other steps of the session; may be NULL
    double deadline;      // clock_wall after which checks answer UNKNOWN; 0: none
    const char *spent;    // why no more checks are made; NULL: they are
    bool no_memory;       // memory was refused: answers of this session are worth nothing
    const char *why;      // of the last UNKNOWN
    struct buf z3_reason; // what `why` may point into
};

void smt_init(struct smt *smt, const struct smt_limits *limits);
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
// Are the steps or the seconds of the session used up?  Then `spent` says which.
bool smt_spent(struct smt *smt);
// The value of an integer term in the model.  False if it does not fit.
bool smt_value(struct smt *smt, Z3_ast term, int64_t *out);
// Is the statement false in the model?  False if there is none.
bool smt_is_false(struct smt *smt, Z3_ast statement);

Z3_ast smt_int(struct smt *smt, int64_t k);
Z3_ast smt_const(struct smt *smt, const char *name, Z3_sort sort);
Z3_ast smt_and(struct smt *smt, unsigned n, const Z3_ast *a);
Z3_ast smt_or(struct smt *smt, unsigned n, const Z3_ast *a);
Z3_ast smt_both(Z3_context context, Z3_ast a, Z3_ast b);
Z3_ast smt_either(Z3_context context, Z3_ast a, Z3_ast b);

#endif
