// SPDX-License-Identifier: Apache-2.0
#include "api/proving/merge_source.h"
#include "base/clock.h"

#include "api/proving/lines.h"
#include "base/text/sniff.h"
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

bool is_database(const char *path, bool *yes, struct err *err)
{
    static const char magic[16] = "SQLite format 3"; // with its NUL
    char head[sizeof magic];
    struct stat st;
    *yes = false;
    if (strcmp(path, "-") == 0)
        return true;
    bool there = stat(path, &st) == 0;
    if (there && S_ISDIR(st.st_mode))
        return err_at(err, ERR_IO, path, 0, 0,
                      "expected a database or lines of verdicts, found a folder");
    if (there && !S_ISREG(st.st_mode))
        return true;
    FILE *f = fopen(path, "rb");
    if (!f)
        return err_at(err, ERR_IO, path, 0, 0, "%s", strerror(errno));
    size_t n = fread(head, 1, sizeof head, f);
    bool ok = !ferror(f) || err_at(err, ERR_IO, path, 0, 0, "%s", strerror(errno));
    (void)fclose(f);
    *yes = n == sizeof magic && memcmp(head, magic, n) == 0;
    return ok;
}

static void bad(struct merge_source *source, uint64_t line, const struct err *why)
{
    source->bad++;
    if (source->quiet)
        return;
    if (line)
        context_note(source->context, "%s:%llu: %s", source->path, (unsigned long long)line,
                     why->msg);
    else
        context_note(source->context, "%s: %s", source->path, why->msg);
}

// ---- databases ----

const struct rule *stored_rule_read(const struct stored_rule *stored, struct ruleset *set,
                                    struct err *err)
{
    struct err why = {0};
    const struct rule *got =
        rule_of_text(stored->source, strlen(stored->source), stored->family, set, &why);
    if (!got)
        err_set(err, ERR_INPUT, "rule %.12s cannot be read: %s", stored->hash, why.msg);
    else if (strcmp(got->hash, stored->hash) != 0)
        err_set(err, ERR_INPUT, "rule %.12s: the text is of another rule", stored->hash);
    return err->kind == ERR_NONE ? got : NULL;
}

// All that stand for this rule; they come by hash.
static void names_of(const struct db_names *all, const char *hash, struct merge_rule *rule,
                     struct ruleset *set)
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
    struct merge_name *names = ARENA_NEW(&set->mem, struct merge_name, high - low + 1);
    for (uint32_t i = low; i < high; i++)
        names[i - low] = all->at.at[i].name;
    rule->names = names;
    rule->n_names = high - low;
}

static bool read_stored(struct merge_source *source, struct db *db,
                        const struct stored_rule *stored, const struct db_names *names,
                        struct err *err)
{
    struct ruleset set;
    struct report rep = {0};
    struct err why = {0};
    struct merge_run runs[N_DOMAINS] = {{0}};
    struct merge_rule rule = {.report = &rep, .runs = runs};
    ruleset_init(&set);
    rule.rule = stored_rule_read(stored, &set, &why);
    if (!rule.rule)
        bad(source, 0, &why);
    for (uint32_t i = 0; i < stored->verdicts.len; i++)
        source->stale += stored->verdicts.at[i].stale;
    names_of(names, stored->hash, &rule, &set);
    bool ok = !rule.rule || (db_report(db, stored->hash, &rep, runs, err) &&
                             source->rule(source->ctx, &rule, err));
    report_release(&rep);
    ruleset_release(&set);
    return ok;
}

static bool read_database(struct merge_source *source, struct err *err)
{
    struct db *db = NULL;
    struct db_filter filter;
    struct db_names names = {0};
    struct stored_rules found = {0};
    db_filter_init(&filter);
    filter.superseded = filter.unjudged = true;
    bool ok = db_open(&db, source->path, DB_READ, source->wait, err) &&
              db_find(db, &filter, &found, err) && db_names(db, &names, err);
    for (uint32_t i = 0; ok && i < found.rules.len; i++)
        ok = read_stored(source, db, &found.rules.at[i], &names, err);
    stored_rules_release(&found);
    db_names_release(&names);
    db_close(db);
    return ok;
}

// ---- lines ----

// The lines of one rule that follow each other: one rule to merge.
struct gathered {
    VEC(struct ruleset) sets;
    VEC(struct report) parts;
    const struct rule *rule; // of the first set; NULL: none
    unsigned domains;
};

static void gathered_clear(struct gathered *gathered)
{
    for (uint32_t i = 0; i < gathered->sets.len; i++)
        ruleset_release(&gathered->sets.at[i]);
    for (uint32_t i = 0; i < gathered->parts.len; i++)
        report_release(&gathered->parts.at[i]);
    vec_clear(&gathered->sets);
    vec_clear(&gathered->parts);
    gathered->rule = NULL;
    gathered->domains = 0;
}

// Hands over what was gathered.  Lines say nothing of when they were made: the
// run is the merge.
static bool hand_over(struct merge_source *source, struct gathered *gathered, const char *now,
                      struct err *err)
{
    struct merge_run runs[N_DOMAINS];
    struct report all = {0};
    if (!gathered->rule)
        return true;
    for (uint32_t i = 0; i < N_DOMAINS; i++)
        runs[i] = (struct merge_run){
            now, now, "prove --worker", VERIFIER_VERSION, SEMANTICS_VERSION, "z3"};
    for (uint32_t i = 0; i < gathered->parts.len; i++) {
        const struct report *part = &gathered->parts.at[i];
        if (part->domains.len)
            vec_push(&all.domains, part->domains.at[0]);
        for (uint32_t k = 0; k < part->remarks.len; k++)
            if (!report_remarks(&all, part->remarks.at[k]))
                vec_push(&all.remarks, part->remarks.at[k]);
    }
    struct merge_name name = {gathered->rule->family, gathered->rule->name};
    struct merge_rule rule = {gathered->rule, &all, 1, &name, runs};
    bool ok = source->rule(source->ctx, &rule, err);
    vec_release(&all.domains); // the obligations are the parts'
    vec_release(&all.remarks);
    gathered_clear(gathered);
    return ok;
}

static bool same_rule(const struct gathered *gathered, const struct rule *rule)
{
    return gathered->rule && strcmp(gathered->rule->hash, rule->hash) == 0 &&
           strcmp(gathered->rule->name, rule->name) == 0 &&
           strcmp(gathered->rule->family, rule->family) == 0;
}

static bool gather(struct merge_source *source, struct gathered *gathered, struct ruleset *set,
                   struct verdict_line *verdict, const char *now, struct err *err)
{
    unsigned domain = verdict->report.domains.len ? 1u << verdict->report.domains.at[0].domain : 0;
    bool ok = true;
    source->stale += verdict->stale;
    if (!same_rule(gathered, verdict->rule) || (gathered->domains & domain))
        ok = hand_over(source, gathered, now, err);
    if (!gathered->rule)
        gathered->rule = verdict->rule;
    gathered->domains |= domain;
    vec_push(&gathered->sets, *set);
    vec_push(&gathered->parts, verdict->report);
    return ok;
}

// A file that starts as a proof record has no line for a merge.
static bool is_record(const struct merge_source *source, const struct input_line *line,
                      struct err *err)
{
    const char *text = buf_text(&line->text);
    if (line->number > 1 || text_sniff(text, line->text.len) != TEXT_RECORD)
        return false;
    err_at(err, ERR_INPUT, source->path, 0, 0, "no line of a prover");
    sniff_explain(text, line->text.len, TEXT_VERDICTS, err);
    return true;
}

static bool read_line(struct merge_source *source, struct gathered *gathered,
                      const struct input_line *line, const char *now, struct err *err)
{
    struct ruleset set;
    struct verdict_line verdict;
    struct err why = {0};
    bool other = false;
    ruleset_init(&set);
    bool ok = line->fits || line_too_long(&why);
    ok = ok &&
         verdict_line_read(buf_text(&line->text), line->text.len, &set, &verdict, &other, &why);
    if (ok && !other)
        return gather(source, gathered, &set, &verdict, now, err);
    ruleset_release(&set);
    if (ok)
        source->failed++;
    else if (is_record(source, line, err))
        return false;
    else if (!line->ended)
        source->cut++;
    else
        bad(source, line->number, &why);
    return true;
}

static bool read_lines(struct merge_source *source, FILE *in, struct err *err)
{
    struct gathered gathered = {0};
    struct input_line line = {.number = 0};
    char now[32];
    bool ok = true;
    clock_utc(now);
    while (ok && line_next(in, &line, err))
        ok = line_is_empty(buf_text(&line.text), line.text.len) ||
             read_line(source, &gathered, &line, now, err);
    ok = ok && err->kind == ERR_NONE && hand_over(source, &gathered, now, err);
    gathered_clear(&gathered);
    vec_release(&gathered.sets);
    vec_release(&gathered.parts);
    buf_release(&line.text);
    return ok;
}

bool merge_source_read(struct merge_source *source, struct err *err)
{
    bool database = false;
    if (strcmp(source->path, "-") == 0)
        return read_lines(source, stdin, err);
    if (!is_database(source->path, &database, err))
        return false;
    if (database)
        return read_database(source, err);
    FILE *in = fopen(source->path, "rb");
    if (!in)
        return err_at(err, ERR_IO, source->path, 0, 0, "%s", strerror(errno));
    bool ok = read_lines(source, in, err);
    if (!ok && err->kind == ERR_IO && err->file[0] == '\0')
        err_in(err, source->path);
    (void)fclose(in);
    return ok;
}
