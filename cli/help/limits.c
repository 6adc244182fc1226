// SPDX-License-Identifier: Apache-2.0
#include "cli/help/limits.h"
#include "cli/help/help.h"
#include "api/layers.h"

static const struct limit *find_limit(const char *name, size_t n)
{
    struct layer_limits layer[MAX_LAYERS];
    uint32_t n_layers = layers_with_limits(layer);
    for (uint32_t i = 0; i < n_layers; i++)
        for (uint32_t k = 0; k < layer[i].n; k++)
            if (strlen(layer[i].limit[k].name) == n && !memcmp(layer[i].limit[k].name, name, n))
                return &layer[i].limit[k];
    return NULL;
}

bool limits_replace(const char *text, struct buf *out)
{
    bool all = true;
    while (*text) {
        size_t plain = strcspn(text, "{");
        buf_write(out, text, plain);
        text += plain;
        if (*text == '\0')
            break;
        size_t n = strcspn(++text, "}");
        const struct limit *limit = find_limit(text, n);
        if (limit)
            buf_printf(out, "%d", limit->value);
        else
            all = false;
        text += n + (text[n] == '}');
    }
    return all;
}

void limits_text(struct buf *out)
{
    struct layer_limits layer[MAX_LAYERS];
    uint32_t n = layers_with_limits(layer);
    buf_puts(out, "Name, value, unit and reason of every limit (LAYER/limits.h).\n");
    for (uint32_t i = 0; i < n; i++) {
        buf_printf(out, "\nLimits of %s\n", layer[i].layer);
        for (uint32_t k = 0; k < layer[i].n; k++) {
            const struct limit *limit = &layer[i].limit[k];
            buf_printf(out, "  %-32s %d %s\n      ", limit->name, limit->value, limit->unit);
            wrapped(limit->why, strlen(limit->why), 6, 6, out);
        }
    }
}

// A cell of a table: a bar would end the cell, and < begin a tag.
static void put_cell(const char *text, struct buf *out)
{
    buf_putc(out, ' ');
    for (; *text; text++) {
        if (*text == '|' || *text == '<' || *text == '*')
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
    buf_puts(out, " |");
}

void limits_markdown(struct buf *out)
{
    struct layer_limits layer[MAX_LAYERS];
    uint32_t n = layers_with_limits(layer);
    buf_puts(out, "# Limits\n\n"
                  "Each layer has a table of its budgets, `LAYER/limits.h`.\n"
                  "`make limits` writes this page from the tables; `rankwright help limits` prints "
                  "them.\n");
    for (uint32_t i = 0; i < n; i++) {
        buf_printf(out, "\n## %s\n\n| name | value | unit | why |\n|---|--:|---|---|\n",
                   layer[i].layer);
        for (uint32_t k = 0; k < layer[i].n; k++) {
            const struct limit *limit = &layer[i].limit[k];
            buf_printf(out, "| `%s` | %d |", limit->name, limit->value);
            put_cell(limit->unit, out);
            put_cell(limit->why, out);
            buf_putc(out, '\n');
        }
    }
}
