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
    struct command_line *c;
    struct arena mem;
    struct ruleset from, given, goals;
    VEC(const struct rule *) rule; // of the base
    VEC(struct rule_status) status;
    VEC(bool) assumed; // of the base: not proved
    struct derive_base *base[N_DOMAINS];
    unsigned domains; // 0: one for each goal
    struct derive_options o;
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

static bool read_options(struct derive_job *j, struct err *e)
{
    static const char *const methods[] = {"auto", "terms", "instances"};
    struct command_line *c = j->c;
    double nodes = j->o.max_nodes, rounds = j->o.max_rounds;
    double instances = j->o.instances, seed = 0;
    uint32_t method = DERIVE_AUTO;
    if (c->words.len > 0)
        return err_set(e, ERR_USAGE, "derive: unexpected %s", c->words.at[0]);
    if (!c->value[OPTION_from] && !c->value[OPTION_assume])
        return err_set(e, ERR_USAGE, "derive: expected --from BASE");
    if (!c->value[OPTION_goal] && !c->value[OPTION_minimal])
        return err_set(e, ERR_USAGE,
                       "derive: expected --goal RULES or --minimal");
    if (c->value[OPTION_goal] && c->value[OPTION_minimal])
        return err_set(e, ERR_USAGE,
                       "derive: --goal and --minimal exclude each other");
    if (c->value[OPTION_lhs] && c->value[OPTION_both])
        return err_set(e, ERR_USAGE,
                       "derive: --lhs and --both exclude each other");
    if (!option_count(c, OPTION_nodes, 1, 1e8, &nodes, e) ||
        !option_count(c, OPTION_rounds, 1, 1e6, &rounds, e) ||
        !option_count(c, OPTION_instances, 1, 1000, &instances, e) ||
        !option_count(c, OPTION_seed, 0, 9007199254740992.0, &seed, e) ||
        !option_number(c, OPTION_seconds, 0, 1e6, &j->o.seconds, e) ||
        !option_choice(c, OPTION_method, 3, methods, &method, e) ||
        !option_domains(c, &j->domains, e))
        return false;
    if (!c->value[OPTION_domain])
        j->domains = 0;
    j->o.max_nodes = (uint32_t)nodes;
    j->o.max_rounds = (uint32_t)rounds;
    j->o.instances = (uint32_t)instances;
    j->o.seed = (uint64_t)seed;
    j->o.method = (enum derive_method)method;
    j->o.lhs_only = c->value[OPTION_lhs] != NULL;
    j->o.backward = c->value[OPTION_backward] != NULL;
    j->proofs = c->value[OPTION_proof];
    if (j->proofs && mkdir(j->proofs, 0777) != 0 && errno != EEXIST)
        return err_set(e, ERR_IO, "%s: %s", j->proofs, strerror(errno));
    return true;
}

static void add_rule(struct derive_job *j, const struct rule *r, struct rule_status s,
                     bool assumed)
{
    if (rule_defines(r))
        return;
    vec_push(&j->rule, r);
    vec_push(&j->status, s);
    vec_push(&j->assumed, assumed);
}

// As the rule claims of itself.
static struct rule_status claimed(const struct rule *r)
{
    return (struct rule_status){.proved = r->claims,
                                .uninterpreted =
                                    rule_only_moves(r) ? r->claims : 0};
}

static bool load_base(struct derive_job *j, struct err *e)
{
    struct command_line *c = j->c;
    struct db *db = NULL;
    if ((c->value[OPTION_from] &&
         !load_rules(&j->from, c->value[OPTION_from], e)) ||
        (c->value[OPTION_assume] &&
         !load_rules(&j->given, c->value[OPTION_assume], e)) ||
        (c->value[OPTION_db] && !open_database(c, DB_READ, &db, e)))
        return false;
    bool ok = true;
    for (uint32_t i = 0; ok && i < j->from.rules.len; i++) {
        const struct rule *r = j->from.rules.at[i];
        struct rule_status s = claimed(r);
        bool known = true;
        if (db != NULL) {
            s = (struct rule_status){0};
            ok = db_proved(db, r->hash, &s.proved, &s.uninterpreted, &known, e);
        }
        if (ok && s.proved != 0)
            add_rule(j, r, s, db == NULL);
    }
    db_close(db);
    for (uint32_t i = 0; ok && i < j->given.rules.len; i++)
        add_rule(j, j->given.rules.at[i], claimed(j->given.rules.at[i]), true);
    return ok;
}

static struct derive_base *base_in(struct derive_job *j, enum domain d)
{
    if (j->base[d] == NULL) {
        j->base[d] = derive_base_new(d, &j->mem);
        for (uint32_t i = 0; i < j->rule.len; i++)
            derive_add(j->base[d], j->rule.at[i], j->status.at[i]);
    }
    return j->base[d];
}

static bool chosen_domain(const struct rule *r, enum domain *out)
{
    static const enum domain order[] = {DOMAIN_REAL, DOMAIN_INT, DOMAIN_WORD,
                                        DOMAIN_FLOAT, DOMAIN_BOOL};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (r->claims >> order[i] & 1) {
            *out = order[i];
            return true;
        }
    return false;
}

static void write_record(void *ctx, const struct derive_proof *p)
{
    struct derive_job *j = ctx;
    struct buf path = {0};
    if (j->failure.msg[0] || (j->only_used && j->n_records > 0))
        return;
    // Rules without a name go by their hash.
    bool named = strcmp(j->goal->name, "_") != 0;
    buf_printf(&path, "%s/%.*s.%s.%u.json", j->proofs, named ? 200 : 12,
               named ? j->goal->name : j->goal->hash, domain_text(j->domain),
               p->instance);
    bool ok =
        derive_record(p, j->base[j->domain], j->assumed.at,
                      j->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL,
                      buf_text(&path), &j->failure);
    j->n_records += ok;
    buf_release(&path);
}

// What the terms derived is recorded at one instance, by the rules that were
// used.
static void record_terms(struct derive_job *j, const struct derive_answer *a)
{
    struct derive_options o = j->o;
    struct derive_answer again;
    uint32_t n = j->rule.len;
    bool *without = ARENA_NEW(&j->mem, bool, n + 1);
    memset(without, 1, n);
    for (uint32_t i = 0; i < a->n_used; i++)
        without[a->used[i]] = false;
    o.without = without;
    o.method = DERIVE_INSTANCES;
    o.instances = 1;
    o.try_goal = false;
    o.lhs_only = false;
    o.proved = write_record;
    o.ctx = j;
    j->only_used = true;
    derive_goal(j->base[j->domain], j->goal, &o, &j->mem, &again);
    j->only_used = false;
}

static const char *method_words(const struct derive_answer *a, struct buf *b)
{
    buf_clear(b);
    if (a->method == DERIVE_TERMS)
        buf_puts(b, "terms: all ranks and sizes");
    else if (a->method == DERIVE_INSTANCES)
        buf_printf(b, "at %u instances", a->instances);
    return buf_text(b);
}

static void print_json(struct derive_job *j, const struct derive_answer *a)
{
    json_t *used = json_array();
    for (uint32_t i = 0; i < a->n_used; i++)
        json_array_append_new(used, json_string(j->rule.at[a->used[i]]->name));
    const char *reason = a->same ? "same rule" : a->reason;
    json_line(
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:o, s:s?, s:s?, s:I, s:f}",
                  "goal", j->goal->name, "hash", j->goal->hash, "domain",
                  domain_text(j->domain), "status",
                  a->same ? "same rule" : derive_status_text(a->status),
                  "method", derive_method_text(a->method), "instances",
                  (json_int_t)a->instances, "used", used, "reason",
                  a->status == DERIVE_YES && !a->same ? NULL : reason, "at",
                  a->at, "records", (json_int_t)j->n_records, "seconds",
                  a->seconds),
        &j->out);
}

static void print_row(struct derive_job *j, const struct derive_answer *a)
{
    struct buf words = {0};
    buf_printf(
        &j->out, "%-36s %-6s %-12s %s", j->goal->name, domain_text(j->domain),
        a->same ? "same rule" : derive_status_text(a->status),
        a->same || a->status != DERIVE_YES ? "" : method_words(a, &words));
    if (a->status != DERIVE_YES && !a->same && a->reason)
        buf_printf(&j->out, "%s%s%s", a->reason, a->at ? " at " : "",
                   a->at ? a->at : "");
    for (uint32_t i = 0; i < a->n_used && a->status == DERIVE_YES; i++)
        buf_printf(&j->out, "%s%s", i ? ", " : "; by ",
                   j->rule.at[a->used[i]]->name);
    if (j->proofs && a->status == DERIVE_YES)
        buf_printf(&j->out, "; %u record%s", j->n_records,
                   j->n_records == 1 ? "" : "s");
    buf_putc(&j->out, '\n');
    buf_release(&words);
}

static bool ask(struct derive_job *j, const struct rule *goal, enum domain d,
                struct err *e)
{
    struct derive_options o = j->o;
    struct derive_answer a;
    j->goal = goal;
    j->domain = d;
    j->n_records = 0;
    if (j->proofs && d != DOMAIN_INT) { // which no program has
        o.proved = write_record;
        o.ctx = j;
    }
    derive_goal(base_in(j, d), goal, &o, &j->mem, &a);
    if (j->proofs && d != DOMAIN_INT && a.status == DERIVE_YES &&
        a.method == DERIVE_TERMS)
        record_terms(j, &a);
    if (j->failure.msg[0]) {
        *e = j->failure;
        return false;
    }
    // A rule that is in the base need not follow from the others.
    if (a.same)
        j->same++;
    else
        j->counts[a.status]++;
    if (j->c->value[OPTION_json])
        print_json(j, &a);
    else
        print_row(j, &a);
    bool ok = print_all(&j->out, e);
    buf_clear(&j->out);
    return ok;
}

static bool ask_all(struct derive_job *j, struct err *e)
{
    for (uint32_t i = 0; i < j->goals.rules.len; i++) {
        const struct rule *r = j->goals.rules.at[i];
        enum domain d;
        unsigned mask = j->domains & r->claims;
        if (rule_defines(r))
            continue;
        if (j->domains == 0 && chosen_domain(r, &d))
            mask = 1u << d;
        for (uint32_t k = 0; k < N_DOMAINS; k++)
            if (mask >> k & 1 && !ask(j, r, (enum domain)k, e))
                return false;
    }
    return true;
}

// A rule is left out if it is in every domain that is asked; one of which none
// is asked is needed.
static bool print_minimal(struct derive_job *j, struct err *e)
{
    uint32_t n = j->rule.len, kept = 0;
    bool *needed = ARENA_NEW(&j->mem, bool, n + 1);
    bool *all = ARENA_NEW(&j->mem, bool, n + 1);
    unsigned asked = j->domains;
    for (uint32_t i = 0; i < n && j->domains == 0; i++) {
        enum domain d;
        if (chosen_domain(j->rule.at[i], &d))
            asked |= 1u << d;
    }
    for (uint32_t i = 0; i < n; i++)
        all[i] = (j->rule.at[i]->claims & asked) == 0;
    for (uint32_t k = 0; k < N_DOMAINS; k++) {
        if (!(asked >> k & 1))
            continue;
        derive_minimal(base_in(j, (enum domain)k), &j->o, needed);
        for (uint32_t i = 0; i < n; i++)
            all[i] = all[i] || (needed[i] && j->rule.at[i]->claims >> k & 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct rule *r = j->rule.at[i];
        kept += all[i];
        if (j->c->value[OPTION_json])
            json_line(json_pack("{s:s, s:s, s:b}", "rule", r->name, "hash",
                                r->hash, "needed", (int)all[i]),
                      &j->out);
        else
            buf_printf(&j->out, "%-7s %s\n", all[i] ? "needed" : "follows",
                       r->name);
    }
    struct buf words = {0};
    for (uint32_t k = 0; k < N_DOMAINS; k++)
        if (asked >> k & 1)
            buf_printf(&words, "%s%s", words.len ? ", " : "",
                       domain_text((enum domain)k));
    note("%u of %u rules are needed, within %u nodes and %u rounds; asked in "
         "%s",
         kept, n, j->o.max_nodes, j->o.max_rounds,
         words.len ? buf_text(&words) : "no domain");
    buf_release(&words);
    return print_all(&j->out, e);
}

static int status_of(const struct derive_job *j)
{
    uint32_t asked = j->same;
    for (uint32_t i = 0; i < 4; i++)
        asked += j->counts[i];
    if (asked == 0 && j->c->value[OPTION_goal]) // says nothing
        return EXIT_UNKNOWN;
    if (j->counts[DERIVE_LIMIT] + j->counts[DERIVE_UNKNOWN] > 0)
        return j->counts[DERIVE_NO] > 0 ? EXIT_NO : EXIT_UNKNOWN;
    return j->counts[DERIVE_NO] > 0 ? EXIT_NO : EXIT_YES;
}

int cmd_derive(struct command_line *c)
{
    struct err e = {0};
    struct derive_job j = {.c = c, .o = derive_defaults()};
    j.o.try_goal = true;
    ruleset_init(&j.from);
    ruleset_init(&j.given);
    ruleset_init(&j.goals);
    bool ok =
        read_options(&j, &e) && load_base(&j, &e) &&
        (!c->value[OPTION_goal] ||
         load_rules(&j.goals, c->value[OPTION_goal], &e)) &&
        (c->value[OPTION_minimal] ? print_minimal(&j, &e) : ask_all(&j, &e));
    if (ok && !c->value[OPTION_minimal])
        note(
            "%u derived, %u not, %u at a limit, %u unknown, %u in the base; %u "
            "base rules, "
            "at most %u nodes, %u rounds, %g s a goal, %s",
            j.counts[DERIVE_YES], j.counts[DERIVE_NO], j.counts[DERIVE_LIMIT],
            j.counts[DERIVE_UNKNOWN], j.same, j.rule.len, j.o.max_nodes,
            j.o.max_rounds, j.o.seconds,
            j.o.lhs_only ? "from the left side" : "from both sides");
    int status = ok ? status_of(&j) : report_error(&e);
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (j.base[d] != NULL)
            derive_base_free(j.base[d]);
    vec_release(&j.rule);
    vec_release(&j.status);
    vec_release(&j.assumed);
    buf_release(&j.out);
    ruleset_release(&j.from);
    ruleset_release(&j.given);
    ruleset_release(&j.goals);
    arena_release(&j.mem);
    return status;
}
