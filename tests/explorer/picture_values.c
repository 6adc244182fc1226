// SPDX-License-Identifier: Apache-2.0
// Instances of rules, evaluated by the interpreter, for tests/explorer/picture.js.
//   picture_values FILE-OR-FOLDER: a JSON object a line: the picture's data, the ranks, the
//   values of the maps, what the instance is ("ok", "precondition", "left", "right", "type")
//   and both sides.  Element k of tensor t is 1000*(t + 1) + k, scalar
//   s is 1000*(tensors + s + 1).
#include "explorer/pages/rule.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include <jansson.h>

enum { TRIES = 4000, GOOD = 12, BAD = 12 };

// Types, operators: i64 everywhere, sums and negations.
static bool choose(const struct rule *rule, struct ground *ground, struct arena *mem)
{
    enum elem *elem = ARENA_NEW(mem, enum elem, rule->n_types + 1);
    struct op_binding *op = ARENA_NEW(mem, struct op_binding, rule->n_opvars + 1);
    for (uint32_t i = 0; i < rule->n_types; i++) {
        elem[i] = ELEM_I64;
        if (!(rule->types[i].kinds & KIND_SINT))
            return false;
    }
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        op[i] = (struct op_binding){rule->opvars[i].n_args == 1 ? OP_NEGATE : OP_ADD, NO_ATTR};
        if (rule->opvars[i].n_args > 2 || rule->opvars[i].kind == OPVAR_MONOTONE)
            return false;
    }
    ground->elem = elem;
    ground->op = op;
    return true;
}

// Ranks 0 and 1; a block and the classes that reshapes join have one axis.
static void choose_ranks(const struct rule *rule, struct rng *rng, uint32_t *rank)
{
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        const struct axis_class *cls = &rule->classes[c];
        bool one = cls->single || cls->least_rank > 0 || cls->block;
        for (uint32_t k = 0; k < rule->n_classes; k++)
            one = one || (k != c && rule->classes[k].joint == cls->joint) ||
                  (rule->classes[k].like == cls->like &&
                   (rule->classes[k].single || rule->classes[k].least_rank > 0));
        rank[c] = cls->like < c ? rank[cls->like] : one || rng_below(rng, 4) > 0;
    }
    for (uint32_t c = 0; c < rule->n_classes; c++) // a partner may ask for one axis
        rank[c] = rank[rule->classes[c].like];
}

static void choose_maps(const struct rule *rule, const uint32_t *rank, struct rng *rng,
                        int64_t **map, struct arena *mem)
{
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        map[m] = ARENA_NEW(mem, int64_t, 1);
        for (uint32_t i = 0; i < rank[rule->maps[m].cls]; i++)
            map[m][i] = (int64_t)rng_below(rng, 7) - (rng_below(rng, 8) == 0);
    }
}

static json_t *elements(const struct pool *pool, const struct value *value)
{
    json_t *out = json_array();
    int64_t n = type_count(pool, value->type);
    for (int64_t i = 0; i < n; i++)
        json_array_append_new(
            out, json_integer((int64_t)scalar_load(ELEM_I64, value->data, (size_t)i).bits));
    return out;
}

static struct value parameter(struct pool *pool, type_id type, uint32_t number, struct arena *mem)
{
    int64_t n = type_count(pool, type), *data = ARENA_NEW(mem, int64_t, n + 1);
    for (int64_t k = 0; k < n; k++)
        data[k] = 1000 * (int64_t)(number + 1) + k;
    return (struct value){type, data};
}

struct run {
    const struct rule *rule;
    struct pool *pool;
    struct terms *terms;
    struct arena *mem;
};

// {"axes": the class of each dimension, "data": the elements}; null: they are no i64.  The right
// side is built with the dimensions of the left one, `pat`.
static json_t *side(const struct run *run, const struct instance *in, uint32_t pat, term_id root)
{
    const struct order *order = &in->pat[pat].out;
    json_t *axes = json_array();
    uint32_t n = run->rule->n_tensors + run->rule->n_scalars;
    struct value *values = ARENA_NEW(run->mem, struct value, n + 1), out;
    struct err err = {0};
    for (uint32_t i = 0; i < n; i++) {
        term_id term =
            i < run->rule->n_tensors ? in->tensor[i] : in->scalar[i - run->rule->n_tensors];
        values[i] = parameter(run->pool, term_type(run->terms, term), i, run->mem);
    }
    bool ok =
        eval_terms(&(struct eval_input){run->terms, n, values, run->mem}, 1, &root, &out, &err) &&
        type_elem(run->pool, out.type) == ELEM_I64;
    for (uint32_t i = 0; i < order->n; i++)
        json_array_append_new(axes, json_integer(in->axis_class[order->axis[i]]));
    return json_pack("{s:o, s:o}", "axes", axes, "data",
                     ok ? elements(run->pool, &out) : json_null());
}

// Prints the instance if there are not enough of its kind.
static void try_one(const struct run *run, struct rng *rng, struct ground *ground,
                    const char *picture, uint32_t *count)
{
    static const char *const names[] = {"ok", "precondition", "left", "right", "type"};
    const struct rule *rule = run->rule;
    uint32_t *rank = ARENA_NEW(run->mem, uint32_t, rule->n_classes + 1);
    int64_t **map = ARENA_NEW(run->mem, int64_t *, rule->n_maps + 1);
    term_id *cond = ARENA_NEW(run->mem, term_id, rule->n_wheres + 1), lhs, rhs;
    struct instance *in;
    struct err err = {0};
    choose_ranks(rule, rng, rank);
    choose_maps(rule, rank, rng, map, run->mem);
    ground->rank = rank;
    ground->map = map;
    enum ground_status status =
        rule_ground(rule, ground, (struct ground_place){run->terms, NULL, run->mem},
                    (struct ground_out){&in, &lhs, &rhs, cond}, &err);
    if (++count[status] > (status == GROUND_OK ? GOOD : BAD))
        return;
    json_t *maps = json_array(), *ranks = json_array();
    for (uint32_t m = 0; m < rule->n_maps; m++)
        json_array_append_new(maps, json_integer(map[m][0]));
    for (uint32_t c = 0; c < rule->n_classes; c++)
        json_array_append_new(ranks, json_integer(rank[c]));
    bool left = status != GROUND_PRE_FALSE && status != GROUND_LHS_INVALID;
    bool right = left && status != GROUND_RHS_INVALID;
    json_t *line =
        json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "rule", rule->name, "picture",
                  json_loads(picture, 0, NULL), "ranks", ranks, "maps", maps, "status",
                  names[status], "left", left ? side(run, in, rule->lhs, lhs) : json_null(),
                  "right", right ? side(run, in, rule->lhs, rhs) : json_null());
    char *text = json_dumps(line, JSON_COMPACT);
    puts(text);
    free(text);
    json_decref(line);
}

static void try_rule(const struct rule *rule, uint64_t seed)
{
    char *picture = picture_json(rule);
    struct arena mem = {0};
    struct rng rng;
    struct ground ground = {.index_elem = ELEM_OTHER};
    uint32_t count[5] = {0};
    rng_seed(&rng, seed);
    bool ok = picture && choose(rule, &ground, &mem);
    for (int i = 0; ok && i < TRIES && count[GROUND_OK] < GOOD; i++) {
        struct pool pool;
        struct terms terms;
        struct arena scratch = {0};
        pool_init(&pool);
        terms_init(&terms, &pool);
        try_one(&(struct run){rule, &pool, &terms, &scratch}, &rng, &ground, picture, count);
        terms_release(&terms);
        pool_release(&pool);
        arena_release(&scratch);
    }
    arena_release(&mem);
    free(picture);
}

int main(int argc, char **argv)
{
    struct ruleset set;
    struct err_list errors = {0};
    ruleset_init(&set);
    if (argc != 2 || !ruleset_load(&set, argv[1], &errors))
        return 1;
    for (uint32_t i = 0; i < set.rules.len; i++)
        try_rule(set.rules.at[i], i + 1);
    vec_release(&errors.at);
    ruleset_release(&set);
    return 0;
}
