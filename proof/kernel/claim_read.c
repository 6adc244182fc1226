// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/claim.h"
#include "formula/terms/term.h"
#include "proof/limits.h"

#include <errno.h>
#include <stdlib.h>

struct reader {
    struct claim *claim;
    const char *at;
    uint32_t line, words, depth;
    bool failed;
};

// The next word of the line; "" at its end.
static void word(struct reader *r, char *out, size_t size)
{
    size_t n = 0;
    while (*r->at == ' ')
        r->at++;
    while (*r->at && *r->at != ' ' && *r->at != '\n' && n + 1 < size)
        out[n++] = *r->at++;
    out[n] = 0;
    if (n == 0 || n + 1 == size || ++r->words > PROOF_KERNEL_TOKENS)
        r->failed = true;
}

static int64_t number(struct reader *r, int64_t least, int64_t most)
{
    char text[32], *end = NULL;
    word(r, text, sizeof text);
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || !end || *end || end == text || value < least || value > most)
        r->failed = true;
    return r->failed ? least : value;
}

static bool expect(struct reader *r, const char *want)
{
    char text[32];
    word(r, text, sizeof text);
    if (strcmp(text, want))
        r->failed = true;
    return !r->failed;
}

static ipoly poly(struct reader *r);

static ipoly atom(struct reader *r)
{
    struct integers *in = &r->claim->in;
    char text[300];
    word(r, text, sizeof text);
    if (!strcmp(text, "s")) {
        word(r, text, sizeof text);
        return int_symbol(in, text);
    }
    int64_t kind = strtol(text, NULL, 10);
    if (kind <= INT_SYMBOL || kind > INT_ELEMENT || text[1]) {
        r->failed = true;
        return 0;
    }
    ipoly a = poly(r), b = poly(r);
    return int_of_atom(in, (enum iatom_kind)kind, a, b);
}

static ipoly poly(struct reader *r)
{
    struct integers *in = &r->claim->in;
    ipoly sum = 0;
    if (r->failed || r->depth > PROOF_KERNEL_DEPTH || !expect(r, "p")) {
        r->failed = true;
        return 0;
    }
    r->depth++;
    int64_t n = number(r, 0, INT32_MAX);
    for (int64_t i = 0; i < n && !r->failed; i++) {
        ipoly product = int_constant(in, number(r, -INT64_MAX / 4, INT64_MAX / 4));
        int64_t degree = number(r, 0, INTEGER_DEGREE);
        for (int64_t k = 0; k < degree && !r->failed; k++)
            product = int_multiply(in, product, atom(r));
        sum = int_add(in, sum, product);
    }
    r->depth--;
    return sum;
}

static lterm term(struct reader *r);

static bool is_term(int64_t kind, int64_t i)
{
    return kind == LT_APPLY || (kind == LT_CHOOSE && i) || (kind == LT_REDUCE && i == 1);
}

// Are the numbers of parts those that the kind has?
static bool shape(int64_t kind, int64_t number, int64_t n)
{
    switch (kind) {
    case LT_INFINITE:
    case LT_TRUTH:
        return n == 0 && number <= 1;
    case LT_PARAMETER:
        return n == 0;
    case LT_READ:
    case LT_INTEGER:
    case LT_WHOLE:
        return n == 1;
    case LT_APPLY:
        return number < N_CODE_OPS && n >= 1 && n <= 3 &&
               code_op_arity((enum code_op)number, (uint32_t)n);
    case LT_CHOOSE:
        return n == 3;
    case LT_REDUCE:
        return n >= 2 && n < 50 && (number >> 16) < N_CODE_OPS;
    default:
        return false;
    }
}

static lterm term(struct reader *r)
{
    struct lterms *terms = &r->claim->terms;
    char text[600];
    word(r, text, sizeof text);
    if (!strcmp(text, "n")) {
        word(r, text, sizeof text);
        if (!fname_is_number(text, (uint32_t)strlen(text)))
            r->failed = true;
        return lterm_number_of(terms, text);
    }
    if (!strcmp(text, "u"))
        return lterm_undefined(terms, "a value of which nothing is claimed");
    if (r->failed || r->depth > PROOF_KERNEL_DEPTH || strcmp(text, "t")) {
        r->failed = true;
        return lterm_number_of(terms, "0");
    }
    int64_t kind = number(r, 0, LT_REDUCE), which = number(r, 0, UINT32_MAX), n = number(r, 0, 50);
    uint32_t args[64];
    if (!shape(kind, which, n))
        r->failed = true;
    r->depth++;
    for (int64_t i = 0; i < n && !r->failed; i++)
        args[i] = is_term(kind, i) ? term(r) : poly(r);
    r->depth--;
    if (r->failed)
        return lterm_number_of(terms, "0");
    return lterm_make(terms, (enum lterm_kind)kind, (uint32_t)which, (uint32_t)n, args);
}

// ---- lines ----

static struct claim_output *current(struct reader *r)
{
    static struct claim_output none;
    if (r->claim->outputs.len == 0) {
        r->failed = true;
        none = (struct claim_output){0};
        return &none;
    }
    return &vec_last(&r->claim->outputs);
}

static void read_closed(struct reader *r)
{
    struct claim_closed made = {.carried = (uint32_t)number(r, 0, UINT32_MAX - 1)};
    made.closed.kind = CLOSED_FORM;
    made.closed.from = (uint8_t)number(r, 0, 1);
    made.closed.form = term(r);
    vec_push(&r->claim->closed, made);
}

static void read_output(struct reader *r)
{
    struct claim_output made = {.statement = (uint32_t)number(r, 0, UINT32_MAX - 1)};
    made.n_members = (uint32_t)number(r, 0, OUTPUT_MEMBERS);
    made.n_axes = (uint32_t)number(r, 0, OUTPUT_AXES);
    made.base = poly(r);
    vec_push(&r->claim->outputs, made);
}

static void read_tensor(struct reader *r)
{
    struct written_tensor t = {0};
    word(r, t.name, sizeof t.name);
    t.array = (uint32_t)number(r, 0, UINT32_MAX);
    t.base = poly(r);
    t.n = (uint32_t)number(r, 0, OUTPUT_AXES);
    for (uint32_t i = 0; i < t.n && !r->failed; i++) {
        t.axis[i] = (uint32_t)number(r, 0, (int64_t)current(r)->axis.len - 1);
        t.stride[i] = poly(r);
    }
    vec_push(&current(r)->tensor, t);
}

struct counts {
    uint32_t indices, witnesses;
};

static void read_axis(struct reader *r)
{
    struct written_axis axis = {0};
    word(r, axis.name, sizeof axis.name);
    axis.size = poly(r);
    struct claim_output *o = current(r);
    if (o->axis.len < o->n_axes)
        o->extent[o->axis.len] = axis.size;
    vec_push(&o->axis, axis);
}

static void read_formula(struct reader *r)
{
    r->at += *r->at == ' ';
    const char *end = strchr(r->at, '\n');
    size_t n = end ? (size_t)(end - r->at) : strlen(r->at);
    current(r)->formula = arena_strndup(&r->claim->mem, r->at, n);
    r->at += n;
}

static void read_line(struct reader *r, struct counts *counts)
{
    char text[32];
    word(r, text, sizeof text);
    if (!strcmp(text, "closed")) {
        read_closed(r);
    } else if (!strcmp(text, "output")) {
        read_output(r);
        *counts = (struct counts){0};
    } else if (!strcmp(text, "index") && counts->indices < current(r)->n_axes) {
        ipoly index = poly(r);
        current(r)->stride[counts->indices] = poly(r);
        current(r)->index[counts->indices++] = index;
    } else if (!strcmp(text, "witness") && counts->witnesses < current(r)->n_members) {
        current(r)->witness[counts->witnesses++] = poly(r);
    } else if (!strcmp(text, "axis")) {
        read_axis(r);
    } else if (!strcmp(text, "tensor")) {
        read_tensor(r);
    } else if (!strcmp(text, "formula")) {
        read_formula(r);
        const struct claim_output *o = current(r);
        r->failed = r->failed || counts->indices != o->n_axes ||
                    counts->witnesses != o->n_members || o->axis.len < o->n_axes;
    } else {
        r->failed = true;
    }
    while (*r->at == ' ')
        r->at++;
    if (*r->at && *r->at != '\n')
        r->failed = true;
}

bool claim_read(const char *text, struct claim *out, struct err *err)
{
    *out = (struct claim){0};
    integers_init(&out->in);
    lterms_init(&out->terms, &out->in);
    struct reader r = {.claim = out, .at = text, .line = 1};
    struct counts counts = {0};
    for (; *r.at && !r.failed; r.line++) {
        read_line(&r, &counts);
        if (!r.failed && *r.at == '\n')
            r.at++;
    }
    for (uint32_t i = 0; i < out->outputs.len; i++)
        if (!out->outputs.at[i].formula)
            r.failed = true;
    if (r.failed)
        return err_at(err, ERR_INPUT, NULL, r.line, 1, "expected a line of a kernel's record");
    return true;
}

void claim_release(struct claim *claim)
{
    for (uint32_t i = 0; i < claim->outputs.len; i++) {
        vec_release(&claim->outputs.at[i].axis);
        vec_release(&claim->outputs.at[i].tensor);
    }
    vec_release(&claim->closed);
    vec_release(&claim->outputs);
    arena_release(&claim->mem);
    lterms_release(&claim->terms);
    integers_release(&claim->in);
}
