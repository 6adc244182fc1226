// SPDX-License-Identifier: Apache-2.0
// Limits of memory, processes and files.
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include "base/limit.h"

// clang-format off
#define BASE_LIMITS(X) \
    X(BASE_ARENA_FIRST_BLOCK, 1 << 12, "bytes", "a small arena takes one page") \
    X(BASE_ARENA_LAST_BLOCK, 1 << 20, "bytes", \
      "blocks double up to here; larger ones would leave more unused") \
    X(BASE_HEAP_KEPT, 64, "MiB", \
      "freed memory up to here is kept for the next allocation (mem_keep)") \
    X(BASE_HEAP_BLOCK, 32, "MiB", "larger blocks go back to the system at once (mem_keep)") \
    X(BASE_PAGES_KEPT, 32, "MiB", \
      "of large pages without an array, kept for the next ones (mem_keep); the system would clear them again") \
    X(BASE_LARGE_PAGE_TIME, 1000, "microseconds", \
      "a large page costs a tenth of that; 32 small ones cost 700 us") \
    X(BASE_DESCRIPTORS, 1024, "descriptors", \
      "the usual soft limit of open files; a child closes all of them") \
    X(BASE_CHILD_GRACE, 2, "seconds", \
      "a child ends by itself this long after its limit, if nobody killed it") \
    X(BASE_CHILD_WAIT, 2, "milliseconds", "between two looks whether a child has ended") \
    X(BASE_ALARM_MOST, 100000000, "seconds", \
      "three years; a longer alarm would not fit into its argument") \
    X(BASE_POLL_MOST, 1000000, "seconds", \
      "a longer wait in milliseconds would not fit into an int") \
    X(BASE_TEMPORARY_NAMES, 1000, "names", \
      "tried for a file beside its target; killed processes leave some") \
    X(BASE_EXCERPT, 88, "cells", "of a line that an error shows: it fits a terminal with its number") \
    X(BASE_SNIFFED, 1 << 16, "bytes", "looked at to say what a file is that is not read") \
    X(BASE_TAB, 4, "cells", "between the stops of a tab in a line that an error shows") \
    X(BASE_LINKS, 40, "links", "as Linux counts before it reports a loop of symbolic links")
// clang-format on

enum { BASE_LIMITS(LIMIT_CONSTANT) };

extern const struct limit base_limits[];
extern const unsigned n_base_limits;

#endif
