// SPDX-License-Identifier: Apache-2.0
// Axes have the names that the text gives them; a last axis without one is
// called j, the one before it i, others and second names k, l, m ...
#include "formula/language/maker.h"

static bool name_is_free(const struct term_maker *m, const char *name)
{
    for (uint32_t i = 0; i < m->index.len; i++)
        if (strcmp(m->index.at[i].name, name) == 0)
            return false;
    for (uint32_t i = 0; i < m->r->variable.len; i++)
        if (strcmp(m->r->variable.at[i].name, name) == 0)
            return false;
    return true;
}

static uint32_t add_index(struct term_maker *m, const char *name, uint32_t dim)
{
    struct intern *names = &m->f->names;
    struct named_index x = {intern_text(names, intern_str(names, name)), dim};
    vec_push(&m->index, x);
    return m->index.len - 1;
}

static uint32_t fresh_index(struct term_maker *m, uint32_t dim, char like)
{
    static const char letters[] = "klmnpqrstuvwijabcd";
    char name[16] = {like, 0};
    if (like != 0 && name_is_free(m, name))
        return add_index(m, name, dim);
    for (const char *c = letters; *c != 0; c++) {
        name[0] = *c;
        if (name_is_free(m, name))
            return add_index(m, name, dim);
    }
    for (uint32_t i = 1;; i++) {
        buf_clear(&m->text);
        buf_printf(&m->text, "i%u", i);
        if (name_is_free(m, buf_text(&m->text)))
            return add_index(m, buf_text(&m->text), dim);
    }
}

bool maker_index_taken(uint32_t x, const uint32_t *taken, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (taken[i] == x)
            return true;
    return false;
}

uint32_t maker_index(struct term_maker *m, uint32_t any, const uint32_t *taken,
                     uint32_t n)
{
    uint32_t dim = reading_dim(m->r, any), axis = m->r->dim_axis.at[dim];
    if (axis != NO_AXIS && !maker_index_taken(axis, taken, n))
        return axis;
    for (uint32_t i = 0; i < m->index.len; i++)
        if (m->index.at[i].dim == dim && !maker_index_taken(i, taken, n))
            return i;
    return fresh_index(m, dim, 0);
}

void maker_name_sizes(struct term_maker *m)
{
    struct reading *r = m->r;
    for (uint32_t i = 0; i < r->axis.len; i++)
        (void)add_index(m, r->axis.at[i].name,
                        reading_dim(r, r->axis.at[i].dim));
    for (uint32_t i = 0; i < r->variable.len; i++)
        for (uint32_t q = r->variable.at[i].rank; q-- > 0;) {
            uint32_t dim = reading_dim(r, r->variable.at[i].dim[q]);
            bool named = r->dim_axis.at[dim] != NO_AXIS;
            for (uint32_t k = 0; k < m->index.len; k++)
                named |= m->index.at[k].dim == dim;
            if (!named)
                (void)fresh_index(m, dim, q == 0 ? 'j' : q == 1 ? 'i' : 0);
        }
    for (uint32_t i = 0; i < r->cat.len; i++)
        (void)maker_index(m, r->cat.at[i].sum, NULL, 0);
}
