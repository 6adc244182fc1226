// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/labels.h"
#include "verify/counterexample/search.h"
#include <string.h>

#define NEIGHBOURS 120 // points looked at around a counterexample
#define ATTACKS 1500

static void push_label(struct learner *l, struct labels *b, const int64_t *v,
                       bool good, bool kept)
{
    int64_t *known = ARENA_NEW(&l->set.mem, int64_t, b->columns.n + 1);
    uint32_t weight = 0;
    memcpy(known, v, b->columns.n * sizeof *known);
    struct fit_sample s = {.known = known};
    vec_push(&b->at, s);
    vec_push(&b->is_good, good);
    vec_push(&b->is_kept, kept);
    bool was = kept || (b->narrow != NULL && experiment_copy(b->narrow, b->lab) &&
                        experiment_left(b->narrow));
    vec_push(&b->was, was);
    vec_push(&b->text, learner_case(l, b->lab));
    for (uint32_t i = 0; i < b->columns.n; i++)
        weight += (uint32_t)(known[i] < 0 ? 1 - 2 * known[i] : known[i]);
    vec_push(&b->weight, weight);
    b->n_good += good;
    b->n_bad += !good;
}

void labels_sample(struct learner *l, struct labels *b, uint32_t points)
{
    bool good = false, good_before = false;
    uint32_t empty = 0;
    int64_t v[MAX_COLUMNS];
    for (uint32_t tries = 0; tries < 400 * points && b->at.len < points;
         tries++) {
        bool before = b->narrow != NULL && tries % 3 == 0;
        if (before) {
            if (!learner_next(b->narrow, b->root_narrow, &good_before) ||
                !experiment_copy(b->lab, b->narrow) || !experiment_left(b->lab))
                continue;
            good = true;
        } else if (!learner_next(b->lab, b->root, &good)) {
            continue;
        }
        if (experiment_left_size(b->lab) < 2 && rng_below(experiment_rng(b->lab), 4))
            continue;
        enum experiment_answer a = experiment_run(b->lab, 2);
        if (a == EXPERIMENT_UNSURE || (a == EXPERIMENT_EMPTY && 5 * empty > points) ||
            !columns_read(&b->columns, b->r, b->lab, v))
            continue;
        empty += a == EXPERIMENT_EMPTY;
        b->broken = b->broken || (before && a == EXPERIMENT_DIFFER);
        push_label(l, b, v, a != EXPERIMENT_DIFFER, before && a != EXPERIMENT_DIFFER);
    }
}

void labels_start(struct learner *l, const struct learn_problem *k,
                  const struct rule *r, uint32_t root, struct labels *b)
{
    *b = (struct labels){.r = r, .root = root};
    b->lab = experiment_new(r, k->domains, l->seed + 5);
    columns_known(l, k, r, root, &b->columns);
    columns_sizes(l, r, root, 3, &b->columns);
}

void labels_release(struct learner *l, struct labels *b)
{
    l->n_instances += experiment_count(b->lab);
    experiment_free(b->lab);
    experiment_free(b->narrow);
    vec_release(&b->at);
    vec_release(&b->is_kept);
    vec_release(&b->was);
    vec_release(&b->is_good);
    vec_release(&b->text);
    vec_release(&b->weight);
}

bool labels_fit(struct learner *l, struct labels *b, uint32_t literals,
                struct fit_where *out)
{
    bool *good = ARENA_NEW(&l->set.mem, bool, b->at.len + 1);
    bool *kept = ARENA_NEW(&l->set.mem, bool, b->at.len + 1);
    for (uint32_t i = 0; i < b->at.len; i++) {
        good[i] = b->is_good.at[i];
        kept[i] = b->is_kept.at[i];
    }
    struct fit_problem p = {.n_known = b->columns.n,
                            .n_samples = b->at.len,
                            .known = b->columns.name,
                            .samples = b->at.at,
                            .max_literals = literals,
                            .max_terms = 8,
                            .kept = kept};
    return fit_where(&p, good, &l->set.mem, out);
}

const char *labels_lost_point(const struct labels *b, const struct fit_where *w)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < b->at.len; i++)
        if (b->is_good.at[i] && !w->meets[i] &&
            (best == NONE || b->weight.at[i] < b->weight.at[best]))
            best = i;
    return best == NONE ? NULL : b->text.at[best];
}

uint32_t labels_attack(struct learner *l, struct labels *b,
                       const struct rule *r, const struct learn_problem *k,
                       uint32_t round)
{
    struct experiment *lab = experiment_new(r, k->domains, l->seed + 31 + round);
    uint32_t found = 0;
    bool good = false;
    int64_t v[MAX_COLUMNS];
    for (uint32_t i = 0; i < ATTACKS && found < 40; i++) {
        if (!learner_next(lab, b->root, &good) || experiment_run(lab, 2) != EXPERIMENT_DIFFER)
            continue;
        if (!experiment_copy(b->lab, lab) ||
            !columns_read(&b->columns, b->r, b->lab, v))
            continue;
        push_label(l, b, v, false, false);
        found++;
    }
    l->n_instances += experiment_count(lab);
    experiment_free(lab);
    return found;
}

// What is near the lab's case, which is wrong, is near the border.
static void label_around(struct learner *l, struct labels *b)
{
    int64_t v[MAX_COLUMNS];
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        experiment_mutate(b->lab, b->root);
        enum experiment_answer a = experiment_try(b->lab, 2);
        if ((a == EXPERIMENT_AGREE || a == EXPERIMENT_DIFFER) &&
            columns_read(&b->columns, b->r, b->lab, v))
            push_label(l, b, v, a == EXPERIMENT_AGREE, false);
    }
}

uint32_t labels_learn(struct learner *l, struct labels *b, const struct rule *r,
                      const char *json)
{
    struct arena mem = {0};
    struct cex_hint h;
    uint32_t found = 0, places = 0;
    int64_t v[MAX_COLUMNS];
    if (json == NULL || !cex_hint_of(r, json, &mem, &h)) {
        arena_release(&mem);
        return 0;
    }
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (class_root(r, c) == b->root && h.rank[c] > places)
            places = h.rank[c];
    for (uint32_t i = 0; i < places; i++) {
        experiment_random(b->lab, b->root);
        for (uint32_t m = 0; m < r->n_maps; m++) {
            uint32_t o = map_by_name(b->r, r->maps[m].name);
            uint32_t rank = h.rank[r->maps[m].cls];
            bool own = class_root(r, r->maps[m].cls) == b->root;
            if (o != NONE && rank > 0 && r->maps[m].def == NULL)
                experiment_map(b->lab, o)[0] = h.map[m][own && i < rank ? i : 0];
        }
        if ((places > 1 && experiment_try(b->lab, 5) != EXPERIMENT_DIFFER) ||
            !columns_read(&b->columns, b->r, b->lab, v))
            continue;
        push_label(l, b, v, false, false);
        found++;
        label_around(l, b);
    }
    arena_release(&mem);
    return found;
}

uint32_t labels_losses(struct learner *l, struct labels *b,
                       const struct rule *r, const struct learn_problem *k)
{
    uint32_t found = 0;
    bool good = false;
    int64_t v[MAX_COLUMNS];
    if (b->narrow == NULL)
        return 0;
    struct experiment *wide = experiment_new(r, k->domains, l->seed + 41);
    for (uint32_t i = 0; i < 4000 && found < 20; i++) {
        if (!learner_next(b->narrow, b->root_narrow, &good) ||
            !experiment_copy(wide, b->narrow) || experiment_left(wide) ||
            !experiment_copy(b->lab, b->narrow) || !experiment_left(b->lab) ||
            !columns_read(&b->columns, b->r, b->lab, v))
            continue;
        enum experiment_answer a = experiment_run(b->lab, 3);
        b->broken = b->broken || a == EXPERIMENT_DIFFER;
        push_label(l, b, v, a != EXPERIMENT_DIFFER, a != EXPERIMENT_DIFFER);
        found++;
    }
    l->n_instances += experiment_count(wide);
    experiment_free(wide);
    return found;
}
