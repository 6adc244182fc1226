// SPDX-License-Identifier: Apache-2.0
#include "egraph/core/journal.h"

enum { JOURNAL_SPARE_FLOOR = 1 << 18, PAGE = 1 << 21 };

void journal_release(struct journal *j)
{
    map_free(j->at, j->cap);
    vec_release(&j->was);
    *j = (struct journal){.on = j->on};
}

static uint64_t next_cap(const struct journal *j, uint64_t more)
{
    uint64_t cap = j->cap < 4096 ? 4096 : j->cap + j->cap / 2;
    if (cap < j->len + more)
        cap = j->len + more;
    if (cap >= PAGE) // whole large pages: what is counted is what is held
        cap = (cap + PAGE - 1) / PAGE * PAGE;
    return cap;
}

static void reserve(struct journal *j, uint32_t more)
{
    if (j->len + more <= j->cap)
        return;
    uint64_t cap = next_cap(j, more);
    j->at = map_resize(j->at, j->cap, cap);
    j->cap = cap;
}

uint64_t journal_bytes(const struct journal *j, uint64_t more)
{
    uint64_t used = j->len + more;
    uint64_t n = used <= j->cap
                     ? map_held(j->cap, used)
                     : map_held_grown(j->cap, next_cap(j, more), used);
    return n + vec_held(j->was.len, j->was.cap, sizeof *j->was.at);
}

// Seven bits a byte, the lowest first; all but the last have the top bit set.
static inline uint8_t *pack(uint8_t *at, uint32_t x)
{
    for (; x >= 128; x >>= 7)
        *at++ = (uint8_t)(x | 128);
    *at = (uint8_t)x;
    return at + 1;
}

static void put(struct journal *j, uint32_t x)
{
    j->len = (uint64_t)(pack(j->at + j->len, x) - j->at);
}

// Differences are small either way.
static void put_near(struct journal *j, uint32_t x)
{
    uint32_t d = x - j->last;
    put(j, d << 1 ^ (0 - (d >> 31)));
    j->last = x;
}

void journal_congruence(struct journal *j, uint32_t a, uint32_t b)
{
    if (!j->on)
        return;
    reserve(j, 15);
    put(j, JOURNAL_CONGRUENCE);
    put_near(j, a);
    put_near(j, b);
    j->n++;
}

void journal_given(struct journal *j, uint32_t kind, uint32_t a, uint32_t b,
                   uint32_t x)
{
    if (!j->on)
        return;
    reserve(j, 20);
    put(j, kind);
    put_near(j, a);
    put_near(j, b);
    if (kind == JOURNAL_GIVEN)
        put(j, x);
    j->n++;
}

void journal_ac(struct journal *j, uint32_t a, uint32_t b, uint32_t n,
                const uint32_t *path)
{
    if (!j->on)
        return;
    reserve(j, 20 + 6 * n);
    put(j, JOURNAL_AC);
    put_near(j, a);
    put_near(j, b);
    put(j, n);
    for (uint32_t i = 0; i < n; i++) {
        put_near(j, path[i] >> 1);
        put(j, path[i] & 1);
    }
    j->n++;
}

void journal_fold(struct journal *j, uint32_t node, uint32_t value, uint32_t n,
                  const uint32_t *arg)
{
    if (!j->on)
        return;
    reserve(j, 15 + 5 * n);
    put(j, JOURNAL_FOLD);
    put_near(j, node);
    put_near(j, value);
    for (uint32_t i = 0; i < n; i++)
        put_near(j, arg[i]);
    j->n++;
}

void journal_rule(struct journal *j, uint32_t rule, uint32_t n,
                  const uint32_t *nodes)
{
    if (!j->on)
        return;
    reserve(j, 5 + 5 * n);
    uint32_t last = j->last;
    uint8_t *at = pack(j->at + j->len, JOURNAL_RULE + rule);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = nodes[i] - last;
        at = pack(at, d << 1 ^ (0 - (d >> 31)));
        last = nodes[i];
    }
    j->len = (uint64_t)(at - j->at);
    j->last = last;
    j->n++;
}

void journal_spare(struct journal *j, uint32_t rule, uint32_t n,
                   const uint32_t *nodes)
{
    if (!j->on || j->spare > j->len / 4 + JOURNAL_SPARE_FLOOR)
        return;
    uint64_t before = j->len;
    journal_rule(j, rule, n, nodes);
    j->spare += j->len - before;
}
