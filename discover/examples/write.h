// SPDX-License-Identifier: Apache-2.0
// Internal to examples/: the text of a rule while it is written.
#ifndef DISCOVER_EXAMPLES_WRITE_H
#define DISCOVER_EXAMPLES_WRITE_H

#include "discover/examples/core.h"

struct writer {
    struct pair *pair;
    const struct choice *choice;
    struct buf *out;
};
// Writes a node.  `lift`: a pattern of rank 0 may stand for the constant tensor that it is.
void writer_put(const struct writer *w, uint32_t at, bool lift);

#endif
