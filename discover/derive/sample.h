// SPDX-License-Identifier: Apache-2.0
// Ground instances of a rule that say something about the rule: its
// preconditions hold, its left side is well-defined, and sizes and attributes
// do not coincide by chance.  Ranks are mixed: one axis in every class, then
// two, then none to two, three where axes are renamed.
//
// From number SAMPLE_EDGES on they are the opposite: values that are 0, negative
// or equal, no elements, starts beyond the ends, one family at a time.
//
// What is equal at such instances need not be equal at all; what differs at one
// does differ.
#ifndef DISCOVER_DERIVE_SAMPLE_H
#define DISCOVER_DERIVE_SAMPLE_H

#include "rules/instance/instance.h"

// The values of the maps on one axis, best first; made once for a rule.
struct sampler;
// `effort`: assignments of values that are looked at for each family of
// classes.  Owned by `mem`; the rule is borrowed.
struct sampler *sampler_new(const struct rule *rule, uint32_t effort, struct rng *rng,
                            struct arena *mem);

#define SAMPLE_EDGES 1000
// How many sets of classes have values of their own; edges take turns in them.
uint32_t sampler_families(const struct sampler *sampler);

struct sample {
    struct instance *in;
    term_id lhs, rhs;
    term_id *cond;             // per `where`: of element conditions, else NO_TERM
    enum ground_status status; // GROUND_OK, or what is wrong with the right
};
struct sample_request {
    enum domain domain;
    uint32_t number;     // of the instance, from 0; from SAMPLE_EDGES on: edges
    struct terms *terms; // where both sides are built
    struct rng *rng;
    struct arena *mem; // owns the sample
};
// Builds one instance.  Floats stand for reals (the engine is told how to read
// them); mathematical integers are ELEM_INT.  False: none was found, *err says why.
bool sample_make(const struct sampler *sampler, const struct sample_request *request,
                 struct sample *out, struct err *err);
// "x=2 y=0; n=[3,5] s=[1,2]": the ranks and values, for people.
void sample_print(const struct instance *in, struct buf *out);

#endif
