// SPDX-License-Identifier: Apache-2.0
// How this process speaks: remarks or none (--quiet), errors as text or as JSON
// (--json), colours or none (--color, NO_COLOR, TERM).  One command runs in a
// process, so the manner is that of the process.
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "cli/cli.h"

enum style { STYLE_YES, STYLE_NO, STYLE_UNKNOWN };

// From the options of a command line; from none before they are parsed.  Fails
// with ERR_USAGE.
bool terminal_choose(const struct command_line *command, struct err *err);
void terminal_json(void); // errors are JSON objects from now on

bool terminal_quiet(void);
// Appends the text, which print_all shows in the colour of the style if
// standard output has colours.
void put_styled(enum style style, const char *text, struct buf *out);
// Appends the part of the text from `from` on, printable and with its colours.
void terminal_paint(const struct buf *text, struct buf *out);

// One line on standard error that the next line there replaces; NULL: none any more.
void terminal_progress(const char *line);
// Prints one remark or error.
void terminal_say(const char *text);
void terminal_error(const struct err *err, int status);

#endif
