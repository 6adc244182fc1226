// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum {
    FILTERS = 1,
    FIRES = 2,
    ALONE = 4,
    LISTED = 8,
    COUNTED = 16,
    ROWS = 32,
    LINES = 64,
    DATED = 128
};
static const char *const forms[] = {
    "without --sql",
    "with --fires",
    "without another of --sql, --fires, --diff, --new and --values",
    "without --sql, --fires, --diff, --new and --values",
    "without --sql, --fires, --new and --values",
    "without --sql, --fires, --diff, --new, --values and --count",
    "without --sql, --fires, --diff, --new, --values, --count and --used",
    "without --sql and --diff"};

// A command line asks one question; without one of these it lists rules.
static const enum option questions[] = {OPTION_sql, OPTION_fires, OPTION_diff, OPTION_new,
                                        OPTION_values};

static unsigned forms_of(const struct command_line *command)
{
    const char *const *value = command->value;
    bool filters = !value[OPTION_sql];
    uint32_t asked = 0;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        asked += value[questions[i]] != NULL;
    bool listed = asked == 0, rows = listed && !value[OPTION_count];
    return (filters ? FILTERS : 0u) | (value[OPTION_fires] ? FIRES : 0u) |
           (asked < 2 ? ALONE : 0u) | (listed ? LISTED : 0u) |
           (listed || (asked == 1 && value[OPTION_diff]) ? COUNTED : 0u) | (rows ? ROWS : 0u) |
           (rows && !value[OPTION_used] ? LINES : 0u) |
           (filters && !value[OPTION_diff] ? DATED : 0u);
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    OPTION_IN(FILTERS, domain, 0, "D,..", "print the verdicts of these domains", "all", DOMAINS),
    OPTION_IN(ROWS, sort, 0, "KEY,..",
              "sort by these keys: family, name, hash, origin, uses, preconditions, seconds, "
              "obligations",
              "family,name", NULL),
    FLAG_IN(ROWS, reverse, "print the last rule first"),
    FLAG_IN(LINES, why,
            "print the reason of every unknown verdict and the counterexample of every refuted "
            "one; verdict=unknown and verdict=refuted do so for the verdicts that they find"),
    OPTION_IN(ALONE, values, 0, "FILTER",
              "print the values that this filter may have, and how many of the rules have each",
              NULL, NULL),
    FLAG_IN(COUNTED, count, "print the number of rules"),
    FILE_OPTION_IN(
        ALONE, READ, fires, 0, "PROGRAM",
        "print which rules match this program as it stands, how often, and why others nearly "
        "do; floats are read as --domain says: float (the default), float-sums or real",
        NULL),
    OPTION_IN(FIRES, limit, 0, "N", "print at most N lines of near misses", "20", NULL),
    OPTION_IN(DATED, since, 0, "WHEN",
              "print only rules that came or were judged since then: a UTC time such as "
              "2026-11-23T10:00:00Z or a day; or by a version of the verifier later than this one",
              NULL, NULL),
    FILE_OPTION_IN(
        ALONE, READ, diff, 0, "DB",
        "print what changed since this other database: rules and verdicts of both files, "
        "without the library under them",
        NULL),
    FLAG_IN(LISTED, used,
            "print the rules that proof records use, the most used first, and how often: the "
            "records of record=FILE, else those that the database knows"),
    FILE_OPTION_IN(
        ALONE, READ, new, 0, "FILE",
        "print for each rule of this file whether the database has it, also from right to left, "
        "and whether its proved rules derive it",
        NULL),
    JSON_ROW,
    OPTION(sql, 0, "TEXT", "run this SQL query (read-only) in place of filters", NULL, NULL),
    COMMON_ROWS,
};

const struct command_table query_table = {
    .name = "query",
    .run = cmd_query,
    .usage = "[FILTER...]",
    .summary = "Lists the rules that pass all filters.",
    .description =
        "Lists rules, one a line. A rule must pass all filters:\n"
        "\n"
        "  op=NAME  domain=D,..  verdict=V  rung=R  grade=G  claimed  claims=D,..\n"
        "  family=F  origin=TEXT  layer=L  record=FILE  precondition  precondition=ROLE\n"
        "  stale  superseded  TEXT\n"
        "\n"
        "Only op=, origin= and record= may be given more than once. "
        "Filters on verdicts (domain, verdict, rung, grade, claimed) must all hold of one verdict; "
        "`claimed` leaves out domains that the rule does not claim. A role is size, window, start, "
        "limit, stride, low, high, interior, dilation, groups, element, or a part of the text of "
        "the precondition. A star marks stale verdicts: those of another version of the verifier "
        "or of the semantics.",
    .example = "rankwright query op=subtract verdict=proved --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    FORMS(forms, forms_of),
};
