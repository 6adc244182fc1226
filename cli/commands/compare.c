// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/terminal.h"

#include "api/kernel/kernel.h"

#define MAX_KERNEL_BYTES ((size_t)1 << 26)
enum { COMPARE_RUNS = 60 };

static bool compare_files(struct command_line *command, enum kernel_comparison *comparison,
                          struct buf *lines, struct err *err)
{
    struct buf text[2] = {{0}, {0}};
    struct kernel_source source[2];
    double seed = 0;
    bool ok = option_count(command, OPTION_seed, 0, 1e15, &seed, err);
    for (uint32_t i = 0; ok && i < 2; i++) {
        ok = file_read_text(command->words.at[i], MAX_KERNEL_BYTES, &text[i], err);
        source[i] = (struct kernel_source){.text = buf_text(&text[i]),
                                           .n = text[i].len,
                                           .file = command->words.at[i],
                                           .assume = command->value[OPTION_assume],
                                           .seed = (uint64_t)seed,
                                           .runs = COMPARE_RUNS};
    }
    ok = ok && kernels_compare(&source[0], &source[1], comparison, lines, err);
    if (!ok && strcmp(err->file, "assume") == 0)
        err_in(err, "--assume");
    buf_release(&text[0]);
    buf_release(&text[1]);
    return ok;
}

int cmd_compare(struct command_line *command)
{
    static const struct {
        const char *text;
        enum style style;
        int status;
    } words[] = {[KERNELS_SAME] = {"same", STYLE_YES, EXIT_YES},
                 [KERNELS_DIFFERENT] = {"different", STYLE_NO, EXIT_NO},
                 [KERNELS_UNKNOWN] = {"unknown", STYLE_UNKNOWN, EXIT_UNKNOWN}};
    struct err err = {0};
    struct buf lines = {0}, out = {0};
    enum kernel_comparison comparison = KERNELS_UNKNOWN;
    if (command->words.len != 2) {
        err_set(&err, ERR_USAGE, "compare: expected two kernels");
        return report_error(&err);
    }
    bool ok = compare_files(command, &comparison, &lines, &err);
    if (ok) {
        put_styled(words[comparison].style, words[comparison].text, &out);
        buf_printf(&out, "\n%s", buf_text(&lines));
    }
    ok = ok && print_all(&out, &err);
    buf_release(&lines);
    buf_release(&out);
    return ok ? words[comparison].status : report_error(&err);
}
