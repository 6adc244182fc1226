// SPDX-License-Identifier: Apache-2.0
#include "discover/lint/lint.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "discover/lint/core.h"
#include "verify/obligations/implied.h"

const char *lint_kind_text(enum lint_kind kind)
{
    static const char *const text[] = {
        [LINT_SAME] = "same",           [LINT_EQUAL] = "equal-sides",
        [LINT_INSTANCE] = "instance",   [LINT_INVERSE] = "inverse",
        [LINT_LOOP] = "loop",           [LINT_GROWS] = "grows",
        [LINT_NEVER] = "never",         [LINT_IMPLIED] = "implied",
        [LINT_TAUTOLOGY] = "tautology", [LINT_UNDECIDED] = "undecided",
    };
    return text[kind];
}

struct lint_options lint_defaults(void)
{
    return (struct lint_options){.instances = LINT_INSTANCES,
                                 .max_states = LINT_STATES,
                                 .max_steps = LINT_STEPS,
                                 .domains = (1u << N_DOMAINS) - 1};
}

void lint_init(struct lint *lint)
{
    *lint = (struct lint){.n_rules = 0};
    ruleset_init(&lint->reversed);
}

void lint_release(struct lint *lint)
{
    vec_release(&lint->found);
    ruleset_release(&lint->reversed);
    arena_release(&lint->mem);
}

void lint_add(struct lint *lint, enum lint_kind kind, const char *method, uint32_t n,
              const struct rule *const *rules, const char *witness)
{
    const struct rule **copy = ARENA_NEW(&lint->mem, const struct rule *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = rules[i];
    struct lint_finding finding = {kind, method, n, copy, arena_strdup(&lint->mem, witness)};
    vec_push(&lint->found, finding);
}

static void undecided(struct lint_run *run, const struct rule *rule, const char *what,
                      const char *why)
{
    struct buf buf = {0};
    buf_printf(&buf, "%s: %s", what, why[0] ? why : "no answer");
    lint_add(run->lint, LINT_UNDECIDED, "prover", 1, &rule, buf_text(&buf));
    buf_release(&buf);
}

// Does the family of the class have an axis in every instance?
static bool has_axis(const struct rule *rule, uint32_t cls)
{
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (rule->classes[rule->classes[c].like].joint ==
                rule->classes[rule->classes[cls].like].joint &&
            (rule->classes[c].single || rule->classes[c].least_rank > 0))
            return true;
    return false;
}

// *never: some family must have an axis, and no axis meets the preconditions.
static void check_never(struct lint_run *run, const struct rule *rule, bool *never)
{
    *never = false;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        struct arena mem = {0};
        struct buf buf = {0};
        const char *why;
        if (rule->classes[rule->classes[c].like].joint != c)
            continue;
        enum implied a = implied_nothing(rule, c, &mem, &why);
        if (a == IMPLIED_YES) {
            bool all = has_axis(rule, c);
            *never = true;
            buf_printf(&buf,
                       all ? "no axis of %s meets the preconditions with the "
                             "left side well-defined"
                           : "only where there is no axis of %s are the "
                             "preconditions met with the left side well-defined",
                       rule->classes[c].name);
            lint_add(run->lint, LINT_NEVER, "proved for all ranks", 1, &rule, buf_text(&buf));
        } else if (a == IMPLIED_UNKNOWN && rule->n_wheres > 0 &&
                   strcmp(why, "it is about a block") != 0) {
            buf_printf(&buf, "can an axis of %s meet the preconditions?", rule->classes[c].name);
            undecided(run, rule, buf_text(&buf), why);
        }
        buf_release(&buf);
        arena_release(&mem);
    }
}

static void check_wheres(struct lint_run *run, const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_wheres; i++) {
        struct arena mem = {0};
        struct buf buf = {0};
        const char *why;
        if (rule->wheres[i].cond == NULL) {
            run->lint->n_unasked++;
            continue;
        }
        enum implied a = implied_where(rule, i, &mem, &why);
        buf_puts(&buf, "where ");
        cond_print(rule, rule->wheres[i].cond, &buf);
        if (a == IMPLIED_YES)
            lint_add(run->lint, LINT_IMPLIED, "proved for all ranks", 1, &rule, buf_text(&buf));
        else if (a == IMPLIED_UNKNOWN)
            undecided(run, rule, buf_text(&buf), why);
        buf_release(&buf);
        arena_release(&mem);
    }
}

// The domains claimed by the rule in which no elements met its conditions.
static void check_elements(struct lint_run *run, const struct rule *rule)
{
    struct arena mem = {0};
    struct buf buf = {0};
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (rule->claims >> d & 1 && !implied_has_elements(rule, (enum domain)d, &mem))
            buf_printf(&buf, "%s%s", buf.len ? ", " : "", domain_text((enum domain)d));
    if (buf.len > 0)
        undecided(run, rule, "no elements that meet the preconditions were found", buf_text(&buf));
    buf_release(&buf);
    arena_release(&mem);
}

void lint_conditions(struct lint_run *run)
{
    for (uint32_t i = 0; i < run->n; i++) {
        bool never;
        check_never(run, run->rule[i].rule, &never);
        if (never) // a contradiction implies every precondition
            continue;
        check_wheres(run, run->rule[i].rule);
        check_elements(run, run->rule[i].rule);
        lint_tautology(run, run->rule[i].rule);
    }
}

static bool chosen_domain(unsigned claims, enum domain *out)
{
    // Machine types first: conversions between types of one width are operations.
    static const enum domain order[] = {DOMAIN_REAL, DOMAIN_WORD, DOMAIN_FLOAT, DOMAIN_INT,
                                        DOMAIN_BOOL};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (claims >> order[i] & 1) {
            *out = order[i];
            return true;
        }
    return false;
}

void lint_rules(struct lint *lint, uint32_t n, const struct rule *const *rules,
                const struct lint_options *options)
{
    struct lint_run run = {.lint = lint, .options = options};
    struct arena mem = {0};
    rng_seed(&run.rng, options->seed);
    rewriter_init(&run.steps);
    run.deadline = options->seconds > 0 ? clock_wall() + options->seconds : 0;
    run.rule = ARENA_NEW(&mem, struct lint_rule, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct rule *rule = rules[i];
        struct lint_rule *q = &run.rule[run.n];
        if (rule_defines(rule) || !chosen_domain(rule->claims & options->domains, &q->domain))
            continue;
        q->rule = rule;
        q->sampler = sampler_new(rule, LINT_EFFORT, &run.rng, &mem);
        rewriter_add(
            &run.steps, rule,
            (struct rule_status){.proved = rule->claims,
                                 .uninterpreted = rule_only_moves(rule) ? rule->claims : 0});
        run.n++;
    }
    lint->n_rules += run.n;
    lint_conditions(&run);
    lint_inverses(&run);
    lint_pairs(&run);
    lint_loops(&run);
    rewriter_release(&run.steps);
    arena_release(&mem);
}
