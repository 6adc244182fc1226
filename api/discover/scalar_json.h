// SPDX-License-Identifier: Apache-2.0
#ifndef API_DISCOVER_SCALAR_JSON_H
#define API_DISCOVER_SCALAR_JSON_H

#include "base/text/buf.h"
#include "discover/scalars/scalar.h"

// A line for each rule that was found, then one with the counts.
void scalar_put_lines(const struct scalar_options *options, const struct scalar_result *result,
                      struct buf *out);

#endif
