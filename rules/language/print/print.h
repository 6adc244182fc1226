// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: one printer for source text and canonical text.
//   print.c    names, integer expressions, conditions, sets
//   pattern.c  patterns
//   rule.c     declarations, rules
// Without `names` the printer writes the rule's own names and omits every part that
// the parser would infer again.  With `names` the printer writes numbers and omits
// nothing; sets and commuting operands stand in a fixed order.
#ifndef RULES_LANGUAGE_PRINT_PRINT_H
#define RULES_LANGUAGE_PRINT_PRINT_H

#include "rules/rule.h"

struct print_names {
    // A number for each class, map, type, ...
    const uint32_t *cls, *map, *type, *tensor, *scalar, *opvar;
    const bool *type_named;
    // Objects numbered classes, then maps, then types; `self` is printed as @.
    uint32_t self;
    bool hit; // self was printed
};
struct printer {
    const struct rule *rule;
    struct buf *out;
    struct print_names *names; // NULL: the rule's own names
};
void print_pat(struct printer *printer, uint32_t pat);
void print_cond(struct printer *printer, const struct cond *condition);
// Class sets: entries are added, then printed in order and dropped.
struct entry {
    uint32_t order;
    char *text;
};
struct entries {
    VEC(struct entry) at;
};
void entry_add(struct printer *printer, struct entries *entries, uint32_t cls,
               const struct iexp *size, const char *sign, uint32_t to);
void entries_print(struct printer *printer, struct entries *entries);
void print_opvar(struct printer *printer, uint32_t v);
void print_var(struct printer *printer, const uint32_t *number, char letter, uint32_t index,
               const char *name);
void print_iexp(struct printer *printer, const struct iexp *expr);
void print_class(struct printer *printer, uint32_t cls);
void print_map(struct printer *printer, uint32_t map);
void print_type(struct printer *printer, uint32_t type);
void print_kinds(struct buf *out, unsigned kinds);
void print_sizes(struct printer *printer, uint32_t n, const struct axis_size *sizes);
void print_tensor_decl(struct printer *printer, uint32_t tensor);
void print_scalar_decl(struct printer *printer, uint32_t scalar);
void print_opvar_decl(struct printer *printer, uint32_t opvar);
void print_wider(struct printer *printer, const struct type_order *order);
void print_where(struct printer *printer, const struct where *where);
void types_named(const struct rule *rule, bool *named);
// Do both nodes have the same shape?
bool sizes_equal(const struct pat *a, const struct pat *b);

#endif
