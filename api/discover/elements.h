// SPDX-License-Identifier: Apache-2.0
// rw_discover where all operators work on elements.
#ifndef API_DISCOVER_ELEMENTS_H
#define API_DISCOVER_ELEMENTS_H

#include "api/discover/findings.h"

bool elements_discover(const struct rw_discover_options *options, struct rw_findings *findings,
                       struct err *err);

#endif
