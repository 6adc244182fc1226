// SPDX-License-Identifier: Apache-2.0
// What the printer needs to print the output as the input was written: which terms have equal
// values.
#include "api/simplify/simplify.h"

void simplify_source(struct simplification *run)
{
    struct source *source = run->in->at.source;
    uint32_t n = run->in->at.terms.term.len;
    if (source == NULL)
        return;
    vec_zero(&source->value_of, n);
    for (uint32_t i = 0; i < n; i++)
        if (egraph_known(&run->graph, (term_id){i}))
            source->value_of.at[i] = egraph_find(&run->graph, (term_id){i}).v + 1;
}
