// SPDX-License-Identifier: Apache-2.0
// Repeated rules: equal texts, sides that are one term, and rules whose whole
// effect is one step of another rule.
#include "base/clock.h"
#include "discover/limits.h"
#include "discover/derive/derive.h"
#include "discover/lint/core.h"

#include <stdlib.h>

struct by_hash {
    const char *hash;
    uint32_t index;
};

static int hash_order(const void *a, const void *b)
{
    const struct by_hash *by_hash = a, *y = b;
    int c = strcmp(by_hash->hash, y->hash);
    return c != 0 ? c : by_hash->index < y->index ? -1 : by_hash->index > y->index;
}

// The index of the first entry with the hash; n if there is none.
static uint32_t find_hash(const struct by_hash *at, uint32_t n, const char *hash)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (strcmp(at[mid].hash, hash) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && strcmp(at[low].hash, hash) == 0 ? low : n;
}

static struct by_hash *sort_hashes(const struct lint_run *run, struct arena *mem)
{
    struct by_hash *at = ARENA_NEW(mem, struct by_hash, run->n + 1);
    for (uint32_t i = 0; i < run->n; i++)
        at[i] = (struct by_hash){run->rule[i].rule->hash, i};
    qsort(at, run->n, sizeof *at, hash_order);
    return at;
}

static void put_rule(const struct rule *rule, struct buf *buf)
{
    buf_printf(buf, "%s: ", rule->name);
    pat_print(rule, rule->lhs, buf);
    buf_puts(buf, " => ");
    pat_print(rule, rule->rhs, buf);
    buf_putc(buf, '\n');
}

void lint_inverses(struct lint_run *run)
{
    struct arena mem = {0};
    struct by_hash *at = sort_hashes(run, &mem);
    for (uint32_t i = 0; i < run->n; i++) {
        const struct rule *rule = run->rule[i].rule;
        const struct rule *back = rule_reversed(rule, &run->lint->reversed);
        struct buf buf = {0};
        if (back == NULL)
            continue;
        uint32_t k = find_hash(at, run->n, back->hash);
        if (k < run->n && at[k].index >= i) {
            const struct rule *two[] = {rule, run->rule[at[k].index].rule};
            put_rule(two[0], &buf);
            if (two[1] != two[0])
                put_rule(two[1], &buf);
            lint_add(run->lint, LINT_INVERSE, "exact: one is the other reversed",
                     two[0] == two[1] ? 1 : 2, two, buf_text(&buf));
        }
        buf_release(&buf);
    }
    arena_release(&mem);
}

static void same_texts(struct lint_run *run)
{
    struct arena mem = {0};
    struct by_hash *at = sort_hashes(run, &mem);
    for (uint32_t i = 1; i < run->n; i++)
        if (strcmp(at[i].hash, at[i - 1].hash) == 0) {
            const struct rule *two[] = {run->rule[at[i - 1].index].rule,
                                        run->rule[at[i].index].rule};
            struct buf buf = {0};
            put_rule(two[0], &buf);
            put_rule(two[1], &buf);
            lint_add(run->lint, LINT_SAME, "exact: equal but for names", 2, two, buf_text(&buf));
            buf_release(&buf);
        }
    arena_release(&mem);
}

// One instance of a rule, with terms of its own.
struct place_of {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct sample at;
};

static bool place_make(struct lint_run *run, uint32_t rule, uint32_t k, struct place_of *place)
{
    struct err err = {0};
    *place = (struct place_of){.at = {.in = NULL}};
    pool_init(&place->pool);
    terms_init(&place->terms, &place->pool);
    struct sample_request request = {run->rule[rule].domain, k, &place->terms, &run->rng,
                                     &place->mem};
    if (!sample_make(run->rule[rule].sampler, &request, &place->at, &err) ||
        place->at.status != GROUND_OK)
        return false;
    place->at.lhs = term_normal(&place->terms, place->at.lhs);
    place->at.rhs = term_normal(&place->terms, place->at.rhs);
    return true;
}

static void place_free(struct place_of *place)
{
    terms_release(&place->terms);
    pool_release(&place->pool);
    arena_release(&place->mem);
}

static bool has_element_condition(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_wheres; i++)
        if (rule->wheres[i].cond == NULL)
            return true;
    return false;
}

// Finds rules that rewrite the left side to the right side in one step.  can[]
// is filled if `first`, else reduced.  `edge`: an instance at which the engine
// does not match the rule itself is skipped.
static void one_step(struct lint_run *run, uint32_t rule, struct place_of *place, bool first,
                     bool edge, bool *can)
{
    step_vec steps = {0};
    bool *now = mem_alloc(run->n + 1u);
    rewrite_steps(&run->steps, &place->terms, place->at.lhs, lint_reading(run->rule[rule].domain),
                  UINT32_MAX, &steps);
    for (uint32_t i = 0; i < steps.len; i++)
        if (steps.at[i].term.v == place->at.rhs.v)
            now[steps.at[i].rule] = true;
    for (uint32_t i = 0; i < run->n && (!edge || now[rule]); i++)
        can[i] = first ? now[i] : can[i] && now[i];
    mem_free(now);
    vec_release(&steps);
}

static bool subsumes(const struct rule *a, const struct rule *b)
{
    return a != b && strcmp(a->hash, b->hash) != 0 && (b->claims & ~a->claims) == 0;
}

static void report_instance(struct lint_run *run, uint32_t a, uint32_t b, const char *method,
                            struct place_of *place)
{
    const struct rule *two[] = {run->rule[b].rule, run->rule[a].rule};
    struct buf text = {0};
    buf_printf(&text, "%s does in one step what %s does\n", two[1]->name, two[0]->name);
    put_rule(two[1], &text);
    put_rule(two[0], &text);
    if (place != NULL) {
        buf_puts(&text, "as at ");
        sample_print(place->at.in, &text);
        buf_puts(&text, ": ");
        term_print(&place->terms, place->at.lhs, LINT_PAIR_PRINT_DEPTH, &text);
        buf_putc(&text, '\n');
    }
    lint_add(run->lint, LINT_INSTANCE, method, 2, two, buf_text(&text));
    buf_release(&text);
}

// Are both sides one term at every instance that distinguishes terms?
static void report_equal(struct lint_run *run, uint32_t rule, uint32_t n)
{
    const struct rule *r = run->rule[rule].rule;
    struct buf text = {0}, method = {0};
    put_rule(r, &text);
    buf_printf(&method, "at %u instances", n);
    lint_add(run->lint, LINT_EQUAL, arena_strdup(&run->lint->mem, buf_text(&method)), 1, &r,
             buf_text(&text));
    buf_release(&text);
    buf_release(&method);
}

// Further instances that could distinguish the rules.
static void try_edges(struct lint_run *run, uint32_t rule, bool *can)
{
    uint32_t n = LINT_SAMPLES_PER_FAMILY * sampler_families(run->rule[rule].sampler);
    for (uint32_t k = 0; k < n; k++) {
        struct place_of place;
        if (place_make(run, rule, SAMPLE_EDGES + k, &place) && place.at.lhs.v != place.at.rhs.v)
            one_step(run, rule, &place, false, true, can);
        place_free(&place);
    }
}

// Without an axis of a class, the effect of the rule along that class is gone.
static bool has_all_axes(const struct instance *in)
{
    for (uint32_t c = 0; c < in->rule->n_classes; c++)
        if (in->rank[c] == 0)
            return false;
    return true;
}

static void look_at_rule(struct lint_run *run, uint32_t rule)
{
    bool *can = mem_alloc(run->n + 1u);
    bool any = true, full = false;
    uint32_t asked = 0, equal = 0;
    for (uint32_t k = 0; k < run->options->instances && any; k++) {
        struct place_of place;
        if (place_make(run, rule, k, &place)) {
            full = full || has_all_axes(place.at.in);
            if (place.at.lhs.v == place.at.rhs.v) // equal terms are common at rank 0
                equal += place.at.in->n_axes > 0 || run->rule[rule].rule->n_classes == 0;
            else
                one_step(run, rule, &place, asked++ == 0, false, can);
        }
        any = equal > 0;
        for (uint32_t i = 0; i < run->n && asked > 0; i++) {
            can[i] = can[i] && subsumes(run->rule[i].rule, run->rule[rule].rule);
            any = any || can[i];
        }
        bool last = k + 1 == run->options->instances && asked > 0 && full;
        if (last && any)
            try_edges(run, rule, can);
        for (uint32_t i = 0; last && i < run->n; i++)
            if (can[i]) {
                struct buf method = {0};
                buf_printf(&method, "one step at %u instances", asked);
                report_instance(run, i, rule, arena_strdup(&run->lint->mem, buf_text(&method)),
                                place.at.in != NULL ? &place : NULL);
                buf_release(&method);
            }
        place_free(&place);
    }
    if (asked == 0 && equal > 0 && full)
        report_equal(run, rule, equal);
    mem_free(can);
}

// Rules with preconditions on elements, which no ground instance decides: they
// are compared as terms.
static void look_at_conditional(struct lint_run *run, uint32_t rule, struct derive_base **base)
{
    const struct lint_rule *q = &run->rule[rule];
    struct derive_options options = derive_defaults();
    struct derive_answer answer;
    struct arena mem = {0};
    bool *without = ARENA_NEW(&mem, bool, run->n + 1);
    if (base[q->domain] == NULL) {
        base[q->domain] = derive_base_new(q->domain, &run->lint->mem);
        for (uint32_t i = 0; i < run->n; i++)
            derive_add(base[q->domain], run->rule[i].rule, run->steps.rule.at[i].status);
    }
    for (uint32_t i = 0; i < run->n; i++)
        without[i] = !subsumes(run->rule[i].rule, q->rule);
    options.method = DERIVE_TERMS;
    options.lhs_only = true;
    options.max_rounds = 1;
    options.without = without;
    derive_goal(base[q->domain], q->rule, &options, &mem, &answer);
    if (answer.status == DERIVE_YES && answer.n_used == 1)
        report_instance(run, answer.used[0], rule, "one round on terms: all ranks and sizes", NULL);
    arena_release(&mem);
}

void lint_pairs(struct lint_run *run)
{
    struct derive_base *base[N_DOMAINS] = {NULL};
    same_texts(run);
    for (uint32_t i = 0; i < run->n; i++) {
        if (has_element_condition(run->rule[i].rule))
            look_at_conditional(run, i, base);
        else
            look_at_rule(run, i);
    }
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (base[d] != NULL)
            derive_base_free(base[d]);
}
