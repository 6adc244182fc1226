// SPDX-License-Identifier: Apache-2.0
// The proofs of the stages, one behind the other; of conditions, what follows
// without them; what the result asks and the formula does not.
#include "simplify/core.h"

#include "simplify/engine/engine.h"

static bool join(struct simplifier *l, struct err *e)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < l->stage.len; i++)
        ok = chain_add(&l->chain, buf_text(&l->stage.at[i].proof),
                       l->stage.at[i].flipped, e);
    return ok;
}

// A condition that was used because the formula has no value elsewhere may also
// follow from the rest, without the like.  Then it need not be told.
static bool prove_conditions(struct simplifier *l, struct err *e)
{
    const struct proof_chain used = l->chain;
    struct u32_vec asked = {0}, conds = {0}, rest = {0}, rest_of = {0};
    for (uint32_t i = 0; i < used.given.len; i++)
        if (l->f->givens.at[used.given.at[i]].by == GIVEN_DEFINED) {
            vec_push(&asked, used.given.at[i]);
            vec_push(&conds, l->given.at[used.given.at[i]]);
        }
    for (uint32_t i = 0; i < l->given.len; i++)
        if (l->f->givens.at[i].by != GIVEN_DEFINED) {
            vec_push(&rest, l->given.at[i]);
            vec_push(&rest_of, i);
        }
    struct engine_rules rules = {NULL, rest.len, rest.at};
    struct engine_options o = {.scheduler = RUN_RATION,
                               .max_nodes = FACT_NODES,
                               .max_rounds = l->o->max_rounds,
                               .deadline = l->deadline};
    struct engine_fact *facts = mem_alloc((asked.len + 1u) * sizeof *facts);
    memset(facts, 0, (asked.len + 1u) * sizeof *facts);
    // By facts alone, which grow slowly; else with what makes terms simpler.
    bool ok = true, all = asked.len == 0;
    for (int more = 0; ok && !all && more < 2; more++) {
        struct buf text = {0};
        struct u32_vec terms = {0};
        for (uint32_t i = 0; i < rest.len; i++)
            vec_push(&terms, rest.at[i]);
        for (uint32_t i = 0; i < conds.len; i++)
            vec_push(&terms, conds.at[i]);
        choose_text(&l->choose, more ? CHOOSE_ALL_SIMPLER : CHOOSE_FACTS,
                    l->f->t, terms.len, terms.at, &text);
        rules.text = buf_text(&text);
        ok = engine_facts(l->f->t, conds.len, conds.at, &rules, &o, facts, e);
        vec_release(&terms);
        buf_release(&text);
        all = true;
        for (uint32_t i = 0; i < asked.len; i++)
            all &= facts[i].proof.len > 0;
    }
    if (ok && asked.len > 0) {
        chain_release(&l->chain);
        chain_init(&l->chain);
        l->chain.renumber = rest_of;
        for (uint32_t i = 0; ok && i < asked.len; i++)
            ok = chain_fact(&l->chain, asked.at[i], buf_text(&facts[i].proof),
                            facts[i].flipped, e);
        l->chain.renumber = (struct u32_vec){0};
        ok = ok && join(l, e);
    }
    for (uint32_t i = 0; i < asked.len; i++)
        buf_release(&facts[i].proof);
    mem_free(facts);
    vec_release(&asked);
    vec_release(&conds);
    vec_release(&rest);
    vec_release(&rest_of);
    return ok;
}

static void given_line(const struct fterms *t, fterm cond, uint32_t number,
                       struct buf *out)
{
    struct u32_vec all = {0}, at = {0};
    fterms_reach(t, 1, &cond, &all);
    vec_zero(&at, t->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        at.at[x] = i;
        buf_printf(out, "term %u %s", i, fterm_name(t, x));
        for (uint32_t k = 0; k < fterm_n(t, x); k++)
            buf_printf(out, " %u", at.at[fterm_args(t, x)[k]]);
        buf_putc(out, '\n');
    }
    buf_printf(out, "term %u true\ngiven 0 %u %u %u\n", all.len, all.len - 1,
               all.len, number);
    vec_release(&all);
    vec_release(&at);
}

static bool add_truth(struct simplifier *l, fterm cond, struct err *e)
{
    for (uint32_t i = 0; i < l->given.len; i++)
        if (l->given.at[i] == cond) {
            struct buf line = {0};
            given_line(l->f->t, cond, i, &line);
            bool ok = chain_aside(&l->chain, buf_text(&line), e);
            buf_release(&line);
            return ok;
        }
    for (uint32_t i = 0; i < l->truth.len; i++)
        if (l->truth.at[i].cond == cond)
            return chain_aside(&l->chain, buf_text(&l->truth.at[i].proof), e);
    return err_set(e, ERR_BUG, "a condition without a proof");
}

// Lines that say what the result asks of its operands and the formula does not.
static bool add_truths(struct simplifier *l, struct err *e)
{
    for (uint32_t i = 0; i < l->chain.given.len; i++)
        vec_push(&l->told, l->chain.given.at[i]);
    if (l->stage.len == 0)
        return true;
    bool ok = partial_fits(&l->partial, l->out->term) ||
              err_set(e, ERR_BUG, "a result without a value");
    for (uint32_t i = 0; ok && i < l->partial.used.len; i++)
        ok = add_truth(l, l->partial.used.at[i], e);
    return ok;
}

bool simplifier_prove(struct simplifier *l, struct err *e)
{
    return join(l, e) && prove_conditions(l, e) && add_truths(l, e);
}
