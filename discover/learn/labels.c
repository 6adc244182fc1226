// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/labels.h"
#include "discover/limits.h"
#include "verify/counterexample/search.h"
#include <string.h>

static void push_label(struct learner *learner, struct labels *labels, const int64_t *v, bool good,
                       bool kept)
{
    int64_t *known = ARENA_NEW(&learner->set.mem, int64_t, labels->columns.n + 1);
    uint32_t weight = 0;
    memcpy(known, v, labels->columns.n * sizeof *known);
    struct fit_sample sample = {.known = known};
    vec_push(&labels->at, sample);
    vec_push(&labels->is_good, good);
    vec_push(&labels->is_kept, kept);
    bool was = kept || (labels->narrow != NULL && experiment_copy(labels->narrow, labels->lab) &&
                        experiment_left(labels->narrow));
    vec_push(&labels->was, was);
    vec_push(&labels->text, learner_case(learner, labels->lab));
    for (uint32_t i = 0; i < labels->columns.n; i++)
        weight += (uint32_t)(known[i] < 0 ? 1 - 2 * known[i] : known[i]);
    vec_push(&labels->weight, weight);
    labels->n_good += good;
    labels->n_bad += !good;
}

void labels_sample(struct learner *learner, struct labels *labels, uint32_t points)
{
    bool good = false, good_before = false;
    uint32_t empty = 0;
    int64_t v[LEARN_COLUMNS];
    for (uint32_t tries = 0; tries < LEARN_LABEL_TRIES * points && labels->at.len < points;
         tries++) {
        bool before = labels->narrow != NULL && tries % 3 == 0;
        if (before) {
            if (!learner_next(labels->narrow, labels->root_narrow, &good_before) ||
                !experiment_copy(labels->lab, labels->narrow) || !experiment_left(labels->lab))
                continue;
            good = true;
        } else if (!learner_next(labels->lab, labels->root, &good)) {
            continue;
        }
        if (experiment_left_size(labels->lab) < 2 && rng_below(experiment_rng(labels->lab), 4))
            continue;
        enum experiment_answer a = experiment_run(labels->lab, 2);
        if (a == EXPERIMENT_UNSURE || (a == EXPERIMENT_EMPTY && 5 * empty > points) ||
            !columns_read(&labels->columns, labels->rule, labels->lab, v))
            continue;
        empty += a == EXPERIMENT_EMPTY;
        labels->broken = labels->broken || (before && a == EXPERIMENT_DIFFER);
        push_label(learner, labels, v, a != EXPERIMENT_DIFFER, before && a != EXPERIMENT_DIFFER);
    }
}

bool labels_keep(struct learner *learner, struct labels *labels)
{
    int64_t v[LEARN_COLUMNS];
    if (!columns_read(&labels->columns, labels->rule, labels->lab, v))
        return false;
    push_label(learner, labels, v, true, true);
    return true;
}

void labels_start(struct learner *learner, const struct learn_problem *problem,
                  const struct rule *rule, uint32_t root, struct labels *labels)
{
    *labels = (struct labels){.rule = rule, .root = root, .alone = problem->alone};
    labels->lab = experiment_new(rule, problem->domains, learner->seed + 5);
    if (problem->alone)
        experiment_alone(labels->lab);
    experiment_fix(labels->lab, problem->fixed);
    columns_known(learner, problem, rule, root, &labels->columns);
    columns_sizes(learner, rule, root, LEARN_SIZE_COLUMNS, &labels->columns);
    columns_ends(learner, rule, root, &labels->columns);
}

void labels_release(struct learner *learner, struct labels *labels)
{
    learner->n_instances += experiment_count(labels->lab);
    experiment_free(labels->lab);
    experiment_free(labels->narrow);
    vec_release(&labels->at);
    vec_release(&labels->is_kept);
    vec_release(&labels->was);
    vec_release(&labels->is_good);
    vec_release(&labels->text);
    vec_release(&labels->weight);
}

bool labels_fit(struct learner *learner, struct labels *labels, uint32_t literals,
                struct fit_where *out)
{
    bool *good = ARENA_NEW(&learner->set.mem, bool, labels->at.len + 1);
    bool *kept = ARENA_NEW(&learner->set.mem, bool, labels->at.len + 1);
    for (uint32_t i = 0; i < labels->at.len; i++) {
        good[i] = labels->is_good.at[i];
        kept[i] = labels->is_kept.at[i];
    }
    struct fit_problem problem = {.n_known = labels->columns.n,
                                  .n_samples = labels->at.len,
                                  .known = labels->columns.name,
                                  .samples = labels->at.at,
                                  .max_literals = literals,
                                  .max_terms = LEARN_LABEL_TERMS,
                                  .kept = kept};
    return fit_where(&problem, good, &learner->set.mem, out);
}

const char *labels_lost_point(const struct labels *labels, const struct fit_where *answer)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < labels->at.len; i++)
        if (labels->is_good.at[i] && !answer->meets[i] &&
            (best == NONE || labels->weight.at[i] < labels->weight.at[best]))
            best = i;
    return best == NONE ? NULL : labels->text.at[best];
}

uint32_t labels_attack(struct learner *learner, struct labels *labels, const struct rule *rule,
                       const struct learn_problem *problem, uint32_t round)
{
    struct experiment *lab = experiment_new(rule, problem->domains, learner->seed + 31 + round);
    uint32_t found = 0;
    bool good = false;
    int64_t v[LEARN_COLUMNS];
    if (problem->alone)
        experiment_alone(lab);
    experiment_fix(lab, problem->fixed);
    for (uint32_t i = 0; i < LEARN_ATTACKS && found < LEARN_ATTACK_FINDS; i++) {
        if (!learner_next(lab, labels->root, &good) || experiment_run(lab, 2) != EXPERIMENT_DIFFER)
            continue;
        if (!experiment_copy(labels->lab, lab) ||
            !columns_read(&labels->columns, labels->rule, labels->lab, v))
            continue;
        push_label(learner, labels, v, false, false);
        found++;
    }
    learner->n_instances += experiment_count(lab);
    experiment_free(lab);
    return found;
}

void labels_try(struct learner *learner, struct labels *labels)
{
    int64_t v[LEARN_COLUMNS];
    enum experiment_answer a = experiment_try(labels->lab, 2);
    if ((a == EXPERIMENT_AGREE || a == EXPERIMENT_DIFFER) &&
        columns_read(&labels->columns, labels->rule, labels->lab, v))
        push_label(learner, labels, v, a == EXPERIMENT_AGREE, false);
}

// Labels points near the current case, which is wrong: they are near the border
// between right and wrong.
static void label_around(struct learner *learner, struct labels *labels)
{
    for (uint32_t i = 0; i < LEARN_NEIGHBOURS; i++) {
        experiment_mutate(labels->lab, labels->root);
        labels_try(learner, labels);
    }
}

uint32_t labels_learn(struct learner *learner, struct labels *labels, const struct rule *rule,
                      const char *json)
{
    struct arena mem = {0};
    struct cex_hint cex_hint;
    uint32_t found = 0, places = 0;
    int64_t v[LEARN_COLUMNS];
    if (json == NULL || !cex_hint_of(rule, json, &mem, &cex_hint)) {
        arena_release(&mem);
        return 0;
    }
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (class_root(rule, c) == labels->root && cex_hint.rank[c] > places)
            places = cex_hint.rank[c];
    for (uint32_t i = 0; i < places; i++) {
        experiment_random(labels->lab, labels->root);
        for (uint32_t m = 0; m < rule->n_maps; m++) {
            uint32_t o = map_by_name(labels->rule, rule->maps[m].name);
            uint32_t rank = cex_hint.rank[rule->maps[m].cls];
            bool own = class_root(rule, rule->maps[m].cls) == labels->root;
            if (!own && labels->alone)
                continue;
            if (o != NONE && rank > 0 && rule->maps[m].def == NULL)
                experiment_map(labels->lab, o)[0] = cex_hint.map[m][own && i < rank ? i : 0];
        }
        if (((places > 1 || labels->alone) &&
             experiment_try(labels->lab, 5) != EXPERIMENT_DIFFER) ||
            !columns_read(&labels->columns, labels->rule, labels->lab, v))
            continue;
        push_label(learner, labels, v, false, false);
        found++;
        label_around(learner, labels);
    }
    arena_release(&mem);
    return found;
}

uint32_t labels_losses(struct learner *learner, struct labels *labels, const struct rule *rule,
                       const struct learn_problem *problem)
{
    uint32_t found = 0;
    bool good = false;
    int64_t v[LEARN_COLUMNS];
    if (labels->narrow == NULL)
        return 0;
    struct experiment *wide = experiment_new(rule, problem->domains, learner->seed + 41);
    for (uint32_t i = 0; i < LEARN_LOSS_TRIES && found < LEARN_LOSSES; i++) {
        if (!learner_next(labels->narrow, labels->root_narrow, &good) ||
            !experiment_copy(wide, labels->narrow) || experiment_left(wide) ||
            !experiment_copy(labels->lab, labels->narrow) || !experiment_left(labels->lab) ||
            !columns_read(&labels->columns, labels->rule, labels->lab, v))
            continue;
        enum experiment_answer a = experiment_run(labels->lab, 3);
        labels->broken = labels->broken || a == EXPERIMENT_DIFFER;
        push_label(learner, labels, v, a != EXPERIMENT_DIFFER, a != EXPERIMENT_DIFFER);
        found++;
    }
    learner->n_instances += experiment_count(wide);
    experiment_free(wide);
    return found;
}
