// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/exact/core.h"
#include "base/clock.h"
#include <math.h>

void exact_core_release(struct exact_core *exact_core)
{
    problem_release(&exact_core->problem);
    vec_release(&exact_core->class_name);
    vec_release(&exact_core->node_name);
}

void exact_edit_init(struct exact_edit *edit, const struct exact_core *exact_core)
{
    edit->gone = mem_alloc((size_t)exact_core->problem.n_nodes + 1);
    edit->melt = mem_alloc((size_t)exact_core->problem.n_classes + 1);
    edit->cut = mem_alloc((size_t)exact_core->problem.child.len + 1);
    edit->free = mem_alloc((size_t)exact_core->problem.n_classes + 1);
}

void exact_edit_release(struct exact_edit *edit)
{
    mem_free(edit->gone);
    mem_free(edit->melt);
    mem_free(edit->cut);
    mem_free(edit->free);
}

void exact_core_order(const struct problem *problem, struct u32_vec *order)
{
    uint32_t *owner = problem_owners(problem);
    uint32_t *open = mem_alloc(sizeof *open * ((size_t)problem->n_nodes + 1));
    bool *has = mem_alloc((size_t)problem->n_classes + 1);
    struct u32_vec at = {0}, user = {0};
    problem_users(problem, &at, &user);
    vec_clear(order);
    for (uint32_t n = 0; n < problem->n_nodes; n++) {
        open[n] = problem->child_at.at[n + 1] - problem->child_at.at[n];
        if (!open[n] && !has[owner[n]]) {
            has[owner[n]] = true;
            vec_push(order, owner[n]);
        }
    }
    for (uint32_t k = 0; k < order->len; k++) {
        uint32_t c = order->at[k];
        for (uint32_t i = at.at[c]; i < at.at[c + 1]; i++) {
            uint32_t n = user.at[i];
            if (--open[n] == 0 && !has[owner[n]]) {
                has[owner[n]] = true;
                vec_push(order, owner[n]);
            }
        }
    }
    mem_free(owner);
    mem_free(open);
    mem_free(has);
    vec_release(&at);
    vec_release(&user);
}

// ---- rebuilding

struct exact_builder {
    struct exact_core *exact_core;
    struct exact_edit *edit;
    struct u32_vec at, end, item; // children of melted classes, expanded
    double *cost;                 // of a melted class, with what it melted
    uint32_t *mark, stamp;        // per class: seen at this stamp
};

static void expand_child(struct exact_builder *builder, uint32_t c, struct u32_vec *out)
{
    if (builder->mark[c] == builder->stamp)
        return;
    builder->mark[c] = builder->stamp;
    if (!builder->edit->melt[c]) {
        vec_push(out, c);
        return;
    }
    for (uint32_t i = builder->at.at[c]; i < builder->end.at[c]; i++)
        if (builder->mark[builder->item.at[i]] != builder->stamp) {
            builder->mark[builder->item.at[i]] = builder->stamp;
            uint32_t item = builder->item.at[i];
            vec_push(out, item);
        }
}

static double expand_node(struct exact_builder *builder, uint32_t n, struct u32_vec *out)
{
    const struct problem *problem = &builder->exact_core->problem;
    double cost = problem->cost.at[n];
    builder->stamp++;
    for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++) {
        uint32_t c = problem->child.at[i];
        if (builder->edit->cut[i])
            continue;
        if (builder->edit->melt[c] && builder->mark[c] != builder->stamp)
            cost += builder->cost[c];
        expand_child(builder, c, out);
    }
    return cost;
}

static void melt_all(struct exact_builder *builder)
{
    struct exact_core *exact_core = builder->exact_core;
    struct u32_vec order = {0}, out = {0};
    exact_core_order(&exact_core->problem, &order);
    vec_reserve(&builder->at, exact_core->problem.n_classes + 1);
    vec_reserve(&builder->end, exact_core->problem.n_classes + 1);
    for (uint32_t k = 0; k < order.len; k++) {
        uint32_t c = order.at[k], n = exact_core->problem.node_at.at[c];
        if (!builder->edit->melt[c])
            continue;
        vec_clear(&out);
        builder->cost[c] = expand_node(builder, n, &out);
        builder->at.at[c] = builder->item.len;
        for (uint32_t i = 0; i < out.len; i++)
            vec_push(&builder->item, out.at[i]);
        builder->end.at[c] = builder->item.len;
        exact_core->choice[exact_core->class_name.at[c]] = exact_core->node_name.at[n];
    }
    vec_release(&order);
    vec_release(&out);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The nodes that stay, classes named as before; free and melted classes are
// left without nodes.
static void build_nodes(struct exact_builder *builder, struct problem *problem,
                        struct u32_vec *name)
{
    struct exact_core *exact_core = builder->exact_core;
    const struct problem *q = &exact_core->problem;
    struct u32_vec out = {0};
    problem->n_classes = q->n_classes;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        vec_push(&problem->node_at, problem->n_nodes);
        if (builder->edit->melt[c] || builder->edit->free[c])
            continue;
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
            if (builder->edit->gone[n])
                continue;
            vec_clear(&out);
            double cost = expand_node(builder, n, &out);
            if (builder->mark[c] == builder->stamp)
                continue; // needs its own class
            if (out.len)
                qsort(out.at, out.len, sizeof *out.at, by_number);
            vec_push(&problem->child_at, problem->child.len);
            for (uint32_t i = 0; i < out.len; i++)
                vec_push(&problem->child, out.at[i]);
            vec_push(&problem->cost, cost);
            vec_push(name, exact_core->node_name.at[n]);
            problem->n_nodes++;
        }
    }
    vec_push(&problem->node_at, problem->n_nodes);
    vec_push(&problem->child_at, problem->child.len);
    vec_release(&out);
}

// Which classes the roots reach through nodes whose children all have terms.
static uint32_t *reach(const struct problem *problem, const bool *root, const bool *has,
                       uint32_t *n_found)
{
    uint32_t *number = mem_alloc(sizeof *number * ((size_t)problem->n_classes + 1));
    struct u32_vec waiting = {0};
    for (uint32_t c = 0; c < problem->n_classes; c++)
        if (root[c]) {
            number[c] = 1;
            vec_push(&waiting, c);
        }
    while (waiting.len) {
        uint32_t c = vec_pop(&waiting);
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
            bool usable = true;
            uint32_t i = problem->child_at.at[n], end = problem->child_at.at[n + 1];
            for (uint32_t k = i; k < end; k++)
                usable = usable && has[problem->child.at[k]];
            for (; usable && i < end; i++)
                if (!number[problem->child.at[i]]) {
                    number[problem->child.at[i]] = 1;
                    vec_push(&waiting, problem->child.at[i]);
                }
        }
    }
    vec_release(&waiting);
    *n_found = 0;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        number[c] = number[c] ? (*n_found)++ : UINT32_MAX;
    return number;
}

// Copies problem to the core, classes renumbered, without what is not reached.
static void settle(struct exact_core *exact_core, const struct problem *problem,
                   const struct u32_vec *name, const uint32_t *number, const bool *has,
                   const bool *root)
{
    struct problem q = {0};
    struct u32_vec class_name = {0}, node_name = {0};
    exact_core->negative = false;
    exact_core->dead = false;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        if (number[c] == UINT32_MAX)
            continue;
        vec_push(&q.node_at, q.n_nodes);
        vec_push(&class_name, exact_core->class_name.at[c]);
        if (root[c])
            vec_push(&q.root, q.n_classes);
        q.n_classes++;
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
            uint32_t first = problem->child_at.at[n], end = problem->child_at.at[n + 1];
            bool usable = true;
            for (uint32_t i = first; i < end; i++)
                usable = usable && has[problem->child.at[i]];
            if (!usable)
                continue;
            vec_push(&q.child_at, q.child.len);
            for (uint32_t i = first; i < end; i++)
                vec_push(&q.child, number[problem->child.at[i]]);
            vec_push(&q.cost, problem->cost.at[n]);
            exact_core->negative = exact_core->negative || problem->cost.at[n] < 0;
            vec_push(&node_name, name->at[n]);
            q.n_nodes++;
        }
        exact_core->dead = exact_core->dead || q.n_nodes == q.node_at.at[q.n_classes - 1];
    }
    vec_push(&q.node_at, q.n_nodes);
    vec_push(&q.child_at, q.child.len);
    exact_core_release(exact_core);
    exact_core->problem = q;
    exact_core->class_name = class_name;
    exact_core->node_name = node_name;
}

void exact_core_apply(struct exact_core *exact_core, struct exact_edit *edit)
{
    size_t n = (size_t)exact_core->problem.n_classes + 1;
    struct exact_builder builder = {.exact_core = exact_core,
                                    .edit = edit,
                                    .cost = mem_alloc(sizeof(double) * n),
                                    .mark = mem_alloc(sizeof(uint32_t) * n)};
    bool *root = mem_alloc(n);
    for (uint32_t i = 0; i < exact_core->problem.root.len; i++)
        root[exact_core->problem.root.at[i]] = !edit->free[exact_core->problem.root.at[i]];
    for (uint32_t c = 0; c < exact_core->problem.n_classes; c++)
        if (edit->free[c]) {
            uint32_t only = exact_core->problem.node_at.at[c];
            exact_core->base += exact_core->problem.cost.at[only];
            exact_core->choice[exact_core->class_name.at[c]] = exact_core->node_name.at[only];
        }
    melt_all(&builder);
    struct problem problem = {0};
    struct u32_vec name = {0};
    build_nodes(&builder, &problem, &name);
    bool *has = problem_terms(&problem);
    uint32_t n_found;
    uint32_t *number = reach(&problem, root, has, &n_found);
    settle(exact_core, &problem, &name, number, has, root);
    mem_free(number);
    mem_free(has);
    problem_release(&problem);
    vec_release(&name);
    mem_free(root);
    vec_release(&builder.at);
    vec_release(&builder.end);
    vec_release(&builder.item);
    mem_free(builder.cost);
    mem_free(builder.mark);
    exact_edit_release(edit);
}

uint64_t exact_core_places(const struct exact_core *exact_core)
{
    const struct problem *problem = &exact_core->problem;
    return (uint64_t)problem->n_classes + problem->n_nodes + problem->child.len;
}

bool exact_spend(struct exact_effort *effort, uint64_t steps)
{
    effort->spent += steps;
    return effort->spent < effort->most &&
           (effort->until == INFINITY || clock_wall() < effort->until);
}

void exact_core_init(struct exact_core *exact_core, const struct problem *problem, uint32_t *choice,
                     struct exact_effort *effort)
{
    *exact_core =
        (struct exact_core){.choice = choice, .n_whole = problem->n_classes, .effort = effort};
    struct problem *q = &exact_core->problem;
    q->n_classes = problem->n_classes;
    q->n_nodes = problem->n_nodes;
    for (uint32_t c = 0; c <= problem->n_classes; c++) {
        vec_push(&q->node_at, problem->node_at.at[c]);
        vec_push(&exact_core->class_name, c);
    }
    for (uint32_t n = 0; n <= problem->n_nodes; n++) {
        vec_push(&q->child_at, problem->child_at.at[n]);
        vec_push(&exact_core->node_name, n);
    }
    for (uint32_t n = 0; n < problem->n_nodes; n++)
        vec_push(&q->cost, problem->cost.at[n]);
    for (uint32_t i = 0; i < problem->child.len; i++)
        vec_push(&q->child, problem->child.at[i]);
    for (uint32_t i = 0; i < problem->root.len; i++)
        vec_push(&q->root, problem->root.at[i]);
    struct exact_edit edit;
    exact_edit_init(&edit, exact_core);
    exact_core_apply(exact_core, &edit);
}

static void u32_copy(struct u32_vec *to, const struct u32_vec *from)
{
    vec_reserve(to, from->len);
    if (from->len)
        memcpy(to->at, from->at, sizeof *to->at * from->len);
    to->len = from->len;
}

void exact_core_copy(struct exact_core *to, const struct exact_core *from, uint32_t *choice)
{
    *to = *from;
    to->problem =
        (struct problem){.n_classes = from->problem.n_classes, .n_nodes = from->problem.n_nodes};
    to->class_name = to->node_name = (struct u32_vec){0};
    to->choice = choice;
    memcpy(choice, from->choice, sizeof *choice * from->n_whole);
    u32_copy(&to->problem.node_at, &from->problem.node_at);
    u32_copy(&to->problem.child_at, &from->problem.child_at);
    u32_copy(&to->problem.child, &from->problem.child);
    u32_copy(&to->problem.root, &from->problem.root);
    u32_copy(&to->class_name, &from->class_name);
    u32_copy(&to->node_name, &from->node_name);
    for (uint32_t n = 0; n < from->problem.n_nodes; n++)
        vec_push(&to->problem.cost, from->problem.cost.at[n]);
}

void exact_core_part(struct exact_core *to, const struct exact_core *from, const uint32_t *part,
                     uint32_t k, uint32_t *choice)
{
    const struct problem *problem = &from->problem;
    *to = (struct exact_core){.choice = choice, .n_whole = from->n_whole, .effort = from->effort};
    uint32_t *number = mem_alloc(sizeof *number * ((size_t)problem->n_classes + 1));
    uint32_t n_classes = 0;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        number[c] = part[c] == k ? n_classes++ : UINT32_MAX;
    struct problem *r = &to->problem;
    r->n_classes = n_classes;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        if (part[c] != k)
            continue;
        vec_push(&r->node_at, r->n_nodes);
        vec_push(&to->class_name, from->class_name.at[c]);
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
            vec_push(&r->child_at, r->child.len);
            for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
                vec_push(&r->child, number[problem->child.at[i]]);
            vec_push(&r->cost, problem->cost.at[n]);
            to->negative = to->negative || problem->cost.at[n] < 0;
            vec_push(&to->node_name, from->node_name.at[n]);
            r->n_nodes++;
        }
    }
    vec_push(&r->node_at, r->n_nodes);
    vec_push(&r->child_at, r->child.len);
    for (uint32_t i = 0; i < problem->root.len; i++)
        if (part[problem->root.at[i]] == k)
            vec_push(&r->root, number[problem->root.at[i]]);
    mem_free(number);
}
