// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/exact/clp.h"

#include "base/shared_library.h"
#include "base/sonames.h"

bool clp_load(struct clp *clp, struct err *err)
{
#define X(name) {"Clp_" #name, &clp->name},
    const struct shared_function functions[] = {CLP_FUNCTIONS(X)};
#undef X
    const struct shared_library library = {SONAME_CLP, "coinor-libclp-dev",
                                           sizeof functions / sizeof *functions, functions};
    return shared_library_load(&library, err);
}
