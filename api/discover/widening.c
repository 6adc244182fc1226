// SPDX-License-Identifier: Apache-2.0
// Wider rules from proved ones.
#include "api/discover/widening.h"

#include "api/rules/json.h"
#include "discover/generalize/generalize.h"

void widening_domains(unsigned mask, struct buf *out)
{
    const char *sep = "";
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (mask >> d & 1) {
            buf_printf(out, "%s%s", sep, domain_text((enum domain)d));
            sep = ", ";
        }
}

// The steps from the rule as given to a variant.
static void put_steps(const struct generalization *general, uint32_t variant, struct buf *out)
{
    if (general->variants.at[variant].parent == NONE)
        return;
    put_steps(general, general->variants.at[variant].parent, out);
    buf_printf(out, "%s%s", out->len ? "\n" : "", general->variants.at[variant].what);
}

// The rule with a name and a doc comment that says where it is from.
void widening_rule_text(const struct rule *rule, const struct rule *from, const char *suffix,
                        const char *doc, struct buf *out)
{
    struct draft draft;
    struct buf name = {0};
    draft_init(&draft, rule);
    buf_printf(&name, "%s_%s", from->name, suffix);
    draft.r.name = buf_text(&name);
    draft.r.doc = doc;
    draft.r.origins = from->origins;
    draft.r.n_origins = from->n_origins;
    draft_print(&draft, out);
    buf_release(&name);
    draft_release(&draft);
}

static void put_text(struct widening_run *run, const struct rule *rule,
                     const struct generalization *general, const char *text)
{
    struct buf *out = &run->text;
    buf_printf(out, "%s: %u wider variant%s, %u change%s refused\n", rule->name,
               general->variants.len - 1, general->variants.len == 2 ? "" : "s",
               general->refused.len, general->refused.len == 1 ? "" : "s");
    for (uint32_t i = 0; i < general->variants.len; i++) {
        const struct rule_variant *variant = &general->variants.at[i];
        buf_printf(out, "  [%u] ", i);
        if (variant->parent != NONE)
            buf_printf(out, "from [%u]: ", variant->parent);
        buf_printf(out, "%s (", variant->what);
        widening_domains(variant->proved, out);
        buf_printf(out, " proved, %.12s)\n", variant->rule->hash);
        if (variant->wider[0])
            buf_printf(out, "        new: %s\n", variant->wider);
    }
    for (uint32_t i = 0; i < general->refused.len; i++)
        buf_printf(out, "  refused at [%u]: %s\n        %s\n", general->refused.at[i].of,
                   general->refused.at[i].what, general->refused.at[i].why);
    for (uint32_t i = 0; i < general->needs.len; i++) {
        const struct condition_need *need = &general->needs.at[i];
        buf_printf(out, "  needed: %s\n        %s%s\n", need->condition,
                   need->breaks ? "without it false at "
                                : "no counterexample "
                                  "without it was found",
                   need->breaks ? need->breaks : "");
    }
    if (general->maximal && general->points)
        buf_printf(out, "  maximal: no agreement outside at %u points\n", general->points);
    else if (general->maximal)
        buf_puts(out, "  maximal: no precondition on maps\n");
    else if (general->lost)
        buf_printf(out, "  not maximal: the sides agree at %s\n", general->lost);
    if (general->lost_empty != NULL)
        buf_printf(out, "  without elements the sides agree at %s\n", general->lost_empty);
    if (general->stopped)
        buf_puts(out, "  stopped by the clock\n");
    text_indent(text, out);
}

static json_t *variants_json(const struct generalization *general)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < general->variants.len; i++) {
        const struct rule_variant *variant = &general->variants.at[i];
        struct buf buf = {0};
        rule_print(variant->rule, &buf);
        json_array_append_new(all, json_pack("{s:i, s:i, s:s, s:s, s:s, s:s}", "number", (int)i,
                                             "parent",
                                             variant->parent == NONE ? -1 : (int)variant->parent,
                                             "change", variant->what, "new", variant->wider, "hash",
                                             variant->rule->hash, "text", buf_text(&buf)));
        buf_release(&buf);
    }
    return all;
}

static void put_json(struct widening_run *run, const struct rule *rule,
                     const struct generalization *general, const char *text)
{
    json_t *refused = json_array(), *needs = json_array();
    struct buf domains = {0};
    widening_domains(general->variants.at[general->best].proved, &domains);
    for (uint32_t i = 0; i < general->refused.len; i++)
        json_array_append_new(
            refused, json_pack("{s:i, s:s, s:s}", "of", (int)general->refused.at[i].of, "change",
                               general->refused.at[i].what, "why", general->refused.at[i].why));
    for (uint32_t i = 0; i < general->needs.len; i++)
        json_array_append_new(needs,
                              json_pack("{s:s, s:s?}", "condition", general->needs.at[i].condition,
                                        "breaks", general->needs.at[i].breaks));
    json_line(json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:b, s:s?, s:s?, s:i, "
                        "s:s, s:s, s:b, s:I, s:f}",
                        "rule", rule->name, "hash", rule->hash, "wider", general->best != 0,
                        "variants", variants_json(general), "refused", refused, "needs", needs,
                        "maximal", general->maximal, "lost", general->lost, "lost_empty",
                        general->lost_empty, "points", (int)general->points, "text", text,
                        "domains", buf_text(&domains), "stopped", general->stopped, "seed",
                        (json_int_t)run->seed, "seconds", general->seconds),
              &run->json);
    buf_release(&domains);
}

static void put_refused(struct widening_run *run, const struct rule *rule, const char *reason)
{
    json_line(json_pack("{s:s, s:s, s:b, s:s}", "rule", rule->name, "hash", rule->hash, "wider",
                        false, "reason", reason),
              &run->json);
    buf_printf(&run->text, "%s\n", reason);
}

void widening_found(struct widening_run *run, const struct buf *text)
{
    buf_printf(&run->rules, "%s%s", run->rules.len ? "\n" : "", buf_text(text));
    buf_printf(&run->found, "%s%s", run->found.len ? "\n" : "", buf_text(text));
}

static void report(struct widening_run *run, const struct rule *rule,
                   const struct generalization *general)
{
    struct buf doc = {0}, steps = {0}, text = {0};
    put_steps(general, general->best, &steps);
    buf_printf(&doc, "More general than %s (%.12s), by seed %llu:\n%s", rule->name, rule->hash,
               (unsigned long long)run->seed, general->best ? buf_text(&steps) : "nothing");
    widening_rule_text(general->variants.at[general->best].rule, rule, "general", buf_text(&doc),
                       &text);
    put_json(run, rule, general, buf_text(&text));
    put_text(run, rule, general, buf_text(&text));
    if (general->best)
        widening_found(run, &text);
    buf_release(&doc);
    buf_release(&steps);
    buf_release(&text);
}

const char *widening_generalize(struct widening_run *run, const struct rule *rule, struct err *err)
{
    struct generalization general = {0};
    struct generalize_options options = {.seconds = run->seconds};
    bool ok = generalize(&run->learner, rule, &options, &general, err);
    bool wider = ok && general.best != 0;
    buf_clear(&run->found);
    if (ok)
        report(run, rule, &general);
    else
        put_refused(run, rule, err->msg);
    run->n_wider += wider;
    run->n_rules++;
    run->spent += general.seconds;
    generalization_release(&general);
    return wider ? "wider" : ok ? "unchanged" : "refused";
}

void widening_init(struct widening_run *run, uint64_t seed, double seconds)
{
    *run = (struct widening_run){.seed = seed, .seconds = seconds};
    learner_init(&run->learner, seed);
}

void widening_release(struct widening_run *run)
{
    learner_release(&run->learner);
    buf_release(&run->json);
    buf_release(&run->text);
    buf_release(&run->rules);
    buf_release(&run->found);
}
