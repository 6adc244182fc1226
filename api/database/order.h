// SPDX-License-Identifier: Apache-2.0
#ifndef API_DATABASE_ORDER_H
#define API_DATABASE_ORDER_H

#include "api/rules/report.h"

// Sorts the rules of a report.  `keys`: comma separated, the first decides first;
// NULL: the order stays.  Rules that are equal in all keys stay in their order, or
// in the opposite one if `reverse`.
bool report_sort(struct rw_report *report, const char *keys, bool reverse, struct err *err);

#endif
