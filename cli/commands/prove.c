// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"
#include "cli/proving/worker.h"

struct prove_counts {
    uint32_t rules;
    uint32_t claimed[3]; // by verdict, of the claimed domains
    uint32_t other[3];   // of the domains that are not claimed
    uint32_t internal;   // verdicts that show a bug in rankwright
};

static void one_line(const struct rule *r, const struct stored_rule *s,
                     struct buf *out)
{
    buf_printf(out, "%s/%s: ", r->family, r->name);
    verdict_words(s, out);
    for (uint32_t i = 0; i < s->remarks.len; i++)
        buf_printf(out, "; %s", s->remarks.at[i]);
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < s->verdicts.len; i++) {
        const struct stored_verdict *v = &s->verdicts.at[i];
        if (!v->claimed || v->verdict == VERDICT_PROVED)
            continue;
        json_t *j =
            v->counterexample ? json_loads(v->counterexample, 0, NULL) : NULL;
        buf_printf(out, "    %s: %s\n", domain_text(v->domain),
                   j ? counterexample_text(j) : v->reason);
        json_decref(j);
    }
}

static bool report_rule(const struct command_line *c, struct db *db,
                        unsigned domains, const struct rule *r,
                        struct prove_counts *n, struct buf *out, struct err *e)
{
    struct db_filter f;
    struct stored_rules found = {0};
    db_filter_init(&f);
    f.name = r->hash;
    f.superseded = true;
    bool ok = db_find(db, &f, &found, e);
    for (uint32_t i = 0; ok && i < found.rules.len; i++) {
        const struct stored_rule *s = &found.rules.at[i];
        for (uint32_t k = 0; k < s->verdicts.len; k++) {
            const struct stored_verdict *v = &s->verdicts.at[k];
            if (!(domains >> v->domain & 1))
                continue;
            (v->claimed ? n->claimed : n->other)[v->verdict]++;
            n->internal += verdict_is_internal(v->reason);
            if (c->value[OPTION_json])
                json_line(verdict_object(r->name, s->hash, v), out);
        }
        if (!c->value[OPTION_json])
            one_line(r, s, out);
    }
    n->rules++;
    stored_rules_release(&found);
    db_filter_release(&f);
    return ok;
}

// Where rankwright contradicts itself nothing else is worth saying.  A claim
// that is refuted is a no; one that is not decided is a don't know.
static int status_of(const struct prove_counts *n)
{
    return n->internal                   ? EXIT_BUG
           : n->claimed[VERDICT_REFUTED] ? EXIT_NO
           : n->claimed[VERDICT_UNKNOWN] ? EXIT_UNKNOWN
                                         : EXIT_YES;
}

static bool report_all(const struct command_line *c, struct db *db,
                       const struct ruleset *s, const struct proving *p,
                       struct prove_counts *n, struct err *e)
{
    struct buf out = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->rules.len; i++)
        ok = report_rule(c, db, p->domains, s->rules.at[i], n, &out, e);
    ok = ok && print_all(&out, e);
    buf_release(&out);
    return ok;
}

static bool load_words(const struct command_line *c, struct ruleset *s,
                       struct err *e)
{
    struct buf path = {0};
    bool ok = true;
    for (uint32_t i = 0; i < c->words.len; i++) {
        struct err one = {0};
        if (load_rules(s, c->words.at[i], &one))
            continue;
        // Errors of several files are all printed; the last one is returned.
        if (!ok)
            report_error(e);
        *e = one;
        ok = false;
    }
    if (c->words.len == 0)
        ok = (library_path(&path) ||
              err_set(e, ERR_IO, "the rule library was not found")) &&
             load_rules(s, buf_text(&path), e);
    buf_release(&path);
    return ok;
}

static int list(struct command_line *c, const struct proving *p)
{
    struct err e = {0};
    struct ruleset s;
    ruleset_init(&s);
    bool ok = load_words(c, &s, &e) && list_candidates(c, &s, p, &e);
    ruleset_release(&s);
    return ok ? EXIT_YES : report_error(&e);
}

static int prove(struct command_line *c, const struct proving *p)
{
    struct err e = {0};
    struct db *db = NULL;
    struct ruleset s;
    struct prove_counts n = {0};
    struct proving_stats stats = {0};
    bool interrupted = false;
    ruleset_init(&s);
    bool ok = load_words(c, &s, &e) && open_database(c, DB_WRITE, &db, &e) &&
              prove_into(db, &s, p, false, &interrupted, &stats, &e) &&
              report_all(c, db, &s, p, &n, &e);
    db_close(db);
    ruleset_release(&s);
    if (!ok)
        return report_error(&e);
    if (c->value[OPTION_stats])
        note("%u rules proved in %.1f s by %u workers, %u replaced; peak_kib "
             "%llu",
             stats.proved, stats.seconds, p->jobs, stats.replaced,
             (unsigned long long)stats.peak_kib);
    note("%u rules: %u claims proved, %u refuted, %u unknown%s", n.rules,
         n.claimed[VERDICT_PROVED], n.claimed[VERDICT_REFUTED],
         n.claimed[VERDICT_UNKNOWN], interrupted ? "; interrupted" : "");
    if (n.internal)
        note("%u verdicts contradict each other: a bug, or a solver's error",
             n.internal);
    return interrupted ? EXIT_UNKNOWN : status_of(&n);
}

int cmd_prove(struct command_line *c)
{
    struct err e = {0};
    struct proving p = {0};
    bool worker = c->value[OPTION_worker] != NULL;
    bool lists = c->value[OPTION_list] != NULL;
    bool ok = proving_options(c, &p, &e);
    if (ok && worker && lists)
        ok = option_refuse(OPTION_list, "and --worker are two things", &e);
    if (ok && !worker && c->value[OPTION_no_times])
        ok = option_refuse(OPTION_no_times, "is for --worker", &e);
    return !ok      ? report_error(&e)
           : worker ? prove_worker(c, &p)
           : lists  ? list(c, &p)
                    : prove(c, &p);
}
