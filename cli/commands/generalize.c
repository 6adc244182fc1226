// SPDX-License-Identifier: Apache-2.0
// Wider rules from proved ones, true rules from false ones.
#include "cli/cli.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"

#include "discover/generalize/generalize.h"
#include "discover/repair/repair.h"
#include <stdlib.h>

struct generalize_job {
    struct command_line *command;
    struct learner learner;
    struct ruleset given;
    uint64_t seed;
    double seconds;
    struct buf out;   // what is printed
    struct buf rules; // what is written
    uint32_t n_rules, n_wider;
    double spent; // seconds, which stdout does not tell
};

static bool read_options(struct generalize_job *job, struct err *err)
{
    double seed = 1;
    if (job->command->words.len == 0)
        return err_set(err, ERR_USAGE, "generalize: expected a rule or a file");
    if (!option_count(job->command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(job->command, OPTION_seconds, 0, 1e6, &job->seconds, err))
        return false;
    job->seed = (uint64_t)seed;
    return true;
}

static bool is_file(const char *word)
{
    size_t n = strlen(word);
    return (n > 3 && strcmp(word + n - 3, ".rw") == 0) || strchr(word, '/') != NULL;
}

// The words: files, or names of rules of the library.
static bool load(struct generalize_job *job, struct err *err)
{
    const char *only = job->command->value[OPTION_rule];
    struct buf path = {0};
    bool ok = true, library = false, files = false;
    uint32_t kept = 0;
    for (uint32_t i = 0; ok && i < job->command->words.len; i++) {
        if (is_file(job->command->words.at[i]))
            files = true, ok = load_rules(&job->given, job->command->words.at[i], err);
        else
            library = true;
    }
    uint32_t from = job->given.rules.len;
    if (ok && only && !files)
        ok = err_set(err, ERR_USAGE, "--rule: chooses among the rules of files");
    if (ok && library)
        ok = (library_path(&path) || err_set(err, ERR_IO, "the rule library was not found")) &&
             load_rules(&job->given, buf_text(&path), err);
    for (uint32_t i = 0; ok && i < job->given.rules.len; i++) {
        struct rule *rule = job->given.rules.at[i];
        bool wanted = i < from && (!only || strcmp(rule->name, only) == 0);
        for (uint32_t k = 0; i >= from && k < job->command->words.len; k++)
            wanted = wanted || strcmp(rule->name, job->command->words.at[k]) == 0;
        if (wanted && !rule_defines(rule))
            job->given.rules.at[kept++] = rule;
    }
    job->given.rules.len = kept;
    buf_release(&path);
    for (uint32_t k = 0; ok && k < job->command->words.len; k++) {
        bool there = is_file(job->command->words.at[k]);
        for (uint32_t i = 0; i < kept && !there; i++)
            there = strcmp(job->given.rules.at[i]->name, job->command->words.at[k]) == 0;
        ok = there || err_set(err, ERR_INPUT, "no such rule: %s", job->command->words.at[k]);
    }
    return ok && (kept > 0 || err_set(err, ERR_INPUT, "no such rule: %s",
                                      only ? only : job->command->words.at[0]));
}

static void put_domains(unsigned mask, struct buf *out)
{
    const char *sep = "";
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (mask >> d & 1) {
            buf_printf(out, "%s%s", sep, domain_text((enum domain)d));
            sep = ", ";
        }
}

// The steps from the rule as given to a variant.
static void put_steps(const struct generalization *general, uint32_t v, struct buf *out)
{
    if (general->variants.at[v].parent == NONE)
        return;
    put_steps(general, general->variants.at[v].parent, out);
    buf_printf(out, "%s%s", out->len ? "\n" : "", general->variants.at[v].what);
}

// The rule with a name and a doc comment that says where it is from.
static void put_rule(const struct generalize_job *job, const struct rule *rule,
                     const struct rule *from, const char *suffix, const char *doc, struct buf *out)
{
    struct draft draft;
    struct buf name = {0};
    (void)job;
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

static void print_human(struct generalize_job *job, const struct rule *r,
                        const struct generalization *general, const char *rule)
{
    struct buf *out = &job->out;
    buf_printf(out, "%s: %u wider variant%s, %u change%s refused\n", r->name,
               general->variants.len - 1, general->variants.len == 2 ? "" : "s",
               general->refused.len, general->refused.len == 1 ? "" : "s");
    for (uint32_t i = 0; i < general->variants.len; i++) {
        const struct rule_variant *variant = &general->variants.at[i];
        buf_printf(out, "  [%u] ", i);
        if (variant->parent != NONE)
            buf_printf(out, "from [%u]: ", variant->parent);
        buf_printf(out, "%s (", variant->what);
        put_domains(variant->proved, out);
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
    else
        buf_printf(out, "  not maximal: the sides agree at %s\n", general->lost);
    if (general->lost_empty != NULL)
        buf_printf(out, "  without elements the sides agree at %s\n", general->lost_empty);
    if (general->stopped)
        buf_puts(out, "  stopped by the clock\n");
    print_indented(rule, out);
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

static void print_json(struct generalize_job *job, const struct rule *r,
                       const struct generalization *general, const char *rule)
{
    json_t *refused = json_array(), *needs = json_array();
    struct buf domains = {0};
    put_domains(general->variants.at[general->best].proved, &domains);
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
                        "rule", r->name, "hash", r->hash, "wider", general->best != 0, "variants",
                        variants_json(general), "refused", refused, "needs", needs, "maximal",
                        general->maximal, "lost", general->lost, "lost_empty", general->lost_empty,
                        "points", (int)general->points, "text", rule, "domains", buf_text(&domains),
                        "stopped", general->stopped, "seed", (json_int_t)job->seed, "seconds",
                        general->seconds),
              &job->out);
    buf_release(&domains);
}

static bool one_rule(struct generalize_job *job, const struct rule *rule, struct err *err)
{
    struct generalization general = {0};
    struct generalize_options options = {.seconds = job->seconds};
    struct buf doc = {0}, steps = {0}, text = {0};
    bool ok = generalize(&job->learner, rule, &options, &general, err);
    if (ok) {
        put_steps(&general, general.best, &steps);
        buf_printf(&doc, "More general than %s (%.12s), by seed %llu:\n%s", rule->name, rule->hash,
                   (unsigned long long)job->seed, general.best ? buf_text(&steps) : "nothing");
        put_rule(job, general.variants.at[general.best].rule, rule, "general", buf_text(&doc),
                 &text);
        if (job->command->value[OPTION_json])
            print_json(job, rule, &general, buf_text(&text));
        else
            print_human(job, rule, &general, buf_text(&text));
        job->n_wider += general.best != 0;
        if (general.best)
            buf_printf(&job->rules, "%s%s", job->rules.len ? "\n" : "", buf_text(&text));
    }
    job->n_rules++;
    job->spent += general.seconds;
    generalization_release(&general);
    buf_release(&doc);
    buf_release(&steps);
    buf_release(&text);
    return ok;
}

static json_t *domains_json(unsigned mask)
{
    json_t *all = json_array();
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (mask >> d & 1)
            json_array_append_new(all, json_string(domain_text((enum domain)d)));
    return all;
}

// What the false rule claimed and the repaired one does not.
static void put_lost(const struct repair *repair, unsigned claims, struct buf *out)
{
    unsigned open = claims & ~repair->proved & ~repair->refuted;
    if (repair->refuted) {
        buf_puts(out, "; false in ");
        put_domains(repair->refuted, out);
    }
    if (open) {
        buf_puts(out, "; not proved in ");
        put_domains(open, out);
    }
}

static void put_repair(struct generalize_job *job, const struct rule *rule,
                       const struct repair *repair, uint32_t number, json_t *all)
{
    struct buf doc = {0}, text = {0}, domains = {0}, suffix = {0};
    put_domains(repair->proved, &domains);
    buf_printf(&doc, "%s (%.12s) repaired, by seed %llu: %s.", rule->name, rule->hash,
               (unsigned long long)job->seed, repair->what);
    buf_printf(&suffix, "repaired%u", number);
    put_rule(job, repair->rule, rule, buf_text(&suffix), buf_text(&doc), &text);
    buf_printf(&job->rules, "%s%s", job->rules.len ? "\n" : "", buf_text(&text));
    json_array_append_new(
        all, json_pack("{s:s, s:s, s:f, s:s, s:o, s:o, s:s, s:s}", "kind", repair->kind, "change",
                       repair->what, "cost", repair->cost, "domains", buf_text(&domains), "proved",
                       domains_json(repair->proved), "refuted", domains_json(repair->refuted),
                       "hash", repair->rule->hash, "text", buf_text(&text)));
    if (!job->command->value[OPTION_json]) {
        buf_printf(&job->out, "  [%u] %.1f bits, %s: %s\n      proved in %s", number, repair->cost,
                   repair->kind, repair->what, buf_text(&domains));
        put_lost(repair, rule->claims, &job->out);
        buf_putc(&job->out, '\n');
        print_indented(buf_text(&text), &job->out);
    }
    buf_release(&doc);
    buf_release(&text);
    buf_release(&domains);
    buf_release(&suffix);
}

static bool mend_rule(struct generalize_job *job, const struct rule *rule)
{
    struct repairs found;
    struct repair_options options = {.seconds = job->seconds};
    json_t *all = json_array(), *origins = json_array();
    repair_rule(&job->learner, rule, &options, &found);
    if (!job->command->value[OPTION_json])
        buf_printf(&job->out, "%s: %s%s; %u repairs, %u candidates\n", rule->name,
                   found.is_true          ? "proved as it is"
                   : found.counterexample ? "false: "
                                          : "not decided",
                   !found.is_true && found.counterexample ? found.counterexample : "", found.at.len,
                   found.n_candidates);
    for (uint32_t i = 0; i < found.at.len; i++)
        put_repair(job, rule, &found.at.at[i], i + 1, all);
    for (uint32_t i = 0; i < rule->n_origins; i++)
        json_array_append_new(origins, json_string(rule->origins[i]));
    json_t *line = json_pack("{s:s, s:s, s:o, s:b, s:s?, s:o, s:i, s:i, s:I, s:f}", "rule",
                             rule->name, "hash", rule->hash, "origin", origins, "true",
                             found.is_true, "counterexample", found.counterexample, "repairs", all,
                             "candidates", (int)found.n_candidates, "proofs", (int)found.n_proofs,
                             "seed", (json_int_t)job->seed, "seconds", found.seconds);
    if (job->command->value[OPTION_json])
        json_line(line, &job->out);
    else
        json_decref(line);
    bool any = found.at.len > 0 || found.is_true;
    job->spent += found.seconds;
    job->n_rules++;
    job->n_wider += found.at.len > 0;
    repairs_release(&found);
    return any;
}

// What was found is proved again into the database, from its text.
static bool store(struct generalize_job *job, struct err *err)
{
    struct ruleset set;
    struct err_list errs = {0};
    struct db *db = NULL;
    struct proving proving = {0};
    bool interrupted = false, ok = true;
    if (job->command->value[OPTION_output])
        ok = file_write(job->command->value[OPTION_output], buf_text(&job->rules), job->rules.len,
                        err);
    if (!ok || !job->command->value[OPTION_db])
        return ok;
    ruleset_init(&set);
    if (!ruleset_parse(&set, buf_text(&job->rules), job->rules.len, "generalized.rw", &errs))
        ok = err_set(err, ERR_BUG, "what was found cannot be read: %s",
                     errs.at.len ? errs.at.at[0].msg : "");
    ok = ok && proving_options(job->command, &proving, err) &&
         open_database(job->command, DB_WRITE, &db, err) &&
         prove_into(db, &set, &proving, true, &interrupted, NULL, err);
    db_close(db);
    vec_release(&errs.at);
    ruleset_release(&set);
    return ok;
}

int cmd_generalize(struct command_line *command)
{
    struct err err = {0};
    struct generalize_job job = {.command = command};
    ruleset_init(&job.given);
    bool ok = read_options(&job, &err) && load(&job, &err);
    learner_init(&job.learner, job.seed);
    bool proved = true;
    for (uint32_t i = 0; ok && i < job.given.rules.len; i++) {
        struct err one = {0};
        const struct rule *rule = job.given.rules.at[i];
        if (command->value[OPTION_repair])
            proved = mend_rule(&job, rule) && proved;
        else if (!one_rule(&job, rule, &one)) {
            note("%s", one.msg);
            proved = false;
        }
        ok = print_all(&job.out, &err);
        buf_clear(&job.out);
    }
    ok = ok && store(&job, &err);
    if (ok && command->value[OPTION_stats])
        note("%u variants, %u proofs, %llu instances; %.1f s of proofs", job.learner.n_rules,
             job.learner.n_proofs, (unsigned long long)job.learner.n_instances,
             job.learner.proof_seconds);
    if (ok && command->value[OPTION_repair])
        note("%u rules, %u repaired; %.1f s", job.n_rules, job.n_wider, job.spent);
    else if (ok && !command->value[OPTION_json])
        note("%u of %u rules changed in %.1f s", job.n_wider, job.n_rules, job.spent);
    learner_release(&job.learner);
    ruleset_release(&job.given);
    buf_release(&job.out);
    buf_release(&job.rules);
    if (!ok)
        return report_error(&err);
    return proved ? EXIT_YES : EXIT_NO;
}
