// SPDX-License-Identifier: Apache-2.0
// One printer for source text (names of the rule) and canonical text (numbers).
// Sets of classes are printed in the order of the numbers; classes of equal
// number (while the canonical numbering is sought) in the order of their texts.
#include "rules/language/print/print.h"

// ---- names ----

// Prints one numbered object: classes come first, then maps, then types.
static void print_object(struct printer *w, uint32_t offset, uint32_t index,
                         const uint32_t *number, char letter)
{
    struct print_names *m = w->names;
    if (m->self == offset + index) {
        m->hit = true;
        buf_putc(w->out, '@');
        return;
    }
    buf_printf(w->out, "%c%u", letter, number[index]);
}

void print_class(struct printer *w, uint32_t cls)
{
    if (w->names)
        print_object(w, 0, cls, w->names->cls, 'c');
    else
        buf_puts(w->out, w->r->classes[cls].name);
}

void print_map(struct printer *w, uint32_t map)
{
    if (w->names)
        print_object(w, w->r->n_classes, map, w->names->map, 'm');
    else
        buf_puts(w->out, w->r->maps[map].name);
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
void types_named(const struct rule *r, bool *named)
{
    bool *converted = mem_alloc(r->n_types + 1);
    for (uint32_t i = 0; i < r->n_tensors; i++)
        named[r->tensors[i].type] = true;
    for (uint32_t i = 0; i < r->n_scalars; i++)
        named[r->scalars[i].type] = true;
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        named[r->opvars[i].result] = true;
        for (uint32_t k = 0; k < r->opvars[i].n_args; k++)
            named[r->opvars[i].args[k]] = true;
    }
    for (uint32_t i = 0; i < r->n_wider; i++)
        named[r->wider[i].wide] = named[r->wider[i].narrow] = true;
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *n = &r->pats[i];
        if (n->kind != PAT_OP ||
            (n->op != OP_CONVERT && n->op != OP_BITCAST_CONVERT))
            continue;
        if (converted[n->type])
            named[n->type] = true;
        converted[n->type] = true;
    }
    mem_free(converted);
}

void print_type(struct printer *w, uint32_t type)
{
    const struct type_var *t = &w->r->types[type];
    if (w->names && w->names->type_named[type])
        print_object(w, w->r->n_classes + w->r->n_maps, type, w->names->type,
                     'T');
    else if (!w->names && *t->name)
        buf_puts(w->out, t->name);
    else
        print_kinds(w->out, t->kinds);
}

void print_var(struct printer *w, const uint32_t *number, char letter,
               uint32_t index, const char *name)
{
    if (w->names)
        buf_printf(w->out, "%c%u", letter, number[index]);
    else
        buf_puts(w->out, name);
}

void print_opvar(struct printer *w, uint32_t v)
{
    print_var(w, w->names ? w->names->opvar : NULL, 'f', v,
              w->r->opvars[v].name);
}

// ---- integer expressions and conditions ----

static int iexp_level(const struct iexp *x)
{
    switch (x->op) {
    case IE_ADD:
    case IE_SUB:
        return 1;
    case IE_MUL:
        return 2;
    default:
        return 3;
    }
}

static void iexp_at(struct printer *w, const struct iexp *x, int level)
{
    bool wrap = iexp_level(x) < level;
    if (wrap)
        buf_putc(w->out, '(');
    print_iexp(w, x);
    if (wrap)
        buf_putc(w->out, ')');
}

static void iexp_infix(struct printer *w, const struct iexp *x,
                       const char *sign)
{
    int level = iexp_level(x);
    iexp_at(w, x->a, level);
    buf_puts(w->out, sign);
    iexp_at(w, x->b, level + 1);
}

static void iexp_call(struct printer *w, const struct iexp *x, const char *name)
{
    buf_printf(w->out, "%s(", name);
    print_iexp(w, x->a);
    if (x->b) {
        buf_puts(w->out, ", ");
        print_iexp(w, x->b);
    }
    buf_putc(w->out, ')');
}

void print_iexp(struct printer *w, const struct iexp *x)
{
    switch (x->op) {
    case IE_CONST:
        buf_printf(w->out, "%lld", (long long)x->k);
        return;
    case IE_MAP:
        print_map(w, x->map);
        return;
    case IE_ADD:
        iexp_infix(w, x, " + ");
        return;
    case IE_SUB:
        iexp_infix(w, x, " - ");
        return;
    case IE_MUL:
        iexp_infix(w, x, "*");
        return;
    case IE_NEG: // -(2), as -2 is a constant
        buf_putc(w->out, '-');
        iexp_at(w, x->a, x->a->op == IE_CONST ? 4 : 3);
        return;
    case IE_DIV:
        iexp_call(w, x, "div");
        return;
    case IE_MOD:
        iexp_call(w, x, "mod");
        return;
    case IE_CDIV:
        iexp_call(w, x, "ceildiv");
        return;
    case IE_MIN:
        iexp_call(w, x, "min");
        return;
    case IE_MAX:
        iexp_call(w, x, "max");
        return;
    case IE_ABS:
        iexp_call(w, x, "abs");
        return;
    }
}

static int cond_level(const struct cond *c)
{
    switch (c->op) {
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

static void cond_at(struct printer *w, const struct cond *c, int level)
{
    bool wrap = cond_level(c) < level;
    if (wrap)
        buf_putc(w->out, '(');
    print_cond(w, c);
    if (wrap)
        buf_putc(w->out, ')');
}

// Runs of `and` and `or` are flat; == != and or commute, so that canonical text
// has their operands in the order of their texts.
struct operand_text {
    char *text;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct operand_text *)a)->text,
                  ((const struct operand_text *)b)->text);
}

struct operands {
    VEC(struct operand_text) at;
};

static void push_operand(struct printer *w, struct operands *v,
                         const struct cond *c, const struct iexp *x, int level)
{
    struct buf b = {0}, *out = w->out;
    w->out = &b;
    if (c)
        cond_at(w, c, level);
    else
        print_iexp(w, x);
    w->out = out;
    struct operand_text t = {buf_detach(&b)};
    vec_push(&v->at, t);
}

static void push_run(struct printer *w, struct operands *v,
                     const struct cond *c, enum cond_op op)
{
    if (c->op == op) {
        push_run(w, v, c->l, op);
        push_run(w, v, c->r, op);
    } else {
        push_operand(w, v, c, NULL, op == COND_OR ? 2 : 3);
    }
}

void print_cond(struct printer *w, const struct cond *c)
{
    static const char *const signs[] = {
        [COND_LE] = " <= ", [COND_LT] = " < ",    [COND_EQ] = " == ",
        [COND_NE] = " != ", [COND_AND] = " and ", [COND_OR] = " or ",
    };
    if (c->op == COND_NOT) {
        buf_puts(w->out, "not ");
        cond_at(w, c->l, 3);
        return;
    }
    struct operands v = {0};
    if (c->op == COND_AND || c->op == COND_OR) {
        push_run(w, &v, c, c->op);
    } else {
        push_operand(w, &v, NULL, c->a, 0);
        push_operand(w, &v, NULL, c->b, 0);
    }
    if (w->names && c->op != COND_LE && c->op != COND_LT)
        qsort(v.at.at, v.at.len, sizeof *v.at.at, by_text);
    for (uint32_t i = 0; i < v.at.len; i++) {
        buf_printf(w->out, "%s%s", i ? signs[c->op] : "", v.at.at[i].text);
        mem_free(v.at.at[i].text);
    }
    vec_release(&v.at);
}

// ---- sets ----

static int by_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return strcmp(x->text, y->text);
}

void entry_add(struct printer *w, struct entries *v, uint32_t cls,
               const struct iexp *size, const char *sign, uint32_t to)
{
    struct buf b = {0}, *out = w->out;
    w->out = &b;
    print_class(w, cls);
    if (size) {
        buf_puts(&b, ": ");
        print_iexp(w, size);
    }
    if (sign) {
        buf_puts(&b, sign);
        print_class(w, to);
    }
    w->out = out;
    struct entry e = {w->names ? w->names->cls[cls] : cls, buf_detach(&b)};
    vec_push(&v->at, e);
}

void entries_print(struct printer *w, struct entries *v)
{
    if (v->at.len)
        qsort(v->at.at, v->at.len, sizeof *v->at.at, by_order);
    for (uint32_t i = 0; i < v->at.len; i++) {
        buf_printf(w->out, "%s%s", i ? ", " : "", v->at.at[i].text);
        mem_free(v->at.at[i].text);
    }
    vec_release(&v->at);
}

void print_sizes(struct printer *w, uint32_t n, const struct axis_size *sizes)
{
    struct entries v = {0};
    for (uint32_t i = 0; i < n; i++)
        entry_add(w, &v, sizes[i].cls, sizes[i].size, NULL, 0);
    entries_print(w, &v);
}

void iexp_print(const struct rule *r, const struct iexp *x, struct buf *out)
{
    struct printer w = {r, out, NULL};
    print_iexp(&w, x);
}

void cond_print(const struct rule *r, const struct cond *c, struct buf *out)
{
    struct printer w = {r, out, NULL};
    print_cond(&w, c);
}
