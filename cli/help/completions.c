// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

static const char *const topics = "limits man completion";
static const char *const shells = "bash zsh fish";

static void put_values(const struct option_row *row, struct buf *out)
{
    size_t n;
    const char *value;
    for (uint32_t i = 0; (value = option_value(row, i, &n)) != NULL; i++)
        buf_printf(out, "%s%.*s", i ? " " : "", (int)n, value);
}

// "D,..": values with commas between them.
static bool takes_list(const struct option_row *row)
{
    return path_ends(row->argument, ",..");
}

static void put_commands(struct buf *out)
{
    for (uint32_t i = 0; i < n_command_tables; i++)
        buf_printf(out, "%s%s", i ? " " : "", command_tables[i]->name);
}

// The text in single quotes.  A quote in the text closes, is escaped and opens
// again.  Zsh also needs brackets and colons escaped, since they end parts of
// its words.
static void put_quoted(const char *text, bool zsh, struct buf *out)
{
    for (; *text; text++) {
        if (*text == '\'')
            buf_puts(out, "'\\'");
        else if (zsh && strchr("[]:\\", *text))
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
}

// ---- bash

static void bash_options(const struct command_table *table, struct buf *out)
{
    buf_printf(out, "    %s) options='--help", table->name);
    for (uint32_t i = 0; i < table->n_options; i++) {
        if (table->option[i].letter)
            buf_printf(out, " -%c", table->option[i].letter);
        buf_puts(out, " --");
        option_name(table->option[i].option, out);
    }
    buf_puts(out, "' ;;\n");
}

static void bash_argument(const struct command_table *table, const struct option_row *row,
                          struct buf *out)
{
    if (!row->argument)
        return;
    buf_printf(out, "    '%s --", table->name);
    option_name(row->option, out);
    buf_puts(out, "'");
    if (row->letter)
        buf_printf(out, " | '%s -%c'", table->name, row->letter);
    switch (argument_kind(row)) {
    case ARGUMENT_FILE:
        buf_puts(out, ") words=$(compgen -f -- \"$current\") ;;\n");
        break;
    case ARGUMENT_FOLDER:
        buf_puts(out, ") words=$(compgen -d -- \"$current\") ;;\n");
        break;
    case ARGUMENT_VALUES:
        // Of a list, the part behind the last comma.
        buf_printf(out, ") words=$(compgen %s-W '",
                   takes_list(row) ? "-P \"${current%\"${current##*,}\"}\" " : "");
        put_values(row, out);
        buf_printf(out, "' -- \"%s\") ;;\n", takes_list(row) ? "${current##*,}" : "$current");
        break;
    case ARGUMENT_TEXT:
        buf_puts(out, ") words= ;;\n");
        break;
    }
}

void completion_bash(struct buf *out)
{
    buf_puts(out, "# Completion of rankwright for bash: rankwright help completion bash\n"
                  "_rankwright() {\n"
                  "    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
                  "    local previous=${COMP_WORDS[COMP_CWORD-1]} options words\n"
                  "    COMPREPLY=()\n"
                  "    local IFS=$' \\t\\n'\n"
                  "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                  "        COMPREPLY=($(compgen -W '--help ");
    put_commands(out);
    buf_puts(out, "' -- \"$current\"))\n"
                  "        return\n"
                  "    fi\n"
                  "    # --option=value comes as three words.\n"
                  "    if [ \"$current\" = = ]; then\n"
                  "        current=\n"
                  "    elif [ \"$previous\" = = ]; then\n"
                  "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
                  "    fi\n"
                  "    case $command in\n");
    for (uint32_t i = 0; i < n_command_tables; i++)
        bash_options(command_tables[i], out);
    buf_puts(out, "    *) options= ;;\n"
                  "    esac\n"
                  "    case \"$command $previous\" in\n");
    for (uint32_t i = 0; i < n_command_tables; i++)
        for (uint32_t k = 0; k < command_tables[i]->n_options; k++)
            bash_argument(command_tables[i], &command_tables[i]->option[k], out);
    buf_puts(out, "    'help help') words=$(compgen -W '");
    put_commands(out);
    buf_printf(out, " %s' -- \"$current\") ;;\n", topics);
    buf_puts(out, "    'help man') words=$(compgen -W '");
    put_commands(out);
    buf_puts(out, "' -- \"$current\") ;;\n");
    buf_printf(out, "    'help completion') words=$(compgen -W '%s' -- \"$current\") ;;\n", shells);
    buf_puts(out, "    'help limits') words=$(compgen -W markdown -- \"$current\") ;;\n"
                  "    'help '*) words= ;;\n");
    buf_puts(out, "    *) case $current in\n"
                  "        -*) words=$(compgen -W \"$options\" -- \"$current\") ;;\n"
                  "        *) words=$(compgen -f -- \"$current\") ;;\n"
                  "        esac ;;\n"
                  "    esac\n"
                  "    IFS=$'\\n'\n"
                  "    COMPREPLY=($words)\n"
                  "}\n"
                  "complete -o filenames -F _rankwright rankwright\n");
}

// ---- zsh

static void zsh_option(const struct command_table *table, const struct option_row *row,
                       struct buf *out)
{
    struct buf name = {0}, text = {0};
    option_name(row->option, &name);
    option_text(table, row, &text);
    const char *equals = row->argument ? "=" : "";
    buf_puts(out, "        ");
    if (row->letter)
        buf_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, buf_text(&name), row->letter,
                   row->argument ? "+" : "", buf_text(&name), equals);
    else
        buf_printf(out, "'--%s%s[", buf_text(&name), equals);
    put_quoted(buf_text(&text), true, out);
    buf_putc(out, ']');
    if (row->argument) {
        buf_putc(out, ':');
        put_quoted(row->argument, true, out);
        buf_putc(out, ':');
        switch (argument_kind(row)) {
        case ARGUMENT_FILE:
            buf_puts(out, "_files");
            break;
        case ARGUMENT_FOLDER:
            buf_puts(out, "_files -/");
            break;
        case ARGUMENT_VALUES:
            buf_puts(out, takes_list(row) ? "_sequence compadd - " : "(");
            put_values(row, out);
            buf_puts(out, takes_list(row) ? "" : ")");
            break;
        case ARGUMENT_TEXT:
            break;
        }
    }
    buf_puts(out, "' \\\n");
    buf_release(&name);
    buf_release(&text);
}

void completion_zsh(struct buf *out)
{
    buf_puts(out, "#compdef rankwright\n"
                  "# Completion of rankwright for zsh: rankwright help completion zsh\n"
                  "local -a commands\n"
                  "commands=(\n");
    for (uint32_t i = 0; i < n_command_tables; i++) {
        buf_printf(out, "    '%s:", command_tables[i]->name);
        put_quoted(command_tables[i]->summary, true, out);
        buf_puts(out, "'\n");
    }
    buf_puts(out, ")\n"
                  "if (( CURRENT == 2 )); then\n"
                  "    _describe command commands\n"
                  "    return\n"
                  "fi\n"
                  "local command=$words[2]\n"
                  "shift words\n"
                  "(( CURRENT-- ))\n"
                  "case $command in\n");
    for (uint32_t i = 0; i < n_command_tables; i++) {
        const struct command_table *table = command_tables[i];
        buf_printf(out, "%s)\n    _arguments -s \\\n        '(- *)'{-h,--help}'[print help]' \\\n",
                   table->name);
        for (uint32_t k = 0; k < table->n_options; k++)
            zsh_option(table, &table->option[k], out);
        if (table->run == cmd_help) {
            buf_puts(out, "        '1:topic:(");
            put_commands(out);
            buf_printf(out, " %s)' '2:which:(%s ", topics, shells);
            put_commands(out);
            buf_puts(out, ")' ;;\n");
        } else {
            buf_puts(out, "        '*:file:_files' ;;\n");
        }
    }
    buf_puts(out, "esac\n");
}

// ---- fish

static void fish_option(const struct command_table *table, const struct option_row *row,
                        struct buf *out)
{
    struct buf text = {0};
    option_text(table, row, &text);
    buf_printf(out, "complete -c rankwright -n '__fish_seen_subcommand_from %s' -l ", table->name);
    option_name(row->option, out);
    if (row->letter)
        buf_printf(out, " -s %c", row->letter);
    switch (argument_kind(row)) {
    case ARGUMENT_FILE:
        buf_puts(out, " -r -F");
        break;
    case ARGUMENT_FOLDER:
        buf_puts(out, " -x -a '(__fish_complete_directories)'");
        break;
    case ARGUMENT_VALUES:
        buf_puts(out, takes_list(row) ? " -x -a '(__fish_append , " : " -x -a '");
        put_values(row, out);
        buf_puts(out, takes_list(row) ? ")'" : "'");
        break;
    case ARGUMENT_TEXT:
        buf_puts(out, row->argument ? " -x" : "");
        break;
    }
    buf_puts(out, " -d '");
    put_quoted(buf_text(&text), false, out);
    buf_puts(out, "'\n");
    buf_release(&text);
}

void completion_fish(struct buf *out)
{
    buf_puts(out, "# Completion of rankwright for fish: rankwright help completion fish\n"
                  "complete -c rankwright -n __fish_use_subcommand -f\n"
                  "complete -c rankwright -s h -l help -d 'print help'\n");
    for (uint32_t i = 0; i < n_command_tables; i++) {
        const struct command_table *table = command_tables[i];
        buf_printf(out, "complete -c rankwright -n __fish_use_subcommand -a %s -d '", table->name);
        put_quoted(table->summary, false, out);
        buf_puts(out, "'\n");
        for (uint32_t k = 0; k < table->n_options; k++)
            fish_option(table, &table->option[k], out);
    }
    buf_puts(out, "complete -c rankwright -n '__fish_seen_subcommand_from help' -f -a '");
    put_commands(out);
    buf_printf(out, " %s %s'\n", topics, shells);
}
