// SPDX-License-Identifier: Apache-2.0
// Leaves by the solver's own theories: the sorts that types stand for, and the queries that
// cover every width and format.
#include "rules/reasons.h"
#include "verify/arithmetic/axioms.h"
#include "verify/arithmetic/machine_leaf.h"
#include "verify/limits.h"
#include "verify/obligations/element_types.h"
#include "verify/products/products.h"

#define NOT_A_TYPE (NONE - 1) // no type is interpreted

// Small widths come first.  Of the others the hardest comes first.
#define SMALL_WIDTHS 3
static const unsigned widths[] = {8, 2, 4, 64, 32, 16};

// The bits of exponent and significand of a format, and the part of its steps that a query about
// a grade gets.  It takes several times as many steps in a wider format.
struct format {
    const char *name;
    unsigned ebits, sbits, part;
};
static const struct format tiny_format = {"", 4, 5, VERIFY_TINY_FORMAT_PART};
static const struct format formats[] = {{"f16", 5, 11, VERIFY_SHORT_FORMAT_PART},
                                        {"bf16", 8, 8, VERIFY_SHORT_FORMAT_PART},
                                        {"f32", 8, 24, 1},
                                        {"f64", 11, 53, 1}};

static enum smt_answer ask(struct machine *machine, const struct leaf *leaf,
                           const struct leaf_survey *survey, const char *note)
{
    struct session *session = machine->session;
    Z3_context context = session->smt.ctx;
    // Terms first: the choice of the solver depends on the theories that they use.
    bool reals = machine->domain == DOMAIN_REAL || machine->order;
    machine->opaque = reals;
    Z3_ast *all = mem_alloc((leaf->holds.len + leaf->below.len + 1) * sizeof(Z3_ast));
    uint32_t n = 0;
    for (uint32_t i = 0; i < leaf->holds.len; i++) {
        expr_id h = leaf->holds.at[i];
        if (expr_at(&session->exprs, h)->kind == X_HOLDS)
            all[n++] = machine_term(machine, expr_arg(&session->exprs, h, 0));
    }
    Z3_ast same =
        leaf_agree(machine, machine_term(machine, leaf->lhs), machine_term(machine, leaf->rhs));
    if (leaf->lhs != leaf->rhs)
        all[n++] = Z3_mk_not(context, same);
    for (uint32_t i = 0; i + 1 < leaf->below.len; i += 2)
        all[n++] = Z3_mk_le(context, machine_term(machine, leaf->below.at[i]),
                            machine_term(machine, leaf->below.at[i + 1]));
    Z3_ast power = NULL;
    if (machine->power != NO_EXPR) {
        power = machine_term(machine, machine->power);
        Z3_ast bit =
            Z3_mk_unsigned_int64(context, UINT64_C(1) << machine->bit, Z3_get_sort(context, power));
        power = Z3_mk_eq(context, power, bit);
    }
    if (machine->opaque)
        smt_open(&session->smt);
    else
        smt_open_bits(&session->smt);
    if (reals)
        leaf_infinity_facts(machine, &survey->all);
    if (machine->domain == DOMAIN_REAL && !machine->order) {
        leaf_index_facts(machine, leaf, survey);
        leaf_remainder_facts(machine, survey);
    }
    if (machine->axioms != NULL)
        axiom_uses_assert(machine, machine->axioms);
    leaf_finite_facts(machine, survey);
    leaf_monotone_facts(machine, survey);
    if (machine->domain == DOMAIN_FLOAT || machine->domain == DOMAIN_WORD)
        machine_float_facts(machine, &survey->all);
    if (machine->by_order)
        machine_order_facts(machine, &survey->all);
    if (machine->loose != NULL)
        machine_convert_facts(machine, &survey->all);
    if (machine->power != NO_EXPR)
        smt_assert(&session->smt, power);
    for (uint32_t i = 0; i < n; i++)
        smt_assert(&session->smt, all[i]);
    mem_free(all);
    session->smt.note = note;
    enum smt_answer answer = smt_check(&session->smt);
    session->smt.note = "";
    smt_close(&session->smt);
    return answer;
}

// Over the reals the solver's own handling of products has a few steps first, and all of them
// where laws about products say nothing.
static enum smt_answer ask_reals(struct machine *machine, const struct leaf *leaf,
                                 const struct leaf_survey *survey, const char *note)
{
    struct smt *smt = &machine->session->smt;
    unsigned most = smt->limits.query_steps;
    bool few = most > VERIFY_REAL_FIRST_STEPS;
    if (few)
        smt->limits.query_steps = VERIFY_REAL_FIRST_STEPS;
    enum smt_answer answer = ask(machine, leaf, survey, note);
    bool cut = few && answer == SMT_UNKNOWN && strcmp(smt->why, reason_STEPS) == 0;
    smt->limits.query_steps = most;
    if (answer == SMT_UNKNOWN && products_refute(machine->session, note))
        return SMT_UNSAT;
    return cut ? ask(machine, leaf, survey, note) : answer;
}

enum smt_answer leaf_refute(struct machine *machine, const struct leaf *leaf,
                            const struct leaf_survey *survey, const char *note)
{
    return machine->domain == DOMAIN_REAL && !machine->order
               ? ask_reals(machine, leaf, survey, note)
               : ask(machine, leaf, survey, note);
}

// Is a query about so many bits known to be too long?  The circuits of sums grow as the number of
// bits, those of products and quotients as its square.  Where a verdict was asked for, the query
// is asked all the same.
static bool is_hopeless(struct machine *machine, unsigned bits)
{
    struct session *session = machine->session;
    bool asked = session->goal == GRADE_EXACT && (session->rule->claims >> machine->domain & 1);
    bool hopeless = !asked && machine->rate * bits > session->smt.limits.query_steps;
    if (hopeless)
        session->smt.why = reason_STEPS;
    return hopeless;
}

// Asks a query about so many bits, unless it is hopeless.
static enum smt_answer refute_bits(struct machine *machine, const struct leaf *leaf,
                                   const struct leaf_survey *survey, unsigned bits,
                                   const char *note)
{
    uint64_t before = machine->session->smt.effort;
    if (is_hopeless(machine, bits))
        return SMT_UNKNOWN;
    machine->session->smt.alone = machine->is_long;
    enum smt_answer answer = leaf_refute(machine, leaf, survey, note);
    uint64_t steps = machine->session->smt.effort - before;
    machine->session->smt.alone = false;
    machine->is_long |= steps > VERIFY_SHARED_STEPS;
    if (steps / bits > machine->rate)
        machine->rate = steps / bits;
    return answer;
}

bool leaf_conclude(struct machine *machine, enum smt_answer answer, const char *where)
{
    struct session *session = machine->session;
    if (answer != SMT_UNSAT)
        session->reason =
            session_text(session, "%s%s%s", answer == SMT_SAT ? reason_DIFFER : session->smt.why,
                         where[0] == '\0' ? "" : " for ", where);
    return answer == SMT_UNSAT;
}

static bool has_number(unsigned width, bool is_signed, int64_t k)
{
    int64_t top = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
    if (is_signed)
        return k >= -top - 1 && k <= top;
    return k >= 0 && (width == 64 || k <= 2 * top + 1);
}

// Does the machine type have the numbers that the rule writes in it?  The rule does not
// speak of other types.
static bool has_literals(const struct machine *machine, const struct leaf_survey *survey)
{
    for (uint32_t i = 0; i < survey->all.len; i++) {
        const struct expr *node = expr_at(&machine->session->exprs, survey->all.at[i]);
        if (node->kind == X_LITERAL && node->op == LIT_INT && node->sym == 0 &&
            node->type == machine->type && !has_number(machine->width, machine->is_signed, node->k))
            return false;
    }
    return true;
}

// The x of a condition popcnt(x) == 1, which says that x is a power of two.
static expr_id find_power(const struct exprs *exprs, const struct leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->holds.len; i++) {
        const struct expr *node = expr_at(exprs, leaf->holds.at[i]);
        if (node->kind != X_HOLDS)
            continue;
        expr_id e = exprs->args.at[node->at];
        const struct expr *n = expr_at(exprs, e);
        for (uint32_t k = 0; k < 2 && n->kind == X_OP && n->op == OP_COMPARE && n->sym == CMP_EQ;
             k++) {
            expr_id p = expr_arg(exprs, e, k), one = expr_arg(exprs, e, 1 - k);
            const struct expr *q = expr_at(exprs, one);
            if (expr_at(exprs, p)->kind == X_OP && expr_at(exprs, p)->op == OP_POPCNT &&
                q->kind == X_LITERAL && q->op == LIT_INT && q->k == 1)
                return expr_arg(exprs, p, 0);
        }
    }
    return NO_EXPR;
}

// One width.  A power of two is replaced by each of its values in turn.  Of a short word that
// nobody asked about, a query gets few steps, since a wider one would exceed its limit.
static enum smt_answer at_width(struct machine *machine, const struct leaf *leaf,
                                const struct leaf_survey *survey, const char *note)
{
    unsigned *steps = &machine->session->smt.limits.query_steps, most = *steps;
    bool claimed = machine->session->rule->claims >> machine->domain & 1;
    enum smt_answer answer = SMT_UNSAT;
    if (!claimed && machine->width <= 8 && most > VERIFY_UNCLAIMED_SHORT_STEPS)
        *steps = VERIFY_UNCLAIMED_SHORT_STEPS;
    machine->power = find_power(&machine->session->exprs, leaf);
    if (machine->power == NO_EXPR)
        answer = refute_bits(machine, leaf, survey, machine->width, note);
    else
        for (machine->bit = 0; machine->bit < machine->width && answer == SMT_UNSAT; machine->bit++)
            answer = refute_bits(machine, leaf, survey, machine->width, note);
    machine->power = NO_EXPR;
    *steps = most;
    return answer;
}

// Small widths first, which find most false leaves.  Then all widths at once as integers, if
// there are divisions or products.  Then all widths one by one.
static bool every_width_of_sign(struct machine *machine, const struct leaf *leaf,
                                const struct leaf_survey *survey)
{
    bool wide = false; // all widths are done
    for (uint32_t i = 0; i < survey->all.len && !wide; i++) {
        const struct expr *node = expr_at(&machine->session->exprs, survey->all.at[i]);
        if (node->kind != X_INJECT || node->type != machine->type || !survey->divides)
            continue;
        machine->session->smt.note = "every width, as integers";
        wide = word_leaf(machine->session, leaf, machine->type, machine->is_signed);
        machine->session->smt.note = "";
        break; // what a number is depends on integers
    }
    for (size_t i = 0; i < sizeof widths / sizeof widths[0] && !wide; i++) {
        char where[16];
        machine->width = widths[i];
        if (!has_literals(machine, survey))
            continue;
        if (i == SMALL_WIDTHS && (survey->divides || survey->multiplies)) {
            machine->session->smt.note = "every width, as integers";
            wide = word_leaf(machine->session, leaf, machine->type, machine->is_signed);
            machine->session->smt.note = "";
        }
        if (wide)
            continue;
        snprintf(where, sizeof where, "%s%u", machine->is_signed ? "i" : "ui", widths[i]);
        const char *note = session_text(machine->session, "%s", where);
        enum smt_answer answer = at_width(machine, leaf, survey, note);
        wide = answer == SMT_UNKNOWN && !survey->divides && !survey->multiplies &&
               word_leaf(machine->session, leaf, machine->type, machine->is_signed);
        if (!wide && !leaf_conclude(machine, answer, leaf_operands(machine, machine->type, note)))
            return false;
    }
    return true;
}

static bool every_width(struct machine *machine, const struct leaf *leaf,
                        const struct leaf_survey *survey)
{
    unsigned kinds = machine->session->rule->types[machine->type].kinds;
    for (int sign = 1; sign >= 0; sign--) {
        if ((kinds & (unsigned)(sign ? KIND_SINT : KIND_UINT)) == 0)
            continue;
        machine->is_signed = sign != 0;
        if (!every_width_of_sign(machine, leaf, survey))
            return false;
    }
    return true;
}

bool leaf_never_finite(struct machine *machine, const struct leaf *leaf,
                       const struct leaf_survey *survey)
{
    struct leaf only = *leaf;
    enum grade goal = machine->session->goal;
    if (goal != GRADE_FINITE && goal != GRADE_FINITE_ZERO_SIGN)
        return false;
    only.rhs = only.lhs; // the hypotheses alone
    return leaf_refute(machine, &only, survey, "") != SMT_SAT;
}

// A query with facts about order in place of circuits.  `exact`: the leaf has nothing that they
// replace, so that the query is all there is to ask.
static enum smt_answer refute_by_order(struct machine *machine, const struct leaf *leaf,
                                       const struct leaf_survey *survey, bool exact)
{
    struct smt *smt = &machine->session->smt;
    const char *note = "a small float format, for every format, because what is said of the "
                       "arithmetic follows from the order of its operands; cvc5 wants --fp-exp";
    unsigned most = smt->limits.query_steps;
    uint32_t mark = smt_mark(smt);
    if (!exact && most > VERIFY_ORDER_STEPS)
        smt->limits.query_steps = VERIFY_ORDER_STEPS;
    machine->by_order = true;
    enum smt_answer answer = leaf_refute(machine, leaf, survey, note);
    machine->by_order = false;
    smt->limits.query_steps = most;
    if (answer != SMT_UNSAT)
        smt_forget(smt, mark);
    return answer;
}

static enum smt_answer refute_in(struct machine *machine, const struct leaf *leaf,
                                 const struct leaf_survey *survey, const struct format *format,
                                 const char *note)
{
    unsigned *steps = &machine->session->smt.limits.query_steps, most = *steps;
    machine->ebits = format->ebits;
    machine->sbits = format->sbits;
    *steps = machine->session->goal == GRADE_EXACT ? most : most / format->part;
    enum smt_answer answer =
        refute_bits(machine, leaf, survey, format->ebits + format->sbits, note);
    *steps = most;
    return answer;
}

static bool every_format(struct machine *machine, const struct leaf *leaf,
                         const struct leaf_survey *survey)
{
    struct session *session = machine->session;
    if (survey->rough_literal) {
        session->reason = reason_LITERAL;
        return false;
    }
    enum leaf_samples samples = leaf_sample_floats(session, leaf, survey);
    if (samples == SAMPLES_DIFFER)
        return leaf_conclude(machine, SMT_SAT, "");
    bool by_order = leaf_order_format(session, survey, &machine->ebits, &machine->sbits);
    if (by_order) {
        bool exact = !survey->not_float_order;
        enum smt_answer answer = refute_by_order(machine, leaf, survey, exact);
        if (answer != SMT_UNSAT && exact)
            return leaf_conclude(machine, answer, "");
        by_order = answer == SMT_UNSAT;
    }
    // A tiny format: a leaf that fails there is given up without long queries.
    if (!by_order) {
        uint32_t mark = smt_mark(&session->smt);
        enum smt_answer tiny = refute_in(machine, leaf, survey, &tiny_format, "");
        smt_forget(&session->smt, mark);
        if (tiny != SMT_UNSAT)
            return leaf_conclude(machine, tiny, "");
    }
    machine->ebits = tiny_format.ebits;
    machine->sbits = tiny_format.sbits;
    if (samples == SAMPLES_NONE && leaf_never_finite(machine, leaf, survey)) {
        session->reason = reason_NEVER;
        return false;
    }
    if (by_order)
        return true;
    machine->rate = 0; // the tiny format says little about others
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (!leaf_conclude(machine, refute_in(machine, leaf, survey, &formats[i], formats[i].name),
                           leaf_operands(machine, machine->type, formats[i].name)))
            return false;
    return true;
}

// One proof for every total order: bool, int, word, real. lowest and highest are the ends of
// the order, if the order has ends.
static bool in_every_order(struct session *session, enum domain domain, const struct leaf *leaf,
                           const struct leaf_survey *survey)
{
    struct machine machine = {
        .session = session, .domain = domain, .type = NONE, .order = true, .power = NO_EXPR};
    if (survey->not_order || domain == DOMAIN_FLOAT)
        return false;
    uint32_t mark = smt_mark(&session->smt);
    if (leaf_refute(&machine, leaf, survey, "in every total order") == SMT_UNSAT)
        return true;
    smt_forget(&session->smt, mark);
    return false;
}

static bool decide_leaf(struct session *session, enum domain domain, const struct leaf *leaf)
{
    struct leaf_survey survey;
    struct machine machine = {.session = session, .domain = domain, .type = NONE, .power = NO_EXPR};
    bool proved = false;
    leaf_survey_of(session, domain, leaf, &survey);
    if (domain == DOMAIN_WORD || domain == DOMAIN_FLOAT)
        machine.type = survey.n_computed > 0 ? survey.computed[0] : NOT_A_TYPE;
    if (in_every_order(session, domain, leaf, &survey))
        proved = true;
    else if ((domain == DOMAIN_WORD || domain == DOMAIN_FLOAT) &&
             (survey.n_computed > 1 || survey.converts))
        proved = typed_leaf(&machine, leaf, &survey);
    else if (domain == DOMAIN_REAL && survey.infinite_arithmetic)
        session->reason = reason_INFINITY;
    else if (domain == DOMAIN_REAL)
        proved = real_leaf(&machine, leaf, &survey, VERIFY_EXTREMUM_SPLITS);
    else if (domain == DOMAIN_BOOL || machine.type == NOT_A_TYPE)
        proved =
            leaf_conclude(&machine, leaf_refute(&machine, leaf, &survey, domain_text(domain)), "");
    else if (domain == DOMAIN_WORD)
        proved = every_width(&machine, leaf, &survey);
    else
        proved = every_format(&machine, leaf, &survey);
    vec_release(&survey.all);
    return proved;
}

bool machine_leaf(struct session *session, enum domain domain, const struct leaf *leaf)
{
    unsigned *steps = &session->smt.limits.query_steps, most = *steps;
    if ((session->rule->claims >> domain & 1) == 0 && most > VERIFY_UNCLAIMED_STEPS)
        *steps = VERIFY_UNCLAIMED_STEPS;
    bool proved = decide_leaf(session, domain, leaf);
    *steps = most;
    return proved;
}
