// SPDX-License-Identifier: Apache-2.0
#include "api/proving/found.h"

#include "api/proving/proving.h"

bool found_store(struct rw_database *database, const struct buf *text, const char *file,
                 const struct rw_prove_options *options, struct err *err)
{
    struct ruleset set;
    struct err_list errs = {0};
    struct proving proving;
    struct rw_proving stats;
    ruleset_init(&set);
    bool ok = ruleset_parse(&set, buf_text(text), text->len, file, &errs) ||
              err_set(err, ERR_BUG, "the found rules cannot be read: %s",
                      errs.at.len ? errs.at.at[0].msg : "");
    ok = ok && proving_of(database->context, options, &proving, err) &&
         prove_into(database->db, &set, &proving, "that were found", NULL, &stats, err);
    vec_release(&errs.at);
    ruleset_release(&set);
    return ok;
}
