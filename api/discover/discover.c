// SPDX-License-Identifier: Apache-2.0
#include "api/discover/elements.h"
#include "api/discover/tensors.h"
#include "api/proving/proving.h"
#include "api/rules/rules.h"

struct tensor_work {
    struct rw_findings *findings;
    struct discovery discovery;
    struct rw_rules *set; // the rules that are found
    uint32_t given;       // findings so far
};

static void show(void *user, const struct search_progress *progress)
{
    struct tensor_work *work = user;
    struct rw_progress *at = &work->findings->progress;
    at->done = progress->left;
    at->total = progress->lefts;
    at->proved = progress->proved;
    at->refuted = progress->refuted;
    at->unknown = progress->unknown;
}

static bool give(void *user, const struct found_rules *found, struct err *err)
{
    struct tensor_work *work = user;
    struct rw_findings *findings = work->findings;
    struct buf json = {0}, text = {0};
    (void)err;
    for (; work->given < found->at.len; work->given++) {
        const struct found_rule *rule = &found->at.at[work->given];
        discovery_put_rule(rule, &json);
        buf_puts(&text, rule->text);
        buf_printf(&findings->rules, "%s%s", findings->rules.len ? "\n" : "", rule->text);
        findings_name(findings, rule->name);
        findings_add(findings, "rule", &json, &text, rule->text);
    }
    buf_release(&json);
    buf_release(&text);
    return true;
}

static bool read_options(const struct rw_discover_options *from, struct tensor_work *work,
                         struct err *err)
{
    struct search_options *to = &work->discovery.options;
    struct proving proving;
    if (from->ops != NULL && !discovery_operators(from->ops, to, err))
        return false;
    if (from->most > 4 || from->tensors > 3 || from->classes > 3)
        return err_at(err, ERR_USAGE, "most", 0, 0,
                      "expected at most 4 operators, 3 tensors and 3 classes");
    if (!proving_of(work->findings->context, NULL, &proving, err))
        return false;
    to->size = from->most ? from->most : 3;
    to->domains = from->domains;
    to->enumerate.tensors = from->tensors ? from->tensors : 3;
    to->enumerate.classes = from->classes ? from->classes : 2;
    to->enumerate.scalars = 2;
    to->enumerate.literals = true;
    to->seed = from->seed;
    to->seconds = from->seconds;
    to->jobs = proving.jobs;
    to->journal = from->journal;
    to->known = from->known ? &from->known->set : NULL;
    to->progress = show;
    to->kept = give;
    to->ctx = work;
    to->stop = findings_stop(work->findings);
    return true;
}

static bool discover_tensors(const struct rw_discover_options *from, struct rw_findings *findings,
                             struct err *err)
{
    struct tensor_work work = {.findings = findings, .set = rw_rules_new(findings->context)};
    struct discovery *discovery = &work.discovery;
    bool ok = read_options(from, &work, err) &&
              (from->judged != NULL
                   ? search_judge(&discovery->options, &from->judged->set, &work.set->set,
                                  &discovery->found, &discovery->progress, err)
                   : search_rules(&discovery->options, &work.set->set, &discovery->found,
                                  &discovery->progress, err)) &&
              give(&work, &discovery->found, err);
    const struct search_progress *progress = &discovery->progress;
    findings->effort.rules = findings->effort.changed = work.given;
    findings->effort.candidates = (uint32_t)progress->candidates;
    findings->effort.proofs = (uint32_t)(progress->proved + progress->refuted + progress->unknown);
    findings->effort.ended = discovery->found.ended || progress->lost > 0;
    discovery_put_counts(discovery, &findings->counts);
    found_rules_release(&discovery->found);
    rw_rules_free(work.set);
    return ok;
}

struct rw_findings *rw_discover(struct rw_context *context,
                                const struct rw_discover_options *options, struct rw_error *error)
{
    struct err err = {0};
    struct rw_discover_options own;
    struct rw_findings *findings = findings_new(context, "discover");
    findings->file = "discovered.rw";
    bool ok = options_copy(options, &own, sizeof own, &err);
    if (ok && own.ops == NULL && own.judged == NULL)
        ok = err_at(&err, ERR_USAGE, "ops", 0, 0, "expected names of operators");
    if (ok && own.domains >> N_DOMAINS != 0)
        ok = err_at(&err, ERR_USAGE, "domains", 0, 0, "no such domain");
    ok = ok &&
         (own.judged != NULL || discovery_moves(own.ops) ? discover_tensors(&own, findings, &err)
                                                         : elements_discover(&own, findings, &err));
    return findings_end(findings, ok, &err, error);
}
