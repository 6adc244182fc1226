// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "discover/limits.h"
#include "base/hash.h"
#include "verify/workers/pool.h"
#include <stdlib.h>

static bool proved_one(void *ctx, uint32_t i, struct report *rep)
{
    struct rule_search *search = ctx;
    struct rule_candidate *candidate = &search->wave.at[search->asked.at[i]];
    for (uint32_t k = 0; k < rep->domains.len; k++) {
        const struct domain_report *report = &rep->domains.at[k];
        if (report->verdict == VERDICT_PROVED) {
            candidate->proved |= 1u << report->domain;
            if (report->rung == RUNG_UNINTERPRETED)
                candidate->uninterpreted |= 1u << report->domain;
        }
        candidate->refuted |= report->verdict == VERDICT_REFUTED;
    }
    report_release(rep);
    return !stop_asked(&search->options->stop);
}

static char *fresh_name(struct rule_search *search, const struct rule_sketch *pair)
{
    struct buf buf = {0}, n = {0};
    rule_sketch_name(pair, &buf);
    for (unsigned k = 1;; k++) {
        uint32_t before = search->names.entry.len;
        buf_clear(&n);
        buf_puts(&n, buf_text(&buf));
        if (k > 1)
            buf_printf(&n, "_%u", k);
        if (intern_str(&search->names, buf_text(&n)) >= before)
            break;
    }
    char *name = arena_strdup(&search->mem, buf_text(&n));
    buf_release(&buf);
    buf_release(&n);
    return name;
}

// Do the kept rules derive the rule at some ground instances?  Only rules
// proved over the integers are asked about; all others are kept.
static bool derived(struct rule_search *search, const struct rule_candidate *candidate,
                    const struct rule *rule)
{
    struct derive_options options = derive_defaults();
    struct derive_answer answer = {0};
    struct arena mem = {0};
    if (!(candidate->proved >> DOMAIN_INT & 1) || derive_count(search->base) == 0)
        return false;
    options.max_nodes = SEARCH_DERIVE_NODES;
    options.max_rounds = SEARCH_DERIVE_ROUNDS;
    options.instances = SEARCH_DERIVE_INSTANCES;
    options.no_used = true;
    options.seed = search->options->seed;
    derive_goal(search->base, rule, &options, &mem, &answer);
    arena_release(&mem);
    return answer.status == DERIVE_YES || answer.same;
}

static const char *given_name(struct rule_search *search, const struct rule *rule)
{
    struct buf buf = {0};
    buf_printf(&buf, "%s", rule->name);
    for (unsigned k = 2;; k++) {
        uint32_t before = search->names.entry.len;
        if (intern_str(&search->names, buf_text(&buf)) >= before)
            break;
        buf_clear(&buf);
        buf_printf(&buf, "%s_%u", rule->name, k);
    }
    const char *name = arena_strdup(&search->mem, buf_text(&buf));
    buf_release(&buf);
    return name;
}

static void given_text(const struct rule *rule, const char *name, unsigned proved, struct buf *out)
{
    struct rule one = *rule;
    one.name = name;
    one.claims = proved;
    rule_print(&one, out);
}

static void keep(struct rule_search *search, struct rule_candidate *candidate)
{
    struct buf text = {0}, doc = {0}, origin = {0};
    struct err err = {0};
    struct kept_rule kept = {
        .pair = candidate->pair, .whole = candidate->whole, .permutes = candidate->permutes};
    const char *name = candidate->given != NULL ? given_name(search, candidate->given)
                                                : fresh_name(search, &candidate->pair);
    buf_printf(&doc, "%s",
               candidate->undirected ? "Neither side costs less."
               : candidate->whole    ? "Holds wherever the left side does."
                                     : "Holds under a precondition.");
    buf_printf(&origin, "discovered seed=%llu size=%u", (unsigned long long)search->options->seed,
               search->options->size);
    if (candidate->given != NULL)
        given_text(candidate->given, name, candidate->proved, &text);
    else
        rule_sketch_text(&candidate->pair, name, buf_text(&doc), buf_text(&origin),
                         candidate->proved, &text);
    const struct rule *rule = ruleset_add(search->set, buf_text(&text), name, &err);
    bool follows = rule != NULL && derived(search, candidate, rule);
    if (follows) {
        search->progress->derived++;
        // Left sides that the rule rewrites need not be examined again.
        if (candidate->given == NULL) {
            vec_push(&search->kept, kept);
            search_keep_pair(search, &candidate->pair);
        }
    } else if (rule != NULL) {
        struct rule_status status = {.proved = candidate->proved,
                                     .uninterpreted = candidate->uninterpreted};
        (void)derive_add(search->base, rule, status);
        struct found_rule f = {.text = arena_strdup(&search->mem, buf_text(&text)),
                               .name = name,
                               .rule = rule,
                               .proved = candidate->proved,
                               .conditional = !candidate->whole,
                               .undirected = candidate->undirected};
        vec_push(&search->out->at, f);
        if (candidate->given == NULL) {
            vec_push(&search->kept, kept);
            search_keep_pair(search, &candidate->pair);
        }
    }
    buf_release(&text);
    buf_release(&doc);
    buf_release(&origin);
}

// The order in which rules are kept, so that strong rules derive the others.
static int whole_first(const void *a, const void *b)
{
    const struct rule_candidate *candidate = a, *y = b;
    if (candidate->whole != y->whole)
        return candidate->whole ? -1 : 1;
    if (candidate->pair.lhs.n_ops != y->pair.lhs.n_ops)
        return candidate->pair.lhs.n_ops - y->pair.lhs.n_ops;
    int p = (candidate->pair.general == GENERAL_NOT) - (y->pair.general == GENERAL_NOT);
    if (p != 0)
        return p;
    return candidate->number < y->number ? -1 : candidate->number > y->number;
}

struct proof_outcome {
    unsigned proved, uninterpreted;
    bool refuted;
};

static uint64_t verdict_key(const struct rule *rule)
{
    return hash_bytes(rule->hash, sizeof rule->hash, 0x7e2d);
}

// Fills the verdicts of wave[first ..], from the journal or by proof.
static void prove_some(struct rule_search *search, uint32_t first)
{
    struct worker_options options = {
        .jobs = search->options->jobs,
        .prove = {.domains = search->options->domains, .seed = search->options->seed}};
    struct workers_result res = {0};
    const struct rule **rules;
    rules = mem_alloc((search->wave.len - first + 1) * sizeof *rules);
    vec_clear(&search->asked);
    for (uint32_t i = first; i < search->wave.len; i++) {
        struct rule_candidate *candidate = &search->wave.at[i];
        const struct answer *old = answers_find(&search->journal, verdict_key(candidate->rule));
        struct proof_outcome judged;
        if (old != NULL && old->n == sizeof judged) {
            memcpy(&judged, old->at, sizeof judged);
            candidate->proved = judged.proved;
            candidate->uninterpreted = judged.uninterpreted;
            candidate->refuted = judged.refuted;
            search->progress->known++;
            continue;
        }
        rules[search->asked.len] = candidate->rule;
        vec_push(&search->asked, i);
    }
    if (search->asked.len > 0 &&
        !workers_run(rules, search->asked.len, &options, (struct report_sink){proved_one, search},
                     &res, search->err))
        search->failed = true;
    search->ended |= res.interrupted;
    for (uint32_t i = 0; i < search->asked.len && !search->ended && !search->failed; i++) {
        const struct rule_candidate *c = &search->wave.at[search->asked.at[i]];
        struct proof_outcome v;
        memset(&v, 0, sizeof v);
        v.proved = c->proved;
        v.uninterpreted = c->uninterpreted;
        v.refuted = c->refuted;
        answers_put(&search->journal, verdict_key(c->rule), &v, sizeof v);
    }
    search->failed |= !answers_flush(&search->journal, search->err);
    mem_free(rules);
}

static void judge(struct rule_search *search, uint32_t i)
{
    struct rule_candidate candidate = search->wave.at[i];
    if (candidate.proved != 0) {
        search->progress->proved++;
        if (candidate.given != NULL ||
            (!search_reducible(search, &candidate.pair.lhs) &&
             (candidate.whole ||
              !search_congruent(search, &candidate.pair.lhs, &candidate.pair.rhs))))
            keep(search, &candidate);
        return;
    }
    if (candidate.refuted)
        search->progress->refuted++;
    else
        search->progress->unknown++;
    if (candidate.pair.general == GENERAL_NOT || candidate.given != NULL)
        return;
    // Appends the candidate with its concrete operators, for the next turn.
    candidate.fallback = true;
    candidate.refuted = false;
    if (!search_offer(search, &candidate))
        return;
    if (search_is_new(search, &vec_last(&search->wave)))
        vec_last(&search->wave).number = search->progress->candidates++;
    else
        (void)vec_pop(&search->wave);
}

void search_prove_wave(struct rule_search *search)
{
    uint32_t first = 0, before = search->out->at.len;
    if (search->wave.len > 0)
        qsort(search->wave.at, search->wave.len, sizeof *search->wave.at, whole_first);
    while (first < search->wave.len && !search->failed && !search->ended) {
        uint32_t n = search->wave.len;
        prove_some(search, first);
        for (uint32_t i = first; i < n && !search->failed && !search->ended; i++)
            judge(search, i);
        first = n;
        search_show(search, true);
    }
    vec_clear(&search->wave);
    if (search->out->at.len > before && search->options->kept != NULL && !search->failed)
        search->failed |= !search->options->kept(search->options->ctx, search->out, search->err);
}
