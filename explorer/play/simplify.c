// SPDX-License-Identifier: Apache-2.0
// Programs and formulas: cheaper ones, and what was found equal.
#include "explorer/play/simplify.h"

#include "api/egraph/egraph.h"
#include "base/text/markup.h"
#include "explorer/limits.h"
#include "explorer/play/steps.h"

void simplified_release(struct simplified *job)
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

static bool read_program(struct simplified *job)
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

bool simplified_program(struct simplified *job, struct play *play)
{
    struct rw_error error;
    *job = (struct simplified){.play = play};
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

static void put_result(struct simplified *job, const char *name)
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
    struct simplified job;
    if (simplified_program(&job, play)) {
        size_t n;
        const char *text = rw_result_text(job.result, &n);
        put_result(&job, "program.proof.json");
        markup_in("<details><summary>The program after it</summary><pre class=\"copy\">", text,
                  "</pre></details>\n", &play->out);
    }
    simplified_release(&job);
}

void play_formula(struct play *play)
{
    struct simplified job = {.play = play, .options = {.size = sizeof job.options}};
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
    simplified_release(&job);
}

static void put_picture(const char *svg, const char *around, uint32_t nodes, uint32_t classes,
                        struct buf *out)
{
    buf_puts(out, "<h2>E-graph</h2>\n<p class=\"quiet\">A box is a class of equal terms; what was "
                  "chosen is marked.");
    if (around[0])
        markup_in(" The neighbourhood of class ", around, ".", out);
    if (classes > 0)
        buf_printf(out,
                   " %u classes and %u nodes further away are not shown: the field \"Around "
                   "class\" chooses another part<span class=\"with-script\">, and so does a double "
                   "click on a box</span>.",
                   classes, nodes);
    buf_puts(out, "</p>\n<figure class=\"egraph\" tabindex=\"0\" role=\"group\" "
                  "aria-label=\"Picture of the e-graph\">\n");
    buf_puts(out, svg);
    buf_puts(out, "</figure>\n");
}

void play_egraph(struct play *play)
{
    struct simplified job;
    struct rw_error error;
    uint32_t nodes = 0, classes = 0;
    const char *around = form_get(play->form, "around");
    if (simplified_program(&job, play)) {
        struct rw_egraph *egraph = rw_result_egraph(job.result, &error);
        char *picture =
            egraph ? egraph_picture_around(egraph, around[0] ? around : NULL, true,
                                           EXPLORER_PICTURE_NODES, &nodes, &classes, &error)
                   : NULL;
        const char *svg = picture ? strstr(picture, "<svg") : NULL;
        if (svg != NULL)
            put_picture(svg, around, nodes, classes, &play->out);
        else
            play_error(&error, &play->out);
        rw_free(picture);
        rw_egraph_free(egraph);
    }
    simplified_release(&job);
}
