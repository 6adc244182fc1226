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
//   neither  the rule does not run in that direction.
//
// What a defined function stands for is LONGER, whatever it costs, and SIMPLER
// where functions are to be written out; then no function is made.
//
// What is equal to another line but for names of variables is left out.
#ifndef LIFT_CHOOSE_H
#define LIFT_CHOOSE_H

#include "base/buf.h"
#include "formula/term.h"
#include "rules/rule.h"

// In the order of preference.
enum choice { CHOOSE_NEVER, CHOOSE_LONGER, CHOOSE_SIMPLER };
#define CHOOSE_GROWTH 2.0

struct choose {
    bool expand; // named functions are written out, not made
    struct fterms t;
    struct intern seen;
    uint32_t n_lines;
    struct buf simpler, all; // plain rules: SIMPLER, and both
    struct buf facts;        // of the first, those about truth values
};

void choose_init(struct choose *c, bool expand);
void choose_release(struct choose *c);
// Adds what the rule says in either direction: as `name`, and `name-back`.
void choose_add(struct choose *c, const struct rule *r, const char *name);
// One line of plain rules; NEVER where an equal one was asked about before.
struct chosen {
    enum choice what;
    bool new, fact; // fact: its left side is a truth value
};
struct chosen choose_line(struct choose *c, const char *line, uint32_t len);

#endif
