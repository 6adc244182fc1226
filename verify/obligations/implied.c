// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/implied.h"
#include "base/rng.h"
#include "verify/symbolic/eval.h"
#include "verify/obligations/session.h"

// Are all conjuncts true of these values?
static bool all_true(struct session *s, const struct u32_vec *conj,
                     const int64_t *value, uint32_t n)
{
    struct eval_env env = {.x = &s->x, .value = value, .n_values = n};
    for (uint32_t k = 0; k < conj->len; k++) {
        bool truth = false;
        if (!eval_truth(&env, conj->at[k], &truth) || !truth)
            return false;
    }
    return true;
}

// Small random values, where the solver's models are spurious.
static bool search(struct session *s, const struct u32_vec *conj)
{
    struct i64_vec value = {0};
    struct rng rng;
    bool found = false;
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < s->x.var.len; i++)
        vec_push(&value, 0);
    for (uint32_t round = 0; round < 20000 && !found; round++) {
        for (uint32_t i = 0; i < value.len; i++)
            value.at[i] = rng_range(&rng, -1 - (int64_t)(round / 5000),
                                    2 + (int64_t)(round / 2500));
        found = all_true(s, conj, value.at, value.len);
    }
    vec_release(&value);
    return found;
}

// Of the conjuncts about one family: are they contradictory?
static enum implied refuted(struct session *s, const struct u32_vec *conj,
                            const char **why)
{
    struct linear_model m = {.genuine = false};
    enum implied out = IMPLIED_UNKNOWN;
    enum smt_answer a = linear_refute(&s->l, conj->len, conj->at, &m);
    *why = "";
    if (a == SMT_UNSAT) {
        out = IMPLIED_YES;
    } else if (a == SMT_SAT) {
        out = all_true(s, conj, m.value.at, m.value.len) || search(s, conj)
                  ? IMPLIED_NO
                  : IMPLIED_UNKNOWN;
        if (out == IMPLIED_UNKNOWN)
            *why = "the solver's model has products or quotients that are none";
    } else if (search(s, conj)) {
        out = IMPLIED_NO;
    } else {
        *why = s->smt.why;
    }
    linear_model_release(&m);
    return out;
}

// Of a block there is one axis here, whose preconditions are about products.
static bool has_block(const struct rule *r, uint32_t family)
{
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (denote_family(r, c) == family && r->classes[c].block)
            return true;
    return false;
}

// `goal`: precondition that is to follow; NULL: a contradiction is.
static enum implied ask(const struct rule *r, uint32_t family,
                        const struct cond *goal, struct arena *mem,
                        const char **why)
{
    struct session s;
    struct denote d;
    struct clauses hyps = {{0}};
    struct u32_vec conj = {0};
    struct decide_options o = {.domains = 0};
    enum implied out = IMPLIED_UNKNOWN;
    uint32_t *rank = ARENA_NEW(mem, uint32_t, r->n_classes + 1);
    *why = "it is about a block";
    if (has_block(r, family))
        return IMPLIED_UNKNOWN;
    for (uint32_t c = 0; c < r->n_classes; c++)
        rank[c] = 1;
    session_init(&s, r, &o, mem);
    *why = "it has too many classes";
    if (denote_init(&d, &s.x, r, rank)) {
        hypotheses(&d, &hyps);
        clauses_append(&hyps, family, &conj);
        if (goal != NULL)
            vec_push(&conj, expr_not(&s.x, denote_cond(&d, goal, 0, true)));
        if (d.failure != NULL)
            *why = d.failure;
        else
            out = refuted(&s, &conj, why);
        *why = arena_strdup(mem, *why);
        vec_release(&conj);
        vec_release(&hyps.at);
        denote_release(&d);
    }
    session_release(&s);
    return out;
}

enum implied implied_where(const struct rule *r, uint32_t w, struct arena *mem,
                           const char **why)
{
    struct rule rest = *r;
    struct where *wheres = ARENA_NEW(mem, struct where, r->n_wheres);
    *why = "it is about elements";
    if (r->wheres[w].cond == NULL)
        return IMPLIED_UNKNOWN;
    rest.n_wheres = 0;
    for (uint32_t i = 0; i < r->n_wheres; i++)
        if (i != w)
            wheres[rest.n_wheres++] = r->wheres[i];
    rest.wheres = wheres;
    return ask(&rest, denote_family(r, r->wheres[w].family), r->wheres[w].cond,
               mem, why);
}

enum implied implied_nothing(const struct rule *r, uint32_t cls,
                             struct arena *mem, const char **why)
{
    return ask(r, denote_family(r, cls), NULL, mem, why);
}

bool implied_has_elements(const struct rule *r, enum domain d,
                          struct arena *mem)
{
    struct session s;
    struct decide_options o = {.domains = 1u << d};
    bool any = false;
    for (uint32_t w = 0; w < r->n_wheres; w++)
        any = any || r->wheres[w].cond == NULL;
    if (!any)
        return true;
    session_init(&s, r, &o, mem);
    bool found = conditions_have_model(&s, d);
    session_release(&s);
    return found;
}
