// SPDX-License-Identifier: Apache-2.0
// The rules that a list shows: filters and order, as the query of an address has them.
//     op=slice&op=pad&verdict=refuted&domain=float&sort=name
// explorer/static/rules.js does the same in the browser.
#ifndef EXPLORER_PAGES_SELECTION_H
#define EXPLORER_PAGES_SELECTION_H

#include "explorer/pages/library.h"
#include "explorer/pages/query.h"

// X(key, label): the filters with a list of values.
#define SELECTION_FACETS(X)                                                                        \
    X(op, "Operator")                                                                              \
    X(domain, "Domain")                                                                            \
    X(verdict, "Verdict")                                                                          \
    X(family, "Family")                                                                            \
    X(precondition, "Precondition on")                                                             \
    X(origin, "Origin")                                                                            \
    X(layer, "Layer")                                                                              \
    X(reason, "Why unknown")

enum facet {
#define X(key, label) FACET_##key,
    SELECTION_FACETS(X)
#undef X
        N_FACETS
};
extern const char *const facet_keys[N_FACETS], *const facet_labels[N_FACETS];

enum { SELECTION_VALUES = 8 };
struct selection {
    const char *value[N_FACETS][SELECTION_VALUES]; // all must hold; borrowed from the pairs
    unsigned n[N_FACETS];
    text_list words;  // in small letters; all must occur
    const char *text; // as written, "" if none
    const char *sort; // one of selection_sorts
    struct arena mem;
};
extern const char *const selection_sorts[]; // NULL behind the last

void selection_read(struct selection *selection, const struct query_pairs *pairs);
void selection_release(struct selection *selection);
// Does the rule pass all filters but one (N_FACETS: all)?
bool selection_accepts(const struct selection *selection, const struct library_rule *rule,
                       enum facet but);
// Calls `value` with every value that the rule has for the facet; a value may come twice.
void facet_values(const struct library_rule *rule, enum facet facet,
                  void (*value)(void *user, const char *text), void *user);
// The numbers of the rules that pass, in their order.
void selection_rules(const struct selection *selection, const struct library *library,
                     struct u32_vec *out);

#endif
