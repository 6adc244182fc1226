// SPDX-License-Identifier: Apache-2.0
// LaTeX as amsmath reads it.
#include "formula/print/box.h"

// Functions that LaTeX knows by name.
static bool is_known(const char *f)
{
    static const char *const known[] = {"exp", "log",  "sin", "cos",
                                        "tan", "tanh", "max", "min"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], f) == 0)
            return true;
    return false;
}

static void escaped(const char *s, struct buf *out)
{
    for (; *s != 0; s++)
        buf_printf(out, *s == '_' ? "\\%c" : "%c", *s);
}

static void word(const char *s, struct buf *out)
{
    buf_puts(out, "\\mathrm{");
    escaped(s, out);
    buf_puts(out, "}");
}

static void function(const char *s, struct buf *out)
{
    bool known = is_known(s);
    buf_puts(out, known ? "\\" : "\\operatorname{");
    escaped(s, out);
    buf_puts(out, known ? "" : "}");
}

static void group(const char *before, const struct formula_box *b, struct buf *out)
{
    buf_printf(out, "%s{", before);
    box_latex(b, out);
    buf_puts(out, "}");
}

// A word behind a command needs a space: \cdot x, but \cdot 2 too.
static void fence(const char *side, const char *s, struct buf *out)
{
    buf_printf(out, "%s%s%s", side, s,
               s[0] == '\\' && side[1] == 'l' ? " " : "");
}

static void cases(const struct formula_box *b, struct buf *out)
{
    buf_puts(out, "\\begin{cases} ");
    for (uint32_t k = 0; k < b->n; k += 2) {
        box_latex(b->kid[k], out);
        if (k + 1 < b->n) {
            buf_puts(out, " & \\text{if } ");
            box_latex(b->kid[k + 1], out);
            buf_puts(out, " \\\\ ");
        } else {
            buf_puts(out, " & \\text{otherwise}");
        }
    }
    buf_puts(out, " \\end{cases}");
}

static void lines(const struct formula_box *b, struct buf *out)
{
    buf_puts(out, "\\begin{array}{l} ");
    for (uint32_t k = 0; k < b->n; k++) {
        buf_puts(out, k ? " \\\\ " : "");
        box_latex(b->kid[k], out);
    }
    buf_puts(out, " \\end{array}");
}

// What has a sign below needs braces before it gets one above.
static void script(const struct formula_box *b, struct buf *out)
{
    const struct formula_box *on = b->kid[0];
    bool large = on->kind == BOX_LARGE;
    if (large)
        buf_puts(out, on->text);
    else if (on->kind == BOX_SUB || on->kind == BOX_SUP || on->kind == BOX_MARK)
        group("", on, out);
    else
        box_latex(on, out);
    group(b->kind == BOX_SUP ? "^" : "_", b->kid[1], out);
    buf_puts(out, large ? " " : "");
}

static void fenced(const struct formula_box *b, struct buf *out)
{
    fence("\\left", b->text, out);
    box_latex(b->kid[0], out);
    fence("\\right", b->sign, out);
}

static void root(const struct formula_box *b, struct buf *out)
{
    buf_puts(out, "\\sqrt");
    if (b->n > 1) {
        buf_puts(out, "[");
        box_latex(b->kid[1], out);
        buf_puts(out, "]");
    }
    group("", b->kid[0], out);
}

void box_latex(const struct formula_box *b, struct buf *out)
{
    switch (b->kind) {
    case BOX_IDENT:
    case BOX_NUMBER:
        buf_puts(out, b->text);
        break;
    case BOX_WORD:
        word(b->text, out);
        break;
    case BOX_OP:
        buf_printf(out, b->text[0] == ',' ? ", " : " %s ", b->text);
        break;
    case BOX_PREFIX:
        buf_printf(out, b->text[0] == '\\' ? "%s " : "%s", b->text);
        break;
    case BOX_LARGE:
        buf_printf(out, "%s ", b->text);
        break;
    case BOX_FUNC:
        function(b->text, out);
        break;
    case BOX_TIMES:
        buf_puts(out, " \\, ");
        break;
    case BOX_TEXT:
        buf_printf(out, "\\text{%s}", b->text);
        break;
    case BOX_ROW:
        for (uint32_t k = 0; k < b->n; k++)
            box_latex(b->kid[k], out);
        break;
    case BOX_FRAC:
        group("\\frac", b->kid[0], out);
        group("", b->kid[1], out);
        break;
    case BOX_SQRT:
        root(b, out);
        break;
    case BOX_SUP:
    case BOX_SUB:
    case BOX_UNDER:
        script(b, out);
        break;
    case BOX_FENCE:
        fenced(b, out);
        break;
    case BOX_CASES:
        cases(b, out);
        break;
    case BOX_LINES:
        lines(b, out);
        break;
    case BOX_MARK:
        box_latex(b->kid[0], out);
        break;
    }
}
