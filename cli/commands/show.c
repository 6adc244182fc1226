// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/proving/rule_json.h"

#include "rules/describe/describe.h"
#include "verify/prove.h"
#include <stdlib.h>

static void print_meaning(const struct rule *r, struct buf *out)
{
    struct buf text = {0};
    rule_meaning(r, &text);
    buf_puts(out, "\nMeaning (i_x is the index along the axes of x)\n");
    print_indented(buf_text(&text), out);
    buf_release(&text);
}

static void print_smt2(const struct rule *r, struct buf *out)
{
    struct report rep = {0};
    struct prove_options o = {.no_search = true, .smt2 = out};
    (void)prove_rule(r, &o, &rep);
    report_release(&rep);
}

static void print_arrays(const json_t *object, const char *title,
                         struct buf *out)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)json_object_get(object, title), key, v)
    {
        char *text = json_dumps(
            json_object_get(v, "data") ? json_object_get(v, "data") : v,
            JSON_COMPACT | JSON_ENCODE_ANY);
        const char *type = json_string_value(json_object_get(v, "type"));
        buf_printf(out, "      %s = %s%s%s\n", key, text ? text : "",
                   type ? " : " : "", type ? type : "");
        free(text);
    }
}

static void print_counterexample(const struct stored_verdict *v,
                                 struct buf *out)
{
    json_t *j = json_loads(v->counterexample, 0, NULL);
    buf_printf(out, "    counterexample: %s\n", counterexample_text(j));
    print_arrays(j, "ranks", out);
    print_arrays(j, "maps", out);
    print_arrays(j, "types", out);
    print_arrays(j, "tensors", out);
    print_arrays(j, "scalars", out);
    json_decref(j);
}

static void print_verdict(const struct stored_verdict *v, struct buf *out)
{
    enum grade g;
    buf_printf(out, "  %s: %s", domain_text(v->domain),
               verdict_text(v->verdict));
    if (v->verdict == VERDICT_PROVED)
        buf_printf(out, " (%s)", v->rung);
    if (v->verdict != VERDICT_PROVED && grade_by_name(v->grade, &g) &&
        g != GRADE_NONE)
        buf_printf(out, " (%s)", grade_text(g));
    if (v->verdict == VERDICT_UNKNOWN || v->reason[0])
        buf_printf(out, ", %s", v->reason);
    buf_printf(out, "%s%s; %lld instances, %lld obligations, %.3f s%s%s\n",
               v->claimed ? "" : " [not claimed]",
               v->stale ? " [stale: another verifier or semantics]" : "",
               (long long)v->instances, (long long)v->obligations, v->seconds,
               v->solver[0] ? ", " : "", v->solver);
    if (v->counterexample)
        print_counterexample(v, out);
}

// The bound of the first proof that has one; it is the same in all domains.
static void print_bound(const struct stored_rule *r, struct buf *out)
{
    for (uint32_t i = 0; i < r->verdicts.len; i++) {
        const struct stored_verdict *v = &r->verdicts.at[i];
        if (v->verdict != VERDICT_PROVED || !v->bound_why[0])
            continue;
        json_t *bound = json_loads(v->bound, 0, NULL), *rank;
        const char *cls;
        if (json_object_size(bound) == 0) { // no instances were needed
            buf_printf(out, "\nAll ranks at once (%s)\n", v->method);
        } else {
            buf_printf(out, "\nAll ranks follow from ranks up to (%s)\n   ",
                       v->method);
            json_object_foreach(bound, cls, rank) buf_printf(
                out, " %s: %lld", cls, (long long)json_integer_value(rank));
            buf_putc(out, '\n');
        }
        print_indented(v->bound_why, out);
        json_decref(bound);
        return;
    }
}

static bool same_obligations(const struct domain_report *a,
                             const struct domain_report *b)
{
    bool same = a->obligations.len == b->obligations.len;
    for (uint32_t i = 0; same && i < a->obligations.len; i++) {
        const struct obligation *x = &a->obligations.at[i];
        const struct obligation *y = &b->obligations.at[i];
        same = x->kind == y->kind && x->verdict == y->verdict &&
               strcmp(x->ranks, y->ranks) == 0 &&
               strcmp(x->detail, y->detail) == 0 &&
               strcmp(x->reason, y->reason) == 0;
    }
    return same;
}

static void print_obligation(const struct obligation *o, struct buf *out)
{
    buf_printf(out, "  %-9s %-8s %6.1f ms  %s%s%s%s%s%s\n",
               obligation_kind_text(o->kind), verdict_text(o->verdict),
               o->seconds * 1e3, o->ranks[0] ? "at " : "", o->ranks,
               o->detail[0] && o->ranks[0] ? "  " : "", o->detail,
               o->reason[0] ? ": " : "", o->reason);
}

// Domains with the same obligations (a proof for all of them) share a list.
static void print_obligations(const struct report *rep, struct buf *out)
{
    uint64_t printed = 0;
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        const struct domain_report *d = &rep->domains.at[i];
        if ((printed >> i & 1) || d->obligations.len == 0)
            continue;
        buf_printf(out, "\nObligations in %s", domain_text(d->domain));
        for (uint32_t k = i + 1; k < rep->domains.len; k++)
            if (same_obligations(d, &rep->domains.at[k])) {
                printed |= UINT64_C(1) << k;
                buf_printf(out, ", %s", domain_text(rep->domains.at[k].domain));
            }
        buf_putc(out, '\n');
        for (uint32_t k = 0; k < d->obligations.len; k++)
            print_obligation(&d->obligations.at[k], out);
    }
}

static void print_rule(const struct stored_rule *r, const struct rule *rule,
                       const struct report *rep, struct buf *out)
{
    buf_printf(out, "Rule %s (%s)\n", r->name, r->family);
    buf_printf(out, "Hash %s%s\n", r->hash,
               r->current ? "" : " (superseded: the name has a newer text)");
    if (r->doc[0])
        buf_printf(out, "%s\n", r->doc);
    buf_puts(out, "\nStatement\n");
    print_indented(r->source, out);
    print_meaning(rule, out);
    buf_puts(out, "\nVerdicts\n");
    for (uint32_t i = 0; i < r->verdicts.len; i++)
        print_verdict(&r->verdicts.at[i], out);
    if (r->verdicts.len == 0)
        buf_puts(out, "  never proved\n");
    for (uint32_t i = 0; i < r->remarks.len; i++)
        buf_printf(out, "  remark: %s\n", r->remarks.at[i]);
    print_bound(r, out);
    print_obligations(rep, out);
    buf_printf(out, "\nUses in stored proof records: %lld\n",
               (long long)r->uses);
}

static void print_json(const struct stored_rule *r, struct buf *out)
{
    json_t *o = rule_object(r), *verdicts = json_array();
    for (uint32_t i = 0; i < r->verdicts.len; i++)
        json_array_append_new(
            verdicts, verdict_object(r->name, r->hash, &r->verdicts.at[i]));
    json_object_set_new(o, "source", json_string(r->source));
    json_object_set_new(o, "canonical", json_string(r->canonical));
    json_object_set_new(o, "details", verdicts);
    json_line(o, out);
}

static bool show(struct command_line *c, struct db *db, struct buf *out,
                 struct err *e)
{
    struct db_filter f;
    struct stored_rules found = {0};
    struct report rep = {0};
    db_filter_init(&f);
    const char *slash = strrchr(c->words.at[0], '/'); // family/name
    f.name = slash ? slash + 1 : c->words.at[0];
    bool ok = db_find(db, &f, &found, e);
    if (ok && found.rules.len == 0) { // an older text, by its hash
        stored_rules_release(&found);
        f.superseded = true;
        ok = db_find(db, &f, &found, e);
    }
    if (ok && found.rules.len == 0)
        ok = err_set(e, ERR_INPUT,
                     "no rule has the name %s, or a hash that starts "
                     "so (6 digits at least)",
                     f.name);
    if (ok && found.rules.len > 1)
        ok = err_set(e, ERR_INPUT, "%s is ambiguous: %s and %s", f.name,
                     found.rules.at[0].hash, found.rules.at[1].hash);
    struct ruleset set;
    const struct rule *rule = NULL;
    ruleset_init(&set);
    if (ok)
        rule = ruleset_add(&set, found.rules.at[0].source, f.name, e);
    ok = ok && rule;
    if (ok && c->value[OPTION_smt2])
        print_smt2(rule, out);
    else if (ok && c->value[OPTION_json])
        print_json(&found.rules.at[0], out);
    else if (ok && (ok = db_obligations(db, rule->hash, &rep, e)))
        print_rule(&found.rules.at[0], rule, &rep, out);
    ruleset_release(&set);
    report_release(&rep);
    stored_rules_release(&found);
    db_filter_release(&f);
    return ok;
}

int cmd_show(struct command_line *c)
{
    struct err e = {0};
    struct buf out = {0};
    struct db *db = NULL;
    bool ok = c->words.len == 1 ||
              err_set(&e, ERR_USAGE, "show: expected one rule name or hash");
    if (ok && c->value[OPTION_smt2] && c->value[OPTION_json])
        ok = err_set(&e, ERR_USAGE, "show: --smt2 is no JSON");
    ok = ok && open_database(c, DB_READ, &db, &e) && show(c, db, &out, &e) &&
         print_all(&out, &e);
    db_close(db);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&e);
}
