// SPDX-License-Identifier: Apache-2.0
// The pages of the playground: a form, examples, and the answer to what the form asked.  The form
// works without scripts; with them the answer comes into the page as it is made.
#ifndef EXPLORER_PLAY_PAGE_H
#define EXPLORER_PLAY_PAGE_H

#include "explorer/jobs/form.h"
#include "explorer/pages/pages.h"

// Makes the page at the path; false: the playground has none there.  The fields stand as `form`
// has them, or, if that is NULL, as the query says: `example=KEY`, `rule=HASH` (of `database`,
// which may be NULL), `text=..`.  `answer` is a part of a page, or NULL.
bool play_page(struct rw_database *database, const char *path, const char *query,
               const struct form *form, const char *answer, struct explorer_body *out);
// Does the page at the path have a task of this name?  *quick: it only reads a text.
bool play_has_task(const char *path, const char *task, bool *quick);

#endif
