// SPDX-License-Identifier: Apache-2.0
// Terms up to the order and brackets of some operators: each term gets a number
// that it shares with just those terms that differ from it in these alone.
#include "proof/plain/core.h"

#include "base/hash.h"

#include <stdlib.h>

// Arguments of one sum, and of all: beyond these sums are not looked into, so
// that less is equal.
void plain_check_ac_release(struct plain_check_ac *plain_check_ac)
{
    vec_release(&plain_check_ac->number);
    vec_release(&plain_check_ac->key_at);
    vec_release(&plain_check_ac->key_n);
    vec_release(&plain_check_ac->keys);
    vec_release(&plain_check_ac->first);
    vec_release(&plain_check_ac->slot);
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

// The numbers of the arguments; of a sum those of the sums in it, in order.
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

static bool alike(const struct plain_check_ac *plain_check_ac,
                  const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    return terms->term.at[a].n == terms->term.at[b].n &&
           word_is(terms->term.at[a].name, terms->term.at[b].name) &&
           plain_check_ac->key_n.at[a] == plain_check_ac->key_n.at[b] &&
           (plain_check_ac->key_n.at[a] == 0 ||
            memcmp(plain_check_ac->keys.at + plain_check_ac->key_at.at[a],
                   plain_check_ac->keys.at + plain_check_ac->key_at.at[b],
                   plain_check_ac->key_n.at[a] * sizeof *plain_check_ac->keys.at) == 0);
}

static uint32_t *slot_of(struct plain_check_ac *plain_check_ac,
                         const struct plain_check_terms *terms, uint32_t term)
{
    uint32_t mask = plain_check_ac->slot.len - 1, n = plain_check_ac->key_n.at[term];
    uint64_t h = hash_bytes(terms->term.at[term].name.at, terms->term.at[term].name.len, n);
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64(plain_check_ac->keys.at[plain_check_ac->key_at.at[term] + i], h);
    for (uint32_t s = (uint32_t)h & mask;; s = (s + 1) & mask) {
        uint32_t o = plain_check_ac->slot.at[s];
        if (o == PLAIN_CHECK_NONE || alike(plain_check_ac, terms, o, term))
            return &plain_check_ac->slot.at[s];
    }
}

static void grow(struct plain_check_ac *plain_check_ac, const struct plain_check_terms *terms)
{
    uint32_t size = plain_check_ac->slot.len == 0 ? 64 : 2 * plain_check_ac->slot.len;
    vec_reserve(&plain_check_ac->slot, size);
    plain_check_ac->slot.len = size;
    memset(plain_check_ac->slot.at, 0xFF, size * sizeof *plain_check_ac->slot.at);
    for (uint32_t i = 0; i < plain_check_ac->first.len; i++)
        *slot_of(plain_check_ac, terms, plain_check_ac->first.at[i]) = plain_check_ac->first.at[i];
}

bool plain_check_ac_equal(struct plain_check_ac *plain_check_ac,
                          const struct plain_check_rules *plain_check_rules,
                          const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    for (uint32_t i = plain_check_ac->number.len; i < terms->term.len; i++) {
        make_key(plain_check_ac, plain_check_rules, terms, i);
        if (2 * (plain_check_ac->first.len + 1) > plain_check_ac->slot.len)
            grow(plain_check_ac, terms);
        uint32_t *slot = slot_of(plain_check_ac, terms, i);
        if (*slot == PLAIN_CHECK_NONE) {
            *slot = i;
            vec_push(&plain_check_ac->first, i);
        }
        vec_push(&plain_check_ac->number, *slot);
    }
    return plain_check_ac->number.at[a] == plain_check_ac->number.at[b];
}
