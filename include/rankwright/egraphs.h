// SPDX-License-Identifier: Apache-2.0
// E-graphs of other programs: a part of rankwright.h, which programs include.
#ifndef RANKWRIGHT_EGRAPHS_H
#define RANKWRIGHT_EGRAPHS_H

struct rw_egraph;
// From egraph-serialize JSON.
RW_API struct rw_egraph *rw_egraph_read(struct rw_context *context, const char *text, size_t size,
                                        const char *file, struct rw_error *error);
// The e-graph of a simplified program, with what was chosen; after the result
// is released it is still valid.
RW_API struct rw_egraph *rw_result_egraph(const struct rw_result *result, struct rw_error *error);
RW_API void rw_egraph_free(struct rw_egraph *egraph);

struct rw_extraction {
    double tree_cost, dag_cost; // may be infinite
    double bound;               // no choice has a lower DAG cost
    double seconds, cpu_seconds;
    bool optimal;
    bool limited; // the best that the time allowed
};
// The cheapest choice of a node for each class; borrowed until the next one.
RW_API const struct rw_extraction *
rw_extract(struct rw_egraph *egraph, enum rw_extract_method method, struct rw_error *error);
RW_API char *rw_extraction_json(const struct rw_egraph *egraph);
// egraph-serialize JSON of the whole, or of what was chosen.
RW_API char *rw_egraph_json(const struct rw_egraph *egraph, bool chosen);
// A picture of at most `nodes` nodes, for graphviz or by it; *hidden_nodes and
// *hidden_classes (may be NULL) count what is not shown.
RW_API char *rw_egraph_picture(const struct rw_egraph *egraph, bool svg, uint32_t nodes,
                               uint32_t *hidden_nodes, uint32_t *hidden_classes,
                               struct rw_error *error);

#endif
