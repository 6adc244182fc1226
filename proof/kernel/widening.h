// SPDX-License-Identifier: Apache-2.0
// The state of widths_of_statement, for its parts.
#ifndef PROOF_KERNEL_WIDENING_H
#define PROOF_KERNEL_WIDENING_H

#include "proof/kernel/width.h"

struct width {
    struct symbolic *s;
    uint32_t n_loops, loops[OUTPUT_MEMBERS];
    struct widths *out;
    bool failed;
};

// The symbol of a lane along an axis of this extent: the same one each time.
ipoly width_lane_of(struct width *width, uint32_t axis, uint32_t extent);
// No less than the polynomial, without iterations and lanes; `failed`: not known.
ipoly width_upper(struct width *width, ipoly a);
// The same, with c*(a div d) as (c/d)*a, if the number d divides the number c.
ipoly width_without_quotients(struct width *width, ipoly a);
// No less than the polynomial, from the widths of parameters; infinite: not known.
double width_most(struct width *width, ipoly a);

#endif
