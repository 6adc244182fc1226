// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/work.h"

#include "base/text/markup.h"
#include "explorer/limits.h"

#include <errno.h>
#include <unistd.h>

static const struct task {
    const char *name;
    void (*run)(struct play *play);
} tasks[] = {
    {"prove", play_prove},   {"check", play_check},   {"repair", play_repair},
    {"lint", play_lint},     {"known", play_known},   {"simplify", play_simplify},
    {"missed", play_missed}, {"egraph", play_egraph}, {"formula", play_formula},
    {"lift", play_lift},     {"record", play_record}, {"generalize", play_generalize},
    {"words", play_words},   {"smt2", play_smt2},     {"relatives", play_relatives},
    {"learn", play_learn},
};

void play_progress(const struct play *play, const char *fmt, ...)
{
    struct buf line = {0};
    va_list list;
    va_start(list, fmt);
    buf_vprintf(&line, fmt, list);
    va_end(list);
    message_send(play->home->out, MESSAGE_PROGRESS, buf_text(&line), line.len);
    buf_release(&line);
}

void play_refuse(const char *text, struct buf *out)
{
    markup_in("<p class=\"error\" role=\"alert\">", text, "</p>\n", out);
}

void play_error(const struct rw_error *error, struct buf *out)
{
    buf_puts(out, "<div class=\"error\" role=\"alert\">\n<p>");
    if (error->line > 0)
        buf_printf(out,
                   "<a href=\"#text\" data-line=\"%u\" data-column=\"%u\">Line %u, column "
                   "%u</a>: ",
                   error->line, error->column, error->line, error->column);
    markup_in("", error->message, "</p>\n", out);
    if (error->excerpt[0])
        markup_in("<pre>", error->excerpt, "</pre>\n", out);
    if (error->hint[0])
        markup_in("<p class=\"quiet\">", error->hint, "</p>\n", out);
    buf_puts(out, "</div>\n");
}

bool play_has_database(struct play *play)
{
    if (play->home->database == NULL)
        play_refuse(play->home->no_database, &play->out);
    return play->home->database != NULL;
}

void play_offer(const char *path, const char *task, const char *label, const char *text, size_t n,
                struct buf *out)
{
    struct buf copy = {0};
    buf_write(&copy, text, n);
    buf_printf(out,
               "<form class=\"offer\" method=\"post\" action=\"../%s#answer\">"
               "<input type=\"hidden\" name=\"task\" value=\"%s\">"
               "<textarea name=\"text\" hidden aria-label=\"Text\">\n",
               path, task);
    markup_text(buf_text(&copy), out);
    buf_printf(out, "</textarea><button class=\"plain\">%s</button></form>\n", label);
    buf_release(&copy);
}

struct rw_rules *play_rules(struct play *play)
{
    struct rw_rules *rules = rw_rules_new(play->context);
    const struct buf *text = form_find(play->form, "text");
    if (!rw_rules_parse(rules, text ? buf_text(text) : "", text ? text->len : 0, "", NULL))
        for (size_t i = 0; i < rw_rules_error_count(rules); i++)
            play_error(rw_rules_error(rules, i), &play->out);
    size_t n = rw_rules_count(rules);
    if (n == 0 && rw_rules_error_count(rules) == 0)
        play_refuse("The text has no rule.", &play->out);
    if (n > EXPLORER_RULES)
        play_refuse("The text has too many rules for one page; the command line takes any number.",
                    &play->out);
    if (n > 0 && n <= EXPLORER_RULES)
        return rules;
    rw_rules_free(rules);
    return NULL;
}

static bool read_all(int fd, struct buf *out)
{
    static char chunk[65536];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            buf_write(out, chunk, (size_t)n);
    }
}

static const struct task *task_named(const char *name)
{
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (strcmp(tasks[i].name, name) == 0)
            return &tasks[i];
    return NULL;
}

bool play_work(const struct play_home *home)
{
    struct buf bytes = {0};
    struct form form = {0};
    bool ok = read_all(home->in, &bytes) && form_read(&form, buf_text(&bytes), bytes.len);
    const struct task *task = ok ? task_named(form_get(&form, "task")) : NULL;
    struct play play = {.home = home, .form = &form, .context = home->context};
    if (task != NULL)
        task->run(&play);
    ok = task != NULL && message_send(home->out, play.kind ? play.kind : MESSAGE_HTML,
                                      buf_text(&play.out), play.out.len);
    buf_release(&play.out);
    buf_release(&bytes);
    form_release(&form);
    return ok;
}
