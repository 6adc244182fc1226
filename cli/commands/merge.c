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
    const struct command_line *c;
    struct db *db;
    double wait;
    enum pass pass;
    struct merge_counts n;
    struct arena mem;
    VEC(const char *) hashes; // --reprove: of all rules that came
    const char *path;         // the source that is read
    struct buf out;
};

static bool replays(void *ctx, const struct rule *r,
                    const struct domain_report *d)
{
    struct merge_command *m = ctx;
    struct err why = {0};
    if (d->counterexample && cex_replay(r, d->domain, d->counterexample, &why))
        return true;
    note("%s: rule %s is said to be refuted in %s, but the counterexample does "
         "not show it%s%s",
         m->path, r->name, domain_text(d->domain), why.msg[0] ? ": " : "",
         why.msg);
    m->n.bad++;
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
static const char *implausible(const struct rule *r,
                               const struct domain_report *d)
{
    bool proved = d->verdict == VERDICT_PROVED;
    if (!(rule_domains(r) >> d->domain & 1))
        return "the rule says nothing there";
    if (proved != (d->rung != RUNG_NONE))
        return "verdict and rung contradict each other";
    if (d->domain == DOMAIN_FLOAT ? proved != (d->grade == GRADE_EXACT)
                                  : d->grade != GRADE_NONE)
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

static bool acceptable(struct merge_command *m, const struct rule *r,
                       const struct domain_report *d)
{
    if (d->verdict == VERDICT_REFUTED && !replays(m, r, d))
        return false;
    const char *why = implausible(r, d);
    if (!why)
        return true;
    note("%s: rule %s: the verdict in %s is refused: %s", m->path, r->name,
         domain_text(d->domain), why);
    m->n.bad++;
    return false;
}

static void contradiction(struct merge_command *m, const struct rule *r, enum domain d,
                          const char *why)
{
    m->n.contradictions++;
    if (m->c->value[OPTION_json])
        json_line(json_pack("{s:s, s:s, s:s, s:s, s:s}", "source", m->path,
                            "rule", r->name, "hash", r->hash, "domain",
                            domain_text(d), "contradiction", why),
                  &m->out);
    else
        buf_printf(&m->out, "%s/%s: %s: %s\n", r->family, r->name,
                   domain_text(d), why);
}

static void count(struct merge_command *m, const struct merge_rule *r,
                  const struct merge_result *res)
{
    m->n.fresh += res->fresh;
    for (int d = 0; d < N_DOMAINS; d++) {
        m->n.verdicts += res->taken >> d & 1;
        m->n.kept += res->kept >> d & 1;
        if (res->disagree >> d & 1)
            contradiction(m, r->rule, (enum domain)d,
                          "proved by one and refuted by another source, with a "
                          "counterexample that replays");
        else if (res->internal >> d & 1)
            contradiction(m, r->rule, (enum domain)d,
                          "a verdict says that rankwright contradicts itself");
    }
}

// What the sources call proved is held against what was found here.
static bool compare(struct merge_command *m, const struct rule *r,
                    const struct report *rep, struct err *e)
{
    struct report here = {0};
    bool ok = db_report(m->db, r->hash, &here, NULL, e);
    for (uint32_t i = 0; ok && i < rep->domains.len; i++)
        for (uint32_t k = 0; k < here.domains.len; k++) {
            const struct domain_report *a = &rep->domains.at[i];
            const struct domain_report *b = &here.domains.at[k];
            if (a->domain != b->domain || a->verdict != VERDICT_PROVED)
                continue;
            if (b->verdict == VERDICT_REFUTED)
                contradiction(m, r, a->domain,
                              "proved, says the source; refuted here");
            m->n.unconfirmed += b->verdict == VERDICT_UNKNOWN;
        }
    report_release(&here);
    return ok;
}

// What terminals would obey is not stored.
static const char *clean(struct merge_command *m, const char *text)
{
    struct buf b = {0};
    if (!text)
        return NULL;
    utf8_printable(text, &b);
    if (strcmp(buf_text(&b), text) != 0)
        text = arena_strdup(&m->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

static void clean_verdict(struct merge_command *m, struct domain_report *d,
                          struct merge_run *run)
{
    const char **texts[] = {&d->reason,    &d->method,    &d->bound_why,
                            &d->solver,    &run->started, &run->finished,
                            &run->command, &run->solver};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = clean(m, *texts[i]);
    for (uint32_t i = 0; i < d->obligations.len; i++) {
        struct obligation *o = &d->obligations.at[i];
        o->ranks = clean(m, o->ranks);
        o->detail = clean(m, o->detail);
        o->reason = clean(m, o->reason);
    }
}

// The verdicts that this pass takes, which are the source's still, and their
// runs.
static void select_verdicts(struct merge_command *m, const struct merge_rule *r,
                            struct report *out, struct merge_run *runs)
{
    for (uint32_t i = 0; i < r->report->domains.len; i++) {
        const struct domain_report *d = &r->report->domains.at[i];
        bool wanted = m->pass == ALL ||
                      (m->pass == REFUTATIONS && d->verdict == VERDICT_REFUTED);
        if (!wanted || !acceptable(m, r->rule, d))
            continue;
        runs[out->domains.len] = r->runs[i];
        vec_push(&out->domains, *d);
        clean_verdict(m, &vec_last(&out->domains), &runs[out->domains.len - 1]);
    }
    for (uint32_t i = 0; m->pass == ALL && i < r->report->remarks.len; i++)
        vec_push(&out->remarks, clean(m, r->report->remarks.at[i]));
}

static bool take_rule(void *ctx, const struct merge_rule *from, struct err *e)
{
    struct merge_command *m = ctx;
    struct merge_judge judge = {replays, m, REASON_DISAGREE};
    struct merge_result res;
    struct merge_run runs[N_DOMAINS];
    struct report selected = {0};
    struct merge_rule r = *from;
    if (m->pass == REFUTATIONS && !compare(m, r.rule, r.report, e))
        return false;
    select_verdicts(m, from, &selected, runs);
    r.report = &selected;
    r.runs = runs;
    bool ok = db_merge_rule(m->db, &r, &judge, &res, e);
    if (ok)
        count(m, from, &res);
    vec_release(&selected.domains); // the obligations are the source's
    vec_release(&selected.remarks);
    m->n.rules += m->pass != REFUTATIONS;
    if (m->pass == TEXTS)
        vec_push(&m->hashes, arena_strdup(&m->mem, r.rule->hash));
    return ok;
}

static bool merge_records(struct merge_command *m, const char *path, struct err *e)
{
    bool database = false;
    struct db *from = NULL;
    uint32_t n = 0;
    bool ok = is_database(path, &database, e);
    if (!ok || !database)
        return ok;
    ok = db_open(&from, path, DB_READ, m->wait, e) &&
         db_merge_records(m->db, from, &n, e);
    db_close(from);
    m->n.records += n;
    return ok;
}

static bool read_sources(struct merge_command *m, enum pass pass, struct err *e)
{
    bool ok = true;
    m->pass = pass;
    for (uint32_t i = 0; ok && i < m->c->words.len; i++) {
        struct merge_source s = {.path = m->c->words.at[i],
                                 .wait = m->wait,
                                 .quiet = pass == REFUTATIONS,
                                 .rule = take_rule,
                                 .ctx = m};
        m->path = s.path;
        ok = merge_source_read(&s, e) &&
             (pass == REFUTATIONS || merge_records(m, s.path, e));
        if (pass == REFUTATIONS)
            continue; // counted before
        m->n.bad += s.bad;
        m->n.stale += s.stale;
        m->n.cut += s.cut;
        m->n.failed += s.failed;
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

static bool add_again(struct merge_command *m, const struct stored_rule *r,
                      struct rule_lookup *a, struct err *e)
{
    if (!bsearch(&r->hash, m->hashes.at, m->hashes.len, sizeof *m->hashes.at,
                 by_text))
        return true;
    struct ruleset own;
    ruleset_init(&own);
    bool ok = stored_rule_read(r, &own, e) != NULL;
    if (ok)
        vec_push(&a->list.rules, own.rules.at[0]);
    vec_push(&a->own, own);
    return ok;
}

static bool prove_again(struct merge_command *m, const struct proving *p, struct err *e)
{
    struct rule_lookup a = {0};
    struct stored_rules found = {0};
    struct db_filter f;
    bool interrupted = false;
    db_filter_init(&f);
    f.superseded = true;
    ruleset_init(&a.list);
    if (m->hashes.len)
        qsort(m->hashes.at, m->hashes.len, sizeof *m->hashes.at, by_text);
    bool ok = db_find(m->db, &f, &found, e);
    for (uint32_t i = 0; ok && m->hashes.len && i < found.rules.len; i++)
        ok = add_again(m, &found.rules.at[i], &a, e);
    ok = ok && prove_into(m->db, &a.list, p, false, &interrupted, NULL, e) &&
         (!interrupted || err_set(e, ERR_LIMIT, "interrupted"));
    stored_rules_release(&found);
    ruleset_release(&a.list);
    for (uint32_t i = 0; i < a.own.len; i++)
        ruleset_release(&a.own.at[i]);
    vec_release(&a.own);
    return ok;
}

static bool reprove(struct merge_command *m, struct err *e)
{
    struct proving p = {0};
    if (!proving_options(m->c, &p, e))
        return false;
    p.again = p.confirm = true;
    return read_sources(m, TEXTS, e) && prove_again(m, &p, e) &&
           read_sources(m, REFUTATIONS, e);
}

// A database cannot be read while it is written, nor what is no file twice.
static bool check_source(const struct command_line *c, const char *path,
                         const struct stat *out, struct err *e)
{
    struct stat st;
    bool input = strcmp(path, "-") == 0;
    bool there = !input && stat(path, &st) == 0;
    if (there && out && st.st_dev == out->st_dev && st.st_ino == out->st_ino)
        return err_set(e, ERR_USAGE, "merge: %s is the database itself", path);
    if (c->value[OPTION_reprove] && (input || (there && !S_ISREG(st.st_mode))))
        return err_set(e, ERR_USAGE,
                       "--reprove reads its sources twice, and %s is no file",
                       path);
    return true;
}

static bool check_sources(const struct command_line *c, struct err *e)
{
    struct buf path = {0};
    struct stat out;
    uint32_t inputs = 0;
    if (c->words.len == 0)
        return err_set(e, ERR_USAGE,
                       "merge: expected databases, or files with "
                       "the lines of prove --worker");
    bool ok = database_path(c, false, &path, e);
    bool there = ok && stat(buf_text(&path), &out) == 0;
    for (uint32_t i = 0; ok && i < c->words.len; i++) {
        inputs += strcmp(c->words.at[i], "-") == 0;
        ok = check_source(c, c->words.at[i], there ? &out : NULL, e);
    }
    if (ok && inputs > 1)
        ok = err_set(e, ERR_USAGE, "merge: - is named twice");
    buf_release(&path);
    return ok;
}

static void report(struct merge_command *m)
{
    const struct merge_counts *n = &m->n;
    if (m->c->value[OPTION_json])
        json_line(
            json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}",
                      "rules", (int)n->rules, "new", (int)n->fresh, "verdicts",
                      (int)n->verdicts, "kept", (int)n->kept, "records",
                      (int)n->records, "stale", (int)n->stale, "bad",
                      (int)n->bad, "cut", (int)n->cut, "contradictions",
                      (int)n->contradictions, "unconfirmed",
                      (int)n->unconfirmed),
            &m->out);
    note("%u rules, %u of them new; %u verdicts taken in, %u were there",
         n->rules, n->fresh, n->verdicts, n->kept);
    if (n->stale)
        note("%u verdicts of other versions were left out", n->stale);
    if (n->cut)
        note("%u last lines without an end were left out", n->cut);
    if (n->failed)
        note("%u lines say that a candidate was no rule", n->failed);
    if (n->bad)
        note("%u rules or verdicts were refused", n->bad);
    if (n->unconfirmed)
        note("%u verdicts that are proved in the sources are unknown here",
             n->unconfirmed);
    if (n->contradictions)
        note("%u verdicts contradict each other: a bug, a solver's error, or a "
             "source that was tampered with",
             n->contradictions);
}

int cmd_merge(struct command_line *c)
{
    struct err e = {0};
    struct merge_command m = {.c = c, .wait = 60};
    bool ok = check_sources(c, &e) &&
              option_number(c, OPTION_wait, 0, 1e6, &m.wait, &e) &&
              open_database(c, DB_WRITE, &m.db, &e) &&
              (c->value[OPTION_reprove] ? reprove(&m, &e)
                                        : read_sources(&m, ALL, &e));
    if (ok)
        report(&m);
    ok = print_all(&m.out, &e) && ok;
    db_close(m.db);
    vec_release(&m.hashes);
    arena_release(&m.mem);
    buf_release(&m.out);
    return !ok                  ? report_error(&e)
           : m.n.contradictions ? EXIT_BUG
           : m.n.bad            ? EXIT_BAD_INPUT
           : m.n.unconfirmed    ? EXIT_UNKNOWN
                                : EXIT_YES;
}
