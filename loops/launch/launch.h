// SPDX-License-Identifier: Apache-2.0
// What the caller of a program says: the grid of its launch, and facts about its scalars.
//
//   launch    (EXPRESSION, ..) [; FACT]..      one expression for each axis of the grid;
//             `any G >= 1` in place of one: any number of programs
//   fact      E <= E, also < >= > == !=, and chains 1 <= n <= BLOCK
//             E a multiple of E [and E]..      E % E == 0
//             "host guarantees", "needs" and "with" in front of a fact mean nothing
//   E         + - * and parentheses; cdiv(a, b) rounds up; a // b rounds towards zero; a / b is exact, and
//             that it is exact is a fact; a % b; min(..), max(..)
//   name      a scalar of the program, or a compile-time value of its comments, by its name or
//             by what begins the names of several ones with one value (tile of tile_size0=64);
//             max(x_*) is that of all scalars whose names begin with x_.  Any other name in the
//             grid is a size of the caller: a parameter with ROLE_LAUNCH, and at least 1
//
// Sizes of the grid are the parameters grid.x, grid.y and grid.z; a launch is facts about them.
#ifndef LOOPS_LAUNCH_LAUNCH_H
#define LOOPS_LAUNCH_LAUNCH_H

#include "loops/program/program.h"

struct launch_text {
    const char *text;
    size_t len;
    enum code_source source;
    struct code_place place; // of its first byte
};

// How many axes the grid of a launch has; 0 if the text has no grid.
uint32_t launch_axes(const struct launch_text *launch);
// Reads the launch of a comment.  Texts that are no facts become notes of the program.
void launch_header(struct code_program *program, const struct launch_text *launch);
// Replaces what a comment says about the grid.  "any" is any grid.  Fails with the place in the text.
bool launch_grid(struct code_program *program, const char *text, struct err *err);
// Adds a fact.
bool launch_assume(struct code_program *program, const char *text, struct err *err);

#endif
