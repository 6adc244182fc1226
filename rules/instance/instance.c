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

uint32_t order_find(const struct order *order, uint32_t axis)
{
    for (uint32_t i = 0; i < order->n; i++)
        if (order->axis[i] == axis)
            return i;
    return NONE;
}

struct instance *instance_new(const struct rule *rule, const uint32_t *rank, struct arena *mem)
{
    struct instance *in = ARENA_NEW(mem, struct instance, 1);
    in->rule = rule;
    in->mem = mem;
    in->rank = ARENA_NEW(mem, uint32_t, rule->n_classes);
    in->class_axes = ARENA_NEW(mem, uint32_t *, rule->n_classes);
    for (uint32_t c = 0; c < rule->n_classes; c++)
        in->n_axes += rank[c];
    in->axis_class = ARENA_NEW(mem, uint32_t, in->n_axes);
    uint32_t axis = 0;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        in->rank[c] = rank[c];
        in->class_axes[c] = ARENA_NEW(mem, uint32_t, rank[c]);
        for (uint32_t i = 0; i < rank[c]; i++) {
            in->class_axes[c][i] = axis;
            in->axis_class[axis++] = c;
        }
    }
    in->map = ARENA_NEW(mem, int64_t *, rule->n_maps);
    in->index = ARENA_NEW(mem, term_id *, rule->n_maps);
    in->index_elem = ELEM_I32;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t n = rank[rule->maps[m].cls];
        in->map[m] = ARENA_NEW(mem, int64_t, n);
        if (!rule->maps[m].index || rule->maps[m].def != NULL)
            continue;
        in->index[m] = ARENA_NEW(mem, term_id, n);
        for (uint32_t i = 0; i < n; i++)
            in->index[m][i] = NO_TERM;
    }
    in->elem = ARENA_NEW(mem, enum elem, rule->n_types);
    in->op = ARENA_NEW(mem, struct op_binding, rule->n_opvars);
    in->tensor = ARENA_NEW(mem, term_id, rule->n_tensors);
    in->order = ARENA_NEW(mem, struct order, rule->n_tensors);
    in->scalar = ARENA_NEW(mem, term_id, rule->n_scalars);
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        in->tensor[i] = NO_TERM;
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        in->scalar[i] = NO_TERM;
    in->pat = ARENA_NEW(mem, struct pat_place, rule->n_pats);
    for (uint32_t i = 0; i < rule->n_pats; i++)
        in->pat[i].in = ARENA_NEW(mem, struct order, rule->pats[i].n_args);
    return in;
}

static struct order order_copy(const struct order *order, struct arena *mem)
{
    struct order c = {order->n, ARENA_NEW(mem, uint32_t, order->n)};
    for (uint32_t i = 0; i < order->n; i++)
        c.axis[i] = order->axis[i];
    return c;
}

uint32_t instance_indices(const struct instance *in, uint32_t map)
{
    return in->index[map] == NULL ? 0 : in->rank[in->rule->maps[map].cls];
}

struct instance *instance_copy(const struct instance *in, struct arena *mem)
{
    const struct rule *rule = in->rule;
    struct instance *instance = instance_new(rule, in->rank, mem);
    for (uint32_t i = 0; i < in->n_axes; i++)
        instance->axis_class[i] = in->axis_class[i];
    for (uint32_t k = 0; k < rule->n_classes; k++)
        for (uint32_t i = 0; i < in->rank[k]; i++)
            instance->class_axes[k][i] = in->class_axes[k][i];
    instance->index_elem = in->index_elem;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; i < in->rank[rule->maps[m].cls]; i++) {
            instance->map[m][i] = in->map[m][i];
            if (instance->index[m] != NULL)
                instance->index[m][i] = in->index[m][i];
        }
    for (uint32_t i = 0; i < rule->n_types; i++)
        instance->elem[i] = in->elem[i];
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        instance->op[i] = in->op[i];
    for (uint32_t i = 0; i < rule->n_tensors; i++) {
        instance->tensor[i] = in->tensor[i];
        instance->order[i] = order_copy(&in->order[i], mem);
    }
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        instance->scalar[i] = in->scalar[i];
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        instance->pat[i].out = order_copy(&in->pat[i].out, mem);
        for (uint32_t k = 0; k < rule->pats[i].n_args; k++)
            instance->pat[i].in[k] = order_copy(&in->pat[i].in[k], mem);
    }
    return instance;
}

bool instance_lets(struct instance *in, struct err *err)
{
    const struct rule *rule = in->rule;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (rule->maps[m].def == NULL || rule->maps[m].index)
            continue;
        for (uint32_t i = 0; i < in->rank[rule->maps[m].cls]; i++)
            if (!instance_iexp(in, rule->maps[m].def, rule->maps[m].cls, i, &in->map[m][i]))
                return err_set(err, ERR_LIMIT,
                               "rule %s: the value of %s is not defined or "
                               "does not fit in 64 bits",
                               rule->name, rule->maps[m].name);
    }
    return true;
}

struct order instance_axes(const struct instance *in, uint32_t n, const struct axis_size *sizes)
{
    struct order order = {0, NULL};
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += in->rank[sizes[i].cls];
    order.axis = ARENA_NEW(in->mem, uint32_t, total);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < in->rank[sizes[i].cls]; k++)
            order.axis[order.n++] = in->class_axes[sizes[i].cls][k];
    return order;
}

bool instance_size(const struct instance *in, uint32_t n, const struct axis_size *sizes,
                   uint32_t axis, int64_t *out)
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

bool instance_wider(const struct instance *in, struct err *err)
{
    for (uint32_t i = 0; i < in->rule->n_wider; i++) {
        enum elem wide = in->elem[in->rule->wider[i].wide];
        enum elem narrow = in->elem[in->rule->wider[i].narrow];
        if (!elem_holds(wide, narrow))
            return err_set(err, ERR_CHECK, "%s does not have all values of %s", elem_text(wide),
                           elem_text(narrow));
    }
    return true;
}

// Does some start of the node depend on an index?
static bool at_index(const struct rule *rule, const struct pat *pattern)
{
    bool yes = false;
    if (pattern->kind != PAT_OP ||
        (pattern->op != OP_DYNAMIC_SLICE && pattern->op != OP_DYNAMIC_UPDATE_SLICE))
        return false;
    for (uint32_t k = 0; k < pattern->n_attrs; k++)
        yes = yes || iexp_has_index(rule, pattern->attrs[k].expr[0]);
    return yes;
}

static bool sizes_fit(const struct instance *in, const struct pat *pattern, struct err *err)
{
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        for (uint32_t i = 0; i < in->rank[pattern->sizes[k].cls]; i++) {
            int64_t n;
            if (!instance_iexp(in, pattern->sizes[k].size, pattern->sizes[k].cls, i, &n) ||
                !elem_has_int(in->index_elem, n))
                return err_set(err, ERR_CHECK,
                               "N6: a size of a tensor that is sliced at an "
                               "index is no value of %s",
                               elem_text(in->index_elem));
        }
    return true;
}

bool instance_index_fits(const struct instance *in, struct err *err)
{
    const struct rule *rule = in->rule;
    bool ok = true;
    for (uint32_t i = 0; ok && i < rule->n_pats; i++)
        if (at_index(rule, &rule->pats[i]))
            ok = sizes_fit(in, &rule->pats[rule->pats[i].args[0]], err);
    return ok;
}

static bool plain_make(void *ctx, struct operation operation, const term_id *args, term_id *out,
                       struct err *err)
{
    return term_build(ctx, operation, args, out, err);
}

struct builder builder_plain(struct terms *terms)
{
    return (struct builder){terms, plain_make, terms};
}

// A builder that makes constants only.  It fails on a node that does not fold, and on
// a fold that rounds, so that the result holds over the reals too.
static bool fold_make(void *ctx, struct operation operation, const term_id *args, term_id *out,
                      struct err *err)
{
    struct terms *terms = ctx;
    uint32_t n = operation.n;
    lit_id small_lit[4] = {{0}}, lit = NO_LIT;
    type_id small_type[4] = {{0}};
    lit_id *lits = n <= 4 ? small_lit : mem_alloc(n * sizeof *lits);
    type_id *types = n <= 4 ? small_type : mem_alloc(n * sizeof *types);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        lits[i] = term_literal(terms, args[i]);
        types[i] = term_type(terms, args[i]);
        ok = ok && lits[i].v != NO_LIT.v;
    }
    if (operation.op == OP_CONSTANT) {
        ok = term_build(terms, operation, args, out, err);
    } else {
        struct fold_options options = {.reading = READ_REAL, .max_count = TENSOR_FOLD_ELEMENTS};
        ok = ok && infer_type(terms->pool, operation, types, &operation.type, err) &&
             fold_node(terms->pool, operation, lits, types, options, &lit);
        if (ok)
            *out = term_constant(terms, lit, operation.type);
    }
    if (n > 4) {
        mem_free(lits);
        mem_free(types);
    }
    return ok || err_set(err, ERR_CHECK, "%s is not a constant", op_name(operation.op));
}

static bool all_true(const struct terms *terms, term_id id)
{
    lit_id literal = term_literal(terms, id);
    if (literal.v == NO_LIT.v || type_elem(terms->pool, term_type(terms, id)) != ELEM_I1)
        return false;
    uint64_t count = pool_literal(terms->pool, literal)->count;
    for (uint64_t i = 0; i < count; i++)
        if (literal_get(terms->pool, literal, i).bits == 0)
            return false;
    return true;
}

bool instance_element_condition(const struct instance *in, uint32_t pat, struct terms *terms)
{
    struct instance tmp = *in; // has places of its own: the places of `in` stay
    struct arena_mark mark = arena_mark(in->mem);
    const struct rule *rule = in->rule;
    tmp.pat = ARENA_NEW(in->mem, struct pat_place, rule->n_pats);
    for (uint32_t i = 0; i <= pat; i++)
        tmp.pat[i].in = ARENA_NEW(in->mem, struct order, rule->pats[i].n_args);
    struct order wanted = instance_axes(in, rule->pats[pat].n_sizes, rule->pats[pat].sizes);
    instance_orient(&tmp, pat, &wanted);
    struct builder builder = {terms, fold_make, terms};
    struct err err = {0};
    term_id out;
    bool ok = instance_build(&tmp, pat, &builder, &out, &err) && all_true(terms, out);
    arena_reset(in->mem, mark);
    return ok;
}
