// SPDX-License-Identifier: Apache-2.0
// Reads a formula from its text: the term, its shape, and the assumptions.
#include "formula/language/maker.h"

#include "base/text/excerpt.h"
#include "formula/limits.h"

#include <math.h>

static bool make_root(struct term_maker *maker)
{
    uint32_t root = maker->reading->ast.root, index[FORMULA_POSITIONS];
    const struct formula_shape shape = *maker_shape(maker, root);
    for (uint32_t q = 0; q < FORMULA_POSITIONS; q++)
        index[q] = NO_INDEX;
    for (uint32_t q = shape.rank; q-- > 0;) {
        if (!(shape.kept >> q & 1))
            index[q] = maker_index(maker, shape.dim[q], index, FORMULA_POSITIONS);
        vec_push(&maker->formula->shape,
                 index[q] == NO_INDEX ? NULL : maker->index.at[index[q]].name);
    }
    for (uint32_t i = 0; i < maker->reading->axis.len; i++)
        if (axis_set_has(shape.free, i))
            vec_push(&maker->formula->shape, maker->reading->axis.at[i].name);
    maker->formula->by_name = !axis_set_is_empty(shape.free);
    return maker_term(maker, root, index, &maker->formula->term);
}

static void add_given(struct term_maker *maker, fterm cond, enum given_by by)
{
    for (uint32_t i = 0; i < maker->formula->givens.len; i++)
        if (maker->formula->givens.at[i].cond == cond)
            return;
    struct fgiven given = {cond, by};
    vec_push(&maker->formula->givens, given);
}

// An assumption about x holds for x{i,k} and for x{j,k}.  It is made for all
// names of indices, up to the limit on assumptions; *some: one was made
// already.
static bool make_given(struct term_maker *maker, uint32_t node, uint32_t q, uint32_t *index,
                       bool *some)
{
    const struct formula_shape shape = *maker_shape(maker, node);
    fterm cond;
    if (q == shape.rank) {
        if (!maker_term(maker, node, index, &cond))
            return false;
        if (!*some || maker->formula->givens.len < FORMULA_GIVENS)
            add_given(maker, cond, GIVEN_DECLARED);
        *some = true;
        return true;
    }
    index[q] = NO_INDEX;
    if (shape.kept >> q & 1)
        return make_given(maker, node, q + 1, index, some);
    uint32_t dim = reading_dim(maker->reading, shape.dim[q]), n = maker->index.len;
    for (uint32_t i = 0; i < n; i++) {
        if (maker->index.at[i].dim != dim || maker_index_taken(i, index, q))
            continue;
        index[q] = i;
        if (!make_given(maker, node, q + 1, index, some))
            return false;
    }
    return true;
}

static bool is_declared(const struct term_maker *maker, const char *name)
{
    for (uint32_t i = 0; i < maker->reading->variable.len; i++)
        if (strcmp(maker->reading->variable.at[i].name, name) == 0)
            return maker->reading->variable.at[i].declared ||
                   maker->reading->variable.at[i].rank > 0;
    return true;
}

static void add_extents(struct term_maker *maker)
{
    fterm zero = maker_number(maker, "0"), one = maker_number(maker, "1");
    for (uint32_t i = 0; i < maker->index.len; i++) {
        fterm term = maker_count(maker, i);
        add_given(maker, maker_binary(maker, "le", one, term), GIVEN_EXTENT);
        add_given(maker, maker_binary(maker, "lt", zero, term), GIVEN_EXTENT);
        add_given(maker, maker_binary(maker, "ne", term, zero), GIVEN_EXTENT);
        uint32_t first = maker_index(maker, maker->index.at[i].dim, NULL, 0);
        if (first != i)
            add_given(maker, maker_binary(maker, "eq", maker_count(maker, first), term),
                      GIVEN_EXTENT);
    }
    for (uint32_t i = 0; i < maker->reading->cat.len; i++) {
        const struct rcat *cat = &maker->reading->cat.at[i];
        fterm u = maker_count(maker, maker_index(maker, cat->first, NULL, 0));
        fterm v = maker_count(maker, maker_index(maker, cat->second, NULL, 0));
        fterm n = maker_count(maker, maker_index(maker, cat->sum, NULL, 0));
        add_given(maker, maker_binary(maker, "eq", n, maker_binary(maker, "add", u, v)),
                  GIVEN_EXTENT);
    }
}

static bool add_givens(struct term_maker *maker)
{
    fterm zero = maker_number(maker, "0"), three = maker_number(maker, "3");
    fterm pi = fterm_make(maker->terms, "pi", 0, NULL);
    uint32_t index[FORMULA_POSITIONS + 1];
    for (uint32_t i = 0; i < maker->reading->ast.given.len; i++) {
        bool some = false;
        if (i == FORMULA_GIVENS)
            return reading_fail(maker->reading, maker->reading->ast.given.at[i],
                                "more than %d conditions are given", FORMULA_GIVENS);
        if (!make_given(maker, maker->reading->ast.given.at[i], 0, index, &some))
            return false;
    }
    if (!is_declared(maker, "eps"))
        add_given(maker, maker_binary(maker, "lt", zero, fterm_make(maker->terms, "eps", 0, NULL)),
                  GIVEN_DECLARED);
    add_extents(maker);
    add_given(maker, maker_binary(maker, "lt", zero, pi), GIVEN_NUMBER);
    add_given(maker, maker_binary(maker, "lt", three, pi), GIVEN_NUMBER);
    return true;
}

// The undeclared `e` of e^x.
static bool is_euler(const struct reading *reading, uint32_t v)
{
    if (reading->variable.at[v].declared || strcmp(reading->variable.at[v].name, "e") != 0)
        return false;
    for (uint32_t x = 0; x < reading->ast.node.len; x++) {
        const struct name_meaning *meaning = &reading->meaning.at[x];
        if (meaning->kind != MEANS_OP || strcmp(meaning->op, "power") != 0)
            continue;
        const struct name_meaning *base =
            &reading->meaning.at[reading->ast.arg.at[reading->ast.node.at[x].at]];
        if (base->kind == MEANS_VARIABLE && base->variable == v)
            return true;
    }
    return false;
}

static void list_variables(struct term_maker *maker)
{
    struct formula *formula = maker->formula;
    for (uint32_t i = 0; i < maker->reading->variable.len; i++) {
        const struct rvariable *variable = &maker->reading->variable.at[i];
        bool assumed =
            variable->rank > 0 && !variable->fixed && !variable->operand && variable->reduced;
        struct fvariable x = {.name = variable->name,
                              .at = formula->axes.len,
                              .n = variable->rank,
                              .assumed = assumed,
                              .euler = is_euler(maker->reading, i)};
        for (uint32_t q = variable->rank; q-- > 0;)
            vec_push(&formula->axes,
                     maker->index.at[maker_index(maker, variable->dim[q], NULL, 0)].name);
        vec_push(&formula->variables, x);
    }
}

// What it costs to read is counted on the tree, however much of the term is shared.
static bool check_length(struct term_maker *maker)
{
    struct u32_vec reach = {0};
    fterms_reach(maker->terms, 1, &maker->formula->term, &reach);
    double *size = mem_alloc((maker->formula->term + 1) * sizeof *size);
    for (uint32_t i = 0; i < reach.len; i++) {
        fterm term = reach.at[i];
        size[term] = 1;
        for (uint32_t k = 0; k < fterm_n(maker->terms, term); k++)
            size[term] += size[fterm_args(maker->terms, term)[k]];
    }
    bool ok = size[maker->formula->term] <= ldexp(1, FORMULA_TREE_BITS);
    mem_free(size);
    vec_release(&reach);
    return ok || reading_fail(maker->reading, maker->reading->ast.root,
                              "the formula is too long, definitions written "
                              "out: more than 2^%d operators",
                              FORMULA_TREE_BITS);
}

static bool elaborate(struct reading *reading, struct formula *formula)
{
    struct term_maker maker = {.reading = reading, .terms = formula->terms, .formula = formula};
    vec_zero(&maker.first, reading->ast.node.len);
    maker.first.len = reading->ast.node.len;
    maker_name_sizes(&maker);
    bool ok = make_root(&maker) && check_length(&maker) && add_givens(&maker);
    if (ok)
        list_variables(&maker);
    vec_release(&maker.index);
    vec_release(&maker.made);
    vec_release(&maker.first);
    buf_release(&maker.text);
    return ok;
}

static void reading_release(struct reading *reading)
{
    ast_release(&reading->ast);
    vec_release(&reading->meaning);
    vec_release(&reading->shape);
    vec_release(&reading->variable);
    vec_release(&reading->axis);
    vec_release(&reading->dim);
    vec_release(&reading->dim_axis);
    vec_release(&reading->cat);
}

bool formula_read(struct formula *formula, struct fterms *terms, const struct fdefines *defs,
                  const char *file, const char *text, struct err *err)
{
    struct reading reading = {.formula = formula, .defs = defs, .file = file, .err = err};
    memset(formula, 0, sizeof *formula);
    formula->terms = terms;
    formula->defs = defs;
    intern_init(&formula->names);
    bool ok = ast_parse(&reading.ast, &formula->names, file, text, err) &&
              reading_resolve(&reading) && reading_infer(&reading) && elaborate(&reading, formula);
    reading_release(&reading);
    if (!ok) {
        excerpt_attach(err, text, strlen(text));
        formula_release(formula);
        memset(formula, 0, sizeof *formula);
    }
    return ok;
}

void formula_release(struct formula *formula)
{
    intern_release(&formula->names);
    vec_release(&formula->variables);
    vec_release(&formula->axes);
    vec_release(&formula->shape);
    vec_release(&formula->extents);
    vec_release(&formula->givens);
    vec_release(&formula->constants);
}

// Counted from the last, each position of the output is that of the input, has
// extent 1, or is missing.  In the last two cases the output is constant along
// the position (0 for x - x).  Elements have names in place of positions.
bool formula_fits(const struct formula *out, const struct formula *in)
{
    uint32_t n = out->shape.len, m = in->shape.len;
    bool names = out->by_name && in->by_name, ok = names || n <= m;
    for (uint32_t i = 1; i <= n && ok; i++) {
        const char *axis = out->shape.at[n - i];
        bool found = axis == NULL;
        for (uint32_t k = 1; k <= m && !found; k++)
            found = (names || k == i) && in->shape.at[m - k] != NULL &&
                    strcmp(axis, in->shape.at[m - k]) == 0;
        ok = found;
    }
    return ok;
}
