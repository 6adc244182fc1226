// SPDX-License-Identifier: Apache-2.0
// Finds faults of a set of rules, even if every rule is true.
#include "cli/findings.h"

static bool read_options(struct command_line *command, struct rw_lint_options *options,
                         struct err *err)
{
    double instances = 0, terms = 0, seed = 0;
    if (command->words.len == 0)
        return err_set(err, ERR_USAGE, "lint: expected files of rules");
    if (!option_count(command, OPTION_instances, 1, 1000, &instances, err) ||
        !option_count(command, OPTION_nodes, 1, 1e6, &terms, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &options->seconds, err) ||
        !option_domains(command, &options->domains, err))
        return false;
    options->instances = (uint32_t)instances;
    options->terms = (uint32_t)terms;
    options->seed = (uint64_t)seed;
    return true;
}

static int status_of(const struct rw_findings *findings)
{
    size_t undecided = findings_of_kind(findings, "undecided");
    return rw_findings_count(findings) > undecided                ? EXIT_NO
           : undecided > 0 || rw_findings_effort(findings)->ended ? EXIT_UNKNOWN
                                                                  : EXIT_YES;
}

int cmd_lint(struct command_line *command)
{
    struct err err = {0};
    struct rw_error error;
    struct rw_context *context = door_open();
    struct rw_rules *rules = rw_rules_new(context);
    struct rw_lint_options options = {.size = sizeof options};
    struct finding_printer printer = {.json = command->value[OPTION_json] != NULL};
    struct rw_findings *findings = NULL;
    bool ok = read_options(command, &options, &err);
    for (uint32_t i = 0; ok && i < command->words.len; i++)
        ok = load_rules(rules, command->words.at[i], &err);
    if (ok) {
        rw_context_on_finding(context, print_finding, &printer);
        findings = rw_lint(rules, &options, &error);
        ok = findings != NULL ? printed_findings(&printer, &err) : door_failed(&error, &err);
    }
    int status = ok ? status_of(findings) : report_error(&err);
    rw_findings_free(findings);
    rw_rules_free(rules);
    rw_context_free(context);
    return status;
}
