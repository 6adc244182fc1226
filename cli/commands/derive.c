// SPDX-License-Identifier: Apache-2.0
// Which rules follow from others, within limits that are stated.
#include "cli/cli.h"
#include "cli/records/derive.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"

#include "discover/derive/derive.h"
#include <errno.h>
#include <sys/stat.h>

struct derive_job {
    struct command_line *command;
    struct arena mem;
    struct ruleset from, given, goals;
    VEC(const struct rule *) rule; // of the base
    VEC(struct rule_status) status;
    VEC(bool) assumed; // of the base: not proved
    struct derive_base *base[N_DOMAINS];
    unsigned domains; // 0: one for each goal
    struct derive_options options;
    const char *proofs; // folder
    uint32_t counts[4]; // by derive_status
    uint32_t same;      // that are in the base
    struct buf out;
    // of the goal that is asked
    enum domain domain;
    const struct rule *goal;
    uint32_t n_records;
    bool only_used; // a record at one instance
    struct err failure;
};

static bool read_options(struct derive_job *job, struct err *err)
{
    static const char *const methods[] = {"auto", "terms", "instances"};
    struct command_line *command = job->command;
    double nodes = job->options.max_nodes, rounds = job->options.max_rounds;
    double instances = job->options.instances, seed = 0;
    uint32_t method = DERIVE_AUTO;
    if (command->words.len > 0)
        return err_set(err, ERR_USAGE, "derive: unexpected %s", command->words.at[0]);
    if (!command->value[OPTION_from] && !command->value[OPTION_assume])
        return err_set(err, ERR_USAGE, "derive: expected --from BASE");
    if (!command->value[OPTION_goal] && !command->value[OPTION_minimal])
        return err_set(err, ERR_USAGE, "derive: expected --goal RULES or --minimal");
    if (command->value[OPTION_goal] && command->value[OPTION_minimal])
        return err_set(err, ERR_USAGE, "derive: --goal and --minimal exclude each other");
    if (command->value[OPTION_lhs] && command->value[OPTION_both])
        return err_set(err, ERR_USAGE, "derive: --lhs and --both exclude each other");
    if (!option_count(command, OPTION_nodes, 1, 1e8, &nodes, err) ||
        !option_count(command, OPTION_rounds, 1, 1e6, &rounds, err) ||
        !option_count(command, OPTION_instances, 1, 1000, &instances, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &job->options.seconds, err) ||
        !option_choice(command, OPTION_method, 3, methods, &method, err) ||
        !option_domains(command, &job->domains, err))
        return false;
    if (!command->value[OPTION_domain])
        job->domains = 0;
    job->options.max_nodes = (uint32_t)nodes;
    job->options.max_rounds = (uint32_t)rounds;
    job->options.instances = (uint32_t)instances;
    job->options.seed = (uint64_t)seed;
    job->options.method = (enum derive_method)method;
    job->options.lhs_only = command->value[OPTION_lhs] != NULL;
    job->options.backward = command->value[OPTION_backward] != NULL;
    job->proofs = command->value[OPTION_proof];
    if (job->proofs && mkdir(job->proofs, 0777) != 0 && errno != EEXIST)
        return err_set(err, ERR_IO, "%s: %s", job->proofs, strerror(errno));
    return true;
}

static void add_rule(struct derive_job *job, const struct rule *rule, struct rule_status status,
                     bool assumed)
{
    if (rule_defines(rule))
        return;
    vec_push(&job->rule, rule);
    vec_push(&job->status, status);
    vec_push(&job->assumed, assumed);
}

// As the rule claims of itself.
static struct rule_status claimed(const struct rule *rule)
{
    return (struct rule_status){.proved = rule->claims,
                                .uninterpreted = rule_only_moves(rule) ? rule->claims : 0};
}

static bool load_base(struct derive_job *job, struct err *err)
{
    struct command_line *command = job->command;
    struct db *db = NULL;
    if ((command->value[OPTION_from] &&
         !load_rules(&job->from, command->value[OPTION_from], err)) ||
        (command->value[OPTION_assume] &&
         !load_rules(&job->given, command->value[OPTION_assume], err)) ||
        (command->value[OPTION_db] && !open_database(command, DB_READ, &db, err)))
        return false;
    bool ok = true;
    for (uint32_t i = 0; ok && i < job->from.rules.len; i++) {
        const struct rule *rule = job->from.rules.at[i];
        struct rule_status status = claimed(rule);
        bool known = true;
        if (db != NULL) {
            status = (struct rule_status){0};
            ok = db_proved(db, rule->hash, &status.proved, &status.uninterpreted, &known, err);
        }
        if (ok && status.proved != 0)
            add_rule(job, rule, status, db == NULL);
    }
    db_close(db);
    for (uint32_t i = 0; ok && i < job->given.rules.len; i++)
        add_rule(job, job->given.rules.at[i], claimed(job->given.rules.at[i]), true);
    return ok;
}

static struct derive_base *base_in(struct derive_job *job, enum domain domain)
{
    if (job->base[domain] == NULL) {
        job->base[domain] = derive_base_new(domain, &job->mem);
        for (uint32_t i = 0; i < job->rule.len; i++)
            derive_add(job->base[domain], job->rule.at[i], job->status.at[i]);
    }
    return job->base[domain];
}

static bool chosen_domain(const struct rule *rule, enum domain *out)
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
    struct derive_job *job = ctx;
    struct buf path = {0};
    if (job->failure.msg[0] || (job->only_used && job->n_records > 0))
        return;
    // Rules without a name go by their hash.
    bool named = strcmp(job->goal->name, "_") != 0;
    buf_printf(&path, "%s/%.*s.%s.%u.json", job->proofs, named ? 200 : 12,
               named ? job->goal->name : job->goal->hash, domain_text(job->domain),
               proof->instance);
    bool ok = derive_record(proof, job->base[job->domain], job->assumed.at,
                            job->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL,
                            buf_text(&path), &job->failure);
    job->n_records += ok;
    buf_release(&path);
}

// What the terms derived is recorded at one instance, by the rules that were
// used.
static void record_terms(struct derive_job *job, const struct derive_answer *answer)
{
    struct derive_options options = job->options;
    struct derive_answer again;
    uint32_t n = job->rule.len;
    bool *without = ARENA_NEW(&job->mem, bool, n + 1);
    memset(without, 1, n);
    for (uint32_t i = 0; i < answer->n_used; i++)
        without[answer->used[i]] = false;
    options.without = without;
    options.method = DERIVE_INSTANCES;
    options.instances = 1;
    options.try_goal = false;
    options.lhs_only = false;
    options.proved = write_record;
    options.ctx = job;
    job->only_used = true;
    derive_goal(job->base[job->domain], job->goal, &options, &job->mem, &again);
    job->only_used = false;
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

static void print_json(struct derive_job *job, const struct derive_answer *answer)
{
    json_t *used = json_array();
    for (uint32_t i = 0; i < answer->n_used; i++)
        json_array_append_new(used, json_string(job->rule.at[answer->used[i]]->name));
    const char *reason = answer->same ? "same rule" : answer->reason;
    json_line(
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:o, s:s?, s:s?, s:I, s:f}", "goal",
                  job->goal->name, "hash", job->goal->hash, "domain", domain_text(job->domain),
                  "status", answer->same ? "same rule" : derive_status_text(answer->status),
                  "method", derive_method_text(answer->method), "instances",
                  (json_int_t)answer->instances, "used", used, "reason",
                  answer->status == DERIVE_YES && !answer->same ? NULL : reason, "at", answer->at,
                  "records", (json_int_t)job->n_records, "seconds", answer->seconds),
        &job->out);
}

static void print_row(struct derive_job *job, const struct derive_answer *answer)
{
    struct buf words = {0};
    buf_printf(&job->out, "%-36s %-6s %-12s %s", job->goal->name, domain_text(job->domain),
               answer->same ? "same rule" : derive_status_text(answer->status),
               answer->same || answer->status != DERIVE_YES ? "" : method_words(answer, &words));
    if (answer->status != DERIVE_YES && !answer->same && answer->reason)
        buf_printf(&job->out, "%s%s%s", answer->reason, answer->at ? " at " : "",
                   answer->at ? answer->at : "");
    for (uint32_t i = 0; i < answer->n_used && answer->status == DERIVE_YES; i++)
        buf_printf(&job->out, "%s%s", i ? ", " : "; by ", job->rule.at[answer->used[i]]->name);
    if (job->proofs && answer->status == DERIVE_YES)
        buf_printf(&job->out, "; %u record%s", job->n_records, job->n_records == 1 ? "" : "s");
    buf_putc(&job->out, '\n');
    buf_release(&words);
}

static bool ask(struct derive_job *job, const struct rule *goal, enum domain domain,
                struct err *err)
{
    struct derive_options options = job->options;
    struct derive_answer answer;
    job->goal = goal;
    job->domain = domain;
    job->n_records = 0;
    if (job->proofs && domain != DOMAIN_INT) { // which no program has
        options.proved = write_record;
        options.ctx = job;
    }
    derive_goal(base_in(job, domain), goal, &options, &job->mem, &answer);
    if (job->proofs && domain != DOMAIN_INT && answer.status == DERIVE_YES &&
        answer.method == DERIVE_TERMS)
        record_terms(job, &answer);
    if (job->failure.msg[0]) {
        *err = job->failure;
        return false;
    }
    // A rule that is in the base need not follow from the others.
    if (answer.same)
        job->same++;
    else
        job->counts[answer.status]++;
    if (job->command->value[OPTION_json])
        print_json(job, &answer);
    else
        print_row(job, &answer);
    bool ok = print_all(&job->out, err);
    buf_clear(&job->out);
    return ok;
}

static bool ask_all(struct derive_job *job, struct err *err)
{
    for (uint32_t i = 0; i < job->goals.rules.len; i++) {
        const struct rule *rule = job->goals.rules.at[i];
        enum domain domain;
        unsigned mask = job->domains & rule->claims;
        if (rule_defines(rule))
            continue;
        if (job->domains == 0 && chosen_domain(rule, &domain))
            mask = 1u << domain;
        for (uint32_t k = 0; k < N_DOMAINS; k++)
            if (mask >> k & 1 && !ask(job, rule, (enum domain)k, err))
                return false;
    }
    return true;
}

// A rule is left out if it is in every domain that is asked; one of which none
// is asked is needed.
static bool print_minimal(struct derive_job *job, struct err *err)
{
    uint32_t n = job->rule.len, kept = 0;
    bool *needed = ARENA_NEW(&job->mem, bool, n + 1);
    bool *all = ARENA_NEW(&job->mem, bool, n + 1);
    unsigned asked = job->domains;
    for (uint32_t i = 0; i < n && job->domains == 0; i++) {
        enum domain domain;
        if (chosen_domain(job->rule.at[i], &domain))
            asked |= 1u << domain;
    }
    for (uint32_t i = 0; i < n; i++)
        all[i] = (job->rule.at[i]->claims & asked) == 0;
    for (uint32_t k = 0; k < N_DOMAINS; k++) {
        if (!(asked >> k & 1))
            continue;
        derive_minimal(base_in(job, (enum domain)k), &job->options, needed);
        for (uint32_t i = 0; i < n; i++)
            all[i] = all[i] || (needed[i] && job->rule.at[i]->claims >> k & 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct rule *rule = job->rule.at[i];
        kept += all[i];
        if (job->command->value[OPTION_json])
            json_line(json_pack("{s:s, s:s, s:b}", "rule", rule->name, "hash", rule->hash, "needed",
                                (int)all[i]),
                      &job->out);
        else
            buf_printf(&job->out, "%-7s %s\n", all[i] ? "needed" : "follows", rule->name);
    }
    struct buf words = {0};
    for (uint32_t k = 0; k < N_DOMAINS; k++)
        if (asked >> k & 1)
            buf_printf(&words, "%s%s", words.len ? ", " : "", domain_text((enum domain)k));
    note("%u of %u rules are needed, within %u nodes and %u rounds; asked in "
         "%s",
         kept, n, job->options.max_nodes, job->options.max_rounds,
         words.len ? buf_text(&words) : "no domain");
    buf_release(&words);
    return print_all(&job->out, err);
}

static int status_of(const struct derive_job *job)
{
    uint32_t asked = job->same;
    for (uint32_t i = 0; i < 4; i++)
        asked += job->counts[i];
    if (asked == 0 && job->command->value[OPTION_goal]) // says nothing
        return EXIT_UNKNOWN;
    if (job->counts[DERIVE_LIMIT] + job->counts[DERIVE_UNKNOWN] > 0)
        return job->counts[DERIVE_NO] > 0 ? EXIT_NO : EXIT_UNKNOWN;
    return job->counts[DERIVE_NO] > 0 ? EXIT_NO : EXIT_YES;
}

int cmd_derive(struct command_line *command)
{
    struct err err = {0};
    struct derive_job job = {.command = command, .options = derive_defaults()};
    job.options.try_goal = true;
    ruleset_init(&job.from);
    ruleset_init(&job.given);
    ruleset_init(&job.goals);
    bool ok = read_options(&job, &err) && load_base(&job, &err) &&
              (!command->value[OPTION_goal] ||
               load_rules(&job.goals, command->value[OPTION_goal], &err)) &&
              (command->value[OPTION_minimal] ? print_minimal(&job, &err) : ask_all(&job, &err));
    if (ok && !command->value[OPTION_minimal])
        note("%u derived, %u not, %u at a limit, %u unknown, %u in the base; %u "
             "base rules, "
             "at most %u nodes, %u rounds, %g s a goal, %s",
             job.counts[DERIVE_YES], job.counts[DERIVE_NO], job.counts[DERIVE_LIMIT],
             job.counts[DERIVE_UNKNOWN], job.same, job.rule.len, job.options.max_nodes,
             job.options.max_rounds, job.options.seconds,
             job.options.lhs_only ? "from the left side" : "from both sides");
    int status = ok ? status_of(&job) : report_error(&err);
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (job.base[d] != NULL)
            derive_base_free(job.base[d]);
    vec_release(&job.rule);
    vec_release(&job.status);
    vec_release(&job.assumed);
    buf_release(&job.out);
    ruleset_release(&job.from);
    ruleset_release(&job.given);
    ruleset_release(&job.goals);
    arena_release(&job.mem);
    return status;
}
