// SPDX-License-Identifier: Apache-2.0
// Leaves by the solver's own theories: which sorts its types stand for, and
// what must be asked so that every width and format is covered.
#include "verify/arithmetic/axioms.h"
#include "verify/arithmetic/machine_leaf.h"
#include "verify/symbolic/transcendental.h"

#define NOT_A_TYPE (NONE - 1) // no type is interpreted
#define MAX_SPLIT 3           // extrema decided case by case

// The first ones are small; of the others the one that is hardest comes first.
#define SMALL_WIDTHS 3
static const unsigned widths[] = {8, 2, 4, 64, 32, 16};
static const unsigned formats[][2] = {{5, 11}, {8, 8}, {8, 24}, {11, 53}};

// The note says in the proof's text what the query speaks of.
static enum smt_answer refute(struct machine *m, const struct leaf *f,
                              const struct leaf_survey *v, const char *note)
{
    struct session *s = m->s;
    Z3_context c = s->smt.ctx;
    // Terms first: which solver fits depends on what they use.
    bool reals = m->d == DOMAIN_REAL || m->order;
    m->opaque = reals;
    Z3_ast *all = mem_alloc((f->holds.len + f->below.len + 1) * sizeof(Z3_ast));
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->holds.len; i++) {
        expr_id h = f->holds.at[i];
        if (expr_at(&s->x, h)->kind == X_HOLDS)
            all[n++] = machine_term(m, expr_arg(&s->x, h, 0));
    }
    Z3_ast same =
        leaf_agree(m, machine_term(m, f->lhs), machine_term(m, f->rhs));
    if (f->lhs != f->rhs)
        all[n++] = Z3_mk_not(c, same);
    for (uint32_t i = 0; i + 1 < f->below.len; i += 2)
        all[n++] = Z3_mk_le(c, machine_term(m, f->below.at[i]),
                            machine_term(m, f->below.at[i + 1]));
    Z3_ast power = NULL;
    if (m->power != NO_EXPR) {
        power = machine_term(m, m->power);
        Z3_ast bit = Z3_mk_unsigned_int64(c, UINT64_C(1) << m->bit,
                                          Z3_get_sort(c, power));
        power = Z3_mk_eq(c, power, bit);
    }
    if (m->opaque)
        smt_open(&s->smt);
    else
        smt_open_bits(&s->smt);
    if (reals)
        leaf_infinity_facts(m, &v->all);
    if (m->d == DOMAIN_REAL && !m->order)
        leaf_index_facts(m, f, v);
    if (m->axioms != NULL)
        axiom_uses_assert(m, m->axioms);
    leaf_finite_facts(m, v);
    leaf_monotone_facts(m, v);
    if (m->d == DOMAIN_FLOAT || m->d == DOMAIN_WORD)
        machine_float_facts(m, &v->all);
    if (m->power != NO_EXPR)
        smt_assert(&s->smt, power);
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
static bool has_literals(const struct machine *m, const struct leaf_survey *v)
{
    for (uint32_t i = 0; i < v->all.len; i++) {
        const struct expr *n = expr_at(&m->s->x, v->all.at[i]);
        if (n->kind == X_LITERAL && n->op == LIT_INT && n->sym == 0 &&
            n->type == m->type && !has_number(m->width, m->is_signed, n->k))
            return false;
    }
    return true;
}

// The x of a condition popcnt(x) == 1: then x is a power of two.
static expr_id find_power(const struct exprs *x, const struct leaf *f)
{
    for (uint32_t i = 0; i < f->holds.len; i++) {
        const struct expr *h = expr_at(x, f->holds.at[i]);
        if (h->kind != X_HOLDS)
            continue;
        expr_id e = x->args.at[h->at];
        const struct expr *n = expr_at(x, e);
        for (uint32_t k = 0; k < 2 && n->kind == X_OP && n->op == OP_COMPARE &&
                             n->sym == CMP_EQ;
             k++) {
            expr_id p = expr_arg(x, e, k), one = expr_arg(x, e, 1 - k);
            const struct expr *q = expr_at(x, one);
            if (expr_at(x, p)->kind == X_OP && expr_at(x, p)->op == OP_POPCNT &&
                q->kind == X_LITERAL && q->op == LIT_INT && q->k == 1)
                return expr_arg(x, p, 0);
        }
    }
    return NO_EXPR;
}

// One width; a power of two is each of them in turn.
static enum smt_answer at_width(struct machine *m, const struct leaf *f,
                                const struct leaf_survey *v, const char *note)
{
    enum smt_answer a = SMT_UNSAT;
    m->power = find_power(&m->s->x, f);
    if (m->power == NO_EXPR)
        return refute(m, f, v, note);
    for (m->bit = 0; m->bit < m->width && a == SMT_UNSAT; m->bit++)
        a = refute(m, f, v, note);
    m->power = NO_EXPR;
    return a;
}

// Small widths first, which find what is false; then, where there are
// divisions or products, all widths as integers; and all widths one by one.
static bool every_width_of_sign(struct machine *m, const struct leaf *f,
                                const struct leaf_survey *v)
{
    bool wide = false; // all widths are done
    for (uint32_t i = 0; i < v->all.len && !wide; i++) {
        const struct expr *n = expr_at(&m->s->x, v->all.at[i]);
        if (n->kind != X_INJECT || n->type != m->type || !v->divides)
            continue;
        m->s->smt.note = "every width, as integers";
        wide = word_leaf(m->s, f, m->type, m->is_signed);
        m->s->smt.note = "";
        break; // what a number is depends on integers
    }
    for (size_t i = 0; i < sizeof widths / sizeof widths[0] && !wide; i++) {
        char where[16];
        m->width = widths[i];
        if (!has_literals(m, v))
            continue;
        if (i == SMALL_WIDTHS && (v->divides || v->multiplies)) {
            m->s->smt.note = "every width, as integers";
            wide = word_leaf(m->s, f, m->type, m->is_signed);
            m->s->smt.note = "";
        }
        if (wide)
            continue;
        snprintf(where, sizeof where, "%s%u", m->is_signed ? "i" : "ui",
                 widths[i]);
        const char *note = session_text(m->s, "%s", where);
        enum smt_answer a = at_width(m, f, v, note);
        wide = a == SMT_UNKNOWN && !v->divides && !v->multiplies &&
               word_leaf(m->s, f, m->type, m->is_signed);
        if (!wide && !conclude(m, a, where))
            return false;
    }
    return true;
}

static bool every_width(struct machine *m, const struct leaf *f,
                        const struct leaf_survey *v)
{
    unsigned kinds = m->s->r->types[m->type].kinds;
    for (int sign = 1; sign >= 0; sign--) {
        if ((kinds & (unsigned)(sign ? KIND_SINT : KIND_UINT)) == 0)
            continue;
        m->is_signed = sign != 0;
        if (!every_width_of_sign(m, f, v))
            return false;
    }
    return true;
}

// Can no element be finite throughout (a literal is infinite)?  Nothing is
// proved of those.
static bool never_finite(struct machine *m, const struct leaf *f,
                         const struct leaf_survey *v)
{
    struct leaf only = *f;
    enum grade goal = m->s->goal;
    if (goal != GRADE_FINITE && goal != GRADE_FINITE_ZERO_SIGN)
        return false;
    only.rhs = only.lhs; // the hypotheses alone
    return refute(m, &only, v, "") != SMT_SAT;
}

static bool every_format(struct machine *m, const struct leaf *f,
                         const struct leaf_survey *v)
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

// The types that a type variable may stand for while the rule is judged in d.
static uint32_t candidates(const struct rule *r, uint32_t type, enum domain d,
                           enum elem *out)
{
    static const enum elem all[] = {ELEM_I8,  ELEM_UI8,  ELEM_I2,  ELEM_UI2,
                                    ELEM_I4,  ELEM_UI4,  ELEM_I16, ELEM_UI16,
                                    ELEM_I32, ELEM_UI32, ELEM_I64, ELEM_UI64,
                                    ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};
    unsigned kinds = r->types[type].kinds;
    enum domain own;
    uint32_t n = 0;
    if (!domain_of_kinds(kinds, d, &own))
        return 0;
    kinds &= domain_kinds(own);
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        if (kinds & elem_kind(all[i]))
            out[n++] = all[i];
    return n;
}

// Does the rule speak of these types: do they have its literals and the order
// that it asks for?
static bool speaks_of(struct machine *m, const struct leaf_survey *v)
{
    const struct rule *r = m->s->r;
    for (uint32_t i = 0; i < r->n_wider; i++) {
        enum elem wide = m->of[r->wider[i].wide];
        enum elem narrow = m->of[r->wider[i].narrow];
        if (wide != ELEM_OTHER && narrow != ELEM_OTHER &&
            !elem_holds(wide, narrow))
            return false;
    }
    for (uint32_t i = 0; i < v->all.len; i++) {
        const struct expr *n = expr_at(&m->s->x, v->all.at[i]);
        if (expr_sort(&m->s->x, v->all.at[i]) != SORT_ELEM ||
            n->kind != X_LITERAL || n->op != LIT_INT || n->sym != 0)
            continue;
        enum elem t = m->of[n->type];
        if (t != ELEM_OTHER && elem_kind(t) != KIND_FLOAT &&
            !elem_has_int(t, n->k))
            return false;
    }
    return true;
}

// All types of operands and results at once, in every combination.
static bool every_assignment(struct machine *m, const struct leaf *f,
                             const struct leaf_survey *v)
{
    struct session *s = m->s;
    enum elem choice[4][N_ELEMS];
    uint32_t n[4], at[4] = {0}, tried = 0, k = 0;
    enum elem *of = mem_alloc((s->r->n_types + 1) * sizeof *of);
    bool proved = !v->rough_literal && !v->many;
    s->reason = v->many ? "arithmetic in more than four element types"
                        : "a literal that some float formats round";
    for (uint32_t t = 0; t < s->r->n_types; t++)
        of[t] = ELEM_OTHER;
    m->of = of;
    for (uint32_t i = 0; i < v->n_met; i++) {
        n[i] = candidates(s->r, v->met[i], m->d, choice[i]);
        proved = proved && n[i] > 0;
    }
    while (proved && k < v->n_met) {
        struct buf where = {0};
        for (uint32_t i = 0; i < v->n_met; i++) {
            of[v->met[i]] = choice[i][at[i]];
            buf_printf(&where, "%s%s", i == 0 ? "" : ", ",
                       elem_text(of[v->met[i]]));
        }
        const char *note = session_text(s, "%s", buf_text(&where));
        buf_release(&where);
        if (speaks_of(m, v)) {
            tried++;
            proved = !never_finite(m, f, v) &&
                     conclude(m, refute(m, f, v, note), note);
        }
        if (proved && smt_out_of_time(&s->smt)) {
            s->reason = "time";
            proved = false;
        }
        for (k = 0; k < v->n_met && ++at[k] == n[k]; k++)
            at[k] = 0;
    }
    if (proved && tried == 0) {
        s->reason = "no element types have the numbers of the rule";
        proved = false;
    }
    m->of = NULL;
    mem_free(of);
    return proved;
}

// One proof for every total order: bool, int, word, real.  lowest and highest
// are the ends of the order, if it has ends at all.
static bool in_every_order(struct session *s, enum domain d,
                           const struct leaf *f, const struct leaf_survey *v)
{
    struct machine m = {
        .s = s, .d = d, .type = NONE, .order = true, .power = NO_EXPR};
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
static bool in_one_case(struct machine *m, const struct leaf *f,
                        const struct leaf_survey *v)
{
    struct axiom_uses u = {.at = {0}};
    bool proved = false;
    if (axiom_uses_find(m->s, f, &u)) {
        struct leaf_survey w;
        m->axioms = &u;
        leaf_survey_of(m->s, m->d, &u.leaf, &w);
        proved =
            (u.leaf.lhs == u.leaf.rhs && !m->s->p.overflow) ||
            conclude(m, refute(m, &u.leaf, &w, "reals, with axioms"), "reals");
        vec_release(&w.all);
    } else {
        proved = conclude(m, refute(m, f, v, domain_text(m->d)), "");
    }
    m->axioms = NULL;
    axiom_uses_release(&u);
    return proved;
}

// Does a transcendental operator occur?
static bool has_functions(const struct session *s, const struct leaf_survey *v)
{
    bool found = false;
    for (uint32_t i = 0; i < v->all.len && !found; i++) {
        const struct expr *n = expr_at(&s->x, v->all.at[i]);
        found = n->kind == X_OP && op_is_transcendental((enum op)n->op);
    }
    return found;
}

// A maximum, minimum or magnitude of finite reals that has no other below it.
static expr_id find_extremum(const struct session *s,
                             const struct leaf_survey *v)
{
    for (uint32_t i = 0; i < v->all.len; i++) {
        const struct expr *n = expr_at(&s->x, v->all.at[i]);
        if (n->kind == X_OP && n->n <= 2 &&
            (n->op == OP_MAXIMUM || n->op == OP_MINIMUM || n->op == OP_ABS) &&
            type_in_domain(s->r, n->type, DOMAIN_REAL) &&
            !element_may_be_infinite(s, v->all.at[i]))
            return v->all.at[i];
    }
    return NO_EXPR;
}

static struct leaf leaf_with(struct exprs *x, const struct leaf *f,
                             expr_id from, expr_id to, expr_id low,
                             expr_id high)
{
    struct leaf g = {.lhs = expr_subst(x, f->lhs, 1, &from, &to),
                     .rhs = expr_subst(x, f->rhs, 1, &from, &to),
                     .hyps = f->hyps,
                     .d = f->d};
    for (uint32_t i = 0; i < f->holds.len; i++)
        vec_push(&g.holds, expr_subst(x, f->holds.at[i], 1, &from, &to));
    for (uint32_t i = 0; i < f->below.len; i++)
        vec_push(&g.below, expr_subst(x, f->below.at[i], 1, &from, &to));
    vec_push(&g.below, low);
    vec_push(&g.below, high);
    return g;
}

// Of two reals one is at most the other; in either case an extremum is one of
// its operands, which normal forms and axioms can look into.
static bool in_reals(struct machine *m, const struct leaf *f,
                     const struct leaf_survey *v, uint32_t depth)
{
    struct session *s = m->s;
    struct exprs *x = &s->x;
    expr_id e =
        depth > 0 && has_functions(s, v) ? find_extremum(s, v) : NO_EXPR;
    if (e == NO_EXPR)
        return in_one_case(m, f, v);
    const struct expr n = *expr_at(x, e);
    expr_id a = expr_arg(x, e, 0), b;
    if (n.op == OP_ABS)
        b = expr_op(x, OP_NEGATE, 0, n.type, 1, &a);
    else
        b = expr_arg(x, e, 1);
    bool proved = true;
    for (int k = 0; k < 2 && proved; k++) {
        expr_id low = k == 0 ? b : a, high = k == 0 ? a : b;
        struct leaf g =
            leaf_with(x, f, e, n.op == OP_MINIMUM ? low : high, low, high);
        struct leaf_survey w;
        leaf_survey_of(s, m->d, &g, &w);
        proved = (g.lhs == g.rhs && !s->p.overflow) ||
                 in_reals(m, &g, &w, depth - 1);
        vec_release(&w.all);
        vec_release(&g.holds);
        vec_release(&g.below);
    }
    return proved;
}

bool machine_leaf(struct session *s, enum domain d, const struct leaf *f)
{
    struct leaf_survey v;
    struct machine m = {.s = s, .d = d, .type = NONE, .power = NO_EXPR};
    bool proved = false;
    leaf_survey_of(s, d, f, &v);
    if (d == DOMAIN_WORD || d == DOMAIN_FLOAT)
        m.type = v.n_computed > 0 ? v.computed[0] : NOT_A_TYPE;
    if (in_every_order(s, d, f, &v))
        proved = true;
    else if ((d == DOMAIN_WORD || d == DOMAIN_FLOAT) &&
             (v.n_computed > 1 || v.converts))
        proved = every_assignment(&m, f, &v);
    else if (d == DOMAIN_REAL && v.infinite_arithmetic)
        s->reason = "arithmetic on lowest or highest";
    else if (d == DOMAIN_REAL)
        proved = in_reals(&m, f, &v, MAX_SPLIT);
    else if (d == DOMAIN_BOOL || m.type == NOT_A_TYPE)
        proved = conclude(&m, refute(&m, f, &v, domain_text(d)), "");
    else if (d == DOMAIN_WORD)
        proved = every_width(&m, f, &v);
    else
        proved = every_format(&m, f, &v);
    vec_release(&v.all);
    return proved;
}
