// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/problem/space.h"
#include "egraph/extract/problem/components.h"

static bool node_usable(const struct problem *p, const bool *term, uint32_t n,
                        uint32_t owner)
{
    for (uint32_t i = p->child_at.at[n]; i < p->child_at.at[n + 1]; i++)
        if (!term[p->child.at[i]] || p->child.at[i] == owner)
            return false;
    return true;
}

// The classes that the roots reach over usable nodes, by components.
static void arrange(struct space *s, const struct problem *w,
                    const bool *usable)
{
    uint8_t *skip = mem_alloc((size_t)w->child.len + 1);
    for (uint32_t n = 0; n < w->n_nodes; n++) {
        uint32_t from = w->child_at.at[n];
        memset(skip + from, !usable[n], w->child_at.at[n + 1] - from);
    }
    struct sccs c;
    sccs_find(&c, w, w->root.at, w->root.len, skip);
    s->class_of = c.class_of;
    s->part_at = c.part_at;
    for (uint32_t i = 0; i < s->class_of.len; i++)
        vec_push(&s->part, c.part[s->class_of.at[i]]);
    mem_free(c.part);
    mem_free(skip);
}

// The tables of the space.
static void fill(struct space *s, const struct problem *w, const bool *term)
{
    bool *usable = mem_alloc((size_t)w->n_nodes + 1);
    for (uint32_t c = 0; c < w->n_classes; c++)
        for (uint32_t n = w->node_at.at[c]; n < w->node_at.at[c + 1]; n++)
            usable[n] = node_usable(w, term, n, c);
    arrange(s, w, usable);
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
    for (uint32_t i = 0; i < w->root.len; i++)
        vec_push(&s->p.root, at[w->root.at[i]]);
    problem_users(&s->p, &s->user_at, &s->user);
    mem_free(at);
    mem_free(usable);
}

bool space_init(struct space *s, const struct problem *w, struct err *e)
{
    *s = (struct space){0};
    bool *term = problem_terms(w);
    bool ok = true;
    for (uint32_t i = 0; ok && i < w->root.len; i++)
        ok = term[w->root.at[i]] ||
             err_set(e, ERR_CHECK, "root %u has no finite term", i);
    if (ok)
        fill(s, w, term);
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
