// SPDX-License-Identifier: Apache-2.0
// Operators, and terms from text.
#include "egraph/plain/plain.h"
#include "egraph/plain/text.h"

#include "base/text/buf.h"
#include <stdarg.h>
#include <stdio.h>

void plain_init(struct plain_rules *p)
{
    memset(p, 0, sizeof *p);
    intern_init(&p->names);
}

void plain_release(struct plain_rules *p)
{
    arena_release(&p->mem);
    vec_release(&p->rule);
    intern_release(&p->names);
    vec_release(&p->op_name);
    vec_release(&p->name_op);
    vec_release(&p->ac);
}

uint32_t plain_op(struct plain_rules *p, struct cc *g, const char *name,
                  uint32_t len, uint32_t arity)
{
    char few[128];
    char *key = len + 16 <= sizeof few ? few : mem_alloc(len + 16);
    memcpy(key, name, len);
    int n = snprintf(key + len, 16, "/%u", arity);
    uint32_t id = intern_bytes(&p->names, key, len + (size_t)n);
    if (key != few)
        mem_free(key);
    while (p->name_op.len <= id)
        vec_push(&p->name_op, CC_NONE);
    if (p->name_op.at[id] == CC_NONE) {
        p->name_op.at[id] = cc_op_new(g, arity);
        vec_push(&p->op_name, id);
    }
    return p->name_op.at[id];
}

const char *plain_op_name(const struct plain_rules *p, uint32_t op,
                          uint32_t *len)
{
    const char *s = intern_text(&p->names, p->op_name.at[op]);
    *len = (uint32_t)(strrchr(s, '/') - s);
    return s;
}

// Text

struct plain_text plain_text_at(const char *file, const char *text, uint32_t line,
                          struct err *e)
{
    return (struct plain_text){file, text, text, line, e};
}

bool plain_text_fail(struct plain_text *t, const char *where, const char *fmt, ...)
{
    char msg[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    return err_at(t->e, ERR_INPUT, t->file, t->line,
                  (uint32_t)(where - t->line_at) + 1, "%s", msg);
}

void plain_text_spaces(struct plain_text *t)
{
    while (*t->at == ' ' || *t->at == '\t' || *t->at == '\r')
        t->at++;
}

bool plain_text_at_end(const struct plain_text *t)
{
    return plain_text_end(*t->at);
}

void plain_text_next_line(struct plain_text *t)
{
    while (!plain_text_end(*t->at))
        t->at++;
    if (*t->at == 0)
        return;
    t->line_at = ++t->at;
    t->line++;
}

void plain_text_blank(struct plain_text *t)
{
    for (;;) {
        bool begin = t->at == t->line_at;
        plain_text_spaces(t);
        begin = begin && *t->at == '#';
        if (*t->at == 0 || (*t->at != '\n' && !begin))
            return;
        plain_text_next_line(t);
    }
}

const char *plain_text_word(struct plain_text *t, uint32_t *len)
{
    plain_text_spaces(t);
    const char *s = t->at;
    while (*t->at != 0 && !strchr(" \t\r\n(),", *t->at))
        t->at++;
    *len = (uint32_t)(t->at - s);
    return s;
}

bool plain_text_take(struct plain_text *t, char c)
{
    if (*t->at != c)
        return false;
    t->at++;
    return true;
}

bool plain_text_expect(struct plain_text *t, char c)
{
    plain_text_spaces(t);
    return plain_text_take(t, c) || plain_text_fail(t, t->at, "expected %c", c);
}

bool plain_text_keyword(struct plain_text *t, const char *word)
{
    plain_text_spaces(t);
    size_t n = strlen(word);
    if (strncmp(t->at, word, n) != 0 || !strchr(" \t\r\n", t->at[n]))
        return false;
    t->at += n;
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
    struct u32_vec arg; // classes
};

static bool term(struct plain_rules *p, struct cc *g, struct plain_text *t,
                 struct term_reader *x, uint32_t *node)
{
    do {
        plain_text_blank(t);
        const char *s = t->at;
        uint32_t len, from = x->arg.len;
        bool list = plain_text_take(t, '('), close = !list && plain_text_take(t, ')');
        if (close && x->open.len == 0)
            return plain_text_fail(t, s, "a ) without its (");
        if (close) {
            struct open_term o = vec_pop(&x->open);
            s = o.name;
            len = o.len;
            from = o.from;
        } else {
            s = plain_text_word(t, &len);
            if (len == 0)
                return plain_text_fail(t, s,
                                 *s == 0 ? "the term has no end"
                                 : list  ? "expected an operator"
                                         : "expected a term");
        }
        if (list) {
            struct open_term o = {s, len, from};
            vec_push(&x->open, o);
            continue;
        }
        uint32_t op = plain_op(p, g, s, len, x->arg.len - from);
        *node = cc_add(g, op, x->arg.len > 0 ? x->arg.at + from : NULL);
        x->arg.len = from;
        vec_push(&x->arg, cc_class(g, *node));
    } while (x->open.len > 0);
    return true;
}

bool plain_term(struct plain_rules *p, struct cc *g, const char *file,
                const char **text, uint32_t *line, uint32_t *node,
                struct err *e)
{
    struct plain_text t = plain_text_at(file, *text, *line, e);
    struct term_reader x = {0};
    bool ok = term(p, g, &t, &x, node);
    vec_release(&x.open);
    vec_release(&x.arg);
    *text = t.at;
    *line = t.line;
    return ok;
}

bool plain_terms(struct plain_rules *p, struct cc *g, const char *file,
                 const char *text, struct u32_vec *nodes, struct err *e)
{
    struct plain_text t = plain_text_at(file, text, 1, e);
    struct term_reader x = {0};
    bool ok = true;
    for (plain_text_blank(&t); ok && *t.at != 0; plain_text_blank(&t)) {
        uint32_t n = 0;
        vec_clear(&x.arg);
        ok = term(p, g, &t, &x, &n);
        if (ok)
            vec_push(nodes, n);
    }
    vec_release(&x.open);
    vec_release(&x.arg);
    return ok;
}
