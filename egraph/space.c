// SPDX-License-Identifier: Apache-2.0
#include "egraph/space.h"

// Tarjan's components of the classes that the roots reach, by an explicit
// stack: a component is closed after all that it needs.
struct finder {
    const struct problem *p;
    const bool *term;      // per class
    uint32_t *index, *low; // per class, index 0: not seen
    uint32_t *next;        // per class on the path: its next edge
    uint8_t *open;         // per class: on `held`
    uint32_t seen;
    struct u32_vec path, held;
    struct space *s;
};

static bool node_usable(const struct finder *f, uint32_t n, uint32_t owner)
{
    const struct problem *p = f->p;
    for (uint32_t i = p->child_at.at[n]; i < p->child_at.at[n + 1]; i++)
        if (!f->term[p->child.at[i]] || p->child.at[i] == owner)
            return false;
    return true;
}

static void class_enter(struct finder *f, uint32_t c)
{
    f->index[c] = f->low[c] = ++f->seen;
    f->open[c] = 1;
    f->next[c] = f->p->child_at.at[f->p->node_at.at[c]];
    vec_push(&f->path, c);
    vec_push(&f->held, c);
}

static void class_leave(struct finder *f, uint32_t c)
{
    (void)vec_pop(&f->path);
    if (f->path.len && f->low[c] < f->low[vec_last(&f->path)])
        f->low[vec_last(&f->path)] = f->low[c];
    if (f->low[c] != f->index[c])
        return;
    uint32_t part = f->s->part_at.len, k;
    vec_push(&f->s->part_at, f->s->class_of.len);
    do {
        k = vec_pop(&f->held);
        f->open[k] = 0;
        vec_push(&f->s->class_of, k);
        vec_push(&f->s->part, part);
    } while (k != c);
}

// All children of one class stand in a row; those of unusable nodes are
// skipped by `skip`, which holds for every edge.
static void search(struct finder *f, uint32_t root, const uint8_t *skip)
{
    const struct problem *p = f->p;
    if (f->index[root])
        return;
    class_enter(f, root);
    while (f->path.len) {
        uint32_t c = vec_last(&f->path);
        uint32_t end = p->child_at.at[p->node_at.at[c + 1]];
        uint32_t i = f->next[c];
        while (i < end && (skip[i] || f->index[p->child.at[i]])) {
            uint32_t k = p->child.at[i];
            if (!skip[i] && f->open[k] && f->index[k] < f->low[c])
                f->low[c] = f->index[k];
            i++;
        }
        f->next[c] = i + 1;
        if (i < end)
            class_enter(f, p->child.at[i]);
        else
            class_leave(f, c);
    }
}

// The tables of the space from its list of classes.
static void fill(struct space *s, const struct problem *w, const bool *usable)
{
    uint32_t *at = mem_alloc(sizeof *at * ((size_t)w->n_classes + 1));
    s->p.n_classes = s->class_of.len;
    for (uint32_t c = 0; c < s->class_of.len; c++)
        at[s->class_of.at[c]] = c;
    for (uint32_t c = 0; c < s->class_of.len; c++) {
        uint32_t from = s->class_of.at[c];
        vec_push(&s->p.node_at, s->p.n_nodes);
        for (uint32_t n = w->node_at.at[from]; n < w->node_at.at[from + 1];
             n++) {
            if (!usable[n])
                continue;
            vec_push(&s->p.child_at, s->p.child.len);
            for (uint32_t i = w->child_at.at[n]; i < w->child_at.at[n + 1]; i++)
                vec_push(&s->p.child, at[w->child.at[i]]);
            vec_push(&s->p.cost, w->cost.at[n]);
            vec_push(&s->node_of, n);
            vec_push(&s->owner, c);
            s->p.n_nodes++;
        }
    }
    vec_push(&s->p.node_at, s->p.n_nodes);
    vec_push(&s->p.child_at, s->p.child.len);
    vec_push(&s->part_at, s->p.n_classes);
    for (uint32_t i = 0; i < w->root.len; i++)
        vec_push(&s->p.root, at[w->root.at[i]]);
    problem_users(&s->p, &s->user_at, &s->user);
    mem_free(at);
}

bool space_init(struct space *s, const struct problem *w, struct err *e)
{
    *s = (struct space){0};
    size_t n = (size_t)w->n_classes + 1;
    bool *term = problem_terms(w);
    bool *usable = mem_alloc((size_t)w->n_nodes + 1);
    uint8_t *skip = mem_alloc((size_t)w->child.len + 1);
    struct finder f = {.p = w, .s = s, .term = term};
    f.index = mem_alloc(sizeof *f.index * n);
    f.low = mem_alloc(sizeof *f.low * n);
    f.next = mem_alloc(sizeof *f.next * n);
    f.open = mem_alloc(n);
    for (uint32_t c = 0; c < w->n_classes; c++)
        for (uint32_t k = w->node_at.at[c]; k < w->node_at.at[c + 1]; k++) {
            usable[k] = node_usable(&f, k, c);
            uint32_t from = w->child_at.at[k];
            memset(skip + from, !usable[k], w->child_at.at[k + 1] - from);
        }
    bool ok = true;
    for (uint32_t i = 0; ok && i < w->root.len; i++) {
        ok = term[w->root.at[i]] ||
             err_set(e, ERR_CHECK, "root %u has no finite term", i);
        if (ok)
            search(&f, w->root.at[i], skip);
    }
    if (ok)
        fill(s, w, usable);
    else
        space_release(s);
    vec_release(&f.path);
    vec_release(&f.held);
    mem_free(f.index);
    mem_free(f.low);
    mem_free(f.next);
    mem_free(f.open);
    mem_free(skip);
    mem_free(usable);
    mem_free(term);
    return ok;
}

void space_release(struct space *s)
{
    problem_release(&s->p);
    vec_release(&s->class_of);
    vec_release(&s->node_of);
    vec_release(&s->owner);
    vec_release(&s->user_at);
    vec_release(&s->user);
    vec_release(&s->part_at);
    vec_release(&s->part);
}

void space_solution(const struct space *s, const struct problem *whole,
                    const uint32_t *choice, struct solution *out)
{
    for (uint32_t c = 0; c < s->p.n_classes; c++)
        out->node[s->class_of.at[c]] =
            choice[c] == NO_CHOICE ? NO_CHOICE : s->node_of.at[choice[c]];
    solution_trim(whole, out);
}
