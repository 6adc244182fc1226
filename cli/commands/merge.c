// SPDX-License-Identifier: Apache-2.0
// Merging: see db/merge.h for what becomes of what two sources say.
//
// With --reprove the sources are read twice: the rules' texts are taken in, and
// proved here; then the refutations that the sources have, which are checked by
// trying them, and names, which proving gives to the last one.
#include "cli/cli.h"
#include "cli/proving/merge_source.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"
#include "base/text/utf8.h"
#include "verify/counterexample/search.h"
#include "verify/prove.h"
#include <stdlib.h>
#include <sys/stat.h>

enum pass { ALL, TEXTS, REFUTATIONS };

struct merge_counts {
    uint32_t rules, fresh, verdicts, kept, unconfirmed;
    uint32_t bad, stale, cut, failed, records, contradictions;
};

struct merge_command {
    const struct command_line *command;
    struct db *db;
    double wait;
    enum pass pass;
    struct merge_counts counts;
    struct arena mem;
    VEC(const char *) hashes; // --reprove: of all rules that came
    const char *path;         // the source that is read
    struct buf out;
};

static bool replays(void *ctx, const struct rule *rule, const struct domain_report *d)
{
    struct merge_command *merge_command = ctx;
    struct err why = {0};
    if (d->counterexample && cex_replay(rule, d->domain, d->counterexample, &why))
        return true;
    note("%s: rule %s is said to be refuted in %s, but the counterexample does "
         "not show it%s%s",
         merge_command->path, rule->name, domain_text(d->domain), why.msg[0] ? ": " : "", why.msg);
    merge_command->counts.bad++;
    return false;
}

static bool is_object(const char *text)
{
    json_t *j = json_loads(text ? text : "", 0, NULL);
    bool yes = json_is_object(j);
    json_decref(j);
    return yes;
}

// Why no prover of these versions gave this verdict; NULL: it may have.
static const char *implausible(const struct rule *rule, const struct domain_report *d)
{
    bool proved = d->verdict == VERDICT_PROVED;
    if (!(rule_domains(rule) >> d->domain & 1))
        return "the rule says nothing there";
    if (proved != (d->rung != RUNG_NONE))
        return "verdict and rung contradict each other";
    if (d->domain == DOMAIN_FLOAT ? proved != (d->grade == GRADE_EXACT) : d->grade != GRADE_NONE)
        return "verdict and grade contradict each other";
    if (d->counterexample && d->verdict != VERDICT_REFUTED)
        return "it has a counterexample";
    for (uint32_t i = 0; proved && i < d->obligations.len; i++)
        if (d->obligations.at[i].verdict == VERDICT_REFUTED)
            return "it is proved, and an obligation refuted";
    if (!is_object(d->bound))
        return "the bound is no JSON object";
    if (d->instances > INT32_MAX || !(d->seconds >= 0))
        return "its counts are none";
    return NULL;
}

static bool acceptable(struct merge_command *merge_command, const struct rule *rule,
                       const struct domain_report *d)
{
    if (d->verdict == VERDICT_REFUTED && !replays(merge_command, rule, d))
        return false;
    const char *why = implausible(rule, d);
    if (!why)
        return true;
    note("%s: rule %s: the verdict in %s is refused: %s", merge_command->path, rule->name,
         domain_text(d->domain), why);
    merge_command->counts.bad++;
    return false;
}

static void contradiction(struct merge_command *merge_command, const struct rule *rule,
                          enum domain domain, const char *why)
{
    merge_command->counts.contradictions++;
    if (merge_command->command->value[OPTION_json])
        json_line(json_pack("{s:s, s:s, s:s, s:s, s:s}", "source", merge_command->path, "rule",
                            rule->name, "hash", rule->hash, "domain", domain_text(domain),
                            "contradiction", why),
                  &merge_command->out);
    else
        buf_printf(&merge_command->out, "%s/%s: %s: %s\n", rule->family, rule->name,
                   domain_text(domain), why);
}

static void count(struct merge_command *merge_command, const struct merge_rule *rule,
                  const struct merge_result *res)
{
    merge_command->counts.fresh += res->fresh;
    for (int d = 0; d < N_DOMAINS; d++) {
        merge_command->counts.verdicts += res->taken >> d & 1;
        merge_command->counts.kept += res->kept >> d & 1;
        if (res->disagree >> d & 1)
            contradiction(merge_command, rule->rule, (enum domain)d,
                          "proved by one and refuted by another source, with a "
                          "counterexample that replays");
        else if (res->internal >> d & 1)
            contradiction(merge_command, rule->rule, (enum domain)d,
                          "a verdict says that rankwright contradicts itself");
    }
}

// What the sources call proved is held against what was found here.
static bool compare(struct merge_command *merge_command, const struct rule *rule,
                    const struct report *rep, struct err *err)
{
    struct report here = {0};
    bool ok = db_report(merge_command->db, rule->hash, &here, NULL, err);
    for (uint32_t i = 0; ok && i < rep->domains.len; i++)
        for (uint32_t k = 0; k < here.domains.len; k++) {
            const struct domain_report *a = &rep->domains.at[i];
            const struct domain_report *b = &here.domains.at[k];
            if (a->domain != b->domain || a->verdict != VERDICT_PROVED)
                continue;
            if (b->verdict == VERDICT_REFUTED)
                contradiction(merge_command, rule, a->domain,
                              "proved, says the source; refuted here");
            merge_command->counts.unconfirmed += b->verdict == VERDICT_UNKNOWN;
        }
    report_release(&here);
    return ok;
}

// What terminals would obey is not stored.
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

static void clean_verdict(struct merge_command *merge_command, struct domain_report *d,
                          struct merge_run *run)
{
    const char **texts[] = {&d->reason,    &d->method,     &d->bound_why, &d->solver,
                            &run->started, &run->finished, &run->command, &run->solver};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = clean(merge_command, *texts[i]);
    for (uint32_t i = 0; i < d->obligations.len; i++) {
        struct obligation *obligation = &d->obligations.at[i];
        obligation->ranks = clean(merge_command, obligation->ranks);
        obligation->detail = clean(merge_command, obligation->detail);
        obligation->reason = clean(merge_command, obligation->reason);
    }
}

// The verdicts that this pass takes, which are the source's still, and their
// runs.
static void select_verdicts(struct merge_command *merge_command, const struct merge_rule *rule,
                            struct report *out, struct merge_run *runs)
{
    for (uint32_t i = 0; i < rule->report->domains.len; i++) {
        const struct domain_report *d = &rule->report->domains.at[i];
        bool wanted = merge_command->pass == ALL ||
                      (merge_command->pass == REFUTATIONS && d->verdict == VERDICT_REFUTED);
        if (!wanted || !acceptable(merge_command, rule->rule, d))
            continue;
        runs[out->domains.len] = rule->runs[i];
        vec_push(&out->domains, *d);
        clean_verdict(merge_command, &vec_last(&out->domains), &runs[out->domains.len - 1]);
    }
    for (uint32_t i = 0; merge_command->pass == ALL && i < rule->report->remarks.len; i++)
        vec_push(&out->remarks, clean(merge_command, rule->report->remarks.at[i]));
}

static bool take_rule(void *ctx, const struct merge_rule *from, struct err *err)
{
    struct merge_command *merge_command = ctx;
    struct merge_judge judge = {replays, merge_command, REASON_DISAGREE};
    struct merge_result res;
    struct merge_run runs[N_DOMAINS];
    struct report selected = {0};
    struct merge_rule rule = *from;
    if (merge_command->pass == REFUTATIONS && !compare(merge_command, rule.rule, rule.report, err))
        return false;
    select_verdicts(merge_command, from, &selected, runs);
    rule.report = &selected;
    rule.runs = runs;
    bool ok = db_merge_rule(merge_command->db, &rule, &judge, &res, err);
    if (ok)
        count(merge_command, from, &res);
    vec_release(&selected.domains); // the obligations are the source's
    vec_release(&selected.remarks);
    merge_command->counts.rules += merge_command->pass != REFUTATIONS;
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
         db_merge_records(merge_command->db, from, &n, err);
    db_close(from);
    merge_command->counts.records += n;
    return ok;
}

static bool read_sources(struct merge_command *merge_command, enum pass pass, struct err *err)
{
    bool ok = true;
    merge_command->pass = pass;
    for (uint32_t i = 0; ok && i < merge_command->command->words.len; i++) {
        struct merge_source source = {.path = merge_command->command->words.at[i],
                                      .wait = merge_command->wait,
                                      .quiet = pass == REFUTATIONS,
                                      .rule = take_rule,
                                      .ctx = merge_command};
        merge_command->path = source.path;
        ok = merge_source_read(&source, err) &&
             (pass == REFUTATIONS || merge_records(merge_command, source.path, err));
        if (pass == REFUTATIONS)
            continue; // counted before
        merge_command->counts.bad += source.bad;
        merge_command->counts.stale += source.stale;
        merge_command->counts.cut += source.cut;
        merge_command->counts.failed += source.failed;
    }
    return ok;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The rules that came, as the database has them now: each has an arena of its
// own, since names may occur again.
struct rule_lookup {
    struct ruleset list; // its rules are of the others
    VEC(struct ruleset) own;
};

static bool add_again(struct merge_command *merge_command, const struct stored_rule *stored,
                      struct rule_lookup *rule_lookup, struct err *err)
{
    if (!bsearch(&stored->hash, merge_command->hashes.at, merge_command->hashes.len,
                 sizeof *merge_command->hashes.at, by_text))
        return true;
    struct ruleset own;
    ruleset_init(&own);
    bool ok = stored_rule_read(stored, &own, err) != NULL;
    if (ok)
        vec_push(&rule_lookup->list.rules, own.rules.at[0]);
    vec_push(&rule_lookup->own, own);
    return ok;
}

static bool prove_again(struct merge_command *merge_command, const struct proving *proving,
                        struct err *err)
{
    struct rule_lookup rule_lookup = {0};
    struct stored_rules found = {0};
    struct db_filter filter;
    bool interrupted = false;
    db_filter_init(&filter);
    filter.superseded = true;
    ruleset_init(&rule_lookup.list);
    if (merge_command->hashes.len)
        qsort(merge_command->hashes.at, merge_command->hashes.len, sizeof *merge_command->hashes.at,
              by_text);
    bool ok = db_find(merge_command->db, &filter, &found, err);
    for (uint32_t i = 0; ok && merge_command->hashes.len && i < found.rules.len; i++)
        ok = add_again(merge_command, &found.rules.at[i], &rule_lookup, err);
    ok =
        ok &&
        prove_into(merge_command->db, &rule_lookup.list, proving, false, &interrupted, NULL, err) &&
        (!interrupted || err_set(err, ERR_LIMIT, "interrupted"));
    stored_rules_release(&found);
    ruleset_release(&rule_lookup.list);
    for (uint32_t i = 0; i < rule_lookup.own.len; i++)
        ruleset_release(&rule_lookup.own.at[i]);
    vec_release(&rule_lookup.own);
    return ok;
}

static bool reprove(struct merge_command *merge_command, struct err *err)
{
    struct proving proving = {0};
    if (!proving_options(merge_command->command, &proving, err))
        return false;
    proving.again = proving.confirm = true;
    return read_sources(merge_command, TEXTS, err) && prove_again(merge_command, &proving, err) &&
           read_sources(merge_command, REFUTATIONS, err);
}

// A database cannot be read while it is written, nor what is no file twice.
static bool check_source(const struct command_line *command, const char *path,
                         const struct stat *out, struct err *err)
{
    struct stat st;
    bool input = strcmp(path, "-") == 0;
    bool there = !input && stat(path, &st) == 0;
    if (there && out && st.st_dev == out->st_dev && st.st_ino == out->st_ino)
        return err_set(err, ERR_USAGE, "merge: %s is the database itself", path);
    if (command->value[OPTION_reprove] && (input || (there && !S_ISREG(st.st_mode))))
        return err_set(err, ERR_USAGE, "--reprove reads its sources twice, and %s is no file",
                       path);
    return true;
}

static bool check_sources(const struct command_line *command, struct err *err)
{
    struct buf path = {0};
    struct stat out;
    uint32_t inputs = 0;
    if (command->words.len == 0)
        return err_set(err, ERR_USAGE,
                       "merge: expected databases, or files with "
                       "the lines of prove --worker");
    bool ok = database_path(command, false, &path, err);
    bool there = ok && stat(buf_text(&path), &out) == 0;
    for (uint32_t i = 0; ok && i < command->words.len; i++) {
        inputs += strcmp(command->words.at[i], "-") == 0;
        ok = check_source(command, command->words.at[i], there ? &out : NULL, err);
    }
    if (ok && inputs > 1)
        ok = err_set(err, ERR_USAGE, "merge: - is named twice");
    buf_release(&path);
    return ok;
}

static void report(struct merge_command *merge_command)
{
    const struct merge_counts *counts = &merge_command->counts;
    if (merge_command->command->value[OPTION_json])
        json_line(json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "rules",
                            (int)counts->rules, "new", (int)counts->fresh, "verdicts",
                            (int)counts->verdicts, "kept", (int)counts->kept, "records",
                            (int)counts->records, "stale", (int)counts->stale, "bad",
                            (int)counts->bad, "cut", (int)counts->cut, "contradictions",
                            (int)counts->contradictions, "unconfirmed", (int)counts->unconfirmed),
                  &merge_command->out);
    note("%u rules, %u of them new; %u verdicts taken in, %u were there", counts->rules,
         counts->fresh, counts->verdicts, counts->kept);
    if (counts->stale)
        note("%u verdicts of other versions were left out", counts->stale);
    if (counts->cut)
        note("%u last lines without an end were left out", counts->cut);
    if (counts->failed)
        note("%u lines say that a candidate was no rule", counts->failed);
    if (counts->bad)
        note("%u rules or verdicts were refused", counts->bad);
    if (counts->unconfirmed)
        note("%u verdicts that are proved in the sources are unknown here", counts->unconfirmed);
    if (counts->contradictions)
        note("%u verdicts contradict each other: a bug, a solver's error, or a "
             "source that was tampered with",
             counts->contradictions);
}

int cmd_merge(struct command_line *command)
{
    struct err err = {0};
    struct merge_command merge_command = {.command = command, .wait = 60};
    bool ok = check_sources(command, &err) &&
              option_number(command, OPTION_wait, 0, 1e6, &merge_command.wait, &err) &&
              open_database(command, DB_WRITE, &merge_command.db, &err) &&
              (command->value[OPTION_reprove] ? reprove(&merge_command, &err)
                                              : read_sources(&merge_command, ALL, &err));
    if (ok)
        report(&merge_command);
    ok = print_all(&merge_command.out, &err) && ok;
    db_close(merge_command.db);
    vec_release(&merge_command.hashes);
    arena_release(&merge_command.mem);
    buf_release(&merge_command.out);
    return !ok                                   ? report_error(&err)
           : merge_command.counts.contradictions ? EXIT_BUG
           : merge_command.counts.bad            ? EXIT_BAD_INPUT
           : merge_command.counts.unconfirmed    ? EXIT_UNKNOWN
                                                 : EXIT_YES;
}
