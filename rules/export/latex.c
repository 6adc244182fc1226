// SPDX-License-Identifier: Apache-2.0
// A rule as LaTeX.  The text of a rule is set token by token, so every rule that has a
// text has a formula, with the same words.
#include "rules/describe/describe.h"
#include "rules/export/export.h"
#include <ctype.h>

// Text outside of formulas.
static void put_text(const char *text, struct buf *out)
{
    static const struct {
        char c;
        const char *as;
    } special[] = {{'\\', "\\textbackslash{}"},  {'~', "\\textasciitilde{}"},
                   {'^', "\\textasciicircum{}"}, {'<', "\\textless{}"},
                   {'>', "\\textgreater{}"},     {'|', "\\textbar{}"}};
    for (; *text; text++) {
        const char *as = NULL;
        for (size_t i = 0; i < sizeof special / sizeof *special; i++)
            if (special[i].c == *text)
                as = special[i].as;
        if (as)
            buf_puts(out, as);
        else if (strchr("#$%&_{}", *text))
            buf_printf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x80)
            buf_putc(out, *text);
        else
            buf_putc(out, '?');
    }
}

static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

// "i_x" is an index of class x; a name of one letter stays one; words are upright.
static void put_word(const char *word, size_t n, struct buf *out)
{
    static const char *const words[] = {"if",   "then", "else", "is",  "in",    "over", "of",
                                        "from", "and",  "or",   "not", "where", "whole"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(words[i], word, n) == 0) {
            buf_printf(out, "\\text{ %s }", words[i]);
            return;
        }
    const char *bar = memchr(word, '_', n);
    size_t head = bar ? (size_t)(bar - word) : n;
    bool index = bar && head > 0 && (*word == 'i' || *word == 'j') &&
                 strspn(word + 1, "0123456789") + 1 == head;
    if (n == 1) {
        buf_write(out, word, n);
        return;
    }
    buf_puts(out, index ? "" : "\\mathit{");
    for (size_t i = 0; i < (index ? head : n); i++)
        buf_printf(out, word[i] == '_' ? "\\_" : "%c", word[i]);
    if (!index) {
        buf_putc(out, '}');
        return;
    }
    buf_puts(out, "_{\\mathit{");
    for (size_t i = head + 1; i < n; i++)
        buf_printf(out, word[i] == '_' ? "\\_" : "%c", word[i]);
    buf_puts(out, "}}");
}

struct sign {
    const char *text, *as;
};
static const struct sign signs[] = {
    {"=>", "\\;\\Rightarrow\\; "},
    {"==", "="},
    {"!=", "\\neq "},
    {"<=", "\\leq "},
    {">=", "\\geq "},
    {"<-", "\\leftarrow "},
    {"->", "\\to "},
    {"..", "\\,..\\,"},
    {"*", "\\cdot "},
    {"{", "\\{"},
    {"}", "\\}"},
    {"#", "\\#"},
    {"%", "\\bmod "},
    {"&", "\\mathbin{\\&}"},
    {"^", "\\oplus "},
    {"|", "\\mid "},
    {"~", "\\lnot "},
    {"$", "\\$"},
    {"@", "@"},
    {",", ",\\allowbreak "},
    {"\"", "''"},
    {"\\", "\\backslash "},
};

static size_t put_sign(const char *at, struct buf *out)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].text);
        if (strncmp(at, signs[i].text, n) == 0) {
            buf_puts(out, signs[i].as);
            return n;
        }
    }
    buf_putc(out, *at == '\n' || *at == '\t' ? ' ' : *at);
    return 1;
}

static void put_formula(const char *text, struct buf *out)
{
    for (const char *at = text; *at;) {
        size_t n = 0;
        while (starts_word(*at) && (starts_word(at[n]) || isdigit((unsigned char)at[n])))
            n++;
        if (n > 0)
            put_word(at, n, out);
        else
            n = put_sign(at, out);
        at += n;
    }
}

void latex_begin(struct buf *out)
{
    buf_puts(out, "\\documentclass{article}\n"
                  "\\usepackage{amsmath}\n"
                  "\\usepackage[margin=2cm]{geometry}\n"
                  "\\begin{document}\n"
                  "\\raggedright\n");
}

void latex_end(struct buf *out)
{
    buf_puts(out, "\\end{document}\n");
}

static void put_lines(const char *text, struct buf *out)
{
    while (*text) {
        struct buf line = {0};
        size_t n = strcspn(text, "\n");
        buf_write(&line, text, n);
        if (line.len > 0) {
            buf_puts(out, "\\par $");
            put_formula(buf_text(&line), out);
            buf_puts(out, "$\n");
        }
        buf_release(&line);
        text += n + (text[n] == '\n');
    }
}

void latex_add(const struct rule *rule, const char *verdicts, struct buf *out)
{
    struct buf text = {0};
    buf_puts(out, "\n\\paragraph{");
    put_text(rule->name, out);
    buf_puts(out, "} (");
    put_text(rule->family, out);
    buf_puts(out, ") ");
    put_text(rule->doc, out);
    buf_puts(out, "\n\\par $");
    pat_print(rule, rule->lhs, &text);
    buf_puts(&text, " => ");
    pat_print(rule, rule->rhs, &text);
    put_formula(buf_text(&text), out);
    buf_puts(out, "$\n");
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        buf_clear(&text);
        where_print(rule, w, &text);
        buf_puts(out, w ? ", $" : "\\par where $");
        put_formula(buf_text(&text), out);
        buf_puts(out, "$\n");
    }
    buf_clear(&text);
    rule_meaning(rule, &text);
    put_lines(buf_text(&text), out);
    buf_puts(out, "\\par ");
    put_text(verdicts, out);
    buf_putc(out, '\n');
    buf_release(&text);
}
