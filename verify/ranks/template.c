// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/template.h"

static bool is_many(const struct rule *rule, uint32_t cls)
{
    return !denote_one_axis(rule, cls);
}

uint64_t rank_template_scope(const struct rank_template *sides, expr_id e)
{
    const struct exprs *exprs = &sides->session->exprs;
    struct u32_vec reach = {0};
    uint64_t scope = 0;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct expr *node = expr_at(exprs, reach.at[i]);
        if (node->kind != X_VAR)
            continue;
        uint32_t part = exprs->var.at[node->sym].part;
        scope |= part == NONE ? UINT64_MAX : UINT64_C(1) << part % sides->session->rule->n_classes;
    }
    vec_release(&reach);
    return scope;
}

expr_id rank_template_part(const struct rank_template *sides, expr_id cond, uint32_t family)
{
    struct exprs *exprs = &sides->session->exprs;
    const struct expr node = *expr_at(exprs, cond);
    expr_id out = expr_true(exprs);
    for (uint32_t i = 0; i < (node.kind == X_AND ? node.n : 1); i++) {
        expr_id c = node.kind == X_AND ? expr_arg(exprs, cond, i) : cond;
        uint64_t scope = rank_template_scope(sides, c);
        bool here = family == NONE ? (scope & sides->many) == 0 : scope == UINT64_C(1) << family;
        if (here)
            out = expr_and2(exprs, out, c);
    }
    return out;
}

expr_id rank_template_apply(struct exprs *exprs, const struct rank_template_map *rank_template_map,
                            expr_id e)
{
    struct u32_vec reach = {0}, args = {0};
    expr_reach(exprs, e, &reach);
    expr_id *to = mem_alloc(((size_t)e + 1) * sizeof *to);
    for (uint32_t i = 0; i < reach.len; i++) {
        expr_id old = reach.at[i];
        const struct expr node = *expr_at(exprs, old);
        to[old] = old;
        if (expr_sort(exprs, old) != SORT_ELEM)
            continue;
        if (node.kind == X_ACCESS) {
            to[old] = rank_template_map->read(rank_template_map->ctx, old);
            continue;
        }
        vec_clear(&args);
        for (uint32_t k = 0; k < node.n; k++) {
            expr_id a = expr_arg(exprs, old, k);
            vec_push(&args, node.kind == X_PICK && k == 0
                                ? rank_template_map->cond(rank_template_map->ctx, a)
                                : to[a]);
        }
        to[old] = expr_with_args(exprs, old, args.at);
    }
    expr_id out = to[e];
    mem_free(to);
    vec_release(&reach);
    vec_release(&args);
    return out;
}

// ---- the sides at another rank, made from those at rank 1

struct template_raise {
    struct rank_template *sides;
    struct denote *denote; // at the other rank
};

// e with the variables of families that are many moved to another place.
static expr_id at_place(struct rank_template *sides, expr_id e, uint32_t place)
{
    struct exprs *exprs = &sides->session->exprs;
    struct u32_vec reach = {0}, from = {0}, to = {0};
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct expr node = *expr_at(exprs, reach.at[i]);
        if (node.kind != X_VAR || (rank_template_scope(sides, reach.at[i]) & sides->many) == 0)
            continue;
        struct var var = exprs->var.at[node.sym];
        if (var.kind == VAR_FRESH) {
            sides->failure = "a side has a variable of its own";
            continue;
        }
        uint32_t part = var.part + place * sides->session->rule->n_classes;
        vec_push(&from, reach.at[i]);
        vec_push(&to, expr_var(exprs, var.kind, var.a, place, var.level, part));
    }
    expr_id out = expr_subst(exprs, e, from.len, from.at, to.at);
    vec_release(&reach);
    vec_release(&from);
    vec_release(&to);
    return out;
}

static expr_id raise_cond(void *ctx, expr_id cond)
{
    struct template_raise *template_raise = ctx;
    struct exprs *exprs = template_raise->denote->exprs;
    expr_id out = rank_template_part(template_raise->sides, cond, NONE);
    for (uint32_t f = 0; f < template_raise->denote->rule->n_classes; f++)
        if ((template_raise->sides->many >> f & 1) != 0)
            for (uint32_t k = 0; k < template_raise->denote->rank[f]; k++)
                out = expr_and2(exprs, out,
                                at_place(template_raise->sides,
                                         rank_template_part(template_raise->sides, cond, f), k));
    return canon(&template_raise->sides->session->polys, out);
}

static expr_id raise_read(void *ctx, expr_id access)
{
    struct template_raise *template_raise = ctx;
    struct exprs *exprs = template_raise->denote->exprs;
    const struct expr node = *expr_at(exprs, access);
    const struct tensor_var *tensor = &template_raise->denote->rule->tensors[node.sym];
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < tensor->n_sizes; i++)
        for (uint32_t k = 0; k < template_raise->denote->rank[tensor->sizes[i].cls]; k++)
            vec_push(&args, canon(&template_raise->sides->session->polys,
                                  at_place(template_raise->sides, expr_arg(exprs, access, i), k)));
    expr_id out = expr_access(exprs, node.sym, node.type, args.len, args.at);
    vec_release(&args);
    return out;
}

static expr_id canon_cond(void *ctx, expr_id cond)
{
    return canon(&((struct rank_template *)ctx)->session->polys, cond);
}

static expr_id canon_read(void *ctx, expr_id access)
{
    struct rank_template *sides = ctx;
    struct exprs *exprs = &sides->session->exprs;
    const struct expr node = *expr_at(exprs, access);
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < node.n; i++)
        vec_push(&args, canon(&sides->session->polys, expr_arg(exprs, access, i)));
    expr_id out = expr_access(exprs, node.sym, node.type, args.len, args.at);
    vec_release(&args);
    return out;
}

// Does every hypothesis of the template hold at every place?
static void check_hypotheses(struct rank_template *sides, struct denote *denote,
                             const expr_id *index)
{
    struct session *session = sides->session;
    struct clauses clauses = {{0}};
    hypotheses(denote, &clauses);
    denote_valid(denote, session->rule->rhs, &clauses);
    denote_in_range(denote, session->rule->lhs, index, &clauses);
    for (uint32_t f = 0; f < session->rule->n_classes; f++)
        for (uint32_t i = 0; i < sides->hyps[f].len * denote->rank[f]; i++) {
            expr_id want =
                canon(&session->polys,
                      at_place(sides, sides->hyps[f].at[i / denote->rank[f]], i % denote->rank[f]));
            bool found = false;
            for (uint32_t k = 0; k < clauses.at.len && !found; k++)
                found = canon(&session->polys, clauses.at.at[k].cond) == want;
            if (!found)
                sides->failure = "a hypothesis does not hold axis by axis";
        }
    vec_release(&clauses.at);
}

static void check_rank(struct rank_template *sides, uint32_t rank)
{
    struct session *session = sides->session;
    const struct rule *rule = session->rule;
    struct denote denote;
    uint32_t ranks[64];
    for (uint32_t c = 0; c < rule->n_classes; c++)
        ranks[c] = is_many(rule, c) ? rank : 1;
    (void)denote_init(&denote, &session->exprs, rule, ranks);
    struct template_raise template_raise = {sides, &denote};
    const struct rank_template_map up = {raise_cond, raise_read, &template_raise};
    const struct rank_template_map same = {canon_cond, canon_read, sides};
    expr_id *index = denote_new_index(&denote);
    denote_out_index(&denote, rule->lhs, index);
    check_hypotheses(sides, &denote, index);
    for (int side = 0; side < 2 && sides->failure == NULL; side++) {
        expr_id want =
            rank_template_apply(&session->exprs, &up, side == 0 ? sides->lhs : sides->rhs);
        expr_id found = denote_element(&denote, side == 0 ? rule->lhs : rule->rhs, index);
        if (denote.failure != NULL || session->polys.overflow ||
            want != rank_template_apply(&session->exprs, &same, found))
            sides->failure =
                session_text(session, "the sides at rank %u are not those at rank 1, axis by axis",
                             (unsigned)rank);
    }
    mem_free(index);
    denote_release(&denote);
}

// ---- the sides at rank 1

static void add(struct u32_vec *set, expr_id e)
{
    for (uint32_t i = 0; i < set->len; i++)
        if (set->at[i] == e)
            return;
    vec_push(set, e);
}

static bool has_elements(const struct exprs *exprs, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_sort(exprs, reach.at[i]) == SORT_ELEM;
    vec_release(&reach);
    return found;
}

// Every conjunct must show the one family that it mentions.  A conjunct that is constant at
// one axis shows none.
static void check_cond(struct rank_template *sides, expr_id cond)
{
    const struct exprs *exprs = &sides->session->exprs;
    const struct expr node = *expr_at(exprs, cond);
    if (has_elements(exprs, cond))
        sides->failure = "a choice depends on elements";
    for (uint32_t i = 0; i < (node.kind == X_AND ? node.n : 1); i++) {
        expr_id c = node.kind == X_AND ? expr_arg(exprs, cond, i) : cond;
        uint64_t scope = rank_template_scope(sides, c), many = scope & sides->many;
        if (scope == 0 && expr_at(exprs, c)->kind != X_TRUE)
            sides->failure = "a condition is constant at one axis";
        else if (many != 0 && (scope & (scope - 1)) != 0)
            sides->failure = "a condition speaks of several rank classes";
    }
}

static void check_node(struct rank_template *sides, expr_id e)
{
    struct exprs *exprs = &sides->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_REDUCE) {
        sides->failure = "the rule has reductions";
    } else if (node.kind == X_PICK) {
        add(&sides->conds, expr_arg(exprs, e, 0));
        check_cond(sides, expr_arg(exprs, e, 0));
    } else if (node.kind == X_ACCESS) {
        const struct tensor_var *tensor = &sides->session->rule->tensors[node.sym];
        add(&sides->reads, e);
        for (uint32_t i = 0; i < node.n; i++) {
            uint32_t f = denote_family(sides->session->rule, tensor->sizes[i].cls);
            expr_id a = expr_arg(exprs, e, i);
            uint64_t may = (sides->many >> f & 1) != 0 ? UINT64_C(1) << f : ~sides->many;
            if (has_elements(exprs, a))
                sides->failure = "a place depends on elements";
            if ((rank_template_scope(sides, a) & ~may) != 0)
                sides->failure = "an index speaks of several rank classes";
        }
    } else if (expr_sort(exprs, e) == SORT_ELEM) {
        for (uint32_t i = 0; i < node.n; i++)
            if (expr_sort(exprs, expr_arg(exprs, e, i)) != SORT_ELEM &&
                (rank_template_scope(sides, expr_arg(exprs, e, i)) & sides->many) != 0)
                sides->failure = "an element is made from an index of a class of "
                                 "any rank";
    }
}

static void take_hypotheses(struct rank_template *sides, const struct clauses *clauses)
{
    const struct rule *rule = sides->session->rule;
    for (uint32_t i = 0; i < clauses->at.len; i++) {
        const struct clause *clause = &clauses->at.at[i];
        uint64_t scope = rank_template_scope(sides, clause->cond);
        bool many = (sides->many >> clause->family & 1) != 0;
        uint64_t may = many ? UINT64_C(1) << clause->family : ~sides->many;
        if ((scope & ~may) != 0)
            sides->failure = "a hypothesis speaks of several rank classes";
        vec_push(&sides->hyps[many ? clause->family : rule->n_classes], clause->cond);
    }
}

void rank_template_init(struct rank_template *sides, struct session *session)
{
    const struct rule *rule = session->rule;
    struct clauses clauses = {{0}};
    struct u32_vec reach = {0};
    uint32_t ones[64];
    *sides = (struct rank_template){.session = session};
    for (uint32_t c = 0; c < 64; c++)
        ones[c] = 1;
    if (rule->n_classes > 63 || !denote_init(&sides->denote, &session->exprs, rule, ones)) {
        sides->failure = "more than 63 axis classes";
        return;
    }
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint32_t f = denote_family(rule, c);
        if (is_many(rule, c))
            sides->many |= UINT64_C(1) << f;
        if (is_many(rule, c) != is_many(rule, f))
            sides->failure = "a block is in a rank class with other classes";
    }
    bool keep = session->exprs.keep_picks;
    session->exprs.keep_picks = true;
    expr_id *index = denote_new_index(&sides->denote);
    denote_out_index(&sides->denote, rule->lhs, index);
    hypotheses(&sides->denote, &clauses);
    denote_valid(&sides->denote, rule->rhs, &clauses);
    denote_in_range(&sides->denote, rule->lhs, index, &clauses);
    take_hypotheses(sides, &clauses);
    sides->lhs = denote_element(&sides->denote, rule->lhs, index);
    sides->rhs = denote_element(&sides->denote, rule->rhs, index);
    if (sides->denote.failure != NULL)
        sides->failure = sides->denote.failure;
    else if (sides->denote.rounds)
        sides->failure = "the rule has sums of floats";
    expr_reach(&session->exprs, sides->lhs, &reach);
    expr_reach(&session->exprs, sides->rhs, &reach);
    for (uint32_t i = 0; i < reach.len && sides->failure == NULL; i++)
        check_node(sides, reach.at[i]);
    for (uint32_t rank = 0; rank <= 2 && sides->failure == NULL; rank += 2)
        check_rank(sides, rank);
    session->exprs.keep_picks = keep;
    mem_free(index);
    vec_release(&clauses.at);
    vec_release(&reach);
}

void rank_template_release(struct rank_template *sides)
{
    for (int i = 0; i < 64; i++)
        vec_release(&sides->hyps[i]);
    vec_release(&sides->reads);
    vec_release(&sides->conds);
    denote_release(&sides->denote);
}
