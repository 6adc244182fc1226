// SPDX-License-Identifier: Apache-2.0
// Rules of a database that do what a rule does, and more; rules that it does the work of.
#ifndef API_QUESTIONS_RELATIVES_H
#define API_QUESTIONS_RELATIVES_H

#include "api/rules/rules.h"

struct relative {
    const struct rw_rule *rule;
    uint32_t instances; // the step was made at so many; 0: for all ranks and sizes
};
typedef VEC(struct relative) relative_list;
struct relatives {
    struct arena mem;
    struct rw_report *report;
    enum rw_domain domain;          // in which it was asked
    const char *reason;             // why nothing was asked; "": it was
    relative_list general, special; // does the whole in one step; is done by the rule in one step
    relative_list from;             // other rules from which it follows; none where one suffices
    bool follows;                   // `from` are all that it takes
    uint32_t asked, left;           // rules that may be special cases; of them too many to ask
};

// The database's rule with the same hash is no relative.  `tell` is told how far the search is,
// in words.
bool relatives_find(struct rw_database *database, const struct rule *rule,
                    void (*tell)(void *user, const char *text), void *user, struct relatives *out,
                    struct rw_error *error);
void relatives_release(struct relatives *relatives);

#endif
