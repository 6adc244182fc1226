// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/texts.h"

#include "formula/constants/constant.h"
#include "formula/terms/number.h"
#include "proof/formula/terms.h"

#include <stdlib.h>

// Of the input and the output, written out.
enum { MAX_TREE = 1 << 20 };

// Rules

// A name is a word in lines of the proof and before the colon of plain rules,
// where `ac:` and `analysis:` mean something else.
static bool is_rule_name(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-+/<>=~.'");
    return n > 0 && s[n] == 0 && strcmp(s, "ac") != 0 &&
           strcmp(s, "analysis") != 0;
}

static const struct rule *parse(struct formula_texts *c, const char *name,
                                const char *text)
{
    struct err e = {0};
    const struct rule *r = ruleset_add(&c->set, text, name, &e);
    if (r == NULL) {
        err_set(c->e, ERR_CHECK, "the text of %s is no rule: %s", name, e.msg);
        return NULL;
    }
    if (strcmp(r->canonical, text) != 0) {
        err_set(c->e, ERR_CHECK, "the text of %s is not its canonical text",
                name);
        return NULL;
    }
    // It may be there already: as a definition that is used, too.
    for (uint32_t i = 0; i < c->defining.len; i++)
        if (strcmp(c->defining.at[i]->hash, r->hash) == 0)
            return r;
    vec_push(&c->defining, r);
    return r;
}

static bool name_is_new(const struct formula_texts *c, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(c->r->rules.at[k].name, c->r->rules.at[i].name) == 0)
            return false;
    return true;
}

static bool read_rule(struct formula_texts *c, uint32_t i)
{
    const struct formula_record_rule *x = &c->r->rules.at[i];
    if (!is_rule_name(x->name) || !name_is_new(c, i))
        return err_set(c->e, ERR_CHECK, "rule %u has no name of its own", i);
    const struct rule *r = parse(c, x->name, x->text);
    if (r == NULL)
        return false;
    vec_push(&c->rules, r);
    return strcmp(r->hash, x->hash) == 0 ||
           err_set(c->e, ERR_CHECK,
                   "the text of rule %s has another hash than recorded",
                   x->name);
}

// A name has one definition in all the record, be it read or used: two would
// make what they define equal.
static bool read_rules(struct formula_texts *c)
{
    struct err e = {0};
    for (uint32_t i = 0; i < c->r->defines.len; i++) {
        const struct rule *r = parse(c, "a definition", c->r->defines.at[i]);
        if (r == NULL)
            return false;
        vec_push(&c->defines, r);
    }
    for (uint32_t i = 0; i < c->r->rules.len; i++)
        if (!read_rule(c, i))
            return false;
    return fdefines_of(&c->defs, c->defining.len, c->defining.at, &e) ||
           err_set(c->e, ERR_CHECK, "%s", e.msg);
}

// Formulas

static bool read_formula(struct formula_texts *c, const char *what,
                         const char *text, struct formula *f)
{
    struct err e = {0};
    if (!formula_read(f, &c->t, &c->defs, what, text, &e))
        return err_set(c->e, ERR_CHECK, "the %s, line %u, column %u: %s", what,
                       e.line, e.col, e.msg);
    return fterm_tree_size(&c->t, f->term, MAX_TREE) < MAX_TREE ||
           err_set(c->e, ERR_CHECK, "the %s is too large to be checked", what);
}

// Constants

static bool precision_named(const char *name, enum precision *out)
{
    for (int p = PRECISION_BF16; p <= PRECISION_DECIMAL; p++)
        if (strcmp(precision_name((enum precision)p), name) == 0) {
            *out = (enum precision)p;
            return true;
        }
    return false;
}

// A number without variables, axes or named functions.
static bool is_closed(const struct fterms *t, fterm x)
{
    struct u32_vec all = {0};
    bool ok = true;
    fterms_reach(t, 1, &x, &all);
    for (uint32_t i = 0; ok && i < all.len; i++) {
        const char *name = fterm_name(t, all.at[i]);
        enum op op;
        ok = fterm_n(t, all.at[i]) > 0
                 ? op_by_name(name, &op)
                 : fname_is_number(name, (uint32_t)strlen(name)) ||
                       strcmp(name, "pi") == 0;
    }
    vec_release(&all);
    return ok;
}

// A number in the text that is to stand for another one.
struct number_mark {
    size_t at; // in the input
    uint32_t constant;
};
struct number_recovery {
    struct formula_texts *c;
    VEC(fterm) value; // by constant of the record
    VEC(fterm) mark;  // a number that is nowhere else
    VEC(struct number_mark) marks;
};

static bool read_constant(struct number_recovery *r, uint32_t i)
{
    struct formula_texts *c = r->c;
    const struct formula_record_constant *x = &c->r->constants.at[i];
    enum precision p;
    struct err e = {0};
    fterm value;
    char *end;
    double difference, said = strtod(x->difference, &end);
    if (!precision_named(x->precision, &p) || *end != 0 ||
        end == x->difference || !fterm_read(&c->t, x->value, &value, &e) ||
        !is_closed(&c->t, value))
        return err_set(c->e, ERR_CHECK, "constant %u is malformed", i);
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(c->r->constants.at[k].text, x->text) == 0)
            return err_set(c->e, ERR_CHECK, "constant %.60s is recovered twice",
                           x->text);
    vec_push(&r->value, value);
    if (strpbrk(x->text, ".eE") == NULL)
        return err_set(c->e, ERR_CHECK, "constant %.60s is a whole number",
                       x->text);
    if (!constant_agrees(&c->t, value, x->text, p, &difference))
        return err_set(c->e, ERR_CHECK,
                       "constant %.60s is not that number in that precision",
                       x->text);
    return said == difference ||
           err_set(c->e, ERR_CHECK,
                   "constant %.60s differs by something else from what it "
                   "stands for",
                   x->text);
}

static size_t offset_of(const char *text, uint32_t line, uint32_t col)
{
    const char *at = text;
    for (; line > 1 && *at != 0; line--)
        at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0);
    for (; col > 1 && *at != 0; col--)
        at++;
    return (size_t)(at - text);
}

static int by_place(const void *a, const void *b)
{
    size_t x = ((const struct number_mark *)a)->at, y = ((const struct number_mark *)b)->at;
    return (x > y) - (x < y);
}

static bool find_marks(struct number_recovery *r)
{
    struct formula_texts *c = r->c;
    const char *text = c->r->input;
    for (uint32_t i = 0; i < c->r->constants.len; i++) {
        const char *s = c->r->constants.at[i].text;
        bool found = false;
        for (uint32_t k = 0; k < c->in.constants.len; k++) {
            const struct fconstant *x = &c->in.constants.at[k];
            struct number_mark m = {offset_of(text, x->line, x->col), i};
            if (strcmp(x->text, s) != 0 ||
                strncmp(text + m.at, s, strlen(s)) != 0)
                continue;
            found = true;
            vec_push(&r->marks, m);
        }
        if (!found)
            return err_set(c->e, ERR_CHECK,
                           "constant %.60s is not in the input", s);
    }
    if (r->marks.len > 0)
        qsort(r->marks.at, r->marks.len, sizeof *r->marks.at, by_place);
    return true;
}

static bool name_is_there(const struct fterms *t, const char *name)
{
    for (fterm x = 0; x < t->node.len; x++)
        if (strcmp(fterm_name(t, x), name) == 0)
            return true;
    return false;
}

// The i-th decimal of a kind that no term has: as text, and as a term.
static void new_number(struct number_recovery *r, uint32_t i, struct buf *text)
{
    mpq_t x;
    mpq_init(x);
    for (uint32_t k = 0;; k++) {
        struct buf name = {0};
        buf_clear(text);
        buf_printf(text, "%u.%u0271828182845904523%u1", i, k, i);
        bool ok = number_parse_decimal(text->at, (uint32_t)text->len, x) &&
                  number_print(x, &name) &&
                  !name_is_there(&r->c->t, buf_text(&name));
        if (ok)
            vec_push(&r->mark, fterm_make(&r->c->t, buf_text(&name), 0, NULL));
        buf_release(&name);
        if (ok)
            break;
    }
    mpq_clear(x);
}

// The input with other numbers in the places of the constants.
static void marked_text(struct number_recovery *r, struct buf *out)
{
    const char *text = r->c->r->input;
    size_t at = 0, n = r->c->r->constants.len;
    struct buf *number = mem_alloc((n + 1) * sizeof *number);
    for (uint32_t i = 0; i < n; i++)
        new_number(r, i, &number[i]);
    for (uint32_t k = 0; k < r->marks.len; k++) {
        const struct number_mark *m = &r->marks.at[k];
        if (m->at < at)
            continue;
        buf_write(out, text + at, m->at - at);
        buf_puts(out, buf_text(&number[m->constant]));
        at = m->at + strlen(r->c->r->constants.at[m->constant].text);
    }
    buf_puts(out, text + at);
    for (uint32_t i = 0; i < n; i++)
        buf_release(&number[i]);
    mem_free(number);
}

// The term with what the numbers stand for.
static fterm with_values(const struct number_recovery *r, fterm term)
{
    struct fterms *t = &r->c->t;
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(t, 1, &term, &all);
    vec_zero(&now, t->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        uint32_t n = fterm_n(t, x);
        now.at[x] = x;
        for (uint32_t k = 0; k < r->mark.len; k++)
            if (x == r->mark.at[k])
                now.at[x] = r->value.at[k];
        if (n == 0)
            continue;
        struct buf name = {0}; // the store may move it
        vec_clear(&args);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&args, now.at[fterm_args(t, x)[k]]);
        buf_puts(&name, fterm_name(t, x));
        now.at[x] = fterm_make(t, buf_text(&name), n, args.at);
        buf_release(&name);
    }
    fterm out = now.at[term];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

// A constant is what stands in the text at its places, not every number that is
// equal to it: so the text is read with numbers there that are nowhere else.
static bool recover(struct formula_texts *c)
{
    struct number_recovery r = {.c = c};
    struct formula marked = {0};
    struct buf text = {0};
    bool ok = find_marks(&r);
    c->left = c->in.term;
    for (uint32_t i = 0; ok && i < c->r->constants.len; i++)
        ok = read_constant(&r, i);
    if (ok && r.marks.len > 0) {
        marked_text(&r, &text);
        ok = read_formula(c, "input", buf_text(&text), &marked);
        if (ok)
            c->left = with_values(&r, marked.term);
        formula_release(&marked);
    }
    buf_release(&text);
    vec_release(&r.value);
    vec_release(&r.mark);
    vec_release(&r.marks);
    return ok;
}

bool formula_texts_read(struct formula_texts *x, const struct formula_record *r,
                        struct err *e)
{
    memset(x, 0, sizeof *x);
    x->r = r;
    x->e = e;
    fterms_init(&x->t);
    ruleset_init(&x->set);
    return read_rules(x) && read_formula(x, "input", r->input, &x->in) &&
           read_formula(x, "output", r->output, &x->out) && recover(x);
}

void formula_texts_release(struct formula_texts *x)
{
    formula_release(&x->in);
    formula_release(&x->out);
    fdefines_release(&x->defs);
    vec_release(&x->defines);
    vec_release(&x->rules);
    vec_release(&x->defining);
    ruleset_release(&x->set);
    fterms_release(&x->t);
}
