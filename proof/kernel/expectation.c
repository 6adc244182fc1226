// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/expectation.h"
#include "integer/read.h"
#include "proof/kernel/parse.h"

#include <ctype.h>

struct reader {
    const struct code_program *program;
    struct claim *claim;
    struct claim_output *output; // of the section
    const char *text, *at, *end;
    struct err *err;
};

static bool fail(struct reader *r, const char *expected)
{
    uint32_t line = 1, column = 1;
    for (const char *at = r->text; at < r->at; at++) {
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    return err_at(r->err, ERR_INPUT, "expect", line, column, "expected %s", expected);
}

static void skip(struct reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

static bool accept(struct reader *r, char sign)
{
    skip(r);
    if (r->at == r->end || *r->at != sign)
        return false;
    r->at++;
    return true;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool read_name(struct reader *r, char *out, size_t size)
{
    size_t n = 0;
    skip(r);
    while (r->at < r->end && is_name(*r->at) && n + 1 < size)
        out[n++] = *r->at++;
    out[n] = '\0';
    return n > 0 && !isdigit((unsigned char)out[0]);
}

// Is this the keyword of a statement of places: is a name behind it?
static bool accept_keyword(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    skip(r);
    if ((size_t)(r->end - r->at) < n + 2 || memcmp(r->at, word, n) != 0 ||
        !isspace((unsigned char)r->at[n]))
        return false;
    const char *next = r->at + n;
    while (next < r->end && isspace((unsigned char)*next))
        next++;
    if (next == r->end || (!isalpha((unsigned char)*next) && *next != '_'))
        return false;
    r->at = next;
    return true;
}

// ---- integers ----

// Symbols of indices have a character that no name of a program has.
static ipoly index_symbol(struct integers *in, const char *name)
{
    struct buf text = {0};
    buf_printf(&text, "%s'", name);
    ipoly made = int_symbol(in, buf_text(&text));
    buf_release(&text);
    return made;
}

static uint32_t find_axis(const struct claim_output *o, const char *name)
{
    for (uint32_t i = 0; i < o->axis.len; i++)
        if (strcmp(o->axis.at[i].name, name) == 0)
            return i;
    return NO_CODE;
}

enum { NAME_BYTES = 80 };

// Copies a name; false: it is too long for any.
static bool take_name(const char *text, size_t n, char name[NAME_BYTES])
{
    if (n + 1 > NAME_BYTES)
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    return true;
}

// An index of the section, or a scalar of the program.
static bool name_of(void *ctx, const char *text, size_t n, ipoly *out)
{
    struct reader *r = ctx;
    char name[NAME_BYTES];
    if (!take_name(text, n, name))
        return false;
    if (find_axis(r->output, name) != NO_CODE) {
        *out = index_symbol(&r->claim->in, name);
        return true;
    }
    uint32_t which = code_find_parameter(r->program, name);
    if (which == NO_CODE || r->program->parameter.at[which].array ||
        r->program->parameter.at[which].type.kind != CODE_INT)
        return false;
    *out = int_symbol(&r->claim->in, name);
    return true;
}

// An integer that an array of the program held when the launch began.
static bool element_of_array(void *ctx, const char *text, size_t n, ipoly offset, ipoly *out)
{
    struct reader *r = ctx;
    char name[NAME_BYTES];
    if (!take_name(text, n, name))
        return false;
    uint32_t which = code_find_parameter(r->program, name);
    if (which == NO_CODE || !r->program->parameter.at[which].array ||
        r->program->parameter.at[which].type.kind == CODE_REAL)
        return false;
    const char *array = code_parameter_name(r->program, which);
    *out = int_of_atom(&r->claim->in, INT_ELEMENT, int_symbol(&r->claim->in, array), offset);
    return true;
}

static bool read_integer(struct reader *r, ipoly *out)
{
    struct int_reader reader = {.in = &r->claim->in,
                                .at = r->at,
                                .end = r->end,
                                .name = name_of,
                                .element = element_of_array,
                                .ctx = r};
    bool ok = int_read(&reader, out);
    r->at = reader.at;
    return ok || fail(r, "an integer over sizes and indices");
}

// base and strides of an address over the axes.
static bool split_address(struct reader *r, ipoly address, uint32_t n, const uint32_t *axis,
                          ipoly *base, ipoly *stride)
{
    struct integers *in = &r->claim->in;
    *base = address;
    for (uint32_t d = 0; d < n; d++) {
        iatom atom;
        ipoly rest;
        int_is_atom(in, index_symbol(in, r->output->axis.at[axis[d]].name), &atom);
        if (!int_mentions(in, *base, atom)) {
            stride[d] = 0;
            continue;
        }
        if (!int_linear_in(in, *base, atom, &stride[d], &rest))
            return fail(r, "an address that is linear in its indices");
        *base = rest;
    }
    for (uint32_t i = 0; i < r->output->axis.len; i++) {
        iatom atom;
        int_is_atom(in, index_symbol(in, r->output->axis.at[i].name), &atom);
        bool left = int_mentions(in, *base, atom);
        for (uint32_t d = 0; d < n; d++)
            left = left || int_mentions(in, stride[d], atom);
        if (left)
            return fail(r, "an address that is linear in its indices");
    }
    return true;
}

static bool read_array(struct reader *r, uint32_t *out)
{
    char name[80];
    skip(r);
    const char *start = r->at;
    if (read_name(r, name, sizeof name))
        *out = code_find_parameter(r->program, name);
    else
        *out = NO_CODE;
    if (*out != NO_CODE && r->program->parameter.at[*out].array)
        return true;
    r->at = start;
    return fail(r, "the name of an array of the kernel");
}

// ---- statements ----

// i < M; the axis becomes one of the section.
static bool read_axis(struct reader *r, uint32_t *out)
{
    struct written_axis axis = {.size = 0};
    skip(r);
    const char *start = r->at;
    if (!read_name(r, axis.name, sizeof axis.name))
        return fail(r, "the name of an axis");
    if (find_axis(r->output, axis.name) != NO_CODE) {
        r->at = start;
        return fail(r, "an axis that has no size yet");
    }
    *out = r->output->axis.len;
    if (!accept(r, '<'))
        return fail(r, "<");
    if (!read_integer(r, &axis.size))
        return false;
    vec_push(&r->output->axis, axis);
    return true;
}

// The statement's end, for a second look behind it.
static const char *end_of(const struct reader *r)
{
    const char *at = r->at;
    while (at < r->end && *at != ';')
        at++;
    return at;
}

// output c[..], i < M, j < N;  The sizes stand behind the address and are read first.
static bool read_output(struct reader *r, struct expected *out)
{
    ipoly address;
    uint32_t axis[OUTPUT_AXES];
    const char *end = end_of(r);
    if (!read_array(r, &out->array))
        return false;
    if (!accept(r, '['))
        return fail(r, "[");
    const char *start = r->at;
    for (uint32_t depth = 1; r->at < end; r->at++) {
        depth += *r->at == '[' || *r->at == '(';
        depth -= *r->at == ']' || *r->at == ')';
        if (depth == 0)
            break;
    }
    const char *close = r->at;
    if (close == end)
        return fail(r, "]");
    r->at++;
    while (accept(r, ',')) {
        if (r->output->axis.len == OUTPUT_AXES)
            return fail(r, "fewer axes");
        if (!read_axis(r, &axis[r->output->axis.len]))
            return false;
    }
    const char *behind = r->at;
    uint32_t n = r->output->n_axes = r->output->axis.len;
    for (uint32_t d = 0; d < n; d++) {
        axis[d] = d;
        r->output->extent[d] = r->output->axis.at[d].size;
    }
    r->at = start;
    if (!read_integer(r, &address))
        return false;
    skip(r);
    if (r->at != close)
        return fail(r, "]");
    if (!split_address(r, address, n, axis, &r->output->base, r->output->stride))
        return false;
    r->at = behind;
    return true;
}

// array a[i, k] = a_ptr[..], or (..) for the integers themselves
// Indices of which the address is no linear function become index'i, by their places.
static ipoly over_places(struct reader *r, ipoly address, const struct written_tensor *t)
{
    struct integers *in = &r->claim->in;
    for (uint32_t d = 0; d < t->n; d++) {
        iatom atom;
        ipoly stride, rest;
        char name[] = "index'0";
        name[6] = (char)('0' + d);
        int_is_atom(in, index_symbol(in, r->output->axis.at[t->axis[d]].name), &atom);
        if (!int_mentions(in, address, atom) || int_linear_in(in, address, atom, &stride, &rest))
            continue;
        ipoly place = int_symbol(in, name);
        struct int_substitution by = {1, &atom, &place};
        address = int_substitute(in, address, &by);
    }
    return address;
}

static bool read_tensor(struct reader *r)
{
    struct written_tensor t = {.n = 0};
    ipoly address;
    if (!read_name(r, t.name, sizeof t.name))
        return fail(r, "the name of a tensor");
    if (accept(r, '[')) {
        do {
            char name[80];
            skip(r);
            if (t.n == OUTPUT_AXES || !read_name(r, name, sizeof name))
                return fail(r, "the name of an axis");
            t.axis[t.n] = find_axis(r->output, name);
            if (t.axis[t.n++] == NO_CODE)
                return fail(r, "an axis with a size");
        } while (accept(r, ','));
        if (!accept(r, ']'))
            return fail(r, "]");
    }
    if (!accept(r, '='))
        return fail(r, "=");
    bool memory = !accept(r, '(');
    t.array = NO_CODE;
    if (memory && !read_array(r, &t.array))
        return false;
    if (memory && !accept(r, '['))
        return fail(r, "[");
    if (!read_integer(r, &address) ||
        !split_address(r, over_places(r, address, &t), t.n, t.axis, &t.base, t.stride))
        return false;
    if (!accept(r, memory ? ']' : ')'))
        return fail(r, memory ? "]" : ")");
    vec_push(&r->output->tensor, t);
    return true;
}

// Sizes stand before the addresses that need them, so `axis` comes before `array` in what is
// printed; here both orders are read.
static bool read_places(struct reader *r)
{
    const char *start = r->at;
    uint32_t unused;
    for (int pass = 0; pass < 2; pass++) {
        r->at = start;
        for (;;) {
            bool axis = accept_keyword(r, "axis"), array = !axis && accept_keyword(r, "array");
            if (!axis && !array)
                break;
            const char *end = end_of(r);
            if (axis == (pass == 0)) {
                do
                    if (axis ? !read_axis(r, &unused) : !read_tensor(r))
                        return false;
                while (accept(r, ','));
                skip(r);
                if (r->at != end)
                    return fail(r, ";");
            }
            r->at = end < r->end ? end + 1 : end;
        }
    }
    return true;
}

// The formula ends before the next `output`, or at the end.
static bool read_formula(struct reader *r, struct expected *out)
{
    skip(r);
    const char *start = r->at, *end = start;
    while (r->at < r->end) {
        end = end_of(r);
        r->at = end < r->end ? end + 1 : end;
        const char *next = r->at;
        bool output = accept_keyword(r, "output");
        r->at = next;
        if (output)
            break;
        end = r->at;
    }
    while (end > start && (isspace((unsigned char)end[-1]) || end[-1] == ';'))
        end--;
    // The claim has the formula in one line, where a comment would hide the rest.
    bool comment = memchr(start, '#', (size_t)(end - start)) != NULL;
    for (const char *at = start; at + 1 < end; at++)
        comment = comment || (at[0] == '/' && at[1] == '/');
    if (end == start || comment)
        return r->at = start, fail(r, "a formula without comments");
    char *formula = arena_strndup(&r->claim->mem, start, (size_t)(end - start));
    for (char *at = formula; *at != '\0'; at++)
        *at = *at == '\n' ? ' ' : *at; // a claim has a line for it
    r->output->formula = formula;
    out->from = (uint32_t)(start - r->text);
    out->to = (uint32_t)(end - r->text);
    skip(r);
    return true;
}

bool expectation_read(const char *text, const struct code_program *program, struct claim *claim,
                      struct expectation *out, struct err *err)
{
    struct reader r = {.program = program,
                       .claim = claim,
                       .text = text,
                       .at = text,
                       .end = text + strlen(text),
                       .err = err};
    *out = (struct expectation){0};
    do {
        struct expected made = {.array = NO_CODE};
        made.output.statement = NO_CODE;
        r.output = &made.output;
        bool placed = accept_keyword(&r, "output");
        bool ok = !placed ||
                  (read_output(&r, &made) && (accept(&r, ';') || fail(&r, ";")) && read_places(&r));
        ok = ok && read_formula(&r, &made);
        vec_push(&out->at, made);
        if (!ok)
            return false;
    } while (r.at < r.end);
    return true;
}

void expectation_release(struct expectation *expectation)
{
    for (uint32_t i = 0; i < expectation->at.len; i++) {
        vec_release(&expectation->at.at[i].output.axis);
        vec_release(&expectation->at.at[i].output.tensor);
    }
    vec_release(&expectation->at);
}
