// SPDX-License-Identifier: Apache-2.0
// Hashing, interning, random numbers and clocks.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory/intern.h"
#include "base/rng.h"
#include "base/sha256.h"

static void check_sha(const void *p, size_t n, const char *hex)
{
    char out[65];
    sha256_hex(p, n, out);
    assert_string_equal(out, hex);
}

// The examples of FIPS 180-4 and the lengths around the padding.
static void sha256_known(void **state)
{
    (void)state;
    check_sha("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_sha("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    check_sha(two, 56, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *text = mem_alloc(1000000);
    memset(text, 'a', 1000000);
    check_sha(text, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    check_sha(text, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    check_sha(text, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    check_sha(text, 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
    mem_free(text);
}

// The digest does not depend on how a text is cut.
static void sha256_pieces(void **state)
{
    (void)state;
    struct rng rng;
    unsigned char bytes[300];
    rng_seed(&rng, 7);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)rng_u64(&rng);
    for (unsigned turn = 0; turn < 2000; turn++) {
        size_t n = turn % sizeof bytes;
        char whole[65], pieces[65];
        struct sha256 sha256;
        sha256_init(&sha256);
        for (size_t at = 0, part; at < n; at += part) {
            part = 1 + (size_t)rng_below(&rng, turn % 2 ? 20 : 150);
            part = part < n - at ? part : n - at;
            sha256_add(&sha256, bytes + at, part);
        }
        sha256_end(&sha256, pieces);
        sha256_hex(bytes, n, whole);
        assert_string_equal(pieces, whole);
    }
}

// The processor's instructions give the words that the portable rounds give.
static void sha256_ways(void **state)
{
    (void)state;
    sha256_blocks *native = sha256_blocks_native();
    struct rng rng;
    unsigned char bytes[64 * 5 + 3];
    if (native == NULL)
        skip();
    rng_seed(&rng, 5);
    for (unsigned turn = 0; turn < 2000; turn++) {
        uint32_t h[2][8];
        size_t n = turn % 6, at = n < 5 ? turn % 4 : 0;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)rng_u64(&rng);
        for (int i = 0; i < 8; i++)
            h[0][i] = h[1][i] = (uint32_t)rng_u64(&rng);
        sha256_blocks_portable(h[0], bytes + at, n);
        native(h[1], bytes + at, n);
        assert_memory_equal(h[0], h[1], sizeof h[0]);
    }
}

// Every prefix and every single changed byte has its own 64-bit hash.
static void hash_separates(void **state)
{
    (void)state;
    unsigned char data[64];
    uint64_t seen[64 + 64 * 3];
    unsigned n = 0;
    memset(data, 0, sizeof data);
    for (size_t len = 0; len < 64; len++)
        seen[n++] = hash_bytes(data, len, 1);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned v = 1; v <= 3; v++) {
            data[i] = (unsigned char)v;
            seen[n++] = hash_bytes(data, 64, 1);
            data[i] = 0;
        }
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < i; k++)
            assert_true(seen[i] != seen[k]);
    assert_true(hash_bytes("x", 1, 1) != hash_bytes("x", 1, 2));
    assert_true(hash_u64(1, 2) != hash_u64(2, 1));
}

// Small numbers must spread over the low bits, which tables use.
static void hash_spreads(void **state)
{
    (void)state;
    uint32_t count[1024] = {0}, most = 0;
    for (uint64_t i = 0; i < 1024 * 16; i++)
        count[hash_u64(i, 5) & 1023]++;
    for (int i = 0; i < 1024; i++)
        most = count[i] > most ? count[i] : most;
    assert_in_range(most, 16, 48);
}

static void intern_basics(void **state)
{
    (void)state;
    struct intern interned;
    intern_init(&interned);
    assert_int_equal(intern_str(&interned, ""), 0);
    assert_int_equal(intern_bytes(&interned, NULL, 0), 0);
    uint32_t a = intern_bytes(&interned, "a\0b", 3), b = intern_str(&interned, "a");
    assert_int_equal(a, 1);
    assert_int_equal(b, 2);
    assert_int_equal(intern_len(&interned, a), 3);
    assert_memory_equal(intern_text(&interned, a), "a\0b", 4);
    assert_int_equal(intern_bytes(&interned, "a\0b", 3), a);
    intern_release(&interned);
}

// Against a plain list; early pointers stay good.
static void intern_many(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct intern interned;
    struct rng rng;
    const char *first[N];
    char text[32];
    intern_init(&interned);
    rng_seed(&rng, 11);
    for (uint32_t i = 0; i < N; i++) {
        int n = snprintf(text, sizeof text, "name%u", i);
        assert_int_equal(intern_bytes(&interned, text, (size_t)n), i + 1);
        first[i] = intern_text(&interned, i + 1);
    }
    for (int k = 0; k < 10000; k++) {
        uint32_t i = (uint32_t)rng_below(&rng, N);
        snprintf(text, sizeof text, "name%u", i);
        assert_int_equal(intern_str(&interned, text), i + 1);
        assert_ptr_equal(intern_text(&interned, i + 1), first[i]);
        assert_string_equal(first[i], text);
    }
    assert_int_equal(interned.entry.len, N + 1);
    intern_release(&interned);
}

// The first numbers of the published algorithms, so that a seed means the same
// run on every machine.
static void rng_is_fixed(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 0);
    assert_true(rng.s[0] == UINT64_C(0xe220a8397b1dcdaf)); // splitmix64 of 0
    assert_true(rng.s[1] == UINT64_C(0x6e789e6aa1b965f4));
    struct rng x = {{1, 2, 3, 4}};
    assert_true(rng_u64(&x) == 11520);
    assert_true(rng_u64(&x) == 0);
    assert_true(rng_u64(&x) == 1509978240);
    assert_true(rng_u64(&x) == UINT64_C(1215971899390074240));
}

static void rng_ranges(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 42);
    uint32_t count[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint64_t x = rng_below(&rng, 7);
        assert_true(x < 7);
        count[x]++;
        double u = rng_unit(&rng);
        assert_true(u >= 0 && u < 1);
        int64_t y = rng_range(&rng, -3, 2);
        assert_true(y >= -3 && y <= 2);
        assert_true(rng_range(&rng, INT64_MAX, INT64_MAX) == INT64_MAX);
        rng_range(&rng, INT64_MIN, INT64_MAX);
        assert_true(rng_range(&rng, INT64_MIN, INT64_MIN + 1) < INT64_MIN + 2);
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(count[i], 850, 1150);
    assert_true(rng_below(&rng, 1) == 0);
    assert_true(rng_below(&rng, UINT64_MAX) < UINT64_MAX);
}

static void clocks_run(void **state)
{
    (void)state;
    double wall = clock_wall(), cpu = clock_cpu();
    assert_true(cpu >= 0);
    assert_true(clock_wall() >= wall);
    assert_true(clock_cpu() >= cpu);
    assert_true(memory_peak() > 64 * 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_known), cmocka_unit_test(sha256_pieces),
        cmocka_unit_test(sha256_ways),  cmocka_unit_test(hash_separates),
        cmocka_unit_test(hash_spreads), cmocka_unit_test(intern_basics),
        cmocka_unit_test(intern_many),  cmocka_unit_test(rng_is_fixed),
        cmocka_unit_test(rng_ranges),   cmocka_unit_test(clocks_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
