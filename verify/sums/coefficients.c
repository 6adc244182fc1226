// SPDX-License-Identifier: Apache-2.0
#include "verify/sums/coefficients.h"
#include "verify/sums/parts.h"

#include "verify/integers/translate.h"
#include "verify/limits.h"

bool coeff_fail(struct coeff *sums, const char *why)
{
    if (sums->why == NULL)
        sums->why = why;
    return false;
}

bool coeff_family(struct coeff *sums, expr_id e, uint32_t *family)
{
    const struct exprs *exprs = &sums->session->exprs;
    struct u32_vec reach = {0};
    bool ok = true;
    *family = NONE;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && ok; i++) {
        const struct expr *node = expr_at(exprs, reach.at[i]);
        if (expr_sort(exprs, reach.at[i]) == SORT_ELEM)
            ok = coeff_fail(sums, "an index that is read from a tensor");
        if (node->kind != X_VAR)
            continue;
        uint32_t part = exprs->var.at[node->sym].part;
        if (part >= sums->n_families || (*family != NONE && *family != part))
            ok = coeff_fail(sums, "a condition on several rank classes");
        *family = part;
    }
    vec_release(&reach);
    return ok;
}

bool coeff_is_single(const struct coeff *sums, uint32_t family)
{
    return denote_one_axis(sums->session->rule, family);
}

bool coeff_may_be_empty(const struct coeff *sums, uint32_t family)
{
    return !denote_one_axis(sums->session->rule, family) &&
           sums->session->rule->classes[family].least_rank == 0;
}

expr_id coeff_hole(struct coeff *sums, uint32_t number, uint32_t family)
{
    return expr_var(&sums->session->exprs, VAR_BOUND, family, 0, 1000 + number, family);
}

bool coeff_follows(struct coeff *sums, uint32_t family, const struct cterm *term, expr_id goal)
{
    struct session *session = sums->session;
    struct u32_vec all = {0};
    goal = canon(&session->polys, goal);
    bool proved = expr_at(&session->exprs, goal)->kind == X_TRUE;
    for (uint32_t i = 0; i < sums->hyps[family].len && !proved; i++) {
        vec_push(&all, sums->hyps[family].at[i]);
        proved = canon(&session->polys, sums->hyps[family].at[i]) == goal;
    }
    for (uint32_t i = 0; term != NULL && i < term->n_guards && !proved; i++) {
        if (term->guard[i].family != family)
            continue;
        vec_push(&all, term->guard[i].e);
        proved = term->guard[i].e == goal;
    }
    // Most of these questions have the answer no; a wrong no can only lose a proof.
    session->linear.quick = true;
    proved = proved || linear_proves(&session->linear, all.len, all.at, goal);
    session->linear.quick = false;
    vec_release(&all);
    return proved && !session->polys.overflow;
}

// ---- signatures

static void sort_reads(struct cterm *term)
{
    for (uint32_t i = 1; i < term->n_reads; i++) {
        struct cread read_of = term->read[i];
        uint32_t j = i;
        for (; j > 0 && term->read[j - 1].head > read_of.head; j--)
            term->read[j] = term->read[j - 1];
        term->read[j] = read_of;
    }
}

static bool same_signature(const struct cterm *a, const struct cterm *b)
{
    bool same = a->n_reads == b->n_reads;
    for (uint32_t i = 0; i < a->n_reads && same; i++)
        same = a->read[i].head == b->read[i].head && a->read[i].n == b->read[i].n;
    for (uint32_t i = 0; i < a->n_reads && same; i++)
        for (uint32_t j = 0; j < a->read[i].n && same; j++)
            same = a->read[i].family[j] == b->read[i].family[j];
    return same;
}

// Appends the term with its reads of equal heads in every order, from read `at` on.
static bool permute(struct coeff *sums, struct cterm *term, uint32_t at, struct csum *out)
{
    if (at >= term->n_reads) {
        if (out->at.len >= VERIFY_SUM_TERMS)
            return coeff_fail(sums, "too many terms");
        vec_push(&out->at, *term);
        return true;
    }
    bool ok = true;
    for (uint32_t i = at; i < term->n_reads && ok; i++) {
        if (term->read[i].head != term->read[at].head)
            break;
        struct cread read_of = term->read[at];
        term->read[at] = term->read[i];
        term->read[i] = read_of;
        ok = permute(sums, term, at + 1, out);
        term->read[i] = term->read[at];
        term->read[at] = read_of;
    }
    return ok;
}

void coeff_anchors(struct coeff *sums, const struct cterm *term, struct anchors *anchors)
{
    for (uint32_t i = 0; i < term->n_reads; i++)
        for (uint32_t j = 0; j < term->read[i].n; j++)
            anchors->at[i][j] = expr_fresh(&sums->session->exprs, term->read[i].family[j]);
}

bool coeff_anchor(struct coeff *sums, struct cterm *term, const struct anchors *anchors)
{
    struct exprs *exprs = &sums->session->exprs;
    for (uint32_t i = 0; i < term->n_reads; i++)
        for (uint32_t j = 0; j < term->read[i].n; j++) {
            if (term->n_guards == VERIFY_SUM_GUARDS)
                return coeff_fail(sums, "too many conditions");
            expr_id e = expr_eq(exprs, anchors->at[i][j], term->read[i].arg[j]);
            term->guard[term->n_guards++] =
                (struct cguard){canon(&sums->session->polys, e), term->read[i].family[j]};
        }
    return true;
}

// In an idempotent monoid, [guards] * count is the condition "guards and count >= 1".
static bool counts_to_guards(struct coeff *sums, struct cterm *term, bool *zero)
{
    struct exprs *exprs = &sums->session->exprs;
    for (uint32_t i = 0; i < term->n_counts; i++) {
        expr_id e = expr_le(exprs, expr_int(exprs, 1), term->count[i].e);
        if (term->n_guards == VERIFY_SUM_GUARDS)
            return coeff_fail(sums, "too many conditions");
        term->guard[term->n_guards++] =
            (struct cguard){canon(&sums->session->polys, e), term->count[i].family};
    }
    term->n_counts = 0;
    return coeff_tidy(sums, term, zero);
}

// Takes the terms of one signature, anchors them, and solves each of them.
static bool prepare(struct coeff *sums, const struct algebra *alg, const struct csum *terms,
                    struct csum *out)
{
    struct anchors anchors;
    coeff_anchors(sums, &terms->at.at[0], &anchors);
    for (uint32_t i = 0; i < terms->at.len; i++) {
        struct cterm term = terms->at.at[i];
        bool zero = false;
        if (!coeff_anchor(sums, &term, &anchors) || !coeff_solve(sums, &term, &zero) ||
            (alg->positive && !zero && !counts_to_guards(sums, &term, &zero)))
            return false;
        if (!zero)
            vec_push(&out->at, term);
    }
    return true;
}

static bool has_repeats(const struct cterm *term)
{
    for (uint32_t i = 1; i < term->n_reads; i++)
        if (term->read[i].head == term->read[i - 1].head)
            return true;
    return false;
}

static bool signature_holds(struct coeff *sums, const struct algebra *alg, const struct csum *terms)
{
    struct csum solved = {{0}}, all = {{0}};
    bool same = prepare(sums, alg, terms, &solved) &&
                (alg->positive ? coeff_covers(sums, &solved) : coeff_vanishes(sums, &solved));
    if (!same && sums->why == NULL && has_repeats(&terms->at.at[0]) && !alg->positive) {
        vec_clear(&solved.at);
        same = true;
        for (uint32_t i = 0; i < terms->at.len && same; i++) {
            struct cterm term = terms->at.at[i];
            same = permute(sums, &term, 0, &all);
        }
        same = same && prepare(sums, alg, &all, &solved) && coeff_vanishes(sums, &solved);
    }
    vec_release(&solved.at);
    vec_release(&all.at);
    return same;
}

static bool sum_holds(struct coeff *sums, const struct algebra *alg, struct csum *sum)
{
    bool same = true;
    for (uint32_t i = 0; i < sum->at.len; i++)
        sort_reads(&sum->at.at[i]);
    while (same && sum->at.len > 0) {
        struct csum terms = {{0}}, rest = {{0}};
        for (uint32_t i = 0; i < sum->at.len; i++) {
            if (same_signature(&sum->at.at[0], &sum->at.at[i]))
                vec_push(&terms.at, sum->at.at[i]);
            else
                vec_push(&rest.at, sum->at.at[i]);
        }
        same = signature_holds(sums, alg, &terms);
        vec_release(&terms.at);
        vec_release(&sum->at);
        *sum = rest;
    }
    return same;
}

static bool same_in(struct coeff *sums, const struct algebra *alg, expr_id a, expr_id b)
{
    struct csum sum = {{0}};
    bool same = coeff_terms(sums, alg, a, &sum);
    uint32_t from = sum.at.len;
    same = same && coeff_terms(sums, alg, b, &sum);
    for (uint32_t i = from; same && i < sum.at.len; i++) {
        struct cterm *term = &sum.at.at[i];
        term->right = true;
        if (!alg->positive && __builtin_sub_overflow(0, term->c, &term->c))
            same = coeff_fail(sums, "constants too large");
    }
    if (same && alg->kind == ALG_RING && sums->domain == DOMAIN_REAL)
        same = coeff_cancel_counts(sums, &sum);
    same = same && sum_holds(sums, alg, &sum);
    vec_release(&sum.at);
    return same;
}

// ---- which algebra

struct choices {
    struct algebra at[VERIFY_SUM_ALGEBRAS];
    uint32_t n;
};

static void offer(struct choices *choices, struct algebra algebra)
{
    bool known = false;
    for (uint32_t i = 0; i < choices->n && !known; i++)
        known = choices->at[i].kind == algebra.kind && choices->at[i].op == algebra.op &&
                choices->at[i].opvar == algebra.opvar && choices->at[i].none == algebra.none &&
                choices->at[i].positive == algebra.positive;
    if (!known && choices->n < VERIFY_SUM_ALGEBRAS)
        choices->at[choices->n++] = algebra;
}

static bool is_ring(const struct coeff *sums, uint32_t type)
{
    return (sums->domain == DOMAIN_INT || sums->domain == DOMAIN_WORD ||
            sums->domain == DOMAIN_REAL) &&
           type_in_domain(sums->session->rule, type, (enum domain)sums->domain);
}

static bool is_boolean(const struct coeff *sums, uint32_t type)
{
    const struct rule *rule = sums->session->rule;
    return emit_type_is_bool(rule, type) ||
           (sums->domain == DOMAIN_BOOL && type_in_domain(rule, type, DOMAIN_BOOL));
}

// Offers a formal sum under the operator of a node, if the operator is a monoid's.
static void offer_monoid(const struct coeff *sums, const struct expr *node, struct choices *choices)
{
    struct algebra algebra = {.kind = ALG_MONOID, .op = node->op};
    if (node->kind == X_OPVAR ? sums->session->rule->opvars[node->sym].kind == OPVAR_MONOID
                              : node->kind == X_REDUCE && node->op == N_OPS) {
        algebra.op = N_OPS;
        algebra.opvar = node->sym;
    } else if (node->kind != X_REDUCE && node->kind != X_OP) {
        return;
    } else if (op_facts((enum op)node->op)->dual != N_OPS) {
        algebra.idempotent = true;
    } else if (node->op != OP_MULTIPLY || !is_ring(sums, node->type)) {
        return;
    }
    if (algebra.idempotent) {
        algebra.positive = true;
        offer(choices, algebra);
        algebra.positive = false;
    }
    offer(choices, algebra);
}

static const struct expr *root_of(const struct exprs *exprs, expr_id e)
{
    while (expr_at(exprs, e)->kind == X_PICK)
        e = expr_arg(exprs, e, 1);
    return expr_at(exprs, e);
}

// Is the node a sum other than a ring's?
static bool is_monoid_node(const struct expr *node)
{
    if (node->kind == X_OP)
        return op_facts((enum op)node->op)->dual != N_OPS;
    return node->kind == X_OPVAR || (node->kind == X_REDUCE && node->op != OP_ADD);
}

static void choose(const struct coeff *sums, expr_id a, expr_id b, struct choices *choices)
{
    const struct exprs *exprs = &sums->session->exprs;
    const struct expr *node = root_of(exprs, a), *n = root_of(exprs, b);
    if (is_boolean(sums, node->type))
        offer(choices, (struct algebra){.kind = ALG_BOOLEAN, .idempotent = true, .positive = true});
    bool other = is_monoid_node(node) && is_monoid_node(n);
    if (is_ring(sums, node->type) && !other)
        offer(choices, (struct algebra){.kind = ALG_RING});
    offer_monoid(sums, node, choices);
    offer_monoid(sums, n, choices);
    if (node->kind != X_REDUCE && n->kind != X_REDUCE)
        offer(choices, (struct algebra){.kind = ALG_MONOID, .none = true});
}

// ---- equality

static bool in_some_algebra(struct coeff *sums, expr_id a, expr_id b, const char **first)
{
    struct choices choices = {.n = 0};
    choose(sums, a, b, &choices);
    bool same = false;
    uint32_t scopes = sums->scope.len;
    for (uint32_t i = 0; i < choices.n && !same; i++) {
        uint32_t mark = smt_mark(&sums->session->smt);
        sums->why = NULL;
        same = same_in(sums, &choices.at[i], a, b) && !sums->session->polys.overflow;
        sums->scope.len = scopes;
        if (!same)
            smt_forget(&sums->session->smt, mark);
        if (i == 0 || sums->why == NULL)
            *first = sums->why; // "may differ" tells most
    }
    return same;
}

bool coeff_same(struct coeff *sums, expr_id a, expr_id b)
{
    const char *why = sums->why, *first = NULL;
    a = coeff_without_empty(sums, canon(&sums->session->polys, a));
    b = coeff_without_empty(sums, canon(&sums->session->polys, b));
    if (a == b)
        return !sums->session->polys.overflow;
    if (sums->depth == VERIFY_SUM_DEPTH)
        return coeff_fail(sums, "nested too deeply");
    uint32_t most = sums->domain < 0 ? VERIFY_SUM_QUESTIONS : VERIFY_SUM_QUESTIONS_ALONE;
    if (++sums->asked > most)
        return coeff_fail(sums, "too many comparisons");
    sums->depth++;
    uint32_t mark = smt_mark(&sums->session->smt);
    bool same = coeff_same_lists(sums, a, b) && !sums->session->polys.overflow;
    if (!same) {
        smt_forget(&sums->session->smt, mark);
        same = in_some_algebra(sums, a, b, &first);
    }
    sums->depth--;
    sums->why = why;
    if (!same && sums->depth == 0 && sums->why == NULL)
        sums->why = first;
    return same;
}

// ---- the obligation

bool coeff_init(struct coeff *sums, struct session *session, int domain)
{
    struct clauses clauses = {{0}};
    const struct rule *rule = session->rule;
    uint32_t rank[64];
    *sums = (struct coeff){.session = session, .domain = domain, .n_families = rule->n_classes};
    for (uint32_t c = 0; c < 64; c++)
        rank[c] = 1;
    if (!denote_init(&sums->denote, &session->exprs, rule, rank))
        return false;
    sums->denote.float_sums = domain < 0 || domain == DOMAIN_FLOAT || domain == DOMAIN_WORD;
    sums->denote.domain = domain;
    expr_id *index = denote_new_index(&sums->denote);
    denote_out_index(&sums->denote, rule->lhs, index);
    hypotheses(&sums->denote, &clauses);
    denote_valid(&sums->denote, rule->rhs, &clauses);
    denote_in_range(&sums->denote, rule->lhs, index, &clauses);
    for (uint32_t f = 0; f < rule->n_classes; f++)
        if (denote_family(rule, f) == f)
            clauses_append(&clauses, f, &sums->hyps[f]);
    sums->lhs = denote_element(&sums->denote, rule->lhs, index);
    sums->dropped_left = sums->denote.dropped.len;
    sums->rhs = denote_element(&sums->denote, rule->rhs, index);
    sums->why = sums->denote.failure;
    mem_free(index);
    vec_release(&clauses.at);
    return true;
}

void coeff_release(struct coeff *sums)
{
    for (uint32_t f = 0; f < sums->n_families; f++)
        vec_release(&sums->hyps[f]);
    vec_release(&sums->scope);
    vec_release(&sums->nested);
    denote_release(&sums->denote);
}

// Over the reals, multiplied by all divisors, if none of them is 0.
static bool same_without_lines(struct coeff *sums)
{
    struct u32_vec divisors = {0};
    const char *why = sums->why;
    expr_id a = sums->lhs, b = sums->rhs;
    bool same = sums->domain == DOMAIN_REAL && fractions_clear(sums->session, &a, &b, &divisors);
    for (uint32_t i = 0; i < divisors.len && same; i++)
        same = (coeff_sign(sums, divisors.at[i]) & SIGN_ZERO) == 0;
    vec_release(&divisors);
    sums->why = NULL;
    sums->asked = 0;
    same = same && coeff_same(sums, a, b);
    sums->why = same ? NULL : why;
    return same;
}

static bool sides_are_same(struct coeff *sums)
{
    if (sums->domain == DOMAIN_REAL) {
        sums->lhs = coeff_expand(sums, sums->lhs);
        sums->rhs = coeff_expand(sums, sums->rhs);
    }
    return coeff_same(sums, sums->lhs, sums->rhs) || same_without_lines(sums);
}

bool coeff_prove(struct session *session, int domain)
{
    struct coeff sums;
    struct stopwatch watch = session_start(session);
    bool keep = session->exprs.keep_picks;
    session->exprs.keep_picks = true; // a condition false at rank 1 is true at rank 0
    bool same = coeff_init(&sums, session, domain) && sums.why == NULL && sides_are_same(&sums);
    session->exprs.keep_picks = keep;
    if (!same)
        session->reason = sums.why != NULL ? session_text(session, "coefficients: %s", sums.why)
                                           : "coefficients may differ";
    struct buf what = {0};
    buf_puts(&what, "coefficients");
    if (domain >= 0)
        buf_printf(&what, " (%s)", domain_text((enum domain)domain));
    session_record(session, watch,
                   (struct obligation_outcome){OBLIGATION_ELEMENTS, "every rank", buf_text(&what),
                                               same, session->reason});
    smt_forget(&session->smt, watch.mark);
    buf_release(&what);
    coeff_release(&sums);
    return same;
}

const char *coeff_bound(void)
{
    return "the coefficients of every product of elements agree, rank class by "
           "rank class: at every rank";
}
