// SPDX-License-Identifier: Apache-2.0
#ifndef API_DISCOVER_LINT_JSON_H
#define API_DISCOVER_LINT_JSON_H

#include "base/text/buf.h"
#include "discover/lint/lint.h"

void lint_put_json(const struct lint_finding *finding, struct buf *out);

#endif
