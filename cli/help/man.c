// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include <signal.h>

// Appends the text without requests of roff; dashes stay dashes.
static void put_roff(const char *text, size_t n, struct buf *out)
{
    if (n > 0 && (*text == '.' || *text == '\''))
        buf_puts(out, "\\&");
    for (size_t i = 0; i < n; i++) {
        switch (text[i]) {
        case '\\':
            buf_puts(out, "\\e");
            break;
        case '-':
            buf_puts(out, "\\-");
            break;
        case '\'':
            buf_puts(out, "\\(aq");
            break;
        case '^':
            buf_puts(out, "\\(ha");
            break;
        case '~':
            buf_puts(out, "\\(ti");
            break;
        case '`':
            buf_puts(out, "\\(ga");
            break;
        default:
            buf_putc(out, text[i]);
        }
    }
}

static void put_text(const char *text, struct buf *out)
{
    put_roff(text, strlen(text), out);
}

static void put_description(const char *text, struct buf *out)
{
    bool literal = false;
    while (*text) {
        size_t line = strcspn(text, "\n");
        bool as_it_is = line > 2 && text[0] == ' ' && text[1] == ' ';
        if (as_it_is != literal)
            buf_puts(out, as_it_is ? ".RS 2\n.nf\n" : ".fi\n.RE\n");
        literal = as_it_is;
        if (line == 0) {
            buf_puts(out, ".PP\n");
        } else {
            put_roff(text + 2 * as_it_is, line - 2 * as_it_is, out);
            buf_putc(out, '\n');
        }
        text += line + (text[line] == '\n');
    }
    if (literal)
        buf_puts(out, ".fi\n.RE\n");
}

static void put_option(const struct command_table *table, const struct option_row *row,
                       struct buf *out)
{
    struct buf name = {0}, text = {0};
    option_name(row->option, &name);
    buf_puts(out, ".TP\n\\fB");
    if (row->letter)
        buf_printf(out, "\\-%c\\fR, \\fB", row->letter);
    buf_puts(out, "\\-\\-");
    put_text(buf_text(&name), out);
    buf_puts(out, "\\fR");
    if (row->argument) {
        buf_puts(out, " \\fI");
        put_text(row->argument, out);
        buf_puts(out, "\\fR");
    }
    buf_putc(out, '\n');
    option_text(table, row, &text);
    put_text(buf_text(&text), out);
    buf_puts(out, ".\n");
    buf_release(&name);
    buf_release(&text);
}

static void put_status(struct buf *out)
{
    static const struct {
        enum exit_status status;
        const char *text;
    } statuses[] = {
        {EXIT_YES, "Yes: all proved, the record valid, simplified."},
        {EXIT_NO, "No: something refuted, the record rejected."},
        {EXIT_UNKNOWN, "Unknown: no answer within the limits."},
        {EXIT_USAGE, "Wrong usage."},
        {EXIT_BAD_INPUT, "Bad input."},
        {EXIT_BUG, "A bug in rankwright."},
        {EXIT_IO, "I/O or the database failed."},
        {EXIT_SIGNAL + SIGINT, "Interrupted by Ctrl\\-C."},
        {EXIT_SIGNAL + SIGPIPE, "The reader of standard output has gone."},
        {EXIT_SIGNAL + SIGTERM, "Ended by kill."},
    };
    buf_puts(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        buf_printf(out, ".TP\n%d\n%s\n", (int)statuses[i].status, statuses[i].text);
}

static void put_files(struct buf *out)
{
    buf_puts(out, ".SH FILES\n.TP\n.I $XDG_DATA_HOME/rankwright/rules.db\n"
                  "The rule database, unless \\-\\-db names another.  Without XDG_DATA_HOME:\n"
                  "~/.local/share/rankwright/rules.db.\n"
                  ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colours, unless \\-\\-color says always.\n"
                  ".TP\n.B RANKWRIGHT_LIBRARY\nThe folder of the rule library.\n"
                  ".TP\n.B RANKWRIGHT_LIBRARY_DATABASE\n"
                  "The database of its verdicts; empty: none.\n"
                  ".TP\n.B XDG_DATA_HOME\nThe folder of the rule database.\n");
}

static void program_page(struct buf *out)
{
    buf_puts(out, ".TH RANKWRIGHT 1\n.SH NAME\n"
                  "rankwright \\- rewrite rules on tensor programs, proved once and for all sizes\n"
                  ".SH SYNOPSIS\n.B rankwright\n.I COMMAND\n"
                  "[\\fIOPTION\\fR...] [\\fIWORD\\fR...]\n.SH DESCRIPTION\n"
                  "Rankwright proves rewrite rules on tensor programs, for tensors of every rank\n"
                  "and every size, rewrites programs and formulas with proved rules only, and\n"
                  "writes a proof record with every result.\n.SH COMMANDS\n");
    for (uint32_t i = 0; i < n_command_tables; i++) {
        const struct command_table *table = command_tables[i];
        buf_printf(out, ".TP\n\\fB%s\\fR \\fI", table->name);
        put_text(table->usage ? table->usage : "", out);
        buf_puts(out, "\\fR\n");
        put_text(table->summary, out);
        buf_printf(out, "  See \\fBrankwright\\-%s\\fR(1).\n", table->name);
    }
    put_status(out);
    put_files(out);
    buf_puts(out, ".SH EXAMPLES\n.nf\n");
    for (uint32_t i = 0; i < n_command_tables; i++) {
        put_text(command_tables[i]->example, out);
        buf_putc(out, '\n');
    }
    buf_puts(out, ".fi\n");
}

static void command_page(const struct command_table *table, struct buf *out)
{
    buf_puts(out, ".TH RANKWRIGHT\\-");
    for (const char *text = table->name; *text; text++)
        buf_putc(out, (char)(*text - ('a' <= *text && *text <= 'z' ? 'a' - 'A' : 0)));
    buf_printf(out, " 1\n.SH NAME\nrankwright\\-%s \\- ", table->name);
    put_roff(table->summary, strlen(table->summary) - 1, out); // no full stop
    buf_printf(out, "\n.SH SYNOPSIS\n\\fBrankwright %s\\fR ", table->name);
    if (table->n_options)
        buf_puts(out, "[\\fIOPTION\\fR...] ");
    put_text(table->usage ? table->usage : "", out);
    buf_puts(out, "\n.SH DESCRIPTION\n");
    put_description(table->description, out);
    if (table->n_options)
        buf_puts(out, ".SH OPTIONS\n");
    for (uint32_t i = 0; i < table->n_options; i++)
        put_option(table, &table->option[i], out);
    put_status(out);
    buf_puts(out, ".SH EXAMPLE\n.nf\n");
    put_text(table->example, out);
    buf_puts(out, "\n.fi\n.SH SEE ALSO\n.BR rankwright (1)\n");
}

void man_page(const struct command_table *table, struct buf *out)
{
    if (table)
        command_page(table, out);
    else
        program_page(out);
}
