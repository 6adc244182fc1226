// SPDX-License-Identifier: Apache-2.0
// Growable arrays.  VEC(T) is an anonymous struct {at, len, cap}; all zero is
// a valid empty array.  Macro arguments are plain lvalues.  Growth moves the
// elements: keep indices across pushes, never pointers.  Out of memory aborts.
#ifndef BASE_MEMORY_VEC_H
#define BASE_MEMORY_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        uint32_t len, cap;                                                                         \
    }

// A vector of 64-bit integers and of 32-bit ids, needed in signatures.
struct i64_vec {
    int64_t *at;
    uint32_t len, cap;
};
struct u32_vec {
    uint32_t *at;
    uint32_t len, cap;
};

// Makes room for `need` elements of `size` bytes; aborts when memory is out.
// From 2 MiB on an array is a mapping of its own, so it grows without copying
// and its unused end costs nothing; from 64 KiB on it is in the pool (pool.h).
// So an array is freed by vec_release only.
void *vec_grow(void *at, uint32_t *cap, uint32_t need, size_t size);
// A new array of n zeroed elements.
void *vec_zeroed(uint32_t *cap, uint32_t n, size_t size);
void vec_free(void *at, uint32_t cap, size_t size);
// Bytes of memory that an array takes whose first `len` elements were used,
// and would take with `len` of them if that is more than its capacity.
uint64_t vec_held(uint32_t len, uint32_t cap, size_t size);
// Bytes that are kept for arrays and taken by none.
uint64_t vec_slack(void);

// The same for bytes that are more than an array can count; a block of 0 is
// NULL.
void *map_resize(void *at, size_t old, size_t size);
void map_free(void *at, size_t size);
// Bytes of memory that a block takes whose first `used` bytes were used, and
// would take when it has grown.
uint64_t map_held(uint64_t size, uint64_t used);
uint64_t map_held_grown(uint64_t old, uint64_t size, uint64_t used);

#define vec_reserve(v, n)                                                                          \
    ((n) > (v)->cap                                                                                \
         ? (void)((v)->at = vec_grow((v)->at, &(v)->cap, (uint32_t)(n), sizeof *(v)->at))          \
         : (void)0)
#define vec_push(v, x) (vec_reserve(v, (v)->len + 1), (v)->at[(v)->len++] = (x))
#define vec_pop(v) ((v)->at[--(v)->len])
#define vec_last(v) ((v)->at[(v)->len - 1])
#define vec_clear(v) ((v)->len = 0)
#define vec_release(v)                                                                             \
    (vec_free((v)->at, (v)->cap, sizeof *(v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)
#define vec_zero(v, n) ((v)->at = vec_zeroed(&(v)->cap, (n), sizeof *(v)->at), (v)->len = (n))

// The only allocator door.  mem_alloc returns zeroed memory and never NULL.
void *mem_alloc(size_t size);
void *mem_resize(void *block, size_t size);
void mem_free(void *block);
// For a program, once: what it frees is kept for what it makes next, up to
// 64 MiB.  Else the system takes pages back at every turn, and gives them again
// one by one.
void mem_keep(void);

#endif
