// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: the canonical text of a rule.  canonical.c looks for the
// labelling.  canonical_text.c writes the text of a labelling.
#ifndef RULES_LANGUAGE_PRINT_CANONICAL_H
#define RULES_LANGUAGE_PRINT_CANONICAL_H

#include "rules/limits.h"
#include "rules/language/print/print.h"

struct canon {
    const struct rule *rule;
    struct arena scratch;
    uint64_t work;
    uint32_t n; // objects
    uint32_t *tensor, *scalar, *opvar;
    bool *type_named;
    char *best; // smallest text yet, or NULL
};
struct texts {
    VEC(char *) at;
};

// Fills rule->canonical and rule->hash.  Fails if the rule is too symmetric or too
// large.
bool canonical_make(struct rule *rule, struct arena *mem, struct err *err);

// Room for n numbers, all NONE.
uint32_t *canon_room(struct canon *canon, uint32_t n);
// Objects are numbered classes, then maps, then types: 0, 1 or 2.
uint32_t canon_group(const struct rule *rule, uint32_t object);
uint32_t canon_statements(const struct rule *rule); // how many
void canon_print_statement(struct printer *printer, uint32_t i);
struct print_names canon_names(const struct canon *canon, const uint32_t *colour);
// The text of the rule with its objects numbered in the order that the colours
// give.
char *canon_text(struct canon *canon, const uint32_t *colour);
void texts_sort(struct texts *texts);
void texts_release(struct texts *texts);

#endif
