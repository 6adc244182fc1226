// SPDX-License-Identifier: Apache-2.0
// Declarations of tensors, scalars and operator variables, and what is said of
// maps on blocks and of the types of a rule.
#include "rules/language/parse.h"

bool declare_name(struct parser *p, enum sym_kind kind, uint32_t index,
                  const char *what)
{
    const struct token *t = parser_token(p);
    if (!parser_at(p, T_NAME))
        return parser_expected(p, what);
    p->at++;
    return sym_declare(p, t, kind, index) != NULL;
}

// A block is taken as a whole: of its axes there is only the size, one map for
// all classes that are alike (two could agree in their products but not axis
// by axis).
bool map_fits_block(struct parser *p, uint32_t map)
{
    const struct map *m = &p->maps.at[map], *other = NULL;
    const struct axis_class *c = &p->classes.at[m->cls];
    if (!c->block)
        return true;
    for (uint32_t i = 0; i < map && !other; i++)
        if (p->classes.at[p->maps.at[i].cls].like == c->like)
            other = &p->maps.at[i];
    if (!other && !m->def && !m->index)
        return true;
    struct buf b = {0};
    buf_printf(&b, "has a size, one map, and nothing else; found %s, `%s`",
               m->def     ? "a `let`"
               : m->index ? "an index"
                          : "a second map",
               m->name);
    parser_fail_block(p, m->place, m->cls, "", buf_text(&b));
    buf_release(&b);
    return false;
}

static bool read_sizes(struct parser *p, struct tensor_var *v)
{
    const struct iexp *size[LIMIT_CLASSES] = {NULL};
    uint64_t set = 0;
    if (!parser_expect(p, '[', "`[`"))
        return false;
    while (!parser_accept(p, ']')) {
        if (set && !parser_expect(p, ',', "`,` or `]`"))
            return false;
        const struct token *t = parser_token(p);
        struct symbol *s;
        if (!parser_expect(p, T_NAME, set ? "an axis class" : "an axis class or `]`"))
            return false;
        if (!(s = sym_use(p, t, SYM_CLASS)))
            return false;
        if (set >> s->index & 1)
            return parser_fail(p, t->place, "the class `%.*s` occurs twice in `%s`",
                        (int)t->len, t->at, v->name);
        if (!parser_expect(p, ':', "`:`") ||
            !(size[s->index] = parse_size_on(p, s->index)))
            return false;
        set |= UINT64_C(1) << s->index;
        v->n_sizes++;
    }
    struct axis_size *sizes =
        ARENA_NEW(p->mem, struct axis_size, v->n_sizes + 1);
    uint32_t n = 0;
    for (uint32_t c = 0; c < p->classes.len; c++)
        if (size[c])
            sizes[n++] = (struct axis_size){c, size[c]};
    v->sizes = sizes;
    return true;
}

void read_tensor(struct parser *p)
{
    do {
        const struct token *t = parser_token(p);
        struct tensor_var v = {.place = t->place};
        if (!declare_name(p, SYM_TENSOR, p->tensors.len,
                          "the name of a tensor"))
            return;
        v.name = parser_token_text(p, t);
        if (!read_sizes(p, &v) || !parser_expect(p, ':', "`:`") ||
            (v.type = parse_type(p)) == NONE)
            return;
        vec_push(&p->tensors, v);
    } while (parser_accept(p, ','));
}

// `scalar a, b : num, c : T`: names share the type that follows them; a kind is
// a type variable of its own for each.
void read_scalar(struct parser *p)
{
    do {
        uint32_t first = p->scalars.len;
        do {
            const struct token *t = parser_token(p);
            struct scalar_var v = {.place = t->place};
            if (!declare_name(p, SYM_SCALAR, p->scalars.len,
                              "the name of a scalar"))
                return;
            v.name = parser_token_text(p, t);
            vec_push(&p->scalars, v);
        } while (parser_accept(p, ','));
        if (!parser_expect(p, ':', "`,` or `:`"))
            return;
        uint32_t type = p->at;
        for (uint32_t i = first; i < p->scalars.len; i++) {
            p->at = type;
            if ((p->scalars.at[i].type = parse_type(p)) == NONE)
                return;
        }
    } while (parser_accept(p, ','));
}

static bool read_signature(struct parser *p, struct op_var *v)
{
    struct u32_vec args = {0};
    bool ok = parser_expect(p, '(', "`(`");
    if (ok) {
        do {
            uint32_t t = parse_type(p);
            ok = t != NONE;
            vec_push(&args, t);
        } while (ok && parser_accept(p, ','));
    }
    ok = ok && parser_expect(p, ')', "`,` or `)`");
    if (ok && v->kind == OPVAR_MONOID) {
        if (args.len != 1)
            ok = parser_fail(p, v->place, "a monoid has one type, found %u", args.len);
        vec_push(&args, args.at[0]);
        v->result = args.at[0];
    } else if (ok) {
        if (v->kind == OPVAR_MONOTONE && args.len != 1)
            ok = parser_fail(p, v->place,
                      "a monotone operator has one argument, found %u",
                      args.len);
        ok = ok && parser_expect(p, T_ARROW, "`->`") &&
             (v->result = parse_type(p)) != NONE;
    }
    uint32_t *copy = ARENA_NEW(p->mem, uint32_t, args.len + 1);
    for (uint32_t i = 0; i < args.len; i++)
        copy[i] = args.at[i];
    v->args = copy;
    v->n_args = args.len;
    vec_release(&args);
    return ok;
}

bool is_function(const struct token *t)
{
    static const char *const words[] = {
        "broadcast", "iota",    "slice", "pad",   "concat", "reverse",
        "reduce",    "relabel", "min",   "max",   "neg",    "exp",
        "log1p",     "expm1",   "sin",   "cos",   "pow",    "rem",
        "count",     "dot",     "conv",  "merge", "split",  "value",
    };
    char name[40];
    enum op op;
    if (t->len >= sizeof name)
        return false;
    memcpy(name, t->at, t->len);
    name[t->len] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return op_by_name(name, &op);
}

void read_op(struct parser *p)
{
    do {
        const struct token *t = parser_token(p);
        struct op_var v = {.place = t->place};
        if (t->kind == T_NAME && is_function(t)) {
            parser_fail(p, t->place, "`%.*s` is an operator already", (int)t->len,
                 t->at);
            return;
        }
        if (!declare_name(p, SYM_OPVAR, p->opvars.len,
                          "the name of an operator variable"))
            return;
        v.name = parser_token_text(p, t);
        if (!parser_expect(p, ':', "`:`"))
            return;
        if (parser_accept_word(p, "monoid")) {
            v.kind = OPVAR_MONOID;
        } else if (parser_accept_word(p, "monotone")) {
            v.kind = OPVAR_MONOTONE;
        } else if (!parser_accept_word(p, "elementwise")) {
            parser_expected(p, "`elementwise`, `monoid` or `monotone`");
            return;
        }
        if (!read_signature(p, &v))
            return;
        vec_push(&p->opvars, v);
    } while (parser_accept(p, ','));
}

// `wider L of S`: both are type variables of the rule by now.
void read_wider(struct parser *p)
{
    do {
        uint32_t type[2];
        struct place at = parser_token(p)->place;
        for (int i = 0; i < 2; i++) {
            const struct token *t = parser_token(p);
            if (i && !parser_accept_word(p, "of")) {
                parser_expected(p, "`of`");
                return;
            }
            t = parser_token(p);
            if (!parser_expect(p, T_NAME, "a type variable"))
                return;
            struct symbol *s = &p->syms[t->name];
            if (s->kind == SYM_NONE) {
                parser_fail(p, t->place,
                     "expected a type variable of the rule, found `%.*s`",
                     (int)(t->len < 60 ? t->len : 60), t->at);
                return;
            }
            bool used = s->used; // this is none
            if (!(s = sym_use(p, t, SYM_TYPE)))
                return;
            s->used = used;
            type[i] = s->index;
        }
        if (type_root(p, type[0]) == type_root(p, type[1])) {
            parser_fail(p, at, "`wider`: the operators equate the two types");
            return;
        }
        struct type_order o = {type[0], type[1]};
        vec_push(&p->wider, o);
    } while (parser_accept(p, ','));
}
