// SPDX-License-Identifier: Apache-2.0
// Terms up to the order and brackets of some operators: two terms get the same
// number if and only if they differ in these alone.
#include "proof/plain/core.h"

#include "base/text/buf.h"

#include <stdlib.h>

// Most arguments of one sum, and of all sums.  Larger sums are not looked into,
// so that fewer terms count as equal.
void plain_check_ac_release(struct plain_check_ac *plain_check_ac)
{
    vec_release(&plain_check_ac->number);
    vec_release(&plain_check_ac->key_at);
    vec_release(&plain_check_ac->key_n);
    vec_release(&plain_check_ac->keys);
    vec_release(&plain_check_ac->first);
    intern_release(&plain_check_ac->classes);
}

static bool is_ac(const struct plain_check_rules *plain_check_rules,
                  const struct plain_check_term *term)
{
    if (term->n != 2)
        return false;
    for (uint32_t i = 0; i < plain_check_rules->ac.len; i++)
        if (word_is(plain_check_rules->ac.at[i], term->name))
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The numbers of the arguments.  A sum has the arguments of the sums in it, in
// order.
static void make_key(struct plain_check_ac *plain_check_ac,
                     const struct plain_check_rules *plain_check_rules,
                     const struct plain_check_terms *terms, uint32_t term)
{
    const struct plain_check_term *p = &terms->term.at[term];
    bool ac = is_ac(plain_check_rules, p);
    uint32_t at = plain_check_ac->keys.len;
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t arg = p->arg[k];
        const struct plain_check_term *q = &terms->term.at[arg];
        bool flat =
            ac && q->n == 2 && word_is(p->name, q->name) &&
            plain_check_ac->keys.len - at + plain_check_ac->key_n.at[arg] < PROOF_FLAT_ARGUMENTS &&
            plain_check_ac->keys.len < PROOF_FLAT_KEYS;
        for (uint32_t i = 0; flat && i < plain_check_ac->key_n.at[arg]; i++)
            vec_push(&plain_check_ac->keys,
                     plain_check_ac->keys.at[plain_check_ac->key_at.at[arg] + i]);
        if (!flat)
            vec_push(&plain_check_ac->keys, plain_check_ac->number.at[arg]);
    }
    vec_push(&plain_check_ac->key_at, at);
    vec_push(&plain_check_ac->key_n, plain_check_ac->keys.len - at);
    if (ac)
        qsort(plain_check_ac->keys.at + at, plain_check_ac->keys.len - at,
              sizeof *plain_check_ac->keys.at, by_number);
}

// Terms of one class get equal texts: arity, numbers and name.
static void put_class(const struct plain_check_ac *plain_check_ac,
                      const struct plain_check_terms *terms, uint32_t term, struct buf *out)
{
    const struct plain_check_term *p = &terms->term.at[term];
    uint32_t n = plain_check_ac->key_n.at[term];
    buf_clear(out);
    buf_write(out, &p->n, sizeof p->n);
    buf_write(out, &n, sizeof n);
    if (n > 0)
        buf_write(out, plain_check_ac->keys.at + plain_check_ac->key_at.at[term],
                  n * sizeof *plain_check_ac->keys.at);
    buf_write(out, p->name.at, p->name.len);
}

bool plain_check_ac_equal(struct plain_check_ac *plain_check_ac,
                          const struct plain_check_rules *plain_check_rules,
                          const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    struct buf class = {0};
    if (plain_check_ac->first.len == 0) {
        intern_init(&plain_check_ac->classes);
        vec_push(&plain_check_ac->first, PLAIN_CHECK_NONE); // the symbol of the empty text
    }
    for (uint32_t i = plain_check_ac->number.len; i < terms->term.len; i++) {
        make_key(plain_check_ac, plain_check_rules, terms, i);
        put_class(plain_check_ac, terms, i, &class);
        uint32_t id = intern_bytes(&plain_check_ac->classes, buf_text(&class), class.len);
        if (id == plain_check_ac->first.len)
            vec_push(&plain_check_ac->first, i);
        vec_push(&plain_check_ac->number, plain_check_ac->first.at[id]);
    }
    buf_release(&class);
    return plain_check_ac->number.at[a] == plain_check_ac->number.at[b];
}
