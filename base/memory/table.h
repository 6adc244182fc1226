// SPDX-License-Identifier: Apache-2.0
// Hash tables for what is not on a hot path: uthash, with this project's memory
// and hash.  Iteration is in the order of insertion.
//
// Tables on hot paths are their own, with `Own table:` beside them: slots with
// ids, linear probing, keys stored elsewhere.  Measured with keys of three
// integers (operator, two arguments), one lookup in eight an insertion: such a
// table takes 33 ns a lookup for 4 thousand keys, uthash 95; for 4 million keys
// uthash takes 3 to 6 times as long, and 80 bytes a key in place of 20.
#ifndef BASE_MEMORY_TABLE_H
#define BASE_MEMORY_TABLE_H

#include "base/err.h"
#include "base/hash.h"
#include "base/memory/vec.h"

#define uthash_malloc(size) mem_alloc(size)
#define uthash_free(p, size) mem_free(p)
#define uthash_fatal(message) BUG("%s", message)
#define HASH_FUNCTION(key, n, hash) ((hash) = (unsigned)hash_bytes(key, n, 0))
#include <uthash.h>

#endif
