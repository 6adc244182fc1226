// SPDX-License-Identifier: Apache-2.0
#include "discover/lint/lint.h"
#include "base/clock.h"
#include "discover/lint/core.h"
#include "verify/obligations/implied.h"

#define EFFORT 3000 // assignments of maps that are looked at

const char *lint_kind_text(enum lint_kind k)
{
    static const char *const text[] = {
        [LINT_SAME] = "same",           [LINT_EQUAL] = "equal-sides",
        [LINT_INSTANCE] = "instance",   [LINT_INVERSE] = "inverse",
        [LINT_LOOP] = "loop",           [LINT_GROWS] = "grows",
        [LINT_NEVER] = "never",         [LINT_IMPLIED] = "implied",
        [LINT_UNDECIDED] = "undecided",
    };
    return text[k];
}

struct lint_options lint_defaults(void)
{
    return (struct lint_options){.instances = 4,
                                 .max_states = 60,
                                 .max_steps = 8,
                                 .seconds = 60,
                                 .domains = (1u << N_DOMAINS) - 1};
}

void lint_init(struct lint *l)
{
    *l = (struct lint){.n_rules = 0};
    ruleset_init(&l->reversed);
}

void lint_release(struct lint *l)
{
    vec_release(&l->found);
    ruleset_release(&l->reversed);
    arena_release(&l->mem);
}

void lint_add(struct lint *l, enum lint_kind kind, const char *method,
              uint32_t n, const struct rule *const *rules, const char *witness)
{
    const struct rule **copy = ARENA_NEW(&l->mem, const struct rule *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = rules[i];
    struct lint_finding f = {kind, method, n, copy,
                             arena_strdup(&l->mem, witness)};
    vec_push(&l->found, f);
}

static void undecided(struct lint_run *w, const struct rule *r,
                      const char *what, const char *why)
{
    struct buf b = {0};
    buf_printf(&b, "%s: %s", what, why[0] ? why : "no answer");
    lint_add(w->l, LINT_UNDECIDED, "prover", 1, &r, buf_text(&b));
    buf_release(&b);
}

// Does the family of the class always have an axis?
static bool has_axis(const struct rule *r, uint32_t cls)
{
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (r->classes[r->classes[c].like].joint ==
                r->classes[r->classes[cls].like].joint &&
            (r->classes[c].single || r->classes[c].least_rank > 0))
            return true;
    return false;
}

// *never: of some family that always has an axis there is none.
static void check_never(struct lint_run *w, const struct rule *r, bool *never)
{
    *never = false;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        struct arena mem = {0};
        struct buf b = {0};
        const char *why;
        if (r->classes[r->classes[c].like].joint != c)
            continue;
        enum implied a = implied_nothing(r, c, &mem, &why);
        if (a == IMPLIED_YES) {
            bool all = has_axis(r, c);
            *never = true;
            buf_printf(
                &b,
                all ? "no axis of %s meets the preconditions with the "
                      "left side well-defined"
                    : "only where there is no axis of %s are the "
                      "preconditions met with the left side well-defined",
                r->classes[c].name);
            lint_add(w->l, LINT_NEVER, "proved for all ranks", 1, &r,
                     buf_text(&b));
        } else if (a == IMPLIED_UNKNOWN && r->n_wheres > 0 &&
                   strcmp(why, "it is about a block") != 0) {
            buf_printf(&b, "can an axis of %s meet the preconditions?",
                       r->classes[c].name);
            undecided(w, r, buf_text(&b), why);
        }
        buf_release(&b);
        arena_release(&mem);
    }
}

static void check_wheres(struct lint_run *w, const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        struct arena mem = {0};
        struct buf b = {0};
        const char *why;
        if (r->wheres[i].cond == NULL) {
            w->l->n_unasked++;
            continue;
        }
        enum implied a = implied_where(r, i, &mem, &why);
        buf_puts(&b, "where ");
        cond_print(r, r->wheres[i].cond, &b);
        if (a == IMPLIED_YES)
            lint_add(w->l, LINT_IMPLIED, "proved for all ranks", 1, &r,
                     buf_text(&b));
        else if (a == IMPLIED_UNKNOWN)
            undecided(w, r, buf_text(&b), why);
        buf_release(&b);
        arena_release(&mem);
    }
}

// In which of the domains that it claims were no elements found?
static void check_elements(struct lint_run *w, const struct rule *r)
{
    struct arena mem = {0};
    struct buf b = {0};
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (r->claims >> d & 1 &&
            !implied_has_elements(r, (enum domain)d, &mem))
            buf_printf(&b, "%s%s", b.len ? ", " : "",
                       domain_text((enum domain)d));
    if (b.len > 0)
        undecided(w, r, "no elements that meet the preconditions were found",
                  buf_text(&b));
    buf_release(&b);
    arena_release(&mem);
}

void lint_conditions(struct lint_run *w)
{
    for (uint32_t i = 0; i < w->n; i++) {
        bool never;
        check_never(w, w->rule[i].r, &never);
        if (never) // from a contradiction everything follows
            continue;
        check_wheres(w, w->rule[i].r);
        check_elements(w, w->rule[i].r);
    }
}

static bool chosen_domain(unsigned claims, enum domain *out)
{
    // Machine types first: of one width converts to another are operations.
    static const enum domain order[] = {DOMAIN_REAL, DOMAIN_WORD, DOMAIN_FLOAT,
                                        DOMAIN_INT, DOMAIN_BOOL};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (claims >> order[i] & 1) {
            *out = order[i];
            return true;
        }
    return false;
}

void lint_rules(struct lint *l, uint32_t n, const struct rule *const *rules,
                const struct lint_options *o)
{
    struct lint_run w = {.l = l, .o = o};
    struct arena mem = {0};
    rng_seed(&w.rng, o->seed);
    rewriter_init(&w.steps);
    w.deadline = o->seconds > 0 ? clock_wall() + o->seconds : 0;
    w.rule = ARENA_NEW(&mem, struct lint_rule, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct rule *r = rules[i];
        struct lint_rule *q = &w.rule[w.n];
        if (rule_defines(r) ||
            !chosen_domain(r->claims & o->domains, &q->domain))
            continue;
        q->r = r;
        q->sampler = sampler_new(r, EFFORT, &w.rng, &mem);
        rewriter_add(&w.steps, r,
                     (struct rule_status){
                         .proved = r->claims,
                         .uninterpreted = rule_only_moves(r) ? r->claims : 0});
        w.n++;
    }
    l->n_rules += w.n;
    lint_conditions(&w);
    lint_inverses(&w);
    lint_pairs(&w);
    lint_loops(&w);
    rewriter_release(&w.steps);
    arena_release(&mem);
}
