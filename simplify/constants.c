// SPDX-License-Identifier: Apache-2.0
// Numbers that stand for others: 0.7978845608028654 for sqrt(2/pi).
#include "simplify/core.h"

static bool is_decimal(const char *text)
{
    return strpbrk(text, ".eE") != NULL;
}

// What the number of this constant was taken for, or NO_FTERM.
struct taken_constant {
    fterm number, value;
};
struct taken_constants {
    struct taken_constant *at;
    uint32_t len, cap;
};

static void record_constant(struct simplifier *l, const char *text,
                            const struct recovered *x)
{
    struct buf value = {0}, difference = {0};
    fterm_print(l->f->t, x->value, &value);
    buf_double(&difference, x->difference);
    struct formula_record_constant c = {
        .text = arena_strdup(&l->record->mem, text),
        .value = simplify_kept_text(l->record, &value),
        .precision = precision_name(x->precision),
        .difference = simplify_kept_text(l->record, &difference)};
    vec_push(&l->record->constants, c);
    buf_release(&value);
    buf_release(&difference);
}

// Each number once.  One that the text writes in two ways is left alone: both
// ways would have to be recovered, to one value.
static void recover(struct simplifier *l, struct taken_constants *taken)
{
    const struct formula *f = l->f;
    VEC(const char *) texts = {0};
    for (uint32_t i = 0; i < f->constants.len; i++)
        vec_push(&texts, f->constants.at[i].text);
    for (uint32_t i = 0; i < f->constants.len; i++) {
        const struct fconstant *c = &f->constants.at[i];
        struct recovered x;
        bool skip = !is_decimal(c->text);
        for (uint32_t k = 0; !skip && k < f->constants.len; k++) {
            const struct fconstant *d = &f->constants.at[k];
            bool same = strcmp(d->text, c->text) == 0;
            skip = (k < i && same) || (!same && d->term == c->term);
        }
        if (skip || !constant_recover(f->t, c->text, texts.len, texts.at, &x))
            continue;
        struct taken_constant t = {c->term, x.value};
        if (t.number == t.value)
            continue;
        vec_push(taken, t);
        record_constant(l, c->text, &x);
    }
    vec_release(&texts);
}

static fterm replace(struct fterms *t, fterm root,
                     const struct taken_constants *taken)
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(t, 1, &root, &all);
    for (fterm x = 0; x <= root; x++)
        vec_push(&now, x);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        for (uint32_t k = 0; k < taken->len; k++)
            if (taken->at[k].number == x)
                now.at[x] = taken->at[k].value;
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(t, x); k++)
            vec_push(&args, now.at[fterm_args(t, x)[k]]);
        if (args.len > 0) {
            struct buf name = {0}; // the store may move it
            buf_puts(&name, fterm_name(t, x));
            now.at[x] = fterm_make(t, buf_text(&name), args.len, args.at);
            buf_release(&name);
        }
    }
    fterm out = now.at[root];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

fterm simplifier_recover(struct simplifier *l, fterm from)
{
    struct taken_constants taken = {0};
    if (!l->o->keep_constants)
        recover(l, &taken);
    fterm out = replace(l->f->t, from, &taken);
    vec_release(&taken);
    return out;
}
