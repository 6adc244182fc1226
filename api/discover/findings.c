// SPDX-License-Identifier: Apache-2.0
#include "api/discover/findings.h"

#include "api/database/database.h"
#include "api/proving/found.h"
#include "base/clock.h"

struct rw_findings *findings_new(struct rw_context *context, const char *stage)
{
    struct rw_findings *findings = mem_alloc(sizeof *findings);
    findings->context = context;
    findings->progress.stage = stage;
    findings->start = clock_wall();
    return findings;
}

void rw_findings_free(struct rw_findings *findings)
{
    if (findings == NULL)
        return;
    vec_release(&findings->at);
    vec_release(&findings->records);
    vec_release(&findings->names);
    buf_release(&findings->rules);
    buf_release(&findings->counts);
    arena_release(&findings->mem);
    mem_free(findings);
}

void findings_name(struct rw_findings *findings, const char *rule)
{
    vec_push(&findings->names, arena_strdup(&findings->mem, rule));
}

void findings_record(struct rw_findings *findings, const char *name, const struct buf *text)
{
    struct rw_expected record = {.text = arena_strdup(&findings->mem, buf_text(text)),
                                 .file = arena_strdup(&findings->mem, name),
                                 .size = text->len};
    vec_push(&findings->records, record);
}

static const char *take(struct rw_findings *findings, struct buf *text, bool line)
{
    size_t n = text->len;
    const char *copy = arena_strndup(&findings->mem, buf_text(text),
                                     n - (line && n > 0 && text->at[n - 1] == '\n'));
    buf_clear(text);
    return copy;
}

static const char *const *copy_names(struct rw_findings *findings)
{
    uint32_t n = findings->names.len;
    const char **copy = ARENA_NEW(&findings->mem, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = findings->names.at[i];
    return copy;
}

static const struct rw_expected *copy_records(struct rw_findings *findings)
{
    uint32_t n = findings->records.len;
    struct rw_expected *copy = ARENA_NEW(&findings->mem, struct rw_expected, n + 1);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = findings->records.at[i];
    return copy;
}

void findings_add(struct rw_findings *findings, const char *kind, struct buf *json,
                  struct buf *text, const char *found)
{
    struct rw_context *context = findings->context;
    struct rw_finding finding = {.kind = kind,
                                 .n_rules = findings->names.len,
                                 .rules = copy_names(findings),
                                 .json = take(findings, json, true),
                                 .text = take(findings, text, false),
                                 .found = arena_strdup(&findings->mem, found ? found : ""),
                                 .n_records = findings->records.len,
                                 .records = copy_records(findings)};
    vec_clear(&findings->names);
    vec_clear(&findings->records);
    vec_push(&findings->at, finding);
    if (context->finding != NULL && !context->finding(context->finding_user, &finding))
        findings->stopped = true;
}

static bool wants_stop(void *user)
{
    struct rw_findings *findings = user;
    struct rw_context *context = findings->context;
    findings->stopped |= context->cancelled;
    if (findings->stopped || !context_report_due(&findings->told))
        return findings->stopped;
    findings->progress.seconds = findings->told - findings->start;
    findings->stopped |= !context_progress(context, &findings->progress);
    return findings->stopped;
}

struct stop findings_stop(struct rw_findings *findings)
{
    return (struct stop){wants_stop, findings};
}

bool findings_step(struct rw_findings *findings)
{
    bool stop = wants_stop(findings);
    findings->progress.done += !stop;
    return !stop;
}

struct rw_findings *findings_end(struct rw_findings *findings, bool ok, const struct err *err,
                                 struct rw_error *error)
{
    findings->effort.seconds = clock_wall() - findings->start;
    findings->effort.ended |= findings->stopped;
    findings->effort.json = take(findings, &findings->counts, true);
    if (findings->stopped)
        findings->context->cancelled = false;
    if (ok)
        return findings;
    rw_findings_free(findings);
    error_give(err, error);
    return NULL;
}

size_t rw_findings_count(const struct rw_findings *findings)
{
    return findings->at.len;
}

const struct rw_finding *rw_findings_at(const struct rw_findings *findings, size_t index)
{
    return &findings->at.at[index];
}

const struct rw_effort *rw_findings_effort(const struct rw_findings *findings)
{
    return &findings->effort;
}

const char *rw_findings_rules(const struct rw_findings *findings)
{
    return buf_text(&findings->rules);
}

bool rw_findings_store(const struct rw_findings *findings, struct rw_database *database,
                       const struct rw_prove_options *options, struct rw_error *error)
{
    struct err err = {0};
    return findings->file == NULL ||
           found_store(database, &findings->rules, findings->file, options, &err) ||
           error_give(&err, error);
}
