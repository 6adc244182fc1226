// SPDX-License-Identifier: Apache-2.0
// The lines that provers on other machines read and write (docs/scale-out.md).
//
// A candidate is a rule's text on one line, or a JSON object {"rule": text,
// "name", "family"}; empty lines and lines that start with # are no candidates.
// A verdict line is the object of `prove --json` and what a merge needs: the
// rule's text, the versions, and the whole report of that domain as the worker
// processes of verify/workers/pool.h write it.  Only text, versions and report
// are read back.  A line with "error" says why a text is no candidate.
#ifndef API_PROVING_LINES_H
#define API_PROVING_LINES_H

#include "base/text/buf.h"
#include "rules/rule.h"
#include "rules/verdict.h"
#include <stdio.h>

#define LIMIT_LINE ((size_t)64 << 20) // bytes

// The next line of a stream, without its end; *ended: a newline stood there.
// False at the end of the stream, and after a failure to read.  If a line is
// longer than LIMIT_LINE, then only LIMIT_LINE bytes are kept and *fits is
// false.
bool line_next(FILE *in, struct buf *line, bool *ended, bool *fits, struct err *err);
// True if the line is empty or a remark: neither a candidate nor a verdict.
bool line_is_empty(const char *line, size_t n);

// The only rule of a text, put into a family.  NULL: *err says why, without a
// file.
struct rule *rule_of_text(const char *text, size_t n, const char *family, struct ruleset *set,
                          struct err *err);
// The rule of a candidate, in `set`, which must be empty.  A rule without a
// name is called after its hash.  NULL: *err says why.
const struct rule *candidate_read(const char *line, size_t n, struct ruleset *set, struct err *err);
// As JSON, with the newline.
void candidate_write(const struct rule *rule, struct buf *out);

// One line for each domain of the report; one line without a verdict if the
// report has no domain.  `times`: with seconds, else 0 for them.
void verdicts_write(const struct rule *rule, struct report *rep, bool times, struct buf *out);
void error_write(uint64_t line, const struct err *why, struct buf *out);

// The contents of a verdict line.
struct verdict_line {
    const struct rule *rule; // of the rule set
    bool stale;              // of other versions; then there is no report
    struct report report;    // one domain, or none
};
// Reads a line.  Nothing but the verdict is trusted: the rule is parsed and
// hashed again, and the report must fit the rule.  *other: the line says why a
// text is no candidate.
bool verdict_line_read(const char *line, size_t n, struct ruleset *set, struct verdict_line *out,
                       bool *other, struct err *err);

#endif
