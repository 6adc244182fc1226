// SPDX-License-Identifier: Apache-2.0
// Derives rules from others, within stated limits.
#include "cli/door.h"

#include "api/database/database.h"
#include "api/discover/derivation.h"
#include "api/rules/rules.h"
#include <errno.h>
#include <sys/stat.h>

struct derive_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_rules *from, *given, *goals;
    struct derivation run;
};

static bool read_options(struct derive_job *job, struct err *err)
{
    static const char *const methods[] = {"auto", "terms", "instances"};
    struct command_line *command = job->command;
    double nodes = job->run.options.max_nodes, rounds = job->run.options.max_rounds;
    double instances = job->run.options.instances, seed = 0;
    uint32_t method = DERIVE_AUTO;
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
    if (!option_count(command, OPTION_nodes, 1, 1e8, &nodes, err) ||
        !option_count(command, OPTION_rounds, 1, 1e6, &rounds, err) ||
        !option_count(command, OPTION_instances, 1, 1000, &instances, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &job->run.options.seconds, err) ||
        !option_choice(command, OPTION_method, 3, methods, &method, err) ||
        !option_domains(command, &job->run.domains, err))
        return false;
    if (!command->value[OPTION_domain])
        job->run.domains = 0;
    job->run.options.max_nodes = (uint32_t)nodes;
    job->run.options.max_rounds = (uint32_t)rounds;
    job->run.options.instances = (uint32_t)instances;
    job->run.options.seed = (uint64_t)seed;
    job->run.options.method = (enum derive_method)method;
    job->run.options.lhs_only = command->value[OPTION_lhs] != NULL;
    job->run.options.backward = command->value[OPTION_backward] != NULL;
    job->run.proofs = command->value[OPTION_proof];
    if (job->run.proofs && mkdir(job->run.proofs, 0777) != 0 && errno != EEXIST)
        return err_set(err, ERR_IO, "%s: %s", job->run.proofs, strerror(errno));
    return true;
}

static bool load_base(struct derive_job *job, struct err *err)
{
    struct command_line *command = job->command;
    struct rw_database *database = NULL;
    if (!load_set(job->context, command->value[OPTION_from], &job->from, err) ||
        !load_set(job->context, command->value[OPTION_assume], &job->given, err) ||
        (command->value[OPTION_db] &&
         !open_database(command, job->context, RW_READ, &database, err)))
        return false;
    bool ok =
        derivation_load(&job->run, job->from ? &job->from->set : NULL,
                        job->given ? &job->given->set : NULL, database ? database->db : NULL, err);
    rw_database_close(database);
    return ok;
}

static int status_of(const struct derive_job *job)
{
    uint32_t asked = job->run.same;
    for (uint32_t i = 0; i < 4; i++)
        asked += job->run.counts[i];
    if (asked == 0 && job->command->value[OPTION_goal]) // prints nothing
        return EXIT_UNKNOWN;
    if (job->run.counts[DERIVE_LIMIT] + job->run.counts[DERIVE_UNKNOWN] > 0)
        return job->run.counts[DERIVE_NO] > 0 ? EXIT_NO : EXIT_UNKNOWN;
    return job->run.counts[DERIVE_NO] > 0 ? EXIT_NO : EXIT_YES;
}

static bool print_rows(void *user, struct buf *out, struct err *err)
{
    (void)user;
    bool ok = print_all(out, err);
    buf_clear(out);
    return ok;
}

static bool derive(struct derive_job *job, struct err *err)
{
    const struct derivation *run = &job->run;
    if (!load_base(job, err) ||
        !load_set(job->context, job->command->value[OPTION_goal], &job->goals, err))
        return false;
    if (job->command->value[OPTION_minimal])
        return derivation_minimal(&job->run, err);
    bool ok = derivation_ask(&job->run, &job->goals->set, err);
    if (ok)
        note("%u derived, %u not, %u at a limit, %u unknown, %u in the base; %u "
             "base rules, "
             "at most %u nodes, %u rounds, %g s a goal, %s",
             run->counts[DERIVE_YES], run->counts[DERIVE_NO], run->counts[DERIVE_LIMIT],
             run->counts[DERIVE_UNKNOWN], run->same, run->rule.len, run->options.max_nodes,
             run->options.max_rounds, run->options.seconds,
             run->options.lhs_only ? "from the left side" : "from both sides");
    return ok;
}

int cmd_derive(struct command_line *command)
{
    struct err err = {0};
    struct derive_job job = {.command = command,
                             .context = door_open(),
                             .run = {.options = derive_defaults(), .tell = print_rows}};
    job.run.context = job.context;
    job.run.options.try_goal = true;
    job.run.json = command->value[OPTION_json] != NULL;
    bool ok = read_options(&job, &err) && derive(&job, &err);
    int status = ok ? status_of(&job) : report_error(&err);
    derivation_release(&job.run);
    rw_rules_free(job.from);
    rw_rules_free(job.given);
    rw_rules_free(job.goals);
    rw_context_free(job.context);
    return status;
}
