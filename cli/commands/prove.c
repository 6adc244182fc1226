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

static void one_line(const struct rule *rule, const struct stored_rule *stored, struct buf *out)
{
    buf_printf(out, "%s/%s: ", rule->family, rule->name);
    verdict_words(stored, out);
    for (uint32_t i = 0; i < stored->remarks.len; i++)
        buf_printf(out, "; %s", stored->remarks.at[i]);
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        const struct stored_verdict *verdict = &stored->verdicts.at[i];
        if (!verdict->claimed || verdict->verdict == VERDICT_PROVED)
            continue;
        json_t *j = verdict->counterexample ? json_loads(verdict->counterexample, 0, NULL) : NULL;
        buf_printf(out, "    %s: %s\n", domain_text(verdict->domain),
                   j ? counterexample_text(j) : verdict->reason);
        json_decref(j);
    }
}

static bool report_rule(const struct command_line *command, struct db *db, unsigned domains,
                        const struct rule *rule, struct prove_counts *counts, struct buf *out,
                        struct err *err)
{
    struct db_filter filter;
    struct stored_rules found = {0};
    db_filter_init(&filter);
    filter.name = rule->hash;
    filter.superseded = true;
    bool ok = db_find(db, &filter, &found, err);
    for (uint32_t i = 0; ok && i < found.rules.len; i++) {
        const struct stored_rule *stored = &found.rules.at[i];
        for (uint32_t k = 0; k < stored->verdicts.len; k++) {
            const struct stored_verdict *verdict = &stored->verdicts.at[k];
            if (!(domains >> verdict->domain & 1))
                continue;
            (verdict->claimed ? counts->claimed : counts->other)[verdict->verdict]++;
            counts->internal += verdict_is_internal(verdict->reason);
            if (command->value[OPTION_json])
                json_line(verdict_object(rule->name, stored->hash, verdict), out);
        }
        if (!command->value[OPTION_json])
            one_line(rule, stored, out);
    }
    counts->rules++;
    stored_rules_release(&found);
    db_filter_release(&filter);
    return ok;
}

// Where rankwright contradicts itself nothing else is worth saying.  A claim
// that is refuted is a no; one that is not decided is a don't know.
static int status_of(const struct prove_counts *counts)
{
    return counts->internal                   ? EXIT_BUG
           : counts->claimed[VERDICT_REFUTED] ? EXIT_NO
           : counts->claimed[VERDICT_UNKNOWN] ? EXIT_UNKNOWN
                                              : EXIT_YES;
}

static bool report_all(const struct command_line *command, struct db *db, const struct ruleset *set,
                       const struct proving *proving, struct prove_counts *counts, struct err *err)
{
    struct buf out = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < set->rules.len; i++)
        ok = report_rule(command, db, proving->domains, set->rules.at[i], counts, &out, err);
    ok = ok && print_all(&out, err);
    buf_release(&out);
    return ok;
}

static bool load_words(const struct command_line *command, struct ruleset *set, struct err *err)
{
    struct buf path = {0};
    bool ok = true;
    for (uint32_t i = 0; i < command->words.len; i++) {
        struct err one = {0};
        if (load_rules(set, command->words.at[i], &one))
            continue;
        // Errors of several files are all printed; the last one is returned.
        if (!ok)
            report_error(err);
        *err = one;
        ok = false;
    }
    if (command->words.len == 0)
        ok = (library_path(&path) || err_set(err, ERR_IO, "the rule library was not found")) &&
             load_rules(set, buf_text(&path), err);
    buf_release(&path);
    return ok;
}

static int list(struct command_line *command, const struct proving *proving)
{
    struct err err = {0};
    struct ruleset set;
    ruleset_init(&set);
    bool ok = load_words(command, &set, &err) && list_candidates(command, &set, proving, &err);
    ruleset_release(&set);
    return ok ? EXIT_YES : report_error(&err);
}

static int prove(struct command_line *command, const struct proving *proving)
{
    struct err err = {0};
    struct db *db = NULL;
    struct ruleset set;
    struct prove_counts counts = {0};
    struct proving_stats stats = {0};
    bool interrupted = false;
    ruleset_init(&set);
    bool ok = load_words(command, &set, &err) && open_database(command, DB_WRITE, &db, &err) &&
              prove_into(db, &set, proving, false, &interrupted, &stats, &err) &&
              report_all(command, db, &set, proving, &counts, &err);
    db_close(db);
    ruleset_release(&set);
    if (!ok)
        return report_error(&err);
    if (command->value[OPTION_stats])
        note("%u rules proved in %.1f s by %u workers, %u replaced; peak_kib "
             "%llu",
             stats.proved, stats.seconds, proving->jobs, stats.replaced,
             (unsigned long long)stats.peak_kib);
    note("%u rules: %u claims proved, %u refuted, %u unknown%s", counts.rules,
         counts.claimed[VERDICT_PROVED], counts.claimed[VERDICT_REFUTED],
         counts.claimed[VERDICT_UNKNOWN], interrupted ? "; interrupted" : "");
    if (counts.internal)
        note("%u verdicts contradict each other: a bug, or a solver's error", counts.internal);
    return interrupted ? EXIT_UNKNOWN : status_of(&counts);
}

int cmd_prove(struct command_line *command)
{
    struct err err = {0};
    struct proving proving = {0};
    bool worker = command->value[OPTION_worker] != NULL;
    bool lists = command->value[OPTION_list] != NULL;
    bool ok = proving_options(command, &proving, &err);
    if (ok && worker && lists)
        ok = option_refuse(OPTION_list, "and --worker are two things", &err);
    if (ok && !worker && command->value[OPTION_no_times])
        ok = option_refuse(OPTION_no_times, "is for --worker", &err);
    return !ok      ? report_error(&err)
           : worker ? prove_worker(command, &proving)
           : lists  ? list(command, &proving)
                    : prove(command, &proving);
}
