// SPDX-License-Identifier: Apache-2.0
// tests/wrong/several.rw and least.rw: no instance simpler than a rule's counterexample fails.
// The simpler instances are enumerated here by counting: every rank, every value of every map,
// every element.  Run in the root of the repository; arguments name other files, of whose
// rules some may be true.
#include "tensor/eval/eval.h"
#include "verify/counterexample/json.h"
#include "verify/counterexample/search.h"
#include "verify/counterexample/values.h"
#include "verify/prove.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <jansson.h>
#include <cmocka.h>

#define MOST_INSTANCES 600000
#define MOST_VECTORS 3000
#define MOST_ELEMENTS 10
#define FULL_AXES 2 // of an instance that lacks less
#define FULL_WEIGHT 6
#define FEW_STEPS 50000

struct brute {
    const struct rule *rule;
    struct arena mem, scratch;
    struct pool pool;
    struct terms terms;
    struct cex_hint found; // ranks and maps of the counterexample
    enum elem *elem, index_elem;
    uint32_t axes, weight, lack; // of it
    uint32_t *rank;
    int64_t **map;
    uint32_t *slot_map, *slot_at, n_slots; // the values that are counted through
    uint64_t instances, vectors, below;
    bool stopped;
    // the instance that is grounded
    term_id lhs, rhs, *cond;
    uint32_t n_params, n_elements;
    struct value *value;
    struct cex_simple simple[MOST_ELEMENTS];
    uint32_t param[MOST_ELEMENTS], at[MOST_ELEMENTS], place[MOST_ELEMENTS];
};

static uint32_t lack_of(struct brute *brute, const struct instance *in)
{
    const struct rule *rule = brute->rule;
    uint32_t lack = 0;
    for (uint32_t i = 0; i < brute->n_params; i++) {
        term_id term = i < rule->n_tensors ? in->tensor[i] : in->scalar[i - rule->n_tensors];
        brute->value[i].type = term_type(&brute->terms, term);
        if (type_count(&brute->pool, brute->value[i].type) == 0)
            lack = 1;
    }
    return type_count(&brute->pool, term_type(&brute->terms, brute->lhs)) == 0 ? 2 : lack;
}

static bool conditions_hold(struct brute *brute, const struct eval_input *input)
{
    struct err err = {0};
    for (uint32_t w = 0; w < brute->rule->n_wheres; w++) {
        struct value value;
        if (brute->rule->wheres[w].cond != NULL)
            continue;
        if (!eval_terms(input, 1, &brute->cond[w], &value, &err))
            return false;
        for (int64_t i = 0; i < type_count(&brute->pool, value.type); i++)
            if (((const unsigned char *)value.data)[i] == 0)
                return false;
    }
    return true;
}

// Do the sides differ with the elements at these places?  All bits count.
static bool differs(struct brute *brute)
{
    struct err err = {0};
    struct value side[2];
    int64_t index;
    struct arena_mark mark = arena_mark(&brute->scratch);
    struct eval_input input = {&brute->terms, brute->n_params, brute->value, &brute->scratch};
    for (uint32_t i = 0; i < brute->n_elements; i++) {
        struct value *value = &brute->value[brute->param[i]];
        scalar_store(type_elem(&brute->pool, value->type), (void *)value->data, brute->at[i],
                     brute->simple[i].at[brute->place[i]]);
    }
    bool differs = conditions_hold(brute, &input) &&
                   eval_terms(&input, 2, (term_id[]){brute->lhs, brute->rhs}, side, &err) &&
                   !value_same(&brute->pool, &side[0], &side[1], 0, &index);
    arena_reset(&brute->scratch, mark);
    return differs;
}

// Fewer elements get more values.
static uint32_t values_of(uint32_t n_elements)
{
    return n_elements <= 4 ? 5 : n_elements <= 6 ? 3 : 2;
}

// Room for the elements, each with all simple values or the first ones.  False if there are
// too many elements.
static bool make_elements(struct brute *brute, bool all_values)
{
    brute->n_elements = 0;
    for (uint32_t i = 0; i < brute->n_params; i++) {
        enum elem elem = type_elem(&brute->pool, brute->value[i].type);
        uint32_t n = (uint32_t)type_count(&brute->pool, brute->value[i].type);
        brute->value[i].data = arena_alloc(&brute->scratch, n * elem_bytes(elem) + 1);
        if (n > MOST_ELEMENTS - brute->n_elements)
            return false;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t e = brute->n_elements++;
            brute->param[e] = i;
            brute->at[e] = k;
            brute->place[e] = 0;
            cex_simple_values(brute->rule, elem, false, &brute->simple[e]);
        }
    }
    for (uint32_t e = 0; e < brute->n_elements && !all_values; e++)
        if (brute->simple[e].n > values_of(brute->n_elements))
            brute->simple[e].n = values_of(brute->n_elements);
    return true;
}

// The next vector of places; false after the last.
static bool next_places(struct brute *brute)
{
    for (uint32_t i = 0; i < brute->n_elements; i++) {
        if (++brute->place[i] < brute->simple[i].n)
            return true;
        brute->place[i] = 0;
    }
    return false;
}

static enum ground_status ground(struct brute *brute, struct instance **in)
{
    struct ground ground = {brute->rank, brute->map, brute->elem, NULL, brute->index_elem};
    brute->cond = ARENA_NEW(&brute->scratch, term_id, brute->rule->n_wheres + 1u);
    return rule_ground(brute->rule, &ground,
                       (struct ground_place){&brute->terms, NULL, &brute->scratch},
                       (struct ground_out){in, &brute->lhs, &brute->rhs, brute->cond}, NULL);
}

// The instance with these ranks and maps comes before the counterexample.  Does it fail?
static bool instance_fails(struct brute *brute)
{
    struct instance *in;
    bool fails = false;
    arena_reset(&brute->scratch, (struct arena_mark){0});
    enum ground_status status = ground(brute, &in);
    brute->n_params = brute->rule->n_tensors + brute->rule->n_scalars;
    brute->value = ARENA_NEW(&brute->scratch, struct value, brute->n_params + 1u);
    if (status != GROUND_PRE_FALSE && status != GROUND_LHS_INVALID &&
        lack_of(brute, in) <= brute->lack && make_elements(brute, false)) {
        bool conditions = false; // on elements
        brute->below++;
        for (uint32_t w = 0; w < brute->rule->n_wheres; w++)
            conditions |= brute->rule->wheres[w].cond == NULL;
        if (status != GROUND_OK)
            fails = !conditions;
        else
            do
                fails = differs(brute);
            while (!fails && next_places(brute));
    }
    terms_release(&brute->terms);
    pool_release(&brute->pool);
    pool_init(&brute->pool);
    terms_init(&brute->terms, &brute->pool);
    return fails;
}

// All values of the maps from `slot` on that weigh `left` together; indices weigh nothing.
static bool maps_fail(struct brute *brute, uint32_t slot, int64_t left)
{
    if (slot == brute->n_slots) {
        if (left > 0 || brute->stopped)
            return false;
        brute->stopped = ++brute->instances > MOST_INSTANCES;
        return !brute->stopped && instance_fails(brute);
    }
    bool index = brute->rule->maps[brute->slot_map[slot]].index;
    for (int64_t v = index ? -1 : -left; v <= (index ? 3 : left) && !brute->stopped; v++) {
        brute->map[brute->slot_map[slot]][brute->slot_at[slot]] = v;
        if (maps_fail(brute, slot + 1, index ? left : left - (v < 0 ? -v : v)))
            return true;
    }
    return false;
}

static bool weights_fail(struct brute *brute, uint32_t weights)
{
    const struct rule *rule = brute->rule;
    brute->n_slots = 0;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        brute->map[m] = ARENA_NEW(&brute->mem, int64_t, brute->rank[rule->maps[m].cls] + 1u);
        for (uint32_t i = 0; rule->maps[m].def == NULL && i < brute->rank[rule->maps[m].cls]; i++) {
            brute->slot_map[brute->n_slots] = m;
            brute->slot_at[brute->n_slots++] = i;
        }
    }
    for (uint32_t w = 0; w < weights && !brute->stopped; w++)
        if (maps_fail(brute, 0, w))
            return true;
    return false;
}

// All ranks of the classes from `cls` on with so many axes beyond the least ranks, and weights
// below `weights`.
static bool ranks_fail(struct brute *brute, uint32_t cls, uint32_t left, uint32_t weights)
{
    if (cls == brute->rule->n_classes)
        return left == 0 && weights_fail(brute, weights);
    const struct axis_class *class = &brute->rule->classes[cls];
    if (class->like != cls) {
        brute->rank[cls] = brute->rank[class->like];
        return ranks_fail(brute, cls + 1, left, weights);
    }
    for (uint32_t k = 0; k <= (class->single ? 0 : left); k++) {
        brute->rank[cls] = (class->single ? 1 : class->least_rank) + k;
        if (ranks_fail(brute, cls + 1, left - k, weights))
            return true;
    }
    return false;
}

static json_t *value_of(const json_t *root, const struct rule *rule, uint32_t param, uint32_t at)
{
    if (param >= rule->n_tensors)
        return json_object_get(json_object_get(root, "scalars"),
                               rule->scalars[param - rule->n_tensors].name);
    const json_t *tensor =
        json_object_get(json_object_get(root, "tensors"), rule->tensors[param].name);
    return json_array_get(json_object_get(tensor, "data"), at);
}

// Does a vector of elements with a smaller sum of places fail at the same instance?
static bool elements_fail(struct brute *brute, const json_t *root)
{
    struct instance *in;
    uint32_t sum = 0, tried = 0;
    arena_reset(&brute->scratch, (struct arena_mark){0});
    for (uint32_t m = 0; m < brute->rule->n_maps; m++)
        brute->map[m] = brute->found.map[m];
    for (uint32_t c = 0; c < brute->rule->n_classes; c++)
        brute->rank[c] = brute->found.rank[c];
    if (ground(brute, &in) != GROUND_OK)
        return false; // elements do not matter
    brute->n_params = brute->rule->n_tensors + brute->rule->n_scalars;
    brute->value = ARENA_NEW(&brute->scratch, struct value, brute->n_params + 1u);
    lack_of(brute, in);
    if (!make_elements(brute, true))
        return false;
    for (uint32_t e = 0; e < brute->n_elements; e++) {
        struct scalar scalar;
        enum elem elem = type_elem(&brute->pool, brute->value[brute->param[e]].type);
        assert_true(cex_element_parse(
            elem, value_of(root, brute->rule, brute->param[e], brute->at[e]), &scalar));
        sum += cex_simplicity(&brute->simple[e], elem, scalar);
    }
    for (uint32_t e = 0; e < brute->n_elements; e++)
        if (brute->simple[e].n > sum + 1)
            brute->simple[e].n = sum + 1;
    do {
        uint32_t now = 0;
        for (uint32_t e = 0; e < brute->n_elements; e++)
            now += brute->place[e];
        if (now < sum && tried++ < MOST_VECTORS && differs(brute))
            return true;
    } while (next_places(brute) && ++brute->vectors < 100 * MOST_VECTORS);
    return false;
}

static void brute_init(struct brute *brute, const struct rule *rule, const json_t *root,
                       const char *json)
{
    uint32_t slots = 0;
    *brute = (struct brute){.rule = rule, .index_elem = ELEM_I32};
    assert_true(cex_hint_of(rule, json, &brute->mem, &brute->found));
    brute->elem = ARENA_NEW(&brute->mem, enum elem, rule->n_types + 1u);
    brute->rank = ARENA_NEW(&brute->mem, uint32_t, rule->n_classes + 1u);
    brute->map = ARENA_NEW(&brute->mem, int64_t *, rule->n_maps + 1u);
    for (uint32_t i = 0; i < rule->n_types; i++) {
        char name[16];
        const char *text = json_string_value(
            json_object_get(json_object_get(root, "types"), cex_type_name(rule, i, name)));
        assert_true(elem_by_text(text, strlen(text), &brute->elem[i]));
    }
    const char *index = json_string_value(json_object_get(root, "index_type"));
    assert_true(index == NULL || elem_by_text(index, strlen(index), &brute->index_elem));
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (rule->classes[c].like == c && !rule->classes[c].single)
            brute->axes += brute->found.rank[c] - rule->classes[c].least_rank;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; i < brute->found.rank[rule->maps[m].cls]; i++, slots++)
            if (rule->maps[m].def == NULL && !rule->maps[m].index)
                brute->weight += (uint32_t)llabs(brute->found.map[m][i]);
    slots += rule->n_maps * (brute->axes + FULL_AXES + 2);
    brute->slot_map = ARENA_NEW(&brute->mem, uint32_t, slots);
    brute->slot_at = ARENA_NEW(&brute->mem, uint32_t, slots);
    pool_init(&brute->pool);
    terms_init(&brute->terms, &brute->pool);
}

static void brute_release(struct brute *brute)
{
    terms_release(&brute->terms);
    pool_release(&brute->pool);
    arena_release(&brute->scratch);
    arena_release(&brute->mem);
}

static void set_lack(struct brute *brute)
{
    struct instance *in;
    brute->lack = 2;
    for (uint32_t m = 0; m < brute->rule->n_maps; m++)
        brute->map[m] = brute->found.map[m];
    for (uint32_t c = 0; c < brute->rule->n_classes; c++)
        brute->rank[c] = brute->found.rank[c];
    ground(brute, &in);
    brute->n_params = brute->rule->n_tensors + brute->rule->n_scalars;
    brute->value = ARENA_NEW(&brute->scratch, struct value, brute->n_params + 1u);
    brute->lack = lack_of(brute, in);
}

// What the brute force evaluates is exact: no rounding explains a difference, nor an order of
// terms.  Operator variables have no operator there.
static bool is_exact(const struct rule *rule, enum domain domain)
{
    if (rule->n_opvars > 0)
        return false;
    for (uint32_t i = 0; i < rule->n_pats && domain != DOMAIN_WORD; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->kind == PAT_OP && (op_is_transcendental(pattern->op) ||
                                        (domain == DOMAIN_FLOAT && op_has_reducer(pattern->op))))
            return false;
    }
    return true;
}

// An instance that lacks less comes before, however many axes it has.
static bool fuller_fail(struct brute *brute)
{
    uint32_t lack = brute->lack;
    if (lack == 0)
        return false;
    brute->lack = lack - 1;
    for (uint32_t axes = 0; axes <= FULL_AXES; axes++)
        if (ranks_fail(brute, 0, axes, FULL_WEIGHT))
            return true;
    brute->lack = lack;
    return false;
}

static bool same_place(const json_t *root, const json_t *other)
{
    return other != NULL &&
           json_equal(json_object_get(root, "ranks"), json_object_get(other, "ranks")) &&
           json_equal(json_object_get(root, "maps"), json_object_get(other, "maps"));
}

// The number of instances before the counterexample, if none of them fails; `why` says
// which one does.  Those before the place of the other counterexample are known not to.
static uint64_t check_least(const struct rule *rule, const char *json, const json_t *other,
                            const char **why)
{
    struct brute brute;
    json_t *root = json_loads(json, 0, NULL);
    bool known = same_place(root, other);
    brute_init(&brute, rule, root, json);
    set_lack(&brute);
    *why = !known && fuller_fail(&brute) ? "a fuller instance fails" : NULL;
    for (uint32_t axes = 0; axes <= brute.axes && *why == NULL && !known; axes++)
        if (ranks_fail(&brute, 0, axes, brute.weight + (axes < brute.axes)))
            *why = axes < brute.axes ? "an instance of fewer axes fails" : "a lighter one fails";
    if (*why == NULL && elements_fail(&brute, root))
        *why = "simpler elements fail";
    uint64_t below = brute.below;
    brute_release(&brute);
    json_decref(root);
    return below;
}

// Checks all refutations of a rule; the last argument counts the instances before them.
static uint32_t check_rule(const struct rule *rule, unsigned domains, uint64_t *below)
{
    struct prove_options options = {.domains = domains, .rlimit = FEW_STEPS};
    struct report report = {0};
    json_t *last = NULL;
    uint32_t bad = 0;
    prove_rule(rule, &options, &report);
    for (uint32_t i = 0; i < report.domains.len; i++) {
        const struct domain_report *one = &report.domains.at[i];
        const char *why = NULL;
        if (one->verdict != VERDICT_REFUTED || !is_exact(rule, one->domain))
            continue;
        *below += check_least(rule, one->counterexample, last, &why);
        json_decref(last);
        last = json_loads(one->counterexample, 0, NULL);
        if (why == NULL)
            continue;
        bad++;
        print_message("%s in %s: %s: %s\n", rule->name, domain_text(one->domain), why,
                      one->counterexample);
    }
    json_decref(last);
    report_release(&report);
    return bad;
}

static void load(struct ruleset *set, const char *file)
{
    struct err_list errs = {0};
    ruleset_init(set);
    assert_true(ruleset_load(set, file, &errs));
    vec_release(&errs.at);
}

static void check_all(const char *file, uint32_t least_rules, uint64_t least_below)
{
    struct ruleset set;
    uint64_t below = 0;
    uint32_t bad = 0;
    load(&set, file);
    assert_true(set.rules.len >= least_rules);
    for (uint32_t i = 0; i < set.rules.len; i++)
        bad += check_rule(set.rules.at[i], set.rules.at[i]->claims, &below);
    print_message("%llu instances before the counterexamples\n", (unsigned long long)below);
    assert_int_equal(bad, 0);
    assert_true(below > least_below);
    ruleset_release(&set);
}

static void test_several(void **state)
{
    (void)state;
    check_all("tests/wrong/several.rw", 32, 200);
}

static void test_easily_missed(void **state)
{
    (void)state;
    check_all("tests/wrong/least.rw", 8, 50);
}

static int check_file(const char *file)
{
    struct ruleset set;
    uint64_t below = 0;
    uint32_t bad = 0;
    load(&set, file);
    for (uint32_t i = 0; i < set.rules.len; i++)
        bad += check_rule(set.rules.at[i], 0, &below);
    ruleset_release(&set);
    return bad > 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_easily_missed)};
    int bad = 0;
    for (int i = 1; i < argc; i++)
        bad |= check_file(argv[i]);
    return argc > 1 ? bad : cmocka_run_group_tests(tests, NULL, NULL);
}
