// SPDX-License-Identifier: Apache-2.0
// Names of the reader: values in scope, results of a statement, operations.
#include "io/stablehlo/read/reader.h"

uint32_t stablehlo_mark(const struct stablehlo_reader *r)
{
    return r->undo.len;
}

void stablehlo_unbind(struct stablehlo_reader *r, uint32_t mark)
{
    while (r->undo.len > mark)
        r->bind_of.at[vec_pop(&r->undo)] = 0;
    // Bindings are made and dropped in the same order as the names.
    r->bind.len = r->undo.len;
}

bool stablehlo_bind(struct stablehlo_reader *r, uint32_t at, struct value_binding b)
{
    uint32_t name = mlir_name(&r->m, at);
    while (r->bind_of.len <= name)
        vec_push(&r->bind_of, 0);
    if (r->bind_of.at[name] != 0) {
        const struct mlir_token *t = &r->m.tok.at[at];
        return mlir_fail(&r->m, at, "value '%.*s' is defined already",
                         t->len > 60 ? 60 : (int)t->len, r->m.text + t->at);
    }
    vec_push(&r->bind, b);
    vec_push(&r->undo, name);
    r->bind_of.at[name] = r->bind.len;
    return true;
}

const struct value_binding *stablehlo_lookup(struct stablehlo_reader *r, uint32_t *i, uint32_t *k)
{
    struct mlir *m = &r->m;
    uint32_t at = *i, name = mlir_name(m, at);
    const struct mlir_token *t = &m->tok.at[at];
    if (name >= r->bind_of.len || r->bind_of.at[name] == 0) {
        mlir_fail(m, at, "value '%.*s' is used before its definition",
                  t->len > 60 ? 60 : (int)t->len, m->text + t->at);
        return NULL;
    }
    const struct value_binding *b = &r->bind.at[r->bind_of.at[name] - 1];
    *k = 0;
    ++*i;
    const struct mlir_token *u = &m->tok.at[*i];
    if (u->kind != T_ATTR || !mlir_touches(m, *i) || m->text[u->at + 1] < '0' ||
        m->text[u->at + 1] > '9')
        return b;
    for (uint32_t j = 1; j < u->len && *k < 1000000; j++)
        *k = *k * 10 + (uint32_t)(m->text[u->at + j] - '0');
    if (*k >= b->n) {
        mlir_fail(m, *i, "value '%.*s' has %u results",
                  t->len > 60 ? 60 : (int)t->len, m->text + t->at, b->n);
        return NULL;
    }
    ++*i;
    return b;
}

bool stablehlo_operand(struct stablehlo_reader *r, uint32_t *i, term_id *out)
{
    uint32_t k;
    if (mlir_kind(&r->m, *i) != T_VALUE)
        return mlir_expected(&r->m, *i, "a value such as %0");
    const struct value_binding *b = stablehlo_lookup(r, i, &k);
    if (b == NULL)
        return false;
    *out = r->value.at[b->first + k];
    return true;
}

bool stablehlo_starts_results(const struct mlir *m, uint32_t i)
{
    for (;;) {
        if (mlir_kind(m, i) != T_VALUE)
            return false;
        i++;
        if (mlir_kind(m, i) == ':' && mlir_kind(m, i + 1) == T_INT)
            i += 2;
        if (mlir_kind(m, i) == '=')
            return true;
        if (mlir_kind(m, i) != ',')
            return false;
        i++;
    }
}

bool stablehlo_results(struct stablehlo_reader *r, uint32_t *i)
{
    struct mlir *m = &r->m;
    uint64_t total = 0;
    if (mlir_kind(m, *i) != T_VALUE)
        return true;
    for (;;) {
        struct result_name x = {*i, 1};
        int64_t n = 1;
        if (!mlir_expect(m, i, T_VALUE, "a value such as %0"))
            return false;
        if (mlir_accept(m, i, ':')) {
            uint32_t at = *i;
            if (!mlir_int(m, i, &n))
                return false;
            if (n < 1 || n > 1000000)
                return mlir_fail(m, at, "expected 1 to 1000000 results");
        }
        x.n = (uint32_t)n;
        total += x.n;
        if (total > 1000000)
            return mlir_fail(m, x.at,
                             "an operation with over a million "
                             "results");
        vec_push(&r->names, x);
        if (mlir_accept(m, i, '='))
            return true;
        if (!mlir_expect(m, i, ',', "',' or '='"))
            return false;
    }
}

bool stablehlo_op_name(const struct mlir *m, uint32_t i, char out[64])
{
    const struct mlir_token *t = &m->tok.at[i];
    const char *s = m->text + t->at;
    uint32_t n = t->len;
    if (t->kind == T_STRING) {
        s++;
        n -= 2;
    }
    if (n >= 64 - 5)
        return false;
    int dot = memchr(s, '.', n) != NULL || t->kind == T_STRING;
    if (!dot && n == 6 && memcmp(s, "module", 6) == 0)
        snprintf(out, 64, "builtin.module");
    else
        snprintf(out, 64, "%s%.*s", dot ? "" : "func.", (int)n, s);
    return true;
}

uint32_t stablehlo_symbol(struct stablehlo_reader *r, uint32_t i)
{
    struct buf b = {0};
    uint32_t name = UINT32_MAX;
    if (mlir_unquote(&r->m, i, &b))
        name = intern_bytes(&r->m.names, buf_text(&b), b.len);
    buf_release(&b);
    return name;
}
