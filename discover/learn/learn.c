// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/learn.h"
#include "discover/limits.h"
#include "discover/learn/labels.h"
#include "discover/learn/solve.h"
#include <string.h>

// ---- a precondition for given attributes

static const struct rule *with_where(struct learner *learner, const struct draft *draft,
                                     const struct fit_where *answer)
{
    struct draft own;
    struct err err = {0};
    draft_copy(&own, draft);
    for (uint32_t i = 0; i < answer->n_terms; i++)
        draft_where(&own, answer->term[i]);
    const struct rule *rule = draft_rule(&own, &learner->set, &err);
    learner->n_rules++;
    draft_release(&own);
    return rule;
}

// Does the precondition admit a point at which the rule did not hold before?
static const char *wider_point(struct learner *learner, const struct learn_problem *problem,
                               const struct draft *draft, const struct labels *labels,
                               const struct fit_where *answer)
{
    const char *found = NULL;
    if (labels->narrow == NULL)
        return "";
    const struct rule *wide = with_where(learner, draft, answer);
    if (wide == NULL)
        return NULL;
    struct experiment *experiment = experiment_new(wide, problem->domains, learner->seed + 7);
    bool good = false;
    for (uint32_t i = 0; i < LEARN_TERM_TRIES; i++) {
        if (!learner_next(experiment, labels->root, &good) ||
            !experiment_copy(labels->narrow, experiment) || experiment_left(labels->narrow))
            continue;
        enum experiment_answer a = experiment_run(experiment, 2);
        if (a == EXPERIMENT_AGREE || (a == EXPERIMENT_EMPTY && found == NULL))
            found = learner_case(learner, experiment);
        if (a == EXPERIMENT_AGREE)
            break;
        if (a == EXPERIMENT_EMPTY && answer->literals > 1)
            found = NULL; // the gain is tensors without elements only
    }
    learner->n_instances += experiment_count(experiment);
    experiment_free(experiment);
    return found;
}

// Does an alternative of the precondition repeat what the rule asked for
// before?
static bool says_again(const struct fit_where *answer, const char *narrow)
{
    size_t n = strlen(narrow);
    for (uint32_t i = 0; i < answer->n_terms; i++) {
        const char *at = strstr(answer->term[i], narrow);
        bool first = at == answer->term[i];
        if (at != NULL && !first && at - answer->term[i] >= 4)
            first = strncmp(at - 4, " or ", 4) == 0;
        if (at != NULL && first && (at[n] == '\0' || strncmp(at + n, " or ", 4) == 0))
            return true;
    }
    return false;
}

// Are the new points worth the literals?  One or two literals are.  Longer
// preconditions must cover a tenth of the points at which the rule did not hold
// before; so must exceptions to the old precondition.
static bool worth(const struct learn_problem *problem, const struct labels *labels,
                  const struct fit_where *answer)
{
    uint32_t outside = 0, gained = 0;
    bool few = answer->literals <= 2;
    for (uint32_t i = 0; i < labels->at.len; i++) {
        outside += !labels->was.at[i];
        gained += !labels->was.at[i] && answer->meets[i];
    }
    if (few && problem->narrow != NULL && says_again(answer, problem->narrow))
        few = false;
    return labels->narrow == NULL || few || 10 * gained >= outside;
}

static const char *undecided(struct learner *learner, const struct learn_problem *problem,
                             const char *const *expr, const struct fit_where *answer)
{
    struct buf buf = {0};
    buf_puts(&buf, "the prover does not decide the rule");
    for (uint32_t i = 0; i < answer->n_terms; i++)
        buf_printf(&buf, "%s%s", i ? ", " : " where ", answer->term[i]);
    for (uint32_t u = 0; u < problem->n_unknown; u++)
        buf_printf(&buf, "; %s", expr[u]);
    const char *text = arena_strdup(&learner->set.mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

struct attribute_trial {
    struct draft draft;
    struct labels labels;
    const char **expr;
    uint32_t size;
    uint32_t right; // points at which both sides agree, of a thousand
};

// Two literals in a disjunction; three if two lose many good points.
static bool fit_labels(struct learner *learner, struct labels *labels, struct fit_where *answer)
{
    struct fit_where three;
    if (!labels_fit(learner, labels, 2, answer))
        return false;
    if (20 * answer->covered < 17 * labels->n_good && labels_fit(learner, labels, 3, &three) &&
        three.covered > answer->covered)
        *answer = three;
    return true;
}

// Refutes a precondition of the trial and learns a better one, until one is proved.
static bool settle(struct learner *learner, const struct learn_problem *problem,
                   struct attribute_trial *trial, struct learned *out, const char **why)
{
    struct labels *labels = &trial->labels;
    struct fit_where answer;
    const struct learn_memo *memo;
    for (uint32_t round = 0; round < LEARN_ROUNDS && !learner_over(learner); round++) {
        if (!fit_labels(learner, labels, &answer)) {
            *why = "no precondition of few literals separates right from wrong";
            return false;
        }
        if (!worth(problem, labels, &answer)) {
            *why = "the gain is too small for so long a precondition";
            return false;
        }
        const struct rule *rule = with_where(learner, &trial->draft, &answer);
        if (rule == NULL) {
            *why = "the precondition does not parse";
            return false;
        }
        if (labels->broken) {
            *why = "the rule would be wrong where it held before";
            return false;
        }
        if (labels_attack(learner, labels, rule, problem, round) > 0 ||
            labels_losses(learner, labels, rule, problem) > 0)
            continue;
        unsigned proved =
            learner_prove(learner, rule, problem->domains, !problem->some_domains, &memo);
        bool ok =
            problem->some_domains ? proved != 0 : proved == (problem->domains & rule_domains(rule));
        if (ok) {
            *out = (struct learned){.rule = rule,
                                    .proved = proved,
                                    .n_terms = answer.n_terms,
                                    .term = answer.term,
                                    .points = labels->n_good + labels->n_bad,
                                    .good = labels->n_good,
                                    .covered = answer.covered,
                                    .lost = labels_lost_point(labels, &answer)};
            out->wider = wider_point(learner, problem, &trial->draft, labels, &answer);
            if (out->wider == NULL)
                *why = "the proved rule is no wider";
            return out->wider != NULL;
        }
        if (memo->refuted == 0) {
            *why = undecided(learner, problem, trial->expr, &answer);
            return false;
        }
        if (labels_learn(learner, labels, rule, memo->json) == 0) {
            *why = memo->counterexample ? memo->counterexample : "the prover refutes it";
            return false;
        }
    }
    *why = "every precondition was refuted";
    return false;
}

// ---- attributes

static bool trial_start(struct learner *learner, const struct learn_problem *problem,
                        const struct fit_answer *answer, struct attribute_trial *trial)
{
    struct err err = {0};
    *trial = (struct attribute_trial){.expr = answer ? answer->expr : NULL,
                                      .size = answer ? answer->size : 0};
    draft_copy(&trial->draft, problem->draft);
    for (uint32_t u = 0; u < problem->n_unknown; u++)
        draft_define(&trial->draft, problem->unknown[u], answer->expr[u]);
    const struct rule *rule = draft_rule(&trial->draft, &learner->set, &err);
    learner->n_rules++;
    if (rule == NULL)
        return false;
    uint32_t cls = NONE, kept = 0;
    for (uint32_t c = 0; c < rule->n_classes && problem->root != NONE; c++)
        if (strcmp(rule->classes[c].name, problem->draft->classes[problem->root].name) == 0)
            cls = c;
    labels_start(learner, problem, rule, cls == NONE ? NONE : class_root(rule, cls),
                 &trial->labels);
    if (problem->narrow != NULL) {
        struct draft before;
        draft_copy(&before, &trial->draft);
        draft_where(&before, problem->narrow);
        const struct rule *n = draft_rule(&before, &learner->set, &err);
        draft_release(&before);
        if (n == NULL)
            return false;
        trial->labels.narrow = experiment_new(n, problem->domains, learner->seed + 6);
        trial->labels.root_narrow = trial->labels.root;
    }
    labels_sample(learner, &trial->labels, LEARN_TRIAL_POINTS);
    for (uint32_t i = 0; i < trial->labels.at.len; i++)
        if (trial->labels.is_kept.at[i])
            kept++;
    if (trial->labels.narrow != NULL && kept == 0)
        return false;
    uint32_t all = trial->labels.n_good + trial->labels.n_bad;
    trial->right = all ? 1000 * trial->labels.n_good / all : 0;
    return trial->labels.n_good >= LEARN_LEAST_GOOD;
}

static void trial_release(struct learner *learner, struct attribute_trial *trial)
{
    if (trial->labels.lab != NULL)
        labels_release(learner, &trial->labels);
    draft_release(&trial->draft);
}

static bool better_trial(const struct attribute_trial *a, const struct attribute_trial *b)
{
    return a->right / 20 != b->right / 20 ? a->right > b->right : a->size < b->size;
}

struct attribute_trials {
    uint32_t n;
    struct attribute_trial at[LEARN_TRIALS];
};

static void add_trials(struct learner *learner, const struct learn_problem *problem, uint32_t n,
                       const struct fit_answer *answers, struct attribute_trials *trials,
                       const char **why)
{
    for (uint32_t i = 0; i < n && trials->n < LEARN_TRIALS; i++) {
        struct attribute_trial one;
        if (trials->n > 0 && trials->at[0].right >= 995 && !trials->at[0].labels.broken)
            return;
        if (!trial_start(learner, problem, answers ? &answers[i] : NULL, &one)) {
            *why = "the sides agree at too few points";
            trial_release(learner, &one);
            continue;
        }
        uint32_t at = trials->n++;
        for (; at > 0 && better_trial(&one, &trials->at[at - 1]); at--)
            trials->at[at] = trials->at[at - 1];
        trials->at[at] = one;
    }
}

static bool try_expressions(struct learner *learner, const struct learn_problem *problem,
                            struct attribute_trials *trials, const char **why)
{
    struct fit_answer answers[LEARN_ANSWERS];
    struct solving solving;
    struct err err = {0};
    const struct rule *rule = draft_rule(problem->draft, &learner->set, &err);
    if (rule == NULL) {
        *why = arena_strdup(&learner->set.mem, err.msg);
        return false;
    }
    uint32_t cls = 0;
    while (cls < rule->n_classes &&
           strcmp(rule->classes[cls].name, problem->draft->classes[problem->root].name) != 0)
        cls++;
    if (cls < rule->n_classes &&
        solving_start(learner, problem, rule, class_root(rule, cls), &solving)) {
        uint32_t m = solving_fit(&solving, LEARN_EXPRESSION, answers);
        add_trials(learner, problem, m, answers, trials, why);
        if (m == 0 ||
            (trials->n > 0 && (trials->at[0].right < 990 || trials->at[0].labels.broken) &&
             solving_wrong(&solving, &trials->at[0].labels))) {
            m = solving_fit(&solving, LEARN_LARGER_EXPRESSION, answers);
            add_trials(learner, problem, m, answers, trials, why);
        }
        experiment_free(solving.lab);
    }
    return trials->n > 0;
}

bool learn_rule(struct learner *learner, const struct learn_problem *problem, struct learned *out,
                const char **why)
{
    struct attribute_trials *trials = mem_alloc(sizeof *trials);
    bool found = false;
    *why = "no attributes were found under which both sides agree";
    if (problem->n_unknown == 0)
        add_trials(learner, problem, 1, NULL, trials, why);
    else
        try_expressions(learner, problem, trials, why);
    uint32_t settled = 0;
    for (uint32_t i = 0; i < trials->n; i++) {
        struct attribute_trial *one = &trials->at[i];
        if (one->labels.broken)
            *why = "the rule would be wrong where it held before";
        else if (!found && !learner_over(learner) && settled < LEARN_SETTLED &&
                 (settled == 0 || one->right > 500)) {
            settled++;
            labels_sample(learner, &one->labels, learner->points ? learner->points : LEARN_POINTS);
            found = settle(learner, problem, one, out, why);
            if (found)
                out->expr = one->expr;
        }
        trial_release(learner, one);
    }
    mem_free(trials);
    return found;
}
