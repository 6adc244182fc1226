// SPDX-License-Identifier: Apache-2.0
// The start and the page about the program.
#include "explorer/pages/parts.h"

static void count_verdicts(const struct library *library, struct buf *out)
{
    buf_puts(
        out,
        "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Domain</th>");
    for (int decision = RW_PROVED; decision <= RW_REFUTED; decision++)
        buf_printf(out, "<th scope=\"col\" class=\"number\">%s</th>", rw_decision_name(decision));
    buf_printf(out, "<th scope=\"col\" class=\"number\">%s</th></tr></thead>\n<tbody>\n",
               rw_decision_name(RW_UNKNOWN));
    for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++) {
        uint32_t n[3] = {0};
        for (uint32_t i = 0; i < library->rules.len; i++)
            if (library->rules.at[i].in[domain])
                n[library->rules.at[i].in[domain]->decision]++;
        buf_printf(out,
                   "<tr><th scope=\"row\">%s</th><td class=\"number\">%u</td><td "
                   "class=\"number\">%u</td><td class=\"number\">%u</td></tr>\n",
                   rw_domain_name(domain), n[RW_PROVED], n[RW_REFUTED], n[RW_UNKNOWN]);
    }
    buf_puts(out, "</tbody></table></div>\n");
}

static void put_search(const struct frame *frame, struct buf *out)
{
    buf_puts(out, "<form class=\"big-search\" role=\"search\" method=\"get\" action=\"");
    frame_link(frame, "rules", out);
    buf_puts(out, "\"><label><span class=\"visually-hidden\">Search rules</span><input "
                  "type=\"search\" name=\"q\" placeholder=\"slice of a pad, softmax, xla-041 …\">"
                  "</label> <button>Search</button></form>\n");
}

static void put_families(const struct frame *frame, const struct library *library, struct buf *out)
{
    const char *family = NULL;
    uint32_t rules = 0;
    buf_puts(out, "<h2>Families</h2>\n<ul class=\"tags\">\n");
    for (uint32_t i = 0; i <= library->rules.len; i++) {
        const char *next = i < library->rules.len ? library->rules.at[i].rule->family : NULL;
        if (family && (next == NULL || strcmp(family, next) != 0)) {
            buf_puts(out, "<li>");
            put_filter_link(frame, "family", family, family, out);
            buf_printf(out, " <span class=\"quiet\">%u</span></li>\n", rules);
            rules = 0;
        }
        family = next;
        rules++;
    }
    buf_puts(out, "</ul>\n");
}

bool page_start(struct explorer_pages *pages, const char *path, const char *query,
                struct explorer_body *out, struct rw_error *error)
{
    struct frame frame = {.mode = pages->mode,
                          .path = path,
                          .title = "Rule explorer",
                          .description = "Rewrite rules on tensor programs, proved for every rank "
                                         "and every size."};
    struct buf *text = &out->bytes;
    (void)query;
    (void)error;
    frame_begin(&frame, text);
    buf_printf(text,
               "<h1>%u rewrite rules on tensor programs</h1>\n<p class=\"lead\">Each has a "
               "verdict for tensors of every rank and every size, in every number domain in which "
               "it is a statement: proved, refuted by an instance that was run, or unknown.</p>\n",
               pages->library.rules.len);
    put_search(&frame, text);
    if (pages->mode == EXPLORER_SERVED) {
        buf_puts(text, "<ul class=\"cards\">\n<li>");
        frame_anchor(&frame, "play/rules", "Prove a rule", text);
        buf_puts(text, "<span>Type one, and see a proof or the smallest counterexample.</span>"
                       "</li>\n<li>");
        frame_anchor(&frame, "play/programs", "Simplify a program", text);
        buf_puts(text, "<span>StableHLO or HLO, step by step, with a record to check.</span>"
                       "</li>\n<li>");
        frame_anchor(&frame, "play/formulas", "Simplify a formula", text);
        buf_puts(text, "<span>Over the real numbers, by proved rules only.</span></li>\n<li>");
        frame_anchor(&frame, "play/kernels", "Find the formula of a kernel", text);
        buf_puts(text, "<span>What GPU code computes, for all sizes.</span></li>\n<li>");
        frame_anchor(&frame, "play/records", "Check a record", text);
        buf_puts(text, "<span>Every step of a proof again, without the search.</span></li>\n"
                       "</ul>\n");
    }
    buf_puts(text, "<h2>Verdicts</h2>\n");
    count_verdicts(&pages->library, text);
    put_families(&frame, &pages->library, text);
    buf_puts(text, "<p>");
    frame_anchor(&frame, "operators", "All operators", text);
    buf_puts(text, "</p>\n");
    frame_end(&frame, text);
    return true;
}

bool page_about(struct explorer_pages *pages, const char *path, const char *query,
                struct explorer_body *out, struct rw_error *error)
{
    struct frame frame = {
        .mode = pages->mode, .path = path, .title = "About", .entry = FRAME_ABOUT};
    struct buf *text = &out->bytes;
    (void)query;
    (void)error;
    frame_begin(&frame, text);
    buf_printf(
        text,
        "<h1>About Rankwright</h1>\n<p class=\"lead\">Rankwright %s proves rewrite rules on tensor "
        "programs, for tensors of every rank and every size. It rewrites programs and formulas "
        "with "
        "proved rules only, and every result comes with a proof record that another program can "
        "check.</p>\n",
        rw_version());
    buf_puts(text,
             "<h2>Words</h2>\n<dl class=\"facts wide\">\n"
             "<dt>Axis class</dt><dd>A rule speaks of named axes, not of positions: <code>axes x"
             "</code> is any number of axes with one role, including none. <code>axis a</code> is "
             "one axis.</dd>\n"
             "<dt>Map</dt><dd>One integer for each axis of a class: a size, a start, a stride, a "
             "padding.</dd>\n"
             "<dt>Domain</dt><dd>The numbers in which elements live: <b>bool</b>; <b>int</b>, all "
             "integers; <b>word</b>, machine integers that wrap, of every width; <b>real</b>, the "
             "real numbers; <b>float</b>, IEEE 754 binary floats, bit for bit.</dd>\n"
             "<dt>Proved</dt><dd>The two sides are equal for every rank, every size and every "
             "element that meet the preconditions. Finitely many ranks are proved, and all others "
             "follow from them: the page of a rule says which, and why.</dd>\n"
             "<dt>Refuted</dt><dd>An instance of the rule was run, and the two sides differ there. "
             "The page of the rule shows it.</dd>\n"
             "<dt>Unknown</dt><dd>Neither; the reason says what stopped the proof.</dd>\n</dl>\n"
             "<h2>Trust</h2>\n<p>A proved rule rests on the verifier and its solver. The document "
             "on trust in the sources lists every assumption, and says how each part is "
             "attacked by tests.</p>\n<p>Licence: Apache-2.0.</p>\n");
    frame_end(&frame, text);
    return true;
}
