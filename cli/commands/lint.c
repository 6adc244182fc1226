// SPDX-License-Identifier: Apache-2.0
// What is wrong with a set of rules though each of them may be true.
#include "cli/cli.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"

#include "discover/lint/lint.h"

static bool read_options(struct command_line *c, struct lint_options *o,
                         struct err *e)
{
    double instances = o->instances, states = o->max_states, seed = 0;
    if (c->words.len == 0)
        return err_set(e, ERR_USAGE, "lint: expected files of rules");
    if (!option_count(c, OPTION_instances, 1, 1000, &instances, e) ||
        !option_count(c, OPTION_nodes, 1, 1e6, &states, e) ||
        !option_count(c, OPTION_seed, 0, 9007199254740992.0, &seed, e) ||
        !option_number(c, OPTION_seconds, 0, 1e6, &o->seconds, e) ||
        !option_domains(c, &o->domains, e))
        return false;
    o->instances = (uint32_t)instances;
    o->max_states = (uint32_t)states;
    o->seed = (uint64_t)seed;
    return true;
}

static void print_json(const struct lint_finding *f, struct buf *out)
{
    json_t *rules = json_array();
    for (uint32_t i = 0; i < f->n_rules; i++)
        json_array_append_new(rules, json_string(f->rules[i]->name));
    json_line(json_pack("{s:s, s:o, s:s, s:s}", "kind", lint_kind_text(f->kind),
                        "rules", rules, "method", f->method, "witness",
                        f->witness),
              out);
}

static void print_text(const struct lint_finding *f, struct buf *out)
{
    buf_printf(out, "%s:", lint_kind_text(f->kind));
    for (uint32_t i = 0; i < f->n_rules; i++)
        buf_printf(out, "%s %s", i ? "," : "", f->rules[i]->name);
    buf_printf(out, " (%s)\n", f->method);
    print_indented(f->witness, out);
}

int cmd_lint(struct command_line *c)
{
    struct err e = {0};
    struct ruleset s;
    struct lint l;
    struct lint_options o = lint_defaults();
    struct buf out = {0};
    uint32_t undecided = 0;
    ruleset_init(&s);
    lint_init(&l);
    bool ok = read_options(c, &o, &e);
    for (uint32_t i = 0; ok && i < c->words.len; i++)
        ok = load_rules(&s, c->words.at[i], &e);
    if (ok) {
        lint_rules(&l, s.rules.len, (const struct rule *const *)s.rules.at, &o);
        for (uint32_t i = 0; i < l.found.len; i++) {
            undecided += l.found.at[i].kind == LINT_UNDECIDED;
            if (c->value[OPTION_json])
                print_json(&l.found.at[i], &out);
            else
                print_text(&l.found.at[i], &out);
        }
        ok = print_all(&out, &e);
        note("%u rules: %u findings, %u undecided; %u terms from %u starts, %u "
             "of them with more; %u rules that loop alone left out of longer "
             "sequences; %u preconditions on elements not asked%s",
             l.n_rules, l.found.len - undecided, undecided, l.n_states,
             l.n_starts, l.n_cut, l.n_alone, l.n_unasked,
             l.out_of_time ? "; out of time" : "");
    }
    int status = !ok                          ? report_error(&e)
                 : l.found.len > undecided    ? EXIT_NO
                 : undecided || l.out_of_time ? EXIT_UNKNOWN
                                              : EXIT_YES;
    buf_release(&out);
    lint_release(&l);
    ruleset_release(&s);
    return status;
}
