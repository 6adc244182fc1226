// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/proving/rule_json.h"

#include "rules/describe/describe.h"
#include "verify/prove.h"
#include <stdlib.h>

static void print_meaning(const struct rule *rule, struct buf *out)
{
    struct buf text = {0};
    rule_meaning(rule, &text);
    buf_puts(out, "\nMeaning (i_x is the index along the axes of x)\n");
    print_indented(buf_text(&text), out);
    buf_release(&text);
}

static void print_smt2(const struct rule *rule, struct buf *out)
{
    struct report rep = {0};
    struct prove_options options = {.no_search = true, .smt2 = out};
    (void)prove_rule(rule, &options, &rep);
    report_release(&rep);
}

static void print_arrays(const json_t *object, const char *title, struct buf *out)
{
    const char *key;
    json_t *json;
    json_object_foreach((json_t *)json_object_get(object, title), key, json)
    {
        char *text =
            json_dumps(json_object_get(json, "data") ? json_object_get(json, "data") : json,
                       JSON_COMPACT | JSON_ENCODE_ANY);
        const char *type = json_string_value(json_object_get(json, "type"));
        buf_printf(out, "      %s = %s%s%s\n", key, text ? text : "", type ? " : " : "",
                   type ? type : "");
        free(text);
    }
}

static void print_counterexample(const struct stored_verdict *verdict, struct buf *out)
{
    json_t *j = json_loads(verdict->counterexample, 0, NULL);
    buf_printf(out, "    counterexample: %s\n", counterexample_text(j));
    print_arrays(j, "ranks", out);
    print_arrays(j, "maps", out);
    print_arrays(j, "types", out);
    print_arrays(j, "tensors", out);
    print_arrays(j, "scalars", out);
    json_decref(j);
}

static void print_verdict(const struct stored_verdict *verdict, struct buf *out)
{
    enum grade grade;
    buf_printf(out, "  %s: %s", domain_text(verdict->domain), verdict_text(verdict->verdict));
    if (verdict->verdict == VERDICT_PROVED)
        buf_printf(out, " (%s)", verdict->rung);
    if (verdict->verdict != VERDICT_PROVED && grade_by_name(verdict->grade, &grade) &&
        grade != GRADE_NONE)
        buf_printf(out, " (%s)", grade_text(grade));
    if (verdict->verdict == VERDICT_UNKNOWN || verdict->reason[0])
        buf_printf(out, ", %s", verdict->reason);
    buf_printf(out, "%s%s; %lld instances, %lld obligations, %.3f s%s%s\n",
               verdict->claimed ? "" : " [not claimed]",
               verdict->stale ? " [stale: another verifier or semantics]" : "",
               (long long)verdict->instances, (long long)verdict->obligations, verdict->seconds,
               verdict->solver[0] ? ", " : "", verdict->solver);
    if (verdict->counterexample)
        print_counterexample(verdict, out);
}

// The bound of the first proof that has one; it is the same in all domains.
static void print_bound(const struct stored_rule *stored, struct buf *out)
{
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        const struct stored_verdict *verdict = &stored->verdicts.at[i];
        if (verdict->verdict != VERDICT_PROVED || !verdict->bound_why[0])
            continue;
        json_t *bound = json_loads(verdict->bound, 0, NULL), *rank;
        const char *cls;
        if (json_object_size(bound) == 0) { // no instances were needed
            buf_printf(out, "\nAll ranks at once (%s)\n", verdict->method);
        } else {
            buf_printf(out, "\nAll ranks follow from ranks up to (%s)\n   ", verdict->method);
            json_object_foreach(bound, cls, rank)
                buf_printf(out, " %s: %lld", cls, (long long)json_integer_value(rank));
            buf_putc(out, '\n');
        }
        print_indented(verdict->bound_why, out);
        json_decref(bound);
        return;
    }
}

static bool same_obligations(const struct domain_report *a, const struct domain_report *b)
{
    bool same = a->obligations.len == b->obligations.len;
    for (uint32_t i = 0; same && i < a->obligations.len; i++) {
        const struct obligation *obligation = &a->obligations.at[i];
        const struct obligation *y = &b->obligations.at[i];
        same = obligation->kind == y->kind && obligation->verdict == y->verdict &&
               strcmp(obligation->ranks, y->ranks) == 0 &&
               strcmp(obligation->detail, y->detail) == 0 &&
               strcmp(obligation->reason, y->reason) == 0;
    }
    return same;
}

static void print_obligation(const struct obligation *obligation, struct buf *out)
{
    buf_printf(out, "  %-9s %-8s %6.1f ms  %s%s%s%s%s%s\n", obligation_kind_text(obligation->kind),
               verdict_text(obligation->verdict), obligation->seconds * 1e3,
               obligation->ranks[0] ? "at " : "", obligation->ranks,
               obligation->detail[0] && obligation->ranks[0] ? "  " : "", obligation->detail,
               obligation->reason[0] ? ": " : "", obligation->reason);
}

// Domains with the same obligations (a proof for all of them) share a list.
static void print_obligations(const struct report *rep, struct buf *out)
{
    uint64_t printed = 0;
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        const struct domain_report *report = &rep->domains.at[i];
        if ((printed >> i & 1) || report->obligations.len == 0)
            continue;
        buf_printf(out, "\nObligations in %s", domain_text(report->domain));
        for (uint32_t k = i + 1; k < rep->domains.len; k++)
            if (same_obligations(report, &rep->domains.at[k])) {
                printed |= UINT64_C(1) << k;
                buf_printf(out, ", %s", domain_text(rep->domains.at[k].domain));
            }
        buf_putc(out, '\n');
        for (uint32_t k = 0; k < report->obligations.len; k++)
            print_obligation(&report->obligations.at[k], out);
    }
}

static void print_rule(const struct stored_rule *stored, const struct rule *rule,
                       const struct report *rep, struct buf *out)
{
    buf_printf(out, "Rule %s (%s)\n", stored->name, stored->family);
    buf_printf(out, "Hash %s%s\n", stored->hash,
               stored->current ? "" : " (superseded: the name has a newer text)");
    if (stored->doc[0])
        buf_printf(out, "%s\n", stored->doc);
    buf_puts(out, "\nStatement\n");
    print_indented(stored->source, out);
    print_meaning(rule, out);
    buf_puts(out, "\nVerdicts\n");
    for (uint32_t i = 0; i < stored->verdicts.len; i++)
        print_verdict(&stored->verdicts.at[i], out);
    if (stored->verdicts.len == 0)
        buf_puts(out, "  never proved\n");
    for (uint32_t i = 0; i < stored->remarks.len; i++)
        buf_printf(out, "  remark: %s\n", stored->remarks.at[i]);
    print_bound(stored, out);
    print_obligations(rep, out);
    buf_printf(out, "\nUses in stored proof records: %lld\n", (long long)stored->uses);
}

static void print_json(const struct stored_rule *stored, struct buf *out)
{
    json_t *json = rule_object(stored), *verdicts = json_array();
    for (uint32_t i = 0; i < stored->verdicts.len; i++)
        json_array_append_new(verdicts,
                              verdict_object(stored->name, stored->hash, &stored->verdicts.at[i]));
    json_object_set_new(json, "source", json_string(stored->source));
    json_object_set_new(json, "canonical", json_string(stored->canonical));
    json_object_set_new(json, "details", verdicts);
    json_line(json, out);
}

static bool show(struct command_line *command, struct db *db, struct buf *out, struct err *err)
{
    struct db_filter filter;
    struct stored_rules found = {0};
    struct report rep = {0};
    db_filter_init(&filter);
    const char *slash = strrchr(command->words.at[0], '/'); // family/name
    filter.name = slash ? slash + 1 : command->words.at[0];
    bool ok = db_find(db, &filter, &found, err);
    if (ok && found.rules.len == 0) { // an older text, by its hash
        stored_rules_release(&found);
        filter.superseded = true;
        ok = db_find(db, &filter, &found, err);
    }
    if (ok && found.rules.len == 0)
        ok = err_set(err, ERR_INPUT,
                     "no rule has the name %s, or a hash that starts "
                     "so (6 digits at least)",
                     filter.name);
    if (ok && found.rules.len > 1)
        ok = err_set(err, ERR_INPUT, "%s is ambiguous: %s and %s", filter.name,
                     found.rules.at[0].hash, found.rules.at[1].hash);
    struct ruleset set;
    const struct rule *rule = NULL;
    ruleset_init(&set);
    if (ok)
        rule = ruleset_add(&set, found.rules.at[0].source, filter.name, err);
    ok = ok && rule;
    if (ok && command->value[OPTION_smt2])
        print_smt2(rule, out);
    else if (ok && command->value[OPTION_json])
        print_json(&found.rules.at[0], out);
    else if (ok && (ok = db_obligations(db, rule->hash, &rep, err)))
        print_rule(&found.rules.at[0], rule, &rep, out);
    ruleset_release(&set);
    report_release(&rep);
    stored_rules_release(&found);
    db_filter_release(&filter);
    return ok;
}

int cmd_show(struct command_line *command)
{
    struct err err = {0};
    struct buf out = {0};
    struct db *db = NULL;
    bool ok =
        command->words.len == 1 || err_set(&err, ERR_USAGE, "show: expected one rule name or hash");
    if (ok && command->value[OPTION_smt2] && command->value[OPTION_json])
        ok = err_set(&err, ERR_USAGE, "show: --smt2 is no JSON");
    ok = ok && open_database(command, DB_READ, &db, &err) && show(command, db, &out, &err) &&
         print_all(&out, &err);
    db_close(db);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&err);
}
