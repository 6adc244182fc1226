// SPDX-License-Identifier: Apache-2.0
#include "api/database/database.h"
#include "api/discover/derivation.h"
#include "api/rules/json.h"
#include "api/rules/rules.h"

static bool read_options(struct derivation *run, const struct rw_derive_options *from,
                         struct err *err)
{
    static const enum derive_method methods[] = {[RW_DERIVE_AUTO] = DERIVE_AUTO,
                                                 [RW_DERIVE_TERMS] = DERIVE_TERMS,
                                                 [RW_DERIVE_INSTANCES] = DERIVE_INSTANCES};
    struct derive_options *to = &run->options;
    *to = derive_defaults();
    if (from->from == NULL && from->assumed == NULL)
        return err_at(err, ERR_USAGE, "from", 0, 0, "expected rules to derive from");
    if ((unsigned)from->method > RW_DERIVE_INSTANCES)
        return err_at(err, ERR_USAGE, "method", 0, 0, "no such method");
    if (from->domains >> N_DOMAINS != 0)
        return err_at(err, ERR_USAGE, "domains", 0, 0, "no such domain");
    to->method = methods[from->method];
    to->lhs_only = from->left_only;
    to->backward = from->backward;
    to->seed = from->seed;
    to->seconds = from->seconds;
    to->max_nodes = from->nodes ? from->nodes : to->max_nodes;
    to->max_rounds = from->rounds ? from->rounds : to->max_rounds;
    to->instances = from->instances ? from->instances : to->instances;
    to->try_goal = true;
    to->stop = findings_stop(run->findings);
    run->domains = from->domains;
    run->records = from->records;
    return true;
}

static bool begin(struct derivation *run, struct rw_context *context,
                  const struct rw_derive_options *options, struct err *err)
{
    struct rw_derive_options own;
    run->findings = findings_new(context, "derive");
    return options_copy(options, &own, sizeof own, err) && read_options(run, &own, err) &&
           derivation_load(run, own.from ? &own.from->set : NULL,
                           own.assumed ? &own.assumed->set : NULL,
                           own.database ? own.database->db : NULL, err);
}

static struct rw_findings *end(struct derivation *run, bool ok, const struct err *err,
                               struct rw_error *error)
{
    struct rw_findings *findings = run->findings;
    derivation_release(run);
    return findings_end(findings, ok, err, error);
}

static void put_counts(const struct derivation *run, struct buf *out)
{
    json_line(json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "derived", (int)run->counts[DERIVE_YES],
                        "not_derived", (int)run->counts[DERIVE_NO], "limit",
                        (int)run->counts[DERIVE_LIMIT], "unknown", (int)run->counts[DERIVE_UNKNOWN],
                        "same", (int)run->same, "base", (int)run->rule.len),
              out);
}

struct rw_findings *rw_derive(const struct rw_rules *goals, const struct rw_derive_options *options,
                              struct rw_error *error)
{
    struct err err = {0};
    struct derivation run = {.domain = DOMAIN_REAL};
    bool ok = begin(&run, goals->context, options, &err) && derivation_ask(&run, &goals->set, &err);
    if (ok)
        put_counts(&run, &run.findings->counts);
    run.findings->effort.limited = run.counts[DERIVE_LIMIT] > 0;
    if (ok)
        context_note(goals->context,
                     "%u derived, %u not, %u at a limit, %u unknown, %u in the base; %u base "
                     "rules, at most %u nodes, %u rounds, %g s a goal, %s",
                     run.counts[DERIVE_YES], run.counts[DERIVE_NO], run.counts[DERIVE_LIMIT],
                     run.counts[DERIVE_UNKNOWN], run.same, run.rule.len, run.options.max_nodes,
                     run.options.max_rounds, run.options.seconds,
                     run.options.lhs_only ? "from the left side" : "from both sides");
    return end(&run, ok, &err, error);
}

struct rw_findings *rw_derive_minimal(struct rw_context *context,
                                      const struct rw_derive_options *options,
                                      struct rw_error *error)
{
    struct err err = {0};
    struct derivation run = {.domain = DOMAIN_REAL};
    bool ok = begin(&run, context, options, &err);
    if (ok)
        derivation_minimal(&run);
    return end(&run, ok, &err, error);
}
