// SPDX-License-Identifier: Apache-2.0
// Any operation, whatever its dialect: where it ends, which values it uses and
// defines, and whether it has an effect.
#include "io/stablehlo/read/scan.h"

static bool scan_statement(struct opaque_scan *s, uint32_t *i);

// "(%a: T, ...)" behind a block's label.
static bool block_args(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    uint32_t close = s->m->tok.at[*i].match;
    template_put(s, (*i)++);
    while (*i < close) {
        uint32_t at = *i, number = s->n_locals++;
        if (mlir_kind(s->m, at) != T_VALUE)
            return mlir_expected(s->m, at, "an argument such as %arg0");
        template_define(s, at, number);
        ++*i;
        if (!template_bind_local(s, at, 1, number) ||
            !template_put_kind(s, i, ':', "':'"))
            return false;
        uint32_t end = *i;
        if (!mlir_skip_type(s->m, &end) || !template_copy(s, i, end, o))
            return false;
        if (*i < close && !template_put_kind(s, i, ',', "',' or ')'"))
            return false;
    }
    template_put(s, (*i)++);
    return true;
}

static bool scan_region(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    struct mlir *m = s->m;
    uint32_t close = m->tok.at[*i].match;
    for (uint32_t k = o->pend_base; k < s->pend.len; k++)
        if (!template_bind_local(s, s->pend.at[k].at, 1, s->pend.at[k].number))
            return false;
    s->pend.len = o->pend_base;
    uint32_t mark = stablehlo_mark(s->r), operands = o->n_operands;
    template_put(s, (*i)++);
    s->indent++;
    while (*i < close) {
        bool label = mlir_kind(m, *i) == T_BLOCK;
        s->indent -= label;
        template_newline(s);
        s->indent += label;
        if (label) {
            template_put(s, (*i)++);
            if ((mlir_kind(m, *i) == '(' && !block_args(s, i, o)) ||
                !template_put_kind(s, i, ':', "':'"))
                return false;
            continue;
        }
        if (!scan_statement(s, i))
            return false;
    }
    if (s->out != NULL)
        stablehlo_unbind(s->r, mark);
    o->n_operands = operands;
    s->indent--;
    template_newline(s);
    template_put(s, (*i)++);
    return true;
}

static bool scan_generic(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    struct mlir *m = s->m;
    template_put(s, (*i)++);
    if (!template_put_kind(s, i, '(', "'('"))
        return false;
    while (mlir_kind(m, *i) == T_VALUE) {
        if (!template_use(s, i, o))
            return false;
        if (mlir_kind(m, *i) != ',')
            break;
        template_put(s, (*i)++);
        if (mlir_kind(m, *i) != T_VALUE)
            return mlir_expected(m, *i, "a value such as %0");
    }
    if (!template_put_kind(s, i, ')', "a value or ')'"))
        return false;
    if (mlir_kind(m, *i) == '[' && !template_copy_bracket(s, i, o))
        return false;
    if (mlir_kind(m, *i) == '<') {
        if (mlir_kind(m, *i + 1) != '{')
            return mlir_expected(m, *i + 1, "'{'");
        o->dict[o->n_dicts++] = *i + 1;
        if (!template_copy_bracket(s, i, o))
            return false;
    }
    if (mlir_kind(m, *i) == '(') {
        do {
            template_put(s, (*i)++);
            if (mlir_kind(m, *i) != '{')
                return mlir_expected(m, *i, "a region");
            if (!scan_region(s, i, o))
                return false;
        } while (mlir_kind(m, *i) == ',');
        if (!template_put_kind(s, i, ')', "',' or ')'"))
            return false;
    }
    if (mlir_kind(m, *i) == '{' && !template_copy_dict(s, i, o))
        return false;
    if (!template_put_kind(s, i, ':', "':'"))
        return false;
    if (mlir_kind(m, *i) != '(')
        return mlir_expected(m, *i, "'(' and the operand types");
    o->types = o->types_end = *i;
    return mlir_skip_type(m, &o->types_end) && template_copy(s, i, o->types_end, o);
}

static bool ends_with(const struct mlir *m, uint32_t i, const char *word)
{
    const struct mlir_token *t = &m->tok.at[i];
    size_t n = strlen(word);
    return t->len >= n && memcmp(m->text + t->at + t->len - n, word, n) == 0;
}

// Whether the '{' opens a region and no dictionary.
static bool opens_region(const struct mlir *m, uint32_t i)
{
    if (mlir_word(m, i - 1, "cond") || mlir_word(m, i - 1, "do"))
        return true;
    uint16_t k = mlir_kind(m, i + 1), l = mlir_kind(m, i + 2);
    if (k == T_VALUE || k == T_BLOCK)
        return true;
    if (k == T_STRING)
        return l == '(';
    if (k != T_BARE)
        return false;
    if (l == '}')
        return ends_with(m, i + 1, "return") || ends_with(m, i + 1, "yield");
    return l != '=' && l != ',';
}

// Whether a statement starts at the first token of a line.
static bool starts_statement(const struct mlir *m, uint32_t i)
{
    if (!(m->tok.at[i].flags & TOKEN_LINE) || mlir_kind(m, i - 1) == ',')
        return false;
    const struct mlir_token *t = &m->tok.at[i];
    switch (t->kind) {
    case T_VALUE:
        return stablehlo_starts_results(m, i);
    case T_STRING:
        return mlir_kind(m, i + 1) == '(';
    case T_BLOCK:
    case T_RES_OPEN:
        return true;
    case T_ATTR:
    case T_TYPE:
        return mlir_kind(m, i + 1) == '=';
    case T_BARE:
        return memchr(m->text + t->at, '.', t->len) != NULL ||
               mlir_text_is(m, i, "return") || mlir_text_is(m, i, "call") ||
               mlir_text_is(m, i, "module");
    default:
        return false;
    }
}

// Whether the operation goes on at i, behind its types.
static bool goes_on(const struct mlir *m, uint32_t i, struct scanned_op *o)
{
    static const char *const words[] = {"reducer", "cond", "do", "attributes"};
    uint16_t k = mlir_kind(m, i);
    for (size_t w = 0; k == T_BARE && w < sizeof words / sizeof *words; w++)
        if (mlir_text_is(m, i, words[w]))
            return o->tail = true;
    if (o->tail && (k == '(' || k == '{'))
        return true;
    if (strncmp(o->name, "stablehlo.", 10) == 0 ||
        strncmp(o->name, "chlo.", 5) == 0 || strncmp(o->name, "func.", 5) == 0)
        return false;
    if (m->tok.at[i].flags & TOKEN_LINE)
        return false;
    if (k == T_BARE)
        return memchr(m->text + m->tok.at[i].at, '.', m->tok.at[i].len) ==
                   NULL &&
               !mlir_text_is(m, i, "return") && !mlir_text_is(m, i, "call");
    return k == '{' || k == ',' || k == '(' || k == '[' || k == '=';
}

// "(...)": uses, or arguments of a region: "%l: T", "%it = %k".
static bool scan_parens(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    struct mlir *m = s->m;
    uint32_t close = m->tok.at[*i].match;
    if (s->out == NULL) {
        *i = close + 1;
        return true;
    }
    template_put(s, (*i)++);
    while (*i < close) {
        uint16_t next = mlir_kind(m, *i + 1);
        if (mlir_kind(m, *i) == T_VALUE && (next == ':' || next == '=')) {
            uint32_t name = mlir_name(m, *i);
            bool bound = name < s->r->bind_of.len && s->r->bind_of.at[name];
            if (!bound) {
                struct region_argument p = {*i, s->n_locals++};
                template_define(s, *i, p.number);
                vec_push(&s->pend, p);
                ++*i;
                continue;
            }
            if (next == '=')
                return mlir_fail(m, *i, "value is defined already");
        }
        if (!template_copy(s, i, *i + 1, o))
            return false;
    }
    template_put(s, (*i)++);
    return true;
}

static bool scan_types(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    struct mlir *m = s->m;
    uint32_t end = *i;
    o->types = *i;
    do {
        if (end != *i)
            end++;
        if (!mlir_skip_type(m, &end))
            return false;
    } while (mlir_kind(m, end) == ',' && mlir_is_type(m, end + 1));
    if (mlir_kind(m, end) == T_ARROW) {
        o->arrow = end++;
        if (mlir_kind(m, end) == '(')
            end = m->tok.at[end].match + 1;
        else if (!mlir_skip_type(m, &end))
            return false;
    }
    o->types_end = end;
    return template_copy(s, i, end, o);
}

static bool scan_pretty(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    struct mlir *m = s->m;
    template_put(s, (*i)++);
    for (;;) {
        uint16_t k = mlir_kind(m, *i);
        bool ok = true;
        if (k == '}' || k == ')' || k == ']' || k == '>' || k == T_EOF ||
            k == T_RES_OPEN || k == T_RES_CLOSE)
            return true;
        if (o->types ? !goes_on(m, *i, o) : starts_statement(m, *i))
            return true;
        if (k == T_VALUE)
            ok = template_use(s, i, o);
        else if (k == '(')
            ok = scan_parens(s, i, o);
        else if (k == '{' && opens_region(m, *i))
            ok = scan_region(s, i, o);
        else if (k == '{')
            ok = template_copy_dict(s, i, o);
        else if (k == '[' || k == '<')
            ok = template_copy_bracket(s, i, o);
        else
            template_put(s, (*i)++);
        if (ok && k == ':' && o->types == 0 && mlir_is_type(m, *i))
            ok = scan_types(s, i, o);
        if (!ok)
            return false;
    }
}

// The value of `key` in the operation's own dictionaries; 0 = not there.
static bool find_key(struct opaque_scan *s, const struct scanned_op *o, const char *key,
                     uint32_t *value)
{
    *value = 0;
    for (uint32_t d = 0; d < o->n_dicts; d++) {
        struct mlir_entry x;
        uint32_t i = o->dict[d] + 1;
        bool ok;
        while (mlir_next_entry(s->m, &i, &x, &ok))
            if (mlir_key_is(s->m, &x, key))
                *value = x.value;
        if (!ok)
            return false;
    }
    return true;
}

static bool note_call(struct opaque_scan *s, const struct scanned_op *o)
{
    struct stablehlo_reader *r = s->r;
    uint32_t at = o->at + 1;
    if (o->generic || mlir_kind(s->m, at) != T_SYMBOL) {
        const char *key =
            strcmp(o->name, "func.call") == 0 ? "callee" : "decomposition";
        if (!find_key(s, o, key, &at))
            return false;
    }
    if (at == 0 || mlir_kind(s->m, at) != T_SYMBOL) {
        s->effect = true;
        return true;
    }
    uint32_t name = stablehlo_symbol(r, at);
    if (name == UINT32_MAX)
        return false;
    if (name >= r->callable_of.len || r->callable_of.at[name] == 0)
        return mlir_expected(s->m, at, "the name of a function of this file");
    uint32_t callee = r->callable_of.at[name] - 1;
    if (s->out != NULL) {
        s->effect |= !r->callable.at[callee].pure;
    } else if (s->self != NOBODY) {
        struct call_edge e = {s->self, r->callable.at[callee].callers};
        vec_push(&r->edge, e);
        r->callable.at[callee].callers = r->edge.len;
        r->callable.at[s->self].pending++;
    }
    return true;
}

static bool note_effect(struct opaque_scan *s, const struct scanned_op *o)
{
    uint32_t value;
    switch (op_effect(o->name)) {
    case EFFECT_NONE:
        return true;
    case EFFECT_CALL:
        return note_call(s, o);
    case EFFECT_CUSTOM:
        // Only an explicit "no side effect" counts.
        if (!find_key(s, o, "has_side_effect", &value))
            return false;
        s->effect |= value == 0 || !mlir_word(s->m, value, "false");
        return true;
    case EFFECT_SOME:
        break;
    }
    s->effect = true;
    return true;
}

// A word with its dialect, or one of func's that may go without.
static bool is_pretty_name(const struct mlir *m, uint32_t i)
{
    const struct mlir_token *t = &m->tok.at[i];
    return t->kind == T_BARE &&
           (memchr(m->text + t->at, '.', t->len) != NULL ||
            mlir_text_is(m, i, "call") || mlir_text_is(m, i, "return") ||
            mlir_text_is(m, i, "call_indirect") ||
            mlir_text_is(m, i, "constant"));
}

bool opaque_scan_operation(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    struct mlir *m = s->m;
    memset(o, 0, sizeof *o);
    o->at = *i;
    o->pend_base = s->pend.len;
    o->generic = mlir_kind(m, *i) == T_STRING;
    if (!o->generic && !is_pretty_name(m, *i))
        return mlir_expected(m, *i, "an operation");
    if (!stablehlo_op_name(m, *i, o->name))
        return mlir_fail(m, *i, "the name of the operation is too long");
    uint32_t mark = stablehlo_mark(s->r);
    if (!(o->generic ? scan_generic(s, i, o) : scan_pretty(s, i, o)))
        return false;
    s->pend.len = o->pend_base;
    if (s->out != NULL)
        stablehlo_unbind(s->r, mark);
    return note_effect(s, o);
}

// A statement inside a region.
static bool scan_statement(struct opaque_scan *s, uint32_t *i)
{
    struct stablehlo_reader *r = s->r;
    uint32_t base = r->names.len, first = s->n_locals;
    struct scanned_op o;
    if (!stablehlo_results(r, i))
        return false;
    for (uint32_t k = base; k < r->names.len; k++) {
        uint32_t n = r->names.at[k].n;
        if (s->out != NULL) {
            buf_printf(s->out, "%s%%{.%u}", k > base ? ", " : "", s->n_locals);
            if (n > 1)
                buf_printf(s->out, ":%u", n);
        }
        s->n_locals++;
    }
    if (s->out != NULL && r->names.len > base)
        buf_puts(s->out, " = ");
    s->bol = true;
    if (!opaque_scan_operation(s, i, &o))
        return false;
    for (uint32_t k = base; k < r->names.len; k++)
        if (!template_bind_local(s, r->names.at[k].at, r->names.at[k].n, first++))
            return false;
    r->names.len = base;
    return true;
}

bool stablehlo_walk(struct stablehlo_reader *r, uint32_t open, uint32_t self)
{
    struct opaque_scan s = {.r = r, .m = &r->m, .self = self};
    struct scanned_op o = {0};
    bool ok = scan_region(&s, &open, &o);
    r->callable.at[self].effect |= s.effect;
    vec_release(&s.pend);
    r->names.len = 0;
    return ok;
}

bool stablehlo_skip(struct stablehlo_reader *r, uint32_t *i)
{
    struct opaque_scan s = {.r = r, .m = &r->m, .self = NOBODY};
    struct scanned_op o;
    bool ok = opaque_scan_operation(&s, i, &o);
    vec_release(&s.pend);
    r->names.len = 0;
    return ok;
}
