// SPDX-License-Identifier: Apache-2.0
// The least set of rules that makes two different values equal.
#include "simplify/engine/core.h"

#include "egraph/plain/analysis/reals.h"

// A term on which the rules make two different values equal.
struct contradiction {
    struct fterms *terms;
    fterm term;
    const struct engine_rules *rules;
    const struct engine_options *options;
    struct buf text; // rules that still do
};

static bool contradicts(const struct contradiction *contradiction, const char *text,
                        struct err *err)
{
    struct engine engine = {.terms = contradiction->terms, .options = contradiction->options};
    const struct engine_rules *rules = contradiction->rules;
    const struct engine_rules some = {text, rules->n_givens, rules->given, NULL};
    struct err none = {0};
    bool yes = engine_prepare(&engine, &some, 1, &contradiction->term, &none) &&
               run_rounds(&engine.run) == RUN_CONFLICT && !reals_fail(&engine.reals, err);
    engine_end(&engine);
    return yes;
}

static void put_lines(const struct u32_vec *start, const char *text, uint32_t from, uint32_t to,
                      struct buf *out)
{
    for (uint32_t i = 0; i < start->len; i++) {
        const char *string = text + start->at[i];
        if (i < from || i >= to)
            buf_write(out, string, strcspn(string, "\n") + (strchr(string, '\n') != NULL));
    }
}

// Drops n lines of the text if the rest has the contradiction, too.
static bool drop_lines(struct contradiction *contradiction, uint32_t from, uint32_t n,
                       struct err *err)
{
    struct buf *text = &contradiction->text;
    struct u32_vec start = {0};
    struct buf rest = {0};
    const char *all = buf_text(text);
    for (const char *string = all; *string != 0;) {
        vec_push(&start, (uint32_t)(string - all));
        string += strcspn(string, "\n");
        string += *string == '\n';
    }
    put_lines(&start, all, from, from + n, &rest);
    bool yes = from < start.len && contradicts(contradiction, buf_text(&rest), err);
    if (yes) {
        buf_clear(text);
        buf_puts(text, buf_text(&rest));
    }
    buf_release(&rest);
    vec_release(&start);
    return yes;
}

bool engine_contradiction(struct fterms *terms, fterm term, const struct engine_rules *rules,
                          const struct engine_options *options, struct buf *names, struct err *err)
{
    struct contradiction contradiction = {
        .terms = terms, .term = term, .rules = rules, .options = options};
    uint32_t lines = 0;
    if (!contradicts(&contradiction, rules->text, err))
        return false;
    buf_puts(&contradiction.text, rules->text);
    for (const char *string = rules->text; *string != 0; string++)
        lines += *string == '\n';
    for (uint32_t n = lines; n > 0; n /= 2)
        for (uint32_t i = 0; i < lines;)
            if (!drop_lines(&contradiction, i, n, err))
                i += n;
    for (const char *line = buf_text(&contradiction.text); *line != 0; line += *line == '\n') {
        buf_puts(names, names->len > 0 ? ", " : "");
        buf_write(names, line, strcspn(line, ":\n"));
        line += strcspn(line, "\n");
    }
    buf_release(&contradiction.text);
    return true;
}
