// SPDX-License-Identifier: Apache-2.0
#include "api/layers.h"

// Written by make: includes every LAYER/limits.h of the tree; LAYERS(X) has a
// row X(LAYER) for each.
#include "api/limits_of_layers.h"

uint32_t layers_with_limits(struct layer_limits out[MAX_LAYERS])
{
    uint32_t n = 0;
    (void)out; // if there is none
#define X(layer)                                                                                   \
    out[n++] = (struct layer_limits){#layer, layer##_limits, (uint32_t)n_##layer##_limits};
    LAYERS(X)
#undef X
    return n;
}
