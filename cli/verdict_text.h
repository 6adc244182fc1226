// SPDX-License-Identifier: Apache-2.0
#ifndef CLI_VERDICT_TEXT_H
#define CLI_VERDICT_TEXT_H

#include "cli/door.h"

// "bool proved  int proved  float refuted", claimed domains first; a star
// marks verdicts that are stale.
void decision_word(enum rw_decision decision, struct buf *out);
void verdict_words(const struct rw_rule *rule, struct buf *out);
// Appends lines with the text, ranks, maps, types and tensors of a
// counterexample.
void counterexample_lines(const struct rw_verdict *verdict, struct buf *out);
// Appends a line for each domain in which the rule is not judged, with the reason.
bool not_judged_lines(const struct rw_rule *rule, const char *indent, struct buf *out,
                      struct err *err);

// The same lines of the domains that the declared types of the rule have, those with one reason
// as one.  The rule is found among `rules` by its name and hash.  `domains`: the names of those to
// speak of; NULL: all.
void narrowed_lines(const struct rw_rule *rule, struct rw_rules *rules, const char *domains,
                    const char *indent, struct buf *out);
// Appends a line that names the unknown domains that the rule does not claim.
void not_claimed_line(const struct rw_rule *rule, const char *indent, struct buf *out);

#endif
