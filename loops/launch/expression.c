// SPDX-License-Identifier: Apache-2.0
#include "loops/launch/expression.h"
#include "base/text/cursor.h"

#include <ctype.h>

enum { LAUNCH_DEPTH = 100 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void launch_skip(struct launch_reader *reader)
{
    while (reader->at < reader->end && is_blank(*reader->at))
        reader->at++;
}

struct code_place launch_here(const struct launch_reader *reader)
{
    struct code_place place = reader->place;
    place.col += (uint32_t)(reader->at - reader->text);
    return place;
}

bool launch_accept(struct launch_reader *reader, const char *text)
{
    size_t n = strlen(text);
    launch_skip(reader);
    if ((size_t)(reader->end - reader->at) < n || memcmp(reader->at, text, n) != 0)
        return false;
    bool word = is_letter(text[n - 1]);
    const char *behind = reader->at + n;
    if (word && behind < reader->end && (is_letter(*behind) || is_digit(*behind)))
        return false;
    reader->at = behind;
    return true;
}

bool launch_fail(struct launch_reader *reader, const char *expected)
{
    launch_skip(reader);
    struct code_place place = launch_here(reader);
    size_t left = (size_t)(reader->end - reader->at);
    if (left == 0)
        return err_at(reader->err, ERR_INPUT, NULL, place.line, place.col,
                      "expected %s, found the end of the text", expected);
    return err_at(reader->err, ERR_INPUT, NULL, place.line, place.col, "expected %s, found '%.*s'",
                  expected, left > 40 ? 40 : (int)left, reader->at);
}

code_value launch_integer(struct launch_reader *reader, int64_t number)
{
    return code_integer(reader->program, code_scalar(CODE_INT, 64), number);
}

code_value launch_binary(struct launch_reader *reader, enum code_op op, code_value a, code_value b)
{
    return code_binary(reader->program, op, a, b, launch_here(reader));
}

code_value launch_scalar(struct launch_reader *reader, uint32_t parameter)
{
    struct code_type wide = code_scalar(CODE_INT, 64);
    code_value value = code_parameter_value(reader->program, parameter);
    if (code_node(reader->program, value)->type.bits == 64)
        return value;
    return code_make(reader->program, CODE_CONVERT, wide, 0, 1, &value, launch_here(reader));
}

void launch_add_fact(struct launch_reader *reader, code_value condition, const char *text, size_t n)
{
    while (n > 0 && is_blank(text[n - 1]))
        n--;
    struct code_fact fact = {.condition = condition,
                             .source = (uint8_t)reader->source,
                             .text = intern_bytes(&reader->program->names, text, n),
                             .place = launch_here(reader)};
    vec_push(&reader->program->fact, fact);
}

void launch_divides(struct launch_reader *reader, code_value a, code_value b, const char *text,
                    size_t n)
{
    code_value rest = launch_binary(reader, CODE_REMAINDER, a, b);
    launch_add_fact(reader, launch_binary(reader, CODE_EQUAL, rest, launch_integer(reader, 0)),
                    text, n);
}

// ---- names

static bool is_scalar(const struct code_parameter *parameter)
{
    return !parameter->array && parameter->type.kind == CODE_INT;
}

static bool begins(const char *name, const char *word, size_t n)
{
    return strncmp(name, word, n) == 0;
}

// A compile-time value with this name, or the common value of those that begin with it.
static bool find_named(const struct code_program *program, const char *word, size_t n, int64_t *out)
{
    bool found = false;
    for (uint32_t i = 0; i < program->named.len; i++) {
        const struct code_named *named = &program->named.at[i];
        const char *name = code_name(program, named->name);
        if (!begins(name, word, n))
            continue;
        if (name[n] == '\0') {
            *out = named->value;
            return true;
        }
        // B is no beginning of BLOCK.
        if (isalpha((unsigned char)name[n]))
            continue;
        if (found && *out != named->value)
            return false;
        found = true;
        *out = named->value;
    }
    return found;
}

static uint32_t find_scalar(const struct code_program *program, const char *word, size_t n)
{
    for (uint32_t i = 0; i < program->parameter.len; i++) {
        const struct code_parameter *parameter = &program->parameter.at[i];
        const char *name = code_name(program, parameter->name);
        const char *source = code_name(program, parameter->source);
        if (is_scalar(parameter) && ((begins(name, word, n) && name[n] == '\0') ||
                                     (begins(source, word, n) && source[n] == '\0')))
            return i;
    }
    return NO_CODE;
}

static code_value add_size(struct launch_reader *reader, const char *word, size_t n)
{
    struct code_program *program = reader->program;
    struct code_parameter parameter = {
        .type = code_scalar(CODE_INT, 64), .role = ROLE_LAUNCH, .place = launch_here(reader)};
    parameter.name = parameter.source = intern_bytes(&program->names, word, n);
    code_value value = code_parameter_value(program, code_add_parameter(program, &parameter));
    struct buf text = {0};
    buf_printf(&text, "%.*s >= 1", (int)n, word);
    code_value condition = launch_binary(reader, CODE_LESS_EQUAL, launch_integer(reader, 1), value);
    launch_add_fact(reader, condition, buf_text(&text), text.len);
    buf_release(&text);
    return value;
}

// prefix*: the greatest of all scalars whose names begin with the prefix.
static bool read_all(struct launch_reader *reader, const char *word, size_t n, code_value *out)
{
    struct code_program *program = reader->program;
    *out = NO_CODE;
    uint32_t count = program->parameter.len;
    for (uint32_t i = 0; i < count; i++) {
        const struct code_parameter *parameter = &program->parameter.at[i];
        if (!is_scalar(parameter) || !begins(code_name(program, parameter->name), word, n))
            continue;
        code_value value = launch_scalar(reader, i);
        *out = *out == NO_CODE ? value : launch_binary(reader, CODE_MAXIMUM, *out, value);
    }
    return *out != NO_CODE || launch_fail(reader, "the beginning of the names of scalars");
}

static bool read_name(struct launch_reader *reader, code_value *out)
{
    const char *word = reader->at;
    int64_t number = 0;
    while (reader->at < reader->end &&
           (is_letter(*reader->at) || is_digit(*reader->at) || *reader->at == '.'))
        reader->at++;
    size_t n = (size_t)(reader->at - word);
    if (reader->at + 1 < reader->end && reader->at[0] == '*' &&
        (reader->at[1] == ')' || reader->at[1] == ',')) {
        reader->at++;
        return read_all(reader, word, n, out);
    }
    uint32_t parameter = find_scalar(reader->program, word, n);
    if (parameter != NO_CODE)
        *out = launch_scalar(reader, parameter);
    else if (find_named(reader->program, word, n, &number))
        *out = launch_integer(reader, number);
    else if (reader->may_add)
        *out = add_size(reader, word, n);
    else {
        reader->at = word;
        return launch_fail(reader, "the name of a scalar of the program");
    }
    return true;
}

// ---- expressions

// FROM SAYS B, with FROM the text before `end`.
static void add_stated(struct launch_reader *reader, code_value condition, const char *from,
                       const char *end, const char *says)
{
    struct buf text = {0};
    while (end > from && is_blank(end[-1]))
        end--;
    buf_printf(&text, "%.*s %s", (int)(end - from), from, says);
    launch_add_fact(reader, condition, buf_text(&text), text.len);
    buf_release(&text);
}

static bool is_negated(const struct launch_reader *reader, code_value a, code_value *of)
{
    const struct code_node *node = code_node(reader->program, a);
    if (node->op != CODE_SUBTRACT)
        return false;
    const code_value *operands = code_operands(reader->program, a);
    const struct code_node *left = code_node(reader->program, operands[0]);
    *of = operands[1];
    return left->op == CODE_CONSTANT && left->number == 0;
}

static code_value rounded_up(struct launch_reader *reader, code_value a, code_value b)
{
    code_value sum = launch_binary(reader, CODE_ADD, a, b);
    sum = launch_binary(reader, CODE_SUBTRACT, sum, launch_integer(reader, 1));
    return launch_binary(reader, CODE_DIVIDE, sum, b);
}

// a // b rounds down, CODE_DIVIDE towards zero.  -a // b is -cdiv(a, b); of other differences it
// is a fact that they are not negative.
static code_value rounded_down(struct launch_reader *reader, code_value a, code_value b,
                               const char *from, const char *end)
{
    code_value of;
    if (is_negated(reader, a, &of))
        return launch_binary(reader, CODE_SUBTRACT, launch_integer(reader, 0),
                             rounded_up(reader, of, b));
    if (code_node(reader->program, a)->op == CODE_SUBTRACT)
        add_stated(reader, launch_binary(reader, CODE_LESS_EQUAL, launch_integer(reader, 0), a),
                   from, end, ">= 0");
    return launch_binary(reader, CODE_DIVIDE, a, b);
}

static bool read_list(struct launch_reader *reader, enum code_op op, code_value *out)
{
    code_value next;
    if (!launch_expression(reader, out))
        return false;
    while (launch_accept(reader, ",")) {
        if (!launch_expression(reader, &next))
            return false;
        *out = launch_binary(reader, op, *out, next);
    }
    return launch_accept(reader, ")") || launch_fail(reader, "')'");
}

static bool read_cdiv(struct launch_reader *reader, code_value *out)
{
    code_value a, b;
    if (!launch_expression(reader, &a) ||
        !(launch_accept(reader, ",") || launch_fail(reader, "','")) ||
        !launch_expression(reader, &b) ||
        !(launch_accept(reader, ")") || launch_fail(reader, "')'")))
        return false;
    *out = rounded_up(reader, a, b);
    return true;
}

static bool read_digits(struct launch_reader *reader, code_value *out)
{
    int64_t number = 0;
    for (; reader->at < reader->end && is_digit(*reader->at); reader->at++) {
        if (number > INT64_MAX / 100)
            return launch_fail(reader, "a number below 2^56");
        number = number * 10 + (*reader->at - '0');
    }
    *out = launch_integer(reader, number);
    return true;
}

static bool read_primary(struct launch_reader *reader, code_value *out)
{
    launch_skip(reader);
    if (launch_accept(reader, "("))
        return launch_expression(reader, out) &&
               (launch_accept(reader, ")") || launch_fail(reader, "')'"));
    if (launch_accept(reader, "-")) {
        if (!read_primary(reader, out))
            return false;
        *out = launch_binary(reader, CODE_SUBTRACT, launch_integer(reader, 0), *out);
        return true;
    }
    if (launch_accept(reader, "cdiv("))
        return read_cdiv(reader, out);
    if (launch_accept(reader, "min("))
        return read_list(reader, CODE_MINIMUM, out);
    if (launch_accept(reader, "max("))
        return read_list(reader, CODE_MAXIMUM, out);
    if (reader->at < reader->end && is_digit(*reader->at))
        return read_digits(reader, out);
    if (reader->at < reader->end && is_letter(*reader->at))
        return read_name(reader, out);
    return launch_fail(reader, "a number or a name");
}

static bool read_product(struct launch_reader *reader, code_value *out)
{
    launch_skip(reader);
    const char *from = reader->at;
    if (!read_primary(reader, out))
        return false;
    for (;;) {
        bool down = false, exact = false;
        enum code_op op = CODE_DIVIDE;
        code_value next;
        const char *end = reader->at;
        if (launch_accept(reader, "*"))
            op = CODE_MULTIPLY;
        else if (launch_accept(reader, "//"))
            down = true;
        else if (launch_accept(reader, "/"))
            exact = true;
        else if (launch_accept(reader, "%"))
            op = CODE_REMAINDER;
        else
            return true;
        launch_skip(reader);
        const char *divisor = reader->at;
        if (!read_primary(reader, &next))
            return false;
        if (exact) {
            struct buf says = {0};
            buf_printf(&says, "a multiple of %.*s", (int)(reader->at - divisor), divisor);
            code_value rest = launch_binary(reader, CODE_REMAINDER, *out, next);
            add_stated(reader, launch_binary(reader, CODE_EQUAL, rest, launch_integer(reader, 0)),
                       from, end, buf_text(&says));
            buf_release(&says);
        }
        *out = down ? rounded_down(reader, *out, next, from, end)
                    : launch_binary(reader, op, *out, next);
    }
}

bool launch_expression(struct launch_reader *reader, code_value *out)
{
    if (++reader->depth > LAUNCH_DEPTH)
        return launch_fail(reader, "fewer parentheses");
    bool ok = read_product(reader, out);
    while (ok) {
        code_value next;
        bool plus = launch_accept(reader, "+");
        if (!plus && !launch_accept(reader, "-"))
            break;
        ok = read_product(reader, &next);
        if (ok)
            *out = launch_binary(reader, plus ? CODE_ADD : CODE_SUBTRACT, *out, next);
    }
    reader->depth--;
    return ok;
}
