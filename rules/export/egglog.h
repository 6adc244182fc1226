// SPDX-License-Identifier: Apache-2.0
// One rule on its way to egglog, private to rules/export/.
//   egglog.c           the rule: conditions, actions, declarations
//   egglog_pattern.c   pattern nodes
//   egglog_integers.c  integers: expressions, preconditions, values of maps
//
// Variables are named m_NAME_PLACE (a map), t_NAME (a tensor or a scalar), e_NUMBER
// (an element type), x_NUMBER (an integer), r_NUMBER (a new term).
#ifndef RULES_EXPORT_EGGLOG_H
#define RULES_EXPORT_EGGLOG_H

#include "rules/export/export.h"

// Wants variable `left` (NULL: the let map itself) to be the expression, at a place.
struct egglog_equation {
    const char *left;
    const struct iexp *expr;
    uint32_t map, place; // map: of a let, else NONE
    bool done;
};
struct egglog_rule {
    const struct rule *rule;
    struct instance *in; // ranks and orders; no values
    struct arena *mem;
    struct err *err;
    bool right;       // the right side is being written
    bool **known;     // per map and place
    bool *type_bound; // per type variable
    VEC(struct egglog_equation) equations;
    VEC(struct egglog_equation) used; // maps of the right side
    uint32_t n_integers, n_terms;
    struct buf query, action;
};

// egglog_integers.c
void egglog_map(const struct egglog_rule *to, uint32_t map, uint32_t place, struct buf *out);
void egglog_iexp(const struct egglog_rule *to, const struct iexp *expr, uint32_t place,
                 struct buf *out);
// The element type of a type variable.
void egglog_type(const struct egglog_rule *to, uint32_t type, struct buf *out);
// An integer where a pattern or a new term has one; expr NULL: `usual`.
void egglog_integer(struct egglog_rule *to, const struct iexp *expr, int64_t usual, uint32_t place,
                    struct buf *out);
// The equations of the left side, so that each is computed from known maps.
bool egglog_solve(struct egglog_rule *to);
bool egglog_conditions(struct egglog_rule *to);

// egglog_pattern.c
// Appends the term of the node, with its dimensions in pat[i].out order.
bool egglog_pattern(struct egglog_rule *to, uint32_t i, struct buf *out);
// The sizes of a node in an order, as a list.
bool egglog_sizes(struct egglog_rule *to, uint32_t n, const struct axis_size *sizes,
                  const struct order *order, struct buf *out);
// "shift_left" as ShiftLeft.
void egglog_operator(enum op op, struct buf *out);
bool egglog_has(enum op op); // does an operator have a text?

bool egglog_refuse(struct egglog_rule *to, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
