// SPDX-License-Identifier: Apache-2.0
// The pages as files, which any server can hand out and any browser can open from a folder.
#ifndef EXPLORER_SITE_SITE_H
#define EXPLORER_SITE_SITE_H

#include "base/err.h"
#include "include/rankwright.h"
#include <stdint.h>

struct site_written {
    uint64_t files, bytes;
};
// Writes the pages into the folder, which is made if there is none.  Fails if the folder has
// other files than those of a site: it must be empty, or a site that was written before.
bool site_write(struct rw_database *database, const char *folder, struct site_written *written,
                struct err *err);

#endif
