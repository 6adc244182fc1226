// SPDX-License-Identifier: Apache-2.0
// Cases of shape rules.  A case is one line: operator, attributes, operand
// types, wanted type, and the type that must come out, or a part of the message
// that must.  Types are written f32[2,3]; "a b" are two operands.
#ifndef TESTS_UNIT_SUPPORT_TENSOR_CASES_H
#define TESTS_UNIT_SUPPORT_TENSOR_CASES_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include "base/text/buf.h"
#include "base/rng.h"
#include "tensor/shape/infer.h"

#define BIG "9223372036854775807"
#define LEAST "-9223372036854775808"

struct infer_case {
    const char *op, *attr, *args, *want, *expect; // expect "!..." = failure
};

static inline int64_t read_int(const char **s)
{
    char *end;
    long long x = strtoll(*s, &end, 10);
    assert_ptr_not_equal(end, *s);
    *s = end;
    return x;
}

static inline uint32_t read_ints(const char **s, char stop, int64_t *v)
{
    uint32_t n = 0;
    while (**s && **s != stop) {
        v[n++] = read_int(s);
        while (**s == ',' || **s == ' ')
            ++*s;
    }
    return n;
}

// "f32[2,3]", "f32", "?text" (kept as text), "(a b)" (a tuple).
static inline type_id read_type(struct pool *pool, const char **s)
{
    struct err err = {0};
    type_id type;
    if (**s == '(') {
        type_id of[8];
        uint32_t n = 0;
        for (++*s; **s != ')'; *s += **s == ' ')
            of[n++] = read_type(pool, s);
        ++*s;
        return type_tuple(pool, n, of);
    }
    size_t n = strcspn(*s, " [)");
    if (**s == '?') {
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)n, *s);
        *s += n;
        return type_other(pool, text);
    }
    enum elem elem;
    int64_t dims[80];
    uint32_t rank = 0;
    if (!elem_by_text(*s, n, &elem))
        fail_msg("no element type at '%s'", *s);
    *s += n;
    if (**s == '[') {
        ++*s;
        rank = read_ints(s, ']', dims);
        ++*s;
    }
    if (!type_tensor(pool, elem, rank, dims, &type, &err))
        fail_msg("%s", err.msg);
    return type;
}

static inline enum op read_op(const char *name)
{
    for (int op = 0; op < N_OPS; op++)
        if (!strcmp(op_name((enum op)op), name))
            return (enum op)op;
    fail_msg("no operator %s", name);
    return N_OPS;
}

static inline void run_case(struct pool *pool, const struct infer_case *infer_case)
{
    int64_t v[80];
    type_id args[16], out = NO_TYPE, want = NO_TYPE;
    struct err err = {0};
    uint32_t n = 0;
    const char *text = infer_case->attr;
    attr_id attr = attr_make(pool, read_ints(&text, 0, v), v);
    for (text = infer_case->args; *text; text += *text == ' ')
        args[n++] = read_type(pool, &text);
    if (*(text = infer_case->want))
        want = read_type(pool, &text);
    bool ok = infer_type(pool, (struct operation){read_op(infer_case->op), attr, want, n}, args,
                         &out, &err);
    if (*infer_case->expect == '!') {
        if (ok)
            fail_msg("%s [%s] (%s): was accepted", infer_case->op, infer_case->attr,
                     infer_case->args);
        assert_int_equal(err.kind, ERR_INPUT);
        if (!strstr(err.msg, infer_case->expect + 1) || !strstr(err.msg, infer_case->op))
            fail_msg("%s [%s] (%s): '%s' lacks '%s'", infer_case->op, infer_case->attr,
                     infer_case->args, err.msg, infer_case->expect + 1);
        return;
    }
    if (!ok)
        fail_msg("%s [%s] (%s): %s", infer_case->op, infer_case->attr, infer_case->args, err.msg);
    text = infer_case->expect;
    if (out.v != read_type(pool, &text).v)
        fail_msg("%s [%s] (%s): not %s", infer_case->op, infer_case->attr, infer_case->args,
                 infer_case->expect);
}

static inline void run_cases(const struct infer_case *infer_case, size_t n)
{
    struct pool pool;
    pool_init(&pool);
    // Literals 0..3: three floats, a splat, none, two of i32.
    float f[] = {1, 2, 3};
    int32_t i[] = {1, 2};
    literal_make(&pool, ELEM_F32, 3, f);
    literal_make(&pool, ELEM_F32, 1, f);
    literal_make(&pool, ELEM_F32, 0, NULL);
    literal_make(&pool, ELEM_I32, 2, i);
    for (size_t k = 0; k < n; k++)
        run_case(&pool, &infer_case[k]);
    pool_release(&pool);
}

#define RUN(...)                                                                                   \
    do {                                                                                           \
        static const struct infer_case cases[] = {__VA_ARGS__};                                    \
        run_cases(cases, sizeof cases / sizeof *cases);                                            \
    } while (0)

#endif
