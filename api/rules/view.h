// SPDX-License-Identifier: Apache-2.0
// Rules and verdicts of all layers as the callers of the library see them.
// Texts are borrowed; all other data is made in the arena.
#ifndef API_RULES_VIEW_H
#define API_RULES_VIEW_H

#include "api/error.h"
#include "db/db.h"
#include "rules/rule.h"
#include "rules/verdict.h"

struct rw_rule *view_of_rule(const struct rule *rule, struct arena *mem);
struct rw_rule *view_of_stored(const struct stored_rule *stored, struct arena *mem);
// The verdict of one domain of a report, without its obligations.
struct rw_verdict view_of_domain(const struct domain_report *domain, struct arena *mem);
// Adds the verdicts and the remarks of a report.  The view must have none yet.
void view_add_report(struct rw_rule *rule, const struct report *report, struct arena *mem);
// Adds the obligations of a report to the verdicts of the view.
void view_add_obligations(struct rw_rule *rule, const struct report *report, struct arena *mem);
// Keeps the verdicts in these domains (a mask), and marks those that were asked for.
void view_choose(struct rw_rule *rule, unsigned domains, unsigned asked, struct arena *mem);

#endif
