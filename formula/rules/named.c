// SPDX-License-Identifier: Apache-2.0
// Text of plain rules from rules.
#include "formula/rules/named.h"

#include "formula/rules/core.h"
#include "formula/terms/names.h"
#include "rules/instance/instance.h"
#include <stdarg.h>
#include <stdio.h>

bool named_fail(struct named_rule *n, const char *fmt, ...)
{
    char msg[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    return err_set(n->why, ERR_CHECK, "%s", msg);
}

bool named_domain(const struct rule *r, enum domain *out)
{
    bool real = r->claims >> DOMAIN_REAL & 1,
         truth = r->claims >> DOMAIN_BOOL & 1;
    for (uint32_t i = 0; i < r->n_types; i++) {
        unsigned k = r->types[i].kinds;
        real = real && (k & KIND_FLOAT || k == KIND_BOOL);
        truth = truth && k & KIND_BOOL;
    }
    *out = real ? DOMAIN_REAL : DOMAIN_BOOL;
    return (real || truth) && r->n_wider == 0;
}

bool named_is_bool(const struct named_rule *n, uint32_t type)
{
    return n->domain == DOMAIN_BOOL || !(n->r->types[type].kinds & KIND_FLOAT);
}

// ---- element types ----
// Plain variables have no types.  Truth values are the numbers 0 and 1, so that
// a rule about numbers holds of them; but a right side that computes must not
// be made for them, and a rule about truth values is for no other numbers.  So
// the side that is matched has to tell.

static void only(struct named_rule *n, unsigned *mark, uint32_t type)
{
    mark[type] |= named_is_bool(n, type) ? 2 : 1;
}

static void mark_types(struct named_writer *w, uint32_t i, unsigned *mark)
{
    const struct rule *r = w->n.r;
    const struct pat *p = &r->pats[i];
    for (uint32_t k = 0; k < p->n_args; k++)
        mark_types(w, p->args[k], mark);
    switch (p->kind) {
    case PAT_LITERAL:
        only(&w->n, mark, p->type);
        return;
    case PAT_OPVAR:
    case PAT_CALL:
        only(&w->n, mark, p->type);
        for (uint32_t k = 0; k < p->n_args; k++)
            only(&w->n, mark, r->pats[p->args[k]].type);
        return;
    case PAT_OP:
        break;
    default:
        return;
    }
    if (p->op == OP_SELECT) {
        only(&w->n, mark, r->pats[p->args[0]].type);
    } else if (p->op == OP_COMPARE) {
        only(&w->n, mark, p->type);
        if (p->dir != CMP_EQ && p->dir != CMP_NE)
            only(&w->n, mark, r->pats[p->args[0]].type);
    } else if (p->op != OP_CONCATENATE && p->op != OP_BROADCAST_IN_DIM) {
        only(&w->n, mark, p->type);
        for (uint32_t k = 0; k < p->n_args; k++)
            only(&w->n, mark, r->pats[p->args[k]].type);
    }
}

// Types of the variables of a side.
static bool types_are_told(struct named_writer *w, uint32_t i)
{
    const struct rule *r = w->n.r;
    const struct pat *p = &r->pats[i];
    if (p->kind == PAT_TENSOR || p->kind == PAT_SCALAR) {
        bool matters = named_is_bool(&w->n, p->type) || w->used[p->type];
        if (matters && !w->found[p->type])
            return named_fail(&w->n, "%s could be a number or a truth value",
                              p->kind == PAT_TENSOR ? r->tensors[p->var].name
                                                    : r->scalars[p->var].name);
    }
    for (uint32_t k = 0; k < p->n_args; k++)
        if (!types_are_told(w, p->args[k]))
            return false;
    return true;
}

static bool check_types(struct named_writer *w, uint32_t from)
{
    mark_types(w, from, w->found);
    mark_types(w, w->n.r->lhs, w->used);
    mark_types(w, w->n.r->rhs, w->used);
    return types_are_told(w, from);
}

// ---- a rule ----

static bool within(struct named_rule *n, const struct named_side *part,
                   const struct named_side *whole)
{
    const struct rule *r = n->r;
    for (uint32_t i = 0; i < r->n_tensors; i++)
        if (part->tensor[i / 64] & ~whole->tensor[i / 64] & 1ULL << i % 64)
            return named_fail(n, "the other side lacks %s", r->tensors[i].name);
    for (uint32_t i = 0; i < r->n_scalars; i++)
        if (part->scalar[i / 64] & ~whole->scalar[i / 64] & 1ULL << i % 64)
            return named_fail(n, "the other side lacks %s", r->scalars[i].name);
    uint32_t lacks = *part->sets & ~*whole->sets;
    return lacks == 0 ||
           named_fail(n, "the other side lacks %s",
                      r->classes[n->set[__builtin_ctz(lacks)].cls].name);
}

static struct named_side side_new(const struct rule *r, struct buf *out,
                            struct arena *mem)
{
    return (struct named_side){
        .out = out,
        .tensor = ARENA_NEW(mem, uint64_t, r->n_tensors / 64 + 1),
        .scalar = ARENA_NEW(mem, uint64_t, r->n_scalars / 64 + 1),
        .sets = ARENA_NEW(mem, uint32_t, 1),
    };
}

static void guard(struct buf *out, uint32_t *n)
{
    buf_puts(out, (*n)++ == 0 ? " if " : " and ");
}

static void put_constant(struct named_writer *w, const struct named_side *left,
                         struct buf *out, uint32_t *guards)
{
    const struct rule *r = w->n.r;
    for (uint32_t k = 0; k < w->n.n_sets; k++) {
        for (uint32_t v = 0; v < r->n_tensors + r->n_scalars; v++) {
            if (!(w->constant[v] >> k & 1))
                continue;
            guard(out, guards);
            buf_puts(out, "free_of(");
            named_put_set(&w->n, k, out);
            buf_printf(out, ", ?%s)",
                       v < r->n_tensors ? r->tensors[v].name
                                        : r->scalars[v - r->n_tensors].name);
        }
        for (uint32_t j = k + 1; j < w->n.n_sets; j++) {
            if (!(w->apart[k] >> j & 1) || !(*left->sets >> k & 1) ||
                !(*left->sets >> j & 1))
                continue;
            guard(out, guards);
            buf_puts(out, "free_of(");
            named_put_set(&w->n, k, out);
            buf_puts(out, ", ");
            named_put_set(&w->n, j, out);
            buf_putc(out, ')');
        }
    }
}

// Behind the right side: conditions on elements first, as they are part of the
// query.
static bool put_conditions(struct named_writer *w, const struct named_side *left,
                           struct arena *mem, struct buf *out)
{
    const struct rule *r = w->n.r;
    uint32_t guards = 0, nodes = left->nodes;
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        if (r->wheres[i].cond)
            continue;
        struct named_side c = side_new(r, out, mem);
        guard(out, &guards);
        buf_puts(out, "same(");
        if (!named_put(w, r->wheres[i].pat, 0, &c))
            return false;
        buf_puts(out, ", true)");
        if (!within(&w->n, &c, left))
            return false;
        nodes += 2 * (c.nodes + 1);
    }
    put_constant(w, left, out, &guards);
    if (guards > NAMED_MAX_GUARDS)
        return named_fail(&w->n, "more than %d conditions", NAMED_MAX_GUARDS);
    return nodes <= NAMED_MAX_NODES ||
           named_fail(&w->n, "more than %d nodes", NAMED_MAX_NODES);
}

static uint32_t height(const struct rule *r, uint32_t i)
{
    uint32_t h = 0;
    for (uint32_t k = 0; k < r->pats[i].n_args; k++) {
        uint32_t a = height(r, r->pats[i].args[k]);
        h = h > a ? h : a;
    }
    return h + 1;
}

// Whatever vanishes around it.
static bool is_variable(const struct rule *r, uint32_t i)
{
    const struct pat *p = &r->pats[i];
    while (p->kind == PAT_SPLAT || p->kind == PAT_RELABEL ||
           (p->kind == PAT_OP && p->op == OP_BROADCAST_IN_DIM))
        p = &r->pats[p->args[0]];
    return p->kind == PAT_TENSOR || p->kind == PAT_SCALAR;
}

static bool write_rule(struct named_writer *w, const char *name, uint32_t from,
                       uint32_t to, struct arena *mem, struct buf *out)
{
    const struct rule *r = w->n.r;
    struct buf sides[2] = {{0}, {0}};
    struct named_side left = side_new(r, &sides[0], mem),
                right = side_new(r, &sides[1], mem);
    bool ok = named_put(w, from, 0, &left) && named_put(w, to, 0, &right);
    if (ok && strcmp(buf_text(&sides[0]), buf_text(&sides[1])) == 0)
        ok = named_fail(&w->n, "both sides are the same named term");
    ok = ok && within(&w->n, &right, &left);
    if (ok) {
        buf_printf(out, "%s: %s => %s", name, buf_text(&sides[0]),
                   buf_text(&sides[1]));
        ok = put_conditions(w, &left, mem, out);
        buf_putc(out, '\n');
    }
    buf_release(&sides[0]);
    buf_release(&sides[1]);
    return ok;
}

// With these operators for variables.
static bool one_rule(const struct rule *r, const enum op *ops, const char *name,
                     bool backward, struct arena *mem, struct buf *out,
                     struct err *why)
{
    struct named_writer w = {.n = {.r = r, .why = why, .ops = ops}};
    uint32_t from = backward ? r->rhs : r->lhs, to = backward ? r->lhs : r->rhs;
    if (!named_domain(r, &w.n.domain))
        return named_fail(&w.n, "says nothing about reals");
    if (is_variable(r, from))
        return named_fail(&w.n, "a variable matches everything");
    if (height(r, from) > NAMED_MAX_DEPTH || height(r, to) > NAMED_MAX_DEPTH)
        return named_fail(&w.n, "deeper than %d", NAMED_MAX_DEPTH);
    w.n.one = ARENA_NEW(mem, int64_t, r->n_maps + 1);
    w.n.ones = ARENA_NEW(mem, int64_t *, r->n_maps + 1);
    w.constant = ARENA_NEW(mem, uint32_t, r->n_tensors + r->n_scalars + 1);
    w.used = ARENA_NEW(mem, unsigned, r->n_types + 1);
    w.found = ARENA_NEW(mem, unsigned, r->n_types + 1);
    return named_prepare(&w.n, from) && check_types(&w, from) &&
           write_rule(&w, name, from, to, mem, out);
}

// ---- operator variables ----

// May the variable stand for the operator?
static bool op_fits(const struct rule *r, const struct op_var *v, enum op op)
{
    unsigned result = r->types[v->result].kinds;
    if (!(result & KIND_FLOAT) || !(op_kinds(op) & KIND_FLOAT) ||
        !fname_of_op(op_name(op), v->n_args))
        return false;
    for (uint32_t k = 0; k < v->n_args; k++)
        if (!(r->types[v->args[k]].kinds & KIND_FLOAT))
            return false;
    switch (v->kind) {
    case OPVAR_ELEMENTWISE:
        return (op_class(op) == OPC_UNARY && v->n_args == 1) ||
               (op_class(op) == OPC_BINARY && v->n_args == 2);
    case OPVAR_MONOID:
        return op_is_reducer(op) && monoid_holds(op, ELEM_REAL, DOMAIN_REAL);
    case OPVAR_MONOTONE:
        return op_class(op) == OPC_UNARY &&
               monotone_holds(op, ELEM_REAL, DOMAIN_REAL);
    }
    return false;
}

// All choices of operators for the variables from `at` on.
static bool choose(const struct rule *r, enum op *ops, uint32_t at,
                   struct buf *name, bool backward, struct arena *mem,
                   struct buf *out, uint32_t *lines, struct err *why)
{
    if (at == r->n_opvars) {
        struct buf line = {0};
        struct err e = {0};
        bool ok = one_rule(r, ops, buf_text(name), backward, mem, &line, &e);
        if (ok) {
            buf_puts(out, buf_text(&line));
            if (++*lines > NAMED_MAX_LINES)
                ok = err_set(why, ERR_LIMIT, "more than %d rules",
                             NAMED_MAX_LINES);
        } else {
            *why = e;
            ok = true;
        }
        buf_release(&line);
        return ok;
    }
    for (uint32_t op = 0; op < N_OPS; op++) {
        if (!op_fits(r, &r->opvars[at], (enum op)op))
            continue;
        ops[at] = (enum op)op;
        size_t len = name->len;
        buf_printf(name, ".%s", op_name((enum op)op));
        bool ok = choose(r, ops, at + 1, name, backward, mem, out, lines, why);
        name->len = len;
        name->at[len] = 0;
        if (!ok)
            return false;
    }
    return true;
}

bool named_rule(const struct rule *r, const char *name, bool backward,
                struct buf *out, struct err *why)
{
    struct arena mem = {0};
    struct buf full = {0};
    uint32_t lines = 0;
    size_t before = out->len;
    enum op *ops = ARENA_NEW(&mem, enum op, r->n_opvars + 1);
    struct err e = {0};
    buf_puts(&full, name);
    bool ok = choose(r, ops, 0, &full, backward, &mem, out, &lines, &e);
    if (ok && lines == 0) {
        ok = false;
        err_set(&e, ERR_CHECK, "no operator of formulas fits");
    }
    if (!ok) {
        *why = e;
        if (out->len > before) {
            out->len = before;
            out->at[before] = 0;
        }
    }
    buf_release(&full);
    arena_release(&mem);
    return ok;
}
