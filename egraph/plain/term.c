// SPDX-License-Identifier: Apache-2.0
// Operators, and terms from text.
#include "egraph/plain/plain.h"
#include "egraph/plain/text.h"

#include "base/text/buf.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

void plain_init(struct plain_rules *rules)
{
    memset(rules, 0, sizeof *rules);
    intern_init(&rules->names);
}

void plain_release(struct plain_rules *rules)
{
    arena_release(&rules->mem);
    vec_release(&rules->rule);
    intern_release(&rules->names);
    vec_release(&rules->op_name);
    vec_release(&rules->name_op);
    vec_release(&rules->ac);
}

// Writes the digits of the number, at most 10, without a NUL.  Returns how many.  Most names of
// operators are read once for each of thousands of atoms: snprintf took a tenth of the time.
static uint32_t write_decimal(char *to, uint32_t number)
{
    uint32_t n = 1;
    for (uint32_t rest = number; rest >= 10; rest /= 10)
        n++;
    for (uint32_t i = n; i > 0; i--, number /= 10)
        to[i - 1] = (char)('0' + number % 10);
    return n;
}

uint32_t plain_op(struct plain_rules *rules, struct cc *graph, const char *name, uint32_t len,
                  uint32_t arity)
{
    char few[128];
    char *key = len + 16 <= sizeof few ? few : mem_alloc(len + 16);
    memcpy(key, name, len);
    key[len] = '/';
    uint32_t end = len + 1 + write_decimal(key + len + 1, arity);
    uint32_t id = intern_bytes(&rules->names, key, end);
    if (key != few)
        mem_free(key);
    while (rules->name_op.len <= id)
        vec_push(&rules->name_op, CC_NONE);
    if (rules->name_op.at[id] == CC_NONE) {
        rules->name_op.at[id] = cc_op_new(graph, arity);
        vec_push(&rules->op_name, id);
    }
    return rules->name_op.at[id];
}

const char *plain_op_name(const struct plain_rules *rules, uint32_t op, uint32_t *len)
{
    const char *text = intern_text(&rules->names, rules->op_name.at[op]);
    *len = (uint32_t)(strrchr(text, '/') - text);
    return text;
}

void plain_ops_note(struct plain_ops *ops, const struct cc *graph)
{
    vec_clear(&ops->arity);
    vec_clear(&ops->listen);
    for (uint32_t i = 0; i < graph->op.len; i++) {
        vec_push(&ops->arity, graph->op.at[i].arity);
        vec_push(&ops->listen, graph->op.at[i].listen);
    }
}

void plain_ops_renew(const struct plain_ops *ops, struct plain_rules *rules, struct cc *graph)
{
    while (rules->op_name.len > ops->arity.len)
        rules->name_op.at[vec_pop(&rules->op_name)] = CC_NONE;
    for (uint32_t i = 0; i < ops->arity.len; i++) {
        uint32_t op = cc_op_new(graph, ops->arity.at[i]);
        graph->op.at[op].listen = ops->listen.at[i];
    }
}

void plain_ops_release(struct plain_ops *ops)
{
    vec_release(&ops->arity);
    vec_release(&ops->listen);
}

// Text

struct plain_text plain_text_at(const char *file, const char *text, uint32_t line, struct err *err)
{
    return (struct plain_text){file, text, text, line, err};
}

bool plain_text_fail(struct plain_text *text, const char *where, const char *fmt, ...)
{
    char msg[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    return err_at(text->err, ERR_INPUT, text->file, text->line,
                  (uint32_t)(where - text->line_at) + 1, "%s", msg);
}

void plain_text_spaces(struct plain_text *text)
{
    while (*text->at == ' ' || *text->at == '\t' || *text->at == '\r')
        text->at++;
}

bool plain_text_at_end(const struct plain_text *text)
{
    return plain_text_end(*text->at);
}

void plain_text_next_line(struct plain_text *text)
{
    while (!plain_text_end(*text->at))
        text->at++;
    if (*text->at == 0)
        return;
    text->line_at = ++text->at;
    text->line++;
}

void plain_text_blank(struct plain_text *text)
{
    for (;;) {
        bool begin = text->at == text->line_at;
        plain_text_spaces(text);
        begin = begin && *text->at == '#';
        if (*text->at == 0 || (*text->at != '\n' && !begin))
            return;
        plain_text_next_line(text);
    }
}

static bool ends_word(char character)
{
    static const bool ends[UCHAR_MAX + 1] = {
        [0] = true,    [' '] = true, ['\t'] = true, ['\r'] = true,
        ['\n'] = true, ['('] = true, [')'] = true,  [','] = true};
    return ends[(unsigned char)character];
}

const char *plain_text_word(struct plain_text *text, uint32_t *len)
{
    plain_text_spaces(text);
    const char *string = text->at, *at = string;
    while (!ends_word(*at))
        at++;
    text->at = at;
    *len = (uint32_t)(at - string);
    return string;
}

bool plain_text_take(struct plain_text *text, char character)
{
    if (*text->at != character)
        return false;
    text->at++;
    return true;
}

bool plain_text_expect(struct plain_text *text, char character)
{
    plain_text_spaces(text);
    return plain_text_take(text, character) ||
           plain_text_fail(text, text->at, "expected %c", character);
}

bool plain_text_keyword(struct plain_text *text, const char *word)
{
    plain_text_spaces(text);
    size_t n = strlen(word);
    if (strncmp(text->at, word, n) != 0 || !strchr(" \t\r\n", text->at[n]))
        return false;
    text->at += n;
    return true;
}

// Terms

// An operator whose arguments are being read: those on the stack from `from`.
struct open_term {
    const char *name;
    uint32_t len, from;
};
struct term_reader {
    VEC(struct open_term) open;
    struct u32_vec arg; // places in the forest
};

static bool term(struct plain_rules *rules, struct cc *graph, struct plain_text *text,
                 struct term_reader *reader, struct plain_forest *forest)
{
    do {
        plain_text_blank(text);
        const char *string = text->at;
        uint32_t len, from = reader->arg.len;
        bool list = plain_text_take(text, '('), close = !list && plain_text_take(text, ')');
        if (close && reader->open.len == 0)
            return plain_text_fail(text, string, "a ) without its (");
        if (close) {
            struct open_term o = vec_pop(&reader->open);
            string = o.name;
            len = o.len;
            from = o.from;
        } else {
            string = plain_text_word(text, &len);
            if (len == 0)
                return plain_text_fail(text, string,
                                       *string == 0 ? "the term has no end"
                                       : list       ? "expected an operator"
                                                    : "expected a term");
        }
        if (list) {
            struct open_term o = {string, len, from};
            vec_push(&reader->open, o);
            continue;
        }
        for (uint32_t i = from; i < reader->arg.len; i++)
            vec_push(&forest->arg, reader->arg.at[i]);
        vec_push(&forest->op, plain_op(rules, graph, string, len, reader->arg.len - from));
        reader->arg.len = from;
        vec_push(&reader->arg, forest->op.len - 1);
    } while (reader->open.len > 0);
    vec_push(&forest->root, forest->op.len - 1);
    return true;
}

static bool read_terms(struct plain_rules *rules, struct cc *graph, struct plain_text *text,
                       uint32_t most, struct plain_forest *forest)
{
    struct term_reader reader = {0};
    bool ok = true;
    while (ok && forest->root.len < most) {
        plain_text_blank(text);
        if (*text->at == 0 && most == UINT32_MAX)
            break;
        vec_clear(&reader.arg);
        ok = term(rules, graph, text, &reader, forest);
    }
    vec_release(&reader.open);
    vec_release(&reader.arg);
    return ok;
}

bool plain_forest_read(struct plain_rules *rules, struct cc *graph, const char *file,
                       const char *text, struct plain_forest *forest, struct err *err)
{
    struct plain_text t = plain_text_at(file, text, 1, err);
    return read_terms(rules, graph, &t, UINT32_MAX, forest);
}

void plain_forest_add(struct cc *graph, const struct plain_forest *forest, struct u32_vec *nodes)
{
    struct u32_vec node = {0}, arg = {0};
    const uint32_t *place = forest->arg.at;
    vec_reserve(&node, forest->op.len);
    for (uint32_t i = 0; i < forest->op.len; i++) {
        uint32_t n = graph->op.at[forest->op.at[i]].arity;
        vec_clear(&arg);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&arg, cc_class(graph, node.at[place[k]]));
        vec_push(&node, cc_add(graph, forest->op.at[i], arg.at));
        place += n;
    }
    for (uint32_t i = 0; i < forest->root.len; i++)
        vec_push(nodes, node.at[forest->root.at[i]]);
    vec_release(&node);
    vec_release(&arg);
}

void plain_forest_release(struct plain_forest *forest)
{
    vec_release(&forest->op);
    vec_release(&forest->arg);
    vec_release(&forest->root);
}

bool plain_term(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                uint32_t *node, struct err *err)
{
    struct plain_text t = plain_text_at(file, text, 1, err);
    struct plain_forest forest = {0};
    struct u32_vec nodes = {0};
    bool ok = read_terms(rules, graph, &t, 1, &forest);
    if (ok) {
        plain_forest_add(graph, &forest, &nodes);
        *node = nodes.at[0];
    }
    vec_release(&nodes);
    plain_forest_release(&forest);
    return ok;
}

bool plain_terms(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                 struct u32_vec *nodes, struct err *err)
{
    struct plain_forest forest = {0};
    bool ok = plain_forest_read(rules, graph, file, text, &forest, err);
    if (ok)
        plain_forest_add(graph, &forest, nodes);
    plain_forest_release(&forest);
    return ok;
}
