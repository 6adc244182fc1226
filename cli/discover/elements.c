// SPDX-License-Identifier: Apache-2.0
#include "cli/discover/elements.h"
#include "cli/door.h"

#include "api/proving/found.h"
#include "api/discover/scalar_json.h"
#include <errno.h>
#include <stdlib.h>

static bool read_constants(const char *text, struct scalar_options *options, struct err *err)
{
    while (text != NULL && *text != 0) {
        char *end;
        errno = 0;
        long long k = strtoll(text, &end, 10);
        if (end == text || (*end != ',' && *end != 0) || errno != 0 || k < -1000000 || k > 1000000)
            return err_set(err, ERR_USAGE, "--constants: expected whole numbers, found %s", text);
        for (uint32_t i = 0; i < options->n_constants; i++)
            if (options->constants[i] == k)
                return err_set(err, ERR_USAGE, "--constants: %lld is given twice", k);
        if (options->n_constants == SCALAR_MAX_CONSTANTS)
            return err_set(err, ERR_USAGE, "--constants: more than %d", SCALAR_MAX_CONSTANTS);
        options->constants[options->n_constants++] = k;
        text = end + (*end == ',');
    }
    return true;
}

static bool read_domain(const struct command_line *command, enum domain *out, struct err *err)
{
    unsigned domains;
    const char *text = command->value[OPTION_domain];
    if (!option_domains(command, &domains, err))
        return false;
    for (int d = 0; d < N_DOMAINS; d++)
        if (domains == 1u << d && d != DOMAIN_FLOAT) {
            *out = (enum domain)d;
            return true;
        }
    err_set(err, ERR_USAGE, "--domain: expected one of bool, int, word and real%s%s",
            text ? ", found " : "", text ? text : "");
    if (domains == 1u << DOMAIN_FLOAT)
        err_hint(err, "rules that are found in real can be tried in float: rankwright prove");
    return false;
}

static bool read_options(const struct command_line *command, struct scalar_options *options,
                         struct err *err)
{
    double size = 2, depth = 0, vars = 3, width = 0, samples = 0, seed = 0;
    double seconds = 0;
    if (command->words.len > 0)
        return err_set(err, ERR_USAGE, "discover: unexpected %s", command->words.at[0]);
    if (!command->value[OPTION_ops])
        return err_set(err, ERR_USAGE, "discover: expected --ops NAME,..");
    *options = scalar_defaults(DOMAIN_INT);
    if (!scalar_ops(command->value[OPTION_ops], options, err) ||
        !read_domain(command, &options->domain, err) ||
        !option_count(command, OPTION_size, 1, 20, &size, err) ||
        !option_count(command, OPTION_depth, 1, 5, &depth, err) ||
        !option_count(command, OPTION_vars, 1, SCALAR_MAX_VARS, &vars, err) ||
        !option_count(command, OPTION_width, 2, 4, &width, err) ||
        !option_count(command, OPTION_samples, 1, 10000, &samples, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &seconds, err))
        return false;
    bool by_depth = depth > 0 && !command->value[OPTION_size];
    options->max_ops = by_depth ? 0 : (uint32_t)size;
    options->max_depth = (uint32_t)depth;
    options->n_vars = (uint32_t)vars;
    options->width = (unsigned)width;
    options->samples = (uint32_t)samples;
    options->seed = (uint64_t)seed;
    options->seconds = seconds;
    return read_constants(command->value[OPTION_constants], options, err) &&
           scalar_check(options, err);
}

// The origin of the rules: the command that found them.
static void put_origin(const struct command_line *command, const struct scalar_options *options,
                       struct buf *out)
{
    buf_printf(out, "discovered --ops %s --domain %s --vars %u", command->value[OPTION_ops],
               domain_text(options->domain), options->n_vars);
    if (options->max_ops > 0)
        buf_printf(out, " --size %u", options->max_ops);
    if (options->max_depth > 0)
        buf_printf(out, " --depth %u", options->max_depth);
    if (options->n_constants > 0)
        buf_printf(out, " --constants %s", command->value[OPTION_constants]);
    if (options->width > 0)
        buf_printf(out, " --width %u", options->width);
    buf_printf(out, " --seed %llu", (unsigned long long)options->seed);
}

static void put_rules(const struct command_line *command, const struct scalar_options *options,
                      const struct scalar_result *result, struct buf *out)
{
    struct buf origin = {0};
    put_origin(command, options, &origin);
    for (uint32_t i = 0; i < result->rule.len; i++) {
        const struct scalar_rule *rule = &result->rule.at[i];
        const char *body = strchr(rule->text, '\n');
        if (!rule->proved || body == NULL)
            continue;
        buf_printf(out, "%.*s\n  origin \"%s\";%s", (int)(body - rule->text), rule->text,
                   buf_text(&origin), body);
    }
    buf_release(&origin);
}

static bool store(const struct command_line *command, const struct buf *rules, struct err *err)
{
    struct rw_database *database = NULL;
    struct rw_prove_options options;
    struct rw_context *context = door_open();
    bool ok = proving_options(command, context, &options, err) &&
              open_database(command, context, RW_WRITE, &database, err) &&
              found_store(database, rules, "discovered.rw", &options, err);
    rw_database_close(database);
    rw_context_free(context);
    return ok;
}

int discover_elements(struct command_line *command)
{
    struct scalar_options options;
    struct scalar_result result = {0};
    struct err err = {0};
    struct buf rules = {0}, lines = {0};
    if (!read_options(command, &options, &err))
        return report_error(&err);
    discover_scalar(&options, &result);
    put_rules(command, &options, &result, &rules);
    scalar_put_lines(&options, &result, &lines);
    const char *file = command->value[OPTION_output];
    bool json = command->value[OPTION_json] != NULL;
    bool ok = (!file || file_write(file, buf_text(&rules), rules.len, &err)) &&
              (!json || print_all(&lines, &err)) && (json || file || print_all(&rules, &err)) &&
              (!command->value[OPTION_db] || store(command, &rules, &err));
    const struct scalar_stats *stats = &result.stats;
    if (ok)
        note("%u terms; %u candidates: %u proved, %u refuted, %u undecided; "
             "%u follow from the others, %u kept, %u of one width only; "
             "%.3f s%s",
             stats->terms, stats->candidates, stats->proved, stats->refuted, stats->unknown,
             stats->derived, result.rule.len, stats->one_width, stats->seconds,
             stats->cut ? "; stopped at a limit" : "");
    bool cut = stats->cut;
    scalar_result_release(&result);
    buf_release(&rules);
    buf_release(&lines);
    return !ok ? report_error(&err) : cut ? EXIT_UNKNOWN : EXIT_YES;
}
