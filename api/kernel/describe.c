// SPDX-License-Identifier: Apache-2.0
// What people read of a lifted kernel, and its JSON.
#include "api/kernel/kernel.h"
#include "loops/print/print.h"
#include <jansson.h>
#include <stdlib.h>

static void put_place(struct kernel_job *job, const struct output *output,
                      const struct written *written, struct buf *out)
{
    const struct integers *in = &job->lifting.in;
    int64_t number;
    bool any = false;
    for (uint32_t d = 0; d < output->n_axes; d++) {
        bool one = int_is_constant(in, output->stride[d], &number) && number == 1;
        buf_puts(out, any ? " + " : "");
        if (!one) {
            bool sum = int_length(in, output->stride[d]) > 1;
            buf_puts(out, sum ? "(" : "");
            int_print(in, output->stride[d], out);
            buf_puts(out, sum ? ")*" : "*");
        }
        buf_puts(out, written->axis.at[d].name);
        any = true;
    }
    if (!any || !int_is_constant(in, output->base, &number) || number != 0) {
        buf_puts(out, any ? " + " : "");
        int_print(in, output->base, out);
    }
}

void kernel_put_head(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out)
{
    const struct lifted *lifted = &job->lifting.outputs.at[answer->lifted];
    const char *name = kernel_output_name(job, answer);
    buf_puts(out, name);
    if (answer->word == KERNEL_REFUSED)
        return;
    const struct output *output = &lifted->output;
    for (uint32_t d = 0; d < output->n_axes; d++)
        buf_printf(out, "%s%s%s", d > 0 ? ", " : "[", lifted->written.axis.at[d].name,
                   d + 1 == output->n_axes ? "]" : "");
    for (uint32_t d = 0; d < output->n_axes; d++) {
        buf_printf(out, ", %s < ", lifted->written.axis.at[d].name);
        int_print(&job->lifting.in, output->extent[d], out);
    }
    buf_printf(out, ", at %s[", name);
    put_place(job, output, &lifted->written, out);
    buf_puts(out, "]");
}

// k < K, of axes that are none of the output; x[i,j] is x_ptr[stride*i + j]
static void put_tensors(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out)
{
    const struct lifted *lifted = &job->lifting.outputs.at[answer->lifted];
    const struct written *written = &lifted->written;
    for (uint32_t a = lifted->output.n_axes; a < written->axis.len; a++) {
        buf_printf(out, "  %s < ", written->axis.at[a].name);
        int_print(&job->lifting.in, written->axis.at[a].size, out);
        buf_putc(out, '\n');
    }
    for (uint32_t t = 0; t < written->tensor.len; t++) {
        const struct written_tensor *tensor = &written->tensor.at[t];
        struct output as = {.n_axes = tensor->n, .base = tensor->base};
        struct written named = {0};
        for (uint32_t d = 0; d < tensor->n; d++) {
            as.stride[d] = tensor->stride[d];
            vec_push(&named.axis, written->axis.at[tensor->axis[d]]);
        }
        buf_printf(out, "  %s", tensor->name);
        for (uint32_t d = 0; d < tensor->n; d++)
            buf_printf(out, "%s%s%s", d > 0 ? "," : "[", named.axis.at[d].name,
                       d + 1 == tensor->n ? "]" : "");
        buf_printf(out, " is %s[", code_parameter_name(&job->program, tensor->array));
        put_place(job, &as, &named, out);
        buf_puts(out, "] of before the launch\n");
        vec_release(&named.axis);
    }
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
}

static void put_checked(const struct kernel_checked *checked, struct buf *out)
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
    put_guarantee(job, out);
    put_checked(answer->checked, out);
    if (validation->kind == VALIDATED_AGREES)
        buf_printf(out, "  agrees with runs at %u random sizes, %llu elements\n", validation->runs,
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
