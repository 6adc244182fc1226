// SPDX-License-Identifier: Apache-2.0
// Numbers that stand for others: 0.7978845608028654 for sqrt(2/pi).
#include "simplify/core.h"

static bool is_decimal(const char *text)
{
    return strpbrk(text, ".eE") != NULL;
}

// The term that the number of this constant was taken for, or NO_FTERM.
struct taken_constant {
    fterm number, value;
};
struct taken_constants {
    struct taken_constant *at;
    uint32_t len, cap;
};

static void record_constant(struct simplifier *simplifier, const char *text,
                            const struct recovered *recovered)
{
    struct buf value = {0}, difference = {0};
    fterm_print(simplifier->formula->terms, recovered->value, &value);
    buf_double(&difference, recovered->difference);
    struct formula_record_constant constant = {
        .text = arena_strdup(&simplifier->record->mem, text),
        .value = simplify_kept_text(simplifier->record, &value),
        .precision = precision_name(recovered->precision),
        .difference = simplify_kept_text(simplifier->record, &difference)};
    vec_push(&simplifier->record->constants, constant);
    buf_release(&value);
    buf_release(&difference);
}

// Each number once.  One that the text writes in two ways is left alone: both
// ways would have to be recovered, to one value.
static void recover(struct simplifier *simplifier, struct taken_constants *taken)
{
    const struct formula *formula = simplifier->formula;
    VEC(const char *) texts = {0};
    for (uint32_t i = 0; i < formula->constants.len; i++)
        vec_push(&texts, formula->constants.at[i].text);
    for (uint32_t i = 0; i < formula->constants.len; i++) {
        const struct fconstant *constant = &formula->constants.at[i];
        struct recovered recovered;
        bool skip = !is_decimal(constant->text);
        for (uint32_t k = 0; !skip && k < formula->constants.len; k++) {
            const struct fconstant *d = &formula->constants.at[k];
            bool same = strcmp(d->text, constant->text) == 0;
            skip = (k < i && same) || (!same && d->term == constant->term);
        }
        if (skip ||
            !constant_recover(formula->terms, constant->text, texts.len, texts.at, &recovered))
            continue;
        struct taken_constant taken_constant = {constant->term, recovered.value};
        if (taken_constant.number == taken_constant.value)
            continue;
        vec_push(taken, taken_constant);
        record_constant(simplifier, constant->text, &recovered);
    }
    vec_release(&texts);
}

static fterm replace(struct fterms *terms, fterm root, const struct taken_constants *taken)
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(terms, 1, &root, &all);
    for (fterm term = 0; term <= root; term++)
        vec_push(&now, term);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        for (uint32_t k = 0; k < taken->len; k++)
            if (taken->at[k].number == x)
                now.at[x] = taken->at[k].value;
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(terms, x); k++)
            vec_push(&args, now.at[fterm_args(terms, x)[k]]);
        if (args.len > 0) {
            struct buf name = {0}; // the store may move it
            buf_puts(&name, fterm_name(terms, x));
            now.at[x] = fterm_make(terms, buf_text(&name), args.len, args.at);
            buf_release(&name);
        }
    }
    fterm out = now.at[root];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

fterm simplifier_recover(struct simplifier *simplifier, fterm from)
{
    struct taken_constants taken = {0};
    if (!simplifier->simplify_options->keep_constants)
        recover(simplifier, &taken);
    fterm out = replace(simplifier->formula->terms, from, &taken);
    vec_release(&taken);
    return out;
}
