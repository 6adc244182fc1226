// SPDX-License-Identifier: Apache-2.0
#include "explorer/pages/library.h"
#include "explorer/pages/frame.h"
#include "rules/reasons.h"
#include <ctype.h>
#include <stdlib.h>

void library_release(struct library *library)
{
    for (uint32_t i = 0; i < library->rules.len; i++) {
        vec_release(&library->rules.at[i].operators);
        vec_release(&library->rules.at[i].roles);
    }
    vec_release(&library->rules);
    vec_release(&library->by_hash);
    arena_release(&library->mem);
    rw_report_free(library->report);
    mem_free(library->stamp);
    buf_release(&library->index);
    *library = (struct library){.database = library->database};
}

// Can the text be the name of a file, and one part of an address?
static bool is_part(const char *text)
{
    size_t n = strlen(text);
    return n > 0 && n < 200 && strchr(text, '/') == NULL && text[strspn(text, ".")] != 0;
}

static const char *keep(struct library *library, struct buf *text)
{
    const char *kept = arena_strdup(&library->mem, buf_text(text));
    buf_release(text);
    return kept;
}

// The statement stands behind the declarations: "\n  left\n    => right;\n}".
static const char *statement_of(struct library *library, const char *source)
{
    const char *arrow = strstr(source, "\n    => "), *end = arrow ? strstr(arrow, ";\n}") : NULL;
    struct buf text = {0};
    if (end == NULL)
        return "";
    const char *start = arrow;
    while (start > source && start[-1] != '\n')
        start--;
    start += strspn(start, " ");
    buf_write(&text, start, (size_t)(arrow - start));
    buf_write(&text, arrow + 4, (size_t)(end - arrow - 4));
    return keep(library, &text);
}

static const char *words_of(struct library *library, const struct library_rule *entry)
{
    const struct rw_rule *rule = entry->rule;
    struct buf text = {0};
    buf_printf(&text, "%s/%s %s %s", rule->family, rule->name, rule->doc, rule->source);
    for (size_t i = 0; i < rule->n_origins; i++)
        buf_printf(&text, " %s", rule->origins[i]);
    for (size_t i = 0; i < text.len; i++)
        text.at[i] = (char)tolower((unsigned char)text.at[i]);
    return keep(library, &text);
}

static const char *path_of(struct library *library, const struct rw_rule *rule, bool encoded)
{
    struct buf text = {0};
    bool named = is_part(rule->family) && is_part(rule->name);
    buf_puts(&text, "rule/");
    if (named && encoded) {
        frame_part(rule->family, &text);
        buf_putc(&text, '/');
        frame_part(rule->name, &text);
    } else if (named) {
        buf_printf(&text, "%s/%s", rule->family, rule->name);
    } else {
        buf_puts(&text, rule->hash);
    }
    return keep(library, &text);
}

static void add_rule(struct library *library, const struct rw_rule *rule)
{
    struct library_rule entry = {
        .rule = rule,
        .path = path_of(library, rule, true),
        .file = path_of(library, rule, false),
        .statement = statement_of(library, rule->source),
    };
    entry.words = words_of(library, &entry);
    for (size_t i = 0; i < rule->n_verdicts; i++)
        if ((unsigned)rule->verdicts[i]->domain < LIBRARY_DOMAINS)
            entry.in[rule->verdicts[i]->domain] = rule->verdicts[i];
    vec_push(&library->by_hash, library->rules.len);
    vec_push(&library->rules, entry);
}

static const struct library *sorted; // of the comparison that runs

static int by_hash(const void *a, const void *b)
{
    const struct library_rule *rules = sorted->rules.at;
    int order =
        strcmp(rules[*(const uint32_t *)a].rule->hash, rules[*(const uint32_t *)b].rule->hash);
    return order ? order : *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

// The first of the rules with the hash, in by_hash; rules.len: none.
static uint32_t find_hash(const struct library *library, const char *hash)
{
    uint32_t low = 0, high = library->by_hash.len;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct library_rule *rule = &library->rules.at[library->by_hash.at[middle]];
        if (strcmp(rule->rule->hash, hash) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct library_rule *at_hash(const struct library *library, const char *hash)
{
    uint32_t place = find_hash(library, hash);
    if (place == library->by_hash.len)
        return NULL;
    struct library_rule *rule = &library->rules.at[library->by_hash.at[place]];
    return strcmp(rule->rule->hash, hash) == 0 ? rule : NULL;
}

const struct library_rule *library_by_hash(const struct library *library, const char *hash)
{
    return at_hash(library, hash);
}

const struct library_rule *library_by_name(const struct library *library, const char *family,
                                           const char *name)
{
    uint32_t low = 0, high = library->rules.len;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct rw_rule *rule = library->rules.at[middle].rule;
        int order = strcmp(rule->family, family);
        if (order == 0)
            order = strcmp(rule->name, name);
        if (order == 0)
            return &library->rules.at[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void add_once(struct library *library, text_list *list, const char *text, size_t n)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (strlen(list->at[i]) == n && strncmp(list->at[i], text, n) == 0)
            return;
    vec_push(list, arena_strndup(&library->mem, text, n));
}

static void add_operator(void *user, int n, const char *const *names, const char *const *texts)
{
    struct library *library = user;
    struct library_rule *rule = n == 2 && texts[0] ? at_hash(library, texts[0]) : NULL;
    (void)names;
    if (rule && texts[1] && is_part(texts[1])) // operators have pages
        add_once(library, &rule->operators, texts[1], strlen(texts[1]));
}

// Roles stand between blanks.
static void add_roles(void *user, int n, const char *const *names, const char *const *texts)
{
    struct library *library = user;
    struct library_rule *rule = n == 2 && texts[0] ? at_hash(library, texts[0]) : NULL;
    (void)names;
    for (const char *at = rule ? texts[1] : NULL; at && *at;) {
        size_t word = strcspn(at, " ");
        if (word)
            add_once(library, &rule->roles, at, word);
        at += word + (at[word] == ' ');
    }
}

static void take_stamp(void *user, int n, const char *const *names, const char *const *texts)
{
    struct buf *stamp = user;
    (void)names;
    buf_puts(stamp, n == 1 && texts[0] ? texts[0] : "");
}

static bool read_rules(struct library *library, struct rw_error *error)
{
    struct rw_query_options options = {.size = sizeof options};
    library->report = rw_query(library->database, &options, error);
    if (library->report == NULL)
        return false;
    for (size_t i = 0; i < rw_report_count(library->report); i++)
        add_rule(library, rw_report_rule(library->report, i));
    sorted = library;
    if (library->by_hash.len > 0)
        qsort(library->by_hash.at, library->by_hash.len, sizeof *library->by_hash.at, by_hash);
    return rw_query_sql(library->database, "SELECT rule, op FROM operator ORDER BY op, rule",
                        add_operator, library, error) &&
           rw_query_sql(library->database,
                        "SELECT rule, roles FROM precondition ORDER BY rule, seq", add_roles,
                        library, error);
}

bool library_refresh(struct library *library, struct rw_error *error)
{
    struct buf stamp = {0};
    bool ok = rw_query_sql(library->database, "PRAGMA data_version", take_stamp, &stamp, error);
    if (ok && (library->stamp == NULL || strcmp(library->stamp, buf_text(&stamp)) != 0)) {
        library_release(library);
        ok = read_rules(library, error);
        if (ok)
            library->stamp = buf_detach(&stamp);
        else
            library_release(library);
    }
    buf_release(&stamp);
    return ok;
}

void library_reason(const struct rw_verdict *verdict, struct buf *out)
{
    static const char *const known[] = {
#define X(id, text) text,
        REASONS(X)
#undef X
    };
    const char *at = verdict->reason;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t n = strlen(known[i]);
        const char *found = strstr(at, known[i]);
        if (found) { // "f64: the solver .." has the element type in front
            n -= known[i][n - 1] == ' ' ? 2 : 0; // ": "
            buf_write(out, found, n);
            return;
        }
    }
    buf_write(out, at, strcspn(at, "=("));
    while (out->len > 0 && out->at[out->len - 1] == ' ')
        out->at[--out->len] = 0;
}
