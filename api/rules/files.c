// SPDX-License-Identifier: Apache-2.0
#include "api/rules/files.h"

#include "base/text/excerpt.h"

static void note_error(const struct rw_context *context, const struct err *err)
{
    struct buf text = {0};
    excerpt_error(err, &text);
    context_note(context, "%s", buf_text(&text));
    buf_release(&text);
}

// All errors but the last are notes; the last one is returned.
static void give_errors(const struct rw_context *context, struct err_list *errs, struct err *err)
{
    for (uint32_t i = 0; i + 1 < errs->at.len; i++)
        note_error(context, &errs->at.at[i]);
    if (errs->at.len)
        *err = vec_last(&errs->at);
    vec_release(&errs->at);
}

bool rule_files_load(const struct rw_context *context, const char *path, struct ruleset *set,
                     struct err *err)
{
    struct err_list errs = {0};
    bool ok = ruleset_load(set, path, &errs);
    give_errors(context, &errs, err);
    return ok;
}
