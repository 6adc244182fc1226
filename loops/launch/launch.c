// SPDX-License-Identifier: Apache-2.0
#include "loops/launch/launch.h"
#include "loops/launch/expression.h"

static struct launch_reader reader_of(struct code_program *program,
                                      const struct launch_text *launch, struct err *err)
{
    return (struct launch_reader){
        .program = program,
        .text = launch->text,
        .at = launch->text,
        .end = launch->text + launch->len,
        .source = launch->source,
        .place = launch->place,
        .err = err,
    };
}

uint32_t launch_axes(const struct launch_text *launch)
{
    uint32_t depth = 0, axes = 0;
    bool empty = true;
    for (size_t i = 0; i < launch->len; i++) {
        char c = launch->text[i];
        if (i == 0 && c != '(')
            return 0;
        if (c == '(' || c == '[')
            depth++;
        if (c == ')' || c == ']')
            depth--;
        if ((c == ',' && depth == 1) || depth == 0) {
            axes += !empty;
            empty = true;
            if (depth == 0)
                return axes > 3 ? 3 : axes;
        } else if (c != ' ' && i > 0) {
            empty = false;
        }
    }
    return 0;
}

// ---- facts

static bool read_relation(struct launch_reader *reader, enum code_op *op, bool *swap)
{
    static const struct {
        const char *text;
        uint8_t op;
        bool swap;
    } relations[] = {
        {"<=", CODE_LESS_EQUAL, false}, {">=", CODE_LESS_EQUAL, true}, {"==", CODE_EQUAL, false},
        {"!=", CODE_UNEQUAL, false},    {"<", CODE_LESS, false},       {">", CODE_LESS, true},
        {"=", CODE_EQUAL, false},
    };
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (launch_accept(reader, relations[i].text)) {
            *op = (enum code_op)relations[i].op;
            *swap = relations[i].swap;
            return true;
        }
    return false;
}

// a multiple of E [and E], behind the words; the text of a stands at [from, end).
static bool read_multiple(struct launch_reader *reader, code_value a, const char *from,
                          const char *end)
{
    do {
        struct buf text = {0};
        code_value b;
        launch_skip(reader);
        const char *divisor = reader->at;
        while (end > from && end[-1] == ' ')
            end--;
        if (!launch_expression(reader, &b))
            return false;
        buf_printf(&text, "%.*s a multiple of %.*s", (int)(end - from), from,
                   (int)(reader->at - divisor), divisor);
        launch_divides(reader, a, b, buf_text(&text), text.len);
        buf_release(&text);
    } while (launch_accept(reader, "and") || launch_accept(reader, "&&"));
    return true;
}

static bool read_fact(struct launch_reader *reader)
{
    code_value a, b;
    enum code_op op;
    bool swap;
    while (launch_accept(reader, "host guarantees") || launch_accept(reader, "needs") ||
           launch_accept(reader, "with"))
        ;
    launch_skip(reader);
    const char *from = reader->at;
    if (!launch_expression(reader, &a))
        return false;
    const char *end = reader->at;
    if (launch_accept(reader, "a multiple of") || launch_accept(reader, "is a multiple of"))
        return read_multiple(reader, a, from, end);
    uint32_t n = 0;
    for (; read_relation(reader, &op, &swap); n++) {
        launch_skip(reader);
        const char *right = reader->at;
        if (!launch_expression(reader, &b))
            return false;
        code_value condition =
            swap ? launch_binary(reader, op, b, a) : launch_binary(reader, op, a, b);
        launch_add_fact(reader, condition, from, (size_t)(reader->at - from));
        a = b;
        from = right;
    }
    return n > 0 || launch_fail(reader, "a comparison such as <=");
}

// FACT [, FACT].. up to the end
static bool read_facts(struct launch_reader *reader)
{
    do {
        if (!read_fact(reader))
            return false;
    } while (launch_accept(reader, ",") || launch_accept(reader, "and") ||
             launch_accept(reader, "&&"));
    launch_skip(reader);
    return reader->at == reader->end || launch_fail(reader, "the end of the fact");
}

// ---- the grid

static void set_axis(struct launch_reader *reader, uint32_t axis, code_value size, const char *from,
                     const char *end)
{
    static const char *const names[] = {"grid.x", "grid.y", "grid.z"};
    const struct code_node *grid = code_node(reader->program, reader->program->grid[axis]);
    uint32_t parameter = (uint32_t)grid->number;
    struct buf text = {0};
    while (from < end && *from == ' ')
        from++;
    buf_printf(&text, "%s == %.*s", names[axis], (int)(end - from), from);
    code_value condition =
        launch_binary(reader, CODE_EQUAL, launch_scalar(reader, parameter), size);
    launch_add_fact(reader, condition, buf_text(&text), text.len);
    buf_release(&text);
}

// any G >= 1
static bool read_any(struct launch_reader *reader, uint32_t axis)
{
    const char *from = reader->at;
    code_value size;
    launch_skip(reader);
    if (reader->at < reader->end && *reader->at != ',' && *reader->at != ')') {
        if (!launch_expression(reader, &size))
            return false;
        set_axis(reader, axis, size, from, reader->at);
        while (reader->at < reader->end && *reader->at != ',' && *reader->at != ')')
            reader->at++;
    }
    return true;
}

static bool read_axes(struct launch_reader *reader)
{
    if (!launch_accept(reader, "("))
        return launch_fail(reader, "'('");
    for (uint32_t axis = 0; !launch_accept(reader, ")"); axis++) {
        const char *from = reader->at;
        code_value size;
        if (axis == 3 || (axis > 0 && reader->program->grid[axis] == NO_CODE))
            return launch_fail(reader, "')': the program has no further axis");
        if (launch_accept(reader, "any")) {
            if (!read_any(reader, axis))
                return false;
        } else {
            if (!launch_expression(reader, &size))
                return false;
            set_axis(reader, axis, size, from, reader->at);
        }
        if (!launch_accept(reader, ",")) {
            if (!launch_accept(reader, ")"))
                return launch_fail(reader, "',' or ')'");
            break;
        }
    }
    return true;
}

// Axes that the launch does not name have one program.
static void set_others(struct launch_reader *reader, uint32_t axes)
{
    static const char one[] = "1";
    for (uint32_t axis = axes; axis < 3; axis++)
        if (reader->program->grid[axis] != NO_CODE)
            set_axis(reader, axis, launch_integer(reader, 1), one, one + 1);
}

static void add_note(struct launch_reader *reader, const char *text, size_t n)
{
    while (n > 0 && *text == ' ')
        text++, n--;
    struct code_note note = {intern_bytes(&reader->program->names, text, n), reader->place};
    vec_push(&reader->program->note, note);
}

// Parts between semicolons; the first is the grid.
void launch_header(struct code_program *program, const struct launch_text *launch)
{
    uint32_t axes = launch_axes(launch);
    size_t from = 0;
    while (from < launch->len) {
        size_t end = from;
        while (end < launch->len && launch->text[end] != ';')
            end++;
        struct err err = {0};
        struct launch_text part = {launch->text + from, end - from, launch->source, launch->place};
        struct launch_reader reader = reader_of(program, &part, &err);
        uint32_t facts = program->fact.len;
        bool ok;
        if (from == 0 && axes > 0) {
            reader.may_add = true;
            ok = read_axes(&reader);
            launch_skip(&reader);
            if (ok && reader.at < reader.end)
                add_note(&reader, reader.at, (size_t)(reader.end - reader.at));
            if (ok)
                set_others(&reader, axes);
        } else {
            ok = read_facts(&reader);
        }
        if (!ok) {
            program->fact.len = facts;
            add_note(&reader, part.text, part.len);
        }
        from = end + 1;
    }
}

// ---- the command line

// Does the value depend on a size of the grid?
static bool mentions_grid(const struct code_program *program, code_value value)
{
    const struct code_node *node = code_node(program, value);
    if (node->op == CODE_PARAMETER)
        return program->parameter.at[node->number].role == ROLE_GRID;
    for (uint32_t i = 0; i < node->n; i++)
        if (mentions_grid(program, program->operand.at[node->at + i]))
            return true;
    return false;
}

bool launch_grid(struct code_program *program, const char *text, struct err *err)
{
    struct launch_text launch = {text, strlen(text), FACT_USER, {1, 1}};
    struct launch_reader reader = reader_of(program, &launch, err);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < program->fact.len; i++)
        if (program->fact.at[i].source != FACT_HEADER ||
            !mentions_grid(program, program->fact.at[i].condition))
            program->fact.at[kept++] = program->fact.at[i];
    program->fact.len = kept;
    if (strcmp(text, "any") == 0)
        return true;
    reader.may_add = true;
    if (!read_axes(&reader))
        return false;
    launch_skip(&reader);
    if (reader.at < reader.end)
        return launch_fail(&reader, "the end of the grid");
    set_others(&reader, launch_axes(&launch));
    return true;
}

bool launch_assume(struct code_program *program, const char *text, struct err *err)
{
    struct launch_text launch = {text, strlen(text), FACT_USER, {1, 1}};
    struct launch_reader reader = reader_of(program, &launch, err);
    return read_facts(&reader);
}
