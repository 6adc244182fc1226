// SPDX-License-Identifier: Apache-2.0
// Wider rules from proved ones, true rules from false ones.
#include "cli/cli.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"

#include "discover/generalize/generalize.h"
#include "discover/repair/repair.h"
#include <stdlib.h>

struct generalize_job {
    struct command_line *c;
    struct learner learner;
    struct ruleset given;
    uint64_t seed;
    double seconds;
    struct buf out;   // what is printed
    struct buf rules; // what is written
    uint32_t n_rules, n_wider;
    double spent; // seconds, which stdout does not tell
};

static bool read_options(struct generalize_job *j, struct err *e)
{
    double seed = 1;
    if (j->c->words.len == 0)
        return err_set(e, ERR_USAGE, "generalize: expected a rule or a file");
    if (!option_count(j->c, OPTION_seed, 0, 9007199254740992.0, &seed, e) ||
        !option_number(j->c, OPTION_seconds, 0, 1e6, &j->seconds, e))
        return false;
    j->seed = (uint64_t)seed;
    return true;
}

static bool is_file(const char *word)
{
    size_t n = strlen(word);
    return (n > 3 && strcmp(word + n - 3, ".rw") == 0) ||
           strchr(word, '/') != NULL;
}

// The words: files, or names of rules of the library.
static bool load(struct generalize_job *j, struct err *e)
{
    const char *only = j->c->value[OPTION_rule];
    struct buf path = {0};
    bool ok = true, library = false, files = false;
    uint32_t kept = 0;
    for (uint32_t i = 0; ok && i < j->c->words.len; i++) {
        if (is_file(j->c->words.at[i]))
            files = true, ok = load_rules(&j->given, j->c->words.at[i], e);
        else
            library = true;
    }
    uint32_t from = j->given.rules.len;
    if (ok && only && !files)
        ok = err_set(e, ERR_USAGE, "--rule: chooses among the rules of files");
    if (ok && library)
        ok = (library_path(&path) ||
              err_set(e, ERR_IO, "the rule library was not found")) &&
             load_rules(&j->given, buf_text(&path), e);
    for (uint32_t i = 0; ok && i < j->given.rules.len; i++) {
        struct rule *r = j->given.rules.at[i];
        bool wanted = i < from && (!only || strcmp(r->name, only) == 0);
        for (uint32_t k = 0; i >= from && k < j->c->words.len; k++)
            wanted = wanted || strcmp(r->name, j->c->words.at[k]) == 0;
        if (wanted && !rule_defines(r))
            j->given.rules.at[kept++] = r;
    }
    j->given.rules.len = kept;
    buf_release(&path);
    for (uint32_t k = 0; ok && k < j->c->words.len; k++) {
        bool there = is_file(j->c->words.at[k]);
        for (uint32_t i = 0; i < kept && !there; i++)
            there = strcmp(j->given.rules.at[i]->name, j->c->words.at[k]) == 0;
        ok = there ||
             err_set(e, ERR_INPUT, "no such rule: %s", j->c->words.at[k]);
    }
    return ok && (kept > 0 || err_set(e, ERR_INPUT, "no such rule: %s",
                                      only ? only : j->c->words.at[0]));
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
static void put_steps(const struct generalization *g, uint32_t v, struct buf *out)
{
    if (g->variants.at[v].parent == NONE)
        return;
    put_steps(g, g->variants.at[v].parent, out);
    buf_printf(out, "%s%s", out->len ? "\n" : "", g->variants.at[v].what);
}

// The rule with a name and a doc comment that says where it is from.
static void put_rule(const struct generalize_job *j, const struct rule *r,
                     const struct rule *from, const char *suffix,
                     const char *doc, struct buf *out)
{
    struct draft d;
    struct buf name = {0};
    (void)j;
    draft_init(&d, r);
    buf_printf(&name, "%s_%s", from->name, suffix);
    d.r.name = buf_text(&name);
    d.r.doc = doc;
    d.r.origins = from->origins;
    d.r.n_origins = from->n_origins;
    draft_print(&d, out);
    buf_release(&name);
    draft_release(&d);
}

static void print_human(struct generalize_job *j, const struct rule *r,
                        const struct generalization *g, const char *rule)
{
    struct buf *out = &j->out;
    buf_printf(out, "%s: %u wider variant%s, %u change%s refused\n", r->name,
               g->variants.len - 1, g->variants.len == 2 ? "" : "s",
               g->refused.len, g->refused.len == 1 ? "" : "s");
    for (uint32_t i = 0; i < g->variants.len; i++) {
        const struct rule_variant *v = &g->variants.at[i];
        buf_printf(out, "  [%u] ", i);
        if (v->parent != NONE)
            buf_printf(out, "from [%u]: ", v->parent);
        buf_printf(out, "%s (", v->what);
        put_domains(v->proved, out);
        buf_printf(out, " proved, %.12s)\n", v->rule->hash);
        if (v->wider[0])
            buf_printf(out, "        new: %s\n", v->wider);
    }
    for (uint32_t i = 0; i < g->refused.len; i++)
        buf_printf(out, "  refused at [%u]: %s\n        %s\n",
                   g->refused.at[i].of, g->refused.at[i].what,
                   g->refused.at[i].why);
    for (uint32_t i = 0; i < g->needs.len; i++) {
        const struct condition_need *n = &g->needs.at[i];
        buf_printf(out, "  needed: %s\n        %s%s\n", n->condition,
                   n->breaks ? "without it false at "
                             : "no counterexample "
                               "without it was found",
                   n->breaks ? n->breaks : "");
    }
    if (g->maximal && g->points)
        buf_printf(out, "  maximal: no agreement outside at %u points\n",
                   g->points);
    else if (g->maximal)
        buf_puts(out, "  maximal: no precondition on maps\n");
    else
        buf_printf(out, "  not maximal: the sides agree at %s\n", g->lost);
    if (g->lost_empty != NULL)
        buf_printf(out, "  without elements the sides agree at %s\n",
                   g->lost_empty);
    if (g->stopped)
        buf_puts(out, "  stopped by the clock\n");
    print_indented(rule, out);
}

static json_t *variants_json(const struct generalization *g)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < g->variants.len; i++) {
        const struct rule_variant *v = &g->variants.at[i];
        struct buf b = {0};
        rule_print(v->rule, &b);
        json_array_append_new(
            all, json_pack("{s:i, s:i, s:s, s:s, s:s, s:s}", "number", (int)i,
                           "parent", v->parent == NONE ? -1 : (int)v->parent,
                           "change", v->what, "new", v->wider, "hash",
                           v->rule->hash, "text", buf_text(&b)));
        buf_release(&b);
    }
    return all;
}

static void print_json(struct generalize_job *j, const struct rule *r,
                       const struct generalization *g, const char *rule)
{
    json_t *refused = json_array(), *needs = json_array();
    struct buf domains = {0};
    put_domains(g->variants.at[g->best].proved, &domains);
    for (uint32_t i = 0; i < g->refused.len; i++)
        json_array_append_new(refused,
                              json_pack("{s:i, s:s, s:s}", "of",
                                        (int)g->refused.at[i].of, "change",
                                        g->refused.at[i].what, "why",
                                        g->refused.at[i].why));
    for (uint32_t i = 0; i < g->needs.len; i++)
        json_array_append_new(needs,
                              json_pack("{s:s, s:s?}", "condition",
                                        g->needs.at[i].condition, "breaks",
                                        g->needs.at[i].breaks));
    json_line(json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:b, s:s?, s:s?, s:i, "
                        "s:s, s:s, s:b, s:I, s:f}",
                        "rule", r->name, "hash", r->hash, "wider", g->best != 0,
                        "variants", variants_json(g), "refused", refused,
                        "needs", needs, "maximal", g->maximal, "lost", g->lost,
                        "lost_empty", g->lost_empty, "points", (int)g->points,
                        "text", rule, "domains", buf_text(&domains), "stopped",
                        g->stopped, "seed", (json_int_t)j->seed, "seconds",
                        g->seconds),
              &j->out);
    buf_release(&domains);
}

static bool one_rule(struct generalize_job *j, const struct rule *r, struct err *e)
{
    struct generalization g = {0};
    struct generalize_options o = {.seconds = j->seconds};
    struct buf doc = {0}, steps = {0}, text = {0};
    bool ok = generalize(&j->learner, r, &o, &g, e);
    if (ok) {
        put_steps(&g, g.best, &steps);
        buf_printf(&doc, "More general than %s (%.12s), by seed %llu:\n%s",
                   r->name, r->hash, (unsigned long long)j->seed,
                   g.best ? buf_text(&steps) : "nothing");
        put_rule(j, g.variants.at[g.best].rule, r, "general", buf_text(&doc),
                 &text);
        if (j->c->value[OPTION_json])
            print_json(j, r, &g, buf_text(&text));
        else
            print_human(j, r, &g, buf_text(&text));
        j->n_wider += g.best != 0;
        if (g.best)
            buf_printf(&j->rules, "%s%s", j->rules.len ? "\n" : "",
                       buf_text(&text));
    }
    j->n_rules++;
    j->spent += g.seconds;
    generalization_release(&g);
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
            json_array_append_new(all,
                                  json_string(domain_text((enum domain)d)));
    return all;
}

// What the false rule claimed and the repaired one does not.
static void put_lost(const struct repair *f, unsigned claims, struct buf *out)
{
    unsigned open = claims & ~f->proved & ~f->refuted;
    if (f->refuted) {
        buf_puts(out, "; false in ");
        put_domains(f->refuted, out);
    }
    if (open) {
        buf_puts(out, "; not proved in ");
        put_domains(open, out);
    }
}

static void put_repair(struct generalize_job *j, const struct rule *r,
                       const struct repair *f, uint32_t number, json_t *all)
{
    struct buf doc = {0}, text = {0}, domains = {0}, suffix = {0};
    put_domains(f->proved, &domains);
    buf_printf(&doc, "%s (%.12s) repaired, by seed %llu: %s.", r->name, r->hash,
               (unsigned long long)j->seed, f->what);
    buf_printf(&suffix, "repaired%u", number);
    put_rule(j, f->rule, r, buf_text(&suffix), buf_text(&doc), &text);
    buf_printf(&j->rules, "%s%s", j->rules.len ? "\n" : "", buf_text(&text));
    json_array_append_new(
        all, json_pack("{s:s, s:s, s:f, s:s, s:o, s:o, s:s, s:s}", "kind",
                       f->kind, "change", f->what, "cost", f->cost, "domains",
                       buf_text(&domains), "proved", domains_json(f->proved),
                       "refuted", domains_json(f->refuted), "hash",
                       f->rule->hash, "text", buf_text(&text)));
    if (!j->c->value[OPTION_json]) {
        buf_printf(&j->out, "  [%u] %.1f bits, %s: %s\n      proved in %s",
                   number, f->cost, f->kind, f->what, buf_text(&domains));
        put_lost(f, r->claims, &j->out);
        buf_putc(&j->out, '\n');
        print_indented(buf_text(&text), &j->out);
    }
    buf_release(&doc);
    buf_release(&text);
    buf_release(&domains);
    buf_release(&suffix);
}

static bool mend_rule(struct generalize_job *j, const struct rule *r)
{
    struct repairs found;
    struct repair_options o = {.seconds = j->seconds};
    json_t *all = json_array(), *origins = json_array();
    repair_rule(&j->learner, r, &o, &found);
    if (!j->c->value[OPTION_json])
        buf_printf(&j->out, "%s: %s%s; %u repairs, %u candidates\n", r->name,
                   found.is_true          ? "proved as it is"
                   : found.counterexample ? "false: "
                                          : "not decided",
                   !found.is_true && found.counterexample ? found.counterexample
                                                          : "",
                   found.at.len, found.n_candidates);
    for (uint32_t i = 0; i < found.at.len; i++)
        put_repair(j, r, &found.at.at[i], i + 1, all);
    for (uint32_t i = 0; i < r->n_origins; i++)
        json_array_append_new(origins, json_string(r->origins[i]));
    json_t *line = json_pack(
        "{s:s, s:s, s:o, s:b, s:s?, s:o, s:i, s:i, s:I, s:f}", "rule", r->name,
        "hash", r->hash, "origin", origins, "true", found.is_true,
        "counterexample", found.counterexample, "repairs", all, "candidates",
        (int)found.n_candidates, "proofs", (int)found.n_proofs, "seed",
        (json_int_t)j->seed, "seconds", found.seconds);
    if (j->c->value[OPTION_json])
        json_line(line, &j->out);
    else
        json_decref(line);
    bool any = found.at.len > 0 || found.is_true;
    j->spent += found.seconds;
    j->n_rules++;
    j->n_wider += found.at.len > 0;
    repairs_release(&found);
    return any;
}

// What was found is proved again into the database, from its text.
static bool store(struct generalize_job *j, struct err *e)
{
    struct ruleset s;
    struct err_list errs = {0};
    struct db *db = NULL;
    struct proving p = {0};
    bool interrupted = false, ok = true;
    if (j->c->value[OPTION_output])
        ok = file_write(j->c->value[OPTION_output], buf_text(&j->rules),
                        j->rules.len, e);
    if (!ok || !j->c->value[OPTION_db])
        return ok;
    ruleset_init(&s);
    if (!ruleset_parse(&s, buf_text(&j->rules), j->rules.len, "generalized.rw",
                       &errs))
        ok = err_set(e, ERR_BUG, "what was found cannot be read: %s",
                     errs.at.len ? errs.at.at[0].msg : "");
    ok = ok && proving_options(j->c, &p, e) &&
         open_database(j->c, DB_WRITE, &db, e) &&
         prove_into(db, &s, &p, true, &interrupted, NULL, e);
    db_close(db);
    vec_release(&errs.at);
    ruleset_release(&s);
    return ok;
}

int cmd_generalize(struct command_line *c)
{
    struct err e = {0};
    struct generalize_job j = {.c = c};
    ruleset_init(&j.given);
    bool ok = read_options(&j, &e) && load(&j, &e);
    learner_init(&j.learner, j.seed);
    bool proved = true;
    for (uint32_t i = 0; ok && i < j.given.rules.len; i++) {
        struct err one = {0};
        const struct rule *r = j.given.rules.at[i];
        if (c->value[OPTION_repair])
            proved = mend_rule(&j, r) && proved;
        else if (!one_rule(&j, r, &one)) {
            note("%s", one.msg);
            proved = false;
        }
        ok = print_all(&j.out, &e);
        buf_clear(&j.out);
    }
    ok = ok && store(&j, &e);
    if (ok && c->value[OPTION_stats])
        note("%u variants, %u proofs, %llu instances; %.1f s of proofs",
             j.learner.n_rules, j.learner.n_proofs,
             (unsigned long long)j.learner.n_instances,
             j.learner.proof_seconds);
    if (ok && c->value[OPTION_repair])
        note("%u rules, %u repaired; %.1f s", j.n_rules, j.n_wider, j.spent);
    else if (ok && !c->value[OPTION_json])
        note("%u of %u rules changed in %.1f s", j.n_wider, j.n_rules, j.spent);
    learner_release(&j.learner);
    ruleset_release(&j.given);
    buf_release(&j.out);
    buf_release(&j.rules);
    if (!ok)
        return report_error(&e);
    return proved ? EXIT_YES : EXIT_NO;
}
