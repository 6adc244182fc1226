// SPDX-License-Identifier: Apache-2.0
// Limits on the texts of rules: they keep every later recursion and every text small.
#ifndef RULES_LIMITS_H
#define RULES_LIMITS_H

#include "base/limit.h"

// clang-format off
#define RULES_LIMITS(X) \
    X(RULES_MAX_CLASSES, 64, "axis classes", "arrays by class live on the stack") \
    X(RULES_MAX_LETS, 200, "definitions", "of one rule: each is an entry of a tree that is walked") \
    X(RULES_MAX_DEPTH, 200, "levels", \
      "of nesting in the text and of a pattern: recursions stay shallow") \
    X(RULES_MAX_TOKENS, 40000, "tokens", "of one rule: rules written by hand are shorter") \
    X(RULES_MAX_NODES, 1000, "nodes", "of one integer expression or condition") \
    X(RULES_MAX_ERRORS, 100, "errors", "of one text; more would not be read") \
    X(RULES_TEXT, 1 << 20, "bytes", "of a canonical text, which databases and records store") \
    X(RULES_CANONICAL_WORK, 64, "MiB", "printed to find the canonical order of one rule") \
    X(RULES_FILE, 16, "MiB", "of one file of rules") \
    X(RULES_MAX_FOLDERS, 16, "levels", "of nested folders: a loop of links must end") \
    X(RULES_DIGITS, 60, "bytes", "of a decimal number") \
    X(RULES_TOKEN_SHOWN, 60, "bytes", "of a token that a message quotes")
// clang-format on

enum { RULES_LIMITS(LIMIT_CONSTANT) };

extern const struct limit rules_limits[];
extern const unsigned n_rules_limits;

#endif
