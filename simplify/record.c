// SPDX-License-Identifier: Apache-2.0
// What was found becomes a record.
#include "simplify/core.h"

#include "formula/print/print.h"

const char *simplify_kept_text(struct formula_record *r, const struct buf *text)
{
    return arena_strndup(&r->mem, buf_text(text), text->len);
}

static void used_names(const char *proof, struct intern *out)
{
    for (const char *s = proof; *s != 0; s += *s == '\n') {
        size_t n = strcspn(s, "\n");
        bool rule = strncmp(s, "rule ", 5) == 0;
        const char *end = s + n, *at = end;
        while (rule && at > s && at[-1] != ' ')
            at--;
        if (rule)
            intern_bytes(out, at, (size_t)(end - at));
        s = end;
    }
}

// Do these names contain that of a rule, by itself or with an operator?
static bool is_used(const struct intern *used, const char *name)
{
    size_t n = strlen(name);
    for (uint32_t i = 0; i < used->entry.len; i++) {
        const struct intern_entry *x = &used->entry.at[i];
        if (x->len >= n && memcmp(x->at, name, n) == 0 &&
            (x->len == n || x->at[n] == '.'))
            return true;
    }
    return false;
}

static void record_rules(struct simplifier *l, const char *proof)
{
    struct intern used;
    intern_init(&used);
    used_names(proof, &used);
    for (uint32_t i = 0; i < l->n; i++)
        for (int back = 0; back < 2; back++) {
            struct buf name = {0};
            buf_printf(&name, "%s%s", intern_text(&l->names, l->name.at[i]),
                       back ? "-back" : "");
            const struct simplify_rule *r = &l->rules[i];
            if (is_used(&used, buf_text(&name))) {
                struct formula_record_rule x = {.name =
                                                    simplify_kept_text(l->record, &name),
                                                .hash = r->hash,
                                                .text = r->canonical,
                                                .backward = back,
                                                .assumed = r->assumed};
                vec_push(&l->record->rules, x);
            }
            buf_release(&name);
        }
    intern_release(&used);
}

static void record_defines(struct simplifier *l, fterm from, fterm to)
{
    fterm roots[2] = {from, to};
    struct u32_vec all = {0};
    fterms_reach(l->f->t, 2, roots, &all);
    for (uint32_t d = 0; l->defs != NULL && d < l->defs->at.len; d++) {
        const struct fdefine *x = &l->defs->at.at[d];
        bool there = false;
        for (uint32_t i = 0; i < all.len && !there; i++)
            there = fterm_n(l->f->t, all.at[i]) > 0 &&
                    strcmp(fterm_name(l->f->t, all.at[i]), x->name) == 0;
        if (there)
            vec_push(&l->record->defines, x->rule->canonical);
    }
    vec_release(&all);
}

// A condition on numbers alone holds wherever there is a value at all.
static bool says_something(const struct fterms *t, fterm cond)
{
    struct u32_vec all = {0};
    bool yes = false;
    fterms_reach(t, 1, &cond, &all);
    for (uint32_t i = 0; i < all.len && !yes; i++) {
        const char *name = fterm_name(t, all.at[i]);
        yes = fterm_n(t, all.at[i]) == 0 && strcmp(name, "pi") != 0 &&
              !fname_is_number(name, (uint32_t)strlen(name));
    }
    vec_release(&all);
    return yes;
}

static bool is_told(const struct simplifier *l, uint32_t given)
{
    for (uint32_t i = 0; i < l->told.len; i++)
        if (l->told.at[i] == given)
            return true;
    return false;
}

// That the formula has a value need not be told where only the result's value
// rests on it.
static void record_givens(struct simplifier *l)
{
    static const char *const by[] = {[GIVEN_DECLARED] = "declared",
                                     [GIVEN_DEFINED] = "defined",
                                     [GIVEN_EXTENT] = "extent",
                                     [GIVEN_NUMBER] = "number"};
    for (uint32_t i = 0; i < l->chain.given.len; i++) {
        const struct fgiven *g = &l->f->givens.at[l->chain.given.at[i]];
        struct buf text = {0};
        fterm_print(l->f->t, g->cond, &text);
        struct formula_record_given x = {simplify_kept_text(l->record, &text),
                                         by[g->by]};
        if ((g->by == GIVEN_DECLARED ||
             (g->by == GIVEN_DEFINED && is_told(l, l->chain.given.at[i]))) &&
            says_something(l->f->t, g->cond))
            vec_push(&l->out->conditions, l->record->givens.len);
        vec_push(&l->record->givens, x);
        buf_release(&text);
    }
}

void simplifier_write_record(struct simplifier *l, const char *input, fterm from)
{
    struct formula_record *r = l->record;
    struct buf proof = {0}, output = {0};
    chain_print(&l->chain, &proof);
    formula_print_head(l->f, &output);
    formula_print(l->f, l->defs, l->out->term, NOTATION_TEXT, false, &output);
    r->input = arena_strdup(&r->mem, input);
    r->output = simplify_kept_text(r, &output);
    r->proof = simplify_kept_text(r, &proof);
    record_rules(l, r->proof);
    record_defines(l, from, l->out->term);
    record_givens(l);
    buf_release(&proof);
    buf_release(&output);
}
