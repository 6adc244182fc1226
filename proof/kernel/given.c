// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/given.h"
#include "integer/equations.h"
#include "loops/symbolic/symbolic.h"

// The facts of the program, and those that its integer parameters are at least 1.
struct given {
    const struct code_program *program;
    VEC(uint8_t) on; // by fact, then by parameter
};

static bool is_size(const struct code_program *p, uint32_t parameter)
{
    return !p->parameter.at[parameter].array && p->parameter.at[parameter].type.kind == CODE_INT;
}

static bool contradictory(const struct given *given)
{
    struct integers in;
    struct lterms terms;
    struct symbolic s;
    struct code_program part = *given->program; // with some of its facts
    VEC(struct code_fact) facts = {0};
    for (uint32_t i = 0; i < part.fact.len; i++)
        if (given->on.at[i])
            vec_push(&facts, part.fact.at[i]);
    part.fact.at = facts.at, part.fact.len = facts.len, part.fact.cap = facts.cap;
    integers_init(&in);
    lterms_init(&terms, &in);
    symbolic_init(&s, &part, &in, &terms);
    for (uint32_t i = 0; i < part.parameter.len; i++)
        if (given->on.at[given->program->fact.len + i])
            ifacts_push(&s.facts, int_shift(&in, s.parameter.at[i], -1), NO_ORIGIN);
    symbolic_launch_facts(&s);
    bool yes = int_contradictory(&in, &s.facts) || int_no_solution(&in, &s.facts);
    // A condition that the others make false is no fact about integers any more.
    for (uint32_t i = 0; i < part.fact.len && !yes; i++)
        yes = symbolic_value(&s, part.fact.at[i].condition, NULL) == lterm_truth(&terms, false);
    symbolic_release(&s);
    lterms_release(&terms);
    integers_release(&in);
    vec_release(&facts);
    return yes;
}

// A text may hold several facts.
static bool is_named(const struct given *given, uint32_t fact)
{
    for (uint32_t i = 0; i < fact; i++)
        if (given->on.at[i] &&
            given->program->fact.at[i].text == given->program->fact.at[fact].text)
            return true;
    return false;
}

static void put_facts(const struct given *given, struct buf *out)
{
    const struct code_program *p = given->program;
    const char *and = "";
    for (uint32_t i = 0; i < given->on.len; i++) {
        if (!given->on.at[i] || (i < p->fact.len && is_named(given, i)))
            continue;
        if (i < p->fact.len)
            buf_printf(out, "%s%s", and, code_name(p, p->fact.at[i].text));
        else
            buf_printf(out, "%s%s >= 1", and, code_parameter_name(p, i - p->fact.len));
        and = " and ";
    }
}

bool given_contradiction(const struct code_program *program, struct buf *out)
{
    struct given given = {.program = program};
    for (uint32_t i = 0; i < program->fact.len; i++)
        vec_push(&given.on, 1);
    for (uint32_t i = 0; i < program->parameter.len; i++)
        vec_push(&given.on, is_size(program, i));
    bool found = contradictory(&given);
    for (uint32_t i = 0; found && i < given.on.len; i++) {
        if (!given.on.at[i])
            continue;
        given.on.at[i] = 0;
        given.on.at[i] = !contradictory(&given);
    }
    if (found)
        put_facts(&given, out);
    vec_release(&given.on);
    return found;
}
