// SPDX-License-Identifier: Apache-2.0
// The maps of one rank family during the search for values. maps.c orders the maps and the
// checks; points.c assigns values.
#ifndef VERIFY_COUNTEREXAMPLE_MAPS_H
#define VERIFY_COUNTEREXAMPLE_MAPS_H

#include "verify/counterexample/parts.h"
#include "verify/limits.h"

struct cex_level { // one map, in order of assignment
    uint32_t slot;
    const struct iexp *forced; // its value, or NULL
    uint32_t n_values;
    int64_t value[VERIFY_CEX_VALUES]; // by weight
    uint32_t weight[VERIFY_CEX_VALUES];
    uint32_t first_check, n_checks; // in `ordered`
    uint64_t lets;                  // let slots to compute here
};

struct cex_maps {
    const struct rule *rule;
    struct cex_family *family;
    const struct cex_budget *budget;
    struct arena *mem;
    uint32_t n_slots;
    uint32_t map_of[VERIFY_CEX_SLOTS];
    uint64_t needs[VERIFY_CEX_SLOTS]; // a let's free slots; a free slot: itself
    bool is_let[VERIFY_CEX_SLOTS];
    uint32_t *slot_of;  // per map of the rule, NONE
    int64_t *now;       // value per map of the rule
    int64_t **at;       // at[m] = &now[m]
    uint64_t undefined; // lets without a value
    cex_check_vec pre, post, ordered;
    VEC(struct cex_point) points, empty;
    uint32_t n_levels, last_free;
    uint32_t n_fails[CEX_N_LACKS]; // failing points kept
    struct cex_level level[VERIFY_CEX_SLOTS];
    struct i64_vec constants; // of the family's expressions
    uint64_t visits;
    const int64_t **kept; // a hash table of the points kept
    uint32_t kept_mask, most_points;
    uint32_t repeated; // points found again since the last new one
};

// The maps of the family that an expression mentions, as slots.
uint64_t cex_iexp_uses(const struct cex_maps *maps, const struct iexp *expr);
bool cex_in_family(const struct cex_maps *maps, uint32_t cls);
// False if the check's value cannot be computed.
bool cex_check_holds(const struct cex_maps *maps, const struct cex_check *check);
// Call these in order: slots; checks of both sides; levels (at most VERIFY_CEX_SLOTS).
void cex_slots_init(struct cex_maps *maps);
void cex_collect_checks(struct cex_maps *maps);
void cex_order_levels(struct cex_maps *maps);

#endif
