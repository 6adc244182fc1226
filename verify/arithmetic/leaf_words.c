// SPDX-License-Identifier: Apache-2.0
// The types of a leaf in words of the rule.
#include "verify/arithmetic/machine_leaf.h"

void operands_of_type(const struct rule *rule, uint32_t type, struct buf *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rule->n_tensors + rule->n_scalars; i++) {
        bool tensor = i < rule->n_tensors;
        const struct scalar_var *scalar = tensor ? NULL : &rule->scalars[i - rule->n_tensors];
        const char *name = tensor ? rule->tensors[i].name : scalar->name;
        if ((tensor ? rule->tensors[i].type : scalar->type) != type)
            continue;
        if (n < VERIFY_REASON_PARTS)
            buf_printf(out, "%s%s", n == 0 ? "" : ", ", name);
        n++;
    }
    if (n > VERIFY_REASON_PARTS)
        buf_puts(out, ", ..");
    if (n == 0)
        buf_puts(out, rule->types[type].name[0] != '\0' ? rule->types[type].name : "results");
}

static void put_operands(const struct rule *rule, uint32_t type, const char *elem, struct buf *out)
{
    buf_puts(out, out->len == 0 ? "" : " and ");
    operands_of_type(rule, type, out);
    buf_printf(out, " of %s", elem);
}

static const char *text_of(struct session *session, struct buf *buf)
{
    const char *text = session_text(session, "%s", buf_text(buf));
    buf_release(buf);
    return text;
}

const char *leaf_operands(struct machine *machine, uint32_t type, const char *elem)
{
    struct buf text = {0};
    put_operands(machine->session->rule, type, elem, &text);
    return text_of(machine->session, &text);
}

const char *leaf_all_operands(struct machine *machine, const struct leaf_survey *survey)
{
    struct buf text = {0};
    for (uint32_t i = 0; i < survey->n_met; i++)
        put_operands(machine->session->rule, survey->met[i], elem_text(machine->of[survey->met[i]]),
                     &text);
    return text_of(machine->session, &text);
}
