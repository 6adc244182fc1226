// SPDX-License-Identifier: Apache-2.0
// Leaves by the solver's own theories: truth values, reals, bit-vectors of
// every width and sign, floats of every format.  Operators and elements of
// which nothing is used are uninterpreted.  The conventions are those of
// tensor/eval.h; each is a line of docs/proving.md.
#include "verify/machine.h"
#include "verify/axioms.h"

#define NOT_A_TYPE (NONE - 1) // no type is interpreted

static const unsigned widths[] = {8, 2, 4, 16, 32, 64};
static const unsigned formats[][2] = {{5, 11}, {8, 8}, {8, 24}, {11, 53}};

Z3_sort machine_sort(struct machine *m, uint32_t type)
{
    Z3_context c = m->s->smt.ctx;
    if (emit_type_is_bool(m->s->r, type))
        return Z3_mk_bool_sort(c);
    if (m->order && type_in_domain(m->s->r, type, m->d))
        return Z3_mk_real_sort(c);
    if (type_in_domain(m->s->r, type, m->d) &&
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

static Z3_ast named(struct machine *m, const char *what, int64_t k,
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
static Z3_ast real_poly(struct machine *m, struct poly a)
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
    return named(m, "literal", e, n->type);
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
        return from == n.type ? a[0] : apply_unknown(m, e, a);
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
        return named(m, "scalar", n.sym, n.type);
    case X_ATOM:
        return named(m, "atom", n.k, n.type);
    case X_INJECT:
        if (Z3_get_sort_kind(c, machine_sort(m, n.type)) == Z3_REAL_SORT)
            return real_poly(m, poly_of(&m->s->p, expr_arg(x, e, 0)));
        return named(m, "inject", e, n.type);
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
        return named(m, "other", e, n.type);
    }
}

// lowest and highest among the reals: below and above every finite element
// that occurs.  Arithmetic on them is refused.
static void infinity_facts(struct machine *m, const struct u32_vec *all)
{
    struct exprs *x = &m->s->x;
    Z3_context c = m->s->smt.ctx;
    for (uint32_t i = 0; i < all->len; i++) {
        // A copy: making literals below may move the nodes.
        const struct expr n = *expr_at(x, all->at[i]);
        if (n.kind != X_LITERAL ||
            (n.op != LIT_LOWEST && n.op != LIT_HIGHEST) ||
            !type_in_domain(m->s->r, n.type, m->d))
            continue;
        Z3_ast inf = machine_term(m, all->at[i]);
        for (uint32_t j = 0; j < all->len; j++) {
            expr_id e = all->at[j];
            if (i == j || expr_sort(x, e) != SORT_ELEM ||
                expr_at(x, e)->type != n.type)
                continue;
            bool loose = m->order || element_may_be_infinite(m->s, e);
            Z3_ast v = machine_term(m, e);
            bool low = n.op == LIT_LOWEST;
            Z3_ast lo = low ? inf : v, hi = low ? v : inf;
            smt_assert(&m->s->smt,
                       loose ? Z3_mk_le(c, lo, hi) : Z3_mk_lt(c, lo, hi));
        }
        if (m->order)
            continue;
        smt_assert(
            &m->s->smt,
            Z3_mk_lt(c,
                     named(m, "literal",
                           expr_literal(x, LIT_LOWEST, 0, 0, n.type), n.type),
                     named(m, "literal",
                           expr_literal(x, LIT_HIGHEST, 0, 0, n.type),
                           n.type)));
    }
}

// What occurs in the leaf.
struct survey {
    struct u32_vec all;
    uint32_t computed[8]; // types of the domain that operators compute with
    uint32_t n_computed;
    bool infinite_arithmetic, rough_literal;
    bool not_order;       // something besides order, in any domain
    bool not_float_order; // something besides order and sign, in float
};

static bool dyadic(const struct expr *n)
{
    uint64_t k = n->k < 0 ? 0 - (uint64_t)n->k : (uint64_t)n->k;
    for (uint32_t i = 0; n->op == LIT_DECIMAL && i < n->sym; i++) {
        if (k % 5 != 0)
            return false; // k / 10^sym is no multiple of a power of 2
        k /= 5;
    }
    while (k != 0 && k % 2 == 0)
        k /= 2;
    return k < 256;
}

// A literal whose value is the same in every float format.
static bool exact_everywhere(const struct expr *n)
{
    if (n->op != LIT_INT && n->op != LIT_DECIMAL)
        return true;
    return n->k >= -256 * 100 && n->k <= 256 * 100 &&
           (n->op != LIT_INT || (n->k >= -256 && n->k <= 256)) && dyadic(n) &&
           (n->op != LIT_DECIMAL || n->sym <= 6);
}

// Operators that only compare elements, in any totally ordered domain, and
// those that commute with every order- and sign-preserving map of floats.
static void survey_order(struct session *s, enum domain d, const struct expr *n,
                         struct survey *v)
{
    bool extreme = n->op == LIT_LOWEST || n->op == LIT_HIGHEST;
    if (n->kind == X_LITERAL && type_in_domain(s->r, n->type, d)) {
        v->not_order |= !extreme;
        v->not_float_order |= !extreme && n->k != 0;
        return;
    }
    if (n->kind == X_INJECT || n->kind == X_OPVAR)
        v->not_order = v->not_float_order = true;
    if (n->kind != X_OP || n->op == OP_SELECT || n->op == OP_COMPARE ||
        n->op == OP_MAXIMUM || n->op == OP_MINIMUM)
        return;
    // Operators on types that are i1 everywhere have one meaning.
    bool computes = false;
    for (uint32_t i = 0; i < n->n; i++)
        computes |= !emit_type_is_bool(
            s->r, expr_at(&s->x, s->x.args.at[n->at + i])->type);
    computes |= !emit_type_is_bool(s->r, n->type);
    bool sign = n->op == OP_NEGATE || n->op == OP_ABS || n->op == OP_IS_FINITE;
    v->not_order |= computes;
    v->not_float_order |= computes && !sign;
}

static void survey_node(struct session *s, enum domain d, expr_id e,
                        struct survey *v)
{
    const struct exprs *x = &s->x;
    const struct expr *n = expr_at(x, e);
    if (n->kind == X_LITERAL && !exact_everywhere(n))
        v->rough_literal = true;
    survey_order(s, d, n, v);
    if (n->kind != X_OP || n->op == OP_SELECT || n->op == OP_CONVERT)
        return;
    bool order =
        n->op == OP_MAXIMUM || n->op == OP_MINIMUM || n->op == OP_COMPARE;
    for (uint32_t i = 0; i < n->n; i++) {
        expr_id a = expr_arg(x, e, i);
        uint32_t type = expr_at(x, a)->type;
        if (!order && element_may_be_infinite(s, a))
            v->infinite_arithmetic = true;
        bool known = !type_in_domain(s->r, type, d);
        for (uint32_t k = 0; k < v->n_computed && !known; k++)
            known = v->computed[k] == type;
        if (!known && v->n_computed < 8)
            v->computed[v->n_computed++] = type;
    }
}

static void survey(struct session *s, enum domain d, const struct leaf *f,
                   struct survey *v)
{
    *v = (struct survey){.n_computed = 0};
    expr_reach(&s->x, f->lhs, &v->all);
    expr_reach(&s->x, f->rhs, &v->all);
    for (uint32_t i = 0; i < f->holds.len; i++)
        expr_reach(&s->x, f->holds.at[i], &v->all);
    for (uint32_t i = 0; i < v->all.len; i++)
        survey_node(s, d, v->all.at[i], v);
}

static bool plain_poly(struct session *s, struct poly a)
{
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono q = s->p.mono.at[a.t[i].mono];
        for (uint32_t k = 0; k < q.n; k++)
            if (expr_at(&s->x, s->p.atoms.at[q.at + k])->kind != X_VAR)
                return false;
    }
    return true;
}

// What is known of the indices that iota injects into the reals: hypotheses
// about integers read over the reals, where more values satisfy them.
static void index_facts(struct machine *m, const struct leaf *f,
                        const struct survey *v)
{
    struct session *s = m->s;
    bool injects = false;
    for (uint32_t i = 0; i < v->all.len; i++)
        injects |= expr_at(&s->x, v->all.at[i])->kind == X_INJECT;
    for (uint32_t i = 0; i < f->hyps->len && injects; i++) {
        expr_id h = canon(&s->p, f->hyps->at[i]);
        uint32_t n =
            expr_at(&s->x, h)->kind == X_AND ? expr_at(&s->x, h)->n : 1;
        for (uint32_t k = 0; k < n; k++) {
            expr_id e =
                expr_at(&s->x, h)->kind == X_AND ? expr_arg(&s->x, h, k) : h;
            if (expr_at(&s->x, e)->kind != X_LE)
                continue;
            struct poly a =
                poly_add(&s->p, poly_of(&s->p, expr_arg(&s->x, e, 1)),
                         poly_of(&s->p, expr_arg(&s->x, e, 0)), -1);
            if (plain_poly(s, a))
                smt_assert(&s->smt,
                           Z3_mk_ge(s->smt.ctx, real_poly(m, a),
                                    Z3_mk_int64(s->smt.ctx, 0,
                                                Z3_mk_real_sort(s->smt.ctx))));
        }
    }
}

static bool is_float(struct machine *m, Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    return Z3_get_sort_kind(c, Z3_get_sort(c, a)) == Z3_FLOATING_POINT_SORT;
}

// The sides agree, as exactly as the grade asks.
static Z3_ast agree(struct machine *m, Z3_ast a, Z3_ast b)
{
    Z3_context c = m->s->smt.ctx;
    enum grade goal = m->s->goal;
    Z3_ast same = Z3_mk_eq(c, a, b);
    if ((goal != GRADE_ZERO_SIGN && goal != GRADE_FINITE_ZERO_SIGN) ||
        !is_float(m, a))
        return same;
    Z3_ast zeros[] = {Z3_mk_fpa_is_zero(c, a), Z3_mk_fpa_is_zero(c, b)};
    return Z3_mk_or(c, 2, (Z3_ast[]){same, Z3_mk_and(c, 2, zeros)});
}

// The grades FINITE: no unknown and no result on the way is NaN or infinite.
static void finite_facts(struct machine *m, const struct survey *v)
{
    struct session *s = m->s;
    Z3_context c = s->smt.ctx;
    if (m->d != DOMAIN_FLOAT ||
        (s->goal != GRADE_FINITE && s->goal != GRADE_FINITE_ZERO_SIGN))
        return;
    for (uint32_t i = 0; i < v->all.len; i++) {
        if (expr_sort(&s->x, v->all.at[i]) != SORT_ELEM)
            continue;
        Z3_ast a = machine_term(m, v->all.at[i]);
        if (!is_float(m, a))
            continue;
        Z3_ast odd[] = {Z3_mk_fpa_is_nan(c, a), Z3_mk_fpa_is_infinite(c, a)};
        smt_assert(&s->smt, Z3_mk_not(c, Z3_mk_or(c, 2, odd)));
    }
}

// The note says in the proof's text what the query speaks of.
static enum smt_answer refute(struct machine *m, const struct leaf *f,
                              const struct survey *v, const char *note)
{
    struct session *s = m->s;
    Z3_context c = s->smt.ctx;
    // Terms first: which solver fits depends on what they use.
    bool reals = m->d == DOMAIN_REAL || m->order;
    m->opaque = reals;
    Z3_ast *all = mem_alloc((f->holds.len + 1) * sizeof(Z3_ast));
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->holds.len; i++) {
        expr_id h = f->holds.at[i];
        if (expr_at(&s->x, h)->kind == X_HOLDS)
            all[n++] = machine_term(m, expr_arg(&s->x, h, 0));
    }
    Z3_ast same = agree(m, machine_term(m, f->lhs), machine_term(m, f->rhs));
    if (f->lhs != f->rhs)
        all[n++] = Z3_mk_not(c, same);
    if (m->opaque)
        smt_open(&s->smt);
    else
        smt_open_bits(&s->smt);
    if (reals)
        infinity_facts(m, &v->all);
    if (m->d == DOMAIN_REAL && !m->order)
        index_facts(m, f, v);
    if (m->axioms != NULL)
        axiom_uses_assert(m, m->axioms);
    finite_facts(m, v);
    for (uint32_t i = 0; i < n; i++)
        smt_assert(&s->smt, all[i]);
    mem_free(all);
    s->smt.note = note;
    enum smt_answer a = smt_check(&s->smt);
    s->smt.note = "";
    smt_close(&s->smt);
    return a;
}

static bool conclude(struct machine *m, enum smt_answer a, const char *where)
{
    if (a == SMT_UNSAT)
        return true;
    if (a == SMT_SAT)
        m->s->reason = session_text(m->s, "the elements may differ%s%s",
                                    where[0] == '\0' ? "" : " in ", where);
    else
        m->s->reason = session_text(m->s, "%s: %s", where, m->s->smt.why);
    return false;
}

static bool has_number(unsigned width, bool is_signed, int64_t k)
{
    int64_t top = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
    if (is_signed)
        return k >= -top - 1 && k <= top;
    return k >= 0 && (width == 64 || k <= 2 * top + 1);
}

// Does the machine type have the numbers that the rule writes in it?  Of other
// types the rule does not speak.
static bool has_literals(const struct machine *m, const struct survey *v)
{
    for (uint32_t i = 0; i < v->all.len; i++) {
        const struct expr *n = expr_at(&m->s->x, v->all.at[i]);
        if (n->kind == X_LITERAL && n->op == LIT_INT && n->sym == 0 &&
            n->type == m->type && !has_number(m->width, m->is_signed, n->k))
            return false;
    }
    return true;
}

static bool every_width(struct machine *m, const struct leaf *f,
                        const struct survey *v)
{
    unsigned kinds = m->s->r->types[m->type].kinds;
    for (int sign = 1; sign >= 0; sign--) {
        if ((kinds & (unsigned)(sign ? KIND_SINT : KIND_UINT)) == 0)
            continue;
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            char where[16];
            m->width = widths[i];
            m->is_signed = sign != 0;
            if (!has_literals(m, v))
                continue;
            snprintf(where, sizeof where, "%s%u", sign ? "i" : "ui", widths[i]);
            const char *note = session_text(m->s, "%s", where);
            if (!conclude(m, refute(m, f, v, note), where))
                return false;
        }
    }
    return true;
}

// Can no element be finite throughout (a literal is infinite)?  Nothing is
// proved of those.
static bool never_finite(struct machine *m, const struct leaf *f,
                         const struct survey *v)
{
    struct leaf only = *f;
    enum grade goal = m->s->goal;
    if (goal != GRADE_FINITE && goal != GRADE_FINITE_ZERO_SIGN)
        return false;
    only.rhs = only.lhs; // the hypotheses alone
    return refute(m, &only, v, "") != SMT_SAT;
}

static bool every_format(struct machine *m, const struct leaf *f,
                         const struct survey *v)
{
    static const char *const name[] = {"f16", "bf16", "f32", "f64"};
    if (v->rough_literal) {
        m->s->reason = "a literal that some float formats round";
        return false;
    }
    // A tiny format first: what fails there is given up without long queries.
    m->ebits = 4;
    m->sbits = 5;
    if (never_finite(m, f, v)) {
        m->s->reason = "something is not finite";
        return false;
    }
    uint32_t mark = smt_mark(&m->s->smt);
    enum smt_answer tiny =
        refute(m, f, v,
               "a float format of 4 and 5 bits, for every format, because only "
               "order and sign matter; cvc5 wants --fp-exp");
    if (tiny != SMT_UNSAT)
        return conclude(m, tiny, "a small float format");
    // Where only order and sign matter, the finite magnitudes of a difference
    // in another format map to those of the tiny one (it has 240).
    if (!v->not_float_order && v->all.len < 100)
        return true;
    smt_forget(&m->s->smt, mark);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        m->ebits = formats[i][0];
        m->sbits = formats[i][1];
        if (!conclude(m, refute(m, f, v, name[i]), name[i]))
            return false;
    }
    return true;
}

// One proof for every total order: bool, int, word, real.  lowest and highest
// are the ends of the order, if it has ends at all.
static bool in_every_order(struct session *s, enum domain d,
                           const struct leaf *f, const struct survey *v)
{
    struct machine m = {.s = s, .d = d, .type = NONE, .order = true};
    if (v->not_order || d == DOMAIN_FLOAT)
        return false;
    uint32_t mark = smt_mark(&s->smt);
    if (refute(&m, f, v, "in every total order") == SMT_UNSAT)
        return true;
    smt_forget(&s->smt, mark);
    return false;
}

// Reals: transcendental operators by their axioms (axioms.h), the others by
// the solver.
static bool in_reals(struct machine *m, const struct leaf *f,
                     const struct survey *v)
{
    struct axiom_uses u = {.at = {0}};
    bool proved = false;
    if (axiom_uses_find(m->s, f, &u)) {
        struct survey w;
        m->axioms = &u;
        survey(m->s, m->d, &u.leaf, &w);
        proved =
            (u.leaf.lhs == u.leaf.rhs && !m->s->p.overflow) ||
            conclude(m, refute(m, &u.leaf, &w, "reals, with axioms"), "reals");
        vec_release(&w.all);
    } else {
        proved = conclude(m, refute(m, f, v, domain_text(m->d)), "");
    }
    axiom_uses_release(&u);
    return proved;
}

bool machine_leaf(struct session *s, enum domain d, const struct leaf *f)
{
    struct survey v;
    struct machine m = {.s = s, .d = d, .type = NONE};
    bool proved = false;
    survey(s, d, f, &v);
    if (d == DOMAIN_WORD || d == DOMAIN_FLOAT)
        m.type = v.n_computed > 0 ? v.computed[0] : NOT_A_TYPE;
    if (in_every_order(s, d, f, &v))
        proved = true;
    else if ((d == DOMAIN_WORD || d == DOMAIN_FLOAT) && v.n_computed > 1)
        s->reason = "arithmetic in several element types";
    else if (d == DOMAIN_REAL && v.infinite_arithmetic)
        s->reason = "arithmetic on lowest or highest";
    else if (d == DOMAIN_REAL)
        proved = in_reals(&m, f, &v);
    else if (d == DOMAIN_BOOL || m.type == NOT_A_TYPE)
        proved = conclude(&m, refute(&m, f, &v, domain_text(d)), "");
    else if (d == DOMAIN_WORD)
        proved = every_width(&m, f, &v);
    else
        proved = every_format(&m, f, &v);
    vec_release(&v.all);
    return proved;
}
