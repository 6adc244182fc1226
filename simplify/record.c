// SPDX-License-Identifier: Apache-2.0
// Writes the result as a record.
#include "simplify/core.h"

#include "formula/print/print.h"

const char *simplify_kept_text(struct formula_record *record, const struct buf *text)
{
    return arena_strndup(&record->mem, buf_text(text), text->len);
}

static void used_names(const char *proof, struct intern *out)
{
    for (const char *text = proof; *text != 0; text += *text == '\n') {
        size_t n = strcspn(text, "\n");
        bool rule = strncmp(text, "rule ", 5) == 0;
        const char *end = text + n, *at = end;
        while (rule && at > text && at[-1] != ' ')
            at--;
        if (rule)
            intern_bytes(out, at, (size_t)(end - at));
        text = end;
    }
}

// Do these names contain that of a rule, by itself or with an operator?
static bool is_used(const struct intern *used, const char *name)
{
    size_t n = strlen(name);
    for (uint32_t i = 0; i < used->entry.len; i++) {
        const char *text = intern_text(used, i);
        uint32_t len = intern_len(used, i);
        if (len >= n && memcmp(text, name, n) == 0 && (len == n || text[n] == '.'))
            return true;
    }
    return false;
}

static void record_rules(struct simplifier *simplifier, const char *proof)
{
    struct intern used;
    intern_init(&used);
    used_names(proof, &used);
    for (uint32_t i = 0; i < simplifier->n_rules; i++)
        for (int back = 0; back < 2; back++) {
            struct buf name = {0};
            buf_printf(&name, "%s%s", intern_text(&simplifier->names, simplifier->name.at[i]),
                       back ? "-back" : "");
            const struct simplify_rule *simplify_rule = &simplifier->rules[i];
            if (is_used(&used, buf_text(&name))) {
                struct formula_record_rule rule = {
                    .name = simplify_kept_text(simplifier->record, &name),
                    .hash = simplify_rule->hash,
                    .text = simplify_rule->canonical,
                    .backward = back,
                    .assumed = simplify_rule->assumed};
                vec_push(&simplifier->record->rules, rule);
            }
            buf_release(&name);
        }
    intern_release(&used);
}

static void record_defines(struct simplifier *simplifier, fterm from, fterm to)
{
    struct u32_vec roots = {0}, all = {0};
    vec_push(&roots, from);
    vec_push(&roots, to);
    for (uint32_t i = 0; i < simplifier->given.len; i++)
        vec_push(&roots, simplifier->given.at[i]);
    fterms_reach(simplifier->formula->terms, roots.len, roots.at, &all);
    for (uint32_t d = 0; simplifier->defs != NULL && d < simplifier->defs->at.len; d++) {
        const struct fdefine *define = &simplifier->defs->at.at[d];
        bool there = false;
        for (uint32_t i = 0; i < all.len && !there; i++)
            there = fterm_n(simplifier->formula->terms, all.at[i]) > 0 &&
                    strcmp(fterm_name(simplifier->formula->terms, all.at[i]), define->name) == 0;
        if (there)
            vec_push(&simplifier->record->defines, define->rule->canonical);
    }
    vec_release(&roots);
    vec_release(&all);
}

// A condition on numbers alone holds wherever there is a value at all.
static bool says_something(const struct fterms *terms, fterm cond)
{
    struct u32_vec all = {0};
    bool yes = false;
    fterms_reach(terms, 1, &cond, &all);
    for (uint32_t i = 0; i < all.len && !yes; i++) {
        const char *name = fterm_name(terms, all.at[i]);
        yes = fterm_n(terms, all.at[i]) == 0 && strcmp(name, "pi") != 0 &&
              !fname_is_number(name, (uint32_t)strlen(name));
    }
    vec_release(&all);
    return yes;
}

static bool is_told(const struct simplifier *simplifier, uint32_t given)
{
    for (uint32_t i = 0; i < simplifier->told.len; i++)
        if (simplifier->told.at[i] == given)
            return true;
    return false;
}

// That the formula has a value need not be told where only the result's value
// rests on it.
static void record_givens(struct simplifier *simplifier)
{
    static const char *const by[] = {[GIVEN_DECLARED] = "declared",
                                     [GIVEN_DEFINED] = "defined",
                                     [GIVEN_EXTENT] = "extent",
                                     [GIVEN_NUMBER] = "number"};
    for (uint32_t i = 0; i < simplifier->chain.given.len; i++) {
        const struct fgiven *given = &simplifier->formula->givens.at[simplifier->chain.given.at[i]];
        struct buf text = {0};
        fterm_print(simplifier->formula->terms, given->cond, &text);
        struct formula_record_given x = {simplify_kept_text(simplifier->record, &text),
                                         by[given->by]};
        if ((given->by == GIVEN_DECLARED ||
             (given->by == GIVEN_DEFINED && is_told(simplifier, simplifier->chain.given.at[i]))) &&
            says_something(simplifier->formula->terms, given->cond))
            vec_push(&simplifier->out->conditions, simplifier->record->givens.len);
        vec_push(&simplifier->record->givens, x);
        buf_release(&text);
    }
}

void simplifier_write_record(struct simplifier *simplifier, const char *input, fterm from)
{
    struct formula_record *record = simplifier->record;
    struct buf proof = {0}, output = {0};
    chain_print(&simplifier->chain, &proof);
    formula_print_head(simplifier->formula, &output);
    formula_print(simplifier->formula, simplifier->defs, simplifier->out->term, NOTATION_TEXT,
                  false, &output);
    record->input = arena_strdup(&record->mem, input);
    record->output = simplify_kept_text(record, &output);
    record->proof = simplify_kept_text(record, &proof);
    record_rules(simplifier, record->proof);
    record_defines(simplifier, from, simplifier->out->term);
    record_givens(simplifier);
    buf_release(&proof);
    buf_release(&output);
}
