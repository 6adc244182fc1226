// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/exact/exact.h"
#include "base/clock.h"
#include "base/process/worker.h"
#include "egraph/extract/exact/branch.h"
#include "egraph/extract/tree/tree.h"

#include <math.h>

#define WORKER_MEMORY ((uint64_t)4 << 30)

// What a message says; the choices follow it.
struct exact_message {
    double bound; // of the whole problem
    double cost;  // INFINITY: no choices
};

struct exact_task {
    const struct problem *p;
    struct exact_core *core;
    struct branch_search search;
    double cutoff;
    const struct worker_port *port; // over there
    char *message;
    double best;           // cost of the best that was sent
    struct solution *out;  // over here
    struct solution given; // for choices on their way
};

static size_t message_size(const struct problem *p)
{
    return sizeof(struct exact_message) + sizeof(uint32_t) * (size_t)p->n_classes;
}

// ---- in the worker

static void send_news(void *arg, const uint32_t *choice, double bound)
{
    struct exact_task *t = arg;
    struct exact_message news = {bound, INFINITY};
    if (choice) {
        struct err e = {0};
        memcpy(t->given.node, choice, sizeof *choice * t->p->n_classes);
        solution_trim(t->p, &t->given);
        if (solution_check(t->p, &t->given, &e) &&
            t->given.dag_cost < t->best) {
            news.cost = t->best = t->given.dag_cost;
            memcpy(t->message + sizeof news, t->given.node,
                   sizeof *choice * t->p->n_classes);
        }
    }
    if (news.cost == INFINITY && news.bound == -INFINITY)
        return;
    memcpy(t->message, &news, sizeof news);
    worker_send(t->port, t->message);
}

static void search_all(void *arg, const struct worker_port *port)
{
    struct exact_task *t = arg;
    t->port = port;
    uint32_t *choice = t->core->choice;
    struct branch_outcome o = branch_run(&t->search, t->core, t->cutoff);
    // What is not below the cutoff is no better than what is here already.
    send_news(t, o.found ? choice : NULL,
              o.found ? o.bound : fmin(o.bound, t->cutoff));
}

// ---- in the caller's process

// No more than its cost is what a solution proves of the bound: the worker's
// sums and these differ in rounding.
static void take_choice(struct exact_task *t, const uint32_t *choice)
{
    struct err e = {0};
    memcpy(t->given.node, choice, sizeof *choice * t->p->n_classes);
    solution_trim(t->p, &t->given);
    if (!solution_check(t->p, &t->given, &e))
        BUG("exact extraction: %s", e.msg);
    if (t->given.dag_cost < t->out->dag_cost) {
        double bound = t->out->bound;
        solution_copy(t->out, &t->given);
        t->out->bound = bound;
    }
}

static void take_news(void *arg, const void *message)
{
    struct exact_task *t = arg;
    struct exact_message news;
    memcpy(&news, message, sizeof news);
    if (news.cost < INFINITY)
        take_choice(t, (const uint32_t *)(const void *)((const char *)message +
                                                        sizeof news));
    t->out->bound = fmax(t->out->bound, news.bound);
}

static void judge(const struct branch_search *h, struct solution *s)
{
    double near = 1e-6 * fabs(s->dag_cost) + 1e-3 * h->step + 2 * h->noise;
    double slack = h->step > 0 ? branch_slack(h, 0) : 1e-9 * fabs(s->dag_cost);
    if (!isfinite(s->dag_cost)) {
        s->bound = -INFINITY;
        return;
    }
    if (s->bound > s->dag_cost + near)
        BUG("exact extraction: a solution of %.17g, but nothing below %.17g",
            s->dag_cost, s->bound);
    s->bound -= h->noise;
    s->optimal = s->bound >= s->dag_cost - slack;
    if (s->optimal)
        s->bound = s->dag_cost;
}

static bool begin(const struct problem *p, const struct solution *start,
                  struct solution *out, struct err *e)
{
    solution_init(out, p);
    if (start)
        solution_copy(out, start);
    else if (!tree_solve(p, out, e))
        return false;
    out->bound = -INFINITY;
    out->optimal = false;
    return solution_check(p, out, e);
}

bool solve_exact(const struct problem *p, double seconds,
                 const struct solution *start, struct solution *out,
                 struct err *e)
{
    double now = clock_wall(), deadline = now + seconds;
    if (!begin(p, start, out, e))
        return false;
    size_t size = sizeof(uint32_t) * ((size_t)p->n_classes + 1);
    uint32_t *choice = mem_alloc(size);
    memset(choice, 0xff, size);
    struct exact_core core;
    struct exact_task t = {.p = p,
                     .core = &core,
                     .cutoff = out->dag_cost,
                     .best = out->dag_cost,
                     .out = out};
    // The worker is to end by itself.
    t.search = (struct branch_search){.until = deadline - 0.02 - 0.02 * seconds,
                               .tell = send_news,
                               .arg = &t};
    branch_measure(&t.search, p);
    solution_init(&t.given, p);
    t.message = mem_alloc(message_size(p));
    exact_core_init(&core, p, choice, t.search.until);
    exact_core_reduce(&core);
    out->bound = branch_least(&core);
    if (core.q.n_classes == 0) {
        out->bound = core.base;
        take_choice(&t, choice);
        exact_core_release(&core);
    } else if (clock_wall() < t.search.until) {
        struct worker_limits limits = {deadline, WORKER_MEMORY};
        worker_run(search_all, take_news, &t, message_size(p), &limits);
        exact_core_release(&core);
    } else {
        exact_core_release(&core);
    }
    judge(&t.search, out);
    mem_free(choice);
    mem_free(t.message);
    solution_release(&t.given);
    return true;
}
