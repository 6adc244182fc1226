// SPDX-License-Identifier: Apache-2.0
#include "discover/fit/fit.h"
#include "discover/limits.h"
#include "discover/tensors/solve_core.h"
#include "rules/rule.h"
#include <string.h>

// ---- answers, counted on all points

struct answer_rule {
    struct ruleset set;
    const struct rule *rule;
    int64_t **map;
    uint32_t *known, *unknown; // maps
};

static uint32_t map_named(const struct rule *rule, const char *name)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (!strcmp(rule->maps[m].name, name))
            return m;
    return NONE;
}

// Makes a rule with the expressions as lets, so that the parser reads them.
static bool read_answer(const struct solver *solver, const struct fit_answer *answer,
                        struct answer_rule *out)
{
    struct buf buf = {0};
    struct err err = {0};
    buf_puts(&buf, "rule _ {\n axes x;\n map zz");
    for (uint32_t i = 0; i < solver->known.n; i++)
        buf_printf(&buf, ", %s", solver->known.at[i].name);
    buf_puts(&buf, " on x;\n tensor A[x: zz] : any;\n");
    for (uint32_t i = 0; i < solver->n_unknown; i++)
        buf_printf(&buf, " let q%u_ on x = %s;\n", i, answer->expr[i]);
    if (answer->where[0])
        buf_printf(&buf, " where %s;\n", answer->where);
    buf_puts(&buf, " A => slice(A, start=zz");
    for (uint32_t i = 0; i < solver->n_unknown; i++)
        buf_printf(&buf, " + q%u_", i);
    for (uint32_t i = 0; i < solver->known.n; i++)
        buf_printf(&buf, " + %s", solver->known.at[i].name);
    buf_puts(&buf, ", limit=zz, stride=1);\n}\n");
    ruleset_init(&out->set);
    out->rule = ruleset_add(&out->set, buf_text(&buf), "answer", &err);
    buf_release(&buf);
    if (out->rule == NULL)
        return false;
    struct arena *mem = &out->set.mem;
    out->map = ARENA_NEW(mem, int64_t *, out->rule->n_maps + 1);
    out->known = ARENA_NEW(mem, uint32_t, solver->known.n + 1);
    out->unknown = ARENA_NEW(mem, uint32_t, solver->n_unknown + 1);
    for (uint32_t m = 0; m < out->rule->n_maps; m++)
        out->map[m] = ARENA_NEW(mem, int64_t, 1);
    for (uint32_t i = 0; i < solver->known.n; i++)
        out->known[i] = map_named(out->rule, solver->known.at[i].name);
    for (uint32_t i = 0; i < solver->n_unknown; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "q%u_", i);
        out->unknown[i] = map_named(out->rule, name);
    }
    return true;
}

enum outcome { OUTSIDE, RIGHT, WRONG };

// Evaluates the answer at a point; `anywhere`: ignoring its precondition.
static enum outcome ask(struct solver *solver, const struct answer_rule *answer,
                        const struct axis_point *point, bool anywhere, struct sketch_array *copy)
{
    const struct rule *rule = answer->rule;
    for (uint32_t i = 0; i < solver->known.n; i++)
        answer->map[answer->known[i]][0] = point->known[i];
    bool holds = true, defined = true;
    for (uint32_t m = 0; m < rule->n_maps && defined; m++)
        if (rule->maps[m].def != NULL)
            defined = iexp_eval(rule->maps[m].def, answer->map, 0, &answer->map[m][0]);
    for (uint32_t k = 0; k < rule->n_wheres && holds && !anywhere; k++) {
        bool one = false;
        holds = cond_eval(rule->wheres[k].cond, answer->map, 0, &one) && one;
    }
    if (!holds)
        return OUTSIDE;
    if (!defined || !solver_left(solver, point, copy))
        return WRONG;
    memcpy(solver->right, solver->base->right, sizeof solver->right);
    for (uint32_t i = 0; i < solver->n_unknown; i++) {
        int64_t v = answer->map[answer->unknown[i]][0];
        if (v < -SOLVE_VALUE || v > SOLVE_VALUE)
            return WRONG;
        solver->right[solver->unknown[i]] = (int16_t)v;
    }
    return solver_right_agrees(solver) ? RIGHT : WRONG;
}

struct learned_slots {
    const char **slot; // of the unknowns
    const char *where;
    uint32_t covered; // points with several elements that are right
    bool *right;      // by point: the slots are right
    bool *met;        // by point: an earlier precondition admits it
};

static uint32_t choose_samples(struct solver *solver, uint32_t *pick, struct sketch_array *copy)
{
    uint32_t count[2][2] = {{0}}, n = 0, tries = 0; // rich, agrees
    for (uint32_t i = 0; i < solver->n_points && tries < SOLVE_SAMPLE_TRIES; i++) {
        struct axis_point *point = &solver->points[i];
        uint32_t most = point->rich ? SOLVE_LEARNED : SOLVE_POOR;
        if (count[point->rich][0] >= most && count[point->rich][1] >= most)
            continue;
        tries++;
        solver_solutions(solver, point, copy);
        if (!point->usable || count[point->rich][point->agrees] >= most)
            continue;
        count[point->rich][point->agrees]++;
        pick[n++] = i;
    }
    return count[1][1] < SOLVE_LEAST_COVERED ? 0 : n;
}

// Counts the points at which the slots are right.  False: the slots do not
// parse.
static bool count_right(struct solver *solver, const struct fit_answer *answer,
                        struct learned_slots *out, struct sketch_array *copy)
{
    struct fit_answer bare = *answer;
    struct answer_rule a;
    bare.where = "";
    bool ok = read_answer(solver, &bare, &a);
    out->slot = answer->expr;
    out->covered = 0;
    out->right = ARENA_NEW(solver->mem, bool, solver->n_points);
    out->met = ARENA_NEW(solver->mem, bool, solver->n_points);
    for (uint32_t i = 0; i < solver->n_points && ok; i++) {
        out->right[i] = ask(solver, &a, &solver->points[i], true, copy) == RIGHT;
        out->covered += out->right[i] && solver->points[i].rich;
    }
    ruleset_release(&a.set);
    return ok;
}

// Learns slots that are right at most points.  Points at which they are wrong,
// but other values are right, become samples.
static bool learn_slots(struct solver *solver, struct learned_slots *out, struct sketch_array *copy)
{
    uint32_t pick[SOLVE_POINTS], n = choose_samples(solver, pick, copy);
    out->covered = 0;
    for (int round = 0; round < SOLVE_SLOT_ROUNDS && n > 0; round++) {
        struct fit_sample *sample = ARENA_NEW(solver->mem, struct fit_sample, n);
        struct fit_answer best[1];
        struct learned_slots one;
        for (uint32_t i = 0; i < n; i++) {
            const struct axis_point *point = &solver->points[pick[i]];
            sample[i] = (struct fit_sample){point->known, point->n, point->solution};
        }
        struct fit_problem problem = {.n_known = solver->known.n + solver->n_computed,
                                      .n_unknown = solver->n_unknown,
                                      .n_samples = n,
                                      .known = solver->names,
                                      .samples = sample,
                                      .max_literals = 2,
                                      .max_terms = SOLVE_TERMS};
        solver->counts->fits++;
        if (fit_solve(&problem, 1, solver->mem, best) == 0 ||
            !count_right(solver, &best[0], &one, copy))
            break;
        if (one.covered > out->covered)
            *out = one;
        uint32_t more = 0;
        for (uint32_t i = 0; i < solver->n_points && more < SOLVE_LATER; i++) {
            bool there = false;
            if (one.right[i] || !solver->points[i].rich)
                continue;
            for (uint32_t k = 0; k < n && !there; k++)
                there = pick[k] == i;
            solver_solutions(solver, &solver->points[i], copy);
            if (there || !solver->points[i].usable || !solver->points[i].agrees)
                continue;
            pick[n++] = i;
            more++;
        }
        if (more == 0)
            break;
    }
    return out->covered >= SOLVE_LEAST_COVERED;
}

// If the caller gives the slots, only the precondition is learned.
static bool given_slots(struct solver *solver, struct learned_slots *out, struct sketch_array *copy)
{
    struct fit_answer answer = {.expr =
                                    ARENA_NEW(solver->mem, const char *, solver->n_unknown + 1)};
    for (uint32_t i = 0; i < solver->n_unknown; i++) {
        answer.expr[i] = solver->pair->slot[solver->unknown[i]];
        if (answer.expr[i] == NULL)
            return false;
    }
    return solver->n_unknown > 0 && count_right(solver, &answer, out, copy) &&
           out->covered >= SOLVE_LEAST_COVERED;
}

struct where_samples {
    struct fit_sample *at;
    uint32_t n;
    bool *in; // by point: it is a sample
};

// A precondition of at most level[0] literals in each of level[1] terms.  The
// points at which it is wrong become samples.  Returns the number of right
// points that meet it.
static uint32_t where_at_level(struct solver *solver, const struct learned_slots *learned,
                               const uint8_t level[2], struct where_samples *samples,
                               struct sketch_array *copy, const char **where)
{
    static const int64_t nothing = 0;
    for (int round = 0; round < SOLVE_WHERE_ROUNDS; round++) {
        struct fit_answer best[1];
        struct answer_rule answer;
        struct fit_problem problem = {.n_known = solver->known.n + solver->n_compared,
                                      .n_samples = samples->n,
                                      .known = solver->names,
                                      .samples = samples->at,
                                      .max_literals = level[0],
                                      .max_terms = level[1]};
        solver->counts->fits++;
        if (fit_solve(&problem, 1, solver->mem, best) == 0)
            return 0;
        best[0].expr = learned->slot;
        bool ok = read_answer(solver, &best[0], &answer);
        uint32_t wrong = 0, rich = 0;
        for (uint32_t i = 0; i < solver->n_points && ok; i++) {
            bool holds = ask(solver, &answer, &solver->points[i], false, copy) != OUTSIDE;
            rich += holds && learned->right[i] && solver->points[i].rich && !learned->met[i];
            if (!holds || learned->right[i])
                continue;
            wrong++;
            if (!samples->in[i] && wrong < 2 * SOLVE_LATER) {
                samples->in[i] = true;
                samples->at[samples->n++] =
                    (struct fit_sample){solver->points[i].known, 0, &nothing};
            }
        }
        ruleset_release(&answer.set);
        if (!ok)
            return 0;
        if (wrong == 0) {
            *where = best[0].where;
            return rich;
        }
    }
    return 0;
}

// Learns where the slots are right, from many points, because one evaluation
// decides each.
static bool learn_where(struct solver *solver, struct learned_slots *out, unsigned levels,
                        struct sketch_array *copy)
{
    static const int64_t nothing = 0;
    struct where_samples samples = {.at =
                                        ARENA_NEW(solver->mem, struct fit_sample, solver->n_points),
                                    .in = ARENA_NEW(solver->mem, bool, solver->n_points)};
    uint32_t count[2][2] = {{0}};
    uint32_t all = 0; // right points with several elements
    for (uint32_t i = 0; i < solver->n_points; i++) {
        bool rich = solver->points[i].rich, right = out->right[i];
        if (right && out->met[i])
            continue;
        all += rich && right;
        uint32_t most = rich ? SOLVE_WHERE_RICH : SOLVE_WHERE_POOR;
        if (count[rich][right]++ >= most)
            continue;
        samples.in[i] = true;
        samples.at[samples.n++] = (struct fit_sample){solver->points[i].known, right, &nothing};
    }
    out->where = "";
    if (count[0][0] + count[1][0] == 0)
        return true;
    // Simple preconditions first; one that covers half of the right points
    // suffices.
    static const uint8_t level[][2] = {{1, 2}, {2, 2}, {2, 3}, {3, 3}};
    uint32_t best = 0;
    for (unsigned k = 0; k < levels; k++) {
        const char *where = NULL;
        uint32_t rich = where_at_level(solver, out, level[k], &samples, copy, &where);
        if (rich > best) {
            best = rich;
            out->where = where;
            out->covered = rich;
        }
        if (2 * best >= all)
            break;
    }
    return best >= SOLVE_LEAST_COVERED;
}

// Marks the right points that the precondition meets.
static void mark_met(struct solver *solver, struct learned_slots *learned,
                     struct sketch_array *copy)
{
    struct fit_answer answer = {.expr = learned->slot, .where = learned->where};
    struct answer_rule a;
    if (read_answer(solver, &answer, &a))
        for (uint32_t i = 0; i < solver->n_points; i++)
            learned->met[i] |=
                learned->right[i] && ask(solver, &a, &solver->points[i], false, copy) == RIGHT;
    ruleset_release(&a.set);
}

bool solve_slots(struct rule_sketch *out, unsigned only, const struct agreement *agreement,
                 const struct solve_context *context, struct solve_result *result)
{
    struct other_wheres *others = &result->others;
    struct arena *mem = context->mem;
    others->n = 0;
    unsigned classes = sketch_classes(&out->lhs) & only;
    struct solver *solver = ARENA_NEW(mem, struct solver, 1);
    struct sketch_values *lv = ARENA_NEW(mem, struct sketch_values, 1);
    struct sketch_values *rv = ARENA_NEW(mem, struct sketch_values, 1);
    result->whole = true;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        struct learned_slots learned = {0};
        if (!(classes >> c & 1))
            continue;
        memset(solver, 0, sizeof *solver);
        solver->pair = out;
        solver->base = agreement;
        solver->cls = c;
        solver->world = agreement->world;
        memcpy(solver->left, agreement->left, sizeof solver->left);
        solver->lv = lv;
        solver->rv = rv;
        solver->mem = mem;
        solver->counts = context->counts;
        sketch_unify(&out->lhs, &solver->sizes);
        known_on(&out->lhs, c, &solver->known);
        solver->n_unknown = slots_on(&out->rhs, c, solver->unknown);
        solver->n_computed = computed_on(&out->lhs, c, SOLVE_COMPUTED, solver->computed);
        for (uint32_t i = 0; i < solver->known.n; i++)
            solver->names[i] = solver->known.at[i].name;
        for (uint32_t i = 0; i < solver->n_computed; i++) {
            solver->names[solver->known.n + i] = solver->computed[i].text;
            solver->n_compared += !solver->computed[i].end;
        }
        if (solver->known.n == 0 && solver->n_unknown == 0)
            continue;
        struct sketch_array *copy = ARENA_NEW(mem, struct sketch_array, 1);
        if (!solver_points(solver, context->rng) ||
            !(given_slots(solver, &learned, copy) || learn_slots(solver, &learned, copy)) ||
            !learn_where(solver, &learned, 4, copy))
            return false;
        const char *first = learned.where;
        // Further cases in which the slots are right get a precondition of their own.
        while (first[0] && others->n < OTHERS && out->lhs.n_ops <= 2 &&
               (others->n == 0 || others->cls == c)) {
            mark_met(solver, &learned, copy);
            if (!learn_where(solver, &learned, 3, copy) || !learned.where[0] ||
                !strcmp(learned.where, first))
                break;
            others->cls = c;
            others->where[others->n++] = arena_strdup(mem, learned.where);
        }
        learned.where = first;
        for (unsigned k = 0; k < solver->n_unknown; k++)
            out->slot[solver->unknown[k]] = arena_strdup(mem, learned.slot[k]);
        out->where[c] = arena_strdup(mem, learned.where);
        result->whole &= !learned.where[0];
    }
    return true;
}
