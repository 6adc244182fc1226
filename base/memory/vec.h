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
// An array of 2 MiB or more is a mapping of its own: it grows without copying, and
// its unused end costs no memory.  An array of 64 KiB or more is a block of pages.h.
// Callers must therefore free arrays by vec_release only.
void *vec_grow(void *at, uint32_t *cap, uint32_t need, size_t size);
// A new array of n zeroed elements.
void *vec_zeroed(uint32_t *cap, uint32_t n, size_t size);
void vec_free(void *at, uint32_t cap, size_t size);
// Bytes of memory of an array whose first `len` elements were used.  If `len` is
// above the capacity: bytes of the array after it has grown.
uint64_t vec_held(uint32_t len, uint32_t cap, size_t size);
// Bytes that are kept for arrays and belong to none.
uint64_t vec_slack(void);

// The same for blocks with more bytes than an array can count; a block of 0 bytes
// is NULL.
void *map_resize(void *at, size_t old, size_t size);
void map_free(void *at, size_t size);
// Bytes of memory of a block whose first `used` bytes were used, now and after it
// has grown.
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
// Keeps freed memory for later allocations, up to BASE_HEAP_KEPT, and pages of
// arrays, up to BASE_PAGES_KEPT.  Without this
// call the allocator returns pages to the system and faults them in again one by
// one.  A program calls this function once, at its start.
void mem_keep(void);

#endif
