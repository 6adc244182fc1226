// SPDX-License-Identifier: Apache-2.0
// Formats of records: a format made here gets every event of a record of each
// kind, can stop, and is given all data; foreign texts are escaped in every
// format of the table; a page's links lead somewhere.
#include "tests/unit/support/proof_example.h"

#define TWICE                                                                                      \
    "rule twice { axes i; map n on i; tensor A[i: n] : float; claims real; A * 2 => A + A; }"
#define SQUARE                                                                                     \
    "rule square { axes x; map n on x; tensor A[x: n] : float; claims real; "                      \
    "A * A => define squared(A); }"

// ---- records ----

// a + a = 2*a, with a part of every kind; the second rule is the first one in
// the other direction.
static void formula_example(struct formula_record *record)
{
    static const char *const texts[] = {TWICE, SQUARE};
    struct ruleset set;
    struct err err = {0};
    ruleset_init(&set);
    formula_record_init(record);
    record->input = "scalar a; given a > 0; a + a + 0*3.14159265";
    record->output = "scalar a; given a > 0; 2*a";
    record->proof = "term 0 a\n"
                    "term 1 pi\n"
                    "term 2 0\n"
                    "term 3 multiply 2 1\n"
                    "term 4 add 0 0\n"
                    "term 5 add 4 3\n"
                    "term 6 2\n"
                    "term 7 multiply 6 0\n"
                    "term 8 lt 2 0\n"
                    "term 9 true\n"
                    "given 0 8 9 0\n"
                    "rule 1 5 7 and:0 by twice.add\n";
    for (uint32_t i = 0; i < 2; i++) {
        const struct rule *rule = ruleset_add(&set, texts[i], "test", &err);
        if (rule == NULL)
            fail_msg("%s", err.msg);
        const char *hash = arena_strdup(&record->mem, rule->hash);
        const char *text = arena_strdup(&record->mem, rule->canonical);
        struct formula_record_rule x = {"twice", hash, text, true, false};
        if (i == 1) {
            vec_push(&record->defines, text);
            continue;
        }
        vec_push(&record->rules, x);
        x.name = "other";
        x.backward = false;
        vec_push(&record->rules, x);
    }
    struct formula_record_given given = {"(lt 0 a)", "declared"};
    vec_push(&record->givens, given);
    struct formula_record_constant constant = {"3.14159265", "pi", "decimal",
                                               "3.5897932384626434e-09"};
    vec_push(&record->constants, constant);
    ruleset_release(&set);
}

// A record of either kind.
struct either {
    enum record_kind kind;
    struct record program;
    struct formula_record formula;
};

static void either_init(struct either *either, enum record_kind kind)
{
    either->kind = kind;
    if (kind == RECORD_PROGRAM)
        example(&either->program);
    else
        formula_example(&either->formula);
}

static void either_release(struct either *either)
{
    if (either->kind == RECORD_PROGRAM)
        record_release(&either->program);
    else
        formula_record_release(&either->formula);
}

static bool emit(const struct either *either, const struct record_emitter *format,
                 const struct emit_request *request, struct buf *out, struct err *err)
{
    return either->kind == RECORD_PROGRAM
               ? emit_program(&either->program, format, request, out, err)
               : emit_formula(&either->formula, format, request, out, err);
}

static void emitted(const struct either *either, const struct record_emitter *format,
                    const struct emit_request *request, struct buf *out)
{
    struct err err = {0};
    if (!emit(either, format, request, out, &err))
        fail_msg("%s: %s", format->name, err.msg);
}

// ---- a format of our own: counts, and rebuilds the data ----

struct tally {
    uint32_t begins, ends, members, opens, closes;
    uint32_t elements[N_RECORD_PARTS], entries[N_RECORD_PARTS], promised[N_RECORD_PARTS];
    uint32_t rule_steps, conditions, bindings, changed;
    enum record_part now;
    json_t *data, *array;
    uint32_t stop; // fails at this event, counted from 1; 0: never
    uint32_t events;
};

static bool event(struct emission *emission, uint32_t *n)
{
    struct tally *tally = emission->ctx;
    (*n)++;
    return ++tally->events != tally->stop || err_set(emission->err, ERR_LIMIT, "stopped");
}

static bool on_begin(struct emission *emission)
{
    struct tally *tally = emission->ctx;
    assert_int_equal(emission->kind, emission->head->kind);
    return event(emission, &tally->begins);
}

static bool on_member(struct emission *emission, uint32_t i, const char *key, const json_t *value)
{
    struct tally *tally = emission->ctx;
    assert_int_equal(i, tally->members);
    json_object_set_new(tally->data, key, json_deep_copy(value));
    return event(emission, &tally->members);
}

static bool on_open(struct emission *emission, enum record_part part, const char *key, uint32_t n)
{
    struct tally *tally = emission->ctx;
    assert_int_equal(tally->opens, tally->closes);
    tally->now = part;
    tally->promised[part] = n;
    tally->array = json_array();
    if (part == PART_STEPS)
        json_decref(tally->array);
    else
        json_object_set_new(tally->data, key, tally->array);
    return event(emission, &tally->opens);
}

static bool on_element(struct emission *emission, enum record_part part, uint32_t i,
                       const json_t *value)
{
    struct tally *tally = emission->ctx;
    assert_int_equal(part, tally->now);
    assert_int_equal(i, tally->elements[part]);
    json_array_append_new(tally->array, json_deep_copy(value));
    return event(emission, &tally->elements[part]);
}

static bool on_definition(struct emission *emission, const char *text)
{
    struct tally *tally = emission->ctx;
    assert_non_null(strstr(text, "define"));
    return event(emission, &tally->entries[PART_DEFINITIONS]);
}

static bool on_constant(struct emission *emission, const struct emit_constant *constant)
{
    struct tally *tally = emission->ctx;
    assert_string_equal(constant->value, "pi");
    return event(emission, &tally->entries[PART_CONSTANTS]);
}

static bool on_condition(struct emission *emission, const struct emit_condition *condition)
{
    struct tally *tally = emission->ctx;
    assert_true(condition->used);
    return event(emission, &tally->entries[PART_CONDITIONS]);
}

static bool on_rule(struct emission *emission, const struct emit_rule *rule)
{
    struct tally *tally = emission->ctx;
    assert_string_equal(rule->hash, rule->shown->hash);
    return event(emission, &tally->entries[PART_RULES]);
}

static bool on_step(struct emission *emission, const struct emit_step *step)
{
    struct tally *tally = emission->ctx;
    tally->rule_steps += step->kind == STEP_RULE;
    tally->conditions += step->n_conditions;
    tally->bindings += step->n_bindings;
    return event(emission, &tally->entries[PART_STEPS]);
}

static bool on_goal(struct emission *emission, const struct emit_goal *goal)
{
    struct tally *tally = emission->ctx;
    tally->changed += goal->changed;
    return event(emission, &tally->entries[PART_GOALS]);
}

static bool on_close(struct emission *emission, enum record_part part, uint32_t n)
{
    struct tally *tally = emission->ctx;
    assert_int_equal(part, tally->now);
    assert_int_equal(n, tally->promised[part]);
    return event(emission, &tally->closes);
}

static bool on_end(struct emission *emission)
{
    struct tally *tally = emission->ctx;
    return event(emission, &tally->ends);
}

static const struct record_emitter counting = {
    .name = "counting",
    .suffix = ".count",
    .order = {PART_GOALS, PART_STEPS, PART_LINES, PART_TERMS, PART_TYPES, PART_RULES,
              PART_CONDITIONS, PART_CONSTANTS, PART_DEFINITIONS},
    .n_parts = N_RECORD_PARTS,
    .most_steps = 100,
    .member = on_member,
    .element = on_element,
    .begin = on_begin,
    .definition = on_definition,
    .constant = on_constant,
    .condition = on_condition,
    .rule = on_rule,
    .step = on_step,
    .goal = on_goal,
    .open = on_open,
    .close = on_close,
    .end = on_end,
};

static bool counted(const struct either *either, struct tally *tally, struct err *err)
{
    struct emit_request request = {.ctx = tally};
    struct buf out = {0};
    tally->data = json_object();
    bool ok = emit(either, &counting, &request, &out, err);
    assert_int_equal(out.len, 0);
    buf_release(&out);
    return ok;
}

// All data, in whatever order: what JSON has is what the events gave.
static void data_are_whole(const struct either *either, const struct tally *tally)
{
    struct emit_request request = {0};
    struct buf text = {0};
    emitted(either, &json_emitter, &request, &text);
    json_t *root = json_loads(buf_text(&text), 0, NULL);
    assert_non_null(root);
    assert_true(json_equal(root, tally->data));
    json_decref(root);
    buf_release(&text);
}

static void events_of_a_program(void **state)
{
    (void)state;
    struct either either;
    struct tally tally = {0};
    struct err err = {0};
    either_init(&either, RECORD_PROGRAM);
    const struct record *record = &either.program;
    uint32_t steps = 0, uses = 0;
    for (uint32_t i = 0; i < record->lines.len; i++) {
        enum line_kind kind = record->lines.at[i].kind;
        steps += kind != LINE_CONG && kind != LINE_TRANS;
        uses += kind == LINE_RULE;
    }
    assert_true(counted(&either, &tally, &err));
    assert_int_equal(tally.begins, 1);
    assert_int_equal(tally.ends, 1);
    assert_int_equal(tally.opens, 6);
    assert_int_equal(tally.closes, 6);
    assert_int_equal(tally.entries[PART_RULES], record->rules.len);
    assert_int_equal(tally.elements[PART_RULES], record->rules.len);
    assert_int_equal(tally.elements[PART_LINES], record->lines.len);
    assert_int_equal(tally.entries[PART_STEPS], steps);
    assert_int_equal(tally.elements[PART_STEPS], 0);
    assert_int_equal(tally.rule_steps, uses);
    assert_int_equal(tally.entries[PART_GOALS], record->goals.len);
    assert_int_equal(tally.changed, record->goals.len);
    assert_int_equal(tally.conditions, 1);      // `cut` has one
    assert_int_equal(tally.bindings, 2 * uses); // a class and a tensor each
    for (uint32_t i = 0; i < N_RECORD_PARTS; i++)
        if (i != PART_STEPS)
            assert_int_equal(tally.elements[i], tally.promised[i]);
    data_are_whole(&either, &tally);
    // No term is missing: the data reads, and to as many terms.
    struct record again;
    struct pool other;
    char *text = json_dumps(tally.data, 0);
    pool_init(&other);
    record_init(&again, &other);
    if (!record_read(&again, text, strlen(text), "data", &err))
        fail_msg("%s", err.msg);
    assert_int_equal(again.terms.term.len, tally.elements[PART_TERMS]);
    record_release(&again);
    pool_release(&other);
    free(text);
    json_decref(tally.data);
    either_release(&either);
}

static void events_of_a_formula(void **state)
{
    (void)state;
    struct either either;
    struct tally tally = {0};
    struct err err = {0};
    uint32_t lines, uses;
    either_init(&either, RECORD_FORMULA);
    const struct formula_record *record = &either.formula;
    formula_record_count(record, &lines, &uses);
    if (!counted(&either, &tally, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(tally.begins, 1);
    assert_int_equal(tally.ends, 1);
    assert_int_equal(tally.opens, 6);
    assert_int_equal(tally.closes, 6);
    assert_int_equal(tally.entries[PART_DEFINITIONS], record->defines.len);
    assert_int_equal(tally.entries[PART_CONSTANTS], record->constants.len);
    assert_int_equal(tally.entries[PART_CONDITIONS], record->givens.len);
    assert_int_equal(tally.entries[PART_RULES], record->rules.len);
    assert_int_equal(tally.entries[PART_STEPS], uses);
    assert_int_equal(tally.rule_steps, uses);
    assert_int_equal(tally.conditions, 1);
    assert_int_equal(tally.entries[PART_GOALS], 0);
    uint32_t terms = 0;
    for (const char *at = record->proof; (at = strstr(at, "term ")) != NULL; at++)
        terms++;
    assert_int_equal(tally.elements[PART_LINES], lines + terms);
    data_are_whole(&either, &tally);
    json_decref(tally.data);
    either_release(&either);
}

// Whatever event a format refuses, nothing comes behind it.
static void a_format_can_stop(void **state)
{
    (void)state;
    for (enum record_kind kind = RECORD_PROGRAM; kind <= RECORD_FORMULA; kind++) {
        struct either either;
        struct tally whole = {0};
        struct err err = {0};
        either_init(&either, kind);
        assert_true(counted(&either, &whole, &err));
        json_decref(whole.data);
        for (uint32_t stop = 1; stop <= whole.events; stop++) {
            struct tally tally = {.stop = stop};
            err = (struct err){0};
            assert_false(counted(&either, &tally, &err));
            assert_int_equal(err.kind, ERR_LIMIT);
            assert_int_equal(tally.events, stop);
            json_decref(tally.data);
        }
        either_release(&either);
    }
}

// ---- foreign texts ----

#define HOSTILE "</pre><script>\"&x\x1b[2J"

// In place of every text that a record may hold freely.
static void fill(struct either *either, const char *text)
{
    if (either->kind == RECORD_FORMULA) {
        // Rules have names that proofs can say; what is given may be called anything.
        struct formula_record_given given = {text, text};
        formula_example(&either->formula);
        vec_push(&either->formula.givens, given);
        return;
    }
    example(&either->program);
    struct record *record = &either->program;
    record->input = record->output = record->input_name = text;
    for (uint32_t i = 0; i < record->rules.len; i++)
        record->rules.at[i].name = text;
    for (uint32_t i = 0; i < record->lines.len; i++)
        if (record->lines.at[i].where != NULL && record->lines.at[i].where[0] != 0)
            record->lines.at[i].where = text;
}

static bool foreign_notes(void *notes_ctx, const char *hash, struct arena *mem,
                          struct rule_notes *out, struct err *err)
{
    const char *text = notes_ctx;
    (void)err;
    assert_int_equal(strlen(hash), 64);
    struct emit_obligation *obligation = ARENA_NEW(mem, struct emit_obligation, 1);
    *obligation = (struct emit_obligation){text, text, text, text};
    *out = (struct rule_notes){text, text, text, text, text, text, 1, obligation};
    return true;
}

static uint32_t occurs(const char *text, const char *what)
{
    uint32_t n = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

static void escaped_html(const char *plain, const char *hostile)
{
    static const char *const marks[] = {"<", ">", "\""};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(occurs(plain, marks[i]), occurs(hostile, marks[i]));
    assert_int_equal(occurs(hostile, "<script"), 0);
    assert_int_equal(occurs(hostile, "&x"), 0);
    assert_true(occurs(hostile, "&lt;/pre&gt;&lt;script&gt;&quot;&amp;x") > 8);
    assert_true(occurs(hostile, "id=\"rule-1---pre--script---x-") == 1);
}

static void escaped_text(const char *plain, const char *hostile)
{
    assert_int_equal(occurs(plain, "\n"), occurs(hostile, "\n"));
    assert_int_equal(occurs(hostile, "\x1b"), 0);
    assert_true(occurs(hostile, "<script>\"&x?[2J") > 0);
}

// Strings in a JSON value that are this text.
static uint32_t strings(const json_t *value, const char *text)
{
    uint32_t n = json_is_string(value) && strcmp(json_string_value(value), text) == 0;
    const char *key;
    const json_t *part;
    size_t i;
    json_array_foreach(value, i, part) n += strings(part, text);
    json_object_foreach((json_t *)(uintptr_t)value, key, part) n += strings(part, text);
    return n;
}

static void escaped_json(const char *plain, const char *hostile)
{
    json_t *before = json_loads(plain, 0, NULL), *after = json_loads(hostile, 0, NULL);
    assert_non_null(after);
    assert_true(strings(after, HOSTILE) > 0);
    assert_int_equal(strings(before, "plain"), strings(after, HOSTILE));
    assert_int_equal(occurs(plain, "\n"), occurs(hostile, "\n"));
    assert_int_equal(occurs(hostile, "\x1b"), 0);
    json_decref(before);
    json_decref(after);
}

// Every format of the table must stand here with what escaped means in it.
static const struct {
    const char *name;
    void (*check)(const char *plain, const char *hostile);
} escaping[] = {{"text", escaped_text}, {"json", escaped_json}, {"html", escaped_html}};

static void foreign_texts_are_escaped(void **state)
{
    (void)state;
    for (uint32_t i = 0; format_names[i] != NULL; i++) {
        const struct record_emitter *format = emitter_by_name(format_names[i]);
        assert_string_equal(format->name, format_names[i]);
        assert_int_equal(format->suffix[0], '.');
        uint32_t k = 0, n = sizeof escaping / sizeof *escaping;
        while (k < n && strcmp(escaping[k].name, format->name) != 0)
            k++;
        if (k == n)
            fail_msg("nothing says how %s escapes", format->name);
        for (enum record_kind kind = RECORD_PROGRAM; kind <= RECORD_FORMULA; kind++) {
            static const char *const texts[] = {"plain", HOSTILE};
            struct buf out[2] = {{0}};
            for (uint32_t j = 0; j < 2; j++) {
                struct either either = {.kind = kind};
                struct emit_request request = {.title = texts[j],
                                               .remark = texts[j],
                                               .notes = foreign_notes,
                                               .notes_ctx = (void *)(uintptr_t)texts[j]};
                fill(&either, texts[j]);
                emitted(&either, format, &request, &out[j]);
                either_release(&either);
            }
            escaping[k].check(buf_text(&out[0]), buf_text(&out[1]));
            buf_release(&out[0]);
            buf_release(&out[1]);
        }
    }
    assert_null(emitter_by_name("counting"));
}

// A name cannot add lines to the text.
static void names_stay_on_their_line(void **state)
{
    (void)state;
    struct either either;
    struct emit_request request = {0};
    struct buf plain = {0}, forged = {0};
    either_init(&either, RECORD_PROGRAM);
    emitted(&either, &text_emitter, &request, &plain);
    either.program.rules.at[0].name = "zero\nline 99: rule forged";
    emitted(&either, &text_emitter, &request, &forged);
    assert_int_equal(occurs(buf_text(&plain), "\n"), occurs(buf_text(&forged), "\n"));
    assert_int_equal(occurs(buf_text(&forged), "\nline 99"), 0);
    assert_true(occurs(buf_text(&forged), "zero?line 99: rule forged") > 0);
    either_release(&either);
    buf_release(&plain);
    buf_release(&forged);
}

// ---- pages ----

static void page_of(const struct either *either, const char *note, struct buf *out)
{
    struct emit_request request = {.title = "t", .notes_ctx = (void *)(uintptr_t)note};
    if (note != NULL)
        request.notes = foreign_notes;
    emitted(either, &html_emitter, &request, out);
}

static void links_lead_somewhere(const char *page)
{
    uint32_t n = 0;
    for (const char *at = page; (at = strstr(at, "href=\"#")) != NULL; at++, n++) {
        struct buf id = {0};
        buf_puts(&id, "id=\"");
        buf_write(&id, at + 7, strcspn(at + 7, "\"") + 1);
        if (occurs(page, buf_text(&id)) != 1)
            fail_msg("%s stands %u times", buf_text(&id), occurs(page, buf_text(&id)));
        buf_release(&id);
    }
    assert_true(n > 0);
}

static void page_of_a_program(void **state)
{
    (void)state;
    struct either either;
    struct buf page = {0};
    either_init(&either, RECORD_PROGRAM);
    page_of(&either, NULL, &page);
    links_lead_somewhere(buf_text(&page));
    assert_int_equal(occurs(buf_text(&page), "<li id=\"line-"), 5);
    assert_int_equal(occurs(buf_text(&page), "read from right to left"), 1);
    assert_int_equal(occurs(buf_text(&page), "by the law of layout compose"), 1);
    assert_int_equal(occurs(buf_text(&page), "<dt>Verdict</dt>"), 0);
    assert_int_equal(occurs(buf_text(&page), "6 operations</span>"), 1);
    assert_int_equal(occurs(buf_text(&page), "2 operations</span>"), 1);
    buf_clear(&page);
    // An assumed rule is never said to be proved.
    either.program.rules.at[0].assumed = true;
    page_of(&either, "real: proved", &page);
    links_lead_somewhere(buf_text(&page));
    assert_int_equal(occurs(buf_text(&page), "<dd>assumed, not proved</dd>"), 1);
    assert_int_equal(occurs(buf_text(&page), "<dt>Verdict</dt><dd>real: proved</dd>"), 1);
    either_release(&either);
    buf_release(&page);
}

static void page_of_a_formula(void **state)
{
    (void)state;
    struct either either;
    struct buf page = {0};
    either_init(&either, RECORD_FORMULA);
    page_of(&either, NULL, &page);
    links_lead_somewhere(buf_text(&page));
    // Both directions of the rule share a section.
    assert_int_equal(occurs(buf_text(&page), "<section"), 1);
    assert_int_equal(occurs(buf_text(&page), "by <a href=\"#rule-1-twice\">twice</a>, "
                                             "read from right to left"),
                     1);
    assert_int_equal(occurs(buf_text(&page), "class=\"changed\""), 1);
    assert_int_equal(occurs(buf_text(&page), "The formula with its constants recovered"), 1);
    assert_int_equal(occurs(buf_text(&page), "(as declared)"), 1);
    either_release(&either);
    buf_release(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(events_of_a_program, pool_up, pool_down),
        cmocka_unit_test(events_of_a_formula),
        cmocka_unit_test_setup_teardown(a_format_can_stop, pool_up, pool_down),
        cmocka_unit_test_setup_teardown(foreign_texts_are_escaped, pool_up, pool_down),
        cmocka_unit_test_setup_teardown(names_stay_on_their_line, pool_up, pool_down),
        cmocka_unit_test_setup_teardown(page_of_a_program, pool_up, pool_down),
        cmocka_unit_test(page_of_a_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
