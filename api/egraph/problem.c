// SPDX-License-Identifier: Apache-2.0
#include "api/egraph/problem.h"

// node_of: the usable nodes, by class and then by the order of the file.
static void sort_nodes(const struct egraph_file *file, struct problem *problem,
                       struct u32_vec *node_of)
{
    uint32_t n = file->class.len;
    vec_reserve(&problem->node_at, n + 1);
    problem->node_at.len = n + 1;
    memset(problem->node_at.at, 0, sizeof(uint32_t) * problem->node_at.len);
    for (uint32_t i = 0; i < file->node.len; i++)
        problem->node_at.at[file->node.at[i].class] += !file->node.at[i].subsumed;
    for (uint32_t c = 1; c <= n; c++)
        problem->node_at.at[c] += problem->node_at.at[c - 1]; // ends, moved to starts
    problem->n_nodes = problem->node_at.at[n];
    vec_reserve(node_of, problem->n_nodes + 1);
    node_of->len = problem->n_nodes;
    for (uint32_t i = file->node.len; i-- > 0;)
        if (!file->node.at[i].subsumed)
            node_of->at[--problem->node_at.at[file->node.at[i].class]] = i;
}

void problem_of_file(const struct egraph_file *file, struct problem *problem,
                     struct u32_vec *node_of)
{
    *problem = (struct problem){.n_classes = file->class.len};
    vec_clear(node_of);
    sort_nodes(file, problem, node_of);
    vec_reserve(&problem->child, file->child.len);
    for (uint32_t i = 0; i < problem->n_nodes; i++) {
        const struct file_node *node = &file->node.at[node_of->at[i]];
        vec_push(&problem->child_at, problem->child.len);
        vec_push(&problem->cost, node->cost);
        for (uint32_t k = 0; k < node->n_children; k++)
            vec_push(&problem->child, file->node.at[file->child.at[node->child_at + k]].class);
    }
    vec_push(&problem->child_at, problem->child.len);
    for (uint32_t i = 0; i < file->root.len; i++)
        vec_push(&problem->root, file->root.at[i]);
}

uint32_t *file_choice(const struct solution *solution, const struct u32_vec *node_of)
{
    uint32_t *out = mem_alloc(sizeof *out * ((size_t)solution->n_classes + 1));
    for (uint32_t c = 0; c < solution->n_classes; c++)
        out[c] = solution->node[c] == NO_CHOICE ? NO_FILE_NODE : node_of->at[solution->node[c]];
    return out;
}
