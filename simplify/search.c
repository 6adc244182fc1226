// SPDX-License-Identifier: Apache-2.0
// Phases of rules, each from the best that is known.
#include "simplify/core.h"

#include "formula/print/print.h"
#include "simplify/engine/engine.h"
#include "simplify/tidy.h"

// The more there is to read, the more is tried: so many nodes for each unit of
// cost, up to a part of the limit.
struct search_phase {
    bool all;
    enum run_scheduler scheduler;
    double each, part;
    bool sure; // without what the formula asks of its operands
};

// How many of what is given stand before what the formula asks.
static uint32_t n_sure(const struct simplifier *l)
{
    uint32_t n = 0;
    while (n < l->given.len && l->f->givens.at[n].by != GIVEN_DEFINED)
        n++;
    return n;
}

static uint32_t phase_nodes(const struct simplifier *l, const struct search_phase *p,
                            uint32_t n_given, fterm best)
{
    struct u32_vec all = {0}; // what is given is there as well
    fterms_reach(l->f->t, n_given, l->given.at, &all);
    double n = p->each * (simplifier_price(l, best) + all.len / 4.0);
    double most = p->part * l->o->max_nodes;
    vec_release(&all);
    return (uint32_t)(n < most ? n : most);
}

// Rules for a term and what is given, or asked.
static void of_use(struct simplifier *l, enum choose_set set, uint32_t n,
                   const fterm *conds, fterm x, struct buf *out)
{
    struct u32_vec terms = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&terms, conds[i]);
    vec_push(&terms, x);
    choose_text(&l->choose, set, l->f->t, terms.len, terms.at, out);
    vec_release(&terms);
}

// Looks for proofs of conditions that the term asks for: first by facts alone,
// which grow slowly, then (`more`) with what makes terms simpler.
static void prove_missing(struct simplifier *l, bool more)
{
    struct u32_vec asked = {0}, terms = {0};
    for (uint32_t i = 0; i < l->given.len; i++)
        vec_push(&terms, l->given.at[i]);
    for (uint32_t i = 0; i < l->partial.missing.len; i++) {
        vec_push(&asked, l->partial.missing.at[i]);
        vec_push(&terms, l->partial.missing.at[i]);
    }
    struct engine_fact *facts = mem_alloc(asked.len * sizeof *facts);
    memset(facts, 0, asked.len * sizeof *facts);
    struct buf text = {0};
    choose_text(&l->choose, more ? CHOOSE_ALL_SIMPLER : CHOOSE_FACTS, l->f->t,
                terms.len, terms.at, &text);
    struct engine_rules rules = {buf_text(&text), l->given.len, l->given.at};
    struct engine_options o = {.scheduler = RUN_RATION,
                               .max_nodes = FACT_NODES,
                               .max_rounds = l->o->max_rounds,
                               .deadline = l->deadline};
    struct err e = {0};
    bool ran =
        engine_facts(l->f->t, asked.len, asked.at, &rules, &o, facts, &e);
    for (uint32_t i = 0; i < asked.len; i++) {
        struct proved_condition x = {asked.at[i], facts[i].proof};
        if (ran && x.proof.len > 0) {
            partial_know(&l->partial, x.cond);
            vec_push(&l->truth, x);
        } else {
            buf_release(&facts[i].proof);
        }
    }
    mem_free(facts);
    buf_release(&text);
    vec_release(&asked);
    vec_release(&terms);
}

// Has the term a value wherever the formula has one?
static bool has_values(struct simplifier *l, fterm x)
{
    bool ok = partial_fits(&l->partial, x);
    for (int more = 0; !ok && more < 2 && l->partial.missing.len > 0; more++) {
        prove_missing(l, more);
        ok = partial_fits(&l->partial, x);
    }
    return ok;
}

static void add_stage(struct simplifier *l, struct buf *proof, bool flipped, fterm x)
{
    struct proof_stage s = {*proof, flipped, x};
    vec_push(&l->stage, s);
    *proof = (struct buf){0};
    l->out->term = x;
}

static void drop_stage(struct simplifier *l)
{
    buf_release(&vec_last(&l->stage).proof);
    l->stage.len--;
    l->out->term = l->stage.len > 0 ? vec_last(&l->stage).term : l->left;
}

// In the form in which it is read: reductions directly within each other are
// one.
static void merge_reductions(struct simplifier *l)
{
    struct buf proof = {0};
    fterm x = tidy(l->f, l->defs, "", l->out->term, &proof);
    if (x != l->out->term)
        add_stage(l, &proof, false, x);
    buf_release(&proof);
}

// What no text says is not taken, and nothing that has fewer values.
static bool take(struct simplifier *l, struct engine_result *r)
{
    uint32_t n = l->stage.len;
    add_stage(l, &r->proof, r->flipped, r->term);
    merge_reductions(l);
    bool ok = formula_prints(l->f, l->defs, l->out->term) &&
              has_values(l, l->out->term);
    while (!ok && l->stage.len > n)
        drop_stage(l);
    return ok;
}

// Do the rules contradict each other, without what is given of this formula?
static bool rules_fail(struct simplifier *l, const struct engine_rules *rules,
                       const struct engine_options *o, struct err *e)
{
    struct u32_vec sure = {0};
    for (uint32_t i = 0; i < l->given.len; i++)
        if (l->f->givens.at[i].by == GIVEN_EXTENT ||
            l->f->givens.at[i].by == GIVEN_NUMBER)
            vec_push(&sure, l->given.at[i]);
    struct engine_rules few = {rules->text, sure.len, sure.at};
    struct buf least = {0};
    struct err what = {0};
    bool fail =
        engine_contradiction(l->f->t, l->out->term, &few, o, &least, &what);
    if (fail)
        err_set(e, ERR_BUG, "the rules contradict each other: %.200s by %.500s",
                what.msg, buf_text(&least));
    buf_release(&least);
    vec_release(&sure);
    return fail;
}

// The formula has no value, whatever its variables are: nothing can be said of
// it.
static void give_up(struct simplifier *l, fterm from)
{
    while (l->stage.len > 0)
        drop_stage(l);
    vec_clear(&l->record->constants);
    l->left = l->f->term = l->out->term = from;
    l->out->no_value = true;
}

// Whenever something better is found the first phase begins again.
static bool run_phases(struct simplifier *l, fterm from, struct err *e)
{
    static const struct search_phase phases[] = {
        {false, RUN_SIMPLE, 60, 1. / 6, false},
        {true, RUN_RATION, 100, 1. / 3, false},
        {true, RUN_SIMPLE, 300, 1, false},
        {true, RUN_RATION, 300, 1, true}};
    uint32_t n = sizeof phases / sizeof *phases;
    l->out->stopped = engine_stop_text(RUN_SATURATED);
    for (uint32_t i = 0; i < n;) {
        const struct search_phase *p = &phases[i];
        const fterm best = l->out->term;
        const uint32_t n_given = p->sure ? n_sure(l) : l->given.len;
        // What was asked of a longer formula may be most of what there is.
        if (p->sure && (n_given == l->given.len || l->stage.len == 0))
            break;
        struct buf text = {0};
        of_use(l, p->all ? CHOOSE_ALL : CHOOSE_ALL_SIMPLER, n_given,
               l->given.at, best, &text);
        struct engine_rules rules = {buf_text(&text), n_given, l->given.at};
        struct engine_options o = {.scheduler = p->scheduler,
                                   .max_nodes =
                                       phase_nodes(l, p, n_given, best),
                                   .max_rounds = l->o->max_rounds,
                                   .deadline = l->deadline,
                                   .cost = simplifier_cost_of,
                                   .ctx = l,
                                   .kept = simplifier_is_written,
                                   .familiar = simplify_familiar,
                                   .by_age = simplifier_goes_by_age};
        struct engine_result r;
        bool ok = engine_run(l->f->t, best, &rules, &o, &r, e);
        bool none = ok && r.stop == RUN_CONFLICT;
        if (none && (ok = !rules_fail(l, &rules, &o, e)))
            give_up(l, from);
        buf_release(&text);
        if (ok) {
            l->out->rounds += r.rounds;
            if (r.nodes > l->out->nodes)
                l->out->nodes = r.nodes;
            l->out->stopped = engine_stop_text(r.stop);
        }
        bool better =
            ok && !none && simplifier_price(l, r.term) < simplifier_price(l, best) - 1e-9;
        if (better)
            better = take(l, &r);
        bool late = ok && r.stop == RUN_TIME;
        bool all = ok && r.stop == RUN_SATURATED;
        engine_release(&r);
        if (!ok || none || late)
            return ok;
        if (all && p->all && !better)
            break; // a greater limit changes nothing
        i = better && (i > 0 || !all) ? 0 : i + 1;
    }
    return true;
}

// What costs the same is put in the order in which people write it.  Should the
// text of the result not mean it, or what it asks not be found to hold, an
// earlier one is taken, the input at last.
static void tidy_result(struct simplifier *l)
{
    struct buf text = {0}, proof = {0};
    of_use(l, CHOOSE_ALL_SIMPLER, 0, NULL, l->out->term, &text);
    fterm x = tidy(l->f, l->defs, buf_text(&text), l->out->term, &proof);
    if (x != l->out->term)
        add_stage(l, &proof, false, x);
    while (l->stage.len > 0 && !(formula_prints(l->f, l->defs, l->out->term) &&
                                 has_values(l, l->out->term)))
        drop_stage(l);
    buf_release(&text);
    buf_release(&proof);
}

bool simplifier_search(struct simplifier *l, fterm from, struct err *e)
{
    bool ok = run_phases(l, from, e);
    if (ok && !l->out->no_value)
        tidy_result(l);
    return ok;
}
