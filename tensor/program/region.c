// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/region.h"
#include "tensor/language/attr.h"
#include <stdlib.h>

struct opaque_view opaque_view(const struct terms *terms, term_id id)
{
    attr_id attr = term_at(terms, id)->attr;
    const int64_t *v = attr_at(terms->pool, attr);
    uint32_t n = attr_len(terms->pool, attr);
    struct opaque_view view = {
        .text = {(uint32_t)v[0]}, .n_results = (uint32_t)v[1], .serial = v[2], .region = NO_REGION};
    if (n > OPAQUE_PLAIN) {
        view.region = (uint32_t)v[OPAQUE_PLAIN];
        view.n_blocks = (n - OPAQUE_PLAIN - 1) / OPAQUE_BLOCK;
        view.block = v + OPAQUE_PLAIN + 1;
    }
    return view;
}

bool opaque_is(const struct terms *terms, const struct opaque_view *view, const char *name)
{
    const char *text = sym_text(terms->pool, view->text);
    size_t n = strlen(name);
    text += *text == '"';
    return strncmp(text, name, n) == 0 && (text[n] == '(' || text[n] == '"' || text[n] == ' ');
}

// Behind the type that the text of HLO begins with, such as "f32[4]{0}" or "(f32[4], s32[])"; other
// texts begin with a name.
static const char *behind_type(const char *text)
{
    int depth = 0;
    if (*text != '(' && text[strcspn(text, "[( {")] != '[')
        return text;
    for (; *text != '\0' && (*text != ' ' || depth > 0); text++)
        depth += strchr("([{", *text) != NULL ? 1 : strchr(")]}", *text) != NULL ? -1 : 0;
    return *text == ' ' ? text + 1 : text;
}

const char *opaque_name(const char *text, size_t *n)
{
    const char *name = behind_type(text);
    *n = strcspn(name, "( {");
    return name;
}

// The text behind the attribute's name, which stands outside of strings and of longer names.
static const char *find_key(const char *text, const char *key)
{
    size_t n = strlen(key);
    bool in_string = false, in_word = false;
    for (const char *at = text; *at != 0; at++) {
        if (in_string && *at == '\\' && at[1] != 0) {
            at++;
            continue;
        }
        if (*at == '"')
            in_string = !in_string;
        if (!in_string && !in_word && strncmp(at, key, n) == 0 && strncmp(at + n, " = ", 3) == 0)
            return at + n;
        in_word = strchr("._$", *at) != NULL || (*at >= '0' && *at <= '9') ||
                  (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
    }
    return NULL;
}

bool opaque_integers(const char *text, const char *key, uint32_t max, int64_t *out, uint32_t *n)
{
    const char *at = find_key(text, key);
    *n = 0;
    if (at == NULL)
        return false;
    at += 3;
    bool list = strchr("[ad", *at) != NULL && *at != 0;
    static const char *const openings[] = {"dense<[", "dense<", "array<i64:", "array<i64", "["};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        if (strncmp(at, openings[i], strlen(openings[i])) == 0) {
            at += strlen(openings[i]);
            break;
        }
    for (;;) {
        char *end;
        at += strspn(at, " ,");
        long long v = strtoll(at, &end, 10);
        if (end == at)
            return list && (*at == ']' || *at == '>');
        if (*n == max)
            return false;
        out[(*n)++] = v;
        at = end;
        if (!list)
            return true;
    }
}

int64_t term_serial(const struct terms *terms, term_id id)
{
    return term_op(terms, id) == OP_OPAQUE ? opaque_view(terms, id).serial : 0;
}

struct argument_role argument_role(const struct terms *terms, term_id id, uint32_t k)
{
    if (term_op(terms, id) != OP_OPAQUE)
        return (struct argument_role){ARGUMENT_OPERAND, 0};
    struct opaque_view view = opaque_view(terms, id);
    for (uint32_t b = 0; b < view.n_blocks; b++) {
        struct opaque_block block = opaque_block(&view, b);
        if (k >= block.first && k - block.first < block.n_returns)
            return (struct argument_role){ARGUMENT_RETURN, b};
        if (k >= block.first && k - block.first < block.n_returns + block.n_effects)
            return (struct argument_role){ARGUMENT_EFFECT, b};
    }
    return (struct argument_role){ARGUMENT_OPERAND, 0};
}

uint32_t scope_parent(const struct terms *terms, uint32_t scope)
{
    uint32_t region = scope_region(scope);
    return region == NO_REGION ? SCOPE_CLOSED : terms->region.at[region].parent;
}

bool scope_has(const struct terms *terms, uint32_t scope, uint32_t outer)
{
    while (scope != outer && scope != SCOPE_CLOSED)
        scope = scope_parent(terms, scope);
    return scope == outer;
}

uint32_t scope_join(const struct terms *terms, uint32_t a, uint32_t b)
{
    if (a == SCOPE_NONE || b == SCOPE_NONE)
        return SCOPE_NONE;
    if (scope_has(terms, a, b))
        return a;
    return scope_has(terms, b, a) ? b : SCOPE_NONE;
}

uint32_t scope_outside(const struct terms *terms, term_id id, uint32_t k, uint32_t scope)
{
    if (term_op(terms, id) != OP_OPAQUE || argument_role(terms, id, k).place == ARGUMENT_OPERAND)
        return scope;
    uint32_t own = scope_of_region(opaque_view(terms, id).region);
    return scope == own ? scope_parent(terms, own) : scope;
}

uint32_t scope_inside(const struct terms *terms, term_id id, uint32_t k, uint32_t scope)
{
    if (term_op(terms, id) != OP_OPAQUE || argument_role(terms, id, k).place == ARGUMENT_OPERAND)
        return scope;
    return scope_of_region(opaque_view(terms, id).region);
}

uint32_t scope_of_node(const struct terms *terms, term_id id)
{
    int64_t serial = term_serial(terms, id);
    if (serial != 0)
        return serial < (int64_t)terms->effect.len ? terms->effect.at[serial] : SCOPE_CLOSED;
    if (term_op(terms, id) != OP_PARAMETER)
        return SCOPE_CLOSED;
    int64_t owner = attr_at(terms->pool, term_at(terms, id)->attr)[0];
    return owner >= 0 ? scope_of_function((uint32_t)owner)
                      : scope_of_region((uint32_t)PARAMETER_OF_REGION(owner));
}

void effect_settle(struct terms *terms, int64_t serial, uint32_t scope)
{
    while (terms->effect.len <= serial)
        vec_push(&terms->effect, SCOPE_CLOSED);
    terms->effect.at[serial] = scope;
}

void term_settle(struct terms *terms, term_id id, uint32_t scope)
{
    while (terms->home.len <= id.v)
        vec_push(&terms->home, 0);
    uint32_t *home = &terms->home.at[id.v];
    if (*home == 0 || scope_has(terms, *home - 1, scope))
        *home = scope + 1;
    while (terms->homes.len <= id.v)
        vec_push(&terms->homes, 0);
    uint32_t *list = &terms->homes.at[id.v];
    if (*list != 0 && terms->home_list.at[*list - 1].scope == scope)
        return;
    vec_push(&terms->home_list, ((struct term_home){scope, *list}));
    *list = terms->home_list.len;
}

void scopes_extend(const struct terms *terms, struct u32_vec *scope)
{
    for (uint32_t i = scope->len; i < terms->term.len; i++) {
        term_id id = {i};
        uint32_t need = scope_of_node(terms, id);
        for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++)
            need = scope_join(terms, need,
                              scope_outside(terms, id, k, scope->at[term_args(terms, id)[k].v]));
        vec_push(scope, need);
    }
}
