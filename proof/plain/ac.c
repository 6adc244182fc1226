// SPDX-License-Identifier: Apache-2.0
// Terms up to the order and brackets of some operators: each term gets a number
// that it shares with just those terms that differ from it in these alone.
#include "proof/plain/core.h"

#include "base/hash.h"

#include <stdlib.h>

// Arguments of one sum, and of all: beyond these sums are not looked into, so
// that less is equal.
enum { MAX_FLAT = 1 << 16, MAX_KEYS = 1 << 24 };

void plain_check_ac_release(struct plain_check_ac *x)
{
    vec_release(&x->number);
    vec_release(&x->key_at);
    vec_release(&x->key_n);
    vec_release(&x->keys);
    vec_release(&x->first);
    vec_release(&x->slot);
}

static bool is_ac(const struct plain_check_rules *r, const struct plain_check_term *t)
{
    if (t->n != 2)
        return false;
    for (uint32_t i = 0; i < r->ac.len; i++)
        if (word_is(r->ac.at[i], t->name))
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The numbers of the arguments; of a sum those of the sums in it, in order.
static void make_key(struct plain_check_ac *x, const struct plain_check_rules *r,
                     const struct plain_check_terms *t, uint32_t term)
{
    const struct plain_check_term *p = &t->term.at[term];
    bool ac = is_ac(r, p);
    uint32_t at = x->keys.len;
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t arg = p->arg[k];
        const struct plain_check_term *q = &t->term.at[arg];
        bool flat = ac && q->n == 2 && word_is(p->name, q->name) &&
                    x->keys.len - at + x->key_n.at[arg] < MAX_FLAT &&
                    x->keys.len < MAX_KEYS;
        for (uint32_t i = 0; flat && i < x->key_n.at[arg]; i++)
            vec_push(&x->keys, x->keys.at[x->key_at.at[arg] + i]);
        if (!flat)
            vec_push(&x->keys, x->number.at[arg]);
    }
    vec_push(&x->key_at, at);
    vec_push(&x->key_n, x->keys.len - at);
    if (ac)
        qsort(x->keys.at + at, x->keys.len - at, sizeof *x->keys.at, by_number);
}

static bool alike(const struct plain_check_ac *x, const struct plain_check_terms *t,
                  uint32_t a, uint32_t b)
{
    return t->term.at[a].n == t->term.at[b].n &&
           word_is(t->term.at[a].name, t->term.at[b].name) &&
           x->key_n.at[a] == x->key_n.at[b] &&
           (x->key_n.at[a] == 0 ||
            memcmp(x->keys.at + x->key_at.at[a], x->keys.at + x->key_at.at[b],
                   x->key_n.at[a] * sizeof *x->keys.at) == 0);
}

static uint32_t *slot_of(struct plain_check_ac *x, const struct plain_check_terms *t,
                         uint32_t term)
{
    uint32_t mask = x->slot.len - 1, n = x->key_n.at[term];
    uint64_t h =
        hash_bytes(t->term.at[term].name.at, t->term.at[term].name.len, n);
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64(x->keys.at[x->key_at.at[term] + i], h);
    for (uint32_t s = (uint32_t)h & mask;; s = (s + 1) & mask) {
        uint32_t o = x->slot.at[s];
        if (o == PLAIN_CHECK_NONE || alike(x, t, o, term))
            return &x->slot.at[s];
    }
}

static void grow(struct plain_check_ac *x, const struct plain_check_terms *t)
{
    uint32_t size = x->slot.len == 0 ? 64 : 2 * x->slot.len;
    vec_reserve(&x->slot, size);
    x->slot.len = size;
    memset(x->slot.at, 0xFF, size * sizeof *x->slot.at);
    for (uint32_t i = 0; i < x->first.len; i++)
        *slot_of(x, t, x->first.at[i]) = x->first.at[i];
}

bool plain_check_ac_equal(struct plain_check_ac *x, const struct plain_check_rules *r,
               const struct plain_check_terms *t, uint32_t a, uint32_t b)
{
    for (uint32_t i = x->number.len; i < t->term.len; i++) {
        make_key(x, r, t, i);
        if (2 * (x->first.len + 1) > x->slot.len)
            grow(x, t);
        uint32_t *slot = slot_of(x, t, i);
        if (*slot == PLAIN_CHECK_NONE) {
            *slot = i;
            vec_push(&x->first, i);
        }
        vec_push(&x->number, *slot);
    }
    return x->number.at[a] == x->number.at[b];
}
