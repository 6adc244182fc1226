// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/exact/core.h"
#include "base/clock.h"

void exact_core_release(struct exact_core *x)
{
    problem_release(&x->q);
    vec_release(&x->class_name);
    vec_release(&x->node_name);
}

void exact_edit_init(struct exact_edit *d, const struct exact_core *x)
{
    d->gone = mem_alloc((size_t)x->q.n_nodes + 1);
    d->melt = mem_alloc((size_t)x->q.n_classes + 1);
    d->cut = mem_alloc((size_t)x->q.child.len + 1);
    d->free = mem_alloc((size_t)x->q.n_classes + 1);
}

void exact_edit_release(struct exact_edit *d)
{
    mem_free(d->gone);
    mem_free(d->melt);
    mem_free(d->cut);
    mem_free(d->free);
}

void exact_core_order(const struct problem *q, struct u32_vec *order)
{
    uint32_t *owner = problem_owners(q);
    uint32_t *open = mem_alloc(sizeof *open * ((size_t)q->n_nodes + 1));
    bool *has = mem_alloc((size_t)q->n_classes + 1);
    struct u32_vec at = {0}, user = {0};
    problem_users(q, &at, &user);
    vec_clear(order);
    for (uint32_t n = 0; n < q->n_nodes; n++) {
        open[n] = q->child_at.at[n + 1] - q->child_at.at[n];
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
    struct exact_core *x;
    struct exact_edit *d;
    struct u32_vec at, end, item; // children of melted classes, expanded
    double *cost;                 // of a melted class, with what it melted
    uint32_t *mark, stamp;        // per class: seen at this stamp
};

static void expand_child(struct exact_builder *b, uint32_t c, struct u32_vec *out)
{
    if (b->mark[c] == b->stamp)
        return;
    b->mark[c] = b->stamp;
    if (!b->d->melt[c]) {
        vec_push(out, c);
        return;
    }
    for (uint32_t i = b->at.at[c]; i < b->end.at[c]; i++)
        if (b->mark[b->item.at[i]] != b->stamp) {
            b->mark[b->item.at[i]] = b->stamp;
            uint32_t item = b->item.at[i];
            vec_push(out, item);
        }
}

static double expand_node(struct exact_builder *b, uint32_t n, struct u32_vec *out)
{
    const struct problem *q = &b->x->q;
    double cost = q->cost.at[n];
    b->stamp++;
    for (uint32_t i = q->child_at.at[n]; i < q->child_at.at[n + 1]; i++) {
        uint32_t c = q->child.at[i];
        if (b->d->cut[i])
            continue;
        if (b->d->melt[c] && b->mark[c] != b->stamp)
            cost += b->cost[c];
        expand_child(b, c, out);
    }
    return cost;
}

static void melt_all(struct exact_builder *b)
{
    struct exact_core *x = b->x;
    struct u32_vec order = {0}, out = {0};
    exact_core_order(&x->q, &order);
    vec_reserve(&b->at, x->q.n_classes + 1);
    vec_reserve(&b->end, x->q.n_classes + 1);
    for (uint32_t k = 0; k < order.len; k++) {
        uint32_t c = order.at[k], n = x->q.node_at.at[c];
        if (!b->d->melt[c])
            continue;
        vec_clear(&out);
        b->cost[c] = expand_node(b, n, &out);
        b->at.at[c] = b->item.len;
        for (uint32_t i = 0; i < out.len; i++)
            vec_push(&b->item, out.at[i]);
        b->end.at[c] = b->item.len;
        x->choice[x->class_name.at[c]] = x->node_name.at[n];
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
static void build_nodes(struct exact_builder *b, struct problem *r,
                        struct u32_vec *name)
{
    struct exact_core *x = b->x;
    const struct problem *q = &x->q;
    struct u32_vec out = {0};
    r->n_classes = q->n_classes;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        vec_push(&r->node_at, r->n_nodes);
        if (b->d->melt[c] || b->d->free[c])
            continue;
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
            if (b->d->gone[n])
                continue;
            vec_clear(&out);
            double cost = expand_node(b, n, &out);
            if (b->mark[c] == b->stamp)
                continue; // needs its own class
            if (out.len)
                qsort(out.at, out.len, sizeof *out.at, by_number);
            vec_push(&r->child_at, r->child.len);
            for (uint32_t i = 0; i < out.len; i++)
                vec_push(&r->child, out.at[i]);
            vec_push(&r->cost, cost);
            vec_push(name, x->node_name.at[n]);
            r->n_nodes++;
        }
    }
    vec_push(&r->node_at, r->n_nodes);
    vec_push(&r->child_at, r->child.len);
    vec_release(&out);
}

// Which classes the roots reach through nodes whose children all have terms.
static uint32_t *reach(const struct problem *r, const bool *root,
                       const bool *has, uint32_t *n_found)
{
    uint32_t *number = mem_alloc(sizeof *number * ((size_t)r->n_classes + 1));
    struct u32_vec waiting = {0};
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (root[c]) {
            number[c] = 1;
            vec_push(&waiting, c);
        }
    while (waiting.len) {
        uint32_t c = vec_pop(&waiting);
        for (uint32_t n = r->node_at.at[c]; n < r->node_at.at[c + 1]; n++) {
            bool usable = true;
            uint32_t i = r->child_at.at[n], end = r->child_at.at[n + 1];
            for (uint32_t k = i; k < end; k++)
                usable = usable && has[r->child.at[k]];
            for (; usable && i < end; i++)
                if (!number[r->child.at[i]]) {
                    number[r->child.at[i]] = 1;
                    vec_push(&waiting, r->child.at[i]);
                }
        }
    }
    vec_release(&waiting);
    *n_found = 0;
    for (uint32_t c = 0; c < r->n_classes; c++)
        number[c] = number[c] ? (*n_found)++ : UINT32_MAX;
    return number;
}

// Copies r to the core, classes renumbered, without what is not reached.
static void settle(struct exact_core *x, const struct problem *r,
                   const struct u32_vec *name, const uint32_t *number,
                   const bool *has, const bool *root)
{
    struct problem q = {0};
    struct u32_vec class_name = {0}, node_name = {0};
    x->negative = false;
    x->dead = false;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (number[c] == UINT32_MAX)
            continue;
        vec_push(&q.node_at, q.n_nodes);
        vec_push(&class_name, x->class_name.at[c]);
        if (root[c])
            vec_push(&q.root, q.n_classes);
        q.n_classes++;
        for (uint32_t n = r->node_at.at[c]; n < r->node_at.at[c + 1]; n++) {
            uint32_t first = r->child_at.at[n], end = r->child_at.at[n + 1];
            bool usable = true;
            for (uint32_t i = first; i < end; i++)
                usable = usable && has[r->child.at[i]];
            if (!usable)
                continue;
            vec_push(&q.child_at, q.child.len);
            for (uint32_t i = first; i < end; i++)
                vec_push(&q.child, number[r->child.at[i]]);
            vec_push(&q.cost, r->cost.at[n]);
            x->negative = x->negative || r->cost.at[n] < 0;
            vec_push(&node_name, name->at[n]);
            q.n_nodes++;
        }
        x->dead = x->dead || q.n_nodes == q.node_at.at[q.n_classes - 1];
    }
    vec_push(&q.node_at, q.n_nodes);
    vec_push(&q.child_at, q.child.len);
    exact_core_release(x);
    x->q = q;
    x->class_name = class_name;
    x->node_name = node_name;
}

void exact_core_apply(struct exact_core *x, struct exact_edit *d)
{
    size_t n = (size_t)x->q.n_classes + 1;
    struct exact_builder b = {.x = x,
                        .d = d,
                        .cost = mem_alloc(sizeof(double) * n),
                        .mark = mem_alloc(sizeof(uint32_t) * n)};
    bool *root = mem_alloc(n);
    for (uint32_t i = 0; i < x->q.root.len; i++)
        root[x->q.root.at[i]] = !d->free[x->q.root.at[i]];
    for (uint32_t c = 0; c < x->q.n_classes; c++)
        if (d->free[c]) {
            uint32_t only = x->q.node_at.at[c];
            x->base += x->q.cost.at[only];
            x->choice[x->class_name.at[c]] = x->node_name.at[only];
        }
    melt_all(&b);
    struct problem r = {0};
    struct u32_vec name = {0};
    build_nodes(&b, &r, &name);
    bool *has = problem_terms(&r);
    uint32_t n_found;
    uint32_t *number = reach(&r, root, has, &n_found);
    settle(x, &r, &name, number, has, root);
    mem_free(number);
    mem_free(has);
    problem_release(&r);
    vec_release(&name);
    mem_free(root);
    vec_release(&b.at);
    vec_release(&b.end);
    vec_release(&b.item);
    mem_free(b.cost);
    mem_free(b.mark);
    exact_edit_release(d);
}

void exact_core_init(struct exact_core *x, const struct problem *p, uint32_t *choice,
               double until)
{
    *x = (struct exact_core){
        .choice = choice, .n_whole = p->n_classes, .until = until};
    struct problem *q = &x->q;
    q->n_classes = p->n_classes;
    q->n_nodes = p->n_nodes;
    for (uint32_t c = 0; c <= p->n_classes; c++) {
        vec_push(&q->node_at, p->node_at.at[c]);
        vec_push(&x->class_name, c);
    }
    for (uint32_t n = 0; n <= p->n_nodes; n++) {
        vec_push(&q->child_at, p->child_at.at[n]);
        vec_push(&x->node_name, n);
    }
    for (uint32_t n = 0; n < p->n_nodes; n++)
        vec_push(&q->cost, p->cost.at[n]);
    for (uint32_t i = 0; i < p->child.len; i++)
        vec_push(&q->child, p->child.at[i]);
    for (uint32_t i = 0; i < p->root.len; i++)
        vec_push(&q->root, p->root.at[i]);
    struct exact_edit d;
    exact_edit_init(&d, x);
    exact_core_apply(x, &d);
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
    to->q = (struct problem){.n_classes = from->q.n_classes,
                             .n_nodes = from->q.n_nodes};
    to->class_name = to->node_name = (struct u32_vec){0};
    to->choice = choice;
    memcpy(choice, from->choice, sizeof *choice * from->n_whole);
    u32_copy(&to->q.node_at, &from->q.node_at);
    u32_copy(&to->q.child_at, &from->q.child_at);
    u32_copy(&to->q.child, &from->q.child);
    u32_copy(&to->q.root, &from->q.root);
    u32_copy(&to->class_name, &from->class_name);
    u32_copy(&to->node_name, &from->node_name);
    for (uint32_t n = 0; n < from->q.n_nodes; n++)
        vec_push(&to->q.cost, from->q.cost.at[n]);
}

void exact_core_part(struct exact_core *to, const struct exact_core *from, const uint32_t *part,
               uint32_t k, uint32_t *choice)
{
    const struct problem *q = &from->q;
    *to = (struct exact_core){
        .choice = choice, .n_whole = from->n_whole, .until = from->until};
    uint32_t *number = mem_alloc(sizeof *number * ((size_t)q->n_classes + 1));
    uint32_t n_classes = 0;
    for (uint32_t c = 0; c < q->n_classes; c++)
        number[c] = part[c] == k ? n_classes++ : UINT32_MAX;
    struct problem *r = &to->q;
    r->n_classes = n_classes;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        if (part[c] != k)
            continue;
        vec_push(&r->node_at, r->n_nodes);
        vec_push(&to->class_name, from->class_name.at[c]);
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
            vec_push(&r->child_at, r->child.len);
            for (uint32_t i = q->child_at.at[n]; i < q->child_at.at[n + 1]; i++)
                vec_push(&r->child, number[q->child.at[i]]);
            vec_push(&r->cost, q->cost.at[n]);
            to->negative = to->negative || q->cost.at[n] < 0;
            vec_push(&to->node_name, from->node_name.at[n]);
            r->n_nodes++;
        }
    }
    vec_push(&r->node_at, r->n_nodes);
    vec_push(&r->child_at, r->child.len);
    for (uint32_t i = 0; i < q->root.len; i++)
        if (part[q->root.at[i]] == k)
            vec_push(&r->root, number[q->root.at[i]]);
    mem_free(number);
}
