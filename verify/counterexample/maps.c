// SPDX-License-Identifier: Apache-2.0
// The maps of a rank family in the order in which they are assigned, and the
// checks that run at each of them.
#include "tensor/shape/infer.h"
#include "rules/conditions.h"
#include "verify/counterexample/maps.h"
#include "verify/counterexample/order.h"
#include "verify/limits.h"

static const struct iexp zero = {.op = IE_CONST, .k = 0};

struct slot_uses {
    const struct cex_maps *maps;
    uint64_t slots;
};

static bool add_slot(void *context, const struct iexp *leaf)
{
    struct slot_uses *uses = context;
    uint32_t slot = leaf->op == IE_MAP ? uses->maps->slot_of[leaf->map] : NONE;
    uses->slots |= slot == NONE ? 0 : UINT64_C(1) << slot;
    return false;
}

uint64_t cex_iexp_uses(const struct cex_maps *maps, const struct iexp *expr)
{
    struct slot_uses uses = {maps, 0};
    iexp_any(expr, add_slot, &uses);
    return uses.slots;
}

static uint64_t cond_uses(const struct cex_maps *maps, const struct cond *condition)
{
    struct slot_uses uses = {maps, 0};
    cond_any(condition, add_slot, &uses);
    return uses.slots;
}

static uint64_t closure(const struct cex_maps *maps, uint64_t uses)
{
    uint64_t needs = 0;
    for (uint32_t i = 0; i < maps->n_slots; i++)
        if (uses >> i & 1)
            needs |= maps->needs[i];
    return needs;
}

static bool push_constant(void *context, const struct iexp *leaf)
{
    struct cex_maps *maps = context;
    if (leaf->op == IE_CONST && leaf->k > -VERIFY_CEX_CONSTANT && leaf->k < VERIFY_CEX_CONSTANT)
        vec_push(&maps->constants, leaf->k);
    return false;
}

static void constants_of(struct cex_maps *maps, const struct iexp *expr)
{
    iexp_any(expr, push_constant, maps);
}

bool cex_in_family(const struct cex_maps *maps, uint32_t cls)
{
    return cex_root(maps->rule, cls) == maps->family->root;
}

// A map of another family, or an index, has no value here.
static bool foreign(const struct cex_maps *maps, const struct iexp *expr)
{
    if (expr == NULL || expr->op == IE_CONST)
        return false;
    if (expr->op == IE_MAP)
        return maps->slot_of[expr->map] == NONE;
    return foreign(maps, expr->a) || foreign(maps, expr->b);
}

static void add_check(struct cex_maps *maps, cex_check_vec *list, struct cex_check check)
{
    if (foreign(maps, check.a) || foreign(maps, check.b))
        return;
    check.uses = cex_iexp_uses(maps, check.a) | cex_iexp_uses(maps, check.b) |
                 cex_iexp_uses(maps, check.c) | cex_iexp_uses(maps, check.d) |
                 cond_uses(maps, check.cond);
    check.needs = closure(maps, check.uses);
    constants_of(maps, check.a);
    constants_of(maps, check.b);
    cond_any(check.cond, push_constant, maps);
    vec_push(list, check);
}

static void add_le(struct cex_maps *maps, cex_check_vec *list, const struct iexp *a,
                   const struct iexp *b)
{
    add_check(maps, list, (struct cex_check){.kind = CEX_CHECK_LE, .a = a, .b = b});
}

static void add_eq(struct cex_maps *maps, cex_check_vec *list, const struct iexp *a,
                   const struct iexp *b)
{
    if (a != b && a != NULL && b != NULL)
        add_check(maps, list, (struct cex_check){.kind = CEX_CHECK_EQ, .a = a, .b = b});
}

static void add_cond(struct cex_maps *maps, cex_check_vec *list, const struct cond *condition)
{
    if (condition->op == COND_AND) {
        add_cond(maps, list, condition->l);
        add_cond(maps, list, condition->r);
    } else if (condition->op == COND_EQ) {
        add_eq(maps, list, condition->a, condition->b);
    } else {
        add_check(maps, list, (struct cex_check){.kind = CEX_CHECK_COND, .cond = condition});
    }
}

static void walk(struct cex_maps *maps, cex_check_vec *list, uint32_t root, bool *seen)
{
    const struct pat *pattern = &maps->rule->pats[root];
    if (seen[root])
        return;
    seen[root] = true;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        walk(maps, list, pattern->args[k], seen);
    cex_check_vec of_node = {0};
    cex_node_checks(maps->rule, pattern, maps->mem, &of_node);
    for (uint32_t i = 0; i < of_node.len; i++)
        if (cex_in_family(maps, of_node.at[i].cls))
            add_check(maps, list, of_node.at[i]);
    vec_release(&of_node);
}

void cex_collect_checks(struct cex_maps *maps)
{
    const struct rule *rule = maps->rule;
    bool *seen = ARENA_NEW(maps->mem, bool, rule->n_pats);
    const struct pat *lhs = &rule->pats[rule->lhs], *rhs = &rule->pats[rule->rhs];
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        for (uint32_t k = 0; k < rule->tensors[i].n_sizes; k++)
            if (cex_in_family(maps, rule->tensors[i].sizes[k].cls))
                add_le(maps, &maps->pre, &zero, rule->tensors[i].sizes[k].size);
    for (uint32_t i = 0; i < rule->n_wheres; i++) {
        if (rule->wheres[i].cond == NULL)
            walk(maps, &maps->pre, rule->wheres[i].pat, seen);
        else if (cex_in_family(maps, rule->wheres[i].family))
            add_cond(maps, &maps->pre, rule->wheres[i].cond);
    }
    walk(maps, &maps->pre, rule->lhs, seen);
    walk(maps, &maps->post, rule->rhs, seen);
    for (uint32_t i = 0; i < lhs->n_sizes; i++)
        if (cex_in_family(maps, lhs->sizes[i].cls))
            add_eq(maps, &maps->post, lhs->sizes[i].size, cex_size_in(rhs, lhs->sizes[i].cls));
}

// False if the check's value cannot be computed.
bool cex_check_holds(const struct cex_maps *maps, const struct cex_check *check)
{
    int64_t a = 0, b = 0, low = 0, high = 0, out;
    bool yes = false;
    if (check->uses & maps->undefined)
        return false;
    if (check->kind == CEX_CHECK_COND)
        return cond_eval(check->cond, maps->at, 0, &yes) && yes;
    if (!iexp_eval(check->a, maps->at, 0, &a) || !iexp_eval(check->b, maps->at, 0, &b))
        return false;
    if (check->kind == CEX_CHECK_LE)
        return a <= b;
    if (check->kind == CEX_CHECK_EQ)
        return a == b;
    low = b;
    return iexp_eval(check->c, maps->at, 0, &high) && iexp_eval(check->d, maps->at, 0, &b) &&
           pad_size(a, low, high, b, &out);
}

void cex_slots_init(struct cex_maps *maps)
{
    const struct rule *rule = maps->rule;
    maps->slot_of = ARENA_NEW(maps->mem, uint32_t, rule->n_maps);
    maps->now = ARENA_NEW(maps->mem, int64_t, rule->n_maps);
    maps->at = ARENA_NEW(maps->mem, int64_t *, rule->n_maps);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        maps->at[m] = &maps->now[m];
        maps->slot_of[m] = NONE;
        if (rule->maps[m].index || !cex_in_family(maps, rule->maps[m].cls) ||
            maps->n_slots == VERIFY_CEX_SLOTS)
            continue;
        uint32_t s = maps->n_slots++;
        maps->slot_of[m] = s;
        maps->map_of[s] = m;
        maps->is_let[s] = rule->maps[m].def != NULL;
        maps->needs[s] = maps->is_let[s] ? closure(maps, cex_iexp_uses(maps, rule->maps[m].def))
                                         : UINT64_C(1) << s;
        constants_of(maps, rule->maps[m].def);
    }
}

// The expression that an equality gives a free slot once `have` is assigned.
static const struct iexp *forced_by(const struct cex_maps *maps, uint32_t slot, uint64_t have)
{
    for (uint32_t i = 0; i < maps->pre.len; i++) {
        const struct cex_check *check = &maps->pre.at[i];
        if (check->kind != CEX_CHECK_EQ)
            continue;
        for (int side = 0; side < 2; side++) {
            const struct iexp *expr = side ? check->b : check->a;
            const struct iexp *y = side ? check->a : check->b;
            if (expr->op == IE_MAP && expr->map == maps->map_of[slot] &&
                (closure(maps, cex_iexp_uses(maps, y)) & ~have) == 0)
                return y;
        }
    }
    return NULL;
}

static bool is_tensor_size(const struct cex_maps *maps, uint32_t slot)
{
    const struct rule *rule = maps->rule;
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        for (uint32_t k = 0; k < rule->tensors[i].n_sizes; k++) {
            const struct iexp *expr = rule->tensors[i].sizes[k].size;
            if (expr->op == IE_MAP && expr->map == maps->map_of[slot])
                return true;
        }
    return false;
}

// The unassigned slot whose value completes most checks; sizes first.
static uint32_t best_slot(const struct cex_maps *maps, uint64_t have)
{
    uint32_t best = NONE, best_score = 0;
    for (uint32_t s = 0; s < maps->n_slots; s++) {
        if (maps->is_let[s] || have >> s & 1)
            continue;
        uint32_t score = is_tensor_size(maps, s) ? 1001 : 1;
        for (uint32_t i = 0; i < maps->pre.len; i++) {
            uint64_t miss = maps->pre.at[i].needs & ~have;
            score += miss == UINT64_C(1) << s ? 4 : 0;
        }
        if (score > best_score) {
            best_score = score;
            best = s;
        }
    }
    return best;
}

static bool unary_holds(struct cex_maps *maps, uint32_t slot, int64_t v)
{
    maps->now[maps->map_of[slot]] = v;
    for (uint32_t i = 0; i < maps->pre.len; i++)
        if (maps->pre.at[i].uses == UINT64_C(1) << slot && !cex_check_holds(maps, &maps->pre.at[i]))
            return false;
    return true;
}

static int64_t magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

// Keeps the values by distance from the least one, positive first.
static void put_value(struct cex_level *level, int64_t v)
{
    uint32_t i = 0;
    while (i < level->n_values && level->value[i] != v &&
           (magnitude(level->value[i]) < magnitude(v) ||
            (magnitude(level->value[i]) == magnitude(v) && level->value[i] > v)))
        i++;
    if (i == VERIFY_CEX_VALUES || (i < level->n_values && level->value[i] == v))
        return;
    if (level->n_values < VERIFY_CEX_VALUES)
        level->n_values++;
    for (uint32_t k = level->n_values - 1; k > i; k--)
        level->value[k] = level->value[k - 1];
    level->value[i] = v;
}

static void level_values(struct cex_maps *maps, struct cex_level *level)
{
    for (int64_t v = VERIFY_CEX_VALUE_LOWEST; v <= VERIFY_CEX_VALUE_HIGHEST; v++)
        if (unary_holds(maps, level->slot, v))
            put_value(level, v);
    for (uint32_t i = 0; i < maps->constants.len; i++)
        for (int64_t d = -1; d <= 1; d++)
            if (unary_holds(maps, level->slot, maps->constants.at[i] + d))
                put_value(level, maps->constants.at[i] + d);
    for (uint32_t i = 1; i < level->n_values; i++)
        level->weight[i] = cex_measure(level->value[i]) - cex_measure(level->value[0]);
    maps->now[maps->map_of[level->slot]] = 0;
}

void cex_order_levels(struct cex_maps *maps)
{
    uint64_t have = 0;
    uint32_t slot;
    while ((slot = best_slot(maps, have)) != NONE) {
        const struct iexp *forced = NULL;
        for (uint32_t s = 0; forced == NULL && s < maps->n_slots; s++)
            if (!maps->is_let[s] && !(have >> s & 1) && (forced = forced_by(maps, s, have)) != NULL)
                slot = s;
        struct cex_level *level = &maps->level[maps->n_levels];
        *level = (struct cex_level){.slot = slot, .forced = forced};
        if (forced == NULL) {
            level_values(maps, level);
            maps->last_free = maps->n_levels;
        }
        uint64_t before = have;
        have |= UINT64_C(1) << slot;
        level->first_check = maps->ordered.len;
        for (uint32_t i = 0; i < maps->pre.len; i++) {
            uint64_t needs = maps->pre.at[i].needs;
            if ((needs & ~have) == 0 &&
                ((needs & ~before) != 0 || (needs == 0 && maps->n_levels == 0)))
                vec_push(&maps->ordered, maps->pre.at[i]);
        }
        level->n_checks = maps->ordered.len - level->first_check;
        for (uint32_t s = 0; s < maps->n_slots; s++)
            if (maps->is_let[s] && (maps->needs[s] & ~have) == 0 &&
                ((maps->needs[s] & ~before) != 0 || (maps->needs[s] == 0 && maps->n_levels == 0)))
                level->lets |= UINT64_C(1) << s;
        maps->n_levels++;
    }
}
