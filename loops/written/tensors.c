// SPDX-License-Identifier: Apache-2.0
// Elements of arrays and integers, as names of tensors, sizes and scalars.
#include "loops/written/writer.h"

#include <inttypes.h>

static void axis_name(uint32_t which, char *out, size_t size)
{
    static const char letters[] = "ijklmnpqrstuv";
    struct buf text = {0};
    buf_printf(&text, "%c", letters[which % 13]);
    if (which >= 13)
        buf_printf(&text, "%u", which / 13);
    memcpy(out, buf_text(&text), text.len + 1 < size ? text.len + 1 : size);
    buf_release(&text);
}

static bool axis_taken(const struct writer *w, const char *name)
{
    for (uint32_t i = 0; i < w->out->axis.len; i++)
        if (!strcmp(w->out->axis.at[i].name, name))
            return true;
    return code_find_parameter(w->s->program, name) != NO_CODE;
}

uint32_t writer_axis(struct writer *w, ipoly size)
{
    struct written_axis axis = {.size = size};
    uint32_t which = 0;
    do
        axis_name(which++, axis.name, sizeof axis.name);
    while (axis_taken(w, axis.name));
    vec_push(&w->out->axis, axis);
    return w->out->axis.len - 1;
}

// ---- reads ----

bool writer_mentions_scope(const struct writer *w, ipoly a)
{
    for (uint32_t i = 0; i < w->scope.len; i++)
        if (int_mentions(w->s->in, a, w->scope.at[i].symbol))
            return true;
    return false;
}

// The index at place i of a tensor, in its base.
static ipoly place_symbol(struct integers *in, uint32_t i)
{
    char name[] = "index'0";
    name[6] = (char)('0' + i);
    return int_symbol(in, name);
}

// The address as base + sum of stride * index.  What is not linear stays in the base, and then the
// axis has stride 0.
static bool split_address(struct writer *w, ipoly address, struct written_tensor *out)
{
    struct integers *in = w->s->in;
    out->base = address;
    for (uint32_t i = 0; i < w->scope.len; i++) {
        ipoly stride, rest;
        iatom symbol = w->scope.at[i].symbol;
        if (!int_mentions(in, out->base, symbol))
            continue;
        if (out->n == OUTPUT_AXES)
            return false;
        out->axis[out->n] = w->scope.at[i].axis;
        out->symbol[out->n] = symbol;
        out->stride[out->n] = 0;
        if (int_linear_in(in, out->base, symbol, &stride, &rest) &&
            !writer_mentions_scope(w, stride)) {
            out->stride[out->n] = stride;
            out->base = rest;
        }
        out->n++;
    }
    return true;
}

// Indices in the base, as places.
static void place_base(struct writer *w, struct written_tensor *t)
{
    ipoly to[OUTPUT_AXES];
    for (uint32_t i = 0; i < t->n; i++)
        to[i] = place_symbol(w->s->in, i);
    struct int_substitution by = {t->n, t->symbol, to};
    t->base = int_substitute(w->s->in, t->base, &by);
}

// Large strides first: symbolic ones before constants, products before their factors.
static bool before(const struct integers *in, ipoly a, ipoly b)
{
    int64_t x, y;
    bool constant_a = int_is_constant(in, a, &x), constant_b = int_is_constant(in, b, &y);
    if (constant_a || constant_b)
        return constant_b && (!constant_a || x > y);
    uint32_t da = int_degree(in, (imono)int_term(in, a, 0).mono);
    uint32_t db = int_degree(in, (imono)int_term(in, b, 0).mono);
    return da != db ? da > db : a < b;
}

static void sort_strides(const struct integers *in, struct written_tensor *t)
{
    for (uint32_t i = 1; i < t->n; i++)
        for (uint32_t k = i; k > 0 && before(in, t->stride[k], t->stride[k - 1]); k--) {
            ipoly stride = t->stride[k];
            uint32_t axis = t->axis[k];
            iatom symbol = t->symbol[k];
            t->stride[k] = t->stride[k - 1], t->axis[k] = t->axis[k - 1];
            t->symbol[k] = t->symbol[k - 1];
            t->stride[k - 1] = stride, t->axis[k - 1] = axis, t->symbol[k - 1] = symbol;
        }
}

// Does a declaration name the axis?  Then its size is one of its own to a reader of the text.
static bool is_declared(const struct writer *w, uint32_t axis)
{
    for (uint32_t i = 0; i < w->out->tensor.len; i++)
        for (uint32_t k = 0; k < w->out->tensor.at[i].n; k++)
            if (w->out->tensor.at[i].axis[k] == axis)
                return true;
    return false;
}

static bool same_tensor(const struct writer *w, const struct written_tensor *a,
                        const struct written_tensor *b)
{
    if (a->array != b->array || a->base != b->base || a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->stride[i] != b->stride[i] ||
            w->out->axis.at[a->axis[i]].size != w->out->axis.at[b->axis[i]].size ||
            (a->axis[i] != b->axis[i] && (a->array == NO_CODE || is_declared(w, b->axis[i]))))
            return false;
    return true;
}

static bool name_taken(const struct writer *w, const char *name)
{
    uint32_t parameter = code_find_parameter(w->s->program, name);
    if (parameter != NO_CODE && !w->s->program->parameter.at[parameter].array)
        return true; // of a scalar
    for (uint32_t i = 0; i < w->out->tensor.len; i++)
        if (!strcmp(w->out->tensor.at[i].name, name))
            return true;
    return false;
}

// The name of the caller without what says that it is a pointer, and a number if it is taken.
static void tensor_name(const struct writer *w, struct written_tensor *t)
{
    struct buf name = {0}, one = {0};
    const char *text = t->array == NO_CODE ? "index" : code_parameter_name(w->s->program, t->array);
    for (; *text; text++)
        if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
            (*text >= '0' && *text <= '9' && name.len) || (*text == '_' && name.len))
            buf_putc(&name, *text);
    if (name.len > 4 && !strcmp(buf_text(&name) + name.len - 4, "_ptr"))
        name.at[name.len -= 4] = 0;
    if (name.len == 0 || name.len > 60)
        buf_clear(&name), buf_puts(&name, "x");
    buf_puts(&one, buf_text(&name));
    for (uint32_t i = 1; name_taken(w, buf_text(&one)); i++) {
        buf_clear(&one);
        buf_printf(&one, "%s_%" PRIu32, buf_text(&name), i);
    }
    // index_j is j.
    if (t->array == NO_CODE && t->n == 1 && t->base == 0) {
        struct buf own = {0};
        buf_printf(&own, "index_%s", w->out->axis.at[t->axis[0]].name);
        if (!name_taken(w, buf_text(&own))) {
            buf_clear(&one);
            buf_puts(&one, buf_text(&own));
        }
        buf_release(&own);
    }
    memcpy(t->name, buf_text(&one), one.len + 1);
    buf_release(&name);
    buf_release(&one);
}

static const struct written_tensor *tensor_of(struct writer *w, const struct written_tensor *read)
{
    for (uint32_t i = 0; i < w->out->tensor.len; i++)
        if (same_tensor(w, &w->out->tensor.at[i], read))
            return &w->out->tensor.at[i];
    struct written_tensor made = *read;
    tensor_name(w, &made);
    vec_push(&w->out->tensor, made);
    return &vec_last(&w->out->tensor);
}

void writer_read(struct writer *w, uint32_t array, ipoly address)
{
    struct written_tensor read = {.array = array};
    if (!split_address(w, address, &read)) {
        writer_refuse(w, "an address of too many indices");
        return;
    }
    sort_strides(w->s->in, &read);
    place_base(w, &read);
    const struct written_tensor *tensor = tensor_of(w, &read);
    buf_puts(&w->body, tensor->name);
    for (uint32_t i = 0; i < read.n; i++)
        buf_printf(&w->body, "%s%s", i ? "," : "[", w->out->axis.at[read.axis[i]].name);
    buf_puts(&w->body, read.n ? "]" : "");
}

// ---- integers ----

void writer_scalar(struct writer *w, uint32_t parameter)
{
    struct u32_vec *all = &w->out->scalar;
    bool found = false;
    for (uint32_t i = 0; i < all->len; i++)
        found = found || all->at[i] == parameter;
    if (!found)
        vec_push(all, parameter);
    buf_puts(&w->body, code_parameter_name(w->s->program, parameter));
}

// The size of an axis, or an integer parameter.
static void write_symbol(struct writer *w, iatom atom)
{
    ipoly self = int_atom_poly(w->s->in, atom);
    for (uint32_t i = 0; i < w->out->axis.len; i++)
        if (w->out->axis.at[i].size == self) {
            buf_printf(&w->body, "size(%s)", w->out->axis.at[i].name);
            return;
        }
    struct iatom_node node = int_atom(w->s->in, atom);
    if (node.kind == INT_ELEMENT) {
        iatom name;
        uint32_t array = int_is_atom(w->s->in, node.a, &name)
                             ? code_find_parameter(w->s->program, int_atom_name(w->s->in, name))
                             : NO_CODE;
        writer_read(w, array, node.b);
        return;
    }
    if (writer_mentions_scope(w, self)) {
        writer_read(w, NO_CODE, self);
        return;
    }
    uint32_t parameter = node.kind == INT_SYMBOL
                             ? code_find_parameter(w->s->program, int_atom_name(w->s->in, atom))
                             : NO_CODE;
    if (parameter == NO_CODE)
        writer_refuse(w, "a number that depends on an index or on a quotient of sizes");
    else
        writer_scalar(w, parameter);
}

void writer_integer(struct writer *w, ipoly value, enum level level)
{
    struct integers *in = w->s->in;
    for (uint32_t i = 0; i < w->out->axis.len; i++)
        if (w->out->axis.at[i].size == value) {
            buf_printf(&w->body, "size(%s)", w->out->axis.at[i].name);
            return;
        }
    uint32_t n = int_length(in, value);
    bool brackets = n > 1 ? level > LEVEL_SUM : level > LEVEL_PRODUCT;
    writer_open(w, brackets);
    for (uint32_t i = 0; i < n; i++) {
        struct iterm term = int_term(in, value, i);
        uint32_t degree = int_degree(in, (imono)term.mono);
        buf_puts(&w->body, i ? " + " : "");
        if (term.coefficient != 1 || degree == 0)
            buf_printf(&w->body, "%" PRId64 "%s", term.coefficient, degree ? "*" : "");
        for (uint32_t k = 0; k < degree; k++) {
            buf_puts(&w->body, k ? "*" : "");
            write_symbol(w, int_factor(in, (imono)term.mono, k));
        }
    }
    buf_puts(&w->body, n ? "" : "0");
    writer_close(w, brackets);
}

// The terms with a positive coefficient, or those with a negative one, times -1.
static ipoly part_with_sign(struct integers *in, ipoly a, int sign)
{
    ipoly out = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly one = int_scale(in, int_mono_poly(in, (imono)term.mono), term.coefficient * sign);
        if ((term.coefficient > 0) == (sign > 0))
            out = int_add(in, out, one);
    }
    return out;
}

void writer_condition(struct writer *w, ipoly condition)
{
    struct integers *in = w->s->in;
    ipoly constant = 0;
    for (uint32_t i = 0; i < int_length(in, condition); i++)
        if (int_term(in, condition, i).mono == 0)
            constant = int_constant(in, int_term(in, condition, i).coefficient);
    bool less = constant == int_constant(in, -1);
    if (less)
        condition = int_shift(in, condition, 1);
    writer_integer(w, part_with_sign(in, condition, -1), LEVEL_SUM);
    buf_puts(&w->body, less ? " < " : " <= ");
    writer_integer(w, part_with_sign(in, condition, 1), LEVEL_SUM);
}
