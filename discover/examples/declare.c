// SPDX-License-Identifier: Apache-2.0
// The rule that two trees are: declarations of what its two sides mention, and both sides.
#include "discover/examples/write.h"
#include <ctype.h>
#include <stdio.h>

static bool mentions(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        bool before = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        bool after = isalnum((unsigned char)at[n]) || at[n] == '_';
        if (!before && !after)
            return true;
    }
    return false;
}

static void put_type(const struct writer *w, uint32_t node)
{
    buf_printf(w->out, " : T%u;\n", type_find(w->pair, node));
}

static void put_variables(const struct writer *w, const char *body)
{
    struct pair *pair = w->pair;
    for (uint32_t i = 0; i < pair->tensors.len; i++) {
        const struct tensor_name *tensor = &pair->tensors.at[i];
        const char *sep = "";
        if (!mentions(body, tensor->name))
            continue;
        buf_printf(w->out, "  tensor %s[", tensor->name);
        for (uint32_t c = 0; c < pair->classes.len; c++)
            if (node_has_class(pair, tensor->node, c)) {
                uint32_t g = tensor->node * pair->classes.len + c;
                while (pair->size_group.at[g] != g)
                    g = pair->size_group.at[g];
                buf_printf(w->out, "%s%s: %s", sep, pair->classes.at[c].name, pair->size[g]);
                sep = ", ";
            }
        buf_putc(w->out, ']');
        put_type(w, tensor->node);
    }
    for (uint32_t i = 0; i < pair->scalars.len; i++)
        if (mentions(body, pair->scalars.at[i].name)) {
            buf_printf(w->out, "  scalar %s", pair->scalars.at[i].name);
            put_type(w, pair->scalars.at[i].node);
        }
    for (uint32_t i = 0; i < pair->constants.len; i++) {
        uint32_t at = 0;
        if (!mentions(body, pair->constants.at[i].name))
            continue;
        while (pair->nodes.at[at].kind != NODE_LITERAL || pair->nodes.at[at].var != i)
            at++;
        buf_printf(w->out, "  scalar %s", pair->constants.at[i].name);
        put_type(w, at);
    }
}

static void put_types(const struct writer *w, const char *body, struct buf *out)
{
    const struct pair *pair = w->pair;
    for (uint32_t i = 0; i < pair->nodes.len; i++) {
        char name[24];
        enum elem elem =
            type_elem(pair->terms->pool, term_type(pair->terms, pair->nodes.at[i].term));
        enum elem_kind kind = elem_kind(elem);
        snprintf(name, sizeof name, "T%u", i);
        if (type_find(w->pair, i) != i || !mentions(body, name))
            continue;
        enum kinds_mode mode = w->choice->kinds;
        const char *own = kind == KIND_BOOL    ? "bool"
                          : kind == KIND_FLOAT ? "float"
                          : mode == KINDS_LIKE ? "int"
                          : kind == KIND_UINT  ? "uint"
                                               : "sint";
        buf_printf(out, "  type %s : %s;\n", name, mode == KINDS_ANY ? "any" : own);
    }
}

static void put_map(const struct writer *w, const char *text, const char *map, uint32_t cls,
                    bool index, struct buf *out)
{
    char line[128];
    if (map == NULL || !mentions(text, map))
        return;
    snprintf(line, sizeof line, "  %s %s on %s;\n", index ? "index" : "map", map,
             w->pair->classes.at[cls].name);
    if (strstr(buf_text(out), line) == NULL)
        buf_puts(out, line);
}

// Sizes have maps of their own, which no slot has.
static void put_maps(const struct writer *w, const char *text, struct buf *out)
{
    const struct pair *pair = w->pair;
    for (uint32_t i = 0; i < pair->size_group.len - 1; i++)
        if (pair->size[i] != NULL && pair->size[i][0] && pair->size_group.at[i] == i &&
            strcspn(pair->size[i], " +-*(") == strlen(pair->size[i]))
            put_map(w, text, pair->size[i], i % pair->classes.len, false, out);
    for (uint32_t i = 0; i < pair->slots.len; i++)
        put_map(w, text, pair->slots.at[i].map, pair->slots.at[i].cls, pair->slots.at[i].index,
                out);
    for (uint32_t i = 0; i < pair->constants.len; i++)
        put_map(w, text, pair->constants.at[i].map, pair->constants.at[i].cls, false, out);
}

void pair_write(struct pair *pair, const struct choice *choice, struct buf *out)
{
    struct buf body = {0}, variables = {0}, all = {0}, maps = {0};
    struct writer w = {pair, choice, &body};
    for (uint32_t i = 0; i < choice->n_wheres; i++)
        buf_printf(&body, "  where %s;\n", choice->wheres[i]);
    if (choice->wider != NULL)
        buf_printf(&body, "  wider %s;\n", choice->wider);
    buf_puts(&body, "  ");
    writer_put(&w, pair->before, false);
    buf_puts(&body, "\n    => ");
    writer_put(&w, pair->after, true);
    buf_puts(&body, ";\n");
    w.out = &variables;
    put_variables(&w, buf_text(&body));
    buf_printf(&all, "%s%s", buf_text(&variables), buf_text(&body));
    buf_puts(out, "rule _ {\n");
    for (uint32_t c = 0; c < pair->classes.len; c++)
        if (mentions(buf_text(&all), pair->classes.at[c].name))
            buf_printf(out, "  %s %s%s;\n", pair->classes.at[c].single ? "axis" : "axes",
                       pair->classes.at[c].name,
                       pair->classes.at[c].least == 1 && !pair->classes.at[c].single ? " rank >= 1"
                                                                                     : "");
    put_maps(&w, buf_text(&all), &maps);
    buf_puts(out, buf_text(&maps));
    put_types(&w, buf_text(&all), out);
    buf_puts(out, buf_text(&all));
    buf_puts(out, "}\n");
    buf_release(&maps);
    buf_release(&body);
    buf_release(&variables);
    buf_release(&all);
}
