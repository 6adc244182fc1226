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
    struct command_line *c;
    uint32_t method;
    double seconds; // limit
    double picture_nodes;
    uint32_t done; // files with a result
    bool unproved; // some answer is only the best that time allowed
};
struct extract_result {
    struct solution s;
    double wall, cpu;
    bool limited;
};

// The search first; what it finds is where the proof begins.
static bool solve_both(const struct problem *p, double seconds, struct extract_result *r,
                       struct err *e)
{
    double until = clock_wall() + seconds;
    struct solution start;
    solution_init(&start, p);
    bool ok = dag_solve(p, seconds, &start, &r->limited, e);
    if (ok && !solution_check(p, &start, e))
        ok = false;
    solution_release(&r->s);
    ok = ok && solve_exact(p, fmax(0, until - clock_wall()), &start, &r->s, e);
    r->limited = ok && !r->s.optimal;
    solution_release(&start);
    return ok;
}

static bool solve(struct extract_job *j, const struct problem *p, struct extract_result *r,
                  struct err *e)
{
    double wall = clock_wall(), cpu = clock_cpu() + clock_cpu_children();
    bool ok = problem_check(p, e);
    solution_init(&r->s, p);
    if (j->method == METHOD_TREE)
        ok = ok && tree_solve(p, &r->s, e);
    else if (j->method == METHOD_DAG)
        ok = ok && dag_solve(p, j->seconds, &r->s, &r->limited, e);
    else
        ok = ok && solve_both(p, j->seconds, r, e);
    r->wall = clock_wall() - wall;
    r->cpu = clock_cpu() + clock_cpu_children() - cpu;
    struct err wrong = {0};
    if (ok && !solution_check(p, &r->s, &wrong))
        return err_set(e, ERR_BUG, "method %s gave no solution: %s",
                       method_name[j->method], wrong.msg);
    return ok;
}

static void put_number(struct buf *out, double x)
{
    if (isfinite(x))
        buf_double(out, x);
    else
        buf_puts(out, "null");
}

static void report(struct extract_job *j, const char *file, const struct extract_result *r,
                   struct buf *out)
{
    bool json = j->c->value[OPTION_json] != NULL;
    const char *method = method_name[j->method];
    if (json) {
        buf_puts(out, "{\"file\":");
        egraph_json_string(file, out);
        buf_printf(out, ",\"method\":\"%s\",\"tree_cost\":", method);
    } else {
        buf_printf(out, "%sfile %s\nmethod %s\ntree_cost ", j->done ? "\n" : "",
                   file, method);
    }
    put_number(out, r->s.tree_cost);
    buf_puts(out, json ? ",\"dag_cost\":" : "\ndag_cost ");
    put_number(out, r->s.dag_cost);
    if (json)
        buf_printf(out,
                   ",\"seconds\":%.6f,\"optimal\":%s,\"cpu_seconds\":%.6f,"
                   "\"bound\":",
                   r->wall, r->s.optimal ? "true" : "false", r->cpu);
    else
        buf_printf(out, "\nseconds %.6f\noptimal %s\n", r->wall,
                   r->s.optimal ? "yes" : "no");
    if (json) {
        put_number(out, r->s.bound);
        buf_puts(out, "}\n");
    }
}

static bool write_chosen(const char *path, const struct egraph_file *f,
                         const uint32_t *chosen, struct err *e)
{
    struct buf text = {0};
    egraph_json_write(f, chosen, &text);
    bool ok = file_write(path, buf_text(&text), text.len, e);
    buf_release(&text);
    return ok;
}

static bool write_files(struct extract_job *j, const struct egraph_file *f,
                        const uint32_t *chosen, struct err *e)
{
    const char *to = j->c->value[OPTION_output];
    const char *picture = j->c->value[OPTION_picture];
    return (!to || write_chosen(to, f, chosen, e)) &&
           (!picture ||
            write_egraph(picture, f, chosen, (uint32_t)j->picture_nodes, e));
}

static bool extract_file(struct extract_job *j, const char *path, struct err *e)
{
    struct egraph_file f;
    struct problem p;
    struct u32_vec node_of = {0};
    struct extract_result r = {0};
    struct buf out = {0};
    if (!read_egraph(path, &f, e))
        return false;
    problem_of_file(&f, &p, &node_of);
    bool ok = solve(j, &p, &r, e);
    if (ok) {
        uint32_t *chosen = file_choice(&r.s, &node_of);
        ok = write_files(j, &f, chosen, e);
        mem_free(chosen);
    }
    if (ok && !(j->c->value[OPTION_output] &&
                strcmp(j->c->value[OPTION_output], "-") == 0)) {
        report(j, path, &r, &out);
        ok = print_all(&out, e);
    }
    j->done += ok;
    j->unproved |= r.limited;
    buf_release(&out);
    solution_release(&r.s);
    vec_release(&node_of);
    problem_release(&p);
    egraph_file_release(&f);
    return ok;
}

static bool prepare(struct extract_job *j, struct err *e)
{
    struct command_line *c = j->c;
    if (c->words.len == 0)
        return err_set(e, ERR_USAGE, "extract: expected e-graph files");
    if (c->value[OPTION_output] && c->words.len > 1)
        return err_set(e, ERR_USAGE, "extract: --output is for one e-graph");
    const char *picture = c->value[OPTION_picture];
    if (picture && c->words.len > 1)
        return err_set(e, ERR_USAGE, "extract: --picture is for one e-graph");
    if (picture && !is_picture(picture))
        return err_set(e, ERR_USAGE,
                       "--picture: expected a file name that ends with .dot or "
                       ".svg, found %s",
                       picture);
    bool ok =
        option_choice(c, OPTION_method, N_METHODS, method_name, &j->method, e);
    if (ok && j->method == METHOD_TREE && c->value[OPTION_seconds])
        return err_set(e, ERR_USAGE,
                       "extract: --seconds is for the methods dag and exact");
    // A proof can take for ever, the search ends by itself.
    j->seconds = j->method == METHOD_EXACT ? 30 : INFINITY;
    return ok && option_number(c, OPTION_seconds, 0, 1e9, &j->seconds, e) &&
           option_count(c, OPTION_picture_nodes, 1, 1e6, &j->picture_nodes, e);
}

int cmd_extract(struct command_line *c)
{
    struct extract_job j = {.c = c, .method = METHOD_DAG, .picture_nodes = 200};
    struct err e = {0};
    int status = EXIT_YES;
    if (!prepare(&j, &e))
        return report_error(&e);
    for (uint32_t i = 0; i < c->words.len; i++) {
        err_clear(&e);
        if (extract_file(&j, c->words.at[i], &e))
            continue;
        if (!e.file[0] && e.kind == ERR_CHECK)
            snprintf(e.file, sizeof e.file, "%s", c->words.at[i]);
        int k = report_error(&e);
        status = k > status ? k : status;
    }
    return status == EXIT_YES && j.unproved ? EXIT_UNKNOWN : status;
}
