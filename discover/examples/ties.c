// SPDX-License-Identifier: Apache-2.0
// Solutions that are right at equally many of the points that they were solved at.  These are few:
// at more of them one solution may be right wherever another one is, and elsewhere, too.  Then the
// rule with it is the more general one, whichever text is shorter.
#include "discover/examples/search.h"

struct tied {
    struct solution solution;
    struct experiment *lab; // of the rule with the solution; NULL: it cannot be written
    bool right[EXAMPLE_TIED_POINTS];
};

static struct experiment *open_lab(struct search *search, uint32_t cls,
                                   const struct solution *solution)
{
    const char **slot = search->choice.slot;
    for (uint32_t u = 0; u < solution->n; u++)
        slot[solution->slot[u]] = solution->text[u];
    const struct rule *rule = example_write(search, cls);
    for (uint32_t u = 0; u < solution->n; u++)
        slot[solution->slot[u]] = NULL;
    return rule == NULL ? NULL : experiment_new(rule, rule_domains(rule), search->learner->seed);
}

static bool is_right(struct tied *tied, const struct experiment *at)
{
    if (tied->lab == NULL || !experiment_copy(tied->lab, at))
        return false;
    enum experiment_answer answer = experiment_try(tied->lab, 2);
    return answer == EXPERIMENT_AGREE || answer == EXPERIMENT_EMPTY;
}

// Asks all of them at the same points.
static void ask(struct search *search, const struct tie_points *points, struct tied *tied,
                uint32_t n)
{
    bool good = false;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < EXAMPLE_TIED_TRIES && asked < EXAMPLE_TIED_POINTS; i++) {
        if (!learner_next(points->lab, points->root, &good))
            continue;
        example_pin_others(search, points->rule, points->lab, points->cls);
        good = experiment_left(points->lab);
        for (uint32_t k = 0; k < n && good; k++)
            tied[k].right[asked] = is_right(&tied[k], points->lab);
        asked += good;
    }
}

// Is `a` right wherever `b` is, and elsewhere, too?
static bool is_wider(const struct tied *a, const struct tied *b)
{
    bool more = false;
    for (uint32_t p = 0; p < EXAMPLE_TIED_POINTS; p++) {
        if (b->right[p] && !a->right[p])
            return false;
        more = more || a->right[p] != b->right[p];
    }
    return more;
}

// The widest comes first; those that are equally wide stay in their order.
static void order(struct tied *tied, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t best = i;
        for (uint32_t k = i + 1; k < n; k++)
            if (is_wider(&tied[k], &tied[best]))
                best = k;
        struct tied first = tied[best];
        memmove(&tied[i + 1], &tied[i], (best - i) * sizeof *tied);
        tied[i] = first;
    }
}

void solutions_order(struct search *search, const struct tie_points *points,
                     struct solution *solution, uint32_t n)
{
    uint32_t n_tied = 0;
    while (n_tied < n && solution[n_tied].score == solution[0].score)
        n_tied++;
    if (n_tied < 2)
        return;
    struct tied *tied = mem_alloc(n_tied * sizeof *tied);
    for (uint32_t i = 0; i < n_tied; i++)
        tied[i] = (struct tied){.solution = solution[i],
                                .lab = open_lab(search, points->cls, &solution[i])};
    ask(search, points, tied, n_tied);
    for (uint32_t i = 0; i < n_tied; i++) {
        search->learner->n_instances += tied[i].lab == NULL ? 0 : experiment_count(tied[i].lab);
        experiment_free(tied[i].lab);
    }
    order(tied, n_tied);
    for (uint32_t i = 0; i < n_tied; i++)
        solution[i] = tied[i].solution;
    mem_free(tied);
}
