// SPDX-License-Identifier: Apache-2.0
// Are the programs equal?  A difference decides by its sense (docs/learning.md): rounding, signs of
// zeros, NaN and infinities leave room for a rule over the reals; an overflow of words for one
// over the integers; another value for none.
#include "api/learn/learn.h"

bool compared_run(struct compared *compared, const struct compare_side side[2], uint64_t seed,
                  struct err *err)
{
    struct comparison found = {0};
    struct compare_options options = {.seed = seed, .own_types = true};
    struct buf json = {0};
    bool ok = compare_functions(side, &options, &found, err);
    if (ok) {
        enum rw_decision answer = comparison_answer(&found);
        compared->worst = found.worst;
        compared->known = answer != RW_UNKNOWN;
        bool words = found.worst == DIFFERENCE_OVERFLOW && found.words;
        compared->different =
            answer == RW_REFUTED && (found.worst >= DIFFERENCE_UNDEFINED || words);
        compared->near = words || found.worst == DIFFERENCE_UNDEFINED;
        comparison_print(&found, &compared->text);
        comparison_put_json(&found, &json);
        compared->json = json_loads(buf_text(&json), 0, NULL);
        ok = comparison_put_module(&found, &compared->module, err);
    }
    comparison_release(&found);
    buf_release(&json);
    return ok;
}

void compared_release(struct compared *compared)
{
    buf_release(&compared->text);
    buf_release(&compared->module);
    json_decref(compared->json);
}
