// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/rewriter.h"

#include "api/rules/rules.h"
#include "base/clock.h"

struct rw_rewriter *rw_rewriter_new(struct rw_database *database, const struct rw_rules *only,
                                    const struct rw_rules *assumed)
{
    struct rw_rewriter *rewriter = mem_alloc(sizeof *rewriter);
    rewriter->database = database;
    rewriter->only = only ? &only->set : NULL;
    rewriter->assumed = assumed ? &assumed->set : NULL;
    ruleset_init(&rewriter->rules);
    formula_rules_init(&rewriter->formulas);
    return rewriter;
}

static void clear_programs(struct rw_rewriter *rewriter)
{
    vec_release(&rewriter->used);
    vec_release(&rewriter->status);
    stored_rules_release(&rewriter->stored);
    rewriter->stored = (struct stored_rules){0};
    ruleset_release(&rewriter->rules);
    ruleset_init(&rewriter->rules);
}

void rw_rewriter_free(struct rw_rewriter *rewriter)
{
    if (rewriter == NULL)
        return;
    clear_programs(rewriter);
    ruleset_release(&rewriter->rules);
    formula_rules_release(&rewriter->formulas);
    mem_free(rewriter);
}

bool rewriter_context(const struct rw_rewriter *rewriter, struct rw_context **out, struct err *err)
{
    if (rewriter->database == NULL)
        return err_set(err, ERR_USAGE, "expected a rewriter with a database, found one without");
    *out = rewriter->database->context;
    return true;
}

// The engine runs the canonical text of a rule, as the database has it.
static bool add_rule(struct rw_rewriter *rewriter, struct used_rule rule, struct rule_status status,
                     struct err *err)
{
    struct err why = {0};
    if (!ruleset_add_canonical(&rewriter->rules, rule.canonical, rule.name, &why))
        return err_set(err, ERR_DB, "rule %s of the database does not parse: %s", rule.name,
                       why.msg);
    vec_push(&rewriter->used, rule);
    vec_push(&rewriter->status, status);
    return true;
}

static bool load_proved(struct rw_rewriter *rewriter, struct wanted *wanted, struct err *err)
{
    struct db_filter filter;
    db_filter_init(&filter);
    filter.verdict = VERDICT_PROVED;
    filter.brief = true;
    bool ok = db_find(rewriter->database->db, &filter, &rewriter->stored, err);
    for (uint32_t i = 0; ok && i < rewriter->stored.rules.len; i++) {
        const struct stored_rule *row = &rewriter->stored.rules.at[i];
        struct rule_status status = status_of_stored(row);
        struct used_rule rule = {.name = row->name, .canonical = row->canonical};
        if (status.proved && is_wanted(wanted, row->hash))
            ok = add_rule(rewriter, rule, status, err);
    }
    db_filter_release(&filter);
    return ok;
}

// An assumed rule is assumed in every use, even if the database has the rule
// too.
static bool assume_loaded(struct rw_rewriter *rewriter, const char *hash)
{
    for (uint32_t i = 0; i < rewriter->rules.rules.len; i++) {
        if (strcmp(rewriter->rules.rules.at[i]->hash, hash) != 0)
            continue;
        rewriter->status.at[i] = status_assumed();
        rewriter->used.at[i].assumed = true;
        return true;
    }
    return false;
}

static bool load_assumed(struct rw_rewriter *rewriter, struct err *err)
{
    const struct ruleset *assumed = rewriter->assumed;
    for (uint32_t i = 0; assumed && i < assumed->rules.len; i++) {
        const struct rule *rule = assumed->rules.at[i];
        struct used_rule used = {.name = rule->name, .canonical = rule->canonical, .assumed = true};
        if (!assume_loaded(rewriter, rule->hash) &&
            !add_rule(rewriter, used, status_assumed(), err))
            return false;
    }
    return true;
}

bool rewriter_load_programs(struct rw_rewriter *rewriter, struct err *err)
{
    struct wanted wanted;
    if (rewriter->has_programs)
        return true;
    wanted_init(&wanted, rewriter->only);
    bool ok = load_proved(rewriter, &wanted, err) && load_assumed(rewriter, err);
    if (ok)
        wanted_remark(&wanted, (1U << N_DOMAINS) - 1, "", rewriter->assumed,
                      rewriter->database->context);
    else
        clear_programs(rewriter);
    wanted_release(&wanted);
    rewriter->has_programs = ok;
    return ok;
}

bool rewriter_load_formulas(struct rw_rewriter *rewriter, struct err *err)
{
    struct wanted wanted;
    double start = clock_wall();
    if (rewriter->has_formulas)
        return true;
    wanted_init(&wanted, rewriter->only);
    bool ok = formula_rules_load(&rewriter->formulas, &wanted, rewriter->assumed,
                                 rewriter->database->db, err);
    if (ok) {
        wanted_remark(&wanted, 1U << DOMAIN_REAL | 1U << DOMAIN_BOOL, " over the reals",
                      rewriter->assumed, rewriter->database->context);
    } else {
        formula_rules_release(&rewriter->formulas);
        formula_rules_init(&rewriter->formulas);
    }
    wanted_release(&wanted);
    rewriter->load_seconds = clock_wall() - start;
    rewriter->has_formulas = ok;
    return ok;
}
