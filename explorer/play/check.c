// SPDX-License-Identifier: Apache-2.0
// Records checked step by step, and kernels.
#include "explorer/play/steps.h"

#include "api/kernel/record.h"
#include "base/text/markup.h"

#include <jansson.h>

static struct rw_check_options options_of(const struct play *play)
{
    return (struct rw_check_options){.size = sizeof(struct rw_check_options),
                                     .database = play->home->database,
                                     .no_database = play->home->no_database};
}

static void put_word(bool valid, struct buf *out)
{
    buf_printf(out, "<p class=\"outcome\"><span class=\"verdict %s\">%s</span> ",
               valid ? "proved" : "refuted", valid ? "valid" : "rejected");
}

static void put_check(const struct rw_check *check, struct buf *out)
{
    put_word(check->valid, out);
    if (check->valid)
        buf_printf(out, "%u lines, %u uses of %u rules, each rule proved in the database.</p>\n",
                   check->lines, check->rule_uses, check->rules);
    else
        markup_in("", check->reason, "</p>\n", out);
    for (size_t i = 0; i < check->n_renamed; i++) {
        markup_in("<p class=\"quiet\">The record calls a rule ", check->renamed[i].record, "", out);
        markup_in("; the database calls it ", check->renamed[i].database, ".</p>\n", out);
    }
}

static void check_kernel(struct play *play, const char *text, size_t n)
{
    struct rw_error error;
    struct rw_check_options options = options_of(play);
    bool valid = false;
    char *lines = NULL;
    if (!rw_check_kernel(play->context, text, n, "record", &options, &valid, &lines, &error)) {
        play_error(&error, &play->out);
        return;
    }
    put_word(valid, &play->out);
    markup_in("</p>\n<pre>", lines, "</pre>\n", &play->out);
    rw_free(lines);
}

void play_record(struct play *play)
{
    struct rw_error error;
    struct rw_check_options options = options_of(play);
    const char *text = form_get(play->form, "text");
    size_t n = strlen(text);
    if (is_kernel_record(text, n)) {
        check_kernel(play, text, n);
        return;
    }
    struct rw_check *check = rw_check_record(play->context, text, n, "record", &options, &error);
    if (check == NULL) {
        play_error(&error, &play->out);
        return;
    }
    put_check(check, &play->out);
    play_steps(play, text, n, check);
    rw_check_free(check);
}

static const char *given(const struct play *play, const char *name)
{
    const char *text = form_get(play->form, name);
    return text[0] ? text : NULL;
}

static void put_obligations(const json_t *list, struct buf *out)
{
    buf_printf(out, "<details><summary>%zu obligations</summary>\n<ul>\n", json_array_size(list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *about = json_string_value(json_object_get(one, "about"));
        bool holds = json_is_true(json_object_get(one, "holds"));
        markup_in(holds ? "<li>" : "<li><b>open:</b> ", about ? about : "", "</li>\n", out);
    }
    buf_puts(out, "</ul>\n</details>\n");
}

static void put_texts(const char *title, const json_t *list, struct buf *out)
{
    if (json_array_size(list) == 0)
        return;
    markup_in("<p>", title, ":", out);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        markup_in(i ? ", <code>" : " <code>", text ? text : "", "</code>", out);
    }
    buf_puts(out, "</p>\n");
}

static void put_output(const struct rw_kernel_output *output, struct buf *out)
{
    static const char *const words[] = {"proved", "derived", "refused", "refuted"};
    static const char *const kinds[] = {"proved", "unknown", "unknown", "refuted"};
    json_t *json = json_loads(output->json, 0, NULL);
    const char *elements = json_string_value(json_object_get(json, "elements"));
    markup_in("<section class=\"result\">\n<h2>", output->array, "", out);
    buf_printf(out, " <span class=\"verdict %s\">%s</span></h2>\n", kinds[output->word],
               words[output->word]);
    if (output->formula != NULL) {
        markup_in("<pre>", output->formula, "</pre>\n", out);
        play_offer("play/formulas", "formula", "Simplify this formula", output->formula,
                   strlen(output->formula), out);
    }
    if (elements != NULL)
        markup_in("<p>", elements, "</p>\n", out);
    put_texts("It needs", json_object_get(json, "needs"), out);
    put_obligations(json_object_get(json, "obligations"), out);
    buf_puts(out, "</section>\n");
    json_decref(json);
}

void play_lift(struct play *play)
{
    struct rw_error error;
    struct rw_kernel_options options = {.size = sizeof options,
                                        .grid = given(play, "grid"),
                                        .assume = given(play, "assume"),
                                        .expect = given(play, "expect")};
    const char *text = form_get(play->form, "text"), *expected = "";
    struct rw_lifted *lifted =
        rw_lift(play->context, text, strlen(text), "kernel", &options, &error);
    if (lifted == NULL) {
        play_error(&error, &play->out);
        return;
    }
    rw_lifted_expected(lifted, &expected);
    if (expected != NULL && expected[0])
        markup_in("<h2>Expected</h2>\n<pre>", expected, "</pre>\n", &play->out);
    for (size_t i = 0; i < rw_lifted_count(lifted); i++)
        put_output(rw_lifted_output(lifted, i), &play->out);
    char *record = rw_lifted_record(lifted);
    if (record != NULL)
        play_download(record, strlen(record), "kernel.proof.json", &play->out);
    rw_free(record);
    rw_lifted_free(lifted);
}
