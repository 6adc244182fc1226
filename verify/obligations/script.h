// SPDX-License-Identifier: Apache-2.0
// A rule's proof as an SMT-LIB script for other solvers: the queries that the
// verdict rests on, each with our solver's answer as its :status, under titles
// that say which obligation they belong to.  Failed probes are not in it.
//
// A section is an obligation and the queries on the trail (smt.h) since it was
// begun.  Sections of an attempt that failed later are dropped; a query that
// several sections rest on is written once and referred to by its number.
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

// Ends a section: takes the trail from the mark on.  Nothing if no text is
// asked for.  The remark says what no query of the section says; may be "".
void script_end(struct session *session, uint32_t mark, const char *title, const char *remark);
// The sections from here on can be dropped by script_drop.
uint32_t script_mark(const struct session *session);
void script_drop(struct session *session, uint32_t mark);
// The whole script, into the options' buffer.
void script_write(struct session *session);
void script_release(struct script *script);
// A query's text, as other solvers read it.
void script_query(const struct session *session, uint32_t query, struct buf *out);

#endif
