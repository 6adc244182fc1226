// SPDX-License-Identifier: Apache-2.0
#include "api/discover/tensors.h"

#include "api/rules/json.h"
#include "base/text/suggest.h"
#include "discover/tensors/parallel.h"
#include "discover/tensors/trial.h"

static const struct {
    const char *name;
    unsigned kind, binary; // masks
} operators[] = {
    {"slice", 1u << SKETCH_SLICE, 0},
    {"pad", 1u << SKETCH_PAD, 0},
    {"concat", 1u << SKETCH_CONCAT, 0},
    {"reverse", 1u << SKETCH_REVERSE, 0},
    {"broadcast", 1u << SKETCH_BROADCAST, 0},
    {"transpose", 1u << SKETCH_RELABEL, 0},
    {"reduce", 1u << SKETCH_REDUCE, 0},
    {"add", 1u << SKETCH_BINARY, 1u << BINARY_ADD},
    {"mul", 1u << SKETCH_BINARY, 1u << BINARY_MUL},
    {"max", 1u << SKETCH_BINARY, 1u << BINARY_MAX},
};
#define N_OPERATORS (sizeof operators / sizeof *operators)

static bool no_operator(const char *name, size_t n, struct err *err)
{
    struct nearest nearest = nearest_to(name, n);
    struct buf all = {0};
    for (size_t i = 0; i < N_OPERATORS; i++) {
        nearest_consider(&nearest, operators[i].name, strlen(operators[i].name));
        buf_printf(&all, "%s%s", i ? ", " : "", operators[i].name);
    }
    err_at(err, ERR_USAGE, "ops", 0, 0,
           "expected operators out of %s where one of them moves elements, found %.*s",
           buf_text(&all), (int)(n < 60 ? n : 60), name);
    buf_release(&all);
    return nearest_hint(&nearest, err);
}

bool discovery_operators(const char *ops, struct search_options *options, struct err *err)
{
    const char *at = ops;
    while (*at) {
        size_t n = strcspn(at, ","), i = 0;
        while (i < N_OPERATORS &&
               (strlen(operators[i].name) != n || strncmp(operators[i].name, at, n) != 0))
            i++;
        if (i == N_OPERATORS)
            return no_operator(at, n, err);
        options->enumerate.kinds |= operators[i].kind;
        options->enumerate.binaries |= operators[i].binary;
        at += n + (at[n] == ',');
    }
    // A reduction is a sum if no operator on elements is given.
    if (options->enumerate.binaries == 0)
        options->enumerate.binaries = 1u << BINARY_ADD;
    return true;
}

bool discovery_moves(const char *ops)
{
    while (ops != NULL && *ops) {
        size_t n = strcspn(ops, ",");
        for (size_t i = 0; i < N_OPERATORS; i++)
            if (operators[i].binary == 0 && strlen(operators[i].name) == n &&
                strncmp(operators[i].name, ops, n) == 0)
                return true;
        ops += n + (ops[n] == ',');
    }
    return false;
}

void discovery_text(const struct discovery *discovery, const struct found_rules *found,
                    struct buf *out)
{
    buf_puts(out, discovery->head);
    for (uint32_t i = 0; i < found->at.len; i++)
        buf_printf(out, "\n%s", found->at.at[i].text);
}

void discovery_put_rule(const struct found_rule *rule, struct buf *out)
{
    json_line(json_pack("{s:s, s:s}", "name", rule->name, "rule", rule->text), out);
}

void discovery_put_rules(const struct discovery *discovery, struct buf *out)
{
    for (uint32_t i = 0; i < discovery->found.at.len; i++)
        discovery_put_rule(&discovery->found.at.at[i], out);
}

void discovery_put_counts(const struct discovery *discovery, struct buf *out)
{
    const struct search_progress *progress = &discovery->progress;
    json_t *counts = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b, "
        "s:I}",
        "sketches", (json_int_t)progress->sketches, "pairs", (json_int_t)progress->pairs, "solved",
        (json_int_t)progress->solved, "broken", (json_int_t)progress->broken, "candidates",
        (json_int_t)progress->candidates, "proved", (json_int_t)progress->proved, "refuted",
        (json_int_t)progress->refuted, "unknown", (json_int_t)progress->unknown, "derived",
        (json_int_t)progress->derived, "kept", (json_int_t)progress->kept, "lost",
        (json_int_t)progress->lost, "seconds", progress->seconds, "ended", discovery->found.ended,
        "seed", (json_int_t)discovery->options.seed);
    json_line(counts, out);
}

// ---- rules on many ground instances

static void try_one(void *ctx, uint32_t job, struct buf *out)
{
    struct trials *trials = ctx;
    struct trial_result result;
    struct trial_options options = {.seed = trials->seed + job,
                                    .instances = (uint32_t)trials->instances,
                                    .domains = trials->domains};
    trial_rule(trials->rules->rules.at[job], &options, &result);
    buf_write(out, &result.instances, sizeof result.instances);
    if (result.broken)
        buf_printf(out, "%s %s", domain_text(result.domain), buf_text(&result.instance));
    buf_release(&result.instance);
}

static void take_trial(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct trials *trials = ctx;
    uint32_t k;
    memcpy(&k, at, sizeof k);
    trials->run += k;
    trials->few += k < trials->instances;
    if (n <= sizeof k)
        return;
    trials->broken++;
    buf_printf(&trials->out, "%s %.*s\n", trials->rules->rules.at[job]->name, (int)(n - sizeof k),
               at + sizeof k);
}

bool trials_run(struct trials *trials, struct err *err)
{
    struct parallel_jobs crew = {
        .processes = trials->jobs, .work = try_one, .take = take_trial, .ctx = trials};
    bool ok = parallel_run(&crew, trials->rules->rules.len, err);
    trials->lost = crew.lost;
    return ok;
}
