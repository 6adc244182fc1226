// SPDX-License-Identifier: Apache-2.0
#include "egraph/core/journal.h"
#include "egraph/limits.h"

enum { PAGE = 1 << 21 };

void journal_release(struct journal *journal)
{
    map_free(journal->at, journal->cap);
    vec_release(&journal->was);
    *journal = (struct journal){.on = journal->on};
}

static uint64_t next_cap(const struct journal *journal, uint64_t more)
{
    uint64_t cap = journal->cap < 4096 ? 4096 : journal->cap + journal->cap / 2;
    if (cap < journal->len + more)
        cap = journal->len + more;
    if (cap >= PAGE) // whole large pages: what is counted is what is held
        cap = (cap + PAGE - 1) / PAGE * PAGE;
    return cap;
}

static void reserve(struct journal *journal, uint32_t more)
{
    if (journal->len + more <= journal->cap)
        return;
    uint64_t cap = next_cap(journal, more);
    journal->at = map_resize(journal->at, journal->cap, cap);
    journal->cap = cap;
}

uint64_t journal_bytes(const struct journal *journal, uint64_t more)
{
    uint64_t used = journal->len + more;
    uint64_t n = used <= journal->cap ? map_held(journal->cap, used)
                                      : map_held_grown(journal->cap, next_cap(journal, more), used);
    return n + vec_held(journal->was.len, journal->was.cap, sizeof *journal->was.at);
}

// Seven bits a byte, the lowest first; all but the last have the top bit set.
static inline uint8_t *pack(uint8_t *at, uint32_t x)
{
    for (; x >= 128; x >>= 7)
        *at++ = (uint8_t)(x | 128);
    *at = (uint8_t)x;
    return at + 1;
}

static void put(struct journal *journal, uint32_t x)
{
    journal->len = (uint64_t)(pack(journal->at + journal->len, x) - journal->at);
}

// Differences are small either way.
static void put_near(struct journal *journal, uint32_t x)
{
    uint32_t d = x - journal->last;
    put(journal, d << 1 ^ (0 - (d >> 31)));
    journal->last = x;
}

void journal_congruence(struct journal *journal, uint32_t a, uint32_t b)
{
    if (!journal->on)
        return;
    reserve(journal, 15);
    put(journal, JOURNAL_CONGRUENCE);
    put_near(journal, a);
    put_near(journal, b);
    journal->n++;
}

void journal_given(struct journal *journal, uint32_t kind, uint32_t a, uint32_t b, uint32_t reason)
{
    if (!journal->on)
        return;
    reserve(journal, 20);
    put(journal, kind);
    put_near(journal, a);
    put_near(journal, b);
    if (kind == JOURNAL_GIVEN)
        put(journal, reason);
    journal->n++;
}

void journal_ac(struct journal *journal, uint32_t a, uint32_t b, uint32_t n, const uint32_t *path)
{
    if (!journal->on)
        return;
    reserve(journal, 20 + 6 * n);
    put(journal, JOURNAL_AC);
    put_near(journal, a);
    put_near(journal, b);
    put(journal, n);
    for (uint32_t i = 0; i < n; i++) {
        put_near(journal, path[i] >> 1);
        put(journal, path[i] & 1);
    }
    journal->n++;
}

void journal_fold(struct journal *journal, uint32_t node, uint32_t value, uint32_t n,
                  const uint32_t *arg)
{
    if (!journal->on)
        return;
    reserve(journal, 15 + 5 * n);
    put(journal, JOURNAL_FOLD);
    put_near(journal, node);
    put_near(journal, value);
    for (uint32_t i = 0; i < n; i++)
        put_near(journal, arg[i]);
    journal->n++;
}

// Nodes, each behind the one before it.
static inline uint8_t *pack_nodes(uint8_t *at, uint32_t last, uint32_t n, const uint32_t *nodes,
                                  uint32_t by)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = nodes[i * by], d = node - last;
        at = pack(at, d << 1 ^ (0 - (d >> 31)));
        last = node;
    }
    return at;
}

void journal_rule(struct journal *journal, uint32_t rule, const struct journal_use *use)
{
    if (!journal->on)
        return;
    reserve(journal, 5 + 5 * (use->matched + use->built));
    uint8_t *at = pack(journal->at + journal->len, JOURNAL_RULE + rule);
    at = pack_nodes(at, journal->first, use->matched, use->nodes, 1);
    at = pack_nodes(at, journal->last, use->built, use->made, use->by);
    journal->len = (uint64_t)(at - journal->at);
    journal->first = use->nodes[0];
    if (use->built > 0)
        journal->last = use->made[(use->built - 1) * use->by];
    journal->n++;
}

void journal_spare(struct journal *journal, uint32_t rule, const struct journal_use *use)
{
    if (!journal->on || journal->spare > journal->len / 4 + EGRAPH_JOURNAL_SPARE)
        return;
    uint64_t before = journal->len;
    journal_rule(journal, rule, use);
    journal->spare += journal->len - before;
}
