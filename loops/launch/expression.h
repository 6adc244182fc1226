// SPDX-License-Identifier: Apache-2.0
// Expressions of launches and facts: part of launch.h.
#ifndef LOOPS_LAUNCH_EXPRESSION_H
#define LOOPS_LAUNCH_EXPRESSION_H

#include "loops/launch/launch.h"

struct launch_reader {
    struct code_program *program;
    const char *text, *at, *end;
    enum code_source source;
    struct code_place place; // of `text`
    bool may_add;            // unknown names become sizes of the caller
    uint32_t depth;
    struct err *err;
};

void launch_skip(struct launch_reader *reader); // blanks
// Moves behind the word or sign, if it stands here.
bool launch_accept(struct launch_reader *reader, const char *text);
bool launch_fail(struct launch_reader *reader, const char *expected);
struct code_place launch_here(const struct launch_reader *reader);
// An INT of 64 bits.
bool launch_expression(struct launch_reader *reader, code_value *out);
code_value launch_integer(struct launch_reader *reader, int64_t number);
code_value launch_binary(struct launch_reader *reader, enum code_op op, code_value a, code_value b);
// The value of a scalar of the program, in 64 bits.
code_value launch_scalar(struct launch_reader *reader, uint32_t parameter);
void launch_add_fact(struct launch_reader *reader, code_value condition, const char *text,
                     size_t n);
// A fact that the text implies, with the text `a % b == 0` of its own.
void launch_divides(struct launch_reader *reader, code_value a, code_value b, const char *text,
                    size_t n);

#endif
