// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/egraph/files.h"
#include "cli/egraph/problem.h"

#include "base/clock.h"
#include "egraph/extract/exact/exact.h"
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"
#include <math.h>
#include <stdlib.h>

enum method { METHOD_TREE, METHOD_DAG, METHOD_EXACT, N_METHODS };
static const char *const method_name[] = {"tree", "dag", "exact"};

struct extract_job {
    struct command_line *command;
    uint32_t method;
    double seconds; // limit
    double picture_nodes;
    uint32_t done; // files with a result
    bool unproved; // some answer is only the best that time allowed
};
struct extract_result {
    struct solution solution;
    double wall, cpu;
    bool limited;
};

// The search first; what it finds is where the proof begins.
static bool solve_both(const struct problem *problem, double seconds, struct extract_result *found,
                       struct err *err)
{
    double until = clock_wall() + seconds;
    struct solution start;
    solution_init(&start, problem);
    bool ok = dag_solve(problem, seconds, &start, &found->limited, err);
    if (ok && !solution_check(problem, &start, err))
        ok = false;
    solution_release(&found->solution);
    ok = ok && solve_exact(problem, fmax(0, until - clock_wall()), &start, &found->solution, err);
    found->limited = ok && !found->solution.optimal;
    solution_release(&start);
    return ok;
}

static bool solve(struct extract_job *job, const struct problem *problem,
                  struct extract_result *found, struct err *err)
{
    double wall = clock_wall(), cpu = clock_cpu() + clock_cpu_children();
    bool ok = problem_check(problem, err);
    solution_init(&found->solution, problem);
    if (job->method == METHOD_TREE)
        ok = ok && tree_solve(problem, &found->solution, err);
    else if (job->method == METHOD_DAG)
        ok = ok && dag_solve(problem, job->seconds, &found->solution, &found->limited, err);
    else
        ok = ok && solve_both(problem, job->seconds, found, err);
    found->wall = clock_wall() - wall;
    found->cpu = clock_cpu() + clock_cpu_children() - cpu;
    struct err wrong = {0};
    if (ok && !solution_check(problem, &found->solution, &wrong))
        return err_set(err, ERR_BUG, "method %s gave no solution: %s", method_name[job->method],
                       wrong.msg);
    return ok;
}

static void put_number(struct buf *out, double x)
{
    if (isfinite(x))
        buf_double(out, x);
    else
        buf_puts(out, "null");
}

static void report(struct extract_job *job, const char *file, const struct extract_result *found,
                   struct buf *out)
{
    bool json = job->command->value[OPTION_json] != NULL;
    const char *method = method_name[job->method];
    if (json) {
        buf_puts(out, "{\"file\":");
        egraph_json_string(file, out);
        buf_printf(out, ",\"method\":\"%s\",\"tree_cost\":", method);
    } else {
        buf_printf(out, "%sfile %s\nmethod %s\ntree_cost ", job->done ? "\n" : "", file, method);
    }
    put_number(out, found->solution.tree_cost);
    buf_puts(out, json ? ",\"dag_cost\":" : "\ndag_cost ");
    put_number(out, found->solution.dag_cost);
    if (json)
        buf_printf(out,
                   ",\"seconds\":%.6f,\"optimal\":%s,\"cpu_seconds\":%.6f,"
                   "\"bound\":",
                   found->wall, found->solution.optimal ? "true" : "false", found->cpu);
    else
        buf_printf(out, "\nseconds %.6f\noptimal %s\n", found->wall,
                   found->solution.optimal ? "yes" : "no");
    if (json) {
        put_number(out, found->solution.bound);
        buf_puts(out, "}\n");
    }
}

static bool write_chosen(const char *path, const struct egraph_file *file, const uint32_t *chosen,
                         struct err *err)
{
    struct buf text = {0};
    egraph_json_write(file, chosen, &text);
    bool ok = file_write(path, buf_text(&text), text.len, err);
    buf_release(&text);
    return ok;
}

static bool write_files(struct extract_job *job, const struct egraph_file *file,
                        const uint32_t *chosen, struct err *err)
{
    const char *to = job->command->value[OPTION_output];
    const char *picture = job->command->value[OPTION_picture];
    return (!to || write_chosen(to, file, chosen, err)) &&
           (!picture || write_egraph(picture, file, chosen, (uint32_t)job->picture_nodes, err));
}

static bool extract_file(struct extract_job *job, const char *path, struct err *err)
{
    struct egraph_file file;
    struct problem problem;
    struct u32_vec node_of = {0};
    struct extract_result found = {0};
    struct buf out = {0};
    if (!read_egraph(path, &file, err))
        return false;
    problem_of_file(&file, &problem, &node_of);
    bool ok = solve(job, &problem, &found, err);
    if (ok) {
        uint32_t *chosen = file_choice(&found.solution, &node_of);
        ok = write_files(job, &file, chosen, err);
        mem_free(chosen);
    }
    if (ok && !(job->command->value[OPTION_output] &&
                strcmp(job->command->value[OPTION_output], "-") == 0)) {
        report(job, path, &found, &out);
        ok = print_all(&out, err);
    }
    job->done += ok;
    job->unproved |= found.limited;
    buf_release(&out);
    solution_release(&found.solution);
    vec_release(&node_of);
    problem_release(&problem);
    egraph_file_release(&file);
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
    if (ok && job->method == METHOD_TREE && command->value[OPTION_seconds])
        return err_set(err, ERR_USAGE, "extract: --seconds is for the methods dag and exact");
    // A proof can take for ever, the search ends by itself.
    job->seconds = job->method == METHOD_EXACT ? 30 : INFINITY;
    return ok && option_number(command, OPTION_seconds, 0, 1e9, &job->seconds, err) &&
           option_count(command, OPTION_picture_nodes, 1, 1e6, &job->picture_nodes, err);
}

int cmd_extract(struct command_line *command)
{
    struct extract_job job = {.command = command, .method = METHOD_DAG, .picture_nodes = 200};
    struct err err = {0};
    int status = EXIT_YES;
    if (!prepare(&job, &err))
        return report_error(&err);
    for (uint32_t i = 0; i < command->words.len; i++) {
        err_clear(&err);
        if (extract_file(&job, command->words.at[i], &err))
            continue;
        if (!err.file[0] && err.kind == ERR_CHECK)
            snprintf(err.file, sizeof err.file, "%s", command->words.at[i]);
        int k = report_error(&err);
        status = k > status ? k : status;
    }
    return status == EXIT_YES && job.unproved ? EXIT_UNKNOWN : status;
}
