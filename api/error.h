// SPDX-License-Identifier: Apache-2.0
// Conversion between the errors of all layers and those of rankwright.h.
#ifndef API_ERROR_H
#define API_ERROR_H

#include "api/text.h"
#include "include/rankwright.h"

// Copies a failure for the caller, whose pointer may be NULL; returns false.
bool error_give(const struct err *from, struct rw_error *to);
// Copies an error of rankwright.h into *err; returns false.
bool error_take(const struct rw_error *from, struct err *to);

// Copies a structure of options that starts with its size, as far as the
// caller's version and this one know it; the rest of *to is zero.  A NULL
// pointer gives defaults.  Fails if no version had this size.
bool options_copy(const void *from, void *to, size_t size, struct err *err);

#endif
