// SPDX-License-Identifier: Apache-2.0
// A report as one line of JSON, for the pipe between worker and parent.
#ifndef VERIFY_WORKERS_REPORT_H
#define VERIFY_WORKERS_REPORT_H

#include "base/text/buf.h"
#include "rules/rule.h"
#include "rules/verdict.h"

// Appends no newline.
void report_encode(const struct rule *rule, const struct report *rep, struct buf *out);
// Fills a zeroed report; releases it again on failure (ERR_INPUT).  The line must be about
// this rule, name exactly the domains of the mask (0: all of the rule's), and contain a
// counterexample if a verdict is refuted.
bool report_decode(const struct rule *rule, unsigned domains, const char *line, size_t n,
                   struct report *rep, struct err *err);

#endif
