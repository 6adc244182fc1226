// SPDX-License-Identifier: Apache-2.0
// The page of proofs lists every reason of `unknown`, and no other beside the one that names
// conditions.
#include "rules/reasons.h"
#include "base/text/buf.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const char *const reasons[] = {
#define X(id, text) reason_##id,
    REASONS(X)
#undef X
};
#define N_REASONS (sizeof reasons / sizeof *reasons)

static const char *listed(const char *row)
{
    for (size_t i = 0; i < N_REASONS; i++) {
        size_t n = strlen(reasons[i]);
        while (n > 0 && reasons[i][n - 1] == ' ')
            n--;
        if (strncmp(row + 2, reasons[i], n) == 0 && strncmp(row + 2 + n, " |", 2) == 0)
            return reasons[i];
    }
    return NULL;
}

static void the_page_lists_all(void **state)
{
    char line[1024];
    bool inside = false, seen[N_REASONS] = {false};
    size_t rows = 0;
    FILE *f = fopen("docs/proving.md", "r");
    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        if (line[0] == '#')
            inside = strcmp(line, "### Reasons of unknown\n") == 0;
        if (!inside || strncmp(line, "| ", 2) != 0 || strncmp(line, "| reason |", 10) == 0 ||
            strncmp(line, "| left side undefined where", 27) == 0)
            continue;
        const char *reason = listed(line);
        rows++;
        if (reason == NULL)
            fail_msg("no such reason: %s", line);
        for (size_t i = 0; i < N_REASONS; i++)
            seen[i] |= reasons[i] == reason;
    }
    fclose(f);
    for (size_t i = 0; i < N_REASONS; i++)
        if (!seen[i])
            fail_msg("docs/proving.md lacks: %s", reasons[i]);
    assert_int_equal(rows, N_REASONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_lists_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
