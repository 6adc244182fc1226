// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/merge_source.h"

#include "cli/cli.h"
#include "cli/proving/lines.h"
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

bool is_database(const char *path, bool *yes, struct err *e)
{
    static const char magic[16] = "SQLite format 3"; // with its NUL
    char head[sizeof magic];
    struct stat st;
    *yes = false;
    if (strcmp(path, "-") == 0 ||
        (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return true;
    FILE *f = fopen(path, "rb");
    if (!f)
        return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    size_t n = fread(head, 1, sizeof head, f);
    bool ok = !ferror(f) || err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    (void)fclose(f);
    *yes = n == sizeof magic && memcmp(head, magic, n) == 0;
    return ok;
}

static void bad(struct merge_source *s, uint64_t line, const struct err *why)
{
    s->bad++;
    if (s->quiet)
        return;
    if (line)
        note("%s:%llu: %s", s->path, (unsigned long long)line, why->msg);
    else
        note("%s: %s", s->path, why->msg);
}

// ---- databases ----

const struct rule *stored_rule_read(const struct stored_rule *r,
                                    struct ruleset *set, struct err *e)
{
    struct err why = {0};
    const struct rule *got =
        rule_of_text(r->source, strlen(r->source), r->family, set, &why);
    if (!got)
        err_set(e, ERR_INPUT, "rule %.12s cannot be read: %s", r->hash,
                why.msg);
    else if (strcmp(got->hash, r->hash) != 0)
        err_set(e, ERR_INPUT, "rule %.12s: the text is of another rule",
                r->hash);
    return e->kind == ERR_NONE ? got : NULL;
}

// All that stand for this rule; they come by hash.
static void names_of(const struct db_names *all, const char *hash,
                     struct merge_rule *m, struct ruleset *set)
{
    uint32_t low = 0, high = all->at.len;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (strcmp(all->at.at[mid].hash, hash) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (high = low; high < all->at.len; high++)
        if (strcmp(all->at.at[high].hash, hash) != 0)
            break;
    const char **names = ARENA_NEW(&set->mem, const char *, high - low + 1);
    for (uint32_t i = low; i < high; i++)
        names[i - low] = all->at.at[i].name;
    m->names = names;
    m->n_names = high - low;
}

static bool read_stored(struct merge_source *s, struct db *db,
                        const struct stored_rule *r,
                        const struct db_names *names, struct err *e)
{
    struct ruleset set;
    struct report rep = {0};
    struct err why = {0};
    struct merge_run runs[N_DOMAINS] = {{0}};
    struct merge_rule m = {.report = &rep, .runs = runs};
    ruleset_init(&set);
    m.rule = stored_rule_read(r, &set, &why);
    if (!m.rule)
        bad(s, 0, &why);
    for (uint32_t i = 0; i < r->verdicts.len; i++)
        s->stale += r->verdicts.at[i].stale;
    names_of(names, r->hash, &m, &set);
    bool ok = !m.rule ||
              (db_report(db, r->hash, &rep, runs, e) && s->rule(s->ctx, &m, e));
    report_release(&rep);
    ruleset_release(&set);
    return ok;
}

static bool read_database(struct merge_source *s, struct err *e)
{
    struct db *db = NULL;
    struct db_filter f;
    struct db_names names = {0};
    struct stored_rules found = {0};
    db_filter_init(&f);
    f.superseded = true;
    bool ok = db_open(&db, s->path, DB_READ, s->wait, e) &&
              db_find(db, &f, &found, e) && db_names(db, &names, e);
    for (uint32_t i = 0; ok && i < found.rules.len; i++)
        ok = read_stored(s, db, &found.rules.at[i], &names, e);
    stored_rules_release(&found);
    db_names_release(&names);
    db_close(db);
    return ok;
}

// ---- lines ----

// The lines of one rule that follow each other: one rule to merge.
struct gathered_verdicts {
    VEC(struct ruleset) sets;
    VEC(struct report) parts;
    const struct rule *rule; // of the first set; NULL: none
    unsigned domains;
};

static void gathered_clear(struct gathered_verdicts *g)
{
    for (uint32_t i = 0; i < g->sets.len; i++)
        ruleset_release(&g->sets.at[i]);
    for (uint32_t i = 0; i < g->parts.len; i++)
        report_release(&g->parts.at[i]);
    vec_clear(&g->sets);
    vec_clear(&g->parts);
    g->rule = NULL;
    g->domains = 0;
}

// Hands over what was gathered.  Lines say nothing of when they were made: the
// run is the merge.
static bool hand_over(struct merge_source *s, struct gathered_verdicts *g,
                      const char *now, struct err *e)
{
    struct merge_run runs[N_DOMAINS];
    struct report all = {0};
    if (!g->rule)
        return true;
    for (uint32_t i = 0; i < N_DOMAINS; i++)
        runs[i] = (struct merge_run){
            now, now, "prove --worker", VERIFIER_VERSION, SEMANTICS_VERSION,
            "z3"};
    for (uint32_t i = 0; i < g->parts.len; i++) {
        const struct report *part = &g->parts.at[i];
        if (part->domains.len)
            vec_push(&all.domains, part->domains.at[0]);
        for (uint32_t k = 0; k < part->remarks.len; k++)
            if (!report_remarks(&all, part->remarks.at[k]))
                vec_push(&all.remarks, part->remarks.at[k]);
    }
    struct merge_rule m = {g->rule, &all, 1, &g->rule->name, runs};
    bool ok = s->rule(s->ctx, &m, e);
    vec_release(&all.domains); // the obligations are the parts'
    vec_release(&all.remarks);
    gathered_clear(g);
    return ok;
}

static bool same_rule(const struct gathered_verdicts *g, const struct rule *r)
{
    return g->rule && strcmp(g->rule->hash, r->hash) == 0 &&
           strcmp(g->rule->name, r->name) == 0 &&
           strcmp(g->rule->family, r->family) == 0;
}

static bool gather(struct merge_source *s, struct gathered_verdicts *g,
                   struct ruleset *set, struct verdict_line *v, const char *now,
                   struct err *e)
{
    unsigned domain =
        v->report.domains.len ? 1u << v->report.domains.at[0].domain : 0;
    bool ok = true;
    s->stale += v->stale;
    if (!same_rule(g, v->rule) || (g->domains & domain))
        ok = hand_over(s, g, now, e);
    if (!g->rule)
        g->rule = v->rule;
    g->domains |= domain;
    vec_push(&g->sets, *set);
    vec_push(&g->parts, v->report);
    return ok;
}

static bool read_line(struct merge_source *s, struct gathered_verdicts *g,
                      const struct buf *line, uint64_t number, bool ended,
                      bool fits, const char *now, struct err *e)
{
    struct ruleset set;
    struct verdict_line v;
    struct err why = {0};
    bool other = false;
    ruleset_init(&set);
    bool ok = fits || err_set(&why, ERR_INPUT,
                              "the line is longer than %zu "
                              "bytes",
                              LIMIT_LINE);
    ok = ok &&
         verdict_line_read(buf_text(line), line->len, &set, &v, &other, &why);
    if (ok && !other)
        return gather(s, g, &set, &v, now, e);
    ruleset_release(&set);
    if (ok)
        s->failed++;
    else if (!ended)
        s->cut++;
    else
        bad(s, number, &why);
    return true;
}

static bool read_lines(struct merge_source *s, FILE *in, struct err *e)
{
    struct gathered_verdicts g = {0};
    struct buf line = {0};
    char now[32];
    time_t t = time(NULL);
    struct tm utc;
    bool ok = gmtime_r(&t, &utc) != NULL &&
              strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0;
    bool ended, fits;
    for (uint64_t number = 1; ok && line_next(in, &line, &ended, &fits, e);
         number++)
        ok = line_is_empty(buf_text(&line), line.len) ||
             read_line(s, &g, &line, number, ended, fits, now, e);
    ok = ok && e->kind == ERR_NONE && hand_over(s, &g, now, e);
    gathered_clear(&g);
    vec_release(&g.sets);
    vec_release(&g.parts);
    buf_release(&line);
    return ok;
}

bool merge_source_read(struct merge_source *s, struct err *e)
{
    bool database = false;
    if (strcmp(s->path, "-") == 0)
        return read_lines(s, stdin, e);
    if (!is_database(s->path, &database, e))
        return false;
    if (database)
        return read_database(s, e);
    FILE *in = fopen(s->path, "rb");
    if (!in)
        return err_set(e, ERR_IO, "%s: %s", s->path, strerror(errno));
    bool ok = read_lines(s, in, e);
    (void)fclose(in);
    return ok;
}
