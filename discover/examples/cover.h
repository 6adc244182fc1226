// SPDX-License-Identifier: Apache-2.0
// Does one rule cover another one?  The engine, which has the wider rule alone, must make both
// sides of sampled instances of the narrower one equal: a statement about these instances.
#ifndef DISCOVER_EXAMPLES_COVER_H
#define DISCOVER_EXAMPLES_COVER_H

#include "discover/derive/sample.h"
#include "rules/rule.h"

// Does the engine make both sides of the sample equal, if it has the rule alone, proved in these
// domains?
bool rule_fires(const struct rule *rule, unsigned domains, enum domain domain, struct terms *terms,
                const struct sample *sample);
// The rule without its preconditions on elements: the engine knows them of constants only.
const struct rule *rule_assumed(const struct rule *rule, struct arena *mem);
// Samples instances of `narrow` in one of the domains in which both are proved.  Preconditions on
// elements are taken for granted in both rules.  An instance that the engine does not use `narrow`
// at says nothing, and is not counted.
struct coverage {
    uint32_t asked, covered; // instances whose values do not coincide by chance
    uint32_t edges, covered_edges;
};
struct coverage rule_coverage(const struct rule *wide, const struct rule *narrow, unsigned proved,
                              uint64_t seed);
// Is every instance covered?  Of edge cases a part may be missed.
static inline bool covers_all(struct coverage c)
{
    return c.covered == c.asked && 3 * c.covered_edges >= 2 * c.edges;
}
// At least half of the instances?
static inline bool covers_half(struct coverage c)
{
    return c.asked > 0 && 2 * c.covered >= c.asked;
}
// Nearly all of them?
static inline bool covers_most(struct coverage c)
{
    return c.asked > 0 && 4 * c.covered >= 3 * c.asked;
}

#endif
