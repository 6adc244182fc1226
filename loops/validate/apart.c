// SPDX-License-Identifier: Apache-2.0
#include "loops/validate/apart.h"
#include "loops/validate/numbers.h"

static void widen(struct execution *run, struct rng *rng, struct lterms *terms, ipoly stride,
                  int64_t behind)
{
    iatom atom;
    const struct code_program *program = run->program;
    if (!int_is_atom(terms->in, stride, &atom) || int_atom(terms->in, atom).kind != INT_SYMBOL)
        return;
    uint32_t parameter = code_find_parameter(program, int_atom_name(terms->in, atom));
    if (parameter != NO_CODE && !program->parameter.at[parameter].array &&
        program->parameter.at[parameter].type.kind == CODE_INT)
        run->scalar.at[parameter].whole = behind + rng_range(rng, 1, 3);
}

void strides_widen(struct execution *run, struct rng *rng, struct lterms *terms, uint32_t n,
                   const ipoly *stride, const ipoly *extent, int64_t behind)
{
    for (uint32_t d = n; d-- > 0;) {
        struct numbers numbers;
        widen(run, rng, terms, stride[d], behind);
        numbers_init(&numbers, terms, run);
        behind += numbers_poly(&numbers, stride[d]) * (numbers_poly(&numbers, extent[d]) - 1);
        numbers_release(&numbers);
    }
}
