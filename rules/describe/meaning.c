// SPDX-License-Identifier: Apache-2.0
// A rule in index notation: elementwise operators and movement.
#include "rules/describe/meaning.h"
#include "rules/attributes.h"

#include "rules/describe/describe.h"
#include "rules/language/print/print.h"
#include <ctype.h>

static void value(struct subscripts subscripts, uint32_t pat, enum context where, struct buf *out);

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

const struct iexp *meaning_size(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls == cls)
            return pattern->sizes[i].size;
    return NULL;
}

bool meaning_is(const struct iexp *expr, int64_t k)
{
    return !expr || (expr->op == IE_CONST && expr->k == k);
}

const char *meaning_keep(struct subscripts subscripts, struct buf *buf)
{
    const char *text = arena_strdup(subscripts.mem, buf_text(buf));
    buf_release(buf);
    return text;
}

// Expressions other than names and numbers get parentheses.
void meaning_factor(const struct rule *rule, const struct iexp *expr, struct buf *out)
{
    bool plain = expr->op == IE_MAP || (expr->op == IE_CONST && expr->k >= 0);
    if (!plain)
        buf_putc(out, '(');
    iexp_print(rule, expr, out);
    if (!plain)
        buf_putc(out, ')');
}

// The text of an index, in parentheses unless it is a name.
void meaning_index(const char *index, struct buf *out)
{
    bool name = true;
    for (const char *text = index; *text; text++)
        name = name && (isalnum((unsigned char)*text) || *text == '_');
    buf_printf(out, name ? "%s" : "(%s)", index);
}

// Does the word stand in the text?
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; at && (at = strstr(at, word)) != NULL; at++) {
        bool before = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!before && !isalnum((unsigned char)at[n]) && at[n] != '_')
            return true;
    }
    return false;
}

static bool name_taken(struct subscripts subscripts, const char *name)
{
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++)
        if (has_word(subscripts.at[c], name))
            return true;
    for (uint32_t m = 0; m < subscripts.rule->n_maps; m++)
        if (strcmp(subscripts.rule->maps[m].name, name) == 0)
            return true;
    for (uint32_t t = 0; t < subscripts.rule->n_tensors; t++)
        if (strcmp(subscripts.rule->tensors[t].name, name) == 0)
            return true;
    for (uint32_t v = 0; v < subscripts.rule->n_scalars; v++)
        if (strcmp(subscripts.rule->scalars[v].name, name) == 0)
            return true;
    return false;
}

// "i_x", or "i2_x" and so on if "i_x" has another meaning already.
const char *meaning_name(struct subscripts subscripts, char letter, uint32_t cls)
{
    for (unsigned k = 1;; k++) {
        struct buf buf = {0};
        buf_putc(&buf, letter);
        if (k > 1)
            buf_printf(&buf, "%u", k);
        buf_printf(&buf, "_%s", subscripts.rule->classes[cls].name);
        const char *name = meaning_keep(subscripts, &buf);
        if (!name_taken(subscripts, name))
            return name;
    }
}

struct subscripts meaning_copy(struct subscripts subscripts)
{
    struct subscripts c = subscripts;
    c.at = ARENA_NEW(subscripts.mem, const char *, subscripts.rule->n_classes);
    memcpy(c.at, subscripts.at, sizeof *subscripts.at * subscripts.rule->n_classes);
    return c;
}

void meaning_arg(struct subscripts subscripts, const struct pat *pattern, uint32_t k,
                 enum context where, struct buf *out)
{
    // The argument sees only the classes of its own type.
    struct subscripts c = meaning_copy(subscripts);
    for (uint32_t x = 0; x < subscripts.rule->n_classes; x++)
        if (!meaning_size(&subscripts.rule->pats[pattern->args[k]], x))
            c.at[x] = NULL;
    value(c, pattern->args[k], where, out);
}

static void subscript_list(struct subscripts subscripts, struct buf *out)
{
    const char *sep = "";
    buf_putc(out, '[');
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++)
        if (subscripts.at[c]) {
            buf_printf(out, "%s%s", sep, subscripts.at[c]);
            sep = ", ";
        }
    buf_putc(out, ']');
}

static void slice_value(struct subscripts subscripts, const struct pat *pattern, enum context where,
                        struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++) {
        const struct iexp *start = attribute_given(pattern, c, 0),
                          *stride = attribute_given(pattern, c, 2);
        if (!subscripts.at[c] || (meaning_is(start, 0) && meaning_is(stride, 1)))
            continue;
        struct buf buf = {0};
        if (!meaning_is(start, 0)) {
            iexp_print(subscripts.rule, start, &buf);
            buf_puts(&buf, " + ");
        }
        if (meaning_is(stride, 1)) {
            buf_puts(&buf, subscripts.at[c]);
        } else {
            meaning_factor(subscripts.rule, stride, &buf);
            buf_putc(&buf, '*');
            meaning_index(subscripts.at[c], &buf);
        }
        in.at[c] = meaning_keep(subscripts, &buf);
    }
    meaning_arg(in, pattern, 0, where, out);
}

// The element at (index - low) / (interior + 1), if the quotient is a whole number
// inside the operand on every axis; else the padding value.
static void pad_value(struct subscripts subscripts, const struct pat *pattern, enum context where,
                      struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    struct buf guard = {0};
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++) {
        const struct iexp *low = attribute_given(pattern, c, 0),
                          *interior = attribute_given(pattern, c, 2);
        if (!subscripts.at[c] ||
            (meaning_is(low, 0) && meaning_is(attribute_given(pattern, c, 1), 0) &&
             meaning_is(interior, 0)))
            continue;
        struct buf buf = {0};
        buf_puts(&buf, subscripts.at[c]);
        if (!meaning_is(low, 0)) {
            buf_puts(&buf, " - ");
            meaning_factor(subscripts.rule, low, &buf);
        }
        if (!meaning_is(interior, 0)) {
            struct buf d = {0};
            meaning_index(buf_text(&buf), &d);
            buf_puts(&d, "/(");
            iexp_print(subscripts.rule, interior, &d);
            buf_puts(&d, " + 1)");
            buf_release(&buf);
            buf = d;
        }
        in.at[c] = meaning_keep(subscripts, &buf);
        if (guard.len)
            buf_puts(&guard, " and ");
        buf_printf(&guard, "%s %s in 0..", in.at[c],
                   meaning_is(interior, 0) ? "is" : "is whole and");
        meaning_factor(subscripts.rule, meaning_size(&subscripts.rule->pats[pattern->args[0]], c),
                       &guard);
        buf_puts(&guard, "-1");
    }
    if (!guard.len) {
        meaning_arg(in, pattern, 0, where, out);
        return;
    }
    meaning_open(where, out);
    buf_printf(out, "if %s then ", buf_text(&guard));
    meaning_arg(in, pattern, 0, INNER, out);
    buf_puts(out, " else ");
    meaning_arg(subscripts, pattern, 1, INNER, out);
    meaning_close(where, out);
    buf_release(&guard);
}

static void concat_value(struct subscripts subscripts, const struct pat *pattern,
                         enum context where, struct buf *out)
{
    uint32_t axis = 0;
    while (!(pattern->classes >> axis & 1))
        axis++;
    struct subscripts in = meaning_copy(subscripts);
    struct buf at = {0};
    buf_puts(&at, subscripts.at[axis]);
    where = pattern->n_args > 1 ? where : OUTER;
    meaning_open(where, out);
    for (uint32_t k = 0; k < pattern->n_args; k++) {
        in.at[axis] = arena_strdup(subscripts.mem, buf_text(&at));
        const struct iexp *size = meaning_size(&subscripts.rule->pats[pattern->args[k]], axis);
        if (k + 1 < pattern->n_args) {
            buf_printf(out, "if %s < ", in.at[axis]);
            iexp_print(subscripts.rule, size, out);
            buf_puts(out, " then ");
        }
        meaning_arg(in, pattern, k, INNER, out);
        if (k + 1 < pattern->n_args)
            buf_puts(out, " else ");
        buf_puts(&at, " - ");
        meaning_factor(subscripts.rule, size, &at);
    }
    meaning_close(where, out);
    buf_release(&at);
}

static void reverse_value(struct subscripts subscripts, const struct pat *pattern,
                          enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++)
        if (subscripts.at[c] && (pattern->classes >> c & 1)) {
            struct buf buf = {0};
            meaning_factor(subscripts.rule, meaning_size(pattern, c), &buf);
            buf_puts(&buf, " - 1 - ");
            meaning_index(subscripts.at[c], &buf);
            in.at[c] = meaning_keep(subscripts, &buf);
        }
    meaning_arg(in, pattern, 0, where, out);
}

static void relabel_value(struct subscripts subscripts, const struct pat *pattern,
                          enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        in.at[pattern->relabels[i].from] = subscripts.at[pattern->relabels[i].to];
    meaning_arg(in, pattern, 0, where, out);
}

static void call_value(struct subscripts subscripts, const struct pat *pattern, const char *name,
                       struct buf *out)
{
    buf_printf(out, "%s(", name);
    for (uint32_t k = 0; k < pattern->n_args; k++) {
        if (k)
            buf_puts(out, ", ");
        meaning_arg(subscripts, pattern, k, OUTER, out);
    }
    if (pattern->kind == PAT_OP &&
        (pattern->op == OP_CONVERT || pattern->op == OP_BITCAST_CONVERT)) {
        struct printer printer = {subscripts.rule, out, NULL};
        buf_puts(out, ", ");
        print_type(&printer, pattern->type);
    }
    buf_putc(out, ')');
}

static void infix_value(struct subscripts subscripts, const struct pat *pattern, const char *sign,
                        enum context where, struct buf *out)
{
    meaning_open(where, out);
    meaning_arg(subscripts, pattern, 0, INNER, out);
    buf_printf(out, " %s ", sign);
    meaning_arg(subscripts, pattern, 1, INNER, out);
    meaning_close(where, out);
}

static const char *infix_sign(const struct pat *pattern, char *buffer)
{
    static const char *const compare[] = {"==", "!=", ">=", ">", "<=", "<"};
    if (pattern->op == OP_COMPARE)
        return compare[pattern->dir];
    if (op_info(pattern->op)->level == 0)
        return NULL;
    buffer[0] = op_infix_sign(pattern->op);
    buffer[1] = 0;
    return buffer;
}

static void op_value(struct subscripts subscripts, const struct pat *pattern, enum context where,
                     struct buf *out)
{
    char one[2];
    const char *sign = infix_sign(pattern, one);
    switch (pattern->op) {
    case OP_SLICE:
        slice_value(subscripts, pattern, where, out);
        return;
    case OP_PAD:
        pad_value(subscripts, pattern, where, out);
        return;
    case OP_CONCATENATE:
        concat_value(subscripts, pattern, where, out);
        return;
    case OP_REVERSE:
        reverse_value(subscripts, pattern, where, out);
        return;
    case OP_REDUCE:
        reduce_meaning(subscripts, pattern, where, out);
        return;
    case OP_DOT_GENERAL:
        dot_meaning(subscripts, pattern, where, out);
        return;
    case OP_CONVOLUTION:
        conv_meaning(subscripts, pattern, where, out);
        return;
    case OP_REDUCE_WINDOW:
        window_meaning(subscripts, pattern, where, out);
        return;
    case OP_SCATTER:
        scatter_meaning(subscripts, pattern, where, out);
        return;
    case OP_GATHER:
        gather_meaning(subscripts, pattern, where, out);
        return;
    case OP_DYNAMIC_SLICE:
        dynamic_slice_meaning(subscripts, pattern, where, out);
        return;
    case OP_DYNAMIC_UPDATE_SLICE:
        dynamic_update_meaning(subscripts, pattern, where, out);
        return;
    case OP_RESHAPE:
        reshape_meaning(subscripts, pattern, where, out);
        return;
    case OP_BROADCAST_IN_DIM:
        meaning_arg(subscripts, pattern, 0, where, out);
        return;
    case OP_IOTA:
        for (uint32_t c = 0; c < subscripts.rule->n_classes; c++)
            if (pattern->classes >> c & 1 && where == INNER)
                meaning_index(subscripts.at[c], out);
            else if (pattern->classes >> c & 1)
                buf_puts(out, subscripts.at[c]);
        return;
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_TRANSPOSE:
    case OP_BITCAST_CONVERT:
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        if (sign)
            infix_value(subscripts, pattern, sign, where, out);
        else
            call_value(subscripts, pattern, op_name(pattern->op), out);
    }
}

// A function of whole tensors, without the word `define`.
static void call_of(const struct rule *rule, uint32_t pat, struct buf *out)
{
    struct buf text = {0};
    pat_print(rule, pat, &text);
    buf_puts(out, strchr(buf_text(&text), ' ') + 1);
    buf_release(&text);
}

static void value(struct subscripts subscripts, uint32_t pat, enum context where, struct buf *out)
{
    const struct pat *pattern = &subscripts.rule->pats[pat];
    switch (pattern->kind) {
    case PAT_TENSOR:
        buf_puts(out, subscripts.rule->tensors[pattern->var].name);
        subscript_list(subscripts, out);
        return;
    case PAT_SCALAR:
    case PAT_LITERAL:
        pat_print(subscripts.rule, pat, out);
        return;
    case PAT_SPLAT:
        meaning_arg(subscripts, pattern, 0, where, out);
        return;
    case PAT_RELABEL:
        relabel_value(subscripts, pattern, where, out);
        return;
    case PAT_CALL:
        call_of(subscripts.rule, pat, out);
        return;
    case PAT_OPVAR:
        call_value(subscripts, pattern, subscripts.rule->opvars[pattern->var].name, out);
        return;
    case PAT_OP:
        op_value(subscripts, pattern, where, out);
        return;
    }
}

static void side(const struct rule *rule, const char *title, uint32_t root, struct arena *mem,
                 struct buf *out)
{
    struct subscripts subscripts = {ARENA_NEW(mem, const char *, rule->n_classes), mem, rule};
    for (uint32_t i = 0; i < rule->pats[root].n_sizes; i++) {
        uint32_t c = rule->pats[root].sizes[i].cls;
        subscripts.at[c] = meaning_name(subscripts, 'i', c);
    }
    buf_puts(out, title);
    subscript_list(subscripts, out);
    buf_puts(out, " = ");
    value(subscripts, root, OUTER, out);
    buf_putc(out, '\n');
}

void rule_meaning(const struct rule *rule, struct buf *out)
{
    struct arena mem = {0};
    side(rule, "left", rule->lhs, &mem, out);
    side(rule, "right", rule->rhs, &mem, out);
    arena_release(&mem);
}
