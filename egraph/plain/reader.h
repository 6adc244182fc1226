// SPDX-License-Identifier: Apache-2.0
// A rule while it is read; between egraph/plain/read.c and egraph/plain/guards.c, nobody
// else's.
#ifndef EGRAPH_PLAIN_READER_H
#define EGRAPH_PLAIN_READER_H

#include "egraph/plain/plain.h"
#include "egraph/plain/text.h"

// Where a variable gets its class from.
enum { NOWHERE, BY_LEFT, BY_BUILD, BY_GUARD };
struct plain_name {
    const char *at; // NULL: of a node
    uint32_t len;
    int bound;
};

struct plain_reader {
    struct plain_text text;
    struct plain_rules *rules;
    struct cc *graph;
    const struct guard_name *guards;
    // of the rule
    const char *rule_name;
    uint32_t rule_line;
    uint32_t n_vars;
    struct plain_name var[EGRAPH_PLAIN_VARIABLES];
    uint32_t n_atoms, n_main;
    uint32_t depth; // of the node that is read
    struct plain_atom atom[EGRAPH_PLAIN_ATOMS];
    uint32_t n_builds;
    struct plain_build build[EGRAPH_PLAIN_ATOMS];
    uint32_t n_guards;
    struct plain_guard guard[EGRAPH_PLAIN_CONDITIONS];
    uint32_t left; // the class of the left side, or CC_NONE: it has several
};

bool plain_reader_new_variable(struct plain_reader *reader, const char *text, uint32_t len,
                               int bound, uint32_t *out);
bool plain_reader_variable(struct plain_reader *reader, const char *text, uint32_t len, int bound,
                           uint32_t *out);
bool plain_reader_known_variable(struct plain_reader *reader, uint32_t *out);
// A node of a pattern: on the left an atom, on the right a build.  `want` is
// the variable of its class, where there is one.
bool plain_reader_node(struct plain_reader *reader, bool left, uint32_t *out, uint32_t want);
bool plain_reader_pattern(struct plain_reader *reader, bool left, uint32_t *out);
// `?v = `, but not `?v => `.
bool plain_reader_named(struct plain_reader *reader, const char **text, uint32_t *len);
bool plain_reader_condition(struct plain_reader *reader);
// Variables of the right side that nothing bound are computed, if so named.
bool plain_reader_fresh(struct plain_reader *reader);

#endif
