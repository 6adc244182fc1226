// SPDX-License-Identifier: Apache-2.0
// Finds faults of a set of rules, even if every rule is true.
#include "cli/door.h"

#include "api/discover/lint_json.h"
#include "api/rules/rules.h"
#include "api/text.h"

static bool read_options(struct command_line *command, struct lint_options *options,
                         struct err *err)
{
    double instances = options->instances, states = options->max_states, seed = 0;
    if (command->words.len == 0)
        return err_set(err, ERR_USAGE, "lint: expected files of rules");
    if (!option_count(command, OPTION_instances, 1, 1000, &instances, err) ||
        !option_count(command, OPTION_nodes, 1, 1e6, &states, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &options->seconds, err) ||
        !option_domains(command, &options->domains, err))
        return false;
    options->instances = (uint32_t)instances;
    options->max_states = (uint32_t)states;
    options->seed = (uint64_t)seed;
    return true;
}

static void print_text(const struct lint_finding *finding, struct buf *out)
{
    buf_printf(out, "%s:", lint_kind_text(finding->kind));
    for (uint32_t i = 0; i < finding->n_rules; i++)
        buf_printf(out, "%s %s", i ? "," : "", finding->rules[i]->name);
    buf_printf(out, " (%s)\n", finding->method);
    text_indent(finding->witness, out);
}

int cmd_lint(struct command_line *command)
{
    struct err err = {0};
    struct rw_context *context = door_open();
    struct rw_rules *rules = rw_rules_new(context);
    struct lint lint;
    struct lint_options options = lint_defaults();
    struct buf out = {0};
    uint32_t undecided = 0;
    lint_init(&lint);
    bool ok = read_options(command, &options, &err);
    for (uint32_t i = 0; ok && i < command->words.len; i++)
        ok = load_rules(rules, command->words.at[i], &err);
    if (ok) {
        lint_rules(&lint, rules->set.rules.len, (const struct rule *const *)rules->set.rules.at,
                   &options);
        for (uint32_t i = 0; i < lint.found.len; i++) {
            undecided += lint.found.at[i].kind == LINT_UNDECIDED;
            if (command->value[OPTION_json])
                lint_put_json(&lint.found.at[i], &out);
            else
                print_text(&lint.found.at[i], &out);
        }
        ok = print_all(&out, &err);
        note("%u rules: %u findings, %u undecided; %u terms from %u starts, %u "
             "of them with more; %u rules that loop alone left out of longer "
             "sequences; %u preconditions on elements not asked%s",
             lint.n_rules, lint.found.len - undecided, undecided, lint.n_states, lint.n_starts,
             lint.n_cut, lint.n_alone, lint.n_unasked, lint.out_of_time ? "; out of time" : "");
    }
    int status = !ok                             ? report_error(&err)
                 : lint.found.len > undecided    ? EXIT_NO
                 : undecided || lint.out_of_time ? EXIT_UNKNOWN
                                                 : EXIT_YES;
    buf_release(&out);
    lint_release(&lint);
    rw_rules_free(rules);
    rw_context_free(context);
    return status;
}
