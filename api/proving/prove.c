// SPDX-License-Identifier: Apache-2.0
#include "api/database/database.h"
#include "api/proving/proving.h"
#include "api/rules/report.h"
#include "api/rules/rules.h"
#include "api/rules/view.h"

static void set_claims(struct stored_rule *stored, unsigned claims)
{
    stored->claims = claims;
    for (uint32_t i = 0; i < stored->verdicts.len; i++)
        stored->verdicts.at[i].claimed = (claims >> stored->verdicts.at[i].domain & 1) != 0;
}

// An answer in a domain in which this run found none.
static void mark_earlier(struct stored_rule *stored, unsigned open)
{
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        struct stored_verdict *verdict = &stored->verdicts.at[i];
        verdict->earlier = verdict->verdict != VERDICT_UNKNOWN && (open >> verdict->domain & 1);
    }
}

static void set_name(struct rw_rule *view, const struct rule *rule, struct arena *mem)
{
    bool library = strcmp(view->layer, "library") == 0;
    bool same = strcmp(view->name, rule->name) == 0 && strcmp(view->family, rule->family) == 0;
    if (library && !same) {
        struct buf name = {0};
        buf_printf(&name, "%s/%s", view->family, view->name);
        view->same_as = arena_strdup(mem, buf_text(&name));
        buf_release(&name);
    }
    view->name = arena_strdup(mem, rule->name);
    view->family = arena_strdup(mem, rule->family);
}

// A rule has its name and its claims from the set, even if the database has others; and the
// verdicts of the domains asked for, even if the database has more.
static void add_named(struct rw_report *report, const struct rule *rule, unsigned domains,
                      unsigned open, struct stored_rules *rows)
{
    uint32_t from = report->rules.len;
    for (uint32_t i = 0; i < rows->rules.len; i++) {
        set_claims(&rows->rules.at[i], rule->claims);
        mark_earlier(&rows->rules.at[i], open);
    }
    report_add_stored(report, rows);
    for (uint32_t i = from; i < report->rules.len; i++) {
        set_name(report->rules.at[i], rule, &report->mem);
        view_choose(report->rules.at[i], domains, 0, &report->mem);
    }
}

// open: as from prove_into.
static bool read_verdicts(struct db *db, const struct ruleset *set, unsigned domains,
                          const unsigned *open, struct rw_report *report, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < set->rules.len; i++) {
        struct db_filter filter;
        struct stored_rules rows = {0};
        db_filter_init(&filter);
        filter.hash = set->rules.at[i]->hash;
        filter.superseded = true;
        ok = db_find(db, &filter, &rows, err);
        if (ok)
            add_named(report, set->rules.at[i], domains, open[i], &rows);
        stored_rules_release(&rows);
        db_filter_release(&filter);
    }
    return ok;
}

struct proofs {
    struct report *of; // by rule
    bool *there;
};

static void take_proof(void *user, uint32_t rule, struct report *report)
{
    struct proofs *proofs = user;
    proofs->of[rule] = *report;
    proofs->there[rule] = true;
}

// Without a database: the reports arrive in any order and are listed in the
// rules' order.
static bool prove_only(const struct proving *proving, const struct ruleset *set,
                       struct rw_report *report, struct err *err)
{
    uint32_t n = set->rules.len;
    struct arena mem = {0};
    struct proofs proofs = {ARENA_NEW(&mem, struct report, n + 1), ARENA_NEW(&mem, bool, n + 1)};
    bool ok = prove_all(proving, set, take_proof, &proofs, &report->proving, err);
    for (uint32_t i = 0; i < n; i++)
        if (proofs.there[i])
            report_add_proof(report, set->rules.at[i], &proofs.of[i]);
    arena_release(&mem);
    return ok;
}

// What was to be proved again, and was not, is marked.
static bool prove_stored(const struct proving *proving, struct db *db, const struct ruleset *set,
                         struct rw_report *report, struct err *err)
{
    struct arena mem = {0};
    uint32_t n = set->rules.len;
    unsigned *open = ARENA_NEW(&mem, unsigned, n + 1);
    bool ok = prove_into(db, set, proving, NULL, open, &report->proving, err);
    if (!proving->again)
        memset(open, 0, n * sizeof *open);
    ok = ok && read_verdicts(db, set, proving->domains, open, report, err);
    arena_release(&mem);
    return ok;
}

struct rw_report *rw_prove(const struct rw_rules *rules, struct rw_database *database,
                           const struct rw_prove_options *options, struct rw_error *error)
{
    struct err err = {0};
    struct proving proving;
    struct rw_report *report = report_new();
    bool ok = proving_of(rules->context, options, &proving, &err);
    if (ok && database == NULL)
        ok = prove_only(&proving, &rules->set, report, &err);
    else
        ok = ok && prove_stored(&proving, database->db, &rules->set, report, &err);
    if (ok)
        return report;
    rw_report_free(report);
    error_give(&err, error);
    return NULL;
}
