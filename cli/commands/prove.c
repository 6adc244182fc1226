// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"
#include "cli/library.h"
#include "cli/verdict_text.h"
#include "cli/commands/prove_worker.h"

struct prove_counts {
    uint32_t rules;
    uint32_t claimed[3]; // by decision, of the claimed domains
    uint32_t internal;   // verdicts that show a bug in rankwright
    uint32_t earlier;    // claims that were to be proved again, and were not
    uint32_t judged;     // rules with a verdict
    bool interrupted;
};

// Why a claim is not proved; NULL of other verdicts.
static const char *why_not(const struct rw_rule *rule, size_t i)
{
    const struct rw_verdict *verdict = rule->verdicts[i];
    if (!verdict->claimed || verdict->decision == RW_PROVED)
        return NULL;
    return verdict->counterexample ? verdict->counterexample_text : verdict->reason;
}

// One text of several domains is printed once, at the first of them.
static void put_reason(const struct rw_rule *rule, size_t i, struct buf *out)
{
    const char *text = why_not(rule, i);
    for (size_t k = 0; k < i; k++)
        if (why_not(rule, k) != NULL && strcmp(why_not(rule, k), text) == 0)
            return;
    for (size_t k = i; k < rule->n_verdicts; k++)
        if (why_not(rule, k) != NULL && strcmp(why_not(rule, k), text) == 0)
            buf_printf(out, "%s%s", k == i ? "    " : ", ",
                       rw_domain_name(rule->verdicts[k]->domain));
    buf_printf(out, ": %s\n", text);
}

static bool one_line(const struct command_line *command, const struct rw_rule *rule,
                     struct rw_rules *rules, bool interrupted, struct buf *out, struct err *err)
{
    buf_printf(out, "%s/%s: ", rule->family, rule->name);
    if (rule->n_verdicts == 0 && !interrupted)
        buf_puts(out, "about none of these domains");
    else
        verdict_words(rule, out);
    for (size_t i = 0; i < rule->n_remarks; i++)
        buf_printf(out, "; %s", rule->remarks[i]);
    if (*rule->same_as)
        buf_printf(out, "; same as library rule %s", rule->same_as);
    buf_putc(out, '\n');
    for (size_t i = 0; i < rule->n_verdicts; i++)
        if (why_not(rule, i) != NULL)
            put_reason(rule, i, out);
    not_claimed_line(rule, "    ", out);
    if (command->value[OPTION_verbose])
        return not_judged_lines(rule, "    ", out, err);
    narrowed_lines(rule, rules, command->value[OPTION_domain], "    ", out);
    return true;
}

static char *verdict_json(const struct command_line *command, const struct rw_rule *rule,
                          struct rw_verdict verdict)
{
    if (command->value[OPTION_no_times])
        verdict.seconds = 0;
    return rw_verdict_json(rule, &verdict);
}

static bool report_rule(const struct command_line *command, const struct rw_rule *rule,
                        struct rw_rules *rules, struct prove_counts *counts, struct buf *out,
                        struct err *err)
{
    counts->judged += rule->n_verdicts > 0;
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        counts->claimed[verdict->decision] += verdict->claimed;
        counts->internal += verdict->contradiction;
        counts->earlier += verdict->claimed && verdict->earlier;
        if (command->value[OPTION_json])
            put_line(verdict_json(command, rule, *verdict), out);
    }
    return command->value[OPTION_json] ||
           one_line(command, rule, rules, counts->interrupted, out, err);
}

// A contradiction of rankwright with itself outweighs all other outcomes.  A
// refuted claim outweighs an undecided one.  Where nothing was judged, nothing is decided.
static int status_of(const struct prove_counts *counts)
{
    return counts->internal                                 ? EXIT_BUG
           : counts->claimed[RW_REFUTED]                    ? EXIT_NO
           : counts->claimed[RW_UNKNOWN] || counts->earlier ? EXIT_UNKNOWN
           : counts->judged == 0                            ? EXIT_UNKNOWN
                                                            : EXIT_YES;
}

static bool report_all(const struct command_line *command, const struct rw_report *report,
                       struct rw_rules *rules, struct prove_counts *counts, struct err *err)
{
    struct buf out = {0};
    bool ok = true;
    for (size_t i = 0; i < rw_report_count(report) && ok; i++)
        ok = report_rule(command, rw_report_rule(report, i), rules, counts, &out, err);
    ok = ok && print_all(&out, err);
    buf_release(&out);
    return ok;
}

static bool load_words(const struct command_line *command, struct rw_rules *rules, struct err *err)
{
    struct buf path = {0};
    bool ok = true;
    for (uint32_t i = 0; i < command->words.len; i++) {
        struct err one = {0};
        if (load_rules(rules, command->words.at[i], &one))
            continue;
        // Errors of several files are all printed; the last one is returned.
        if (!ok)
            report_error(err);
        *err = one;
        ok = false;
    }
    if (command->words.len == 0)
        ok = find_library(&path, err) && load_rules(rules, buf_text(&path), err);
    buf_release(&path);
    return ok;
}

static void note_stats(const struct command_line *command, unsigned workers,
                       const struct rw_proving *run, const struct prove_counts *counts)
{
    if (command->value[OPTION_stats])
        tell("%u rules proved in %.1f s by %u workers, %u replaced; peak_kib "
             "%llu",
             run->proved, run->seconds, workers, run->replaced, (unsigned long long)run->peak_kib);
    note("%u rules: %u claims proved, %u refuted, %u unknown%s", counts->rules,
         counts->claimed[RW_PROVED], counts->claimed[RW_REFUTED], counts->claimed[RW_UNKNOWN],
         run->interrupted ? "; interrupted" : "");
    if (counts->earlier)
        note("%u claims keep the verdict of an earlier proof: this one found no answer",
             counts->earlier);
    if (counts->internal)
        note("%u verdicts contradict each other: a bug, or a solver's error", counts->internal);
}

static int prove(struct command_line *command, struct rw_context *context,
                 const struct rw_prove_options *options, struct rw_rules *rules)
{
    struct err err = {0};
    struct rw_error error;
    struct rw_database *database = NULL;
    struct prove_counts counts = {0};
    struct rw_report *report = NULL;
    bool ok = load_words(command, rules, &err) &&
              open_database(command, context, RW_WRITE, &database, &err);
    if (ok) {
        report = rw_prove(rules, database, options, &error);
        counts.interrupted = report != NULL && rw_report_proving(report)->interrupted;
        ok = report ? report_all(command, report, rules, &counts, &err) : door_failed(&error, &err);
    }
    rw_database_close(database);
    int status = ok ? EXIT_YES : report_error(&err);
    if (ok) {
        const struct rw_proving *run = rw_report_proving(report);
        counts.rules = (uint32_t)rw_rules_count(rules);
        note_stats(command, run->workers, run, &counts);
        status = run->interrupted ? EXIT_UNKNOWN : status_of(&counts); // main knows the signal
    }
    rw_report_free(report);
    return status;
}

static int list(struct command_line *command, struct rw_context *context,
                const struct rw_prove_options *options, struct rw_rules *rules)
{
    struct err err = {0};
    bool ok =
        load_words(command, rules, &err) && list_candidates(command, context, rules, options, &err);
    return ok ? EXIT_YES : report_error(&err);
}

int cmd_prove(struct command_line *command)
{
    struct err err = {0};
    struct rw_prove_options options;
    bool worker = command->value[OPTION_worker] != NULL;
    bool lists = command->value[OPTION_list] != NULL;
    struct rw_context *context = door_open();
    struct rw_rules *rules = rw_rules_new(context);
    bool ok = proving_options(command, context, &options, &err);
    if (ok && worker && lists)
        ok = option_refuse(OPTION_list, "cannot be combined with --worker", &err);
    int status = !ok      ? report_error(&err)
                 : worker ? prove_worker(command, context, &options)
                 : lists  ? list(command, context, &options, rules)
                          : prove(command, context, &options, rules);
    rw_rules_free(rules);
    rw_context_free(context);
    return status;
}
