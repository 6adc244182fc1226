// SPDX-License-Identifier: Apache-2.0
// The address of an element, by the names of the axes.
#ifndef LOOPS_WRITTEN_PLACE_H
#define LOOPS_WRITTEN_PLACE_H

#include "loops/written/written.h"

struct written_place {
    uint32_t n;
    ipoly base; // of a tensor also over symbols index'i
    const ipoly *stride;
    const uint32_t *axis; // of a tensor, of all; NULL: the first ones
    const struct written_axis *all;
};

// "stride*i + j + 5"
void written_put_place(const struct integers *in, const struct written_place *place,
                       struct buf *out);

#endif
