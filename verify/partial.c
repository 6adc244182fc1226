// SPDX-License-Identifier: Apache-2.0
#include "verify/partial.h"
#include "verify/limits.h"

struct partial_walk {
    const struct partial_search *search;
    struct exprs *exprs;
    struct partials *out;
    bool in_condition;     // the node that is visited is part of one, or of a truth value
    bool formal;           // only sums and operator variables stand above the node
    struct u32_vec guards; // of the node that is visited
    uint32_t steps;
};

bool partial_lives_in(const struct rule *rule, uint32_t type, enum domain domain, enum domain in)
{
    enum domain lives;
    return domain_of_kinds(rule->types[type].kinds, domain, &lives) && lives == in;
}

// Operators on the mathematical integers.  They stand beside reals only (rule_domains).
static bool partial_on_integers(enum op op)
{
    return op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT_ARITHMETIC || op == OP_SHIFT_RIGHT_LOGICAL ||
           op == OP_POPCNT || op == OP_COUNT_LEADING_ZEROS;
}

static bool is_partial(const struct rule *rule, enum domain domain, enum op op, uint32_t type)
{
    return (partial_lives_in(rule, type, domain, DOMAIN_REAL) &&
            op_facts(op)->defined != DEFINED_ALWAYS) ||
           (partial_lives_in(rule, type, domain, DOMAIN_INT) && partial_on_integers(op));
}

// An operator variable may stand for a partial operator, unless it has laws
// (rules/instance/laws.c).
static bool may_be_partial(const struct rule *rule, enum domain domain, uint32_t opvar)
{
    return (domain == DOMAIN_REAL || domain == DOMAIN_INT) &&
           rule->opvars[opvar].kind == OPVAR_ELEMENTWISE;
}

bool partial_below(const struct rule *rule, uint32_t pat, enum domain domain)
{
    const struct pat *pattern = &rule->pats[pat];
    bool found =
        (pattern->kind == PAT_OP && is_partial(rule, domain, pattern->op, pattern->type)) ||
        (pattern->kind == PAT_OPVAR && may_be_partial(rule, domain, pattern->var));
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = partial_below(rule, pattern->args[i], domain);
    return found;
}

static void note(struct partial_walk *walk, expr_id e)
{
    struct partials *out = walk->out;
    const struct expr *node = expr_at(walk->exprs, e);
    bool by_sign = walk->search->sums != NULL && node->kind == X_OP &&
                   partial_lives_in(walk->search->session->rule, node->type, walk->search->domain,
                                    DOMAIN_REAL) &&
                   coeff_has_value(walk->search->sums, e);
    struct partial partial = {e, out->guards.len, walk->guards.len, by_sign};
    for (uint32_t i = 0; i < walk->guards.len; i++)
        vec_push(&out->guards, walk->guards.at[i]);
    vec_push(&out->at, partial);
}

static void visit(struct partial_walk *walk, expr_id e);

static void visit_under(struct partial_walk *walk, expr_id guard, expr_id e)
{
    vec_push(&walk->guards, guard);
    visit(walk, e);
    (void)vec_pop(&walk->guards);
}

// One of two elements or integers.
static void visit_choice(struct partial_walk *walk, expr_id e, expr_id condition)
{
    bool inside = walk->in_condition, formal = walk->formal;
    walk->in_condition = true;
    walk->formal = false;
    visit(walk, expr_arg(walk->exprs, e, 0));
    walk->in_condition = inside;
    walk->formal = formal;
    visit_under(walk, condition, expr_arg(walk->exprs, e, 1));
    visit_under(walk, expr_not(walk->exprs, condition), expr_arg(walk->exprs, e, 2));
}

static void visit_reduce(struct partial_walk *walk, expr_id e)
{
    struct exprs *exprs = walk->exprs;
    uint32_t before = walk->guards.len, n = expr_at(exprs, e)->n;
    for (uint32_t i = 1; i + 1 < n; i += 2) {
        expr_id index = expr_arg(exprs, e, i), size = expr_arg(exprs, e, i + 1);
        vec_push(&walk->guards, expr_le(exprs, expr_int(exprs, 0), index));
        vec_push(&walk->guards, expr_lt(exprs, index, size));
    }
    uint32_t mark[64];
    if (walk->search->sums != NULL)
        coeff_enter(walk->search->sums, e, mark);
    visit(walk, expr_arg(exprs, e, 0));
    if (walk->search->sums != NULL)
        coeff_leave(walk->search->sums, mark);
    walk->guards.len = before;
}

// Must the part be shown to have a value, as the sides were proved equal?
static bool is_open(const struct partial_walk *walk, const struct expr *node)
{
    const struct rule *rule = walk->search->session->rule;
    bool variable = node->kind == X_OPVAR && may_be_partial(rule, walk->search->domain, node->sym);
    bool partial =
        node->kind == X_OP && is_partial(rule, walk->search->domain, (enum op)node->op, node->type);
    if (walk->search->how == PROVED_AS_TERMS)
        return (variable || partial) && walk->in_condition;
    if (walk->search->how == PROVED_AS_SUMS && walk->formal)
        return partial;
    return variable || partial;
}

// Do coefficients tell which operands of the node are computed?  In a sum nothing cancels.
static bool is_formal(const struct expr *node)
{
    bool sum = node->op == OP_ADD || node->op == OP_MAXIMUM || node->op == OP_MINIMUM;
    return node->kind == X_OPVAR || node->kind == X_PICK ||
           (node->kind == X_REDUCE && (sum || node->op == N_OPS)) ||
           (node->kind == X_OP && node->op == OP_ADD);
}

// Notes the partial operators of an expression, each time that it is met.
static void visit(struct partial_walk *walk, expr_id e)
{
    const struct expr node = *expr_at(walk->exprs, e);
    bool inside = walk->in_condition, formal = walk->formal;
    if (walk->out->at.len >= VERIFY_PARTIALS || ++walk->steps > VERIFY_PARTIAL_VISITS) {
        walk->out->too_many = true;
        return;
    }
    if (expr_sort(walk->exprs, e) == SORT_ELEM)
        walk->in_condition |= walk->search->session->rule->types[node.type].kinds == KIND_BOOL;
    if (is_open(walk, &node))
        note(walk, e);
    walk->formal = formal && is_formal(&node) && !walk->in_condition;
    if (node.kind == X_REDUCE)
        visit_reduce(walk, e);
    else if (node.kind == X_OP && node.op == OP_SELECT)
        visit_choice(walk, e, expr_holds(walk->exprs, expr_arg(walk->exprs, e, 0)));
    else if (node.kind == X_PICK || node.kind == X_IF)
        visit_choice(walk, e, expr_arg(walk->exprs, e, 0));
    else
        for (uint32_t i = 0; i < node.n; i++)
            visit(walk, expr_arg(walk->exprs, e, i));
    walk->in_condition = inside;
    walk->formal = formal;
}

void partials_find(const struct partial_search *search, expr_id e, struct partials *out)
{
    struct partial_walk walk = {
        .search = search, .exprs = &search->session->exprs, .out = out, .formal = true};
    visit(&walk, e);
    vec_release(&walk.guards);
}

void partials_release(struct partials *partials)
{
    vec_release(&partials->at);
    vec_release(&partials->guards);
}
