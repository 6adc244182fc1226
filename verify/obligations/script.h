// SPDX-License-Identifier: Apache-2.0
// A rule's proof as an SMT-LIB script for other solvers: the queries on which the verdict
// rests, each with our solver's answer as its :status, under titles that name the
// obligation.  The script does not contain failed attempts.
//
// A section is an obligation and the queries that were added to the trail
// (solvers/smt.h) since it began.  Sections of an attempt that failed later are dropped.
// A query on which several sections rest is written once and referred to by its number.
#ifndef VERIFY_OBLIGATIONS_SCRIPT_H
#define VERIFY_OBLIGATIONS_SCRIPT_H

#include "verify/solvers/smt.h"

struct session;

struct script_section {
    const char *title; // in the report's arena
    const char *remark;
    int domain; // enum domain that it is about; -1: all
    struct smt_slice queries;
};
struct script {
    VEC(struct script_section) at;
};

// Ends a section, which gets the trail from the mark on.  Does nothing if no text is wanted.
// The remark names facts that no query of the section states; may be "".
void script_end(struct session *session, uint32_t mark, const char *title, const char *remark);
// script_drop can drop the sections from this mark on.
uint32_t script_mark(const struct session *session);
void script_drop(struct session *session, uint32_t mark);
// Writes the whole script into the options' buffer.
void script_write(struct session *session);
void script_release(struct script *script);
// A query's text in a form that other solvers read.
void script_query(const struct session *session, uint32_t query, struct buf *out);

#endif
