// SPDX-License-Identifier: Apache-2.0
// Tables of commands and options: complete, and a fault in them is noticed.
#include "cli/help/help.h"
#include "cli/help/limits.h"
#include "cli/options/rows.h"
#include "api/layers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_table_is_complete(void **state)
{
    bool taken[N_OPTIONS] = {false};
    (void)state;
    assert_true(n_command_tables > 10);
    for (uint32_t i = 0; i < n_command_tables; i++) {
        struct err err = {0};
        if (!command_check(command_tables[i], &err))
            fail_msg("%s", err.msg);
        assert_ptr_equal(command_find(command_tables[i]->name), command_tables[i]);
        for (uint32_t k = 0; k < command_tables[i]->n_options; k++)
            taken[command_tables[i]->option[k].option] = true;
    }
    for (int i = 0; i < N_OPTIONS; i++) {
        struct buf name = {0};
        option_name((enum option)i, &name);
        if (!taken[i])
            fail_msg("no command takes --%s", buf_text(&name));
        buf_release(&name);
    }
}

static unsigned no_forms(const struct command_line *command)
{
    (void)command;
    return 0;
}

static void refuse(struct option_row row, const char *why)
{
    const struct option_row rows[] = {FLAG(json, "write JSON"),
                                      OPTION(jobs, 'j', "N", "run N workers", "1", NULL),
                                      COMMON_ROWS, row};
    struct command_table table = {.name = "prove",
                                  .run = cmd_prove,
                                  .usage = "X",
                                  .summary = "X.",
                                  .description = "X.",
                                  .example = "rankwright prove",
                                  .option = rows,
                                  .n_options = 4};
    struct err err = {0};
    assert_true(command_check(&table, &err));
    table.n_options = 5;
    assert_false(command_check(&table, &err));
    if (!strstr(err.msg, why))
        fail_msg("expected %s, found %s", why, err.msg);
}

static void a_faulty_row_is_refused(void **state)
{
    (void)state;
    refuse((struct option_row)FLAG(stats, NULL), "lacks a text");
    refuse((struct option_row)FLAG(stats, ""), "lacks a text");
    refuse((struct option_row)FLAG(json, "write JSON"), "two rows");
    refuse((struct option_row)OPTION(nodes, 0, "", "most nodes", NULL, NULL), "lacks a text");
    refuse((struct option_row)OPTION(nodes, 'j', "N", "most nodes", NULL, NULL), "letter");
    refuse((struct option_row)OPTION(nodes, 'h', "N", "most nodes", NULL, NULL), "--help");
    refuse((struct option_row)OPTION(nodes, 0, "N", "most nodes", "{NO_SUCH_LIMIT}", NULL),
           "default");
    refuse((struct option_row)OPTION(stats, 0, NULL, "print counts", "10", NULL), "default");
    refuse((struct option_row)FLAG_IN(1, stats, "print counts"), "forms");
}

static void a_command_without_text_is_refused(void **state)
{
    struct command_table table = *command_find("prove");
    struct err err = {0};
    (void)state;
    assert_true(command_check(&table, &err));
    const char **texts[] = {&table.usage, &table.summary, &table.description, &table.example};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = *texts[i];
        *texts[i] = "";
        assert_false(command_check(&table, &err));
        *texts[i] = text;
    }
    assert_true(command_check(&table, &err));
    table.n_options = 1; // without the common ones
    assert_false(command_check(&table, &err));
    table.n_options = command_find("prove")->n_options;
    err_clear(&err);
    assert_true(command_check(&table, &err));
    table.forms_of = NULL;
    assert_false(command_check(&table, &err));
    table.n_forms = 0;
    table.forms_of = no_forms;
    assert_false(command_check(&table, &err));
}

// Does the help have a line that begins with the option?
static bool in_help(const struct buf *help, const char *name)
{
    const char *starts[] = {"\n  --", ", --"};
    size_t n = strlen(name);
    for (size_t i = 0; i < 2; i++)
        for (const char *at = buf_text(help); (at = strstr(at, starts[i])) != NULL; at++) {
            const char *found = at + strlen(starts[i]);
            if (strncmp(found, name, n) == 0 && (found[n] == ' ' || found[n] == '\n'))
                return true;
        }
    return false;
}

static void the_parser_takes_what_help_lists(void **state)
{
    uint32_t taken = 0;
    (void)state;
    for (uint32_t i = 0; i < n_command_tables; i++) {
        struct buf help = {0};
        help_command(command_tables[i], &help);
        for (int k = 0; k < N_OPTIONS; k++) {
            struct buf name = {0}, word = {0};
            struct command_line command = {.command = command_tables[i]->name};
            struct err err = {0};
            option_name((enum option)k, &name);
            buf_printf(&word, "--%s", buf_text(&name));
            char *words[] = {word.at, (char[]){"1"}};
            bool ok = options_parse(&command, command_tables[i], 2, words, &err);
            // An option is also known if it works in no such form, or if the word after a flag is
            // one that the command does not take.
            bool known = ok || strstr(err.msg, "works only ") || strstr(err.msg, ": unexpected 1");
            if (known != in_help(&help, buf_text(&name)))
                fail_msg("%s %s: the parser and the help differ", command.command, word.at);
            assert_int_equal(known, command.value[k] != NULL);
            taken += known;
            vec_release(&command.words);
            buf_release(&word);
            buf_release(&name);
        }
        buf_release(&help);
    }
    assert_true(taken > 140);
}

static void limits_stand_for_their_names(void **state)
{
    struct layer_limits layer[MAX_LAYERS];
    uint32_t n = layers_with_limits(layer);
    (void)state;
    assert_true(n <= MAX_LAYERS);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(layer[i].n > 0);
        for (uint32_t k = 0; k < layer[i].n; k++) {
            struct buf text = {0}, shown = {0}, wanted = {0};
            const struct limit *limit = &layer[i].limit[k];
            assert_true(limit->unit && *limit->unit && limit->why && *limit->why);
            buf_printf(&text, "most {%s} %s", limit->name, limit->unit);
            buf_printf(&wanted, "most %d %s", limit->value, limit->unit);
            assert_true(limits_replace(buf_text(&text), &shown));
            assert_string_equal(buf_text(&shown), buf_text(&wanted));
            buf_release(&text);
            buf_release(&shown);
            buf_release(&wanted);
        }
    }
    struct buf shown = {0};
    assert_false(limits_replace("{NO_SUCH_LIMIT}", &shown));
    buf_release(&shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_is_complete),
        cmocka_unit_test(a_faulty_row_is_refused),
        cmocka_unit_test(a_command_without_text_is_refused),
        cmocka_unit_test(the_parser_takes_what_help_lists),
        cmocka_unit_test(limits_stand_for_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
