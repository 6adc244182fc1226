// SPDX-License-Identifier: Apache-2.0
// A rule in index notation: elementwise operators and movement.
#include "rules/describe/meaning.h"

#include "rules/describe/describe.h"
#include "rules/language/print/print.h"
#include <ctype.h>

static void value(struct subscripts s, uint32_t pat, enum context where,
                  struct buf *out);

void meaning_open(enum context where, struct buf *out)
{
    if (where == INNER)
        buf_putc(out, '(');
}

void meaning_close(enum context where, struct buf *out)
{
    if (where == INNER)
        buf_putc(out, ')');
}

const struct iexp *meaning_attr(const struct pat *p, uint32_t cls, int k)
{
    for (uint32_t i = 0; i < p->n_attrs; i++)
        if (p->attrs[i].cls == cls)
            return p->attrs[i].v[k];
    return NULL;
}

const struct iexp *meaning_size(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls == cls)
            return p->sizes[i].size;
    return NULL;
}

bool meaning_is(const struct iexp *x, int64_t k)
{
    return !x || (x->op == IE_CONST && x->k == k);
}

const char *meaning_keep(struct subscripts s, struct buf *b)
{
    const char *text = arena_strdup(s.mem, buf_text(b));
    buf_release(b);
    return text;
}

// Expressions other than names and numbers get parentheses.
void meaning_factor(const struct rule *r, const struct iexp *x, struct buf *out)
{
    bool plain = x->op == IE_MAP || (x->op == IE_CONST && x->k >= 0);
    if (!plain)
        buf_putc(out, '(');
    iexp_print(r, x, out);
    if (!plain)
        buf_putc(out, ')');
}

// The text of an index, in parentheses unless it is a name.
void meaning_index(const char *index, struct buf *out)
{
    bool name = true;
    for (const char *c = index; *c; c++)
        name = name && (isalnum((unsigned char)*c) || *c == '_');
    buf_printf(out, name ? "%s" : "(%s)", index);
}

// Does the word stand in the text?
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; at && (at = strstr(at, word)) != NULL; at++) {
        bool before =
            at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!before && !isalnum((unsigned char)at[n]) && at[n] != '_')
            return true;
    }
    return false;
}

static bool name_taken(struct subscripts s, const char *name)
{
    for (uint32_t c = 0; c < s.r->n_classes; c++)
        if (has_word(s.at[c], name))
            return true;
    for (uint32_t m = 0; m < s.r->n_maps; m++)
        if (strcmp(s.r->maps[m].name, name) == 0)
            return true;
    for (uint32_t t = 0; t < s.r->n_tensors; t++)
        if (strcmp(s.r->tensors[t].name, name) == 0)
            return true;
    for (uint32_t v = 0; v < s.r->n_scalars; v++)
        if (strcmp(s.r->scalars[v].name, name) == 0)
            return true;
    return false;
}

// "i_x", or "i2_x" and so on where that means something else already.
const char *meaning_name(struct subscripts s, char letter, uint32_t cls)
{
    for (unsigned k = 1;; k++) {
        struct buf b = {0};
        buf_putc(&b, letter);
        if (k > 1)
            buf_printf(&b, "%u", k);
        buf_printf(&b, "_%s", s.r->classes[cls].name);
        const char *name = meaning_keep(s, &b);
        if (!name_taken(s, name))
            return name;
    }
}

struct subscripts meaning_copy(struct subscripts s)
{
    struct subscripts c = s;
    c.at = ARENA_NEW(s.mem, const char *, s.r->n_classes);
    memcpy(c.at, s.at, sizeof *s.at * s.r->n_classes);
    return c;
}

void meaning_arg(struct subscripts s, const struct pat *p, uint32_t k,
                 enum context where, struct buf *out)
{
    // The argument sees only the classes of its own type.
    struct subscripts c = meaning_copy(s);
    for (uint32_t x = 0; x < s.r->n_classes; x++)
        if (!meaning_size(&s.r->pats[p->args[k]], x))
            c.at[x] = NULL;
    value(c, p->args[k], where, out);
}

static void subscript_list(struct subscripts s, struct buf *out)
{
    const char *sep = "";
    buf_putc(out, '[');
    for (uint32_t c = 0; c < s.r->n_classes; c++)
        if (s.at[c]) {
            buf_printf(out, "%s%s", sep, s.at[c]);
            sep = ", ";
        }
    buf_putc(out, ']');
}

static void slice_value(struct subscripts s, const struct pat *p,
                        enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    for (uint32_t c = 0; c < s.r->n_classes; c++) {
        const struct iexp *start = meaning_attr(p, c, 0),
                          *stride = meaning_attr(p, c, 2);
        if (!s.at[c] || (meaning_is(start, 0) && meaning_is(stride, 1)))
            continue;
        struct buf b = {0};
        if (!meaning_is(start, 0)) {
            iexp_print(s.r, start, &b);
            buf_puts(&b, " + ");
        }
        if (meaning_is(stride, 1)) {
            buf_puts(&b, s.at[c]);
        } else {
            meaning_factor(s.r, stride, &b);
            buf_putc(&b, '*');
            meaning_index(s.at[c], &b);
        }
        in.at[c] = meaning_keep(s, &b);
    }
    meaning_arg(in, p, 0, where, out);
}

// (index - low) / (interior + 1) where that is a whole number inside the
// operand on every axis; the padding value elsewhere.
static void pad_value(struct subscripts s, const struct pat *p,
                      enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    struct buf guard = {0};
    for (uint32_t c = 0; c < s.r->n_classes; c++) {
        const struct iexp *low = meaning_attr(p, c, 0),
                          *interior = meaning_attr(p, c, 2);
        if (!s.at[c] ||
            (meaning_is(low, 0) && meaning_is(meaning_attr(p, c, 1), 0) &&
             meaning_is(interior, 0)))
            continue;
        struct buf b = {0};
        buf_puts(&b, s.at[c]);
        if (!meaning_is(low, 0)) {
            buf_puts(&b, " - ");
            meaning_factor(s.r, low, &b);
        }
        if (!meaning_is(interior, 0)) {
            struct buf d = {0};
            meaning_index(buf_text(&b), &d);
            buf_puts(&d, "/(");
            iexp_print(s.r, interior, &d);
            buf_puts(&d, " + 1)");
            buf_release(&b);
            b = d;
        }
        in.at[c] = meaning_keep(s, &b);
        if (guard.len)
            buf_puts(&guard, " and ");
        buf_printf(&guard, "%s %s in 0..", in.at[c],
                   meaning_is(interior, 0) ? "is" : "is whole and");
        meaning_factor(s.r, meaning_size(&s.r->pats[p->args[0]], c), &guard);
        buf_puts(&guard, "-1");
    }
    if (!guard.len) {
        meaning_arg(in, p, 0, where, out);
        return;
    }
    meaning_open(where, out);
    buf_printf(out, "if %s then ", buf_text(&guard));
    meaning_arg(in, p, 0, INNER, out);
    buf_puts(out, " else ");
    meaning_arg(s, p, 1, INNER, out);
    meaning_close(where, out);
    buf_release(&guard);
}

static void concat_value(struct subscripts s, const struct pat *p,
                         enum context where, struct buf *out)
{
    uint32_t axis = 0;
    while (!(p->classes >> axis & 1))
        axis++;
    struct subscripts in = meaning_copy(s);
    struct buf at = {0};
    buf_puts(&at, s.at[axis]);
    where = p->n_args > 1 ? where : OUTER;
    meaning_open(where, out);
    for (uint32_t k = 0; k < p->n_args; k++) {
        in.at[axis] = arena_strdup(s.mem, buf_text(&at));
        const struct iexp *size = meaning_size(&s.r->pats[p->args[k]], axis);
        if (k + 1 < p->n_args) {
            buf_printf(out, "if %s < ", in.at[axis]);
            iexp_print(s.r, size, out);
            buf_puts(out, " then ");
        }
        meaning_arg(in, p, k, INNER, out);
        if (k + 1 < p->n_args)
            buf_puts(out, " else ");
        buf_puts(&at, " - ");
        meaning_factor(s.r, size, &at);
    }
    meaning_close(where, out);
    buf_release(&at);
}

static void reverse_value(struct subscripts s, const struct pat *p,
                          enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    for (uint32_t c = 0; c < s.r->n_classes; c++)
        if (s.at[c] && (p->classes >> c & 1)) {
            struct buf b = {0};
            meaning_factor(s.r, meaning_size(p, c), &b);
            buf_puts(&b, " - 1 - ");
            meaning_index(s.at[c], &b);
            in.at[c] = meaning_keep(s, &b);
        }
    meaning_arg(in, p, 0, where, out);
}

static void relabel_value(struct subscripts s, const struct pat *p,
                          enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    for (uint32_t i = 0; i < p->n_relabels; i++)
        in.at[p->relabels[i].from] = s.at[p->relabels[i].to];
    meaning_arg(in, p, 0, where, out);
}

static void call_value(struct subscripts s, const struct pat *p,
                       const char *name, struct buf *out)
{
    buf_printf(out, "%s(", name);
    for (uint32_t k = 0; k < p->n_args; k++) {
        if (k)
            buf_puts(out, ", ");
        meaning_arg(s, p, k, OUTER, out);
    }
    if (p->kind == PAT_OP &&
        (p->op == OP_CONVERT || p->op == OP_BITCAST_CONVERT)) {
        struct printer w = {s.r, out, NULL};
        buf_puts(out, ", ");
        print_type(&w, p->type);
    }
    buf_putc(out, ')');
}

static void infix_value(struct subscripts s, const struct pat *p,
                        const char *sign, enum context where, struct buf *out)
{
    meaning_open(where, out);
    meaning_arg(s, p, 0, INNER, out);
    buf_printf(out, " %s ", sign);
    meaning_arg(s, p, 1, INNER, out);
    meaning_close(where, out);
}

static const char *infix_sign(const struct pat *p)
{
    static const char *const compare[] = {"==", "!=", ">=", ">", "<=", "<"};
    switch (p->op) {
    case OP_ADD:
        return "+";
    case OP_SUBTRACT:
        return "-";
    case OP_MULTIPLY:
        return "*";
    case OP_DIVIDE:
        return "/";
    case OP_REMAINDER:
        return "%";
    case OP_AND:
        return "&";
    case OP_OR:
        return "|";
    case OP_XOR:
        return "^";
    case OP_COMPARE:
        return compare[p->dir];
    default:
        return NULL;
    }
}

static void op_value(struct subscripts s, const struct pat *p,
                     enum context where, struct buf *out)
{
    const char *sign = infix_sign(p);
    switch (p->op) {
    case OP_SLICE:
        slice_value(s, p, where, out);
        return;
    case OP_PAD:
        pad_value(s, p, where, out);
        return;
    case OP_CONCATENATE:
        concat_value(s, p, where, out);
        return;
    case OP_REVERSE:
        reverse_value(s, p, where, out);
        return;
    case OP_REDUCE:
        reduce_meaning(s, p, where, out);
        return;
    case OP_DOT_GENERAL:
        dot_meaning(s, p, where, out);
        return;
    case OP_CONVOLUTION:
        conv_meaning(s, p, where, out);
        return;
    case OP_REDUCE_WINDOW:
        window_meaning(s, p, where, out);
        return;
    case OP_SCATTER:
        scatter_meaning(s, p, where, out);
        return;
    case OP_GATHER:
        gather_meaning(s, p, where, out);
        return;
    case OP_DYNAMIC_SLICE:
        dynamic_slice_meaning(s, p, where, out);
        return;
    case OP_DYNAMIC_UPDATE_SLICE:
        dynamic_update_meaning(s, p, where, out);
        return;
    case OP_RESHAPE:
        reshape_meaning(s, p, where, out);
        return;
    case OP_BROADCAST_IN_DIM:
        meaning_arg(s, p, 0, where, out);
        return;
    case OP_IOTA:
        for (uint32_t c = 0; c < s.r->n_classes; c++)
            if (p->classes >> c & 1 && where == INNER)
                meaning_index(s.at[c], out);
            else if (p->classes >> c & 1)
                buf_puts(out, s.at[c]);
        return;
    default:
        if (sign)
            infix_value(s, p, sign, where, out);
        else
            call_value(s, p, op_name(p->op), out);
    }
}

// A function of whole tensors, without the word `define`.
static void call_of(const struct rule *r, uint32_t pat, struct buf *out)
{
    struct buf text = {0};
    pat_print(r, pat, &text);
    buf_puts(out, strchr(buf_text(&text), ' ') + 1);
    buf_release(&text);
}

static void value(struct subscripts s, uint32_t pat, enum context where,
                  struct buf *out)
{
    const struct pat *p = &s.r->pats[pat];
    switch (p->kind) {
    case PAT_TENSOR:
        buf_puts(out, s.r->tensors[p->var].name);
        subscript_list(s, out);
        return;
    case PAT_SCALAR:
    case PAT_LITERAL:
        pat_print(s.r, pat, out);
        return;
    case PAT_SPLAT:
        meaning_arg(s, p, 0, where, out);
        return;
    case PAT_RELABEL:
        relabel_value(s, p, where, out);
        return;
    case PAT_CALL:
        call_of(s.r, pat, out);
        return;
    case PAT_OPVAR:
        call_value(s, p, s.r->opvars[p->var].name, out);
        return;
    case PAT_OP:
        op_value(s, p, where, out);
        return;
    }
}

static void side(const struct rule *r, const char *title, uint32_t root,
                 struct arena *mem, struct buf *out)
{
    struct subscripts s = {ARENA_NEW(mem, const char *, r->n_classes), mem, r};
    for (uint32_t i = 0; i < r->pats[root].n_sizes; i++) {
        uint32_t c = r->pats[root].sizes[i].cls;
        s.at[c] = meaning_name(s, 'i', c);
    }
    buf_puts(out, title);
    subscript_list(s, out);
    buf_puts(out, " = ");
    value(s, root, OUTER, out);
    buf_putc(out, '\n');
}

void rule_meaning(const struct rule *r, struct buf *out)
{
    struct arena mem = {0};
    side(r, "left", r->lhs, &mem, out);
    side(r, "right", r->rhs, &mem, out);
    arena_release(&mem);
}
