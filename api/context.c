// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "api/context.h"

#include "base/memory/vec.h"
#include "base/text/utf8.h"
#include "formula/memory.h"
#include <jansson.h>

static const struct {
    const char *name;
    double least, most;
} limits[] = {
#define X(name, least, most) {#name, least, most},
    CONTEXT_LIMITS(X)
#undef X
};

static void *json_memory(size_t size)
{
    return mem_resize(NULL, size);
}

// A value of JSON that lacks a part, because memory was at an end, is a wrong one: the
// libraries end the process as this one does.
static void prepare_libraries(void)
{
    json_set_alloc_funcs(json_memory, mem_free);
    formula_memory_init();
}

struct rw_context *rw_context_new(void)
{
    prepare_libraries();
    return mem_alloc(sizeof(struct rw_context));
}

void rw_context_free(struct rw_context *context)
{
    mem_free(context);
}

static bool set_limit(struct rw_context *context, const char *name, double value, struct err *err)
{
    for (int i = 0; i < N_LIMITS; i++) {
        if (strcmp(limits[i].name, name) != 0)
            continue;
        if (!(value >= limits[i].least && value <= limits[i].most))
            return err_set(err, ERR_USAGE,
                           "%s: expected a number from %.17g to %.17g, found "
                           "%.15g",
                           name, limits[i].least, limits[i].most, value);
        context->limit[i] = value;
        context->given[i] = true;
        return true;
    }
    return err_set(err, ERR_USAGE, "no limit has the name %s", name);
}

bool rw_context_limit(struct rw_context *context, const char *name, double value,
                      struct rw_error *error)
{
    struct err err = {0};
    return set_limit(context, name, value, &err) || error_give(&err, error);
}

void rw_context_on_progress(struct rw_context *context,
                            bool (*progress)(void *user, const struct rw_progress *at), void *user)
{
    context->progress = progress;
    context->progress_user = user;
}

void rw_context_on_note(struct rw_context *context, void (*note)(void *user, const char *text),
                        void *user)
{
    context->note = note;
    context->note_user = user;
}

void rw_context_on_finding(struct rw_context *context,
                           bool (*finding)(void *user, const struct rw_finding *finding),
                           void *user)
{
    context->finding = finding;
    context->finding_user = user;
}

void rw_context_cancel(struct rw_context *context)
{
    context->cancelled = true;
}

double context_limit(const struct rw_context *context, enum context_limit which, double usual)
{
    return context->given[which] ? context->limit[which] : usual;
}

void context_note(const struct rw_context *context, const char *fmt, ...)
{
    struct buf text = {0}, line = {0};
    va_list ap;
    if (context->note == NULL)
        return;
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    utf8_printable(buf_text(&text), &line);
    context->note(context->note_user, buf_text(&line));
    buf_release(&text);
    buf_release(&line);
}

static const double SECONDS_BETWEEN_REPORTS = 0.1;

bool context_report_due(double *told)
{
    double now = clock_wall();
    if (now < *told + SECONDS_BETWEEN_REPORTS)
        return false;
    *told = now;
    return true;
}

bool context_progress(struct rw_context *context, const struct rw_progress *at)
{
    bool go_on = context->progress == NULL || context->progress(context->progress_user, at);
    return go_on && !context->cancelled;
}

bool context_continues(struct rw_context *context, struct err *err)
{
    if (!context->cancelled)
        return true;
    context->cancelled = false;
    return err_set(err, ERR_LIMIT, "cancelled");
}
