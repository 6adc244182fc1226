// SPDX-License-Identifier: Apache-2.0
// Prints boxes as LaTeX for amsmath.
#include "formula/print/box.h"

// Functions with a command in LaTeX.
static bool is_known(const char *text)
{
    static const char *const known[] = {"exp", "log", "sin", "cos", "tan", "tanh", "max", "min"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], text) == 0)
            return true;
    return false;
}

static void escaped(const char *text, struct buf *out)
{
    for (; *text != 0; text++)
        buf_printf(out, *text == '_' ? "\\%c" : "%c", *text);
}

static void word(const char *text, struct buf *out)
{
    buf_puts(out, "\\mathrm{");
    escaped(text, out);
    buf_puts(out, "}");
}

static void function(const char *text, struct buf *out)
{
    bool known = is_known(text);
    buf_puts(out, known ? "\\" : "\\operatorname{");
    escaped(text, out);
    buf_puts(out, known ? "" : "}");
}

static void group(const char *before, const struct formula_box *box, struct buf *out)
{
    buf_printf(out, "%s{", before);
    box_latex(box, out);
    buf_puts(out, "}");
}

// A letter after a command needs a space: \cdot x; a digit gets one, too: \cdot
// 2.
static void fence(const char *side, const char *text, struct buf *out)
{
    buf_printf(out, "%s%s%s", side, text, text[0] == '\\' && side[1] == 'l' ? " " : "");
}

static void cases(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "\\begin{cases} ");
    for (uint32_t k = 0; k < box->n; k += 2) {
        box_latex(box->kid[k], out);
        if (k + 1 < box->n) {
            buf_puts(out, " & \\text{if } ");
            box_latex(box->kid[k + 1], out);
            buf_puts(out, " \\\\ ");
        } else {
            buf_puts(out, " & \\text{otherwise}");
        }
    }
    buf_puts(out, " \\end{cases}");
}

static void lines(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "\\begin{array}{l} ");
    for (uint32_t k = 0; k < box->n; k++) {
        buf_puts(out, k ? " \\\\ " : "");
        box_latex(box->kid[k], out);
    }
    buf_puts(out, " \\end{array}");
}

// A box with a subscript needs braces before it gets a superscript.
static void script(const struct formula_box *box, struct buf *out)
{
    const struct formula_box *on = box->kid[0];
    bool large = on->kind == BOX_LARGE;
    if (large)
        buf_puts(out, on->text);
    else if (on->kind == BOX_SUB || on->kind == BOX_SUP || on->kind == BOX_MARK)
        group("", on, out);
    else
        box_latex(on, out);
    group(box->kind == BOX_SUP ? "^" : "_", box->kid[1], out);
    buf_puts(out, large ? " " : "");
}

static void fenced(const struct formula_box *box, struct buf *out)
{
    fence("\\left", box->text, out);
    box_latex(box->kid[0], out);
    fence("\\right", box->sign, out);
}

static void root(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "\\sqrt");
    if (box->n > 1) {
        buf_puts(out, "[");
        box_latex(box->kid[1], out);
        buf_puts(out, "]");
    }
    group("", box->kid[0], out);
}

void box_latex(const struct formula_box *box, struct buf *out)
{
    switch (box->kind) {
    case BOX_IDENT:
    case BOX_NUMBER:
        buf_puts(out, box->text);
        break;
    case BOX_WORD:
        word(box->text, out);
        break;
    case BOX_OP:
        buf_printf(out, box->text[0] == ',' ? ", " : " %s ", box->text);
        break;
    case BOX_PREFIX:
        buf_printf(out, box->text[0] == '\\' ? "%s " : "%s", box->text);
        break;
    case BOX_LARGE:
        buf_printf(out, "%s ", box->text);
        break;
    case BOX_FUNC:
        function(box->text, out);
        break;
    case BOX_TIMES:
        buf_puts(out, " \\, ");
        break;
    case BOX_TEXT:
        buf_printf(out, "\\text{%s}", box->text);
        break;
    case BOX_ROW:
        for (uint32_t k = 0; k < box->n; k++)
            box_latex(box->kid[k], out);
        break;
    case BOX_FRAC:
        group("\\frac", box->kid[0], out);
        group("", box->kid[1], out);
        break;
    case BOX_SQRT:
        root(box, out);
        break;
    case BOX_SUP:
    case BOX_SUB:
    case BOX_UNDER:
        script(box, out);
        break;
    case BOX_FENCE:
        fenced(box, out);
        break;
    case BOX_CASES:
        cases(box, out);
        break;
    case BOX_LINES:
        lines(box, out);
        break;
    case BOX_MARK:
        box_latex(box->kid[0], out);
        break;
    }
}
