// SPDX-License-Identifier: Apache-2.0
// What is not a map: element types, concrete operators, element values.
#include "tensor/eval/eval.h"
#include "tensor/shape/infer.h"
#include "verify/counterexample/parts.h"
#include <math.h>

// Types to choose from, the first ones in round 0.
static const enum elem sint_types[] = {ELEM_I8, ELEM_I32, ELEM_I2,
                                       ELEM_I4, ELEM_I16, ELEM_I64};
static const enum elem uint_types[] = {ELEM_UI8, ELEM_UI32, ELEM_UI2,
                                       ELEM_UI4, ELEM_UI16, ELEM_UI64};
static const enum elem float_types[] = {ELEM_F32, ELEM_F16, ELEM_BF16,
                                        ELEM_F64};

// The kinds among which the variable's type is chosen in the domain: its own
// in the domain, or where it has none there, a counterpart.
static unsigned kinds_in(const struct rule *r, uint32_t type, enum domain d)
{
    unsigned kinds = r->types[type].kinds & domain_kinds(d);
    return kinds != 0 ? kinds : r->types[type].kinds;
}

static bool ideal_domain(enum domain d)
{
    return d == DOMAIN_INT || d == DOMAIN_REAL;
}

bool cex_elem_fits(const struct rule *r, uint32_t type, enum domain d,
                   bool approximate, enum elem t)
{
    if (t == ELEM_OTHER || !(kinds_in(r, type, d) & elem_kind(t)))
        return false;
    if (elem_kind(t) == KIND_BOOL)
        return true;
    if (ideal_domain(d) && elem_kind(t) == KIND_FLOAT && approximate)
        return t == ELEM_F64;
    return elem_is_ideal(t) == ideal_domain(d);
}

static bool choose_type(const struct rule *r, struct cex_case *c, uint32_t i,
                        uint64_t pick)
{
    unsigned kinds = kinds_in(r, i, c->domain);
    enum elem t = ELEM_OTHER;
    if (kinds & KIND_BOOL && (c->domain == DOMAIN_BOOL || kinds == KIND_BOOL))
        t = ELEM_I1;
    else if (ideal_domain(c->domain)) {
        bool real = !(kinds & KIND_SINT) ||
                    (c->domain == DOMAIN_REAL && kinds & KIND_FLOAT);
        t = !real ? ELEM_INT : c->approximate ? ELEM_F64 : ELEM_REAL;
    } else if (kinds & KIND_FLOAT && !(kinds & domain_kinds(DOMAIN_WORD) &&
                                       c->domain != DOMAIN_FLOAT)) {
        t = float_types[pick % 4];
    } else if (kinds & KIND_SINT && (!(kinds & KIND_UINT) || pick % 2 == 0)) {
        t = sint_types[pick / 2 % 6];
    } else if (kinds & KIND_UINT) {
        t = uint_types[pick / 2 % 6];
    }
    c->elem[i] = t;
    return cex_elem_fits(r, i, c->domain, c->approximate, t);
}

// Meets `wider L of S` by giving S the first type that L holds, or L one that
// holds S.
static bool widen(const struct rule *r, struct cex_case *c,
                  const struct type_order *o)
{
    enum elem wide = c->elem[o->wide], narrow = c->elem[o->narrow];
    for (uint32_t k = 0; k < 2 * (uint32_t)N_ELEMS; k++) {
        enum elem t = (enum elem)(k % N_ELEMS);
        if (elem_holds(c->elem[o->wide], c->elem[o->narrow]))
            return true;
        c->elem[o->wide] = wide;
        c->elem[o->narrow] = narrow;
        uint32_t var = k < (uint32_t)N_ELEMS ? o->narrow : o->wide;
        if (t != ELEM_OTHER &&
            cex_elem_fits(r, var, c->domain, c->approximate, t))
            c->elem[var] = t;
    }
    return elem_holds(c->elem[o->wide], c->elem[o->narrow]);
}

static bool wider_holds(const struct rule *r, struct cex_case *c)
{
    bool ok = true;
    for (uint32_t i = 0; i < r->n_wider; i++)
        ok = widen(r, c, &r->wider[i]) && ok;
    for (uint32_t i = 0; i < r->n_wider; i++)
        ok = ok &&
             elem_holds(c->elem[r->wider[i].wide], c->elem[r->wider[i].narrow]);
    return ok;
}

bool cex_has_index(const struct rule *r)
{
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->maps[m].index)
            return true;
    return false;
}

void cex_choose_indices(const struct rule *r, struct cex_case *c,
                        uint32_t round, struct rng *rng)
{
    static const enum elem types[] = {ELEM_I32, ELEM_I8, ELEM_UI8, ELEM_I64};
    if (!cex_has_index(r))
        return;
    uint64_t pick = rng_below(rng, 12);
    c->index_elem = types[round < 2 || pick > 3 ? 0 : pick];
    for (uint32_t m = 0; m < r->n_maps; m++)
        for (uint32_t i = 0; r->maps[m].index && r->maps[m].def == NULL &&
                             i < c->rank[r->maps[m].cls];
             i++) {
            int64_t v = rng_range(rng, -2, rng_below(rng, 2) ? 3 : 8);
            uint64_t far = rng_below(rng, 12);
            if (far < 2 && round > 1)
                v = (int64_t)(far == 0 ? scalar_lowest(c->index_elem)
                                       : scalar_highest(c->index_elem))
                        .bits;
            if (!elem_has_int(c->index_elem, v))
                v = -v;
            c->map[m][i] = v;
        }
}

bool cex_choose_types(const struct rule *r, struct cex_case *c, uint32_t round,
                      struct rng *rng)
{
    uint64_t same = round < 2 ? round : rng_below(rng, 12);
    bool mixed = round >= 2 && rng_below(rng, 2);
    for (uint32_t i = 0; i < r->n_types; i++)
        if (!choose_type(r, c, i, mixed ? rng_below(rng, 12) : same))
            return false;
    return wider_holds(r, c);
}

attr_id cex_op_attr(struct pool *p, const struct cex_op *op)
{
    int64_t v[2] = {(int64_t)op->dir, (int64_t)op->ct};
    return op->op == OP_COMPARE ? attr_make(p, 2, v) : NO_ATTR;
}

bool cex_op_fits(const struct rule *r, struct cex_evaluator *l,
                 const struct cex_case *c, uint32_t opvar,
                 const struct cex_op *op)
{
    const struct op_var *v = &r->opvars[opvar];
    enum elem result = c->elem[v->result];
    type_id want, got, args[3];
    struct err e = {0};
    bool exact = elem_is_ideal(result) ||
                 (v->n_args > 0 && elem_is_ideal(c->elem[v->args[0]]));
    if (v->kind == OPVAR_MONOID)
        return monoid_holds(op->op, result,
                            c->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT
                                                      : DOMAIN_REAL);
    if (v->kind == OPVAR_MONOTONE &&
        !monotone_holds(op->op, result,
                        c->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL))
        return false;
    if (!op_is_elementwise(op->op) || v->n_args > 3 || v->n_args == 0 ||
        op_arity(op->op) != (int)v->n_args ||
        (op_is_transcendental(op->op) && (exact || c->approximate)))
        return false;
    if (op->op == OP_COMPARE && op->ct != compare_type_of(c->elem[v->args[0]]))
        return false;
    for (uint32_t i = 0; i < v->n_args; i++)
        if (!type_tensor(&l->pool, c->elem[v->args[i]], 0, NULL, &args[i], &e))
            return false;
    return type_tensor(&l->pool, result, 0, NULL, &want, &e) &&
           infer_type(&l->pool, op->op, cex_op_attr(&l->pool, op), want,
                      v->n_args, args, &got, &e) &&
           got.v == want.v;
}

static const enum op favourites[] = {
    OP_SUBTRACT, OP_ADD,     OP_COMPARE, OP_SELECT, OP_NEGATE, OP_NOT,
    OP_MULTIPLY, OP_MAXIMUM, OP_CLAMP,   OP_XOR,    OP_ABS,    OP_CONVERT};
#define N_FAVOURITES (sizeof favourites / sizeof *favourites)

static bool choose_op(const struct rule *r, struct cex_evaluator *l,
                      struct cex_case *c, uint32_t i, uint64_t skip)
{
    struct cex_op fitting[N_FAVOURITES + N_OPS];
    const struct op_var *v = &r->opvars[i];
    enum elem arg = c->elem[v->n_args > 0 ? v->args[0] : v->result];
    uint32_t n = 0;
    for (uint32_t k = 0; k < N_FAVOURITES + N_OPS; k++) {
        enum op op =
            k < N_FAVOURITES ? favourites[k] : (enum op)(k - N_FAVOURITES);
        struct cex_op t = {op, (enum compare_dir)(skip / 7 % 6),
                           compare_type_of(arg)};
        if (skip < 7)
            t.dir = CMP_LT;
        if (cex_op_fits(r, l, c, i, &t))
            fitting[n++] = t;
    }
    if (n > 0)
        c->op[i] = fitting[skip % n];
    return n > 0;
}

bool cex_choose_ops(const struct rule *r, struct cex_evaluator *l, struct cex_case *c,
                    uint32_t round, struct rng *rng)
{
    for (uint32_t i = 0; i < r->n_opvars; i++)
        if (!choose_op(r, l, c, i, round < 2 ? round + i : rng_below(rng, 420)))
            return false;
    return true;
}

static struct scalar small_int(enum elem t, int64_t k)
{
    if (elem_kind(t) == KIND_BOOL)
        return scalar_of_int(t, k & 1);
    if (elem_kind(t) == KIND_UINT)
        k = k < 0 ? -k : k;
    return scalar_of_int(t, k);
}

static struct scalar ratio(enum elem t, int64_t num, int64_t den)
{
    if (t == ELEM_REAL) {
        struct scalar s = {0, num, den};
        for (int64_t d = 2; d <= den; d++)
            while (s.num % d == 0 && s.den % d == 0) {
                s.num /= d;
                s.den /= d;
            }
        return s;
    }
    return scalar_of_double(t, (double)num / (double)den);
}

static struct scalar special_float(enum elem t, struct rng *rng)
{
    uint64_t sign = UINT64_C(1) << (elem_bits(t) - 1);
    uint64_t inf = scalar_highest(t).bits;
    uint64_t flip = rng_below(rng, 2) ? sign : 0;
    switch (rng_below(rng, 8)) {
    case 0:
        return scalar_of_double(t, NAN);
    case 1:
        return (struct scalar){.bits = inf ^ flip};
    case 2:
        return (struct scalar){.bits = (inf - 1) ^ flip}; // greatest finite
    case 3:
        return (struct scalar){.bits = 1 ^ flip}; // least subnormal
    case 4:
        return scalar_of_double(t, flip ? -0x1p14 : 0x1p14);
    case 5:
        return scalar_of_double(t, flip ? 1.0 / 3 : 100);
    default:
        return (struct scalar){.bits = flip}; // 0 and -0
    }
}

static struct scalar special(enum elem t, struct rng *rng)
{
    if (elem_is_ideal(t))
        return small_int(t, rng_below(rng, 4) ? rng_range(rng, -1, 1)
                                              : rng_range(rng, -100, 100));
    if (elem_kind(t) == KIND_FLOAT)
        return special_float(t, rng);
    uint64_t top = UINT64_C(1) << (elem_bits(t) - 1);
    switch (rng_below(rng, 6)) {
    case 0:
        return scalar_lowest(t);
    case 1:
        return scalar_highest(t);
    case 2:
        return scalar_of_int(t, -1);
    case 3:
        return scalar_of_int(t, (int64_t)(top >> 1));
    case 4:
        return scalar_of_int(t, (int64_t)rng_u64(rng));
    default:
        return scalar_of_int(t, (int64_t)rng_below(rng, 2));
    }
}

// Numbers of which a sum depends on the order: one more than all digits of the
// type hold, tenths, and factors whose products are rounded.
static struct scalar addend(enum elem t, struct rng *rng)
{
    double most = t == ELEM_F16    ? 0x1p11
                  : t == ELEM_BF16 ? 0x1p8
                  : t == ELEM_F32  ? 0x1p24
                                   : 0x1p53;
    switch (rng_below(rng, 8)) {
    case 0:
        return scalar_of_double(t, most);
    case 1:
        return scalar_of_double(t, -most);
    case 2:
        return scalar_of_double(t, 0.1);
    case 3:
        return scalar_of_double(t, 1 + 2 / most);
    case 4:
        return scalar_of_double(t, rng_below(rng, 4) ? 0.0 : -0.0);
    default:
        return scalar_of_int(t, rng_range(rng, -3, 3));
    }
}

// Elements of approximate runs are multiples of 1/4 of moderate size.
static struct scalar one_value(const struct cex_case *c, enum elem t,
                               uint32_t style, struct rng *rng)
{
    bool floats = elem_kind(t) == KIND_FLOAT;
    if (style == CEX_STYLE_SUMS)
        return floats && !elem_is_ideal(t) ? addend(t, rng)
                                           : small_int(t, rng_range(rng, 0, 1));
    if (style == 3 && !c->approximate)
        return special(t, rng);
    if (style == 4 && floats)
        return ratio(t, rng_range(rng, -12, 12), 4);
    if (style == 4)
        return special(t, rng);
    if (style == 5 && floats && t == ELEM_REAL)
        return ratio(t, rng_range(rng, -9, 9), rng_range(rng, 1, 5));
    if (style == 5 && c->approximate)
        return ratio(t, rng_range(rng, 1, 12), 4);
    return small_int(t, rng_range(rng, -3, 4));
}

// Tensors below pattern i.
static void mark_tensors(const struct rule *r, uint32_t i, bool *mark)
{
    const struct pat *p = &r->pats[i];
    if (p->kind == PAT_TENSOR)
        mark[p->var] = true;
    for (uint32_t k = 0; k < p->n_args; k++)
        mark_tensors(r, p->args[k], mark);
}

// Tensors that gather or scatter look up places in.
static bool *place_tensors(const struct rule *r)
{
    bool *mark = mem_alloc(r->n_tensors + 1u);
    for (uint32_t i = 0; i < r->n_pats; i++)
        if (r->pats[i].kind == PAT_OP &&
            (r->pats[i].op == OP_GATHER || r->pats[i].op == OP_SCATTER))
            mark_tensors(r, r->pats[i].args[1], mark);
    return mark;
}

uint32_t cex_styles(const struct rule *r, const struct cex_case *c)
{
    bool more = c->domain == DOMAIN_FLOAT && cex_has_float_sums(r);
    return more ? CEX_STYLES + 1 : CEX_STYLES;
}

// Styles: 0 all distinct, 1 small integers, 2 one value for each operand, 3
// special values, 4 few values shared by all operands, 5 any mixture, 6 what
// sums of floats round.
void cex_fill(const struct rule *r, struct cex_case *c, uint32_t style,
              struct rng *rng)
{
    int64_t next = 1;
    uint64_t seeds[3] = {rng_u64(rng), rng_u64(rng), rng_u64(rng)};
    bool *places = place_tensors(r);
    uint32_t base = style == 2 ? 1 + 2 * (uint32_t)rng_below(rng, 3) : style;
    for (uint32_t i = 0; i < r->n_tensors + r->n_scalars; i++) {
        enum elem t =
            c->elem[i < r->n_tensors ? r->tensors[i].type
                                     : r->scalars[i - r->n_tensors].type];
        struct rng own = *rng;
        struct scalar same = one_value(c, t, base, rng);
        for (uint64_t k = 0; k < c->param[i].count; k++) {
            struct scalar *s = &c->param[i].at[k];
            if (style == 4)
                rng_seed(&own, seeds[rng_below(rng, 3)]);
            if (i < r->n_tensors && places[i] && (style != 3 || k % 2))
                *s = small_int(t, rng_range(rng, -1, 3));
            else if (style == 0)
                *s = small_int(t, next++);
            else if (style == 2)
                *s = same;
            else if (style == 4)
                *s = one_value(c, t, seeds[0] % 2 ? 3 : 4, &own);
            else
                *s = one_value(c, t,
                               style == 5 ? (uint32_t)rng_below(rng, 6) : style,
                               rng);
        }
    }
    mem_free(places);
}
