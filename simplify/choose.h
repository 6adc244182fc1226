// SPDX-License-Identifier: Apache-2.0
// Which rules run on formulas, in which direction, and when.  It follows from
// what their two sides cost to read, variables once each:
//
//   SIMPLER  no variable stands more often on the right than on the left, and
//            the rest costs no more: order and brackets, foldings, conditions
//            that become true.  These run first, and always.
//   LONGER   the right side costs at most CHOOSE_GROWTH more, and the left one
//            says enough (two operators or numbers) not to be found everywhere.
//            These lead over what costs more to what costs less.
//            Also those whose right side is shorter than the left one as soon as
//            the functions in it are called by name.
//   neither  the rule does not run in that direction.
//
// What a defined function stands for is LONGER, whatever it costs, and SIMPLER
// where functions are to be written out; then no function is made.
//
// What is equal to another line but for names of variables is left out.
#ifndef SIMPLIFY_CHOOSE_H
#define SIMPLIFY_CHOOSE_H

#include "base/text/buf.h"
#include "formula/terms/term.h"

// In the order of preference.
enum choose_kind { CHOOSE_NEVER, CHOOSE_LONGER, CHOOSE_SIMPLER };
#define CHOOSE_GROWTH 2.0

enum choose_set {
    CHOOSE_FACTS, // of SIMPLER, those about truth values
    CHOOSE_ALL_SIMPLER,
    CHOOSE_ALL
};
// A line: operators that its left side needs, and those that it makes.  Most lines are about
// operators that the formula never has: only of the others is known what they are.
struct choose_line {
    enum choose_kind what; // until `known`, the least that it may be
    bool known, fact;
    uint32_t at, len;                    // in `text`
    uint32_t need, n_need, make, n_make; // in `op`
};

struct choose {
    bool expand; // named functions are written out, not made
    struct fterms terms;
    struct intern seen;
    struct intern ops; // arity and name
    struct u32_vec op;
    struct u32_vec definition; // what the functions stand for, terms
    VEC(struct choose_line) line;
    struct buf text;
    struct buf key; // scratch
};

void choose_init(struct choose *chooser, bool expand);
void choose_release(struct choose *chooser);
// Notes what a function stands for, from its lines; before rules are added.
void choose_define(struct choose *chooser, const char *lines);
// Adds the lines of a rule; `defines`: they are those of a function,
// `backward`: from its call to what it stands for.
void choose_add(struct choose *chooser, const char *lines, bool defines, bool backward);
// Appends the lines of a set that can be of use for terms: those whose
// operators occur there, or in what such lines make, and so on.
void choose_text(struct choose *chooser, enum choose_set set, const struct fterms *store,
                 uint32_t n, const fterm *terms, struct buf *out);

#endif
