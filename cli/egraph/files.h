// SPDX-License-Identifier: Apache-2.0
// E-graphs to and from files, for the commands that have one.
#ifndef CLI_EGRAPH_FILES_H
#define CLI_EGRAPH_FILES_H

#include "egraph/extract/cost.h"
#include "egraph/program/egraph.h"
#include "io/egraph/json.h"

// From JSON; what the file lost on the way is said on stderr.
bool read_egraph(const char *path, struct egraph_file *file, struct err *err);
// By the path's suffix: .dot, .svg (by the program `dot`), else JSON.  Pictures
// have `most` nodes at most and tell what they leave out, also on stderr.
// `chosen`, per class a node or NO_FILE_NODE: highlighted in pictures.
bool write_egraph(const char *path, const struct egraph_file *file, const uint32_t *chosen,
                  uint32_t most, struct err *err);
// Is the path one of a picture?
bool is_picture(const char *path);

// The classes and live nodes of an e-graph of tensor terms.  chosen[i], if not
// NULL, becomes per class of the file a node of it among `picks`; the caller
// releases it with mem_free.
void egraph_file_of(struct egraph *graph, const struct cost *cost, uint32_t n_roots,
                    const term_id *roots, const struct u32_vec *picks, struct egraph_file *file,
                    uint32_t **chosen);

#endif
