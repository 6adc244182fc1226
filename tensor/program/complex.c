// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/complex.h"

#include "tensor/program/region.h"

// A complex element type is one that is carried as text.
static bool is_other(const struct terms *terms, term_id id)
{
    return type_elem(terms->pool, term_type(terms, id)) == ELEM_OTHER;
}

static bool is_float(const struct terms *terms, term_id id)
{
    return elem_kind(type_elem(terms->pool, term_type(terms, id))) == KIND_FLOAT;
}

// In HLO the type of the result stands in front of the name.
static bool is_called(const struct terms *terms, const struct opaque_view *view, const char *name,
                      const char *hlo)
{
    const char *space = strchr(sym_text(terms->pool, view->text), ' ');
    if (opaque_is(terms, view, name))
        return true;
    size_t n = hlo != NULL ? strlen(hlo) : 0;
    return n > 0 && space != NULL && strncmp(space + 1, hlo, n) == 0 && space[n + 1] == '(';
}

enum complex_operator complex_operator(const struct terms *terms, term_id id)
{
    static const struct {
        const char *name, *hlo;
        uint32_t n_args;
        enum complex_operator op;
    } operators[] = {
        {"stablehlo.complex", "complex", 2, COMPLEX_PAIR},
        {"stablehlo.real", "real", 1, COMPLEX_REAL},
        {"stablehlo.imag", "imag", 1, COMPLEX_IMAG},
        {"chlo.conj", NULL, 1, COMPLEX_CONJ},
        {"stablehlo.add", "add", 2, COMPLEX_ADD},
        {"stablehlo.subtract", "subtract", 2, COMPLEX_SUBTRACT},
        {"stablehlo.negate", "negate", 1, COMPLEX_NEGATE},
    };
    if (term_op(terms, id) != OP_OPAQUE)
        return COMPLEX_NONE;
    struct opaque_view view = opaque_view(terms, id);
    uint32_t n_args = term_at(terms, id)->n_args;
    if (view.serial != 0 || view.n_results != 1 || view.n_blocks != 0 || n_args == 0)
        return COMPLEX_NONE;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        enum complex_operator op = operators[i].op;
        bool part = op == COMPLEX_REAL || op == COMPLEX_IMAG;
        if (n_args == operators[i].n_args &&
            is_called(terms, &view, operators[i].name, operators[i].hlo))
            return (part ? is_float(terms, id) : is_other(terms, id)) &&
                           (op == COMPLEX_PAIR ? is_float(terms, term_args(terms, id)[0])
                                               : is_other(terms, term_args(terms, id)[0]))
                       ? op
                       : COMPLEX_NONE;
    }
    return COMPLEX_NONE;
}

// Is `part` the part `op` of z?
static bool is_part(const struct terms *terms, term_id part, enum complex_operator op, term_id z)
{
    return complex_operator(terms, part) == op && term_args(terms, part)[0].v == z.v;
}

// A part of what is taken part by part: `b` is the operator on the parts.
static bool part_by_part(const struct terms *terms, term_id a, enum op op, term_id b)
{
    term_id z = term_args(terms, a)[0];
    enum complex_operator part = complex_operator(terms, a);
    if (term_op(terms, b) != op)
        return false;
    for (uint32_t i = 0; i < term_at(terms, z)->n_args; i++)
        if (!is_part(terms, term_args(terms, b)[i], part, term_args(terms, z)[i]))
            return false;
    return true;
}

static bool part_equal(const struct terms *terms, term_id a, term_id b)
{
    enum complex_operator part = complex_operator(terms, a);
    term_id z = term_args(terms, a)[0];
    const term_id *args = term_args(terms, z);
    switch (complex_operator(terms, z)) {
    case COMPLEX_PAIR:
        return args[part == COMPLEX_IMAG].v == b.v;
    case COMPLEX_CONJ:
        return part == COMPLEX_REAL ? is_part(terms, b, part, args[0])
                                    : part_by_part(terms, a, OP_NEGATE, b);
    case COMPLEX_ADD:
        return part_by_part(terms, a, OP_ADD, b);
    case COMPLEX_SUBTRACT:
        return part_by_part(terms, a, OP_SUBTRACT, b);
    case COMPLEX_NEGATE:
        return part_by_part(terms, a, OP_NEGATE, b);
    case COMPLEX_NONE:
    case COMPLEX_REAL:
    case COMPLEX_IMAG:
        break;
    }
    return false;
}

bool complex_equal(const struct terms *terms, term_id a, term_id b)
{
    if (term_type(terms, a).v != term_type(terms, b).v)
        return false;
    switch (complex_operator(terms, a)) {
    case COMPLEX_REAL:
    case COMPLEX_IMAG:
        return part_equal(terms, a, b);
    case COMPLEX_PAIR:
        return is_part(terms, term_args(terms, a)[0], COMPLEX_REAL, b) &&
               is_part(terms, term_args(terms, a)[1], COMPLEX_IMAG, b);
    case COMPLEX_CONJ:
        return is_part(terms, term_args(terms, a)[0], COMPLEX_CONJ, b);
    case COMPLEX_NONE:
    case COMPLEX_ADD:
    case COMPLEX_SUBTRACT:
    case COMPLEX_NEGATE:
        break;
    }
    return false;
}
