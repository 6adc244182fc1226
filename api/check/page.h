// SPDX-License-Identifier: Apache-2.0
// The HTML page of a formula's record (simplify/page/html.h), with what the database
// says of its rules.
#ifndef API_CHECK_PAGE_H
#define API_CHECK_PAGE_H

#include "db/db.h"
#include "proof/formula/record.h"

// The record is one that was checked.  db may be NULL: then rules have their
// texts alone.  `remark` stands below the formulas; may be empty.
bool formula_page(const struct formula_record *record, struct db *db, const char *title,
                  const char *remark, struct buf *out, struct err *err);

#endif
