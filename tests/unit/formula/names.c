// SPDX-License-Identifier: Apache-2.0
// The names of operators in formulas: the table of the language against the
// column of the operator table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "formula/terms/names.h"
#include "tensor/language/op.h"

static void every_operator_has_its_name(void **state)
{
    (void)state;
    for (int op = 0; op < N_OPS; op++) {
        const struct op_info *info = op_info((enum op)op);
        bool found = false, any = false;
        for (uint32_t i = 0; fname_at(i) != NULL; i++) {
            const struct fname *name = fname_at(i);
            bool own = strcmp(name->op, info->name) == 0 && (int)name->n == info->arity;
            any = any || own;
            found = found ||
                    (own && info->formula != NULL && strcmp(name->surface, info->formula) == 0);
        }
        if (found != (info->formula != NULL) || any != found)
            fail_msg("the name of %s in formulas", info->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
