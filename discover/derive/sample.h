// SPDX-License-Identifier: Apache-2.0
// Ground instances of a rule that distinguish it from other rules.  Its
// preconditions hold, its left side is well-defined, and sizes and attributes do
// not coincide by chance.  Ranks vary: one axis in every class, then two, then
// none to two; three where axes are renamed.
//
// From number SAMPLE_EDGES on, instances are edge cases: values that are 0,
// negative or equal, tensors without elements, starts beyond the ends.  One
// family at a time has them.
//
// Two sides that are equal at such instances need not be equal everywhere.  Two
// sides that differ at one instance are different.
#ifndef DISCOVER_DERIVE_SAMPLE_H
#define DISCOVER_DERIVE_SAMPLE_H

#include "rules/instance/instance.h"

// Good values of the maps on one axis, best first; made once for a rule.
struct sampler;
// `effort`: how many assignments of values are tried for each family of
// classes.  The sampler is owned by `mem`; the rule is borrowed.
struct sampler *sampler_new(const struct rule *rule, uint32_t effort, struct rng *rng,
                            struct arena *mem);

#define SAMPLE_EDGES 1000
// The number of families of classes whose values are chosen together; edge
// cases take turns in them.
uint32_t sampler_families(const struct sampler *sampler);

struct sample {
    struct instance *in;
    term_id lhs, rhs;
    term_id *cond;             // by `where`: the term of an element condition, else NO_TERM
    enum ground_status status; // GROUND_OK, or what is wrong with the right side
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
// Prints the ranks and values for people: "x=2 y=0; n=[3,5] s=[1,2]".
void sample_print(const struct instance *in, struct buf *out);

#endif
