// SPDX-License-Identifier: Apache-2.0
// The e-graph of all terms, and terms as trees and text.
#include "discover/scalars/core.h"

#include <stdio.h>

static const char *sym_name(const struct scalar_discovery *s, uint32_t sym,
                            char few[24])
{
    const struct scalar_options *o = s->o;
    if (sym < o->n_ops)
        return op_name(o->ops[sym]);
    sym -= o->n_ops;
    if (sym < o->n_vars)
        snprintf(few, 24, "%c", (int)('a' + sym));
    else
        snprintf(few, 24, "%lld", (long long)o->constants[sym - o->n_vars]);
    return few;
}

static void add(struct scalar_discovery *s, uint32_t sym, const uint32_t *node,
                bool keep)
{
    uint32_t arity = sym_arity(s, sym), cls[2];
    struct known_values t = {0};
    unsigned depth = 0;
    for (uint32_t k = 0; k < arity; k++) {
        const struct known_values *a = &s->known.at[node[k]];
        cls[k] = cc_class(&s->g, node[k]);
        t.ops = (uint8_t)(t.ops + a->ops);
        t.constants = (uint8_t)(t.constants + a->constants);
        t.vars |= a->vars;
        depth = a->depth > depth ? a->depth : depth;
    }
    if (arity > 0 &&
        (t.vars == 0 || cc_lookup(&s->g, s->sym_op[sym], cls) != CC_NONE))
        return;
    if (arity > 0) {
        t.ops++;
        t.depth = (uint8_t)(depth + 1);
    } else if (sym_is_var(s, sym)) {
        t.vars = (uint8_t)(1u << (sym - s->o->n_ops));
    } else {
        t.constants = 1;
    }
    if (!scalar_eval(s, sym, node, keep, &t))
        return;
    cc_insert(&s->g, s->sym_op[sym], cls, CC_NONE);
    vec_push(&s->known, t);
}

void scalar_begin(struct scalar_discovery *s)
{
    plain_init(&s->plain);
    cc_init(&s->g, false);
    for (uint32_t i = 0; i < sym_count(s); i++) {
        char few[24];
        const char *name = sym_name(s, i, few);
        s->sym_op[i] = plain_op(&s->plain, &s->g, name, (uint32_t)strlen(name),
                                sym_arity(s, i));
        while (s->op_sym.len <= s->sym_op[i])
            vec_push(&s->op_sym, 0);
        s->op_sym.at[s->sym_op[i]] = i;
    }
    for (uint32_t i = s->o->n_ops; i < sym_count(s); i++)
        add(s, i, NULL, true);
    cc_rebuild(&s->g);
    scalar_best(s);
}

void scalar_release(struct scalar_discovery *s)
{
    plain_release(&s->plain);
    cc_release(&s->g);
    vec_release(&s->op_sym);
    vec_release(&s->known);
    vec_release(&s->best);
    vec_release(&s->small);
    vec_release(&s->wide);
}

// Smaller first, then of fewer levels, then older.
static bool better(const struct scalar_discovery *s, uint32_t a, uint32_t b)
{
    const struct known_values *x = &s->known.at[a], *y = &s->known.at[b];
    if (x->ops != y->ops)
        return x->ops < y->ops;
    if (x->constants != y->constants)
        return x->constants < y->constants;
    if (x->depth != y->depth)
        return x->depth < y->depth;
    return a < b;
}

void scalar_best(struct scalar_discovery *s)
{
    struct cc *g = &s->g;
    vec_clear(&s->best);
    for (uint32_t c = 0; c < g->up.len; c++)
        vec_push(&s->best, CC_NONE);
    for (uint32_t n = 0; n < g->node.len; n++) {
        uint32_t *best = &s->best.at[cc_class(g, n)];
        if (*best == CC_NONE || better(s, n, *best))
            *best = n;
    }
}

static bool fits(const struct scalar_discovery *s, uint32_t layer,
                 const struct known_values *a, const struct known_values *b)
{
    const struct scalar_options *o = s->o;
    unsigned ops = 1u + a->ops + (b ? b->ops : 0u);
    unsigned depth = 1u + (b && b->depth > a->depth ? b->depth : a->depth);
    if ((o->max_ops > 0 && ops > o->max_ops) ||
        (o->max_depth > 0 && depth > o->max_depth))
        return false;
    return (o->max_depth > 0 ? depth : ops) == layer;
}

void scalar_layer(struct scalar_discovery *s, uint32_t layer, bool last)
{
    uint32_t most = s->o->max_terms;
    struct u32_vec below = {0};
    for (uint32_t c = 0; c < s->best.len; c++)
        if (s->best.at[c] != CC_NONE && s->known.at[s->best.at[c]].vector > 0)
            vec_push(&below, s->best.at[c]);
    for (uint32_t k = 0; k < s->o->n_ops; k++)
        for (uint32_t i = 0; i < below.len; i++) {
            uint32_t node[2] = {below.at[i], 0};
            if (sym_arity(s, k) == 1 &&
                fits(s, layer, &s->known.at[node[0]], NULL))
                add(s, k, node, !last);
            if (sym_arity(s, k) == 1)
                continue;
            for (uint32_t j = 0; j < below.len; j++) {
                node[1] = below.at[j];
                if (fits(s, layer, &s->known.at[node[0]],
                         &s->known.at[node[1]]))
                    add(s, k, node, !last);
            }
            if (s->g.node.len >= most) {
                s->out->stats.cut = true;
                break;
            }
        }
    vec_release(&below);
    cc_rebuild(&s->g);
    scalar_best(s);
}

// Trees

static bool grow(struct scalar_discovery *s, uint32_t node, struct scalar_tree *t,
                 uint8_t *at)
{
    const struct enode *n = &s->g.node.at[node];
    uint32_t sym = s->op_sym.at[n->op & CC_OP];
    uint8_t arg[2] = {0, 0};
    uint32_t cls[2] = {n->a, n->b};
    for (uint32_t k = 0; k < sym_arity(s, sym); k++)
        if (!grow(s, s->best.at[cc_find(&s->g, cls[k])], t, &arg[k]))
            return false;
    if (t->n == TREE_MAX)
        return false;
    *at = (uint8_t)t->n;
    t->at[t->n++] = (struct scalar_tree_node){(uint8_t)sym, arg[0], arg[1]};
    return true;
}

bool scalar_tree_of(struct scalar_discovery *s, uint32_t node, struct scalar_tree *t)
{
    uint8_t root;
    t->n = 0;
    return grow(s, node, t, &root);
}

// Text

static char letter(const struct scalar_discovery *s, uint32_t sym, uint8_t *number)
{
    uint32_t var = sym - s->o->n_ops;
    uint8_t next = 0;
    for (uint32_t v = 0; v < SCALAR_MAX_VARS; v++)
        next = (uint8_t)(next + (number[v] != 0xff));
    if (number[var] == 0xff)
        number[var] = next;
    return (char)number[var];
}

static void plain_node(const struct scalar_discovery *s, const struct scalar_tree *t,
                       uint32_t at, const char *mark, uint8_t *number,
                       struct buf *out)
{
    const struct scalar_tree_node *n = &t->at[at];
    uint32_t arity = sym_arity(s, n->sym);
    char few[24];
    if (sym_is_var(s, n->sym)) {
        buf_printf(out, "%s%c", mark, 'a' + letter(s, n->sym, number));
        return;
    }
    if (arity == 0) {
        buf_puts(out, sym_name(s, n->sym, few));
        return;
    }
    buf_printf(out, "(%s ", sym_name(s, n->sym, few));
    plain_node(s, t, n->a, mark, number, out);
    if (arity > 1) {
        buf_putc(out, ' ');
        plain_node(s, t, n->b, mark, number, out);
    }
    buf_putc(out, ')');
}

void scalar_tree_plain(const struct scalar_discovery *s, const struct scalar_tree *t,
                       const char *mark, uint8_t *number, struct buf *out)
{
    plain_node(s, t, t->n - 1, mark, number, out);
}

static const char *infix(enum op op)
{
    switch (op) {
    case OP_ADD:
        return "+";
    case OP_SUBTRACT:
    case OP_NEGATE:
        return "-";
    case OP_MULTIPLY:
        return "*";
    case OP_DIVIDE:
        return "/";
    case OP_REMAINDER:
        return "%";
    case OP_AND:
        return "&";
    case OP_OR:
        return "|";
    case OP_XOR:
        return "^";
    case OP_NOT:
        return "!";
    default:
        return NULL;
    }
}

static void text_node(const struct scalar_discovery *s, const struct scalar_tree *t,
                      uint32_t at, bool inner, uint8_t *number, struct buf *out)
{
    const struct scalar_tree_node *n = &t->at[at];
    uint32_t arity = sym_arity(s, n->sym);
    char few[24];
    if (sym_is_var(s, n->sym)) {
        buf_putc(out, (char)('A' + letter(s, n->sym, number)));
        return;
    }
    if (arity == 0) {
        const char *k = sym_name(s, n->sym, few);
        if (s->o->domain == DOMAIN_BOOL)
            k = strcmp(k, "0") == 0 ? "false" : "true";
        buf_puts(out, k);
        return;
    }
    const char *sign = infix(s->o->ops[n->sym]);
    bool brackets = sign == NULL || (inner && arity > 1);
    if (sign == NULL || arity == 1)
        buf_puts(out, sign ? sign : op_name(s->o->ops[n->sym]));
    if (brackets)
        buf_putc(out, '(');
    text_node(s, t, n->a, sign != NULL, number, out);
    if (arity > 1) {
        if (sign)
            buf_printf(out, " %s ", sign);
        else
            buf_puts(out, ", ");
        text_node(s, t, n->b, sign != NULL, number, out);
    }
    if (brackets)
        buf_putc(out, ')');
}

void scalar_tree_text(const struct scalar_discovery *s, const struct scalar_tree *t,
                      uint8_t *number, struct buf *out)
{
    text_node(s, t, t->n - 1, false, number, out);
}
