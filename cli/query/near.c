// SPDX-License-Identifier: Apache-2.0
// What is said when a filter finds nothing.
#include "cli/query/query.h"

#include "api/database/filters.h"
#include "base/text/suggest.h"

// The nearest value, or word of a value, which is as good where a part of it is enough.
struct near_value {
    struct nearest nearest;
    struct buf word; // a copy, since values are lent
    bool words;
};

static void consider(struct near_value *near, const char *text, size_t n)
{
    uint32_t before = near->nearest.edits;
    nearest_consider(&near->nearest, text, n);
    if (near->nearest.edits == before)
        return;
    buf_clear(&near->word);
    buf_write(&near->word, text, n);
}

static void consider_value(void *user, const char *text, uint64_t rules)
{
    struct near_value *near = user;
    if (rules == 0)
        return;
    consider(near, text, strlen(text));
    while (near->words && *text) {
        size_t n = strcspn(text, " ");
        consider(near, text, n);
        text += n + strspn(text + n, " ");
    }
}

// Does any rule pass this filter alone?
static bool passes_alone(struct rw_database *database, const char *filter)
{
    struct rw_query_options options = {.size = sizeof options, .filters = &filter, .n_filters = 1};
    struct rw_error error;
    struct rw_report *report = rw_query(database, &options, &error);
    bool passes = report != NULL && rw_report_count(report) > 0;
    rw_report_free(report);
    return passes;
}

static void note_filter(struct rw_database *database, const char *word, const char *name)
{
    struct rw_query_options all = {.size = sizeof all};
    struct rw_error error;
    const char *value = word + strlen(name) + 1;
    struct near_value near = {.nearest = nearest_to(value, strlen(value)),
                              .words = strcmp(name, "origin") == 0};
    (void)rw_query_values(database, &all, name, consider_value, &near, &error);
    if (near.word.len > 0)
        note("%s: no rule has this value; did you mean %s? rankwright query --values %s lists the "
             "values",
             word, buf_text(&near.word), name);
    else
        note("%s: no rule has this value; rankwright query --values %s lists the values", word,
             name);
    buf_release(&near.word);
}

static bool is_filter(const char *word)
{
    const char *filter;
    bool valued;
    for (uint32_t i = 0; (filter = query_filter(i, &valued)) != NULL; i++) {
        size_t n = strlen(filter);
        if (strncmp(word, filter, n) == 0 && word[n] == (valued ? '=' : '\0'))
            return true;
    }
    return strcmp(word, "precondition") == 0;
}

static void consider_filters(struct nearest *nearest, bool with_value)
{
    const char *filter;
    bool valued;
    for (uint32_t i = 0; (filter = query_filter(i, &valued)) != NULL; i++)
        if (valued == with_value)
            nearest_consider(nearest, filter, strlen(filter));
}

// A word that is no filter is a part of the text of rules; it may be a filter that was misspelt.
static void note_text(const char *word)
{
    struct nearest nearest = nearest_to(word, strcspn(word, "="));
    if (strchr(word, '=') == NULL)
        consider_filters(&nearest, false);
    uint32_t plain = nearest.edits;
    consider_filters(&nearest, true);
    if (nearest.word != NULL)
        note("%s: searched as a text, and no rule has it; did you mean the filter %s%s?", word,
             nearest.word, nearest.edits < plain ? "=" : "");
}

void query_note_filters(const struct command_line *command, struct rw_database *database,
                        bool found)
{
    static const char *const names[] = {"family", "origin", "precondition"};
    for (uint32_t i = 0; i < command->words.len; i++) {
        const char *word = command->words.at[i];
        if (!found && !is_filter(word) && !passes_alone(database, word))
            note_text(word);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            size_t n = strlen(names[k]);
            if (strncmp(word, names[k], n) != 0 || word[n] != '=')
                continue;
            if (!passes_alone(database, word))
                note_filter(database, word, names[k]);
            else if (!found)
                note("%s: no rule that passes the other filters; rankwright query --values %s "
                     "lists the values",
                     word, names[k]);
        }
    }
}
