// SPDX-License-Identifier: Apache-2.0
// Elements in the solver's own theories: truth values, reals, bit-vectors, floats.
// Operators and elements without a theory are uninterpreted.  The conventions are those of
// tensor/eval/eval.h; each is a line of docs/proving.md.
#include "verify/arithmetic/machine.h"

Z3_sort machine_elem_sort(struct machine *machine, enum elem elem)
{
    Z3_context context = machine->session->smt.ctx;
    switch (elem) {
    case ELEM_F16:
        return Z3_mk_fpa_sort(context, 5, 11);
    case ELEM_BF16:
        return Z3_mk_fpa_sort(context, 8, 8);
    case ELEM_F32:
        return Z3_mk_fpa_sort(context, 8, 24);
    case ELEM_F64:
        return Z3_mk_fpa_sort(context, 11, 53);
    default:
        return Z3_mk_bv_sort(context, elem_bits(elem));
    }
}

// Sets the format in which operators on the type compute, where types differ.
static void enter(struct machine *machine, uint32_t type)
{
    Z3_context context = machine->session->smt.ctx;
    enum elem elem = machine->of == NULL ? ELEM_OTHER : machine->of[type];
    if (elem == ELEM_OTHER)
        return;
    machine->width = elem_bits(elem);
    machine->is_signed = elem_kind(elem) == KIND_SINT;
    if (elem_kind(elem) == KIND_FLOAT) {
        machine->ebits = Z3_fpa_get_ebits(context, machine_elem_sort(machine, elem));
        machine->sbits = Z3_fpa_get_sbits(context, machine_elem_sort(machine, elem));
    }
}

Z3_sort machine_sort(struct machine *machine, uint32_t type)
{
    Z3_context context = machine->session->smt.ctx;
    if (emit_type_is_bool(machine->session->rule, type))
        return Z3_mk_bool_sort(context);
    if (machine->of != NULL && machine->of[type] != ELEM_OTHER)
        return machine_elem_sort(machine, machine->of[type]);
    if (machine->order && type_in_domain(machine->session->rule, type, machine->domain))
        return Z3_mk_real_sort(context);
    if (machine->of == NULL && type_in_domain(machine->session->rule, type, machine->domain) &&
        (machine->type == NONE || machine->type == type)) {
        switch (machine->domain) {
        case DOMAIN_BOOL:
            return Z3_mk_bool_sort(context);
        case DOMAIN_REAL:
            return Z3_mk_real_sort(context);
        case DOMAIN_WORD:
            return Z3_mk_bv_sort(context, machine->width);
        case DOMAIN_FLOAT:
            return Z3_mk_fpa_sort(context, machine->ebits, machine->sbits);
        default:
            break;
        }
    }
    char name[32];
    machine->opaque = true;
    snprintf(name, sizeof name, "V%u", (unsigned)type);
    return Z3_mk_uninterpreted_sort(context, Z3_mk_string_symbol(context, name));
}

Z3_ast machine_named(struct machine *machine, const char *what, int64_t k, uint32_t type)
{
    char name[80];
    snprintf(name, sizeof name, "%s%lld", what, (long long)k);
    return smt_const(&machine->session->smt, name, machine_sort(machine, type));
}

// An unknown of a polynomial: an element, or an index.  An index may be any real.
static Z3_ast real_atom(struct machine *machine, expr_id atom)
{
    struct smt *smt = &machine->session->smt;
    char name[32];
    if (expr_at(&machine->session->exprs, atom)->kind == X_VALUE) {
        expr_id e = expr_arg(&machine->session->exprs, atom, 0);
        Z3_sort sort = machine_sort(machine, expr_at(&machine->session->exprs, e)->type);
        if (Z3_get_sort_kind(smt->ctx, sort) == Z3_REAL_SORT)
            return machine_term(machine, e);
    }
    snprintf(name, sizeof name, "index%u", (unsigned)atom);
    return smt_const(smt, name, Z3_mk_real_sort(smt->ctx));
}

// The polynomial of an injected index, or of elements, over reals.
Z3_ast machine_real_poly(struct machine *machine, struct poly poly)
{
    struct smt *smt = &machine->session->smt;
    struct polys *polys = &machine->session->polys;
    Z3_sort real = Z3_mk_real_sort(smt->ctx);
    Z3_ast sum = Z3_mk_int64(smt->ctx, 0, real);
    for (uint32_t i = 0; i < poly.n; i++) {
        struct mono mono = polys->mono.at[poly.term[i].mono];
        Z3_ast t = Z3_mk_int64(smt->ctx, poly.term[i].c, real);
        for (uint32_t k = 0; k < mono.n; k++) {
            Z3_ast f[] = {t, real_atom(machine, polys->atoms.at[mono.at + k])};
            t = Z3_mk_mul(smt->ctx, 2, f);
        }
        sum = Z3_mk_add(smt->ctx, 2, (Z3_ast[]){sum, t});
    }
    return sum;
}

static Z3_ast decimal(struct machine *machine, const struct expr *node)
{
    char text[64];
    int at = snprintf(text, sizeof text, "%lld/1", (long long)node->k);
    for (uint32_t i = 0; node->op == LIT_DECIMAL && i < node->sym && at < 62; i++) {
        text[at++] = '0';
        text[at] = '\0';
    }
    return Z3_mk_numeral(machine->session->smt.ctx, text,
                         Z3_mk_real_sort(machine->session->smt.ctx));
}

static Z3_ast float_literal(struct machine *machine, const struct expr *node)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_sort sort = Z3_mk_fpa_sort(context, machine->ebits, machine->sbits);
    if (node->op == LIT_LOWEST || node->op == LIT_HIGHEST)
        return Z3_mk_fpa_inf(context, sort, node->op == LIT_LOWEST);
    if (node->k == 0)
        return Z3_mk_fpa_zero(context, sort, node->op == LIT_DECIMAL);
    return Z3_mk_fpa_to_fp_real(context, Z3_mk_fpa_rne(context), decimal(machine, node), sort);
}

static Z3_ast word_literal(struct machine *machine, const struct expr *node)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_sort sort = Z3_mk_bv_sort(context, machine->width);
    uint64_t top = UINT64_C(1) << (machine->width - 1), all = top | (top - 1);
    uint64_t v = (uint64_t)node->k & all;
    if (node->op == LIT_LOWEST)
        v = machine->is_signed ? top : 0;
    if (node->op == LIT_HIGHEST)
        v = machine->is_signed ? top - 1 : all;
    return Z3_mk_unsigned_int64(context, v, sort);
}

static Z3_ast literal(struct machine *machine, expr_id e)
{
    Z3_context context = machine->session->smt.ctx;
    const struct expr *node = expr_at(&machine->session->exprs, e);
    Z3_sort_kind kind = Z3_get_sort_kind(context, machine_sort(machine, node->type));
    enum literal_kind lit = (enum literal_kind)node->op;
    bool number = lit == LIT_INT || lit == LIT_DECIMAL;
    enter(machine, node->type);
    bool extreme = lit == LIT_LOWEST || lit == LIT_HIGHEST;
    if (kind == Z3_BOOL_SORT && (lit == LIT_INT || lit == LIT_BOOL || extreme))
        return lit == LIT_HIGHEST || (!extreme && (node->k & 1) != 0) ? Z3_mk_true(context)
                                                                      : Z3_mk_false(context);
    if (kind == Z3_REAL_SORT && number)
        return decimal(machine, node);
    if (kind == Z3_BV_SORT && (lit == LIT_INT || extreme))
        return word_literal(machine, node);
    if (kind == Z3_FLOATING_POINT_SORT && (number || extreme))
        return float_literal(machine, node);
    return machine_named(machine, "literal", e, node->type);
}

static Z3_ast apply_unknown(struct machine *machine, expr_id e, const Z3_ast *a)
{
    const struct expr *node = expr_at(&machine->session->exprs, e);
    struct buf name = {0};
    machine->opaque = true;
    if (node->kind == X_OPVAR)
        buf_printf(&name, "op!%s", machine->session->rule->opvars[node->sym].name);
    else
        emit_op_name(node, &name);
    for (uint32_t i = 0; i < node->n && node->kind == X_OP; i++)
        buf_printf(
            &name, "_%u",
            (unsigned)expr_at(&machine->session->exprs, expr_arg(&machine->session->exprs, e, i))
                ->type);
    Z3_ast out = emit_apply(&machine->session->smt, buf_text(&name),
                            machine_sort(machine, node->type), node->n, a);
    buf_release(&name);
    return out;
}

// Is the conversion an unknown value in a loose query?
static bool is_loose(const struct machine *machine, uint32_t from, uint32_t to)
{
    return machine->loose != NULL && machine->of[from] != machine->of[to] &&
           (machine_convert_keeps_order(machine->of[from], machine->of[to]) ||
            machine_convert_comes_back(machine, from, to));
}

// NULL: an arbitrary function.  Reals and truth values convert to themselves.
static Z3_ast converted(struct machine *machine, uint32_t from, uint32_t to, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    if (from == to)
        return a;
    if (machine->of != NULL && machine->of[from] != ELEM_OTHER && machine->of[to] != ELEM_OTHER)
        return machine_convert(machine, machine->of[from], machine->of[to], a);
    Z3_sort_kind p = Z3_get_sort_kind(context, machine_sort(machine, from));
    Z3_sort_kind q = Z3_get_sort_kind(context, machine_sort(machine, to));
    bool itself = p == Z3_BOOL_SORT || (p == Z3_REAL_SORT && !machine->order);
    return p == q && itself ? a : NULL;
}

static Z3_ast op(struct machine *machine, expr_id e, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    const struct expr node = *expr_at(&machine->session->exprs, e);
    Z3_ast out = NULL;
    if (node.kind == X_OPVAR)
        return apply_unknown(machine, e, a);
    uint32_t from =
        expr_at(&machine->session->exprs, expr_arg(&machine->session->exprs, e, 0))->type;
    if (node.op == OP_SELECT)
        return Z3_mk_ite(context, a[0], a[1], a[2]);
    if (node.op == OP_CONVERT && is_loose(machine, from, node.type))
        out = machine_named(machine, "converted", e, node.type);
    else if (node.op == OP_CONVERT)
        out = converted(machine, from, node.type, a[0]);
    enter(machine, from);
    if (node.op == OP_CONVERT)
        return out == NULL ? apply_unknown(machine, e, a) : out;
    switch (Z3_get_sort_kind(context, machine_sort(machine, from))) {
    case Z3_BOOL_SORT:
        out = emit_truth_op(machine->session->smt.ctx, &node, a);
        break;
    case Z3_REAL_SORT:
        out = machine_real_op(machine, &node, a);
        break;
    case Z3_BV_SORT:
        out = machine_word_op(machine, &node, a);
        break;
    case Z3_FLOATING_POINT_SORT:
        out = machine->by_order && order_has_facts((enum op)node.op)
                  ? machine_named(machine, "computed", e, node.type)
                  : machine_float_op(machine, &node, a);
        break;
    default:
        break;
    }
    return out == NULL ? apply_unknown(machine, e, a) : out;
}

Z3_ast machine_term(struct machine *machine, expr_id e)
{
    struct exprs *exprs = &machine->session->exprs;
    Z3_context context = machine->session->smt.ctx;
    const struct expr node = *expr_at(exprs, e);
    Z3_ast a[3] = {NULL, NULL, NULL};
    switch ((enum expr_kind)node.kind) {
    case X_LITERAL:
        return literal(machine, e);
    case X_SCALAR:
        return machine_named(machine, "scalar", node.sym, node.type);
    case X_ATOM:
        return machine_named(machine, "atom", node.k, node.type);
    case X_INJECT:
        if (Z3_get_sort_kind(context, machine_sort(machine, node.type)) == Z3_REAL_SORT)
            return machine_real_poly(machine,
                                     poly_of(&machine->session->polys, expr_arg(exprs, e, 0)));
        return machine_named(machine, "inject", e, node.type);
    case X_OP:
    case X_OPVAR: {
        Z3_ast *args = node.n <= 3 ? a : mem_alloc(node.n * sizeof *args);
        for (uint32_t i = 0; i < node.n; i++)
            args[i] = machine_term(machine, expr_arg(exprs, e, i));
        Z3_ast out = op(machine, e, args);
        if (args != a)
            mem_free(args);
        return out;
    }
    default:
        return machine_named(machine, "other", e, node.type);
    }
}
