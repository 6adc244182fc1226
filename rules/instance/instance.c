// SPDX-License-Identifier: Apache-2.0
#include "rules/instance/build.h"
#include "tensor/fold/fold.h"
#include "tensor/shape/infer.h"

bool order_same(const struct order *a, const struct order *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->axis[i] != b->axis[i])
            return false;
    return true;
}

uint32_t order_find(const struct order *o, uint32_t axis)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->axis[i] == axis)
            return i;
    return NONE;
}

struct instance *instance_new(const struct rule *r, const uint32_t *rank,
                              struct arena *mem)
{
    struct instance *in = ARENA_NEW(mem, struct instance, 1);
    in->rule = r;
    in->mem = mem;
    in->rank = ARENA_NEW(mem, uint32_t, r->n_classes);
    in->class_axes = ARENA_NEW(mem, uint32_t *, r->n_classes);
    for (uint32_t c = 0; c < r->n_classes; c++)
        in->n_axes += rank[c];
    in->axis_class = ARENA_NEW(mem, uint32_t, in->n_axes);
    uint32_t axis = 0;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        in->rank[c] = rank[c];
        in->class_axes[c] = ARENA_NEW(mem, uint32_t, rank[c]);
        for (uint32_t i = 0; i < rank[c]; i++) {
            in->class_axes[c][i] = axis;
            in->axis_class[axis++] = c;
        }
    }
    in->map = ARENA_NEW(mem, int64_t *, r->n_maps);
    in->index = ARENA_NEW(mem, term_id *, r->n_maps);
    in->index_elem = ELEM_I32;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        uint32_t n = rank[r->maps[m].cls];
        in->map[m] = ARENA_NEW(mem, int64_t, n);
        if (!r->maps[m].index || r->maps[m].def != NULL)
            continue;
        in->index[m] = ARENA_NEW(mem, term_id, n);
        for (uint32_t i = 0; i < n; i++)
            in->index[m][i] = NO_TERM;
    }
    in->elem = ARENA_NEW(mem, enum elem, r->n_types);
    in->op = ARENA_NEW(mem, struct op_binding, r->n_opvars);
    in->tensor = ARENA_NEW(mem, term_id, r->n_tensors);
    in->order = ARENA_NEW(mem, struct order, r->n_tensors);
    in->scalar = ARENA_NEW(mem, term_id, r->n_scalars);
    for (uint32_t i = 0; i < r->n_tensors; i++)
        in->tensor[i] = NO_TERM;
    for (uint32_t i = 0; i < r->n_scalars; i++)
        in->scalar[i] = NO_TERM;
    in->pat = ARENA_NEW(mem, struct pat_place, r->n_pats);
    for (uint32_t i = 0; i < r->n_pats; i++)
        in->pat[i].in = ARENA_NEW(mem, struct order, r->pats[i].n_args);
    return in;
}

static struct order order_copy(const struct order *o, struct arena *mem)
{
    struct order c = {o->n, ARENA_NEW(mem, uint32_t, o->n)};
    for (uint32_t i = 0; i < o->n; i++)
        c.axis[i] = o->axis[i];
    return c;
}

uint32_t instance_indices(const struct instance *in, uint32_t map)
{
    return in->index[map] == NULL ? 0 : in->rank[in->rule->maps[map].cls];
}

struct instance *instance_copy(const struct instance *in, struct arena *mem)
{
    const struct rule *r = in->rule;
    struct instance *c = instance_new(r, in->rank, mem);
    for (uint32_t i = 0; i < in->n_axes; i++)
        c->axis_class[i] = in->axis_class[i];
    for (uint32_t k = 0; k < r->n_classes; k++)
        for (uint32_t i = 0; i < in->rank[k]; i++)
            c->class_axes[k][i] = in->class_axes[k][i];
    c->index_elem = in->index_elem;
    for (uint32_t m = 0; m < r->n_maps; m++)
        for (uint32_t i = 0; i < in->rank[r->maps[m].cls]; i++) {
            c->map[m][i] = in->map[m][i];
            if (c->index[m] != NULL)
                c->index[m][i] = in->index[m][i];
        }
    for (uint32_t i = 0; i < r->n_types; i++)
        c->elem[i] = in->elem[i];
    for (uint32_t i = 0; i < r->n_opvars; i++)
        c->op[i] = in->op[i];
    for (uint32_t i = 0; i < r->n_tensors; i++) {
        c->tensor[i] = in->tensor[i];
        c->order[i] = order_copy(&in->order[i], mem);
    }
    for (uint32_t i = 0; i < r->n_scalars; i++)
        c->scalar[i] = in->scalar[i];
    for (uint32_t i = 0; i < r->n_pats; i++) {
        c->pat[i].out = order_copy(&in->pat[i].out, mem);
        for (uint32_t k = 0; k < r->pats[i].n_args; k++)
            c->pat[i].in[k] = order_copy(&in->pat[i].in[k], mem);
    }
    return c;
}

bool instance_lets(struct instance *in, struct err *e)
{
    const struct rule *r = in->rule;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        if (r->maps[m].def == NULL || r->maps[m].index)
            continue;
        for (uint32_t i = 0; i < in->rank[r->maps[m].cls]; i++)
            if (!instance_iexp(in, r->maps[m].def, r->maps[m].cls, i,
                               &in->map[m][i]))
                return err_set(e, ERR_LIMIT,
                               "rule %s: the value of %s is not defined or "
                               "does not fit in 64 bits",
                               r->name, r->maps[m].name);
    }
    return true;
}

struct order instance_axes(const struct instance *in, uint32_t n,
                           const struct axis_size *sizes)
{
    struct order o = {0, NULL};
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += in->rank[sizes[i].cls];
    o.axis = ARENA_NEW(in->mem, uint32_t, total);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < in->rank[sizes[i].cls]; k++)
            o.axis[o.n++] = in->class_axes[sizes[i].cls][k];
    return o;
}

bool instance_size(const struct instance *in, uint32_t n,
                   const struct axis_size *sizes, uint32_t axis, int64_t *out)
{
    uint32_t c = in->axis_class[axis];
    for (uint32_t i = 0; i < n; i++) {
        if (sizes[i].cls != c)
            continue;
        for (uint32_t k = 0; k < in->rank[c]; k++)
            if (in->class_axes[c][k] == axis)
                return instance_iexp(in, sizes[i].size, c, k, out);
    }
    return false;
}

bool instance_wider(const struct instance *in, struct err *e)
{
    for (uint32_t i = 0; i < in->rule->n_wider; i++) {
        enum elem wide = in->elem[in->rule->wider[i].wide];
        enum elem narrow = in->elem[in->rule->wider[i].narrow];
        if (!elem_holds(wide, narrow))
            return err_set(e, ERR_CHECK, "%s does not have all values of %s",
                           elem_text(wide), elem_text(narrow));
    }
    return true;
}

// Does the node slice at an index?
static bool at_index(const struct rule *r, const struct pat *p)
{
    bool yes = false;
    if (p->kind != PAT_OP ||
        (p->op != OP_DYNAMIC_SLICE && p->op != OP_DYNAMIC_UPDATE_SLICE))
        return false;
    for (uint32_t k = 0; k < p->n_attrs; k++)
        yes = yes || iexp_has_index(r, p->attrs[k].v[0]);
    return yes;
}

static bool sizes_fit(const struct instance *in, const struct pat *p,
                      struct err *e)
{
    for (uint32_t k = 0; k < p->n_sizes; k++)
        for (uint32_t i = 0; i < in->rank[p->sizes[k].cls]; i++) {
            int64_t n;
            if (!instance_iexp(in, p->sizes[k].size, p->sizes[k].cls, i, &n) ||
                !elem_has_int(in->index_elem, n))
                return err_set(e, ERR_CHECK,
                               "N6: a size of a tensor that is sliced at an "
                               "index is no value of %s",
                               elem_text(in->index_elem));
        }
    return true;
}

bool instance_index_fits(const struct instance *in, struct err *e)
{
    const struct rule *r = in->rule;
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->n_pats; i++)
        if (at_index(r, &r->pats[i]))
            ok = sizes_fit(in, &r->pats[r->pats[i].args[0]], e);
    return ok;
}

static bool plain_make(void *ctx, enum op op, attr_id attr, type_id want,
                       uint32_t n, const term_id *args, term_id *out,
                       struct err *e)
{
    return term_build(ctx, op, attr, want, n, args, out, e);
}

struct builder builder_plain(struct terms *t)
{
    return (struct builder){t, plain_make, t};
}

// Makes constants only: a node that does not fold is a failure.  Folds that
// round are refused, so that the answer holds over the reals too.
static bool fold_make(void *ctx, enum op op, attr_id attr, type_id want,
                      uint32_t n, const term_id *args, term_id *out,
                      struct err *e)
{
    struct terms *t = ctx;
    lit_id small_lit[4] = {{0}}, lit = NO_LIT;
    type_id small_type[4] = {{0}}, type;
    lit_id *lits = n <= 4 ? small_lit : mem_alloc(n * sizeof *lits);
    type_id *types = n <= 4 ? small_type : mem_alloc(n * sizeof *types);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        lits[i] = term_literal(t, args[i]);
        types[i] = term_type(t, args[i]);
        ok = ok && lits[i].v != NO_LIT.v;
    }
    if (op == OP_CONSTANT) {
        ok = term_build(t, op, attr, want, n, args, out, e);
    } else {
        ok = ok && infer_type(t->pool, op, attr, want, n, types, &type, e) &&
             fold_node(t->pool, op, attr, type, n, lits, types, true,
                       FOLD_MAX_COUNT, &lit);
        if (ok)
            *out = term_constant(t, lit, type);
    }
    if (n > 4) {
        mem_free(lits);
        mem_free(types);
    }
    return ok || err_set(e, ERR_CHECK, "%s is not a constant", op_name(op));
}

static bool all_true(const struct terms *t, term_id id)
{
    lit_id l = term_literal(t, id);
    if (l.v == NO_LIT.v || type_elem(t->pool, term_type(t, id)) != ELEM_I1)
        return false;
    uint64_t count = pool_literal(t->pool, l)->count;
    for (uint64_t i = 0; i < count; i++)
        if (literal_get(t->pool, l, i).bits == 0)
            return false;
    return true;
}

bool instance_element_condition(const struct instance *in, uint32_t pat,
                                struct terms *t)
{
    struct instance tmp = *in; // its own places: those of `in` stay
    struct arena_mark mark = arena_mark(in->mem);
    const struct rule *r = in->rule;
    tmp.pat = ARENA_NEW(in->mem, struct pat_place, r->n_pats);
    for (uint32_t i = 0; i <= pat; i++)
        tmp.pat[i].in = ARENA_NEW(in->mem, struct order, r->pats[i].n_args);
    struct order wanted =
        instance_axes(in, r->pats[pat].n_sizes, r->pats[pat].sizes);
    instance_orient(&tmp, pat, &wanted);
    struct builder b = {t, fold_make, t};
    struct err e = {0};
    term_id out;
    bool ok = instance_build(&tmp, pat, &b, &out, &e) && all_true(t, out);
    arena_reset(in->mem, mark);
    return ok;
}
