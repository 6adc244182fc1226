// SPDX-License-Identifier: Apache-2.0
// What nobody writes, whatever it costs to read.
#include "simplify/engine/core.h"

enum { ODD_CALL = 8, ODD_ROOT = 4, ODD_SUM = 4, LOG_DEPTH = 3, EXPONENTIAL_DEPTH = 2 };
static const double odd_power = 1.0, odd_exponential = 1.5;

static bool is_name(const char *name, uint32_t len, const char *what)
{
    return len == strlen(what) && memcmp(name, what, len) == 0;
}

// A function over axes one of whose further arguments has axes that its first
// one lacks: rms_norm of a row with a matrix of weights.  Or one that lacks the axes where
// the function is declared with them: layer_norm with a mean for its weights.
static bool is_odd_call(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    const uint32_t *arg = cc_args(graph, node);
    uint32_t n = cc_arity(graph, node), len, op_len;
    const char *op = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &op_len);
    for (uint32_t k = 0; n > 2 && k < 2; k++) {
        uint32_t f = graph->class_.at[cc_find(graph, arg[k])].founder;
        const char *name = plain_op_name(&engine->rules, graph->node.at[f].op & CC_OP, &len);
        if (fname_is_axes(name, len) != (k == 0))
            return false;
    }
    uint64_t own = n > 2 ? reals_axes(&engine->reals, cc_find(graph, arg[1])) : 0;
    uint64_t set = n > 2 ? reals_axes(&engine->reals, cc_find(graph, arg[0])) : 0;
    for (uint32_t k = 2; k < n; k++) {
        uint64_t axes = reals_axes(&engine->reals, cc_find(graph, arg[k]));
        if ((axes & ~own) != 0)
            return true;
        if ((axes & set) == 0 && engine->options->is_along != NULL &&
            engine->options->is_along(engine->options->ctx, op, op_len, k - 1))
            return true;
    }
    return false;
}

static bool is_one_of(const char *name, uint32_t len, const char *const *names)
{
    for (; *names != NULL; names++)
        if (is_name(name, len, *names))
            return true;
    return false;
}

// Looks for operators below others.
struct part_search {
    struct engine *engine;
    const char *const *wanted, *const *through; // ending with NULL
    struct u32_vec looked;                      // by class: the depth of the search from it, + 1
};

// A class is searched again only to a greater depth: large classes have many ways to one another.
static bool class_has(struct part_search *search, uint32_t class_id, uint32_t depth)
{
    struct cc *graph = &search->engine->graph;
    uint32_t first = graph->class_.at[class_id].member, m = first, len;
    if (search->looked.at[class_id] > depth)
        return false;
    search->looked.at[class_id] = depth + 1;
    do {
        uint32_t op = graph->node.at[m].op & CC_OP;
        const char *name = plain_op_name(&search->engine->rules, op, &len);
        if (is_one_of(name, len, search->wanted))
            return true;
        if (depth > 0 && is_one_of(name, len, search->through))
            for (uint32_t k = 0; k < cc_arity(graph, m); k++)
                if (class_has(search, cc_find(graph, cc_args(graph, m)[k]), depth - 1))
                    return true;
        m = graph->next.at[m];
    } while (m != first);
    return false;
}

static bool has_part(struct part_search *search, uint32_t class_id, uint32_t depth)
{
    vec_zero(&search->looked, search->engine->graph.class_.len);
    bool found = class_has(search, class_id, depth);
    vec_release(&search->looked);
    return found;
}

// Is a member of the class a logarithm, or a product or sum with one?
static bool has_log(struct engine *engine, uint32_t class_id, uint32_t depth)
{
    static const char *const logs[] = {"log", "log_plus_one", NULL};
    static const char *const terms[] = {"multiply", "negate", "add", "subtract", NULL};
    struct part_search search = {.engine = engine, .wanted = logs, .through = terms};
    return has_part(&search, class_id, depth);
}

// Is a member of the class a power of e, or a product or quotient with one?
static bool has_exponential(struct engine *engine, uint32_t class_id, uint32_t depth)
{
    static const char *const powers[] = {"exponential", NULL};
    static const char *const factors[] = {"multiply", "divide", NULL};
    struct part_search search = {.engine = engine, .wanted = powers, .through = factors};
    return has_part(&search, class_id, depth);
}

// The root of a power of e, which is a power of e itself; or a new root of a product with one.
static bool is_odd_root(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    return (is_name(name, len, "sqrt") || is_name(name, len, "rsqrt")) &&
           has_exponential(engine, cc_find(graph, cc_args(graph, node)[0]),
                           engine->kept[node] ? 0 : EXPONENTIAL_DEPTH);
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

// A power of e whose exponent has a logarithm: people write b^a and not exp(a*log(b)).
static bool is_odd_exponential(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    return is_name(name, len, "exponential") &&
           has_log(engine, cc_find(graph, cc_args(graph, node)[0]), LOG_DEPTH);
}

// A power with a number neither raised nor above: people write a*log(b) and not log(b^a).
static bool is_odd_power(struct engine *engine, uint32_t node)
{
    struct cc *graph = &engine->graph;
    const uint32_t *arg = cc_args(graph, node);
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    return is_name(name, len, "power") &&
           !reals_has_value(&engine->reals, cc_find(graph, arg[0])) &&
           !reals_has_value(&engine->reals, cc_find(graph, arg[1]));
}

double engine_odd(struct engine *engine, uint32_t node)
{
    uint32_t n = cc_arity(&engine->graph, node);
    if (n > 2)
        return is_odd_call(engine, node) ? ODD_CALL : 0;
    if (n == 2 && engine->kept[node])
        return 0;
    if (n == 2)
        return is_idle(engine, node) ? ODD_SUM : is_odd_power(engine, node) ? odd_power : 0;
    if (n == 1 && is_odd_exponential(engine, node))
        return engine->kept[node] ? 0 : odd_exponential;
    return n == 1 && is_odd_root(engine, node) ? ODD_ROOT : 0;
}
