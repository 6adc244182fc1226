// SPDX-License-Identifier: Apache-2.0
// A rule from two example programs: in words, with its picture, its verdicts and where it fails.
#include "explorer/play/work.h"

#include "base/text/markup.h"
#include "explorer/pages/rule.h"

static struct rw_program *read_field(struct play *play, const char *name)
{
    struct rw_error error = {0};
    const struct buf *text = form_find(play->form, name);
    if (text == NULL || text->len == 0)
        return NULL;
    struct rw_program *program =
        rw_program_read(play->context, buf_text(text), text->len, "", &error);
    if (program == NULL)
        play_error(&error, &play->out);
    return program;
}

// Of a rule that elements move in.
static void put_drawing(const char *text, struct buf *out)
{
    struct ruleset set;
    struct err err = {0};
    ruleset_init(&set);
    const struct rule *rule = ruleset_add(&set, text, "learned", &err);
    if (rule != NULL)
        picture_section(rule, out);
    ruleset_release(&set);
}

static void put_case(const struct rw_learn_case *one, struct buf *out)
{
    bool needs = strncmp(one->name, "needs", strlen("needs")) == 0;
    markup_in(needs ? "<details><summary>Without <code>" : "<details><summary>In domain <code>",
              one->what, "</code></summary>\n", out);
    if (one->module != NULL)
        markup_in("<pre>", one->module, "</pre>\n", out);
    else
        markup_in("<p>No program shows it: ", one->why, ".</p>\n", out);
    buf_puts(out, "</details>\n");
}

static void put_cases(struct rw_learned *learned, struct buf *out)
{
    size_t n = rw_learned_case_count(learned);
    if (rw_learned_module(learned)[0])
        markup_in("<details><summary>The difference as a program that runs</summary>\n<pre>",
                  rw_learned_module(learned), "</pre>\n</details>\n", out);
    if (n > 0)
        buf_puts(out, "<h2>Where it fails</h2>\n<p>Programs that run, at other sizes, of which "
                      "the one after differs from the one before.</p>\n");
    for (size_t i = 0; i < n; i++)
        put_case(rw_learned_case(learned, i), out);
}

static void put_learned(struct play *play, struct rw_learned *learned)
{
    static const char *const titles[] = {[RW_LEARN_RULE] = "A rule",
                                         [RW_LEARN_LAYOUT] = "No rule is needed",
                                         [RW_LEARN_UNKNOWN] = "No rule was proved",
                                         [RW_LEARN_DIFFERENT] = "Not equal"};
    const struct rw_learn_answer *answer = rw_learned_answer(learned);
    char *text = rw_learned_describe(learned);
    markup_in("<section class=\"result\">\n<h2>", titles[answer->word], "</h2>\n", &play->out);
    markup_in("<pre>", text, "</pre>\n</section>\n", &play->out);
    rw_free(text);
    if (answer->rule != NULL) {
        put_drawing(answer->rule, &play->out);
        play_offer("play/rules", "prove", "Prove this rule", answer->rule, strlen(answer->rule),
                   &play->out);
    }
    put_cases(learned, &play->out);
}

void play_learn(struct play *play)
{
    struct rw_error error = {0};
    struct rw_learn_options options = {.size = sizeof options, .seed = 1};
    struct rw_program *before = read_field(play, "text");
    struct rw_program *after = read_field(play, "after");
    bool both = form_get(play->form, "after")[0] == '\0';
    if (before == NULL && play->out.len == 0)
        play_refuse("There is no program before.", &play->out);
    options.two_of_one = both;
    if (before != NULL && (after != NULL || both)) {
        play_progress(play, "running both programs, then learning");
        struct rw_learned *learned =
            rw_learn(play->context, before, both ? before : after, &options, &error);
        if (learned != NULL)
            put_learned(play, learned);
        else
            play_error(&error, &play->out);
        rw_learned_free(learned);
    }
    rw_program_free(before);
    rw_program_free(after);
}
