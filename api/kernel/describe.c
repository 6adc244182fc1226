// SPDX-License-Identifier: Apache-2.0
// What people read of a lifted kernel, and its JSON.
#include "api/kernel/kernel.h"
#include "loops/print/print.h"
#include "loops/written/place.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void kernel_put_place(const struct kernel_elements *of, const struct written_tensor *tensor,
                      struct buf *out)
{
    struct written_place place = {of->n_axes, of->base, of->stride, NULL, of->axis};
    if (tensor)
        place =
            (struct written_place){tensor->n, tensor->base, tensor->stride, tensor->axis, of->axis};
    written_put_place(of->in, &place, out);
}

void kernel_put_elements(const struct kernel_elements *of, struct buf *out)
{
    const char *name = code_parameter_name(of->program, of->array);
    buf_puts(out, name);
    for (uint32_t d = 0; d < of->n_axes; d++)
        buf_printf(out, "%s%s%s", d > 0 ? ", " : "[", of->axis[d].name,
                   d + 1 == of->n_axes ? "]" : "");
    for (uint32_t d = 0; d < of->n_axes; d++) {
        buf_printf(out, ", %s < ", of->axis[d].name);
        int_print(of->in, of->extent[d], out);
    }
    buf_printf(out, ", at %s[", name);
    kernel_put_place(of, NULL, out);
    buf_puts(out, "]");
}

void kernel_put_tensors(const struct kernel_elements *of, struct buf *out)
{
    for (uint32_t a = of->n_axes; a < of->n_all_axes; a++) {
        buf_printf(out, "  %s < ", of->axis[a].name);
        int_print(of->in, of->axis[a].size, out);
        buf_putc(out, '\n');
    }
    for (uint32_t t = 0; t < of->n_tensors; t++) {
        const struct written_tensor *tensor = &of->tensor[t];
        buf_printf(out, "  %s", tensor->name);
        for (uint32_t d = 0; d < tensor->n; d++)
            buf_printf(out, "%s%s%s", d > 0 ? "," : "[", of->axis[tensor->axis[d]].name,
                       d + 1 == tensor->n ? "]" : "");
        bool memory = tensor->array != NO_CODE;
        buf_printf(out, " is %s%s", memory ? code_parameter_name(of->program, tensor->array) : "",
                   memory ? "[" : "");
        kernel_put_place(of, tensor, out);
        buf_puts(out, memory ? "] of before the launch\n" : "\n");
    }
}

void kernel_put_facts(const struct kernel_job *job, struct buf *out)
{
    const struct code_program *program = &job->program;
    for (uint32_t i = 0; i < job->stated; i++) {
        uint32_t before = 0, text = program->fact.at[i].text;
        while (program->fact.at[before].text != text)
            before++;
        if (before == i)
            buf_printf(out, "  given %s\n", code_name(program, text));
    }
}

struct kernel_elements kernel_claimed_elements(const struct code_program *program,
                                               const struct integers *in,
                                               const struct claim_output *claimed, uint32_t array)
{
    return (struct kernel_elements){.program = program,
                                    .in = in,
                                    .array = array,
                                    .n_axes = claimed->n_axes,
                                    .n_all_axes = claimed->axis.len,
                                    .n_tensors = claimed->tensor.len,
                                    .base = claimed->base,
                                    .stride = claimed->stride,
                                    .extent = claimed->extent,
                                    .axis = claimed->axis.at,
                                    .tensor = claimed->tensor.at};
}

struct kernel_elements kernel_elements_of(const struct kernel_job *job,
                                          const struct kernel_answer *answer)
{
    const struct lifted *lifted = &job->lifting.outputs.at[answer->lifted];
    const struct written *written = &lifted->written;
    return (struct kernel_elements){.program = &job->program,
                                    .in = &job->lifting.in,
                                    .array = lifted->output.statement->array,
                                    .n_axes = lifted->output.n_axes,
                                    .n_all_axes = written->axis.len,
                                    .n_tensors = written->tensor.len,
                                    .base = lifted->output.base,
                                    .stride = lifted->output.stride,
                                    .extent = lifted->output.extent,
                                    .axis = written->axis.at,
                                    .tensor = written->tensor.at};
}

void kernel_put_head(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out)
{
    struct kernel_elements of = kernel_elements_of(job, answer);
    if (answer->word == KERNEL_REFUSED)
        buf_puts(out, kernel_output_name(job, answer));
    else
        kernel_put_elements(&of, out);
}

static void put_tensors(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out)
{
    struct kernel_elements of = kernel_elements_of(job, answer);
    kernel_put_tensors(&of, out);
}

void kernel_put_meaning(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out)
{
    kernel_put_head(job, answer, out);
    buf_printf(out, "\n%s\n", kernel_formula(job, answer));
    put_tensors(job, answer, out);
}

static void put_guarantee(const struct kernel_job *job, struct buf *out)
{
    if (job->proposed.len > 0)
        buf_printf(out, "  needs %s\n", job->proposed.at);
    if (job->without.len > 0)
        buf_printf(out, "  without it: %s\n", job->without.at);
}

void kernel_put_checked(const struct kernel_checked *checked, struct buf *out)
{
    for (uint32_t i = 0; i < checked->needs.len; i++)
        buf_printf(out, "  needs %s\n", checked->needs.at[i]);
    for (uint32_t i = 0; i < checked->obligations.len; i++) {
        const struct kernel_obligation *obligation = &checked->obligations.at[i];
        if (!obligation->holds)
            buf_printf(out, "  open, line %u: %s: %s\n", obligation->place.line, obligation->name,
                       obligation->about);
    }
}

void kernel_put_needs(const struct kernel_job *job, struct buf *out)
{
    put_guarantee(job, out);
    for (uint32_t i = 0; i < job->answer.len; i++)
        if (job->answer.at[i].checked != NULL)
            kernel_put_checked(job->answer.at[i].checked, out);
}

void kernel_put_rest(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out)
{
    const struct output *output = &job->lifting.outputs.at[answer->lifted].output;
    const struct validation *validation = &answer->validation;
    if (answer->word == KERNEL_REFUSED) {
        uint32_t line = output->place.line ? output->place.line : output->statement->place.line;
        buf_printf(out, "  line %u: %s\n", line,
                   output->reason ? output->reason : "no formula was checked");
        return;
    }
    put_tensors(job, answer, out);
    kernel_put_facts(job, out);
    put_guarantee(job, out);
    kernel_put_checked(answer->checked, out);
    if (validation->kind == VALIDATED_AGREES)
        buf_printf(out, "  agrees with runs%s at %u random sizes, %llu elements\n",
                   validation->in_part ? " of a few programs" : "", validation->runs,
                   (unsigned long long)validation->elements);
    else
        buf_printf(out, "  %s: %s\n",
                   validation->kind == VALIDATED_DIFFERS ? "counterexample" : "not run",
                   validation->text.len > 0 ? validation->text.at : "no element was compared");
}

void kernel_put_program(const struct kernel_job *job, struct buf *out)
{
    code_print(&job->program, out);
}

void kernel_put_simplified(const char *text, struct buf *out)
{
    buf_puts(out, "  = ");
    for (; *text != '\0'; text++)
        if (*text != '\n')
            buf_putc(out, *text);
        else if (text[1] != '\0')
            buf_putc(out, ' ');
    buf_putc(out, '\n');
}

// ---- JSON

static json_t *needs_json(const struct kernel_job *job, const struct kernel_checked *checked)
{
    json_t *all = json_array();
    if (job->proposed.len > 0)
        json_array_append_new(all, json_string(job->proposed.at));
    for (uint32_t i = 0; i < checked->needs.len; i++)
        json_array_append_new(all, json_string(checked->needs.at[i]));
    return all;
}

static json_t *facts_json(const struct kernel_job *job)
{
    const struct code_program *program = &job->program;
    json_t *all = json_array();
    for (uint32_t i = 0; i < job->stated; i++)
        json_array_append_new(all, json_string(code_name(program, program->fact.at[i].text)));
    return all;
}

static json_t *obligations_json(const struct kernel_checked *checked)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < checked->obligations.len; i++) {
        const struct kernel_obligation *obligation = &checked->obligations.at[i];
        json_array_append_new(all,
                              json_pack("{s:s, s:s, s:b, s:i}", "name", obligation->name, "about",
                                        obligation->about, "holds", (int)obligation->holds, "line",
                                        (int)obligation->place.line));
    }
    return all;
}

void kernel_put_json(struct kernel_job *job, const struct kernel_answer *answer,
                     const char *simplified, struct buf *out)
{
    const struct output *output = &job->lifting.outputs.at[answer->lifted].output;
    struct buf head = {0};
    kernel_put_head(job, answer, &head);
    json_t *object = json_pack("{s:s, s:s, s:s, s:i}", "output", kernel_output_name(job, answer),
                               "verdict", kernel_word_text(answer->word), "elements",
                               buf_text(&head), "line", (int)output->statement->place.line);
    if (answer->word == KERNEL_REFUSED) {
        json_object_set_new(object, "reason", json_string(output->reason ? output->reason : ""));
        json_object_set_new(object, "reason_line", json_integer(output->place.line));
    } else {
        json_object_set_new(object, "formula", json_string(kernel_formula(job, answer)));
        json_object_set_new(object, "given", facts_json(job));
        json_object_set_new(object, "needs", needs_json(job, answer->checked));
        json_object_set_new(object, "obligations", obligations_json(answer->checked));
        json_object_set_new(object, "runs", json_integer(answer->validation.runs));
        json_object_set_new(object, "compared",
                            json_integer((json_int_t)answer->validation.elements));
    }
    if (simplified != NULL)
        json_object_set_new(object, "simplified", json_string(simplified));
    if (answer->word == KERNEL_REFUTED)
        json_object_set_new(object, "counterexample", json_string(answer->validation.text.at));
    char *text = json_dumps(object, JSON_COMPACT);
    buf_puts(out, text ? text : "");
    free(text);
    json_decref(object);
    buf_release(&head);
}
