// SPDX-License-Identifier: Apache-2.0
#include "proof/program/regions.h"

#include "tensor/program/region.h"

// Does a region around this one stand for the same region of the input?
static bool shadows(const struct record *record, const struct terms *terms, uint32_t region)
{
    uint32_t around = scope_region(terms->region.at[region].around);
    while (around != NO_REGION) {
        if (record->regions.at[around] == record->regions.at[region])
            return true;
        around = scope_region(terms->region.at[around].around);
    }
    return false;
}

bool output_renaming(const struct record *record, const struct program *output,
                     struct renaming *out, struct err *err)
{
    const struct terms *terms = &output->terms;
    *out = (struct renaming){0};
    if (record->regions.len != terms->region.len)
        return err_set(err, ERR_CHECK, "the record names %u regions, the output has %u",
                       record->regions.len, terms->region.len);
    for (uint32_t k = 0; k < record->regions.len; k++) {
        if (shadows(record, terms, k))
            return err_set(err, ERR_CHECK,
                           "region %u of the output is named like a region around it", k);
        vec_push(&out->region, record->regions.at[k]);
    }
    return true;
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
