// SPDX-License-Identifier: Apache-2.0
// A program as text.  The order of statements follows from the structure of
// the terms alone: effects in their order, then results, each behind what it
// needs.  So the text of a program that was read from such text is the same.
#include "io/stablehlo/print/printer.h"
#include <inttypes.h>

// Whether `text` has the word dense_resource outside quotes.
static bool names_resource(const char *text)
{
    static const char word[] = "dense_resource";
    bool quoted = false;
    for (; *text != '\0'; text++) {
        if (*text == '"')
            quoted = !quoted;
        else if (quoted && *text == '\\' && text[1] != '\0')
            text++;
        else if (!quoted && strncmp(text, word, sizeof word - 1) == 0)
            return true;
    }
    return false;
}

static void put_sym(struct stablehlo_printer *x, sym_id s)
{
    const char *text = sym_text(x->pool, s);
    x->resources |= names_resource(text);
    buf_puts(x->out, text);
}

static bool bare_symbol(const char *s)
{
    if (*s == '\0' || (*s >= '0' && *s <= '9') || *s == '$' || *s == '.')
        return false;
    for (; *s != '\0'; s++)
        if (!(*s >= 'a' && *s <= 'z') && !(*s >= 'A' && *s <= 'Z') &&
            !(*s >= '0' && *s <= '9') && *s != '_' && *s != '$' && *s != '.')
            return false;
    return true;
}

static void put_symbol(struct stablehlo_printer *x, sym_id name)
{
    const char *s = sym_text(x->pool, name);
    buf_putc(x->out, '@');
    if (bare_symbol(s)) {
        buf_puts(x->out, s);
        return;
    }
    buf_putc(x->out, '"');
    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\' || c < ' ' || c == 0x7F)
            buf_printf(x->out, "\\%02X", c);
        else
            buf_putc(x->out, *s);
    }
    buf_putc(x->out, '"');
}

void stablehlo_put_type(struct stablehlo_printer *x, type_id t)
{
    type_print(x->pool, t, x->out);
}

// A name that no parameter has.
uint32_t stablehlo_fresh_name(struct stablehlo_printer *x, const char *stem,
                            uint32_t *count)
{
    char text[32];
    for (;;) {
        uint32_t n = (*count)++;
        if (stem[0] == '\0')
            snprintf(text, sizeof text, "%u", n);
        else if (n == 0)
            snprintf(text, sizeof text, "%s", stem);
        else
            snprintf(text, sizeof text, "%s_%u", stem, n - 1);
        uint32_t name = intern_str(&x->names, text);
        if (name >= x->param_has.len || x->param_has.at[name] == 0)
            return name;
    }
}

static uint32_t term_name(struct stablehlo_printer *x, term_id t)
{
    if (term_op(x->t, t) != OP_CONSTANT)
        return stablehlo_fresh_name(x, "", &x->n_value);
    bool is_float =
        elem_kind(type_elem(x->pool, term_type(x->t, t))) == KIND_FLOAT;
    return is_float ? stablehlo_fresh_name(x, "cst", &x->n_cst)
                    : stablehlo_fresh_name(x, "c", &x->n_c);
}

void stablehlo_put_value(struct stablehlo_printer *x, term_id t)
{
    uint32_t k = 0;
    bool part = term_op(x->t, t) == OP_RESULT;
    if (part) {
        k = (uint32_t)attr_at(x->pool, term_at(x->t, t)->attr)[0];
        t = term_args(x->t, t)[0];
    }
    buf_printf(x->out, "%%%s", intern_text(&x->names, x->name_of.at[t.v] - 1));
    if (part)
        buf_printf(x->out, "#%u", k);
}

// The k of "%{k}" or "%{.k}" at s; its length, 0 = no placeholder.
static size_t placeholder(const char *s, bool *local, uint32_t *k)
{
    size_t n = 2;
    if (s[0] != '%' || s[1] != '{')
        return 0;
    *local = s[n] == '.';
    n += *local;
    *k = 0;
    if (s[n] < '0' || s[n] > '9')
        return 0;
    for (; s[n] >= '0' && s[n] <= '9' && *k < 100000000; n++)
        *k = *k * 10 + (uint32_t)(s[n] - '0');
    return s[n] == '}' ? n + 1 : 0;
}

// Values of the operation's regions get the next free numbers.
static uint32_t local_name(struct stablehlo_printer *x, uint32_t k)
{
    while (x->local.len <= k)
        vec_push(&x->local, stablehlo_fresh_name(x, "", &x->n_value));
    return x->local.at[k];
}

static void put_template(struct stablehlo_printer *x, term_id t)
{
    const struct term *node = term_at(x->t, t);
    sym_id sym = {(uint32_t)attr_at(x->pool, node->attr)[0]};
    const char *s = sym_text(x->pool, sym);
    bool quoted = false;
    x->resources |= names_resource(s);
    vec_clear(&x->local);
    while (*s != '\0') {
        bool local;
        uint32_t k;
        size_t n = quoted ? 0 : placeholder(s, &local, &k);
        if (n > 0 && local && k < 1u << 24) {
            buf_printf(x->out, "%%%s",
                       intern_text(&x->names, local_name(x, k)));
            s += n;
            continue;
        }
        if (n > 0 && !local && k < node->n_args) {
            stablehlo_put_value(x, term_args(x->t, t)[k]);
            s += n;
            continue;
        }
        if (*s == '"')
            quoted = !quoted;
        else if (quoted && *s == '\\' && s[1] != '\0')
            buf_putc(x->out, *s++);
        buf_putc(x->out, *s);
        if (*s++ == '\n')
            buf_indent(x->out, x->indent);
    }
}

static void put_statement(struct stablehlo_printer *x, term_id t)
{
    const struct term *node = term_at(x->t, t);
    uint32_t n = 1;
    if (node->op == OP_OPAQUE)
        n = (uint32_t)attr_at(x->pool, node->attr)[1];
    buf_indent(x->out, x->indent);
    if (n > 0) {
        uint32_t name = term_name(x, t);
        x->name_of.at[t.v] = name + 1;
        buf_printf(x->out, "%%%s", intern_text(&x->names, name));
        if (n > 1)
            buf_printf(x->out, ":%u", n);
        buf_puts(x->out, " = ");
    } else {
        x->name_of.at[t.v] = 1; // printed; id 0 is the empty name
    }
    if (node->op == OP_OPAQUE)
        put_template(x, t);
    else
        stablehlo_put_operator(x, t);
    buf_putc(x->out, '\n');
    vec_push(&x->printed, t.v);
}

// Prints what `root` needs and is not printed yet, arguments first.
static void put_tree(struct stablehlo_printer *x, term_id root)
{
    vec_push(&x->stack, root.v);
    vec_push(&x->stack, 0);
    while (x->stack.len > 0) {
        uint32_t next = vec_last(&x->stack);
        term_id t = {x->stack.at[x->stack.len - 2]};
        if (x->name_of.at[t.v] != 0) {
            x->stack.len -= 2;
        } else if (next < term_at(x->t, t)->n_args) {
            vec_last(&x->stack)++;
            vec_push(&x->stack, term_args(x->t, t)[next].v);
            vec_push(&x->stack, 0);
        } else {
            x->stack.len -= 2;
            if (term_op(x->t, t) == OP_RESULT)
                continue;
            put_statement(x, t);
        }
    }
}

static void put_attrs(struct stablehlo_printer *x, sym_id attrs)
{
    if (sym_text(x->pool, attrs)[0] == '\0')
        return;
    buf_putc(x->out, ' ');
    put_sym(x, attrs);
}

static uint32_t param_name(struct stablehlo_printer *x, uint32_t k)
{
    const char *name = sym_text(x->pool, x->f->params.at[k].name);
    char text[24];
    snprintf(text, sizeof text, "arg%u", k);
    return intern_str(&x->names, name[0] != '\0' ? name : text);
}

static void put_params(struct stablehlo_printer *x)
{
    buf_putc(x->out, '(');
    for (uint32_t k = 0; k < x->f->params.len; k++) {
        const struct param *p = &x->f->params.at[k];
        if (k > 0)
            buf_puts(x->out, ", ");
        if (!x->f->declaration)
            buf_printf(x->out,
                       "%%%s: ", intern_text(&x->names, param_name(x, k)));
        stablehlo_put_type(x, p->type);
        put_attrs(x, p->attrs);
    }
    buf_putc(x->out, ')');
}

static void put_results(struct stablehlo_printer *x)
{
    const struct function *f = x->f;
    uint32_t n = f->results.len;
    if (n == 0)
        return;
    // A function type would be read on behind its own arrow.
    bool bare = n == 1 &&
                sym_text(x->pool, f->results.at[0].attrs)[0] == '\0' &&
                type_is_tensor(x->pool, f->results.at[0].type);
    buf_puts(x->out, bare ? " -> " : " -> (");
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0)
            buf_puts(x->out, ", ");
        stablehlo_put_type(x, f->results.at[k].type);
        put_attrs(x, f->results.at[k].attrs);
    }
    if (!bare)
        buf_putc(x->out, ')');
}

// Sorts the parameter nodes by function.
static void find_params(struct stablehlo_printer *x)
{
    for (uint32_t i = 0; i < x->t->term.len; i++)
        vec_push(&x->name_of, 0);
    for (uint32_t f = 0; f < x->p->functions.len; f++)
        vec_push(&x->param_at, 0);
    for (uint32_t i = 0; i < x->t->term.len; i++) {
        const struct term *n = &x->t->term.at[i];
        if (n->op != OP_PARAMETER)
            continue;
        int64_t f = attr_at(x->pool, n->attr)[0];
        if (f >= x->param_at.len)
            continue;
        struct param_node node = {i, x->param_at.at[f]};
        vec_push(&x->param_node, node);
        x->param_at.at[f] = x->param_node.len;
    }
}

static void name_params(struct stablehlo_printer *x, uint32_t function)
{
    for (uint32_t k = 0; k < x->f->params.len; k++) {
        uint32_t name = param_name(x, k);
        while (x->param_has.len <= name)
            vec_push(&x->param_has, 0);
        x->param_has.at[name] = 1;
    }
    for (uint32_t i = x->param_at.at[function]; i != 0;) {
        const struct param_node *n = &x->param_node.at[i - 1];
        const struct term *t = &x->t->term.at[n->term];
        int64_t k = attr_at(x->pool, t->attr)[1];
        if (k < x->f->params.len) {
            x->name_of.at[n->term] = param_name(x, (uint32_t)k) + 1;
            vec_push(&x->printed, n->term);
        }
        i = n->next;
    }
}

static void forget_names(struct stablehlo_printer *x)
{
    for (uint32_t k = 0; k < x->printed.len; k++)
        x->name_of.at[x->printed.at[k]] = 0;
    vec_clear(&x->printed);
    for (uint32_t k = 0; k < x->f->params.len; k++)
        x->param_has.at[param_name(x, k)] = 0;
}

static void put_return(struct stablehlo_printer *x)
{
    const struct function *f = x->f;
    buf_indent(x->out, x->indent);
    buf_puts(x->out, "return");
    for (uint32_t k = 0; k < f->results.len; k++) {
        buf_puts(x->out, k > 0 ? ", " : " ");
        stablehlo_put_value(x, f->results.at[k].term);
    }
    for (uint32_t k = 0; k < f->results.len; k++) {
        buf_puts(x->out, k > 0 ? ", " : " : ");
        stablehlo_put_type(x, f->results.at[k].type);
    }
    buf_putc(x->out, '\n');
}

static void put_body(struct stablehlo_printer *x, uint32_t function)
{
    const struct function *f = x->f;
    x->n_value = x->n_cst = x->n_c = 0;
    name_params(x, function);
    x->indent += 2;
    for (uint32_t k = 0; k < f->effects.len; k++)
        put_tree(x, f->effects.at[k]);
    for (uint32_t k = 0; k < f->results.len; k++)
        put_tree(x, f->results.at[k].term);
    put_return(x);
    x->indent -= 2;
    forget_names(x);
}

static void put_function(struct stablehlo_printer *x, uint32_t function)
{
    const char *visibility;
    x->f = &x->p->functions.at[function];
    visibility = sym_text(x->pool, x->f->visibility);
    buf_indent(x->out, x->indent);
    buf_printf(x->out, "func.func %s%s", visibility, *visibility ? " " : "");
    put_symbol(x, x->f->name);
    put_params(x);
    put_results(x);
    if (sym_text(x->pool, x->f->attrs)[0] != '\0') {
        buf_puts(x->out, " attributes");
        put_attrs(x, x->f->attrs);
    }
    if (!x->f->declaration) {
        buf_puts(x->out, " {\n");
        put_body(x, function);
        buf_indent(x->out, x->indent);
        buf_putc(x->out, '}');
    }
    buf_putc(x->out, '\n');
}

static bool is_resources(const char *text)
{
    return strncmp(text, "{-#", 3) == 0;
}

// Operations of the module's level, or the resources; the line breaks of the
// former may end statements and stay.
static void put_extras(struct stablehlo_printer *x, bool resources)
{
    for (uint32_t k = 0; k < x->p->extras.len; k++) {
        const char *text = sym_text(x->pool, x->p->extras.at[k]);
        if (is_resources(text) != resources)
            continue;
        x->resources |= !resources && names_resource(text);
        buf_indent(x->out, x->indent);
        for (; *text != '\0'; text++) {
            buf_putc(x->out, *text);
            if (*text == '\n')
                buf_indent(x->out, x->indent);
        }
        buf_putc(x->out, '\n');
    }
}

static void put_program(struct stablehlo_printer *x)
{
    const struct program *p = x->p;
    if (p->has_module) {
        buf_puts(x->out, "module");
        if (sym_text(x->pool, p->module_name)[0] != '\0') {
            buf_putc(x->out, ' ');
            put_symbol(x, p->module_name);
        }
        if (sym_text(x->pool, p->module_attrs)[0] != '\0') {
            buf_puts(x->out, " attributes");
            put_attrs(x, p->module_attrs);
        }
        buf_puts(x->out, " {\n");
        x->indent = 2;
    }
    put_extras(x, false);
    for (uint32_t f = 0; f < p->functions.len; f++)
        put_function(x, f);
    x->indent = 0;
    if (p->has_module)
        buf_puts(x->out, "}\n");
    if (x->resources)
        put_extras(x, true);
}

void stablehlo_print(const struct program *p, struct buf *out)
{
    struct stablehlo_printer x = {.p = p, .pool = p->pool, .t = &p->terms, .out = out};
    intern_init(&x.names);
    find_params(&x);
    put_program(&x);
    vec_release(&x.name_of);
    vec_release(&x.printed);
    vec_release(&x.param_has);
    vec_release(&x.param_at);
    vec_release(&x.param_node);
    vec_release(&x.stack);
    vec_release(&x.local);
    intern_release(&x.names);
}
