// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    OPTION(domain, 0, "NAME", "the meaning of floats in programs", "float", "real float"),
    JSON_ROW,
    OPTION(output, 'o', "FILE", "write the result to this file", "standard output", NULL),
    OPTION(proof, 0, "FILE", "write the proof record", NULL, NULL),
    OPTION(html, 0, "FILE", "write a page with the steps and the rules", NULL, NULL),
    OPTION(cost, 0, "MODEL", "the cost of programs", "nodes", "nodes flops bytes"),
    OPTION(extract, 0, "METHOD",
           "the cost that extraction from programs minimises: of the tree, of the graph by search, "
           "or of the graph with a proof that nothing is cheaper",
           "dag", "tree dag exact"),
    OPTION(rules, 0, "FILE", "use only the rules of these files (comma separated)",
           "all proved rules", NULL),
    ASSUME_ROW,
    OPTION(nodes, 0, "N", "most nodes of the e-graph",
           "{EGRAPH_NODES}, or {EGRAPH_NODES_PER_OPERATION} a term if that is more; for a formula "
           "{SIMPLIFY_NODES}",
           NULL),
    OPTION(seconds, 0, "S", "most seconds", "by counted effort", NULL),
    OPTION(iterations, 0, "N", "most rounds",
           "{EGRAPH_ROUNDS}; for each phase of a formula {SIMPLIFY_ROUNDS}", NULL),
    OPTION(scheduler, 0, "NAME", "how the rules of a round are chosen", "backoff",
           "backoff simple"),
    OPTION(dump_egraph, 0, "FILE", "write the e-graph as JSON, or draw it as .dot or .svg", NULL,
           NULL),
    OPTION(picture_nodes, 0, "N", "most nodes of a drawing", "200", NULL),
    OPTION(formula, 'e', "TEXT", "simplify this formula in place of a file (docs/formulas.md)",
           NULL, NULL),
    OPTION(given, 0, "CONDITIONS", "for a formula: conditions to assume, as after given", NULL,
           NULL),
    FLAG(expand, "for a formula: write out named functions"),
    OPTION(notation, 0, "NAME", "for a formula: the notation of the result", "text",
           "text latex mathml"),
    FLAG(keep_constants, "for a formula: take numbers as written, recover no constants"),
    FLAG(stats, "print counts and times on standard error"),
};

const struct command_table simplify_table = {
    .name = "simplify",
    .run = cmd_simplify,
    .usage = "IN",
    .summary = "Makes a program or a formula cheaper.",
    .description =
        "Rewrites a StableHLO program or a formula (IN ends with .expr, or --formula) with proved "
        "rules to a cheaper one.",
    .example = "rankwright simplify -e 'x + y - x' --db rules.db --proof record.json",
    .option = rows,
    .n_options = N_ROWS(rows),
};
