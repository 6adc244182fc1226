// SPDX-License-Identifier: Apache-2.0
// The lines that provers on other machines read and write (docs/scale-out.md).
//
// A candidate is a rule's text on one line, or a JSON object {"rule": text,
// "name", "family"}; empty lines and lines that start with # are none.  A
// verdict line is the object of `prove --json` and what a merge needs: the
// rule's text, the versions, and the whole report of that domain as the worker
// processes of verify/workers/pool.h write it.  Only text, versions and report are read
// back.  A line with "error" says why a candidate is none.
#ifndef API_PROVING_LINES_H
#define API_PROVING_LINES_H

#include "base/text/buf.h"
#include "rules/rule.h"
#include "rules/verdict.h"
#include <stdio.h>

#define LIMIT_LINE ((size_t)64 << 20) // bytes

// A line of a stream, without its end; all 0 before the first one.
struct input_line {
    struct buf text;
    uint64_t number; // from 1
    bool ended;      // a newline stood there
    bool fits;       // else it is longer than LIMIT_LINE, and the rest is dropped
};
// Reads the next line.  False at the end of the stream, and with a failure where
// it cannot be read.
bool line_next(FILE *in, struct input_line *line, struct err *err);
// LIMIT_LINE as a failure.
bool line_too_long(struct err *err);
// Is this line neither a candidate nor a verdict, but nothing?
bool line_is_empty(const char *line, size_t n);

// The one rule of a text, of a family; NULL: *err says why, without a file.
struct rule *rule_of_text(const char *text, size_t n, const char *family, struct ruleset *set,
                          struct err *err);
// The rule of a candidate, of `set`, which is fresh.  One without a name is
// called after its hash.  NULL: *err says why.
const struct rule *candidate_read(const char *line, size_t n, struct ruleset *set, struct err *err);
// As JSON, with the newline.
void candidate_write(const struct rule *rule, struct buf *out);

// One line for each domain of the report; one without a verdict if it has none.
// `times`: with seconds; else they are 0.
void verdicts_write(const struct rule *rule, struct report *rep, bool times, struct buf *out);
void error_write(uint64_t line, const struct err *why, struct buf *out);

// What a verdict line says.
struct verdict_line {
    const struct rule *rule; // of the rule set
    bool stale;              // of other versions; then there is no report
    struct report report;    // one domain, or none
};
// Reads a line that is trusted in nothing but the verdict: the rule is parsed
// and hashed again, and the report must fit it.  *other: it is a line that says
// why a candidate is none.
bool verdict_line_read(const char *line, size_t n, struct ruleset *set, struct verdict_line *out,
                       bool *other, struct err *err);

#endif
