// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/egraph_files.h"

#include "base/memory/vec.h"
#include <math.h>

#define MAX_EGRAPH_BYTES ((size_t)1 << 32)

enum method { METHOD_TREE, METHOD_DAG, METHOD_EXACT, N_METHODS };
static const char *const method_name[] = {"tree", "dag", "exact"};
static const enum rw_extract_method method_of[] = {RW_EXTRACT_TREE, RW_EXTRACT_DAG,
                                                   RW_EXTRACT_EXACT};

struct extract_job {
    struct command_line *command;
    struct rw_context *context;
    uint32_t method;
    double picture_nodes;
    uint32_t done; // files with a result
    bool unproved; // some answer is only the best one within the time
};

static void put_number(struct buf *out, double number)
{
    if (isfinite(number))
        buf_double(out, number);
    else
        buf_puts(out, "null");
}

static void report(struct extract_job *job, const char *file, const struct rw_egraph *egraph,
                   const struct rw_extraction *found, struct buf *out)
{
    if (job->command->value[OPTION_json]) {
        put_line(rw_extraction_json(egraph), out);
        return;
    }
    buf_printf(out, "%sfile %s\nmethod %s\ntree_cost ", job->done ? "\n" : "", file,
               method_name[job->method]);
    put_number(out, found->tree_cost);
    buf_puts(out, "\ndag_cost ");
    put_number(out, found->dag_cost);
    buf_printf(out, "\nseconds %.6f\noptimal %s\n", found->seconds, found->optimal ? "yes" : "no");
}

static bool write_files(struct extract_job *job, const struct rw_egraph *egraph, struct err *err)
{
    const char *to = job->command->value[OPTION_output];
    const char *picture = job->command->value[OPTION_picture];
    bool ok = true;
    if (to) {
        char *text = rw_egraph_json(egraph, true);
        ok = file_write(to, text, strlen(text), err);
        rw_free(text);
    }
    return ok && (!picture || write_egraph(picture, egraph, (uint32_t)job->picture_nodes, err));
}

static bool extract_one(struct extract_job *job, const char *path, struct rw_egraph *egraph,
                        struct err *err)
{
    const char *to = job->command->value[OPTION_output];
    struct buf out = {0};
    struct rw_error error;
    const struct rw_extraction *found = rw_extract(egraph, method_of[job->method], &error);
    if (found == NULL)
        return door_failed(&error, err);
    bool ok = write_files(job, egraph, err);
    if (ok && !(to && strcmp(to, "-") == 0)) {
        report(job, path, egraph, found, &out);
        ok = print_all(&out, err);
    }
    job->unproved |= found->limited;
    buf_release(&out);
    return ok;
}

static bool extract_file(struct extract_job *job, const char *path, struct err *err)
{
    struct buf text = {0};
    struct rw_error error;
    struct rw_egraph *egraph = NULL;
    bool ok = file_read(path, MAX_EGRAPH_BYTES, &text, err);
    if (ok) {
        egraph = rw_egraph_read(job->context, buf_text(&text), text.len, path, &error);
        ok = egraph != NULL || door_failed(&error, err);
    }
    buf_release(&text);
    ok = ok && extract_one(job, path, egraph, err);
    job->done += ok;
    rw_egraph_free(egraph);
    return ok;
}

static bool prepare(struct extract_job *job, struct err *err)
{
    struct command_line *command = job->command;
    if (command->words.len == 0)
        return err_set(err, ERR_USAGE, "extract: expected e-graph files");
    if (command->value[OPTION_output] && command->words.len > 1)
        return err_set(err, ERR_USAGE, "extract: --output is for one e-graph");
    const char *picture = command->value[OPTION_picture];
    if (picture && command->words.len > 1)
        return err_set(err, ERR_USAGE, "extract: --picture is for one e-graph");
    if (picture && !is_picture(picture))
        return err_set(err, ERR_USAGE,
                       "--picture: expected a file name that ends with .dot or "
                       ".svg, found %s",
                       picture);
    bool ok = option_choice(command, OPTION_method, N_METHODS, method_name, &job->method, err);
    return ok &&
           limit_number(command, OPTION_seconds, job->context, "seconds",
                        (struct option_range){0, 1e9}, err) &&
           option_count(command, OPTION_picture_nodes, 1, 1e6, &job->picture_nodes, err);
}

int cmd_extract(struct command_line *command)
{
    struct extract_job job = {
        .command = command, .context = door_open(), .method = METHOD_DAG, .picture_nodes = 200};
    struct err err = {0};
    int status = EXIT_YES;
    bool ready = prepare(&job, &err);
    if (!ready)
        status = report_error(&err);
    for (uint32_t i = 0; ready && i < command->words.len; i++) {
        err_clear(&err);
        if (extract_file(&job, command->words.at[i], &err))
            continue;
        if (!err.file[0] && err.kind == ERR_CHECK)
            err_in(&err, command->words.at[i]);
        int k = report_error(&err);
        status = k > status ? k : status;
    }
    rw_context_free(job.context);
    return status == EXIT_YES && job.unproved ? EXIT_UNKNOWN : status;
}
