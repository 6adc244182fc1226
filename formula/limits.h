// SPDX-License-Identifier: Apache-2.0
// The limits of formula/, one table.  The code uses the constants.
#ifndef FORMULA_LIMITS_H
#define FORMULA_LIMITS_H

#include "base/limit.h"

// clang-format off
#define FORMULA_LIMITS(X) \
    X(FORMULA_TEXT, 262144, "bytes", "a formula that people write is shorter; keeps every later recursion small") \
    X(FORMULA_TOKENS, 40000, "tokens", "as for the text of a rule") \
    X(FORMULA_NAME, 64, "characters", "names must fit lines and messages") \
    X(FORMULA_DEPTH, 400, "levels", "of the tree that is read, which later recursions follow") \
    X(FORMULA_NESTING, 300, "levels", "of brackets, which the parser follows by recursion") \
    X(FORMULA_ARGUMENTS, 16, "arguments", "of one function") \
    X(FORMULA_AXES, 8, "axes", "in the brackets of one function") \
    X(FORMULA_TREE_BITS, 150, "bits", "of the number of nodes of a term as a tree, however much of it is shared: costs are added up in floating point") \
    X(FORMULA_GIVENS, 64, "assumptions", "each is a fact at the start of every run") \
    X(FORMULA_FACTORS, 64, "factors", "of one product that is not 0, which then are not 0") \
    X(FORMULA_WORK, 200000, "terms", "made while names of axes are given to positions") \
    X(FORMULA_POSITIONS, 8, "axes", "of one operand; arrays in formulas have few") \
    X(FORMULA_AXIS_NAMES, 256, "names", "one bit of a set each (AXIS_SET)") \
    X(FORMULA_VARIABLES, 1000, "variables", "of one formula") \
    X(FORMULA_CONCATENATIONS, 100, "axes", "that are concatenations of two") \
    X(FORMULA_COUNTS, 8, "counts", "of arguments that a message lists") \
    X(CONSTANT_TERM, 16, "integer", "of the ratio r in r * constant") \
    X(CONSTANT_OTHER_TERM, 6, "integer", "of r if another constant is a factor") \
    X(CONSTANT_OTHERS, 16, "constants", "of the formula that may be factors") \
    X(CONSTANT_OTHER_DIGITS, 6, "digits", "a constant with more is a rounded number itself") \
    X(CONSTANT_SHORT_DIGITS, 4, "digits", "a decimal that f32 carried: 0.999, 1.702") \
    X(CONSTANT_SHORT_COMPLEXITY, 6, "complexity", "of such a decimal") \
    X(CONSTANT_DEPTH, 32, "levels", "of a literal that is evaluated") \
    X(CARRIED_BITS, 256, "bits", "of all that is computed; formats carry 53 at most") \
    X(CARRIED_TEXT, 120, "characters", "longer literals are no rounded constants") \
    X(CARRIED_LEAST_DIGITS, 5, "digits", "shorter literals are what they say") \
    X(CARRIED_MANY_DIGITS, 7, "digits", "shorter literals are rounded, not cut or a unit off") \
    X(PRINT_TREE, 20000, "nodes", "above, terms used twice become definitions") \
    X(PRINT_LET_COST, 6, "cost", "of a term that is worth a name") \
    X(PRINT_RANK, 12, "axes", "of a term that is printed by positions") \
    X(PRINT_WAYS, 12, "ways", "to print one term that are kept") \
    X(PRINT_FREE_DIGITS, 4, "digits", "of a literal that cost nothing") \
    X(PRINT_DIGITS, 60, "digits", "a decimal with more is printed as a ratio") \
    X(PRINT_BOX_DEPTH, 5, "levels", "of a box; a taller one gets brackets before it is raised to a power") \
    X(PROGRAM_AXES, 16, "axes", "of a tensor of a program") \
    X(NAMED_MAX_SETS, 16, "sets", "of axes of one rule") \
    X(NAMED_MAX_NODES, 64, "nodes", "of a side of a plain rule") \
    X(NAMED_MAX_GUARDS, 8, "guards", "of a plain rule") \
    X(NAMED_MAX_DEPTH, 60, "levels", "of a pattern") \
    X(NAMED_MAX_LINES, 400, "rules", "for one rule with operator variables") \
    X(NAMED_MAPS, 64, "maps", "in one linear condition") \
    X(NAMED_CONSTANT_BITS, 40, "bits", "of a constant in a linear condition, so that sums fit 64 bits") \
    X(NAMED_DIGITS, 100, "characters", "of a decimal that becomes a ratio") \
    X(FDEFINE_MAX_ARGS, 31, "arguments", "of a definition; one bit of a mask each") \
    X(EXPAND_AXES, 256, "axes", "of one formula; one bit of a set each (AXIS_SET)") \
    X(NUMBER_MAX_BITS, 512, "bits", "of numerator and denominator; folding stops above") \
    X(NUMBER_TEXT, 1000, "characters", "of a number that is read") \
    X(NUMBER_EXPONENT, 1000, "exponent", "of a decimal and of a power") \
    X(FTERM_DEPTH, 2000, "levels", "of a term that is read or printed by recursion") \
    X(FTERM_MERGED_AXES, 16, "axes", "of nested sums that are merged into one")
// clang-format on

enum { FORMULA_LIMITS(LIMIT_CONSTANT) };

extern const struct limit formula_limits[];
extern const unsigned n_formula_limits;

#endif
