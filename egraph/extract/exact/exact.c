// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/exact/exact.h"
#include "base/clock.h"
#include "base/process/worker.h"
#include "egraph/extract/exact/branch.h"
#include "egraph/extract/tree/tree.h"
#include "egraph/limits.h"

#include <math.h>

// The head of a message; the choices follow.
struct exact_message {
    double bound; // of the whole problem
    double cost;  // INFINITY: no choices
};

struct exact_task {
    const struct problem *problem;
    struct exact_core *core;
    struct branch_search search;
    struct clp clp;
    double cutoff;
    const struct worker_port *port; // over there
    char *message;
    double best;           // cost of the best that was sent
    struct solution *out;  // over here
    struct solution given; // for choices on their way
};

static size_t message_size(const struct problem *problem)
{
    return sizeof(struct exact_message) + sizeof(uint32_t) * (size_t)problem->n_classes;
}

// ---- in the worker

static void send_news(void *arg, const uint32_t *choice, double bound)
{
    struct exact_task *exact_task = arg;
    struct exact_message news = {bound, INFINITY};
    if (choice) {
        struct err err = {0};
        memcpy(exact_task->given.node, choice, sizeof *choice * exact_task->problem->n_classes);
        solution_trim(exact_task->problem, &exact_task->given);
        if (solution_check(exact_task->problem, &exact_task->given, &err) &&
            exact_task->given.dag_cost < exact_task->best) {
            news.cost = exact_task->best = exact_task->given.dag_cost;
            memcpy(exact_task->message + sizeof news, exact_task->given.node,
                   sizeof *choice * exact_task->problem->n_classes);
        }
    }
    if (news.cost == INFINITY && news.bound == -INFINITY)
        return;
    memcpy(exact_task->message, &news, sizeof news);
    worker_send(exact_task->port, exact_task->message);
}

static void search_all(void *arg, const struct worker_port *port)
{
    struct exact_task *exact_task = arg;
    exact_task->port = port;
    uint32_t *choice = exact_task->core->choice;
    struct branch_outcome best =
        branch_run(&exact_task->search, exact_task->core, exact_task->cutoff);
    // A solution that costs at least the cutoff is no improvement on the best one.
    send_news(exact_task, best.found ? choice : NULL,
              best.found ? best.bound : fmin(best.bound, exact_task->cutoff));
}

// ---- in the caller's process

// No more than its cost is what a solution proves of the bound: the worker's
// sums and these differ in rounding.
static void take_choice(struct exact_task *exact_task, const uint32_t *choice)
{
    struct err err = {0};
    memcpy(exact_task->given.node, choice, sizeof *choice * exact_task->problem->n_classes);
    solution_trim(exact_task->problem, &exact_task->given);
    if (!solution_check(exact_task->problem, &exact_task->given, &err))
        BUG("exact extraction: %s", err.msg);
    if (exact_task->given.dag_cost < exact_task->out->dag_cost) {
        double bound = exact_task->out->bound;
        solution_copy(exact_task->out, &exact_task->given);
        exact_task->out->bound = bound;
    }
}

static void take_news(void *arg, const void *message)
{
    struct exact_task *exact_task = arg;
    struct exact_message news;
    memcpy(&news, message, sizeof news);
    if (news.cost < INFINITY)
        take_choice(exact_task,
                    (const uint32_t *)(const void *)((const char *)message + sizeof news));
    exact_task->out->bound = fmax(exact_task->out->bound, news.bound);
}

static void judge(const struct branch_search *search, struct solution *solution)
{
    double near = 1e-6 * fabs(solution->dag_cost) + 1e-3 * search->step + 2 * search->noise;
    double slack = search->step > 0 ? branch_slack(search, 0) : 1e-9 * fabs(solution->dag_cost);
    if (!isfinite(solution->dag_cost)) {
        solution->bound = -INFINITY;
        return;
    }
    if (solution->bound > solution->dag_cost + near)
        BUG("exact extraction: a solution of %.17g, but nothing below %.17g", solution->dag_cost,
            solution->bound);
    solution->bound -= search->noise;
    solution->optimal = solution->bound >= solution->dag_cost - slack;
    if (solution->optimal)
        solution->bound = solution->dag_cost;
}

// Loads Clp here: the worker has a limit of memory, and cannot tell of a failure.
static bool search_apart(struct exact_task *exact_task, const struct worker_limits *limits,
                         struct err *err)
{
    if (!clp_load(&exact_task->clp, err))
        return false;
    exact_task->search.clp = &exact_task->clp;
    worker_run(search_all, take_news, exact_task, message_size(exact_task->problem), limits);
    return true;
}

static bool begin(const struct problem *problem, const struct solution *start, struct solution *out,
                  struct err *err)
{
    solution_init(out, problem);
    if (start)
        solution_copy(out, start);
    else if (!tree_solve(problem, out, err))
        return false;
    out->bound = -INFINITY;
    out->optimal = false;
    return solution_check(problem, out, err);
}

bool solve_exact(const struct problem *problem, double seconds, const struct solution *start,
                 struct solution *out, struct err *err)
{
    // The worker is to end by itself.
    double deadline = clock_wall() + seconds;
    bool asked = seconds < INFINITY;
    struct exact_effort effort = {.most =
                                      asked ? UINT64_MAX : (uint64_t)EGRAPH_EXACT_STEPS * 1000000,
                                  .until = asked ? deadline - 0.02 - 0.02 * seconds : INFINITY};
    if (!begin(problem, start, out, err))
        return false;
    size_t size = sizeof(uint32_t) * ((size_t)problem->n_classes + 1);
    uint32_t *choice = mem_alloc(size);
    memset(choice, 0xff, size);
    struct exact_core core;
    struct exact_task exact_task = {.problem = problem,
                                    .core = &core,
                                    .cutoff = out->dag_cost,
                                    .best = out->dag_cost,
                                    .out = out};
    exact_task.search = (struct branch_search){.tell = send_news, .arg = &exact_task};
    branch_measure(&exact_task.search, problem);
    solution_init(&exact_task.given, problem);
    exact_task.message = mem_alloc(message_size(problem));
    exact_core_init(&core, problem, choice, &effort);
    exact_core_reduce(&core);
    out->bound = branch_least(&core);
    bool ok = true;
    if (core.problem.n_classes == 0) {
        out->bound = core.base;
        take_choice(&exact_task, choice);
        exact_core_release(&core);
    } else if (exact_spend(&effort, 0)) {
        struct worker_limits limits = {deadline, (uint64_t)EGRAPH_EXACT_MEMORY << 20};
        ok = search_apart(&exact_task, &limits, err);
        exact_core_release(&core);
    } else {
        exact_core_release(&core);
    }
    if (ok)
        judge(&exact_task.search, out);
    mem_free(choice);
    mem_free(exact_task.message);
    solution_release(&exact_task.given);
    return ok;
}
