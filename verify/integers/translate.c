// SPDX-License-Identifier: Apache-2.0
#include "verify/integers/translate.h"

bool emit_type_is_bool(const struct rule *r, uint32_t type)
{
    return r != NULL && type < r->n_types && r->types[type].kinds == KIND_BOOL;
}

static Z3_sort element_sort(struct linear *l, uint32_t type)
{
    struct smt *s = l->s;
    if (emit_type_is_bool(l->r, type))
        return Z3_mk_bool_sort(s->ctx);
    if (l->integers)
        return Z3_mk_int_sort(s->ctx);
    char name[32];
    snprintf(name, sizeof name, "V%u", (unsigned)type);
    return Z3_mk_uninterpreted_sort(s->ctx, Z3_mk_string_symbol(s->ctx, name));
}

Z3_ast emit_apply(struct smt *s, const char *name, Z3_sort result, unsigned n,
                  const Z3_ast *args)
{
    Z3_sort *sorts = mem_alloc((n + 1) * sizeof *sorts);
    for (unsigned i = 0; i < n; i++)
        sorts[i] = Z3_get_sort(s->ctx, args[i]);
    Z3_func_decl f = Z3_mk_func_decl(s->ctx, Z3_mk_string_symbol(s->ctx, name),
                                     n, sorts, result);
    mem_free(sorts);
    return Z3_mk_app(s->ctx, f, n, args);
}

void emit_op_name(const struct expr *n, struct buf *out)
{
    buf_puts(out, op_name((enum op)n->op));
    if (n->op == OP_COMPARE)
        buf_printf(out, ".%s", compare_dir_text((enum compare_dir)n->sym));
}

static Z3_ast emit_atom(struct linear *l, expr_id atom)
{
    struct smt *s = l->s;
    const struct expr *n = expr_at(l->x, atom);
    if (n->kind == X_VALUE) {
        Z3_ast v = emit_element(l, expr_arg(l->x, atom, 0));
        Z3_sort sort = Z3_get_sort(s->ctx, v);
        if (Z3_get_sort_kind(s->ctx, sort) == Z3_INT_SORT)
            return v;
        return emit_apply(s, "value", Z3_mk_int_sort(s->ctx), 1, &v);
    }
    struct buf name = {0};
    if (n->kind == X_VAR)
        expr_print(l->x, l->r, atom, &name);
    else
        buf_printf(&name, "%s%u", n->kind == X_DIV ? "div" : "if",
                   (unsigned)atom);
    Z3_ast a = smt_const(s, buf_text(&name), Z3_mk_int_sort(s->ctx));
    buf_release(&name);
    return a;
}

// The rule's own names get a prefix that no other symbol has.
static Z3_ast emit_named(struct linear *l, const char *what, const char *name,
                         uint32_t type, unsigned n, const Z3_ast *args)
{
    struct buf b = {0};
    buf_printf(&b, "%s!%s", what, name);
    Z3_ast out = emit_apply(l->s, buf_text(&b), element_sort(l, type), n, args);
    buf_release(&b);
    return out;
}

// The cached translation; NULL if there is none yet.
static Z3_ast *cached(Z3_ast **at, uint32_t *len, uint32_t *cap, uint32_t id)
{
    if (id >= *len) {
        if (id >= *cap)
            *at = vec_grow(*at, cap, id + 1, sizeof **at);
        memset(*at + *len, 0, (id + 1 - *len) * sizeof **at);
        *len = id + 1;
    }
    return &(*at)[id];
}

#define CACHED(v, id) cached(&(v)->at, &(v)->len, &(v)->cap, id)

Z3_ast emit_mono(struct linear *l, uint32_t mono)
{
    Z3_ast a = *CACHED(&l->mono_ast, mono);
    if (a != NULL)
        return a;
    struct mono m = l->p->mono.at[mono];
    if (m.n == 1) {
        a = emit_atom(l, l->p->atoms.at[m.at]);
    } else {
        struct buf name = {0};
        buf_puts(&name, "mul");
        for (uint32_t i = 0; i < m.n; i++)
            buf_printf(&name, "_%u", (unsigned)l->p->atoms.at[m.at + i]);
        a = smt_const(l->s, buf_text(&name), Z3_mk_int_sort(l->s->ctx));
        buf_release(&name);
    }
    *CACHED(&l->mono_ast, mono) = a;
    return a;
}

Z3_ast emit_poly(struct linear *l, struct poly a)
{
    struct smt *s = l->s;
    if (a.n == 0)
        return smt_int(s, 0);
    Z3_ast *sum = mem_alloc(a.n * sizeof *sum);
    for (uint32_t i = 0; i < a.n; i++) {
        Z3_ast k = smt_int(s, a.t[i].c);
        if (a.t[i].mono == 0)
            sum[i] = k;
        else if (a.t[i].c == 1)
            sum[i] = emit_mono(l, a.t[i].mono);
        else
            sum[i] =
                Z3_mk_mul(s->ctx, 2, (Z3_ast[]){k, emit_mono(l, a.t[i].mono)});
    }
    Z3_ast out = a.n == 1 ? sum[0] : Z3_mk_add(s->ctx, a.n, sum);
    mem_free(sum);
    return out;
}

static Z3_ast emit_comparison(struct linear *l, expr_id e)
{
    struct smt *s = l->s;
    struct poly a = poly_add(l->p, poly_of(l->p, expr_arg(l->x, e, 1)),
                             poly_of(l->p, expr_arg(l->x, e, 0)), -1);
    Z3_ast zero = smt_int(s, 0), v = emit_poly(l, a);
    return expr_at(l->x, e)->kind == X_LE ? Z3_mk_ge(s->ctx, v, zero)
                                          : Z3_mk_eq(s->ctx, v, zero);
}

static Z3_ast compute_truth(struct linear *l, expr_id e)
{
    struct smt *s = l->s;
    const struct expr n = *expr_at(l->x, e);
    switch ((enum expr_kind)n.kind) {
    case X_TRUE:
        return Z3_mk_true(s->ctx);
    case X_FALSE:
        return Z3_mk_false(s->ctx);
    case X_LE:
    case X_EQ:
        return emit_comparison(l, e);
    case X_NOT:
        return Z3_mk_not(s->ctx, emit_truth(l, expr_arg(l->x, e, 0)));
    case X_SAME:
        return Z3_mk_eq(s->ctx, emit_element(l, expr_arg(l->x, e, 0)),
                        emit_element(l, expr_arg(l->x, e, 1)));
    case X_HOLDS:
        return emit_element(l, expr_arg(l->x, e, 0));
    default:
        break;
    }
    Z3_ast *a = mem_alloc((n.n + 1) * sizeof *a);
    for (uint32_t i = 0; i < n.n; i++)
        a[i] = emit_truth(l, expr_arg(l->x, e, i));
    Z3_ast out = n.kind == X_AND ? smt_and(s, n.n, a) : smt_or(s, n.n, a);
    mem_free(a);
    return out;
}

Z3_ast emit_truth(struct linear *l, expr_id e)
{
    Z3_ast a = *CACHED(&l->expr_ast, e);
    if (a == NULL) {
        a = compute_truth(l, e);
        *CACHED(&l->expr_ast, e) = a;
    }
    return a;
}

static Z3_ast emit_literal(struct linear *l, const struct expr *n)
{
    struct smt *s = l->s;
    Z3_sort sort = element_sort(l, n->type);
    enum literal_kind kind = (enum literal_kind)n->op;
    if (emit_type_is_bool(l->r, n->type)) {
        if (kind == LIT_INT || kind == LIT_BOOL)
            return n->k & 1 ? Z3_mk_true(s->ctx) : Z3_mk_false(s->ctx);
        if (kind == LIT_LOWEST || kind == LIT_HIGHEST)
            return kind == LIT_HIGHEST ? Z3_mk_true(s->ctx)
                                       : Z3_mk_false(s->ctx);
    }
    if (l->integers && kind == LIT_INT)
        return smt_int(s, n->k);
    char name[80];
    snprintf(name, sizeof name, "literal%d_%lld_%u_%u", (int)kind,
             (long long)n->k, (unsigned)n->sym, (unsigned)n->type);
    return smt_const(s, name, sort);
}

Z3_ast emit_truth_op(Z3_context c, const struct expr *n, const Z3_ast *a)
{
    switch ((enum op)n->op) {
    case OP_NOT:
        return Z3_mk_not(c, a[0]);
    case OP_AND:
    case OP_MULTIPLY:
    case OP_MINIMUM:
        return Z3_mk_and(c, 2, a);
    case OP_OR:
    case OP_ADD:
    case OP_MAXIMUM:
        return Z3_mk_or(c, 2, a);
    case OP_XOR:
        return Z3_mk_xor(c, a[0], a[1]);
    case OP_COMPARE:
        if (n->sym == CMP_EQ)
            return Z3_mk_iff(c, a[0], a[1]);
        if (n->sym == CMP_LT)
            return Z3_mk_and(c, 2, (Z3_ast[]){Z3_mk_not(c, a[0]), a[1]});
        if (n->sym == CMP_LE)
            return Z3_mk_implies(c, a[0], a[1]);
        return NULL;
    default:
        return NULL;
    }
}

static Z3_ast emit_op(struct linear *l, expr_id e, const Z3_ast *a)
{
    struct smt *s = l->s;
    const struct expr *n = expr_at(l->x, e);
    if (n->kind == X_OPVAR)
        return emit_named(l, "op", l->r->opvars[n->sym].name, n->type, n->n, a);
    if (n->op == OP_SELECT)
        return Z3_mk_ite(s->ctx, a[0], a[1], a[2]);
    uint32_t from = expr_at(l->x, expr_arg(l->x, e, 0))->type;
    if (n->op == OP_CONVERT && from == n->type)
        return a[0];
    if (emit_type_is_bool(l->r, from)) {
        Z3_ast b = emit_truth_op(l->s->ctx, n, a);
        if (b != NULL)
            return b;
    }
    struct buf name = {0};
    emit_op_name(n, &name);
    buf_printf(&name, "_%u_%u", (unsigned)from, (unsigned)n->type);
    Z3_ast out =
        emit_apply(s, buf_text(&name), element_sort(l, n->type), n->n, a);
    buf_release(&name);
    return out;
}

static Z3_ast emit_access(struct linear *l, expr_id e)
{
    const struct expr n = *expr_at(l->x, e);
    Z3_ast *a = mem_alloc((n.n + 1) * sizeof *a);
    for (uint32_t i = 0; i < n.n; i++)
        a[i] = emit_poly(l, poly_of(l->p, expr_arg(l->x, e, i)));
    Z3_ast out =
        emit_named(l, "tensor", l->r->tensors[n.sym].name, n.type, n.n, a);
    mem_free(a);
    return out;
}

static Z3_ast compute_element(struct linear *l, expr_id e)
{
    struct smt *s = l->s;
    const struct expr n = *expr_at(l->x, e);
    Z3_sort sort = element_sort(l, n.type);
    char name[48];
    switch ((enum expr_kind)n.kind) {
    case X_ACCESS:
        return emit_access(l, e);
    case X_SCALAR:
        return emit_named(l, "scalar", l->r->scalars[n.sym].name, n.type, 0,
                          NULL);
    case X_LITERAL:
        return emit_literal(l, &n);
    case X_INJECT: {
        Z3_ast i = emit_poly(l, poly_of(l->p, expr_arg(l->x, e, 0)));
        snprintf(name, sizeof name, "inject%u", (unsigned)n.type);
        return l->integers ? i : emit_apply(s, name, sort, 1, &i);
    }
    case X_PICK:
        return Z3_mk_ite(s->ctx, emit_truth(l, expr_arg(l->x, e, 0)),
                         emit_element(l, expr_arg(l->x, e, 1)),
                         emit_element(l, expr_arg(l->x, e, 2)));
    case X_OP:
    case X_OPVAR: {
        Z3_ast *a = mem_alloc((n.n + 1) * sizeof *a);
        for (uint32_t i = 0; i < n.n; i++)
            a[i] = emit_element(l, expr_arg(l->x, e, i));
        Z3_ast out = emit_op(l, e, a);
        mem_free(a);
        return out;
    }
    case X_ATOM:
        snprintf(name, sizeof name, "atom%lld", (long long)n.k);
        return smt_const(s, name, sort);
    default: // a reduce of which nothing is known: a constant
        snprintf(name, sizeof name, "reduce%u", (unsigned)e);
        return smt_const(s, name, sort);
    }
}

Z3_ast emit_element(struct linear *l, expr_id e)
{
    Z3_ast a = *CACHED(&l->expr_ast, e);
    if (a == NULL) {
        a = compute_element(l, e);
        *CACHED(&l->expr_ast, e) = a;
    }
    return a;
}
