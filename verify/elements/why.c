// SPDX-License-Identifier: Apache-2.0
// Why two elements are not shown to be equal, in words of the rule.
#include "rules/reasons.h"
#include "verify/elements/same.h"
#include "verify/integers/translate.h"
#include "verify/limits.h"

// The pattern of a reduction that stands in the element as an unknown; NONE: of another node.
static uint32_t reduction_of(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    if (node->kind != X_ATOM || node->k < 0 || node->k >= (int64_t)exprs->node.len)
        return NONE;
    const struct expr *reduce = expr_at(exprs, (expr_id)node->k);
    return reduce->kind == X_REDUCE ? (uint32_t)reduce->k : NONE;
}

static void add_once(struct u32_vec *list, uint32_t item)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == item)
            return;
    vec_push(list, item);
}

// Appends the patterns of the reductions of one element that the other one has not.
static void add_lone(const struct exprs *exprs, expr_id of, expr_id other, struct u32_vec *out)
{
    struct u32_vec reach = {0};
    expr_reach(exprs, of, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        uint32_t pat = reduction_of(exprs, reach.at[i]);
        if (pat != NONE && !expr_contains(exprs, other, reach.at[i]))
            add_once(out, pat);
    }
    vec_release(&reach);
}

// Is it a sum to the reader, too?  A scatter combines updates.
static bool is_plain_sum(const struct pat *pattern)
{
    return pattern->op != OP_SCATTER &&
           (!op_has_reducer(pattern->op) || (pattern->opvar == NONE && pattern->reducer == OP_ADD));
}

static void put_patterns(const struct rule *rule, const struct u32_vec *pats, struct buf *out)
{
    for (uint32_t i = 0; i < pats->len && i < VERIFY_REASON_PARTS; i++) {
        buf_puts(out, i == 0 ? "`" : ", `");
        pat_print(rule, pats->at[i], out);
        buf_putc(out, '`');
    }
    if (pats->len > VERIFY_REASON_PARTS)
        buf_puts(out, ", ..");
}

// The reductions that only one side has; NULL: there are none.
static const char *why_reductions(const struct element_query *query, expr_id a, expr_id b)
{
    struct session *session = query->session;
    struct u32_vec lone = {0};
    const char *reason = NULL;
    bool sums = true;
    add_lone(&session->exprs, a, b, &lone);
    add_lone(&session->exprs, b, a, &lone);
    for (uint32_t i = 0; i < lone.len; i++)
        sums &= is_plain_sum(&session->rule->pats[lone.at[i]]);
    if (lone.len > 0 && sums) {
        reason = reason_SUMS;
    } else if (lone.len > 0) {
        struct buf text = {0};
        buf_puts(&text, reason_REDUCTIONS);
        put_patterns(session->rule, &lone, &text);
        reason = session_text(session, "%s", buf_text(&text));
        buf_release(&text);
    }
    vec_release(&lone);
    return reason;
}

static bool computes(const struct rule *rule, uint32_t pat, enum op op)
{
    const struct pat *pattern = &rule->pats[pat];
    bool found = pattern->kind == PAT_OP && pattern->op == op;
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = computes(rule, pattern->args[i], op);
    return found;
}

// Appends the gathers and scatters whose places are computed by the operator.
static void add_places(const struct rule *rule, enum op op, struct u32_vec *out)
{
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->kind == PAT_OP && (pattern->op == OP_GATHER || pattern->op == OP_SCATTER) &&
            computes(rule, pattern->args[1], op))
            add_once(out, i);
    }
}

// Is the place computed by arithmetic?  Of extrema the prover knows which number they are.
static bool is_computed(const struct exprs *exprs, expr_id place)
{
    const struct expr *node = expr_at(exprs, place);
    if (node->kind != X_VALUE)
        return false;
    node = expr_at(exprs, expr_arg(exprs, place, 0));
    return node->kind == X_OP && node->op != OP_MAXIMUM && node->op != OP_MINIMUM;
}

// "; not known: ..", the place of a gather or scatter that the prover does not know, or "".
static const char *why_places(const struct element_query *query, expr_id a, expr_id b)
{
    struct session *session = query->session;
    const struct rule *rule = session->rule;
    struct exprs *exprs = &session->exprs;
    struct u32_vec reach = {0}, nodes = {0};
    const char *text = "";
    expr_reach(exprs, a, &reach);
    expr_reach(exprs, b, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        if (is_computed(exprs, reach.at[i]))
            add_places(rule, (enum op)expr_at(exprs, expr_arg(exprs, reach.at[i], 0))->op, &nodes);
    if (nodes.len > 0) {
        const struct pat *pattern = &rule->pats[nodes.at[0]];
        struct buf place = {0};
        pat_print(rule, pattern->args[1], &place);
        text = session_text(session, "; not known: which number the index `%s` of `%s` is",
                            buf_text(&place), op_name(pattern->op));
        buf_release(&place);
    }
    vec_release(&reach);
    vec_release(&nodes);
    return text;
}

// Appends the type variables of elements that are computed and whose kind is not the domain's own.
static void add_foreign(const struct element_query *query, expr_id e, struct u32_vec *out)
{
    const struct session *session = query->session;
    struct u32_vec reach = {0};
    expr_reach(&session->exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct expr *node = expr_at(&session->exprs, reach.at[i]);
        bool computed = node->kind == X_OP && op_info((enum op)node->op)->flow == FLOW_POINT &&
                        node->op != OP_CONVERT;
        if (computed && !emit_type_is_bool(session->rule, node->type) &&
            !type_in_domain(session->rule, node->type, (enum domain)query->domain))
            add_once(out, node->type);
    }
    vec_release(&reach);
}

// Of int and real, where the arithmetic of the other one is unknown; NULL: there is none of it.
static const char *why_foreign(const struct element_query *query, expr_id a, expr_id b)
{
    struct session *session = query->session;
    struct u32_vec types = {0};
    struct buf text = {0};
    const char *reason = NULL;
    if (query->domain == DOMAIN_INT || query->domain == DOMAIN_REAL) {
        add_foreign(query, a, &types);
        add_foreign(query, b, &types);
    }
    buf_puts(&text, query->domain == DOMAIN_INT ? reason_FLOATS : reason_INTEGERS);
    for (uint32_t i = 0; i < types.len; i++) {
        buf_puts(&text, i == 0 ? "" : ", ");
        operands_of_type(session->rule, types.at[i], &text);
    }
    if (types.len > 0)
        reason = session_text(session, "%s", buf_text(&text));
    buf_release(&text);
    vec_release(&types);
    return reason;
}

void why_different(const struct element_query *query, expr_id a, expr_id b)
{
    struct session *session = query->session;
    const char *reason = why_reductions(query, a, b);
    bool generic = session->reason == reason_FLOATS ||
                   strncmp(session->reason, reason_DIFFER, strlen(reason_DIFFER)) == 0;
    if (reason == NULL && generic)
        reason = why_foreign(query, a, b);
    if (reason != NULL)
        session->reason = reason;
    else if (generic)
        session->reason = session_text(session, "%s%s", session->reason, why_places(query, a, b));
}
