// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/sum.h"
#include "formula/terms/number.h"
#include "proof/limits.h"

void sum_release(struct sum *sum)
{
    for (uint32_t i = 0; i < sum->products.len; i++)
        vec_release(&sum->products.at[i].powers);
    vec_release(&sum->products);
}

// ---- numbers ----

bool sum_fold_numbers(struct symbolic *s, const char *op, uint32_t a, uint32_t b, uint32_t *out)
{
    struct intern *names = &s->terms->names;
    const char *text[2] = {intern_text(names, a), intern_text(names, b)};
    uint32_t len[2] = {intern_len(names, a), intern_len(names, b)};
    struct buf value = {0};
    bool ok = number_fold(op, (uint32_t)strlen(op), 2, text, len, &value);
    if (ok)
        *out = intern_str(names, buf_text(&value));
    buf_release(&value);
    return ok;
}

uint32_t sum_number_name(struct symbolic *s, const char *text)
{
    return intern_str(&s->terms->names, text);
}

// ---- products ----

struct product sum_product_copy(const struct product *p)
{
    struct product copy = {.number = p->number, .exponent = p->exponent};
    for (uint32_t i = 0; i < p->powers.len; i++)
        vec_push(&copy.powers, p->powers.at[i]);
    return copy;
}

void sum_raise(struct product *p, lterm atom, int32_t exponent)
{
    uint32_t i = 0;
    while (i < p->powers.len && p->powers.at[i].atom < atom)
        i++;
    if (i < p->powers.len && p->powers.at[i].atom == atom) {
        p->powers.at[i].exponent += exponent;
        if (p->powers.at[i].exponent)
            return;
        p->powers.len--;
        memmove(p->powers.at + i, p->powers.at + i + 1, (p->powers.len - i) * sizeof *p->powers.at);
        return;
    }
    vec_push(&p->powers, ((struct power){0}));
    memmove(p->powers.at + i + 1, p->powers.at + i, (p->powers.len - 1 - i) * sizeof *p->powers.at);
    p->powers.at[i] = (struct power){atom, exponent};
}

static int compare(const struct product *a, const struct product *b)
{
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    for (uint32_t i = 0; i < a->powers.len && i < b->powers.len; i++) {
        struct power x = a->powers.at[i], y = b->powers.at[i];
        if (x.atom != y.atom)
            return x.atom < y.atom ? -1 : 1;
        if (x.exponent != y.exponent)
            return x.exponent < y.exponent ? -1 : 1;
    }
    return (a->powers.len > b->powers.len) - (a->powers.len < b->powers.len);
}

// ---- sums ----

void sum_add_product(struct symbolic *s, struct sum *sum, struct product *p)
{
    uint32_t i = 0, n = sum->products.len;
    if (sum->failed || n > PROOF_KERNEL_PRODUCTS) {
        sum->failed = true;
        vec_release(&p->powers);
        return;
    }
    while (i < n && compare(&sum->products.at[i], p) < 0)
        i++;
    if (i < n && compare(&sum->products.at[i], p) == 0) {
        struct product *have = &sum->products.at[i];
        if (!sum_fold_numbers(s, "add", have->number, p->number, &have->number))
            sum->failed = true;
        vec_release(&p->powers);
        if (have->number == sum_number_name(s, "0")) {
            vec_release(&have->powers);
            sum->products.len--;
            memmove(have, have + 1, (sum->products.len - i) * sizeof *have);
        }
        return;
    }
    vec_push(&sum->products, ((struct product){0}));
    memmove(sum->products.at + i + 1, sum->products.at + i,
            (sum->products.len - 1 - i) * sizeof *sum->products.at);
    sum->products.at[i] = *p;
}

bool sum_has_product(const struct sum *sum, const struct product *p)
{
    for (uint32_t i = 0; i < sum->products.len; i++)
        if (sum->products.at[i].number == p->number && compare(&sum->products.at[i], p) == 0)
            return true;
    return false;
}

void sum_add_number(struct symbolic *s, struct sum *sum, const char *text)
{
    struct product p = {.number = sum_number_name(s, text)};
    if (strcmp(text, "0"))
        sum_add_product(s, sum, &p);
}

void sum_add_atom(struct symbolic *s, struct sum *sum, lterm atom, int32_t exponent)
{
    struct product p = {.number = sum_number_name(s, "1")};
    sum_raise(&p, atom, exponent);
    sum_add_product(s, sum, &p);
}

void sum_add_scaled(struct symbolic *s, struct sum *to, const struct sum *from, const char *factor)
{
    to->failed = to->failed || from->failed;
    for (uint32_t i = 0; i < from->products.len && !to->failed; i++) {
        struct product p = sum_product_copy(&from->products.at[i]);
        if (!sum_fold_numbers(s, "multiply", p.number, sum_number_name(s, factor), &p.number))
            to->failed = true;
        sum_add_product(s, to, &p);
    }
}

void sum_drop_product(struct sum *sum, uint32_t i)
{
    vec_release(&sum->products.at[i].powers);
    sum->products.len--;
    memmove(sum->products.at + i, sum->products.at + i + 1,
            (sum->products.len - i) * sizeof *sum->products.at);
}
