// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/implied.h"
#include "base/rng.h"
#include "verify/symbolic/eval.h"
#include "verify/obligations/session.h"
#include "verify/limits.h"

// Are all conjuncts true of these values?
static bool all_true(struct session *session, const struct u32_vec *conj, const int64_t *value,
                     uint32_t n)
{
    struct eval_env env = {.exprs = &session->exprs, .value = value, .n_values = n};
    for (uint32_t k = 0; k < conj->len; k++) {
        bool truth = false;
        if (!eval_truth(&env, conj->at[k], &truth) || !truth)
            return false;
    }
    return true;
}

// Searches small random values, for the case that the solver's models are spurious.
static bool search(struct session *session, const struct u32_vec *conj)
{
    struct i64_vec value = {0};
    struct rng rng;
    bool found = false;
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < session->exprs.var.len; i++)
        vec_push(&value, 0);
    for (uint32_t round = 0; round < VERIFY_RANDOM_ROUNDS && !found; round++) {
        for (uint32_t i = 0; i < value.len; i++)
            value.at[i] = rng_range(&rng, -1 - (int64_t)(round / (2 * VERIFY_RANDOM_GROWTH)),
                                    2 + (int64_t)(round / VERIFY_RANDOM_GROWTH));
        found = all_true(session, conj, value.at, value.len);
    }
    vec_release(&value);
    return found;
}

// Are the conjuncts about one family contradictory?
static enum implied refuted(struct session *session, const struct u32_vec *conj, const char **why)
{
    struct linear_model model = {.genuine = false};
    enum implied out = IMPLIED_UNKNOWN;
    enum smt_answer answer = linear_refute(&session->linear, conj->len, conj->at, &model);
    *why = "";
    if (answer == SMT_UNSAT) {
        out = IMPLIED_YES;
    } else if (answer == SMT_SAT) {
        out = all_true(session, conj, model.value.at, model.value.len) || search(session, conj)
                  ? IMPLIED_NO
                  : IMPLIED_UNKNOWN;
        if (out == IMPLIED_UNKNOWN)
            *why = "the solver's model has wrong products or quotients";
    } else if (search(session, conj)) {
        out = IMPLIED_NO;
    } else {
        *why = session->smt.why;
    }
    linear_model_release(&model);
    return out;
}

// Has the family a block?  Its one axis here stands for a product, and so do the
// preconditions.
static bool has_block(const struct rule *rule, uint32_t family)
{
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_family(rule, c) == family && rule->classes[c].block)
            return true;
    return false;
}

// `goal`: the precondition that should follow; NULL: a contradiction should.
static enum implied ask(const struct rule *rule, uint32_t family, const struct cond *goal,
                        struct arena *mem, const char **why)
{
    struct session session;
    struct denote denote;
    struct clauses hyps = {{0}};
    struct u32_vec conj = {0};
    struct decide_options options = {.domains = 0};
    enum implied out = IMPLIED_UNKNOWN;
    uint32_t *rank = ARENA_NEW(mem, uint32_t, rule->n_classes + 1);
    *why = "it is about a block";
    if (has_block(rule, family))
        return IMPLIED_UNKNOWN;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        rank[c] = 1;
    session_init(&session, rule, &options, mem);
    *why = "it has too many classes";
    if (denote_init(&denote, &session.exprs, rule, rank)) {
        hypotheses(&denote, &hyps);
        clauses_append(&hyps, family, &conj);
        if (goal != NULL)
            vec_push(&conj, expr_not(&session.exprs, denote_cond(&denote, goal, 0, true)));
        if (denote.failure != NULL)
            *why = denote.failure;
        else
            out = refuted(&session, &conj, why);
        *why = arena_strdup(mem, *why);
        vec_release(&conj);
        vec_release(&hyps.at);
        denote_release(&denote);
    }
    session_release(&session);
    return out;
}

enum implied implied_where(const struct rule *rule, uint32_t w, struct arena *mem, const char **why)
{
    struct rule rest = *rule;
    struct where *wheres = ARENA_NEW(mem, struct where, rule->n_wheres);
    *why = "it is about elements";
    if (rule->wheres[w].cond == NULL)
        return IMPLIED_UNKNOWN;
    rest.n_wheres = 0;
    for (uint32_t i = 0; i < rule->n_wheres; i++)
        if (i != w)
            wheres[rest.n_wheres++] = rule->wheres[i];
    rest.wheres = wheres;
    return ask(&rest, denote_family(rule, rule->wheres[w].family), rule->wheres[w].cond, mem, why);
}

enum implied implied_nothing(const struct rule *rule, uint32_t cls, struct arena *mem,
                             const char **why)
{
    return ask(rule, denote_family(rule, cls), NULL, mem, why);
}

bool implied_has_elements(const struct rule *rule, enum domain domain, struct arena *mem)
{
    struct session session;
    struct decide_options options = {.domains = 1u << domain};
    bool any = false;
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        any = any || rule->wheres[w].cond == NULL;
    if (!any)
        return true;
    session_init(&session, rule, &options, mem);
    bool found = conditions_have_model(&session, domain);
    session_release(&session);
    return found;
}
