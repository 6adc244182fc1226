// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"
#include "cli/verdict_text.h"

#include "api/text.h"
#include <jansson.h>
#include <stdlib.h>

static bool put_meaning(const struct rw_rule *rule, struct buf *out, struct err *err)
{
    struct rw_error error;
    char *text = rw_rule_meaning(rule, &error);
    if (text == NULL)
        return door_failed(&error, err);
    buf_puts(out, "\nMeaning (i_x is the index along the axes of x)\n");
    text_indent(text, out);
    rw_free(text);
    return true;
}

static bool put_smt2(const struct rw_rule *rule, struct buf *out, struct err *err)
{
    struct rw_error error;
    char *text = rw_rule_smt2(rule, &error);
    if (text == NULL)
        return door_failed(&error, err);
    buf_puts(out, text);
    rw_free(text);
    return true;
}

static void print_verdict(const struct rw_verdict *verdict, struct buf *out)
{
    bool proved = verdict->decision == RW_PROVED;
    buf_printf(out, "  %s: ", rw_domain_name(verdict->domain));
    decision_word(verdict->decision, out);
    if (proved)
        buf_printf(out, " (%s)", verdict->rung);
    if (!proved && verdict->grade_text[0])
        buf_printf(out, " (%s)", verdict->grade_text);
    if (verdict->decision == RW_UNKNOWN || verdict->reason[0])
        buf_printf(out, ", %s", verdict->reason);
    buf_printf(out, "%s%s; %lld instances, %lld obligations, %.3f s%s%s\n",
               verdict->claimed ? "" : " [not claimed]",
               verdict->stale ? " [stale: another verifier or semantics]" : "",
               (long long)verdict->instances, (long long)verdict->obligation_count,
               verdict->seconds, verdict->solver[0] ? ", " : "", verdict->solver);
    if (verdict->counterexample)
        counterexample_lines(verdict, out);
}

// The bound of the first proof with a bound; all domains have the same bound.
static void print_bound(const struct rw_rule *rule, struct buf *out)
{
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        if (verdict->decision != RW_PROVED || !verdict->bound_text[0])
            continue;
        json_t *bound = json_loads(verdict->bound, 0, NULL), *rank;
        const char *name;
        if (json_object_size(bound) == 0) { // no instances were needed
            buf_printf(out, "\nAll ranks at once (%s)\n", verdict->method);
        } else {
            buf_printf(out, "\nAll ranks follow from ranks up to (%s)\n   ", verdict->method);
            json_object_foreach(bound, name, rank)
                buf_printf(out, " %s: %lld", name, (long long)json_integer_value(rank));
            buf_putc(out, '\n');
        }
        text_indent(verdict->bound_text, out);
        json_decref(bound);
        return;
    }
}

static bool same_obligations(const struct rw_verdict *a, const struct rw_verdict *b)
{
    bool same = a->n_obligations == b->n_obligations;
    for (size_t i = 0; same && i < a->n_obligations; i++) {
        const struct rw_obligation *obligation = a->obligations[i];
        const struct rw_obligation *y = b->obligations[i];
        same = strcmp(obligation->kind, y->kind) == 0 && obligation->decision == y->decision &&
               strcmp(obligation->ranks, y->ranks) == 0 &&
               strcmp(obligation->detail, y->detail) == 0 &&
               strcmp(obligation->reason, y->reason) == 0;
    }
    return same;
}

static void print_obligation(const struct rw_obligation *one, struct buf *out)
{
    buf_printf(out, "  %-9s %-8s %6.1f ms  %s%s%s%s%s%s\n", one->kind,
               rw_decision_name(one->decision), one->seconds * 1e3, one->ranks[0] ? "at " : "",
               one->ranks, one->detail[0] && one->ranks[0] ? "  " : "", one->detail,
               one->reason[0] ? ": " : "", one->reason);
}

// Domains with the same obligations (a proof for all of them) share a list.
static void print_obligations(const struct rw_rule *rule, struct buf *out)
{
    uint64_t printed = 0;
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        if ((printed >> i & 1) || verdict->n_obligations == 0)
            continue;
        buf_printf(out, "\nObligations in %s", rw_domain_name(verdict->domain));
        for (size_t k = i + 1; k < rule->n_verdicts; k++)
            if (same_obligations(verdict, rule->verdicts[k])) {
                printed |= UINT64_C(1) << k;
                buf_printf(out, ", %s", rw_domain_name(rule->verdicts[k]->domain));
            }
        buf_putc(out, '\n');
        for (size_t k = 0; k < verdict->n_obligations; k++)
            print_obligation(verdict->obligations[k], out);
    }
}

static bool print_rule(const struct rw_rule *rule, struct buf *out, struct err *err)
{
    buf_printf(out, "Rule %s (%s)\n", rule->name, rule->family);
    buf_printf(out, "Hash %s%s\n", rule->hash,
               rule->current ? "" : " (superseded: the name has a newer text)");
    if (strcmp(rule->layer, "library") == 0)
        buf_puts(out, "Of the rule library\n");
    if (rule->doc[0])
        buf_printf(out, "%s\n", rule->doc);
    buf_puts(out, "\nStatement\n");
    text_indent(rule->source, out);
    if (!put_meaning(rule, out, err))
        return false;
    buf_puts(out, "\nVerdicts\n");
    for (size_t i = 0; i < rule->n_verdicts; i++)
        print_verdict(rule->verdicts[i], out);
    if (rule->n_verdicts == 0)
        buf_puts(out, "  never proved\n");
    if (!not_judged_lines(rule, "  ", out, err))
        return false;
    for (size_t i = 0; i < rule->n_remarks; i++)
        buf_printf(out, "  remark: %s\n", rule->remarks[i]);
    print_bound(rule, out);
    print_obligations(rule, out);
    buf_printf(out, "\nUses in stored proof records: %lld\n", (long long)rule->uses);
    return true;
}

static bool show(struct command_line *command, struct rw_database *database, struct buf *out,
                 struct err *err)
{
    struct rw_error error;
    struct rw_report *report = rw_query_rule(database, command->words.at[0], &error);
    if (report == NULL)
        return door_failed(&error, err);
    const struct rw_rule *rule = rw_report_rule(report, 0);
    bool ok = true;
    if (command->value[OPTION_smt2])
        ok = put_smt2(rule, out, err);
    else if (command->value[OPTION_json])
        put_line(rw_rule_json(rule, true), out);
    else
        ok = print_rule(rule, out, err);
    rw_report_free(report);
    return ok;
}

int cmd_show(struct command_line *command)
{
    struct err err = {0};
    struct buf out = {0};
    struct rw_database *database = NULL;
    struct rw_context *context = door_open();
    bool ok =
        command->words.len == 1 || err_set(&err, ERR_USAGE, "show: expected one rule name or hash");
    if (ok && command->value[OPTION_smt2] && command->value[OPTION_json])
        ok = err_set(&err, ERR_USAGE, "show: --smt2 is no JSON");
    ok = ok && open_database(command, context, RW_READ, &database, &err) &&
         show(command, database, &out, &err) && print_all(&out, &err);
    rw_database_close(database);
    rw_context_free(context);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&err);
}
