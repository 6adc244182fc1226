// SPDX-License-Identifier: Apache-2.0
#include "verify/integers/translate.h"

bool emit_type_is_bool(const struct rule *rule, uint32_t type)
{
    return rule != NULL && type < rule->n_types && rule->types[type].kinds == KIND_BOOL;
}

static Z3_sort element_sort(struct linear *linear, uint32_t type)
{
    struct smt *smt = linear->smt;
    if (emit_type_is_bool(linear->rule, type))
        return Z3_mk_bool_sort(smt->ctx);
    if (linear->integers)
        return Z3_mk_int_sort(smt->ctx);
    char name[32];
    snprintf(name, sizeof name, "V%u", (unsigned)type);
    return Z3_mk_uninterpreted_sort(smt->ctx, Z3_mk_string_symbol(smt->ctx, name));
}

Z3_ast emit_apply(struct smt *smt, const char *name, Z3_sort result, unsigned n, const Z3_ast *args)
{
    Z3_sort *sorts = mem_alloc((n + 1) * sizeof *sorts);
    for (unsigned i = 0; i < n; i++)
        sorts[i] = Z3_get_sort(smt->ctx, args[i]);
    Z3_func_decl f =
        Z3_mk_func_decl(smt->ctx, Z3_mk_string_symbol(smt->ctx, name), n, sorts, result);
    mem_free(sorts);
    return Z3_mk_app(smt->ctx, f, n, args);
}

void emit_op_name(const struct expr *node, struct buf *out)
{
    buf_puts(out, op_name((enum op)node->op));
    if (node->op == OP_COMPARE)
        buf_printf(out, ".%s", compare_dir_text((enum compare_dir)node->sym));
}

static Z3_ast emit_atom(struct linear *linear, expr_id atom)
{
    struct smt *smt = linear->smt;
    const struct expr *node = expr_at(linear->exprs, atom);
    if (node->kind == X_VALUE) {
        Z3_ast v = emit_element(linear, expr_arg(linear->exprs, atom, 0));
        Z3_sort sort = Z3_get_sort(smt->ctx, v);
        if (Z3_get_sort_kind(smt->ctx, sort) == Z3_INT_SORT)
            return v;
        return emit_apply(smt, "value", Z3_mk_int_sort(smt->ctx), 1, &v);
    }
    struct buf name = {0};
    if (node->kind == X_VAR)
        expr_print(linear->exprs, linear->rule, atom, &name);
    else
        buf_printf(&name, "%s%u", node->kind == X_DIV ? "div" : "if", (unsigned)atom);
    Z3_ast a = smt_const(smt, buf_text(&name), Z3_mk_int_sort(smt->ctx));
    buf_release(&name);
    return a;
}

// Names of the rule get a prefix that no other symbol has.
static Z3_ast emit_named(struct linear *linear, const char *what, const char *name, uint32_t type,
                         unsigned n, const Z3_ast *args)
{
    struct buf buf = {0};
    buf_printf(&buf, "%s!%s", what, name);
    Z3_ast out = emit_apply(linear->smt, buf_text(&buf), element_sort(linear, type), n, args);
    buf_release(&buf);
    return out;
}

// The place of the cached translation; its value is NULL if there is none yet.
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

Z3_ast emit_mono(struct linear *linear, uint32_t mono)
{
    Z3_ast a = *CACHED(&linear->mono_ast, mono);
    if (a != NULL)
        return a;
    struct mono m = linear->polys->mono.at[mono];
    if (m.n == 1) {
        a = emit_atom(linear, linear->polys->atoms.at[m.at]);
    } else {
        struct buf name = {0};
        buf_puts(&name, "mul");
        for (uint32_t i = 0; i < m.n; i++)
            buf_printf(&name, "_%u", (unsigned)linear->polys->atoms.at[m.at + i]);
        a = smt_const(linear->smt, buf_text(&name), Z3_mk_int_sort(linear->smt->ctx));
        buf_release(&name);
    }
    *CACHED(&linear->mono_ast, mono) = a;
    return a;
}

Z3_ast emit_poly(struct linear *linear, struct poly poly)
{
    struct smt *smt = linear->smt;
    if (poly.n == 0)
        return smt_int(smt, 0);
    Z3_ast *sum = mem_alloc(poly.n * sizeof *sum);
    for (uint32_t i = 0; i < poly.n; i++) {
        Z3_ast k = smt_int(smt, poly.term[i].c);
        if (poly.term[i].mono == 0)
            sum[i] = k;
        else if (poly.term[i].c == 1)
            sum[i] = emit_mono(linear, poly.term[i].mono);
        else
            sum[i] = Z3_mk_mul(smt->ctx, 2, (Z3_ast[]){k, emit_mono(linear, poly.term[i].mono)});
    }
    Z3_ast out = poly.n == 1 ? sum[0] : Z3_mk_add(smt->ctx, poly.n, sum);
    mem_free(sum);
    return out;
}

Z3_ast emit_at_least(struct linear *linear, struct poly poly, int64_t k)
{
    return Z3_mk_ge(linear->smt->ctx, emit_poly(linear, poly), smt_int(linear->smt, k));
}

static Z3_ast emit_comparison(struct linear *linear, expr_id e)
{
    struct smt *smt = linear->smt;
    struct poly poly =
        poly_add(linear->polys, poly_of(linear->polys, expr_arg(linear->exprs, e, 1)),
                 poly_of(linear->polys, expr_arg(linear->exprs, e, 0)), -1);
    Z3_ast zero = smt_int(smt, 0), v = emit_poly(linear, poly);
    return expr_at(linear->exprs, e)->kind == X_LE ? Z3_mk_ge(smt->ctx, v, zero)
                                                   : Z3_mk_eq(smt->ctx, v, zero);
}

static Z3_ast compute_truth(struct linear *linear, expr_id e)
{
    struct smt *smt = linear->smt;
    const struct expr node = *expr_at(linear->exprs, e);
    switch ((enum expr_kind)node.kind) {
    case X_TRUE:
        return Z3_mk_true(smt->ctx);
    case X_FALSE:
        return Z3_mk_false(smt->ctx);
    case X_LE:
    case X_EQ:
        return emit_comparison(linear, e);
    case X_NOT:
        return Z3_mk_not(smt->ctx, emit_truth(linear, expr_arg(linear->exprs, e, 0)));
    case X_SAME:
        return Z3_mk_eq(smt->ctx, emit_element(linear, expr_arg(linear->exprs, e, 0)),
                        emit_element(linear, expr_arg(linear->exprs, e, 1)));
    case X_HOLDS:
        return emit_element(linear, expr_arg(linear->exprs, e, 0));
    default:
        break;
    }
    Z3_ast *a = mem_alloc((node.n + 1) * sizeof *a);
    for (uint32_t i = 0; i < node.n; i++)
        a[i] = emit_truth(linear, expr_arg(linear->exprs, e, i));
    Z3_ast out = node.kind == X_AND ? smt_and(smt, node.n, a) : smt_or(smt, node.n, a);
    mem_free(a);
    return out;
}

Z3_ast emit_truth(struct linear *linear, expr_id e)
{
    Z3_ast a = *CACHED(&linear->expr_ast, e);
    if (a == NULL) {
        a = compute_truth(linear, e);
        *CACHED(&linear->expr_ast, e) = a;
    }
    return a;
}

static Z3_ast emit_literal(struct linear *linear, const struct expr *node)
{
    struct smt *smt = linear->smt;
    Z3_sort sort = element_sort(linear, node->type);
    enum literal_kind kind = (enum literal_kind)node->op;
    if (emit_type_is_bool(linear->rule, node->type)) {
        if (kind == LIT_INT || kind == LIT_BOOL)
            return node->k & 1 ? Z3_mk_true(smt->ctx) : Z3_mk_false(smt->ctx);
        if (kind == LIT_LOWEST || kind == LIT_HIGHEST)
            return kind == LIT_HIGHEST ? Z3_mk_true(smt->ctx) : Z3_mk_false(smt->ctx);
    }
    if (linear->integers && kind == LIT_INT)
        return smt_int(smt, node->k);
    char name[80];
    snprintf(name, sizeof name, "literal%d_%lld_%u_%u", (int)kind, (long long)node->k,
             (unsigned)node->sym, (unsigned)node->type);
    return smt_const(smt, name, sort);
}

Z3_ast emit_truth_op(Z3_context context, const struct expr *node, const Z3_ast *a)
{
    switch ((enum op)node->op) {
    case OP_NOT:
        return Z3_mk_not(context, a[0]);
    case OP_AND:
    case OP_MULTIPLY:
    case OP_MINIMUM:
        return Z3_mk_and(context, 2, a);
    case OP_OR:
    case OP_ADD:
    case OP_MAXIMUM:
        return Z3_mk_or(context, 2, a);
    case OP_XOR:
        return Z3_mk_xor(context, a[0], a[1]);
    case OP_COMPARE:
        if (node->sym == CMP_EQ)
            return Z3_mk_iff(context, a[0], a[1]);
        if (node->sym == CMP_LT)
            return Z3_mk_and(context, 2, (Z3_ast[]){Z3_mk_not(context, a[0]), a[1]});
        if (node->sym == CMP_LE)
            return Z3_mk_implies(context, a[0], a[1]);
        return NULL;
    case OP_ABS:
    case OP_COUNT_LEADING_ZEROS:
    case OP_NEGATE:
    case OP_POPCNT:
    case OP_SIGN:
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SUBTRACT:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        FLOAT_UNARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return NULL;
}

static Z3_ast emit_op(struct linear *linear, expr_id e, const Z3_ast *a)
{
    struct smt *smt = linear->smt;
    const struct expr *node = expr_at(linear->exprs, e);
    if (node->kind == X_OPVAR)
        return emit_named(linear, "op", linear->rule->opvars[node->sym].name, node->type, node->n,
                          a);
    if (node->op == OP_SELECT)
        return Z3_mk_ite(smt->ctx, a[0], a[1], a[2]);
    uint32_t from = expr_at(linear->exprs, expr_arg(linear->exprs, e, 0))->type;
    if (node->op == OP_CONVERT && from == node->type)
        return a[0];
    if (emit_type_is_bool(linear->rule, from)) {
        Z3_ast b = emit_truth_op(linear->smt->ctx, node, a);
        if (b != NULL)
            return b;
    }
    struct buf name = {0};
    emit_op_name(node, &name);
    buf_printf(&name, "_%u_%u", (unsigned)from, (unsigned)node->type);
    Z3_ast out = emit_apply(smt, buf_text(&name), element_sort(linear, node->type), node->n, a);
    buf_release(&name);
    return out;
}

static Z3_ast emit_access(struct linear *linear, expr_id e)
{
    const struct expr node = *expr_at(linear->exprs, e);
    Z3_ast *a = mem_alloc((node.n + 1) * sizeof *a);
    for (uint32_t i = 0; i < node.n; i++)
        a[i] = emit_poly(linear, poly_of(linear->polys, expr_arg(linear->exprs, e, i)));
    Z3_ast out =
        emit_named(linear, "tensor", linear->rule->tensors[node.sym].name, node.type, node.n, a);
    mem_free(a);
    return out;
}

static Z3_ast compute_element(struct linear *linear, expr_id e)
{
    struct smt *smt = linear->smt;
    const struct expr node = *expr_at(linear->exprs, e);
    Z3_sort sort = element_sort(linear, node.type);
    char name[48];
    switch ((enum expr_kind)node.kind) {
    case X_ACCESS:
        return emit_access(linear, e);
    case X_SCALAR:
        return emit_named(linear, "scalar", linear->rule->scalars[node.sym].name, node.type, 0,
                          NULL);
    case X_LITERAL:
        return emit_literal(linear, &node);
    case X_INJECT: {
        Z3_ast i = emit_poly(linear, poly_of(linear->polys, expr_arg(linear->exprs, e, 0)));
        snprintf(name, sizeof name, "inject%u", (unsigned)node.type);
        return linear->integers ? i : emit_apply(smt, name, sort, 1, &i);
    }
    case X_PICK:
        return Z3_mk_ite(smt->ctx, emit_truth(linear, expr_arg(linear->exprs, e, 0)),
                         emit_element(linear, expr_arg(linear->exprs, e, 1)),
                         emit_element(linear, expr_arg(linear->exprs, e, 2)));
    case X_OP:
    case X_OPVAR: {
        Z3_ast *a = mem_alloc((node.n + 1) * sizeof *a);
        for (uint32_t i = 0; i < node.n; i++)
            a[i] = emit_element(linear, expr_arg(linear->exprs, e, i));
        Z3_ast out = emit_op(linear, e, a);
        mem_free(a);
        return out;
    }
    case X_ATOM:
        snprintf(name, sizeof name, "atom%lld", (long long)node.k);
        return smt_const(smt, name, sort);
    default: // a reduce of which nothing is known: a constant
        snprintf(name, sizeof name, "reduce%u", (unsigned)e);
        return smt_const(smt, name, sort);
    }
}

Z3_ast emit_element(struct linear *linear, expr_id e)
{
    Z3_ast a = *CACHED(&linear->expr_ast, e);
    if (a == NULL) {
        a = compute_element(linear, e);
        *CACHED(&linear->expr_ast, e) = a;
    }
    return a;
}
