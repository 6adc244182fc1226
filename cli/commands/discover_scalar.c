// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/discover_scalar.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"

#include "discover/scalars/scalar.h"
#include <errno.h>
#include <stdlib.h>

static bool read_constants(const char *text, struct scalar_options *o,
                           struct err *e)
{
    while (text != NULL && *text != 0) {
        char *end;
        errno = 0;
        long long k = strtoll(text, &end, 10);
        if (end == text || (*end != ',' && *end != 0) || errno != 0 ||
            k < -1000000 || k > 1000000)
            return err_set(e, ERR_USAGE,
                           "--constants: expected whole numbers, found %s",
                           text);
        for (uint32_t i = 0; i < o->n_constants; i++)
            if (o->constants[i] == k)
                return err_set(e, ERR_USAGE, "--constants: %lld is there twice",
                               k);
        if (o->n_constants == SCALAR_MAX_CONSTANTS)
            return err_set(e, ERR_USAGE, "--constants: more than %d",
                           SCALAR_MAX_CONSTANTS);
        o->constants[o->n_constants++] = k;
        text = end + (*end == ',');
    }
    return true;
}

static bool read_options(const struct command_line *c, struct scalar_options *o,
                         struct err *e)
{
    unsigned domains;
    double size = 2, depth = 0, vars = 3, width = 0, samples = 0, seed = 0;
    double seconds = 0;
    if (c->words.len > 0)
        return err_set(e, ERR_USAGE, "discover: unexpected %s", c->words.at[0]);
    if (!c->value[OPTION_ops])
        return err_set(e, ERR_USAGE, "discover: expected --ops NAME,..");
    if (!option_domains(c, &domains, e))
        return false;
    if (!c->value[OPTION_domain] || (domains & (domains - 1)) != 0)
        return err_set(e, ERR_USAGE,
                       "discover: expected --domain with one of "
                       "bool, int, word, real");
    enum domain d = 0;
    while (!(domains >> d & 1))
        d++;
    *o = scalar_defaults(d);
    if (!option_count(c, OPTION_size, 1, 20, &size, e) ||
        !option_count(c, OPTION_depth, 1, 5, &depth, e) ||
        !option_count(c, OPTION_vars, 1, SCALAR_MAX_VARS, &vars, e) ||
        !option_count(c, OPTION_width, 2, 4, &width, e) ||
        !option_count(c, OPTION_samples, 1, 10000, &samples, e) ||
        !option_count(c, OPTION_seed, 0, 9007199254740992.0, &seed, e) ||
        !option_number(c, OPTION_seconds, 0, 1e6, &seconds, e))
        return false;
    bool by_depth = depth > 0 && !c->value[OPTION_size];
    o->max_ops = by_depth ? 0 : (uint32_t)size;
    o->max_depth = (uint32_t)depth;
    o->n_vars = (uint32_t)vars;
    o->width = (unsigned)width;
    o->samples = (uint32_t)samples;
    o->seed = (uint64_t)seed;
    o->seconds = seconds;
    return scalar_ops(c->value[OPTION_ops], o, e) &&
           read_constants(c->value[OPTION_constants], o, e) &&
           scalar_check(o, e);
}

// How the rules were found: their origin.
static void put_origin(const struct command_line *c,
                       const struct scalar_options *o, struct buf *out)
{
    buf_printf(out, "discovered --ops %s --domain %s --vars %u",
               c->value[OPTION_ops], domain_text(o->domain), o->n_vars);
    if (o->max_ops > 0)
        buf_printf(out, " --size %u", o->max_ops);
    if (o->max_depth > 0)
        buf_printf(out, " --depth %u", o->max_depth);
    if (o->n_constants > 0)
        buf_printf(out, " --constants %s", c->value[OPTION_constants]);
    if (o->width > 0)
        buf_printf(out, " --width %u", o->width);
    buf_printf(out, " --seed %llu", (unsigned long long)o->seed);
}

static void put_rules(const struct command_line *c,
                      const struct scalar_options *o,
                      const struct scalar_result *r, struct buf *out)
{
    struct buf origin = {0};
    put_origin(c, o, &origin);
    for (uint32_t i = 0; i < r->rule.len; i++) {
        const struct scalar_rule *x = &r->rule.at[i];
        const char *body = strchr(x->text, '\n');
        if (!x->proved || body == NULL)
            continue;
        buf_printf(out, "%.*s\n  origin \"%s\";%s", (int)(body - x->text),
                   x->text, buf_text(&origin), body);
    }
    buf_release(&origin);
}

static void put_lines(const struct scalar_options *o,
                      const struct scalar_result *r, struct buf *out)
{
    for (uint32_t i = 0; i < r->rule.len; i++) {
        const struct scalar_rule *x = &r->rule.at[i];
        json_t *j =
            json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "name", x->name, "lhs",
                      x->lhs, "rhs", x->rhs, "rule", x->text, "conditional",
                      x->conditional, "proved", x->proved);
        if (o->width > 0)
            json_object_set_new(j, "width", json_integer(o->width));
        json_line(j, out);
    }
    const struct scalar_stats *s = &r->stats;
    json_t *j = json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:b}",
        "kept", (int)r->rule.len, "terms", (int)s->terms, "classes",
        (int)s->classes, "candidates", (int)s->candidates, "proved",
        (int)s->proved, "refuted", (int)s->refuted, "unknown", (int)s->unknown,
        "derived", (int)s->derived, "one_width", (int)s->one_width, "seconds",
        s->seconds, "cpu", s->cpu, "widening", s->widening, "cut", s->cut);
    json_line(j, out);
}

static bool store(const struct command_line *c, const struct buf *rules,
                  struct err *e)
{
    struct db *db = NULL;
    struct ruleset s;
    struct err_list errs = {0};
    struct proving p = {0};
    bool interrupted = false;
    ruleset_init(&s);
    bool ok = (ruleset_parse(&s, buf_text(rules), rules->len, "discovered.rw",
                             &errs) ||
               err_set(e, ERR_BUG, "a rule that was found cannot be read")) &&
              proving_options(c, &p, e) && open_database(c, DB_WRITE, &db, e) &&
              prove_into(db, &s, &p, true, &interrupted, NULL, e);
    db_close(db);
    vec_release(&errs.at);
    ruleset_release(&s);
    return ok;
}

int discover_elements(struct command_line *c)
{
    struct scalar_options o;
    struct scalar_result r = {0};
    struct err e = {0};
    struct buf rules = {0}, lines = {0};
    if (!read_options(c, &o, &e))
        return report_error(&e);
    discover_scalar(&o, &r);
    put_rules(c, &o, &r, &rules);
    put_lines(&o, &r, &lines);
    const char *file = c->value[OPTION_output];
    bool json = c->value[OPTION_json] != NULL;
    bool ok = (!file || file_write(file, buf_text(&rules), rules.len, &e)) &&
              (!json || print_all(&lines, &e)) &&
              (json || file || print_all(&rules, &e)) &&
              (!c->value[OPTION_db] || store(c, &rules, &e));
    const struct scalar_stats *s = &r.stats;
    if (ok)
        note("%u terms; %u candidates: %u proved, %u refuted, %u undecided; "
             "%u follow from the others, %u kept, %u of one width only; "
             "%.3f s%s",
             s->terms, s->candidates, s->proved, s->refuted, s->unknown,
             s->derived, r.rule.len, s->one_width, s->seconds,
             s->cut ? "; stopped at a limit" : "");
    bool cut = s->cut;
    scalar_result_release(&r);
    buf_release(&rules);
    buf_release(&lines);
    return !ok ? report_error(&e) : cut ? EXIT_UNKNOWN : EXIT_YES;
}
