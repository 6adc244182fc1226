// SPDX-License-Identifier: Apache-2.0
// An operation that is not in generic form.  Its dialect alone knows where it ends, so that is told
// from what stands there: a statement begins, a bracket closes, or the types are there and nothing
// goes on behind them.
#include "io/stablehlo/read/scan.h"

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

bool scan_pretty(struct opaque_scan *opaque_scan, uint32_t *at, struct scanned_op *scanned_op)
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
