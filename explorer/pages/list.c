// SPDX-License-Identifier: Apache-2.0
// The list of rules, its filters, and the index that a browser searches.
#include "explorer/pages/parts.h"
#include "explorer/pages/selection.h"
#include <jansson.h>
#include <stdlib.h>

enum { PAGE_RULES = 100 };

struct counted {
    const char *text;
    uint32_t rules, last; // last: the last rule that was counted, + 1
};
struct counting {
    VEC(struct counted) at;
    struct arena mem;
    uint32_t rule;
};

static void count_value(void *user, const char *text)
{
    struct counting *counting = user;
    for (uint32_t i = 0; i < counting->at.len; i++)
        if (strcmp(counting->at.at[i].text, text) == 0) {
            struct counted *one = &counting->at.at[i];
            one->rules += one->last != counting->rule + 1;
            one->last = counting->rule + 1;
            return;
        }
    struct counted one = {arena_strdup(&counting->mem, text), 1, counting->rule + 1};
    vec_push(&counting->at, one);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct counted *)a)->text, ((const struct counted *)b)->text);
}

static void count_facet(const struct library *library, const struct selection *selection,
                        enum facet facet, struct counting *counting)
{
    for (uint32_t i = 0; i < library->rules.len; i++) {
        counting->rule = i;
        if (selection_accepts(selection, &library->rules.at[i], facet))
            facet_values(&library->rules.at[i], facet, count_value, counting);
    }
    if (counting->at.len > 0)
        qsort(counting->at.at, counting->at.len, sizeof *counting->at.at, by_text);
}

static void put_option(const char *value, const char *text, bool chosen, struct buf *out)
{
    markup_in("<option value=\"", value, chosen ? "\" selected>" : "\">", out);
    markup_text(text, out);
    buf_puts(out, "</option>\n");
}

static void put_facet(const struct library *library, const struct selection *selection,
                      enum facet facet, struct buf *out)
{
    struct counting counting = {0};
    const char *chosen = selection->n[facet] ? selection->value[facet][0] : "";
    bool found = *chosen == 0;
    buf_printf(out,
               "<label><span>%s</span>\n<select name=\"%s\">\n<option value=\"\">any</option>\n",
               facet_labels[facet], facet_keys[facet]);
    count_facet(library, selection, facet, &counting);
    for (uint32_t i = 0; i < counting.at.len; i++) {
        struct buf text = {0};
        bool here = strcmp(counting.at.at[i].text, chosen) == 0;
        buf_printf(&text, "%s (%u)", counting.at.at[i].text, counting.at.at[i].rules);
        put_option(counting.at.at[i].text, buf_text(&text), here, out);
        found = found || here;
        buf_release(&text);
    }
    if (!found)
        put_option(chosen, chosen, true, out);
    buf_puts(out, "</select></label>\n");
    vec_release(&counting.at);
    arena_release(&counting.mem);
}

static void put_form(const struct frame *frame, const struct library *library,
                     const struct selection *selection, struct buf *out)
{
    buf_puts(out,
             "<form id=\"filters\" class=\"filters\" role=\"search\" method=\"get\" action=\"");
    frame_link(frame, "rules", out);
    buf_puts(out, frame->mode == EXPLORER_SITE ? "\" hidden>\n" : "\">\n");
    markup_in("<label class=\"search\"><span>Search</span>\n<input type=\"search\" name=\"q\" "
              "autocomplete=\"off\" placeholder=\"words in names, comments, texts\" value=\"",
              selection->text, "\"></label>\n", out);
    // More operators than one come from a link; the form keeps them.
    for (unsigned i = 1; i < selection->n[FACET_op]; i++)
        markup_in("<input type=\"hidden\" name=\"op\" value=\"", selection->value[FACET_op][i],
                  "\">\n", out);
    buf_puts(out, "<details id=\"facets\" open><summary>Filters and order</summary>\n<div "
                  "class=\"facets\">\n");
    for (unsigned facet = 0; facet < N_FACETS; facet++)
        put_facet(library, selection, facet, out);
    buf_puts(out, "<label><span>Order</span>\n<select name=\"sort\">\n");
    for (const char *const *sort = selection_sorts; *sort; sort++)
        put_option(*sort, *sort, strcmp(*sort, selection->sort) == 0, out);
    buf_puts(out, "</select></label>\n</div></details>\n<div class=\"buttons\"><button "
                  "class=\"without-script\">"
                  "Show</button>\n<a class=\"button plain\" href=\"");
    frame_link(frame, "rules", out);
    buf_puts(out, "\">Clear</a></div>\n</form>\n");
}

static void add_pair(const char *key, const char *value, struct buf *out)
{
    buf_printf(out, "%s%s=", out->len ? "&" : "", key);
    frame_part(value, out);
}

// The link to another part of the same selection.
static void put_part_link(const struct frame *frame, const struct selection *selection,
                          unsigned part, const char *text, struct buf *out)
{
    struct buf query = {0}, path = {0}, number = {0};
    if (selection->text[0])
        add_pair("q", selection->text, &query);
    for (unsigned facet = 0; facet < N_FACETS; facet++)
        for (unsigned i = 0; i < selection->n[facet]; i++)
            add_pair(facet_keys[facet], selection->value[facet][i], &query);
    if (selection->sort != selection_sorts[0])
        add_pair("sort", selection->sort, &query);
    buf_printf(&number, "%u", part);
    add_pair("page", buf_text(&number), &query);
    buf_printf(&path, "rules?%s", buf_text(&query));
    frame_anchor(frame, buf_text(&path), text, out);
    buf_release(&query);
    buf_release(&path);
    buf_release(&number);
}

static unsigned part_of(const struct query_pairs *pairs, unsigned parts)
{
    const char *text = query_value(pairs, "page", 0);
    unsigned long part = text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 7
                             ? strtoul(text, NULL, 10)
                             : 1;
    return part < 1 || part > parts ? 1 : (unsigned)part;
}

static void put_parts(const struct frame *frame, const struct selection *selection, unsigned part,
                      unsigned parts, struct buf *out)
{
    if (parts < 2)
        return;
    buf_puts(out, "<p class=\"parts\">");
    if (part > 1)
        put_part_link(frame, selection, part - 1, "← Previous", out);
    buf_printf(out, " Page %u of %u ", part, parts);
    if (part < parts)
        put_part_link(frame, selection, part + 1, "Next →", out);
    buf_puts(out, "</p>\n");
}

static void put_selection(const struct frame *frame, const struct library *library,
                          const struct query_pairs *pairs, const struct selection *selection,
                          struct buf *out)
{
    struct u32_vec found = {0};
    selection_rules(selection, library, &found);
    unsigned parts = (found.len + PAGE_RULES - 1) / PAGE_RULES, part = part_of(pairs, parts);
    buf_printf(out,
               "<p id=\"count\" role=\"status\">%u of %u rules</p>\n<ul id=\"found\" "
               "class=\"rules\">\n",
               found.len, library->rules.len);
    for (uint32_t i = (part - 1) * PAGE_RULES; i < found.len && i < part * PAGE_RULES; i++)
        put_rule_item(frame, &library->rules.at[found.at[i]], out);
    buf_puts(out, "</ul>\n<div id=\"after\">");
    put_parts(frame, selection, part, parts, out);
    buf_puts(out, "</div>\n");
    vec_release(&found);
}

// All rules by family, for a browser that runs no script.
static void put_all(const struct frame *frame, const struct library *library, struct buf *out)
{
    const char *family = NULL;
    buf_printf(out,
               "<p id=\"count\" role=\"status\">%u rules</p>\n<ul id=\"found\" class=\"rules "
               "hidden\"></ul>\n<div id=\"after\"></div>\n<div id=\"plain\">\n",
               library->rules.len);
    for (uint32_t i = 0; i < library->rules.len; i++) {
        const struct library_rule *rule = &library->rules.at[i];
        if (family == NULL || strcmp(family, rule->rule->family) != 0) {
            buf_puts(out, family ? "</ul>\n<h2 id=\"family-" : "<h2 id=\"family-");
            family = rule->rule->family;
            frame_part(family, out);
            markup_in("\">", family, "</h2>\n<ul class=\"rules\">\n", out);
        }
        buf_puts(out, "<li>");
        frame_anchor(frame, rule->path, rule->rule->name, out);
        markup_in(" ", rule->rule->doc, "</li>\n", out);
    }
    buf_puts(out, family ? "</ul>\n</div>\n" : "</div>\n");
}

bool page_rules(struct explorer_pages *pages, const char *path, const char *query,
                struct explorer_body *out, struct rw_error *error)
{
    static const char *const scripts[] = {"rules-index.js", "rules.js", NULL};
    struct frame frame = {.mode = pages->mode,
                          .path = path,
                          .title = "Rules",
                          .description = "All rules, with filters.",
                          .entry = FRAME_RULES,
                          .scripts = scripts,
                          .wide = "yes"};
    struct query_pairs pairs;
    struct selection selection;
    (void)error;
    query_read(&pairs, query);
    selection_read(&selection, &pairs);
    frame_begin(&frame, &out->bytes);
    buf_puts(&out->bytes, "<h1>Rules</h1>\n<div class=\"list\">\n");
    put_form(&frame, &pages->library, &selection, &out->bytes);
    buf_printf(&out->bytes, "<section aria-label=\"Rules found\" data-suffix=\"%s\">\n",
               pages->mode == EXPLORER_SITE ? ".html" : "");
    if (pages->mode == EXPLORER_SITE)
        put_all(&frame, &pages->library, &out->bytes);
    else
        put_selection(&frame, &pages->library, &pairs, &selection, &out->bytes);
    buf_puts(&out->bytes, "</section>\n</div>\n");
    frame_end(&frame, &out->bytes);
    selection_release(&selection);
    query_pairs_release(&pairs);
    return true;
}

// ---- the index of a browser: rows of members, in the order of index_row

static void add_value(void *user, const char *text)
{
    json_array_append_new(user, json_string(text));
}

static json_t *values_of(const struct library_rule *rule, enum facet facet)
{
    json_t *list = json_array();
    facet_values(rule, facet, add_value, list);
    return list;
}

static json_t *index_row(const struct library_rule *rule)
{
    const struct rw_rule *view = rule->rule;
    double seconds = 0, obligations = 0;
    char verdicts[LIBRARY_DOMAINS + 1] = {0};
    for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++) {
        const struct rw_verdict *verdict = rule->in[domain];
        verdicts[domain] = verdict ? rw_decision_name(verdict->decision)[0] : '-';
        seconds += verdict ? verdict->seconds : 0;
        obligations += verdict ? (double)verdict->obligation_count : 0;
    }
    json_t *origins = values_of(rule, FACET_origin);
    for (size_t i = 0; i < view->n_origins; i++)
        add_value(origins, view->origins[i]);
    return json_pack("[s s s s s s o o o s o f f f s]", rule->path, view->name, view->family,
                     view->doc, rule->statement, verdicts, values_of(rule, FACET_op),
                     values_of(rule, FACET_precondition), origins, view->layer,
                     values_of(rule, FACET_reason), (double)(int64_t)(seconds * 1e6) / 1e6,
                     obligations, (double)view->uses, rule->words);
}

static void put_index(const struct library *library, struct buf *out)
{
    buf_puts(out, "window.rankwrightRules = [\n");
    for (uint32_t i = 0; i < library->rules.len; i++) {
        json_t *row = index_row(&library->rules.at[i]);
        char *text = json_dumps(row, JSON_COMPACT | JSON_ENSURE_ASCII);
        buf_puts(out, text ? text : "[]");
        buf_puts(out, ",\n");
        free(text);
        json_decref(row);
    }
    buf_puts(out, "];\n");
}

bool page_rules_index(struct explorer_pages *pages, const char *path, const char *query,
                      struct explorer_body *out, struct rw_error *error)
{
    struct buf *index = &pages->library.index;
    (void)path;
    (void)query;
    (void)error;
    if (index->len == 0)
        put_index(&pages->library, index);
    out->content_type = "text/javascript; charset=utf-8";
    buf_write(&out->bytes, buf_text(index), index->len);
    return true;
}
