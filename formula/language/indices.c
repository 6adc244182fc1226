// SPDX-License-Identifier: Apache-2.0
// Names of indices.  An axis has the name that the text gives it.  An unnamed
// last axis is j, the one before it i; other axes and further indices are k, l,
// m ...
#include "formula/language/maker.h"

static bool name_is_free(const struct term_maker *maker, const char *name)
{
    for (uint32_t i = 0; i < maker->index.len; i++)
        if (strcmp(maker->index.at[i].name, name) == 0)
            return false;
    for (uint32_t i = 0; i < maker->reading->variable.len; i++)
        if (strcmp(maker->reading->variable.at[i].name, name) == 0)
            return false;
    return true;
}

static uint32_t add_index(struct term_maker *maker, const char *name, uint32_t dim)
{
    struct intern *names = &maker->formula->names;
    struct named_index named_index = {intern_text(names, intern_str(names, name)), dim};
    vec_push(&maker->index, named_index);
    return maker->index.len - 1;
}

static uint32_t fresh_index(struct term_maker *maker, uint32_t dim, char like)
{
    static const char letters[] = "klmnpqrstuvwijabcd";
    char name[16] = {like, 0};
    if (like != 0 && name_is_free(maker, name))
        return add_index(maker, name, dim);
    for (const char *text = letters; *text != 0; text++) {
        name[0] = *text;
        if (name_is_free(maker, name))
            return add_index(maker, name, dim);
    }
    for (uint32_t i = 1;; i++) {
        buf_clear(&maker->text);
        buf_printf(&maker->text, "i%u", i);
        if (name_is_free(maker, buf_text(&maker->text)))
            return add_index(maker, buf_text(&maker->text), dim);
    }
}

bool maker_index_taken(uint32_t x, const uint32_t *taken, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (taken[i] == x)
            return true;
    return false;
}

uint32_t maker_index(struct term_maker *maker, uint32_t any, const uint32_t *taken, uint32_t n)
{
    uint32_t dim = reading_dim(maker->reading, any), axis = maker->reading->dim_axis.at[dim];
    if (axis != NO_AXIS && !maker_index_taken(axis, taken, n))
        return axis;
    for (uint32_t i = 0; i < maker->index.len; i++)
        if (maker->index.at[i].dim == dim && !maker_index_taken(i, taken, n))
            return i;
    return fresh_index(maker, dim, 0);
}

void maker_name_sizes(struct term_maker *maker)
{
    struct reading *reading = maker->reading;
    for (uint32_t i = 0; i < reading->axis.len; i++)
        (void)add_index(maker, reading->axis.at[i].name,
                        reading_dim(reading, reading->axis.at[i].dim));
    for (uint32_t i = 0; i < reading->variable.len; i++)
        for (uint32_t q = reading->variable.at[i].rank; q-- > 0;) {
            uint32_t dim = reading_dim(reading, reading->variable.at[i].dim[q]);
            bool named = reading->dim_axis.at[dim] != NO_AXIS;
            for (uint32_t k = 0; k < maker->index.len; k++)
                named |= maker->index.at[k].dim == dim;
            if (!named)
                (void)fresh_index(maker, dim, q == 0 ? 'j' : q == 1 ? 'i' : 0);
        }
    for (uint32_t i = 0; i < reading->cat.len; i++)
        (void)maker_index(maker, reading->cat.at[i].sum, NULL, 0);
}
