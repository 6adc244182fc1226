// SPDX-License-Identifier: Apache-2.0
#include "explorer/pages/parts.h"

void put_badge(const char *text, const char *decision, struct buf *out)
{
    const char *sign = strcmp(decision, "proved") == 0    ? "✓"
                       : strcmp(decision, "refuted") == 0 ? "✗"
                                                          : "?";
    buf_printf(out, "<span class=\"verdict %s\">%s <span aria-hidden=\"true\">%s</span>", decision,
               text, sign);
    if (strcmp(text, decision) != 0)
        buf_printf(out, "<span class=\"visually-hidden\">%s</span>", decision);
    buf_puts(out, "</span>");
}

void put_badges(const struct library_rule *rule, struct buf *out)
{
    buf_puts(out, "<span class=\"badges\">");
    for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++)
        if (rule->in[domain]) {
            put_badge(rw_domain_name(domain), rw_decision_name(rule->in[domain]->decision), out);
            buf_putc(out, ' ');
        }
    buf_puts(out, "</span>");
}

void put_rule_item(const struct frame *frame, const struct library_rule *rule, struct buf *out)
{
    buf_puts(out, "<li><div class=\"title\">");
    frame_anchor(frame, rule->path, rule->rule->name, out);
    markup_in(" <span class=\"quiet\">", rule->rule->family, "</span> ", out);
    if (frame->mode == EXPLORER_SERVED)
        put_badges(rule, out);
    buf_puts(out, "</div>");
    if (rule->rule->doc[0])
        markup_in("<div>", rule->rule->doc, "</div>", out);
    if (rule->statement[0] && frame->mode == EXPLORER_SERVED)
        markup_in("<code>", rule->statement, "</code>", out);
    buf_puts(out, "</li>\n");
}

void put_filter_link(const struct frame *frame, const char *key, const char *value,
                     const char *text, struct buf *out)
{
    struct buf path = {0};
    buf_printf(&path, "rules?%s=", key);
    frame_part(value, &path);
    frame_anchor(frame, buf_text(&path), text, out);
    buf_release(&path);
}
