// SPDX-License-Identifier: Apache-2.0
#include "verify/defined.h"
#include "rules/reasons.h"
#include "verify/elements/same.h"
#include "verify/limits.h"

// What was found about a part of the right side at the largest ranks.  With reductions the
// other ranks repeat it.
struct choice {
    uint32_t left; // the part of the left side that is the same; NONE: by arithmetic
    bool at_zero;  // bound indices that only the guards mention are 0
};

struct defined {
    struct session *session;
    enum domain domain;
    uint32_t bool_type;
    VEC(struct choice) choices; // by part of the right side
    bool chosen;
    enum proved_how how;
    bool dropped_have_values; // those elements that no result depends on
    // By part of the right side: has it a value at every rank, by signs?
    VEC(bool) by_sign;
    // One instance:
    struct denote *denote;
    struct u32_vec hyps;
    struct partials left, right, dropped;
};

static uint32_t find_bool(const struct rule *rule)
{
    for (uint32_t t = 0; t < rule->n_types; t++)
        if (rule->types[t].kinds == KIND_BOOL)
            return t;
    return NONE;
}

unsigned defined_domains(const struct rule *rule, unsigned mask)
{
    unsigned out = 0;
    for (int d = 0; d < N_DOMAINS; d++)
        if ((mask >> d & 1) != 0 && partial_below(rule, rule->rhs, (enum domain)d))
            out |= 1U << d;
    return out;
}

const struct rule *defined_rule(const struct rule *rule, struct arena *mem)
{
    if (find_bool(rule) != NONE || defined_domains(rule, rule_domains(rule)) == 0)
        return rule;
    struct rule *wide = ARENA_NEW(mem, struct rule, 1);
    struct type_var *types = ARENA_NEW(mem, struct type_var, rule->n_types + 1);
    *wide = *rule;
    memcpy(types, rule->types, rule->n_types * sizeof *types);
    types[rule->n_types] = (struct type_var){"", KIND_BOOL, KIND_BOOL};
    wide->types = types;
    wide->n_types++;
    return wide;
}

// Truth values as elements of i1, so that leaves keep sums and choices in them.
static expr_id truth(struct defined *defined, bool value)
{
    return expr_literal(&defined->session->exprs, LIT_BOOL, value, 0, defined->bool_type);
}

static expr_id either(struct defined *defined, expr_id a, expr_id b)
{
    return expr_op(&defined->session->exprs, OP_OR, 0, defined->bool_type, 2, (expr_id[]){a, b});
}

static expr_id both(struct defined *defined, expr_id a, expr_id b)
{
    return expr_op(&defined->session->exprs, OP_AND, 0, defined->bool_type, 2, (expr_id[]){a, b});
}

static expr_id negated(struct defined *defined, expr_id a)
{
    return expr_op(&defined->session->exprs, OP_NOT, 0, defined->bool_type, 1, &a);
}

static expr_id compared(struct defined *defined, enum compare_dir dir, int64_t k, expr_id a)
{
    struct exprs *exprs = &defined->session->exprs;
    expr_id number = expr_literal(exprs, LIT_INT, k, 0, expr_at(exprs, a)->type);
    return expr_op(exprs, OP_COMPARE, dir, defined->bool_type, 2, (expr_id[]){number, a});
}

static expr_id not_zero(struct defined *defined, expr_id a)
{
    return negated(defined, compared(defined, CMP_EQ, 0, a));
}

// DEFINED_POWER; NO_EXPR: nothing can be said.  A condition that is only sufficient is given
// for `sufficient`.
static expr_id power_condition(struct defined *defined, expr_id base, expr_id exponent,
                               bool sufficient)
{
    const struct expr k = *expr_at(&defined->session->exprs, exponent);
    bool literal = k.kind == X_LITERAL && (k.op == LIT_INT || k.op == LIT_DECIMAL);
    if (literal && k.op == LIT_INT)
        return k.k >= 0 ? truth(defined, true) : not_zero(defined, base);
    if (literal && k.k != 0)
        return compared(defined, k.k > 0 ? CMP_LE : CMP_LT, 0, base);
    if (!sufficient)
        return NO_EXPR;
    expr_id at_zero =
        both(defined, compared(defined, CMP_LE, 0, base), compared(defined, CMP_LT, 0, exponent));
    return either(defined, compared(defined, CMP_LT, 0, base), at_zero);
}

static expr_id condition_on_integers(struct defined *defined, expr_id e)
{
    struct exprs *exprs = &defined->session->exprs;
    enum op op = (enum op)expr_at(exprs, e)->op;
    bool counts = op == OP_COUNT_LEADING_ZEROS; // of a width that no integer has
    expr_id first = truth(defined, true), second = first;
    if (op == OP_POPCNT || op == OP_SHIFT_RIGHT_LOGICAL)
        first = compared(defined, CMP_LE, 0, expr_arg(exprs, e, 0));
    if (expr_at(exprs, e)->n > 1)
        second = compared(defined, CMP_LE, 0, expr_arg(exprs, e, 1));
    return counts ? truth(defined, false) : both(defined, first, second);
}

// When the application has a value: a condition that is sufficient (false if none is known), or
// one that is necessary (NO_EXPR if none is known).
static expr_id condition_of(struct defined *defined, expr_id e, bool sufficient)
{
    struct exprs *exprs = &defined->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id a = expr_arg(exprs, e, 0), cosine;
    if (node.kind == X_OPVAR)
        return sufficient ? truth(defined, false) : NO_EXPR;
    if (partial_lives_in(defined->session->rule, node.type, defined->domain, DOMAIN_INT))
        return condition_on_integers(defined, e);
    switch (op_facts((enum op)node.op)->defined) {
    case DEFINED_ALWAYS:
        break;
    case DEFINED_POSITIVE:
        return compared(defined, CMP_LT, 0, a);
    case DEFINED_NOT_NEGATIVE:
        return compared(defined, CMP_LE, 0, a);
    case DEFINED_ABOVE_MINUS_1:
        return compared(defined, CMP_LT, -1, a);
    case DEFINED_COSINE_NOT_0:
        cosine = expr_op(exprs, OP_COSINE, 0, node.type, 1, &a);
        return not_zero(defined, cosine);
    case DEFINED_SECOND_NOT_0:
        return not_zero(defined, expr_arg(exprs, e, 1));
    case DEFINED_POWER:
        return power_condition(defined, a, expr_arg(exprs, e, 1), sufficient);
    }
    return truth(defined, true);
}

// Guards about elements, as select has them, become elements: those of the part of the right
// side, which hold.
static expr_id guard_element(struct defined *defined, expr_id guard)
{
    const struct exprs *exprs = &defined->session->exprs;
    bool turned = expr_at(exprs, guard)->kind == X_NOT;
    expr_id holds = turned ? expr_arg(exprs, guard, 0) : guard;
    if (expr_at(exprs, holds)->kind != X_HOLDS)
        return NO_EXPR;
    expr_id e = expr_arg(exprs, holds, 0);
    return turned ? negated(defined, e) : e;
}

// The hypotheses, and the guards of a part of the right side that are about integers.
static void known_at(struct defined *defined, const struct partial *partial, struct u32_vec *out)
{
    for (uint32_t i = 0; i < defined->hyps.len; i++)
        vec_push(out, defined->hyps.at[i]);
    for (uint32_t i = 0; i < partial->n; i++)
        if (guard_element(defined, defined->right.guards.at[partial->at + i]) == NO_EXPR)
            vec_push(out, defined->right.guards.at[partial->at + i]);
}

static bool has_guard(const struct defined *defined, const struct partial *right, expr_id guard)
{
    for (uint32_t i = 0; i < right->n; i++)
        if (defined->right.guards.at[right->at + i] == guard)
            return true;
    return false;
}

// The bound indices of the guards that do not occur in the part itself.
static void only_in_guards(struct defined *defined, const struct partial *left, struct u32_vec *out)
{
    const struct exprs *exprs = &defined->session->exprs;
    for (uint32_t i = 0; i < left->n; i++) {
        struct u32_vec reach = {0};
        expr_reach(exprs, defined->left.guards.at[left->at + i], &reach);
        for (uint32_t k = 0; k < reach.len; k++) {
            const struct expr *node = expr_at(exprs, reach.at[k]);
            if (node->kind == X_VAR && exprs->var.at[node->sym].kind == VAR_BOUND &&
                !expr_contains(exprs, left->node, reach.at[k]))
                vec_push(out, reach.at[k]);
        }
        vec_release(&reach);
    }
}

// Is the part of the left side computed, too, where that of the right side is?
static bool guards_follow(struct defined *defined, const struct partial *left,
                          const struct partial *right, const struct u32_vec *known, bool at_zero)
{
    struct session *session = defined->session;
    struct u32_vec from = {0}, to = {0};
    bool follow = true;
    if (at_zero)
        only_in_guards(defined, left, &from);
    for (uint32_t i = 0; i < from.len; i++)
        vec_push(&to, expr_int(&session->exprs, 0));
    for (uint32_t i = 0; i < left->n && follow; i++) {
        expr_id guard = defined->left.guards.at[left->at + i];
        if (guard_element(defined, guard) != NO_EXPR) {
            follow = has_guard(defined, right, guard);
            continue;
        }
        guard = expr_subst(&session->exprs, guard, from.len, from.at, to.at);
        follow = linear_proves(&session->linear, known->len, known->at, guard);
    }
    vec_release(&from);
    vec_release(&to);
    return follow;
}

static bool same_operand(struct defined *defined, const struct u32_vec *known, expr_id a, expr_id b)
{
    struct session *session = defined->session;
    const struct element_query query = {.session = session,
                                        .denote = defined->denote,
                                        .rung = RUNG_COMMUTATIVE,
                                        .domain = (int)defined->domain};
    return element_same(&query, known, a, b, NULL);
}

// Do both have a value for the same reason: equal operands, as far as they matter?
static bool same_part(struct defined *defined, const struct u32_vec *known, expr_id a, expr_id b)
{
    const struct exprs *exprs = &defined->session->exprs;
    const struct expr node = *expr_at(exprs, a), other = *expr_at(exprs, b);
    bool second_only =
        node.kind == X_OP && op_facts((enum op)node.op)->defined == DEFINED_SECOND_NOT_0;
    bool same = node.kind == other.kind && node.op == other.op && node.type == other.type &&
                node.n == other.n && (node.kind == X_OP || node.sym == other.sym);
    for (uint32_t i = second_only ? 1 : 0; i < node.n && same; i++)
        same = same_operand(defined, known, expr_arg(exprs, a, i), expr_arg(exprs, b, i));
    return same;
}

static bool by_left(struct defined *defined, const struct partial *right,
                    const struct u32_vec *known, struct choice choice)
{
    if (choice.left >= defined->left.at.len)
        return false;
    const struct partial *left = &defined->left.at.at[choice.left];
    return guards_follow(defined, left, right, known, choice.at_zero) &&
           same_part(defined, known, left->node, right->node);
}

// What the left side needs at the same place follows from its having a value there.
static expr_id unless_left(struct defined *defined, const struct partial *right,
                           const struct u32_vec *known, expr_id goal)
{
    for (uint32_t i = 0; i < defined->left.at.len; i++) {
        const struct partial *left = &defined->left.at.at[i];
        expr_id needs = condition_of(defined, left->node, false);
        if (needs != NO_EXPR && guards_follow(defined, left, right, known, false))
            goal = either(defined, negated(defined, needs), goal);
    }
    return goal;
}

static bool by_arithmetic(struct defined *defined, const struct partial *right,
                          const struct u32_vec *known)
{
    struct session *session = defined->session;
    expr_id goal = condition_of(defined, right->node, true);
    goal = unless_left(defined, right, known, goal);
    for (uint32_t i = 0; i < right->n; i++) {
        expr_id guard = guard_element(defined, defined->right.guards.at[right->at + i]);
        if (guard != NO_EXPR)
            goal = either(defined, negated(defined, guard), goal);
    }
    const struct element_query query = {.session = session,
                                        .denote = defined->denote,
                                        .rung = RUNG_ARITHMETIC,
                                        .domain = (int)defined->domain};
    return element_same(&query, known, goal, truth(defined, true), NULL);
}

static bool by_choice(struct defined *defined, const struct partial *right,
                      const struct u32_vec *known, struct choice choice)
{
    return choice.left == NONE ? by_arithmetic(defined, right, known)
                               : by_left(defined, right, known, choice);
}

static bool choose(struct defined *defined, const struct partial *right,
                   const struct u32_vec *known, struct choice *out)
{
    for (uint32_t i = 0; i < 2 * defined->left.at.len; i++) {
        *out = (struct choice){i / 2, i % 2 != 0};
        if (by_left(defined, right, known, *out))
            return true;
    }
    *out = (struct choice){NONE, false};
    return by_arithmetic(defined, right, known);
}

// The patterns below `pat` that a part may come from.  Returns their number.
static uint32_t patterns_of(const struct rule *rule, uint32_t pat, const struct expr *part,
                            uint32_t *out)
{
    const struct pat *pattern = &rule->pats[pat];
    bool same = part->kind == X_OP ? pattern->kind == PAT_OP && (uint16_t)pattern->op == part->op
                                   : pattern->kind == PAT_OPVAR && pattern->var == part->sym;
    uint32_t n = same;
    if (same)
        *out = pat;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        n += patterns_of(rule, pattern->args[i], part, out);
    return n;
}

// In the words of the rule if they are clear, otherwise as an element.
static const char *reason_for(struct defined *defined, const struct partial *right)
{
    struct session *session = defined->session;
    const struct rule *rule = session->rule;
    struct buf text = {0};
    uint32_t pat = NONE;
    if (session->smt.spent != NULL)
        return session->smt.spent;
    if (patterns_of(rule, rule->rhs, expr_at(&session->exprs, right->node), &pat) == 1)
        pat_print(rule, pat, &text);
    else
        expr_print(&session->exprs, rule, right->node, &text);
    const char *reason = session_text(session, "%s%s", reason_UNDEFINED, buf_text(&text));
    buf_release(&text);
    return reason;
}

static bool prove_parts(struct defined *defined)
{
    bool proved = true;
    for (uint32_t i = 0; i < defined->right.at.len && proved; i++) {
        const struct partial *right = &defined->right.at.at[i];
        struct u32_vec known = {0};
        struct choice choice = {NONE, false};
        known_at(defined, right, &known);
        if (i < defined->by_sign.len && defined->by_sign.at[i])
            proved = true;
        else if (defined->chosen && i < defined->choices.len)
            proved = by_choice(defined, right, &known, defined->choices.at[i]);
        else
            proved = choose(defined, right, &known, &choice);
        if (!defined->chosen)
            vec_push(&defined->choices, choice);
        if (!proved)
            defined->session->reason = reason_for(defined, right);
        vec_release(&known);
    }
    return proved;
}

// Both sides at given ranks, with every choice that the rule makes.
static void denote_sides(struct defined *defined)
{
    struct session *session = defined->session;
    struct denote *denote = defined->denote;
    struct clauses clauses = {{0}};
    bool keep = session->exprs.keep_picks;
    expr_id *index = denote_new_index(denote);
    denote_out_index(denote, session->rule->lhs, index);
    hypotheses(denote, &clauses);
    denote_valid(denote, session->rule->rhs, &clauses);
    denote_in_range(denote, session->rule->lhs, index, &clauses);
    clauses_append(&clauses, NONE, &defined->hyps);
    session->exprs.keep_picks = true;
    expr_id lhs = denote_element(denote, session->rule->lhs, index);
    denote->dropped.len = 0;
    expr_id rhs = denote_element(denote, session->rule->rhs, index);
    session->exprs.keep_picks = keep;
    struct partial_search search = {.session = session, .domain = defined->domain};
    partials_find(&search, lhs, &defined->left);
    for (uint32_t i = 0; i < denote->dropped.len; i++)
        partials_find(&search, denote->dropped.at[i], &defined->dropped);
    search.how = defined->how;
    partials_find(&search, rhs, &defined->right);
    mem_free(index);
    vec_release(&clauses.at);
}

static bool prove_instance(struct session *session, const uint32_t *rank, void *ctx)
{
    struct defined *defined = ctx;
    struct denote denote;
    struct stopwatch watch = session_start(session);
    if (!denote_init(&denote, &session->exprs, session->rule, rank))
        return false;
    denote.domain = (int)defined->domain;
    denote.ideal = true;
    defined->denote = &denote;
    defined->hyps = (struct u32_vec){0};
    defined->left = defined->right = defined->dropped = (struct partials){.too_many = false};
    denote_sides(defined);
    bool proved = denote.failure == NULL && !defined->left.too_many && !defined->right.too_many;
    if (!proved)
        session->reason = denote.failure != NULL ? denote.failure : reason_CASES;
    else if (defined->dropped.at.len > 0 && !defined->dropped_have_values) {
        session->reason = reason_for(defined, &defined->dropped.at.at[0]);
        proved = false;
    } else
        proved = prove_parts(defined);
    session_record(session, watch,
                   (struct obligation_outcome){OBLIGATION_DEFINED, session_ranks(session, rank),
                                               domain_text(defined->domain), proved,
                                               session->reason});
    smt_forget(&session->smt, watch.mark);
    vec_release(&defined->hyps);
    partials_release(&defined->left);
    partials_release(&defined->right);
    partials_release(&defined->dropped);
    denote_release(&denote);
    // What was chosen at the first instance, the largest, holds for the others.
    defined->chosen = session->exprs.keep_picks;
    return proved;
}

// With reductions one more axis than the bound counts: one on which a range of the left side
// ends before that of the right side.
static struct rank_bound bound_for(const struct session *session, const struct rank_bound *bound)
{
    struct rank_bound out = *bound;
    if (!session->exprs.keep_picks)
        return out;
    out.instances = 1;
    for (uint32_t c = 0; c < session->rule->n_classes; c++) {
        out.most[c] += !denote_one_axis(session->rule, c);
        if (denote_family(session->rule, c) == c && out.instances < UINT32_MAX)
            out.instances *= out.most[c] - out.least[c] + 1;
    }
    return out;
}

// Does every type stand for the same in both domains?
static bool live_alike(const struct rule *rule, enum domain a, enum domain b)
{
    enum domain in_a, in_b;
    for (uint32_t t = 0; t < rule->n_types; t++)
        if (!domain_of_kinds(rule->types[t].kinds, a, &in_a) ||
            !domain_of_kinds(rule->types[t].kinds, b, &in_b) || in_a != in_b)
            return false;
    return true;
}

// Elements that no result depends on are not counted in the bound of the ranks: their parts
// must have values at every rank.
static bool dropped_have_values(struct defined *defined, struct coeff *sums)
{
    struct partials parts = {.too_many = false};
    struct partial_search search = {
        .session = defined->session, .domain = defined->domain, .sums = sums};
    for (uint32_t i = sums->dropped_left; i < sums->denote.dropped.len; i++)
        partials_find(&search, sums->denote.dropped.at[i], &parts);
    bool all = !parts.too_many && !defined->session->polys.overflow;
    for (uint32_t i = 0; i < parts.at.len; i++)
        all = all && parts.at.at[i].by_sign;
    partials_release(&parts);
    return all;
}

// The signs of operands tell much, at every rank at once.  Do they tell all?
static bool find_signs(struct defined *defined)
{
    struct session *session = defined->session;
    struct coeff sums;
    struct stopwatch watch = session_start(session);
    bool keep = session->exprs.keep_picks, all = true, some = false;
    session->exprs.keep_picks = true;
    if (coeff_init(&sums, session, (int)defined->domain) && sums.why == NULL) {
        struct partials parts = {.too_many = false};
        struct partial_search search = {session, defined->domain, defined->how, &sums};
        partials_find(&search, sums.rhs, &parts);
        for (uint32_t i = 0; i < parts.at.len; i++) {
            bool by_sign = parts.at.at[i].by_sign && !session->polys.overflow;
            vec_push(&defined->by_sign, by_sign);
            all = all && by_sign;
            some = some || by_sign;
        }
        defined->dropped_have_values = dropped_have_values(defined, &sums);
        all = all && !parts.too_many && defined->dropped_have_values;
        partials_release(&parts);
    } else {
        all = false;
    }
    session->exprs.keep_picks = keep;
    if (some)
        session_record(
            session, watch,
            (struct obligation_outcome){OBLIGATION_DEFINED, "every rank", "by signs", true, ""});
    smt_forget(&session->smt, watch.mark);
    coeff_release(&sums);
    return all;
}

// The parts of which signs do not tell, at each combination of ranks.
static bool prove_ranks(struct defined *defined, const struct methods *methods)
{
    struct session *session = defined->session;
    struct rank_bound bound = bound_for(session, &methods->bound);
    if (bound.failure != NULL)
        session->reason = bound.failure;
    else if (bound.instances > VERIFY_INSTANCES)
        session->reason = too_many_instances(session, methods);
    else
        return methods_each_instance(session, &bound, prove_instance, defined);
    return false;
}

// Does an element decide which other element is read?
static bool has_places(const struct rule *rule)
{
    bool found = false;
    for (uint32_t i = 0; i < rule->n_pats && !found; i++) {
        const struct pat *pattern = &rule->pats[i];
        found = pattern->kind == PAT_OP &&
                (pattern->op == OP_GATHER || pattern->op == OP_SCATTER ||
                 pattern->op == OP_DYNAMIC_SLICE || pattern->op == OP_DYNAMIC_UPDATE_SLICE);
    }
    return found;
}

bool defined_prove(struct session *session, const struct methods *methods, enum domain domain,
                   enum proved_how how)
{
    struct defined defined = {
        .session = session, .domain = domain, .bool_type = find_bool(session->rule), .how = how};
    if (how == PROVED_AS_TERMS && has_places(session->rule))
        defined.how = PROVED_BY_ARITHMETIC;
    if (live_alike(session->rule, domain, DOMAIN_REAL))
        defined.domain = DOMAIN_REAL;
    uint32_t mark = script_mark(session);
    session->asked = (int)domain + 1;
    bool proved =
        (defined.domain == DOMAIN_REAL && find_signs(&defined)) || prove_ranks(&defined, methods);
    session->asked = 0;
    if (!proved)
        script_drop(session, mark);
    vec_release(&defined.choices);
    vec_release(&defined.by_sign);
    return proved;
}
