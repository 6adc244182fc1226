// SPDX-License-Identifier: Apache-2.0
#include "loops/validate/numbers.h"
#include <math.h>
#include <stdlib.h>

void numbers_init(struct numbers *numbers, struct lterms *terms, const struct execution *run)
{
    *numbers = (struct numbers){.terms = terms, .run = run};
    for (uint32_t i = 0; i < run->scalar.len; i++) {
        const struct code_parameter *parameter = &run->program->parameter.at[i];
        if (!parameter->array && parameter->type.kind == CODE_INT)
            numbers_set(numbers, int_symbol(terms->in, code_parameter_name(run->program, i)),
                        run->scalar.at[i].whole);
    }
}

void numbers_release(struct numbers *numbers)
{
    vec_release(&numbers->value);
    vec_release(&numbers->known);
    vec_release(&numbers->kept);
}

static double problem(struct numbers *numbers, const char *what)
{
    if (numbers->problem == NULL)
        numbers->problem = what;
    return 0;
}

static void set_atom(struct numbers *numbers, iatom atom, int64_t value)
{
    while (numbers->value.len <= atom) {
        vec_push(&numbers->value, 0);
        vec_push(&numbers->known, 0);
    }
    numbers->value.at[atom] = value;
    numbers->known.at[atom] = 1;
}

void numbers_set(struct numbers *numbers, ipoly symbol, int64_t value)
{
    iatom atom;
    if (int_is_atom(numbers->terms->in, symbol, &atom))
        set_atom(numbers, atom, value);
}

// ---- integers

static int64_t divide(struct numbers *numbers, enum iatom_kind kind, int64_t a, int64_t b)
{
    if (b == 0) {
        problem(numbers, "a division by 0");
        return 0;
    }
    int64_t quotient = a / b, rest = a % b;
    if (kind == INT_TRUNCATED_QUOTIENT)
        return quotient;
    if (kind == INT_TRUNCATED_REMAINDER)
        return rest;
    if (rest < 0) {
        quotient -= b > 0 ? 1 : -1;
        rest += b > 0 ? b : -b;
    }
    return kind == INT_QUOTIENT ? quotient : rest;
}

// The cell at an offset; NULL: there is none.
static const struct exec_cell *cell_at(struct numbers *numbers, uint32_t which, int64_t at)
{
    const struct exec_array *array = &numbers->run->array.at[which];
    if (at < 0 || (uint64_t)at >= array->n)
        problem(numbers, "the formula reads outside of what the program reads");
    else if (array->initial[at].undefined)
        problem(numbers, "the formula reads an element that has no value");
    else
        return &array->initial[at];
    return NULL;
}

static int64_t element_value(struct numbers *numbers, struct iatom_node node)
{
    iatom array;
    uint32_t which = NO_CODE;
    if (int_is_atom(numbers->terms->in, node.a, &array))
        which =
            code_find_parameter(numbers->run->program, int_atom_name(numbers->terms->in, array));
    if (which == NO_CODE) {
        problem(numbers, "a symbol without a value");
        return 0;
    }
    const struct exec_cell *cell = cell_at(numbers, which, numbers_poly(numbers, node.b));
    return cell == NULL ? 0 : cell->whole;
}

static int64_t atom_value(struct numbers *numbers, iatom atom)
{
    struct iatom_node node = int_atom(numbers->terms->in, atom);
    if (node.kind == INT_SYMBOL) {
        if (atom < numbers->known.len && numbers->known.at[atom])
            return numbers->value.at[atom];
        problem(numbers, "a symbol without a value");
        return 0;
    }
    if (node.kind == INT_ELEMENT)
        return element_value(numbers, node);
    int64_t a = numbers_poly(numbers, node.a), b = numbers_poly(numbers, node.b);
    if (node.kind == INT_MINIMUM)
        return a < b ? a : b;
    if (node.kind == INT_MAXIMUM)
        return a > b ? a : b;
    return divide(numbers, (enum iatom_kind)node.kind, a, b);
}

int64_t numbers_poly(struct numbers *numbers, ipoly poly)
{
    const struct integers *in = numbers->terms->in;
    uint64_t sum = 0; // sizes are small: what wraps is wrong elsewhere too
    for (uint32_t i = 0; i < int_length(in, poly); i++) {
        struct iterm term = int_term(in, poly, i);
        uint64_t product = (uint64_t)term.coefficient;
        uint32_t degree = int_degree(in, (imono)term.mono);
        for (uint32_t k = 0; k < degree; k++)
            product *= (uint64_t)atom_value(numbers, int_factor(in, (imono)term.mono, k));
        sum += product;
    }
    return (int64_t)sum;
}

// ---- reals

static double apply_one(struct numbers *numbers, enum code_op op, double a)
{
    switch (op) {
    case CODE_NEGATE:
        return -a;
    case CODE_ABS:
        return fabs(a);
    case CODE_NOT:
        return !(a != 0);
    case CODE_EXP:
        return exp(a);
    case CODE_EXP2:
        return exp2(a);
    case CODE_EXPM1:
        return expm1(a);
    case CODE_LOG:
        return log(a);
    case CODE_LOG2:
        return log2(a);
    case CODE_LOG1P:
        return log1p(a);
    case CODE_SQRT:
        return sqrt(a);
    case CODE_RSQRT:
        return 1 / sqrt(a);
    case CODE_CBRT:
        return cbrt(a);
    case CODE_SIN:
        return sin(a);
    case CODE_COS:
        return cos(a);
    case CODE_TAN:
        return tan(a);
    case CODE_TANH:
        return tanh(a);
    case CODE_ERF:
        return erf(a);
    case CODE_FLOOR:
        return floor(a);
    case CODE_CEIL:
        return ceil(a);
    case CODE_CONVERT:
        return a;
    default:
        return problem(numbers, "an operator without a value");
    }
}

static double apply_two(struct numbers *numbers, enum code_op op, double a, double b)
{
    switch (op) {
    case CODE_ADD:
        return a + b;
    case CODE_SUBTRACT:
        return a - b;
    case CODE_MULTIPLY:
        return a * b;
    case CODE_DIVIDE:
        return a / b;
    case CODE_REMAINDER:
        return fmod(a, b);
    case CODE_MINIMUM:
        return fmin(a, b);
    case CODE_MAXIMUM:
        return fmax(a, b);
    case CODE_POWER:
        return pow(a, b);
    case CODE_AND:
        return a != 0 && b != 0;
    case CODE_OR:
        return a != 0 || b != 0;
    case CODE_XOR:
    case CODE_UNEQUAL:
        return a != b;
    case CODE_EQUAL:
        return a == b;
    case CODE_LESS:
        return a < b;
    case CODE_LESS_EQUAL:
        return a <= b;
    default:
        return problem(numbers, "an operator without a value");
    }
}

static double apply(struct numbers *numbers, lterm term)
{
    const struct lterms *terms = numbers->terms;
    enum code_op op = (enum code_op)lterm_number(terms, term);
    double a = numbers_term(numbers, lterm_arg(terms, term, 0));
    if (op == CODE_SELECT)
        return numbers_term(numbers, lterm_arg(terms, term, a != 0 ? 1 : 2));
    if (lterm_n(terms, term) == 1)
        return apply_one(numbers, op, a);
    if ((op == CODE_AND && a == 0) || (op == CODE_OR && a != 0)) // what follows may have no value
        return a != 0;
    return apply_two(numbers, op, a, numbers_term(numbers, lterm_arg(terms, term, 1)));
}

static bool is_gathered(const struct numbers *numbers, lterm read)
{
    struct u32_vec atoms = {0};
    bool found = false;
    int_atoms(numbers->terms->in, lterm_arg(numbers->terms, read, 0), &atoms);
    for (uint32_t i = 0; i < atoms.len && !found; i++)
        found = int_atom(numbers->terms->in, atoms.at[i]).kind == INT_ELEMENT;
    vec_release(&atoms);
    return found;
}

static double read_element(struct numbers *numbers, lterm term)
{
    uint32_t which = lterm_number(numbers->terms, term);
    int64_t at = numbers_poly(numbers, lterm_arg(numbers->terms, term, 0));
    const struct exec_cell *cell = cell_at(numbers, which, at);
    if (cell == NULL) {
        const struct exec_array *array = &numbers->run->array.at[which];
        numbers->outside = numbers->outside ||
                           ((at < 0 || (uint64_t)at >= array->n) && !is_gathered(numbers, term));
        return 0;
    }
    bool real = numbers->run->program->parameter.at[which].type.kind == CODE_REAL;
    return real ? cell->real : (double)cell->whole;
}

static double unit_of(struct numbers *numbers, enum code_op op)
{
    switch (op) {
    case CODE_ADD:
    case CODE_OR:
        return 0;
    case CODE_MULTIPLY:
    case CODE_AND:
        return 1;
    case CODE_MAXIMUM:
        return -HUGE_VAL;
    case CODE_MINIMUM:
        return HUGE_VAL;
    default:
        return problem(numbers, "a fold without a value");
    }
}

static ipoly bound_index(struct numbers *numbers, uint32_t height)
{
    struct buf name = {0};
    if (height < NUMBERS_HEIGHTS && numbers->bound[height] != 0)
        return numbers->bound[height];
    buf_printf(&name, "#%u", height);
    ipoly index = int_symbol(numbers->terms->in, buf_text(&name));
    buf_release(&name);
    if (height < NUMBERS_HEIGHTS)
        numbers->bound[height] = index;
    return index;
}

// Heights above that of the term whose indices it depends on.
static uint32_t outer_of(struct numbers *numbers, lterm term)
{
    uint32_t height = lterm_number(numbers->terms, term) & 0xffff, bits = 0;
    for (uint32_t h = height + 1; h < NUMBERS_HEIGHTS; h++) {
        iatom atom;
        if (int_is_atom(numbers->terms->in, bound_index(numbers, h), &atom) &&
            lterm_mentions(numbers->terms, term, atom))
            bits |= 1u << h;
    }
    return bits;
}

static struct kept_value *kept_of(struct numbers *numbers, lterm term)
{
    while (numbers->kept.len <= term)
        vec_push(&numbers->kept, (struct kept_value){0});
    struct kept_value *kept = &numbers->kept.at[term];
    if (!kept->known) {
        kept->outer = outer_of(numbers, term);
        kept->known = true;
    }
    return kept;
}

static bool is_kept(const struct numbers *numbers, const struct kept_value *kept)
{
    if (kept->element != numbers->element || kept->element == 0)
        return false;
    for (uint32_t h = 0; h < NUMBERS_HEIGHTS; h++)
        if ((kept->outer >> h & 1) && kept->index[h] != numbers->index[h])
            return false;
    return true;
}

static double fold(struct numbers *numbers, lterm term)
{
    struct lterms *terms = numbers->terms;
    uint32_t number = lterm_number(terms, term), n = lterm_n(terms, term);
    enum code_op op = (enum code_op)(number >> 16);
    iatom index = 0;
    int_is_atom(terms->in, bound_index(numbers, number & 0xffff), &index);
    int64_t end = numbers_poly(numbers, lterm_arg(terms, term, 0));
    double value = unit_of(numbers, op);
    for (int64_t i = 0; i < end && numbers->problem == NULL; i++) {
        bool on = true;
        set_atom(numbers, index, i);
        if ((number & 0xffff) < NUMBERS_HEIGHTS)
            numbers->index[number & 0xffff] = i;
        for (uint32_t g = 2; on && g < n; g++)
            on = numbers_poly(numbers, lterm_arg(terms, term, g)) >= 0;
        if (on)
            value = apply_two(numbers, op, value, numbers_term(numbers, lterm_arg(terms, term, 1)));
    }
    return value;
}

// Shared sums inside sums are computed once for each index that they depend on.
static double reduce(struct numbers *numbers, lterm term)
{
    if ((lterm_number(numbers->terms, term) & 0xffff) >= NUMBERS_HEIGHTS)
        return fold(numbers, term);
    struct kept_value *kept = kept_of(numbers, term);
    if (is_kept(numbers, kept))
        return kept->value;
    double value = fold(numbers, term);
    kept = kept_of(numbers, term);
    kept->element = numbers->element;
    kept->value = value;
    memcpy(kept->index, numbers->index, sizeof kept->index);
    return value;
}

static double rational(const char *text)
{
    const char *slash = strchr(text, '/');
    double a = strtod(text, NULL);
    return slash != NULL ? a / strtod(slash + 1, NULL) : a;
}

double numbers_term(struct numbers *numbers, lterm term)
{
    struct lterms *terms = numbers->terms;
    if (numbers->steps == 0)
        return problem(numbers, "the formula takes too many steps");
    numbers->steps--;
    switch (lterm_kind(terms, term)) {
    case LT_NUMBER:
        return rational(intern_text(&terms->names, lterm_number(terms, term)));
    case LT_INFINITE:
        return lterm_number(terms, term) ? HUGE_VAL : -HUGE_VAL;
    case LT_PARAMETER: {
        uint32_t which = lterm_number(terms, term);
        bool real = numbers->run->program->parameter.at[which].type.kind == CODE_REAL;
        const struct exec_cell *cell = &numbers->run->scalar.at[which];
        return real ? cell->real : (double)cell->whole;
    }
    case LT_READ:
        return read_element(numbers, term);
    case LT_INTEGER:
    case LT_WHOLE:
        return (double)numbers_poly(numbers, lterm_arg(terms, term, 0));
    case LT_TRUTH:
        return lterm_number(terms, term);
    case LT_APPLY:
        return apply(numbers, term);
    case LT_CHOOSE:
        return numbers_term(
            numbers,
            lterm_arg(terms, term, numbers_poly(numbers, lterm_arg(terms, term, 0)) >= 0 ? 1 : 2));
    case LT_REDUCE:
        return reduce(numbers, term);
    default:
        return problem(numbers, "a value that is not known");
    }
}
