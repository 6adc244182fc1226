// SPDX-License-Identifier: Apache-2.0
// True rules from false ones.
#include "api/discover/widening.h"

#include "api/rules/json.h"
#include "discover/repair/repair.h"

static json_t *domains_json(unsigned mask)
{
    json_t *all = json_array();
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (mask >> d & 1)
            json_array_append_new(all, json_string(domain_text((enum domain)d)));
    return all;
}

// The claims of the false rule that the repaired rule does not make.
static void put_lost(const struct repair *repair, unsigned claims, struct buf *out)
{
    unsigned open = claims & ~repair->proved & ~repair->refuted;
    if (repair->refuted) {
        buf_puts(out, "; false in ");
        widening_domains(repair->refuted, out);
    }
    if (open) {
        buf_puts(out, "; not proved in ");
        widening_domains(open, out);
    }
}

static void put_repair(struct widening_run *run, const struct rule *rule,
                       const struct repair *repair, uint32_t number, json_t *all)
{
    struct buf doc = {0}, text = {0}, domains = {0}, suffix = {0};
    widening_domains(repair->proved, &domains);
    buf_printf(&doc, "%s (%.12s) repaired, by seed %llu: %s.", rule->name, rule->hash,
               (unsigned long long)run->seed, repair->what);
    buf_printf(&suffix, "repaired%u", number);
    widening_rule_text(repair->rule, rule, buf_text(&suffix), buf_text(&doc), &text);
    widening_found(run, &text);
    json_array_append_new(
        all, json_pack("{s:s, s:s, s:f, s:s, s:o, s:o, s:s, s:s}", "kind", repair->kind, "change",
                       repair->what, "cost", repair->cost, "domains", buf_text(&domains), "proved",
                       domains_json(repair->proved), "refuted", domains_json(repair->refuted),
                       "hash", repair->rule->hash, "text", buf_text(&text)));
    buf_printf(&run->text, "  [%u] %.1f bits, %s: %s\n      proved in %s", number, repair->cost,
               repair->kind, repair->what, buf_text(&domains));
    put_lost(repair, rule->claims, &run->text);
    buf_putc(&run->text, '\n');
    text_indent(buf_text(&text), &run->text);
    buf_release(&doc);
    buf_release(&text);
    buf_release(&domains);
    buf_release(&suffix);
}

static void put_head(const struct rule *rule, const struct repairs *found, struct buf *out)
{
    buf_printf(out, "%s: %s%s; %u repairs, %u candidates\n", rule->name,
               found->is_true          ? "proved as it is"
               : found->counterexample ? "false: "
                                       : "not decided",
               !found->is_true && found->counterexample ? found->counterexample : "", found->at.len,
               found->n_candidates);
}

static void put_line(struct widening_run *run, const struct rule *rule, const struct repairs *found,
                     json_t *all)
{
    json_t *origins = json_array();
    for (uint32_t i = 0; i < rule->n_origins; i++)
        json_array_append_new(origins, json_string(rule->origins[i]));
    json_line(json_pack("{s:s, s:s, s:o, s:b, s:s?, s:o, s:i, s:i, s:I, s:f}", "rule", rule->name,
                        "hash", rule->hash, "origin", origins, "true", found->is_true,
                        "counterexample", found->counterexample, "repairs", all, "candidates",
                        (int)found->n_candidates, "proofs", (int)found->n_proofs, "seed",
                        (json_int_t)run->seed, "seconds", found->seconds),
              &run->json);
}

const char *widening_repair(struct widening_run *run, const struct rule *rule)
{
    struct repairs found;
    struct repair_options options = {.seconds = run->seconds};
    json_t *all = json_array();
    buf_clear(&run->found);
    repair_rule(&run->learner, rule, &options, &found);
    put_head(rule, &found, &run->text);
    for (uint32_t i = 0; i < found.at.len; i++)
        put_repair(run, rule, &found.at.at[i], i + 1, all);
    put_line(run, rule, &found, all);
    bool repaired = found.at.len > 0, is_true = found.is_true;
    run->spent += found.seconds;
    run->n_rules++;
    run->n_wider += repaired;
    repairs_release(&found);
    return is_true ? "true" : repaired ? "repaired" : "open";
}
