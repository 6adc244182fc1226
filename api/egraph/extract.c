// SPDX-License-Identifier: Apache-2.0
#include "api/egraph/egraph.h"
#include "api/egraph/problem.h"

#include "base/clock.h"
#include "egraph/extract/exact/exact.h"
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"
#include <math.h>

// Seconds of an exact extraction if the caller set no limit.  A proof can take
// for ever; the search always ends.

static const char *const method_name[] = {
    [RW_EXTRACT_DAG] = "dag", [RW_EXTRACT_TREE] = "tree", [RW_EXTRACT_EXACT] = "exact"};

struct rw_egraph *rw_egraph_read(struct rw_context *context, const char *text, size_t size,
                                 const char *file, struct rw_error *error)
{
    struct err err = {0};
    file = file ? file : "";
    const char *shown = strcmp(file, "-") == 0 ? "<stdin>" : file;
    struct rw_egraph *egraph = mem_alloc(sizeof *egraph);
    egraph->context = context;
    if (!egraph_json_read(text, size, shown, &egraph->file, &err)) {
        mem_free(egraph);
        error_give(&err, error);
        return NULL;
    }
    egraph->name = text_copy(file);
    if (egraph->file.lost_roots)
        context_note(context, "%s: %u roots have no node and are dropped", shown,
                     egraph->file.lost_roots);
    if (egraph->file.lost_data)
        context_note(context, "%s: class_data of %u classes without nodes is dropped", shown,
                     egraph->file.lost_data);
    return egraph;
}

void rw_egraph_free(struct rw_egraph *egraph)
{
    if (egraph == NULL)
        return;
    egraph_file_release(&egraph->file);
    mem_free(egraph->chosen);
    mem_free(egraph->name);
    mem_free(egraph);
}

// The search runs first.  The proof begins with the result of the search.
static bool solve_both(const struct problem *problem, double seconds, struct solution *out,
                       bool *limited, struct err *err)
{
    double until = clock_wall() + seconds;
    struct solution start;
    solution_init(&start, problem);
    bool ok = dag_solve(problem, seconds, &start, limited, err);
    if (ok && !solution_check(problem, &start, err))
        ok = false;
    solution_release(out);
    ok = ok && solve_exact(problem, fmax(0, until - clock_wall()), &start, out, err);
    *limited = ok && !out->optimal;
    solution_release(&start);
    return ok;
}

static bool solve(const struct rw_context *context, const struct problem *problem,
                  enum rw_extract_method method, struct solution *out, bool *limited,
                  struct err *err)
{
    double seconds = context_limit(context, LIMIT_seconds, INFINITY);
    struct err wrong = {0};
    bool ok = problem_check(problem, err);
    if (method == RW_EXTRACT_TREE)
        ok = ok && tree_solve(problem, out, err);
    else if (method == RW_EXTRACT_DAG)
        ok = ok && dag_solve(problem, seconds, out, limited, err);
    else
        ok = ok && solve_both(problem, seconds, out, limited, err);
    if (ok && !solution_check(problem, out, &wrong))
        return err_set(err, ERR_BUG, "method %s gave no solution: %s", method_name[method],
                       wrong.msg);
    return ok;
}

static void keep(struct rw_egraph *egraph, const struct solution *solution,
                 const struct u32_vec *node_of)
{
    mem_free(egraph->chosen);
    egraph->chosen = file_choice(solution, node_of);
    egraph->extraction.tree_cost = solution->tree_cost;
    egraph->extraction.dag_cost = solution->dag_cost;
    egraph->extraction.bound = solution->bound;
    egraph->extraction.optimal = solution->optimal;
}

const struct rw_extraction *rw_extract(struct rw_egraph *egraph, enum rw_extract_method method,
                                       struct rw_error *error)
{
    struct err err = {0};
    struct problem problem;
    struct solution solution;
    struct u32_vec node_of = {0};
    struct rw_extraction *out = &egraph->extraction;
    *out = (struct rw_extraction){0};
    if ((unsigned)method > RW_EXTRACT_EXACT) {
        err_set(&err, ERR_USAGE, "no such method of extraction");
        error_give(&err, error);
        return NULL;
    }
    egraph->method = method;
    problem_of_file(&egraph->file, &problem, &node_of);
    double wall = clock_wall(), cpu = clock_cpu() + clock_cpu_children();
    solution_init(&solution, &problem);
    bool ok = solve(egraph->context, &problem, method, &solution, &out->limited, &err);
    out->seconds = clock_wall() - wall;
    out->cpu_seconds = clock_cpu() + clock_cpu_children() - cpu;
    if (ok)
        keep(egraph, &solution, &node_of);
    else
        error_give(&err, error);
    solution_release(&solution);
    vec_release(&node_of);
    problem_release(&problem);
    return ok ? out : NULL;
}

static void put_number(struct buf *out, double number)
{
    if (isfinite(number))
        buf_double(out, number);
    else
        buf_puts(out, "null");
}

char *rw_extraction_json(const struct rw_egraph *egraph)
{
    const struct rw_extraction *found = &egraph->extraction;
    struct buf out = {0};
    buf_puts(&out, "{\"file\":");
    egraph_json_string(egraph->name ? egraph->name : "", &out);
    buf_printf(&out, ",\"method\":\"%s\",\"tree_cost\":", method_name[egraph->method]);
    put_number(&out, found->tree_cost);
    buf_puts(&out, ",\"dag_cost\":");
    put_number(&out, found->dag_cost);
    buf_printf(&out,
               ",\"seconds\":%.6f,\"optimal\":%s,\"cpu_seconds\":%.6f,"
               "\"bound\":",
               found->seconds, found->optimal ? "true" : "false", found->cpu_seconds);
    put_number(&out, found->bound);
    buf_putc(&out, '}');
    return text_give(&out);
}

char *rw_egraph_json(const struct rw_egraph *egraph, bool chosen)
{
    struct buf out = {0};
    egraph_json_write(&egraph->file, chosen ? egraph->chosen : NULL, &out);
    return text_give(&out);
}
