// SPDX-License-Identifier: Apache-2.0
// Puts the proofs of the stages one behind the other, drops conditions that follow
// from the others, and proves conditions that the result needs and the formula does
// not.
#include "simplify/core.h"

#include "simplify/engine/engine.h"
#include "simplify/limits.h"
#include "simplify/parts.h"

static bool join(struct simplifier *simplifier, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < simplifier->stage.len; i++)
        ok = chain_add(&simplifier->chain, buf_text(&simplifier->stage.at[i].proof),
                       simplifier->stage.at[i].flipped, err);
    return ok;
}

// What does not follow at once may follow part by part.  Such proofs have the numbers of what is
// given to the formula; `own` says which they are.
static void prove_by_parts(struct simplifier *simplifier, uint32_t n, struct engine_fact *facts,
                           bool *own)
{
    struct parts parts;
    parts_init(&parts, simplifier);
    parts.sure = true;
    parts.budget = SIMPLIFY_WINDOW;
    for (uint32_t i = 0; i < n; i++)
        if (facts[i].proof.len == 0) {
            facts[i].flipped = false;
            own[i] = parts_prove(&parts, facts[i].condition, &facts[i].proof);
        }
    parts_release(&parts);
}

// A condition that was used because the formula has no value elsewhere may also
// follow from the rest, without the like.  Then it need not be told.
static bool prove_conditions(struct simplifier *simplifier, struct err *err)
{
    const struct proof_chain used = simplifier->chain;
    struct u32_vec asked = {0}, conds = {0}, rest = {0}, rest_of = {0};
    for (uint32_t i = 0; i < used.given.len; i++)
        if (simplifier->formula->givens.at[used.given.at[i]].by == GIVEN_DEFINED) {
            vec_push(&asked, used.given.at[i]);
            vec_push(&conds, simplifier->given.at[used.given.at[i]]);
        }
    for (uint32_t i = 0; i < simplifier->given.len; i++)
        if (simplifier->formula->givens.at[i].by != GIVEN_DEFINED) {
            vec_push(&rest, simplifier->given.at[i]);
            vec_push(&rest_of, i);
        }
    struct engine_rules rules = {NULL, rest.len, rest.at, NULL};
    struct engine_options options = {.scheduler = RUN_RATION,
                                     .max_nodes = SIMPLIFY_FACT_NODES,
                                     .max_steps = SIMPLIFY_FACT_STEPS,
                                     .max_rounds = simplifier->simplify_options->max_rounds,
                                     .deadline = simplifier->deadline};
    struct engine_fact *facts = mem_alloc((asked.len + 1u) * sizeof *facts);
    memset(facts, 0, (asked.len + 1u) * sizeof *facts);
    for (uint32_t i = 0; i < conds.len; i++)
        facts[i].condition = conds.at[i];
    bool *own = mem_alloc(asked.len + 1u);
    memset(own, 0, asked.len + 1u);
    // By facts alone, which grow slowly; else with what makes terms simpler.
    bool ok = true, all = asked.len == 0;
    for (int more = 0; ok && !all && more < 2; more++) {
        struct buf text = {0};
        struct u32_vec terms = {0};
        for (uint32_t i = 0; i < rest.len; i++)
            vec_push(&terms, rest.at[i]);
        for (uint32_t i = 0; i < conds.len; i++)
            vec_push(&terms, conds.at[i]);
        choose_text(simplifier->choose, more ? CHOOSE_ALL_SIMPLER : CHOOSE_FACTS,
                    simplifier->formula->terms, terms.len, terms.at, &text);
        rules.text = buf_text(&text);
        ok = engine_facts(simplifier->formula->terms, conds.len, facts, &rules, &options, err);
        vec_release(&terms);
        buf_release(&text);
        all = true;
        for (uint32_t i = 0; i < asked.len; i++)
            all &= facts[i].proof.len > 0;
    }
    if (ok && !all && simplifier->out->cost_before > SIMPLIFY_WHOLE)
        prove_by_parts(simplifier, asked.len, facts, own);
    if (ok && asked.len > 0) {
        chain_release(&simplifier->chain);
        chain_init(&simplifier->chain);
        for (uint32_t i = 0; ok && i < asked.len; i++) {
            simplifier->chain.renumber = own[i] ? (struct u32_vec){0} : rest_of;
            ok = chain_fact(&simplifier->chain, asked.at[i], buf_text(&facts[i].proof),
                            facts[i].flipped, err);
        }
        simplifier->chain.renumber = (struct u32_vec){0};
        ok = ok && join(simplifier, err);
    }
    for (uint32_t i = 0; i < asked.len; i++)
        buf_release(&facts[i].proof);
    mem_free(facts);
    mem_free(own);
    vec_release(&asked);
    vec_release(&conds);
    vec_release(&rest);
    vec_release(&rest_of);
    return ok;
}

static void given_line(const struct fterms *terms, fterm cond, uint32_t number, struct buf *out)
{
    struct u32_vec all = {0}, at = {0};
    fterms_reach(terms, 1, &cond, &all);
    vec_zero(&at, terms->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm term = all.at[i];
        at.at[term] = i;
        buf_printf(out, "term %u %s", i, fterm_name(terms, term));
        for (uint32_t k = 0; k < fterm_n(terms, term); k++)
            buf_printf(out, " %u", at.at[fterm_args(terms, term)[k]]);
        buf_putc(out, '\n');
    }
    buf_printf(out, "term %u true\ngiven 0 %u %u %u\n", all.len, all.len - 1, all.len, number);
    vec_release(&all);
    vec_release(&at);
}

static bool add_truth(struct simplifier *simplifier, fterm cond, struct err *err)
{
    for (uint32_t i = 0; i < simplifier->given.len; i++)
        if (simplifier->given.at[i] == cond) {
            struct buf line = {0};
            given_line(simplifier->formula->terms, cond, i, &line);
            bool ok = chain_aside(&simplifier->chain, buf_text(&line), err);
            buf_release(&line);
            return ok;
        }
    for (uint32_t i = 0; i < simplifier->truth.len; i++)
        if (simplifier->truth.at[i].cond == cond)
            return chain_aside(&simplifier->chain, buf_text(&simplifier->truth.at[i].proof), err);
    return err_set(err, ERR_BUG, "a condition without a proof");
}

// Lines that say what the result asks of its operands and the formula does not.
static bool add_truths(struct simplifier *simplifier, struct err *err)
{
    for (uint32_t i = 0; i < simplifier->chain.given.len; i++)
        vec_push(&simplifier->told, simplifier->chain.given.at[i]);
    if (simplifier->stage.len == 0)
        return true;
    bool ok = partial_fits(&simplifier->partial, simplifier->out->term) ||
              err_set(err, ERR_BUG, "a result without a value");
    for (uint32_t i = 0; ok && i < simplifier->partial.used.len; i++)
        ok = add_truth(simplifier, simplifier->partial.used.at[i], err);
    return ok;
}

bool simplifier_prove(struct simplifier *simplifier, struct err *err)
{
    return join(simplifier, err) && prove_conditions(simplifier, err) &&
           add_truths(simplifier, err);
}
