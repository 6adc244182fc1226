// SPDX-License-Identifier: Apache-2.0
// Prints boxes as MathML Core.  Every box is one element, because some elements
// need a fixed number of children.
#include "base/text/markup.h"
#include "formula/print/box.h"

static void put(const struct formula_box *box, struct buf *out);

// Boxes that are an element around their children.
static void parent(const struct formula_box *box, struct buf *out)
{
    static const char *const element[] = {
        [BOX_ROW] = "mrow", [BOX_FRAC] = "mfrac", [BOX_SQRT] = "msqrt",
        [BOX_SUP] = "msup", [BOX_SUB] = "msub",   [BOX_UNDER] = "munder",
    };
    const char *name = element[box->kind];
    if (box->kind == BOX_SQRT && box->n > 1)
        name = "mroot";
    buf_printf(out, "<%s>", name);
    for (uint32_t k = 0; k < box->n; k++)
        put(box->kid[k], out);
    buf_printf(out, "</%s>", name);
}

static const char *fence_sign(const char *text)
{
    return strcmp(text, "\\lfloor") == 0   ? "⌊"
           : strcmp(text, "\\rfloor") == 0 ? "⌋"
           : strcmp(text, "\\lceil") == 0  ? "⌈"
           : strcmp(text, "\\rceil") == 0  ? "⌉"
                                           : text;
}

static void fence(const char *form, const char *text, struct buf *out)
{
    buf_printf(out, "<mo form=\"%s\" fence=\"true\" stretchy=\"true\">%s</mo>", form,
               fence_sign(text));
}

static void fenced(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "<mrow>");
    fence("prefix", box->text, out);
    put(box->kid[0], out);
    fence("postfix", box->sign, out);
    buf_puts(out, "</mrow>");
}

static void marked(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "<mrow class=\"changed\">");
    put(box->kid[0], out);
    buf_puts(out, "</mrow>");
}

static void row_of_cases(const struct formula_box *box, uint32_t k, struct buf *out)
{
    static const char cell[] = "<mtd style=\"text-align: left\">";
    buf_printf(out, "<mtr>%s", cell);
    put(box->kid[k], out);
    buf_printf(out, "</mtd>%s<mrow><mtext>", cell);
    if (k + 1 < box->n) {
        buf_puts(out, "if\u00a0</mtext>");
        put(box->kid[k + 1], out);
    } else {
        buf_puts(out, "otherwise</mtext>");
    }
    buf_puts(out, "</mrow></mtd></mtr>");
}

static void lines(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "<mtable displaystyle=\"true\">");
    for (uint32_t k = 0; k < box->n; k++) {
        buf_puts(out, "<mtr><mtd style=\"text-align: left\">");
        put(box->kid[k], out);
        buf_puts(out, "</mtd></mtr>");
    }
    buf_puts(out, "</mtable>");
}

static void cases(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "<mrow>");
    fence("prefix", "{", out);
    buf_puts(out, "<mtable displaystyle=\"true\">");
    for (uint32_t k = 0; k < box->n; k += 2)
        row_of_cases(box, k, out);
    buf_puts(out, "</mtable></mrow>");
}

// Replaces spaces by spaces that browsers keep.
static void words(const char *text, struct buf *out)
{
    buf_puts(out, "<mtext>");
    for (; *text != 0; text++)
        if (*text == ' ')
            buf_puts(out, "\u00a0");
        else
            buf_putc(out, *text);
    buf_puts(out, "</mtext>");
}

// Prints a box without children.
static void leaf(const struct formula_box *box, struct buf *out)
{
    static const struct {
        const char *open, *close;
        bool sign; // print `sign`; else print `text`
    } element[] = {
        [BOX_IDENT] = {"<mi>", "</mi>", true},
        [BOX_WORD] = {"<mi mathvariant=\"normal\">", "</mi>", false},
        [BOX_FUNC] = {"<mi mathvariant=\"normal\">", "</mi>", false},
        [BOX_NUMBER] = {"<mn>", "</mn>", false},
        [BOX_OP] = {"<mo>", "</mo>", true},
        [BOX_PREFIX] = {"<mo form=\"prefix\">", "</mo>", true},
        [BOX_LARGE] = {"<mo largeop=\"true\" movablelimits=\"false\">", "</mo>", true},
    };
    const char *open = element[box->kind].open;
    if (box->kind == BOX_OP && box->text[0] == ',')
        open = "<mo separator=\"true\">";
    else if (box->kind == BOX_IDENT && strcmp(box->text, "\\top") == 0)
        open = element[BOX_WORD].open; // a sign above a letter is no letter
    markup_in(open, element[box->kind].sign ? box->sign : box->text, element[box->kind].close, out);
}

static void put(const struct formula_box *box, struct buf *out)
{
    switch (box->kind) {
    case BOX_IDENT:
    case BOX_WORD:
    case BOX_NUMBER:
    case BOX_OP:
    case BOX_PREFIX:
    case BOX_LARGE:
    case BOX_FUNC:
        leaf(box, out);
        break;
    case BOX_TIMES:
        buf_puts(out, "<mo lspace=\"0.08em\" rspace=\"0.08em\">\u2062</mo>");
        break;
    case BOX_TEXT:
        words(box->text, out);
        break;
    case BOX_ROW:
    case BOX_FRAC:
    case BOX_SQRT:
    case BOX_SUP:
    case BOX_SUB:
    case BOX_UNDER:
        parent(box, out);
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
        marked(box, out);
        break;
    }
}

void box_mathml(const struct formula_box *box, struct buf *out)
{
    buf_puts(out, "<math display=\"block\">");
    put(box, out);
    buf_puts(out, "</math>");
}
