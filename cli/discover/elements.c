// SPDX-License-Identifier: Apache-2.0
#include "cli/discover/elements.h"
#include "cli/door.h"

#include <errno.h>
#include <stdlib.h>

enum { MOST_CONSTANTS = 64 }; // more than the library takes

struct element_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_discover_options options;
    int64_t constants[MOST_CONSTANTS];
    struct buf origin;
    struct rw_findings *findings;
};

static bool read_constants(struct element_job *job, struct err *err)
{
    const char *text = job->command->value[OPTION_constants];
    while (text != NULL && *text != 0) {
        char *end;
        errno = 0;
        long long k = strtoll(text, &end, 10);
        if (end == text || (*end != ',' && *end != 0) || errno != 0)
            return err_set(err, ERR_USAGE, "--constants: expected whole numbers, found %s", text);
        if (job->options.n_constants == MOST_CONSTANTS)
            return err_set(err, ERR_USAGE, "--constants: more than %d", MOST_CONSTANTS);
        job->constants[job->options.n_constants++] = k;
        text = end + (*end == ',');
    }
    job->options.constants = job->constants;
    return true;
}

// What the library says about its options, in words of the command line.
static bool refused(const struct element_job *job, const struct rw_error *error, struct err *err)
{
    const char *text = job->command->value[OPTION_domain];
    if (strcmp(error->file, "domains") != 0)
        return door_failed(error, err);
    err_set(err, ERR_USAGE, "--domain: %s%s%s", error->message, text ? ", found " : "",
            text ? text : "");
    if (job->options.domains == 1u << RW_FLOAT)
        err_hint(err, "rules that are found in real can be tried in float: rankwright prove");
    return false;
}

static bool read_options(struct element_job *job, struct err *err)
{
    struct command_line *command = job->command;
    struct rw_discover_options *options = &job->options;
    double size = 2, depth = 0, vars = 3, width = 0, samples = 0, seed = 0;
    if (command->words.len > 0)
        return err_set(err, ERR_USAGE, "discover: unexpected %s", command->words.at[0]);
    options->ops = command->value[OPTION_ops];
    if (options->ops == NULL)
        return err_set(err, ERR_USAGE, "discover: expected --ops NAME,..");
    if (!option_domains(command, &options->domains, err) ||
        !option_count(command, OPTION_size, 1, 20, &size, err) ||
        !option_count(command, OPTION_depth, 1, 5, &depth, err) ||
        !option_count(command, OPTION_vars, 1, 6, &vars, err) ||
        !option_count(command, OPTION_width, 2, 4, &width, err) ||
        !option_count(command, OPTION_samples, 1, 10000, &samples, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &options->seconds, err))
        return false;
    options->most = depth > 0 && !command->value[OPTION_size] ? 0 : (uint32_t)size;
    options->depth = (uint32_t)depth;
    options->variables = (uint32_t)vars;
    options->width = (uint32_t)width;
    options->samples = (uint32_t)samples;
    options->seed = (uint64_t)seed;
    return read_constants(job, err);
}

// The origin of the rules: the command that found them.
static void put_origin(struct element_job *job)
{
    const struct rw_discover_options *options = &job->options;
    struct buf *out = &job->origin;
    buf_printf(out, "discovered --ops %s --domain ", options->ops);
    for (unsigned d = 0; d <= RW_FLOAT; d++)
        if (options->domains == 1u << d)
            buf_puts(out, rw_domain_name((enum rw_domain)d));
    buf_printf(out, " --vars %u", options->variables);
    if (options->most > 0)
        buf_printf(out, " --size %u", options->most);
    if (options->depth > 0)
        buf_printf(out, " --depth %u", options->depth);
    if (options->n_constants > 0)
        buf_printf(out, " --constants %s", job->command->value[OPTION_constants]);
    if (options->width > 0)
        buf_printf(out, " --width %u", options->width);
    buf_printf(out, " --seed %llu", (unsigned long long)options->seed);
    job->options.origin = buf_text(out);
}

static bool print(const struct element_job *job, struct err *err)
{
    struct buf out = {0};
    const char *rules = rw_findings_rules(job->findings);
    const char *file = job->command->value[OPTION_output];
    if (file && !file_write(file, rules, strlen(rules), err))
        return false;
    if (job->command->value[OPTION_json]) {
        for (size_t i = 0; i < rw_findings_count(job->findings); i++)
            buf_printf(&out, "%s\n", rw_findings_at(job->findings, i)->json);
        buf_printf(&out, "%s\n", rw_findings_effort(job->findings)->json);
    } else if (!file) {
        buf_puts(&out, rules);
    }
    bool ok = print_all(&out, err);
    buf_release(&out);
    return ok;
}

static bool store(const struct element_job *job, struct err *err)
{
    struct rw_error error;
    struct rw_database *database = NULL;
    struct rw_prove_options options;
    if (!job->command->value[OPTION_db])
        return true;
    bool ok =
        proving_options(job->command, job->context, &options, err) &&
        open_database(job->command, job->context, RW_WRITE, &database, err) &&
        (rw_findings_store(job->findings, database, &options, &error) || door_failed(&error, err));
    rw_database_close(database);
    return ok;
}

int discover_elements(struct command_line *command)
{
    struct err err = {0};
    struct rw_error error;
    struct element_job job = {.command = command, .context = door_open()};
    job.options.size = sizeof job.options;
    bool ok = read_options(&job, &err);
    if (ok) {
        put_origin(&job);
        job.findings = rw_discover(job.context, &job.options, &error);
        ok = job.findings != NULL || refused(&job, &error, &err);
    }
    ok = ok && print(&job, &err) && store(&job, &err);
    int status = !ok                                         ? report_error(&err)
                 : rw_findings_effort(job.findings)->limited ? EXIT_UNKNOWN
                                                             : EXIT_YES;
    rw_findings_free(job.findings);
    buf_release(&job.origin);
    rw_context_free(job.context);
    return status;
}
