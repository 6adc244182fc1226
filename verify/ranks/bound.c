// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/bound.h"
#include "verify/ranks/paths.h"

// The places at which the tensors of a group are read.  Tensors in one element condition
// form a group: their elements at one index are related.
struct read_points {
    uint32_t *group;      // per tensor: its first member
    struct u32_vec reads; // X_ACCESS nodes, canonical
    // With reduces inside reduces one name may stand for different indices on the two sides.
    // Reads and folds from these numbers on belong to the right side.  Those that mention a
    // bound index count as different from those of the left side.
    uint32_t rhs_reads, rhs_folds;
    bool nested;
};

static uint32_t find(const struct read_points *read_points, uint32_t t)
{
    while (read_points->group[t] != t)
        t = read_points->group[t];
    return t;
}

static void join_tensors(const struct rule *rule, struct read_points *read_points, uint32_t pat,
                         uint32_t *first, const char **failure)
{
    const struct pat *pattern = &rule->pats[pat];
    bool pointwise =
        pattern->kind != PAT_RELABEL &&
        (pattern->kind != PAT_OP || op_is_elementwise(pattern->op) || pattern->op == OP_IOTA);
    if (!pointwise)
        *failure = "an element condition is not pointwise";
    if (pattern->kind == PAT_TENSOR && *first == NONE)
        *first = pattern->var;
    else if (pattern->kind == PAT_TENSOR)
        read_points->group[find(read_points, pattern->var)] = find(read_points, *first);
    for (uint32_t i = 0; i < pattern->n_args; i++)
        join_tensors(rule, read_points, pattern->args[i], first, failure);
}

// Does the expression mention an index that a reduce binds?
static bool mentions_bound(const struct exprs *exprs, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++) {
        const struct expr *node = expr_at(exprs, reach.at[i]);
        found = node->kind == X_VAR && exprs->var.at[node->sym].kind == VAR_BOUND;
    }
    vec_release(&reach);
    return found;
}

// Do reads i and j agree on every index that belongs to the family?  Tensors of other
// classes, or with classes in another order, never agree; that may count too many, which is
// sound.
static bool same_point(struct session *session, const struct read_points *read_points,
                       uint32_t family, uint32_t i, uint32_t j)
{
    const struct exprs *exprs = &session->exprs;
    expr_id a = read_points->reads.at[i], b = read_points->reads.at[j];
    const struct tensor_var *tensor = &session->rule->tensors[expr_at(exprs, a)->sym];
    bool apart =
        read_points->nested && (i < read_points->rhs_reads) != (j < read_points->rhs_reads);
    if (!rank_paths_same_classes(tensor, &session->rule->tensors[expr_at(exprs, b)->sym]))
        return false;
    for (uint32_t k = 0; k < expr_at(exprs, a)->n; k++)
        if (denote_family(session->rule, tensor->sizes[k].cls) == family &&
            (expr_arg(exprs, a, k) != expr_arg(exprs, b, k) ||
             (apart && mentions_bound(exprs, expr_arg(exprs, a, k)))))
            return false;
    return true;
}

static uint32_t count_points(struct session *session, const struct read_points *read_points,
                             uint32_t group, uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < read_points->reads.len; i++) {
        bool known =
            find(read_points, expr_at(&session->exprs, read_points->reads.at[i])->sym) != group;
        for (uint32_t j = 0; j < i && !known; j++)
            known = find(read_points, expr_at(&session->exprs, read_points->reads.at[j])->sym) ==
                        group &&
                    same_point(session, read_points, family, i, j);
        n += !known;
    }
    return n;
}

static bool same_fold(struct session *session, const struct denote *denote,
                      const struct read_points *read_points, uint32_t i, uint32_t j)
{
    const struct axis_condition *axis_condition = &denote->folds.at[i], *g = &denote->folds.at[j];
    bool apart = read_points->nested &&
                 (i < read_points->rhs_folds) != (j < read_points->rhs_folds) &&
                 mentions_bound(&session->exprs, axis_condition->cond);
    return axis_condition->cls == g->cls && axis_condition->cond == g->cond && !apart;
}

static uint32_t count_folds(struct session *session, const struct denote *denote,
                            const struct read_points *read_points, uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < denote->folds.len; i++) {
        const struct axis_condition *axis_condition = &denote->folds.at[i];
        bool known = denote_family(session->rule, axis_condition->cls) != family ||
                     expr_at(&session->exprs, axis_condition->cond)->kind == X_TRUE;
        for (uint32_t j = 0; j < i && !known; j++)
            known = same_fold(session, denote, read_points, i, j);
        n += !known;
    }
    return n;
}

static uint32_t count_conditions(struct session *session, struct denote *denote, uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < session->rule->n_wheres; w++) {
        bool touches = false;
        for (uint32_t c = 0; c < session->rule->n_classes; c++)
            touches |= session->rule->wheres[w].cond == NULL &&
                       denote_family(session->rule, c) == family &&
                       denote_has_class(denote, session->rule->wheres[w].pat, c);
        n += touches;
    }
    return n;
}

// For sides without reduces: the worst path through the choices.
static uint32_t bound_by_paths(const struct rank_paths *paths, uint32_t family, uint32_t conds,
                               struct buf *why)
{
    const struct rank_need *rank_need = &paths->need[family];
    uint32_t most = rank_need->witnesses + rank_need->separators + conds;
    buf_printf(why,
               "%s: %u, on the worst of %u paths %u false condition%s and "
               "%u pair%s of reads to tell apart",
               paths->session->rule->classes[family].name, (unsigned)most, (unsigned)paths->n_paths,
               (unsigned)rank_need->witnesses, rank_need->witnesses == 1 ? "" : "s",
               (unsigned)rank_need->separators, rank_need->separators == 1 ? "" : "s");
    if (conds > 0)
        buf_printf(why, ", %u element condition%s", (unsigned)conds, conds == 1 ? "" : "s");
    return most;
}

// What the bound of a family is counted from.
struct bound_facts {
    struct session *session;
    struct denote *denote;
    const struct read_points *read_points;
    const struct rank_paths *paths; // NULL: paths say nothing here
};

static void bound_family(const struct bound_facts *facts, uint32_t family, struct rank_bound *bound,
                         struct buf *why)
{
    struct session *session = facts->session;
    struct denote *denote = facts->denote;
    const struct read_points *read_points = facts->read_points;
    const struct rank_paths *paths = facts->paths;
    const struct axis_class *cls = &session->rule->classes[family];
    uint32_t most = 1;
    if (why->len > 0)
        buf_puts(why, "; ");
    bool one = denote_one_axis(session->rule, family);
    if (one && cls->single) {
        buf_printf(why, "%s: one axis by declaration", cls->name);
    } else if (one) {
        buf_printf(why, "%s: one axis for a block of any rank", cls->name);
    } else if (paths != NULL) {
        most = bound_by_paths(paths, family, count_conditions(session, denote, family), why);
        if (most == 0)
            buf_puts(why, "; at least 1");
    } else {
        uint32_t folds = count_folds(session, denote, read_points, family);
        uint32_t conds = count_conditions(session, denote, family);
        most = folds + conds;
        buf_printf(why, "%s: %u branch condition%s", cls->name, (unsigned)folds,
                   folds == 1 ? "" : "s");
        if (conds > 0)
            buf_printf(why, " + %u element condition%s", (unsigned)conds, conds == 1 ? "" : "s");
        for (uint32_t t = 0; t < session->rule->n_tensors; t++) {
            uint32_t n =
                find(read_points, t) == t ? count_points(session, read_points, t, family) : 0;
            if (n < 2)
                continue;
            most += n - 1;
            buf_printf(why, " + %u (%s is read at %u places)", (unsigned)(n - 1),
                       session->rule->tensors[t].name, (unsigned)n);
        }
        if (most == 0)
            buf_puts(why, ", at least 1");
    }
    for (uint32_t k = 0; k < session->rule->n_classes; k++)
        if (denote_family(session->rule, k) == family) {
            bound->least[k] = one ? 1 : cls->least_rank;
            bound->most[k] = most == 0 ? 1 : most;
        }
}

static void collect_reads(struct session *session, expr_id e, struct read_points *read_points)
{
    struct u32_vec reach = {0};
    expr_reach(&session->exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        if (expr_at(&session->exprs, reach.at[i])->kind == X_ACCESS)
            vec_push(&read_points->reads, reach.at[i]);
    vec_release(&reach);
}

struct bound_sides {
    expr_id lhs, rhs;
    struct u32_vec hyps[64]; // per family
};

// Builds both sides with one axis in every class, and the facts known there.
static void make_template(struct session *session, struct denote *denote,
                          struct read_points *read_points, struct bound_sides *t)
{
    struct clauses clauses = {{0}};
    expr_id *index = denote_new_index(denote);
    denote_out_index(denote, session->rule->lhs, index);
    hypotheses(denote, &clauses);
    denote_valid(denote, session->rule->rhs, &clauses);
    denote_in_range(denote, session->rule->lhs, index, &clauses);
    for (uint32_t f = 0; f < session->rule->n_classes; f++)
        if (denote_family(session->rule, f) == f)
            clauses_append(&clauses, f, &t->hyps[f]);
    t->lhs = canon(&session->polys, denote_element(denote, session->rule->lhs, index));
    read_points->rhs_folds = denote->folds.len;
    t->rhs = canon(&session->polys, denote_element(denote, session->rule->rhs, index));
    collect_reads(session, t->lhs, read_points);
    read_points->rhs_reads = read_points->reads.len;
    collect_reads(session, t->rhs, read_points);
    for (uint32_t i = 0; i < session->exprs.var.len; i++)
        read_points->nested |=
            session->exprs.var.at[i].kind == VAR_BOUND && session->exprs.var.at[i].level > 0;
    for (uint32_t i = 0; i < denote->folds.len; i++)
        denote->folds.at[i].cond = canon(&session->polys, denote->folds.at[i].cond);
    mem_free(index);
    vec_release(&clauses.at);
}

static void count_instances(struct session *session, struct rank_bound *bound)
{
    struct buf json = {0};
    bound->instances = 1;
    for (uint32_t c = 0; c < session->rule->n_classes; c++) {
        if (session->rule->classes[c].single || !denote_one_axis(session->rule, c))
            buf_printf(&json, "%s\"%s\": %u", json.len == 0 ? "{" : ", ",
                       session->rule->classes[c].name, (unsigned)bound->most[c]);
        if (denote_family(session->rule, c) == c && bound->instances < UINT32_MAX)
            bound->instances *= bound->most[c] - bound->least[c] + 1;
    }
    buf_puts(&json, json.len == 0 ? "{}" : "}");
    bound->json = arena_strdup(session->mem, buf_text(&json));
    buf_release(&json);
}

void rank_bound_of(struct session *session, struct rank_bound *bound)
{
    const struct rule *rule = session->rule;
    struct denote denote;
    struct read_points read_points = {.group =
                                          ARENA_NEW(session->mem, uint32_t, rule->n_tensors + 1)};
    struct bound_sides sides = {.lhs = NO_EXPR};
    struct buf why = {0};
    uint32_t rank[64];
    *bound = (struct rank_bound){.why = ""};
    for (uint32_t c = 0; c < 64; c++)
        rank[c] = 1;
    for (uint32_t t = 0; t < rule->n_tensors; t++)
        read_points.group[t] = t;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        uint32_t first = NONE;
        if (rule->wheres[w].cond == NULL)
            join_tensors(rule, &read_points, rule->wheres[w].pat, &first, &bound->failure);
        if (condition_counts(rule, w) && !condition_defines(rule, w))
            bound->failure = "an element condition counts along an axis, but "
                             "defines no tensor";
    }
    if (!denote_init(&denote, &session->exprs, rule, rank)) {
        bound->failure = "more than 64 axis classes";
        return;
    }
    // Conditions must not be simplified away before they are counted.
    bool keep = session->exprs.keep_picks;
    session->exprs.keep_picks = true;
    make_template(session, &denote, &read_points, &sides);
    struct rank_paths paths = {.session = session, .group = read_points.group, .hyps = sides.hyps};
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        read_points.group[i] = find(&read_points, i);
    paths.need = ARENA_NEW(session->mem, struct rank_need, rule->n_classes + 1);
    bool reduces = keep;
    session->linear.quick = true; // a bound that is too large costs instances only
    if (!reduces)
        rank_paths_walk(&paths, sides.lhs, sides.rhs);
    session->linear.quick = false;
    session->exprs.keep_picks = keep;
    const struct bound_facts facts = {session, &denote, &read_points,
                                      reduces || paths.too_many ? NULL : &paths};
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_family(rule, c) == c)
            bound_family(&facts, c, bound, &why);
    count_instances(session, bound);
    bound->why = arena_strdup(session->mem, buf_text(&why));
    buf_release(&why);
    vec_release(&read_points.reads);
    for (uint32_t c = 0; c < rule->n_classes; c++)
        vec_release(&sides.hyps[c]);
    denote_release(&denote);
}
