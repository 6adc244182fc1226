// SPDX-License-Identifier: Apache-2.0
// Inside of stablehlo_scan.c, stablehlo_copy.c and stablehlo_opaque.c: one
// operation, passed over token by token, and the template that is written of it
// on the way.
#ifndef IO_STABLEHLO_SCAN_H
#define IO_STABLEHLO_SCAN_H

#include "io/stablehlo_reader.h"

#define NOBODY UINT32_MAX // instead of a callable

struct pending { // argument of a region that was not entered yet
    uint32_t at, number;
};

struct scan {
    struct reader *r;
    struct mlir *m;
    struct buf *out; // NULL: only walk, names mean nothing
    uint32_t self;   // callable that is walked
    uint32_t n_locals, indent, depth;
    bool bol; // no blank in front of the next token
    bool effect;
    VEC(struct pending) pend;
};

struct op_scan {
    char name[64];
    uint32_t at;               // token of the name
    uint32_t dict[3], n_dicts; // '{' of attribute dictionaries
    uint32_t types, types_end; // tokens behind ':'; 0 = none
    uint32_t arrow;            // of "T -> U" without parentheses; 0 = none
    uint32_t n_operands;       // outside regions
    uint32_t pend_base;
    bool generic, tail;
};

// stablehlo_copy.c.  One token, with the blank in front of it.
void scan_put(struct scan *s, uint32_t i);
bool scan_put_kind(struct scan *s, uint32_t *i, uint16_t kind,
                   const char *what);
void scan_newline(struct scan *s);
// A value at *i that is used.
bool scan_use(struct scan *s, uint32_t *i, struct op_scan *o);
// A value of a region, which the token names.
void scan_define(struct scan *s, uint32_t at, uint32_t number);
bool scan_bind_local(struct scan *s, uint32_t at, uint32_t n, uint32_t number);
// Tokens [*i, to), with the values in them; up to the closing bracket; a
// dictionary of attributes.
bool scan_copy(struct scan *s, uint32_t *i, uint32_t to, struct op_scan *o);
bool scan_copy_bracket(struct scan *s, uint32_t *i, struct op_scan *o);
bool scan_copy_dict(struct scan *s, uint32_t *i, struct op_scan *o);

// stablehlo_scan.c.  The operation at *i.
bool scan_operation(struct scan *s, uint32_t *i, struct op_scan *o);

#endif
