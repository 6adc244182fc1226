// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/saturate/rings.h"
#include "egraph/limits.h"

enum { LIST_BITS = 10, LISTS = 1 << LIST_BITS };

void rings_release(struct rings *rings)
{
    mem_free(rings->list);
    vec_release(&rings->nodes);
    vec_release(&rings->heads);
    rings->list = NULL;
}

static void forget(struct rings *rings)
{
    for (uint32_t i = 0; i < LISTS; i++)
        rings->list[i] = (struct ring_list){.cls = CC_NONE};
}

void rings_clear(struct rings *rings)
{
    if (rings->list != NULL)
        forget(rings);
    vec_clear(&rings->nodes);
    vec_clear(&rings->heads);
}

uint64_t rings_bytes(const struct rings *rings)
{
    uint64_t lists = rings->list != NULL ? LISTS * sizeof *rings->list : 0;
    return lists + vec_held(rings->nodes.len, rings->nodes.cap, sizeof *rings->nodes.at) +
           vec_held(rings->heads.len, rings->heads.cap, sizeof *rings->heads.at);
}

// Links the nodes of a list: the last first, so that each is in front of those behind it.
static void link_nodes(struct rings *rings, struct ring_list *list)
{
    list->bits = 1;
    while (list->bits < 31 && UINT32_C(1) << list->bits < list->n)
        list->bits++;
    uint32_t n = UINT32_C(1) << list->bits;
    list->head = rings->heads.len;
    vec_reserve(&rings->heads, rings->heads.len + n);
    rings->heads.len += n;
    uint32_t *head = rings->heads.at + list->head;
    memset(head, 0xff, n * sizeof *head);
    for (uint32_t i = list->n; i-- > 0;) {
        struct ring_node *node = &rings->nodes.at[list->from + i];
        uint32_t *first = &head[rings_hash(list->via == 0 ? node->a : node->b, list->bits)];
        node->next = *first;
        *first = list->from + i;
    }
}

static void push_node(struct rings *rings, const struct cc *graph, uint32_t node)
{
    const struct enode *e = &graph->node.at[node];
    struct ring_node to = {node, e->a, e->b, CC_NONE};
    vec_push(&rings->nodes, to);
}

static void write_ring(struct rings *rings, const struct cc *graph, const struct ring_list *list)
{
    uint32_t first = graph->class_.at[list->cls].member, m = first;
    do {
        if (graph->node.at[m].op == list->op)
            push_node(rings, graph, m);
        m = graph->next.at[m];
    } while (m != first);
}

static void write_above(struct rings *rings, const struct cc *graph, const struct ring_list *list)
{
    for (uint32_t p = graph->class_.at[list->cls].parents; p != CC_NONE;
         p = p & CC_WIDE ? graph->wide_next.at[p & ~CC_WIDE] : graph->edge.at[p])
        if (!(p & CC_WIDE) && (p & 1) == list->via - RING_ABOVE &&
            graph->node.at[p >> 1].op == list->op)
            push_node(rings, graph, p >> 1);
}

static bool is_above(uint32_t via)
{
    return via >= RING_ABOVE && via != CC_NONE;
}

static void write_list(struct rings *rings, const struct cc *graph, struct ring_list *list)
{
    list->from = rings->nodes.len;
    if (is_above(list->via))
        write_above(rings, graph, list);
    else
        write_ring(rings, graph, list);
    list->n = rings->nodes.len - list->from;
    if (list->via != CC_NONE && !is_above(list->via))
        link_nodes(rings, list);
}

const struct ring_list *rings_find(struct rings *rings, const struct cc *graph, uint32_t cls,
                                   uint32_t op, uint32_t via)
{
    if (rings->list == NULL) {
        rings->list = mem_alloc(LISTS * sizeof *rings->list);
        forget(rings);
    }
    struct ring_list *list = &rings->list[rings_hash(cls * 8 + op * 2 + via, LIST_BITS)];
    if (list->cls != cls || list->op != op || list->via != via) {
        *list = (struct ring_list){.cls = cls, .op = op, .via = via, .n = CC_NONE};
        return NULL;
    }
    if (list->n == CC_NONE) {
        const struct eclass *class = &graph->class_.at[cls];
        uint32_t most = is_above(via) ? class->n_parents : class->n_nodes;
        if ((uint64_t)rings->nodes.len + most > EGRAPH_RING_NODES)
            return NULL;
        write_list(rings, graph, list);
    }
    return list;
}
