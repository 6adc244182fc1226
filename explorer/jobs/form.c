// SPDX-License-Identifier: Apache-2.0
#include "explorer/jobs/form.h"

#include "explorer/limits.h"

const struct buf *form_find(const struct form *form, const char *name)
{
    for (uint32_t i = 0; i < form->at.len; i++)
        if (strcmp(form->at.at[i].name, name) == 0)
            return &form->at.at[i].text;
    return NULL;
}

const char *form_get(const struct form *form, const char *name)
{
    const struct buf *text = form_find(form, name);
    return text ? buf_text(text) : "";
}

static char *copy_of(const char *text)
{
    struct buf copy = {0};
    buf_puts(&copy, text);
    buf_putc(&copy, '\0');
    return buf_detach(&copy);
}

static struct buf *field_named(struct form *form, const char *name)
{
    for (uint32_t i = 0; i < form->at.len; i++)
        if (strcmp(form->at.at[i].name, name) == 0)
            return &form->at.at[i].text;
    if (form->at.len >= EXPLORER_FIELDS)
        return NULL;
    vec_push(&form->at, ((struct form_field){.name = copy_of(name)}));
    return &vec_last(&form->at).text;
}

bool form_add(struct form *form, const char *name, const char *text, size_t n, uint64_t offset)
{
    struct buf *field = field_named(form, name);
    if (field == NULL || memchr(text, 0, n) != NULL)
        return false;
    if (offset == 0)
        buf_clear(field);
    buf_write(field, text, n);
    return true;
}

void form_unify_lines(struct form *form)
{
    for (uint32_t i = 0; i < form->at.len; i++) {
        struct buf *text = &form->at.at[i].text;
        size_t n = 0;
        for (size_t k = 0; k < text->len; k++)
            if (text->at[k] != '\r' || k + 1 == text->len || text->at[k + 1] != '\n')
                text->at[n++] = text->at[k];
        if (text->len > 0)
            text->at[n] = '\0';
        text->len = n;
    }
}

void form_release(struct form *form)
{
    for (uint32_t i = 0; i < form->at.len; i++) {
        mem_free(form->at.at[i].name);
        buf_release(&form->at.at[i].text);
    }
    vec_release(&form->at);
}

static void write_text(const char *text, size_t n, struct buf *out)
{
    uint32_t length = (uint32_t)n;
    buf_write(out, &length, sizeof length);
    buf_write(out, text, n);
}

void form_write(const struct form *form, struct buf *out)
{
    for (uint32_t i = 0; i < form->at.len; i++) {
        const struct form_field *field = &form->at.at[i];
        write_text(field->name, strlen(field->name), out);
        write_text(buf_text(&field->text), field->text.len, out);
    }
}

static bool read_text(const char **bytes, size_t *n, struct buf *out)
{
    uint32_t length;
    if (*n < sizeof length)
        return false;
    memcpy(&length, *bytes, sizeof length);
    *bytes += sizeof length;
    *n -= sizeof length;
    if (*n < length)
        return false;
    buf_clear(out);
    buf_write(out, *bytes, length);
    *bytes += length;
    *n -= length;
    return true;
}

bool form_read(struct form *form, const char *bytes, size_t n)
{
    struct buf name = {0}, text = {0};
    bool ok = true;
    while (ok && n > 0)
        ok = read_text(&bytes, &n, &name) && read_text(&bytes, &n, &text) &&
             form_add(form, buf_text(&name), buf_text(&text), text.len, 0);
    buf_release(&name);
    buf_release(&text);
    return ok;
}
