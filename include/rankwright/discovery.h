// SPDX-License-Identifier: Apache-2.0
// Work on sets of rules: wider rules, true rules from false ones, rules that follow from
// others, faults of a set, new rules.  A part of rankwright.h, which programs include.
//
// All functions answer with findings, one at a time: rw_context_on_finding shows each as soon
// as it is there.  A call that is cancelled, or that a signal or its `seconds` ended, gives the
// findings so far, and rw_effort.ended is true; that is no error.  Nothing is stored in a
// database but by rw_findings_store.
#ifndef RANKWRIGHT_DISCOVERY_H
#define RANKWRIGHT_DISCOVERY_H

struct rw_finding {
    const char *kind; // a word or two: see each function
    size_t n_rules;
    const char *const *rules; // names of the rules that it is about
    const char *json;         // all of it in one line, as docs/json.md says
    const char *text;         // lines for people, the last one with its end
    const char *found;        // new rules, proved, in the rule language; "": none
    size_t n_records;
    const struct rw_expected *records; // proof records of programs, with names for files
};
struct rw_effort {
    uint32_t rules;      // that were worked on
    uint32_t changed;    // for which there is a new one
    uint32_t candidates; // rules that were tried
    uint32_t proofs;
    uint64_t instances; // ground instances that were run
    double proof_seconds, seconds;
    bool ended;       // early: by a limit of seconds, a signal or a cancellation
    bool limited;     // a limit of steps left something out
    const char *json; // these and further counts in one line
};

// `finding` is called with each finding of the functions below, which lends it; false cancels
// the call.
RW_API void rw_context_on_finding(struct rw_context *context,
                                  bool (*finding)(void *user, const struct rw_finding *finding),
                                  void *user);
struct rw_findings;
RW_API void rw_findings_free(struct rw_findings *findings);
RW_API size_t rw_findings_count(const struct rw_findings *findings);
RW_API const struct rw_finding *rw_findings_at(const struct rw_findings *findings, size_t index);
RW_API const struct rw_effort *rw_findings_effort(const struct rw_findings *findings);
// All new rules as a file of rules; "": none.
RW_API const char *rw_findings_rules(const struct rw_findings *findings);
// Proves the new rules again, from their text, and stores them.
RW_API bool rw_findings_store(const struct rw_findings *findings, struct rw_database *database,
                              const struct rw_prove_options *options, struct rw_error *error);

// ---- wider rules, repaired rules

struct rw_widen_options {
    size_t size;
    uint64_t seed;  // of the searches
    double seconds; // of wall clock for each rule; 0: no limit
};
// A rule that is proved and says more than the given one: a finding for each rule but
// definitions, of the kind "wider", "unchanged", or "refused" (the rule is not proved itself;
// the text says why).
RW_API struct rw_findings *rw_generalize(const struct rw_rules *rules,
                                         const struct rw_widen_options *options,
                                         struct rw_error *error);
// Preconditions or right sides that make a false rule true, the smallest change first: a
// finding for each rule but definitions, of the kind "true" (nothing to repair), "repaired" or
// "open" (no repair was found).
RW_API struct rw_findings *rw_repair(const struct rw_rules *rules,
                                     const struct rw_widen_options *options,
                                     struct rw_error *error);

// ---- rules that follow from others

enum rw_derive_method {
    RW_DERIVE_AUTO,     // terms if they can express the goal, then instances
    RW_DERIVE_TERMS,    // on the terms of the rule: for all ranks and sizes
    RW_DERIVE_INSTANCES // at ground instances of the rule: a statement about these alone
};
struct rw_derive_options {
    size_t size;
    // The base: the rules of `from` that are proved in the database (all of them if that is
    // NULL), and `assumed` rules.  Each may be NULL, but not both.
    const struct rw_rules *from, *assumed;
    struct rw_database *database;
    unsigned domains; // mask of 1 << enum rw_domain; 0: one for each goal
    enum rw_derive_method method;
    bool left_only;                    // the search starts from the left side alone
    bool backward;                     // base rules are used from right to left, too
    bool records;                      // of each goal that is derived at instances
    uint32_t nodes, rounds, instances; // limits; 0: the usual ones
    uint64_t seed;                     // of the instances
    double seconds;                    // of wall clock for a goal; 0: no limit
};
// Does the base derive the goals?  A finding for each goal in each domain, of the kind
// "derived", "same rule" (the base has it), "not derived", "limit" or "unknown".
RW_API struct rw_findings *rw_derive(const struct rw_rules *goals,
                                     const struct rw_derive_options *options,
                                     struct rw_error *error);
// Rules of the base that derive the others: a finding for each rule of the base, of the kind
// "needed" or "follows".
RW_API struct rw_findings *rw_derive_minimal(struct rw_context *context,
                                             const struct rw_derive_options *options,
                                             struct rw_error *error);

// ---- faults of a set of rules

struct rw_lint_options {
    size_t size;
    unsigned domains;          // mask; 0: all
    uint32_t instances, terms; // of each rule; reached from one start; 0: the usual numbers
    uint64_t seed;
    double seconds; // of wall clock; 0: no limit
};
// A finding for each fault; the kinds are in docs/discovery.md.  A question that was not
// decided has the kind "undecided".
RW_API struct rw_findings *rw_lint(const struct rw_rules *rules,
                                   const struct rw_lint_options *options, struct rw_error *error);

// ---- new rules

struct rw_discover_options {
    size_t size;
    const char *ops;    // operators by name, comma separated: "and,or,not", "slice,pad,add"
    unsigned domains;   // mask; if all operators work on elements, one domain but float
    uint32_t most;      // operators of a side; 0: 2, of operators that move elements 3
    uint64_t seed;      // of the samples
    double seconds;     // of wall clock; 0: no limit
    const char *origin; // how the rules say that they were found; NULL: by these options
    // if all operators work on elements
    uint32_t depth;     // levels of operators of a side; 0: any number
    uint32_t variables; // 0: 3
    uint32_t samples;   // inputs of each element type; 0: the usual number
    uint32_t width;     // 2 or 4: words of so many bits alone; 0: all widths
    size_t n_constants;
    const int64_t *constants; // numbers that may stand in rules
    // if an operator moves elements
    uint32_t tensors, classes;     // of a rule; 0: 3 and 2
    const struct rw_rules *known;  // what they derive is not found again; NULL: none
    const char *journal;           // a file from which a later run goes on; NULL: none
    const struct rw_rules *judged; // these rules are judged, in place of enumerated ones
};
// True rules about these operators, except those that follow from the others: a finding of the
// kind "rule" for each, whose `found` is its text; or "one width", of a rule that holds at
// options->width and is not proved at all widths, whose `found` is "".  Forks worker processes
// if an operator moves elements, as rw_prove does.
RW_API struct rw_findings *rw_discover(struct rw_context *context,
                                       const struct rw_discover_options *options,
                                       struct rw_error *error);

#endif
