// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "discover/limits.h"
#include "discover/repair/core.h"
#include "verify/prove.h"
#include <jansson.h>
#include <math.h>
#include <string.h>

#define ONE_OPERAND 7.5

// ---- small kinds of repairs

static void offer_types(struct repair_run *repair_run)
{
    repair_run->kind = "types";
    static const struct {
        unsigned kinds;
        const char *text;
    } to[] = {{KIND_BOOL, "bool"},
              {KIND_SINT, "sint"},
              {KIND_UINT, "uint"},
              {KIND_SINT | KIND_UINT, "int"},
              {KIND_FLOAT, "float"}};
    for (uint32_t t = 0; t < repair_run->base.r.n_types; t++)
        for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
            unsigned old = repair_run->base.types[t].kinds;
            if ((old & to[k].kinds) != to[k].kinds || old == to[k].kinds)
                continue;
            struct draft draft;
            draft_copy(&draft, &repair_run->base);
            draft.types[t].kinds = to[k].kinds;
            draft.r.claims = rule_domains(&draft.r);
            repair_offer(
                repair_run, &draft, 3,
                repair_words(repair_run, "type %s only %s", draft.types[t].name, to[k].text));
            draft_release(&draft);
        }
    for (uint32_t a = 0; a < repair_run->base.r.n_types; a++)
        for (uint32_t b = 0; b < repair_run->base.r.n_types; b++) {
            const char *string = repair_run->base.types[a].name,
                       *y = repair_run->base.types[b].name;
            if (a == b || string == NULL || y == NULL || !*string || !*y)
                continue;
            struct draft d;
            draft_copy(&d, &repair_run->base);
            buf_printf(&d.extra, "  wider %s of %s;\n", string, y);
            repair_offer(repair_run, &d, 3, repair_words(repair_run, "wider %s of %s", string, y));
            draft_release(&d);
        }
}

// Makes the pattern non-linear: one variable in both places.
static void offer_one_operand(struct repair_run *repair_run)
{
    const struct rule *rule = &repair_run->base.r;
    uint32_t n = rule->n_tensors + rule->n_scalars;
    repair_run->kind = "one operand";
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            bool tensor = a < rule->n_tensors;
            if (a == b || tensor != (b < rule->n_tensors))
                continue;
            struct draft draft;
            draft_copy(&draft, &repair_run->base);
            const char *text =
                tensor ? rule->tensors[a].name : rule->scalars[a - rule->n_tensors].name;
            const char *string =
                tensor ? rule->tensors[b].name : rule->scalars[b - rule->n_tensors].name;
            uint32_t from = tensor ? b : b - rule->n_tensors;
            uint32_t to = tensor ? a : a - rule->n_tensors;
            uint32_t last = (tensor ? rule->n_tensors : rule->n_scalars) - 1;
            // The last variable moves into the place of the removed one.
            for (uint32_t i = 0; i < draft.r.n_pats; i++) {
                struct pat *pattern = &draft.pats[i];
                if (pattern->kind != (tensor ? PAT_TENSOR : PAT_SCALAR))
                    continue;
                if (pattern->var == from)
                    pattern->var = to;
                if (pattern->var == last)
                    pattern->var = from;
            }
            if (tensor)
                draft.tensors[from] = draft.tensors[last];
            else
                draft.scalars[from] = draft.scalars[last];
            repair_offer(repair_run, &draft, ONE_OPERAND,
                         repair_words(repair_run, "%s in place of %s", text, string));
            draft_release(&draft);
        }
}

static void offer_claims(struct repair_run *repair_run)
{
    repair_run->kind = "claims";
    repair_keep(repair_run, repair_run->rule, repair_run->was, 2, "claims only what is proved");
}

static int by_cost(const void *a, const void *b)
{
    const struct repair_candidate *candidate = a, *y = b;
    size_t n = strlen(candidate->rule->canonical), m = strlen(y->rule->canonical);
    if (candidate->cost != y->cost)
        return candidate->cost < y->cost ? -1 : 1;
    if (n != m) // at equal cost the shorter text
        return n < m ? -1 : 1;
    return strcmp(candidate->rule->hash, y->rule->hash);
}

static int by_share(const void *a, const void *b)
{
    const struct near_rule *near_rule = a, *y = b;
    if (near_rule->share != y->share)
        return near_rule->share > y->share ? -1 : 1;
    return strcmp(near_rule->rule->hash, y->rule->hash);
}

// ---- the end

static void drop_repeated_conditions(struct draft *draft)
{
    for (uint32_t w = draft->r.n_wheres; w-- > 1;)
        for (uint32_t v = 0; v < w; v++) {
            struct buf buf = {0}, b = {0};
            if (draft->wheres[v].cond != NULL || draft->wheres[w].cond != NULL)
                continue;
            pat_print(&draft->r, draft->wheres[v].pat, &buf);
            pat_print(&draft->r, draft->wheres[w].pat, &b);
            bool same = strcmp(buf_text(&buf), buf_text(&b)) == 0;
            buf_release(&buf);
            buf_release(&b);
            if (same) {
                draft_drop_where(draft, w);
                break;
            }
        }
}

// Proves the repair in full, from its text with its claims; domains that the
// full proof does not confirm do not count.
static bool finish(struct repair_run *repair_run, const struct repair_candidate *candidate)
{
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, candidate->rule);
    draft.r.claims = candidate->is.proved;
    drop_repeated_conditions(&draft);
    const struct rule *rule = draft_rule(&draft, &repair_run->learner->set, &err);
    draft_release(&draft);
    if (rule == NULL || !repair_has_instance(repair_run, rule, candidate->is.proved))
        return false;
    struct prove_options options = {.domains = candidate->is.proved,
                                    .seed = repair_run->learner->seed + 1};
    struct report rep = {0};
    unsigned proved = 0;
    if (prove_rule(rule, &options, &rep))
        for (uint32_t i = 0; i < rep.domains.len; i++)
            if (rep.domains.at[i].verdict == VERDICT_PROVED)
                proved |= 1u << rep.domains.at[i].domain;
    report_release(&rep);
    if (proved != candidate->is.proved)
        return false;
    struct repair done = {rule,
                          candidate->kind,
                          candidate->what,
                          candidate->cost,
                          proved,
                          candidate->is.refuted & repair_run->claims};
    vec_push(&repair_run->out->at, done);
    return true;
}

static void where_text(const struct rule *rule, uint32_t w, struct buf *out)
{
    if (rule->wheres[w].cond != NULL)
        cond_print(rule, rule->wheres[w].cond, out);
    else
        pat_print(rule, rule->wheres[w].pat, out);
}

static bool has_where(const struct rule *rule, const char *text)
{
    bool has = false;
    for (uint32_t w = 0; w < rule->n_wheres && !has; w++) {
        struct buf buf = {0};
        where_text(rule, w, &buf);
        has = strcmp(buf_text(&buf), text) == 0;
        buf_release(&buf);
    }
    return has;
}

// Does `b` have the left side of `a` and every precondition of `a`?
static bool asks_as_much(const struct rule *b, const struct rule *a)
{
    struct buf buf = {0}, y = {0};
    pat_print(a, a->lhs, &buf);
    pat_print(b, b->lhs, &y);
    bool all = strcmp(buf_text(&buf), buf_text(&y)) == 0 && a->n_types == b->n_types &&
               a->n_wider == b->n_wider;
    for (uint32_t t = 0; all && t < a->n_types; t++)
        all = a->types[t].kinds == b->types[t].kinds;
    buf_release(&buf);
    buf_release(&y);
    for (uint32_t w = 0; all && w < a->n_wheres; w++) {
        struct buf t = {0};
        where_text(a, w, &t);
        all = has_where(b, buf_text(&t));
        buf_release(&t);
    }
    return all;
}

// Does the candidate restate a better repair?  Then one with the same left side
// asks for no more preconditions.
static bool restates(const struct repair_run *repair_run, const struct repair_candidate *candidate)
{
    for (uint32_t i = 0; i < repair_run->out->at.len; i++) {
        const struct repair *repair = &repair_run->out->at.at[i];
        if (!(candidate->is.proved & ~repair->proved) &&
            asks_as_much(candidate->rule, repair->rule))
            return true;
    }
    return false;
}

static void choose(struct repair_run *repair_run, uint32_t most)
{
    uint32_t looked = 0;
    if (repair_run->found.len > 0)
        qsort(repair_run->found.at, repair_run->found.len, sizeof *repair_run->found.at, by_cost);
    for (uint32_t i = 0;
         i < repair_run->found.len && looked < REPAIR_FINALISTS && repair_run->out->at.len < most;
         i++) {
        struct repair_candidate candidate = repair_run->found.at[i];
        repair_shorten(repair_run, &candidate);
        if (restates(repair_run, &candidate))
            continue;
        finish(repair_run, &candidate);
        looked++;
    }
}

static void nearly_right(struct repair_run *repair_run)
{
    for (uint32_t i = 0; i < repair_run->near.len; i++)
        repair_run->near.at[i].share =
            repair_share(repair_run, repair_run->near.at[i].rule, REPAIR_NEAR_SAMPLES);
    if (repair_run->near.len > 0)
        qsort(repair_run->near.at, repair_run->near.len, sizeof *repair_run->near.at, by_share);
    for (uint32_t i = 0; i < repair_run->near.len && i < REPAIR_NEAR; i++)
        if (repair_run->near.at[i].share >= 0.1 && !repair_over(repair_run))
            repair_elements(repair_run, repair_run->near.at[i].rule, 0, repair_run->near.at[i].cost,
                            repair_run->near.at[i].what, REPAIR_NEAR_PROOFS);
}

// Adds preconditions to the cheapest changes that are true in some domains and
// false in others that were claimed.
static void complete(struct repair_run *repair_run)
{
    struct repair_candidate at[REPAIR_COMPLETED];
    uint32_t n = 0;
    if (repair_run->found.len > 0)
        qsort(repair_run->found.at, repair_run->found.len, sizeof *repair_run->found.at, by_cost);
    for (uint32_t i = 0; i < repair_run->found.len && n < REPAIR_COMPLETED; i++) {
        const struct repair_candidate *candidate = &repair_run->found.at[i];
        if (candidate->rule == repair_run->rule || !(repair_run->claims & ~candidate->is.proved) ||
            !(repair_run->claims & candidate->is.proved) || repair_on_elements(candidate->rule))
            continue;
        at[n++] = *candidate;
    }
    for (uint32_t i = 0; i < n; i++)
        repair_elements(repair_run, at[i].rule, at[i].is.proved,
                        at[i].cost - repair_lost_bits(repair_run, at[i].is.proved), at[i].what,
                        REPAIR_COMPLETE_PROOFS);
}

static const char *words_of(struct repair_run *repair_run, const char *json)
{
    json_t *root = json_loads(json, 0, NULL);
    const char *text = json_string_value(json_object_get(root, "text"));
    const char *words = repair_words(repair_run, "%s", text ? text : "");
    json_decref(root);
    return words;
}

static void work(struct repair_run *repair_run)
{
    repair_run->was =
        repair_judge(repair_run, repair_run->rule, repair_run->all, true, &repair_run->known);
    repair_run->out->was_proved = repair_run->was.proved;
    repair_run->out->is_true = (repair_run->claims & ~repair_run->was.proved) == 0;
    for (uint32_t i = 0; i < repair_run->known.at.len && !repair_run->out->counterexample; i++)
        if (repair_run->claims >> repair_run->known.at.at[i].domain & 1)
            repair_run->out->counterexample = words_of(repair_run, repair_run->known.at.at[i].json);
    if (repair_run->out->is_true)
        return;
    offer_claims(repair_run);
    offer_types(repair_run);
    offer_one_operand(repair_run);
    repair_maps(repair_run);
    repair_edits(repair_run);
    repair_expressions(repair_run, false);
    repair_elements(repair_run, repair_run->rule, 0, 0, NULL, REPAIR_ELEMENT_PROOFS);
    complete(repair_run);
    if (repair_best(repair_run) > REPAIR_CHEAP)
        repair_lefts(repair_run);
    if (repair_best(repair_run) > REPAIR_CHEAP)
        repair_expressions(repair_run, true);
    if (repair_best(repair_run) > REPAIR_CHEAP)
        nearly_right(repair_run);
}

void repair_rule(struct learner *learner, const struct rule *rule,
                 const struct repair_options *options, struct repairs *out)
{
    struct err err = {0};
    struct buf lhs = {0};
    double start = clock_wall();
    *out = (struct repairs){0};
    struct repair_run repair_run = {
        .learner = learner, .given = rule, .out = out, .claims = rule->claims};
    repair_run.max_proofs = options->proofs ? options->proofs : REPAIR_PROOFS;
    repair_run.end = options->seconds > 0 ? start + options->seconds : INFINITY;
    draft_init(&repair_run.base, rule);
    repair_run.base.r.claims = repair_run.all = rule_domains(rule);
    repair_run.rule = draft_rule(&repair_run.base, &learner->set, &err);
    if (repair_run.rule != NULL) {
        vec_push(&repair_run.tried, repair_run.rule->hash);
        repair_normal(repair_run.rule, repair_run.rule->lhs, &lhs);
        repair_run.lhs_norm = buf_text(&lhs);
        work(&repair_run);
        choose(&repair_run, options->most ? options->most : REPAIR_MOST);
    }
    out->seconds = clock_wall() - start;
    draft_release(&repair_run.base);
    buf_release(&lhs);
    vec_release(&repair_run.known.at);
    vec_release(&repair_run.tried);
    vec_release(&repair_run.found);
    vec_release(&repair_run.near);
}

void repairs_release(struct repairs *repairs)
{
    vec_release(&repairs->at);
}
