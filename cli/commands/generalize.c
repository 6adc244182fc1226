// SPDX-License-Identifier: Apache-2.0
// Wider rules from proved ones, true rules from false ones.
#include "cli/findings.h"
#include "cli/library.h"

#include "api/rules/rules.h"

struct generalize_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_rules *given;
    struct rw_widen_options options;
    struct rw_findings *findings;
};

static bool read_options(struct generalize_job *job, struct err *err)
{
    double seed = 1;
    if (job->command->words.len == 0)
        return err_set(err, ERR_USAGE, "generalize: expected a rule or a file");
    if (!option_count(job->command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(job->command, OPTION_seconds, 0, 1e6, &job->options.seconds, err))
        return false;
    job->options.seed = (uint64_t)seed;
    return true;
}

static bool is_file(const char *word)
{
    size_t n = strlen(word);
    return (n > 3 && strcmp(word + n - 3, ".rw") == 0) || strchr(word, '/') != NULL;
}

// The words: files, or names of rules of the library.
static bool load(struct generalize_job *job, struct err *err)
{
    const char *only = job->command->value[OPTION_rule];
    struct buf path = {0};
    bool ok = true, library = false, files = false;
    uint32_t kept = 0;
    for (uint32_t i = 0; ok && i < job->command->words.len; i++) {
        if (is_file(job->command->words.at[i]))
            files = true, ok = load_rules(job->given, job->command->words.at[i], err);
        else
            library = true;
    }
    uint32_t from = job->given->set.rules.len;
    if (ok && only && !files)
        ok = err_set(err, ERR_USAGE, "--rule: chooses among the rules of files");
    if (ok && library)
        ok = find_library(&path, err) && load_rules(job->given, buf_text(&path), err);
    for (uint32_t i = 0; ok && i < job->given->set.rules.len; i++) {
        struct rule *rule = job->given->set.rules.at[i];
        bool wanted = i < from && (!only || strcmp(rule->name, only) == 0);
        for (uint32_t k = 0; i >= from && k < job->command->words.len; k++)
            wanted = wanted || strcmp(rule->name, job->command->words.at[k]) == 0;
        if (wanted && !rule_defines(rule))
            job->given->set.rules.at[kept++] = rule;
    }
    job->given->set.rules.len = kept;
    buf_release(&path);
    for (uint32_t k = 0; ok && k < job->command->words.len; k++) {
        bool there = is_file(job->command->words.at[k]);
        for (uint32_t i = 0; i < kept && !there; i++)
            there = strcmp(job->given->set.rules.at[i]->name, job->command->words.at[k]) == 0;
        ok = there || err_set(err, ERR_INPUT, "no such rule: %s", job->command->words.at[k]);
    }
    return ok && (kept > 0 || err_set(err, ERR_INPUT, "no such rule: %s",
                                      only ? only : job->command->words.at[0]));
}

static bool store(struct generalize_job *job, struct err *err)
{
    struct rw_error error;
    struct rw_database *database = NULL;
    struct rw_prove_options options;
    const char *rules = rw_findings_rules(job->findings);
    const char *path = job->command->value[OPTION_output];
    if (path && !file_write(path, rules, strlen(rules), err))
        return false;
    if (!job->command->value[OPTION_db])
        return true;
    bool ok =
        proving_options(job->command, job->context, &options, err) &&
        open_database(job->command, job->context, RW_WRITE, &database, err) &&
        (rw_findings_store(job->findings, database, &options, &error) || door_failed(&error, err));
    rw_database_close(database);
    return ok;
}

// A rule that is not proved is a note.
static bool show(void *user, const struct rw_finding *finding)
{
    struct finding_printer *printer = user;
    if (printer->json || strcmp(finding->kind, "refused") != 0)
        return print_finding(user, finding);
    note("%.*s", (int)strcspn(finding->text, "\n"), finding->text);
    return true;
}

static bool run(struct generalize_job *job, struct err *err)
{
    struct rw_error error;
    struct finding_printer printer = {.json = job->command->value[OPTION_json] != NULL};
    rw_context_on_finding(job->context, show, &printer);
    job->findings = job->command->value[OPTION_repair]
                        ? rw_repair(job->given, &job->options, &error)
                        : rw_generalize(job->given, &job->options, &error);
    if (job->findings == NULL)
        return door_failed(&error, err);
    return printed_findings(&printer, err) && store(job, err);
}

static void note_stats(const struct generalize_job *job)
{
    const struct rw_effort *effort = rw_findings_effort(job->findings);
    if (job->command->value[OPTION_stats])
        tell("%u variants, %u proofs, %llu instances; %.1f s of proofs", effort->candidates,
             effort->proofs, (unsigned long long)effort->instances, effort->proof_seconds);
}

// Was each rule proved or repaired?
static int status_of(const struct rw_findings *findings)
{
    size_t not = findings_of_kind(findings, "refused") + findings_of_kind(findings, "open");
    return not > 0 ? EXIT_NO : rw_findings_effort(findings)->ended ? EXIT_UNKNOWN : EXIT_YES;
}

int cmd_generalize(struct command_line *command)
{
    struct err err = {0};
    struct generalize_job job = {.command = command, .context = door_open()};
    job.options.size = sizeof job.options;
    job.given = rw_rules_new(job.context);
    bool ok = read_options(&job, &err) && load(&job, &err) && run(&job, &err);
    if (ok)
        note_stats(&job);
    int status = ok ? status_of(job.findings) : report_error(&err);
    rw_findings_free(job.findings);
    rw_rules_free(job.given);
    rw_context_free(job.context);
    return status;
}
