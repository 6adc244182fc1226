// SPDX-License-Identifier: Apache-2.0
#include "discover/solve.h"
#include "discover/fit.h"
#include "rules/rule.h"
#include <string.h>

enum {
    POINTS = 1600, // values of what is known that are looked at
    LEARNED = 26,  // samples of either kind to learn from
    POOR = 6,      // and of those that say little, of either kind
    LATER = 14,    // and of those that an answer was wrong on
    SLOT_ROUNDS = 3,
    WHERE_ROUNDS = 6,
    SOLUTIONS = 600, // of one sample; with more it says too little
    LARGEST = 12,
    COMPUTED = 6,
};

struct point {
    int64_t known[SKETCH_SLOTS + 16 + COMPUTED]; // then what is computed
    bool sampled;
    bool rich;   // several elements on this axis: agreeing says something
    bool usable; // its solutions are known
    bool agrees; // some solution
    uint32_t n;  // solutions
    int64_t *solution;
};
struct solver {
    const struct rule_sketch *r;
    const struct agreement *base;
    unsigned cls;
    struct known known;
    struct computed computed[COMPUTED];
    uint32_t n_computed;
    uint32_t n_compared; // of those, without ends: for preconditions
    const char *names[SKETCH_SLOTS + 16 + COMPUTED];
    uint8_t unknown[SKETCH_SLOTS];
    uint32_t n_unknown;
    struct sketch_sizes z;
    struct sketch_world world;
    int16_t left[SKETCH_SLOTS], right[SKETCH_SLOTS];
    struct sketch_values *lv, *rv;
    struct point *points;
    uint32_t n_points;
    struct arena *mem;
    struct solve_counts *counts;
    // of one enumeration:
    const struct sketch_array *target;
    struct point *at;
    bool flood;
    uint64_t steps;
};

// ---- points: what the left side may be

// Writes the values into the world and the left slots.
static void put_known(struct solver *w, const int64_t *v)
{
    const struct sketch *l = &w->r->lhs;
    for (uint32_t i = 0; i < w->known.n; i++)
        if (!w->known.at[i].size)
            w->left[w->known.at[i].which] = (int16_t)v[i];
    for (unsigned t = 0; t < l->n_tensors; t++)
        for (uint32_t i = 0; i < w->known.n; i++)
            if (l->shape[t] >> w->cls & 1 && w->known.at[i].size &&
                w->known.at[i].which == w->z.tensor[t][w->cls])
                w->world.size[t][w->cls] = (int16_t)v[i];
    // Slots whose size is another's.
    uint8_t slot[SKETCH_SLOTS];
    uint32_t n = slots_on(l, w->cls, slot);
    for (uint32_t k = 0; k < n; k++) {
        uint8_t r = w->z.slot[slot[k]];
        if (r < 64)
            w->left[slot[k]] =
                w->world.size[r / SKETCH_CLASSES][r % SKETCH_CLASSES];
        else if (r != 255)
            w->left[slot[k]] = w->left[r - 64];
    }
}

static const struct sketch_node *node_of_slot(const struct sketch *s,
                                              unsigned slot, unsigned *k)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i];
        unsigned per = sketch_node_slots(p);
        unsigned n = per * (unsigned)__builtin_popcount(p->acts);
        if (slot >= p->slot && slot < p->slot + n) {
            *k = (slot - p->slot) % per;
            return p;
        }
    }
    return NULL;
}

// ---- solutions of one point

// A scalar on the right stands for the constant tensor of the left's shape.
static bool all_equal(const struct sketch_array *a, int64_t v)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->at[i] != v)
            return false;
    return true;
}

static bool right_agrees(struct solver *w)
{
    const struct sketch_array *r;
    w->counts->evaluations++;
    if (!sketch_eval(&w->r->rhs, &w->world, w->right, w->rv, &r))
        return false;
    if (w->r->rhs.n == 1 && w->r->rhs.node[0].kind != SKETCH_TENSOR)
        return all_equal(w->target, r->at[0]);
    return r->classes == w->target->classes && r->n == w->target->n &&
           memcmp(r->size, w->target->size, sizeof r->size) == 0 &&
           memcmp(r->at, w->target->at, r->n * sizeof *r->at) == 0;
}

// The size on the class that a node must have for the root to have the
// target's; -1: not fixed.
static int needed(const struct solver *w, unsigned node)
{
    const struct sketch *s = &w->r->rhs;
    for (unsigned up = node + 1; up < s->n; up++) {
        const struct sketch_node *p = &s->node[up];
        bool uses = false;
        for (unsigned k = 0; k < sketch_arity(p->kind); k++)
            uses |= p->arg[k] == node;
        if (!uses)
            continue;
        if ((p->acts >> w->cls & 1) && p->kind != SKETCH_REVERSE)
            return -1;
        if (p->kind == SKETCH_RELABEL || !(p->classes >> w->cls & 1))
            return -1;
        node = up;
    }
    return w->target->size[w->cls];
}

static void keep_solution(struct solver *w)
{
    struct point *p = w->at;
    if (p->n == SOLUTIONS) {
        w->flood = true;
        return;
    }
    for (uint32_t k = 0; k < w->n_unknown; k++)
        p->solution[p->n * w->n_unknown + k] = w->right[w->unknown[k]];
    p->n++;
}

static void solutions_from(struct solver *w, uint32_t k);

static void with_values(struct solver *w, uint32_t k, unsigned n,
                        const int64_t *v)
{
    for (unsigned i = 0; i < n; i++)
        w->right[w->unknown[k + i]] = (int16_t)v[i];
    solutions_from(w, k + n);
}

static bool tired(struct solver *w)
{
    w->flood |= ++w->steps > 60000;
    return w->flood;
}

static void each_slice(struct solver *w, uint32_t k, int size, int need,
                       bool pin, bool many)
{
    for (int64_t s = 0; s <= size && !w->flood; s++)
        for (int64_t p = 1; p <= (pin ? 1 : many ? 3 : 9) && !w->flood; p++)
            for (int64_t e = s; e <= size && !tired(w); e++)
                if (need < 0 || (e - s + p - 1) / p == need)
                    with_values(w, k, pin ? 2 : 3, (int64_t[]){s, e, p});
}

static void each_pad(struct solver *w, uint32_t k, int size, int need, bool pin,
                     bool many)
{
    int inner = size > 0 ? size - 1 : 0;
    for (int64_t i = 0; i <= (pin ? 0 : many ? 2 : 8) && !w->flood; i++)
        for (int64_t l = many ? -3 : -8; l <= (many ? 5 : 10) && !w->flood;
             l++) {
            int64_t full = size + l + inner * i;
            int64_t from = need >= 0 ? need - full : -3;
            int64_t to = need >= 0 ? from : 4;
            for (int64_t h = from; h <= to && !tired(w); h++)
                if (full + h >= 0)
                    with_values(w, k, pin ? 2 : 3, (int64_t[]){l, h, i});
        }
}

// Sizes of nodes below the one whose slots are next are those of the values
// chosen so far.
static void solutions_from(struct solver *w, uint32_t k)
{
    if (k == w->n_unknown) {
        if (right_agrees(w))
            keep_solution(w);
        return;
    }
    unsigned which = 0;
    const struct sketch *s = &w->r->rhs;
    const struct sketch_node *p = node_of_slot(s, w->unknown[k], &which);
    unsigned node = (unsigned)(p - s->node);
    int need = needed(w, node);
    bool many = w->n_unknown > 3;
    if (p->kind == SKETCH_BROADCAST || p->kind == SKETCH_SPLAT) {
        int64_t from = need >= 0 ? need : 0, to = need >= 0 ? need : 8;
        for (int64_t m = from; m <= to && !tired(w); m++)
            with_values(w, k, 1, &m);
        return;
    }
    // The operand's size.
    struct sketch below;
    const struct sketch_array *r;
    struct sketch_world world = w->world;
    if (s->node[p->arg[0]].kind == SKETCH_TENSOR) {
        int size = world.size[s->node[p->arg[0]].what][w->cls];
        (p->kind == SKETCH_SLICE ? each_slice : each_pad)(w, k, size, need,
                                                          p->pin, many);
        return;
    }
    // Slots are numbered in the order of nodes: those below come first and
    // keep their distances.
    int16_t slots[SKETCH_SLOTS];
    unsigned n = 0;
    sketch_below(s, p->arg[0], &below);
    for (unsigned i = 0; i < s->n; i++) {
        // Nodes of `below` stand in the order of construction, too.
        bool in = false;
        uint8_t stack[SKETCH_NODES], top = 0;
        stack[top++] = p->arg[0];
        while (top > 0) {
            uint8_t q = stack[--top];
            in |= q == i;
            for (unsigned a = 0; a < sketch_arity(s->node[q].kind); a++)
                stack[top++] = s->node[q].arg[a];
        }
        unsigned per = sketch_node_slots(&s->node[i]) *
                       (unsigned)__builtin_popcount(s->node[i].acts);
        for (unsigned q = 0; in && q < per; q++)
            slots[n++] = w->right[s->node[i].slot + q];
    }
    struct sketch_values *v = w->lv;
    if (!sketch_eval(&below, &world, slots, v, &r)) {
        return;
    }
    int size = r->size[w->cls];
    (p->kind == SKETCH_SLICE ? each_slice : each_pad)(w, k, size, need, p->pin,
                                                      many);
}

// The left side's value at a point; the target is a copy.
static bool left_value(struct solver *w, const struct point *p,
                       struct sketch_array *copy)
{
    const struct sketch_array *r;
    put_known(w, p->known);
    w->counts->evaluations++;
    if (!sketch_eval(&w->r->lhs, &w->world, w->left, w->lv, &r))
        return false;
    copy->classes = r->classes;
    copy->n = r->n;
    memcpy(copy->size, r->size, sizeof r->size);
    memcpy(copy->at, r->at, r->n * sizeof *r->at);
    w->target = copy;
    return true;
}

static void find_solutions(struct solver *w, struct point *p,
                           struct sketch_array *copy)
{
    int64_t room[SOLUTIONS * SKETCH_SLOTS];
    if (p->sampled)
        return;
    p->sampled = true;
    if (!left_value(w, p, copy))
        return;
    p->solution = room;
    p->n = 0;
    w->at = p;
    w->flood = false;
    w->steps = 0;
    memcpy(w->right, w->base->right, sizeof w->right);
    solutions_from(w, 0);
    p->usable = !w->flood;
    p->agrees = p->n > 0;
    uint32_t total = p->n * w->n_unknown;
    p->solution = ARENA_NEW(w->mem, int64_t, total + 1);
    memcpy(p->solution, room, total * sizeof *room);
}

// What holds of empty parts only is another rule's.
static bool none_empty(const struct solver *w)
{
    for (unsigned i = 0; i < w->r->lhs.n; i++)
        if (w->lv->node[i].n == 0)
            return false;
    return true;
}

static int largest_size(const struct solver *w)
{
    int most = 0;
    for (unsigned t = 0; t < w->r->lhs.n_tensors; t++)
        if (w->r->lhs.shape[t] >> w->cls & 1 && w->world.size[t][w->cls] > most)
            most = w->world.size[t][w->cls];
    return most;
}

static void random_sizes(struct solver *w, struct rng *rng)
{
    static const int16_t sizes[] = {0, 1, 2, 3, 3, 4, 5, 5};
    const struct sketch *l = &w->r->lhs;
    int16_t of[SKETCH_TENSORS * SKETCH_CLASSES];
    for (unsigned i = 0; i < SKETCH_TENSORS * SKETCH_CLASSES; i++)
        of[i] = sizes[rng_below(rng, 8)];
    for (unsigned t = 0; t < l->n_tensors; t++)
        if (l->shape[t] >> w->cls & 1)
            w->world.size[t][w->cls] = of[w->z.tensor[t][w->cls]];
}

// Values of this class by chance, those of the others as in the base.
static bool make_points(struct solver *w, struct rng *rng)
{
    uint8_t slot[SKETCH_SLOTS];
    uint32_t n = slots_on(&w->r->lhs, w->cls, slot);
    struct sketch_array *copy = ARENA_NEW(w->mem, struct sketch_array, 1);
    w->points = ARENA_NEW(w->mem, struct point, POINTS);
    for (uint32_t k = 0; k < 8 * POINTS && w->n_points < POINTS; k++) {
        struct point *p = &w->points[w->n_points];
        const struct sketch_array *r;
        int16_t slots[SKETCH_SLOTS] = {0};
        random_sizes(w, rng);
        (void)sketch_sample(&w->r->lhs, &w->world, &w->z, rng, slots, w->lv,
                            &r);
        for (uint32_t i = 0; i < n; i++)
            w->left[slot[i]] = slots[slot[i]];
        for (uint32_t i = 0; i < w->known.n; i++) {
            if (!w->known.at[i].size)
                p->known[i] = w->left[w->known.at[i].which];
            for (unsigned t = 0; t < w->r->lhs.n_tensors; t++)
                if (w->known.at[i].size && w->r->lhs.shape[t] >> w->cls & 1 &&
                    w->z.tensor[t][w->cls] == w->known.at[i].which)
                    p->known[i] = w->world.size[t][w->cls];
        }
        if (!left_value(w, p, copy) || copy->size[w->cls] > LARGEST ||
            (w->base->avoid && w->left[w->base->avoid - 1] == w->base->value))
            continue;
        for (uint32_t i = 0; i < w->n_computed; i++) {
            const struct computed *c = &w->computed[i];
            int64_t size = w->lv->node[c->node].size[w->cls];
            const int16_t *at = &w->left[c->slot];
            p->known[w->known.n + i] = c->distance ? at[0] + 1
                                       : !c->end   ? size
                                       : size == 0
                                           ? at[-2]
                                           : at[-2] + (size - 1) * at[0] + 1;
        }
        // Where the axis goes, the operand's size counts; a rule of one
        // operator may be about single elements.
        p->rich = copy->n > 0 && none_empty(w) &&
                  (w->r->lhs.n_ops < 2 ||
                   (copy->classes >> w->cls & 1 ? copy->size[w->cls] > 1
                                                : largest_size(w) > 1));
        w->n_points++;
    }
    return w->n_points >= 8;
}

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
                        const struct point *p, bool anywhere,
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
    if (!defined || !left_value(w, p, copy))
        return WRONG;
    memcpy(w->right, w->base->right, sizeof w->right);
    for (uint32_t i = 0; i < w->n_unknown; i++) {
        int64_t v = a->map[a->unknown[i]][0];
        if (v < -1000 || v > 1000)
            return WRONG;
        w->right[w->unknown[i]] = (int16_t)v;
    }
    return right_agrees(w) ? RIGHT : WRONG;
}

struct learned {
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
        struct point *p = &w->points[i];
        uint32_t most = p->rich ? LEARNED : POOR;
        if (count[p->rich][0] >= most && count[p->rich][1] >= most)
            continue;
        tries++;
        find_solutions(w, p, copy);
        if (!p->usable || count[p->rich][p->agrees] >= most)
            continue;
        count[p->rich][p->agrees]++;
        pick[n++] = i;
    }
    return count[1][1] < 4 ? 0 : n;
}

// Counts where the slots are right; false: they cannot be read.
static bool count_right(struct solver *w, const struct fit_answer *f,
                        struct learned *out, struct sketch_array *copy)
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
static bool learn_slots(struct solver *w, struct learned *out,
                        struct sketch_array *copy)
{
    uint32_t pick[POINTS], n = choose_samples(w, pick, copy);
    out->covered = 0;
    for (int round = 0; round < SLOT_ROUNDS && n > 0; round++) {
        struct fit_sample *s = ARENA_NEW(w->mem, struct fit_sample, n);
        struct fit_answer best[1];
        struct learned one;
        for (uint32_t i = 0; i < n; i++) {
            const struct point *p = &w->points[pick[i]];
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
            find_solutions(w, &w->points[i], copy);
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
static bool given_slots(struct solver *w, struct learned *out,
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
static uint32_t where_at_level(struct solver *w, const struct learned *l,
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
static bool learn_where(struct solver *w, struct learned *out, unsigned levels,
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
static void mark_met(struct solver *w, struct learned *l,
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
        struct learned l = {0};
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
        if (!make_points(w, rng) ||
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
