// SPDX-License-Identifier: Apache-2.0
// Limits of the database.
#ifndef DB_LIMITS_H
#define DB_LIMITS_H

#include "base/limit.h"

// clang-format off
#define DB_LIMITS(X) \
    X(DB_STATEMENTS, 48, "statements", "kept prepared; fewer than that run once per rule") \
    X(DB_NAME_DIGITS, 8, "digits", "of a hash that make the name of a rule unique in a merge") \
    X(DB_VALUE_BYTES, 268435456, "bytes", "of a value; longer texts are refused") \
    X(DB_PREFIX_DIGITS, 6, "digits", "of a hash that name a rule; fewer would name several")
// clang-format on

enum { DB_LIMITS(LIMIT_CONSTANT) };

extern const struct limit db_limits[];
extern const unsigned n_db_limits;

#endif
