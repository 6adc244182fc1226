// SPDX-License-Identifier: Apache-2.0
// The nodes of large classes by operator and argument.
//
// A search that goes from a class down to its nodes walks the class's ring: from node to node
// through memory, past the nodes of other operators.  Where rules join two nodes of a large class,
// such as (max (min ?a ?b) (min ?a ?c)), the same ring is walked once for each node above.  So the
// second walk through a large ring writes a list of the nodes of the operator, hashed by the
// argument that is known; later ones look only at the nodes of the list that have the argument.
// In the same way the nodes above a class, of one operator and with the class as one argument, are
// listed for a search that goes up.
//
// R1  A list names the nodes of its operator in the order of the ring, or of the list of parents.
//     Nodes with one argument are linked in that order too.  So a search finds the same matches in
//     the same order with lists as without, and nothing depends on which lists are kept.
// R2  Lists are valid as long as the lists of the graph stand still (cc.h): rings_clear is called
//     before the first search after a rebuild.
#ifndef EGRAPH_PLAIN_SATURATE_RINGS_H
#define EGRAPH_PLAIN_SATURATE_RINGS_H

#include "egraph/core/cc.h"

struct ring_node {
    uint32_t node, a, b;
    uint32_t next; // place of the next node with such a hash, or CC_NONE
};

// Added to `via`, 0 or 1: a list of the nodes above, which have the class as that argument.
enum { RING_ABOVE = 2 };

struct ring_list {
    uint32_t cls, op, via; // via: the argument that is known, or CC_NONE; see RING_ABOVE
    uint32_t n;            // nodes; CC_NONE: the ring was walked once, there is no list
    uint32_t from;         // place of the first in nodes[]
    uint32_t head;         // via 0 and 1: where its hash table begins in heads[]
    uint32_t bits;         // and of how many bits its hashes are
};

struct rings {
    struct ring_list *list; // a table in which a list takes the place of an older one; or NULL
    VEC(struct ring_node) nodes;
    struct u32_vec heads;
};

void rings_release(struct rings *rings);
void rings_clear(struct rings *rings);
// Bytes of memory.
uint64_t rings_bytes(const struct rings *rings);
// The list of the nodes with at most two arguments of a canonical class, or above it, or NULL where
// there is none.  The next call moves the nodes, but the list's places stay valid until rings_clear.
const struct ring_list *rings_find(struct rings *rings, const struct cc *graph, uint32_t cls,
                                   uint32_t op, uint32_t via);

// The place of the first node whose argument `via` may be this class.
static inline uint32_t rings_hash(uint32_t cls, uint32_t bits)
{
    return cls * UINT32_C(0x9E3779B1) >> (32 - bits);
}

#endif
