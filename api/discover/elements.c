// SPDX-License-Identifier: Apache-2.0
#include "api/discover/elements.h"

#include "api/rules/json.h"
#include "discover/scalars/scalar.h"

static bool read_domain(unsigned domains, enum domain *out, struct err *err)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if (domains == 1u << d && d != DOMAIN_FLOAT) {
            *out = (enum domain)d;
            return true;
        }
    err_at(err, ERR_USAGE, "domains", 0, 0, "expected one of bool, int, word and real");
    if (domains == 1u << DOMAIN_FLOAT)
        err_hint(err, "rules that are found in real can be tried in float: prove them there");
    return false;
}

static bool read_constants(const struct rw_discover_options *from, struct scalar_options *to,
                           struct err *err)
{
    if (from->n_constants > SCALAR_MAX_CONSTANTS)
        return err_at(err, ERR_USAGE, "constants", 0, 0, "more than %d", SCALAR_MAX_CONSTANTS);
    for (size_t i = 0; i < from->n_constants; i++) {
        int64_t k = from->constants[i];
        if (k < -1000000 || k > 1000000)
            return err_at(err, ERR_USAGE, "constants", 0, 0, "%lld is too large", (long long)k);
        for (uint32_t j = 0; j < to->n_constants; j++)
            if (to->constants[j] == k)
                return err_at(err, ERR_USAGE, "constants", 0, 0, "%lld is given twice",
                              (long long)k);
        to->constants[to->n_constants++] = k;
    }
    return true;
}

static bool read_options(const struct rw_discover_options *from, struct rw_findings *findings,
                         struct scalar_options *to, struct err *err)
{
    *to = scalar_defaults(DOMAIN_INT);
    if (!scalar_ops(from->ops, to, err) || !read_domain(from->domains, &to->domain, err))
        return false;
    to->max_ops = from->most || from->depth ? from->most : 2;
    to->max_depth = from->depth;
    to->n_vars = from->variables ? from->variables : 3;
    to->width = from->width;
    to->samples = from->samples;
    to->seed = from->seed;
    to->seconds = from->seconds;
    to->stop = findings_stop(findings);
    return read_constants(from, to, err) && scalar_check(to, err);
}

// What found the rules: the options, but for limits of time.
static void put_origin(const struct rw_discover_options *from, const struct scalar_options *options,
                       struct buf *out)
{
    if (from->origin != NULL) {
        buf_puts(out, from->origin);
        return;
    }
    buf_printf(out, "discovered: operators %s; domain %s; variables %u", from->ops,
               domain_text(options->domain), options->n_vars);
    if (options->max_ops > 0)
        buf_printf(out, "; most %u", options->max_ops);
    if (options->max_depth > 0)
        buf_printf(out, "; depth %u", options->max_depth);
    for (uint32_t i = 0; i < options->n_constants; i++)
        buf_printf(out, "%s%lld", i ? "," : "; constants ", (long long)options->constants[i]);
    if (options->width > 0)
        buf_printf(out, "; width %u", options->width);
    buf_printf(out, "; seed %llu", (unsigned long long)options->seed);
}

static void put_json(const struct scalar_options *options, const struct scalar_rule *rule,
                     struct buf *out)
{
    json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "name", rule->name, "lhs", rule->lhs,
                             "rhs", rule->rhs, "rule", rule->text, "conditional", rule->conditional,
                             "proved", rule->proved);
    if (options->width > 0)
        json_object_set_new(line, "width", json_integer(options->width));
    json_line(line, out);
}

// The rule with its origin behind the first line.
static bool put_rule(const struct scalar_rule *rule, const char *origin, struct buf *out)
{
    const char *body = strchr(rule->text, '\n');
    if (!rule->proved || body == NULL)
        return false;
    buf_printf(out, "%.*s\n  origin \"%s\";%s", (int)(body - rule->text), rule->text, origin, body);
    return true;
}

static void give(const struct scalar_options *options, const struct scalar_rule *rule,
                 const char *origin, struct rw_findings *findings)
{
    struct buf json = {0}, text = {0}, found = {0};
    bool proved = put_rule(rule, origin, &found);
    put_json(options, rule, &json);
    buf_puts(&text, proved ? buf_text(&found) : rule->text);
    buf_puts(&findings->rules, buf_text(&found));
    findings_name(findings, rule->name);
    findings_add(findings, proved ? "rule" : "one width", &json, &text, buf_text(&found));
    buf_release(&json);
    buf_release(&text);
    buf_release(&found);
}

static void count(const struct scalar_result *result, struct rw_findings *findings)
{
    const struct scalar_stats *stats = &result->stats;
    struct rw_effort *effort = &findings->effort;
    effort->rules = effort->changed = result->rule.len;
    effort->candidates = stats->candidates;
    effort->proofs = stats->proved + stats->refuted + stats->unknown;
    effort->proof_seconds = stats->proving;
    effort->limited = stats->cut;
    json_line(json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:b}", "kept",
                        (int)result->rule.len, "terms", (int)stats->terms, "classes",
                        (int)stats->classes, "candidates", (int)stats->candidates, "proved",
                        (int)stats->proved, "refuted", (int)stats->refuted, "unknown",
                        (int)stats->unknown, "derived", (int)stats->derived, "one_width",
                        (int)stats->one_width, "seconds", stats->seconds, "cpu", stats->cpu,
                        "widening", stats->widening, "cut", stats->cut),
              &findings->counts);
    context_note(findings->context,
                 "%u terms; %u candidates: %u proved, %u refuted, %u undecided; "
                 "%u follow from the others, %u kept, %u of one width only; "
                 "%.3f s%s",
                 stats->terms, stats->candidates, stats->proved, stats->refuted, stats->unknown,
                 stats->derived, result->rule.len, stats->one_width, stats->seconds,
                 stats->cut ? "; stopped at a limit" : "");
}

bool elements_discover(const struct rw_discover_options *from, struct rw_findings *findings,
                       struct err *err)
{
    struct scalar_options options;
    struct scalar_result result = {0};
    struct buf origin = {0};
    if (!read_options(from, findings, &options, err))
        return false;
    discover_scalar(&options, &result);
    put_origin(from, &options, &origin);
    for (uint32_t i = 0; i < result.rule.len; i++)
        give(&options, &result.rule.at[i], buf_text(&origin), findings);
    count(&result, findings);
    scalar_result_release(&result);
    buf_release(&origin);
    return true;
}
