// SPDX-License-Identifier: Apache-2.0
// Rules from examples.
#include "cli/door.h"

#include <errno.h>
#include <sys/stat.h>

#define MAX_PROGRAM_BYTES ((size_t)1 << 26)

struct learn_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_program *before, *after, *also[2];
    char *functions; // "before" and, behind its end, "after"
    struct rw_learned *learned;
    struct buf out;
};

static struct rw_program *read_program(struct rw_context *context, const char *path,
                                       struct err *err)
{
    struct buf text = {0};
    struct rw_error error = {0};
    struct rw_program *program = NULL;
    if (file_read_text(path, MAX_PROGRAM_BYTES, &text, err)) {
        program = rw_program_read(context, buf_text(&text), text.len, path, &error);
        if (program == NULL)
            door_failed(&error, err);
    }
    buf_release(&text);
    return program;
}

static bool read_options(struct learn_job *job, struct rw_learn_options *options, struct err *err)
{
    double seed = 1;
    const char *functions = job->command->value[OPTION_functions];
    uint32_t words = job->command->words.len;
    bool also = job->command->value[OPTION_also] != NULL;
    if (words < 1 || words > 2u + also)
        return err_set(err, ERR_USAGE, "learn: expected two programs, or one with two functions");
    if (!option_count(job->command, OPTION_seed, 0, 9007199254740992.0, &seed, err))
        return false;
    *options = (struct rw_learn_options){.size = sizeof *options, .seed = (uint64_t)seed};
    if (functions == NULL)
        return true;
    size_t n = strcspn(functions, ",");
    if (n == 0 || functions[n] == '\0' || functions[n + 1] == '\0' ||
        strchr(functions + n + 1, ',') != NULL)
        return option_refuse(OPTION_functions, "expected two names: BEFORE,AFTER", err);
    job->functions = mem_alloc(strlen(functions) + 1);
    memcpy(job->functions, functions, strlen(functions) + 1);
    job->functions[n] = '\0';
    options->before = job->functions;
    options->after = job->functions + n + 1;
    return true;
}

// The second pair: the value of --also, and the third word, if there is one.
static bool read_also(struct learn_job *job, struct rw_learn_options *options, struct err *err)
{
    const char *path = job->command->value[OPTION_also];
    if (path == NULL)
        return true;
    job->also[0] = read_program(job->context, path, err);
    if (job->also[0] != NULL && job->command->words.len > 2) {
        job->also[1] = read_program(job->context, job->command->words.at[2], err);
        if (job->also[1] == NULL)
            return false;
    }
    options->also_before = job->also[0];
    options->also_after = job->also[1] != NULL ? job->also[1] : job->also[0];
    return job->also[0] != NULL;
}

// NULL: none is asked for.
static bool make_folder(const char *folder, struct err *err)
{
    return folder == NULL || mkdir(folder, 0777) == 0 || errno == EEXIST ||
           err_at(err, ERR_IO, folder, 0, 0, "cannot make the folder: %s", strerror(errno));
}

static bool learn(struct learn_job *job, struct err *err)
{
    struct rw_learn_options options;
    struct rw_error error = {0};
    const char *path = job->command->value[OPTION_output];
    if (!read_options(job, &options, err) || (path != NULL && !file_may_write(path, err)) ||
        !make_folder(job->command->value[OPTION_counterexamples], err))
        return false;
    job->before = read_program(job->context, job->command->words.at[0], err);
    if (job->before != NULL && job->command->words.len > 1)
        job->after = read_program(job->context, job->command->words.at[1], err);
    else if (job->before != NULL && options.before == NULL)
        options.two_of_one = true;
    if (job->before == NULL || (job->after == NULL && job->command->words.len > 1) ||
        !read_also(job, &options, err))
        return false;
    job->learned = rw_learn(job->context, job->before, job->after ? job->after : job->before,
                            &options, &error);
    return job->learned != NULL || door_failed(&error, err);
}

// What the database knows of the rule.
static bool put_known(struct learn_job *job, struct err *err)
{
    const struct rw_learn_answer *answer = rw_learned_answer(job->learned);
    struct rw_database *database = NULL;
    struct rw_error error = {0};
    struct rw_rules *rules = NULL;
    struct err none = {0};
    struct buf path = {0};
    bool asked = job->command->value[OPTION_db] != NULL;
    if (answer->rule == NULL || (!asked && !library_database(&path))) {
        buf_release(&path);
        return true;
    }
    // Without a database that fits, nothing is said of one.
    bool ok = open_database(job->command, job->context, RW_READ, &database, asked ? err : &none);
    if (!ok && !asked) {
        buf_release(&path);
        return true;
    }
    rules = rw_rules_new(job->context);
    ok = ok && (rw_rules_parse(rules, answer->rule, strlen(answer->rule), "the rule", &error) ||
                door_failed(&error, err));
    struct rw_knowledge *known = ok ? rw_query_known(database, NULL, rules, &error) : NULL;
    ok = ok && (known != NULL || door_failed(&error, err));
    for (size_t i = 0; ok && i < rw_knowledge_count(known); i++) {
        const struct rw_known *one = rw_knowledge_at(known, i);
        if (one->novelty == RW_NOVELTY_NEW || one->novelty == RW_NOVELTY_UNKNOWN)
            continue;
        buf_puts(&job->out, one->novelty == RW_NOVELTY_SAME ? "\nThe database has this rule:"
                            : one->novelty == RW_NOVELTY_REVERSED
                                ? "\nThe database has this rule from right to left:"
                            : one->n_by > 0 ? "\nIt follows from rules of the database:"
                                            : "\nIt needs no rule: both sides are the same once "
                                              "constants are folded");
        for (size_t k = 0; k < one->n_by; k++)
            buf_printf(&job->out, "%s %s", k ? "," : "", one->by[k]);
        buf_puts(&job->out, ".\n");
    }
    rw_knowledge_free(known);
    rw_rules_free(rules);
    rw_database_close(database);
    buf_release(&path);
    return ok;
}

static bool write_case(const char *folder, const char *name, const char *text, struct err *err)
{
    struct buf path = {0};
    buf_printf(&path, "%s/%s.mlir", folder, name);
    bool ok = file_write(buf_text(&path), text, strlen(text), err);
    buf_release(&path);
    return ok;
}

// Programs that run: where the pair differs, and where the rule is false.
static bool put_cases(struct learn_job *job, struct err *err)
{
    const char *folder = job->command->value[OPTION_counterexamples];
    bool json = job->command->value[OPTION_json] != NULL;
    if (folder == NULL)
        return true;
    const char *own = rw_learned_module(job->learned);
    size_t n = rw_learned_case_count(job->learned);
    bool ok = true;
    if (own[0])
        ok = write_case(folder, "pair", own, err);
    if (ok && !json && (n > 0 || own[0]))
        buf_printf(&job->out, "\nPrograms that differ, in %s:\n", folder);
    if (ok && !json && own[0])
        buf_puts(&job->out, "  pair.mlir: the programs themselves\n");
    for (size_t i = 0; ok && i < n; i++) {
        const struct rw_learn_case *one = rw_learned_case(job->learned, i);
        bool needs = strncmp(one->name, "needs", 5) == 0;
        if (one->module != NULL)
            ok = write_case(folder, one->name, one->module, err);
        if (!json)
            buf_printf(&job->out, "  %s%s: %s %s%s%s\n", one->name,
                       one->module ? ".mlir" : " (no program)", needs ? "without" : "in domain",
                       one->what, one->module ? "" : "; ", one->why);
    }
    return ok;
}

static bool answer(struct learn_job *job, struct err *err)
{
    const struct rw_learn_answer *found = rw_learned_answer(job->learned);
    const char *path = job->command->value[OPTION_output];
    bool json = job->command->value[OPTION_json] != NULL;
    put_line(json ? rw_learned_json(job->learned) : rw_learned_describe(job->learned), &job->out);
    if (!json && !put_known(job, err))
        return false;
    if (!put_cases(job, err))
        return false;
    if (path != NULL && found->rule != NULL &&
        !file_write(path, found->rule, strlen(found->rule), err))
        return false;
    return print_all(&job->out, err);
}

int cmd_learn(struct command_line *command)
{
    static const int status[] = {[RW_LEARN_RULE] = EXIT_YES,
                                 [RW_LEARN_LAYOUT] = EXIT_YES,
                                 [RW_LEARN_UNKNOWN] = EXIT_UNKNOWN,
                                 [RW_LEARN_DIFFERENT] = EXIT_NO};
    struct err err = {0};
    struct learn_job job = {.command = command, .context = door_open()};
    bool ok = learn(&job, &err) && answer(&job, &err);
    int result = ok ? status[rw_learned_answer(job.learned)->word] : report_error(&err);
    rw_learned_free(job.learned);
    rw_program_free(job.before);
    rw_program_free(job.after);
    rw_program_free(job.also[0]);
    rw_program_free(job.also[1]);
    rw_context_free(job.context);
    mem_free(job.functions);
    buf_release(&job.out);
    return result;
}
