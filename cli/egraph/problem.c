// SPDX-License-Identifier: Apache-2.0
#include "cli/egraph/problem.h"

// node_of: the usable nodes, by class and then by the order of the file.
static void sort_nodes(const struct egraph_file *f, struct problem *p,
                       struct u32_vec *node_of)
{
    uint32_t n = f->class.len;
    vec_reserve(&p->node_at, n + 1);
    p->node_at.len = n + 1;
    memset(p->node_at.at, 0, sizeof(uint32_t) * p->node_at.len);
    for (uint32_t i = 0; i < f->node.len; i++)
        p->node_at.at[f->node.at[i].class] += !f->node.at[i].subsumed;
    for (uint32_t c = 1; c <= n; c++)
        p->node_at.at[c] += p->node_at.at[c - 1]; // ends, moved to starts
    p->n_nodes = p->node_at.at[n];
    vec_reserve(node_of, p->n_nodes + 1);
    node_of->len = p->n_nodes;
    for (uint32_t i = f->node.len; i-- > 0;)
        if (!f->node.at[i].subsumed)
            node_of->at[--p->node_at.at[f->node.at[i].class]] = i;
}

void problem_of_file(const struct egraph_file *f, struct problem *p,
                     struct u32_vec *node_of)
{
    *p = (struct problem){.n_classes = f->class.len};
    vec_clear(node_of);
    sort_nodes(f, p, node_of);
    vec_reserve(&p->child, f->child.len);
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const struct file_node *n = &f->node.at[node_of->at[i]];
        vec_push(&p->child_at, p->child.len);
        vec_push(&p->cost, n->cost);
        for (uint32_t k = 0; k < n->n_children; k++)
            vec_push(&p->child, f->node.at[f->child.at[n->child_at + k]].class);
    }
    vec_push(&p->child_at, p->child.len);
    for (uint32_t i = 0; i < f->root.len; i++)
        vec_push(&p->root, f->root.at[i]);
}

uint32_t *file_choice(const struct solution *s, const struct u32_vec *node_of)
{
    uint32_t *out = mem_alloc(sizeof *out * ((size_t)s->n_classes + 1));
    for (uint32_t c = 0; c < s->n_classes; c++)
        out[c] =
            s->node[c] == NO_CHOICE ? NO_FILE_NODE : node_of->at[s->node[c]];
    return out;
}
