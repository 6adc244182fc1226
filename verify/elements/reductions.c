// SPDX-License-Identifier: Apache-2.0
// Reductions as unknowns.  Two reductions are equal if they have one operator, the same
// extents, and the same body at every bound index.  Directly nested reduces of one operator
// may be taken together (docs/proving.md).
#include "verify/elements/same.h"
#include "verify/limits.h"

// A class of bound indices of a reduce, or of a chain of nested ones.
struct reduce_class {
    expr_id reduce;
    uint32_t cls;
};
struct reduce_chain {
    struct reduce_class group[VERIFY_REDUCE_GROUPS];
    uint32_t n;
    expr_id body;
    bool nested; // more than one reduce
    bool too_long;
};

static bool same_operator(const struct exprs *exprs, expr_id a, expr_id b)
{
    const struct expr *node = expr_at(exprs, a), *q = expr_at(exprs, b);
    return q->kind == X_REDUCE && node->op == q->op && node->sym == q->sym && node->type == q->type;
}

// Are the type's elements floats whose sums must not be rearranged?
static bool bit_for_bit(const struct element_query *element_query, uint32_t type)
{
    return element_query->domain >= 0 &&
           denote_is_float(element_query->session->rule, type, element_query->domain);
}

static bool is_size(const struct element_query *element_query, const struct u32_vec *hyps,
                    expr_id size, int64_t n)
{
    struct exprs *exprs = &element_query->session->exprs;
    return linear_proves(&element_query->session->linear, hyps->len, hyps->at,
                         expr_eq(exprs, size, expr_int(exprs, n)));
}

// Floats: a contraction starts with 0 whatever its axes are.  Does it have one term only
// along all axes of the class?  Then these axes change nothing.
static bool along_units(const struct element_query *element_query, const struct u32_vec *hyps,
                        expr_id e, uint32_t cls, struct u32_vec *vars)
{
    const struct exprs *exprs = &element_query->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    const struct pat *pattern = &element_query->session->rule->pats[node.k];
    uint32_t before = vars->len;
    if (!bit_for_bit(element_query, node.type) || op_info(pattern->op)->flow != FLOW_SUM)
        return false;
    for (uint32_t i = 1; i + 1 < node.n; i += 2) {
        expr_id v = expr_arg(exprs, e, i);
        if (exprs->var.at[expr_at(exprs, v)->sym].a != cls)
            continue;
        if (!is_size(element_query, hyps, expr_arg(exprs, e, i + 1), 1)) {
            vars->len = before;
            return false;
        }
        vec_push(vars, v);
    }
    return true;
}

// The body at index 0 of these bound variables.
static expr_id at_zero(struct exprs *exprs, expr_id body, const struct u32_vec *list)
{
    struct u32_vec to = {0};
    for (uint32_t i = 0; i < list->len; i++)
        vec_push(&to, expr_int(exprs, 0));
    body = expr_subst(exprs, body, list->len, list->at, to.at);
    vec_release(&to);
    return body;
}

static struct reduce_chain chain_of(const struct element_query *element_query,
                                    const struct u32_vec *hyps, expr_id e, bool chained)
{
    struct exprs *exprs = &element_query->session->exprs;
    struct reduce_chain chain = {.n = 0};
    for (bool first = true;; first = false) {
        uint32_t pat = (uint32_t)expr_at(exprs, e)->k;
        uint64_t classes = denote_bound_classes(element_query->denote, pat);
        // In the order of binding: features of a convolution before its window.
        uint64_t early = element_query->session->rule->pats[pat].classes;
        struct u32_vec units = {0};
        for (uint32_t j = 0; j < 128; j++) {
            uint32_t i = j % 64;
            if ((classes >> i & 1) == 0 || (early >> i & 1) != (j < 64) ||
                along_units(element_query, hyps, e, i, &units))
                continue;
            if (chain.n == VERIFY_REDUCE_GROUPS)
                chain.too_long = true;
            else
                chain.group[chain.n++] = (struct reduce_class){e, i};
        }
        chain.nested |= !first;
        chain.body = at_zero(exprs, expr_arg(exprs, e, 0), &units);
        vec_release(&units);
        if (!chained || !same_operator(exprs, e, chain.body))
            return chain;
        e = chain.body;
    }
}

// The bound variable of a group at a place, and its extent.
static bool bound_at(const struct exprs *exprs, struct reduce_class group, uint32_t place,
                     expr_id *var, expr_id *size)
{
    for (uint32_t i = 1; i + 1 < expr_at(exprs, group.reduce)->n; i += 2) {
        *var = expr_arg(exprs, group.reduce, i);
        *size = expr_arg(exprs, group.reduce, i + 1);
        const struct var *v = &exprs->var.at[expr_at(exprs, *var)->sym];
        if (v->kind == VAR_BOUND && v->a == group.cls && v->place == place)
            return true;
    }
    return false;
}

// Are the chains equal if group i of a is group match[i] of b?
static bool same_under(const struct element_query *element_query, const struct u32_vec *hyps,
                       const struct reduce_chain *a, const struct reduce_chain *b,
                       const uint8_t *match)
{
    struct session *session = element_query->session;
    struct exprs *exprs = &session->exprs;
    // Each side has its own variables: the same name may be bound elsewhere in the other
    // side.
    struct u32_vec more = {0}, from_a = {0}, from_b = {0}, to = {0};
    bool same = true;
    for (uint32_t i = 0; i < hyps->len; i++)
        vec_push(&more, hyps->at[i]);
    for (uint32_t i = 0; i < a->n && same; i++) {
        struct reduce_class group = a->group[i], h = b->group[match[i]];
        same = denote_family(session->rule, group.cls) == denote_family(session->rule, h.cls);
        for (uint32_t p = 0; same && p < element_query->denote->rank[group.cls]; p++) {
            expr_id u, v, m, n;
            same = bound_at(exprs, group, p, &u, &m) && bound_at(exprs, h, p, &v, &n);
            if (!same)
                break;
            m = canon(&session->polys, m);
            n = canon(&session->polys, n);
            same = m == n
                       ? !session->polys.overflow
                       : linear_proves(&session->linear, hyps->len, hyps->at, expr_eq(exprs, m, n));
            expr_id f = expr_fresh(exprs, denote_part(session->rule, group.cls, p));
            vec_push(&from_a, u);
            vec_push(&from_b, v);
            vec_push(&to, f);
            vec_push(&more, expr_le(exprs, expr_int(exprs, 0), f));
            vec_push(&more, expr_lt(exprs, f, m));
        }
    }
    enum grade goal = session->goal;
    session->goal = GRADE_EXACT; // of bodies, whatever is asked of the sides
    if (same)
        same =
            element_same(element_query, &more, expr_subst(exprs, a->body, to.len, from_a.at, to.at),
                         expr_subst(exprs, b->body, to.len, from_b.at, to.at), NULL);
    session->goal = goal;
    vec_release(&more);
    vec_release(&from_a);
    vec_release(&from_b);
    vec_release(&to);
    return same;
}

static bool has_class(const struct reduce_chain *chain, uint32_t cls)
{
    for (uint32_t i = 0; i < chain->n; i++)
        if (chain->group[i].cls == cls)
            return true;
    return false;
}

// The rank bound counts a bound index that both bodies name as one index.  So a class that
// both bind must be matched with itself, and no class may occur twice.
static bool counted(const struct reduce_chain *a, const struct reduce_chain *b,
                    const uint8_t *match)
{
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t u = a->group[i].cls, v = b->group[match[i]].cls;
        if (u != v && (has_class(b, u) || has_class(a, v)))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (a->group[k].cls == u || b->group[match[k]].cls == v)
                return false;
    }
    return true;
}

static bool contains_reduce(const struct exprs *exprs, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_at(exprs, reach.at[i])->kind == X_REDUCE;
    vec_release(&reach);
    return found;
}

// Does the order of the operands matter in floats?
static bool order_matters(const struct expr *node)
{
    return node->op == OP_ADD || node->op == OP_MULTIPLY;
}

static bool try_match(const struct element_query *element_query, const struct u32_vec *hyps,
                      expr_id a, expr_id b, struct reduce_pair *pair)
{
    struct session *session = element_query->session;
    struct reduce_chain chain = chain_of(element_query, hyps, a, pair->chained);
    struct reduce_chain v = chain_of(element_query, hyps, b, pair->chained);
    if (chain.n != v.n || chain.too_long || v.too_long || !counted(&chain, &v, pair->match))
        return false;
    // Nested reduces that are taken together shift the levels of their bound variables
    // against the other side, so a further reduce inside could not be counted.
    if ((chain.nested || v.nested) &&
        (contains_reduce(&session->exprs, chain.body) || contains_reduce(&session->exprs, v.body)))
        return false;
    bool moved = chain.nested || v.nested;
    for (uint32_t i = 0; i < chain.n; i++)
        moved |= pair->match[i] != i;
    moved &= order_matters(expr_at(&session->exprs, a));
    if (moved && bit_for_bit(element_query, expr_at(&session->exprs, a)->type))
        return false;
    uint32_t mark = smt_mark(&session->smt);
    if (!same_under(element_query, hyps, &chain, &v, pair->match)) {
        smt_forget(&session->smt, mark);
        return false;
    }
    if (moved)
        session->reassociated = true;
    pair->n = chain.n;
    return true;
}

// Two reductions whose n groups of axes are to be matched.
struct reduce_matching {
    const struct element_query *query;
    const struct u32_vec *hyps;
    expr_id a, b;
    uint32_t n;
};

// Tries all ways to match the groups from `at` on, the given order first.
static bool try_matches(const struct reduce_matching *matching, struct reduce_pair *pair,
                        uint32_t at)
{
    if (at == matching->n)
        return try_match(matching->query, matching->hyps, matching->a, matching->b, pair);
    for (uint32_t i = at; i < matching->n; i++) {
        uint8_t old = pair->match[at];
        pair->match[at] = pair->match[i];
        pair->match[i] = old;
        if (try_matches(matching, pair, at + 1))
            return true;
        pair->match[i] = pair->match[at];
        pair->match[at] = old;
    }
    return false;
}

static bool reduce_same(const struct element_query *element_query, const struct u32_vec *hyps,
                        expr_id a, expr_id b)
{
    struct session *session = element_query->session;
    const struct expr node = *expr_at(&session->exprs, a), n = *expr_at(&session->exprs, b);
    if (a == b)
        return true;
    if (!same_operator(&session->exprs, a, b))
        return false;
    for (uint32_t i = 0; i < session->pairs.len; i++) {
        struct reduce_pair pair = session->pairs.at[i];
        if (pair.a == (uint32_t)node.k && pair.b == (uint32_t)n.k &&
            pair.rung == element_query->rung && pair.domain == element_query->domain)
            return try_match(element_query, hyps, a, b, &pair);
    }
    if (session->pairs_closed)
        return false;
    for (int chained = 0; chained < 2; chained++) {
        struct reduce_chain chain = chain_of(element_query, hyps, a, chained != 0);
        struct reduce_chain v = chain_of(element_query, hyps, b, chained != 0);
        struct reduce_pair p = {.a = (uint32_t)node.k,
                                .b = (uint32_t)n.k,
                                .rung = element_query->rung,
                                .domain = element_query->domain,
                                .chained = chained != 0};
        if (chained != 0 && !chain.nested && !v.nested)
            break;
        for (uint8_t i = 0; i < VERIFY_REDUCE_GROUPS; i++)
            p.match[i] = i;
        const struct reduce_matching matching = {element_query, hyps, a, b, chain.n};
        if (chain.n == v.n && chain.n <= VERIFY_REDUCE_MATCHED && try_matches(&matching, &p, 0)) {
            vec_push(&session->pairs, p);
            return true;
        }
    }
    return false;
}

// Is it a sum of floats from an initial value on (denote's sum_from)?
static bool starts_from(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    return node->kind == X_OP && node->n == 2 && op_has_reducer((enum op)node->op) &&
           expr_at(exprs, expr_arg(exprs, e, 1))->kind == X_REDUCE;
}

// Appends the outermost reduces of e, and sums from an initial value.
static void outermost(const struct exprs *exprs, expr_id e, bool starts, struct u32_vec *out)
{
    struct u32_vec stack = {0}, seen = {0};
    vec_push(&stack, e);
    while (stack.len > 0) {
        expr_id i = vec_pop(&stack);
        bool known = false;
        for (uint32_t k = 0; k < seen.len && !known; k++)
            known = seen.at[k] == i;
        if (known)
            continue;
        vec_push(&seen, i);
        if (expr_at(exprs, i)->kind == X_REDUCE || (starts && starts_from(exprs, i))) {
            vec_push(out, i);
            continue;
        }
        for (uint32_t k = 0; k < expr_at(exprs, i)->n; k++)
            vec_push(&stack, expr_arg(exprs, i, k));
    }
    vec_release(&stack);
    vec_release(&seen);
}

static bool sums_floats(const struct element_query *element_query, expr_id e)
{
    const struct expr *node = expr_at(&element_query->session->exprs, e);
    return order_matters(node) && bit_for_bit(element_query, node->type);
}

// The one variable that a sum binds, if it binds a single axis and no other class.
static expr_id only_variable(const struct element_query *element_query, const struct expr *node,
                             expr_id e)
{
    const struct exprs *exprs = &element_query->session->exprs;
    const struct rule *rule = element_query->session->rule;
    uint64_t bound = denote_bound_classes(element_query->denote, (uint32_t)node->k);
    if (rule->pats[node->k].op != OP_REDUCE || node->n != 3)
        return NO_EXPR;
    expr_id v = expr_arg(exprs, e, 1);
    uint32_t cls = exprs->var.at[expr_at(exprs, v)->sym].a;
    return rule->classes[cls].single && bound == (uint64_t)1 << cls ? v : NO_EXPR;
}

static bool sums_nothing(const struct element_query *element_query, const struct u32_vec *hyps,
                         const struct expr *node, expr_id e)
{
    const struct exprs *exprs = &element_query->session->exprs;
    bool nothing = false;
    for (uint32_t i = 1; i + 1 < node->n && !nothing; i += 2) {
        uint32_t cls = exprs->var.at[expr_at(exprs, expr_arg(exprs, e, i))->sym].a;
        nothing = denote_one_axis(element_query->session->rule, cls) &&
                  is_size(element_query, hyps, expr_arg(exprs, e, i + 1), 0);
    }
    return nothing;
}

// Floats: a sum of nothing is the initial value; a sum of one element over one axis is the
// initial value plus that element.  Only along axes that exist at all ranks.  Other sums are
// left as they are.
static expr_id few_terms(const struct element_query *element_query, const struct u32_vec *hyps,
                         expr_id e)
{
    struct exprs *exprs = &element_query->session->exprs;
    bool starts = starts_from(exprs, e);
    expr_id sum = starts ? expr_arg(exprs, e, 1) : e;
    const struct expr node = *expr_at(exprs, sum);
    expr_id body = expr_arg(exprs, sum, 0);
    bool list = expr_at(exprs, body)->kind == X_OP && expr_at(exprs, body)->op == OP_OPAQUE;
    if (!sums_floats(element_query, sum) || list != starts)
        return e;
    bool from_unit = element_query->session->rule->pats[node.k].n_args == 1;
    expr_id first = starts ? expr_arg(exprs, e, 0)
                           : expr_literal(exprs, LIT_INT, node.op == OP_MULTIPLY, 0, node.type);
    if (sums_nothing(element_query, hyps, &node, sum))
        return first;
    expr_id v = only_variable(element_query, &node, sum);
    if (v == NO_EXPR || from_unit == starts ||
        !is_size(element_query, hyps, expr_arg(exprs, sum, 2), 1))
        return e;
    expr_id zero = expr_int(exprs, 0), term = starts ? expr_arg(exprs, body, 0) : body;
    expr_id two[] = {first, expr_subst(exprs, term, 1, &v, &zero)};
    return expr_op(exprs, (enum op)node.op, 0, node.type, 2, two);
}

// Replaces such sums in both elements.
static void drop_sums(const struct element_query *element_query, const struct u32_vec *hyps,
                      expr_id *a, expr_id *b)
{
    struct exprs *exprs = &element_query->session->exprs;
    bool more = element_query->domain == DOMAIN_FLOAT || element_query->domain == DOMAIN_WORD;
    while (more) {
        struct u32_vec all = {0}, to = {0};
        more = false;
        outermost(exprs, *a, true, &all);
        outermost(exprs, *b, true, &all);
        for (uint32_t i = 0; i < all.len; i++) {
            vec_push(&to, few_terms(element_query, hyps, all.at[i]));
            more |= to.at[i] != all.at[i];
        }
        *a = expr_subst(exprs, *a, all.len, all.at, to.at);
        *b = expr_subst(exprs, *b, all.len, all.at, to.at);
        vec_release(&all);
        vec_release(&to);
    }
}

void reduce_atoms(const struct element_query *element_query, const struct u32_vec *hyps, expr_id *a,
                  expr_id *b)
{
    struct exprs *exprs = &element_query->session->exprs;
    struct u32_vec all = {0}, rep = {0}, atom = {0};
    drop_sums(element_query, hyps, a, b);
    outermost(exprs, *a, false, &all);
    outermost(exprs, *b, false, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        expr_id r = all.at[i];
        for (uint32_t j = 0; j < i && r == all.at[i]; j++)
            if (rep.at[j] == all.at[j] && reduce_same(element_query, hyps, all.at[j], all.at[i]))
                r = all.at[j];
        vec_push(&rep, r);
        vec_push(&atom, expr_atom(exprs, (int64_t)r, expr_at(exprs, r)->type));
    }
    *a = expr_subst(exprs, *a, all.len, all.at, atom.at);
    *b = expr_subst(exprs, *b, all.len, all.at, atom.at);
    vec_release(&all);
    vec_release(&rep);
    vec_release(&atom);
}
