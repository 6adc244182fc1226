// SPDX-License-Identifier: Apache-2.0
// Small changes of patterns, one at a time.  A node keeps its number: what was
// there moves to a new one.  The parser says what fits the types and shapes.
#include "discover/repair/core.h"
#include <string.h>

#define COST_SWAP 2.2
#define COST_DIRECTION 2.0
#define COST_AXIS 2.0
#define COST_LEAF 3.0
#define COST_WRAP 3.0
#define COST_OPERATOR 3.5
#define COST_REMOVE 3.5
#define COST_LEFT 1.0 // more, on the left side

struct repair_edit {
    struct repair_run *s;
    struct draft d;
    uint32_t node;
    double cost;
};

static void begin(struct repair_edit *e)
{
    draft_copy(&e->d, &e->s->base);
}

static void end(struct repair_edit *e)
{
    struct buf was = {0}, is = {0};
    pat_print(&e->s->base.r, e->node, &was);
    pat_print(&e->d.r, e->node, &is);
    if (strcmp(buf_text(&was), buf_text(&is)) != 0)
        repair_offer(e->s, &e->d, e->cost,
                   repair_words(e->s, "%.400s became %.400s", buf_text(&was),
                             buf_text(&is)));
    buf_release(&was);
    buf_release(&is);
    draft_release(&e->d);
}

// ---- parts

static uint32_t add_node(struct draft *d, struct pat p)
{
    d->pats[d->r.n_pats] = p;
    return d->r.n_pats++;
}

static uint32_t add_literal(struct draft *d, const struct pat *l, uint32_t type)
{
    struct pat p = *l;
    p.type = type;
    return add_node(d, p);
}

static void set_args(struct draft *d, struct pat *p, uint32_t n,
                     const uint32_t *args)
{
    uint32_t *own = ARENA_NEW(&d->mem, uint32_t, n);
    memcpy(own, args, n * sizeof *own);
    p->args = own;
    p->n_args = n;
}

// The node becomes an operator on what it was, and perhaps a literal.
static void wrap(struct repair_edit *e, enum op op, const struct pat *literal)
{
    struct draft *d = &e->d;
    struct pat *p = &d->pats[e->node];
    uint32_t args[2] = {add_node(d, *p), 0}, n = 1;
    struct pat w = {.kind = PAT_OP,
                    .op = op,
                    .reducer = N_OPS,
                    .opvar = NONE,
                    .type = p->type,
                    .n_sizes = p->n_sizes,
                    .sizes = p->sizes};
    if (literal != NULL)
        args[n++] = add_literal(d, literal, p->type);
    set_args(d, &w, n, args);
    *p = w;
}

static const struct pat literals[] = {
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = 0, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = 1, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = -1, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = 2, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_BOOL, .k = 0, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_BOOL, .k = 1, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_LOWEST, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_HIGHEST, .opvar = NONE},
};
#define N_LITERALS (sizeof literals / sizeof *literals)

static bool same_literal(const struct pat *a, const struct pat *b)
{
    return a->kind == PAT_LITERAL && b->kind == PAT_LITERAL &&
           a->lit == b->lit && a->k == b->k && a->opvar == b->opvar &&
           a->reducer == b->reducer;
}

static bool is_leaf(const struct pat *p)
{
    return p->kind == PAT_TENSOR || p->kind == PAT_SCALAR ||
           p->kind == PAT_LITERAL;
}

// ---- changes

static void swap_operands(struct repair_edit *e, const struct pat *p)
{
    uint32_t a = 0, b = p->n_args - 1;
    if (p->kind != PAT_OP || p->n_args < 2 || p->n_args > 3 ||
        op_is_commutative(p->op) ||
        !(op_is_elementwise(p->op) || p->op == OP_CONCATENATE))
        return;
    if (p->op == OP_SELECT)
        a = 1;
    begin(e);
    uint32_t args[3];
    memcpy(args, p->args, p->n_args * sizeof *args);
    args[a] = p->args[b];
    args[b] = p->args[a];
    set_args(&e->d, &e->d.pats[e->node], p->n_args, args);
    e->cost = COST_SWAP;
    end(e);
}

static void turn_comparison(struct repair_edit *e, const struct pat *p)
{
    static const enum compare_dir dirs[] = {CMP_LT, CMP_LE, CMP_GT,
                                            CMP_GE, CMP_EQ, CMP_NE};
    if (p->kind != PAT_OP || p->op != OP_COMPARE)
        return;
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        begin(e);
        e->d.pats[e->node].dir = dirs[i];
        e->cost = COST_DIRECTION;
        end(e);
    }
}

static void other_operator(struct repair_edit *e, const struct pat *p)
{
    static const enum op one[] = {OP_NEGATE, OP_ABS,  OP_SQRT, OP_RSQRT, OP_LOG,
                                  OP_EXPONENTIAL, OP_NOT, OP_SIGN};
    static const enum op two[] = {OP_ADD,     OP_SUBTRACT,  OP_MULTIPLY,
                                  OP_DIVIDE,  OP_MAXIMUM,   OP_MINIMUM,
                                  OP_POWER,   OP_REMAINDER, OP_AND,
                                  OP_OR,      OP_XOR};
    static const enum op fold[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM};
    e->cost = COST_OPERATOR;
    if (p->kind != PAT_OP)
        return;
    bool unary = op_is_elementwise(p->op) && p->n_args == 1 &&
                 p->op != OP_CONVERT && p->op != OP_BITCAST_CONVERT;
    bool binary = op_is_elementwise(p->op) && p->n_args == 2 &&
                  p->op != OP_COMPARE;
    bool reduces = (p->op == OP_REDUCE || p->op == OP_REDUCE_WINDOW) &&
                   p->opvar == NONE;
    const enum op *list = unary ? one : binary ? two : fold;
    size_t n = unary    ? sizeof one / sizeof *one
               : binary ? sizeof two / sizeof *two
                        : sizeof fold / sizeof *fold;
    for (size_t i = 0; i < n && (unary || binary || reduces); i++) {
        begin(e);
        if (reduces)
            e->d.pats[e->node].reducer = list[i];
        else
            e->d.pats[e->node].op = list[i];
        end(e);
    }
}

static void wrap_node(struct repair_edit *e, const struct pat *p)
{
    static const struct {
        enum op op;
        int literal; // index, or -1
    } how[] = {{OP_NEGATE, -1}, {OP_ABS, -1},     {OP_NOT, -1},
               {OP_ADD, 1},     {OP_SUBTRACT, 1}, {OP_MAXIMUM, 0},
               {OP_MULTIPLY, 3}};
    if (p->kind == PAT_LITERAL || p->kind == PAT_SPLAT)
        return;
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        begin(e);
        e->cost = COST_WRAP;
        wrap(e, how[i].op,
             how[i].literal < 0 ? NULL : &literals[how[i].literal]);
        end(e);
    }
}

static void wrap_conversion(struct repair_edit *e, const struct pat *p)
{
    for (uint32_t t = 0; t < e->s->base.r.n_types; t++) {
        const char *name = e->s->base.types[t].name;
        if (t == p->type || name == NULL || !*name || p->kind == PAT_LITERAL)
            continue;
        begin(e);
        e->cost = COST_WRAP;
        wrap(e, OP_CONVERT, NULL);
        e->d.pats[e->node].type = t;
        end(e);
    }
}

static void remove_node(struct repair_edit *e, const struct pat *p)
{
    bool may = p->kind == PAT_RELABEL ||
               (p->kind == PAT_OP && (op_is_elementwise(p->op) ||
                                      p->op == OP_REVERSE));
    for (uint32_t i = 0; may && i < p->n_args; i++) {
        begin(e);
        e->cost = COST_REMOVE;
        e->d.pats[e->node] = e->d.pats[p->args[i]];
        end(e);
    }
}

static void other_leaf(struct repair_edit *e, const struct pat *p)
{
    const struct rule *r = &e->s->base.r;
    bool splat = p->kind == PAT_SPLAT && is_leaf(&r->pats[p->args[0]]);
    e->cost = COST_LEAF;
    if (!is_leaf(p) && !splat)
        return;
    for (uint32_t v = 0; v < r->n_tensors; v++) {
        begin(e);
        e->d.pats[e->node] = (struct pat){.kind = PAT_TENSOR,
                                          .var = v,
                                          .opvar = NONE,
                                          .type = r->tensors[v].type,
                                          .n_sizes = r->tensors[v].n_sizes,
                                          .sizes = r->tensors[v].sizes};
        end(e);
    }
    for (uint32_t v = 0; v < r->n_scalars && !splat; v++) {
        begin(e);
        e->d.pats[e->node] = (struct pat){.kind = PAT_SCALAR,
                                          .var = v,
                                          .opvar = NONE,
                                          .type = r->scalars[v].type};
        end(e);
    }
    for (size_t k = 0; k < N_LITERALS && !splat; k++) {
        begin(e);
        e->d.pats[e->node] = literals[k];
        e->d.pats[e->node].type = p->type;
        end(e);
    }
}

static void invert(struct draft *d, struct pat *p)
{
    struct relabel *to = ARENA_NEW(&d->mem, struct relabel, p->n_relabels + 1);
    for (uint32_t i = 0; i < p->n_relabels; i++)
        to[i] = (struct relabel){p->relabels[i].to, p->relabels[i].from};
    p->relabels = to;
}

static void invert_relabel(struct repair_edit *e, const struct pat *p)
{
    if (p->kind != PAT_RELABEL)
        return;
    begin(e);
    e->cost += COST_AXIS;
    invert(&e->d, &e->d.pats[e->node]);
    end(e);
}

// A relabelling that the rule has, or its inverse, around the node.
static void wrap_relabel(struct repair_edit *e, const struct pat *p)
{
    const struct rule *r = &e->s->base.r;
    for (uint32_t q = 0; q < r->n_pats; q++)
        for (int turned = 0; turned < 2; turned++) {
            if (r->pats[q].kind != PAT_RELABEL || p->n_sizes == 0)
                continue;
            begin(e);
            e->cost = COST_WRAP;
            struct pat w = r->pats[q];
            uint32_t inner = add_node(&e->d, e->d.pats[e->node]);
            if (turned)
                invert(&e->d, &w);
            set_args(&e->d, &w, 1, &inner);
            e->d.pats[e->node] = w;
            end(e);
        }
}

static void other_axis(struct repair_edit *e, const struct pat *p)
{
    const struct rule *r = &e->s->base.r;
    bool one = p->kind == PAT_OP &&
               (p->op == OP_IOTA || p->op == OP_CONCATENATE);
    bool set = p->kind == PAT_OP && p->op == OP_REVERSE;
    for (uint32_t k = 0; k < p->n_sizes && (one || set); k++) {
        uint32_t c = p->sizes[k].cls;
        if (one && !r->classes[c].single)
            continue;
        begin(e);
        e->cost = COST_AXIS;
        struct pat *n = &e->d.pats[e->node];
        n->classes = one ? UINT64_C(1) << c : n->classes ^ UINT64_C(1) << c;
        if (n->classes != 0)
            end(e);
        else
            draft_release(&e->d);
    }
}

void repair_edits(struct repair_run *s)
{
    const struct rule *r = &s->base.r;
    s->kind = "right side";
    for (uint32_t i = 0; i < r->n_pats; i++) {
        struct repair_edit e = {.s = s, .node = i};
        const struct pat *p = &r->pats[i];
        if (!draft_below(r, r->rhs, i))
            continue;
        swap_operands(&e, p);
        turn_comparison(&e, p);
        other_axis(&e, p);
        e.cost = 0;
        invert_relabel(&e, p);
        other_leaf(&e, p);
        wrap_node(&e, p);
        wrap_relabel(&e, p);
        wrap_conversion(&e, p);
        other_operator(&e, p);
        remove_node(&e, p);
    }
}

// On the left side only what the pattern fixes and a program may have
// otherwise: literals, wherever the rule has them, and relabellings.
void repair_lefts(struct repair_run *s)
{
    const struct rule *r = &s->base.r;
    s->kind = "left side";
    for (uint32_t i = 0; i < r->n_pats; i++) {
        struct repair_edit e = {.s = s, .node = i};
        const struct pat *p = &r->pats[i];
        if (!draft_below(r, r->lhs, i))
            continue;
        e.cost = COST_LEFT;
        invert_relabel(&e, p);
        for (size_t k = 0; k < N_LITERALS && p->kind == PAT_LITERAL; k++)
            for (int all = 0; all < 2; all++) {
                begin(&e);
                e.cost = COST_LEFT + COST_LEAF;
                for (uint32_t n = 0; n < r->n_pats; n++) {
                    if (n != i && (!all || !same_literal(p, &r->pats[n])))
                        continue;
                    e.d.pats[n] = literals[k];
                    e.d.pats[n].type = p->type;
                }
                end(&e);
            }
    }
}
