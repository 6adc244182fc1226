// SPDX-License-Identifier: Apache-2.0
#include "proof/program/regions.h"

#include "tensor/program/region.h"

// Does a region around this one stand for the same region of the input?
static bool shadows(const struct u32_vec *named, const struct terms *terms, uint32_t region)
{
    uint32_t around = scope_region(terms->region.at[region].around);
    while (around != NO_REGION) {
        if (named->at[around] == named->at[region])
            return true;
        around = scope_region(terms->region.at[around].around);
    }
    return false;
}

static bool name_regions(const struct record *record, const struct program *output,
                         struct renaming *out, struct err *err)
{
    const struct terms *terms = &output->terms;
    for (uint32_t k = 0; k < record->regions.len; k++)
        if (record->regions.at[k] != NO_REGION)
            vec_push(&out->region, record->regions.at[k]);
    if (out->region.len != terms->region.len)
        return err_set(err, ERR_CHECK, "the record names %u regions, the output has %u",
                       out->region.len, terms->region.len);
    for (uint32_t k = 0; k < out->region.len; k++)
        if (shadows(&out->region, terms, k))
            return err_set(err, ERR_CHECK,
                           "region %u of the output is named like a region around it", k);
    return true;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.' || c == '-';
}

// Is this @ that of @name or @"name"?  A quoted name with an escape may be any.
static bool names(const char *at, const char *name)
{
    size_t n = strlen(name);
    bool quoted = at[1] == '"';
    const char *from = at + 1 + quoted;
    size_t m = quoted ? strcspn(from, "\"") : 0;
    while (!quoted && in_name(from[m]))
        m++;
    return (m == n && memcmp(from, name, n) == 0) || memchr(from, '\\', m) != NULL;
}

// Does the text have the name, in a string or outside?  What a comment says calls nothing; two
// slashes in a string begin none.
static bool text_names(const char *text, const char *name)
{
    bool in_string = false;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '@' && names(at, name))
            return true;
        if (in_string && *at == '\\' && at[1] != '\0')
            at++;
        else if (*at == '"')
            in_string = !in_string;
        else if (!in_string && at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n") - 1;
    }
    return false;
}

// A function of the input that the output does not have.
static bool may_go(const struct record *record, const struct program *input, uint32_t f,
                   struct err *err)
{
    const char *name = sym_text(input->pool, input->functions.at[f].name);
    if (strcmp(sym_text(input->pool, input->functions.at[f].visibility), "private") == 0 &&
        !text_names(record->output, name))
        return true;
    return err_set(err, ERR_CHECK, "the output has no function @%s, which is not private, or named",
                   name);
}

static uint32_t module_of(const struct program *program, uint32_t function)
{
    uint32_t m = 0;
    while (m < program->modules.len && program->modules.at[m].functions_end <= function)
        m++;
    return m;
}

static bool name_functions(const struct record *record, const struct program *input,
                           const struct program *output, struct renaming *out, struct err *err)
{
    uint32_t f = 0;
    vec_push(&out->serial, 0);
    for (uint32_t g = 0; g < output->functions.len; g++, f++) {
        const struct function *to = &output->functions.at[g];
        while (f < input->functions.len && input->functions.at[f].name.v != to->name.v)
            if (!may_go(record, input, f++, err))
                return false;
        if (f == input->functions.len)
            return err_set(err, ERR_CHECK, "the output has a function @%s, or another order",
                           sym_text(input->pool, to->name));
        const struct function *from = &input->functions.at[f];
        if (from->n_serials != to->n_serials)
            return err_set(err, ERR_CHECK,
                           "function @%s has other side effects in the output than in the input",
                           sym_text(input->pool, to->name));
        if (module_of(input, f) != module_of(output, g))
            return err_set(err, ERR_CHECK, "function @%s stands in another module in the output",
                           sym_text(input->pool, to->name));
        vec_push(&out->function, f);
        for (int64_t k = 0; k < to->n_serials; k++)
            vec_push(&out->serial, from->serial + 1 + k);
    }
    for (; f < input->functions.len; f++)
        if (!may_go(record, input, f, err))
            return false;
    return true;
}

bool output_renaming(const struct record *record, const struct program *input,
                     const struct program *output, struct renaming *out, struct err *err)
{
    *out = (struct renaming){0};
    return name_regions(record, output, out, err) &&
           name_functions(record, input, output, out, err);
}

bool effects_same(const struct terms *terms, term_id a, term_id b)
{
    const struct term *s = term_at(terms, a), *t = term_at(terms, b);
    if (a.v == b.v)
        return true;
    if (s->op != OP_OPAQUE || t->op != OP_OPAQUE || s->attr.v != t->attr.v ||
        s->n_args != t->n_args)
        return false;
    struct opaque_view view = opaque_view(terms, a);
    for (uint32_t b_at = 0; b_at < view.n_blocks; b_at++) {
        struct opaque_block block = opaque_block(&view, b_at);
        for (uint32_t k = block.first + block.n_returns;
             k < block.first + block.n_returns + block.n_effects; k++)
            if (!effects_same(terms, term_args(terms, a)[k], term_args(terms, b)[k]))
                return false;
    }
    return true;
}
