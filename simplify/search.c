// SPDX-License-Identifier: Apache-2.0
// Phases of rules, each from the best that is known.
#include "simplify/core.h"

#include "formula/print/print.h"
#include "simplify/engine/engine.h"
#include "simplify/parts.h"
#include "simplify/tidy.h"

// The more there is to read, the more is tried: so many nodes for each unit of
// cost, up to a part of the limit.
struct search_phase {
    bool all;
    enum run_scheduler scheduler;
    double each, part;
    bool sure;  // without what the formula asks of its operands
    bool input; // from the input, not from the best term
};

// How many of what is given stand before what the formula asks.
static uint32_t n_sure(const struct simplifier *simplifier)
{
    uint32_t n = 0;
    while (n < simplifier->given.len && simplifier->formula->givens.at[n].by != GIVEN_DEFINED)
        n++;
    return n;
}

static uint32_t phase_nodes(const struct simplifier *simplifier,
                            const struct search_phase *search_phase, uint32_t n_given, fterm best)
{
    struct u32_vec all = {0}; // what is given is there as well
    fterms_reach(simplifier->formula->terms, n_given, simplifier->given.at, &all);
    double n = search_phase->each * (simplifier_price(simplifier, best) + all.len / 4.0);
    double most = search_phase->part * simplifier->simplify_options->max_nodes;
    vec_release(&all);
    return (uint32_t)(n < most ? n : most);
}

// Rules for a term and what is given, or asked.
static void of_use(struct simplifier *simplifier, enum choose_set set, uint32_t n,
                   const fterm *conds, fterm term, struct buf *out)
{
    struct u32_vec terms = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&terms, conds[i]);
    vec_push(&terms, term);
    choose_text(simplifier->choose, set, simplifier->formula->terms, terms.len, terms.at, out);
    vec_release(&terms);
}

void simplifier_prove_missing(struct simplifier *simplifier, bool more)
{
    struct u32_vec asked = {0}, terms = {0};
    for (uint32_t i = 0; i < simplifier->given.len; i++)
        vec_push(&terms, simplifier->given.at[i]);
    for (uint32_t i = 0; i < simplifier->partial.missing.len; i++) {
        vec_push(&asked, simplifier->partial.missing.at[i]);
        vec_push(&terms, simplifier->partial.missing.at[i]);
    }
    struct engine_fact *facts = mem_alloc(asked.len * sizeof *facts);
    memset(facts, 0, asked.len * sizeof *facts);
    for (uint32_t i = 0; i < asked.len; i++)
        facts[i].condition = asked.at[i];
    struct buf text = {0};
    choose_text(simplifier->choose, more ? CHOOSE_ALL_SIMPLER : CHOOSE_FACTS,
                simplifier->formula->terms, terms.len, terms.at, &text);
    struct engine_rules rules = {buf_text(&text), simplifier->given.len, simplifier->given.at,
                                 NULL};
    struct engine_options options = {.scheduler = RUN_RATION,
                                     .max_nodes = SIMPLIFY_FACT_NODES,
                                     .max_steps = SIMPLIFY_FACT_STEPS,
                                     .max_rounds = simplifier->simplify_options->max_rounds,
                                     .deadline = simplifier->deadline};
    struct err err = {0};
    bool ran = engine_facts(simplifier->formula->terms, asked.len, facts, &rules, &options, &err);
    for (uint32_t i = 0; i < asked.len; i++) {
        struct proved_condition proved_condition = {asked.at[i], facts[i].proof, facts[i].flipped};
        if (ran && proved_condition.proof.len > 0) {
            partial_know(&simplifier->partial, proved_condition.cond);
            vec_push(&simplifier->truth, proved_condition);
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
static bool has_values(struct simplifier *simplifier, fterm term)
{
    bool ok = partial_fits(&simplifier->partial, term);
    if (!ok && simplifier->parts != NULL && parts_prove_missing(simplifier->parts))
        ok = partial_fits(&simplifier->partial, term);
    for (int more = 0; !ok && more < 2 && simplifier->partial.missing.len > 0; more++) {
        simplifier_prove_missing(simplifier, more);
        ok = partial_fits(&simplifier->partial, term);
    }
    return ok;
}

// Does a text say the term?  Nobody reads that of a part.
static bool is_told(const struct simplifier *simplifier, fterm term)
{
    return simplifier->part || formula_prints(simplifier->formula, simplifier->defs, term);
}

bool simplifier_may_take(struct simplifier *simplifier, fterm term)
{
    return is_told(simplifier, term) && has_values(simplifier, term);
}

void simplifier_add_stage(struct simplifier *simplifier, struct buf *proof, bool flipped,
                          fterm term)
{
    struct proof_stage proof_stage = {*proof, flipped, term};
    vec_push(&simplifier->stage, proof_stage);
    *proof = (struct buf){0};
    simplifier->out->term = term;
}

void simplifier_drop_stage(struct simplifier *simplifier)
{
    buf_release(&vec_last(&simplifier->stage).proof);
    simplifier->stage.len--;
    simplifier->out->term =
        simplifier->stage.len > 0 ? vec_last(&simplifier->stage).term : simplifier->left;
}

// What is asked about the terms of one phase.
struct judgement {
    struct simplifier *simplifier;
    double best;    // price of the term so far
    uint32_t tries; // with proofs of their own
};

// Of the subterms of a term, those beneath first, the first one that fails; `term` if none does.
static fterm first_failing(struct simplifier *simplifier, fterm term)
{
    struct u32_vec all = {0};
    fterm out = term;
    fterms_reach(simplifier->formula->terms, 1, &term, &all);
    for (uint32_t i = 0; i < all.len; i++)
        if (!partial_fits(&simplifier->partial, all.at[i])) {
            out = all.at[i];
            break;
        }
    vec_release(&all);
    return out;
}

// The term in the form in which it is read: reductions directly within each other are one.
static fterm merged(struct simplifier *simplifier, fterm term, struct buf *proof)
{
    return tidy(simplifier->formula, simplifier->defs, "", true, term, proof);
}

// One that is no better is no result.
static bool is_better(void *ctx, fterm term)
{
    const struct judgement *judgement = ctx;
    return simplifier_price(judgement->simplifier, term) < judgement->best - 1e-9;
}

// A term that no text expresses is not taken, nor one with fewer values.  One that is no better
// is looked at no longer.
static bool accept(void *ctx, fterm term, fterm *refused, struct u32_vec *conditions)
{
    struct judgement *judgement = ctx;
    struct simplifier *simplifier = judgement->simplifier;
    if (!is_better(judgement, term))
        return true;
    struct buf proof = {0};
    fterm read = simplifier->part ? term : merged(simplifier, term, &proof);
    buf_release(&proof);
    *refused = term;
    if (!is_told(simplifier, read))
        return false;
    if (partial_fits(&simplifier->partial, read))
        return true;
    for (uint32_t i = 0; i < simplifier->partial.missing.len; i++)
        vec_push(conditions, simplifier->partial.missing.at[i]);
    if (judgement->tries++ < SIMPLIFY_PROVED_TRIES && has_values(simplifier, read))
        return true;
    *refused = first_failing(simplifier, term);
    return false;
}

static void know(void *ctx, fterm condition)
{
    struct judgement *judgement = ctx;
    partial_know(&judgement->simplifier->partial, condition);
}

static void merge_reductions(struct simplifier *simplifier)
{
    struct buf proof = {0};
    fterm term = merged(simplifier, simplifier->out->term, &proof);
    if (term != simplifier->out->term)
        simplifier_add_stage(simplifier, &proof, false, term);
    buf_release(&proof);
}

// Conditions that the phase proved on the way.
static void keep_facts(struct simplifier *simplifier, struct engine_result *result)
{
    for (uint32_t i = 0; i < result->facts.len; i++) {
        struct engine_fact *fact = &result->facts.at[i];
        vec_push(&simplifier->truth,
                 ((struct proved_condition){fact->condition, fact->proof, fact->flipped}));
        fact->proof = (struct buf){0};
    }
}

// A term that no text expresses is not taken, nor one with fewer values.
static bool take(struct simplifier *simplifier, struct engine_result *result)
{
    uint32_t n = simplifier->stage.len;
    simplifier_add_stage(simplifier, &result->proof, result->flipped, result->term);
    if (!simplifier->part)
        merge_reductions(simplifier);
    bool ok = simplifier_may_take(simplifier, simplifier->out->term);
    while (!ok && simplifier->stage.len > n)
        simplifier_drop_stage(simplifier);
    return ok;
}

// Do the rules contradict each other, without what is given of this formula?
static bool rules_fail(struct simplifier *simplifier, const struct engine_rules *rules,
                       const struct engine_options *options, struct err *err)
{
    struct u32_vec sure = {0};
    for (uint32_t i = 0; i < simplifier->given.len; i++)
        if (simplifier->formula->givens.at[i].by == GIVEN_EXTENT ||
            simplifier->formula->givens.at[i].by == GIVEN_NUMBER)
            vec_push(&sure, simplifier->given.at[i]);
    struct engine_rules few = {rules->text, sure.len, sure.at, NULL};
    struct buf least = {0};
    struct err what = {0};
    bool fail = engine_contradiction(simplifier->formula->terms, simplifier->out->term, &few,
                                     options, &least, &what);
    if (fail)
        err_set(err, ERR_BUG, "the rules contradict each other: %.200s by %.500s", what.msg,
                buf_text(&least));
    buf_release(&least);
    vec_release(&sure);
    return fail;
}

// The formula has no value, whatever its variables are: its term stays.
static void give_up(struct simplifier *simplifier, fterm from)
{
    while (simplifier->stage.len > 0)
        simplifier_drop_stage(simplifier);
    vec_clear(&simplifier->record->constants);
    simplifier->left = simplifier->formula->term = simplifier->out->term = from;
    simplifier->out->no_value = true;
}

// Of a run of the engine, for which 0 is no limit.
static uint64_t steps_left(const struct simplifier *simplifier)
{
    uint64_t most = simplifier->simplify_options->max_steps;
    return most == 0 ? 0 : simplifier->steps < most ? most - simplifier->steps : 1;
}

// Returns whether the phase has nothing to try.  A term that a phase made may be one from
// which no rules lead further, where they do from the input.
static bool skips(struct simplifier *simplifier, const struct search_phase *search_phase,
                  uint32_t n_given)
{
    // Conditions that a longer formula asked for may be most of the givens.
    if (search_phase->sure)
        return n_given == simplifier->given.len || simplifier->stage.len == 0;
    return search_phase->input &&
           (simplifier->stage.len == 0 || simplifier->input_searched ||
            simplifier_price(simplifier, simplifier->out->term) <= SIMPLIFY_SHORT);
}

// Takes the result of a phase if it costs less than the best term.  That of a phase from the
// input replaces all stages.
static bool improve(struct simplifier *simplifier, const struct search_phase *search_phase,
                    struct engine_result *result, fterm best)
{
    if (simplifier_price(simplifier, result->term) >= simplifier_price(simplifier, best) - 1e-9)
        return false;
    if (!search_phase->input)
        return take(simplifier, result);
    VEC(struct proof_stage) before = {0};
    for (uint32_t i = 0; i < simplifier->stage.len; i++)
        vec_push(&before, simplifier->stage.at[i]);
    vec_clear(&simplifier->stage);
    simplifier->out->term = simplifier->left;
    bool better = take(simplifier, result);
    for (uint32_t i = 0; better && i < before.len; i++)
        buf_release(&before.at[i].proof);
    for (uint32_t i = 0; !better && i < before.len; i++)
        vec_push(&simplifier->stage, before.at[i]);
    if (!better)
        simplifier->out->term = best;
    vec_release(&before);
    return better;
}

static struct engine_options phase_options(struct simplifier *simplifier,
                                           const struct search_phase *search_phase,
                                           uint32_t n_given, fterm start,
                                           struct judgement *judgement)
{
    return (struct engine_options){.scheduler = search_phase->scheduler,
                                   .max_nodes =
                                       phase_nodes(simplifier, search_phase, n_given, start),
                                   .max_rounds = simplifier->simplify_options->max_rounds,
                                   .max_steps = steps_left(simplifier),
                                   .deadline = simplifier->deadline,
                                   .cost = simplifier_cost_of,
                                   .ctx = simplifier,
                                   .kept = simplifier_is_written,
                                   .familiar = simplify_familiar,
                                   .by_age = simplifier_goes_by_age,
                                   .is_along = simplifier_is_along,
                                   .accept = accept,
                                   .know = know,
                                   .wanted = is_better,
                                   .judge = judgement};
}

// The first phase begins again whenever a better term is found.
bool simplifier_run_phases(struct simplifier *simplifier, fterm from, struct err *err)
{
    static const struct search_phase phases[] = {
        {false, RUN_SIMPLE, SIMPLIFY_SIMPLER_NODES, 1. / SIMPLIFY_SIMPLER_PART, false, false},
        {true, RUN_RATION, SIMPLIFY_RATION_NODES, 1. / SIMPLIFY_RATION_PART, false, false},
        {true, RUN_SIMPLE, SIMPLIFY_LAST_NODES, 1, false, false},
        {true, RUN_RATION, SIMPLIFY_LAST_NODES, 1, true, false},
        {true, RUN_SIMPLE, SIMPLIFY_LAST_NODES, 1, false, true}};
    uint32_t n = sizeof phases / sizeof *phases;
    struct engine_kept kept = {0};
    bool ok = true, goes_on = true;
    simplifier->out->stopped = engine_stop_text(RUN_SATURATED);
    for (uint32_t i = 0; goes_on && i < n;) {
        const struct search_phase *search_phase = &phases[i];
        const fterm best = simplifier->out->term;
        const uint32_t n_given = search_phase->sure ? n_sure(simplifier) : simplifier->given.len;
        if (skips(simplifier, search_phase, n_given)) {
            i++;
            continue;
        }
        const fterm start = search_phase->input ? simplifier->left : best;
        simplifier->input_searched |= search_phase->input;
        struct buf text = {0};
        of_use(simplifier, search_phase->all ? CHOOSE_ALL : CHOOSE_ALL_SIMPLER, n_given,
               simplifier->given.at, start, &text);
        struct engine_rules rules = {buf_text(&text), n_given, simplifier->given.at, &kept};
        struct judgement judgement = {simplifier, simplifier_price(simplifier, best), 0};
        struct engine_options options =
            phase_options(simplifier, search_phase, n_given, start, &judgement);
        struct engine_result result;
        ok = engine_run(simplifier->formula->terms, start, &rules, &options, &result, err);
        bool none = ok && result.stop == RUN_CONFLICT;
        if (none && (ok = !rules_fail(simplifier, &rules, &options, err)))
            give_up(simplifier, from);
        buf_release(&text);
        if (ok) {
            keep_facts(simplifier, &result);
            simplifier->out->rounds += result.rounds;
            simplifier->steps += result.steps;
            if (result.nodes > simplifier->out->nodes)
                simplifier->out->nodes = result.nodes;
            simplifier->out->stopped = engine_stop_text(result.stop);
        }
        bool better = ok && !none && improve(simplifier, search_phase, &result, best);
        bool late = ok && (result.stop == RUN_TIME || result.stop == RUN_STEPS);
        bool all = ok && result.stop == RUN_SATURATED;
        engine_release(&result);
        // With everything found, a greater limit changes nothing.
        goes_on = ok && !none && !late && !(all && search_phase->all && !better);
        i = better && (i > 0 || !all) ? 0 : i + 1;
    }
    engine_kept_release(&kept);
    return ok;
}

// Costs it more to read than the formula?  The search has prices of its own.  What
// functions are, written out, may cost more.
static bool is_dearer(const struct simplifier *simplifier)
{
    return !simplifier->simplify_options->expand &&
           simplifier_tree_cost(simplifier, simplifier->out->term) >
               simplifier_tree_cost(simplifier, simplifier->left);
}

// Puts terms of one cost in the order in which people write them.  If the text of the
// result does not mean the result, if its conditions are not found to hold, or if it
// costs more to read than the formula, takes an earlier result, and at last the input.
void simplifier_tidy(struct simplifier *simplifier)
{
    struct buf text = {0}, proof = {0};
    of_use(simplifier, CHOOSE_ALL, 0, NULL, simplifier->out->term, &text);
    fterm term = tidy(simplifier->formula, simplifier->defs, buf_text(&text), !simplifier->part,
                      simplifier->out->term, &proof);
    if (term != simplifier->out->term)
        simplifier_add_stage(simplifier, &proof, false, term);
    while (simplifier->stage.len > 0 &&
           (is_dearer(simplifier) || !simplifier_may_take(simplifier, simplifier->out->term)))
        simplifier_drop_stage(simplifier);
    buf_release(&text);
    buf_release(&proof);
}

// Windows of each size until none leads further; after each that does, the first ones again.
static bool search_parts(struct parts *parts, bool *better, struct err *err)
{
    static const struct {
        uint32_t budget;
        bool open, is_short;
        uint32_t root_sums;
        bool shared_only;
    } sizes[] = {{SIMPLIFY_WINDOW, false, true, 0, true},
                 {SIMPLIFY_RECURRENCE_WINDOW, true, true, SIMPLIFY_RECURRENCE_SUMS, false},
                 {SIMPLIFY_WINDOW, false, true, 0, false},
                 {SIMPLIFY_STEP_WINDOW, true, true, 0, false},
                 {SIMPLIFY_WIDE_WINDOW, false, false, 0, false},
                 {SIMPLIFY_OPEN_WINDOW, true, false, 0, false}};
    bool ok = true;
    uint32_t n = 0, size = 0;
    *better = false;
    while (ok && size < sizeof sizes / sizeof *sizes && n < SIMPLIFY_PARTS) {
        bool more = false;
        parts->budget = sizes[size].budget;
        parts->open = sizes[size].open;
        parts->is_short = sizes[size].is_short;
        parts->root_sums = sizes[size].root_sums;
        parts->shared_only = sizes[size].shared_only;
        ok = parts_simplify(parts, &more, err);
        *better |= more;
        n += more;
        size = more ? 0 : size + 1;
    }
    parts->cut |= n == SIMPLIFY_PARTS;
    return ok;
}

// The whole and its parts by turns, as long as one of them leads further.  What is small is
// searched as a whole first.
bool simplifier_search(struct simplifier *simplifier, fterm from, struct err *err)
{
    struct parts parts;
    bool ok = true, better = true;
    bool large = simplifier_price(simplifier, from) > SIMPLIFY_WHOLE;
    parts_init(&parts, simplifier);
    simplifier->parts = large ? &parts : NULL;
    for (uint32_t i = 0; ok && better && i < SIMPLIFY_PARTS && !simplifier->out->no_value; i++) {
        fterm before = simplifier->out->term;
        if (i > 0 || !large)
            ok = simplifier_run_phases(simplifier, from, err);
        bool same = i > 0 && before == simplifier->out->term;
        better = !same && simplifier_price(simplifier, simplifier->out->term) > SIMPLIFY_SMALL;
        if (ok && better && !simplifier->out->no_value)
            ok = search_parts(&parts, &better, err);
        better |= i == 0 && large;
    }
    simplifier->out->cut = parts.cut || better;
    if (simplifier->out->cut)
        simplifier->out->stopped = engine_stop_text(RUN_STEPS);
    simplifier->parts = &parts;
    if (ok && !simplifier->out->no_value)
        simplifier_tidy(simplifier);
    simplifier->parts = NULL;
    parts_release(&parts);
    return ok;
}
