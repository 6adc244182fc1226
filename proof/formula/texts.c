// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/texts.h"

#include "formula/constants/constant.h"
#include "formula/terms/number.h"
#include "proof/formula/terms.h"
#include "proof/limits.h"

#include <stdlib.h>

// Of the input and the output, written out.
// Rules

// A name is a word in lines of the proof and before the colon of plain rules,
// where `ac:` and `analysis:` have another meaning.
static bool is_rule_name(const char *text)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789_-+/<>=~.'");
    return n > 0 && text[n] == 0 && strcmp(text, "ac") != 0 && strcmp(text, "analysis") != 0;
}

static const struct rule *parse(struct formula_texts *texts, const char *name, const char *text)
{
    struct err err = {0};
    const struct rule *rule = ruleset_add(&texts->set, text, name, &err);
    if (rule == NULL) {
        err_set(texts->err, ERR_CHECK, "the text of %s is no rule: %s", name, err.msg);
        return NULL;
    }
    if (strcmp(rule->canonical, text) != 0) {
        err_set(texts->err, ERR_CHECK, "the text of %s is not its canonical text", name);
        return NULL;
    }
    // The rule may be present already, for example as a used definition.
    for (uint32_t i = 0; i < texts->defining.len; i++)
        if (strcmp(texts->defining.at[i]->hash, rule->hash) == 0)
            return rule;
    vec_push(&texts->defining, rule);
    return rule;
}

static bool name_is_new(const struct formula_texts *texts, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(texts->record->rules.at[k].name, texts->record->rules.at[i].name) == 0)
            return false;
    return true;
}

static bool read_rule(struct formula_texts *texts, uint32_t i)
{
    const struct formula_record_rule *rule = &texts->record->rules.at[i];
    if (!is_rule_name(rule->name) || !name_is_new(texts, i))
        return err_set(texts->err, ERR_CHECK, "rule %u has no name of its own", i);
    const struct rule *r = parse(texts, rule->name, rule->text);
    if (r == NULL)
        return false;
    vec_push(&texts->rules, r);
    return strcmp(r->hash, rule->hash) == 0 ||
           err_set(texts->err, ERR_CHECK, "the text of rule %s has another hash than recorded",
                   rule->name);
}

// A name has one definition in the whole record, read or used: two definitions
// would make their right sides equal.
static bool read_rules(struct formula_texts *texts)
{
    struct err err = {0};
    for (uint32_t i = 0; i < texts->record->defines.len; i++) {
        const struct rule *rule = parse(texts, "a definition", texts->record->defines.at[i]);
        if (rule == NULL)
            return false;
        vec_push(&texts->defines, rule);
    }
    for (uint32_t i = 0; i < texts->record->rules.len; i++)
        if (!read_rule(texts, i))
            return false;
    return fdefines_of(&texts->defs, texts->defining.len, texts->defining.at, &err) ||
           err_set(texts->err, ERR_CHECK, "%s", err.msg);
}

// Formulas

static bool read_formula(struct formula_texts *texts, const char *what, const char *text,
                         struct formula *formula)
{
    struct err err = {0};
    return formula_read(formula, &texts->terms, &texts->defs, what, text, &err) ||
           err_set(texts->err, ERR_CHECK, "the %s, line %u, column %u: %s", what, err.line, err.col,
                   err.msg);
}

// Constants

static bool precision_named(const char *name, enum precision *out)
{
    for (int p = PRECISION_BF16; p <= PRECISION_DECIMAL_NEAR; p++)
        if (strcmp(precision_name((enum precision)p), name) == 0) {
            *out = (enum precision)p;
            return true;
        }
    return false;
}

// A number without variables, axes or named functions.
static bool is_closed(const struct fterms *terms, fterm term)
{
    struct u32_vec all = {0};
    bool ok = true;
    fterms_reach(terms, 1, &term, &all);
    for (uint32_t i = 0; ok && i < all.len; i++) {
        const char *name = fterm_name(terms, all.at[i]);
        enum op op;
        ok = fterm_n(terms, all.at[i]) > 0
                 ? op_by_name(name, &op)
                 : fname_is_number(name, (uint32_t)strlen(name)) || strcmp(name, "pi") == 0;
    }
    vec_release(&all);
    return ok;
}

// A number in the text that stands for another one.
struct number_mark {
    size_t at; // in the input
    uint32_t constant;
};
struct number_recovery {
    struct formula_texts *texts;
    VEC(fterm) value; // by constant of the record
    VEC(fterm) mark;  // a number that occurs nowhere else
    VEC(struct number_mark) marks;
};

static bool read_constant(struct number_recovery *number_recovery, uint32_t i)
{
    struct formula_texts *texts = number_recovery->texts;
    const struct formula_record_constant *constant = &texts->record->constants.at[i];
    enum precision precision;
    struct err err = {0};
    fterm value;
    char *end;
    double difference, said = strtod(constant->difference, &end);
    if (!precision_named(constant->precision, &precision) || *end != 0 ||
        end == constant->difference || !fterm_read(&texts->terms, constant->value, &value, &err) ||
        !is_closed(&texts->terms, value))
        return err_set(texts->err, ERR_CHECK, "constant %u is malformed", i);
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(texts->record->constants.at[k].text, constant->text) == 0)
            return err_set(texts->err, ERR_CHECK, "constant %.60s is recovered twice",
                           constant->text);
    vec_push(&number_recovery->value, value);
    if (strpbrk(constant->text, ".eE") == NULL)
        return err_set(texts->err, ERR_CHECK, "constant %.60s is a whole number", constant->text);
    if (!constant_agrees(&texts->terms, value, constant->text, precision, &difference))
        return err_set(texts->err, ERR_CHECK,
                       "constant %.60s does not agree with its digits in its precision",
                       constant->text);
    return said == difference ||
           err_set(texts->err, ERR_CHECK, "constant %.60s has another difference than recorded",
                   constant->text);
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

static bool find_marks(struct number_recovery *number_recovery)
{
    struct formula_texts *texts = number_recovery->texts;
    const char *text = texts->record->input;
    for (uint32_t i = 0; i < texts->record->constants.len; i++) {
        const char *string = texts->record->constants.at[i].text;
        bool found = false;
        for (uint32_t k = 0; k < texts->in.constants.len; k++) {
            const struct fconstant *constant = &texts->in.constants.at[k];
            struct number_mark number_mark = {offset_of(text, constant->line, constant->col), i};
            if (strcmp(constant->text, string) != 0 ||
                strncmp(text + number_mark.at, string, strlen(string)) != 0)
                continue;
            found = true;
            vec_push(&number_recovery->marks, number_mark);
        }
        if (!found)
            return err_set(texts->err, ERR_CHECK, "constant %.60s is not in the input", string);
    }
    if (number_recovery->marks.len > 0)
        qsort(number_recovery->marks.at, number_recovery->marks.len,
              sizeof *number_recovery->marks.at, by_place);
    return true;
}

static bool name_is_there(const struct fterms *terms, const char *name)
{
    for (fterm term = 0; term < terms->node.len; term++)
        if (strcmp(fterm_name(terms, term), name) == 0)
            return true;
    return false;
}

// The i-th decimal of a form that no term has, as text and as a term.
static void new_number(struct number_recovery *number_recovery, uint32_t i, struct buf *text)
{
    mpq_t x;
    mpq_init(x);
    for (uint32_t k = 0;; k++) {
        struct buf name = {0};
        buf_clear(text);
        buf_printf(text, "%u.%u0271828182845904523%u1", i, k, i);
        bool ok = number_parse_decimal(text->at, (uint32_t)text->len, x) &&
                  number_print(x, &name) &&
                  !name_is_there(&number_recovery->texts->terms, buf_text(&name));
        if (ok)
            vec_push(&number_recovery->mark,
                     fterm_make(&number_recovery->texts->terms, buf_text(&name), 0, NULL));
        buf_release(&name);
        if (ok)
            break;
    }
    mpq_clear(x);
}

// The input with other numbers in the places of the constants.
static void marked_text(struct number_recovery *number_recovery, struct buf *out)
{
    const char *text = number_recovery->texts->record->input;
    size_t at = 0, n = number_recovery->texts->record->constants.len;
    struct buf *number = mem_alloc((n + 1) * sizeof *number);
    for (uint32_t i = 0; i < n; i++)
        new_number(number_recovery, i, &number[i]);
    for (uint32_t k = 0; k < number_recovery->marks.len; k++) {
        const struct number_mark *number_mark = &number_recovery->marks.at[k];
        if (number_mark->at < at)
            continue;
        buf_write(out, text + at, number_mark->at - at);
        buf_puts(out, buf_text(&number[number_mark->constant]));
        at = number_mark->at +
             strlen(number_recovery->texts->record->constants.at[number_mark->constant].text);
    }
    buf_puts(out, text + at);
    for (uint32_t i = 0; i < n; i++)
        buf_release(&number[i]);
    mem_free(number);
}

// The term with the numbers replaced by their meanings.
static fterm with_values(const struct number_recovery *number_recovery, fterm term)
{
    struct fterms *terms = &number_recovery->texts->terms;
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(terms, 1, &term, &all);
    vec_zero(&now, terms->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        uint32_t n = fterm_n(terms, x);
        now.at[x] = x;
        for (uint32_t k = 0; k < number_recovery->mark.len; k++)
            if (x == number_recovery->mark.at[k])
                now.at[x] = number_recovery->value.at[k];
        if (n == 0)
            continue;
        struct buf name = {0}; // the store may move it
        vec_clear(&args);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&args, now.at[fterm_args(terms, x)[k]]);
        buf_puts(&name, fterm_name(terms, x));
        now.at[x] = fterm_make(terms, buf_text(&name), n, args.at);
        buf_release(&name);
    }
    fterm out = now.at[term];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

// A constant is the number at its places in the text, not every equal number.
// So the text is read with numbers at these places that occur nowhere else.
static bool recover(struct formula_texts *texts)
{
    struct number_recovery number_recovery = {.texts = texts};
    struct formula marked = {0};
    struct buf text = {0};
    bool ok = find_marks(&number_recovery);
    texts->left = texts->in.term;
    for (uint32_t i = 0; ok && i < texts->record->constants.len; i++)
        ok = read_constant(&number_recovery, i);
    if (ok && number_recovery.marks.len > 0) {
        marked_text(&number_recovery, &text);
        ok = read_formula(texts, "input", buf_text(&text), &marked);
        if (ok)
            texts->left = with_values(&number_recovery, marked.term);
        formula_release(&marked);
    }
    buf_release(&text);
    vec_release(&number_recovery.value);
    vec_release(&number_recovery.mark);
    vec_release(&number_recovery.marks);
    return ok;
}

bool formula_texts_read(struct formula_texts *texts, const struct formula_record *record,
                        struct err *err)
{
    memset(texts, 0, sizeof *texts);
    texts->record = record;
    texts->err = err;
    fterms_init(&texts->terms);
    ruleset_init(&texts->set);
    return read_rules(texts) && read_formula(texts, "input", record->input, &texts->in) &&
           read_formula(texts, "output", record->output, &texts->out) && recover(texts);
}

void formula_texts_release(struct formula_texts *texts)
{
    formula_release(&texts->in);
    formula_release(&texts->out);
    fdefines_release(&texts->defs);
    vec_release(&texts->defines);
    vec_release(&texts->rules);
    vec_release(&texts->defining);
    ruleset_release(&texts->set);
    fterms_release(&texts->terms);
}
