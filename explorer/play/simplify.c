// SPDX-License-Identifier: Apache-2.0
// Programs and formulas: cheaper ones, what was found equal, why not more.
#include "explorer/play/steps.h"

#include "base/text/markup.h"
#include "explorer/limits.h"

struct job {
    struct play *play;
    struct rw_program *program; // of a formula NULL
    struct rw_rewriter *rewriter;
    struct rw_result *result;
    struct rw_simplify_options options;
};

static void release(struct job *job)
{
    rw_result_free(job->result);
    rw_rewriter_free(job->rewriter);
    rw_program_free(job->program);
}

// NULL for a text that is none of the names.
static const char *cost_named(const char *text)
{
    for (const char *const *name = rw_cost_models(); *name != NULL; name++)
        if (strcmp(*name, text) == 0)
            return *name;
    return NULL;
}

static enum rw_reading reading_of(const struct play *play)
{
    const char *text = form_get(play->form, "reading");
    return strcmp(text, "real") == 0         ? RW_READ_REAL
           : strcmp(text, "float-sums") == 0 ? RW_READ_FLOAT_SUMS
                                             : RW_READ_FLOAT;
}

static bool read_program(struct job *job)
{
    struct play *play = job->play;
    struct rw_error error;
    const char *text = form_get(play->form, "text");
    job->program = rw_program_read(play->context, text, strlen(text), "program", &error);
    if (job->program == NULL)
        play_error(&error, &play->out);
    else if (rw_program_remark(job->program) != NULL)
        markup_in("<p class=\"quiet\">", rw_program_remark(job->program), "</p>\n", &play->out);
    return job->program != NULL;
}

static bool tell_round(void *user, const struct rw_progress *at)
{
    play_progress(user, "round %llu", (unsigned long long)at->done);
    return true;
}

// Reads and simplifies the program; false: the answer says why not.
static bool simplify(struct job *job, struct play *play)
{
    struct rw_error error;
    *job = (struct job){.play = play};
    job->options.size = sizeof job->options;
    job->options.reading = reading_of(play);
    job->options.cost = cost_named(form_get(play->form, "cost"));
    if (!play_has_database(play) || !read_program(job))
        return false;
    rw_context_on_progress(play->context, tell_round, play);
    job->rewriter = rw_rewriter_new(play->home->database, NULL, NULL);
    job->result = rw_simplify_program(job->rewriter, job->program, &job->options, &error);
    if (job->result == NULL)
        play_error(&error, &play->out);
    return job->result != NULL;
}

static void put_summary(const struct rw_result *result, struct buf *out)
{
    const struct rw_summary *summary = rw_result_summary(result);
    double gain = summary->cost_before > 0 ? 1 - summary->cost_after / summary->cost_before : 0;
    buf_printf(out,
               "<dl class=\"figures\">\n"
               "<div><dt>cost (%s)</dt><dd>%.4g → %.4g <span class=\"quiet\">%.0f %% less</span>"
               "</dd></div>\n"
               "<div><dt>uses of rules</dt><dd>%u</dd></div>\n"
               "<div><dt>e-graph</dt><dd>%llu nodes</dd></div>\n"
               "<div><dt>search</dt><dd>%u rounds, stopped: %s</dd></div>\n"
               "<div><dt>time</dt><dd>%.2f s</dd></div>\n</dl>\n",
               summary->cost ? summary->cost : "symbols", summary->cost_before, summary->cost_after,
               100 * gain, summary->steps, (unsigned long long)summary->nodes, summary->rounds,
               summary->stop, summary->seconds);
}

static void put_result(struct job *job, const char *name)
{
    struct play *play = job->play;
    struct rw_error error;
    size_t n;
    const char *record = rw_result_record(job->result, &n, &error);
    put_summary(job->result, &play->out);
    if (record == NULL) {
        play_error(&error, &play->out);
        return;
    }
    play_download(record, n, name, &play->out);
    play_steps(play, record, n, NULL);
}

void play_simplify(struct play *play)
{
    struct job job;
    if (simplify(&job, play)) {
        size_t n;
        const char *text = rw_result_text(job.result, &n);
        put_result(&job, "program.proof.json");
        markup_in("<details><summary>The program after it</summary><pre class=\"copy\">", text,
                  "</pre></details>\n", &play->out);
    }
    release(&job);
}

void play_formula(struct play *play)
{
    struct job job = {.play = play, .options = {.size = sizeof job.options}};
    struct rw_error error;
    const char *given = form_get(play->form, "given");
    if (!play_has_database(play))
        return;
    job.options.given = given[0] ? given : NULL;
    job.rewriter = rw_rewriter_new(play->home->database, NULL, NULL);
    job.result = rw_simplify_formula(job.rewriter, form_get(play->form, "text"), "formula",
                                     &job.options, &error);
    if (job.result != NULL)
        put_result(&job, "formula.proof.json");
    else
        play_error(&error, &play->out);
    release(&job);
}

void play_egraph(struct play *play)
{
    struct job job;
    struct rw_error error;
    uint32_t nodes = 0, classes = 0;
    if (simplify(&job, play)) {
        struct rw_egraph *egraph = rw_result_egraph(job.result, &error);
        char *picture = egraph ? rw_egraph_picture(egraph, true, EXPLORER_PICTURE_NODES, &nodes,
                                                   &classes, &error)
                               : NULL;
        const char *svg = picture ? strstr(picture, "<svg") : NULL;
        if (svg != NULL) {
            buf_puts(&play->out, "<h2>E-graph</h2>\n<p class=\"quiet\">A box is a class of equal "
                                 "terms; what was chosen is marked.");
            if (classes > 0)
                buf_printf(&play->out, " %u classes and %u nodes further away are not shown.",
                           classes, nodes);
            buf_puts(&play->out,
                     "</p>\n<figure class=\"egraph\" tabindex=\"0\" aria-label=\"Picture "
                     "of the e-graph\">\n");
            buf_puts(&play->out, svg);
            buf_puts(&play->out, "</figure>\n");
        } else {
            play_error(&error, &play->out);
        }
        rw_free(picture);
        rw_egraph_free(egraph);
    }
    release(&job);
}

static void put_shape(const struct rw_missed_shape *shape, struct buf *out)
{
    buf_printf(out, "<tr><td class=\"number\">%llu</td>", (unsigned long long)shape->count);
    markup_in("<td><code>", shape->shape, "</code></td>", out);
    markup_in("<td><code>", shape->place, "</code></td><td>", out);
    if (shape->rule == NULL) {
        buf_puts(out, "<span class=\"quiet\">no rule has all its operators here</span>");
    } else {
        markup_in("<a href=\"../rule/", shape->rule->hash, "\">", out);
        markup_in("", shape->rule->name, "</a>: ", out);
        markup_in("", shape->kind, ": ", out);
        markup_in("<code>", shape->condition, "</code>", out);
        if (shape->found[0])
            markup_in("; found <code>", shape->found, "</code>", out);
    }
    buf_puts(out, "</td></tr>\n");
}

static void put_shapes(const struct rw_missed *missed, struct buf *out)
{
    enum { SHOWN = 100 };
    size_t n = rw_missed_count(missed);
    buf_printf(out,
               "<h2>What no rule makes fewer</h2>\n<p class=\"quiet\">Operators of the result "
               "that stand over each other, and the rule that came nearest.%s</p>\n",
               n > SHOWN ? " The most frequent 100." : "");
    if (n == 0) {
        buf_puts(out, "<p>Nothing was missed.</p>\n");
        return;
    }
    buf_puts(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\" "
                  "class=\"number\">times</th><th scope=\"col\">operators</th><th scope=\"col\">at"
                  "</th><th scope=\"col\">nearest rule, and why not</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n && i < SHOWN; i++)
        put_shape(rw_missed_at(missed, i), out);
    buf_puts(out, "</tbody></table></div>\n");
}

void play_missed(struct play *play)
{
    struct job job;
    struct rw_error error;
    struct rw_query_options options = {.size = sizeof options};
    if (simplify(&job, play)) {
        size_t n;
        const char *text = rw_result_text(job.result, &n);
        // The result as a program of its own.
        struct rw_program *program = rw_program_read(play->context, text, n, "result", &error);
        struct rw_missed *missed = program ? rw_query_missed(play->home->database, &options,
                                                             program, job.options.reading, &error)
                                           : NULL;
        if (missed != NULL)
            put_shapes(missed, &play->out);
        else
            play_error(&error, &play->out);
        rw_missed_free(missed);
        rw_program_free(program);
    }
    release(&job);
}
