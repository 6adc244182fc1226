// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/paths.h"
#include "verify/limits.h"

// A condition that is false on some axis of the family.
struct failed_condition {
    uint32_t family;
    expr_id cond;
};
struct rank_path {
    VEC(struct failed_condition) fails;
    struct u32_vec holds; // conditions that are true on every axis
};

// The family whose place the condition mentions; NONE if it mentions none.
static uint32_t family_of(const struct session *session, expr_id e)
{
    const struct exprs *exprs = &session->exprs;
    const struct expr *node = expr_at(exprs, e);
    if (node->kind == X_VAR)
        return exprs->var.at[node->sym].part % session->rule->n_classes;
    if (node->kind == X_VALUE) // read at places of any family
        return NONE;
    for (uint32_t i = 0; i < node->n; i++) {
        uint32_t f = family_of(session, expr_arg(exprs, e, i));
        if (f != NONE)
            return f;
    }
    return NONE;
}

// A choice that no other choice contains.
static expr_id outer_pick(const struct exprs *exprs, expr_id e)
{
    struct u32_vec reach = {0};
    expr_id found = NO_EXPR;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) // users have larger ids
        if (expr_at(exprs, reach.at[i])->kind == X_PICK)
            found = reach.at[i];
    vec_release(&reach);
    return found;
}

// e with every choice on cond decided.
static expr_id decided(struct exprs *exprs, expr_id e, expr_id cond, bool truth)
{
    for (bool again = true; again;) {
        struct u32_vec reach = {0};
        again = false;
        expr_reach(exprs, e, &reach);
        for (uint32_t i = reach.len; i-- > 0 && !again;) {
            expr_id p = reach.at[i];
            if (expr_at(exprs, p)->kind != X_PICK || expr_arg(exprs, p, 0) != cond)
                continue;
            expr_id to = expr_arg(exprs, p, truth ? 1 : 2);
            e = expr_subst(exprs, e, 1, &p, &to);
            again = true;
        }
        vec_release(&reach);
    }
    return e;
}

// The hypotheses of the family and the conditions of the path, at one place.
static void known_at(struct rank_paths *paths, const struct rank_path *path, uint32_t family,
                     struct u32_vec *out)
{
    struct session *session = paths->session;
    const struct u32_vec *list = &paths->hyps[family];
    for (uint32_t i = 0; i < list->len; i++)
        vec_push(out, list->at[i]);
    for (uint32_t i = 0; i < path->holds.len; i++)
        if (family_of(session, path->holds.at[i]) == family)
            vec_push(out, path->holds.at[i]);
}

// Can the condition be false on an axis where the path's conditions hold?
static bool can_fail(struct rank_paths *paths, const struct rank_path *path,
                     const struct failed_condition *failed_condition)
{
    struct u32_vec all = {0};
    known_at(paths, path, failed_condition->family, &all);
    bool can = !linear_proves(&paths->session->linear, all.len, all.at, failed_condition->cond);
    vec_release(&all);
    return can;
}

static bool feasible(struct rank_paths *paths, const struct rank_path *path)
{
    for (uint32_t i = 0; i < path->fails.len; i++)
        if (!can_fail(paths, path, &path->fails.at[i]))
            return false;
    return true;
}

// Does the first failure imply the second: is every axis on which the first condition fails
// one on which the second fails?
static bool serves(struct rank_paths *paths, const struct rank_path *path,
                   const struct failed_condition *a, const struct failed_condition *b)
{
    if (a->family != b->family)
        return false;
    struct u32_vec all = {0};
    known_at(paths, path, a->family, &all);
    vec_push(&all, expr_not(&paths->session->exprs, a->cond));
    bool same = linear_proves(&paths->session->linear, all.len, all.at,
                              expr_not(&paths->session->exprs, b->cond));
    vec_release(&all);
    return same;
}

static uint32_t count_witnesses(struct rank_paths *paths, const struct rank_path *path,
                                uint32_t family)
{
    struct u32_vec kept = {0};
    for (uint32_t i = 0; i < path->fails.len; i++) {
        const struct failed_condition *failed_condition = &path->fails.at[i];
        bool served = failed_condition->family != family;
        for (uint32_t k = 0; k < kept.len && !served; k++)
            served = serves(paths, path, &path->fails.at[kept.at[k]], failed_condition);
        if (served)
            continue;
        // Earlier failures that this one implies are not needed.
        uint32_t n = 0;
        for (uint32_t k = 0; k < kept.len; k++)
            if (!serves(paths, path, failed_condition, &path->fails.at[kept.at[k]]))
                kept.at[n++] = kept.at[k];
        kept.len = n;
        vec_push(&kept, i);
    }
    uint32_t n = kept.len;
    vec_release(&kept);
    return n;
}

bool rank_paths_same_classes(const struct tensor_var *a, const struct tensor_var *b)
{
    bool same = a->n_sizes == b->n_sizes;
    for (uint32_t i = 0; i < a->n_sizes && same; i++)
        same = a->sizes[i].cls == b->sizes[i].cls;
    return same;
}

// Do two reads agree on every axis of the family, whatever the rank?
static bool agree(struct rank_paths *paths, const struct rank_path *path, uint32_t family,
                  expr_id a, expr_id b)
{
    struct session *session = paths->session;
    struct exprs *exprs = &session->exprs;
    const struct tensor_var *tensor = &session->rule->tensors[expr_at(exprs, a)->sym];
    struct u32_vec all = {0}, eq = {0};
    if (!rank_paths_same_classes(tensor, &session->rule->tensors[expr_at(exprs, b)->sym]))
        return false;
    for (uint32_t i = 0; i < expr_at(exprs, a)->n; i++)
        if (denote_family(session->rule, tensor->sizes[i].cls) == family &&
            expr_arg(exprs, a, i) != expr_arg(exprs, b, i))
            vec_push(&eq, expr_eq(exprs, expr_arg(exprs, a, i), expr_arg(exprs, b, i)));
    bool same = eq.len == 0;
    if (!same) {
        known_at(paths, path, family, &all);
        same = linear_proves(&session->linear, all.len, all.at, expr_and(exprs, eq.len, eq.at));
    }
    vec_release(&all);
    vec_release(&eq);
    return same;
}

static void reads_of(const struct exprs *exprs, expr_id e, struct u32_vec *out)
{
    struct u32_vec reach = {0};
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        bool known = expr_at(exprs, reach.at[i])->kind != X_ACCESS;
        for (uint32_t k = 0; k < out->len && !known; k++)
            known = out->at[k] == reach.at[i];
        if (!known)
            vec_push(out, reach.at[i]);
    }
    vec_release(&reach);
}

// Sums, over the groups, the number of different places of their reads minus one.
static uint32_t count_separators(struct rank_paths *paths, const struct rank_path *path,
                                 uint32_t family, const struct u32_vec *reads)
{
    const struct exprs *exprs = &paths->session->exprs;
    uint32_t sum = 0;
    for (uint32_t t = 0; t < paths->session->rule->n_tensors; t++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < reads->len; i++) {
            bool known = paths->group[expr_at(exprs, reads->at[i])->sym] != t;
            for (uint32_t j = 0; j < i && !known; j++)
                known = paths->group[expr_at(exprs, reads->at[j])->sym] == t &&
                        agree(paths, path, family, reads->at[i], reads->at[j]);
            n += !known;
        }
        sum += n > 1 ? n - 1 : 0;
    }
    return sum;
}

// Are the sides equal after reads that agree everywhere were made one?
static bool leaf_is_equal(struct rank_paths *paths, const struct rank_path *path, expr_id a,
                          expr_id b, const struct u32_vec *reads)
{
    struct session *session = paths->session;
    struct exprs *exprs = &session->exprs;
    for (uint32_t i = 0; i < reads->len; i++)
        for (uint32_t j = 0; j < i; j++) {
            expr_id u = reads->at[i], v = reads->at[j];
            bool same = expr_at(exprs, u)->sym == expr_at(exprs, v)->sym;
            for (uint32_t f = 0; f < session->rule->n_classes && same; f++)
                same = denote_family(session->rule, f) != f || agree(paths, path, f, u, v);
            if (!same)
                continue;
            a = expr_subst(exprs, a, 1, &u, &v);
            b = expr_subst(exprs, b, 1, &u, &v);
            break;
        }
    return a == b && !session->polys.overflow;
}

static void count_leaf(struct rank_paths *paths, const struct rank_path *path, expr_id a, expr_id b)
{
    struct session *session = paths->session;
    struct u32_vec reads = {0};
    if (++paths->n_paths > VERIFY_RANK_PATHS)
        paths->too_many = true;
    reads_of(&session->exprs, a, &reads);
    reads_of(&session->exprs, b, &reads);
    if (!leaf_is_equal(paths, path, a, b, &reads))
        for (uint32_t f = 0; f < session->rule->n_classes; f++) {
            if (denote_family(session->rule, f) != f || denote_one_axis(session->rule, f))
                continue;
            struct rank_need rank_need = {count_witnesses(paths, path, f),
                                          count_separators(paths, path, f, &reads)};
            struct rank_need *worst = &paths->need[f];
            if (rank_need.witnesses + rank_need.separators > worst->witnesses + worst->separators)
                *worst = rank_need;
        }
    vec_release(&reads);
}

static void walk(struct rank_paths *paths, struct rank_path *path, expr_id a, expr_id b);

// Takes the branch on which `part`, a group of conjuncts of the condition, is false on some
// axis of its family.
static void walk_false(struct rank_paths *paths, struct rank_path *path, expr_id a, expr_id b,
                       struct failed_condition failed_condition)
{
    vec_push(&path->fails, failed_condition);
    if (feasible(paths, path))
        walk(paths, path, a, b);
    (void)vec_pop(&path->fails);
}

// The conjuncts of a condition that belong to the family.
static expr_id part_of_cond(struct session *session, expr_id cond, uint32_t family)
{
    struct exprs *exprs = &session->exprs;
    if (expr_at(exprs, cond)->kind != X_AND)
        return family_of(session, cond) == family ? cond : expr_true(exprs);
    expr_id out = expr_true(exprs);
    for (uint32_t i = 0; i < expr_at(exprs, cond)->n; i++) {
        expr_id c = expr_arg(exprs, cond, i);
        if (family_of(session, c) == family)
            out = expr_and2(exprs, out, c);
    }
    return out;
}

static void walk(struct rank_paths *paths, struct rank_path *path, expr_id a, expr_id b)
{
    struct session *session = paths->session;
    struct exprs *exprs = &session->exprs;
    expr_id pick = outer_pick(exprs, a);
    if (pick == NO_EXPR)
        pick = outer_pick(exprs, b);
    if (paths->too_many)
        return;
    if (pick == NO_EXPR) {
        count_leaf(paths, path, a, b);
        return;
    }
    expr_id cond = expr_arg(exprs, pick, 0);
    // A condition that is constant at one axis does not show which class decides it.  If it
    // is true it is true at every rank; otherwise the plain count applies.
    bool constant = family_of(session, cond) == NONE;
    if (constant && expr_at(exprs, cond)->kind != X_TRUE) {
        paths->too_many = true;
        return;
    }
    uint32_t held = path->holds.len;
    for (uint32_t f = 0; f < session->rule->n_classes; f++) {
        expr_id part = part_of_cond(session, cond, f);
        if (!constant && expr_at(exprs, part)->kind != X_TRUE)
            vec_push(&path->holds, part);
    }
    if (feasible(paths, path))
        walk(paths, path, decided(exprs, a, cond, true), decided(exprs, b, cond, true));
    path->holds.len = held;
    expr_id na = decided(exprs, a, cond, false), nb = decided(exprs, b, cond, false);
    if (constant)
        return;
    for (uint32_t f = 0; f < session->rule->n_classes; f++) {
        expr_id part = part_of_cond(session, cond, f);
        if (expr_at(exprs, part)->kind != X_TRUE)
            walk_false(paths, path, na, nb, (struct failed_condition){f, part});
    }
}

void rank_paths_walk(struct rank_paths *paths, expr_id a, expr_id b)
{
    struct rank_path path = {.holds = {0}};
    walk(paths, &path, a, b);
    vec_release(&path.fails);
    vec_release(&path.holds);
}
