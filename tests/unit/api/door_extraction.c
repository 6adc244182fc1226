// SPDX-License-Identifier: Apache-2.0
// E-graphs that are read, extracted from and drawn, as a program meets them.
#include "include/rankwright.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct rw_context *context;
static struct rw_error error;

// Sharing is paid once by dag and exact, at each use by tree.
static void extraction(void **state)
{
    (void)state;
    const char *text =
        "{\"nodes\": {"
        "\"r\": {\"op\": \"+\", \"children\": [\"a\", \"a\"], \"eclass\": \"R\", \"cost\": 1},"
        "\"a\": {\"op\": \"a\", \"children\": [], \"eclass\": \"A\", \"cost\": 5},"
        "\"s\": {\"op\": \"s\", \"children\": [], \"eclass\": \"R\", \"cost\": 8}},"
        "\"root_eclasses\": [\"R\"]}";
    struct rw_egraph *egraph = rw_egraph_read(context, text, strlen(text), "egraph.json", &error);
    assert_non_null(egraph);
    const struct rw_extraction *found = rw_extract(egraph, RW_EXTRACT_TREE, &error);
    assert_true(found->tree_cost == 8);
    found = rw_extract(egraph, RW_EXTRACT_EXACT, &error);
    assert_true(found->dag_cost == 6 && found->optimal);
    char *json = rw_extraction_json(egraph);
    assert_non_null(strstr(json, "\"method\":\"exact\""));
    rw_free(json);
    uint32_t hidden = 0;
    char *picture = rw_egraph_picture(egraph, false, 1, &hidden, NULL, &error);
    assert_non_null(strstr(picture, "digraph"));
    assert_int_equal(hidden, 2);
    rw_free(picture);
    rw_egraph_free(egraph);
    assert_null(rw_egraph_read(context, "{", 1, "egraph.json", &error));
    assert_int_equal(error.code, RW_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(extraction)};
    context = rw_context_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_free(context);
    return failed;
}
