// SPDX-License-Identifier: Apache-2.0
// E-graphs as files: egraph-serialize JSON, in and out.
//
//   {"nodes": {"NODE": {"op": "+", "children": ["NODE", ..], "eclass": "CLASS",
//                       "cost": 1.0, "subsumed": false}, ..},
//    "root_eclasses": ["CLASS", ..], "class_data": {"CLASS": {..}, ..}}
//
// A child names a node and means its class.  `children`, `cost` (1), `subsumed`
// (false) and `class_data` may be missing; keys that are not listed are not
// kept.  Roots and class_data whose class has no node are dropped and counted.
#ifndef IO_EGRAPH_JSON_H
#define IO_EGRAPH_JSON_H

#include "base/text/buf.h"
#include "base/memory/intern.h"

#define NO_FILE_NODE UINT32_MAX

struct file_node {
    uint32_t name, op; // texts
    uint32_t class;
    uint32_t child_at, n_children; // in `child`
    double cost;
    bool subsumed;
};
struct file_class {
    uint32_t name;
    const char *data; // its class_data as JSON text, NULL: none
};
struct egraph_file {
    struct intern text;
    VEC(struct file_node) node;       // in the order of the file
    VEC(struct file_class) class;     // in the order of their first nodes
    struct u32_vec child;             // nodes
    struct u32_vec root;              // classes
    uint32_t lost_roots, lost_data;   // dropped
    struct u32_vec node_of, class_of; // by text: + 1, 0 if it names none
};

void egraph_file_init(struct egraph_file *file);
void egraph_file_release(struct egraph_file *file);
// For callers that build a file.  The first returns the class of that name,
// made on first use.  The second adds a node without children.
// egraph_file_child adds a child to the last node.
uint32_t egraph_file_class(struct egraph_file *file, const char *name);
uint32_t egraph_file_node(struct egraph_file *file, const char *name, const char *op,
                          uint32_t class, double cost);
void egraph_file_child(struct egraph_file *file, uint32_t node);

// `text` has a NUL behind its n bytes; `file` is for messages.  *file_out is
// initialised, and released on failure.  Malformed text gives ERR_INPUT.
bool egraph_json_read(const char *text, size_t n, const char *file, struct egraph_file *file_out,
                      struct err *err);
// Writes the whole e-graph, or with `chosen` (per class a node or NO_FILE_NODE)
// those nodes alone, with the chosen nodes as children.
void egraph_json_write(const struct egraph_file *file, const uint32_t *chosen, struct buf *out);
// A text as a JSON string.
void egraph_json_string(const char *text, struct buf *out);

#endif
