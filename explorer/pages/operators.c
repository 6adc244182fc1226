// SPDX-License-Identifier: Apache-2.0
// The operators, and the rules that have each.
#include "explorer/pages/parts.h"

static bool has_operator(const struct library_rule *rule, const char *name)
{
    for (uint32_t i = 0; i < rule->operators.len; i++)
        if (strcmp(rule->operators.at[i], name) == 0)
            return true;
    return false;
}

// The names that rules have, each once, in the order of their first rules.
static void list_operators(const struct library *library, text_list *names)
{
    for (uint32_t i = 0; i < library->rules.len; i++)
        for (uint32_t k = 0; k < library->rules.at[i].operators.len; k++) {
            const char *name = library->rules.at[i].operators.at[k];
            bool known = false;
            for (uint32_t m = 0; !known && m < names->len; m++)
                known = strcmp(names->at[m], name) == 0;
            if (!known)
                vec_push(names, name);
        }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_operator(const struct frame *frame, const struct library *library, const char *name,
                         struct buf *out)
{
    struct buf path = {0};
    uint32_t rules = 0, proved[LIBRARY_DOMAINS] = {0};
    for (uint32_t i = 0; i < library->rules.len; i++) {
        const struct library_rule *rule = &library->rules.at[i];
        if (!has_operator(rule, name))
            continue;
        rules++;
        for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++)
            proved[domain] += rule->in[domain] && rule->in[domain]->decision == RW_PROVED;
    }
    buf_puts(&path, "operator/");
    frame_part(name, &path);
    buf_puts(out, "<tr><th scope=\"row\">");
    frame_anchor(frame, buf_text(&path), name, out);
    buf_printf(out, "</th><td class=\"number\">%u</td>", rules);
    for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++)
        buf_printf(out, "<td class=\"number\">%u</td>", proved[domain]);
    buf_puts(out, "</tr>\n");
    buf_release(&path);
}

bool page_operators(struct explorer_pages *pages, const char *path, const char *query,
                    struct explorer_body *out, struct rw_error *error)
{
    struct frame frame = {.mode = pages->mode,
                          .path = path,
                          .title = "Operators",
                          .description = "The operators of the rules.",
                          .entry = FRAME_RULES};
    text_list names = {0};
    (void)query;
    (void)error;
    list_operators(&pages->library, &names);
    if (names.len > 0)
        qsort(names.at, names.len, sizeof *names.at, by_name);
    frame_begin(&frame, &out->bytes);
    buf_puts(
        &out->bytes,
        "<h1>Operators</h1>\n<p>Rules that have the operator on either side, and "
        "how many of them are proved in each domain.</p>\n<div class=\"scroll\" tabindex=\"0\">"
        "<table>\n<thead><tr><th scope=\"col\">Operator</th><th scope=\"col\" "
        "class=\"number\">Rules</th>");
    for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++)
        buf_printf(&out->bytes, "<th scope=\"col\" class=\"number\">%s</th>",
                   rw_domain_name(domain));
    buf_puts(&out->bytes, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < names.len; i++)
        put_operator(&frame, &pages->library, names.at[i], &out->bytes);
    buf_puts(&out->bytes, "</tbody></table></div>\n");
    frame_end(&frame, &out->bytes);
    vec_release(&names);
    return true;
}

bool page_operator(struct explorer_pages *pages, const char *path, const char *query,
                   struct explorer_body *out, struct rw_error *error)
{
    const char *name = path + strlen("operator/");
    struct frame frame = {.mode = pages->mode, .path = path, .title = name, .entry = FRAME_RULES};
    uint32_t rules = 0;
    (void)query;
    (void)error;
    frame_begin(&frame, &out->bytes);
    buf_puts(&out->bytes, "<p class=\"crumbs\">");
    frame_anchor(&frame, "operators", "Operators", &out->bytes);
    markup_in("</p>\n<h1>", name, "</h1>\n<p>", &out->bytes);
    put_filter_link(&frame, "op", name, "These rules with filters", &out->bytes);
    buf_puts(&out->bytes, "</p>\n<ul class=\"rules\">\n");
    for (uint32_t i = 0; i < pages->library.rules.len; i++)
        if (has_operator(&pages->library.rules.at[i], name)) {
            put_rule_item(&frame, &pages->library.rules.at[i], &out->bytes);
            rules++;
        }
    buf_puts(&out->bytes, "</ul>\n");
    frame_end(&frame, &out->bytes);
    return rules > 0 || page_absent(pages, path, out);
}

bool explorer_paths(struct explorer_pages *pages, void (*page)(void *user, const char *path),
                    void *user, struct rw_error *error)
{
    static const char *const fixed[] = {
        "", "rules", "operators", "coverage", "discovered", "about", "static/rules-index.js"};
    text_list names = {0};
    if (!library_refresh(&pages->library, error))
        return false;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        page(user, fixed[i]);
    list_operators(&pages->library, &names);
    for (uint32_t i = 0; i < names.len; i++) {
        struct buf path = {0};
        buf_printf(&path, "operator/%s", names.at[i]);
        page(user, buf_text(&path));
        buf_release(&path);
    }
    for (uint32_t i = 0; i < pages->library.rules.len; i++)
        page(user, pages->library.rules.at[i].file);
    vec_release(&names);
    return true;
}
