// SPDX-License-Identifier: Apache-2.0
// Fields of a request, and their way to the process that does the work.
#ifndef EXPLORER_JOBS_FORM_H
#define EXPLORER_JOBS_FORM_H

#include "base/memory/vec.h"
#include "base/text/buf.h"

struct form_field {
    char *name;
    struct buf text; // has no NUL in it
};
struct form {
    VEC(struct form_field) at;
};

// Sets the field to the text, which may come in parts: later parts have `offset` > 0.  False: the
// form has EXPLORER_FIELDS fields already, or the text has a NUL.
bool form_add(struct form *form, const char *name, const char *text, size_t n, uint64_t offset);
// "": the form does not have the field.
const char *form_get(const struct form *form, const char *name);
const struct buf *form_find(const struct form *form, const char *name); // NULL: absent
// Browsers end the lines of a form's text with CR LF; LF stays.
void form_unify_lines(struct form *form);
void form_release(struct form *form);

// As bytes that form_read reads.  False: the bytes are no form.
void form_write(const struct form *form, struct buf *out);
bool form_read(struct form *form, const char *bytes, size_t n);

#endif
