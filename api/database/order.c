// SPDX-License-Identifier: Apache-2.0
#include "api/database/order.h"

#include "base/text/suggest.h"

#include <stdlib.h>

static int of_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_name(const struct rw_rule *a, const struct rw_rule *b)
{
    return strcmp(a->name, b->name);
}

static int by_family(const struct rw_rule *a, const struct rw_rule *b)
{
    return strcmp(a->family, b->family);
}

static int by_hash(const struct rw_rule *a, const struct rw_rule *b)
{
    return strcmp(a->hash, b->hash);
}

static int by_uses(const struct rw_rule *a, const struct rw_rule *b)
{
    return of_numbers((double)a->uses, (double)b->uses);
}

static int by_preconditions(const struct rw_rule *a, const struct rw_rule *b)
{
    return of_numbers((double)a->n_preconditions, (double)b->n_preconditions);
}

static int by_origin(const struct rw_rule *a, const struct rw_rule *b)
{
    return strcmp(a->n_origins ? a->origins[0] : "", b->n_origins ? b->origins[0] : "");
}

static double seconds_of(const struct rw_rule *rule)
{
    double most = 0;
    for (size_t i = 0; i < rule->n_verdicts; i++)
        most = rule->verdicts[i]->seconds > most ? rule->verdicts[i]->seconds : most;
    return most;
}

static int by_seconds(const struct rw_rule *a, const struct rw_rule *b)
{
    return of_numbers(seconds_of(a), seconds_of(b));
}

static double obligations_of(const struct rw_rule *rule)
{
    double sum = 0;
    for (size_t i = 0; i < rule->n_verdicts; i++)
        sum += (double)rule->verdicts[i]->obligation_count;
    return sum;
}

static int by_obligations(const struct rw_rule *a, const struct rw_rule *b)
{
    return of_numbers(obligations_of(a), obligations_of(b));
}

typedef int compare(const struct rw_rule *a, const struct rw_rule *b);

static const struct {
    const char *name;
    compare *by;
} sort_keys[] = {
    {"family", by_family},   {"name", by_name},
    {"hash", by_hash},       {"origin", by_origin},
    {"uses", by_uses},       {"preconditions", by_preconditions},
    {"seconds", by_seconds}, {"obligations", by_obligations},
};
#define N_KEYS (sizeof sort_keys / sizeof *sort_keys)

static compare *key_of(const char *text, size_t n)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (strlen(sort_keys[i].name) == n && strncmp(sort_keys[i].name, text, n) == 0)
            return sort_keys[i].by;
    return NULL;
}

static bool wrong_key(const char *text, size_t n, struct err *err)
{
    struct buf names = {0};
    struct nearest nearest = nearest_to(text, n);
    for (size_t i = 0; i < N_KEYS; i++) {
        buf_printf(&names, "%s %s", i ? "," : "", sort_keys[i].name);
        nearest_consider(&nearest, sort_keys[i].name, strlen(sort_keys[i].name));
    }
    err_at(err, ERR_USAGE, "sort", 0, 0, "expected one of%s, found %.*s", buf_text(&names), (int)n,
           text);
    nearest_hint(&nearest, err);
    buf_release(&names);
    return false;
}

// The sort is stable.
static void sort_by(struct rw_report *report, compare *by)
{
    uint32_t n = report->rules.len;
    struct rw_rule **from = report->rules.at, **to = mem_alloc((n + 1) * sizeof *to), **own = to;
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t low = 0; low < n; low += 2 * width) {
            uint32_t middle = low + width < n ? low + width : n;
            uint32_t high = low + 2 * width < n ? low + 2 * width : n;
            for (uint32_t a = low, b = middle, k = low; k < high; k++)
                to[k] =
                    b >= high || (a < middle && by(from[a], from[b]) <= 0) ? from[a++] : from[b++];
        }
        struct rw_rule **other = from;
        from = to;
        to = other;
    }
    if (from == own)
        memcpy(report->rules.at, from, n * sizeof *from);
    mem_free(own);
}

static void turn(struct rw_report *report)
{
    uint32_t n = report->rules.len;
    for (uint32_t i = 0; i < n / 2; i++) {
        struct rw_rule *rule = report->rules.at[i];
        report->rules.at[i] = report->rules.at[n - 1 - i];
        report->rules.at[n - 1 - i] = rule;
    }
}

bool report_sort(struct rw_report *report, const char *keys, bool reverse, struct err *err)
{
    compare *by[N_KEYS];
    size_t n = 0;
    for (const char *at = keys; at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        compare *key = key_of(at, length);
        if (key == NULL)
            return wrong_key(at, length, err);
        for (size_t i = 0; i < n; i++)
            if (by[i] == key)
                return err_at(err, ERR_USAGE, "sort", 0, 0, "%.*s is given twice", (int)length, at);
        by[n++] = key;
        at += length;
        if (*at == '\0')
            break;
    }
    while (n > 0) // the first key last
        sort_by(report, by[--n]);
    if (reverse)
        turn(report);
    return true;
}
