// SPDX-License-Identifier: Apache-2.0
#include "api/proving/merge.h"

#include "api/proving/merge_accept.h"
#include "api/proving/merge_source.h"
#include "api/rules/json.h"
#include "base/text/utf8.h"
#include "verify/prove.h"
#include "api/database/database.h"
#include <stdlib.h>
#include <sys/stat.h>

void merge_contradiction(struct merge_command *merge_command, const struct rule *rule,
                         enum domain domain, const char *why)
{
    merge_command->merge_counts.contradictions++;
    if (merge_command->json)
        json_line(json_pack("{s:s, s:s, s:s, s:s, s:s}", "source", merge_command->path, "rule",
                            rule->name, "hash", rule->hash, "domain", domain_text(domain),
                            "contradiction", why),
                  &merge_command->out);
    else
        buf_printf(&merge_command->out, "%s/%s: %s: %s\n", rule->family, rule->name,
                   domain_text(domain), why);
}

// A database cannot be read while it is written.  A source that is no file
// cannot be read twice.
bool merge_source_usable(const char *path, const char *target, bool twice, struct err *err)
{
    struct stat st, out;
    bool input = strcmp(path, "-") == 0;
    bool there = !input && stat(path, &st) == 0;
    if (there && stat(target, &out) == 0 && st.st_dev == out.st_dev && st.st_ino == out.st_ino)
        return err_set(err, ERR_USAGE, "merge: %s is the database itself", path);
    if (twice && (input || (there && !S_ISREG(st.st_mode))))
        return err_at(err, ERR_USAGE, "reprove", 0, 0, "sources are read twice, and %s is no file",
                      path);
    return true;
}

static bool open_target(struct merge_command *merge_command, struct err *err)
{
    return merge_command->db != NULL ||
           merge_command->open(merge_command->user, &merge_command->db, err);
}

static void count(struct merge_command *merge_command, const struct merge_rule *rule,
                  const struct merge_result *res)
{
    merge_command->merge_counts.fresh += res->fresh;
    for (int d = 0; d < N_DOMAINS; d++) {
        merge_command->merge_counts.verdicts += res->taken >> d & 1;
        merge_command->merge_counts.kept += res->kept >> d & 1;
        if (res->disagree >> d & 1)
            merge_contradiction(merge_command, rule->rule, (enum domain)d,
                                "proved by one and refuted by another source, with a "
                                "counterexample that replays");
        else if (res->internal >> d & 1)
            merge_contradiction(merge_command, rule->rule, (enum domain)d,
                                "a verdict says that rankwright contradicts itself");
    }
}

// Compares the sources' proved verdicts with the verdicts found here.
static bool compare(struct merge_command *merge_command, const struct rule *rule,
                    const struct report *rep, struct err *err)
{
    struct report here = {0};
    bool ok = db_report(merge_command->db, rule->hash, &here, NULL, err);
    for (uint32_t i = 0; ok && i < rep->domains.len; i++)
        for (uint32_t k = 0; k < here.domains.len; k++) {
            const struct domain_report *report = &rep->domains.at[i];
            const struct domain_report *b = &here.domains.at[k];
            if (report->domain != b->domain || report->verdict != VERDICT_PROVED)
                continue;
            if (b->verdict == VERDICT_REFUTED)
                merge_contradiction(merge_command, rule, report->domain,
                                    "proved, says the source; refuted here");
            merge_command->merge_counts.unconfirmed += b->verdict == VERDICT_UNKNOWN;
        }
    report_release(&here);
    return ok;
}

// Characters that control terminals are not stored.
static const char *clean(struct merge_command *merge_command, const char *text)
{
    struct buf buf = {0};
    if (!text)
        return NULL;
    utf8_printable(text, &buf);
    if (strcmp(buf_text(&buf), text) != 0)
        text = arena_strdup(&merge_command->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

static void clean_verdict(struct merge_command *merge_command, struct domain_report *report,
                          struct merge_run *run)
{
    const char **texts[] = {&report->reason, &report->method, &report->bound_why, &report->solver,
                            &run->started,   &run->finished,  &run->command,      &run->solver};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = clean(merge_command, *texts[i]);
    for (uint32_t i = 0; i < report->obligations.len; i++) {
        struct obligation *obligation = &report->obligations.at[i];
        obligation->ranks = clean(merge_command, obligation->ranks);
        obligation->detail = clean(merge_command, obligation->detail);
        obligation->reason = clean(merge_command, obligation->reason);
    }
}

// The verdicts that this pass takes, which the source still owns, and their
// runs.
static bool select_verdicts(struct merge_command *merge_command, const struct merge_rule *rule,
                            struct report *out, struct merge_run *runs, struct err *err)
{
    struct merge_trial trial;
    bool ok = merge_trial_begin(&trial, merge_command, rule->rule, err);
    for (uint32_t i = 0; ok && i < rule->report->domains.len; i++) {
        const struct domain_report *report = &rule->report->domains.at[i];
        bool wanted = merge_command->pass == ALL ||
                      (merge_command->pass == REFUTATIONS && report->verdict == VERDICT_REFUTED);
        if (!wanted || !merge_accepts(&trial, report))
            continue;
        runs[out->domains.len] = rule->runs[i];
        vec_push(&out->domains, *report);
        clean_verdict(merge_command, &vec_last(&out->domains), &runs[out->domains.len - 1]);
    }
    for (uint32_t i = 0; merge_command->pass == ALL && i < rule->report->remarks.len; i++)
        vec_push(&out->remarks, clean(merge_command, rule->report->remarks.at[i]));
    merge_trial_end(&trial);
    return ok;
}

static bool take_rule(void *ctx, const struct merge_rule *from, struct err *err)
{
    struct merge_command *merge_command = ctx;
    struct merge_judge judge = {merge_replays, merge_command, REASON_DISAGREE};
    struct merge_result res;
    struct merge_run runs[N_DOMAINS];
    struct report selected = {0};
    struct merge_rule rule = *from;
    if (!open_target(merge_command, err))
        return false;
    if (merge_command->pass == REFUTATIONS && !compare(merge_command, rule.rule, rule.report, err))
        return false;
    bool ok = select_verdicts(merge_command, from, &selected, runs, err);
    rule.report = &selected;
    rule.runs = runs;
    ok = ok && db_merge_rule(merge_command->db, &rule, &judge, &res, err);
    if (ok)
        count(merge_command, from, &res);
    vec_release(&selected.domains); // the obligations are the source's
    vec_release(&selected.remarks);
    merge_command->merge_counts.rules += merge_command->pass != REFUTATIONS;
    if (merge_command->pass == TEXTS)
        vec_push(&merge_command->hashes, arena_strdup(&merge_command->mem, rule.rule->hash));
    return ok;
}

static bool merge_records(struct merge_command *merge_command, const char *path, struct err *err)
{
    bool database = false;
    struct db *from = NULL;
    uint32_t n = 0;
    bool ok = is_database(path, &database, err);
    if (!ok || !database)
        return ok;
    ok = db_open(&from, path, DB_READ, merge_command->wait, err) &&
         open_target(merge_command, err) && db_merge_records(merge_command->db, from, &n, err);
    db_close(from);
    merge_command->merge_counts.records += n;
    return ok;
}

static bool read_sources(struct merge_command *merge_command, enum merge_pass pass, struct err *err)
{
    bool ok = true;
    merge_command->pass = pass;
    for (uint32_t i = 0; ok && i < merge_command->n_sources; i++) {
        struct merge_source source = {.context = merge_command->context,
                                      .path = merge_command->sources[i],
                                      .wait = merge_command->wait,
                                      .quiet = pass == REFUTATIONS,
                                      .rule = take_rule,
                                      .ctx = merge_command};
        merge_command->path = source.path;
        ok = merge_source_read(&source, err) &&
             (pass == REFUTATIONS || merge_records(merge_command, source.path, err));
        if (pass == REFUTATIONS)
            continue; // counted before
        merge_command->merge_counts.bad += source.bad;
        merge_command->merge_counts.stale += source.stale;
        merge_command->merge_counts.cut += source.cut;
        merge_command->merge_counts.failed += source.failed;
    }
    return ok;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The merged rules as the database has them now.  Each has an arena of its own,
// since names may occur twice.
struct rules_again {
    struct ruleset list; // its rules borrow from the other sets
    VEC(struct ruleset) own;
};

static bool add_again(struct merge_command *merge_command, const struct stored_rule *stored,
                      struct rules_again *lookup, struct err *err)
{
    if (!bsearch(&stored->hash, merge_command->hashes.at, merge_command->hashes.len,
                 sizeof *merge_command->hashes.at, by_text))
        return true;
    struct ruleset own;
    ruleset_init(&own);
    bool ok = stored_rule_read(stored, &own, err) != NULL;
    if (ok)
        vec_push(&lookup->list.rules, own.rules.at[0]);
    vec_push(&lookup->own, own);
    return ok;
}

static bool prove_again(struct merge_command *merge_command, const struct proving *proving,
                        struct err *err)
{
    struct rw_proving stats = {0};
    struct rules_again lookup = {0};
    struct stored_rules found = {0};
    struct db_filter filter;
    db_filter_init(&filter);
    filter.superseded = filter.unjudged = true;
    ruleset_init(&lookup.list);
    if (merge_command->hashes.len)
        qsort(merge_command->hashes.at, merge_command->hashes.len, sizeof *merge_command->hashes.at,
              by_text);
    bool ok = merge_command->hashes.len == 0 || db_find(merge_command->db, &filter, &found, err);
    for (uint32_t i = 0; ok && i < found.rules.len; i++)
        ok = add_again(merge_command, &found.rules.at[i], &lookup, err);
    ok = ok &&
         (merge_command->hashes.len == 0 ||
          prove_into(merge_command->db, &lookup.list, proving, NULL, NULL, &stats, err)) &&
         (!stats.interrupted || err_set(err, ERR_LIMIT, "interrupted"));
    stored_rules_release(&found);
    ruleset_release(&lookup.list);
    for (uint32_t i = 0; i < lookup.own.len; i++)
        ruleset_release(&lookup.own.at[i]);
    vec_release(&lookup.own);
    return ok;
}

// Sources that are empty make an empty database.
static bool end(struct merge_command *merge_command, struct err *err)
{
    return merge_command->merge_counts.bad > 0 || open_target(merge_command, err);
}

bool merge_reprove(struct merge_command *merge_command, const struct rw_prove_options *options,
                   struct err *err)
{
    struct proving proving;
    if (!proving_of(merge_command->context, options, &proving, err))
        return false;
    proving.again = proving.confirm = true;
    return read_sources(merge_command, TEXTS, err) && prove_again(merge_command, &proving, err) &&
           read_sources(merge_command, REFUTATIONS, err) && end(merge_command, err);
}

bool merge_all(struct merge_command *merge_command, struct err *err)
{
    return read_sources(merge_command, ALL, err) && end(merge_command, err);
}

void merge_put_json(struct merge_command *merge_command)
{
    const struct merge_counts *merge_counts = &merge_command->merge_counts;
    json_line(json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "rules",
                        (int)merge_counts->rules, "new", (int)merge_counts->fresh, "verdicts",
                        (int)merge_counts->verdicts, "kept", (int)merge_counts->kept, "records",
                        (int)merge_counts->records, "stale", (int)merge_counts->stale, "bad",
                        (int)merge_counts->bad, "cut", (int)merge_counts->cut, "contradictions",
                        (int)merge_counts->contradictions, "unconfirmed",
                        (int)merge_counts->unconfirmed),
              &merge_command->out);
}

void merge_release(struct merge_command *merge_command)
{
    vec_release(&merge_command->hashes);
    arena_release(&merge_command->mem);
    buf_release(&merge_command->out);
}

// ---- include/rankwright/merging.h

static struct rw_merged merged_of(const struct merge_counts *counts)
{
    return (struct rw_merged){.rules = counts->rules,
                              .new_rules = counts->fresh,
                              .verdicts = counts->verdicts,
                              .kept = counts->kept,
                              .records = counts->records,
                              .stale = counts->stale,
                              .refused = counts->bad,
                              .cut = counts->cut,
                              .failed = counts->failed,
                              .unconfirmed = counts->unconfirmed,
                              .contradictions = counts->contradictions};
}

bool rw_merge(struct rw_database *database, const char *const *sources, size_t n_sources,
              const struct rw_merge_options *options, struct rw_merged *merged, char **text,
              struct rw_error *error)
{
    struct err err = {0};
    struct rw_merge_options own;
    struct merge_command command = {.context = database->context,
                                    .db = database->db,
                                    .n_sources = (uint32_t)n_sources,
                                    .sources = sources};
    bool ok = options_copy(options, &own, sizeof own, &err);
    command.wait = own.wait > 0 ? own.wait : 60;
    for (size_t i = 0; ok && i < n_sources; i++)
        ok = merge_source_usable(sources[i], database->path, own.reprove, &err);
    ok = ok && (own.reprove ? merge_reprove(&command, own.prove, &err) : merge_all(&command, &err));
    *merged = merged_of(&command.merge_counts);
    if (text != NULL)
        *text = text_give(&command.out);
    merge_release(&command);
    return ok || error_give(&err, error);
}
