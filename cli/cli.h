// SPDX-License-Identifier: Apache-2.0
// The command line: one file a subcommand (cmd_*.c).  Only this folder prints,
// exits and reads the environment.  Results go to stdout, all else to stderr.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/text/buf.h"
#include "base/memory/vec.h"
#include "rules/domain.h"

enum exit_status {
    EXIT_YES = 0,     // all proved, record valid, simplified
    EXIT_NO = 1,      // something refuted, record rejected
    EXIT_UNKNOWN = 2, // unknown, or a limit reached
    EXIT_USAGE = 64,
    EXIT_BAD_INPUT = 65,
    EXIT_BUG = 70,
    EXIT_IO = 74,
};

// Options of all commands, from one list: parsing and --help come from it.
// X(name, argument or NULL, commands (letters below), help)
//   p prove  s show  q query  S simplify  e explain  c check  E eval
//   x extract  d derive  l lint  D discover  M merge  g generalize
#define OPTIONS(X)                                                                                 \
    X(db, "FILE", "psqScedDMg", "the rule database; derive: base rules must be proved there")      \
    X(wait, "S", "psqScedDMg", "seconds to wait for a locked database (60)")                       \
    X(jobs, "N", "pcMDg", "worker processes, also -j (default: one a processor)")                  \
    X(domain, "D,..", "pqSdlDM", "domains; simplify: real or float, how floats are meant")         \
    X(timeout, "S", "pcMg", "seconds for a rule before its worker is killed (30)")                 \
    X(solver, "NAME", "pcM", "z3, cvc5 (must confirm z3) or both (z3)")                            \
    X(solver_program, "PATH", "pcM", "the program to call as cvc5")                                \
    X(method, "NAME", "pcxd",                                                                      \
      "of covering all ranks: auto, rank, closure, both, coefficients; "                           \
      "extract: tree, dag or exact (dag); derive: auto, terms, instances")                         \
    X(no_search, NULL, "p", "proofs only, no search for counterexamples")                          \
    X(memory, "MIB", "pM", "most address space of a worker (2048)")                                \
    X(again, NULL, "p", "prove also what is proved already")                                       \
    X(worker, NULL, "p", "rules on standard input, one a line; verdicts as JSON lines")            \
    X(no_times, NULL, "p", "of --worker: seconds are 0, so that runs repeat")                      \
    X(list, NULL, "p",                                                                             \
      "proves nothing: the rules as lines for --worker; with --db those "                          \
      "without a verdict there")                                                                   \
    X(json, NULL, "psqScxdlDMg", "one JSON object a line")                                         \
    X(smt2, NULL, "s", "write the obligations as SMT-LIB2 text")                                   \
    X(sql, "TEXT", "q", "a raw SQL query (read-only)")                                             \
    X(output, "FILE", "SxDg", "where the result goes (also -o; simplify: default stdout)")         \
    X(proof, "FILE", "Sd", "write the proof record; derive: a folder for them")                    \
    X(html, "FILE", "Se", "of a formula: a page with the steps and the rules")                     \
    X(cost, "MODEL", "S", "nodes, flops or bytes (default nodes)")                                 \
    X(extract, "METHOD", "S",                                                                      \
      "what extraction minimises: dag, tree, or exact: dag with proof (dag)")                      \
    X(rules, "FILE", "SE", "only the rules of these files (comma separated); eval: definitions")   \
    X(assume, "FILE", "Scd", "use these rules without proof; the record says so")                  \
    X(nodes, "N", "Sdl", "most nodes (5,000, of programs 20 a term if more); lint: terms (60)")    \
    X(seconds, "S", "SxdlDg",                                                                      \
      "most seconds (simplify: default counted effort, 60 at most; of a "                          \
      "formula 0.7; extract: not of tree; exact 30; derive 10; lint 60)")                          \
    X(picture, "FILE", "x", "draws the e-graph, as .dot or .svg")                                  \
    X(picture_nodes, "N", "xS", "most nodes of a picture (200)")                                   \
    X(dump_egraph, "FILE", "S", "writes the e-graph as JSON, or draws it as .dot or .svg")         \
    X(iterations, "N", "S", "most rounds (default 30; of a phase of formulas 12)")                 \
    X(scheduler, "NAME", "S", "backoff or simple (default backoff)")                               \
    X(formula, "TEXT", "S", "a formula (also -e) in place of a file; docs/formulas.md")            \
    X(given, "CONDITIONS", "S", "formulas: what may be assumed, as in given")                      \
    X(expand, NULL, "S", "formulas: named functions are written out")                              \
    X(notation, "NAME", "S", "formulas: text, latex or mathml (text)")                             \
    X(keep_constants, NULL, "S", "formulas: numbers are what they say, and nothing is recovered")  \
    X(stats, NULL, "Spg", "counts and times on stderr")                                            \
    X(reprove, NULL, "cM", "prove the rules again; merge: and trust no source")                    \
    X(input, "FILE", "c", "the input program must be this one")                                    \
    X(program, "FILE", "c", "the output program must be this one")                                 \
    X(function, "NAME", "E", "the function to evaluate (default main)")                            \
    X(seed, "N", "EpdlDMg", "seed of random arguments, searches, samples (0)")                     \
    X(compare, "FILE", "E", "a second program: do both give the same?")                            \
    X(tolerance, "R", "E", "relative difference that is still the same (0)")                       \
    X(sizes, "i=2,..", "E", "formulas: the sizes of axes (3 each)")                                \
    X(from, "BASE", "dD", "rules to derive from: files, folders")                                  \
    X(goal, "RULES", "d", "rules to derive: files, folders")                                       \
    X(minimal, NULL, "d", "which rules of the base derive the others")                             \
    X(lhs, NULL, "d", "only left sides stand in the start graph")                                  \
    X(both, NULL, "d", "both sides stand in the start graph (default)")                            \
    X(backward, NULL, "d", "base rules are used from right to left, too")                          \
    X(rounds, "N", "d", "most rounds (10)")                                                        \
    X(instances, "N", "dlD", "ground instances of a rule (4)")                                     \
    X(ops, "NAME,..", "D", "the operators that rules are about")                                   \
    X(size, "N", "D", "most operators of a side (2; tensors: 3)")                                  \
    X(depth, "N", "D", "most levels of operators of a side (any number)")                          \
    X(vars, "N", "D", "variables (3)")                                                             \
    X(constants, "K,..", "D", "numbers that may stand in rules (none)")                            \
    X(width, "BITS", "D", "words of 2 or 4 bits only: all inputs are tried")                       \
    X(tensors, "N", "D", "tensors of a rule about tensors (3)")                                    \
    X(classes, "N", "D", "classes of axes that operators act on (2)")                              \
    X(resume, "FOLDER", "D", "keeps there what was judged, and goes on from it")                   \
    X(candidates, "FILE", "D", "rules to be judged in place of what is enumerated")                \
    X(try, "FILE", "D", "only runs these rules on random ground instances (10000 each)")           \
    X(samples, "N", "D", "inputs tried of each element type")                                      \
    X(rule, "NAME", "g", "only this rule of the files")                                            \
    X(repair, NULL, "g", "true rules from the false ones of the files")

enum option {
#define X(name, arg, commands, help) OPTION_##name,
    OPTIONS(X)
#undef X
        N_OPTIONS
};

struct command_line {
    const char *command;
    const char *value[N_OPTIONS]; // NULL: not given; flags: ""
    VEC(const char *) words;      // what is not an option
};

// One line each: exits never, returns the status.
int cmd_prove(struct command_line *command);
int cmd_show(struct command_line *command);
int cmd_query(struct command_line *command);
int cmd_simplify(struct command_line *command);
int cmd_explain(struct command_line *command);
int cmd_check(struct command_line *command);
int cmd_eval(struct command_line *command);
int cmd_extract(struct command_line *command);
int cmd_generalize(struct command_line *command);
int cmd_merge(struct command_line *command);
int cmd_discover(struct command_line *command);
int cmd_derive(struct command_line *command);
int cmd_lint(struct command_line *command);

// options.c
bool options_parse(struct command_line *command, char letter, int argc, char **argv,
                   struct err *err);
void options_help(char letter, struct buf *out);
bool option_number(const struct command_line *command, enum option option, double least,
                   double most, double *value, struct err *err);
// The same; a whole number in decimal digits.
bool option_count(const struct command_line *command, enum option option, double least, double most,
                  double *value, struct err *err);
// "--name why", ERR_USAGE; false.
bool option_refuse(enum option option, const char *why, struct err *err);
// Comma separated domains as a mask; `all` where the option is not given.
bool option_domains(const struct command_line *command, unsigned *mask, struct err *err);
bool option_choice(const struct command_line *command, enum option option, uint32_t n,
                   const char *const *choices, uint32_t *value, struct err *err);

// common.c
int report_error(const struct err *err);                // prints it, gives its exit status
void note(const char *fmt, ...) PRINTF_LIKE(1, 2);      // one line on stderr
bool print_all(const struct buf *buf, struct err *err); // to stdout, flushed
// --db, else $XDG_DATA_HOME/rankwright/rules.db, else ~/.local/share/...;
// `make` creates its folder.
bool database_path(const struct command_line *command, bool make, struct buf *out, struct err *err);

// The rule library of the source tree or the installation; false: not found.
bool library_path(struct buf *out);

#endif
