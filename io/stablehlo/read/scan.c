// SPDX-License-Identifier: Apache-2.0
// Any operation of any dialect: its end, the values that it uses and defines,
// and its effect.
#include "io/stablehlo/read/scan.h"

// "(%a: T, ...)" behind a block's label.
static bool block_args(struct opaque_scan *opaque_scan, uint32_t *next,
                       struct scanned_op *scanned_op)
{
    uint32_t close = opaque_scan->mlir->tok.at[*next].match;
    template_put(opaque_scan, (*next)++);
    while (*next < close) {
        uint32_t at = *next, number = opaque_scan->n_locals++;
        if (mlir_kind(opaque_scan->mlir, at) != T_VALUE)
            return mlir_expected(opaque_scan->mlir, at, "an argument such as %arg0");
        template_define(opaque_scan, at, number);
        ++*next;
        if (!template_bind_local(opaque_scan, at, 1, number) ||
            !template_put_kind(opaque_scan, next, ':', "':'"))
            return false;
        uint32_t end = *next;
        if (!mlir_skip_type(opaque_scan->mlir, &end) ||
            !template_copy(opaque_scan, next, end, scanned_op))
            return false;
        if (*next < close && !template_put_kind(opaque_scan, next, ',', "',' or ')'"))
            return false;
    }
    template_put(opaque_scan, (*next)++);
    return true;
}

// Dialects whose regions hold nothing but statements on values and one that returns.
static bool has_programs(const char *name)
{
    return strncmp(name, "stablehlo.", 10) == 0 || strncmp(name, "chlo.", 5) == 0 ||
           strncmp(name, "mhlo.", 5) == 0 || strncmp(name, "sdy.", 4) == 0;
}

static bool scan_region(struct opaque_scan *opaque_scan, uint32_t *next,
                        struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    uint32_t close = mlir->tok.at[*next].match;
    // A later region with arguments of its own does not see those in front.
    if (opaque_scan->out != NULL && opaque_scan->pend.len == scanned_op->pend_base &&
        !scanned_op->generic && mlir_kind(mlir, *next + 1) == T_BLOCK &&
        mlir_kind(mlir, *next + 2) == '(')
        stablehlo_unbind(opaque_scan->reader, scanned_op->mark);
    if (opaque_scan->form == REGION_OPEN)
        opaque_scan->form = has_programs(scanned_op->name) && block_is_program(mlir, *next)
                                ? REGION_PROGRAM
                                : REGION_TEXT;
    if (opaque_scan->form == REGION_PROGRAM)
        return block_read(opaque_scan, next, scanned_op);
    for (uint32_t k = scanned_op->pend_base; k < opaque_scan->pend.len; k++)
        if (!template_bind_local(opaque_scan, opaque_scan->pend.at[k].at, 1,
                                 opaque_scan->pend.at[k].number))
            return false;
    opaque_scan->pend.len = scanned_op->pend_base;
    uint32_t mark = stablehlo_mark(opaque_scan->reader), operands = scanned_op->n_operands;
    template_put(opaque_scan, (*next)++);
    opaque_scan->indent++;
    while (*next < close) {
        bool label = mlir_kind(mlir, *next) == T_BLOCK;
        opaque_scan->indent -= label;
        template_newline(opaque_scan);
        opaque_scan->indent += label;
        if (label) {
            template_put(opaque_scan, (*next)++);
            if ((mlir_kind(mlir, *next) == '(' && !block_args(opaque_scan, next, scanned_op)) ||
                !template_put_kind(opaque_scan, next, ':', "':'"))
                return false;
            continue;
        }
        if (!scan_statement(opaque_scan, next))
            return false;
    }
    if (opaque_scan->out != NULL)
        stablehlo_unbind(opaque_scan->reader, mark);
    scanned_op->n_operands = operands;
    opaque_scan->indent--;
    template_newline(opaque_scan);
    template_put(opaque_scan, (*next)++);
    return true;
}

static bool scan_generic(struct opaque_scan *opaque_scan, uint32_t *at,
                         struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    template_put(opaque_scan, (*at)++);
    if (!template_put_kind(opaque_scan, at, '(', "'('"))
        return false;
    while (mlir_kind(mlir, *at) == T_VALUE) {
        if (!template_use(opaque_scan, at, scanned_op))
            return false;
        if (mlir_kind(mlir, *at) != ',')
            break;
        template_put(opaque_scan, (*at)++);
        if (mlir_kind(mlir, *at) != T_VALUE)
            return mlir_expected(mlir, *at, "a value such as %0");
    }
    if (!template_put_kind(opaque_scan, at, ')', "a value or ')'"))
        return false;
    if (mlir_kind(mlir, *at) == '[' && !template_copy_bracket(opaque_scan, at, scanned_op))
        return false;
    if (mlir_kind(mlir, *at) == '<') {
        if (mlir_kind(mlir, *at + 1) != '{')
            return mlir_expected(mlir, *at + 1, "'{'");
        scanned_op->dict[scanned_op->n_dicts++] = *at + 1;
        if (!template_copy_bracket(opaque_scan, at, scanned_op))
            return false;
    }
    if (mlir_kind(mlir, *at) == '(') {
        do {
            template_put(opaque_scan, (*at)++);
            if (mlir_kind(mlir, *at) != '{')
                return mlir_expected(mlir, *at, "a region");
            if (!scan_region(opaque_scan, at, scanned_op))
                return false;
        } while (mlir_kind(mlir, *at) == ',');
        if (!template_put_kind(opaque_scan, at, ')', "',' or ')'"))
            return false;
    }
    if (mlir_kind(mlir, *at) == '{' && !template_copy_dict(opaque_scan, at, scanned_op))
        return false;
    if (!template_put_kind(opaque_scan, at, ':', "':'"))
        return false;
    if (mlir_kind(mlir, *at) != '(')
        return mlir_expected(mlir, *at, "'(' and the operand types");
    scanned_op->types = scanned_op->types_end = *at;
    return mlir_skip_type(mlir, &scanned_op->types_end) &&
           template_copy(opaque_scan, at, scanned_op->types_end, scanned_op);
}

static bool ends_with(const struct mlir *mlir, uint32_t from, const char *word)
{
    const struct mlir_token *token = &mlir->tok.at[from];
    size_t n = strlen(word);
    return token->len >= n && memcmp(mlir->text + token->at + token->len - n, word, n) == 0;
}

// True if the '{' opens a region, not a dictionary.
static bool opens_region(const struct mlir *mlir, uint32_t at)
{
    if (mlir_word(mlir, at - 1, "cond") || mlir_word(mlir, at - 1, "do"))
        return true;
    uint16_t k = mlir_kind(mlir, at + 1), l = mlir_kind(mlir, at + 2);
    if (k == T_VALUE || k == T_BLOCK)
        return true;
    if (k == T_STRING)
        return l == '(';
    if (k != T_BARE)
        return false;
    if (l == '}')
        return ends_with(mlir, at + 1, "return") || ends_with(mlir, at + 1, "yield");
    return l != '=' && l != ',';
}

// True if a statement starts at the first token of a line.
static bool starts_statement(const struct mlir *mlir, uint32_t from)
{
    if (!(mlir->tok.at[from].flags & TOKEN_LINE) || mlir_kind(mlir, from - 1) == ',')
        return false;
    const struct mlir_token *token = &mlir->tok.at[from];
    switch (token->kind) {
    case T_VALUE:
        return stablehlo_starts_results(mlir, from);
    case T_STRING:
        return mlir_kind(mlir, from + 1) == '(';
    case T_BLOCK:
    case T_RES_OPEN:
        return true;
    case T_ATTR:
    case T_TYPE:
        return mlir_kind(mlir, from + 1) == '=';
    case T_BARE:
        return memchr(mlir->text + token->at, '.', token->len) != NULL ||
               mlir_text_is(mlir, from, "return") || mlir_text_is(mlir, from, "call") ||
               mlir_text_is(mlir, from, "module");
    default:
        return false;
    }
}

// True if the operation goes on at i, behind its types.
static bool goes_on(const struct mlir *mlir, uint32_t from, struct scanned_op *scanned_op)
{
    static const char *const words[] = {"reducer", "cond", "do", "attributes", "else"};
    uint16_t k = mlir_kind(mlir, from);
    for (size_t w = 0; k == T_BARE && w < sizeof words / sizeof *words; w++)
        if (mlir_text_is(mlir, from, words[w]))
            return scanned_op->tail = true;
    if (scanned_op->tail && (k == '(' || k == '{'))
        return true;
    if (strncmp(scanned_op->name, "stablehlo.", 10) == 0 ||
        strncmp(scanned_op->name, "chlo.", 5) == 0 || strncmp(scanned_op->name, "func.", 5) == 0)
        return false;
    if (mlir->tok.at[from].flags & TOKEN_LINE)
        return false;
    if (k == T_BARE)
        return memchr(mlir->text + mlir->tok.at[from].at, '.', mlir->tok.at[from].len) == NULL &&
               !mlir_text_is(mlir, from, "return") && !mlir_text_is(mlir, from, "call");
    return k == '{' || k == ',' || k == '(' || k == '[' || k == '=';
}

// The type of "%it = %k" or "%l: T", from the '=' or ':' on.
static bool argument_type(struct opaque_scan *opaque_scan, uint32_t at, type_id *out)
{
    term_id value;
    if (opaque_scan->form == REGION_TEXT)
        return true;
    uint16_t sign = mlir_kind(opaque_scan->mlir, at++);
    if (sign == ':')
        return mlir_type(opaque_scan->mlir, &at, out);
    if (sign != '=' || mlir_kind(opaque_scan->mlir, at) != T_VALUE)
        return true;
    if (!stablehlo_operand(opaque_scan->reader, &at, &value))
        return false;
    *out = term_type(&opaque_scan->reader->program->terms, value);
    return true;
}

static bool is_bound(struct opaque_scan *opaque_scan, uint32_t at)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    uint32_t name = mlir_name(opaque_scan->mlir, at);
    return name < reader->bind_of.len && reader->bind_of.at[name] != 0;
}

// The argument of a region that comes later, named by the token.
static bool announce(struct opaque_scan *opaque_scan, uint32_t *at)
{
    if (opaque_scan->out != NULL) {
        struct region_argument region_argument = {*at, opaque_scan->n_locals++, NO_TYPE};
        if (!argument_type(opaque_scan, *at + 1, &region_argument.type))
            return false;
        template_define(opaque_scan, *at, region_argument.number);
        vec_push(&opaque_scan->pend, region_argument);
    }
    ++*at;
    return true;
}

// True if the operation defines the new name at i outside "(%x: T)": loops are
// written "for %i = 0 to 9" and "parallel (%i, %j) = (0, 0) to (9, 9)".
static bool is_loop_variable(struct opaque_scan *opaque_scan, uint32_t from, uint32_t close)
{
    const struct mlir *mlir = opaque_scan->mlir;
    uint32_t behind = close == 0 ? from + 1 : close + 1;
    return (mlir_kind(mlir, behind) == '=' || (close != 0 && mlir_word(mlir, behind, "in"))) &&
           (opaque_scan->out == NULL || !is_bound(opaque_scan, from));
}

// "(...)": uses, or arguments of a region: "%l: T", "%it = %k".
static bool scan_parens(struct opaque_scan *opaque_scan, uint32_t *i, struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    uint32_t close = mlir->tok.at[*i].match;
    if (opaque_scan->out == NULL) {
        *i = close + 1;
        return true;
    }
    template_put(opaque_scan, (*i)++);
    while (*i < close) {
        uint16_t next = mlir_kind(mlir, *i + 1);
        if (mlir_kind(mlir, *i) == T_VALUE && (next == ':' || next == '=')) {
            if (!is_bound(opaque_scan, *i)) {
                if (!announce(opaque_scan, i))
                    return false;
                continue;
            }
            if (next == '=')
                return mlir_fail(mlir, *i, "value is defined already");
        } else if (mlir_kind(mlir, *i) == T_VALUE && is_loop_variable(opaque_scan, *i, close)) {
            if (!announce(opaque_scan, i))
                return false;
            continue;
        }
        if (!template_copy(opaque_scan, i, *i + 1, scanned_op))
            return false;
    }
    template_put(opaque_scan, (*i)++);
    return true;
}

// "-> T" or "-> (T, U)" at *at.
static bool skip_results(struct mlir *mlir, uint32_t *at)
{
    ++*at;
    if (mlir_kind(mlir, *at) != '(')
        return mlir_skip_type(mlir, at);
    *at = mlir->tok.at[*at].match + 1;
    return true;
}

static bool scan_types(struct opaque_scan *opaque_scan, uint32_t *next,
                       struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    uint32_t end = *next;
    scanned_op->types = *next;
    do {
        if (end != *next)
            end++;
        if (!mlir_skip_type(mlir, &end))
            return false;
    } while (mlir_kind(mlir, end) == ',' && mlir_is_type(mlir, end + 1));
    if (mlir_word(mlir, end, "to") || mlir_word(mlir, end, "into")) {
        end++;
        if (!mlir_skip_type(mlir, &end))
            return false;
        scanned_op->converts = true;
    }
    if (mlir_kind(mlir, end) == T_ARROW) {
        scanned_op->arrow = end;
        if (!skip_results(mlir, &end))
            return false;
    }
    scanned_op->types_end = end;
    return template_copy(opaque_scan, next, end, scanned_op);
}

// "-> T" or "-> (T, U)" without operand types, in front of a region.
static bool scan_results(struct opaque_scan *opaque_scan, uint32_t *next,
                         struct scanned_op *scanned_op)
{
    uint32_t end = *next;
    scanned_op->types = scanned_op->arrow = *next;
    scanned_op->tail = true;
    if (!skip_results(opaque_scan->mlir, &end))
        return false;
    scanned_op->types_end = end;
    return template_copy(opaque_scan, next, end, scanned_op);
}

// The name.  A call is one operation however it is spelled: `call` is short for `func.call`.
static void put_name(struct opaque_scan *opaque_scan, uint32_t at)
{
    bool outermost = opaque_scan->out != NULL && opaque_scan->out->len == 0;
    if (outermost && mlir_text_is(opaque_scan->mlir, at, "func.call")) {
        buf_puts(opaque_scan->out, "call");
        opaque_scan->bol = false;
    } else {
        template_put(opaque_scan, at);
    }
}

static bool scan_pretty(struct opaque_scan *opaque_scan, uint32_t *at,
                        struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    put_name(opaque_scan, (*at)++);
    for (;;) {
        uint16_t k = mlir_kind(mlir, *at);
        bool ok = true;
        if (k == '}' || k == ')' || k == ']' || k == '>' || k == T_EOF || k == T_RES_OPEN ||
            k == T_RES_CLOSE)
            return true;
        if (scanned_op->types ? !goes_on(mlir, *at, scanned_op) : starts_statement(mlir, *at))
            return true;
        if (k == T_VALUE && is_loop_variable(opaque_scan, *at, 0))
            ok = announce(opaque_scan, at);
        else if (k == T_VALUE)
            ok = template_use(opaque_scan, at, scanned_op);
        else if (k == T_ARROW && scanned_op->types == 0 && mlir_is_type(mlir, *at + 1))
            ok = scan_results(opaque_scan, at, scanned_op);
        else if (k == '(')
            ok = scan_parens(opaque_scan, at, scanned_op);
        else if (k == '{' && opens_region(mlir, *at))
            ok = scan_region(opaque_scan, at, scanned_op);
        else if (k == '{')
            ok = template_copy_dict(opaque_scan, at, scanned_op);
        else if (k == '[' || k == '<')
            ok = template_copy_bracket(opaque_scan, at, scanned_op);
        else
            template_put(opaque_scan, (*at)++);
        if (ok && k == ':' && scanned_op->types == 0 && mlir_is_type(mlir, *at))
            ok = scan_types(opaque_scan, at, scanned_op);
        if (!ok)
            return false;
    }
}

// The value of `key` in the operation's own dictionaries; 0 = there is none.
static bool find_key(struct opaque_scan *opaque_scan, const struct scanned_op *scanned_op,
                     const char *key, uint32_t *value)
{
    *value = 0;
    for (uint32_t d = 0; d < scanned_op->n_dicts; d++) {
        struct mlir_entry entry;
        uint32_t i = scanned_op->dict[d] + 1;
        bool ok;
        while (mlir_next_entry(opaque_scan->mlir, &i, &entry, &ok))
            if (mlir_key_is(opaque_scan->mlir, &entry, key))
                *value = entry.value;
        if (!ok)
            return false;
    }
    return true;
}

static bool note_call(struct opaque_scan *opaque_scan, const struct scanned_op *scanned_op)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    uint32_t at = scanned_op->at + 1;
    if (scanned_op->generic || mlir_kind(opaque_scan->mlir, at) != T_SYMBOL) {
        const char *key = strcmp(scanned_op->name, "func.call") == 0 ? "callee" : "decomposition";
        if (!find_key(opaque_scan, scanned_op, key, &at))
            return false;
    }
    if (at == 0 || mlir_kind(opaque_scan->mlir, at) != T_SYMBOL) {
        opaque_scan->effect = true;
        return true;
    }
    uint32_t name = stablehlo_symbol(reader, at);
    if (name == UINT32_MAX)
        return false;
    // A function of a nested module, or of an operation that holds functions.
    if (name >= reader->callable_of.len || reader->callable_of.at[name] == 0) {
        if (!reader->hidden && mlir_kind(opaque_scan->mlir, at + 1) != T_COLONS)
            return mlir_expected(opaque_scan->mlir, at, "the name of a function of this file");
        opaque_scan->effect = true;
        return true;
    }
    uint32_t callee = reader->callable_of.at[name] - 1;
    if (opaque_scan->self == NOBODY) {
        opaque_scan->effect |= !reader->callable.at[callee].pure;
        opaque_scan->callee = callee;
    } else {
        struct call_edge edge = {opaque_scan->self, reader->callable.at[callee].callers};
        vec_push(&reader->edge, edge);
        reader->callable.at[callee].callers = reader->edge.len;
        reader->callable.at[opaque_scan->self].pending++;
    }
    return true;
}

// Does the token stand where the name of an attribute may stand?  Braces of other dialects need be
// no dictionaries: match ops{["func.func"]}.
static bool is_key(const struct mlir *mlir, uint32_t i)
{
    uint16_t kind = mlir_kind(mlir, i), before = mlir_kind(mlir, i - 1),
             behind = mlir_kind(mlir, i + 1);
    return (kind == T_BARE || kind == T_STRING) && (before == '{' || before == ',') &&
           (behind == '=' || behind == ',' || behind == '}');
}

// A pinned operation has an effect: it is the same as no other, and stays where it stands.
static void note_pinned(struct opaque_scan *opaque_scan, struct scanned_op *scanned_op)
{
    const struct mlir *mlir = opaque_scan->mlir;
    for (uint32_t d = 0; d < scanned_op->n_dicts; d++) {
        uint32_t open = scanned_op->dict[d], close = mlir->tok.at[open].match;
        for (uint32_t i = open + 1; i < close; i++) {
            uint32_t inner = mlir->tok.at[i].match;
            if (is_key(mlir, i))
                scanned_op->pinned |=
                    stablehlo_pins(opaque_scan->reader, &(struct mlir_entry){.key = i});
            else if (inner > i && inner < close)
                i = inner;
        }
    }
    opaque_scan->effect |= scanned_op->pinned;
}

static bool note_effect(struct opaque_scan *opaque_scan, const struct scanned_op *scanned_op)
{
    uint32_t value;
    switch (op_effect(scanned_op->name)) {
    case EFFECT_NONE:
        return true;
    case EFFECT_CALL:
        return note_call(opaque_scan, scanned_op);
    case EFFECT_CUSTOM:
        // Only an explicit "no side effect" counts.
        if (!find_key(opaque_scan, scanned_op, "has_side_effect", &value))
            return false;
        opaque_scan->effect |= value == 0 || !mlir_word(opaque_scan->mlir, value, "false");
        return true;
    case EFFECT_SOME:
        break;
    }
    opaque_scan->effect = true;
    return true;
}

// A word with its dialect, or a word of func that may stand without the
// dialect.
static bool is_pretty_name(const struct mlir *mlir, uint32_t from)
{
    const struct mlir_token *token = &mlir->tok.at[from];
    return token->kind == T_BARE &&
           (memchr(mlir->text + token->at, '.', token->len) != NULL ||
            mlir_text_is(mlir, from, "call") || mlir_text_is(mlir, from, "return") ||
            mlir_text_is(mlir, from, "call_indirect") || mlir_text_is(mlir, from, "constant"));
}

bool opaque_scan_operation(struct opaque_scan *opaque_scan, uint32_t *i,
                           struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    memset(scanned_op, 0, sizeof *scanned_op);
    scanned_op->at = *i;
    scanned_op->pend_base = opaque_scan->pend.len;
    scanned_op->generic = mlir_kind(mlir, *i) == T_STRING;
    if (!scanned_op->generic && !is_pretty_name(mlir, *i))
        return mlir_expected(mlir, *i, "an operation");
    if (!stablehlo_op_name(mlir, *i, scanned_op->name))
        return mlir_fail(mlir, *i, "the name of the operation is too long");
    uint32_t mark = scanned_op->mark = stablehlo_mark(opaque_scan->reader);
    if (!(scanned_op->generic ? scan_generic(opaque_scan, i, scanned_op)
                              : scan_pretty(opaque_scan, i, scanned_op)))
        return false;
    opaque_scan->pend.len = scanned_op->pend_base;
    if (opaque_scan->out != NULL)
        stablehlo_unbind(opaque_scan->reader, mark);
    note_pinned(opaque_scan, scanned_op);
    return note_effect(opaque_scan, scanned_op);
}

// A statement inside a region.
bool scan_statement(struct opaque_scan *opaque_scan, uint32_t *next)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    uint32_t base = reader->names.len, first = opaque_scan->n_locals;
    struct scanned_op scanned_op;
    if (!stablehlo_results(reader, next))
        return false;
    for (uint32_t k = base; k < reader->names.len; k++) {
        uint32_t n = reader->names.at[k].n;
        if (opaque_scan->out != NULL) {
            buf_printf(opaque_scan->out, "%s%%{.%u}", k > base ? ", " : "", opaque_scan->n_locals);
            source_hole(reader, &opaque_scan->holes, reader->names.at[k].at,
                        reader->names.at[k].at + 1,
                        (struct source_place){SOURCE_LOCAL, opaque_scan->n_locals});
            if (n > 1)
                buf_printf(opaque_scan->out, ":%u", n);
        }
        opaque_scan->n_locals++;
    }
    if (opaque_scan->out != NULL && reader->names.len > base)
        buf_puts(opaque_scan->out, " = ");
    opaque_scan->bol = true;
    if (!opaque_scan_operation(opaque_scan, next, &scanned_op))
        return false;
    for (uint32_t k = base; k < reader->names.len; k++)
        if (!template_bind_local(opaque_scan, reader->names.at[k].at, reader->names.at[k].n,
                                 first++))
            return false;
    reader->names.len = base;
    return true;
}

bool stablehlo_walk(struct stablehlo_reader *reader, uint32_t open, uint32_t self)
{
    struct opaque_scan opaque_scan = {.reader = reader, .mlir = &reader->mlir, .self = self};
    struct scanned_op scanned_op = {0};
    bool ok = scan_region(&opaque_scan, &open, &scanned_op);
    reader->callable.at[self].effect |= opaque_scan.effect;
    vec_release(&opaque_scan.pend);
    reader->names.len = 0;
    return ok;
}

bool stablehlo_skip(struct stablehlo_reader *reader, uint32_t *i)
{
    struct opaque_scan opaque_scan = {.reader = reader, .mlir = &reader->mlir, .self = NOBODY};
    struct scanned_op scanned_op;
    bool ok = opaque_scan_operation(&opaque_scan, i, &scanned_op);
    vec_release(&opaque_scan.pend);
    reader->names.len = 0;
    return ok;
}
