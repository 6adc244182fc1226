// SPDX-License-Identifier: Apache-2.0
// The layers that have a table of limits.
#ifndef API_LAYERS_H
#define API_LAYERS_H

#include "base/limit.h"
#include <stdint.h>

struct layer_limits {
    const char *layer;
    const struct limit *limit;
    uint32_t n;
};

enum { MAX_LAYERS = 32 };

// Returns all layers, in order, and their number.
uint32_t layers_with_limits(struct layer_limits out[MAX_LAYERS]);

#endif
