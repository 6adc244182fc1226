// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

// clang-format off
enum { PROGRAM = 1, FORMULA = 2, DRAWING = 4, MISSED = 8 };
// clang-format on
static const char *const forms[] = {"for programs", "for formulas",
                                    "with --dump-egraph FILE.dot or FILE.svg",
                                    "with --missed or --explain-missed"};

static unsigned forms_of(const struct command_line *command)
{
    const char *dump = command->value[OPTION_dump_egraph];
    return (formula_wanted(command) ? FORMULA : PROGRAM) |
           (dump && is_picture(dump) ? DRAWING : 0u) |
           (command->value[OPTION_missed] || command->value[OPTION_explain_missed] ? MISSED : 0u);
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    OPTION_IN(PROGRAM, domain, 0, "NAME",
              "the meaning of floats in programs: float keeps every bit; float-sums lets sums of "
              "contractions and reductions be taken by other operations; real is up to rounding",
              "float", "float float-sums real"),
    JSON_ROW,
    FILE_OPTION(WRITTEN, output, 'o', "FILE", "write the result to this file", "standard output"),
    OPTION_IN(PROGRAM, format, 0, "NAME",
              "the format of the result; another one than the program's must have all of its "
              "operations (docs/hlo.md)",
              "the program's", "stablehlo hlo"),
    FILE_OPTION(WRITTEN, proof, 0, "FILE", "write the proof record", NULL),
    FILE_OPTION(WRITTEN, html, 0, "FILE", "write a page with the steps and the rules", NULL),
    OPTION_IN(PROGRAM, cost, 0, "MODEL",
              "what programs cost, by a file (its name has a point or a slash) or by a model",
              "time", "time nodes flops bytes"),
    OPTION_IN(
        PROGRAM, extract, 0, "METHOD",
        "the cost that extraction from programs minimises: of the tree, of the graph by search, "
        "or of the graph with a proof that nothing is cheaper",
        "dag", "tree dag exact"),
    OPTION_IN(PROGRAM, keep_attributes, 0, "NAMES",
              "leave operations with these attributes (comma separated) as they are", NULL, NULL),
    OPTION_IN(PROGRAM, verify, 0, "N",
              "run both programs in the interpreter, too, on so many random arguments", "0", NULL),
    FILE_OPTION(READ, rules, 0, "FILE", "use only the rules of these files (comma separated)",
                "all proved rules"),
    ASSUME_ROW,
    OPTION(nodes, 0, "N", "most nodes of the e-graph",
           "{EGRAPH_NODES}, or {EGRAPH_NODES_PER_OPERATION} a term if that is more; for a formula "
           "{SIMPLIFY_NODES}",
           NULL),
    OPTION(seconds, 0, "S", "most seconds", "by counted effort", NULL),
    OPTION(iterations, 0, "N", "most rounds",
           "{EGRAPH_ROUNDS}; for each phase of a formula {SIMPLIFY_ROUNDS}", NULL),
    OPTION_IN(PROGRAM, scheduler, 0, "NAME", "how the rules of a round are chosen", "backoff",
              "backoff simple"),
    FILE_OPTION_IN(PROGRAM, WRITTEN, dump_egraph, 0, "FILE",
                   "write the e-graph as JSON (.json, or a name without an ending), or draw it as "
                   ".dot or .svg",
                   NULL),
    OPTION_IN(DRAWING, picture_nodes, 0, "N", "most nodes of a drawing", "200", NULL),
    OPTION(formula, 'e', "TEXT",
           "simplify this formula in place of a file (docs/formulas.md); - reads it from standard "
           "input",
           NULL, NULL),
    OPTION_IN(FORMULA, given, 0, "CONDITIONS", "conditions to assume, as after given", NULL, NULL),
    FLAG_IN(FORMULA, expand, "write out named functions"),
    OPTION_IN(FORMULA, notation, 0, "NAME", "the notation of the result", "text",
              "text latex mathml"),
    FLAG_IN(FORMULA, keep_constants, "take numbers as written, recover no constants"),
    FLAG_IN(PROGRAM, missed,
            "print which operators over operators the result has most often that no rule makes "
            "fewer, and why the nearest rule does not match: to standard output with --output, "
            "else to standard error"),
    OPTION_IN(PROGRAM, explain_missed, 0, "VALUE",
              "print in the same place which rules match the operation that the result calls "
              "VALUE (%5), without making the result cheaper, and why others nearly do",
              NULL, NULL),
    OPTION_IN(MISSED, limit, 0, "N",
              "print at most N lines of each list of --missed and "
              "--explain-missed",
              "20", NULL),
    FLAG(stats, "print counts and times on standard error"),
    COMMON_ROWS,
};

const struct command_table simplify_table = {
    .name = "simplify",
    .run = cmd_simplify,
    .usage = "IN",
    .summary = "Makes a program or a formula cheaper.",
    .description =
        "Rewrites a program in StableHLO or HLO (its first word is HloModule), or a formula (IN "
        "ends with .expr, or --formula), with proved rules to a cheaper one.",
    .example = "rankwright simplify -e 'x + y - x' --db rules.db --proof record.json",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
    FORMS(forms, forms_of),
};
