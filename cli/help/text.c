// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"
#include "cli/help/limits.h"

enum { WIDTH = 79, OPTION_COLUMN = 24 };

void wrapped(const char *text, size_t n, unsigned at, unsigned indent, struct buf *out)
{
    const char *end = text + n;
    unsigned column = at;
    bool first = true; // nothing stands before the word
    while (text < end) {
        size_t word = 0;
        while (text + word < end && text[word] != ' ' && text[word] != '\n')
            word++;
        if (word > 0) {
            if (!first && column + 1 + word > WIDTH) {
                buf_putc(out, '\n');
                buf_indent(out, indent);
                column = indent;
                first = true;
            }
            if (!first)
                buf_putc(out, ' ');
            buf_write(out, text, word);
            column += (unsigned)word + !first;
            first = false;
        }
        text += word + (text + word < end);
    }
    buf_putc(out, '\n');
}

const char *option_value(const struct option_row *row, uint32_t i, size_t *n)
{
    const char *at = row->values;
    for (; at && i > 0; i--) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    if (at)
        *n = strcspn(at, " ");
    return at;
}

enum argument_kind argument_kind(const struct option_row *row)
{
    static const char *const files[] = {"FILE", "PATH", "BASE", "RULES"};
    if (!row->argument)
        return ARGUMENT_TEXT;
    if (row->values)
        return ARGUMENT_VALUES;
    if (strcmp(row->argument, "FOLDER") == 0)
        return ARGUMENT_FOLDER;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(row->argument, files[i]) == 0)
            return ARGUMENT_FILE;
    return ARGUMENT_TEXT;
}

void option_text(const struct command_table *table, const struct option_row *row, struct buf *out)
{
    size_t n, next;
    buf_puts(out, row->text);
    const char *value = option_value(row, 0, &n);
    for (uint32_t i = 1; value; i++) {
        const char *after = option_value(row, i, &next);
        buf_puts(out, i == 1 ? ": " : after ? ", " : " or ");
        buf_write(out, value, n);
        value = after;
        n = next;
    }
    if (row->initial) {
        buf_puts(out, " (default: ");
        limits_replace(row->initial, out);
    }
    if (row->forms) {
        buf_puts(out, row->initial ? "; only " : " (only ");
        forms_text(table, row->forms, out);
    }
    if (row->initial || row->forms)
        buf_putc(out, ')');
}

static void put_option(const struct command_table *table, const struct option_row *row,
                       struct buf *out)
{
    struct buf name = {0}, text = {0};
    if (row->letter)
        buf_printf(&name, "  -%c, --", row->letter);
    else
        buf_puts(&name, "  --");
    option_name(row->option, &name);
    if (row->argument)
        buf_printf(&name, " %s", row->argument);
    option_text(table, row, &text);
    buf_puts(out, buf_text(&name));
    if (name.len + 2 > OPTION_COLUMN)
        buf_putc(out, '\n');
    buf_indent(out,
               name.len + 2 > OPTION_COLUMN ? OPTION_COLUMN : OPTION_COLUMN - (unsigned)name.len);
    wrapped(buf_text(&text), text.len, OPTION_COLUMN, OPTION_COLUMN, out);
    buf_release(&name);
    buf_release(&text);
}

static void put_description(const char *text, struct buf *out)
{
    while (*text) {
        size_t line = strcspn(text, "\n");
        if (line < 2 || (text[0] == ' ' && text[1] == ' '))
            buf_printf(out, "%.*s\n", (int)line, text);
        else
            wrapped(text, line, 0, 0, out);
        text += line + (text[line] == '\n');
    }
}

void help_command(const struct command_table *table, struct buf *out)
{
    buf_printf(out, "usage: rankwright %s%s%s%s\n\n", table->name,
               table->n_options ? " [OPTION...]" : "", table->usage ? " " : "",
               table->usage ? table->usage : "");
    put_description(table->description, out);
    if (table->n_options)
        buf_puts(out, "\nOptions:\n");
    for (uint32_t i = 0; i < table->n_options; i++)
        put_option(table, &table->option[i], out);
    buf_printf(out, "\nExample:\n  %s\n", table->example);
}
