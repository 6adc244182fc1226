// SPDX-License-Identifier: Apache-2.0
// Why a program did not become cheaper: at each operation of the result the rules that came near.
#include "explorer/play/simplify.h"

#include "api/questions/rule_search.h"
#include "base/text/markup.h"

enum { NEAREST = 8 }; // rules of one operation

static void put_rule_link(const struct rw_rule *rule, struct buf *out)
{
    markup_in("<a href=\"../rule/", rule->hash, "\">", out);
    markup_in("", rule->name, "</a>", out);
}

static void put_shape(const struct rw_missed_shape *shape, struct buf *out)
{
    buf_printf(out, "<tr><td class=\"number\">%llu</td>", (unsigned long long)shape->count);
    markup_in("<td><code>", shape->shape, "</code></td>", out);
    markup_in("<td><code>", shape->place, "</code></td><td>", out);
    if (shape->rule == NULL) {
        buf_puts(out, "<span class=\"quiet\">no rule has all its operators here</span>");
    } else {
        put_rule_link(shape->rule, out);
        markup_in(": ", shape->kind, ": ", out);
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

// ---- operation by operation

static void put_miss(const struct rw_match *match, const struct rw_near_miss *miss, struct buf *out)
{
    buf_puts(out, "<li>");
    put_rule_link(match->rule, out);
    markup_in(": ", miss->kind, " <code>", out);
    markup_in("", miss->condition, "</code>", out);
    if (miss->found[0])
        markup_in(", found <code>", miss->found, "</code>", out);
    if (match->rule->doc[0])
        markup_in("<br><span class=\"quiet\">", match->rule->doc, "</span>", out);
    buf_puts(out, "</li>\n");
}

// Rules that match nowhere come first: a rule that matches somewhere was used where it helps.
static size_t put_near(const struct rw_matches *matches, const char *words, struct buf *out)
{
    size_t n = 0;
    for (int matching = 0; matching < 2; matching++)
        for (size_t i = 0; i < rw_matches_count(matches); i++) {
            const struct rw_match *match = rw_matches_at(matches, i);
            for (size_t k = 0; k < match->n_misses && (match->matches > 0) == (matching == 1); k++)
                if (strcmp(match->misses[k].place, words) == 0 && n++ < NEAREST)
                    put_miss(match, &match->misses[k], out);
        }
    return n;
}

static void put_line(const char *text, size_t n, uint32_t number, struct buf *out)
{
    struct buf line = {0};
    buf_write(&line, text, n);
    buf_printf(out, "<code><i>%u</i>", number);
    markup_in("", buf_text(&line), "</code>", out);
    buf_release(&line);
}

// One line of the program; a line with an operation that a rule came near opens.
static void put_operation(const char *text, size_t n, uint32_t number,
                          const struct program_places *places, const struct rw_matches *matches,
                          struct buf *out)
{
    struct buf near = {0};
    size_t rules = 0, operations = 0;
    for (uint32_t i = 0; i < places->at.len; i++)
        if (places->at.at[i].line == number) {
            operations++;
            rules += put_near(matches, places->at.at[i].words, &near);
        }
    buf_puts(out, rules > 0 ? "<details><summary>" : "<div>");
    put_line(text, n, number, out);
    if (rules > 0) {
        buf_printf(out, " <span class=\"near\">%zu near</span></summary>\n<ul>\n%s", rules,
                   buf_text(&near));
        if (rules > operations * NEAREST)
            buf_puts(out, "<li class=\"quiet\">and more, which are further away</li>\n");
        buf_puts(out, "</ul>\n</details>\n");
    } else {
        buf_puts(out,
                 operations > 0 ? " <span class=\"near\">none near</span></div>\n" : "</div>\n");
    }
    buf_release(&near);
}

static void put_operations(const char *text, const struct program_places *places,
                           const struct rw_matches *matches, struct buf *out)
{
    uint32_t number = 1;
    buf_puts(out, "<h2>Why not less?</h2>\n<p class=\"quiet\">The program after it. Open an "
                  "operation to see the rules that came near there, and the condition that "
                  "failed.</p>\n<div class=\"operations\">\n");
    for (const char *at = text; *at; number++) {
        size_t n = strcspn(at, "\n");
        put_operation(at, n, number, places, matches, out);
        at += n + (at[n] == '\n');
    }
    buf_puts(out, "</div>\n");
}

static bool put_fires(struct simplified *job, const char *text, size_t n, struct rw_error *error)
{
    struct play *play = job->play;
    struct rw_query_options options = {.size = sizeof options};
    struct program_places places;
    struct rw_program *program = rw_program_read(play->context, text, n, "result", error);
    if (program == NULL)
        return false;
    program_places_find(program, &places);
    play_progress(play, "looking for rules that came near");
    struct rw_matches *matches =
        rw_query_fires(play->home->database, &options, program, job->options.reading, error);
    if (matches != NULL)
        put_operations(text, &places, matches, &play->out);
    bool ok = matches != NULL;
    rw_matches_free(matches);
    program_places_release(&places);
    rw_program_free(program);
    return ok;
}

static bool put_missed(struct simplified *job, const char *text, size_t n, struct rw_error *error)
{
    struct play *play = job->play;
    struct rw_query_options options = {.size = sizeof options};
    // The result as a program of its own.
    struct rw_program *program = rw_program_read(play->context, text, n, "result", error);
    struct rw_missed *missed = program ? rw_query_missed(play->home->database, &options, program,
                                                         job->options.reading, error)
                                       : NULL;
    if (missed != NULL)
        put_shapes(missed, &play->out);
    bool ok = missed != NULL;
    rw_missed_free(missed);
    rw_program_free(program);
    return ok;
}

void play_missed(struct play *play)
{
    struct simplified job;
    struct rw_error error;
    if (simplified_program(&job, play)) {
        size_t n;
        const char *text = rw_result_text(job.result, &n);
        if (!put_fires(&job, text, n, &error) || !put_missed(&job, text, n, &error))
            play_error(&error, &play->out);
    }
    simplified_release(&job);
}
