// SPDX-License-Identifier: Apache-2.0
// One printer for source text (names of the rule) and canonical text (numbers).
// Sets of classes are printed in the order of the numbers; classes of equal
// number (while the canonical numbering is sought) in the order of their texts.
#include "rules/language/print/print.h"

// ---- names ----

// Prints one numbered object: classes come first, then maps, then types.
static void print_object(struct printer *printer, uint32_t offset, uint32_t index,
                         const uint32_t *number, char letter)
{
    struct print_names *names = printer->names;
    if (names->self == offset + index) {
        names->hit = true;
        buf_putc(printer->out, '@');
        return;
    }
    buf_printf(printer->out, "%c%u", letter, number[index]);
}

void print_class(struct printer *printer, uint32_t cls)
{
    if (printer->names)
        print_object(printer, 0, cls, printer->names->cls, 'c');
    else
        buf_puts(printer->out, printer->rule->classes[cls].name);
}

void print_map(struct printer *printer, uint32_t map)
{
    if (printer->names)
        print_object(printer, printer->rule->n_classes, map, printer->names->map, 'm');
    else
        buf_puts(printer->out, printer->rule->maps[map].name);
}

void print_kinds(struct buf *out, unsigned kinds)
{
    static const struct {
        unsigned kinds;
        const char *text;
    } words[] = {
        {KIND_ANY, "any"},     {KIND_SINT | KIND_UINT | KIND_FLOAT, "num"},
        {KIND_BOOL, "bool"},   {KIND_SINT | KIND_UINT, "int"},
        {KIND_SINT, "sint"},   {KIND_UINT, "uint"},
        {KIND_FLOAT, "float"},
    };
    const char *sep = "";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((kinds & words[i].kinds) != words[i].kinds)
            continue;
        buf_printf(out, "%s%s", sep, words[i].text);
        kinds &= ~words[i].kinds;
        sep = " | ";
    }
}

// Canonical text names a type that occurs in a declaration or in two
// conversions; the target of a single conversion is printed as its kinds.
void types_named(const struct rule *rule, bool *named)
{
    bool *converted = mem_alloc(rule->n_types + 1);
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        named[rule->tensors[i].type] = true;
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        named[rule->scalars[i].type] = true;
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        named[rule->opvars[i].result] = true;
        for (uint32_t k = 0; k < rule->opvars[i].n_args; k++)
            named[rule->opvars[i].args[k]] = true;
    }
    for (uint32_t i = 0; i < rule->n_wider; i++)
        named[rule->wider[i].wide] = named[rule->wider[i].narrow] = true;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->kind != PAT_OP ||
            (pattern->op != OP_CONVERT && pattern->op != OP_BITCAST_CONVERT))
            continue;
        if (converted[pattern->type])
            named[pattern->type] = true;
        converted[pattern->type] = true;
    }
    mem_free(converted);
}

void print_type(struct printer *printer, uint32_t type)
{
    const struct type_var *t = &printer->rule->types[type];
    if (printer->names && printer->names->type_named[type])
        print_object(printer, printer->rule->n_classes + printer->rule->n_maps, type,
                     printer->names->type, 'T');
    else if (!printer->names && *t->name)
        buf_puts(printer->out, t->name);
    else
        print_kinds(printer->out, t->kinds);
}

void print_var(struct printer *printer, const uint32_t *number, char letter, uint32_t index,
               const char *name)
{
    if (printer->names)
        buf_printf(printer->out, "%c%u", letter, number[index]);
    else
        buf_puts(printer->out, name);
}

void print_opvar(struct printer *printer, uint32_t v)
{
    print_var(printer, printer->names ? printer->names->opvar : NULL, 'f', v,
              printer->rule->opvars[v].name);
}

// ---- integer expressions and conditions ----

static int iexp_level(const struct iexp *expr)
{
    switch (expr->op) {
    case IE_ADD:
    case IE_SUB:
        return 1;
    case IE_MUL:
        return 2;
    default:
        return 3;
    }
}

static void iexp_at(struct printer *printer, const struct iexp *expr, int level)
{
    bool wrap = iexp_level(expr) < level;
    if (wrap)
        buf_putc(printer->out, '(');
    print_iexp(printer, expr);
    if (wrap)
        buf_putc(printer->out, ')');
}

static void iexp_infix(struct printer *printer, const struct iexp *expr, const char *sign)
{
    int level = iexp_level(expr);
    iexp_at(printer, expr->a, level);
    buf_puts(printer->out, sign);
    iexp_at(printer, expr->b, level + 1);
}

static void iexp_call(struct printer *printer, const struct iexp *expr, const char *name)
{
    buf_printf(printer->out, "%s(", name);
    print_iexp(printer, expr->a);
    if (expr->b) {
        buf_puts(printer->out, ", ");
        print_iexp(printer, expr->b);
    }
    buf_putc(printer->out, ')');
}

void print_iexp(struct printer *printer, const struct iexp *expr)
{
    switch (expr->op) {
    case IE_CONST:
        buf_printf(printer->out, "%lld", (long long)expr->k);
        return;
    case IE_MAP:
        print_map(printer, expr->map);
        return;
    case IE_ADD:
        iexp_infix(printer, expr, " + ");
        return;
    case IE_SUB:
        iexp_infix(printer, expr, " - ");
        return;
    case IE_MUL:
        iexp_infix(printer, expr, "*");
        return;
    case IE_NEG: // -(2), as -2 is a constant
        buf_putc(printer->out, '-');
        iexp_at(printer, expr->a, expr->a->op == IE_CONST ? 4 : 3);
        return;
    case IE_DIV:
        iexp_call(printer, expr, "div");
        return;
    case IE_MOD:
        iexp_call(printer, expr, "mod");
        return;
    case IE_CDIV:
        iexp_call(printer, expr, "ceildiv");
        return;
    case IE_MIN:
        iexp_call(printer, expr, "min");
        return;
    case IE_MAX:
        iexp_call(printer, expr, "max");
        return;
    case IE_ABS:
        iexp_call(printer, expr, "abs");
        return;
    }
}

static int cond_level(const struct cond *condition)
{
    switch (condition->op) {
    case COND_OR:
        return 1;
    case COND_AND:
        return 2;
    case COND_NOT:
        return 3;
    default:
        return 4;
    }
}

static void cond_at(struct printer *printer, const struct cond *condition, int level)
{
    bool wrap = cond_level(condition) < level;
    if (wrap)
        buf_putc(printer->out, '(');
    print_cond(printer, condition);
    if (wrap)
        buf_putc(printer->out, ')');
}

// Runs of `and` and `or` are flat.  The signs ==, !=, `and` and `or` commute, so
// canonical text has their operands in the order of the operands' texts.
struct operand_text {
    char *text;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct operand_text *)a)->text, ((const struct operand_text *)b)->text);
}

struct operands {
    VEC(struct operand_text) at;
};

static void push_operand(struct printer *printer, struct operands *operands,
                         const struct cond *condition, const struct iexp *expr, int level)
{
    struct buf buf = {0}, *out = printer->out;
    printer->out = &buf;
    if (condition)
        cond_at(printer, condition, level);
    else
        print_iexp(printer, expr);
    printer->out = out;
    struct operand_text operand_text = {buf_detach(&buf)};
    vec_push(&operands->at, operand_text);
}

static void push_run(struct printer *printer, struct operands *operands,
                     const struct cond *condition, enum cond_op op)
{
    if (condition->op == op) {
        push_run(printer, operands, condition->l, op);
        push_run(printer, operands, condition->r, op);
    } else {
        push_operand(printer, operands, condition, NULL, op == COND_OR ? 2 : 3);
    }
}

void print_cond(struct printer *printer, const struct cond *condition)
{
    static const char *const signs[] = {
        [COND_LE] = " <= ", [COND_LT] = " < ",    [COND_EQ] = " == ",
        [COND_NE] = " != ", [COND_AND] = " and ", [COND_OR] = " or ",
    };
    if (condition->op == COND_NOT) {
        buf_puts(printer->out, "not ");
        cond_at(printer, condition->l, 3);
        return;
    }
    struct operands operands = {0};
    if (condition->op == COND_AND || condition->op == COND_OR) {
        push_run(printer, &operands, condition, condition->op);
    } else {
        push_operand(printer, &operands, NULL, condition->a, 0);
        push_operand(printer, &operands, NULL, condition->b, 0);
    }
    if (printer->names && condition->op != COND_LE && condition->op != COND_LT)
        qsort(operands.at.at, operands.at.len, sizeof *operands.at.at, by_text);
    for (uint32_t i = 0; i < operands.at.len; i++) {
        buf_printf(printer->out, "%s%s", i ? signs[condition->op] : "", operands.at.at[i].text);
        mem_free(operands.at.at[i].text);
    }
    vec_release(&operands.at);
}

// ---- sets ----

static int by_order(const void *a, const void *b)
{
    const struct entry *entry = a, *y = b;
    if (entry->order != y->order)
        return entry->order < y->order ? -1 : 1;
    return strcmp(entry->text, y->text);
}

void entry_add(struct printer *printer, struct entries *entries, uint32_t cls,
               const struct iexp *size, const char *sign, uint32_t to)
{
    struct buf buf = {0}, *out = printer->out;
    printer->out = &buf;
    print_class(printer, cls);
    if (size) {
        buf_puts(&buf, ": ");
        print_iexp(printer, size);
    }
    if (sign) {
        buf_puts(&buf, sign);
        print_class(printer, to);
    }
    printer->out = out;
    struct entry entry = {printer->names ? printer->names->cls[cls] : cls, buf_detach(&buf)};
    vec_push(&entries->at, entry);
}

void entries_print(struct printer *printer, struct entries *entries)
{
    if (entries->at.len)
        qsort(entries->at.at, entries->at.len, sizeof *entries->at.at, by_order);
    for (uint32_t i = 0; i < entries->at.len; i++) {
        buf_printf(printer->out, "%s%s", i ? ", " : "", entries->at.at[i].text);
        mem_free(entries->at.at[i].text);
    }
    vec_release(&entries->at);
}

void print_sizes(struct printer *printer, uint32_t n, const struct axis_size *sizes)
{
    struct entries entries = {0};
    for (uint32_t i = 0; i < n; i++)
        entry_add(printer, &entries, sizes[i].cls, sizes[i].size, NULL, 0);
    entries_print(printer, &entries);
}

void iexp_print(const struct rule *rule, const struct iexp *expr, struct buf *out)
{
    struct printer printer = {rule, out, NULL};
    print_iexp(&printer, expr);
}

void cond_print(const struct rule *rule, const struct cond *condition, struct buf *out)
{
    struct printer printer = {rule, out, NULL};
    print_cond(&printer, condition);
}
