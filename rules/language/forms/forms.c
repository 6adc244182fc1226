// SPDX-License-Identifier: Apache-2.0
#include "rules/language/forms/forms.h"

#define X(name, n, meaning) {#name, n, meaning, form_##name},
const struct condition_form condition_forms[] = {CONDITION_FORMS(X)};
#undef X
const uint32_t n_condition_forms = sizeof condition_forms / sizeof *condition_forms;

#define X(name, n, meaning) _Static_assert(n <= MAX_FORM_ARGUMENTS, "arguments of a form");
CONDITION_FORMS(X)
#undef X
