// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/learn.h"
#include "discover/learn/labels.h"
#include "discover/learn/solve.h"
#include <string.h>

#define ROUNDS 10

// ---- a precondition for given attributes

static const struct rule *with_where(struct learner *l, const struct draft *d,
                                     const struct fit_where *w)
{
    struct draft own;
    struct err e = {0};
    draft_copy(&own, d);
    for (uint32_t i = 0; i < w->n_terms; i++)
        draft_where(&own, w->term[i]);
    const struct rule *r = draft_rule(&own, &l->set, &e);
    l->n_rules++;
    draft_release(&own);
    return r;
}

// Is a covered point outside of where the rule held before?
static const char *wider_point(struct learner *l, const struct learn_problem *k,
                               const struct draft *d, const struct labels *b,
                               const struct fit_where *w)
{
    const char *found = NULL;
    if (b->narrow == NULL)
        return "";
    const struct rule *wide = with_where(l, d, w);
    if (wide == NULL)
        return NULL;
    struct experiment *x = experiment_new(wide, k->domains, l->seed + 7);
    bool good = false;
    for (uint32_t i = 0; i < 3000; i++) {
        if (!learner_next(x, b->root, &good) || !experiment_copy(b->narrow, x) ||
            experiment_left(b->narrow))
            continue;
        enum experiment_answer a = experiment_run(x, 2);
        if (a == EXPERIMENT_AGREE || (a == EXPERIMENT_EMPTY && found == NULL))
            found = learner_case(l, x);
        if (a == EXPERIMENT_AGREE)
            break;
        if (a == EXPERIMENT_EMPTY && w->literals > 1)
            found = NULL; // no more than tensors without elements
    }
    l->n_instances += experiment_count(x);
    experiment_free(x);
    return found;
}

// Is an alternative of the precondition that the rule had it already?
static bool says_again(const struct fit_where *w, const char *narrow)
{
    size_t n = strlen(narrow);
    for (uint32_t i = 0; i < w->n_terms; i++) {
        const char *at = strstr(w->term[i], narrow);
        bool first = at == w->term[i];
        if (at != NULL && !first && at - w->term[i] >= 4)
            first = strncmp(at - 4, " or ", 4) == 0;
        if (at != NULL && first &&
            (at[n] == '\0' || strncmp(at + n, " or ", 4) == 0))
            return true;
    }
    return false;
}

// Is what is new worth its literals?  One or two are; more must cover a tenth
// of the points at which the rule did not hold before, and so must exceptions
// to what the rule asked for.
static bool worth(const struct learn_problem *k, const struct labels *b,
                  const struct fit_where *w)
{
    uint32_t outside = 0, gained = 0;
    bool few = w->literals <= 2;
    for (uint32_t i = 0; i < b->at.len; i++) {
        outside += !b->was.at[i];
        gained += !b->was.at[i] && w->meets[i];
    }
    if (few && k->narrow != NULL && says_again(w, k->narrow))
        few = false;
    return b->narrow == NULL || few || 10 * gained >= outside;
}

static const char *undecided(struct learner *l, const struct learn_problem *k,
                             const char *const *expr, const struct fit_where *w)
{
    struct buf t = {0};
    buf_puts(&t, "the prover does not decide it");
    for (uint32_t i = 0; i < w->n_terms; i++)
        buf_printf(&t, "%s%s", i ? ", " : " where ", w->term[i]);
    for (uint32_t u = 0; u < k->n_unknown; u++)
        buf_printf(&t, "; %s", expr[u]);
    const char *text = arena_strdup(&l->set.mem, buf_text(&t));
    buf_release(&t);
    return text;
}

static bool settle(struct learner *l, const struct learn_problem *k,
                   const struct draft *d, const char *const *expr,
                   struct labels *b, struct learned *out, const char **why)
{
    struct fit_where w;
    const struct learn_memo *memo;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (!labels_fit(l, b, 2, &w)) {
            *why = "no precondition of few literals separates right from wrong";
            return false;
        }
        if (20 * w.covered < 17 * b->n_good) { // many are lost
            struct fit_where three;
            if (labels_fit(l, b, 3, &three) && three.covered > w.covered)
                w = three;
        }
        if (!worth(k, b, &w)) {
            *why = "what can be gained is small and long to say";
            return false;
        }
        const struct rule *r = with_where(l, d, &w);
        if (r == NULL) {
            *why = "the precondition is none of the language";
            return false;
        }
        if (b->broken) {
            *why = "it would be wrong where it held before";
            return false;
        }
        if (labels_attack(l, b, r, k, round) > 0 ||
            labels_losses(l, b, r, k) > 0)
            continue;
        unsigned proved =
            learner_prove(l, r, k->domains, !k->some_domains, &memo);
        bool ok = k->some_domains ? proved != 0
                                  : proved == (k->domains & rule_domains(r));
        if (ok) {
            *out = (struct learned){.rule = r,
                                    .proved = proved,
                                    .n_terms = w.n_terms,
                                    .term = w.term,
                                    .points = b->n_good + b->n_bad,
                                    .good = b->n_good,
                                    .covered = w.covered,
                                    .lost = labels_lost_point(b, &w)};
            out->wider = wider_point(l, k, d, b, &w);
            if (out->wider == NULL)
                *why = "what is proved is no wider";
            return out->wider != NULL;
        }
        if (memo->refuted == 0) {
            *why = undecided(l, k, expr, &w);
            return false;
        }
        if (labels_learn(l, b, r, memo->json) == 0) {
            *why = memo->counterexample ? memo->counterexample
                                        : "the prover refutes it";
            return false;
        }
    }
    *why = "every precondition was refuted";
    return false;
}

// ---- attributes

struct attribute_trial {
    struct draft d;
    struct labels b;
    const char **expr;
    uint32_t size;
    uint32_t right; // of a thousand
};

static bool trial_start(struct learner *l, const struct learn_problem *k,
                        const struct fit_answer *a, struct attribute_trial *t)
{
    struct err e = {0};
    *t = (struct attribute_trial){.expr = a ? a->expr : NULL, .size = a ? a->size : 0};
    draft_copy(&t->d, k->draft);
    for (uint32_t u = 0; u < k->n_unknown; u++)
        draft_define(&t->d, k->unknown[u], a->expr[u]);
    const struct rule *r = draft_rule(&t->d, &l->set, &e);
    l->n_rules++;
    if (r == NULL)
        return false;
    uint32_t cls = NONE, kept = 0;
    for (uint32_t c = 0; c < r->n_classes && k->root != NONE; c++)
        if (strcmp(r->classes[c].name, k->draft->classes[k->root].name) == 0)
            cls = c;
    labels_start(l, k, r, cls == NONE ? NONE : class_root(r, cls), &t->b);
    if (k->narrow != NULL) {
        struct draft before;
        draft_copy(&before, &t->d);
        draft_where(&before, k->narrow);
        const struct rule *n = draft_rule(&before, &l->set, &e);
        draft_release(&before);
        if (n == NULL)
            return false;
        t->b.narrow = experiment_new(n, k->domains, l->seed + 6);
        t->b.root_narrow = t->b.root;
    }
    labels_sample(l, &t->b, 150);
    for (uint32_t i = 0; i < t->b.at.len; i++)
        if (t->b.is_kept.at[i])
            kept++;
    if (t->b.narrow != NULL && kept == 0)
        return false;
    uint32_t all = t->b.n_good + t->b.n_bad;
    t->right = all ? 1000 * t->b.n_good / all : 0;
    return t->b.n_good >= 5;
}

static void trial_release(struct learner *l, struct attribute_trial *t)
{
    if (t->b.lab != NULL)
        labels_release(l, &t->b);
    draft_release(&t->d);
}

static bool better_trial(const struct attribute_trial *a, const struct attribute_trial *b)
{
    return a->right / 20 != b->right / 20 ? a->right > b->right
                                          : a->size < b->size;
}

struct attribute_trials {
    uint32_t n;
    struct attribute_trial at[4 * ANSWERS];
};

static void add_trials(struct learner *l, const struct learn_problem *k, uint32_t n,
                       const struct fit_answer *answers, struct attribute_trials *t,
                       const char **why)
{
    for (uint32_t i = 0; i < n && t->n < 4 * ANSWERS; i++) {
        struct attribute_trial one;
        if (t->n > 0 && t->at[0].right >= 995 && !t->at[0].b.broken)
            return;
        if (!trial_start(l, k, answers ? &answers[i] : NULL, &one)) {
            *why = "the sides agree at too few points";
            trial_release(l, &one);
            continue;
        }
        uint32_t at = t->n++;
        for (; at > 0 && better_trial(&one, &t->at[at - 1]); at--)
            t->at[at] = t->at[at - 1];
        t->at[at] = one;
    }
}

static bool try_expressions(struct learner *l, const struct learn_problem *k,
                            struct attribute_trials *t, const char **why)
{
    struct fit_answer answers[ANSWERS];
    struct solving s;
    struct err e = {0};
    const struct rule *r = draft_rule(k->draft, &l->set, &e);
    if (r == NULL) {
        *why = arena_strdup(&l->set.mem, e.msg);
        return false;
    }
    uint32_t cls = 0;
    while (cls < r->n_classes &&
           strcmp(r->classes[cls].name, k->draft->classes[k->root].name) != 0)
        cls++;
    if (cls < r->n_classes && solving_start(l, k, r, class_root(r, cls), &s)) {
        uint32_t m = solving_fit(&s, 5, answers);
        add_trials(l, k, m, answers, t, why);
        if (m == 0 ||
            (t->n > 0 && (t->at[0].right < 990 || t->at[0].b.broken) &&
             solving_wrong(&s, &t->at[0].b))) {
            m = solving_fit(&s, 7, answers);
            add_trials(l, k, m, answers, t, why);
        }
        experiment_free(s.lab);
    }
    return t->n > 0;
}

bool learn_rule(struct learner *l, const struct learn_problem *k, struct learned *out,
           const char **why)
{
    struct attribute_trials *t = mem_alloc(sizeof *t);
    bool found = false;
    *why = "no attributes were found under which both sides agree";
    if (k->n_unknown == 0)
        add_trials(l, k, 1, NULL, t, why);
    else
        try_expressions(l, k, t, why);
    uint32_t settled = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        struct attribute_trial *one = &t->at[i];
        if (one->b.broken)
            *why = "it would be wrong where it held before";
        else if (!found && settled < 3 && (settled == 0 || one->right > 500)) {
            settled++;
            labels_sample(l, &one->b, l->points ? l->points : 1000);
            found = settle(l, k, &one->d, one->expr, &one->b, out, why);
            if (found)
                out->expr = one->expr;
        }
        trial_release(l, one);
    }
    mem_free(t);
    return found;
}
