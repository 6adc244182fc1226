// SPDX-License-Identifier: Apache-2.0
// Limits on the texts of rules: they keep every later recursion and every text
// small.
#ifndef RULES_LIMITS_H
#define RULES_LIMITS_H

#define LIMIT_CLASSES 64
#define LIMIT_LETS 200
#define LIMIT_DEPTH 200       // nesting in the text, height of a pattern
#define LIMIT_TOKENS 40000    // of one rule
#define LIMIT_NODES 1000      // of one integer expression or condition
#define LIMIT_ERRORS 100      // of one text
#define LIMIT_TEXT (1u << 20) // bytes of a canonical text

#endif
