// SPDX-License-Identifier: Apache-2.0
// Rules about operators that move data: options and reports of discovery, and
// trials of rules on many ground instances.
#ifndef API_DISCOVER_TENSORS_H
#define API_DISCOVER_TENSORS_H

#include "discover/tensors/search.h"
#include "rules/rule.h"

struct discovery {
    struct search_options options;
    struct search_progress progress;
    struct found_rules found;
    const char *head; // the first lines of the file with the rules, or ""
};

// True if some of these operators does not work element by element.
bool discovery_moves(const char *ops);
bool discovery_operators(const char *ops, struct search_options *options, struct err *err);
// The rules as a file, and as JSON lines; one of them; the counts as one.
void discovery_text(const struct discovery *discovery, const struct found_rules *found,
                    struct buf *out);
void discovery_put_rule(const struct found_rule *rule, struct buf *out);
void discovery_put_rules(const struct discovery *discovery, struct buf *out);
void discovery_put_counts(const struct discovery *discovery, struct buf *out);

struct trials {
    const struct ruleset *rules;
    double instances; // of a rule
    unsigned domains, jobs;
    uint64_t seed;
    // their outcomes
    uint64_t run, few; // instances; rules with fewer instances than asked for
    uint32_t broken, lost;
    struct buf out; // a line for each rule that is broken
};
bool trials_run(struct trials *trials, struct err *err);

#endif
