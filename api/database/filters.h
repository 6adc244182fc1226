// SPDX-License-Identifier: Apache-2.0
// The filters of a query: words like "op=slice".  A rule must pass all of them.
// Filters on verdicts (domain, verdict, rung, grade, claimed) are about one
// verdict: a rule passes if one of its verdicts passes all of these.
#ifndef API_DATABASE_FILTERS_H
#define API_DATABASE_FILTERS_H

#include "base/text/suggest.h"
#include "api/database/database.h"
#include "api/records/records.h"

struct query {
    struct rw_context *context;
    struct db_filter filter; // what the database applies
    unsigned domains;        // mask of the verdicts' domains
    int verdict;             // enum verdict, or -1
    const char *rung, *grade;
    bool claimed;              // verdicts on claims only
    unsigned claims;           // mask: the rule claims one of these; 0: any
    VEC(const char *) origins; // every one occurs in an origin
    const char *layer;         // "library" or "user"; NULL: any
    bool superseded;           // only these
    bool by_record;            // only rules of these records:
    struct record_uses uses;   // the rules and how often they are used
};

// Keeps pointers into the words and the list.  *domains: NULL, or a list "int,real".
bool query_init(struct query *query, struct rw_context *context, const char *const *words,
                size_t n_words, const char *domains, struct err *err);
void query_release(struct query *query);
// Only rules that came, or were judged, since a UTC time ("2026-11-23T10:00:00Z" or the
// start of one) or since a version of the verifier ("3").
bool query_since(struct query *query, const char *text, struct err *err);
// The domains in which a verdict of the rule passes the filters on verdicts.
unsigned query_verdicts(const struct query *query, const struct stored_rule *rule);
// The uses of the rule in the records of the filters; 0 without such filters.
uint64_t query_uses(const struct query *query, const char *hash);
// Filters that the database does not apply.
bool query_accepts(const struct query *query, const struct stored_rule *rule);

// A value that a filter may have, and how many of the rules have it.
struct filter_value {
    const char *text;
    uint32_t rules;
};
struct filter_values {
    VEC(struct filter_value) at;
};
// The values of the filter `name`, in their order: those that the program knows,
// and those of the rules, counted over the rules with keep[i].  The texts live as
// long as the rules.
bool query_values(struct db *db, const char *name, const struct stored_rules *rules,
                  const bool *keep, struct filter_values *out, struct err *err);
// The names of the filters; NULL behind the last one.  *valued: a value follows behind `=`.
const char *query_filter(uint32_t i, bool *valued);
// Gives the error the hint of the filter that is called nearly so.
void query_hint_filter(const char *name, size_t n, struct err *err);
// Appends what a filter expects in place of a value that it cannot have: "expected one of a, b, c",
// or that no rule can have the value.  Considers all values for *nearest.
void query_expected(const char *name, struct nearest *nearest, struct buf *out);

// Operators and roles as texts; NULL behind the last one.
const char *operator_value(uint32_t i);
const char *role_value(uint32_t i);

#endif
