// SPDX-License-Identifier: Apache-2.0
#include "api/kernel/page.h"
#include "base/text/markup.h"
#include "proof/emit/html_page.h"

// ---- loops

static uint32_t line_of_loop(const struct code_program *program, uint32_t loop)
{
    for (uint32_t i = 0; i < program->statement.len; i++)
        if (program->statement.at[i].kind == STATEMENT_LOOP &&
            program->statement.at[i].index == loop)
            return program->statement.at[i].place.line;
    return 0;
}

// The loop that carries the state, and the state's number in it, from 1; false: there is none.
static bool loop_of(const struct code_program *program, uint32_t carried, uint32_t *loop,
                    uint32_t *state)
{
    for (uint32_t i = 0; i < program->loop.len; i++)
        if (carried >= program->loop.at[i].at &&
            carried < program->loop.at[i].at + program->loop.at[i].n) {
            *loop = i;
            *state = carried - program->loop.at[i].at + 1;
            return true;
        }
    return false;
}

static void form_text(const struct kernel_page *page, const struct claim_closed *closed,
                      struct buf *out)
{
    lterm_print(&page->job->claim.terms, &page->job->program, closed->closed.form, out);
    if (closed->closed.from)
        buf_puts(out, ", from the first iteration on");
}

// ---- text

static void put_obligation(const struct kernel_obligation *o, struct buf *out)
{
    buf_printf(out, "  %s line %u: %s: %s\n", o->holds ? "holds," : "OPEN,", o->place.line, o->name,
               o->about);
}

void kernel_explanation(const struct kernel_page *page, struct buf *out)
{
    struct kernel_job *job = page->job;
    buf_puts(out, page->valid ? "valid\n" : "not valid\n");
    buf_puts(out, page->lines);
    for (uint32_t i = 0; i < job->claim.closed.len; i++) {
        uint32_t loop, state;
        struct buf form = {0};
        if (!loop_of(&job->program, job->claim.closed.at[i].carried, &loop, &state))
            continue;
        form_text(page, &job->claim.closed.at[i], &form);
        buf_printf(out, "loop of line %u, state %u is %s\n", line_of_loop(&job->program, loop),
                   state, buf_text(&form));
        buf_release(&form);
    }
    for (uint32_t i = 0; i < job->check.outputs.len; i++) {
        const struct kernel_checked *checked = &job->check.outputs.at[i];
        buf_printf(out, "obligations of the write in line %u\n",
                   job->program.statement.at[checked->statement].place.line);
        for (uint32_t k = 0; k < checked->obligations.len; k++)
            put_obligation(&checked->obligations.at[k], out);
    }
}

// ---- page

static void put_line_link(uint32_t line, struct buf *out)
{
    if (line > 0)
        buf_printf(out, "<a href=\"#L%u\">%u</a>", line, line);
}

static void put_math(const char *title, const struct buf *mathml, const char *text, struct buf *out)
{
    buf_printf(out, "<h3>%s</h3>\n", title);
    if (mathml->len > 0)
        buf_printf(out, "<div class=\"math\" tabindex=\"0\">%s</div>\n", mathml->at);
    markup_in("<details><summary>Text</summary><pre class=\"copy\">", text, "</pre></details>\n",
              out);
}

// Lines of two blanks and a text each, as a list.
static void put_list(const char *lines, struct buf *out)
{
    buf_puts(out, "<ul class=\"plain\">\n");
    while (*lines != '\0') {
        size_t n = strcspn(lines, "\n");
        struct buf line = {0};
        size_t indent = n > 2 ? 2 : 0;
        buf_write(&line, lines + indent, n - indent);
        markup_in("<li><code>", buf_text(&line), "</code></li>\n", out);
        buf_release(&line);
        lines += n + (lines[n] == '\n');
    }
    buf_puts(out, "</ul>\n");
}

static void put_conditions(const struct kernel_page *page, const struct kernel_checked *checked,
                           const struct kernel_elements *of, struct buf *out)
{
    struct buf where = {0}, facts = {0};
    kernel_put_tensors(of, &where);
    kernel_put_facts(page->job, &facts);
    for (uint32_t i = 0; i < checked->needs.len; i++)
        buf_printf(&facts, "  needs %s\n", checked->needs.at[i]);
    buf_puts(out, "<h3>Where its elements are</h3>\n");
    put_list(buf_text(&where), out);
    buf_puts(out, "<h3>What the caller guarantees</h3>\n");
    put_list(buf_text(&facts), out);
    buf_release(&where);
    buf_release(&facts);
}

static void put_obligations(const struct kernel_checked *checked, struct buf *out)
{
    buf_puts(out, "<h3>Obligations</h3>\n<div class=\"table\"><table class=\"data\">\n"
                  "<tr><th>line</th><th>obligation</th><th>statement</th><th></th></tr>\n");
    for (uint32_t i = 0; i < checked->obligations.len; i++) {
        const struct kernel_obligation *o = &checked->obligations.at[i];
        buf_puts(out, "<tr><td>");
        put_line_link(o->place.line, out);
        markup_in("</td><td>", o->name, "</td>", out);
        markup_in("<td>", o->about, "</td>", out);
        buf_puts(out, o->holds ? "<td>holds</td></tr>\n" : "<td class=\"open\">open</td></tr>\n");
    }
    buf_puts(out, "</table></div>\n");
}

static void put_output(const struct kernel_page *page, uint32_t which, struct buf *out)
{
    struct kernel_job *job = page->job;
    const struct kernel_checked *checked = &job->check.outputs.at[which];
    const struct code_statement *statement = &job->program.statement.at[checked->statement];
    struct kernel_elements of = kernel_claimed_elements(
        &job->program, &job->claim.in, &job->claim.outputs.at[which], statement->array);
    struct buf head = {0}, mathml = {0};
    kernel_put_elements(&of, &head);
    buf_printf(out, "<article class=\"card\">\n<h2>%s",
               checked->proved ? "Proved" : "<span class=\"fault\">not proved</span>");
    markup_in(" <code>", buf_text(&head), "</code></h2>\n", out);
    buf_puts(out, "<p class=\"soft\">written in line ");
    put_line_link(statement->place.line, out);
    buf_puts(out, "</p>\n");
    for (uint32_t i = 0; i < page->n_simpler; i++)
        if (page->simpler[i].output == which)
            put_math("Formula", &page->simpler[i].mathml, buf_text(&page->simpler[i].text), out);
    kernel_formula_mathml(checked->formula, &mathml);
    put_math("As written", &mathml, checked->formula, out);
    put_conditions(page, checked, &of, out);
    put_obligations(checked, out);
    buf_puts(out, "</article>\n");
    buf_release(&mathml);
    buf_release(&head);
}

static void put_loops(const struct kernel_page *page, struct buf *out)
{
    const struct kernel_job *job = page->job;
    if (job->claim.closed.len == 0)
        return;
    buf_puts(out, "<h2>Loops</h2>\n<p class=\"soft\">What a loop carries at the start of iteration "
                  "<code>iteration'</code>, in lane <code>lane'0</code>, ..: shown by induction."
                  "</p>\n<div class=\"table\"><table class=\"data\">\n"
                  "<tr><th>line</th><th>state</th><th>closed form</th></tr>\n");
    for (uint32_t i = 0; i < job->claim.closed.len; i++) {
        uint32_t loop, state;
        struct buf form = {0};
        if (!loop_of(&job->program, job->claim.closed.at[i].carried, &loop, &state))
            continue;
        form_text(page, &job->claim.closed.at[i], &form);
        buf_puts(out, "<tr><td>");
        put_line_link(line_of_loop(&job->program, loop), out);
        buf_printf(out, "</td><td>%u</td>", state);
        markup_in("<td><code>", buf_text(&form), "</code></td></tr>\n", out);
        buf_release(&form);
    }
    buf_puts(out, "</table></div>\n");
}

// Lines that loops, reads and writes have.
static bool is_named(const struct code_program *program, uint32_t line)
{
    for (uint32_t i = 0; i < program->statement.len; i++) {
        const struct code_statement *s = &program->statement.at[i];
        if (s->place.line == line &&
            (s->kind == STATEMENT_READ || s->kind == STATEMENT_WRITE || s->kind == STATEMENT_LOOP))
            return true;
    }
    return false;
}

static void put_kernel(const struct kernel_page *page, struct buf *out)
{
    const char *at = page->kernel;
    buf_puts(out, "<div class=\"text\" tabindex=\"0\">\n");
    for (uint32_t line = 1; *at != '\0'; line++) {
        size_t n = strcspn(at, "\n");
        struct buf text = {0};
        buf_write(&text, at, n);
        buf_printf(out, "<code id=\"L%u\"%s><i>%u</i>", line,
                   is_named(&page->job->program, line) ? " class=\"named\"" : "", line);
        markup_in("", n > 0 ? buf_text(&text) : " ", "</code>\n", out);
        buf_release(&text);
        at += n + (at[n] == '\n');
    }
    buf_puts(out, "</div>\n");
}

void kernel_page(const struct kernel_page *page, struct buf *out)
{
    buf_puts(out, html_head);
    markup_in("<title>", page->valid ? "A lifted kernel" : "Not valid: a lifted kernel",
              "</title>\n", out);
    buf_puts(out, html_style);
    buf_puts(out, html_kernel_style);
    buf_puts(out, "</head>\n<body>\n<main>\n<h1>A lifted kernel</h1>\n");
    if (!page->valid)
        markup_in("<p class=\"fault\" role=\"alert\"><strong>not valid:</strong></p><pre>",
                  page->lines, "</pre>\n", out);
    buf_puts(out, "<div class=\"kernel\">\n<div>\n");
    for (uint32_t i = 0; i < page->job->check.outputs.len; i++)
        put_output(page, i, out);
    put_loops(page, out);
    buf_puts(out, "</div>\n<div>\n");
    put_kernel(page, out);
    buf_puts(out, "</div>\n</div>\n</main>\n</body>\n</html>\n");
}
