// SPDX-License-Identifier: Apache-2.0
// Derives rules from others, within stated limits.
#include "cli/findings.h"

#include <errno.h>
#include <sys/stat.h>

struct derive_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_rules *from, *assumed, *goals;
    struct rw_database *database;
    struct rw_derive_options options;
};

static bool check_words(const struct command_line *command, struct err *err)
{
    if (command->words.len > 0)
        return err_set(err, ERR_USAGE, "derive: unexpected %s", command->words.at[0]);
    if (!command->value[OPTION_from] && !command->value[OPTION_assume])
        return err_set(err, ERR_USAGE, "derive: expected --from BASE");
    if (!command->value[OPTION_goal] && !command->value[OPTION_minimal])
        return err_set(err, ERR_USAGE, "derive: expected --goal RULES or --minimal");
    if (command->value[OPTION_goal] && command->value[OPTION_minimal])
        return err_set(err, ERR_USAGE, "derive: --goal and --minimal exclude each other");
    if (command->value[OPTION_lhs] && command->value[OPTION_both])
        return err_set(err, ERR_USAGE, "derive: --lhs and --both exclude each other");
    return true;
}

static bool read_options(struct derive_job *job, struct err *err)
{
    static const char *const methods[] = {"auto", "terms", "instances"}; // of enum rw_derive_method
    struct command_line *command = job->command;
    struct rw_derive_options *options = &job->options;
    double nodes = 0, rounds = 0, instances = 0, seed = 0;
    uint32_t method = RW_DERIVE_AUTO;
    if (!check_words(command, err) || !option_count(command, OPTION_nodes, 1, 1e8, &nodes, err) ||
        !option_count(command, OPTION_rounds, 1, 1e6, &rounds, err) ||
        !option_count(command, OPTION_instances, 1, 1000, &instances, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &options->seconds, err) ||
        !option_choice(command, OPTION_method, 3, methods, &method, err) ||
        !option_domains(command, &options->domains, err))
        return false;
    if (!command->value[OPTION_domain])
        options->domains = 0;
    options->nodes = (uint32_t)nodes;
    options->rounds = (uint32_t)rounds;
    options->instances = (uint32_t)instances;
    options->seed = (uint64_t)seed;
    options->method = (enum rw_derive_method)method;
    options->left_only = command->value[OPTION_lhs] != NULL;
    options->backward = command->value[OPTION_backward] != NULL;
    options->records = command->value[OPTION_proof] != NULL;
    if (options->records && mkdir(command->value[OPTION_proof], 0777) != 0 && errno != EEXIST)
        return err_at(err, ERR_IO, command->value[OPTION_proof], 0, 0, "%s", strerror(errno));
    return true;
}

static bool load(struct derive_job *job, struct err *err)
{
    struct command_line *command = job->command;
    bool ok = load_set(job->context, command->value[OPTION_from], &job->from, err) &&
              load_set(job->context, command->value[OPTION_assume], &job->assumed, err) &&
              (!command->value[OPTION_db] ||
               open_database(command, job->context, RW_READ, &job->database, err)) &&
              load_set(job->context, command->value[OPTION_goal], &job->goals, err);
    job->options.from = job->from;
    job->options.assumed = job->assumed;
    job->options.database = job->database;
    return ok;
}

// All goals that were asked must be derived.
static int status_of(const struct rw_findings *findings, bool minimal)
{
    size_t no = findings_of_kind(findings, "not derived");
    size_t open = findings_of_kind(findings, "limit") + findings_of_kind(findings, "unknown");
    if (no > 0)
        return EXIT_NO;
    if (rw_findings_effort(findings)->ended || open > 0)
        return EXIT_UNKNOWN;
    return rw_findings_count(findings) == 0 && !minimal ? EXIT_UNKNOWN : EXIT_YES;
}

int cmd_derive(struct command_line *command)
{
    struct err err = {0};
    struct rw_error error;
    struct derive_job job = {.command = command, .context = door_open()};
    struct finding_printer printer = {.json = command->value[OPTION_json] != NULL,
                                      .records = command->value[OPTION_proof]};
    struct rw_findings *findings = NULL;
    job.options.size = sizeof job.options;
    bool ok = read_options(&job, &err) && load(&job, &err);
    if (ok) {
        rw_context_on_finding(job.context, print_finding, &printer);
        findings = command->value[OPTION_minimal]
                       ? rw_derive_minimal(job.context, &job.options, &error)
                       : rw_derive(job.goals, &job.options, &error);
        ok = findings != NULL ? printed_findings(&printer, &err) : door_failed(&error, &err);
    }
    int status =
        ok ? status_of(findings, command->value[OPTION_minimal] != NULL) : report_error(&err);
    rw_findings_free(findings);
    rw_rules_free(job.from);
    rw_rules_free(job.assumed);
    rw_rules_free(job.goals);
    rw_database_close(job.database);
    rw_context_free(job.context);
    return status;
}
