// SPDX-License-Identifier: Apache-2.0
#include "integer/read.h"

#include <ctype.h>
#include <string.h>

static void skip(struct int_reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// Moves behind the sign or word.
static bool accept(struct int_reader *r, const char *text)
{
    size_t n = strlen(text);
    skip(r);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0)
        return false;
    if (is_name(text[0]) && (size_t)(r->end - r->at) > n && is_name(r->at[n]))
        return false;
    r->at += n;
    return true;
}

static bool number(struct int_reader *r, ipoly *out)
{
    int64_t value = 0;
    for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++) {
        if (value > INT64_MAX / 100)
            return false;
        value = value * 10 + (*r->at - '0');
    }
    *out = int_constant(r->in, value);
    return true;
}

static ipoly apply(struct integers *in, const char *name, ipoly a, ipoly b)
{
    if (strcmp(name, "cdiv") == 0)
        return int_of_atom(in, INT_QUOTIENT, int_shift(in, int_add(in, a, b), -1), b);
    return int_of_atom(in, strcmp(name, "min") == 0 ? INT_MINIMUM : INT_MAXIMUM, a, b);
}

// name[offset]; the name was seen.
static bool element(struct int_reader *r, const char *name, size_t n, ipoly *out)
{
    ipoly offset;
    return accept(r, "[") && int_read(r, &offset) && accept(r, "]") &&
           r->element(r->ctx, name, n, offset, out);
}

static bool primary(struct int_reader *r, ipoly *out)
{
    static const char *const functions[] = {"min", "max", "cdiv"};
    ipoly b;
    skip(r);
    if (r->at < r->end && isdigit((unsigned char)*r->at))
        return number(r, out);
    if (accept(r, "("))
        return int_read(r, out) && accept(r, ")");
    const char *start = r->at, *end = start;
    while (end < r->end && is_name(*end))
        end++;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (accept(r, functions[i])) {
            if (!accept(r, "(")) {
                r->at = start;
                break;
            }
            if (!int_read(r, out) || !accept(r, ",") || !int_read(r, &b) || !accept(r, ")"))
                return false;
            *out = apply(r->in, functions[i], *out, b);
            return true;
        }
    const char *next = end;
    while (next < r->end && isspace((unsigned char)*next))
        next++;
    if (r->element != NULL && end > start && next < r->end && *next == '[') {
        r->at = end;
        if (element(r, start, (size_t)(end - start), out))
            return true;
        r->at = start;
        return false;
    }
    if (end == start || !r->name(r->ctx, start, (size_t)(end - start), out))
        return false;
    r->at = end;
    return true;
}

static bool product(struct int_reader *r, ipoly *out)
{
    ipoly b;
    bool minus = accept(r, "-");
    if (!primary(r, out))
        return false;
    for (;;) {
        bool quotient = accept(r, "//") || accept(r, "div");
        bool remainder = !quotient && (accept(r, "%") || accept(r, "rem"));
        if (!quotient && !remainder && !accept(r, "*"))
            break;
        if (!primary(r, &b))
            return false;
        *out = quotient || remainder
                   ? int_of_atom(r->in, quotient ? INT_QUOTIENT : INT_REMAINDER, *out, b)
                   : int_multiply(r->in, *out, b);
    }
    if (minus)
        *out = int_scale(r->in, *out, -1);
    return true;
}

bool int_read(struct int_reader *r, ipoly *out)
{
    ipoly b;
    if (r->depth >= INTEGER_NESTING)
        return false;
    r->depth++;
    bool ok = product(r, out);
    while (ok) {
        bool minus = accept(r, "-");
        if (!minus && !accept(r, "+"))
            break;
        ok = product(r, &b);
        *out = !ok ? *out : minus ? int_subtract(r->in, *out, b) : int_add(r->in, *out, b);
    }
    r->depth--;
    return ok;
}
