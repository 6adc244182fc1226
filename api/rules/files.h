// SPDX-License-Identifier: Apache-2.0
#ifndef API_RULES_FILES_H
#define API_RULES_FILES_H

#include "api/context.h"
#include "rules/rule.h"

// Loads a file or folder of rules.  All errors but the last are notes.
bool rule_files_load(const struct rw_context *context, const char *path, struct ruleset *set,
                     struct err *err);

#endif
