// SPDX-License-Identifier: Apache-2.0
#include "api/discover/derivation.h"

#include "api/discover/derive_record.h"
#include "api/rules/json.h"

static void add_rule(struct derivation *run, const struct rule *rule, struct rule_status status,
                     bool assumed)
{
    if (rule_defines(rule))
        return;
    vec_push(&run->rule, rule);
    vec_push(&run->status, status);
    vec_push(&run->assumed, assumed);
}

// The domains that the rule claims.
static struct rule_status claimed(const struct rule *rule)
{
    return (struct rule_status){.proved = rule->claims,
                                .uninterpreted = rule_only_moves(rule) ? rule->claims : 0};
}

bool derivation_load(struct derivation *run, const struct ruleset *from,
                     const struct ruleset *given, struct db *db, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && from && i < from->rules.len; i++) {
        const struct rule *rule = from->rules.at[i];
        struct rule_status status = claimed(rule);
        bool known = true;
        if (db != NULL) {
            status = (struct rule_status){0};
            ok = db_proved(db, rule->hash, &status.proved, &status.uninterpreted, &known, err);
        }
        if (ok && status.proved != 0)
            add_rule(run, rule, status, db == NULL);
    }
    for (uint32_t i = 0; ok && given && i < given->rules.len; i++)
        add_rule(run, given->rules.at[i], claimed(given->rules.at[i]), true);
    return ok;
}

static struct derive_base *base_in(struct derivation *run, enum domain domain)
{
    if (run->base[domain] == NULL) {
        run->base[domain] = derive_base_new(domain, &run->mem);
        for (uint32_t i = 0; i < run->rule.len; i++)
            derive_add(run->base[domain], run->rule.at[i], run->status.at[i]);
    }
    return run->base[domain];
}

bool derivation_domain(const struct rule *rule, enum domain *out)
{
    static const enum domain order[] = {DOMAIN_REAL, DOMAIN_INT, DOMAIN_WORD, DOMAIN_FLOAT,
                                        DOMAIN_BOOL};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (rule->claims >> order[i] & 1) {
            *out = order[i];
            return true;
        }
    return false;
}

static void write_record(void *ctx, const struct derive_proof *proof)
{
    struct derivation *run = ctx;
    struct buf name = {0}, text = {0};
    if (run->failure.msg[0] || (run->only_used && run->n_records > 0))
        return;
    // Rules without a name are called by their hash.
    bool named = strcmp(run->goal->name, "_") != 0;
    buf_printf(&name, "%.*s.%s.%u.json", named ? 200 : 12,
               named ? run->goal->name : run->goal->hash, domain_text(run->domain),
               proof->instance);
    bool ok = derive_record(proof, run->base[run->domain], run->assumed.at,
                            run->domain == DOMAIN_FLOAT ? READ_FLOAT_SUMS : READ_REAL, &text,
                            &run->failure);
    if (ok)
        findings_record(run->findings, buf_text(&name), &text);
    run->n_records += ok;
    buf_release(&name);
    buf_release(&text);
}

// Records a derivation on terms at one instance, with the rules that it used.
static void record_terms(struct derivation *run, const struct derive_answer *answer)
{
    struct derive_options options = run->options;
    struct derive_answer again;
    uint32_t n = run->rule.len;
    bool *without = ARENA_NEW(&run->mem, bool, n + 1);
    memset(without, 1, n);
    for (uint32_t i = 0; i < answer->n_used; i++)
        without[answer->used[i]] = false;
    options.without = without;
    options.method = DERIVE_INSTANCES;
    options.instances = 1;
    options.try_goal = false;
    options.lhs_only = false;
    options.proved = write_record;
    options.ctx = run;
    run->only_used = true;
    derive_goal(run->base[run->domain], run->goal, &options, &run->mem, &again);
    run->only_used = false;
}

static const char *method_words(const struct derive_answer *answer, struct buf *buf)
{
    buf_clear(buf);
    if (answer->method == DERIVE_TERMS)
        buf_puts(buf, "terms: all ranks and sizes");
    else if (answer->method == DERIVE_INSTANCES)
        buf_printf(buf, "at %u instances", answer->instances);
    return buf_text(buf);
}

static void put_json(struct derivation *run, const struct derive_answer *answer)
{
    json_t *used = json_array();
    for (uint32_t i = 0; i < answer->n_used; i++)
        json_array_append_new(used, json_string(run->rule.at[answer->used[i]]->name));
    const char *reason = answer->same ? "same rule" : answer->reason;
    json_line(
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:o, s:s?, s:s?, s:I, s:f}", "goal",
                  run->goal->name, "hash", run->goal->hash, "domain", domain_text(run->domain),
                  "status", answer->same ? "same rule" : derive_status_text(answer->status),
                  "method", derive_method_text(answer->method), "instances",
                  (json_int_t)answer->instances, "used", used, "reason",
                  answer->status == DERIVE_YES && !answer->same ? NULL : reason, "at", answer->at,
                  "records", (json_int_t)run->n_records, "seconds", answer->seconds),
        &run->json);
}

static void put_row(struct derivation *run, const struct derive_answer *answer)
{
    struct buf words = {0};
    buf_printf(&run->text, "%-36s %-6s %-12s %s", run->goal->name, domain_text(run->domain),
               answer->same ? "same rule" : derive_status_text(answer->status),
               answer->same || answer->status != DERIVE_YES ? "" : method_words(answer, &words));
    if (answer->status != DERIVE_YES && !answer->same && answer->reason)
        buf_printf(&run->text, "%s%s%s", answer->reason, answer->at ? " at " : "",
                   answer->at ? answer->at : "");
    for (uint32_t i = 0; i < answer->n_used && answer->status == DERIVE_YES; i++)
        buf_printf(&run->text, "%s%s", i ? ", " : "; by ", run->rule.at[answer->used[i]]->name);
    if (run->records && answer->status == DERIVE_YES)
        buf_printf(&run->text, "; %u record%s", run->n_records, run->n_records == 1 ? "" : "s");
    buf_putc(&run->text, '\n');
    buf_release(&words);
}

static bool ask(struct derivation *run, const struct rule *goal, enum domain domain,
                struct err *err)
{
    struct derive_options options = run->options;
    struct derive_answer answer;
    run->goal = goal;
    run->domain = domain;
    run->n_records = 0;
    if (run->records && domain != DOMAIN_INT) { // which no program has
        options.proved = write_record;
        options.ctx = run;
    }
    derive_goal(base_in(run, domain), goal, &options, &run->mem, &answer);
    if (run->records && domain != DOMAIN_INT && answer.status == DERIVE_YES &&
        answer.method == DERIVE_TERMS)
        record_terms(run, &answer);
    if (run->failure.msg[0]) {
        *err = run->failure;
        return false;
    }
    // A rule of the base need not follow from the others.
    if (answer.same)
        run->same++;
    else
        run->counts[answer.status]++;
    if (run->findings->stopped && answer.status != DERIVE_YES)
        return true; // which is no answer
    put_json(run, &answer);
    put_row(run, &answer);
    findings_name(run->findings, goal->name);
    findings_add(run->findings, answer.same ? "same rule" : derive_status_text(answer.status),
                 &run->json, &run->text, NULL);
    return true;
}

bool derivation_ask(struct derivation *run, const struct ruleset *goals, struct err *err)
{
    struct rw_findings *findings = run->findings;
    findings->progress.total = goals->rules.len;
    for (uint32_t i = 0; i < goals->rules.len && findings_step(findings); i++) {
        const struct rule *rule = goals->rules.at[i];
        enum domain domain;
        unsigned mask = run->domains & rule->claims;
        if (rule_defines(rule))
            continue;
        if (run->domains == 0 && derivation_domain(rule, &domain))
            mask = 1u << domain;
        findings->effort.rules++;
        for (uint32_t k = 0; k < N_DOMAINS && !findings->stopped; k++)
            if (mask >> k & 1 && !ask(run, rule, (enum domain)k, err))
                return false;
    }
    return true;
}

static unsigned asked_domains(const struct derivation *run)
{
    unsigned asked = run->domains;
    for (uint32_t i = 0; i < run->rule.len && run->domains == 0; i++) {
        enum domain domain;
        if (derivation_domain(run->rule.at[i], &domain))
            asked |= 1u << domain;
    }
    return asked;
}

static void note_minimal(const struct derivation *run, uint32_t kept, unsigned asked)
{
    struct buf words = {0};
    for (uint32_t k = 0; k < N_DOMAINS; k++)
        if (asked >> k & 1)
            buf_printf(&words, "%s%s", words.len ? ", " : "", domain_text((enum domain)k));
    context_note(run->findings->context,
                 "%u of %u rules are needed, within %u nodes and %u rounds; asked in "
                 "%s",
                 kept, run->rule.len, run->options.max_nodes, run->options.max_rounds,
                 words.len ? buf_text(&words) : "no domain");
    buf_release(&words);
}

static void put_needed(struct derivation *run, const struct rule *rule, bool needed)
{
    const char *kind = needed ? "needed" : "follows";
    json_line(
        json_pack("{s:s, s:s, s:b}", "rule", rule->name, "hash", rule->hash, "needed", (int)needed),
        &run->json);
    buf_printf(&run->text, "%-7s %s\n", kind, rule->name);
    findings_name(run->findings, rule->name);
    findings_add(run->findings, kind, &run->json, &run->text, NULL);
}

// A rule may be left out if the base derives the rule in every asked domain.  A
// rule with no asked domain is needed.
void derivation_minimal(struct derivation *run)
{
    uint32_t n = run->rule.len, kept = 0;
    bool *needed = ARENA_NEW(&run->mem, bool, n + 1);
    bool *all = ARENA_NEW(&run->mem, bool, n + 1);
    unsigned asked = asked_domains(run);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (run->rule.at[i]->claims & asked) == 0;
    for (uint32_t k = 0; k < N_DOMAINS; k++) {
        if (!(asked >> k & 1))
            continue;
        derive_minimal(base_in(run, (enum domain)k), &run->options, needed);
        for (uint32_t i = 0; i < n; i++)
            all[i] = all[i] || (needed[i] && run->rule.at[i]->claims >> k & 1);
    }
    for (uint32_t i = 0; i < n && !run->findings->stopped; i++) {
        kept += all[i];
        put_needed(run, run->rule.at[i], all[i]);
    }
    run->findings->effort.rules = n;
    if (!run->findings->stopped)
        note_minimal(run, kept, asked);
}

void derivation_release(struct derivation *run)
{
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (run->base[d] != NULL)
            derive_base_free(run->base[d]);
    vec_release(&run->rule);
    vec_release(&run->status);
    vec_release(&run->assumed);
    buf_release(&run->json);
    buf_release(&run->text);
    arena_release(&run->mem);
}
