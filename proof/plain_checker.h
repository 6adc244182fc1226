// SPDX-License-Identifier: Apache-2.0
// Between plain_check.c and plain_use.c; nobody else's: an explanation that is
// being checked.
#ifndef PROOF_PLAIN_CHECKER_H
#define PROOF_PLAIN_CHECKER_H

#include "proof/plain_core.h"

struct pline {
    uint32_t a, b;
};
struct equality {
    uint32_t a, b;
};
struct binding {
    struct plain_word name;
    uint32_t term;
};
struct checker {
    const struct plain_check_facts *facts;
    struct err *e;
    struct arena mem;
    struct prules rules;
    struct plain_check_terms terms;
    struct pac ac;
    VEC(struct pline) line;
    VEC(struct binding) bound;
    const char *at;
    uint32_t number; // of the line of text
};

// Words of a line.  plain_wrong gives false.
bool plain_wrong(struct checker *c, const char *what);
void plain_blanks(struct checker *c);
// A number below `limit`, directly here; that character, if it is here.
bool plain_digits(struct checker *c, uint32_t limit, uint32_t *x);
bool plain_sign(struct checker *c, char s);
// `line` or `-line`: what it proves, in that direction.
bool plain_earlier(struct checker *c, struct equality *q);

// plain_use.c.  Whether the term is an instance of the pattern under the
// bindings so far, and which new ones that takes.  False leaves new bindings
// behind.
bool plain_matches(struct checker *c, const struct ptree *tree, uint32_t term);
// The rest of a line that says it uses a rule.
bool plain_use_check(struct checker *c, struct pline l);

#endif
