// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { FILTERS = 1 };
static const char *const forms[] = {"without --sql"};

static unsigned forms_of(const struct command_line *command)
{
    return command->value[OPTION_sql] ? 0u : FILTERS;
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    OPTION_IN(FILTERS, domain, 0, "D,..", "print the verdicts of these domains", "all", DOMAINS),
    JSON_ROW,
    OPTION(sql, 0, "TEXT", "run this SQL query (read-only) in place of filters", NULL, NULL),
};

const struct command_table query_table = {
    .name = "query",
    .run = cmd_query,
    .usage = "[FILTER...]",
    .summary = "Lists the rules that pass all filters.",
    .description =
        "Lists rules, one a line. A rule must pass all filters:\n"
        "\n"
        "  op=NAME  domain=D  verdict=V  rung=R  grade=G  family=F  record=FILE\n"
        "  precondition  precondition=ROLE  stale  superseded  TEXT\n"
        "\n"
        "A role is size, window, start, limit, stride, low, high, interior, dilation, groups, "
        "element, or a part of the text of the precondition. A star marks stale verdicts: those "
        "of another version of the verifier or of the semantics.",
    .example = "rankwright query op=subtract verdict=proved --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    FORMS(forms, forms_of),
};
