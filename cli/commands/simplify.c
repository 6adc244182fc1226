// SPDX-License-Identifier: Apache-2.0
// Simplifies a program; cli/commands/simplify_formula.c has formulas.
#include "cli/door.h"
#include "cli/commands/egraph_files.h"
#include "cli/commands/missed.h"
#include "cli/commands/simplify_formula.h"

#include "base/clock.h"
#include "base/memory/vec.h"

#define MAX_PROGRAM_BYTES ((size_t)1 << 30)

struct simplify_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_simplify_options options;
    double picture_nodes, verify, limit;
    struct rw_database *database;
    struct rw_program *program;
    struct rw_rules *only, *assumed;
    struct rw_rewriter *rewriter;
    struct rw_result *result;
};

static bool read_choices(struct simplify_job *job, struct err *err)
{
    static const char *const domains[] = {"float", "float-sums", "real"};
    static const char *const methods[] = {"tree", "dag", "exact"};
    static const enum rw_extract_method extract[] = {RW_EXTRACT_TREE, RW_EXTRACT_DAG,
                                                     RW_EXTRACT_EXACT};
    static const char *const schedulers[] = {"backoff", "simple"};
    uint32_t domain = 0, method = 1, scheduler = 0;
    if (!option_choice(job->command, OPTION_domain, 3, domains, &domain, err) ||
        !option_choice(job->command, OPTION_extract, 3, methods, &method, err) ||
        !option_choice(job->command, OPTION_scheduler, 2, schedulers, &scheduler, err))
        return false;
    job->options.reading = (enum rw_reading)domain;
    job->options.extract = extract[method];
    job->options.scheduler = (enum rw_scheduler)scheduler;
    return true;
}

static bool read_cost(struct simplify_job *job, struct err *err)
{
    const char *name = job->options.cost = job->command->value[OPTION_cost];
    const char *const *models = rw_cost_models();
    uint32_t cost = 0, n_models = 0;
    while (models[n_models])
        n_models++;
    if ((name != NULL && rw_cost_is_file(name)) ||
        option_choice(job->command, OPTION_cost, n_models, models, &cost, err))
        return true;
    return err_hint(err, "the name of a file of costs has a point or a slash: ./NAME");
}

static bool read_options(struct simplify_job *job, struct err *err)
{
    struct command_line *command = job->command;
    if (command->words.len != 1)
        return err_set(err, ERR_USAGE, "simplify: expected one program");
    if (!read_choices(job, err) || !read_cost(job, err) ||
        !limit_count(command, OPTION_nodes, job->context, "nodes", (struct option_range){1, 4e9},
                     err) ||
        !limit_number(command, OPTION_seconds, job->context, "seconds",
                      (struct option_range){0, 1e6}, err) ||
        !limit_count(command, OPTION_iterations, job->context, "rounds",
                     (struct option_range){1, 1e9}, err) ||
        !option_count(command, OPTION_picture_nodes, 1, 1e6, &job->picture_nodes, err) ||
        !option_count(command, OPTION_verify, 0, 1e6, &job->verify, err) ||
        !option_count(command, OPTION_limit, 0, 1e9, &job->limit, err))
        return false;
    const char *dump = command->value[OPTION_dump_egraph];
    if (dump && !names_egraph_format(dump))
        return err_set(err, ERR_USAGE,
                       "--dump-egraph: expected a file name that ends with .json, .dot or .svg, or "
                       "without an ending, found %s",
                       dump);
    job->options.verify = (uint32_t)job->verify;
    job->options.size = sizeof job->options;
    job->options.keep_attributes = command->value[OPTION_keep_attributes];
    return true;
}

// Before the search, so that the record is about the program in the result's format.
static bool convert_input(struct simplify_job *job, struct err *err)
{
    static const char *const names[] = {"stablehlo", "hlo"};
    static const enum rw_program_format formats[] = {RW_PROGRAM_STABLEHLO, RW_PROGRAM_HLO};
    struct rw_error error;
    uint32_t format = 0;
    if (job->command->value[OPTION_format] == NULL)
        return true;
    return option_choice(job->command, OPTION_format, 2, names, &format, err) &&
           (rw_program_convert(job->program, formats[format], &error) || door_failed(&error, err));
}

static bool read_input(struct simplify_job *job, struct err *err)
{
    const char *path = job->command->words.at[0];
    struct buf text = {0};
    struct rw_error error;
    bool ok = file_read(path, MAX_PROGRAM_BYTES, &text, err);
    if (ok) {
        job->program = rw_program_read(job->context, buf_text(&text), text.len, path, &error);
        ok = job->program != NULL || door_failed(&error, err);
        if (ok && rw_program_remark(job->program) != NULL)
            note("%s: %s", path, rw_program_remark(job->program));
    }
    buf_release(&text);
    return ok && convert_input(job, err);
}

// Before the database, since proving the library takes minutes.
static bool read_files(struct simplify_job *job, struct err *err)
{
    return read_input(job, err) &&
           load_set(job->context, job->command->value[OPTION_rules], &job->only, err) &&
           load_set(job->context, job->command->value[OPTION_assume], &job->assumed, err);
}

static bool simplify(struct simplify_job *job, struct err *err)
{
    struct rw_error error;
    job->rewriter = rw_rewriter_new(job->database, job->only, job->assumed);
    job->result = rw_simplify_program(job->rewriter, job->program, &job->options, &error);
    return job->result != NULL || door_failed(&error, err);
}

// Writes the engine's e-graph, with all results as roots.
static bool dump_egraph(struct simplify_job *job, struct err *err)
{
    const char *path = job->command->value[OPTION_dump_egraph];
    struct rw_error error;
    if (!path)
        return true;
    struct rw_egraph *egraph = rw_result_egraph(job->result, &error);
    bool ok = egraph ? write_egraph(path, egraph, (uint32_t)job->picture_nodes, err)
                     : door_failed(&error, err);
    rw_egraph_free(egraph);
    return ok;
}

bool write_record(const struct command_line *command, struct rw_result *result,
                  struct rw_database *database, struct err *err)
{
    struct rw_error error;
    size_t size;
    const char *path = command->value[OPTION_proof];
    if (!path)
        return true;
    const char *record = rw_result_record(result, &size, &error);
    if (record == NULL)
        return door_failed(&error, err);
    return file_write(path, record, size, err) &&
           (rw_result_store(result, database, &error) || door_failed(&error, err));
}

bool write_page(const struct command_line *command, struct rw_context *context,
                struct rw_result *result, struct rw_database *database, struct err *err)
{
    struct rw_error error;
    struct buf remark = {0};
    const struct rw_summary *summary = rw_result_summary(result);
    const char *path = command->value[OPTION_html];
    const char *title =
        command->value[OPTION_formula] ? "A simplified formula" : command->words.at[0];
    size_t size;
    if (path == NULL)
        return true;
    if (formula_wanted(command))
        buf_printf(&remark,
                   "The search looked at %llu operators in %u rounds, and found nothing that costs "
                   "less to read.",
                   (unsigned long long)summary->nodes, summary->rounds);
    else
        buf_printf(&remark, "%llu nodes, %u rounds, stopped: %s",
                   (unsigned long long)summary->nodes, summary->rounds, summary->stop);
    const char *text = rw_result_record(result, &size, &error);
    struct rw_record *record = text ? rw_record_read(context, text, size, "record", &error) : NULL;
    char *page = record ? rw_record_html(record, database, title, buf_text(&remark), &error) : NULL;
    bool ok = page ? file_write(path, page, strlen(page), err) : door_failed(&error, err);
    rw_free(page);
    rw_record_free(record);
    buf_release(&remark);
    return ok;
}

static void print_stats(const struct simplify_job *job)
{
    if (!job->command->value[OPTION_stats])
        return;
    char *text = rw_result_describe(job->result);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (end[1] == '\0')
            tell("%s, peak memory %.1f MB", line, (double)memory_peak() / 1e6);
        else
            tell("%s", line);
    }
    rw_free(text);
}

// Only where someone asks: the result is read again, and all rules with it.
static bool put_missed(struct simplify_job *job, struct buf *out, struct err *err)
{
    struct missed_question question = {.command = job->command,
                                       .context = job->context,
                                       .database = job->database,
                                       .result = job->result,
                                       .reading = job->options.reading,
                                       .limit = (size_t)job->limit};
    return missed_answer(&question, out, err);
}

static bool summary(struct simplify_job *job, struct err *err)
{
    struct buf missed = {0};
    bool ok = put_missed(job, &missed, err);
    const struct rw_summary *summary = rw_result_summary(job->result);
    if (!job->command->value[OPTION_json]) {
        note("%s: cost (%s) %g -> %g, %u rule uses, %llu nodes, %u rounds, "
             "stopped: %s, %.2f s",
             job->command->words.at[0], summary->cost, summary->cost_before, summary->cost_after,
             summary->steps, (unsigned long long)summary->nodes, summary->rounds, summary->stop,
             summary->seconds);
        if (summary->verified != NULL)
            note("%s: %s", job->command->words.at[0], summary->verified);
        ok = ok && missed_print(job->command, &missed, err);
        buf_release(&missed);
        return ok;
    }
    struct buf out = {0};
    put_line(rw_result_json(job->result), &out);
    buf_write(&out, buf_text(&missed), missed.len);
    ok = ok && print_all(&out, err);
    buf_release(&missed);
    buf_release(&out);
    return ok;
}

static bool write_output(struct simplify_job *job, struct err *err)
{
    const char *path = job->command->value[OPTION_output];
    bool quiet = job->command->value[OPTION_json] && !path;
    size_t size;
    const char *text = rw_result_text(job->result, &size);
    if (!write_record(job->command, job->result, job->database, err) ||
        !write_page(job->command, job->context, job->result, job->database, err) ||
        (!quiet && !file_write(path ? path : "-", text, size, err)))
        return false;
    print_stats(job);
    return summary(job, err);
}

int cmd_simplify(struct command_line *command)
{
    if (formula_wanted(command))
        return formula_simplify(command);
    struct err err = {0};
    struct simplify_job job = {
        .command = command, .context = door_open(), .picture_nodes = 200, .limit = 20};
    bool ok = read_options(&job, &err) && read_files(&job, &err) &&
              open_proved_library(command, job.context, &job.database, &err) &&
              simplify(&job, &err) && dump_egraph(&job, &err) && write_output(&job, &err);
    int status = !ok                                       ? report_error(&err)
                 : rw_result_summary(job.result)->complete ? EXIT_YES
                                                           : EXIT_UNKNOWN;
    rw_result_free(job.result);
    rw_rewriter_free(job.rewriter);
    rw_rules_free(job.only);
    rw_rules_free(job.assumed);
    rw_program_free(job.program);
    rw_database_close(job.database);
    rw_context_free(job.context);
    return status;
}
