// SPDX-License-Identifier: Apache-2.0
// Between proof/plain/check.c and proof/plain/use.c; for no other file: an
// explanation that is being checked.
#ifndef PROOF_PLAIN_CHECKER_H
#define PROOF_PLAIN_CHECKER_H

#include "proof/plain/core.h"

struct plain_check_line {
    uint32_t a, b;
};
struct plain_check_equality {
    uint32_t a, b;
};
struct pattern_binding {
    struct plain_word name;
    uint32_t term;
};
struct plain_checker {
    const struct plain_check_facts *facts;
    struct err *err;
    struct arena mem;
    struct plain_check_rules rules;
    struct plain_check_terms terms;
    struct plain_check_ac ac;
    VEC(struct plain_check_line) line;
    VEC(struct pattern_binding) bound;
    const char *at;
    uint32_t number; // of the line of text
};

// Words of a line.  plain_wrong gives false.
bool plain_wrong(struct plain_checker *checker, const char *what);
void plain_blanks(struct plain_checker *checker);
// Reads a number below `limit`, without blanks in front; reads the character,
// if the text goes on with it.
bool plain_digits(struct plain_checker *checker, uint32_t limit, uint32_t *x);
bool plain_sign(struct plain_checker *checker, char s);
// `line` or `-line`: the equality that the line proves, in that direction.
bool plain_earlier(struct plain_checker *checker,
                   struct plain_check_equality *plain_check_equality);

// proof/plain/use.c.  True if the term is an instance of the pattern under the
// bindings so far; adds new bindings.  After false some new bindings may
// remain.
bool plain_matches(struct plain_checker *checker, const struct plain_check_tree *tree,
                   uint32_t term);
// Checks the rest of a line of kind `rule`.
bool plain_use_check(struct plain_checker *checker, struct plain_check_line plain_check_line);

#endif
