// SPDX-License-Identifier: Apache-2.0
// Proof records that mean harm: what is no record, no type or no term is
// refused, and nothing grows beyond the text that it comes from.
#include "tests/unit/support/proof_example.h"

static void malformed(const char *text, size_t n, const char *says)
{
    struct record record;
    struct err err = {0};
    record_init(&record, &pool);
    assert_false(record_read(&record, text, n, "r.json", &err));
    if (!strstr(err.msg, says) || err.msg[0] == '\0')
        fail_msg("%.60s: %s", text, err.msg);
    assert_true(err.kind == ERR_INPUT || err.kind == ERR_CHECK);
    assert_string_equal(err.file, "r.json");
    record_release(&record);
}

static void hostile_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "null",
                                        "1",
                                        "\"a\"",
                                        "{}",
                                        "{\"format\": 1}",
                                        "{\"a\": 1, \"a\": 2}",
                                        "{\"a\": \"\\u0000\"}",
                                        "\xff\xfe",
                                        "{\"a\": 1e999}",
                                        "{\"a\": 99999999999999999999}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        malformed(texts[i], strlen(texts[i]), "");
    struct buf deep = {0};
    for (int i = 0; i < 100000; i++)
        buf_putc(&deep, '[');
    malformed(buf_text(&deep), deep.len, "depth");
    buf_release(&deep);
    // A record cut short anywhere.
    char *whole = written();
    size_t n = strlen(whole);
    for (size_t i = 0; i < n; i += 97) {
        struct record record;
        struct err err = {0};
        record_init(&record, &pool);
        assert_false(record_read(&record, whole, i, "r.json", &err));
        assert_true(err.msg[0] != '\0');
        record_release(&record);
    }
    mem_free(whole);
}

static const struct change term_changes[] = {
    {"types.99", "{\"elem\": \"real\", \"dims\": []}", ERR_INPUT, "expected an element type"},
    {"types.99", "{\"elem\": \"int\", \"dims\": []}", ERR_INPUT, "expected an element type"},
    {"types.99", "{\"elem\": \"other\", \"dims\": []}", ERR_INPUT, "expected an element type"},
    {"types.99", "{\"elem\": \"f32\", \"dims\": [-1]}", ERR_INPUT, ""},
    {"types.99", "{\"elem\": \"f32\", \"dims\": [4611686018427387904]}", ERR_INPUT, ""},
    {"types.99",
     "{\"elem\": \"f32\", \"dims\": [1073741824, 1073741824,"
     " 1073741824]}",
     ERR_INPUT, ""},
    {"types.99", "{\"elem\": \"f32\"}", ERR_INPUT, "expected dims"},
    {"types.99", "{\"elem\": \"f32\", \"dims\": [\"2\"]}", ERR_INPUT, "expected dims"},
    {"types.99", "{\"tuple\": [0]}", ERR_INPUT, "tuple of one"},
    {"types.99", "{\"tuple\": [0, 77]}", ERR_CHECK, "earlier type"},
    {"types.99", "{\"tuple\": [0, 2]}", ERR_CHECK, "earlier type"},
    {"terms.99", "{\"op\": \"add\", \"type\": 0, \"args\": [0]}", ERR_CHECK, "expected 2 operands"},
    {"terms.99", "{\"op\": \"add\", \"type\": 0, \"args\": [0, 99]}", ERR_CHECK, "earlier terms"},
    {"terms.99", "{\"op\": \"add\", \"type\": 0, \"args\": 5}", ERR_INPUT, "array of args"},
    {"terms.99", "{\"op\": \"add\", \"type\": 44, \"args\": [0, 0]}", ERR_CHECK, "expected a type"},
    {"terms.99", "{\"op\": \"fly\", \"type\": 0}", ERR_INPUT, "unknown operator"},
    {"terms.99", "{\"op\": \"constant\", \"type\": 0}", ERR_INPUT,
     "expected a tensor type and data"},
    {"terms.99", "{\"op\": \"constant\", \"type\": 0, \"data\": \"0\"}", ERR_INPUT, "wrong length"},
    {"terms.99",
     "{\"op\": \"constant\", \"type\": 0, \"data\":"
     " \"0000000\\u00e9\"}",
     ERR_INPUT, ""},
    {"terms.99",
     "{\"op\": \"constant\", \"type\": 0, \"data\":"
     " \"0000000x\"}",
     ERR_INPUT, "not hexadecimal"},
    {"terms.99", "{\"op\": \"constant\", \"type\": 0, \"data\": \"0000803F\"}", ERR_INPUT,
     "not hexadecimal"},
    {"terms.99",
     "{\"op\": \"constant\", \"type\": 0, \"data\":"
     " \"00000000\", \"args\": [0]}",
     ERR_INPUT, "a constant with args"},
    {"terms.99",
     "{\"op\": \"transpose\", \"type\": 0, \"args\": [0],"
     " \"attr\": [0, 2]}",
     ERR_CHECK, "dimension"},
    {"terms.99",
     "{\"op\": \"slice\", \"type\": 0, \"args\": [0],"
     " \"attr\": [0, 0, 2, 3, 1, 9223372036854775808]}",
     ERR_INPUT, ""},
    {"terms.99",
     "{\"op\": \"opaque\", \"type\": 0, \"text\": \"x\","
     " \"results\": 2, \"serial\": 0}",
     ERR_CHECK, "results"},
    {"terms.99",
     "{\"op\": \"opaque\", \"type\": 0, \"text\": \"x\","
     " \"results\": 1, \"serial\": -1}",
     ERR_CHECK, "serial"},
    {"terms.99", "{\"op\": \"opaque\", \"type\": 0}", ERR_INPUT, "expected text"},
    {"terms.99",
     "{\"op\": \"result\", \"type\": 0, \"args\": [0],"
     " \"attr\": [0]}",
     ERR_CHECK, "several results"},
    {"terms.99", "{\"op\": \"parameter\", \"type\": 0, \"attr\": [-4294967296, 0]}", ERR_CHECK,
     "function"},
};

static void hostile_terms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof term_changes / sizeof *term_changes; i++) {
        struct err err = {0};
        json_t *root = loaded();
        json_t *value = json_loads(term_changes[i].value, 0, NULL);
        if (value) { // a number over 64 bits is no JSON for the library
            change(root, term_changes[i].path, value);
            verdict(root, false, &err);
            if (err.kind != term_changes[i].kind || !strstr(err.msg, term_changes[i].says))
                fail_msg("%s: kind %d, %s", term_changes[i].value, (int)err.kind, err.msg);
        }
        json_decref(root);
    }
    // Tuples of tuples of tuples: their text doubles at every step.
    json_t *root = loaded();
    json_t *types = json_object_get(root, "types");
    uint32_t at = (uint32_t)json_array_size(types);
    json_array_append_new(types, json_pack("{s:[ii]}", "tuple", 0, 0));
    for (uint32_t i = at; i < at + 60; i++)
        json_array_append_new(types, json_pack("{s:[ii]}", "tuple", i, i));
    struct err error = {0};
    verdict(root, false, &error);
    assert_int_equal(error.kind, ERR_INPUT);
    assert_non_null(strstr(error.msg, "a tuple in a tuple"));
    json_decref(root);
}

// A term of three wide levels has a billion leaves, if one prints them all.
static void wide_terms(void **state)
{
    (void)state;
    struct record record;
    struct buf text = {0};
    term_id at, wide[1000];
    static const int64_t dim[] = {0};
    record_init(&record, &pool);
    int64_t attr[2] = {0, 0}, dims[1] = {0};
    type_id type;
    struct err err = {0};
    assert_true(type_tensor(&pool, ELEM_F32, 1, dims, &type, &err));
    at = term_make(&record.terms, OP_PARAMETER, attr_make(&pool, 2, attr), type, 0, NULL);
    for (int level = 0; level < 3; level++) {
        for (int i = 0; i < 1000; i++)
            wide[i] = at;
        at = node(&record, OP_CONCATENATE, 1, dim, 1000, wide);
    }
    record_term(&record, at, &text);
    assert_true(text.len < 200);
    buf_clear(&text);
    record_term(&record, node(&record, OP_NEGATE, 0, NULL, 1, &wide[0]), &text);
    assert_true(text.len < 200);
    assert_non_null(strstr(buf_text(&text), "negate("));
    buf_release(&text);
    record_release(&record);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, pool_up, pool_down)
    const struct CMUnitTest tests[] = {
        TEST(hostile_text),
        TEST(hostile_terms),
        TEST(wide_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
