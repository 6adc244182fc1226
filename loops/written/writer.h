// SPDX-License-Identifier: Apache-2.0
// Parts of written.c: the writer, and what tensors.c does.
#ifndef LOOPS_WRITTEN_WRITER_H
#define LOOPS_WRITTEN_WRITER_H

#include "loops/written/written.h"

// An index that is in scope: a symbol, and the axis it runs along.
struct index {
    iatom symbol;
    uint32_t axis;
};
struct writer {
    struct symbolic *s;
    struct written *out;
    VEC(struct index) scope;
    struct buf body;
};

enum level { LEVEL_CHOICE, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_UNARY, LEVEL_ATOM };

void writer_refuse(struct writer *w, const char *reason);
void writer_open(struct writer *w, bool needed); // a bracket
void writer_close(struct writer *w, bool needed);
uint32_t writer_axis(struct writer *w, ipoly size); // a new one
bool writer_mentions_scope(const struct writer *w, ipoly a);
// A real or integer scalar of the program, by its name.
void writer_scalar(struct writer *w, uint32_t parameter);
// array[address], and an integer: sizes, scalars, indices and what is computed of them.
void writer_read(struct writer *w, uint32_t array, ipoly address);
void writer_integer(struct writer *w, ipoly value, enum level level);
// condition >= 0, as a comparison.
void writer_condition(struct writer *w, ipoly condition);

#endif
