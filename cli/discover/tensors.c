// SPDX-License-Identifier: Apache-2.0
// Rules about operators that move data: candidates by enumeration, each one
// proved.
#include "cli/discover/tensors.h"

#include "api/discover/tensors.h"
#include "api/proving/found.h"
#include "api/proving/proving.h"
#include "api/rules/rules.h"
#include "cli/discover/report.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_operators(const struct command_line *command, struct search_options *options,
                           struct err *err)
{
    const char *ops = command->value[OPTION_ops];
    if (ops == NULL && (command->value[OPTION_candidates] || command->value[OPTION_try]))
        return true;
    if (ops == NULL)
        return err_set(err, ERR_USAGE, "discover: expected --ops OP,..");
    return discovery_operators(ops, options, err);
}

static bool read_options(struct discover_job *job, struct err *err)
{
    struct command_line *command = job->command;
    struct search_options *options = &job->discovery.options;
    double size = 3, tensors = 3, classes = 2, seed = 0, jobs = 0;
    if (command->words.len > 0)
        return err_set(err, ERR_USAGE, "discover: unexpected %s", command->words.at[0]);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = cpus > 0 ? (double)cpus : 1;
    if (!read_operators(command, options, err) ||
        !option_count(command, OPTION_size, 1, 4, &size, err) ||
        !option_count(command, OPTION_tensors, 1, 3, &tensors, err) ||
        !option_count(command, OPTION_classes, 1, 3, &classes, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_count(command, OPTION_jobs, 1, 256, &jobs, err) ||
        !option_number(command, OPTION_seconds, 0, 1e7, &options->seconds, err))
        return false;
    if (command->value[OPTION_domain] && !option_domains(command, &options->domains, err))
        return false;
    options->size = (unsigned)size;
    options->enumerate.tensors = (unsigned)tensors;
    options->enumerate.scalars = 2;
    options->enumerate.classes = (unsigned)classes;
    options->enumerate.literals = true;
    options->seed = (uint64_t)seed;
    options->jobs = (unsigned)jobs;
    if (command->value[OPTION_from]) {
        if (!load_rules(job->known, command->value[OPTION_from], err))
            return false;
        options->known = &job->known->set;
    }
    if (command->value[OPTION_resume]) {
        if (mkdir(command->value[OPTION_resume], 0777) != 0 && errno != EEXIST)
            return err_at(err, ERR_IO, command->value[OPTION_resume], 0, 0, "%s", strerror(errno));
        buf_printf(&job->journal, "%s/journal", command->value[OPTION_resume]);
        options->journal = buf_text(&job->journal);
    }
    return true;
}

// The command that finds the rules again.
static void put_head(struct discover_job *job)
{
    const struct search_options *options = &job->discovery.options;
    if (!job->command->value[OPTION_candidates])
        buf_printf(&job->head,
                   "// Found by rankwright discover --ops %s --size %u "
                   "--tensors %u --classes %u --seed %llu\n",
                   job->command->value[OPTION_ops], options->size, options->enumerate.tensors,
                   options->enumerate.classes, (unsigned long long)options->seed);
    job->discovery.head = buf_text(&job->head);
}

// Proves the found rules again, from their text, and stores them in the
// database.
static bool store(struct discover_job *job, struct err *err)
{
    struct rw_database *database = NULL;
    struct rw_prove_options options;
    struct buf text = {0};
    if (!job->command->value[OPTION_db])
        return true;
    discovery_text(&job->discovery, &job->discovery.found, &text);
    bool ok = proving_options(job->command, job->context, &options, err) &&
              open_database(job->command, job->context, RW_WRITE, &database, err) &&
              found_store(database, &text, "discovered.rw", &options, err);
    rw_database_close(database);
    buf_release(&text);
    return ok;
}

static int run_trials(struct discover_job *job, struct err *err)
{
    const struct search_options *options = &job->discovery.options;
    struct trials trials = {.rules = &job->set->set,
                            .instances = 10000,
                            .domains = options->domains,
                            .jobs = options->jobs,
                            .seed = options->seed};
    bool ok = option_count(job->command, OPTION_instances, 1, 1e7, &trials.instances, err) &&
              load_rules(job->set, job->command->value[OPTION_try], err) &&
              trials_run(&trials, err) && print_all(&trials.out, err);
    if (ok)
        note("%u rules, %llu instances: %u broken, %u not tried, %llu with "
             "fewer instances than asked for",
             trials.rules->rules.len, (unsigned long long)trials.run, trials.broken, trials.lost,
             (unsigned long long)trials.few);
    buf_release(&trials.out);
    return !ok                            ? report_error(err)
           : trials.broken                ? EXIT_NO
           : trials.lost + trials.few > 0 ? EXIT_UNKNOWN
                                          : EXIT_YES;
}

static bool judge_candidates(struct discover_job *job, struct err *err)
{
    struct rw_rules *given = rw_rules_new(job->context);
    bool ok = load_rules(given, job->command->value[OPTION_candidates], err) &&
              search_judge(&job->discovery.options, &given->set, &job->set->set,
                           &job->discovery.found, &job->discovery.progress, err);
    rw_rules_free(given);
    return ok;
}

static int discover(struct discover_job *job)
{
    struct err err = {0};
    struct discovery *discovery = &job->discovery;
    if (!read_options(job, &err))
        return report_error(&err);
    put_head(job);
    if (job->command->value[OPTION_try])
        return run_trials(job, &err);
    bool ok = (job->command->value[OPTION_candidates]
                   ? judge_candidates(job, &err)
                   : search_rules(&discovery->options, &job->set->set, &discovery->found,
                                  &discovery->progress, &err)) &&
              write_rules(job, &err) && (proving_signal() || store(job, &err)) &&
              report_search(job, &err);
    return !ok                                                      ? report_error(&err)
           : discovery->found.ended || discovery->progress.lost > 0 ? EXIT_UNKNOWN
                                                                    : EXIT_YES;
}

int discover_tensors(struct command_line *command)
{
    struct discover_job job = {.command = command, .context = door_open()};
    job.set = rw_rules_new(job.context);
    job.known = rw_rules_new(job.context);
    job.terminal = isatty(STDERR_FILENO) == 1;
    job.discovery.options.progress = show_search;
    job.discovery.options.kept = save_rules;
    job.discovery.options.ctx = &job;
    int status = discover(&job);
    found_rules_release(&job.discovery.found);
    rw_rules_free(job.set);
    rw_rules_free(job.known);
    buf_release(&job.journal);
    buf_release(&job.head);
    rw_context_free(job.context);
    return status;
}
