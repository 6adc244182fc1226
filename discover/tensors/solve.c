// SPDX-License-Identifier: Apache-2.0
#include "discover/fit/fit.h"
#include "discover/tensors/solve_core.h"
#include "rules/rule.h"
#include <string.h>

enum {
    LEARNED = 26, // samples of either kind to learn from
    POOR = 6,     // and of those that say little, of either kind
    LATER = 14,   // and of those that an answer was wrong on
    SLOT_ROUNDS = 3,
    WHERE_ROUNDS = 6,
};

// ---- answers, counted on all points

struct answer_rule {
    struct ruleset set;
    const struct rule *rule;
    int64_t **map;
    uint32_t *known, *unknown; // maps
};

static uint32_t map_named(const struct rule *r, const char *name)
{
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (!strcmp(r->maps[m].name, name))
            return m;
    return NONE;
}

// A rule that has the expressions as lets, so that the parser reads them.
static bool read_answer(const struct solver *w, const struct fit_answer *a,
                        struct answer_rule *out)
{
    struct buf b = {0};
    struct err e = {0};
    buf_puts(&b, "rule _ {\n axes x;\n map zz");
    for (uint32_t i = 0; i < w->known.n; i++)
        buf_printf(&b, ", %s", w->known.at[i].name);
    buf_puts(&b, " on x;\n tensor A[x: zz] : any;\n");
    for (uint32_t i = 0; i < w->n_unknown; i++)
        buf_printf(&b, " let q%u_ on x = %s;\n", i, a->expr[i]);
    if (a->where[0])
        buf_printf(&b, " where %s;\n", a->where);
    buf_puts(&b, " A => slice(A, start=zz");
    for (uint32_t i = 0; i < w->n_unknown; i++)
        buf_printf(&b, " + q%u_", i);
    for (uint32_t i = 0; i < w->known.n; i++)
        buf_printf(&b, " + %s", w->known.at[i].name);
    buf_puts(&b, ", limit=zz, stride=1);\n}\n");
    ruleset_init(&out->set);
    out->rule = ruleset_add(&out->set, buf_text(&b), "answer", &e);
    buf_release(&b);
    if (out->rule == NULL)
        return false;
    struct arena *mem = &out->set.mem;
    out->map = ARENA_NEW(mem, int64_t *, out->rule->n_maps + 1);
    out->known = ARENA_NEW(mem, uint32_t, w->known.n + 1);
    out->unknown = ARENA_NEW(mem, uint32_t, w->n_unknown + 1);
    for (uint32_t m = 0; m < out->rule->n_maps; m++)
        out->map[m] = ARENA_NEW(mem, int64_t, 1);
    for (uint32_t i = 0; i < w->known.n; i++)
        out->known[i] = map_named(out->rule, w->known.at[i].name);
    for (uint32_t i = 0; i < w->n_unknown; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "q%u_", i);
        out->unknown[i] = map_named(out->rule, name);
    }
    return true;
}

enum outcome { OUTSIDE, RIGHT, WRONG };

// What the answer says at a point; `anywhere`: without its precondition.
static enum outcome ask(struct solver *w, const struct answer_rule *a,
                        const struct axis_point *p, bool anywhere,
                        struct sketch_array *copy)
{
    const struct rule *r = a->rule;
    for (uint32_t i = 0; i < w->known.n; i++)
        a->map[a->known[i]][0] = p->known[i];
    bool holds = true, defined = true;
    for (uint32_t m = 0; m < r->n_maps && defined; m++)
        if (r->maps[m].def != NULL)
            defined = iexp_eval(r->maps[m].def, a->map, 0, &a->map[m][0]);
    for (uint32_t k = 0; k < r->n_wheres && holds && !anywhere; k++) {
        bool one = false;
        holds = cond_eval(r->wheres[k].cond, a->map, 0, &one) && one;
    }
    if (!holds)
        return OUTSIDE;
    if (!defined || !solver_left(w, p, copy))
        return WRONG;
    memcpy(w->right, w->base->right, sizeof w->right);
    for (uint32_t i = 0; i < w->n_unknown; i++) {
        int64_t v = a->map[a->unknown[i]][0];
        if (v < -1000 || v > 1000)
            return WRONG;
        w->right[w->unknown[i]] = (int16_t)v;
    }
    return solver_right_agrees(w) ? RIGHT : WRONG;
}

struct learned_slots {
    const char **slot; // of the unknowns
    const char *where;
    uint32_t covered; // several elements
    bool *right;      // by point
    bool *met;        // points of what was found before
};

static uint32_t choose_samples(struct solver *w, uint32_t *pick,
                               struct sketch_array *copy)
{
    uint32_t count[2][2] = {{0}}, n = 0, tries = 0; // rich, agrees
    for (uint32_t i = 0; i < w->n_points && tries < 700; i++) {
        struct axis_point *p = &w->points[i];
        uint32_t most = p->rich ? LEARNED : POOR;
        if (count[p->rich][0] >= most && count[p->rich][1] >= most)
            continue;
        tries++;
        solver_solutions(w, p, copy);
        if (!p->usable || count[p->rich][p->agrees] >= most)
            continue;
        count[p->rich][p->agrees]++;
        pick[n++] = i;
    }
    return count[1][1] < 4 ? 0 : n;
}

// Counts where the slots are right; false: they cannot be read.
static bool count_right(struct solver *w, const struct fit_answer *f,
                        struct learned_slots *out, struct sketch_array *copy)
{
    struct fit_answer bare = *f;
    struct answer_rule a;
    bare.where = "";
    bool ok = read_answer(w, &bare, &a);
    out->slot = f->expr;
    out->covered = 0;
    out->right = ARENA_NEW(w->mem, bool, w->n_points);
    out->met = ARENA_NEW(w->mem, bool, w->n_points);
    for (uint32_t i = 0; i < w->n_points && ok; i++) {
        out->right[i] = ask(w, &a, &w->points[i], true, copy) == RIGHT;
        out->covered += out->right[i] && w->points[i].rich;
    }
    ruleset_release(&a.set);
    return ok;
}

// The slots: those that are right at most points.  Points where they are wrong
// though something is right are learned from, too.
static bool learn_slots(struct solver *w, struct learned_slots *out,
                        struct sketch_array *copy)
{
    uint32_t pick[POINTS], n = choose_samples(w, pick, copy);
    out->covered = 0;
    for (int round = 0; round < SLOT_ROUNDS && n > 0; round++) {
        struct fit_sample *s = ARENA_NEW(w->mem, struct fit_sample, n);
        struct fit_answer best[1];
        struct learned_slots one;
        for (uint32_t i = 0; i < n; i++) {
            const struct axis_point *p = &w->points[pick[i]];
            s[i] = (struct fit_sample){p->known, p->n, p->solution};
        }
        struct fit_problem f = {.n_known = w->known.n + w->n_computed,
                                .n_unknown = w->n_unknown,
                                .n_samples = n,
                                .known = w->names,
                                .samples = s,
                                .max_literals = 2,
                                .max_terms = 4};
        w->counts->fits++;
        if (fit_solve(&f, 1, w->mem, best) == 0 ||
            !count_right(w, &best[0], &one, copy))
            break;
        if (one.covered > out->covered)
            *out = one;
        uint32_t more = 0;
        for (uint32_t i = 0; i < w->n_points && more < LATER; i++) {
            bool there = false;
            if (one.right[i] || !w->points[i].rich)
                continue;
            for (uint32_t k = 0; k < n && !there; k++)
                there = pick[k] == i;
            solver_solutions(w, &w->points[i], copy);
            if (there || !w->points[i].usable || !w->points[i].agrees)
                continue;
            pick[n++] = i;
            more++;
        }
        if (more == 0)
            break;
    }
    return out->covered >= 4;
}

// The slots may be given: then only the precondition is sought.
static bool given_slots(struct solver *w, struct learned_slots *out,
                        struct sketch_array *copy)
{
    struct fit_answer a = {
        .expr = ARENA_NEW(w->mem, const char *, w->n_unknown + 1)};
    for (uint32_t i = 0; i < w->n_unknown; i++) {
        a.expr[i] = w->r->slot[w->unknown[i]];
        if (a.expr[i] == NULL)
            return false;
    }
    return w->n_unknown > 0 && count_right(w, &a, out, copy) &&
           out->covered >= 4;
}

// A precondition of at most so many literals and terms; points at which one was
// wrong are learned from by the next.  How many right points meet it.
static uint32_t where_at_level(struct solver *w, const struct learned_slots *l,
                               const uint8_t level[2], struct fit_sample *s,
                               uint32_t *n, bool *in, struct sketch_array *copy,
                               const char **where)
{
    static const int64_t nothing = 0;
    for (int round = 0; round < WHERE_ROUNDS; round++) {
        struct fit_answer best[1];
        struct answer_rule a;
        struct fit_problem f = {.n_known = w->known.n + w->n_compared,
                                .n_samples = *n,
                                .known = w->names,
                                .samples = s,
                                .max_literals = level[0],
                                .max_terms = level[1]};
        w->counts->fits++;
        if (fit_solve(&f, 1, w->mem, best) == 0)
            return 0;
        best[0].expr = l->slot;
        bool ok = read_answer(w, &best[0], &a);
        uint32_t wrong = 0, rich = 0;
        for (uint32_t i = 0; i < w->n_points && ok; i++) {
            bool holds = ask(w, &a, &w->points[i], false, copy) != OUTSIDE;
            rich += holds && l->right[i] && w->points[i].rich && !l->met[i];
            if (!holds || l->right[i])
                continue;
            wrong++;
            if (!in[i] && wrong < 2 * LATER) {
                in[i] = true;
                s[(*n)++] =
                    (struct fit_sample){w->points[i].known, 0, &nothing};
            }
        }
        ruleset_release(&a.set);
        if (!ok)
            return 0;
        if (wrong == 0) {
            *where = best[0].where;
            return rich;
        }
    }
    return 0;
}

// Where the slots are right: learned from many points, since now one
// evaluation tells.
static bool learn_where(struct solver *w, struct learned_slots *out, unsigned levels,
                        struct sketch_array *copy)
{
    static const int64_t nothing = 0;
    struct fit_sample *s = ARENA_NEW(w->mem, struct fit_sample, w->n_points);
    bool *in = ARENA_NEW(w->mem, bool, w->n_points);
    uint32_t count[2][2] = {{0}}, n = 0;
    uint32_t all = 0; // right ones that are rich
    for (uint32_t i = 0; i < w->n_points; i++) {
        bool rich = w->points[i].rich, right = out->right[i];
        if (right && out->met[i])
            continue;
        all += rich && right;
        uint32_t most = rich ? 58 : 6;
        if (count[rich][right]++ >= most)
            continue;
        in[i] = true;
        s[n++] = (struct fit_sample){w->points[i].known, right, &nothing};
    }
    out->where = "";
    if (count[0][0] + count[1][0] == 0)
        return true;
    // Simple ones first: one that says half of it is enough.
    static const uint8_t level[][2] = {{1, 2}, {2, 2}, {2, 3}, {3, 3}};
    uint32_t best = 0;
    for (unsigned k = 0; k < levels; k++) {
        const char *where = NULL;
        uint32_t rich =
            where_at_level(w, out, level[k], s, &n, in, copy, &where);
        if (rich > best) {
            best = rich;
            out->where = where;
            out->covered = rich;
        }
        if (2 * best >= all)
            break;
    }
    return best >= 4;
}

// Marks the right points that the precondition meets.
static void mark_met(struct solver *w, struct learned_slots *l,
                     struct sketch_array *copy)
{
    struct fit_answer f = {.expr = l->slot, .where = l->where};
    struct answer_rule a;
    if (read_answer(w, &f, &a))
        for (uint32_t i = 0; i < w->n_points; i++)
            l->met[i] |=
                l->right[i] && ask(w, &a, &w->points[i], false, copy) == RIGHT;
    ruleset_release(&a.set);
}

bool solve_slots(struct rule_sketch *out, unsigned only,
                 const struct agreement *a, struct rng *rng, struct arena *mem,
                 bool *whole, struct other_wheres *others,
                 struct solve_counts *counts)
{
    others->n = 0;
    unsigned classes = sketch_classes(&out->lhs) & only;
    struct solver *w = ARENA_NEW(mem, struct solver, 1);
    struct sketch_values *lv = ARENA_NEW(mem, struct sketch_values, 1);
    struct sketch_values *rv = ARENA_NEW(mem, struct sketch_values, 1);
    *whole = true;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        struct learned_slots l = {0};
        if (!(classes >> c & 1))
            continue;
        memset(w, 0, sizeof *w);
        w->r = out;
        w->base = a;
        w->cls = c;
        w->world = a->world;
        memcpy(w->left, a->left, sizeof w->left);
        w->lv = lv;
        w->rv = rv;
        w->mem = mem;
        w->counts = counts;
        sketch_unify(&out->lhs, &w->z);
        known_on(&out->lhs, c, &w->known);
        w->n_unknown = slots_on(&out->rhs, c, w->unknown);
        w->n_computed = computed_on(&out->lhs, c, COMPUTED, w->computed);
        for (uint32_t i = 0; i < w->known.n; i++)
            w->names[i] = w->known.at[i].name;
        for (uint32_t i = 0; i < w->n_computed; i++) {
            w->names[w->known.n + i] = w->computed[i].text;
            w->n_compared += !w->computed[i].end;
        }
        if (w->known.n == 0 && w->n_unknown == 0)
            continue;
        struct sketch_array *copy = ARENA_NEW(mem, struct sketch_array, 1);
        if (!solver_points(w, rng) ||
            !(given_slots(w, &l, copy) || learn_slots(w, &l, copy)) ||
            !learn_where(w, &l, 4, copy))
            return false;
        const char *first = l.where;
        // What else it is right for, said on its own.
        while (first[0] && others->n < OTHERS && out->lhs.n_ops <= 2 &&
               (others->n == 0 || others->cls == c)) {
            mark_met(w, &l, copy);
            if (!learn_where(w, &l, 3, copy) || !l.where[0] ||
                !strcmp(l.where, first))
                break;
            others->cls = c;
            others->where[others->n++] = arena_strdup(mem, l.where);
        }
        l.where = first;
        for (unsigned k = 0; k < w->n_unknown; k++)
            out->slot[w->unknown[k]] = arena_strdup(mem, l.slot[k]);
        out->where[c] = arena_strdup(mem, l.where);
        *whole &= !l.where[0];
    }
    return true;
}
