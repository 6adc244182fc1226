// SPDX-License-Identifier: Apache-2.0
// Elements in the solver's own theories: truth values, reals, bit-vectors,
// floats.  Operators and elements of which nothing is used are uninterpreted.
// The conventions are those of tensor/eval/eval.h; each is a line of
// docs/proving.md.
#include "verify/arithmetic/machine.h"

Z3_sort machine_elem_sort(struct machine *m, enum elem t)
{
    Z3_context c = m->s->smt.ctx;
    switch (t) {
    case ELEM_F16:
        return Z3_mk_fpa_sort(c, 5, 11);
    case ELEM_BF16:
        return Z3_mk_fpa_sort(c, 8, 8);
    case ELEM_F32:
        return Z3_mk_fpa_sort(c, 8, 24);
    case ELEM_F64:
        return Z3_mk_fpa_sort(c, 11, 53);
    default:
        return Z3_mk_bv_sort(c, elem_bits(t));
    }
}

// What operators on the type compute with, where types differ.
static void enter(struct machine *m, uint32_t type)
{
    Z3_context c = m->s->smt.ctx;
    enum elem t = m->of == NULL ? ELEM_OTHER : m->of[type];
    if (t == ELEM_OTHER)
        return;
    m->width = elem_bits(t);
    m->is_signed = elem_kind(t) == KIND_SINT;
    if (elem_kind(t) == KIND_FLOAT) {
        m->ebits = Z3_fpa_get_ebits(c, machine_elem_sort(m, t));
        m->sbits = Z3_fpa_get_sbits(c, machine_elem_sort(m, t));
    }
}

Z3_sort machine_sort(struct machine *m, uint32_t type)
{
    Z3_context c = m->s->smt.ctx;
    if (emit_type_is_bool(m->s->r, type))
        return Z3_mk_bool_sort(c);
    if (m->of != NULL && m->of[type] != ELEM_OTHER)
        return machine_elem_sort(m, m->of[type]);
    if (m->order && type_in_domain(m->s->r, type, m->d))
        return Z3_mk_real_sort(c);
    if (m->of == NULL && type_in_domain(m->s->r, type, m->d) &&
        (m->type == NONE || m->type == type)) {
        switch (m->d) {
        case DOMAIN_BOOL:
            return Z3_mk_bool_sort(c);
        case DOMAIN_REAL:
            return Z3_mk_real_sort(c);
        case DOMAIN_WORD:
            return Z3_mk_bv_sort(c, m->width);
        case DOMAIN_FLOAT:
            return Z3_mk_fpa_sort(c, m->ebits, m->sbits);
        default:
            break;
        }
    }
    char name[32];
    m->opaque = true;
    snprintf(name, sizeof name, "V%u", (unsigned)type);
    return Z3_mk_uninterpreted_sort(c, Z3_mk_string_symbol(c, name));
}

Z3_ast machine_named(struct machine *m, const char *what, int64_t k,
                     uint32_t type)
{
    char name[80];
    snprintf(name, sizeof name, "%s%lld", what, (long long)k);
    return smt_const(&m->s->smt, name, machine_sort(m, type));
}

// An unknown of a polynomial: an element, or an index, which is any real.
static Z3_ast real_atom(struct machine *m, expr_id atom)
{
    struct smt *s = &m->s->smt;
    char name[32];
    if (expr_at(&m->s->x, atom)->kind == X_VALUE) {
        expr_id e = expr_arg(&m->s->x, atom, 0);
        Z3_sort sort = machine_sort(m, expr_at(&m->s->x, e)->type);
        if (Z3_get_sort_kind(s->ctx, sort) == Z3_REAL_SORT)
            return machine_term(m, e);
    }
    snprintf(name, sizeof name, "index%u", (unsigned)atom);
    return smt_const(s, name, Z3_mk_real_sort(s->ctx));
}

// The polynomial of an injected index, or of elements, over reals.
Z3_ast machine_real_poly(struct machine *m, struct poly a)
{
    struct smt *s = &m->s->smt;
    struct polys *p = &m->s->p;
    Z3_sort real = Z3_mk_real_sort(s->ctx);
    Z3_ast sum = Z3_mk_int64(s->ctx, 0, real);
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono q = p->mono.at[a.t[i].mono];
        Z3_ast t = Z3_mk_int64(s->ctx, a.t[i].c, real);
        for (uint32_t k = 0; k < q.n; k++) {
            Z3_ast f[] = {t, real_atom(m, p->atoms.at[q.at + k])};
            t = Z3_mk_mul(s->ctx, 2, f);
        }
        sum = Z3_mk_add(s->ctx, 2, (Z3_ast[]){sum, t});
    }
    return sum;
}

static Z3_ast decimal(struct machine *m, const struct expr *n)
{
    char text[64];
    int at = snprintf(text, sizeof text, "%lld/1", (long long)n->k);
    for (uint32_t i = 0; n->op == LIT_DECIMAL && i < n->sym && at < 62; i++) {
        text[at++] = '0';
        text[at] = '\0';
    }
    return Z3_mk_numeral(m->s->smt.ctx, text, Z3_mk_real_sort(m->s->smt.ctx));
}

static Z3_ast float_literal(struct machine *m, const struct expr *n)
{
    Z3_context c = m->s->smt.ctx;
    Z3_sort sort = Z3_mk_fpa_sort(c, m->ebits, m->sbits);
    if (n->op == LIT_LOWEST || n->op == LIT_HIGHEST)
        return Z3_mk_fpa_inf(c, sort, n->op == LIT_LOWEST);
    if (n->k == 0)
        return Z3_mk_fpa_zero(c, sort, n->op == LIT_DECIMAL);
    return Z3_mk_fpa_to_fp_real(c, Z3_mk_fpa_rne(c), decimal(m, n), sort);
}

static Z3_ast word_literal(struct machine *m, const struct expr *n)
{
    Z3_context c = m->s->smt.ctx;
    Z3_sort sort = Z3_mk_bv_sort(c, m->width);
    uint64_t top = UINT64_C(1) << (m->width - 1), all = top | (top - 1);
    uint64_t v = (uint64_t)n->k & all;
    if (n->op == LIT_LOWEST)
        v = m->is_signed ? top : 0;
    if (n->op == LIT_HIGHEST)
        v = m->is_signed ? top - 1 : all;
    return Z3_mk_unsigned_int64(c, v, sort);
}

static Z3_ast literal(struct machine *m, expr_id e)
{
    Z3_context c = m->s->smt.ctx;
    const struct expr *n = expr_at(&m->s->x, e);
    Z3_sort_kind kind = Z3_get_sort_kind(c, machine_sort(m, n->type));
    enum literal_kind lit = (enum literal_kind)n->op;
    bool number = lit == LIT_INT || lit == LIT_DECIMAL;
    enter(m, n->type);
    bool extreme = lit == LIT_LOWEST || lit == LIT_HIGHEST;
    if (kind == Z3_BOOL_SORT && (lit == LIT_INT || lit == LIT_BOOL || extreme))
        return lit == LIT_HIGHEST || (!extreme && (n->k & 1) != 0)
                   ? Z3_mk_true(c)
                   : Z3_mk_false(c);
    if (kind == Z3_REAL_SORT && number)
        return decimal(m, n);
    if (kind == Z3_BV_SORT && (lit == LIT_INT || extreme))
        return word_literal(m, n);
    if (kind == Z3_FLOATING_POINT_SORT && (number || extreme))
        return float_literal(m, n);
    return machine_named(m, "literal", e, n->type);
}

static Z3_ast apply_unknown(struct machine *m, expr_id e, const Z3_ast *a)
{
    const struct expr *n = expr_at(&m->s->x, e);
    struct buf name = {0};
    m->opaque = true;
    if (n->kind == X_OPVAR)
        buf_printf(&name, "op!%s", m->s->r->opvars[n->sym].name);
    else
        emit_op_name(n, &name);
    for (uint32_t i = 0; i < n->n && n->kind == X_OP; i++)
        buf_printf(&name, "_%u",
                   (unsigned)expr_at(&m->s->x, expr_arg(&m->s->x, e, i))->type);
    Z3_ast out = emit_apply(&m->s->smt, buf_text(&name),
                            machine_sort(m, n->type), n->n, a);
    buf_release(&name);
    return out;
}

// NULL: an arbitrary function.  Reals and truth values convert to themselves.
static Z3_ast converted(struct machine *m, uint32_t from, uint32_t to, Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    if (from == to)
        return a;
    if (m->of != NULL && m->of[from] != ELEM_OTHER && m->of[to] != ELEM_OTHER)
        return machine_convert(m, m->of[from], m->of[to], a);
    Z3_sort_kind p = Z3_get_sort_kind(c, machine_sort(m, from));
    Z3_sort_kind q = Z3_get_sort_kind(c, machine_sort(m, to));
    bool itself = p == Z3_BOOL_SORT || (p == Z3_REAL_SORT && !m->order);
    return p == q && itself ? a : NULL;
}

static Z3_ast op(struct machine *m, expr_id e, const Z3_ast *a)
{
    Z3_context c = m->s->smt.ctx;
    const struct expr n = *expr_at(&m->s->x, e);
    Z3_ast out = NULL;
    if (n.kind == X_OPVAR)
        return apply_unknown(m, e, a);
    uint32_t from = expr_at(&m->s->x, expr_arg(&m->s->x, e, 0))->type;
    if (n.op == OP_SELECT)
        return Z3_mk_ite(c, a[0], a[1], a[2]);
    if (n.op == OP_CONVERT)
        out = converted(m, from, n.type, a[0]);
    enter(m, from);
    if (n.op == OP_CONVERT)
        return out == NULL ? apply_unknown(m, e, a) : out;
    switch (Z3_get_sort_kind(c, machine_sort(m, from))) {
    case Z3_BOOL_SORT:
        out = emit_truth_op(m->s->smt.ctx, &n, a);
        break;
    case Z3_REAL_SORT:
        out = machine_real_op(m, &n, a);
        break;
    case Z3_BV_SORT:
        out = machine_word_op(m, &n, a);
        break;
    case Z3_FLOATING_POINT_SORT:
        out = machine_float_op(m, &n, a);
        break;
    default:
        break;
    }
    return out == NULL ? apply_unknown(m, e, a) : out;
}

Z3_ast machine_term(struct machine *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    Z3_context c = m->s->smt.ctx;
    const struct expr n = *expr_at(x, e);
    Z3_ast a[3] = {NULL, NULL, NULL};
    switch ((enum expr_kind)n.kind) {
    case X_LITERAL:
        return literal(m, e);
    case X_SCALAR:
        return machine_named(m, "scalar", n.sym, n.type);
    case X_ATOM:
        return machine_named(m, "atom", n.k, n.type);
    case X_INJECT:
        if (Z3_get_sort_kind(c, machine_sort(m, n.type)) == Z3_REAL_SORT)
            return machine_real_poly(m, poly_of(&m->s->p, expr_arg(x, e, 0)));
        return machine_named(m, "inject", e, n.type);
    case X_OP:
    case X_OPVAR: {
        Z3_ast *args = n.n <= 3 ? a : mem_alloc(n.n * sizeof *args);
        for (uint32_t i = 0; i < n.n; i++)
            args[i] = machine_term(m, expr_arg(x, e, i));
        Z3_ast out = op(m, e, args);
        if (args != a)
            mem_free(args);
        return out;
    }
    default:
        return machine_named(m, "other", e, n.type);
    }
}
