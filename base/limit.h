// SPDX-License-Identifier: Apache-2.0
// Limits of the layers, one table for each layer: rules/limits.h lists rows
// X(name, value, unit, why), from which the code gets its constants and the
// documentation its tables.
//
//     #define EXAMPLE_LIMITS(X) X(EXAMPLE_ROUNDS, 30, "rounds", "more find nothing new")
//     enum { EXAMPLE_LIMITS(LIMIT_CONSTANT) };                  (limits.h)
//     const struct limit example_limits[] = {EXAMPLE_LIMITS(LIMIT_ROW)};
//                                                               (limits.c)
//
// A value is an int.  Units are chosen so that it fits: MiB, million steps.
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

struct limit {
    const char *name;
    int value;
    const char *unit, *why;
};

#define LIMIT_CONSTANT(name, value, unit, why) name = (value),
#define LIMIT_ROW(name, value, unit, why) {#name, (value), unit, why},

#endif
