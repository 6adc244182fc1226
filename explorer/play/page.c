// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/page.h"

#include "explorer/pages/query.h"
#include "explorer/play/grounds.h"

// The values of the fields: of a form, or of a query.
struct fields {
    const struct play_ground *ground;
    const struct form *form;
    const struct play_example *example;
    struct query_pairs query;
    struct rw_report *rule;
};

static const char *example_value(const struct play_example *example, const char *name)
{
    if (strcmp(name, "text") == 0)
        return example->text;
    for (size_t i = 0; i < 4 && example->field[i][0] != NULL; i++)
        if (strcmp(example->field[i][0], name) == 0)
            return example->field[i][1];
    return "";
}

static const char *value_of(const struct fields *fields, const char *name)
{
    const char *value;
    if (fields->form != NULL)
        return form_get(fields->form, name);
    if ((value = query_value(&fields->query, name, 0)) != NULL)
        return value;
    if (fields->rule != NULL && rw_report_count(fields->rule) > 0 && strcmp(name, "text") == 0)
        return rw_report_rule(fields->rule, 0)->source;
    return fields->example ? example_value(fields->example, name) : "";
}

static void put_select(const struct fields *fields, const struct play_input *input, struct buf *out)
{
    const char *value = value_of(fields, input->name);
    buf_printf(out, "<select id=\"%s\" name=\"%s\">\n", input->name, input->name);
    for (const struct play_choice *choice = input->choices; choice->value != NULL; choice++)
        buf_printf(out, "<option value=\"%s\"%s>%s</option>\n", choice->value,
                   strcmp(value, choice->value) == 0 ? " selected" : "", choice->text);
    buf_puts(out, "</select>\n");
}

static void put_input(const struct fields *fields, const struct play_input *input, struct buf *out)
{
    buf_printf(out, "<div class=\"field%s\">\n<label for=\"%s\">%s</label>\n",
               input->rows ? " long" : "", input->name, input->label);
    if (input->choices != NULL) {
        put_select(fields, input, out);
    } else if (input->rows > 0) {
        buf_printf(out,
                   "<div class=\"editor\"><textarea id=\"%s\" name=\"%s\" rows=\"%u\" "
                   "spellcheck=\"false\" autocapitalize=\"off\" autocomplete=\"off\" required>\n",
                   input->name, input->name, input->rows);
        markup_text(value_of(fields, input->name), out);
        buf_puts(out, "</textarea></div>\n");
    } else {
        buf_printf(out,
                   "<input id=\"%s\" name=\"%s\" autocomplete=\"off\" spellcheck=\"false\" "
                   "placeholder=\"%s\" value=\"",
                   input->name, input->name, input->hint ? input->hint : "");
        markup_text(value_of(fields, input->name), out);
        buf_puts(out, "\">\n");
    }
    if (input->file)
        buf_printf(out,
                   "<p class=\"quiet file\"><label for=\"%s-file\">or a file</label> <input "
                   "id=\"%s-file\" type=\"file\" name=\"%s\"></p>\n",
                   input->name, input->name, input->name);
    buf_puts(out, "</div>\n");
}

static void put_inputs(const struct fields *fields, bool extra, struct buf *out)
{
    const struct play_ground *ground = fields->ground;
    for (size_t i = 0; i < ground->n_inputs; i++)
        if (ground->inputs[i].extra == extra)
            put_input(fields, &ground->inputs[i], out);
}

static void put_form(const struct frame *frame, const struct fields *fields, struct buf *out)
{
    const struct play_ground *ground = fields->ground;
    bool file = false;
    for (size_t i = 0; i < ground->n_inputs; i++)
        file = file || ground->inputs[i].file;
    buf_puts(out, "<form class=\"play\" method=\"post\" action=\"");
    frame_link(frame, ground->path, out);
    buf_printf(out, "#answer\"%s data-what=\"%s\">\n",
               file ? " enctype=\"multipart/form-data\"" : "", ground->what);
    put_inputs(fields, false, out);
    buf_puts(out, "<div class=\"options\">\n");
    put_inputs(fields, true, out);
    buf_puts(out, "</div>\n<p class=\"tasks\">\n");
    for (size_t i = 0; i < ground->n_tasks; i++)
        if (!ground->tasks[i].quick)
            buf_printf(out, "<button name=\"task\" value=\"%s\" title=\"%s\"%s>%s</button>\n",
                       ground->tasks[i].name, ground->tasks[i].hint,
                       ground->tasks[i].later ? " class=\"plain\"" : "", ground->tasks[i].label);
    buf_puts(out, "<button type=\"button\" class=\"plain with-script\" id=\"stop\" hidden>Stop"
                  "</button>\n</p>\n</form>\n");
}

static void put_examples(const struct frame *frame, const struct fields *fields, struct buf *out)
{
    const struct play_ground *ground = fields->ground;
    if (ground->examples == NULL)
        return;
    buf_puts(out, "<section class=\"examples\" aria-labelledby=\"examples\">\n"
                  "<h2 id=\"examples\">Examples</h2>\n<ul>\n");
    for (const struct play_example *one = ground->examples; one->key; one++) {
        struct buf path = {0};
        buf_printf(&path, "%s?example=", ground->path);
        frame_part(one->key, &path);
        buf_puts(out, "<li>");
        frame_anchor(frame, buf_text(&path), one->title, out);
        markup_in("<br><span class=\"quiet\">", one->about, "</span></li>\n", out);
        buf_release(&path);
    }
    buf_puts(out, "</ul>\n</section>\n");
}

static void read_query(struct fields *fields, struct rw_database *database, const char *query)
{
    query_read(&fields->query, query);
    const char *key = query_value(&fields->query, "example", 0);
    const char *rule = query_value(&fields->query, "rule", 0);
    fields->example = key ? play_example_named(fields->ground, key) : NULL;
    if (key == NULL && rule == NULL && query_value(&fields->query, "text", 0) == NULL)
        fields->example = fields->ground->examples;
    if (rule != NULL && database != NULL)
        fields->rule = rw_query_rule(database, rule, NULL);
}

bool play_page(struct rw_database *database, const char *path, const char *query,
               const struct form *form, const char *answer, struct explorer_body *out)
{
    static const char *const scripts[] = {"play.js", "play-editor.js", "play-movie.js",
                                          "picture.js", NULL};
    struct fields fields = {.ground = play_ground_at(path), .form = form};
    if (fields.ground == NULL)
        return false;
    struct frame frame = {.path = path,
                          .title = fields.ground->title,
                          .description = fields.ground->lead,
                          .entry = FRAME_PLAY,
                          .scripts = scripts,
                          .style = "play.css",
                          .wide = "wide"};
    if (form == NULL)
        read_query(&fields, database, query);
    out->status = 200;
    out->content_type = "text/html; charset=utf-8";
    frame_begin(&frame, &out->bytes);
    markup_in("<h1>", fields.ground->title, "</h1>\n", &out->bytes);
    markup_in("<p class=\"lead\">", fields.ground->lead, "</p>\n", &out->bytes);
    buf_puts(&out->bytes, "<div class=\"playground\">\n<div>\n");
    put_form(&frame, &fields, &out->bytes);
    buf_puts(&out->bytes, "<p id=\"progress\" class=\"quiet\" role=\"status\"></p>\n</div>\n");
    put_examples(&frame, &fields, &out->bytes);
    buf_puts(&out->bytes,
             "</div>\n<section id=\"answer\" aria-label=\"Answer\" tabindex=\"-1\">\n");
    buf_puts(&out->bytes, answer ? answer : "");
    buf_puts(&out->bytes, "</section>\n");
    frame_end(&frame, &out->bytes);
    query_pairs_release(&fields.query);
    rw_report_free(fields.rule);
    return true;
}

bool play_has_task(const char *path, const char *task, bool *quick)
{
    const struct play_ground *ground = play_ground_at(path);
    for (size_t i = 0; ground != NULL && i < ground->n_tasks; i++)
        if (strcmp(ground->tasks[i].name, task) == 0) {
            *quick = ground->tasks[i].quick;
            return true;
        }
    return false;
}
