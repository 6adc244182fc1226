// SPDX-License-Identifier: Apache-2.0
// The e-graph of all terms, and terms as trees and text.
#include "discover/scalars/core.h"
#include "discover/limits.h"

#include <stdio.h>

static const char *sym_name(const struct scalar_discovery *discovery, uint32_t sym, char few[24])
{
    const struct scalar_options *options = discovery->options;
    if (sym < options->n_ops)
        return op_name(options->ops[sym]);
    sym -= options->n_ops;
    if (sym < options->n_vars)
        snprintf(few, 24, "%c", (int)('a' + sym));
    else
        snprintf(few, 24, "%lld", (long long)options->constants[sym - options->n_vars]);
    return few;
}

static void add(struct scalar_discovery *discovery, uint32_t sym, const uint32_t *node, bool keep)
{
    uint32_t arity = sym_arity(discovery, sym), cls[2];
    struct known_values known = {0};
    unsigned depth = 0;
    for (uint32_t k = 0; k < arity; k++) {
        const struct known_values *a = &discovery->known.at[node[k]];
        cls[k] = cc_class(&discovery->graph, node[k]);
        known.ops = (uint8_t)(known.ops + a->ops);
        known.constants = (uint8_t)(known.constants + a->constants);
        known.vars |= a->vars;
        depth = a->depth > depth ? a->depth : depth;
    }
    if (arity > 0 &&
        (known.vars == 0 || cc_lookup(&discovery->graph, discovery->sym_op[sym], cls) != CC_NONE))
        return;
    if (arity > 0) {
        known.ops++;
        known.depth = (uint8_t)(depth + 1);
    } else if (sym_is_var(discovery, sym)) {
        known.vars = (uint8_t)(1u << (sym - discovery->options->n_ops));
    } else {
        known.constants = 1;
    }
    if (!scalar_eval(discovery, sym, node, keep, &known))
        return;
    cc_insert(&discovery->graph, discovery->sym_op[sym], cls, CC_NONE);
    vec_push(&discovery->known, known);
}

void scalar_begin(struct scalar_discovery *discovery)
{
    plain_init(&discovery->plain);
    cc_init(&discovery->graph, false);
    for (uint32_t i = 0; i < sym_count(discovery); i++) {
        char few[24];
        const char *name = sym_name(discovery, i, few);
        discovery->sym_op[i] = plain_op(&discovery->plain, &discovery->graph, name,
                                        (uint32_t)strlen(name), sym_arity(discovery, i));
        while (discovery->op_sym.len <= discovery->sym_op[i])
            vec_push(&discovery->op_sym, 0);
        discovery->op_sym.at[discovery->sym_op[i]] = i;
    }
    for (uint32_t i = discovery->options->n_ops; i < sym_count(discovery); i++)
        add(discovery, i, NULL, true);
    cc_rebuild(&discovery->graph);
    scalar_best(discovery);
}

void scalar_release(struct scalar_discovery *discovery)
{
    plain_release(&discovery->plain);
    cc_release(&discovery->graph);
    vec_release(&discovery->op_sym);
    vec_release(&discovery->known);
    vec_release(&discovery->best);
    vec_release(&discovery->small);
    vec_release(&discovery->wide);
}

// Smaller first, then of fewer levels, then older.
static bool better(const struct scalar_discovery *discovery, uint32_t a, uint32_t b)
{
    const struct known_values *known = &discovery->known.at[a], *y = &discovery->known.at[b];
    if (known->ops != y->ops)
        return known->ops < y->ops;
    if (known->constants != y->constants)
        return known->constants < y->constants;
    if (known->depth != y->depth)
        return known->depth < y->depth;
    return a < b;
}

void scalar_best(struct scalar_discovery *discovery)
{
    struct cc *graph = &discovery->graph;
    vec_clear(&discovery->best);
    for (uint32_t c = 0; c < graph->up.len; c++)
        vec_push(&discovery->best, CC_NONE);
    for (uint32_t n = 0; n < graph->node.len; n++) {
        uint32_t *best = &discovery->best.at[cc_class(graph, n)];
        if (*best == CC_NONE || better(discovery, n, *best))
            *best = n;
    }
}

static bool fits(const struct scalar_discovery *discovery, uint32_t layer,
                 const struct known_values *a, const struct known_values *b)
{
    const struct scalar_options *options = discovery->options;
    unsigned ops = 1u + a->ops + (b ? b->ops : 0u);
    unsigned depth = 1u + (b && b->depth > a->depth ? b->depth : a->depth);
    if ((options->max_ops > 0 && ops > options->max_ops) ||
        (options->max_depth > 0 && depth > options->max_depth))
        return false;
    return (options->max_depth > 0 ? depth : ops) == layer;
}

void scalar_layer(struct scalar_discovery *discovery, uint32_t layer, bool last)
{
    uint32_t most = discovery->options->max_terms;
    struct u32_vec below = {0};
    for (uint32_t c = 0; c < discovery->best.len; c++)
        if (discovery->best.at[c] != CC_NONE &&
            discovery->known.at[discovery->best.at[c]].vector > 0)
            vec_push(&below, discovery->best.at[c]);
    for (uint32_t k = 0; k < discovery->options->n_ops; k++)
        for (uint32_t i = 0; i < below.len; i++) {
            uint32_t node[2] = {below.at[i], 0};
            if (sym_arity(discovery, k) == 1 &&
                fits(discovery, layer, &discovery->known.at[node[0]], NULL))
                add(discovery, k, node, !last);
            if (sym_arity(discovery, k) == 1)
                continue;
            for (uint32_t j = 0; j < below.len; j++) {
                node[1] = below.at[j];
                if (fits(discovery, layer, &discovery->known.at[node[0]],
                         &discovery->known.at[node[1]]))
                    add(discovery, k, node, !last);
            }
            if (discovery->graph.node.len >= most) {
                discovery->out->stats.cut = true;
                break;
            }
        }
    vec_release(&below);
    cc_rebuild(&discovery->graph);
    scalar_best(discovery);
}

// Trees

static bool grow(struct scalar_discovery *discovery, uint32_t node, struct scalar_tree *tree,
                 uint8_t *at)
{
    const struct enode *n = &discovery->graph.node.at[node];
    uint32_t sym = discovery->op_sym.at[n->op & CC_OP];
    uint8_t arg[2] = {0, 0};
    uint32_t cls[2] = {n->a, n->b};
    for (uint32_t k = 0; k < sym_arity(discovery, sym); k++)
        if (!grow(discovery, discovery->best.at[cc_find(&discovery->graph, cls[k])], tree, &arg[k]))
            return false;
    if (tree->n == SCALAR_TREE_NODES)
        return false;
    *at = (uint8_t)tree->n;
    tree->at[tree->n++] = (struct scalar_tree_node){(uint8_t)sym, arg[0], arg[1]};
    return true;
}

bool scalar_tree_of(struct scalar_discovery *discovery, uint32_t node, struct scalar_tree *tree)
{
    uint8_t root;
    tree->n = 0;
    return grow(discovery, node, tree, &root);
}

// Text

static char letter(const struct scalar_discovery *discovery, uint32_t sym, uint8_t *number)
{
    uint32_t var = sym - discovery->options->n_ops;
    uint8_t next = 0;
    for (uint32_t v = 0; v < SCALAR_MAX_VARS; v++)
        next = (uint8_t)(next + (number[v] != 0xff));
    if (number[var] == 0xff)
        number[var] = next;
    return (char)number[var];
}

static void plain_node(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                       uint32_t at, const char *mark, uint8_t *number, struct buf *out)
{
    const struct scalar_tree_node *scalar_tree_node = &tree->at[at];
    uint32_t arity = sym_arity(discovery, scalar_tree_node->sym);
    char few[24];
    if (sym_is_var(discovery, scalar_tree_node->sym)) {
        buf_printf(out, "%s%c", mark, 'a' + letter(discovery, scalar_tree_node->sym, number));
        return;
    }
    if (arity == 0) {
        buf_puts(out, sym_name(discovery, scalar_tree_node->sym, few));
        return;
    }
    buf_printf(out, "(%s ", sym_name(discovery, scalar_tree_node->sym, few));
    plain_node(discovery, tree, scalar_tree_node->a, mark, number, out);
    if (arity > 1) {
        buf_putc(out, ' ');
        plain_node(discovery, tree, scalar_tree_node->b, mark, number, out);
    }
    buf_putc(out, ')');
}

void scalar_tree_plain(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                       const char *mark, uint8_t *number, struct buf *out)
{
    plain_node(discovery, tree, tree->n - 1, mark, number, out);
}

static void text_node(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                      uint32_t at, bool inner, uint8_t *number, struct buf *out)
{
    const struct scalar_tree_node *scalar_tree_node = &tree->at[at];
    uint32_t arity = sym_arity(discovery, scalar_tree_node->sym);
    char few[24];
    if (sym_is_var(discovery, scalar_tree_node->sym)) {
        buf_putc(out, (char)('A' + letter(discovery, scalar_tree_node->sym, number)));
        return;
    }
    if (arity == 0) {
        const char *text = sym_name(discovery, scalar_tree_node->sym, few);
        if (discovery->options->domain == DOMAIN_BOOL)
            text = strcmp(text, "0") == 0 ? "false" : "true";
        buf_puts(out, text);
        return;
    }
    char sign = op_infix_sign(discovery->options->ops[scalar_tree_node->sym]);
    bool brackets = sign == 0 || (inner && arity > 1);
    if (sign == 0)
        buf_puts(out, op_name(discovery->options->ops[scalar_tree_node->sym]));
    else if (arity == 1)
        buf_putc(out, sign);
    if (brackets)
        buf_putc(out, '(');
    text_node(discovery, tree, scalar_tree_node->a, sign != 0, number, out);
    if (arity > 1) {
        if (sign)
            buf_printf(out, " %c ", sign);
        else
            buf_puts(out, ", ");
        text_node(discovery, tree, scalar_tree_node->b, sign != 0, number, out);
    }
    if (brackets)
        buf_putc(out, ')');
}

void scalar_tree_text(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                      uint8_t *number, struct buf *out)
{
    text_node(discovery, tree, tree->n - 1, false, number, out);
}
