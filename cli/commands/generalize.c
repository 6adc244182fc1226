// SPDX-License-Identifier: Apache-2.0
// Wider rules from proved ones, true rules from false ones.
#include "cli/door.h"

#include "api/proving/found.h"
#include "api/rules/rules.h"
#include "api/discover/widening.h"

struct generalize_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_rules *given;
    struct widening_run run;
};

static bool read_options(struct generalize_job *job, struct err *err)
{
    double seed = 1;
    if (job->command->words.len == 0)
        return err_set(err, ERR_USAGE, "generalize: expected a rule or a file");
    if (!option_count(job->command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(job->command, OPTION_seconds, 0, 1e6, &job->run.seconds, err))
        return false;
    job->run.seed = (uint64_t)seed;
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
        ok = (library_path(&path) || err_set(err, ERR_IO, "the rule library was not found")) &&
             load_rules(job->given, buf_text(&path), err);
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
    struct rw_database *database = NULL;
    struct rw_prove_options options;
    const struct buf *rules = &job->run.rules;
    const char *path = job->command->value[OPTION_output];
    if (path && !file_write(path, buf_text(rules), rules->len, err))
        return false;
    if (!job->command->value[OPTION_db])
        return true;
    bool ok = proving_options(job->command, job->context, &options, err) &&
              open_database(job->command, job->context, RW_WRITE, &database, err) &&
              found_store(database, rules, "generalized.rw", &options, err);
    rw_database_close(database);
    return ok;
}

// Works on all rules, one by one.  *all: each rule was proved or repaired.
static bool run(struct generalize_job *job, bool *all, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < job->given->set.rules.len; i++) {
        struct err one = {0};
        const struct rule *rule = job->given->set.rules.at[i];
        if (job->command->value[OPTION_repair]) {
            *all = widening_repair(&job->run, rule) && *all;
        } else if (!widening_generalize(&job->run, rule, &one)) {
            if (job->run.json)
                widening_refused_json(&job->run, rule, one.msg);
            note("%s", one.msg);
            *all = false;
        }
        ok = print_all(&job->run.out, err);
        buf_clear(&job->run.out);
    }
    return ok && store(job, err);
}

static void note_stats(const struct generalize_job *job)
{
    const struct widening_run *widening = &job->run;
    if (job->command->value[OPTION_stats])
        tell("%u variants, %u proofs, %llu instances; %.1f s of proofs", widening->learner.n_rules,
             widening->learner.n_proofs, (unsigned long long)widening->learner.n_instances,
             widening->learner.proof_seconds);
    if (job->command->value[OPTION_repair])
        note("%u rules, %u repaired; %.1f s", widening->n_rules, widening->n_wider,
             widening->spent);
    else if (!widening->json)
        note("%u of %u rules changed in %.1f s", widening->n_wider, widening->n_rules,
             widening->spent);
}

int cmd_generalize(struct command_line *command)
{
    struct err err = {0};
    struct generalize_job job = {.command = command, .context = door_open()};
    bool all = true;
    job.given = rw_rules_new(job.context);
    job.run.json = command->value[OPTION_json] != NULL;
    bool ok = read_options(&job, &err) && load(&job, &err);
    learner_init(&job.run.learner, job.run.seed);
    ok = ok && run(&job, &all, &err);
    if (ok)
        note_stats(&job);
    learner_release(&job.run.learner);
    rw_rules_free(job.given);
    rw_context_free(job.context);
    buf_release(&job.run.out);
    buf_release(&job.run.rules);
    return !ok ? report_error(&err) : all ? EXIT_YES : EXIT_NO;
}
