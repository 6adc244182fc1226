// SPDX-License-Identifier: Apache-2.0
// Arrays, arenas and what they promise: growth, zeroes, ownership.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/memory/arena.h"
#include "base/memory/vec.h"

static void vec_macros(void **state)
{
    (void)state;
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        vec_push(&v, i * i);
    assert_int_equal(v.len, 1000);
    assert_true(v.cap >= v.len);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(v.at[i], i * i);
    assert_int_equal(vec_last(&v), 999 * 999);
    assert_int_equal(vec_pop(&v), 999 * 999);
    assert_int_equal(v.len, 999);
    assert_int_equal(vec_last(&v), 998 * 998);
    uint32_t cap = v.cap;
    vec_clear(&v);
    assert_int_equal(v.len, 0);
    assert_int_equal(v.cap, cap);
    vec_reserve(&v, cap);
    assert_int_equal(v.cap, cap);
    vec_reserve(&v, cap + 1);
    assert_true(v.cap > cap);
    vec_release(&v);
    assert_null(v.at);
    assert_int_equal(v.len + v.cap, 0);
}

static void vec_of_large_elements(void **state)
{
    (void)state;
    struct wide {
        uint64_t x[9];
    };
    VEC(struct wide) v = {0};
    for (uint64_t i = 0; i < 100; i++)
        vec_push(&v, ((struct wide){{i, 0, 0, 0, 0, 0, 0, 0, ~i}}));
    for (uint64_t i = 0; i < 100; i++) {
        assert_true(v.at[i].x[0] == i);
        assert_true(v.at[i].x[8] == ~i);
    }
    vec_release(&v);
}

static void vec_grow_takes_the_need(void **state)
{
    (void)state;
    uint32_t cap = 0;
    void *p = vec_grow(NULL, &cap, 12345, 4);
    assert_true(cap >= 12345);
    void *q = vec_grow(p, &cap, 1, 4);
    assert_ptr_equal(p, q);
    mem_free(p);
}

static void memory_is_zeroed(void **state)
{
    (void)state;
    unsigned char *p = mem_alloc(4096);
    for (int i = 0; i < 4096; i++)
        assert_int_equal(p[i], 0);
    p = mem_resize(p, 8192);
    p[8191] = 1;
    mem_free(p);
    void *empty = mem_alloc(0);
    assert_non_null(empty);
    mem_free(empty);
}

static void arena_aligned_zeroed(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (size_t n = 0; n < 2000; n++) {
        unsigned char *p = arena_alloc(&arena, n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
    }
    assert_true(arena.total >= 2000 * 1999 / 2);
    arena_release(&arena);
    assert_null(arena.top);
    assert_int_equal(arena.total, 0);
}

// What stands below a mark survives a reset; what comes after it is zero.
static void arena_mark_reset(void **state)
{
    (void)state;
    struct arena arena = {0};
    arena_reset(&arena, arena_mark(&arena));
    char *kept = arena_strdup(&arena, "kept");
    size_t total = 0;
    for (int round = 0; round < 50; round++) {
        struct arena_mark mark = arena_mark(&arena);
        for (int i = 0; i < 200; i++) {
            unsigned char *p = arena_alloc(&arena, 100);
            for (int k = 0; k < 100; k++)
                assert_int_equal(p[k], 0);
            memset(p, 0xee, 100);
        }
        arena_reset(&arena, mark);
        assert_string_equal(kept, "kept");
        if (round == 1)
            total = arena.total;
        else if (round > 1) // memory does not pile up
            assert_int_equal(arena.total, total);
    }
    struct arena_mark start = {0};
    arena_reset(&arena, start);
    assert_null(arena.top);
    arena_release(&arena);
}

static void arena_strings(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_strndup(&arena, "abcdef", 3), "abc");
    assert_string_equal(arena_strndup(&arena, NULL, 0), "");
    int64_t *v = ARENA_NEW(&arena, int64_t, 5);
    assert_true(v[4] == 0);
    char *big = arena_alloc(&arena, 5 << 20);
    big[(5 << 20) - 1] = 1;
    arena_release(&arena);
}

// Past 1 MiB an array is a mapping: what was in it stays through every growth.
static void vec_large(void **state)
{
    (void)state;
    VEC(uint64_t) v = {0}, w = {0};
    const uint32_t n = 3 << 20;
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&v, i * UINT64_C(0x9E3779B97F4A7C15));
        if (i % 7 == 0)
            vec_push(&w, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        assert_true(v.at[i] == i * UINT64_C(0x9E3779B97F4A7C15));
        assert_true(w.at[i / 7] == i / 7 * 7);
    }
    vec_release(&v);
    vec_release(&w);
    vec_zero(&v, n);
    for (uint32_t i = 0; i < n; i++)
        assert_true(v.at[i] == 0);
    vec_release(&v);
}

// Arrays of the sizes of the pool, made, grown, cut and freed in any order:
// each keeps what is in it.
static void pool_of_arrays(void **state)
{
    (void)state;
    enum { ARRAYS = 40, STEP = 1021, ROUNDS = 20000 };
    struct {
        uint32_t *at;
        uint32_t cap, stamp;
    } v[ARRAYS] = {0};
    uint64_t x = 1;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        x = x * UINT64_C(6364136223846793005) + 1;
        uint32_t k = (uint32_t)(x >> 33) % ARRAYS;
        uint32_t small = 1 + (uint32_t)(x >> 40) % (1 << 14);
        uint32_t n = x >> 63 ? small : small * 40, both;
        if (i >= ROUNDS - ARRAYS) {
            k = i - (ROUNDS - ARRAYS);
            n = 0;
        }
        both = n < v[k].cap ? n : v[k].cap;
        if (n == 0) {
            vec_free(v[k].at, v[k].cap, sizeof *v[k].at);
            v[k].at = NULL;
        } else {
            v[k].at = map_resize(v[k].at, v[k].cap * sizeof *v[k].at, n * sizeof *v[k].at);
        }
        for (uint32_t j = 0; j < both; j += STEP)
            assert_int_equal(v[k].at[j], v[k].stamp + j);
        v[k].cap = n;
        v[k].stamp = i;
        for (uint32_t j = 0; j < n; j += STEP)
            v[k].at[j] = i + j;
    }
}

// What is asked for as zero is zero, though blocks are used again.
static void pool_zeroed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t cap, n = 20000 + 7000 * i;
        unsigned *p = vec_zeroed(&cap, n, sizeof *p);
        for (uint32_t k = 0; k < n; k++)
            assert_int_equal(p[k], 0);
        memset(p, 0xff, n * sizeof *p);
        vec_free(p, cap, sizeof *p);
    }
}

static uint32_t *filled(uint32_t *cap, uint32_t n, uint32_t stamp)
{
    uint32_t *p = vec_zeroed(cap, n, sizeof *p);
    for (uint32_t k = 0; k < n; k++) {
        assert_int_equal(p[k], 0);
        p[k] = stamp + k;
    }
    return p;
}

// Large pages are kept and used again: arrays begin with zeros, grow without loss, and
// share no page.  Runs last, for what is kept stays kept.
static void pages_kept(void **state)
{
    (void)state;
    mem_keep();
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t n = (1 + i * 7 % 9) << 18, m = (1 + i * 5 % 11) << 18, cap_p, cap_q;
        uint32_t *p = filled(&cap_p, n, i), *q = filled(&cap_q, m, ~i);
        p = vec_grow(p, &cap_p, 3 * n, sizeof *p);
        for (uint32_t k = n; k < 3 * n; k++)
            p[k] = i + k;
        for (uint32_t k = 0; k < 3 * n; k++)
            assert_int_equal(p[k], i + k);
        for (uint32_t k = 0; k < m; k++)
            assert_int_equal(q[k], ~i + k);
        vec_free(i % 2 ? p : q, i % 2 ? cap_p : cap_q, sizeof *p);
        vec_free(i % 2 ? q : p, i % 2 ? cap_q : cap_p, sizeof *p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vec_large),
        cmocka_unit_test(pool_of_arrays),
        cmocka_unit_test(pool_zeroed),
        cmocka_unit_test(vec_macros),
        cmocka_unit_test(vec_of_large_elements),
        cmocka_unit_test(vec_grow_takes_the_need),
        cmocka_unit_test(memory_is_zeroed),
        cmocka_unit_test(arena_aligned_zeroed),
        cmocka_unit_test(arena_mark_reset),
        cmocka_unit_test(arena_strings),
        cmocka_unit_test(pages_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
