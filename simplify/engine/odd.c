// SPDX-License-Identifier: Apache-2.0
// What nobody writes, whatever it costs to read.
#include "simplify/engine/core.h"

enum { ODD_CALL = 8, ODD_ROOT = 2, ODD_SUM = 4 };
static const double odd_power = 1.5, odd_product = 1e-5;

// A function over axes one of whose further arguments has axes that its first
// one lacks: rms_norm of a row with a matrix of weights.
static bool is_odd_call(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    const uint32_t *arg = cc_args(graph, node);
    uint32_t n = cc_arity(graph, node), len;
    for (uint32_t k = 0; n > 2 && k < 2; k++) {
        uint32_t f = graph->class_.at[cc_find(graph, arg[k])].founder;
        const char *name = plain_op_name(&engine->rules, graph->node.at[f].op & CC_OP, &len);
        if (fname_is_axes(name, len) != (k == 0))
            return false;
    }
    uint64_t own = n > 2 ? reals_axes(&engine->reals, cc_find(graph, arg[1])) : 0;
    for (uint32_t k = 2; k < n; k++)
        if ((reals_axes(&engine->reals, cc_find(graph, arg[k])) & ~own) != 0)
            return true;
    return false;
}

// The root of a power of e, which is a power of e itself.
static bool is_odd_root(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    if ((len != 4 || memcmp(name, "sqrt", 4) != 0) && (len != 5 || memcmp(name, "rsqrt", 5) != 0))
        return false;
    uint32_t first = graph->class_.at[cc_find(graph, cc_args(graph, node)[0])].member, m = first;
    do {
        name = plain_op_name(&engine->rules, graph->node.at[m].op & CC_OP, &len);
        if (len == 11 && memcmp(name, "exponential", 11) == 0)
            return true;
        m = graph->next.at[m];
    } while (m != first);
    return false;
}

// A reduction along axes on which its argument does not depend; one that was written may stay.
static bool is_idle(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    if (len < 7 || memcmp(name, "reduce_", 7) != 0)
        return false;
    uint64_t set = reals_axes(&engine->reals, cc_find(graph, cc_args(graph, node)[0]));
    return (set & reals_axes(&engine->reals, cc_find(graph, cc_args(graph, node)[1]))) == 0;
}

// A power with a number neither raised nor above: people write a*log(b) and not log(b^a).
static bool is_odd_power(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    const uint32_t *arg = cc_args(graph, node);
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    return len == 5 && memcmp(name, "power", 5) == 0 &&
           !reals_has_value(&engine->reals, cc_find(graph, arg[0])) &&
           !reals_has_value(&engine->reals, cc_find(graph, arg[1]));
}

// A product of a quotient, a/c*b, where a*b/c costs the same.
static bool is_odd_product(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    if (len != 8 || memcmp(name, "multiply", 8) != 0)
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t first = graph->class_.at[cc_find(graph, cc_args(graph, node)[k])].member,
                 m = first;
        do {
            name = plain_op_name(&engine->rules, graph->node.at[m].op & CC_OP, &len);
            if (len == 6 && memcmp(name, "divide", 6) == 0)
                return true;
            m = graph->next.at[m];
        } while (m != first);
    }
    return false;
}

double engine_odd(struct engine *engine, uint32_t node)
{
    uint32_t n = cc_arity(&engine->graph, node);
    if (n > 2)
        return is_odd_call(engine, node) ? ODD_CALL : 0;
    if (n == 2 && engine->kept[node])
        return 0;
    if (n == 2)
        return is_idle(engine, node)          ? ODD_SUM
               : is_odd_power(engine, node)   ? odd_power
               : is_odd_product(engine, node) ? odd_product
                                              : 0;
    return n == 1 && is_odd_root(engine, node) ? ODD_ROOT : 0;
}
