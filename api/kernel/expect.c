// SPDX-License-Identifier: Apache-2.0
#include "api/kernel/expect.h"
#include "api/rules/json.h"
#include "loops/validate/expected.h"
#include "proof/kernel/denote.h"

enum { EXPECT_RUNS = 300 }; // in search of a counterexample to what is not proved

// ---- the proof

uint32_t kernel_array_named(const struct code_program *program, const char *name)
{
    uint32_t array = name != NULL ? code_find_parameter(program, name) : NO_CODE;
    return array != NO_CODE && program->parameter.at[array].array ? array : NO_CODE;
}

bool kernel_check_expected(const struct code_program *program, const char *claim_text,
                           const char *text, const char *array, struct kernel_expected *out,
                           struct err *err)
{
    *out = (struct kernel_expected){.word = EXPECTED_UNKNOWN, .claimed = true};
    if (!claim_read(claim_text, &out->claim, err) ||
        !expectation_read(text, program, &out->claim, &out->expectation, err))
        return false;
    claim_keep_own(&out->claim, program);
    kernel_keep_written(program, out);
    expectation_place(&out->expectation, program, &out->claim, kernel_array_named(program, array));
    expectation_claim(&out->expectation, program, &out->claim);
    kernel_check(program, &out->claim, &out->check);
    out->checked = true;
    return true;
}

const struct kernel_checked *kernel_expected_checked(const struct kernel_expected *expected,
                                                     uint32_t which)
{
    const struct expected *one = &expected->expectation.at.at[which];
    // The check has the outputs of the claim, in their order.
    return one->problem == NULL ? &expected->check.outputs.at[one->which] : NULL;
}

bool kernel_expected_proved(const struct kernel_expected *expected)
{
    bool proved = expected->expectation.at.len > 0;
    for (uint32_t i = 0; i < expected->expectation.at.len; i++) {
        const struct kernel_checked *checked = kernel_expected_checked(expected, i);
        proved = proved && checked != NULL && checked->proved &&
                 expected->expectation.at.at[i].no_value == NULL;
    }
    return proved;
}

// ---- runs

struct outputs {
    struct symbolic s;
    VEC(struct output) made;
    VEC(const struct output *) pointer;
    VEC(struct expected_place) place;
    VEC(uint8_t) gathered; // by parameter
};

// The statement that writes the array, if there is one.
struct writer {
    uint32_t array;
    const struct code_statement *statement;
};

static bool find_writer(void *ctx, const struct code_statement *statement)
{
    struct writer *writer = ctx;
    if ((statement->kind == STATEMENT_WRITE || statement->kind == STATEMENT_UPDATE) &&
        statement->array == writer->array)
        writer->statement = statement;
    return true;
}

// Is the base an integer over sizes alone?
static bool is_plain_place(const struct integers *in, const struct written_tensor *t)
{
    struct u32_vec atoms = {0};
    bool plain = true;
    int_atoms(in, t->base, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++)
        plain = plain && (int_atom(in, atoms.at[i]).kind != INT_SYMBOL ||
                          strchr(int_atom_name(in, atoms.at[i]), '\'') == NULL);
    vec_release(&atoms);
    return plain;
}

static void add_places(struct outputs *all, const struct claim_output *o, uint32_t array)
{
    struct expected_place place = {
        .array = array, .n = o->n_axes, .written = true, .base = o->base};
    for (uint32_t d = 0; d < o->n_axes; d++) {
        place.stride[d] = o->stride[d];
        place.size[d] = o->extent[d];
    }
    vec_push(&all->place, place);
    for (uint32_t i = 0; i < o->tensor.len; i++) {
        const struct written_tensor *t = &o->tensor.at[i];
        // Where gathered elements are is not known before the run.
        if (t->array == NO_CODE)
            continue;
        if (!is_plain_place(all->s.in, t)) {
            all->gathered.at[t->array] = 1;
            continue;
        }
        place = (struct expected_place){.array = t->array, .n = t->n, .base = t->base};
        for (uint32_t d = 0; d < t->n; d++) {
            place.stride[d] = t->stride[d];
            place.size[d] = o->axis.at[t->axis[d]].size;
        }
        vec_push(&all->place, place);
    }
}

// Adds the output with its value at a symbolic element; a value that has no meaning is left out.
static bool add_output(struct outputs *all, const struct claim_output *o, uint32_t array)
{
    struct symbolic *s = &all->s;
    struct writer writer = {.array = array};
    code_each_statement(s->program, s->program->body, find_writer, &writer);
    if (writer.statement == NULL)
        return false;
    struct output made = {.statement = writer.statement, .n_axes = o->n_axes, .base = o->base};
    uint32_t mark = ifacts_mark(&s->facts);
    for (uint32_t d = 0; d < o->n_axes; d++) {
        made.stride[d] = o->stride[d];
        made.extent[d] = o->extent[d];
        made.element[d] = int_fresh(s->in, "element");
        symbolic_range(s, made.element[d], made.extent[d]);
    }
    made.value = denote(s, o, made.element, NULL);
    ifacts_pop(&s->facts, mark);
    if (symbolic_refusal(s, made.value) != NULL)
        return false;
    vec_push(&all->made, made);
    add_places(all, o, array);
    return true;
}

static bool has_place(const struct outputs *all, uint32_t array)
{
    for (uint32_t i = 0; i < all->place.len; i++)
        if (all->place.at[i].array == array && all->place.at[i].written)
            return true;
    return false;
}

struct unplaced {
    const struct outputs *all;
    bool any;
};

static bool find_unplaced(void *ctx, const struct code_statement *statement)
{
    struct unplaced *unplaced = ctx;
    bool writes = statement->kind == STATEMENT_WRITE || statement->kind == STATEMENT_UPDATE;
    if (statement->kind == STATEMENT_REFUSED ||
        (writes && !has_place(unplaced->all, statement->array)))
        unplaced->any = true;
    return true;
}

static void add_outputs(struct outputs *all, struct kernel_expected *expected)
{
    for (uint32_t i = 0; i < expected->expectation.at.len; i++) {
        const struct expected *one = &expected->expectation.at.at[i];
        if (one->array != NO_CODE)
            add_output(all, &one->output, one->array);
    }
}

static void run(struct kernel_job *job, const struct kernel_source *source,
                struct kernel_expected *expected)
{
    struct outputs all = {0};
    symbolic_init(&all.s, &job->program, &expected->claim.in, &expected->claim.terms);
    symbolic_launch_facts(&all.s);
    vec_zero(&all.gathered, job->program.parameter.len + 1);
    add_outputs(&all, expected);
    uint32_t compared = all.made.len;
    // What is not expected is where the finder says, if that is proved.
    for (uint32_t i = 0; i < expected->check.outputs.len; i++) {
        const struct kernel_checked *checked = &expected->check.outputs.at[i];
        uint32_t array = job->program.statement.at[checked->statement].array;
        for (uint32_t k = 0; k < expected->claim.outputs.len && checked->proved; k++)
            if (expected->claim.outputs.at[k].statement == checked->statement &&
                !has_place(&all, array))
                add_output(&all, &expected->claim.outputs.at[k], array);
    }
    struct unplaced unplaced = {.all = &all};
    code_each_statement(&job->program, job->program.body, find_unplaced, &unplaced);
    for (uint32_t i = 0; i < all.made.len; i++)
        vec_push(&all.pointer, &all.made.at[i]);
    struct expected_run runs = {.program = &job->program,
                                .terms = &expected->claim.terms,
                                .n_outputs = all.made.len,
                                .outputs = all.pointer.at,
                                .n_compared = compared,
                                .n_places = all.place.len,
                                .places = all.place.at,
                                .gathered = all.gathered.at,
                                .all = !unplaced.any};
    uint32_t n = kernel_expected_proved(expected) ? source->runs : EXPECT_RUNS;
    if (compared > 0)
        expected_compare(&runs, source->seed, n, &expected->validation);
    else {
        expected->validation.kind = VALIDATED_UNKNOWN;
        buf_puts(&expected->validation.text, "the expectation has no value that can be computed");
    }
    vec_release(&all.made);
    vec_release(&all.pointer);
    vec_release(&all.place);
    vec_release(&all.gathered);
    symbolic_release(&all.s);
}

bool kernel_expect(struct kernel_job *job, const struct kernel_source *source, const char *text,
                   const char *array, struct kernel_expected *out, struct err *err)
{
    if (!kernel_check_expected(&job->program, buf_text(&job->claim_text), text, array, out, err))
        return false;
    if (job->impossible) {
        kernel_validate_nothing(&out->validation);
        return true; // unknown
    }
    kernel_expected_values(job, out);
    uint32_t facts = job->program.fact.len;
    for (uint32_t i = 0; i < out->check.outputs.len; i++)
        if (out->check.outputs.at[i].proved)
            kernel_assume_needs(job, &out->check.outputs.at[i]);
    run(job, source, out);
    job->program.fact.len = facts;
    out->word = out->validation.kind == VALIDATED_DIFFERS ? EXPECTED_REFUTED
                : out->validation.kind == VALIDATED_AGREES && kernel_expected_proved(out)
                    ? EXPECTED_PROVED
                    : EXPECTED_UNKNOWN;
    return true;
}

void kernel_expected_release(struct kernel_expected *expected)
{
    validation_release(&expected->validation);
    if (expected->checked)
        kernel_check_release(&expected->check);
    expectation_release(&expected->expectation);
    vec_release(&expected->written);
    if (expected->claimed)
        claim_release(&expected->claim);
}

// ---- texts

const char *kernel_expected_text(enum kernel_expected_word word)
{
    static const char *const texts[] = {[EXPECTED_PROVED] = "proved equal",
                                        [EXPECTED_REFUTED] = "refuted",
                                        [EXPECTED_UNKNOWN] = "unknown"};
    return texts[word];
}

static void put_one(const struct kernel_job *job, const struct kernel_expected *expected,
                    uint32_t which, struct buf *out)
{
    const struct expected *one = &expected->expectation.at.at[which];
    const struct kernel_checked *checked = kernel_expected_checked(expected, which);
    struct kernel_elements of =
        kernel_claimed_elements(&job->program, &expected->claim.in, &one->output, one->array);
    if (one->array != NO_CODE)
        kernel_put_elements(&of, out);
    buf_printf(out, "%s  %s\n", one->array != NO_CODE ? "\n" : "", one->output.formula);
    if (one->array != NO_CODE)
        kernel_put_tensors(&of, out);
    if (one->problem != NULL)
        buf_printf(out, "  not proved: %s\n", one->problem);
    if (one->no_value != NULL)
        buf_printf(out, "  not proved: %s\n", one->no_value);
    if (checked != NULL && job->proposed.len > 0)
        buf_printf(out, "  needs %s\n", job->proposed.at);
    if (checked != NULL)
        kernel_put_checked(checked, out);
    if (expected->word == EXPECTED_PROVED)
        buf_puts(out, "  over the reals, wherever the formula has a value\n");
}

void kernel_put_expected(const struct kernel_job *job, const struct kernel_expected *expected,
                         struct buf *out)
{
    const struct validation *validation = &expected->validation;
    for (uint32_t i = 0; i < expected->expectation.at.len; i++) {
        buf_printf(out, "%s: expected ", kernel_expected_text(expected->word));
        put_one(job, expected, i, out);
    }
    if (validation->kind == VALIDATED_DIFFERS)
        buf_printf(out, "  counterexample: %s\n", buf_text(&validation->text));
    else if (validation->elements > 0)
        buf_printf(out, "  agrees with runs, at %llu elements\n",
                   (unsigned long long)validation->elements);
    else if (validation->text.len > 0)
        buf_printf(out, "  not run: %s\n", validation->text.at);
}

void kernel_put_expectation(struct kernel_job *job, const struct kernel_answer *answer,
                            struct buf *out)
{
    struct kernel_elements of = kernel_elements_of(job, answer);
    buf_printf(out, "output %s[", code_parameter_name(of.program, of.array));
    kernel_put_place(&of, NULL, out);
    buf_putc(out, ']');
    for (uint32_t d = 0; d < of.n_axes; d++) {
        buf_printf(out, ", %s < ", of.axis[d].name);
        int_print(of.in, of.extent[d], out);
    }
    buf_puts(out, ";\n");
    for (uint32_t i = of.n_axes; i < of.n_all_axes; i++) {
        buf_printf(out, "axis %s < ", of.axis[i].name);
        int_print(of.in, of.axis[i].size, out);
        buf_puts(out, ";\n");
    }
    for (uint32_t i = 0; i < of.n_tensors; i++) {
        const struct written_tensor *t = &of.tensor[i];
        buf_printf(out, "array %s", t->name);
        for (uint32_t d = 0; d < t->n; d++)
            buf_printf(out, "%s%s%s", d > 0 ? ", " : "[", of.axis[t->axis[d]].name,
                       d + 1 == t->n ? "]" : "");
        bool memory = t->array != NO_CODE;
        buf_printf(out, " = %s%s", memory ? code_parameter_name(of.program, t->array) : "",
                   memory ? "[" : "(");
        kernel_put_place(&of, t, out);
        buf_puts(out, memory ? "];\n" : ");\n");
    }
    buf_printf(out, "%s;\n", kernel_formula(job, answer));
}

char *kernel_expected_json(const struct kernel_job *job, const struct kernel_expected *expected)
{
    struct buf text = {0};
    kernel_put_expected(job, expected, &text);
    json_t *object = json_pack(
        "{s:s, s:s}", "expected",
        expected->word == EXPECTED_PROVED ? "proved" : kernel_expected_text(expected->word), "text",
        buf_text(&text));
    if (expected->validation.kind == VALIDATED_DIFFERS)
        json_object_set_new(object, "counterexample",
                            json_string(buf_text(&expected->validation.text)));
    buf_release(&text);
    return json_give(object);
}
