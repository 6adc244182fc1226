// SPDX-License-Identifier: Apache-2.0
// Rankwright as a library: tensor rewrite rules proved for every rank and size,
// programs and formulas simplified by proved rules only, and a record of every
// answer that another program can check.  docs/library.md has an example.
//
// Errors.  A function that can fail returns false or NULL and fills
// `struct rw_error *error`, which may be NULL.  "Refuted", "unknown" and
// "rejected" are answers, never errors.
//
// Ownership.  Every handle has one release function, which accepts NULL.  A
// handle made from another one must be released before it.  Functions that
// return `char *` give a text to the caller, who releases it with rw_free.
// A `const` pointer is borrowed until its handle is released.
//
// Options.  A structure of options starts with its own size: zero all of it,
// set `size` to its sizeof, then set what should differ from the default.  A
// NULL pointer means defaults.  Later versions append members.
//
// The library never prints, exits or reads the environment, with two
// exceptions.  Out of memory, and a bug in the library (a failed assertion),
// write one line to standard error and end the process: out of memory with the
// status 74, a bug by an abort.  The first context sets the memory functions of
// jansson and GMP, so that they end it in the same way.
//
// Processes and signals.  Proving forks worker processes, which end with the
// call.  While it runs, SIGINT and SIGTERM stop the call in place of their own
// effect and SIGPIPE is ignored; the handlers of before are put back.  Exact
// extraction forks too; a second solver and pictures as SVG start the programs
// cvc5 and dot from the PATH.
//
// Threads.  Memory is shared between all handles: only one thread of a process
// may be inside the library at a time.  rw_context_cancel may be called at any
// time, from any thread or signal handler.
//
// Versions.  Functions, structures and names of this header are the versioned
// interface: the number in the shared library's name changes when a program
// would have to be compiled again.  Texts of messages may change at any time.
#ifndef RANKWRIGHT_H
#define RANKWRIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RW_VERSION "0.1.0"

#if defined(__GNUC__)
#define RW_API __attribute__((visibility("default")))
#else
#define RW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The version of the library that runs; RW_VERSION is that of the header.
RW_API const char *rw_version(void);
// Releases a text that a function returned as `char *`.
RW_API void rw_free(char *text);

// ---- errors

enum rw_code {
    RW_OK,
    RW_ERROR_USAGE,    // a wrong argument
    RW_ERROR_INPUT,    // a text is malformed: file, line and column say where
    RW_ERROR_IO,       // the operating system refused
    RW_ERROR_DATABASE, // the database refused
    RW_ERROR_LIMIT,    // a limit was reached, or the call was cancelled
    RW_ERROR_CHECK,    // a proof step does not hold
    RW_ERROR_BUG       // the library contradicts itself
};
struct rw_error {
    enum rw_code code;
    uint32_t line, column; // from 1; 0: no place
    char file[256];        // "": no file; of RW_ERROR_USAGE the member of the options, the
                           // argument or the filter that is wrong
    char message[768];
    char excerpt[640]; // the line of the text and a mark under the place; "": none
    char hint[384];    // what to write instead; "": nothing known
};

// ---- context: limits, progress, notes

struct rw_context;

RW_API struct rw_context *rw_context_new(void);
RW_API void rw_context_free(struct rw_context *context);

// Sets a limit of later calls; RW_ERROR_USAGE: no such name, or out of range.
//   workers        worker processes of a proof (one for each processor)
//   rule_seconds   seconds for a rule, then unknown, "time" (no limit)
//   worker_memory  bytes of address space of a worker (2 GiB)
//   nodes          nodes of an e-graph (of a program 5,000, or 20 a term if
//                  that is more; of a formula 6,000)
//   rounds         rounds of rewriting (30; of a phase of a formula 12)
//   seconds        seconds of a simplification or an extraction (by effort,
//                  at most 60; a formula 0.7; exact extraction 30)
RW_API bool rw_context_limit(struct rw_context *context, const char *name, double value,
                             struct rw_error *error);

struct rw_progress {
    const char *stage;    // "prove", "simplify", "learn", or a name of discovery.h: "lint", ..
    uint64_t done, total; // rules; rounds (0: not known); of "discover" left sides
    uint64_t proved, refuted, unknown; // claims so far
    double seconds;
    uint64_t obligations; // of "prove": decided so far of the rule that was last heard of
};
// `progress` is called after every rule of a proof, a few times a second within a rule, after every
// round of a program (not of a formula), and several times a second by the functions of discovery.h
// and by rw_learn;
// false cancels the call.
RW_API void rw_context_on_progress(struct rw_context *context,
                                   bool (*progress)(void *user, const struct rw_progress *at),
                                   void *user);
// `note` is called with remarks of one line that are no errors.
RW_API void rw_context_on_note(struct rw_context *context,
                               void (*note)(void *user, const char *text), void *user);
// Stops the proof, the simplification of a program or the work of discovery.h
// that runs, at the next place where it can end.  Elsewhere, and
// between two calls, the cancellation ends the next call that can be cancelled.
RW_API void rw_context_cancel(struct rw_context *context);
// The signal, SIGINT or SIGTERM, that stopped a call in place of its own effect
// since this function was called last; 0: none.
RW_API int rw_stopping_signal(void);

// ---- rules and what is known of them

enum rw_domain { RW_BOOL, RW_INT, RW_WORD, RW_REAL, RW_FLOAT };
enum rw_decision { RW_UNKNOWN, RW_PROVED, RW_REFUTED };

RW_API const char *rw_domain_name(enum rw_domain domain);
RW_API const char *rw_decision_name(enum rw_decision decision);

struct rw_obligation {
    const char *kind; // "nonempty", "valid", "shape", "elements" or "defined"
    const char *ranks, *detail, *reason;
    enum rw_decision decision;
    double seconds;
};
struct rw_verdict {
    enum rw_domain domain;
    enum rw_decision decision;
    bool claimed;           // the rule claims to hold in this domain
    bool stale;             // of another version of verifier or semantics
    bool contradiction;     // only a bug, here or in a solver, gives it
    const char *reason;     // of RW_UNKNOWN; else a remark or ""
    const char *rung;       // the weakest assumptions about element operators
    const char *grade;      // of RW_FLOAT; "none" elsewhere
    const char *grade_text; // in words, or ""
    const char *method, *solver;
    const char *bound;      // JSON: {"axis class": rank}
    const char *bound_text; // how the bound was counted
    int64_t instances, obligation_count;
    double seconds;
    const char *counterexample;      // JSON; NULL: none
    const char *counterexample_text; // one line, or ""
    const char *layer;               // of a database: "library" or "user"; else ""
    size_t n_obligations;            // 0 where they were not asked for
    const struct rw_obligation *const *obligations;
    bool asked;   // a query for a verdict found the rule by this one
    bool earlier; // rw_prove was to prove it again, and found no answer: this is the one before
};
// One rule.  Of a parsed rule the database's part is empty.
struct rw_rule {
    const char *name, *family, *hash; // the hash is the identity
    const char *source;               // as written
    const char *canonical;            // without names and layout
    const char *doc;
    unsigned claims; // mask of 1 << enum rw_domain
    size_t n_origins, n_preconditions, n_remarks, n_verdicts;
    const char *const *origins, *const *preconditions, *const *remarks;
    const struct rw_verdict *const *verdicts; // at most one of each domain
    bool current;                             // in a database: a name stands for this text
    int64_t uses;                             // in proof records that the database knows
    const char *layer;                        // of a database: "library" or "user"; else ""
    const char *same_as; // FAMILY/NAME of the rule of the library that has this hash under
                         // another name; else ""
};

// Rules from texts, files and folders, in their order.
struct rw_rules;
RW_API struct rw_rules *rw_rules_new(struct rw_context *context);
RW_API void rw_rules_free(struct rw_rules *rules);
// Rules without errors are kept even when the call fails; *error is the last
// error, rw_rules_error has all of the last call.
RW_API bool rw_rules_parse(struct rw_rules *rules, const char *text, size_t size, const char *file,
                           struct rw_error *error);
RW_API bool rw_rules_load(struct rw_rules *rules, const char *path, struct rw_error *error);
RW_API size_t rw_rules_error_count(const struct rw_rules *rules);
RW_API const struct rw_error *rw_rules_error(const struct rw_rules *rules, size_t index);
RW_API size_t rw_rules_count(const struct rw_rules *rules);
// The rule is borrowed until the next call that adds rules.
RW_API const struct rw_rule *rw_rules_at(struct rw_rules *rules, size_t index);

// JSON objects of one line, as `rankwright query`, `show` and `prove` print
// them; with details: texts and verdicts too.
RW_API char *rw_rule_json(const struct rw_rule *rule, bool details);
RW_API char *rw_verdict_json(const struct rw_rule *rule, const struct rw_verdict *verdict);
// The value of each side at an index, in index notation.
RW_API char *rw_rule_meaning(const struct rw_rule *rule, struct rw_error *error);
// Why the rule is not judged in the other domains, a line for each: "bool: `0` makes T a number".
RW_API char *rw_rule_not_judged(const struct rw_rule *rule, struct rw_error *error);
// The lines of these domains that the declared types of the rule have: what its operators and
// numbers exclude.
RW_API char *rw_rules_narrowed(const struct rw_rules *rules, size_t index);
// The whole results of both sides at the counterexample of a verdict, as JSON:
//     {"left": {"shape": [2], "type": "f32", "data": [1, 2]}, "right": ..}
// There is no "right" where the right side is not well-defined.
RW_API char *rw_counterexample_sides(const struct rw_rule *rule, const struct rw_verdict *verdict,
                                     struct rw_error *error);
// The obligations as SMT-LIB2 text; proves the rule to find them.
RW_API char *rw_rule_smt2(const struct rw_rule *rule, struct rw_error *error);

// ---- the database of rules and verdicts

enum rw_mode { RW_READ, RW_WRITE };

struct rw_database;
// RW_WRITE makes the file if there is none; ":memory:" is a database of this
// process alone.  Waits `wait` seconds (0 to 1e6) for locks of other processes.
RW_API struct rw_database *rw_database_open(struct rw_context *context, const char *path,
                                            enum rw_mode mode, double wait, struct rw_error *error);
RW_API void rw_database_close(struct rw_database *database);
// Lays the database over a second one, of the verdicts of a rule library, such as the installed
// one (`pkg-config --variable=database rankwright`).  From then on calls read both, and write
// only the first one: no rule of the library is changed, superseded or proved again.  Fails if
// the library was made by another version.  After a failure the database can only be closed.
RW_API bool rw_database_lay_over(struct rw_database *database, const char *library,
                                 struct rw_error *error);
// Makes the file a copy of the database, without the library under it: what was proved in memory
// is kept, or given to another process.  What was in the file is gone.
RW_API bool rw_database_save(struct rw_database *database, const char *path,
                             struct rw_error *error);

// Rules with their verdicts.
struct rw_report;
RW_API void rw_report_free(struct rw_report *report);
RW_API size_t rw_report_count(const struct rw_report *report);
RW_API const struct rw_rule *rw_report_rule(const struct rw_report *report, size_t index);

struct rw_query_options {
    size_t size;
    const char *const *filters; // as `rankwright query --help` has them
    size_t n_filters;
    const char *domain; // "int,real": only verdicts in these domains; NULL: any
    const char *sort;   // keys as `rankwright query --help` has them; NULL: family, name
    bool reverse;
    // Only rules whose text or whose verdicts came since a UTC time, such as
    // "2026-11-23T10:00:00Z" or "2026-11-23", or that a later version of the
    // verifier than this one judged, such as "5".
    const char *since;
    // Only rules with uses, the most used first: uses in the records of the
    // filters record=FILE; without such a filter those that the database knows.
    bool used;
    const char *value; // of rw_query_fires: only at the operation that the text calls so ("%5")
};
RW_API struct rw_report *rw_query(struct rw_database *database,
                                  const struct rw_query_options *options, struct rw_error *error);
// The values that a filter ("op", "family", ...) may have, each with the number of
// rules that pass the filters of *options and have this value.
RW_API bool rw_query_values(struct rw_database *database, const struct rw_query_options *options,
                            const char *filter,
                            void (*value)(void *user, const char *text, uint64_t rules), void *user,
                            struct rw_error *error);
// The one rule of this name, hash or start of a hash, with its obligations.
RW_API struct rw_report *rw_query_rule(struct rw_database *database, const char *name,
                                       struct rw_error *error);
// Raw SQL, read-only; `row` gets each row as texts, NULL for SQL null.
RW_API bool rw_query_sql(struct rw_database *database, const char *sql,
                         void (*row)(void *user, int n, const char *const *names,
                                     const char *const *texts),
                         void *user, struct rw_error *error);
// The same; `line` gets each row as a JSON object, in which numbers are numbers and
// blobs are hexadecimal digits.
RW_API bool rw_query_sql_json(struct rw_database *database, const char *sql,
                              void (*line)(void *user, const char *json), void *user,
                              struct rw_error *error);

// ---- proving

enum rw_solver { RW_SOLVER_Z3, RW_SOLVER_CVC5, RW_SOLVER_BOTH };
enum rw_rank_method {
    RW_RANK_METHOD_AUTO,
    RW_RANK_METHOD_BOUNDED,
    RW_RANK_METHOD_CLOSURE,
    RW_RANK_METHOD_BOTH,
    RW_RANK_METHOD_COEFFICIENTS
};
struct rw_prove_options {
    size_t size;
    unsigned domains;                // mask of 1 << enum rw_domain; 0: all
    enum rw_solver solver;           // cvc5: must confirm z3
    const char *solver_program;      // NULL: cvc5
    enum rw_rank_method rank_method; // how all ranks are covered
    bool no_search;                  // proofs only, no counterexamples
    bool again;                      // also what the database knows
    uint64_t seed;                   // of searches for counterexamples
};
// How a run of proofs went.
struct rw_proving {
    uint32_t proved;   // rules that were tried
    uint32_t workers;  // processes at a time, at most
    uint32_t replaced; // workers that died or were killed
    uint64_t peak_kib; // most memory of a worker
    double seconds;
    bool interrupted; // by a signal or a cancellation
};
// Tries to prove every rule in every domain.  With a database each verdict is
// stored before the next one is waited for, and what is known is not proved
// again; the report then has all verdicts of these rules in these domains.
RW_API struct rw_report *rw_prove(const struct rw_rules *rules, struct rw_database *database,
                                  const struct rw_prove_options *options, struct rw_error *error);
RW_API const struct rw_proving *rw_report_proving(const struct rw_report *report);

// ---- programs and formulas

struct rw_program; // StableHLO, or HLO: the first word is HloModule
RW_API struct rw_program *rw_program_read(struct rw_context *context, const char *text, size_t size,
                                          const char *file, struct rw_error *error);
RW_API void rw_program_free(struct rw_program *program);
RW_API char *rw_program_print(struct rw_program *program, struct rw_error *error);
// What reading left out or kept as text ("line 9 is no MLIR and is left out: ..."); NULL =
// nothing.
RW_API const char *rw_program_remark(const struct rw_program *program);
enum rw_program_format { RW_PROGRAM_STABLEHLO, RW_PROGRAM_HLO };
// Writes the program in that format from here on, if it is not in it already.  Fails if the
// format does not have all of its operations.  Layouts and metadata are left out.
RW_API bool rw_program_convert(struct rw_program *program, enum rw_program_format format,
                               struct rw_error *error);

// The rules that may rewrite: the proved rules of a database (only those that
// `only` has too, unless it is NULL), and those of `assumed` without proof
// (NULL: none; a record then says so on every step).  A rewriter without a
// database simplifies nothing: calls fail.
struct rw_rewriter;
RW_API struct rw_rewriter *rw_rewriter_new(struct rw_database *database,
                                           const struct rw_rules *only,
                                           const struct rw_rules *assumed);
RW_API void rw_rewriter_free(struct rw_rewriter *rewriter);

// Names of the cost models of programs, NULL behind the last one.
RW_API const char *const *rw_cost_models(void);
// Is that, in place of a model, a file that describes one (docs/cost.md)?  It is if it has a point
// or a slash.
RW_API bool rw_cost_is_file(const char *name);

enum rw_extract_method { RW_EXTRACT_DAG, RW_EXTRACT_TREE, RW_EXTRACT_EXACT };
enum rw_scheduler { RW_SCHEDULER_BACKOFF, RW_SCHEDULER_SIMPLE };
enum rw_notation { RW_NOTATION_TEXT, RW_NOTATION_LATEX, RW_NOTATION_MATHML };
// How the floats of a program are read: as floats, so that the result is the same bit for bit;
// so, if what an implementation makes of a sum (of a reduction, a contraction, ..) depends on
// the list of its terms alone; as real numbers.  docs/semantics.md has the details.
enum rw_reading { RW_READ_FLOAT, RW_READ_FLOAT_SUMS, RW_READ_REAL };
struct rw_simplify_options {
    size_t size;
    // of programs
    enum rw_reading reading;
    const char *cost; // one of rw_cost_models, or a file (rw_cost_is_file); NULL: "time"
    enum rw_extract_method extract;
    enum rw_scheduler scheduler;
    // of formulas
    const char *given;   // conditions that may be assumed
    bool expand;         // named functions are written out
    bool keep_constants; // numbers are what they say
    enum rw_notation notation;
    // of programs: names, separated by commas, of attributes (such as "mhlo.sharding") whose
    // operations must stay as they are, whatever they are; NULL: none
    const char *keep_attributes;
    // of programs: on how many random arguments both programs are run besides; 0: none
    uint32_t verify;
};
// A cheaper program or formula that is equal by the rewriter's rules.  The
// record was checked before the call returns.
struct rw_result;
RW_API struct rw_result *rw_simplify_program(struct rw_rewriter *rewriter,
                                             struct rw_program *program,
                                             const struct rw_simplify_options *options,
                                             struct rw_error *error);
RW_API struct rw_result *rw_simplify_formula(struct rw_rewriter *rewriter, const char *text,
                                             const char *file,
                                             const struct rw_simplify_options *options,
                                             struct rw_error *error);
RW_API void rw_result_free(struct rw_result *result);

struct rw_summary {
    const char *cost; // the model
    double cost_before, cost_after;
    uint64_t nodes, classes; // classes: of programs
    uint32_t rounds, steps;  // steps: uses of rules
    const char *stop;        // "saturated", "nodes", ...
    bool complete;           // no limit of the caller's cut the search short
    bool no_value;           // of a formula: its conditions contradict
    uint32_t rules;          // of a formula: that may run
    double load_seconds, seconds;
    const char *verified; // what rw_simplify_options.verify found, in words; NULL: nothing was run
};
RW_API const struct rw_summary *rw_result_summary(const struct rw_result *result);
// The program; or the formula in the notation that was asked for.  *size (may
// be NULL) is its length.
RW_API const char *rw_result_text(const struct rw_result *result, size_t *size);
// The proof record, JSON.
RW_API const char *rw_result_record(struct rw_result *result, size_t *size, struct rw_error *error);
// The summary as JSON, of a formula with conditions and constants.
RW_API char *rw_result_json(const struct rw_result *result);
// Of a formula: lines for people.  Of a program: what each rule did.
RW_API char *rw_result_describe(const struct rw_result *result);
// Keeps in the database which rules the record uses, if it may be written.
RW_API bool rw_result_store(struct rw_result *result, struct rw_database *database,
                            struct rw_error *error);

// ---- which rules match a program

// A near miss: the operators of a rule's left side stand in the program, and a
// condition does not hold.
struct rw_near_miss {
    const char *kind;      // "precondition", "attribute", "verdict", ...
    const char *condition; // in the rule's own text
    const char *found;     // the values: "s = 3, n = 2"
    const char *place;     // the operation at the top
    uint64_t count;        // equal ones in the program
};
struct rw_match {
    const struct rw_rule *rule;
    uint64_t matches; // uses that the program allows
    bool complete;    // false: a limit of steps was reached
    size_t n_misses;  // nearest first, without those where the rule matches
    const struct rw_near_miss *misses;
};
// The rules of the database that pass the filters, on the program as it stands:
// those that match, those that nearly do.  Rules that match come first, the most
// frequent before the others.
struct rw_matches;
RW_API struct rw_matches *rw_query_fires(struct rw_database *database,
                                         const struct rw_query_options *options,
                                         struct rw_program *program, enum rw_reading reading,
                                         struct rw_error *error);
RW_API void rw_matches_free(struct rw_matches *matches);
RW_API size_t rw_matches_count(const struct rw_matches *matches);
RW_API const struct rw_match *rw_matches_at(const struct rw_matches *matches, size_t index);

// Operators of which one stands over the other, or over two others, in the program, where
// no rule that passes the filters, has an operator over another of them and makes fewer
// operators matches.
struct rw_missed_shape {
    const char *shape;  // "slice(pad)"; "_" is any operand, "constant" a constant one
    unsigned operators; // two or three
    uint64_t count;     // how often
    uint64_t moved;     // where a rule matches that makes as many operators or more
    const char *place;  // one of them, by the operation at the top
    // The rule with an operator over another of them that comes nearest at some place, and
    // why it does not match there: one that makes fewer operators, if there is one.  NULL:
    // no rule does.
    const struct rw_rule *rule;
    const char *kind, *condition, *found; // as of rw_near_miss
};
// The most frequent first, counting those that no rule moves.
struct rw_missed;
RW_API struct rw_missed *rw_query_missed(struct rw_database *database,
                                         const struct rw_query_options *options,
                                         struct rw_program *program, enum rw_reading reading,
                                         struct rw_error *error);
RW_API void rw_missed_free(struct rw_missed *missed);
RW_API size_t rw_missed_count(const struct rw_missed *missed);
RW_API const struct rw_missed_shape *rw_missed_at(const struct rw_missed *missed, size_t index);

// ---- what changed, what is used, what is new

enum rw_change_kind {
    RW_RULE_ADDED,
    RW_RULE_REMOVED,
    RW_RULE_CHANGED, // the name stands for another text
    RW_RULE_RENAMED, // the text has another name
    RW_VERDICT_CHANGED
};
struct rw_change {
    enum rw_change_kind kind;
    const char *name, *family, *hash; // of the rule as it is; of a removed one as it was
    // Of a changed rule the hashes, of a renamed one the names, of a verdict what
    // it was and is ("none": there was none); else "".
    const char *before, *after;
    enum rw_domain domain; // of a verdict
};
RW_API const char *rw_change_name(enum rw_change_kind kind); // "added", ...
struct rw_changes;
RW_API void rw_changes_free(struct rw_changes *changes);
RW_API size_t rw_changes_count(const struct rw_changes *changes);
RW_API const struct rw_change *rw_changes_at(const struct rw_changes *changes, size_t index);
// From the database `before` to this one.  The filters choose the rules of both.  Neither should lie
// over a library, or both over the same.  A rule without any verdict, as one whose verdicts are
// those of a library, is not compared by its verdicts.
RW_API struct rw_changes *rw_query_diff(struct rw_database *database, struct rw_database *before,
                                        const struct rw_query_options *options,
                                        struct rw_error *error);

// Is a rule new?
enum rw_novelty {
    RW_NOVELTY_SAME,     // the database has it, but for names and layout
    RW_NOVELTY_REVERSED, // the database has it from right to left
    RW_NOVELTY_FOLLOWS,  // rules that are proved there derive it
    RW_NOVELTY_NEW,      // they do not
    RW_NOVELTY_UNKNOWN   // a limit, or not expressible: `reason`
};
struct rw_known {
    const struct rw_rule *rule;
    enum rw_novelty novelty;
    enum rw_domain domain;    // in which it was asked whether others derive it
    size_t n_by;              // rules that are the same, or derive it
    const char *const *by;    // as "family/name"
    uint32_t instances, base; // derived at so many; rules that could be used.
                              // instances 0: for all ranks and sizes
    const char *reason;
};
RW_API const char *rw_novelty_name(enum rw_novelty novelty);
// For each of the rules; the filters choose the rules of the database.
struct rw_knowledge;
RW_API struct rw_knowledge *rw_query_known(struct rw_database *database,
                                           const struct rw_query_options *options,
                                           struct rw_rules *rules, struct rw_error *error);
RW_API void rw_knowledge_free(struct rw_knowledge *knowledge);
RW_API size_t rw_knowledge_count(const struct rw_knowledge *knowledge);
RW_API const struct rw_known *rw_knowledge_at(const struct rw_knowledge *knowledge, size_t index);

// ---- rules for other programs

struct rw_export_options {
    size_t size;
    const char *format; // one of rw_export_formats
    uint32_t rank;      // of egglog: of every axis class that is no single axis
    bool real;          // of egglog: floats are read as real numbers
};
// "egglog", "json", "latex", "smt2"; the list ends with NULL.
RW_API const char *const *rw_export_formats(void);
// The rules that a query finds.  Those for which the format has no text are left
// out, noted with the reason, and counted in *left_out (may be NULL).
RW_API char *rw_export(struct rw_database *database, const struct rw_query_options *rules,
                       const struct rw_export_options *options, size_t *left_out,
                       struct rw_error *error);

// ---- records, evaluation, programs compared, e-graphs of other programs, GPU kernels, work on
// sets of rules, rules from examples

#include "rankwright/records.h"

#include "rankwright/evaluation.h"

#include "rankwright/egraphs.h"

#include "rankwright/kernels.h"

#include "rankwright/comparison.h"

#include "rankwright/discovery.h"

#include "rankwright/merging.h"

#include "rankwright/learn.h"

#ifdef __cplusplus
}
#endif

#endif
